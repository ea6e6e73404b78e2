/* dloc bitcode: the records of bitcode that locate instructions, what they name, and the raw view of all records. */
#include "help/bitcode.h"
#include "shell/tools.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How a number of metadata is shown; kept, as the same scopes come again and again. */
typedef struct shown {
  char *text;
  size_t owner; /* function + 1 for one's own metadata, 0 for the module's */
} shown;

typedef struct wishes {
  bool records;
  bool json;
  bool summary;
  dloc_profile profile;
} wishes;

typedef struct lister {
  dloc_bitcode *bitcode;
  const wishes *wishes;
  FILE *file;
  size_t function; /* that is being listed */
  shown *shown;    /* by number */
  size_t shown_count;
  uint64_t locations, layers, repeats;
  uint64_t *named; /* JSON: metadata that was named, and whose line is still to be printed */
  size_t named_count;
} lister;

/* ---- Descriptions ---- */

enum { SCOPES_SHOWN = 16 }; /* of a chain that may be as long as the input */

static dloc_status get(lister *l, uint64_t number_and_1, dloc_bitcode_metadata *ret) {
  return dloc_bitcode_metadata_at(l->bitcode, number_and_1 - 1, ret);
}

static void put_name(dloc_buffer *out, const char *before, dloc_text name, const char *behind) {
  buffer_put(out, dloc_text_of(before));
  (void)tool_write_name(name, buffer_sink(out));
  buffer_put(out, dloc_text_of(behind));
}

/* ` directory/name`, or nothing for no file. */
static dloc_status describe_file(lister *l, uint64_t number_and_1, dloc_buffer *out) {
  dloc_bitcode_metadata file;
  if (!number_and_1)
    return DLOC_OK;
  TRY(get(l, number_and_1, &file));
  bool relative = file.directory.size && !(file.name.size && file.name.bytes[0] == '/');
  put_name(out, " ", relative ? file.directory : (dloc_text){"", 0}, relative ? "/" : "");
  put_name(out, "", file.name, "");
  return DLOC_OK;
}

static dloc_status describe_node(lister *l, const dloc_bitcode_metadata *node, dloc_buffer *out) {
  buffer_format(out, "%s", node->class_name);
  if (strcmp(node->class_name, "DISubprogram") == 0)
    put_name(out, " ", node->name, "");
  TRY(describe_file(l, node->file, out));
  if (node->line || node->column)
    buffer_format(out, ":%" PRIu32, node->line);
  if (node->column)
    buffer_format(out, ":%" PRIu32, node->column);
  if (node->discriminator)
    buffer_format(out, " discriminator %" PRIu32, node->discriminator);
  return DLOC_OK;
}

/* A scope and those around it up to the subprogram. */
static dloc_status describe_scopes(lister *l, uint64_t number_and_1, dloc_buffer *out) {
  for (unsigned i = 0; number_and_1; i++) {
    dloc_bitcode_metadata scope;
    TRY(get(l, number_and_1, &scope));
    buffer_format(out, "%s!%" PRIu64 " ", i ? " < " : "", number_and_1 - 1);
    TRY(describe_node(l, &scope, out));
    bool last = strcmp(scope.class_name, "DISubprogram") == 0;
    if (i == SCOPES_SHOWN && !last)
      buffer_put(out, dloc_text_of(" < ..."));
    number_and_1 = last || i == SCOPES_SHOWN ? 0 : scope.scope;
  }
  return DLOC_OK;
}

/* A layer: its kind and place. */
static dloc_status describe_layer(lister *l, uint64_t number_and_1, dloc_buffer *out) {
  dloc_bitcode_metadata layer;
  if (!number_and_1)
    return buffer_put(out, dloc_text_of(" null")), DLOC_OK;
  TRY(get(l, number_and_1, &layer));
  if (strcmp(layer.class_name, "DILayerLoc") != 0)
    return buffer_format(out, " !%" PRIu64 " %s", number_and_1 - 1, layer.class_name), DLOC_OK;
  put_name(out, " \"", layer.name, "\"");
  TRY(describe_file(l, layer.file, out));
  buffer_format(out, ":%" PRIu32, layer.line);
  if (layer.column)
    buffer_format(out, ":%" PRIu32, layer.column);
  return DLOC_OK;
}

