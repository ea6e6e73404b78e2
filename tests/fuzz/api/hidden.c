/* Calls of dloc_hidden.h: tables, hiding and revealing, rows of layers. A table that something borrows is not
 * changed. */
#include "api.h"

static thing *free_table(world *w) {
  thing *hidden = any_thing(w, HIDDEN);
  return hidden && !hidden->borrowers ? hidden : NULL;
}
static thing *free_module(world *w) {
  thing *module = any_thing(w, MODULE);
  return module && !module->borrowers ? module : NULL;
}

/* ---- Tables ---- */

static void call_create(world *w) {
  dloc_hidden *hidden = NULL;
  if (!take_thing(dloc_hidden_create(w->context, &hidden), hidden))
    return;
  add_thing(w, HIDDEN, hidden, NULL, NULL, NULL);
  check_status(dloc_hidden_begin(hidden, (dloc_hidden_in)below(w->from, 3), edge_number(w->from)));
}

static void call_add(world *w) {
  thing *hidden = free_table(w);
  dloc_node ret = UNTOUCHED_NODE;
  uint32_t number = 0;
  if (!hidden)
    return;
  if (once_in(w->from, 6))
    check_status(dloc_hidden_begin(hidden->it, (dloc_hidden_in)below(w->from, 3), edge_number(w->from)));
  take_node(w, dloc_hidden_stand_in(hidden->it, node_of_kind(w, DLOC_KIND_FILE), &ret), &ret);
  check_status(dloc_hidden_add(hidden->it, any_debug_loc(w), &number));
}

static void call_table(world *w) {
  thing *hidden = any_thing(w, HIDDEN);
  dloc_hidden_entry entry;
  size_t count = 0;
  if (!hidden)
    return;
  (void)dloc_hidden_where(hidden->it);
  (void)dloc_hidden_find(hidden->it, edge_number(w->from), &entry);
  for (size_t i = 0; i < dloc_hidden_count(hidden->it); i++)
    add_node(w, dloc_hidden_at(hidden->it, i).layers);
  const dloc_node *sources = dloc_hidden_sources(hidden->it, &count);
  for (size_t i = 0; i < count; i++)
    add_node(w, sources[i]);
  const dloc_node *kinds = NULL;
  if (dloc_hidden_kinds(hidden->it, &kinds, &count) == DLOC_OK)
    for (size_t i = 0; i < count; i++)
      (void)dloc_hidden_file(hidden->it, kinds[i], any_text(w->from));
}

static void call_write(world *w) {
  thing *hidden = any_thing(w, HIDDEN), *other = free_table(w);
  dloc_module *module = NULL;
  if (!hidden || !take_thing(dloc_hidden_write(hidden->it, &module), module))
    return;
  check_status(dloc_write_ll(module, any_sink(w)));
  if (other) {
    dloc_status status = dloc_hidden_read(other->it, module, any_reason(w));
    check_status(status);
    if (status != DLOC_OK && status != DLOC_INVALID)
      destroy_thing(w, other);
  }
  dloc_module_destroy(module);
}

/* A module that is no table, mostly. */
static void call_read(world *w) {
  thing *module = any_thing(w, MODULE), *hidden = free_table(w);
  if (!module || !hidden)
    return;
  dloc_status status = dloc_hidden_read(hidden->it, module->it, any_reason(w));
  check_status(status);
  if (status != DLOC_OK && status != DLOC_INVALID)
    destroy_thing(w, hidden);
}

/* ---- Hide and reveal ---- */

static void call_hide(world *w) {
  thing *module = free_module(w);
  dloc_hidden *hidden = NULL;
  const dloc_hide_options options = {(dloc_hidden_in)below(w->from, 3), edge_number(w->from), edge_number(w->from),
                                     once_in(w->from, 4) ? NULL : on_hidden_problem, w};
  if (module && take_thing(dloc_hide(module->it, &options, &hidden), hidden))
    add_thing(w, HIDDEN, hidden, NULL, NULL, NULL);
}
static void call_reveal(world *w) {
  thing *module = free_module(w), *hidden = any_thing(w, HIDDEN);
  if (module && hidden)
    check_status(dloc_reveal(module->it, hidden->it, once_in(w->from, 4) ? NULL : on_hidden_problem, w));
}

