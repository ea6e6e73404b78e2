/* dloc source: the intermediate source texts that a module or an ELF file embeds. */
#include "document/buffer.h"
#include "help/source.h"
#include "lines/symbolize.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct request {
  dloc_profile profile;
  const char *find;    /* a file name */
  const char *kind;    /* entries of this kind only */
  const char *extract; /* an index, or "all" */
  const char *output;
  bool sections, json;
} request;

/* A text, whatever embeds it. */
typedef struct source_item {
  dloc_text text, kind;
  dloc_text name; /* of its file, or of its section */
  dloc_text hash;
  char md5[33]; /* where the hash stands that nobody wrote down */
} source_item;

/* The entries of a module, or the texts of an ELF file, that a request is about. */
typedef struct selection {
  const char *path;
  const tool_module *module; /* NULL: an ELF file */
  const request *request;
  dloc_source *sources; /* of the module */
  source_item *items;   /* all of the file */
  size_t item_count;
  size_t *indices; /* of those that are selected */
  size_t count;
} selection;

/* The letters of a kind do not count in an ELF file: its sections have small ones alone. */
static bool is_kind(const selection *s, dloc_text kind) {
  const dloc_text wanted = dloc_text_of(s->request->kind);
  return s->module ? dloc_text_equal(kind, wanted)
                   : kind.size == wanted.size && strncasecmp(kind.bytes, wanted.bytes, kind.size) == 0;
}

static void select_items(selection *s) {
  const request *request = s->request;
  s->indices = memory_allocate(s->item_count, sizeof *s->indices);
  for (size_t i = 0; i < s->item_count; i++)
    if ((!request->find || dloc_text_equal(s->items[i].name, dloc_text_of(request->find))) &&
        (!request->kind || is_kind(s, s->items[i].kind)))
      s->indices[s->count++] = i;
}

static void take_sources(selection *s) {
  const tool_module *module = s->module;
  size_t listed = dloc_source_count(module->module), more = 0;
  (void)dloc_source_of_layers(module->module, 0, NULL, &more); /* memory.h: it cannot fail */
  s->item_count = listed + more;
  s->sources = memory_allocate(s->item_count, sizeof *s->sources);
  s->items = memory_allocate(s->item_count, sizeof *s->items);
  dloc_source_list(module->module, listed, s->sources);
  (void)dloc_source_of_layers(module->module, more, s->sources + listed, &more);
  for (size_t i = 0; i < s->item_count; i++) {
    const dloc_source *source = &s->sources[i];
    source_item *item = &s->items[i];
    dloc_node name = dloc_field_value(module->context, source->file, "filename");
    *item = (source_item){.text = source->text, .kind = source->kind, .name = dloc_node_text(module->context, name)};
    item->hash = dloc_source_hash(module->context, s->module->profile, source, item->md5);
  }
}

static void take_texts(selection *s, const dloc_layer_lines *layers) {
  const dloc_embedded_text *texts = dloc_layer_lines_texts(layers, &s->item_count);
  s->items = memory_allocate(s->item_count, sizeof *s->items);
  for (size_t i = 0; i < s->item_count; i++) {
    const dloc_text name = texts[i].section;
    size_t hash = name.size;
    while (hash > 0 && name.bytes[hash - 1] != '.')
      hash--;
    s->items[i] = (source_item){.text = texts[i].bytes,
                                .kind = texts[i].kind,
                                .name = texts[i].name.size ? texts[i].name : name,
                                .hash = {name.bytes + hash, name.size - hash}};
  }
}

static const source_item *selected(const selection *selection, size_t i) {
  return &selection->items[selection->indices[i]];
}

/* ---- Listing ---- */

/* A line of JSON: the index of an entry, and texts by their keys. */
static void write_line(size_t index, const size_t *size, const char *const *keys, const dloc_text *texts,
                       size_t count) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  value line = {.kind = VALUE_MAP};
  value_put_number(&arena, &line, "index", index);
  if (size)
    value_put_number(&arena, &line, "size", *size);
  for (size_t i = 0; i < count; i++)
    value_put_text(&arena, &line, keys[i], texts[i]);
  tool_print_json(&line);
}

