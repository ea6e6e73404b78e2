/* Private to model/: how a context stores its nodes, and the scratch structures that the algorithms share. */
#pragma once

#include "array.h"
#include "classes.h"
#include "hash.h"
#include "try.h"

/* Payloads live in one pool of 32-bit words, addressed by index so that the pool can grow.
 *   string, constant, token   [size in bytes] [bytes, zero-padded to words]
 *   tuple                     [count] [operand]...
 *   location                  [line] [column | bits << 16] [scope] [inlinedAt] ([irlayers]) ([group low] [group high])
 *   other specialised nodes   [class: token] [count] ([key] [value])...
 *   forward                   none; `at` is the node it stands for, or 0 */
typedef struct node {
  uint32_t at;
  uint8_t kind;
  uint8_t flags;
} node;

enum {
  NODE_DISTINCT = 1 << 0,
  NODE_PENDING = 1 << 1,  /* an operand is not known yet: not interned, operands to be rewritten by dloc_resolve */
  NODE_VISITING = 1 << 2, /* on dloc_resolve's stack */
  NODE_IN_CYCLE = 1 << 3, /* an operand of its own uniqued operands */
};

/* A map from a 96-bit key to a 32-bit value, cleared in constant time: entries of an older generation are empty. */
typedef struct map_entry {
  uint64_t key_high;
  uint32_t key_low;
  uint32_t value;
  uint32_t generation;
} map_entry;

typedef struct map {
  map_entry *entries;
  size_t capacity; /* a power of two, or 0 */
  size_t count;
  hash_key key; /* of its context */
  uint32_t generation;
} map;

/* The uniqued nodes, by a hash of their content. It is the largest table, and each lookup in it is a cache miss: so a
 * slot is small. */
typedef struct intern_slot {
  uint32_t hash;
  dloc_node node; /* 0: the slot is empty */
} intern_slot;

typedef struct intern_table {
  intern_slot *slots;
  size_t capacity; /* a power of two */
  size_t count;
} intern_table;

/* A word for each node, kept by handle: cheaper than a map where most nodes have one. A note of another salt counts as
 * none. */
typedef struct node_note {
  uint32_t salt, word; /* word 0: none */
} node_note;

typedef struct node_notes {
  node_note *items;
  size_t capacity;
} node_notes;

/* A growing array of words for work in progress. */
typedef struct scratch {
  uint32_t *words;
  size_t count;
  size_t capacity;
} scratch;

/* A local scope whose chain ends in a subprogram, as merging sees it. Found once for each node (scope.c). */
typedef struct known_scope {
  dloc_node node;
  dloc_node subprogram;
  dloc_node file;   /* DLOC_NULL: none */
  uint32_t parent;  /* the scope above it, by its index among the known ones; its own for a subprogram */
  uint32_t depth;   /* how many scopes lie between it and its subprogram */
  dloc_node line_0; /* the uniqued location at line 0 in it with nothing else; DLOC_NULL: not asked for yet */
  dloc_node outlined_to, outlined; /* the subprogram to which it was outlined last, and its block there */
} known_scope;

/* Layers of a DebugLoc in order (layers.c). */
typedef struct layer_list {
  dloc_layer *items;
  size_t count;
  size_t capacity;
  map kinds; /* the first layer of each kind, when there are many */
} layer_list;

/* Where a scope stands, seen from a location inside it (merge_location.c). */
typedef struct scope_place {
  dloc_node scope;
  uint32_t line;
  uint32_t column;
} scope_place;

/* The working memory of merging, kept from one merge to the next. */
typedef struct merge_work {
  scratch first; /* merge_location.c: the chains of both locations */
  scratch second;
  scratch taken;            /* merge_list.c: the layers of the result */
  ARRAY(scope_place) climb; /* merge_location.c: places on the way up from the first location */
  map places;               /* merge_location.c: scopes met, places met */
  layer_list first_layers;
  layer_list second_layers;
  layer_list layers; /* of the result */
} merge_work;

