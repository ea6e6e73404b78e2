/* hidden_table.h - the table of hidden layers that a vector's module is. */
#ifndef DLOC_OPS_HIDDEN_TABLE_H
#define DLOC_OPS_HIDDEN_TABLE_H

#include "objects/dloc_hidden.h"
#include "operation.h"

typedef dloc_status hidden_table_answer(query *q, const dloc_hidden *hidden, term *value);
/* Answer with the table. Without a module it has no numbers. */
dloc_status hidden_table_ask(query *q, hidden_table_answer *answer, term *value);

#endif
