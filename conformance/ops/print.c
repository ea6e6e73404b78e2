/* print.c - `print`: the text of a location. SPEC.md 2 */
#include "declare.h"
#include "document/buffer.h"
#include "document/memory.h"

static dloc_status ask(query *q, term *value) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  q->reason = DLOC_REASON_LOCATION_INLINED_AT_CYCLE; /* with DLOC_INVALID */
  TRY(dloc_debug_loc_print(q->context, q->profile, q->args->of.nodes[0], buffer_sink(&text)));
  term_set_text(q->arena, value, "text", buffer_text(&text));
  return DLOC_OK;
}

const operation op_print = {
    .name = "print",
    .forms = {{LIST_OF(1, NODE), MAP(NULL, FIELD_AS("text", TEXT, "text: %\n"))}},
    .ask = ask,
};
