/* hidden_table.h - the table of hidden layers that a vector's module is. */
#ifndef DLOC_OPS_HIDDEN_TABLE_H
#define DLOC_OPS_HIDDEN_TABLE_H

#include "hidden/dloc_hidden.h"
#include "operation.h"

/* Without a module: a table without numbers. */
dloc_status hidden_table_of(query *q, dloc_hidden **ret);
/* With the table for the answer. */
typedef dloc_status hidden_table_answer(query *q, const dloc_hidden *hidden, term *value);
dloc_status hidden_table_ask(query *q, hidden_table_answer *answer, term *value);

#endif