struct dloc_context {
  dloc_allocator allocator;
  dloc_passed *passed; /* NULL: nobody wants to know */
  void *passed_user;
  hash_key hash_key;
  node *nodes;
  size_t node_count;
  size_t node_capacity;
  uint32_t *words;
  size_t word_count;
  size_t word_capacity;
  intern_table interned;
  size_t first_pending; /* no node before it is pending */
  uint64_t next_atom_group;
  uint8_t atom_bits; /* what the profile takes of `irlayers.atom-bits` */
  ARRAY(known_scope) scopes;
  node_notes scope_numbers; /* 1 + the index among the scopes */
  node_notes scopes_of;     /* the same for a location: of its scope */
  node_notes tuples;        /* the tuple that was made last about a location (form_tuple.c) */
  uint32_t scope_salt;      /* of all these notes. It changes when nodes may have become others. */
  scratch operands;         /* of the tuple that is made (form_tuple.c) */
  merge_work merging;
  dloc_node field_keys[FIELD_ROWS]; /* tokens of the names in classes.def */
  dloc_node class_tokens[CLASS_ROWS];
  size_t filled_nodes, filled_words; /* these tokens, which stay */
  intern_slot filled[FIELD_ROWS + CLASS_ROWS];
  size_t filled_slots;
};

