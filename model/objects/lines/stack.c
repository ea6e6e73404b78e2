/* spec/lines.md 14.2 to 14.4: the units of a file, their scopes, and the frames at an address. */
#include "spans.h"

/* A reference beyond these counts as none; so does a chain that comes back to itself. */
#define MOST_ORIGINS 16

/* A unit that was read. */
typedef struct stack_unit {
  bool read;
  const dloc_die *dies;
  uint32_t count;
  span_map scopes; /* the innermost subprogram or inlined subroutine of each address */
  span_map ranges; /* its own, once they are asked for */
} stack_unit;

struct dloc_stacks {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_code code;
  const dloc_die *own; /* the DIE of each unit */
  stack_unit *units;
  uint32_t unit_count;
  span_map unit_map;
  dloc_dies_of *dies_of;
  dloc_line_problem *on_problem;
  void *user;
  ARRAY(dloc_frame) frames;
};

/* ---- Ranges ---- */

/* `stack.range.pair`, `stack.range.high`, `stack.range.list`: the addresses of a DIE, one range after the other. */
static uint32_t range_count(const dloc_die *die) { return die->high_form == DLOC_HIGH_NONE ? die->range_count : 1; }

/* `stack.range.pair`, `stack.range.high`, `stack.range.both` */
static dloc_address_range range_at(const dloc_die *die, uint32_t i) {
  if (die->high_form == DLOC_HIGH_NONE)
    return die->ranges[i];
  return (dloc_address_range){die->low_pc,
                              die->high_form == DLOC_HIGH_OFFSET ? die->low_pc + die->high_pc : die->high_pc};
}

static bool covers(const dloc_die *die, uint64_t address) {
  for (uint32_t i = 0; i < range_count(die); i++)
    if (range_at(die, i).low <= address && address < range_at(die, i).high)
      return true;
  return false;
}

/* `stack.range.alone`, `stack.range.empty`, `stack.discarded` */
static dloc_status add_ranges(const dloc_stacks *s, const dloc_die *die, uint64_t rank, uint32_t owner,
                              span_list *spans) {
  for (uint32_t i = 0; i < range_count(die); i++) {
    dloc_address_range range = range_at(die, i);
    bool dropped = code_is_dropped(s->profile, &s->code, code_at(range.low, s->code.address_size));
    if (range.low < range.high && !dropped)
      PUSH(s->context, *spans, (span){range.low, range.high, rank, owner});
  }
  return DLOC_OK;
}

/* ---- Scopes of a unit ---- */

/* `stack.scope` */
static bool is_scope(const dloc_die *die) { return die->tag == DLOC_DIE_SUBPROGRAM || die->tag == DLOC_DIE_INLINED; }

/* `stack.overlap`: The later DIEs of a unit count, which are also the inner ones; or the earlier of two DIEs, unless
 * it is around the other. The order is then the reverse of that in which a walk through the tree leaves DIEs. */
static dloc_status rank_scopes(const dloc_stacks *s, const stack_unit *unit, uint64_t *rank) {
  for (uint32_t i = 0; i < unit->count; i++)
    rank[i] = i;
  if (!DLOC_TAKES(s->profile, STACK_OVERLAP, FIRST))
    return DLOC_OK;
  ALLOCATE(s->context, uint32_t, inside, 2 * (size_t)unit->count + 1); /* how many DIEs are in one */
  uint32_t *depth = inside + unit->count;                              /* in how many it is */
  for (uint32_t i = 0; i < unit->count; i++) {
    inside[i] = 0;
    depth[i] = unit->dies[i].parent == DLOC_NO_DIE ? 0 : depth[unit->dies[i].parent] + 1;
  }
  for (uint32_t i = unit->count; i-- > 0;) {
    if (unit->dies[i].parent != DLOC_NO_DIE)
      inside[unit->dies[i].parent] += inside[i] + 1;
    rank[i] = unit->count - (i + inside[i] - depth[i]);
  }
  context_free(s->context, inside);
  return DLOC_OK;
}

