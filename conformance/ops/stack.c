/* stack.c - `stack`: the frames at an address, by rows and DIEs. spec/lines.md 14 */
#include "declare.h"
#include "line_terms.h"

static const dloc_die_tag tags[] = {DLOC_DIE_UNIT, DLOC_DIE_SUBPROGRAM, DLOC_DIE_INLINED, DLOC_DIE_OTHER,
                                    DLOC_DIE_OTHER};
#define TAG WORD("a tag", "compile_unit", "subprogram", "inlined_subroutine", "lexical_block", "namespace")

#define DIE                                                                                                            \
  MAP("a DIE", FIELD("tag", TAG), OPTIONAL("in", NUMBER), OPTIONAL("abstract_origin", NUMBER),                         \
      OPTIONAL("specification", NUMBER), OPTIONAL("name", TEXT), OPTIONAL("linkage_name", TEXT),                       \
      OPTIONAL("low_pc", LONG), OPTIONAL("high_pc", LONG), OPTIONAL("high_offset", LONG),                              \
      OPTIONAL("ranges", LIST(LIST_OF(2, LONG))), OPTIONAL("call_file", NUMBER), OPTIONAL("call_line", NUMBER),        \
      OPTIONAL("call_column", NUMBER), OPTIONAL("call_discriminator", NUMBER))
#define FRAME                                                                                                          \
  MAP_AS("a frame", "frame", OPTIONAL_AS("function", TEXT, " %"), OPTIONAL_AS("file", NUMBER, " file %"),              \
         OPTIONAL_AS("line", NUMBER, " line %"), OPTIONAL_AS("column", NUMBER, " column %"),                           \
         OPTIONAL_AS("discriminator", NUMBER, " discriminator %"))

/* ---- Checks ---- */

/* A DIE that another one names must be there; one that it is in, before it and no unit. */
static dloc_status check_reference(const reading *r, const term *dies, uint32_t i, const char *key) {
  const term *item = &dies->of.items[i], *reference = term_get(item, key);
  bool around = key[0] == 'i';
  if (!reference)
    return DLOC_OK;
  uint64_t number = reference->of.number;
  if (number >= (around ? i : dies->count) || (around && term_word(&dies->of.items[number], "tag") == 0))
    return WRONG(r, reference->from, "vector.field", "there is no DIE of this number for '%s'", key);
  return DLOC_OK;
}

static dloc_status check(const reading *r, const term *args) {
  const term *dies = term_list(args, "dies");
  for (uint32_t i = 0; i < dies->count; i++) {
    TRY(check_reference(r, dies, i, "in"));
    TRY(check_reference(r, dies, i, "abstract_origin"));
    TRY(check_reference(r, dies, i, "specification"));
  }
  return DLOC_OK;
}

/* ---- DIEs: those of a unit keep the numbers of the list; the others are there as what an origin may name ---- */

typedef struct world {
  line_problems problems; /* the first: line_problem_add takes a world for it */
  const query *q;
  const term *dies;
  dloc_die *units;
  uint32_t unit_count;
} world;

static void read_ranges(value_arena *arena, const term *item, dloc_die *ret) {
  const term *list = term_list(item, "ranges");
  dloc_address_range *ranges = value_arena_alloc(arena, list->count, sizeof *ranges);
  ret->ranges = ranges;
  ret->range_count = list->count;
  for (uint32_t i = 0; i < ret->range_count; i++) {
    const term *pair = list->of.items[i].of.items;
    ranges[i] = (dloc_address_range){pair[0].of.number, pair[1].of.number};
  }
}

static dloc_die read_die(const world *w, uint32_t i) {
  const term *item = &w->dies->of.items[i];
  dloc_die die = {.tag = tags[term_word(item, "tag")],
                  .offset = i,
                  .parent = term_number_or(item, "in", DLOC_NO_DIE),
                  .origin = term_number_or(item, "abstract_origin", term_number_or(item, "specification", DLOC_NO_DIE)),
                  .name = term_text(item, "name"),
                  .linkage_name = term_text(item, "linkage_name"),
                  .low_pc = term_number(item, "low_pc"),
                  .high_pc = term_number(item, term_get(item, "high_offset") ? "high_offset" : "high_pc"),
                  .call_file = term_number_or(item, "call_file", DLOC_NO_FILE),
                  .call_line = (uint32_t)term_number(item, "call_line"),
                  .call_column = (uint32_t)term_number(item, "call_column"),
                  .call_discriminator = (uint32_t)term_number(item, "call_discriminator")};
  if (term_get(item, "low_pc") && (term_get(item, "high_pc") || term_get(item, "high_offset")))
    die.high_form = term_get(item, "high_offset") ? DLOC_HIGH_OFFSET : DLOC_HIGH_ADDRESS;
  read_ranges(w->q->arena, item, &die);
  return die;
}