static void list_sources(const selection *selection) {
  static const char *const keys[] = {"hash", "kind", "file"};
  for (size_t i = 0; i < selection->count; i++) {
    const source_item *item = selected(selection, i);
    if (selection->request->json) {
      const dloc_text texts[] = {item->hash, item->kind, item->name};
      write_line(selection->indices[i], &item->text.size, keys, texts, 3);
      continue;
    }
    printf("%zu\t%zu\t", selection->indices[i], item->text.size);
    tool_print_name(stdout, item->hash, "\t");
    tool_print_name(stdout, item->kind, "\t");
    tool_print_name(stdout, item->name, "\n");
  }
}

/* The names of all entries' kinds: which collide does not depend on what is selected. */
static int name_kinds(const selection *selection, dloc_node **ret) {
  const tool_module *module = selection->module;
  size_t count = selection->item_count;
  dloc_node *names = memory_allocate(count, sizeof *names);
  dloc_reason reason = DLOC_REASON_NONE;
  for (size_t i = 0; i < count; i++)
    (void)dloc_string(module->context, selection->sources[i].kind, &names[i]);
  dloc_context *context = module->context;
  const dloc_profile *profile = module->profile;
  *ret = names;
  dloc_status status = dloc_section_names(context, profile, names, count, &reason, names);
  if (status != DLOC_INVALID)
    return status == DLOC_OK ? TOOL_FINE : tool_failure(status, module->input.name);
  while (dloc_section_names(context, profile, names, count - 1, NULL, names) == DLOC_INVALID)
    count--; /* the entry with which it begins */
  fputs("dloc: ", stderr);
  tool_print_name(stderr, dloc_text_of(module->input.name), ": ");
  fprintf(stderr, "entry %zu: kind ", count - 1);
  tool_print_name(stderr, selection->sources[count - 1].kind, ": ");
  fprintf(stderr, "%s [%s]\n", dloc_reason_text(reason), dloc_reason_name(reason));
  return TOOL_VIOLATION;
}

static dloc_status list_section(const selection *selection, size_t i, dloc_node name) {
  static const char *const keys[] = {"table", "text"};
  dloc_context *context = selection->module->context;
  dloc_node table, text;
  TRY(dloc_section_table(context, selection->module->profile, name, &table));
  TRY(dloc_section_text(context, selection->module->profile, name, selection->sources[selection->indices[i]].entry,
                        &text));
  const dloc_text names[] = {dloc_node_text(context, table), dloc_node_text(context, text)};
  if (selection->request->json) {
    write_line(selection->indices[i], NULL, keys, names, 2);
    return DLOC_OK;
  }
  printf("%zu\t", selection->indices[i]);
  tool_print_name(stdout, names[0], "\t");
  tool_print_name(stdout, names[1], "\n");
  return DLOC_OK;
}

static int list_sections(const selection *selection) {
  OWNED(memory_release) dloc_node *names = NULL;
  int status = name_kinds(selection, &names);
  for (size_t i = 0; status == TOOL_FINE && i < selection->count; i++) {
    dloc_status listed = list_section(selection, i, names[selection->indices[i]]);
    if (listed != DLOC_OK)
      status = tool_failure(listed, selection->module->input.name);
  }
  return status;
}

/* ---- Extracting ---- */

static int write_source(const source_item *source, const char *path) {
  return tool_write_text(path, source->text) ? TOOL_FINE : TOOL_UNUSABLE;
}

/* The file that one of several texts goes to: INDEX-NAME in the directory. Only the last part of the name is used, and
 * of that only what is harmless in every file system, so that no module can write elsewhere. */
static dloc_buffer name_file(const char *directory, size_t index, dloc_text name) {
  dloc_buffer path = {0};
  size_t start = name.size;
  while (start > 0 && name.bytes[start - 1] != '/' && name.bytes[start - 1] != '\\')
    start--;
  buffer_format(&path, "%s/%zu-", directory, index);
  for (size_t i = start; i < name.size && i - start < 200; i++) {
    char c = name.bytes[i];
    bool harmless = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    buffer_put(&path, (dloc_text){harmless ? &c : "_", 1});
  }
  return path;
}

static int extract_into(const selection *selection, const char *directory) {
  tool_make_folder(directory);
  int status = TOOL_FINE;
  for (size_t i = 0; status == TOOL_FINE && i < selection->count; i++) {
    const source_item *item = selected(selection, i);
    OWNED(dloc_buffer_deinit) dloc_buffer path = name_file(directory, selection->indices[i], item->name);
    status = write_source(item, path.bytes);
  }
  return status;
}

