/* Parts of a module's text: nodes, their operands and fields, what is attached to instructions and functions. The text
 * was read, so it is sound; an extent ends with the text all the same. */
#include "extent.h"

#include "scan.h"

#include <string.h>

/* Without white space at its end. */
static extent extent_trim(extent text) {
  while (text.end > text.at && scan_class(text.end[-1]) == CHAR_SPACE)
    text.end--;
  return text;
}

/* Behind the first bracket of a text; NULL without one. */
static const char *inside_of(extent text) {
  const char *opening = text.at ? scan_opening(text.at, text.end) : text.end;
  return opening < text.end ? opening + 1 : NULL;
}

extent extent_of_definition(const char *at, const char *end) {
  const char *equals = memchr(at, '=', (size_t)(end - at));
  const char *node = equals ? scan_space(equals + 1, end) : end;
  enum { LONG = 4096 };
  if (end - node > LONG)
    end = node + LONG;
  return (extent){node, scan_group_end(scan_opening(node, end), end)};
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

enum { BLOCK = 64 };

/* The first operand of the last block that is known up to that number, and where it stands. The blocks of a list become
 * known in their order. */
static const char *known_operand(const extent_index *index, const char *list, size_t number, size_t *ret_number) {
  size_t low = 0, high = index ? number / BLOCK : 0;
  uint32_t offset = 0, found;
  while (low < high) {
    size_t middle = high - (high - low) / 2;
    bool known = middle <= UINT32_MAX && map_get(&index->begins, (uintptr_t)list, (uint32_t)middle, &found);
    offset = known ? found : offset;
    low = known ? middle : low;
    high = known ? high : middle - 1;
  }
  *ret_number = low * BLOCK;
  return list + offset;
}

/* If allocation fails, the place stays unknown and is found again later: that costs time alone. */
static void note_operand(extent_index *index, const char *list, size_t number, const char *at) {
  if (index && number % BLOCK == 0 && number / BLOCK <= UINT32_MAX && (uint64_t)(at - list) <= UINT32_MAX)
    (void)map_add(index->context, &index->begins, (uintptr_t)list, (uint32_t)(number / BLOCK), (uint32_t)(at - list),
                  NULL);
}

/* The operand that begins there, and the start of the one behind it, which is NULL at the end. */
static extent next_operand(const char *at, const char *end, const char **ret_next) {
  const char *stop = NULL;
  *ret_next = NULL;
  at = scan_space(at, end);
  if (scan_operand(at, end, NULL, NULL, &stop) != DLOC_OK || stop == at)
    return (extent){NULL, NULL};
  if (stop < end && *stop == ',')
    *ret_next = stop + 1;
  return extent_trim((extent){at, stop});
}

extent extent_operand(extent text, size_t number, extent_index *index, size_t *ret_count) {
  const char *list = inside_of(text);
  size_t i = 0;
  const char *at = list ? known_operand(index, list, number, &i) : NULL;
  while (at) {
    note_operand(index, list, i, at);
    extent operand = next_operand(at, text.end, &at);
    if (operand.at && i == number)
      return operand;
    i += operand.at != NULL;
  }
  if (ret_count)
    *ret_count = i;
  return (extent){NULL, NULL};
}

extent extent_field(extent node, dloc_text name) {
  for (const char *at = inside_of(node); at;) {
    extent field = next_operand(at, node.end, &at);
    const char *colon = field.at ? scan_word(field.at, field.end) : field.end;
    if (colon < field.end && *colon == ':' && dloc_text_equal(scan_text(field.at, colon), name))
      return (extent){scan_space(colon + 1, field.end), field.end};
  }
  return (extent){NULL, NULL};
}

extent extent_attachment(extent text, dloc_text name, size_t index, extent_mark *mark) {
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
      if (!dloc_text_equal(scan_text(word, at), name))
        break;
      if (mark->index == index) {
        at = scan_space(at, text.end);
        return (extent){at, scan_node_end(at, text.end)};
      }
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
