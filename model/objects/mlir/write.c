/* The text with other locations. */
#include "mlir.h"

#include "ll/refuse.h"

#include <string.h>

typedef struct writer {
  const dloc_mlir *m;
  const dloc_mlir_meaning *meaning;
  dloc_sink sink;
  size_t written; /* of the text */
} writer;

static dloc_status pass_until(writer *w, size_t at) {
  TRY(sink_bytes(w->sink, w->m->text.bytes + w->written, at - w->written));
  w->written = at;
  return DLOC_OK;
}

dloc_status dloc_mlir_write_primary(const dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_sink sink) {
  writer w = {.m = mlir, .meaning = meaning, .sink = sink};
  for (size_t i = 0; i < mlir->uses.count; i++) {
    const dloc_mlir_use *use = &mlir->uses.items[i];
    const dloc_mlir_number primary = mlir_primary_of(meaning, use->location);
    if (primary == use->location)
      continue;
    TRY(pass_until(&w, use->at));
    TRY(mlir_print(mlir, primary, sink));
    w.written = use->end;
  }
  return pass_until(&w, mlir->text.size);
}

/* ---- Numbers ---- */

/* `mlir.ids.file`, `mlir.ids.dialect` */
static dloc_status write_id(writer *w, const dloc_mlir_location *scope, dloc_node file, uint32_t number) {
  TRY(mlir_print_before(w->m, scope, w->sink));
  TRY(dloc_print_string(file ? dloc_node_text(w->m->context, file) : dloc_text_of("dloc"), w->sink));
  TRY(sink_string(w->sink, ":"));
  TRY(sink_number(w->sink, number));
  TRY(sink_string(w->sink, ":0"));
  return mlir_print_behind(w->m, scope, w->sink);
}

/* The meaning of a use where its alias is defined; that definition has the number then. Otherwise the
 * location itself. `mlir.ids.alias` */
static dloc_mlir_number meant_by(const dloc_mlir *mlir, dloc_mlir_number number) {
  const dloc_mlir_location location = dloc_mlir_at(mlir, number);
  return location.kind == DLOC_MLIR_ALIAS && location.part_count ? location.parts[0] : number;
}

/* `mlir.ids.number` */
static dloc_status number_of(const writer *w, dloc_mlir_number location, dloc_hidden *table, map *numbers,
                             uint32_t *ret) {
  const dloc_node layers = dloc_mlir_layers(w->meaning, location);
  if (map_get(numbers, layers, 0, ret))
    return DLOC_OK;
  TRY(dloc_hidden_add(table, layers, ret));
  return map_add(w->m->context, numbers, layers, 0, *ret, NULL);
}

/* `mlir.ids.dialect` */
static dloc_status write_one(writer *w, dloc_mlir_number location, dloc_hidden *table, map *numbers) {
  const dloc_mlir_number around = mlir_scope_of(w->meaning, location);
  const dloc_mlir_location scope = dloc_mlir_at(w->m, around);
  uint32_t number;
  if (!mlir_is_understood(&scope))
    return mlir_print(w->m, mlir_primary_of(w->meaning, location), w->sink);
  TRY(number_of(w, location, table, numbers, &number));
  return write_id(w, &scope, scope.kind == DLOC_MLIR_SCOPED ? mlir_file_of(w->meaning, around) : DLOC_NULL, number);
}

/* named has the locations whose aliases something has: other aliases are parts alone, and stay. `mlir.ids.unknown` */
static dloc_status write_ids(writer *w, dloc_hidden *table, map *numbers, bool *named) {
  const dloc_mlir_use *uses = w->m->uses.items;
  for (size_t i = 0; i < w->m->uses.count; i++)
    if (!uses[i].definition)
      named[meant_by(w->m, uses[i].location)] = true;
  for (size_t i = 0; i < w->m->uses.count; i++) {
    const dloc_mlir_number location = uses[i].location;
    if (uses[i].definition ? !named[location] : meant_by(w->m, location) != location)
      continue;
    TRY(pass_until(w, uses[i].at));
    TRY(write_one(w, location, table, numbers));
    w->written = uses[i].end;
  }
  return pass_until(w, w->m->text.size);
}

dloc_status dloc_mlir_write_ids(const dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_hidden *table,
                                dloc_sink sink) {
  writer w = {.m = mlir, .meaning = meaning, .sink = sink};
  map numbers = {0};
  bool *named = NULL;
  OWNED_MEMORY(mlir->context, &named, &numbers.entries);
  ALLOCATE_ZEROED(mlir->context, named, mlir->locations.count + 1);
  return write_ids(&w, table, &numbers, named);
}

size_t dloc_mlir_left(const dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_diagnostic *ret_first) {
  size_t count = 0, first = 0;
  for (size_t i = 0; i < mlir->uses.count; i++) {
    const dloc_mlir_location scope = dloc_mlir_at(mlir, mlir_scope_of(meaning, mlir->uses.items[i].location));
    if (!mlir->uses.items[i].definition && !mlir_is_understood(&scope) && count++ == 0)
      first = mlir->uses.items[i].at;
  }
  if (count)
    refuse_text(ret_first, mlir->text.bytes, DLOC_REASON_TEXT_SYNTAX, first,
                "a dialect's location that is not understood stays here, without layers (%zu such location%s)", count,
                count == 1 ? "" : "s");
  return count;
}
