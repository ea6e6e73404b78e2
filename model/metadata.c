/* SPEC.md, chapter 1: nodes, interning, forward references. */
#include "metadata.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

static void *heap_realloc(void *user, void *old, size_t size) {
  (void)user;
  return realloc(old, size);
}

static void heap_free(void *user, void *old) {
  (void)user;
  free(old);
}

void *context_realloc(dloc_context *context, void *old, size_t size) {
  return context->allocator.realloc(context->allocator.user, old, size);
}

void context_free(dloc_context *context, void *old) { context->allocator.free(context->allocator.user, old); }

dloc_status context_reserve(dloc_context *context, void **array, size_t *capacity, size_t needed, size_t element_size) {
  if (needed <= *capacity)
    return DLOC_OK;
  size_t grown = *capacity < 32 ? 32 : *capacity * 2;
  if (grown < needed)
    grown = needed;
  if (grown > SIZE_MAX / element_size)
    return DLOC_LIMIT;
  void *moved = context_realloc(context, *array, grown * element_size);
  if (!moved)
    return DLOC_NO_MEMORY;
  *array = moved;
  *capacity = grown;
  return DLOC_OK;
}

dloc_status scratch_push(dloc_context *context, scratch *s, uint32_t word) {
  TRY(context_reserve(context, (void **)&s->words, &s->capacity, s->count + 1, sizeof *s->words));
  s->words[s->count++] = word;
  return DLOC_OK;
}

void scratch_deinit(dloc_context *context, scratch *s) {
  context_free(context, s->words);
  *s = (scratch){0};
}

/* ---- Hashing -------------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 32);
}

void map_clear(map *m) {
  m->count = 0;
  m->generation++;
  if (m->generation == 0) { /* wrapped: entries of generation 0 would come back to life */
    for (size_t i = 0; i < m->capacity; i++)
      m->entries[i].generation = 0;
    m->generation = 1;
  }
}

void map_deinit(dloc_context *context, map *m) {
  context_free(context, m->entries);
  *m = (map){0};
}

/* The entry that holds the key, or the empty one where it belongs. */
static map_entry *map_probe(const map *m, uint64_t high, uint32_t low) {
  size_t i = (size_t)mix(mix(low, high), 0) & (m->capacity - 1);
  while (m->entries[i].generation == m->generation && (m->entries[i].key_high != high || m->entries[i].key_low != low))
    i = (i + 1) & (m->capacity - 1);
  return &m->entries[i];
}

bool map_get(const map *m, uint64_t high, uint32_t low, uint32_t *ret) {
  if (m->count == 0)
    return false;
  const map_entry *entry = map_probe(m, high, low);
  if (entry->generation != m->generation)
    return false;
  *ret = entry->value;
  return true;
}

static dloc_status map_grow(dloc_context *context, map *m) {
  map grown = {.capacity = m->capacity ? m->capacity * 2 : 16, .count = m->count, .generation = 1};
  if (grown.capacity > SIZE_MAX / sizeof *grown.entries)
    return DLOC_LIMIT;
  size_t size = grown.capacity * sizeof *grown.entries;
  grown.entries = context_realloc(context, NULL, size);
  if (!grown.entries)
    return DLOC_NO_MEMORY;
  memset(grown.entries, 0, size);
  for (size_t i = 0; i < m->capacity; i++) {
    const map_entry *old = &m->entries[i];
    if (old->generation != m->generation)
      continue;
    map_entry *entry = map_probe(&grown, old->key_high, old->key_low);
    *entry = *old;
    entry->generation = grown.generation;
  }
  context_free(context, m->entries);
  *m = grown;
  return DLOC_OK;
}

dloc_status map_add(dloc_context *context, map *m, uint64_t high, uint32_t low, uint32_t value, uint32_t *ret) {
  if (m->generation == 0)
    map_clear(m);
  if ((m->count + 1) * 4 > m->capacity * 3)
    TRY(map_grow(context, m));
  map_entry *entry = map_probe(m, high, low);
  if (entry->generation != m->generation) {
    *entry = (map_entry){.key_high = high, .key_low = low, .value = value, .generation = m->generation};
    m->count++;
  }
  if (ret)
    *ret = entry->value;
  return DLOC_OK;
}

/* ---- Nodes ---------------------------------------------------------------------------------------------------------- */

static const node *node_at(const dloc_context *context, dloc_node handle) {
  return handle < context->node_count ? &context->nodes[handle] : &context->nodes[0];
}

const uint32_t *node_words(const dloc_context *context, dloc_node handle) {
  return context->words + node_at(context, handle)->at;
}

dloc_kind dloc_node_kind(const dloc_context *context, dloc_node handle) {
  return (dloc_kind)node_at(context, handle)->kind;
}

bool dloc_node_is_distinct(const dloc_context *context, dloc_node handle) {
  return node_at(context, handle)->flags & NODE_DISTINCT;
}

