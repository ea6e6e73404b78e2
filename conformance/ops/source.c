/* source.c - `source`: the list of embedded texts, and which entry holds the text of a file. SPEC.md 6.1 */
#include "declare.h"

#define ENTRY                                                                                                          \
  MAP("an entry", FIELD_AS("kind", TEXT, "kind: %\n"), FIELD("file", NODE), FIELD_AS("text", TEXT, "text: %\n"),       \
      FIELD_AS("md5", TEXT, "md5: %\n"))

static dloc_status check(const reading *r, const term *args) {
  if (term_get(args, "list") && !term_flag(args, "list"))
    return WRONG(r, args->from, "vector.field", "args of source are {list: true} or {find: FILE, kind: KIND}");
  return DLOC_OK;
}

static void list(query *q, const dloc_source *sources, size_t count, term *value) {
  term *entries = term_set_list(q->arena, value, "entries", count);
  for (size_t i = 0; i < count; i++) {
    char md5[33];
    term_set_text(q->arena, &entries[i], "kind", sources[i].kind);
    *term_set_node(q->arena, &entries[i], "file") = sources[i].file;
    term_set_text(q->arena, &entries[i], "text", sources[i].text);
    term_set_text(q->arena, &entries[i], "md5", dloc_source_hash(q->context, q->profile, &sources[i], md5));
  }
}

static void find(query *q, const dloc_source *sources, size_t count, term *value) {
  dloc_source found = {.entry = DLOC_NULL};
  dloc_node file = term_node(q->args, "find");
  bool listed = dloc_source_find(q->module, q->profile, file, term_text(q->args, "kind"), &found);
  term_set_null(value, "entry");
  for (size_t i = count; i > 0; i--) /* `source.file`: what is no entry has the text of its own file */
    if (listed ? sources[i - 1].entry == found.entry
               : dloc_node_kind(q->context, sources[i - 1].entry) == DLOC_KIND_LAYER && sources[i - 1].file == file)
      term_set_number(value, "entry", i - 1);
}

static dloc_status ask(query *q, term *value) {
  size_t listed = dloc_source_count(q->module), more;
  TRY(dloc_source_of_layers(q->module, 0, NULL, &more));
  dloc_source *sources = value_arena_alloc(q->arena, listed + more, sizeof *sources);
  dloc_source_list(q->module, listed, sources);
  TRY(dloc_source_of_layers(q->module, more, sources + listed, &more));
  (term_get(q->args, "list") ? list : find)(q, sources, listed + more, value);
  return DLOC_OK;
}

const operation op_source = {
    .name = "source",
    .forms = {{CHECKED_MAP(NULL, NULL, check, FIELD("list", FLAG)), MAP(NULL, FIELD("entries", LIST(ENTRY)), NODES)},
              {MAP(NULL, FIELD("find", NODE), OPTIONAL("kind", TEXT)),
               MAP(NULL, FIELD_AS("entry", NUMBER_OR_NULL, "entry: %\n"))}},
    .module = MODULE_WHOLE,
    .roots = "file",
    .takes_any_node = true,
    .ask = ask,
};
