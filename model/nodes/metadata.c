/* SPEC.md, chapter 1: nodes, interning, forward references. */
#include "metadata.h"

#include <stdlib.h>
#include <string.h>

/* ---- Nodes ---- */

dloc_kind dloc_node_kind(const dloc_context *context, dloc_node handle) {
  return (dloc_kind)node_at(context, handle)->kind;
}

bool dloc_node_is_distinct(const dloc_context *context, dloc_node handle) {
  return node_at(context, handle)->flags & NODE_DISTINCT;
}

uint32_t dloc_node_limit(const dloc_context *context) { return (uint32_t)context->node_count; }

static size_t payload_size(unsigned kind, const uint32_t *words) {
  if (is_text_kind(kind))
    return 1 + ((size_t)words[0] + 3) / 4;
  operand_run run = operands_of(kind, words);
  size_t start = run.first - (run.stride > 1); /* a value of a field stands behind its key */
  size_t group = kind == DLOC_KIND_LOCATION && words[1] & LOCATION_HAS_GROUP ? 2 : 0;
  return start + (size_t)run.count * run.stride + group;
}

static uint64_t payload_hash(const hash_key *key, unsigned kind, const uint32_t *words, size_t size) {
  uint64_t hash = key->start;
  size_t i = 0;
  for (; i + 2 <= size; i += 2)
    hash = hash_word(key, hash, words[i] | (uint64_t)words[i + 1] << 32);
  return hash_word(key, hash, (i < size ? words[i] : 0) | (uint64_t)kind << 32);
}

/* Two payloads of one kind, the left one of that size. One that is longer differs before the shorter ends, as the word
 * that gives the size is one of the first two. */
static bool same_payload(const uint32_t *left, const uint32_t *right, size_t size) {
  size_t i = 0;
  while (i < size && left[i] == right[i])
    i++;
  return i == size;
}

/* Has room for twice the names of classes.def. */
enum { LEAST_INTERNED = 512 };

static void place_interned(intern_table *table, intern_slot slot) {
  size_t at = slot.hash & (table->capacity - 1);
  while (table->slots[at].node)
    at = (at + 1) & (table->capacity - 1);
  table->slots[at] = slot;
  table->count++;
}

static dloc_status grow_interned(dloc_context *context) {
  const intern_table *old = &context->interned;
  intern_table grown = {.capacity = old->capacity ? old->capacity * 2 : LEAST_INTERNED};
  if (grown.capacity > SIZE_MAX / sizeof *grown.slots)
    return DLOC_LIMIT;
  grown.slots = context_realloc(context, NULL, grown.capacity * sizeof *grown.slots);
  if (!grown.slots)
    return DLOC_NO_MEMORY;
  memset(grown.slots, 0, grown.capacity * sizeof *grown.slots);
  for (size_t i = 0; i < old->capacity; i++)
    if (old->slots[i].node)
      place_interned(&grown, old->slots[i]);
  context_free(context, old->slots);
  context->interned = grown;
  return DLOC_OK;
}

/* Only the names of classes.def stay. A table that was hardly used halves, so that many resets after one large use cost
 * no more than that. */
static void clear_interned(dloc_context *context) {
  intern_table *table = &context->interned;
  size_t half = table->capacity / 2;
  intern_slot *smaller = NULL;
  if (half >= LEAST_INTERNED && table->count < half / 4)
    smaller = context_realloc(context, table->slots, half * sizeof *smaller);
  *table = (intern_table){smaller ? smaller : table->slots, smaller ? half : table->capacity, 0};
  memset(table->slots, 0, table->capacity * sizeof *table->slots);
  for (size_t i = 0; i < context->filled_slots; i++)
    place_interned(table, context->filled[i]);
}

/* `metadata.uniqued`: the interned node of the same content, or handle itself, of that size, after adding it. */
static inline dloc_status intern(dloc_context *context, dloc_node handle, size_t size, dloc_node *ret) {
  intern_table *table = &context->interned;
  if ((table->count + 1) * 4 > table->capacity * 3)
    TRY(grow_interned(context));
  const node *self = &context->nodes[handle];
  const uint32_t *words = context->words + self->at;
  size_t last = table->capacity - 1;
  uint32_t hash = (uint32_t)payload_hash(&context->hash_key, self->kind, words, size);
  intern_slot *slot = &table->slots[hash & last];
  for (; slot->node; slot = slot == table->slots + last ? table->slots : slot + 1) {
    const node *other = &context->nodes[slot->node];
    if (slot->hash == hash &&
        (slot->node == handle || (other->kind == self->kind && same_payload(words, context->words + other->at, size))))
      return give_node(ret, slot->node);
  }
  *slot = (intern_slot){hash, handle};
  table->count++;
  return give_node(ret, handle);
}

