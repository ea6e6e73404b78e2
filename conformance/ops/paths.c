/* paths.c - `paths`: the discriminators of a function's blocks. spec/lines.md 13.2 */
#include "declare.h"
#include "objects/dloc_lines.h"

/* In the order of dloc_path_kind. */
#define INSTRUCTION                                                                                                    \
  SHORT_MAP("an instruction", FIELD("line", NUMBER_OR_NULL), OPTIONAL("column", NUMBER), OPTIONAL("file", NUMBER),     \
            OPTIONAL("name", NUMBER), OPTIONAL("kind", WORD("a kind", "plain", "call", "intrinsic")))
#define BLOCK MAP("a block", FIELD("instructions", LIST(INSTRUCTION)), OPTIONAL("successors", LIST(NUMBER)))

static dloc_status check(const reading *r, const term *args) {
  const term *blocks = term_list(args, "blocks");
  for (uint32_t i = 0; i < blocks->count; i++) {
    const term *successors = term_list(&blocks->of.items[i], "successors");
    for (uint32_t j = 0; j < successors->count; j++)
      if (successors->of.items[j].of.number >= blocks->count)
        return WRONG(r, successors->of.items[j].from, "vector.field", "there is no block of that number");
    if (successors->count > 1 && !term_list(&blocks->of.items[i], "instructions")->count)
      return WRONG(r, blocks->of.items[i].from, "vector.field", "a block with several successors ends in a transfer");
  }
  return DLOC_OK;
}

static dloc_path_instruction instruction_of(const term *t) {
  uint32_t file = term_number_or(t, "file", 1);
  return (dloc_path_instruction){.has_location = term_get(t, "line")->count > 0,
                                 .kind = (dloc_path_kind)term_word(t, "kind"),
                                 .line = (uint32_t)term_number(t, "line"),
                                 .column = (uint32_t)term_number(t, "column"),
                                 .file = file,
                                 .name = term_number_or(t, "name", file)};
}

/* The discriminators, by blocks. */
static void describe(value_arena *arena, term *value, const dloc_path_block *blocks, size_t count,
                     const uint32_t *discriminators) {
  term *ret = term_set_list(arena, value, "discriminators", count);
  for (size_t i = 0; i < count; i++) {
    term_be_list(arena, &ret[i], blocks[i].instruction_count);
    for (size_t j = 0; j < blocks[i].instruction_count; j++)
      term_be_number(&ret[i].of.items[j], *discriminators++);
  }
}

static dloc_status ask(query *q, term *value) {
  const term *given = term_list(q->args, "blocks");
  size_t all = 0, at = 0;
  for (uint32_t i = 0; i < given->count; i++)
    all += term_list(&given->of.items[i], "instructions")->count;
  dloc_path_block *blocks = value_arena_alloc(q->arena, given->count, sizeof *blocks);
  dloc_path_instruction *instructions = value_arena_alloc(q->arena, all, sizeof *instructions);
  uint32_t *discriminators = value_arena_alloc(q->arena, all, sizeof *discriminators);
  for (uint32_t i = 0; i < given->count; i++) {
    const term *list = term_list(&given->of.items[i], "instructions");
    blocks[i] = (dloc_path_block){list->count, term_numbers(&given->of.items[i], "successors", q->arena),
                                  term_list(&given->of.items[i], "successors")->count};
    for (uint32_t j = 0; j < list->count; j++)
      instructions[at++] = instruction_of(&list->of.items[j]);
  }
  TRY(dloc_paths_assign(q->context, q->profile, instructions, blocks, given->count, discriminators));
  describe(q->arena, value, blocks, given->count, discriminators);
  return DLOC_OK;
}

const operation op_paths = {
    .name = "paths",
    .forms = {{CHECKED_MAP(NULL, NULL, check, FIELD("blocks", LIST(BLOCK))),
               MAP(NULL, {.key = "discriminators",
                          .of = LIST(LIST_AS(NULL, "block\n", NUMBER)),
                          .text = "%\n",
                          .as_many = "blocks"})}},
    .ask = ask,
};
