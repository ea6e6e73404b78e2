/* Violations in words, with the place of the culprit and of what uses it: diagnoses.def says what is told of each
 * reason. */
#include "extent.h"
#include "dloc_formats.h"
#include "scan.h"
#include "source.h"

#include <string.h>

/* ---- State ---- */

enum { TEXTS = 12, NESTED = 3, LOOKED_AT = 64, PRINTED = 4096 };

/* The part of a named metadata list that was looked at last, and how many operands stand before it. */
typedef struct list_part {
  uint32_t list;
  size_t place, before;
} list_part;

struct dloc_diagnoser {
  const dloc_module *module;
  dloc_context *context;
  const dloc_profile *profile;
  dloc_diagnosis diagnosis;
  dloc_buffer texts[TEXTS]; /* messages, and nodes that were printed */
  size_t text_count;
  unsigned nested; /* nodes that are being printed inside of another one */
  bool failed;
  extent_index index;   /* of lists of the text */
  extent_mark attached; /* of the last attachment of a function */
  uint32_t used_by;     /* the instruction whose !dbg was asked for last, and that */
  extent use;
  list_part part; /* that with the last operand */
  map kinds;      /* file -> 1 + the only kind that entries give it; 0: there are several */
  bool kinds_known;
};

/* Where a path has come: a node, and the text that stands for it. */
typedef struct cursor {
  dloc_node node;
  extent text;
  dloc_text in; /* what text lies in */
  bool absent;  /* the text goes no farther: it is that of an outer node */
  bool is_list; /* at named metadata */
  dloc_text word;
} cursor;

typedef struct diagnosis_row {
  const char *path, *message, *other;
} diagnosis_row;

static const diagnosis_row rows[DLOC_REASON_COUNT] = {
#define DIAGNOSIS(reason, path, message, other) [DLOC_REASON_##reason] = {path, message, other},
#include "diagnoses.def"
#undef DIAGNOSIS
};

static dloc_buffer *new_text(dloc_diagnoser *d) {
  dloc_buffer *text = &d->texts[d->text_count < TEXTS - 1 ? d->text_count++ : TEXTS - 1];
  text->size = 0;
  return text;
}

static void add(dloc_diagnoser *d, dloc_buffer *to, dloc_text text) {
  d->failed |= sink_text(dloc_buffer_sink(to), text) != DLOC_OK;
}

static void add_string(dloc_diagnoser *d, dloc_buffer *to, const char *text) { add(d, to, dloc_text_of(text)); }

static void add_number(dloc_diagnoser *d, dloc_buffer *to, uint64_t number) {
  d->failed |= sink_number(dloc_buffer_sink(to), number) != DLOC_OK;
}

static dloc_text text_of(const dloc_buffer *text) { return (dloc_text){text->size ? text->bytes : "", text->size}; }

/* ---- Nodes that the text does not have ---- */

/* A number, or the node itself: of one that is no location, layer or tuple, and of what nests deep, the class alone. */
static dloc_status print_reference(void *user, dloc_sink sink, dloc_node node) {
  dloc_diagnoser *d = user;
  uint64_t number;
  dloc_kind kind = dloc_node_kind(d->context, node);
  bool whole =
      kind == DLOC_KIND_TUPLE || kind == DLOC_KIND_LOCATION || kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST;
  if (dloc_module_number_of(d->module, node, &number)) {
    TRY(sink_string(sink, "!"));
    return sink_number(sink, number);
  }
  if (d->nested == NESTED || !whole) {
    TRY(sink_string(sink, "!"));
    TRY(sink_text(sink, dloc_node_class(d->context, node)));
    return sink_string(sink, kind == DLOC_KIND_TUPLE ? "{...}" : "(...)");
  }
  d->nested++;
  dloc_status status = dloc_print_node(d->context, node, print_reference, d, sink);
  d->nested--;
  return status;
}

/* A node may be wide, and told of for each of its operands. */
typedef struct short_text {
  dloc_buffer *text;
  bool full;
} short_text;