static dloc_status describe_list(lister *l, uint64_t number_and_1, const dloc_bitcode_metadata *list,
                                 dloc_buffer *out) {
  uint64_t entries[SCOPES_SHOWN];
  size_t count = list->entry_count < SCOPES_SHOWN ? list->entry_count : SCOPES_SHOWN;
  bool more = count < list->entry_count;
  for (size_t i = 0; i < count; i++)
    entries[i] = dloc_bitcode_metadata_entry(list, i);
  buffer_format(out, "!%" PRIu64, number_and_1 - 1);
  for (size_t i = 0; i < count; i++) {
    buffer_put(out, dloc_text_of(i ? "," : ""));
    TRY(describe_layer(l, entries[i], out));
  }
  buffer_put(out, dloc_text_of(more ? ", ..." : ""));
  return DLOC_OK;
}

/* A location that is an inlinedAt: its place and scope, and the numbers of its list and of the next one. */
static dloc_status describe_call_site(lister *l, uint64_t number_and_1, const dloc_bitcode_metadata *node,
                                      dloc_buffer *out) {
  buffer_format(out, "!%" PRIu64 " %" PRIu32 ":%" PRIu32 " scope ", number_and_1 - 1, node->line, node->column);
  TRY(describe_scopes(l, node->scope, out));
  if (node->irlayers)
    buffer_format(out, ", irlayers !%" PRIu64, node->irlayers - 1);
  if (node->inlined_at)
    buffer_format(out, ", inlinedAt !%" PRIu64, node->inlined_at - 1);
  return DLOC_OK;
}

static dloc_status describe(lister *l, uint64_t number_and_1, bool *ret_local, dloc_buffer *out) {
  dloc_bitcode_metadata node;
  TRY(get(l, number_and_1, &node));
  *ret_local = node.local;
  if (strcmp(node.class_name, "DILocation") == 0)
    return describe_call_site(l, number_and_1, &node, out);
  if (strcmp(node.class_name, "DILayerLocList") == 0)
    return describe_list(l, number_and_1, &node, out);
  if (node.class_name[0])
    return describe_scopes(l, number_and_1, out);
  put_name(out, "\"", node.name, "\"");
  return DLOC_OK;
}

static void grow_shown(lister *l, uint64_t number) {
  if (number < l->shown_count)
    return;
  size_t count = (size_t)number + number / 2 + 64;
  l->shown = memory_resize(l->shown, count, sizeof *l->shown);
  memset(l->shown + l->shown_count, 0, (count - l->shown_count) * sizeof *l->shown);
  l->shown_count = count;
}

static dloc_status remember(lister *l, uint64_t number_and_1) {
  dloc_buffer text = {0};
  bool local = false;
  dloc_status status = describe(l, number_and_1, &local, &text);
  if (status == DLOC_OK) {
    grow_shown(l, number_and_1 - 1); /* only now is it known to exist */
    shown *s = &l->shown[number_and_1 - 1];
    free(s->text);
    *s = (shown){memory_copy(buffer_text(&text)), local ? l->function + 1 : 0};
  }
  dloc_buffer_deinit(&text);
  return status;
}

static dloc_status show(lister *l, const char *before, uint64_t number_and_1) {
  const shown *s = number_and_1 - 1 < l->shown_count ? &l->shown[number_and_1 - 1] : NULL;
  if (!s || !s->text || (s->owner && s->owner != l->function + 1))
    TRY(remember(l, number_and_1));
  fprintf(l->file, "%s%s", before, l->shown[number_and_1 - 1].text);
  return DLOC_OK;
}

static const char *const forms[] = {"location", "layer", "again"};

/* ---- Text ---- */

