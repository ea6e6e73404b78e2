/* Parts of a module's text: nodes, their operands and fields, what is attached to instructions and functions. The text
 * was read, so it is sound; an extent ends with the text all the same. */
#include "extent.h"

#include "scan.h"

#include <string.h>

extent extent_trim(extent text) {
  while (text.end > text.at && scan_class(text.end[-1]) == CHAR_SPACE)
    text.end--;
  return text;
}

/* What stands before the first bracket at `at`; NULL without one. */
static const char *opening_of(const char *at, const char *end) {
  while (at < end && scan_class(*at) != CHAR_OPEN)
    at = *at == '"' ? scan_string(at, end) : *at == ';' ? scan_comment(at, end) : at + 1;
  return at < end ? at : NULL;
}

extent extent_of_definition(const char *at, const char *end) {
  const char *equals = memchr(at, '=', (size_t)(end - at));
  const char *node = equals ? scan_space(equals + 1, end) : end;
  enum { LONG = 4096 };
  if (end - node > LONG)
    end = node + LONG;
  const char *opening = opening_of(node, end);
  return (extent){node, opening ? scan_group_end(opening, end) : end};
}

bool extent_number(extent text, uint64_t *ret) {
  uint64_t number = 0;
  bool fits = text.at && text.end - text.at > 1 && text.end - text.at < 12;
  if (!fits || *text.at != '!' || scan_digits(text.at + 1, text.end) != text.end)
    return false;
  for (const char *at = text.at + 1; at < text.end; at++)
    number = number * 10 + (uint64_t)(*at - '0');
  *ret = number;
  return true;
}

extent extent_operand(extent text, size_t index, extent_mark *mark) {
  const char *opening = text.at ? opening_of(text.at, text.end) : NULL, *stop = NULL;
  if (!opening)
    return (extent){NULL, NULL};
  if (mark->list != opening || mark->index > index)
    *mark = (extent_mark){opening, opening + 1, 0};
  for (;;) {
    mark->at = scan_space(mark->at, text.end);
    if (scan_operand(mark->at, text.end, NULL, NULL, &stop) != DLOC_OK || stop == mark->at)
      return (extent){NULL, NULL};
    if (mark->index == index)
      return extent_trim((extent){mark->at, stop});
    if (stop >= text.end || *stop != ',')
      return (extent){NULL, NULL};
    mark->at = stop + 1;
    mark->index++;
  }
}

extent extent_field(extent node, const char *name) {
  extent_mark mark = {NULL, NULL, 0};
  size_t size = strlen(name);
  for (size_t i = 0;; i++) {
    extent field = extent_operand(node, i, &mark);
    if (!field.at)
      return field;
    const char *colon = scan_word(field.at, field.end);
    if ((size_t)(colon - field.at) == size && colon < field.end && *colon == ':' && memcmp(field.at, name, size) == 0)
      return (extent){scan_space(colon + 1, field.end), field.end};
  }
}

/* An attachment's value: `!N`, or a node that is written in place. */
static extent value_at(const char *at, const char *end) {
  at = scan_space(at, end);
  const char *opening = at < end ? scan_metadata_name(at + 1, end) : end;
  return (extent){at, opening < end && scan_class(*opening) == CHAR_OPEN ? scan_group_end(opening, end) : opening};
}

extent extent_attachment(extent text, const char *name, size_t index, extent_mark *mark) {
  extent_mark start = {text.at, text.at, 0};
  if (!mark)
    mark = &start;
  if (mark->list != text.at || mark->index > index)
    *mark = start;
  const char *at = mark->at;
  while (at && at < text.end) {
    switch (scan_class(*at)) {
    case CHAR_QUOTE:
      at = scan_string(at, text.end);
      break;
    case CHAR_COMMENT:
      at = scan_comment(at, text.end);
      break;
    case CHAR_OPEN:
      at = scan_group_end(at, text.end);
      break;
    case CHAR_BANG: {
      const char *word = at + 1;
      at = scan_metadata_name(word, text.end);
      if (!scan_is(word, at, name))
        break;
      if (mark->index == index)
        return value_at(at, text.end);
      *mark = (extent_mark){text.at, at, mark->index + 1};
      break;
    }
    default:
      at++;
    }
  }
  return (extent){NULL, NULL};
}

extent extent_of_instruction(const dloc_module *module, uint32_t instruction) {
  size_t count = module->instructions.count;
  const dloc_instruction *items = module->instructions.items;
  if (module->text.size == 0 || instruction >= count)
    return (extent){NULL, NULL};
  size_t from = items[instruction].text;
  size_t to =
      instruction + 1 < count && items[instruction + 1].text > from ? items[instruction + 1].text : module->text.size;
  return (extent){module->text.bytes + from, module->text.bytes + to};
}

extent extent_of_function(const dloc_module *module, uint32_t index) {
  if (module->text.size == 0 || index >= module->functions.count ||
      !(module->functions.items[index].flags & FUNCTION_BEGUN))
    return (extent){NULL, NULL};
  const dloc_function *function = &module->functions.items[index];
  size_t to =
      function->instruction_count ? module->instructions.items[function->first_instruction].text : module->text.size;
  return (extent){module->text.bytes + function->text, module->text.bytes + to};
}