static bool write_short(void *user, const char *bytes, size_t size) {
  short_text *s = user;
  size_t room = PRINTED - s->text->size;
  s->full = size > room;
  return buffer_write(s->text, bytes, s->full ? room : size) && !s->full;
}

/* The beginning of it alone, if it is very long. `!N = ` stands before a node that has a number. */
static void print_node(dloc_diagnoser *d, cursor *c) {
  uint64_t number;
  dloc_buffer *text = new_text(d);
  short_text s = {text, false};
  size_t before = 0;
  if (dloc_module_number_of(d->module, c->node, &number)) {
    d->failed |= print_reference(d, dloc_buffer_sink(text), c->node) != DLOC_OK;
    add_string(d, text, " = ");
    before = text->size;
  }
  dloc_sink sink = {write_short, &s};
  d->failed |= dloc_print_node(d->context, c->node, print_reference, d, sink) != DLOC_OK && !s.full;
  c->in = text_of(text);
  c->text = (extent){c->in.bytes + before, c->in.bytes + c->in.size};
}

/* ---- Where a path begins ---- */

static bool has_text(const dloc_diagnoser *d) { return d->module->text.size > 0; }

static const char *text_end(const dloc_diagnoser *d) { return d->module->text.bytes + d->module->text.size; }

static void at_number(dloc_diagnoser *d, cursor *c, uint64_t number) {
  uint32_t index;
  if (!has_text(d) || !numbering_find(d->module, number, &index)) {
    print_node(d, c);
    return;
  }
  c->in = d->module->text;
  c->text = extent_of_definition(c->in.bytes + numbering_at(d->module, index)->place, text_end(d));
}

static extent operand_of_record(const dloc_instruction *record, extent text, size_t index) {
  extent found = extent_operand(text, index, NULL, NULL);
  if (found.at && record->flags & DLOC_INSTRUCTION_DBG_CALL) /* behind `metadata` */
    found.at = scan_space(scan_word(found.at, found.end), found.end);
  return found;
}

static const dloc_instruction *instruction_of(const dloc_diagnoser *d, const dloc_violation *v) {
  bool known = v->met_instruction < d->module->instructions.count;
  return known ? &d->module->instructions.items[v->met_instruction] : NULL;
}

/* The location of a record is its last operand. */
static extent use_of(dloc_diagnoser *d, const dloc_instruction *instruction, uint32_t index) {
  extent text = extent_of_instruction(d->module, index), found = {NULL, NULL};
  if (d->used_by == index)
    return d->use;
  if (instruction->flags & DLOC_INSTRUCTION_RECORD)
    for (size_t last = 7; last-- > 1 && !found.at;)
      found = operand_of_record(instruction, text, last);
  else
    found = extent_attachment(text, dloc_text_of("dbg"), 0, NULL);
  d->used_by = index;
  return d->use = found;
}

static void at_node(dloc_diagnoser *d, const dloc_violation *v, cursor *c);

/* The `!dbg` of an instruction or function. */
static void at_use(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  const dloc_instruction *instruction = instruction_of(d, v);
  c->in = d->module->text;
  if (instruction) {
    c->node = instruction->debug_loc;
    c->text = use_of(d, instruction, v->met_instruction);
  } else {
    c->node = v->node;
    size_t index = v->operand == DLOC_NO_INDEX ? 0 : v->operand;
    extent text = extent_of_function(d->module, v->met_function);
    c->text = extent_attachment(text, dloc_text_of("dbg"), index, &d->attached);
  }
}

static void at_node(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  const dloc_instruction *instruction = instruction_of(d, v);
  uint64_t number;
  if (dloc_module_number_of(d->module, c->node, &number))
    at_number(d, c, number);
  else if (instruction && instruction->debug_loc == c->node && has_text(d))
    at_use(d, v, c);
  else if (c->node)
    print_node(d, c);
}

static void at_entity(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  const dloc_instruction *record = instruction_of(d, v);
  if (!record)
    return;
  c->node = record->entity;
  c->in = d->module->text;
  c->text = operand_of_record(record, extent_of_instruction(d->module, v->met_instruction),
                              record->flags & DLOC_INSTRUCTION_LABEL_RECORD ? 0 : 1);
}