static dloc_status compare(void *user, size_t base, size_t made, dloc_code_difference *ret) {
  *ret =
      (dloc_code_difference){.same = !once_in(((world *)user)->from, 4), .base = DLOC_NO_INDEX, .made = DLOC_NO_INDEX};
  return base == made || !ret->same ? DLOC_OK : DLOC_STOPPED;
}
/* By dloc_compare_code where there is a comparer of two modules, otherwise of a module and itself, which is the same. */
static void reveal_onto(world *w, dloc_module *base, const dloc_module *made, const dloc_hidden *hidden,
                        dloc_compare *by, void *comparer) {
  const dloc_exact_options options = {
      by, comparer, once_in(w->from, 3), once_in(w->from, 2), once_in(w->from, 4) ? NULL : on_hidden_problem, w};
  dloc_exact_report report;
  dloc_exact_report *told = once_in(w->from, 3) ? NULL : &report;
  if (once_in(w->from, 2))
    check_status(dloc_reveal_kind(base, made, hidden, any_text(w->from), &options, told));
  else
    check_status(dloc_reveal_exact(base, made, hidden, &options, told));
}
static void call_exact(world *w) {
  thing *base = free_module(w), *made = any_thing(w, MODULE), *hidden = any_thing(w, HIDDEN);
  dloc_code_comparer *comparer = NULL;
  if (!base || base == made || !hidden)
    return;
  if (dloc_code_comparer_create(base->it, made->it, once_in(w->from, 2), &comparer) != DLOC_OK)
    return;
  reveal_onto(w, base->it, made->it, hidden->it, dloc_compare_code, comparer);
  dloc_code_comparer_destroy(comparer);
}
/* A copy of the text has the same code, whatever the comparison says. */
static void call_exact_of_copy(world *w) {
  thing *base = free_module(w), *hidden = any_thing(w, HIDDEN);
  dloc_buffer text = {0};
  dloc_diagnostic diagnostic;
  dloc_module *made = NULL;
  if (!base || !hidden)
    return;
  if (dloc_write_ll(base->it, dloc_buffer_sink(&text)) == DLOC_OK &&
      dloc_read_ll(w->context, (dloc_text){text.bytes, text.size}, &diagnostic, &made) == DLOC_OK &&
      dloc_module_instruction_count(made) == dloc_module_instruction_count(base->it))
    reveal_onto(w, base->it, made, hidden->it, compare, w);
  dloc_module_destroy(made);
  dloc_buffer_deinit(&text);
}

/* ---- Rows of layers ---- */

static void call_maker(world *w) {
  thing *hidden = any_thing(w, HIDDEN);
  dloc_layer_maker *maker = NULL;
  if (!hidden || !has_room(w))
    return;
  dloc_line_parameters parameters = any_parameters(w, DLOC_DIALECT_STANDARD);
  const dloc_line_parameters *lent = lend(w, &parameters, sizeof parameters);
  if (take_thing(dloc_layer_maker_create(w->context, any_profile(w), lent, hidden->it, on_line_problem, w, &maker),
                 maker))
    add_thing(w, LAYER_MAKER, maker, hidden, NULL, NULL);
}
static void call_maker_add(world *w) {
  enum { MOST_ROWS = 20 };
  thing *maker = any_thing(w, LAYER_MAKER);
  dloc_row rows[MOST_ROWS];
  dloc_row_call calls[MOST_ROWS];
  if (maker) {
    size_t count = make_rows(w, rows, calls, MOST_ROWS);
    check_status(dloc_layer_maker_add(maker->it, rows, count, edge_number(w->from)));
  }
}
static void call_maker_rows(world *w) {
  thing *maker = any_thing(w, LAYER_MAKER);
  size_t kinds = maker ? dloc_layer_maker_kinds(maker->it) : 0;
  if (!maker)
    return;
  dloc_layer_lines lines = dloc_layer_maker_primary(maker->it);
  for (size_t i = 0; i <= kinds; lines = dloc_layer_maker_kind(maker->it, i < kinds ? i : 0), i++) {
    read_text((dloc_text){(const char *)lines.rows, lines.row_count * sizeof *lines.rows});
    if (!kinds)
      break;
  }
}

static api_call *const calls[] = {call_create, call_add,       call_add,       call_table, call_write,
                                  call_read,   call_hide,      call_reveal,    call_exact, call_exact_of_copy,
                                  call_maker,  call_maker_add, call_maker_rows};
CALLS(calls_of_hidden, calls);