uint32_t dloc_node_limit(const dloc_context *context) { return (uint32_t)context->node_count; }

static bool is_text_kind(unsigned kind) {
  return kind == DLOC_KIND_STRING || kind == DLOC_KIND_CONSTANT || kind == DLOC_KIND_TOKEN;
}

/* The high bits of a location's second word. */
enum {
  LOCATION_COLUMN_MASK = 0xffff,
  LOCATION_IMPLICIT = 1 << 16,
  LOCATION_RANK_SHIFT = 17,
  LOCATION_RANK_MASK = 7,
  LOCATION_HAS_GROUP = 1 << 20,
};

static size_t payload_size(unsigned kind, const uint32_t *words) {
  switch (kind) {
  case DLOC_KIND_NULL:
  case DLOC_KIND_FORWARD:
    return 0;
  case DLOC_KIND_STRING:
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    return 1 + ((size_t)words[0] + 3) / 4;
  case DLOC_KIND_TUPLE:
    return 1 + (size_t)words[0];
  case DLOC_KIND_LOCATION:
    return words[1] & LOCATION_HAS_GROUP ? 6 : 4;
  default:
    return 2 + 2 * (size_t)words[1];
  }
}

/* Operands of any node are a run of words with a stride: where they start and how they are spaced. */
typedef struct operand_run {
  size_t first, count, stride;
} operand_run;

static operand_run operands_of(unsigned kind, const uint32_t *words) {
  switch (kind) {
  case DLOC_KIND_NULL:
  case DLOC_KIND_FORWARD:
  case DLOC_KIND_STRING:
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    return (operand_run){0, 0, 0};
  case DLOC_KIND_TUPLE:
    return (operand_run){1, words[0], 1};
  case DLOC_KIND_LOCATION:
    return (operand_run){2, 2, 1};
  default:
    return (operand_run){3, words[1], 2};
  }
}

static uint32_t payload_hash(unsigned kind, const uint32_t *words) {
  uint64_t hash = kind;
  size_t size = payload_size(kind, words);
  size_t i = 0;
  for (; i + 2 <= size; i += 2)
    hash = mix(hash, words[i] | (uint64_t)words[i + 1] << 32);
  if (i < size)
    hash = mix(hash, words[i]);
  return (uint32_t)(hash ^ (hash >> 29));
}

static bool same_payload(const dloc_context *context, const node *a, const node *b) {
  if (a->kind != b->kind)
    return false;
  const uint32_t *left = context->words + a->at;
  const uint32_t *right = context->words + b->at;
  size_t size = payload_size(a->kind, left);
  return size == payload_size(b->kind, right) && memcmp(left, right, size * sizeof *left) == 0;
}

static dloc_status intern_grow(dloc_context *context) {
  if ((context->slot_count + 1) * 4 <= context->slot_capacity * 3)
    return DLOC_OK;
  size_t capacity = context->slot_capacity ? context->slot_capacity * 2 : 256;
  if (capacity > SIZE_MAX / sizeof *context->slots)
    return DLOC_LIMIT;
  intern_slot *slots = context_realloc(context, NULL, capacity * sizeof *slots);
  if (!slots)
    return DLOC_NO_MEMORY;
  memset(slots, 0, capacity * sizeof *slots);
  for (size_t i = 0; i < context->slot_capacity; i++) {
    if (!context->slots[i].node)
      continue;
    size_t j = context->slots[i].hash & (capacity - 1);
    while (slots[j].node)
      j = (j + 1) & (capacity - 1);
    slots[j] = context->slots[i];
  }
  context_free(context, context->slots);
  context->slots = slots;
  context->slot_capacity = capacity;
  return DLOC_OK;
}

/* `metadata.uniqued`: the interned node of the same content, or handle itself after adding it. */
static dloc_status intern(dloc_context *context, dloc_node handle, dloc_node *ret) {
  TRY(intern_grow(context));
  const node *self = &context->nodes[handle];
  uint32_t hash = payload_hash(self->kind, context->words + self->at);
  size_t i = hash & (context->slot_capacity - 1);
  for (; context->slots[i].node; i = (i + 1) & (context->slot_capacity - 1)) {
    if (context->slots[i].hash == hash && same_payload(context, self, &context->nodes[context->slots[i].node])) {
      *ret = context->slots[i].node;
      return DLOC_OK;
    }
  }
  context->slots[i] = (intern_slot){handle, hash};
  context->slot_count++;
  *ret = handle;
  return DLOC_OK;
}

