/* Calls of dloc_mlir.h. */
#include "api.h"

static dloc_text any_mlir(world *w) {
  static const char *const texts[] = {
      "#a = loc(\"a.py\":1:2)\n#b = loc(fused[#a, \"scf\"(\"s.mlir\":3:4)])\nmodule {} loc(#b)\n",
      "module {} loc(callsite(\"f\"(\"a.c\":1:1) at fused<\"x\">[\"b.c\":2:2 to 3:3, unknown]))\n",
      "#a = loc(#b)\n#b = loc(#a)\n",
      "#a = #d.l<loc(\"a.c\":1:2) in #s>\nmodule {} loc(fused[#a, #d.x<1>, \"scf\"(\"s.mlir\":3:4)])\n",
      "func.func @f() { return loc(unknown) } loc(\"tile\"(\"k.tile\":7:1))\n",
      "module {} loc(\"",
      ""};
  return once_in(w->from, 4) ? mlir_file : dloc_text_of(ANY_OF(w->from, texts));
}

static void call_read(world *w) {
  dloc_diagnostic diagnostic;
  dloc_mlir *mlir = NULL;
  if (take_thing(dloc_mlir_read(w->context, any_mlir(w), &diagnostic, &mlir), mlir))
    add_thing(w, MLIR, mlir, NULL, NULL, NULL);
}

static void call_locations(world *w) {
  thing *mlir = any_thing(w, MLIR);
  size_t uses = 0;
  if (!mlir)
    return;
  size_t count = dloc_mlir_count(mlir->it);
  for (size_t i = 0; i < count; i++) {
    dloc_mlir_location location = dloc_mlir_at(mlir->it, (dloc_mlir_number)i);
    read_text(dloc_node_text(w->context, location.text));
    for (uint32_t k = 0; k < location.part_count; k++)
      require(location.parts[k] < i);
  }
  const dloc_mlir_use *use = dloc_mlir_uses(mlir->it, &uses);
  for (size_t i = 0; i < uses; i++)
    require(use[i].location < count && use[i].at <= use[i].end);
}

static void call_mean(world *w) {
  const dloc_text tags[] = {dloc_text_of("scf"), any_text(w->from)};
  thing *mlir = any_thing(w, MLIR), *hidden = any_thing(w, HIDDEN);
  dloc_node stand_in = DLOC_NULL;
  dloc_mlir_meaning *meaning = NULL;
  if (!mlir || mlir->borrowers)
    return;
  if (hidden && hidden->borrowers)
    hidden = NULL;
  if (hidden && dloc_hidden_stand_in(hidden->it, DLOC_NULL, &stand_in) != DLOC_OK)
    return;
  const dloc_mlir_options options = {tags, below(w->from, 3), stand_in};
  if (take_thing(dloc_mlir_mean(w->context, mlir->it, &options, &meaning), meaning))
    add_thing(w, MEANING, meaning, mlir, NULL, NULL)->with = hidden ? meaning : NULL;
}

static void call_write(world *w) {
  thing *meaning = any_thing(w, MEANING), *table = any_thing(w, HIDDEN);
  if (!meaning)
    return;
  const dloc_mlir *mlir = meaning->borrows[0]->it;
  dloc_diagnostic first;
  (void)dloc_mlir_left(mlir, meaning->it, &first);
  for (size_t i = 0; meaning->with && i < dloc_mlir_count(mlir); i++)
    add_node(w, dloc_mlir_layers(meaning->it, (dloc_mlir_number)i));
  if (once_in(w->from, 2))
    check_status(dloc_mlir_write_primary(mlir, meaning->it, any_sink(w)));
  else if (meaning->with && table && !table->borrowers && dloc_hidden_where(table->it) == DLOC_HIDDEN_IN_LINE)
    check_status(dloc_mlir_write_ids(mlir, meaning->it, table->it, any_sink(w)));
}

static void call_ops(world *w) {
  dloc_mlir_ops *ops = NULL;
  if (take_thing(dloc_mlir_ops_create(w->context, any_mlir(w), &ops), ops))
    add_thing(w, MLIR_OPS, ops, NULL, NULL, NULL);
  thing *one = any_thing(w, MLIR_OPS);
  if (one)
    (void)dloc_mlir_is_op(one->it, edge_number(w->from), edge_number(w->from));
}

static api_call *const calls[] = {call_read, call_locations, call_mean, call_write, call_ops};
CALLS(calls_of_mlir, calls);
