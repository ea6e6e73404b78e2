/* minimum.c - a minimal vector in a form that depends on its content alone. */
#include "fuzz.h"

#include "nodes/try.h"

#include <stdio.h>
#include <string.h>

/* ---- Names of nodes ---- */

typedef struct renaming {
  value_arena *arena;
  const value *nodes;
  value renamed;
  dloc_text *names; /* of each node, once it is met */
  size_t met;
} renaming;

static const char *prefix_of(const value *node) {
  static const char *const prefixes[][2] = {
      {"DIFile", "file"},      {"DICompileUnit", "unit"}, {"DISubprogram", "f"},       {"DILocation", "l"},
      {"DILexicalBlock", "s"}, {"composite", "c"},        {"DILexicalBlockFile", "s"}, {"tuple", "t"}};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (value_is(value_get(node, "node"), prefixes[i][0]))
      return prefixes[i][1];
  return "v";
}

/* Texts that are no references. */
static bool is_text(dloc_text key) {
  static const char *const keys[] = {"name", "filename", "directory", "kind", "string", "node", "call"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (dloc_text_equal(key, dloc_text_of(keys[i])))
      return strcmp(keys[i], "call") != 0;
  return false;
}

static void rename_in(renaming *r, value *v);

static void rename_reference(renaming *r, value *v) {
  const value_entry *entry = r->nodes ? value_find_entry(r->nodes, value_text(v)) : NULL;
  if (!entry || value_is_null(v))
    return;
  size_t index = (size_t)(entry - r->nodes->of.entries);
  if (!r->names[index].size) {
    char name[32];
    snprintf(name, sizeof name, "%s%zu", prefix_of(&entry->value), ++r->met);
    r->names[index] = value_arena_copy(r->arena, dloc_text_of(name));
    value node = entry->value;
    rename_in(r, &node);
    value_put(r->arena, &r->renamed, r->names[index], node);
  }
  *v = value_of_text(r->arena, r->names[index]);
}

/* Recursion: a node is entered once; below that by VALUE_DEPTH. Scenes have some tens of nodes. */
static void rename_in(renaming *r, value *v) {
  if (v->kind == VALUE_SCALAR)
    rename_reference(r, v);
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    rename_in(r, &v->of.items[i]);
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++)
    if (!is_text(v->of.entries[i].key))
      rename_in(r, &v->of.entries[i].value);
}

static value *entry_of(value *document, const char *key) {
  for (uint32_t i = 0; i < document->count; i++)
    if (dloc_text_equal(document->of.entries[i].key, dloc_text_of(key)))
      return &document->of.entries[i].value;
  return NULL;
}

static void rename_nodes(value_arena *arena, value *document) {
  value *nodes = entry_of(document, "nodes"), *args = entry_of(document, "args"),
        *module = entry_of(document, "module");
  if (!nodes)
    return;
  renaming r = {.arena = arena, .nodes = nodes, .renamed = {.kind = VALUE_MAP}};
  r.names = value_arena_alloc(arena, nodes->count, sizeof *r.names);
  if (args)
    rename_in(&r, args);
  if (module)
    rename_in(&r, module);
  *nodes = r.renamed;
}

static void set_text(value_arena *arena, value *document, const char *key, const char *text) {
  value *there = entry_of(document, key);
  if (there)
    *there = value_of_text(arena, dloc_text_of(text));
  else
    value_put_text(arena, document, key, dloc_text_of(text));
}

/* ---- The vector ---- */

dloc_status fuzz_finish(completer *c, dloc_text minimum, const dloc_profile *profile, fuzz_minimum *ret) {
  value *document = NULL;
  value_diagnostic diagnostic;
  TRY(value_read_one(minimum, &c->arena, &diagnostic, &document));
  rename_nodes(&c->arena, document);
  set_text(&c->arena, document, "id", "fuzz");
  set_text(&c->arena, document, "since", profile->name);
  TRY(vector_read(document, &c->arena, &diagnostic, &ret->vector));
  TRY(complete_document(c, &ret->vector, profile, document));
  vector_canonical(document, &c->arena, &ret->canonical);
  vector_digest(&ret->canonical, &c->arena, ret->digest);
  snprintf(ret->name, sizeof ret->name, "%s.fuzz.%.8s", vector_op_name(ret->vector.op), ret->digest);
  set_text(&c->arena, document, "id", ret->name);
  vector_canonical(document, &c->arena, &ret->canonical);
  return vector_read(&ret->canonical, &c->arena, &diagnostic, &ret->vector);
}