static dloc_status print_location(lister *l, const dloc_bitcode_location *at) {
  fprintf(l->file, "  %" PRIu32 " %s", at->instruction, forms[at->form]);
  if (at->form != DLOC_BITCODE_AGAIN) {
    if (at->kind)
      TRY(show(l, " ", at->kind));
    fprintf(l->file, " %" PRIu32 ":%" PRIu32, at->line, at->column);
    if (at->scope)
      TRY(show(l, ", scope ", at->scope));
    if (at->inlined_at)
      TRY(show(l, ", inlinedAt ", at->inlined_at));
    if (at->implicit)
      fputs(", implicit", l->file);
    if (at->atom_group || at->atom_rank)
      fprintf(l->file, ", atom %" PRIu64 " rank %u", at->atom_group, at->atom_rank);
    if (at->irlayers)
      TRY(show(l, ", irlayers ", at->irlayers));
  }
  fprintf(l->file, ", bit %" PRIu64 "\n", at->bit);
  return DLOC_OK;
}

/* ---- JSON ---- */

/* A number that is written with that bias; 0 is none. */
static void print_json_number(const char *key, uint64_t number, unsigned bias, FILE *file) {
  if (number)
    fprintf(file, ",\"%s\":%" PRIu64, key, number - bias);
}

/* Give it a line of its own, once, before the next location's. */
static dloc_status name_metadata(lister *l, uint64_t number_and_1) {
  dloc_bitcode_metadata node;
  if (number_and_1 == 0)
    return DLOC_OK;
  TRY(get(l, number_and_1, &node));
  grow_shown(l, number_and_1 - 1);
  shown *s = &l->shown[number_and_1 - 1];
  if (s->owner == SIZE_MAX || s->owner == l->function + 1)
    return DLOC_OK;
  s->owner = node.local ? l->function + 1 : SIZE_MAX;
  *MEMORY_ADD(l->named, l->named_count) = number_and_1;
  return DLOC_OK;
}

static dloc_status print_json_name(const char *key, dloc_text name, FILE *file) {
  fprintf(file, ",\"%s\":", key);
  return value_write_text(name, tool_file_sink(file));
}

static void print_json_entries(const dloc_bitcode_metadata *list, FILE *file) {
  if (!list->entries)
    return;
  fputs(",\"entries\":[", file);
  for (size_t i = 0; i < list->entry_count; i++)
    if (dloc_bitcode_metadata_entry(list, i))
      fprintf(file, "%s%" PRIu64, i ? "," : "", dloc_bitcode_metadata_entry(list, i) - 1);
    else
      fputs(i ? ",null" : "null", file);
  fputc(']', file);
}

/* Those of a list, if it is one: looking at them moves the reader on. */
static dloc_status name_entries(lister *l, uint64_t number_and_1) {
  dloc_bitcode_metadata list;
  dloc_status status = DLOC_OK;
  TRY(get(l, number_and_1, &list));
  uint64_t *entries = memory_allocate(list.entry_count, sizeof *entries);
  for (size_t i = 0; i < list.entry_count; i++)
    entries[i] = dloc_bitcode_metadata_entry(&list, i);
  for (size_t i = 0; status == DLOC_OK && i < list.entry_count; i++)
    status = name_metadata(l, entries[i]);
  free(entries);
  return status;
}

static dloc_status print_json_metadata(lister *l, uint64_t number_and_1) {
  dloc_bitcode_metadata node;
  TRY(get(l, number_and_1, &node));
  fprintf(l->file, "{\"metadata\":%" PRIu64 ",\"class\":\"%s\",\"bit\":%" PRIu64, number_and_1 - 1,
          node.class_name[0] ? node.class_name : "MDString", node.bit);
  if (node.distinct)
    fputs(",\"distinct\":true", l->file);
  print_json_number("line", node.line, 0, l->file);
  print_json_number("column", node.column, 0, l->file);
  print_json_number("discriminator", node.discriminator, 0, l->file);
  print_json_number("scope", node.scope, 1, l->file);
  print_json_number("file", node.file, 1, l->file);
  print_json_number("inlinedAt", node.inlined_at, 1, l->file);
  print_json_number("irlayers", node.irlayers, 1, l->file);
  print_json_entries(&node, l->file);
  if (node.name.size || !node.class_name[0])
    TRY(print_json_name("name", node.name, l->file));
  if (node.directory.size)
    TRY(print_json_name("directory", node.directory, l->file));
  fputs("}\n", l->file);
  TRY(name_metadata(l, node.scope));
  TRY(name_metadata(l, node.file));
  TRY(name_metadata(l, node.irlayers));
  TRY(name_entries(l, number_and_1));
  return name_metadata(l, node.inlined_at);
}