/* DIEs before the first unit are in one that has no ranges. */
static void read_units(world *w) {
  uint32_t count = w->dies->count;
  w->units = value_arena_alloc(w->q->arena, count + 1, sizeof *w->units);
  for (uint32_t i = 0; i < count; i++) {
    dloc_die die = read_die(w, i);
    if (die.tag == DLOC_DIE_UNIT || i == 0)
      w->units[w->unit_count++] = die.tag == DLOC_DIE_UNIT ? die : (dloc_die){.tag = DLOC_DIE_UNIT};
  }
}

static dloc_status dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count) {
  world *w = user;
  dloc_die *dies = value_arena_alloc(w->q->arena, w->dies->count, sizeof *dies);
  uint32_t current = 0;
  for (uint32_t i = 0; i < w->dies->count; i++) {
    dies[i] = read_die(w, i);
    current += dies[i].tag == DLOC_DIE_UNIT && i > 0;
    if (current != unit || dies[i].tag == DLOC_DIE_UNIT)
      dies[i].tag = DLOC_DIE_OTHER;
  }
  *ret = dies;
  *ret_count = w->dies->count;
  return DLOC_OK;
}

/* ---- Rows ---- */

static dloc_status make_rows(const query *q, const dloc_code *code, dloc_rows *rows) {
  const dloc_profile *standard = dloc_profile_at(0);
  dloc_line_parameters parameters = line_header_of(NULL, NULL);
  OWNED(dloc_line_list_deinit) dloc_line_list program = {.context = q->context};
  parameters.address_size = code->address_size;
  TRY(line_given_program(q->args, standard, &parameters, q->arena, &program));
  return dloc_line_run(standard, &parameters, program.items, program.count, NULL, NULL, rows);
}

OWNER(dloc_row_index)

static dloc_status find_row(const query *q, const dloc_code *code, const dloc_rows *rows, dloc_row *ret,
                            bool *ret_found) {
  OWNED(release_dloc_row_index) dloc_row_index *index = NULL;
  size_t count, row;
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &count);
  TRY(dloc_row_index_create(q->context, q->profile, code, rows, sequences, count, &index));
  *ret_found = dloc_row_index_find(index, term_number(q->args, "address"), &row);
  if (*ret_found)
    *ret = dloc_rows_list(rows, &count)[row];
  return DLOC_OK;
}

/* ---- Frames ---- */

static void describe_frame(value_arena *arena, const dloc_frame *frame, term *ret) {
  if (frame->function.size)
    term_set_text(arena, ret, "function", frame->function);
  term_set_unless(ret, "file", frame->file, DLOC_NO_FILE);
  term_set_unless(ret, "line", frame->line, 0);
  term_set_unless(ret, "column", frame->column, 0);
  term_set_unless(ret, "discriminator", frame->discriminator, 0);
}

OWNER(dloc_stacks)

static dloc_status find_frames(world *w, const dloc_code *code, const dloc_row *row, term *value) {
  const query *q = w->q;
  const dloc_frame *frames;
  OWNED(release_dloc_stacks) dloc_stacks *stacks = NULL;
  size_t count;
  uint64_t address = term_number(q->args, "address");
  read_units(w);
  TRY(dloc_stacks_create(q->context, q->profile, code, w->units, w->unit_count, dies_of, line_problem_add, w, &stacks));
  TRY(dloc_stacks_frames(stacks, dloc_stacks_unit(stacks, address), address, row, &frames, &count));
  term *list = term_set_list(q->arena, value, "frames", count);
  for (size_t i = 0; i < count; i++)
    describe_frame(q->arena, &frames[i], &list[i]);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  world w = {.problems = {q->arena, value}, .q = q, .dies = term_list(q->args, "dies")};
  const dloc_code code = {.address_size = term_get(q->args, "address_size") ? 4 : 8,
                          .begins_at_0 = term_flag(q->args, "begins_at_0")};
  OWNED(release_dloc_rows) dloc_rows *rows = NULL;
  dloc_row row;
  bool found = false;
  TRY(dloc_rows_create(q->context, &rows));
  TRY(make_rows(q, &code, rows));
  TRY(find_row(q, &code, rows, &row, &found));
  return find_frames(&w, &code, found ? &row : NULL, value);
}

const operation op_stack = {
    .name = "stack",
    .forms = {{CHECKED_MAP(NULL, NULL, check, FIELD("address", LONG), OPTIONAL("address_size", NUMBER),
                           OPTIONAL("begins_at_0", FLAG), OPTIONAL("dies", LIST(DIE)),
                           OPTIONAL("program", &line_program_type), OPTIONAL("rows", &line_given_rows_type)),
               MAP(NULL, FIELD("frames", LIST(FRAME)), LINE_PROBLEMS)}},
    .ask = ask,
};
