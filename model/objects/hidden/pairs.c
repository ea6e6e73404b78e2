/* spec/hidden.md, chapter 17.4: two modules of the same code, location by location. */
#include "hidden.h"

typedef struct visit {
  dloc_context *context;
  dloc_module *base;
  const dloc_module *made;
  const dloc_exact_options *options;
  bool records;
  hidden_pair *pair;
  void *user;
  scratch counterparts; /* of base's functions with code: those of made; DLOC_NO_INDEX: it differs */
  dloc_node subprogram; /* of the function at hand */
  node_notes loops;     /* of base that were met */
  dloc_exact_report report;
} visit;

/* ---- Functions ---- */

static bool has_code(const dloc_module *module, size_t function) {
  return dloc_module_function(module, function)->instruction_count;
}

/* The function of that name and with code; DLOC_NO_INDEX: there is none. */
static uint32_t counterpart(const dloc_module *of, uint32_t function, const dloc_module *in) {
  uint32_t other;
  dloc_text name = dloc_node_text(dloc_module_context(of), dloc_module_function(of, function)->name);
  return dloc_module_find_function(in, name, &other) && has_code(in, other) ? other : DLOC_NO_INDEX;
}

static dloc_status compare(visit *v, uint32_t base, uint32_t made, dloc_code_difference *ret) {
  *ret = (dloc_code_difference){.base = DLOC_NO_INDEX, .made = DLOC_NO_INDEX};
  if (base != DLOC_NO_INDEX && made != DLOC_NO_INDEX)
    TRY(v->options->compare(v->options->comparer, base, made, ret));
  if (ret->same || !v->report.first.same)
    return DLOC_OK;
  v->report.base = base;
  v->report.made = made;
  v->report.first = *ret;
  return DLOC_OK;
}

/* `mode.function`, `mode.strict` */
static dloc_status compare_functions(visit *v) {
  dloc_code_difference found;
  v->report.first.same = true;
  for (uint32_t i = 0; i < dloc_module_function_count(v->base); i++) {
    if (!has_code(v->base, i))
      continue;
    uint32_t other = counterpart(v->base, i, v->made);
    TRY(compare(v, i, other, &found));
    v->report.functions++;
    v->report.differing += !found.same;
    v->report.constants += found.same ? found.constants : 0;
    TRY(scratch_push(v->context, &v->counterparts, found.same ? other : DLOC_NO_INDEX));
  }
  for (uint32_t i = 0; i < dloc_module_function_count(v->made); i++)
    if (has_code(v->made, i) && counterpart(v->made, i, v->base) == DLOC_NO_INDEX)
      TRY(compare(v, DLOC_NO_INDEX, i, &found));
  return v->options->strict && !v->report.first.same ? DLOC_INVALID : DLOC_OK;
}

/* ---- Loops ---- */

static dloc_node loop_of(const dloc_module *module, uint32_t instruction) {
  for (size_t i = 0; i < dloc_module_attachment_count(module, instruction); i++) {
    dloc_attachment attachment = dloc_module_attachment(module, instruction, i);
    if (dloc_text_equal(dloc_node_text(dloc_module_context(module), attachment.kind), dloc_text_of(DLOC_LOOP)))
      return attachment.node;
  }
  return DLOC_NULL;
}

/* `mode.loop` */
static dloc_status visit_loop(visit *v, uint32_t instruction, dloc_node base, dloc_node made) {
  uint32_t known;
  if (!base || !made || !dloc_node_is_distinct(v->context, base) || note_get(&v->loops, 0, base, &known) ||
      operand_count(v->context, base) != operand_count(v->context, made))
    return DLOC_OK;
  TRY(note_set(v->context, &v->loops, 0, base, made));
  for (size_t i = 1; i < operand_count(v->context, base); i++) {
    dloc_node own = operand_at(v->context, base, i), given = own;
    TRY(v->pair(v->user, instruction, own, operand_at(v->context, made, i), &given));
    if (given != own)
      TRY(dloc_set_operand(v->context, base, i, given));
  }
  return DLOC_OK;
}