/* Append `size` words to the pool; they are *ret, to be filled by the caller, who then calls node_finish. */
static dloc_status node_begin(dloc_context *context, size_t size, uint32_t **ret) {
  if (size > UINT32_MAX - context->word_count || context->node_count == UINT32_MAX)
    return DLOC_LIMIT;
  TRY(context_reserve(context, (void **)&context->words, &context->word_capacity, context->word_count + size,
                      sizeof *context->words));
  TRY(context_reserve(context, (void **)&context->nodes, &context->node_capacity, context->node_count + 1,
                      sizeof *context->nodes));
  *ret = size ? context->words + context->word_count : NULL;
  return DLOC_OK;
}

/* Whether an operand's final handle is not known yet. */
static bool is_pending(const dloc_context *context, dloc_node handle) {
  const node *n = node_at(context, handle);
  return n->kind == DLOC_KIND_FORWARD || (n->flags & (NODE_PENDING | NODE_DISTINCT)) == NODE_PENDING;
}

/* Make the words that node_begin returned a node: `metadata.uniqued`, `metadata.distinct`. */
static dloc_status node_finish(dloc_context *context, dloc_kind kind, bool distinct, size_t size, dloc_node *ret) {
  uint32_t *words = context->words + context->word_count;
  dloc_node handle = (dloc_node)context->node_count;
  bool pending = false;
  operand_run run = operands_of(kind, words);
  for (size_t i = 0; i < run.count; i++) {
    uint32_t *operand = &words[run.first + i * run.stride];
    *operand = dloc_canonical(context, *operand);
    pending |= is_pending(context, *operand);
  }
  context->nodes[handle] = (node){(uint32_t)context->word_count, (uint8_t)kind,
                                  (uint8_t)((distinct ? NODE_DISTINCT : 0) | (pending ? NODE_PENDING : 0))};
  if (!distinct && !pending) {
    dloc_node interned = DLOC_NULL;
    TRY(intern(context, handle, &interned));
    if (interned != handle) {
      *ret = interned;
      return DLOC_OK;
    }
  }
  if (pending && context->first_pending > handle)
    context->first_pending = handle;
  context->node_count++;
  context->word_count += size;
  *ret = handle;
  return DLOC_OK;
}

static dloc_status text_node(dloc_context *context, dloc_kind kind, dloc_text text, dloc_node *ret) {
  if (text.size > UINT32_MAX - 8)
    return DLOC_LIMIT;
  size_t size = 1 + (text.size + 3) / 4;
  uint32_t *words = NULL;
  /* The text may be another node's, and the pool may move. */
  const char *pool = (const char *)context->words;
  bool own = pool && text.bytes >= pool && text.bytes < pool + context->word_count * sizeof *words;
  size_t offset = own ? (size_t)(text.bytes - pool) : 0;
  TRY(node_begin(context, size, &words));
  if (own)
    text.bytes = (const char *)context->words + offset;
  words[size - 1] = 0;
  words[0] = (uint32_t)text.size;
  if (text.size)
    memcpy(words + 1, text.bytes, text.size);
  return node_finish(context, kind, false, size, ret);
}

dloc_status dloc_string(dloc_context *context, dloc_text bytes, dloc_node *ret) {
  return text_node(context, DLOC_KIND_STRING, bytes, ret);
}

dloc_status dloc_constant(dloc_context *context, dloc_text text, dloc_node *ret) {
  return text_node(context, DLOC_KIND_CONSTANT, text, ret);
}

dloc_status dloc_token(dloc_context *context, dloc_text text, dloc_node *ret) {
  return text_node(context, DLOC_KIND_TOKEN, text, ret);
}

dloc_text dloc_node_text(const dloc_context *context, dloc_node handle) {
  if (!is_text_kind(dloc_node_kind(context, handle)))
    return (dloc_text){"", 0};
  const uint32_t *words = node_words(context, handle);
  return (dloc_text){(const char *)(words + 1), words[0]};
}

dloc_status dloc_tuple(dloc_context *context, bool distinct, const dloc_node *operands, size_t count, dloc_node *ret) {
  if (count > UINT32_MAX - 8)
    return DLOC_LIMIT;
  uint32_t *words = NULL;
  TRY(node_begin(context, 1 + count, &words));
  words[0] = (uint32_t)count;
  if (count)
    memcpy(words + 1, operands, count * sizeof *operands);
  return node_finish(context, DLOC_KIND_TUPLE, distinct, 1 + count, ret);
}

/* ---- DILocation ----------------------------------------------------------------------------------------------------- */

/* LLVM counts atom groups per context: any location with group g makes the next fresh one at least g + 1. The bits beyond the
 * field's width count too, and 2^64 - 1 wraps to no effect. */
static void note_atom_group(dloc_context *context, uint64_t group) {
  if (group + 1 > context->next_atom_group)
    context->next_atom_group = group + 1;
}

uint64_t context_fresh_atom_group(dloc_context *context) { return context->next_atom_group++; }

