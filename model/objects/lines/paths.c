/* spec/lines.md 13.2: which block of a line gets which discriminator. */
#include "objects/dloc_lines.h"

#include "nodes/metadata.h"

#include <string.h>

/* A line of source while its blocks are numbered. A block stands there as its number + 1; 0: none yet. */
typedef struct source_line {
  uint32_t block, discriminator; /* the last one with an instruction of the line */
  uint32_t caller;               /* the last one with a call of it */
  uint32_t greatest;             /* discriminator so far */
  uint32_t transfers;            /* conditional ones of the line so far */
} source_line;

typedef struct assignment {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_path_block *blocks;
  size_t count;
  map numbers;        /* of lines */
  map behind;         /* a line and a block: a conditional transfer of the line leads there */
  uint32_t *line_of;  /* of each instruction, from 1; 0: it is of no line */
  source_line *lines; /* by that number */
} assignment;

/* ---- Lines ---- */

/* `discriminator.assign.line-0`, `discriminator.assign.intrinsic` */
static bool has_line(const dloc_profile *profile, const dloc_path_instruction *i) {
  return i->has_location && (i->line > 0 || DLOC_TAKES(profile, DISCRIMINATOR_ASSIGN_LINE_0, LINE)) &&
         (i->kind != DLOC_PATH_INTRINSIC || DLOC_TAKES(profile, DISCRIMINATOR_ASSIGN_INTRINSIC, COUNT));
}

/* `discriminator.assign.position`, `discriminator.assign.file` */
static dloc_status number_lines(assignment *a, const dloc_path_instruction *instructions, size_t count) {
  bool columns = DLOC_TAKES(a->profile, DISCRIMINATOR_ASSIGN_POSITION, COLUMN);
  bool names = DLOC_TAKES(a->profile, DISCRIMINATOR_ASSIGN_FILE, NAME);
  for (size_t k = 0; k < count; k++) {
    const dloc_path_instruction *i = &instructions[k];
    uint64_t place = (uint64_t)i->line << 32 | (columns ? i->column : 0);
    a->line_of[k] = 0;
    if (has_line(a->profile, i))
      TRY(map_add(a->context, &a->numbers, place, names ? i->name : i->file, (uint32_t)a->numbers.count + 1,
                  &a->line_of[k]));
  }
  return DLOC_OK;
}

/* ---- Transfers ---- */

/* `discriminator.assign.conditional`: the line of the conditional transfer that ends a block; 0: there is none. */
static uint32_t transfer_line(const assignment *a, const dloc_path_block *block, size_t end) {
  bool conditional = false;
  for (size_t i = 1; i < block->successor_count; i++)
    conditional |= block->successors[i] != block->successors[0];
  return conditional && block->instruction_count ? a->line_of[end - 1] : 0;
}

/* `discriminator.assign.block` */
static dloc_status find_transfers(assignment *a) {
  for (size_t block = 0, end = 0; block < a->count; block++) {
    const dloc_path_block *b = &a->blocks[block];
    end += b->instruction_count;
    uint32_t line = transfer_line(a, b, end);
    for (size_t i = 0; line && i < b->successor_count; i++)
      TRY(map_add(a->context, &a->behind, line, b->successors[i], 0, NULL));
  }
  return DLOC_OK;
}

/* ---- Numbers ---- */

/* `discriminator.assign.block`, `discriminator.assign.join`, `discriminator.assign.increment` */
static uint32_t discriminator_of(const assignment *a, uint32_t line, uint32_t block) {
  source_line *l = &a->lines[line];
  uint32_t ignored;
  bool begins = DLOC_TAKES(a->profile, DISCRIMINATOR_ASSIGN_BLOCK, EVERY) || map_get(&a->behind, line, block, &ignored);
  if (l->block == 0 || !begins) /* `discriminator.assign.first` */
    return 0;
  l->greatest = DLOC_TAKES(a->profile, DISCRIMINATOR_ASSIGN_COUNT, TRANSFERS) ? l->transfers : l->greatest + 1;
  return l->greatest;
}

static void assign_blocks(const assignment *a, uint32_t *ret) {
  size_t at = 0;
  for (uint32_t block = 0; block < a->count; block++) {
    size_t end = at + a->blocks[block].instruction_count;
    for (; at < end; at++) {
      source_line *l = &a->lines[a->line_of[at]];
      if (a->line_of[at] && l->block != block + 1) {
        l->discriminator = discriminator_of(a, a->line_of[at], block);
        l->block = block + 1;
      }
      ret[at] = l->discriminator; /* `discriminator.assign.instructions` */
    }
    a->lines[transfer_line(a, &a->blocks[block], end)].transfers++;
  }
}

/* `discriminator.assign.calls`: those of one block are told apart. */
static void assign_calls(const assignment *a, const dloc_path_instruction *instructions, uint32_t *ret) {
  size_t at = 0;
  for (uint32_t block = 0; block < a->count; block++)
    for (size_t end = at + a->blocks[block].instruction_count; at < end; at++) {
      source_line *l = &a->lines[a->line_of[at]];
      if (!a->line_of[at] || instructions[at].kind != DLOC_PATH_CALL)
        continue;
      if (l->caller == block + 1)
        ret[at] = ++l->greatest;
      l->caller = block + 1;
    }
}

dloc_status dloc_paths_assign(dloc_context *context, const dloc_profile *profile,
                              const dloc_path_instruction *instructions, const dloc_path_block *blocks, size_t count,
                              uint32_t *ret) {
  assignment a = {.context = context, .profile = profile, .blocks = blocks, .count = count};
  OWNED_MEMORY(context, &a.numbers.entries, &a.behind.entries, &a.line_of, &a.lines);
  size_t all = 0;
  for (size_t i = 0; i < count; i++)
    all += blocks[i].instruction_count;
  ALLOCATE_ITEMS(context, a.line_of, all + 1);
  ALLOCATE_ITEMS(context, a.lines, all + 1);
  TRY(number_lines(&a, instructions, all));
  TRY(find_transfers(&a));
  memset(a.lines, 0, (all + 1) * sizeof *a.lines);
  assign_blocks(&a, ret);
  if (DLOC_TAKES(profile, DISCRIMINATOR_ASSIGN_CALLS, EACH))
    assign_calls(&a, instructions, ret);
  return DLOC_OK;
}