static dloc_status map_scopes(dloc_stacks *s, stack_unit *unit, const uint64_t *rank) {
  span_list spans = {NULL, 0, 0};
  OWNED_MEMORY(s->context, &spans.items);
  for (uint32_t i = 0; i < unit->count; i++)
    if (is_scope(&unit->dies[i]))
      TRY(add_ranges(s, &unit->dies[i], rank[i], i, &spans));
  return span_map_build(s->context, s->profile, &spans, &unit->scopes);
}

static dloc_status read_unit(dloc_stacks *s, uint32_t number) {
  stack_unit *unit = &s->units[number];
  if (unit->read)
    return DLOC_OK;
  TRY(s->dies_of(s->user, number, &unit->dies, &unit->count));
  ALLOCATE(s->context, uint64_t, rank, unit->count + 1);
  OWNED_MEMORY(s->context, &rank);
  TRY(rank_scopes(s, unit, rank));
  TRY(map_scopes(s, unit, rank));
  unit->read = true;
  return DLOC_OK;
}

/* ---- Units ---- */

/* `stack.unit`; `stack.unit.ranges`: a unit without ranges has those of its subprograms. */
static dloc_status add_unit(dloc_stacks *s, const dloc_die *die, uint32_t number, span_list *spans) {
  uint64_t rank = DLOC_TAKES(s->profile, STACK_OVERLAP, FIRST) ? s->unit_count - number : number;
  if (range_count(die))
    return add_ranges(s, die, rank, number, spans);
  TRY(read_unit(s, number));
  const stack_unit *unit = &s->units[number];
  for (uint32_t i = 0; i < unit->count; i++)
    if (unit->dies[i].tag == DLOC_DIE_SUBPROGRAM)
      TRY(add_ranges(s, &unit->dies[i], rank, number, spans));
  return DLOC_OK;
}

static dloc_status map_units(dloc_stacks *s, const dloc_die *units, uint32_t unit_count) {
  span_list spans = {NULL, 0, 0};
  OWNED_MEMORY(s->context, &spans.items);
  ALLOCATE_ITEMS(s->context, s->units, unit_count + (size_t)1);
  for (; s->unit_count < unit_count; s->unit_count++)
    s->units[s->unit_count] = (stack_unit){.read = false};
  for (uint32_t i = 0; i < s->unit_count; i++)
    TRY(add_unit(s, &units[i], i, &spans));
  return span_map_build(s->context, s->profile, &spans, &s->unit_map);
}

dloc_status dloc_stacks_create(dloc_context *context, const dloc_profile *profile, const dloc_code *code,
                               const dloc_die *units, uint32_t unit_count, dloc_dies_of *dies_of,
                               dloc_line_problem *on_problem, void *user, dloc_stacks **ret) {
  CREATE(context, dloc_stacks, s, .context = context, .profile = profile, .code = *code, .dies_of = dies_of,
         .on_problem = on_problem, .user = user, .own = units);
  RETURN_MADE(map_units(s, units, unit_count), s, dloc_stacks_destroy, ret);
}

void dloc_stacks_destroy(dloc_stacks *s) {
  if (!s)
    return;
  for (uint32_t i = 0; i < s->unit_count; i++) {
    span_map_deinit(s->context, &s->units[i].scopes);
    span_map_deinit(s->context, &s->units[i].ranges);
  }
  span_map_deinit(s->context, &s->unit_map);
  CONTEXT_FREE(s->context, s->units, s->frames.items, s);
}

/* `stack.unit` */
uint32_t dloc_stacks_unit(const dloc_stacks *s, uint64_t address) { return span_map_find(&s->unit_map, address); }

/* `stack.unit`, `stack.unit.ranges` */
dloc_status stacks_covers(dloc_stacks *s, uint32_t number, uint64_t address, bool *ret) {
  stack_unit *unit = &s->units[number];
  span_list spans = {NULL, 0, 0};
  OWNED_MEMORY(s->context, &spans.items);
  bool has_ranges = range_count(&s->own[number]);
  if (has_ranges && !unit->ranges.places) {
    TRY(add_ranges(s, &s->own[number], 0, number, &spans));
    TRY(span_map_build(s->context, s->profile, &spans, &unit->ranges));
  }
  *ret = span_map_find(has_ranges ? &unit->ranges : &unit->scopes, address) != SPAN_NOBODY;
  return DLOC_OK;
}