/* `metadata.location.key`, `metadata.location.limits` */
dloc_status dloc_location_create(dloc_context *context, bool distinct, const dloc_location *content, dloc_node *ret) {
  uint32_t *words = NULL;
  uint64_t group = content->atom_group & ((UINT64_C(1) << 61) - 1);
  uint32_t rank = content->atom_rank & LOCATION_RANK_MASK;
  size_t size = group ? 6 : 4;
  TRY(node_begin(context, size, &words));
  words[0] = content->line;
  words[1] = (content->column & LOCATION_COLUMN_MASK) | (content->implicit ? LOCATION_IMPLICIT : 0) |
             rank << LOCATION_RANK_SHIFT | (group ? LOCATION_HAS_GROUP : 0);
  words[2] = content->scope;
  words[3] = content->inlined_at;
  if (group) {
    words[4] = (uint32_t)group;
    words[5] = (uint32_t)(group >> 32);
  }
  TRY(node_finish(context, DLOC_KIND_LOCATION, distinct, size, ret));
  note_atom_group(context, content->atom_group);
  return DLOC_OK;
}

dloc_location dloc_location_get(const dloc_context *context, dloc_node handle) {
  if (dloc_node_kind(context, handle) != DLOC_KIND_LOCATION)
    return (dloc_location){0};
  const uint32_t *words = node_words(context, handle);
  uint64_t group = words[1] & LOCATION_HAS_GROUP ? words[4] | (uint64_t)words[5] << 32 : 0;
  return (dloc_location){.line = words[0],
                         .column = words[1] & LOCATION_COLUMN_MASK,
                         .scope = words[2],
                         .inlined_at = words[3],
                         .implicit = words[1] & LOCATION_IMPLICIT,
                         .atom_rank = (uint8_t)(words[1] >> LOCATION_RANK_SHIFT & LOCATION_RANK_MASK),
                         .atom_group = group};
}

/* ---- Specialised nodes ---------------------------------------------------------------------------------------------- */

typedef enum field_type {
  FIELD_NODE,
  FIELD_SCOPE,
  FIELD_TEXT,
  FIELD_LINE,
  FIELD_COLUMN,
  FIELD_GROUP,
  FIELD_RANK,
  FIELD_BOOL,
  FIELD_EMISSION,
  FIELD_KEPT,
  FIELD_GONE
} field_type;

typedef struct field_spec {
  const char *name;
  uint8_t kind;
  uint8_t type;
  bool required;
} field_spec;

static const field_spec field_specs[] = {
#define CLASS(kind, name, open)
#define FIELD(kind, name, type, required) {#name, DLOC_KIND_##kind, FIELD_##type, required},
#include "fields.def"
#undef CLASS
#undef FIELD
};

typedef struct class_spec {
  const char *name;
  uint8_t kind;
  bool open;
} class_spec;

static const class_spec class_specs[] = {
#define CLASS(kind, name, open) {name, DLOC_KIND_##kind, open},
#define FIELD(kind, name, type, required)
#include "fields.def"
#undef CLASS
#undef FIELD
};

/* How many of fields.def's rows one class has at most; static, so that rows can be gathered on the stack. */
enum { FIELDS_OF_A_CLASS = 32 };

dloc_status token_number(const dloc_context *context, dloc_node token, uint64_t limit, uint64_t *ret) {
  dloc_text text = dloc_node_text(context, token);
  if (dloc_node_kind(context, token) != DLOC_KIND_TOKEN || text.size == 0)
    return DLOC_INVALID;
  uint64_t number = 0;
  for (size_t i = 0; i < text.size; i++) {
    unsigned digit = (unsigned char)text.bytes[i] - (unsigned)'0';
    if (digit > 9)
      return DLOC_INVALID;
    if (number > (limit - digit) / 10 || digit > limit)
      return DLOC_LIMIT;
    number = number * 10 + digit;
  }
  *ret = number;
  return DLOC_OK;
}

static uint64_t field_limit(unsigned type) {
  switch (type) {
  case FIELD_COLUMN:
    return UINT16_MAX;
  case FIELD_RANK:
    return UINT8_MAX;
  case FIELD_GROUP:
    return UINT64_MAX;
  default:
    return UINT32_MAX;
  }
}

/* An MDString, `!"text"`, comes as a token. */
static bool is_reference(const dloc_context *context, dloc_node value) {
  dloc_text text = dloc_node_text(context, value);
  return dloc_node_kind(context, value) != DLOC_KIND_TOKEN || (text.size > 0 && text.bytes[0] == '!');
}