/* Append `size` words to the pool: *ret. The caller fills them, and then calls node_finish. */
inline dloc_status node_begin(dloc_context *context, size_t size, uint32_t **ret) {
  if (size > UINT32_MAX - context->word_count || context->node_count == UINT32_MAX)
    return DLOC_LIMIT;
  RESERVE_ITEMS(context, context->words, context->word_capacity, context->word_count + size);
  RESERVE_ITEMS(context, context->nodes, context->node_capacity, context->node_count + 1);
  *ret = size ? context->words + context->word_count : NULL;
  return DLOC_OK;
}

/* Put an operand's final handle in its place, as far as it is known. Returns whether it is not known yet. */
static bool settle_operand(const dloc_context *context, uint32_t *operand) {
  const node *n = node_at(context, *operand);
  if (n->kind == DLOC_KIND_FORWARD) {
    *operand = dloc_canonical(context, *operand);
    n = node_at(context, *operand);
  }
  return n->kind == DLOC_KIND_FORWARD || (n->flags & (NODE_PENDING | NODE_DISTINCT)) == NODE_PENDING;
}

/* Make the words that node_begin returned a node: `metadata.uniqued`, `metadata.distinct`. */
dloc_status node_finish(dloc_context *context, dloc_kind kind, bool distinct, size_t size, dloc_node *ret) {
  uint32_t *words = context->words + context->word_count;
  dloc_node handle = (dloc_node)context->node_count;
  bool pending = false;
  operand_run run = operands_of(kind, words);
  for (size_t i = 0; i < run.count; i++)
    pending |= settle_operand(context, &words[run.first + i * run.stride]);
  context->nodes[handle] = (node){(uint32_t)context->word_count, (uint8_t)kind,
                                  (uint8_t)((distinct ? NODE_DISTINCT : 0) | (pending ? NODE_PENDING : 0))};
  if (!distinct) {
    dloc_node interned = DLOC_NULL;
    TRY(intern(context, handle, size, &interned));
    if (interned != handle)
      return give_node(ret, interned);
  }
  if (pending && context->first_pending > handle)
    context->first_pending = handle;
  context->node_count++;
  context->word_count += size;
  return give_node(ret, handle);
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

/* The byte behind a string that begins at `at`, or behind any other byte. */
static size_t behind_string(dloc_text text, size_t at) {
  const char *closing = text.bytes[at] == '"' ? memchr(text.bytes + at + 1, '"', text.size - at - 1) : text.bytes + at;
  return closing ? (size_t)(closing - text.bytes) + 1 : text.size + 1;
}

bool text_is_operand(dloc_text text) {
  size_t depth = 0, at = 0;
  while (at < text.size) {
    char c = text.bytes[at];
    bool closes = strchr(")]}>", c);
    if (c < ' ' || c > '~' || c == ';' || (depth == 0 && (c == ',' || closes)))
      return false;
    depth = depth - closes + (strchr("([{<", c) != NULL);
    at = behind_string(text, at);
  }
  return text.size > 0 && at == text.size && depth == 0;
}

dloc_status dloc_constant(dloc_context *context, dloc_text text, dloc_node *ret) {
  bool typed = text_is_operand(text) && *text.bytes != '!' && memchr(text.bytes, ' ', text.size);
  return typed ? text_node(context, DLOC_KIND_CONSTANT, text, ret) : DLOC_INVALID;
}

dloc_status dloc_token(dloc_context *context, dloc_text text, dloc_node *ret) {
  return text_node(context, DLOC_KIND_TOKEN, text, ret);
}

dloc_text dloc_node_text(const dloc_context *context, dloc_node handle) { return node_text(context, handle); }

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

size_t dloc_operand_count(const dloc_context *context, dloc_node handle) { return operand_count(context, handle); }

dloc_node dloc_operand(const dloc_context *context, dloc_node handle, size_t index) {
  return operand_at(context, handle, index);
}

dloc_status dloc_set_operand(dloc_context *context, dloc_node tuple, size_t index, dloc_node operand) {
  const node *n = node_at(context, tuple);
  const node *to = node_at(context, operand);
  if (n->kind != DLOC_KIND_TUPLE || !(n->flags & NODE_DISTINCT) || index >= dloc_operand_count(context, tuple) ||
      ((n->flags | to->flags) & NODE_PENDING) || to->kind == DLOC_KIND_FORWARD)
    return DLOC_INVALID;
  context->words[n->at + 1 + index] = operand;
  return DLOC_OK;
}

/* Whether a node is printed by number, rather than in place. */
bool node_is_numbered(const dloc_context *context, dloc_node handle) {
  dloc_kind kind = dloc_node_kind(context, handle);
  return kind == DLOC_KIND_TUPLE || kind >= DLOC_KIND_LOCATION;
}

bool dloc_next_reference(const dloc_context *context, dloc_node node, size_t *index, dloc_node *ret) {
  const uint32_t *words = node_words(context, node);
  operand_run run = operands_of(dloc_node_kind(context, node), words);
  while (*index < run.count) {
    dloc_node operand = words[run.first + (*index)++ * run.stride];
    if (node_is_numbered(context, operand)) {
      *ret = operand;
      return true;
    }
  }
  return false;
}

/* ---- DILocation ---- */

/* LLVM counts atom groups per context: any location with group g makes the next fresh one at least g + 1. The bits
 * beyond the field's width count too, and 2^64 - 1 wraps to no effect. `merge.atoms.counter` */
static void note_atom_group(dloc_context *context, uint64_t group) {
  if (group + 1 > context->next_atom_group)
    context->next_atom_group = group + 1;
}

uint64_t context_fresh_atom_group(dloc_context *context) { return context->next_atom_group++; }

void dloc_context_set_profile(dloc_context *context, const dloc_profile *profile) {
  context->atom_bits = profile->alternative[DLOC_CHOICE_IRLAYERS_ATOM_BITS];
}

void dloc_context_set_passed(dloc_context *context, dloc_passed *passed, void *user) {
  context->passed = passed;
  context->passed_user = user;
}

/* `metadata.location.atoms` */
static uint64_t stored_group(const dloc_context *context, uint64_t group) {
  const uint64_t limit = UINT64_C(1) << 60;
  switch (context->atom_bits) {
  case DLOC_IRLAYERS_ATOM_BITS_61:
    return group & (2 * limit - 1);
  case DLOC_IRLAYERS_ATOM_BITS_60_LOWER:
    return group & (limit - 1);
  case DLOC_IRLAYERS_ATOM_BITS_60_ZERO_OF_61:
    group &= 2 * limit - 1; /* and then as 60-zero */
  }
  return group >= limit ? 0 : group;
}

/* `metadata.location.key`, `metadata.location.list`, `metadata.location.limits` */
dloc_status dloc_location_create(dloc_context *context, bool distinct, const dloc_location *content, dloc_node *ret) {
  uint32_t *words = NULL;
  uint64_t group = stored_group(context, content->atom_group);
  uint32_t rank = content->atom_rank & LOCATION_RANK_MASK;
  size_t size = 4;
  TRY(node_begin(context, 7, &words));
  words[0] = content->line;
  words[1] = (content->column & LOCATION_COLUMN_MASK) | (content->implicit ? LOCATION_IMPLICIT : 0) |
             rank << LOCATION_RANK_SHIFT | (group ? LOCATION_HAS_GROUP : 0) |
             (content->layers ? LOCATION_HAS_LAYERS : 0);
  words[2] = content->scope;
  words[3] = content->inlined_at;
  if (content->layers)
    words[size++] = content->layers;
  if (group) {
    words[size++] = (uint32_t)group;
    words[size++] = (uint32_t)(group >> 32);
  }
  TRY(node_finish(context, DLOC_KIND_LOCATION, distinct, size, ret));
  note_atom_group(context, content->atom_group);
  return DLOC_OK;
}

dloc_location dloc_location_get(const dloc_context *context, dloc_node handle) {
  return location_content(context, handle);
}

/* ---- Forward references ---- */

dloc_status dloc_forward(dloc_context *context, dloc_node *ret) {
  uint32_t *words = NULL;
  TRY(node_begin(context, 0, &words));
  dloc_node handle = (dloc_node)context->node_count++;
  context->nodes[handle] = (node){0, DLOC_KIND_FORWARD, 0};
  if (context->first_pending > handle)
    context->first_pending = handle;
  return give_node(ret, handle);
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

/* All operands of the node on top are final: rewrite them, and let the node become its interned twin if it has one. A
 * node in a cycle stays itself: a twin that is not final becomes this node, and for another twin it becomes distinct, as
 * LLVM does it. `metadata.self` */
static dloc_status resolve_finish(dloc_context *context, dloc_node handle) {
  node *self = &context->nodes[handle];
  bool names_itself = false;
  uint32_t *words = context->words + self->at;
  operand_run run = operands_of(self->kind, words);
  for (size_t i = 0; i < run.count; i++) {
    uint32_t *operand = &words[run.first + i * run.stride];
    *operand = dloc_canonical(context, *operand);
    names_itself |= *operand == handle;
  }
  self->flags &= (uint8_t) ~(NODE_PENDING | NODE_VISITING);
  if (names_itself)
    self->flags |= NODE_DISTINCT;
  if (self->flags & NODE_DISTINCT)
    return DLOC_OK;
  dloc_node interned = handle;
  size_t size = payload_size(self->kind, words);
  TRY(intern(context, handle, size, &interned));
  if (self->flags & NODE_IN_CYCLE &&
      (context->nodes[interned].flags & (NODE_PENDING | NODE_VISITING)) == NODE_PENDING) {
    context->nodes[interned] = (node){handle, DLOC_KIND_FORWARD, 0};
    TRY(intern(context, handle, size, &interned));
  }
  if (interned == handle)
    return DLOC_OK;
  if (self->flags & NODE_IN_CYCLE)
    self->flags |= NODE_DISTINCT;
  else
    *self = (node){interned, DLOC_KIND_FORWARD, 0};
  return DLOC_OK;
}

/* The next operand of a node that must be resolved first; DLOC_NULL when there is none left. *next is advanced. No
 * operand is undefined: a forward node is older than the nodes that use it, so dloc_resolve has met it before. */
static dloc_node resolve_next(dloc_context *context, dloc_node handle, uint32_t *next) {
  const uint32_t *words = node_words(context, handle);
  operand_run run = operands_of(context->nodes[handle].kind, words);
  while (*next < run.count) {
    dloc_node operand = dloc_canonical(context, words[run.first + (*next)++ * run.stride]);
    node *n = &context->nodes[operand];
    if ((n->flags & (NODE_PENDING | NODE_DISTINCT)) != NODE_PENDING)
      continue;
    if (!(n->flags & NODE_VISITING))
      return operand;
    n->flags |= NODE_IN_CYCLE;
  }
  return DLOC_NULL;
}

static dloc_status resolve_from(dloc_context *context, scratch *stack, dloc_node root) {
  TRY(resolve_push(context, stack, root));
  while (stack->count) {
    dloc_node handle = stack->words[stack->count - 2];
    dloc_node operand = resolve_next(context, handle, &stack->words[stack->count - 1]);
    if (operand) {
      TRY(resolve_push(context, stack, operand));
      continue;
    }
    TRY(resolve_finish(context, handle));
    stack->count -= 2;
  }
  return DLOC_OK;
}

/* Forget all that is known of scopes: when nodes may become others. */
static void scopes_forget(dloc_context *context) {
  context->scopes.count = 0;
  context->scope_salt++;
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
      status = resolve_from(context, &stack, (dloc_node)i);
    }
  }
  context_free(context, stack.words);
  scopes_forget(context);
  if (status == DLOC_OK)
    context->first_pending = SIZE_MAX;
  return status;
}

