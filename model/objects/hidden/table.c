/* spec/hidden.md, chapter 17: the table of a hidden module, and how it is written down. */
#include "hidden.h"

#include "nodes/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

dloc_status dloc_hidden_create(dloc_context *context, dloc_hidden **ret) {
  CREATE(context, dloc_hidden, hidden, .context = context);
  *ret = hidden;
  return DLOC_OK;
}

void dloc_hidden_destroy(dloc_hidden *hidden) {
  if (hidden)
    CONTEXT_FREE(hidden->context, hidden->parts.items, hidden->order.items, hidden->entries.items,
                 hidden->carried.items, hidden->sources.items, hidden->texts.entries, hidden->stand_ins.entries,
                 hidden->stand_ins_of_files.entries, hidden->columns.entries, hidden->lines.entries,
                 hidden->line_counts.items, hidden->kinds.items, hidden);
}

dloc_hidden_in dloc_hidden_where(const dloc_hidden *hidden) { return hidden->in; }
size_t dloc_hidden_count(const dloc_hidden *hidden) { return hidden->entries.count; }

const dloc_node *dloc_hidden_sources(const dloc_hidden *hidden, size_t *ret_count) {
  *ret_count = hidden->sources.count;
  return hidden->sources.items;
}

/* ---- Numbers ---- */

static dloc_hidden_entry entry_of(const dloc_context *context, dloc_node debug_loc) {
  dloc_node primary = dloc_primary(context, debug_loc);
  return (dloc_hidden_entry){debug_loc, dloc_location_discriminator(context, primary),
                             location_content(context, primary).column};
}

dloc_hidden_entry dloc_hidden_at(const dloc_hidden *hidden, size_t index) {
  return index < hidden->entries.count ? entry_of(hidden->context, hidden->entries.items[index])
                                       : (dloc_hidden_entry){0};
}

/* ---- Kinds ---- */

/* The layers of all entries, one after the other: *entry and *cursor are 0 at first. */
static bool next_layer(const dloc_hidden *hidden, size_t *entry, size_t *cursor, dloc_layer *ret) {
  for (; *entry < hidden->entries.count; ++*entry, *cursor = 0)
    if (dloc_next_layer(hidden->context, hidden->entries.items[*entry], cursor, ret))
      return true;
  return false;
}

dloc_status dloc_hidden_kinds(dloc_hidden *hidden, const dloc_node **ret, size_t *ret_count) {
  map seen = {0};
  OWNED_MEMORY(hidden->context, &seen.entries);
  dloc_layer layer;
  hidden->kinds.count = 0;
  for (size_t entry = 0, cursor = 0; next_layer(hidden, &entry, &cursor, &layer);) {
    bool first = false;
    if (layer.kind)
      TRY(map_meet(hidden->context, &seen, layer.kind, 0, &first));
    if (first)
      PUSH(hidden->context, hidden->kinds, layer.kind);
  }
  *ret = hidden->kinds.items;
  *ret_count = hidden->kinds.count;
  return DLOC_OK;
}

static dloc_text last_name(const dloc_context *context, dloc_node file) {
  return text_behind_last(dloc_node_text(context, dloc_field_value(context, file, "filename")), "/");
}

dloc_node dloc_hidden_file(const dloc_hidden *hidden, dloc_node kind, dloc_text name) {
  const dloc_context *context = hidden->context;
  dloc_node taken = DLOC_NULL;
  dloc_layer layer;
  name = text_behind_last(name, "/");
  for (size_t entry = 0, cursor = 0; next_layer(hidden, &entry, &cursor, &layer);) {
    dloc_node file = layer.kind == kind ? dloc_place_of_layer(context, layer.location).file : DLOC_NULL;
    if (file && (!dloc_text_equal(last_name(context, taken), name) || dloc_text_equal(last_name(context, file), name)))
      taken = file;
  }
  return taken;
}

/* ---- Parts ---- */

/* How many parts begin at a number or before it. */
static size_t parts_until(const dloc_hidden *hidden, uint32_t number) {
  BISECT(parts, 0, hidden->order.count, i, hidden->parts.items[hidden->order.items[i]].first <= number);
  return parts;
}