/* Check one value against its field's type. *ret_default: it is the default and may be left out. */
static dloc_reason check_value(const dloc_context *context, const field_spec *spec, dloc_node value,
                               bool *ret_default) {
  unsigned kind = dloc_node_kind(context, value);
  uint64_t number = 0;
  *ret_default = false;
  switch (spec->type) {
  case FIELD_SCOPE:
    if (value == DLOC_NULL)
      return DLOC_REASON_FIELD_NULL;
    return is_reference(context, value) ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_NODE;
  case FIELD_NODE:
    *ret_default = value == DLOC_NULL;
    return is_reference(context, value) ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_NODE;
  case FIELD_TEXT:
    *ret_default = dloc_node_text(context, value).size == 0;
    return kind == DLOC_KIND_STRING ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_STRING;
  case FIELD_BOOL:
    *ret_default = dloc_text_equal(dloc_node_text(context, value), dloc_text_of("false"));
    return *ret_default || dloc_text_equal(dloc_node_text(context, value), dloc_text_of("true"))
               ? DLOC_REASON_NONE
               : DLOC_REASON_FIELD_NOT_BOOLEAN;
  case FIELD_EMISSION:
    *ret_default = dloc_text_equal(dloc_node_text(context, value), dloc_text_of("NoDebug")) ||
                   dloc_text_equal(dloc_node_text(context, value), dloc_text_of("0"));
    return DLOC_REASON_NONE;
  case FIELD_KEPT:
    return DLOC_REASON_NONE;
  case FIELD_GONE:
    return DLOC_REASON_FIELD_UNKNOWN;
  default:
    switch (token_number(context, value, field_limit(spec->type), &number)) {
    case DLOC_OK:
      *ret_default = number == 0;
      return DLOC_REASON_NONE;
    case DLOC_LIMIT:
      return DLOC_REASON_FIELD_TOO_LARGE;
    default:
      return DLOC_REASON_FIELD_NOT_UNSIGNED;
    }
  }
}

static dloc_status diagnose(dloc_node_diagnosis *diagnosis, dloc_reason reason, dloc_node field, uint64_t limit) {
  if (diagnosis)
    *diagnosis = (dloc_node_diagnosis){reason, field, limit};
  return DLOC_INVALID;
}

static size_t class_first_row(unsigned kind) {
  size_t row = 0;
  while (field_specs[row].kind != kind)
    row++;
  return row;
}

static bool token_is(const dloc_context *context, dloc_node token, const char *word) {
  return dloc_node_kind(context, token) == DLOC_KIND_TOKEN &&
         dloc_text_equal(dloc_node_text(context, token), dloc_text_of(word));
}

static bool text_contains(dloc_text text, const char *word) {
  size_t size = strlen(word);
  for (size_t i = 0; i + size <= text.size; i++)
    if (memcmp(text.bytes + i, word, size) == 0)
      return true;
  return false;
}

/* A subprogram is a definition by its spFlags; in the older form without them, unless isDefinition is false. */
static bool is_definition(const dloc_context *context, dloc_node sp_flags, dloc_node is_definition_field) {
  if (sp_flags != DLOC_NULL)
    return text_contains(dloc_node_text(context, sp_flags), "DISPFlagDefinition");
  return !token_is(context, is_definition_field, "false");
}

bool dloc_subprogram_is_definition(const dloc_context *context, dloc_node subprogram) {
  if (dloc_node_kind(context, subprogram) != DLOC_KIND_SUBPROGRAM)
    return false;
  return is_definition(context, node_field(context, subprogram, context->field_keys[FIELD_SUBPROGRAM_spFlags]),
                       node_field(context, subprogram, context->field_keys[FIELD_SUBPROGRAM_isDefinition]));
}

static dloc_status location_from_fields(dloc_context *context, bool distinct, const dloc_node *values, dloc_node *ret) {
  uint64_t numbers[FIELD_ROWS] = {0};
  for (size_t row = FIELD_LOCATION_line; row <= FIELD_LOCATION_atomRank; row++)
    if (values[row])
      (void)token_number(context, values[row], UINT64_MAX, &numbers[row]);
  dloc_location content = {.line = (uint32_t)numbers[FIELD_LOCATION_line],
                           .column = (uint32_t)numbers[FIELD_LOCATION_column],
                           .scope = values[FIELD_LOCATION_scope],
                           .inlined_at = values[FIELD_LOCATION_inlinedAt],
                           .implicit = token_is(context, values[FIELD_LOCATION_isImplicitCode], "true"),
                           .atom_rank = (uint8_t)numbers[FIELD_LOCATION_atomRank],
                           .atom_group = numbers[FIELD_LOCATION_atomGroup]};
  return dloc_location_create(context, distinct, &content, ret);
}

/* The rows of one class, gathered from the fields that were given: value and whether it is written. */
typedef struct gathered {
  dloc_node values[FIELDS_OF_A_CLASS];
  bool seen[FIELDS_OF_A_CLASS];
  bool written[FIELDS_OF_A_CLASS];
} gathered;