static void at_callee(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  extent text = extent_of_instruction(d->module, v->met_instruction);
  const char *sigil = text.at ? memchr(text.at, '@', (size_t)(text.end - text.at)) : NULL;
  const char *end = sigil ? scan_name(sigil + 1, text.end) : NULL;
  c->in = d->module->text;
  if (end)
    c->text = (extent){sigil, end};
}

/* The next definition of named metadata, from part->place on. */
static extent next_part(const dloc_diagnoser *d, list_part *part) {
  for (; part->place < d->module->named_places.count; part->place++) {
    const named_place *place = &d->module->named_places.items[part->place];
    if (place->list == part->list)
      return (extent){d->module->text.bytes + place->place, text_end(d)};
  }
  return (extent){NULL, NULL};
}

/* The operand of named metadata that may be defined in parts. */
static extent operand_of_list(dloc_diagnoser *d, uint32_t list, size_t number) {
  extent text, found = {NULL, NULL};
  if (d->part.list != list || d->part.before > number)
    d->part = (list_part){list, 0, 0};
  for (size_t count; (text = next_part(d, &d->part)).at; d->part.place++, d->part.before += count)
    if ((found = extent_operand(text, number - d->part.before, &d->index, &count)).at)
      break;
  return found;
}

static void at_list(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  c->is_list = true;
  c->in = d->module->text;
  c->text = next_part(d, &(list_part){v->met_named, 0, 0});
  if (c->text.at)
    c->text.end = scan_metadata_name(c->text.at + 1, c->text.end);
}

/* The text in the brackets of a node; its extent may end before them. */
static extent inside(const cursor *c) {
  extent text = c->text;
  bool is_node = text.end - text.at > 1 && (*text.at == 'd' || (*text.at == '!' && text.at[1] != '"'));
  return is_node ? (extent){text.at, c->in.bytes + c->in.size} : (extent){NULL, NULL};
}

/* Printed nodes are short, and others stand in the same buffer later. */
static extent_index *index_of(dloc_diagnoser *d, const cursor *c) {
  return c->in.bytes == d->module->text.bytes ? &d->index : NULL;
}

/* The value of the flag of the version, the third operand of its entry. */
static void at_flag(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  dloc_named_metadata list;
  size_t i = 0;
  bool found = dloc_module_find_named(d->module, dloc_text_of(DLOC_FLAG_LIST), &list);
  for (; found && i < list.operand_count; i++) {
    c->node = dloc_module_named_operand(d->module, &list, i);
    dloc_text name = dloc_node_text(d->context, dloc_operand(d->context, c->node, 1));
    if (dloc_text_equal(name, dloc_text_of(DLOC_VERSION_FLAG)))
      break;
    c->node = DLOC_NULL;
  }
  at_node(d, v, c);
  c->text = extent_operand(inside(c), 2, NULL, NULL);
  c->node = dloc_operand(d->context, c->node, 2);
}

/* ---- Where it leads ---- */

/* From `!N` to its definition. */
static void follow(dloc_diagnoser *d, cursor *c) {
  uint64_t number;
  if (!c->absent && extent_number(c->text, &number))
    at_number(d, c, number);
}

static bool is(dloc_text word, const char *name) { return dloc_text_equal(word, dloc_text_of(name)); }

static void move(cursor *c, extent text, dloc_node node) {
  c->node = node;
  c->absent |= !text.at;
  if (!c->absent)
    c->text = text;
}

/* An operand of a tuple, or the value of a field by its position. */
static dloc_node part_of(const dloc_diagnoser *d, dloc_node node, size_t index) {
  return index < dloc_field_count(d->context, node) ? dloc_field_at(d->context, node, index).value
                                                    : dloc_operand(d->context, node, index);
}

static void to_operand(dloc_diagnoser *d, const dloc_violation *v, cursor *c, size_t index) {
  if (c->is_list) {
    dloc_named_metadata named = dloc_module_named(d->module, v->met_named);
    c->is_list = false;
    move(c, operand_of_list(d, v->met_named, index), dloc_module_named_operand(d->module, &named, v->operand));
    return;
  }
  follow(d, c);
  move(c, extent_operand(inside(c), index, index_of(d, c), NULL), part_of(d, c->node, index));
}