/* The last part with numbers of which one is this or one before it; NULL: there is none. `reveal.linked` */
static const hidden_part *part_until(const dloc_hidden *hidden, uint32_t number) {
  for (size_t place = parts_until(hidden, number); place-- > 0;) {
    const hidden_part *part = &hidden->parts.items[hidden->order.items[place]];
    if (part->entry_count)
      return part;
  }
  return NULL;
}

/* `hide.step` */
bool dloc_hidden_find(const dloc_hidden *hidden, uint32_t number, dloc_hidden_entry *ret) {
  const hidden_part *part = part_until(hidden, number);
  size_t index = part ? (number - part->first) / part->step : 0;
  if (!part || index >= part->entry_count || (number - part->first) % part->step)
    return false;
  *ret = dloc_hidden_at(hidden, part->first_entry + index);
  return true;
}

/* `hide.column`: a file is its directory and its name, as a distinct one is another node in the table. */
static uint64_t file_key(const dloc_context *context, dloc_node file) {
  uint64_t directory = dloc_field_value(context, file, "directory");
  return directory << 32 | dloc_field_value(context, file, "filename");
}

bool hidden_find_column(const dloc_hidden *hidden, dloc_node file, uint32_t line, uint32_t number,
                        dloc_hidden_entry *ret) {
  uint32_t place, index;
  if (!map_get(&hidden->lines, file_key(hidden->context, file), line, &place) ||
      !map_get(&hidden->columns, place, number, &index))
    return false;
  *ret = dloc_hidden_at(hidden, index);
  return true;
}

dloc_status hidden_begin_part(dloc_hidden *hidden, uint64_t identity, uint32_t first, uint32_t step) {
  size_t place = parts_until(hidden, first);
  RESERVE(hidden->context, hidden->parts, hidden->parts.count + 1);
  PUSH(hidden->context, hidden->order, 0);
  memmove(hidden->order.items + place + 1, hidden->order.items + place,
          (hidden->order.count - 1 - place) * sizeof *hidden->order.items);
  hidden->order.items[place] = (uint32_t)hidden->parts.count;
  PUSH(hidden->context, hidden->parts,
       (hidden_part){.identity = identity,
                     .first = first,
                     .step = step,
                     .first_entry = hidden->entries.count,
                     .first_carried = hidden->carried.count});
  return DLOC_OK;
}

/* `hide.column`: the next number of its line. */
static dloc_status number_column(dloc_hidden *hidden, dloc_node debug_loc, uint32_t first, uint32_t *ret) {
  dloc_context *context = hidden->context;
  dloc_location primary = location_content(context, dloc_primary(context, debug_loc));
  uint64_t file = file_key(context, dloc_scope_file(context, primary.scope));
  uint32_t index = (uint32_t)hidden->line_counts.count;
  RESERVE(context, hidden->line_counts, hidden->line_counts.count + 1);
  TRY(map_add(context, &hidden->lines, file, primary.line, index, &index));
  if (index == hidden->line_counts.count)
    PUSH(context, hidden->line_counts, first);
  if (hidden->line_counts.items[index] > DLOC_COLUMN_LIMIT)
    return DLOC_LIMIT;
  *ret = hidden->line_counts.items[index]++;
  return map_add(context, &hidden->columns, index, *ret, (uint32_t)hidden->entries.count, NULL);
}

/* `hide.limit`, `hide.step` */
dloc_status hidden_add_entry(dloc_hidden *hidden, dloc_node debug_loc, uint32_t *ret_number) {
  hidden_part *part = &hidden->parts.items[hidden->parts.count - 1];
  if (part->entry_count > (UINT32_MAX - part->first) / part->step)
    return DLOC_LIMIT;
  uint32_t number = part->first + part->step * (uint32_t)part->entry_count;
  if (hidden->in == DLOC_HIDDEN_IN_COLUMN)
    TRY(number_column(hidden, debug_loc, part->first, &number));
  PUSH(hidden->context, hidden->entries, debug_loc);
  part->entry_count++;
  *ret_number = number;
  return DLOC_OK;
}

dloc_status dloc_hidden_begin(dloc_hidden *hidden, dloc_hidden_in in, uint32_t first) {
  if (in == DLOC_HIDDEN_IN_COLUMN || first == 0 || (hidden->parts.count && hidden->in != in))
    return DLOC_INVALID;
  hidden->in = in;
  return hidden_begin_part(hidden, 0, first, 1);
}