/* ---- Context ---- */

static void *heap_realloc(void *user, void *old, size_t size) {
  (void)user;
  return realloc(old, size);
}

static void heap_free(void *user, void *old) {
  (void)user;
  free(old);
}

/* Node 0 is null; then the names of classes.def, so that their handles are the same in every context. */
static dloc_status context_fill(dloc_context *context) {
  uint32_t *words = NULL;
  TRY(node_begin(context, 0, &words));
  context->nodes[context->node_count++] = (node){0, DLOC_KIND_NULL, 0};
  for (size_t i = 0; i < FIELD_ROWS; i++)
    TRY(dloc_token(context, field_specs[i].name, &context->field_keys[i]));
  for (size_t i = 0; i < CLASS_ROWS; i++)
    TRY(dloc_token(context, class_specs[i].name, &context->class_tokens[i]));
  for (size_t i = 0; i < context->interned.capacity; i++)
    if (context->interned.slots[i].node)
      context->filled[context->filled_slots++] = context->interned.slots[i];
  context->filled_nodes = context->node_count;
  context->filled_words = context->word_count;
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
  context->hash_key = hash_key_choose(context);
  if (context_fill(context) != DLOC_OK) {
    dloc_context_destroy(context);
    return NULL;
  }
  return context;
}

static void release_work(dloc_context *context) {
  merge_work *work = &context->merging;
  CONTEXT_FREE(context, context->operands.words, work->first.words, work->second.words, work->taken.words,
               work->climb.items, work->places.entries, work->first_layers.items, work->first_layers.kinds.entries,
               work->second_layers.items, work->second_layers.kinds.entries, work->layers.items,
               work->layers.kinds.entries);
}

void dloc_context_destroy(dloc_context *context) {
  if (!context)
    return;
  dloc_allocator allocator = context->allocator;
  release_work(context);
  CONTEXT_FREE(context, context->nodes, context->words, context->interned.slots, context->scopes.items,
               context->scope_numbers.items, context->scopes_of.items, context->tuples.items);
  allocator.free(allocator.user, context);
}

void dloc_context_reset(dloc_context *context) {
  clear_interned(context);
  scopes_forget(context);
  context->node_count = context->filled_nodes;
  context->word_count = context->filled_words;
  context->first_pending = SIZE_MAX;
  context->next_atom_group = 1;
}