/* ---- Instructions ---- */

static bool has_layers(const dloc_context *context, dloc_node location) {
  dloc_layer layer;
  return dloc_next_layer(context, location, &(size_t){0}, &layer);
}

/* `mode.no-primary`: a location without layers is not made. */
static dloc_status visit_instruction(visit *v, uint32_t base, uint32_t made) {
  const dloc_instruction *instruction = dloc_module_instruction(v->base, base);
  dloc_node own = instruction->debug_loc, other = dloc_module_instruction(v->made, made)->debug_loc;
  bool code = !(instruction->flags & DLOC_INSTRUCTION_DEBUG), none = !own;
  if (none && v->options->line_0 && v->subprogram)
    TRY(dloc_location_create(v->context, false, &(dloc_location){.scope = v->subprogram}, &own));
  dloc_node given = own;
  if (own && other)
    TRY(v->pair(v->user, base, own, other, &given));
  bool layers = has_layers(v->context, given);
  v->report.instructions += code;
  v->report.layered += code && layers;
  v->report.bare += code && layers && none;
  if (given != instruction->debug_loc && (layers || !none))
    TRY(dloc_module_set_debug_loc(v->base, base, given));
  return visit_loop(v, base, loop_of(v->base, base), loop_of(v->made, made));
}

/* How many instructions from `at` on are there for debugging only. */
static uint32_t count_debug(const dloc_module *module, uint32_t at, uint32_t end) {
  uint32_t count = 0;
  while (at + count < end && dloc_module_instruction(module, at + count)->flags & DLOC_INSTRUCTION_DEBUG)
    count++;
  return count;
}

/* `mode.record`: what is there for debugging need not be as much in both. */
static dloc_status visit_function(visit *v, const dloc_function *f, const dloc_function *g) {
  uint32_t base = f->first_instruction, base_end = base + f->instruction_count;
  uint32_t made = g->first_instruction, made_end = made + g->instruction_count;
  for (;;) {
    uint32_t debug = count_debug(v->base, base, base_end), other = count_debug(v->made, made, made_end);
    for (uint32_t i = 0; v->records && debug == other && i < debug; i++)
      TRY(visit_instruction(v, base + i, made + i));
    base += debug;
    made += other;
    if (base >= base_end || made >= made_end)
      return DLOC_OK;
    TRY(visit_instruction(v, base++, made++));
  }
}

static dloc_status visit_functions(visit *v) {
  TRY(compare_functions(v));
  for (uint32_t i = 0, next = 0; i < dloc_module_function_count(v->base); i++) {
    const dloc_function *f = dloc_module_function(v->base, i);
    if (!f->instruction_count)
      continue;
    uint32_t other = v->counterparts.words[next++];
    dloc_node subprogram = dloc_function_subprogram(v->base, i);
    v->subprogram = node_kind(v->context, subprogram) == DLOC_KIND_SUBPROGRAM ? subprogram : DLOC_NULL;
    if (other != DLOC_NO_INDEX)
      TRY(visit_function(v, f, dloc_module_function(v->made, other)));
    else
      TRY(hidden_tell(v->options->on_problem, v->options->user, DLOC_REASON_REVEAL_FUNCTION, f->first_instruction,
                      DLOC_NULL));
  }
  return DLOC_OK;
}

dloc_status hidden_visit_pairs(dloc_module *base, const dloc_module *made, const dloc_exact_options *options,
                               bool records, dloc_exact_report *report, hidden_pair *pair, void *user) {
  visit v = {.context = dloc_module_context(base),
             .base = base,
             .made = made,
             .options = options,
             .records = records,
             .pair = pair,
             .user = user};
  OWNED_MEMORY(v.context, &v.counterparts.words, &v.loops.items);
  dloc_status status = visit_functions(&v);
  if (report)
    *report = v.report;
  return status;
}