dloc_status dloc_hidden_add(dloc_hidden *hidden, dloc_node debug_loc, uint32_t *ret_number) {
  return hidden->parts.count && hidden->in != DLOC_HIDDEN_IN_COLUMN ? hidden_add_entry(hidden, debug_loc, ret_number)
                                                                    : DLOC_INVALID;
}

/* `hide.subprogram` */
dloc_status dloc_hidden_stand_in(dloc_hidden *hidden, dloc_node file, dloc_node *ret) {
  dloc_context *context = hidden->context;
  dloc_node name = DLOC_NULL, made = DLOC_NULL;
  if (map_get(&hidden->stand_ins_of_files, file, 0, ret))
    return DLOC_OK;
  TRY(dloc_string(context, dloc_text_of("the subprogram of the primary"), &name));
  const dloc_field fields[] = {{context->field_keys[FIELD_SUBPROGRAM_name], name},
                               {context->field_keys[FIELD_SUBPROGRAM_file], file}};
  TRY(dloc_specialised(context, dloc_text_of("DISubprogram"), true, fields, file ? 2 : 1, NULL, &made));
  TRY(map_add(context, &hidden->stand_ins_of_files, file, 0, made, NULL));
  TRY(map_add(context, &hidden->stand_ins, made, 0, 0, NULL));
  *ret = made;
  return DLOC_OK;
}

dloc_status hidden_add_carried(dloc_hidden *hidden, dloc_node stand_in) {
  PUSH(hidden->context, hidden->carried, stand_in);
  hidden->parts.items[hidden->parts.count - 1].carried_count++;
  return DLOC_OK;
}

dloc_status hidden_tell(dloc_hidden_problem *on_problem, void *user, dloc_reason reason, uint32_t instruction,
                        dloc_node node) {
  dloc_status status = on_problem ? on_problem(user, reason, instruction, node) : DLOC_OK;
  return status == DLOC_OK && dloc_reason_severity(reason) != DLOC_SEVERITY_SOFT ? DLOC_INVALID : status;
}

/* ---- Identity ---- */

/* A digest that is the same in every run, unlike the hashes of tables. */
static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 32);
}

static void mix_text(uint64_t *hash, const dloc_context *context, dloc_node string) {
  dloc_text text = dloc_node_text(context, string);
  *hash = mix(*hash, text.size);
  for (size_t i = 0; i < text.size; i++)
    *hash = mix(*hash, (unsigned char)text.bytes[i]);
}

void hidden_mix_source(uint64_t *identity, const dloc_context *context, dloc_node source) {
  for (size_t i = 0; i < dloc_operand_count(context, source); i++)
    mix_text(identity, context, dloc_operand(context, source, i));
}

void hidden_mix_entry(uint64_t *identity, const dloc_context *context, dloc_node debug_loc) {
  dloc_hidden_entry entry = entry_of(context, debug_loc);
  dloc_layer layer;
  *identity = mix(mix(*identity, entry.discriminator), entry.column);
  for (size_t cursor = 0; dloc_next_layer(context, entry.layers, &cursor, &layer);) {
    dloc_layer_place place = dloc_place_of_layer(context, layer.location);
    *identity = mix(mix(*identity, place.line), place.column);
    mix_text(identity, context, layer.kind);
    mix_text(identity, context, dloc_field_value(context, place.file, "filename"));
  }
}

/* ---- As a module ---- */

dloc_status hidden_identity(dloc_context *context, uint64_t identity, dloc_node *ret) {
  char digits[17];
  snprintf(digits, sizeof digits, "%016" PRIx64, identity);
  return dloc_string(context, dloc_text_of(digits), ret);
}

static const char *const where_names[] = {"discriminator", "column", "line"};

static dloc_status write_number(dloc_context *context, uint32_t number, dloc_node *ret) {
  char digits[16];
  snprintf(digits, sizeof digits, "i32 %" PRIu32, number);
  return dloc_constant(context, dloc_text_of(digits), ret);
}

