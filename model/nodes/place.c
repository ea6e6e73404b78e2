/* Where a violation stands in the text that a module was read from. */
#include "module.h"

#include <string.h>

/* One pass over the text, so that any number of places costs little; without memory for it, each place is counted from
 * the start. */
static void index_lines(dloc_module *module) {
  size_t count = module->text.size / LINE_BLOCK + 1;
  line_block *blocks = context_realloc(module->context, NULL, count * sizeof *blocks);
  if (!blocks)
    return;
  uint32_t lines = 0, start = 0;
  for (size_t i = 0; i < count; i++) {
    blocks[i] = (line_block){lines, start};
    const char *at = module->text.bytes + i * LINE_BLOCK;
    const char *end = i + 1 < count ? at + LINE_BLOCK : module->text.bytes + module->text.size;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
      at++;
      lines++;
      start = (uint32_t)(at - module->text.bytes);
    }
  }
  module->lines = blocks;
  module->line_block_count = count;
}

dloc_place module_place(const dloc_module *module, size_t offset) {
  if (!module->lines)
    index_lines((dloc_module *)module); /* a cache: the module's content does not change */
  line_block from = module->lines ? module->lines[offset / LINE_BLOCK] : (line_block){0, 0};
  const char *at = module->text.bytes + (module->lines ? offset / LINE_BLOCK * LINE_BLOCK : 0);
  const char *end = module->text.bytes + offset;
  while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
    at++;
    from.lines++;
    from.line_start = (uint32_t)(at - module->text.bytes);
  }
  return (dloc_place){.offset = offset, .line = from.lines + 1, .column = (uint32_t)(offset - from.line_start) + 1};
}

static bool place_offset(const dloc_module *module, const dloc_violation *violation, size_t *ret) {
  uint64_t number = 0;
  uint32_t index = 0;
  if (violation->instruction < module->instructions.count) {
    *ret = module->instructions.items[violation->instruction].text;
    return true;
  }
  if (violation->function < module->functions.count &&
      (module->functions.items[violation->function].flags & FUNCTION_BEGUN)) {
    *ret = module->functions.items[violation->function].text;
    return true;
  }
  if (!violation->node || !dloc_module_number_of(module, violation->node, &number) ||
      !numbering_find(module, number, &index))
    return false;
  *ret = numbering_at(module, index)->place;
  return true;
}

dloc_violation dloc_violation_of(dloc_reason reason, uint32_t instruction, dloc_node node) {
  return (dloc_violation){.reason = reason,
                          .clause = DLOC_CLAUSE_COUNT,
                          .severity = dloc_reason_severity(reason),
                          .function = DLOC_NO_INDEX,
                          .instruction = instruction,
                          .node = node,
                          .operand = DLOC_NO_INDEX,
                          .other_operand = DLOC_NO_INDEX,
                          .met_function = DLOC_NO_INDEX,
                          .met_instruction = instruction,
                          .met_named = DLOC_NO_INDEX};
}

bool dloc_violation_place(const dloc_module *module, const dloc_violation *violation, dloc_place *ret) {
  size_t offset = 0;
  if (module->text.size == 0 || !place_offset(module, violation, &offset))
    return false;
  *ret = module_place(module, offset);
  return true;
}