static int extract_all(const selection *selection) {
  const char *output = selection->request->output;
  if (output && strcmp(output, "-") != 0)
    return extract_into(selection, output);
  for (size_t i = 0; i < selection->count; i++)
    if (write_source(selected(selection, i), NULL) != TOOL_FINE)
      return TOOL_UNUSABLE;
  return TOOL_FINE;
}

static size_t parse_index(const char *text) {
  char *end = NULL;
  errno = 0;
  unsigned long value = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
  if (!end || *end || errno)
    tool_fail("'%s' is neither the index of an entry nor 'all'", text);
  return value;
}

static int extract_one(const selection *selection, size_t index) {
  for (size_t i = 0; i < selection->count; i++)
    if (selection->indices[i] == index)
      return write_source(selected(selection, i), selection->request->output);
  tool_error("%s: there is no entry %zu", selection->path, index);
  return TOOL_VIOLATION;
}

/* ---- The command ---- */

/* Entries of the list that are no sources are passed over; say so. */
static bool report_malformed(const tool_module *module) {
  dloc_named_metadata list;
  if (!dloc_module_find_named(module->module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return false;
  size_t malformed = list.operand_count - dloc_source_count(module->module);
  if (malformed)
    tool_error("%s: %zu malformed entr%s passed over; `dloc verify` says more", module->input.name, malformed,
               malformed == 1 ? "y" : "ies");
  return malformed > 0;
}

static int act(const selection *selection) {
  const request *request = selection->request;
  if ((request->find || request->kind) && selection->count == 0) {
    tool_error("%s: there is no such entry", selection->path);
    return TOOL_VIOLATION;
  }
  if (request->extract && strcmp(request->extract, "all") == 0)
    return extract_all(selection);
  if (request->extract)
    return extract_one(selection, parse_index(request->extract));
  if (request->sections)
    return list_sections(selection);
  list_sources(selection);
  return TOOL_FINE;
}

static int run(selection *s) {
  select_items(s);
  int status = act(s);
  free(s->sources);
  free(s->items);
  free(s->indices);
  return status;
}

static int run_module(const char *path, const request *request) {
  tool_module module = tool_module_open(path, &request->profile);
  bool malformed = report_malformed(&module);
  selection s = {.path = module.input.name, .module = &module, .request = request};
  take_sources(&s);
  int status = run(&s);
  return tool_module_close(&module, status == TOOL_FINE && malformed ? TOOL_VIOLATION : status);
}

static int run_object(const char *path, const request *request) {
  if (request->sections)
    tool_fail("%s: --sections is for modules", path);
  line_file file = line_file_open(path, &request->profile);
  dloc_symbolizer *symbolizer = symbolize_open(&file, DLOC_SYMBOLIZE_LAYERS);
  selection s = {.path = path, .request = request};
  take_texts(&s, dloc_symbolizer_layers(symbolizer));
  int status = run(&s);
  dloc_symbolizer_close(symbolizer);
  int of_file = line_file_close(&file);
  return status == TOOL_FINE ? of_file : status;
}

/* Looking ahead in a pipe would take bytes from the reader: only a regular file is looked at. */
static bool is_elf(const char *path) {
  char start[4] = {0};
  FILE *file = tool_is_regular(path) ? fopen(path, "rb") : NULL;
  bool is = file && fread(start, 1, sizeof start, file) == sizeof start && memcmp(start, "\177ELF", sizeof start) == 0;
  if (file)
    (void)fclose(file);
  return is;
}

int tool_source(int argc, char **argv) {
  request request = {.find = NULL};
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&request.profile),
      {TOOL_TEXT, "file", "only entries whose DIFile has this file name", &request.find},
      {TOOL_TEXT, "layer", "only entries of this kind", &request.kind},
      {TOOL_FLAG, "sections", NULL, &request.sections},
      {TOOL_FLAG, "json", NULL, &request.json},
      {TOOL_TEXT, "extract", NULL, &request.extract},
      {TOOL_TEXT, "o", "where to: a file, or for all a directory (default: standard output)", &request.output},
      {0}};
  tool_parse(argc, argv, &source_usage, options);
  if (request.extract && (request.sections || request.json))
    tool_fail("--%s lists, --extract does not", request.sections ? "sections" : "json");
  if (request.output && !request.extract)
    tool_fail("option '-o' needs --extract");
  return is_elf(argv[0]) ? run_object(argv[0], &request) : run_module(argv[0], &request);
}