/* `hide.step` */
static dloc_status add_head(const dloc_hidden *hidden, dloc_module *table) {
  const hidden_part *part = &hidden->parts.items[0];
  dloc_node operands[4], head;
  TRY(dloc_string(hidden->context, dloc_text_of(where_names[hidden->in]), &operands[0]));
  TRY(write_number(hidden->context, part->first, &operands[1]));
  TRY(hidden_identity(hidden->context, part->identity, &operands[2]));
  TRY(write_number(hidden->context, part->step, &operands[3]));
  TRY(dloc_tuple(hidden->context, false, operands, part->step == 1 ? 3 : 4, &head));
  return dloc_module_add_named(table, dloc_text_of(HIDDEN_TABLE), &head, 1);
}

static dloc_status add_stand_ins(const dloc_hidden *hidden, dloc_module *table) {
  dloc_context *context = hidden->context;
  map seen = {0};
  OWNED_MEMORY(context, &seen.entries);
  for (size_t i = 0; i < hidden->entries.count; i++) {
    dloc_node primary = dloc_primary(context, hidden->entries.items[i]);
    dloc_node subprogram = dloc_scope_subprogram(context, location_content(context, primary).scope);
    bool first = false;
    TRY(map_meet(context, &seen, subprogram, 0, &first));
    if (first)
      TRY(dloc_module_add_named(table, dloc_text_of(HIDDEN_STAND_INS), &subprogram, 1));
  }
  return DLOC_OK;
}

static dloc_status fill(const dloc_hidden *hidden, dloc_module *table) {
  TRY(add_head(hidden, table));
  TRY(add_stand_ins(hidden, table));
  TRY(dloc_module_add_named(table, dloc_text_of(HIDDEN_CARRIED), hidden->carried.items, hidden->carried.count));
  TRY(dloc_module_add_named(table, dloc_text_of(HIDDEN_LAYERS), hidden->entries.items, hidden->entries.count));
  if (hidden->sources.count)
    return dloc_module_add_named(table, dloc_text_of(DLOC_SOURCE_LIST), hidden->sources.items, hidden->sources.count);
  return DLOC_OK;
}

dloc_status dloc_hidden_write(const dloc_hidden *hidden, dloc_module **ret) {
  dloc_module *table = NULL;
  if (hidden->parts.count != 1)
    return DLOC_INVALID;
  TRY(dloc_module_create(hidden->context, &table));
  RETURN_MADE(fill(hidden, table), table, dloc_module_destroy, ret);
}

/* ---- And back ---- */

/* `i32 5`, from 1. */
static bool read_number(dloc_text text, uint32_t *ret) {
  char digits[sizeof "i32 4294967295" + 2];
  int end = 0;
  uint64_t number = 0;
  if (text.size < 5 || text.size >= sizeof digits)
    return false;
  memcpy(digits, text.bytes, text.size);
  digits[text.size] = 0;
  bool sound = sscanf(digits, "i32 %" SCNu64 "%n", &number, &end) == 1 && !digits[end];
  *ret = (uint32_t)number;
  return sound && number && number <= UINT32_MAX;
}

/* Where and from which number a table counts, and in which steps. */
static bool read_head(dloc_hidden *hidden, dloc_node head, hidden_part *ret, dloc_hidden_in *ret_in) {
  dloc_context *context = hidden->context;
  dloc_text where = dloc_node_text(context, operand_at(context, head, 0));
  dloc_text identity = dloc_node_text(context, operand_at(context, head, 2));
  char digits[17];
  size_t count = operand_count(context, head);
  ret->step = 1;
  if (count < 3 || count > 4 || identity.size != 16 ||
      !read_number(dloc_node_text(context, operand_at(context, head, 1)), &ret->first) ||
      (count == 4 && !read_number(dloc_node_text(context, operand_at(context, head, 3)), &ret->step)))
    return false;
  *ret_in = DLOC_HIDDEN_IN_LINE;
  while (*ret_in && !dloc_text_equal(where, dloc_text_of(where_names[*ret_in])))
    --*ret_in;
  memcpy(digits, identity.bytes, 16);
  digits[16] = 0;
  return sscanf(digits, "%16" SCNx64, &ret->identity) == 1 &&
         dloc_text_equal(where, dloc_text_of(where_names[*ret_in]));
}

/* `hide.step` */
static uint64_t last_number(uint32_t first, uint32_t step, size_t count) {
  return first + (uint64_t)step * (count - 1);
}

static bool overlaps(const dloc_hidden *hidden, uint32_t first, uint32_t step, size_t count) {
  uint64_t last = count ? last_number(first, step, count) : 0;
  const hidden_part *part = count ? part_until(hidden, last < UINT32_MAX ? (uint32_t)last : UINT32_MAX) : NULL;
  return part && first <= last_number(part->first, part->step, part->entry_count);
}