static dloc_status print_json_location(lister *l, const dloc_bitcode_location *at) {
  TRY(name_metadata(l, at->scope));
  TRY(name_metadata(l, at->inlined_at));
  TRY(name_metadata(l, at->kind));
  TRY(name_metadata(l, at->irlayers));
  while (l->named_count)
    TRY(print_json_metadata(l, l->named[--l->named_count]));
  fprintf(l->file, "{\"instruction\":%" PRIu32 ",\"record\":\"%s\",\"bit\":%" PRIu64, at->instruction, forms[at->form],
          at->bit);
  if (at->form != DLOC_BITCODE_AGAIN)
    fprintf(l->file, ",\"line\":%" PRIu32 ",\"column\":%" PRIu32, at->line, at->column);
  print_json_number("scope", at->scope, 1, l->file);
  print_json_number("inlinedAt", at->inlined_at, 1, l->file);
  print_json_number("kind", at->kind, 1, l->file);
  print_json_number("irlayers", at->irlayers, 1, l->file);
  if (at->implicit)
    fputs(",\"implicit\":true", l->file);
  if (at->atom_group || at->atom_rank)
    fprintf(l->file, ",\"atomGroup\":%" PRIu64 ",\"atomRank\":%u", at->atom_group, at->atom_rank);
  fputs("}\n", l->file);
  return DLOC_OK;
}

/* ---- Functions ---- */

static dloc_status on_location(void *user, const dloc_bitcode_location *at) {
  lister *l = user;
  l->locations += at->form == DLOC_BITCODE_LOCATION;
  l->layers += at->form == DLOC_BITCODE_LAYER;
  l->repeats += at->form == DLOC_BITCODE_AGAIN;
  if (l->wishes->summary)
    return DLOC_OK;
  return l->wishes->json ? print_json_location(l, at) : print_location(l, at);
}

static dloc_status print_function(lister *l, const dloc_bitcode_function *function, uint32_t instructions) {
  if (l->wishes->json) {
    fputs("{\"function\":", l->file);
    TRY(value_write_text(function->name, tool_file_sink(l->file)));
    fprintf(l->file, ",\"bit\":%" PRIu64 ",\"instructions\":%" PRIu32 "}\n", function->bit, instructions);
  } else if (l->wishes->summary) {
    tool_print_name(l->file, function->name, ": ");
    fprintf(l->file, "%" PRIu32 " instructions, %" PRIu64 " locations, %" PRIu64 " layers, %" PRIu64 " again\n",
            instructions, l->locations, l->layers, l->repeats);
  }
  return DLOC_OK;
}

/* The head of a function stands before its locations, but in JSON, where it says how many instructions there are,
 * behind them. */
static dloc_status list_function(lister *l, size_t index) {
  dloc_bitcode_function function = dloc_bitcode_function_at(l->bitcode, index);
  uint32_t instructions = 0;
  if (!function.bit)
    return DLOC_OK;
  l->function = index;
  l->locations = l->layers = l->repeats = 0;
  if (!l->wishes->json && !l->wishes->summary) {
    fputs("define ", l->file);
    tool_print_name(l->file, function.name, "");
    fprintf(l->file, ", bit %" PRIu64 "\n", function.bit);
  }
  TRY(dloc_bitcode_locate(l->bitcode, index, on_location, l, &instructions));
  return print_function(l, &function, instructions);
}

static dloc_status list_functions(lister *l) {
  dloc_text producer = dloc_bitcode_producer(l->bitcode);
  if (!l->wishes->json) {
    fputs("producer ", l->file);
    tool_print_name(l->file, producer, "\n");
  }
  for (size_t i = 0; i < dloc_bitcode_function_count(l->bitcode); i++)
    TRY(list_function(l, i));
  return DLOC_OK;
}

static dloc_status list_locations(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic, FILE *file,
                                  const wishes *w) {
  lister l = {.file = file, .wishes = w};
  TRY(dloc_bitcode_open(context, &w->profile, bytes, diagnostic, &l.bitcode));
  dloc_status status = list_functions(&l);
  for (size_t i = 0; i < l.shown_count; i++)
    free(l.shown[i].text);
  free(l.shown);
  free(l.named);
  dloc_bitcode_close(l.bitcode);
  return status;
}