void *context_realloc(dloc_context *context, void *old, size_t size) PRIVATE(context_realloc);
void context_free(dloc_context *context, void *old) PRIVATE(context_free);
void context_free_all(dloc_context *context, void *const *old, size_t count) PRIVATE(context_free_all);
#define CONTEXT_FREE(context, ...)                                                                                     \
  context_free_all((context), (void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
/* What these pointers hold where the scope ends is freed then, on every path: OWNED_MEMORY(context, &names, &list.items). */
typedef struct owned_memory {
  dloc_context *context;
  void *const *pointers;
  size_t count;
} owned_memory;
void context_release(const owned_memory *memory) PRIVATE(context_release);
#define OWNED_MEMORY(context, ...)                                                                                     \
  OWNED(context_release)                                                                                               \
  __attribute__((unused)) const owned_memory owned_here = {(context), (void *[]){__VA_ARGS__},                         \
                                                           sizeof((void *[]){__VA_ARGS__}) / sizeof(void *)}
/* Make room for needed elements of that size; capacity grows by doubling. */
dloc_status context_reserve(dloc_context *context, void **array, size_t *capacity, size_t needed, size_t element_size)
    PRIVATE(context_reserve);

void map_clear(map *m) PRIVATE(map_clear);
void map_deinit(dloc_context *context, map *m) PRIVATE(map_deinit);
bool map_get(const map *m, uint64_t high, uint32_t low, uint32_t *ret) PRIVATE(map_get);
static inline bool map_has(const map *m, uint64_t high, uint32_t low) { return map_get(m, high, low, &(uint32_t){0}); }
/* Add unless the key is there already; the value that the map holds afterwards is in *ret (may be NULL). */
dloc_status map_add(dloc_context *context, map *m, uint64_t high, uint32_t low, uint32_t value, uint32_t *ret)
    PRIVATE(map_add);
/* Add a key without a value; *ret_new: it was not there. */
dloc_status map_meet(dloc_context *context, map *m, uint64_t high, uint32_t low, bool *ret_new) PRIVATE(map_meet);

static inline bool note_get(const node_notes *notes, uint32_t salt, dloc_node node, uint32_t *ret) {
  if (node >= notes->capacity || notes->items[node].salt != salt || !notes->items[node].word)
    return false;
  *ret = notes->items[node].word;
  return true;
}
dloc_status note_set(dloc_context *context, node_notes *notes, uint32_t salt, dloc_node node, uint32_t word)
    PRIVATE(note_set);

static inline dloc_status scratch_push(dloc_context *context, scratch *s, uint32_t word) {
  RESERVE_ITEMS(context, s->words, s->capacity, s->count + 1);
  s->words[s->count++] = word;
  return DLOC_OK;
}

/* Allocates the next atom group (`merge.atoms.fresh`). */
uint64_t context_fresh_atom_group(dloc_context *context);

/* Making a node: node_begin gives room for `size` words of payload at *ret (NULL for none), and the caller fills it.
 * `node_finish` makes them a node, interned unless it is distinct. Its size may be smaller than what was begun. */
dloc_status node_begin(dloc_context *context, size_t size, uint32_t **ret) PRIVATE(node_begin);
dloc_status node_finish(dloc_context *context, dloc_kind kind, bool distinct, size_t size, dloc_node *ret)
    PRIVATE(node_finish);

/* The value of a field by its key token; DLOC_NULL when it is absent. */
dloc_node node_field(const dloc_context *context, dloc_node node, dloc_node key) PRIVATE(node_field);
/* The same as a number of 32 bits, by the row of the field; 0 when it is absent or too large. */
uint32_t node_number(const dloc_context *context, dloc_node node, enum field_row row);
/* Whether a node is printed by number, rather than in place. */
bool node_is_numbered(const dloc_context *context, dloc_node node);
/* How many digits a checksum of that kind has; 0: LLVM knows no such kind. */
size_t checksum_digits(dloc_text kind);
/* A token as an unsigned number up to limit. */
dloc_status token_number(const dloc_context *context, dloc_node token, uint64_t limit, uint64_t *ret);
/* Whether a flag stands in a list such as `DIFlagPrototyped | 8`, by its name or as a bit of a number. */
bool token_has_flag(const dloc_context *context, dloc_node token, const char *name, uint64_t bit);
/* A handle that was not given out stands for the null node. */
static inline const node *node_at(const dloc_context *context, dloc_node handle) {
  return &context->nodes[handle < context->node_count ? handle : 0];
}

static inline unsigned node_kind(const dloc_context *context, dloc_node handle) {
  return node_at(context, handle)->kind;
}

/* The payload of a node. */
static inline const uint32_t *node_words(const dloc_context *context, dloc_node handle) {
  return context->words + node_at(context, handle)->at;
}

/* dloc_operand_count, dloc_operand */
static inline size_t operand_count(const dloc_context *context, dloc_node handle) {
  return node_kind(context, handle) == DLOC_KIND_TUPLE ? node_words(context, handle)[0] : 0;
}
static inline dloc_node operand_at(const dloc_context *context, dloc_node handle, size_t index) {
  return index < operand_count(context, handle) ? node_words(context, handle)[1 + index] : DLOC_NULL;
}

/* The high bits of a location's second word. */
enum {
  LOCATION_COLUMN_MASK = 0xffff,
  LOCATION_IMPLICIT = 1 << 16,
  LOCATION_RANK_SHIFT = 17,
  LOCATION_RANK_MASK = 7,
  LOCATION_HAS_GROUP = 1 << 20,
  LOCATION_HAS_LAYERS = 1 << 21,
};

/* The content of a node of the kind location. */
static inline dloc_location location_read(const dloc_context *context, dloc_node handle) {
  const uint32_t *words = context->words + context->nodes[handle].at;
  dloc_location content = {
      .line = words[0], .column = words[1] & LOCATION_COLUMN_MASK, .scope = words[2], .inlined_at = words[3]};
  if (words[1] <= LOCATION_COLUMN_MASK) /* most have no more */
    return content;
  bool has_layers = words[1] & LOCATION_HAS_LAYERS;
  const uint32_t *group = &words[4 + has_layers];
  content.implicit = words[1] & LOCATION_IMPLICIT;
  content.atom_rank = (uint8_t)(words[1] >> LOCATION_RANK_SHIFT & LOCATION_RANK_MASK);
  content.atom_group = words[1] & LOCATION_HAS_GROUP ? group[0] | (uint64_t)group[1] << 32 : 0;
  content.layers = has_layers ? words[4] : DLOC_NULL;
  return content;
}
/* dloc_location_get */
static inline dloc_location location_content(const dloc_context *context, dloc_node handle) {
  return node_kind(context, handle) == DLOC_KIND_LOCATION ? location_read(context, handle) : (dloc_location){0};
}

static inline bool is_text_kind(unsigned kind) {
  return kind == DLOC_KIND_STRING || kind == DLOC_KIND_CONSTANT || kind == DLOC_KIND_TOKEN;
}
/* dloc_node_text */
/* Can it stand as one operand of a text, whatever it means? Strings and brackets are closed, no comma and no comment
 * stands outside of them, and each byte is a printable one of ASCII. */
bool text_is_operand(dloc_text text);

static inline dloc_text node_text(const dloc_context *context, dloc_node handle) {
  const uint32_t *words = node_words(context, handle);
  return is_text_kind(node_kind(context, handle)) ? (dloc_text){(const char *)(words + 1), words[0]}
                                                  : (dloc_text){"", 0};
}

/* The operands of any node, values of fields among them, are words of its payload at equal distances. */
typedef struct operand_run {
  uint32_t first, count, stride;
} operand_run;

static inline operand_run operands_of(unsigned kind, const uint32_t *words) {
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
    return (operand_run){2, words[1] & LOCATION_HAS_LAYERS ? 3 : 2, 1};
  default:
    return (operand_run){3, words[1], 2};
  }
}

/* DLOC_OK, and the result. */
static inline dloc_status give_node(dloc_node *ret, dloc_node node) {
  *ret = node;
  return DLOC_OK;
}

/* DLOC_INVALID, and why. ret_reason may be NULL. */
static inline dloc_status fail(dloc_reason *ret_reason, dloc_reason reason) {
  if (ret_reason)
    *ret_reason = reason;
  return DLOC_INVALID;
}

/* 1 + the index of a scope among the known ones; 0: it is not known yet. */
static inline uint32_t scope_number(const dloc_context *context, dloc_node scope) {
  uint32_t number = 0;
  note_get(&context->scope_numbers, context->scope_salt, scope, &number);
  return number;
}
/* The facts about a known scope by its index; valid until scope_find is called again. */
static inline known_scope *scope_at(const dloc_context *context, uint32_t index) {
  return &context->scopes.items[index];
}
/* The same by the scope; those above a known one are known. */
static inline known_scope *scope_known(const dloc_context *context, dloc_node scope) {
  return scope_at(context, scope_number(context, scope) - 1);
}
dloc_status scope_learn(dloc_context *context, dloc_node scope, uint32_t *ret_index);
/* The index of a scope among the known ones. DLOC_INVALID when its chain does not end in a subprogram. */
static inline dloc_status scope_find(dloc_context *context, dloc_node scope, uint32_t *ret_index) {
  uint32_t number = scope_number(context, scope);
  *ret_index = number - 1;
  return number ? DLOC_OK : scope_learn(context, scope, ret_index);
}
dloc_status location_learn(dloc_context *context, dloc_node location, uint32_t *ret_index);
/* scope_find for the scope of a location: noted with the location, so that nobody waits for its content. */
static inline dloc_status scope_of_location(dloc_context *context, dloc_node location, uint32_t *ret_index) {
  uint32_t number = 0;
  bool noted = note_get(&context->scopes_of, context->scope_salt, location, &number);
  *ret_index = number - 1;
  return noted ? DLOC_OK : location_learn(context, location, ret_index);
}
/* A uniqued location. Most merges give line 0 in a known scope with nothing else, which is kept with the scope. index:
 * that of the scope, or of another one. */
static inline dloc_status scope_location(dloc_context *context, uint32_t index, const dloc_location *content,
                                         dloc_node *ret) {
  known_scope *known = scope_at(context, index);
  /* Neighbours apart: a compiler reads those that stand together at once, and waits until both have been written. */
  if (content->scope != known->node || content->line || content->inlined_at || content->column || content->layers ||
      content->implicit || content->atom_group || content->atom_rank)
    return dloc_location_create(context, false, content, ret);
  if (!known->line_0)
    TRY(dloc_location_create(context, false, content, &known->line_0));
  return give_node(ret, known->line_0);
}
/* One location more of a chain, which becomes its inlinedAt. */
static inline dloc_status chain_push(dloc_context *context, dloc_node *location, scratch *ret,
                                     dloc_reason *ret_reason) {
  if (node_kind(context, *location) != DLOC_KIND_LOCATION)
    return fail(ret_reason, DLOC_REASON_LOCATION_INLINED_AT);
  if (ret->count > context->node_count)
    return fail(ret_reason, DLOC_REASON_LOCATION_INLINED_AT_CYCLE);
  dloc_node node = *location;
  *location = location_read(context, node).inlined_at;
  return scratch_push(context, ret, node);
}
/* The chain of a location: itself, its inlinedAt and so on, innermost first. DLOC_INVALID with the reason (may be NULL)
 * when it is cyclic or what stands there is no location. */
static inline dloc_status collect_chain(dloc_context *context, dloc_node location, scratch *ret,
                                        dloc_reason *ret_reason) {
  ret->count = 0;
  while (location)
    TRY(chain_push(context, &location, ret, ret_reason));
  return DLOC_OK;
}
/* The same up to the first call site that has a note, which is the last one then. */
dloc_status collect_chain_until(dloc_context *context, dloc_node location, const node_notes *known, scratch *ret,
                                dloc_reason *ret_reason) PRIVATE(collect_chain_until);
/* dloc_specialised, of the class that a token names. */
dloc_status specialised_node(dloc_context *context, dloc_node class_token, bool distinct, const dloc_field *fields,
                             size_t count, dloc_node_diagnosis *diagnosis, dloc_node *ret);
/* The key of a field that LLVM asks for in a text of that class, and that is not among these; DLOC_NULL: none. */
dloc_node missing_field(const dloc_context *context, dloc_node class_token, const dloc_field *fields, size_t count);
/* A specialised node like another but for some fields, at least one; one whose value is DLOC_NULL is left out. */
dloc_status change_fields(dloc_context *context, dloc_node old, bool distinct, const dloc_field *changes, size_t count,
                          dloc_node *ret);
/* A lexical block or block file of the same content with another parent: uniqued. */
dloc_status copy_block(dloc_context *context, dloc_node block, dloc_node parent, dloc_node *ret);
bool subprogram_is_definition(const dloc_context *context, dloc_node subprogram);
/* A subprogram, block or block file of the same content with another parent; any other class, of the same content. */
dloc_status copy_scope(dloc_context *context, dloc_node scope, dloc_node parent, bool distinct, dloc_node *ret);
/* builders.c: a field of a class whose value is a number. */
dloc_status field_of_number(dloc_context *context, enum field_row row, uint32_t number, dloc_field *ret);
/* That of a DILexicalBlockFile; 0 for other scopes. */
uint32_t block_file_discriminator(const dloc_context *context, dloc_node scope) PRIVATE(block_file_discriminator);
/* Tell the trace of an operation, if it has one, that a clause was applied and what it decided. */
#define EXPLAIN(operation, clause, ...)                                                                                \
  do {                                                                                                                 \
    if ((operation)->trace)                                                                                            \
      explain((operation)->trace, DLOC_CLAUSE_##clause, __VA_ARGS__);                                                  \
  } while (0)
void explain(const dloc_trace *trace, dloc_clause clause, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* Printing helpers. Each returns DLOC_STOPPED when the sink does. */
/* How a buffer is written to, without a call by pointer. user: the dloc_buffer; false: there is no memory. */
bool buffer_write(void *user, const char *bytes, size_t size);
/* The status when a sink takes no more: a buffer has no memory, any other one wants no more. */
dloc_status sink_refused(dloc_sink sink) PRIVATE(sink_refused);
dloc_status sink_bytes(dloc_sink sink, const char *bytes, size_t size) PRIVATE(sink_bytes);
dloc_status sink_string(dloc_sink sink, const char *c_string) PRIVATE(sink_string);
dloc_status sink_text(dloc_sink sink, dloc_text text) PRIVATE(sink_text);
dloc_status sink_number(dloc_sink sink, uint64_t number) PRIVATE(sink_number);
/* The value of a hexadecimal digit; 16: it is none. */
static inline unsigned hex_digit(char c) {
  const unsigned letter = ((unsigned char)c | 0x20U) - 'a';
  return c >= '0' && c <= '9' ? (unsigned)(c - '0') : letter < 6 ? 10 + letter : 16;
}
/* The reverse of dloc_print_string: text without its escapes, `\\` and `\xx`, into bytes, which has room for as
 * many. Returns how many there are. */
size_t text_unescape(dloc_text text, char *bytes);
