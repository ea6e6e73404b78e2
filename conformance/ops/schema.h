/* schema.h - types as JSON Schemas, for `dloc schema`. */
#ifndef DLOC_OPS_SCHEMA_H
#define DLOC_OPS_SCHEMA_H

#include "operation.h"

value schema_of_type(value_arena *arena, const type *t);
/* {op, module: no|named|whole, forms: [{args, value}], args, value}: the last two are cells of a table in Markdown. */
value schema_of_operation(value_arena *arena, const operation *op);

#endif