static dloc_node value_of(dloc_diagnoser *d, dloc_node node, dloc_text field) {
  dloc_location location = dloc_location_get(d->context, node);
  dloc_node key = DLOC_NULL;
  if (dloc_node_kind(d->context, node) == DLOC_KIND_LOCATION)
    return is(field, "scope") ? location.scope : is(field, "inlinedAt") ? location.inlined_at : location.layers;
  d->failed |= dloc_token(d->context, field, &key) != DLOC_OK;
  return node_field(d->context, node, key);
}

static void to_field(dloc_diagnoser *d, cursor *c, dloc_text name) {
  follow(d, c);
  move(c, extent_field(inside(c), name), value_of(d, c->node, name));
}

/* A layer of a tuple, or of the list that a location has. */
static void to_entry(dloc_diagnoser *d, const dloc_violation *v, cursor *c, uint32_t index) {
  if (index == DLOC_NO_INDEX) /* of the sources' */
    return;
  bool is_tuple = dloc_node_kind(d->context, c->node) == DLOC_KIND_TUPLE;
  if (dloc_node_kind(d->context, c->node) == DLOC_KIND_LOCATION)
    to_field(d, c, dloc_text_of("irlayers"));
  to_operand(d, v, c, (size_t)index + is_tuple);
}

static void to_part(dloc_diagnoser *d, const dloc_violation *v, cursor *c, bool kind) {
  dloc_kind class = dloc_node_kind(d->context, c->node);
  if (class == DLOC_KIND_TUPLE)
    to_operand(d, v, c, kind ? 0 : 1);
  else if (class == DLOC_KIND_LAYER && kind)
    to_field(d, c, dloc_text_of("kind"));
}

/* The first operand, or value of a field, that is a DILocation. */
static void to_inner(dloc_diagnoser *d, const dloc_violation *v, cursor *c) {
  size_t count = dloc_operand_count(d->context, c->node) + dloc_field_count(d->context, c->node), i = 0;
  while (i < count && dloc_node_kind(d->context, part_of(d, c->node, i)) != DLOC_KIND_LOCATION)
    i++;
  if (dloc_node_kind(d->context, c->node) == DLOC_KIND_LOCATION)
    to_field(d, c, dloc_text_of("inlinedAt"));
  else if (i < count)
    to_operand(d, v, c, i);
}

typedef void path_start(dloc_diagnoser *d, const dloc_violation *v, cursor *c);
static const struct {
  const char *word;
  path_start *start;
} starts[] = {{"use", at_use}, {"entity", at_entity}, {"callee", at_callee}, {"list", at_list}, {"flag", at_flag}};

static path_start *start_of(dloc_text word) {
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (is(word, starts[i].word))
      return starts[i].start;
  return NULL;
}

static void take_step(dloc_diagnoser *d, const dloc_violation *v, cursor *c, dloc_text word, uint32_t operand) {
  if (is(word, "entry")) {
    to_entry(d, v, c, operand);
  } else if (is(word, "kind") || is(word, "place")) {
    to_part(d, v, c, word.bytes[0] == 'k');
  } else if (is(word, "inner")) {
    to_inner(d, v, c);
  } else if (is(word, "#")) {
    to_operand(d, v, c, operand);
  } else if (word.bytes[0] == '.') {
    c->word = (dloc_text){word.bytes + 1, word.size - 1};
    to_field(d, c, c->word);
  } else if (!start_of(word)) {
    to_operand(d, v, c, (size_t)(word.bytes[0] - '0'));
  }
}

static dloc_text next_word(const char **path) {
  dloc_text word = {*path, strcspn(*path, " ")};
  *path += word.size + ((*path)[word.size] == ' ');
  return word;
}

