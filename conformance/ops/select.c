/* select.c - `select`: the rows of a layer as rows of the program's own table. spec/hidden.md 18.4 */
#include "declare.h"
#include "line_terms.h"

#include <stdlib.h>

/* The rows of the layer, which hold each until the next one. */
typedef struct layer {
  const dloc_row *rows;
  size_t count;
} layer;

typedef struct row_list {
  dloc_row *items;
  size_t count;
} row_list;

/* The `place` of dloc_selected. The rows rise: line_given_rows_type asks for that. */
static dloc_status place(void *user, uint64_t address, dloc_row *ret) {
  const layer *l = user;
  const dloc_row *found = NULL;
  for (size_t i = 0; i < l->count && l->rows[i].address <= address; i++)
    found = l->rows[i].flags & DLOC_ROW_END_SEQUENCE ? NULL : &l->rows[i];
  if (found && found->line) {
    ret->line = found->line;
    ret->file = found->file;
    ret->column = found->column;
  }
  return DLOC_OK;
}

static dloc_status take(void *user, const dloc_row *row) {
  row_list *list = user;
  *MEMORY_ADD(list->items, list->count) = *row;
  return DLOC_OK;
}

static const uint64_t *addresses_of(value_arena *arena, const term *list) {
  uint64_t *addresses = value_arena_alloc(arena, list->count, sizeof *addresses);
  for (size_t i = 0; i < list->count; i++)
    addresses[i] = list->of.items[i].of.number;
  return addresses;
}

static dloc_status ask(query *q, term *value) {
  const dloc_row_call *calls;
  const term *rows = term_list(q->args, "rows"), *layer_rows = term_list(q->args, "layer"),
             *functions = term_list(q->args, "functions");
  layer l = {line_rows_of(layer_rows, q->arena, &calls), layer_rows->count};
  uint64_t *starts = value_arena_alloc(q->arena, l.count, sizeof *starts);
  for (size_t i = 0; i < l.count; i++)
    starts[i] = l.rows[i].address;
  const dloc_selected selected = {.rows = line_rows_of(rows, q->arena, &calls),
                                  .count = rows->count,
                                  .starts = starts,
                                  .start_count = l.count,
                                  .functions = addresses_of(q->arena, functions),
                                  .function_count = functions->count,
                                  .place = place,
                                  .user = &l};
  row_list list = {NULL, 0};
  dloc_status status = dloc_select_rows(q->profile, &selected, take, &list);
  line_rows_describe(q->arena, value, "rows", list.items, NULL, list.count);
  free(list.items);
  return status;
}

const operation op_select = {
    .name = "select",
    .forms = {{MAP(NULL, FIELD("rows", &line_given_rows_type), FIELD("layer", &line_given_rows_type),
                   OPTIONAL("functions", LIST(LONG))),
               MAP(NULL, FIELD("rows", &line_rows_type))}},
    .ask = ask,
};