static dloc_status gather_fields(const dloc_context *context, const class_spec *class, const dloc_field *fields,
                                 size_t count, gathered *g, dloc_node_diagnosis *diagnosis) {
  size_t first = class_first_row(class->kind);
  for (size_t i = 0; i < count; i++) {
    size_t row = first;
    while (row < FIELD_ROWS && field_specs[row].kind == class->kind && context->field_keys[row] != fields[i].key)
      row++;
    if (row == FIELD_ROWS || field_specs[row].kind != class->kind) {
      if (class->open)
        continue;
      return diagnose(diagnosis, DLOC_REASON_FIELD_UNKNOWN, fields[i].key, 0);
    }
    if (g->seen[row - first])
      return diagnose(diagnosis, DLOC_REASON_FIELD_REPEATED, fields[i].key, 0);
    bool is_default = false;
    dloc_reason reason = check_value(context, &field_specs[row], fields[i].value, &is_default);
    if (reason != DLOC_REASON_NONE)
      return diagnose(diagnosis, reason, fields[i].key, field_limit(field_specs[row].type));
    g->seen[row - first] = true;
    g->values[row - first] = fields[i].value;
    g->written[row - first] = !is_default || field_specs[row].required;
  }
  for (size_t row = first; row < FIELD_ROWS && field_specs[row].kind == class->kind; row++)
    if (field_specs[row].required && !g->seen[row - first])
      return diagnose(diagnosis, DLOC_REASON_FIELD_MISSING, context->field_keys[row], 0);
  return DLOC_OK;
}

static bool is_listed(const dloc_context *context, unsigned kind, dloc_node key) {
  for (size_t row = class_first_row(kind); row < FIELD_ROWS && field_specs[row].kind == kind; row++)
    if (context->field_keys[row] == key)
      return true;
  return false;
}

static dloc_status understood_node(dloc_context *context, const class_spec *class, dloc_node class_token, bool distinct,
                                   const dloc_field *fields, size_t count, dloc_node_diagnosis *diagnosis,
                                   dloc_node *ret) {
  gathered g = {0};
  TRY(gather_fields(context, class, fields, count, &g, diagnosis));
  size_t first = class_first_row(class->kind);
  if (class->kind == DLOC_KIND_LOCATION)
    return location_from_fields(context, distinct, g.values, ret);
  if (class->kind == DLOC_KIND_SUBPROGRAM && !distinct &&
      is_definition(context, g.values[FIELD_SUBPROGRAM_spFlags - first],
                    g.values[FIELD_SUBPROGRAM_isDefinition - first]))
    return diagnose(diagnosis, DLOC_REASON_SUBPROGRAM_NOT_DISTINCT, DLOC_NULL, 0);
  if (class->kind == DLOC_KIND_COMPILE_UNIT && !distinct)
    return diagnose(diagnosis, DLOC_REASON_UNIT_NOT_DISTINCT, DLOC_NULL, 0);

  uint32_t *words = NULL;
  TRY(node_begin(context, 2 + 2 * (count + FIELDS_OF_A_CLASS), &words));
  uint32_t written = 0;
  for (size_t row = first; row < FIELD_ROWS && field_specs[row].kind == class->kind; row++) {
    if (!g.written[row - first])
      continue;
    words[2 + 2 * written] = context->field_keys[row];
    words[3 + 2 * written++] = g.values[row - first];
  }
  for (size_t i = 0; class->open && i < count; i++) {
    if (is_listed(context, class->kind, fields[i].key))
      continue;
    words[2 + 2 * written] = fields[i].key;
    words[3 + 2 * written++] = fields[i].value;
  }
  words[0] = class_token;
  words[1] = written;
  return node_finish(context, class->kind, distinct, 2 + 2 * (size_t)written, ret);
}

dloc_status dloc_specialised(dloc_context *context, dloc_text class_name, bool distinct, const dloc_field *fields,
                             size_t count, dloc_node_diagnosis *diagnosis, dloc_node *ret) {
  if (count > UINT32_MAX / 4)
    return DLOC_LIMIT;
  dloc_node class_token = DLOC_NULL;
  TRY(dloc_token(context, class_name, &class_token));
  for (size_t i = 0; i < CLASS_ROWS; i++)
    if (context->class_tokens[i] == class_token)
      return understood_node(context, &class_specs[i], class_token, distinct, fields, count, diagnosis, ret);
  uint32_t *words = NULL;
  TRY(node_begin(context, 2 + 2 * count, &words));
  words[0] = class_token;
  words[1] = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    words[2 + 2 * i] = fields[i].key;
    words[3 + 2 * i] = fields[i].value;
  }
  return node_finish(context, DLOC_KIND_OTHER, distinct, 2 + 2 * count, ret);
}

static bool is_specialised(unsigned kind) { return kind > DLOC_KIND_LOCATION; }

dloc_text dloc_node_class(const dloc_context *context, dloc_node handle) {
  unsigned kind = dloc_node_kind(context, handle);
  if (kind == DLOC_KIND_LOCATION)
    return dloc_text_of("DILocation");
  if (!is_specialised(kind))
    return (dloc_text){"", 0};
  return dloc_node_text(context, node_words(context, handle)[0]);
}