/* The end of a path that begins at a node, or where its first word says. */
static cursor walk(dloc_diagnoser *d, const dloc_violation *v, const char *path, dloc_node node, uint32_t operand) {
  cursor c = {.node = node};
  const char *first = path;
  path_start *start = node == v->node && operand == v->operand ? start_of(next_word(&first)) : NULL;
  (start ? start : at_node)(d, v, &c);
  if (!c.text.at && c.node) /* the text lacks it */
    at_node(d, v, &c);
  while (*path)
    take_step(d, v, &c, next_word(&path), operand);
  return c;
}

/* ---- Words ---- */

/* Long names and texts are cut at a character. */
static void add_clipped(dloc_diagnoser *d, dloc_buffer *to, dloc_text text) {
  enum { LONGEST = 60 };
  size_t size = text.size < LONGEST ? text.size : LONGEST;
  while (size < text.size && size && (text.bytes[size] & 0xc0) == 0x80)
    size--;
  add(d, to, (dloc_text){text.bytes, size});
  if (size < text.size)
    add_string(d, to, "...");
}

static void add_reference(dloc_diagnoser *d, dloc_buffer *to, const cursor *c) {
  uint64_t number;
  if (c->absent || !extent_number(c->text, &number))
    if (!dloc_module_number_of(d->module, c->node, &number))
      return;
  add_string(d, to, " (!");
  add_number(d, to, number);
  add_string(d, to, ")");
}

/* A node's description, for the middle of a sentence. */
static void describe(dloc_diagnoser *d, dloc_buffer *to, const cursor *c) {
  dloc_text text = dloc_node_text(d->context, c->node);
  switch (dloc_node_kind(d->context, c->node)) {
  case DLOC_KIND_NULL:
    add_string(d, to, c->absent || !c->text.at ? "missing" : "null");
    return;
  case DLOC_KIND_STRING:
    add_string(d, to, "the string \"");
    add_clipped(d, to, text);
    add_string(d, to, "\"");
    return;
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    add_clipped(d, to, text);
    return;
  case DLOC_KIND_TUPLE:
    add_string(d, to, "a tuple");
    break;
  default:
    add_string(d, to, "a ");
    add(d, to, dloc_node_class(d->context, c->node));
  }
  add_reference(d, to, c);
}

static void describe_other(dloc_diagnoser *d, dloc_buffer *to, dloc_node node) {
  dloc_text name = dloc_node_text(d->context, dloc_field_value(d->context, node, "name"));
  add_string(d, to, node ? "subprogram" : "no subprogram");
  if (name.size) {
    add_string(d, to, " \"");
    add_clipped(d, to, name);
    add_string(d, to, "\"");
  }
  add_reference(d, to, &(cursor){.node = node});
}

static void add_count(dloc_diagnoser *d, dloc_buffer *to, size_t count, const char *one) {
  if (count)
    add_number(d, to, count);
  add_string(d, to, count ? " " : "no ");
  add_string(d, to, one);
  add_string(d, to, count == 1 ? "" : "s");
}

static void add_function(dloc_diagnoser *d, dloc_buffer *to, uint32_t index) {
  const dloc_function *function = dloc_module_function(d->module, index);
  add_string(d, to, function ? "@" : "the function");
  if (function)
    add_clipped(d, to, dloc_node_text(d->context, function->name));
}

/* The function that is called, or the other one. */
static uint32_t other_function(const dloc_diagnoser *d, const dloc_violation *v) {
  const dloc_instruction *instruction = instruction_of(d, v);
  bool calls = instruction && !(instruction->flags & DLOC_INSTRUCTION_DEBUG);
  return calls ? instruction->callee : v->other_operand;
}

static void add_profile(dloc_diagnoser *d, dloc_buffer *to) {
  const dloc_profile *named = dloc_profile_find(dloc_text_of(d->profile->name));
  bool same = named && memcmp(named->alternative, d->profile->alternative, sizeof named->alternative) == 0;
  add_string(d, to, "profile ");
  add_string(d, to, d->profile->name);
  add_string(d, to, same ? "" : ", with other choices,");
}

