/* hiding.h - what `hide` and `reveal` share: a module of locations that is hidden. SPEC.md 17 */
#ifndef DLOC_OPS_HIDING_H
#define DLOC_OPS_HIDING_H

#include "hidden/dloc_hidden.h"
#include "operation.h"

/* The args of what is hidden. */
#define HIDING_IN WORD("where numbers stand", "discriminator", "column")
#define HIDING_OPTIONS OPTIONAL("in", HIDING_IN), OPTIONAL("first", NUMBER)

/* A module with one function: instructions, and debug records behind them, with these locations, and instructions with
 * these loops. NULL is none. */
dloc_status hiding_module(query *q, const term *locations, const term *records, const term *loops, dloc_module **ret);
/* Its location of an instruction, by the order above. */
dloc_node hiding_location(const dloc_module *module, size_t index);
/* Hide it by the options of a map of args. */
dloc_status hiding_run(query *q, const term *options, dloc_module *module, dloc_hidden **ret);

#endif