static bool is_entry(const dloc_hidden *hidden, dloc_node node) {
  dloc_node primary = dloc_primary(hidden->context, node);
  return primary && dloc_scope_subprogram(hidden->context, location_content(hidden->context, primary).scope);
}

typedef void mix_node(uint64_t *identity, const dloc_context *context, dloc_node node);

static void mix_list(const dloc_module *table, const char *name, mix_node *with, uint64_t *identity) {
  dloc_named_metadata list = {.operand_count = 0};
  (void)dloc_module_find_named(table, dloc_text_of(name), &list);
  for (size_t i = 0; i < list.operand_count; i++)
    with(identity, dloc_module_context(table), dloc_module_named_operand(table, &list, i));
}

/* `reveal.identity`: what the table has is what the module was hidden with. */
static bool has_identity(const dloc_module *table, const hidden_part *part) {
  uint64_t identity = HIDDEN_IDENTITY(part->first);
  mix_list(table, DLOC_SOURCE_LIST, hidden_mix_source, &identity);
  mix_list(table, HIDDEN_LAYERS, hidden_mix_entry, &identity);
  return !part->identity || part->identity == identity;
}

typedef dloc_status add_node(dloc_hidden *hidden, dloc_node node);

static dloc_status add_entry(dloc_hidden *hidden, dloc_node node) {
  uint32_t number;
  return hidden_add_entry(hidden, node, &number);
}

static dloc_status add_stand_in(dloc_hidden *hidden, dloc_node node) {
  return map_add(hidden->context, &hidden->stand_ins, node, 0, 0, NULL);
}

/* `reveal.sources`: an entry that several tables have is one. */
static dloc_status add_source(dloc_hidden *hidden, dloc_node node) {
  uint32_t part = (uint32_t)hidden->parts.count, first;
  TRY(map_add(hidden->context, &hidden->texts, node, 0, part, &first));
  if (first == part)
    PUSH(hidden->context, hidden->sources, node);
  return DLOC_OK;
}

static dloc_status read_list(dloc_hidden *hidden, const dloc_module *table, const char *name, add_node *add) {
  dloc_named_metadata list;
  if (!dloc_module_find_named(table, dloc_text_of(name), &list))
    return DLOC_OK;
  for (size_t i = 0; i < list.operand_count; i++)
    TRY(add(hidden, dloc_module_named_operand(table, &list, i)));
  return DLOC_OK;
}

dloc_status dloc_hidden_read(dloc_hidden *hidden, const dloc_module *table, dloc_reason *ret_reason) {
  dloc_named_metadata head, layers;
  hidden_part part = {0};
  dloc_hidden_in in;
  if (!dloc_module_find_named(table, dloc_text_of(HIDDEN_TABLE), &head) || head.operand_count != 1 ||
      !dloc_module_find_named(table, dloc_text_of(HIDDEN_LAYERS), &layers) ||
      !read_head(hidden, dloc_module_named_operand(table, &head, 0), &part, &in))
    return fail(ret_reason, DLOC_REASON_REVEAL_TABLE);
  for (size_t i = 0; i < layers.operand_count; i++)
    if (!is_entry(hidden, dloc_module_named_operand(table, &layers, i)))
      return fail(ret_reason, DLOC_REASON_REVEAL_TABLE);
  if (!has_identity(table, &part))
    return fail(ret_reason, DLOC_REASON_REVEAL_TABLE);
  if (hidden->parts.count && (in == DLOC_HIDDEN_IN_COLUMN || hidden->in != in ||
                              overlaps(hidden, part.first, part.step, layers.operand_count)))
    return fail(ret_reason, DLOC_REASON_REVEAL_OVERLAP);
  hidden->in = in;
  TRY(hidden_begin_part(hidden, part.identity, part.first, part.step));
  TRY(read_list(hidden, table, HIDDEN_STAND_INS, add_stand_in));
  TRY(read_list(hidden, table, HIDDEN_CARRIED, hidden_add_carried));
  TRY(read_list(hidden, table, HIDDEN_LAYERS, add_entry));
  return read_list(hidden, table, DLOC_SOURCE_LIST, add_source);
}
