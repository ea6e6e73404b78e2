/* mlir.c - `mlir`: what the locations of a text of MLIR mean, and the text with primaries or numbers.
 * spec/hidden.md 19 */
#include "declare.h"
#include "document/buffer.h"
#include "objects/dloc_mlir.h"

typedef struct understood {
  dloc_mlir *mlir;
  dloc_mlir_meaning *meaning;
  dloc_hidden *table;
  dloc_buffer text; /* rewritten */
} understood;

static dloc_status understand(query *q, const char *text, understood *ret) {
  dloc_mlir_options options = {.tags = term_texts(q->args, "tags", q->arena),
                               .tag_count = term_list(q->args, "tags")->count};
  TRY(dloc_mlir_read(q->context, term_text(q->args, text), &q->diagnostic, &ret->mlir));
  TRY(dloc_hidden_create(q->context, &ret->table));
  TRY(dloc_hidden_begin(ret->table, DLOC_HIDDEN_IN_LINE, 1));
  TRY(dloc_hidden_stand_in(ret->table, DLOC_NULL, &options.stand_in));
  return dloc_mlir_mean(q->context, ret->mlir, &options, &ret->meaning);
}

static void describe_layers(query *q, dloc_node debug_loc, term *ret) {
  size_t cursor = 0, count = dloc_layer_count(q->context, debug_loc);
  dloc_layer layer;
  term_be_list(q->arena, ret, count);
  for (term *item = ret->of.items; dloc_next_layer(q->context, debug_loc, &cursor, &layer); item++) {
    const dloc_layer_place place = dloc_place_of_layer(q->context, layer.location);
    term_set_text(q->arena, item, "kind", dloc_node_text(q->context, layer.kind));
    term_set_text(q->arena, item, "file",
                  dloc_node_text(q->context, dloc_field_value(q->context, place.file, "filename")));
    term_set_number(item, "line", place.line);
    term_set_number(item, "column", place.column);
  }
}

static dloc_status ask_locations(query *q, understood *u, term *value) {
  size_t count;
  TRY(understand(q, "text", u));
  TRY(dloc_mlir_write_primary(u->mlir, u->meaning, buffer_sink(&u->text)));
  const dloc_mlir_use *uses = dloc_mlir_uses(u->mlir, &count);
  term *locations = term_set_list(q->arena, value, "locations", count);
  for (size_t i = 0; i < count; i++)
    describe_layers(q, dloc_mlir_layers(u->meaning, uses[i].location), &locations[i]);
  term_set_text(q->arena, value, "primary", buffer_text(&u->text));
  return DLOC_OK;
}

static dloc_status ask_numbers(query *q, understood *u, term *value) {
  TRY(understand(q, "ids", u));
  TRY(dloc_mlir_write_ids(u->mlir, u->meaning, u->table, buffer_sink(&u->text)));
  term *numbers = term_set_list(q->arena, value, "numbers", dloc_hidden_count(u->table));
  for (size_t i = 0; i < dloc_hidden_count(u->table); i++)
    describe_layers(q, dloc_hidden_at(u->table, i).layers, &numbers[i]);
  term_set_text(q->arena, value, "text", buffer_text(&u->text));
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  understood u = {0};
  dloc_status status = term_get(q->args, "ids") ? ask_numbers(q, &u, value) : ask_locations(q, &u, value);
  dloc_hidden_destroy(u.table);
  dloc_mlir_meaning_destroy(u.meaning);
  dloc_mlir_destroy(u.mlir);
  dloc_buffer_deinit(&u.text);
  return status;
}

#define LAYER                                                                                                          \
  MAP("a layer", FIELD_AS("kind", TEXT, "% "), FIELD_AS("file", TEXT, "%:"), FIELD_AS("line", NUMBER, "%:"),           \
      FIELD_AS("column", NUMBER, "%\n"))
#define LAYERS LIST(LIST_AS("the layers of a location", "#:\n", LAYER))

const operation op_mlir = {
    .name = "mlir",
    .forms = {{MAP(NULL, FIELD("text", TEXT), FIELD("tags", LIST(TEXT))),
               MAP(NULL, FIELD_AS("primary", TEXT, "%\n"), FIELD("locations", LAYERS))},
              {MAP(NULL, FIELD("ids", TEXT), FIELD("tags", LIST(TEXT))),
               MAP(NULL, FIELD_AS("text", TEXT, "%\n"), FIELD("numbers", LAYERS))}},
    .ask = ask,
};