size_t dloc_operand_count(const dloc_context *context, dloc_node handle) {
  return dloc_node_kind(context, handle) == DLOC_KIND_TUPLE ? node_words(context, handle)[0] : 0;
}

dloc_node dloc_operand(const dloc_context *context, dloc_node handle, size_t index) {
  return index < dloc_operand_count(context, handle) ? node_words(context, handle)[1 + index] : DLOC_NULL;
}

size_t dloc_field_count(const dloc_context *context, dloc_node handle) {
  return is_specialised(dloc_node_kind(context, handle)) ? node_words(context, handle)[1] : 0;
}

dloc_field dloc_field_at(const dloc_context *context, dloc_node handle, size_t index) {
  if (index >= dloc_field_count(context, handle))
    return (dloc_field){DLOC_NULL, DLOC_NULL};
  const uint32_t *words = node_words(context, handle);
  return (dloc_field){words[2 + 2 * index], words[3 + 2 * index]};
}

dloc_node node_field(const dloc_context *context, dloc_node handle, dloc_node key) {
  size_t count = dloc_field_count(context, handle);
  const uint32_t *words = node_words(context, handle);
  for (size_t i = 0; i < count; i++)
    if (words[2 + 2 * i] == key)
      return words[3 + 2 * i];
  return DLOC_NULL;
}

dloc_node dloc_field_value(const dloc_context *context, dloc_node handle, const char *name) {
  dloc_text wanted = dloc_text_of(name);
  for (size_t i = 0; i < dloc_field_count(context, handle); i++) {
    dloc_field field = dloc_field_at(context, handle, i);
    if (dloc_text_equal(dloc_node_text(context, field.key), wanted))
      return field.value;
  }
  return DLOC_NULL;
}

uint64_t dloc_field_number(const dloc_context *context, dloc_node handle, const char *name) {
  uint64_t number = 0;
  (void)token_number(context, dloc_field_value(context, handle, name), UINT64_MAX, &number);
  return number;
}

/* ---- Forward references --------------------------------------------------------------------------------------------- */

dloc_status dloc_forward(dloc_context *context, dloc_node *ret) {
  uint32_t *words = NULL;
  TRY(node_begin(context, 0, &words));
  dloc_node handle = (dloc_node)context->node_count++;
  context->nodes[handle] = (node){0, DLOC_KIND_FORWARD, 0};
  if (context->first_pending > handle)
    context->first_pending = handle;
  *ret = handle;
  return DLOC_OK;
}

dloc_node dloc_canonical(const dloc_context *context, dloc_node handle) {
  const node *n = node_at(context, handle);
  while (n->kind == DLOC_KIND_FORWARD && n->at) {
    handle = n->at;
    n = node_at(context, handle);
  }
  return handle;
}

dloc_status dloc_define(dloc_context *context, dloc_node forward, dloc_node definition) {
  if (dloc_node_kind(context, forward) != DLOC_KIND_FORWARD || context->nodes[forward].at)
    return DLOC_INVALID;
  definition = dloc_canonical(context, definition);
  if (definition == forward || definition == DLOC_NULL)
    return DLOC_INVALID;
  context->nodes[forward].at = definition;
  return DLOC_OK;
}

/* One node on dloc_resolve's stack: two words, the node and the next operand to look at. */
static dloc_status resolve_push(dloc_context *context, scratch *stack, dloc_node handle) {
  context->nodes[handle].flags |= NODE_VISITING;
  TRY(scratch_push(context, stack, handle));
  return scratch_push(context, stack, 0);
}

/* All operands of the node on top are final: rewrite them, and let the node become its interned twin if it has one. A node in a cycle
 * that has a twin stays itself and becomes distinct, as LLVM does it. */
static dloc_status resolve_finish(dloc_context *context, dloc_node handle) {
  node *self = &context->nodes[handle];
  uint32_t *words = context->words + self->at;
  operand_run run = operands_of(self->kind, words);
  for (size_t i = 0; i < run.count; i++) {
    uint32_t *operand = &words[run.first + i * run.stride];
    *operand = dloc_canonical(context, *operand);
  }
  self->flags &= (uint8_t) ~(NODE_PENDING | NODE_VISITING);
  if (self->flags & NODE_DISTINCT)
    return DLOC_OK;
  dloc_node interned = handle;
  TRY(intern(context, handle, &interned));
  if (interned == handle)
    return DLOC_OK;
  if (self->flags & NODE_IN_CYCLE)
    self->flags |= NODE_DISTINCT;
  else
    *self = (node){interned, DLOC_KIND_FORWARD, 0};
  return DLOC_OK;
}

