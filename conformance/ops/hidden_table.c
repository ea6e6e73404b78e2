#include "hidden_table.h"

#include "nodes/try.h"

static dloc_status read_table(query *q, dloc_hidden **ret) {
  dloc_hidden *hidden = NULL;
  TRY(dloc_hidden_create(q->context, &hidden));
  dloc_status status = q->module ? dloc_hidden_read(hidden, q->module, &q->reason) : DLOC_OK;
  if (status == DLOC_OK)
    *ret = hidden;
  else
    dloc_hidden_destroy(hidden);
  return status;
}

dloc_status hidden_table_ask(query *q, hidden_table_answer *answer, term *value) {
  dloc_hidden *hidden = NULL;
  TRY(read_table(q, &hidden));
  dloc_status status = answer(q, hidden, value);
  dloc_hidden_destroy(hidden);
  return status;
}