/* The replacement of `%letter` in a message. */
static void add_part(dloc_diagnoser *d, dloc_buffer *to, const dloc_violation *v, const cursor *c, char letter) {
  bool is_string = dloc_node_kind(d->context, c->node) == DLOC_KIND_STRING;
  switch (letter) {
  case 'c':
    describe(d, to, c);
    break;
  case 'k':
    add_count(d, to, dloc_operand_count(d->context, c->node), "operand");
    break;
  case 's':
    add_clipped(d, to,
                is_string ? dloc_node_text(d->context, c->node)
                          : (dloc_text){c->text.at, (size_t)(c->text.end - c->text.at)});
    break;
  case 'i':
  case 'j':
    add_number(d, to, (uint64_t)(letter == 'i' ? v->operand : v->other_operand) + 1);
    break;
  case 'd':
    add(d, to, dloc_node_class(d->context, v->node));
    if (dloc_node_kind(d->context, v->node) == DLOC_KIND_TUPLE)
      add_string(d, to, "tuple");
    break;
  case 'f':
  case 'g':
    add_function(d, to, letter == 'f' ? v->met_function : other_function(d, v));
    break;
  case 'n':
    add_count(d, to, v->other_operand, "line");
    break;
  case 'o':
    describe_other(d, to, v->other);
    break;
  case 'p':
    add_profile(d, to);
    break;
  default:
    add(d, to, c->word);
  }
}

static dloc_text words(dloc_diagnoser *d, const dloc_violation *v, const cursor *c, const char *format) {
  dloc_buffer *text = new_text(d);
  while (*format) {
    size_t plain = strcspn(format, "%");
    add(d, text, (dloc_text){format, plain});
    format += plain;
    if (*format)
      add_part(d, text, v, c, format[1]);
    format += *format ? 2 : 0;
  }
  return text_of(text);
}

/* ---- Help ---- */

static dloc_status learn_kind(dloc_diagnoser *d, const dloc_source *source) {
  dloc_node kind = dloc_operand(d->context, source->entry, 0);
  uint32_t known;
  TRY(map_add(d->context, &d->kinds, source->file, 0, kind, &known));
  return known == kind ? DLOC_OK : map_add(d->context, &d->kinds, source->file, 1, 0, NULL);
}

static dloc_status learn_kinds(dloc_diagnoser *d) {
  dloc_source source;
  d->kinds_known = true;
  for (size_t i = 0; source_next(d->module, &i, &source);)
    TRY(learn_kind(d, &source));
  return DLOC_OK;
}

/* The only kind that entries give the file of a location. */
static dloc_node kind_of_place(dloc_diagnoser *d, dloc_node location) {
  dloc_node file = dloc_place_of_layer(d->context, location).file, kind;
  uint32_t several;
  if (!d->kinds_known)
    d->failed |= learn_kinds(d) != DLOC_OK;
  bool known = file && map_get(&d->kinds, file, 0, &kind) && !map_get(&d->kinds, file, 1, &several);
  return known ? kind : DLOC_NULL;
}

/* `write !{!"KIND", !N}`, when the two are that; what it is instead of stands before. */
static dloc_text help_with_pair(dloc_diagnoser *d, const char *instead, dloc_node kind, dloc_node location) {
  if (dloc_node_kind(d->context, kind) != DLOC_KIND_STRING ||
      dloc_node_kind(d->context, location) != DLOC_KIND_LOCATION)
    return (dloc_text){NULL, 0};
  dloc_buffer *text = new_text(d);
  short_text s = {text, false};
  dloc_sink sink = {write_short, &s};
  add_string(d, text, instead);
  add_string(d, text, "write !{!");
  dloc_status status = dloc_print_string(dloc_node_text(d->context, kind), sink);
  if (status == DLOC_OK)
    status = sink_string(sink, ", ");
  if (status == DLOC_OK)
    status = print_reference(d, sink, location);
  add_string(d, text, "}");
  d->failed |= status != DLOC_OK && !s.full;
  return s.full ? (dloc_text){NULL, 0} : text_of(text);
}