/* The next operand of a node that has to be resolved first; DLOC_NULL when there is none left. *next is advanced. */
static dloc_status resolve_next(dloc_context *context, dloc_node handle, uint32_t *next, dloc_node *ret_undefined,
                                dloc_node *ret) {
  const uint32_t *words = node_words(context, handle);
  operand_run run = operands_of(context->nodes[handle].kind, words);
  *ret = DLOC_NULL;
  while (*next < run.count) {
    dloc_node operand = dloc_canonical(context, words[run.first + (*next)++ * run.stride]);
    node *n = &context->nodes[operand];
    if (n->kind == DLOC_KIND_FORWARD) {
      if (ret_undefined)
        *ret_undefined = operand;
      return DLOC_INVALID;
    }
    if ((n->flags & NODE_PENDING) && !(n->flags & NODE_DISTINCT)) {
      if (n->flags & NODE_VISITING) {
        n->flags |= NODE_IN_CYCLE;
        continue;
      }
      *ret = operand;
      return DLOC_OK;
    }
  }
  return DLOC_OK;
}

static dloc_status resolve_from(dloc_context *context, scratch *stack, dloc_node root, dloc_node *ret_undefined) {
  TRY(resolve_push(context, stack, root));
  while (stack->count) {
    dloc_node handle = stack->words[stack->count - 2];
    dloc_node operand = DLOC_NULL;
    TRY(resolve_next(context, handle, &stack->words[stack->count - 1], ret_undefined, &operand));
    if (operand) {
      TRY(resolve_push(context, stack, operand));
      continue;
    }
    TRY(resolve_finish(context, handle));
    stack->count -= 2;
  }
  return DLOC_OK;
}

dloc_status dloc_resolve(dloc_context *context, dloc_node *ret_undefined) {
  scratch stack = {0};
  dloc_status status = DLOC_OK;
  for (size_t i = context->first_pending; status == DLOC_OK && i < context->node_count; i++) {
    const node *n = &context->nodes[i];
    if (n->kind == DLOC_KIND_FORWARD &&
        dloc_node_kind(context, dloc_canonical(context, (dloc_node)i)) == DLOC_KIND_FORWARD) {
      if (ret_undefined)
        *ret_undefined = (dloc_node)i;
      status = DLOC_INVALID;
    } else if (n->flags & NODE_PENDING) {
      status = resolve_from(context, &stack, (dloc_node)i, ret_undefined);
    }
  }
  scratch_deinit(context, &stack);
  if (status == DLOC_OK)
    context->first_pending = SIZE_MAX;
  return status;
}

/* ---- Context -------------------------------------------------------------------------------------------------------- */

/* Node 0 is null; then the tokens of fields.def, so that their handles are the same in every context. */
static dloc_status context_fill(dloc_context *context) {
  uint32_t *words = NULL;
  TRY(node_begin(context, 0, &words));
  context->nodes[context->node_count++] = (node){0, DLOC_KIND_NULL, 0};
  for (size_t i = 0; i < FIELD_ROWS; i++)
    TRY(dloc_token(context, dloc_text_of(field_specs[i].name), &context->field_keys[i]));
  for (size_t i = 0; i < CLASS_ROWS; i++)
    TRY(dloc_token(context, dloc_text_of(class_specs[i].name), &context->class_tokens[i]));
  return DLOC_OK;
}

dloc_context *dloc_context_create(const dloc_allocator *allocator) {
  dloc_allocator heap = {heap_realloc, heap_free, NULL};
  if (allocator && allocator->realloc)
    heap = *allocator;
  dloc_context *context = heap.realloc(heap.user, NULL, sizeof *context);
  if (!context)
    return NULL;
  *context = (dloc_context){.allocator = heap, .first_pending = SIZE_MAX, .next_atom_group = 1};
  if (context_fill(context) != DLOC_OK) {
    dloc_context_destroy(context);
    return NULL;
  }
  return context;
}

void dloc_context_destroy(dloc_context *context) {
  if (!context)
    return;
  dloc_allocator allocator = context->allocator;
  context_free(context, context->nodes);
  context_free(context, context->words);
  context_free(context, context->slots);
  allocator.free(allocator.user, context);
}

void dloc_context_reset(dloc_context *context) {
  /* The table that grew for one large input is given back: clearing it for each of many small ones would cost more than they do. */
  if (context->slot_capacity > 4096) {
    intern_slot *smaller = context_realloc(context, context->slots, 4096 * sizeof *smaller);
    if (smaller) {
      context->slots = smaller;
      context->slot_capacity = 4096;
    }
  }
  memset(context->slots, 0, context->slot_capacity * sizeof *context->slots);
  context->slot_count = 0;
  context->node_count = 0;
  context->word_count = 0;
  context->first_pending = SIZE_MAX;
  context->next_atom_group = 1;
  (void)context_fill(context); /* cannot fail: it had room for these nodes before */
}
