/* print.c - `print`: the text of a location. SPEC.md 2 */
#include "declare.h"
#include "document/buffer.h"

static dloc_status ask(query *q, term *value) {
  dloc_buffer text = {0};
  q->reason = DLOC_REASON_LOCATION_INLINED_AT_CYCLE; /* with DLOC_INVALID */
  dloc_status status = dloc_debug_loc_print(q->context, q->profile, q->args->of.nodes[0], buffer_sink(&text));
  term_set_text(q->arena, value, "text", buffer_text(&text));
  dloc_buffer_deinit(&text);
  return status;
}

const operation op_print = {
    .name = "print",
    .forms = {{LIST_OF(1, NODE), MAP(NULL, {.key = "text", .of = TEXT, .text = "text: %\n"})}},
    .ask = ask,
    .args_cell = "`[a]`",
    .value_cell = "`text: \"a.py:2:5, TileIR: k.tile:100:10\"`",
};