/* A location where a pair should stand: its kind stands beside it, or follows from its file. */
static dloc_text help_with_layer(dloc_diagnoser *d, const dloc_violation *v) {
  static const char both[] = "of the kind and the location make a pair: ";
  dloc_node entry = dloc_operand(d->context, v->node, 1 + (size_t)v->operand);
  dloc_node before = dloc_operand(d->context, v->node, v->operand);
  dloc_node behind = dloc_operand(d->context, v->node, 2 + (size_t)v->operand);
  if (dloc_node_kind(d->context, entry) == DLOC_KIND_STRING)
    return help_with_pair(d, both, entry, behind);
  bool follows = v->operand && dloc_node_kind(d->context, before) == DLOC_KIND_STRING;
  return follows ? help_with_pair(d, both, before, entry) : help_with_pair(d, "", kind_of_place(d, entry), entry);
}

static dloc_text help_for(dloc_diagnoser *d, const dloc_violation *v) {
  static const cursor none;
  dloc_node entry = dloc_operand(d->context, v->node, 1 + (size_t)v->operand);
  switch (v->reason) {
  case DLOC_REASON_SHAPE_LAYER_NOT_TUPLE:
    return help_with_layer(d, v);
  case DLOC_REASON_SHAPE_KIND_NOT_STRING: /* the two are exchanged */
    return help_with_pair(d, "", dloc_operand(d->context, entry, 1), dloc_operand(d->context, entry, 0));
  case DLOC_REASON_FUNCTION_NOT_DISTINCT:
    return dloc_text_of("write distinct !DISubprogram(");
  case DLOC_REASON_UNIT_NOT_LISTED: {
    dloc_buffer *text = new_text(d);
    add_string(d, text, "add it to !llvm.dbg.cu");
    add_reference(d, text, &(cursor){.node = v->node});
    return text_of(text);
  }
  case DLOC_REASON_MODULE_VERSION:
    return words(d, v, &none, "write !{i32 2, !\"Debug Info Version\", i32 3} in !llvm.module.flags");
  default:
    return (dloc_text){NULL, 0};
  }
}

/* ---- Remarks ---- */

static dloc_remark point(const dloc_diagnoser *d, const cursor *c, dloc_text message) {
  dloc_remark remark = {.message = message};
  if (!c->text.at)
    return remark;
  remark.text = c->in;
  remark.offset = (size_t)(c->text.at - c->in.bytes);
  remark.size = (size_t)(c->text.end - c->text.at);
  remark.placed = c->in.bytes == d->module->text.bytes;
  if (remark.placed)
    remark.place = module_place(d->module, remark.offset);
  return remark;
}

static void add_note(dloc_diagnoser *d, const dloc_violation *v, const cursor *c, const char *format) {
  if (d->diagnosis.note_count < DLOC_NOTES)
    d->diagnosis.notes[d->diagnosis.note_count++] = point(d, c, words(d, v, c, format));
}

/* The attachment, variable or `!dbg` of an instruction that is the node, or leads to it. Only the first of many
 * attachments are looked at; each may be at fault and has a message of its own. */
static bool find_user(dloc_diagnoser *d, const dloc_violation *v, const dloc_instruction *instruction, cursor *c) {
  extent text = extent_of_instruction(d->module, v->met_instruction);
  at_use(d, v, c);
  if (c->node == v->node || !has_text(d))
    return c->node == v->node;
  size_t count = dloc_module_attachment_count(d->module, v->met_instruction);
  for (size_t i = 0; i < count && i < LOOKED_AT; i++) {
    dloc_attachment attachment = dloc_module_attachment(d->module, v->met_instruction, i);
    if (attachment.node == v->node) {
      c->text = extent_attachment(text, dloc_node_text(d->context, attachment.kind), 0, NULL);
      return true;
    }
  }
  if (!(instruction->flags & DLOC_INSTRUCTION_DEBUG) || instruction->entity != v->node)
    return false;
  at_entity(d, v, c);
  return true;
}