uint64_t stacks_next(const dloc_stacks *s, uint32_t unit, uint64_t address) {
  uint64_t next = span_map_next(&s->unit_map, address);
  uint64_t scope = unit < s->unit_count ? span_map_next(&s->units[unit].scopes, address) : next;
  return scope < next ? scope : next;
}

/* ---- Names ---- */

/* `stack.name`: what is found first of each name on the way along the origins; `stack.origin`. `stack.origin.chain` */
static dloc_status name_of(const dloc_stacks *s, const stack_unit *unit, uint32_t die, dloc_text *ret) {
  dloc_text name = {NULL, 0}, linkage_name = {NULL, 0};
  uint64_t at = unit->dies[die].offset;
  for (int steps = 0; die != DLOC_NO_DIE && steps <= MOST_ORIGINS; steps++, die = unit->dies[die].origin) {
    name = name.size ? name : unit->dies[die].name;
    linkage_name = linkage_name.size ? linkage_name : unit->dies[die].linkage_name;
  }
  dloc_text first = DLOC_TAKES(s->profile, STACK_NAME, LINKAGE) ? linkage_name : name;
  *ret = first.size ? first : name.size ? name : linkage_name;
  return die != DLOC_NO_DIE && s->on_problem ? s->on_problem(s->user, DLOC_REASON_STACK_ORIGIN, at) : DLOC_OK;
}

/* ---- Frames ---- */

/* `stack.nesting`: inside of a DIE that has ranges and does not cover the address, nothing counts. */
static uint32_t innermost(const dloc_stacks *s, const stack_unit *unit, uint64_t address) {
  uint32_t scope = span_map_find(&unit->scopes, address);
  if (DLOC_TAKES(s->profile, STACK_NESTING, COVERED))
    for (uint32_t die = scope; die != DLOC_NO_DIE; die = unit->dies[die].parent)
      if (range_count(&unit->dies[die]) && !covers(&unit->dies[die], address))
        scope = unit->dies[die].parent;
  return scope;
}

/* `stack.row`: where the innermost frame is. */
static dloc_frame frame_of_row(const dloc_row *row) {
  if (!row)
    return (dloc_frame){.file = DLOC_NO_FILE};
  return (dloc_frame){.file = row->file, .line = row->line, .column = row->column, .discriminator = row->discriminator};
}

/* `stack.call`: where the frame around an inlined subroutine is. `stack.call.absent`, `stack.call.discriminator` */
static dloc_frame frame_of_call(const dloc_die *die) {
  return (dloc_frame){.file = die->call_file,
                      .line = die->call_line,
                      .column = die->call_column,
                      .discriminator = die->call_discriminator};
}

/* From the innermost scope to the first subprogram. `stack.outermost.missing` */
static dloc_status add_frames(dloc_stacks *s, const stack_unit *unit, uint32_t die, dloc_frame frame) {
  for (; die != DLOC_NO_DIE; die = unit->dies[die].parent) {
    if (!is_scope(&unit->dies[die])) /* `stack.scope.between` */
      continue;
    TRY(name_of(s, unit, die, &frame.function));
    PUSH(s->context, s->frames, frame);
    if (unit->dies[die].tag == DLOC_DIE_SUBPROGRAM) /* `stack.outermost` */
      break;
    frame = frame_of_call(&unit->dies[die]);
  }
  return DLOC_OK;
}

/* `stack.row.none`, `stack.nothing` */
dloc_status dloc_stacks_frames(dloc_stacks *s, uint32_t unit, uint64_t address, const dloc_row *row,
                               const dloc_frame **ret, size_t *ret_count) {
  dloc_frame frame = frame_of_row(row);
  s->frames.count = 0;
  if (unit != DLOC_NO_DIE) {
    TRY(read_unit(s, unit));
    TRY(add_frames(s, &s->units[unit], innermost(s, &s->units[unit], address), frame));
  }
  if (!s->frames.count && row) /* `stack.row.alone` */
    PUSH(s->context, s->frames, frame);
  *ret = s->frames.items;
  *ret_count = s->frames.count;
  return DLOC_OK;
}