/* ---- All records ---- */

static void print_name(const char *name, const char *what, uint64_t number, FILE *file) {
  if (name)
    fputs(name, file);
  else
    fprintf(file, "%s %" PRIu64, what, number);
}

static void print_record(const dloc_bitcode_item *item, FILE *file) {
  print_name(dloc_bitcode_code_name(item->block, item->meaning), "record", item->code, file);
  fprintf(file, " abbreviation %" PRIu32 ":", item->abbreviation);
  for (size_t i = 0; i < item->value_count; i++)
    fprintf(file, " %" PRIu64, dloc_bitcode_item_value(item, i));
  if (item->has_blob)
    fprintf(file, " blob of %zu bytes", item->blob.size);
}

static dloc_status print_item(void *user, const dloc_bitcode_item *item) {
  FILE *file = user;
  if (item->kind == DLOC_BITCODE_LEAVE)
    return DLOC_OK;
  fprintf(file, "%*s%" PRIu64 ": ", (int)(item->depth - (item->kind == DLOC_BITCODE_ENTER)) * 2, "", item->bit);
  switch (item->kind) {
  case DLOC_BITCODE_ENTER:
    print_name(dloc_bitcode_block_name(item->block), "block", item->block, file);
    fprintf(file, " of %" PRIu64 " bytes", item->size);
    break;
  case DLOC_BITCODE_ABBREVIATION:
    fputs("abbreviation", file);
    break;
  default:
    print_record(item, file);
    break;
  }
  fputc('\n', file);
  return ferror(file) ? DLOC_STOPPED : DLOC_OK;
}

/* A record as a line of JSON; blocks are told by the records in them. */
static dloc_status print_json_item(void *user, const dloc_bitcode_item *item) {
  FILE *file = user;
  if (item->kind != DLOC_BITCODE_RECORD)
    return DLOC_OK;
  const char *name = dloc_bitcode_code_name(item->block, item->meaning);
  fprintf(file, "{\"bit\":%" PRIu64 ",\"depth\":%zu,\"block\":%" PRIu32 ",\"code\":%" PRIu32, item->bit, item->depth,
          item->block, item->code);
  if (name)
    fprintf(file, ",\"name\":\"%s\"", name);
  fprintf(file, ",\"abbreviation\":%" PRIu32 ",\"values\":[", item->abbreviation);
  for (size_t i = 0; i < item->value_count; i++)
    fprintf(file, "%s%" PRIu64, i ? "," : "", dloc_bitcode_item_value(item, i));
  fputc(']', file);
  if (item->has_blob)
    fprintf(file, ",\"blob\":%zu", item->blob.size);
  fputs("}\n", file);
  return ferror(file) ? DLOC_STOPPED : DLOC_OK;
}

/* ---- Command ---- */

static int show_file(const tool_input *input, const wishes *w) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_context *context = memory_context();
  dloc_status status =
      w->records ? dloc_bitcode_items(context, input->text, &diagnostic, w->json ? print_json_item : print_item, stdout)
                 : list_locations(context, input->text, &diagnostic, stdout, w);
  dloc_context_destroy(context);
  if (status == DLOC_OK)
    return TOOL_FINE;
  fflush(stdout);
  if (status == DLOC_STOPPED)
    return TOOL_UNUSABLE;
  int ends = tool_explain(status, input, &diagnostic);
  if (!dloc_is_bitcode(input->text))
    tool_error("%s is no bitcode: of a module's text, `dloc assemble` makes it", input->name);
  return ends;
}

int tool_bitcode(int argc, char **argv) {
  wishes w = {.records = false};
  const tool_option options[] = {
      {TOOL_FLAG, "records", NULL, &w.records},
      {TOOL_FLAG, "summary", NULL, &w.summary},
      {TOOL_FLAG, "json", "one JSON object in each line; metadata has a line before it is first named", &w.json},
      TOOL_PROFILE_OPTIONS(&w.profile),
      {0}};
  tool_parse(argc, argv, &bitcode_usage, options);
  tool_input input = tool_input_required(argv[0]);
  int status = show_file(&input, &w);
  tool_input_close(&input);
  return status;
}