/* Where the node is used, unless that has been shown. */
static void note_use(dloc_diagnoser *d, const dloc_violation *v, const cursor *shown) {
  const dloc_instruction *instruction = instruction_of(d, v);
  cursor c = {.node = DLOC_NULL};
  bool direct = true;
  if (instruction)
    direct = find_user(d, v, instruction, &c);
  else if (v->met_function != DLOC_NO_INDEX)
    at_use(d, v, &c);
  else if (v->met_named != DLOC_NO_INDEX)
    at_list(d, v, &c);
  else
    return;
  if (c.text.at && c.text.at <= shown->text.at && shown->text.end <= c.text.end)
    return;
  if (instruction && c.text.at && v->met_function == DLOC_NO_INDEX)
    add_note(d, v, &c, "used here:");
  else if (instruction && c.text.at)
    add_note(d, v, &c, direct ? "used here, in %f:" : "used from here, in %f:");
  else if (instruction || v->met_function != DLOC_NO_INDEX)
    add_note(d, v, &c, c.text.at ? "used here, by %f:" : "used in %f");
  else if (c.text.at)
    add_note(d, v, &c, "used here:");
}

static void note_node(dloc_diagnoser *d, const dloc_violation *v) {
  uint64_t number;
  cursor c = {.node = v->node};
  if (!has_text(d) || !dloc_module_number_of(d->module, v->node, &number))
    return;
  at_number(d, &c, number);
  add_note(d, v, &c, "it is here:");
}

static void note_other(dloc_diagnoser *d, const dloc_violation *v, const diagnosis_row *row) {
  cursor c = {.node = v->other};
  if (v->other) {
    c = walk(d, v, row->path, v->other, v->other_operand);
  } else if (start_of(dloc_text_of(row->path)) == at_use) {
    c.in = d->module->text;
    c.text = extent_attachment(extent_of_function(d->module, v->other_operand), dloc_text_of("dbg"), 0, NULL);
  }
  if (c.text.at)
    add_note(d, v, &c, row->other);
}

/* ---- The whole ---- */

static void diagnose(dloc_diagnoser *d, const dloc_violation *v) {
  diagnosis_row row = rows[v->reason];
  if (!row.message || v->clause == DLOC_CLAUSE_COUNT)
    row = (diagnosis_row){v->met_instruction != DLOC_NO_INDEX ? "use" : "", NULL, NULL};
  const char *path = row.path;
  path_start *start = start_of(next_word(&path));
  cursor c = walk(d, v, row.path, v->node, v->operand);
  dloc_text message = row.message ? words(d, v, &c, row.message) : dloc_text_of(dloc_reason_text(v->reason));
  dloc_remark *fault = &d->diagnosis.fault;
  *fault = point(d, &c, message);
  if (!c.text.at && dloc_violation_place(d->module, v, &fault->place)) {
    fault->placed = true;
    fault->text = d->module->text;
    fault->offset = fault->place.offset;
  }
  d->diagnosis.help = help_for(d, v);
  if (!start)
    note_use(d, v, &c);
  else if (start == at_use)
    note_node(d, v);
  if (row.other)
    note_other(d, v, &row);
}

dloc_status dloc_diagnose(dloc_diagnoser *d, const dloc_violation *violation, const dloc_diagnosis **ret) {
  d->diagnosis = (dloc_diagnosis){.note_count = 0};
  d->text_count = 0;
  d->failed = false;
  diagnose(d, violation);
  if (d->failed)
    return DLOC_NO_MEMORY;
  *ret = &d->diagnosis;
  return DLOC_OK;
}

dloc_status dloc_diagnoser_create(const dloc_module *module, const dloc_profile *profile, dloc_diagnoser **ret) {
  dloc_context *context = dloc_module_context(module);
  CREATE(context, dloc_diagnoser, d, .module = module, .context = context, .profile = profile,
         .used_by = DLOC_NO_INDEX);
  d->index.context = context;
  d->part.list = DLOC_NO_INDEX;
  *ret = d;
  return DLOC_OK;
}

void dloc_diagnoser_destroy(dloc_diagnoser *d) {
  if (!d)
    return;
  for (size_t i = 0; i < TEXTS; i++)
    dloc_buffer_deinit(&d->texts[i]);
  CONTEXT_FREE(d->context, d->kinds.entries, d->index.begins.entries, d);
}
