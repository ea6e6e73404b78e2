/* explain.c - `dloc explain`: what a name stands for, as text or JSON. */
#include "explain.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "shell/script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 110 };

static const tool_usage usage = {
    "dloc explain [OPTION...] NAME...",
    "Tell what a name stands for: of a clause, a choice or CHOICE=ALTERNATIVE, a reason code or warning, a law,\n"
    "a profile, an operation or a vector. It tells the sentence, where it comes from, who does what, vectors\n"
    "that show it, and the command that lists these. Implementations of an alternative are the\n"
    "LLVMs that confirm expectations which hold under no other one (vectors/CONFIRMED); laws are those that the\n"
    "profile rfc breaks or keeps otherwise on inputs of scope 1 (`dloc laws`). Vectors are those of the suite, as for `dloc run`.\n"
    "Exit status: 0 all names are known, 2 one is not.\n",
    "dloc explain merge.layer.one-sided\ndloc explain shape.no-layers merge.empty=drop\ndloc explain --json pr205453\n",
    1, -1};

/* ---- Vectors ---- */

static int compare_ids(const void *a, const void *b) {
  return strcmp(((const explain_vector *)a)->vector.id.bytes, ((const explain_vector *)b)->vector.id.bytes);
}

static void read_vectors(explainer *e) {
  vectors_open(&e->source, &e->folder, 1);
  e->source.keep = true;
  while (vectors_next(&e->source))
    *MEMORY_ADD(e->vectors, e->count) = (explain_vector){.vector = e->source.vector, .path = e->source.path};
  if (e->source.status != TOOL_FINE)
    tool_exit(e->source.status);
  qsort(e->vectors, e->count, sizeof *e->vectors, compare_ids);
}

/* The path of a file of the folder; NULL when it is not there. */
static const char *find_beside(explainer *e, const char *name) {
  dloc_buffer path = {0};
  buffer_format(&path, "%s/%s", e->folder, name);
  const char *kept = value_arena_copy(&e->arena, buffer_text(&path)).bytes;
  dloc_buffer_deinit(&path);
  return access(kept, F_OK) == 0 ? kept : NULL;
}

/* Lines `ID DIGEST LLVM...`: of a vector that has changed since they say nothing. */
static void read_confirmed(explainer *e) {
  const char *path = find_beside(e, "CONFIRMED");
  tool_input input = {.name = NULL};
  if (path && !tool_input_open(path, &input))
    tool_exit(TOOL_UNUSABLE);
  for (dloc_text rest = input.text; rest.size;) {
    dloc_text line = text_take_line(&rest), id, digest;
    if (!text_take_word(&line, &id) || !text_take_word(&line, &digest))
      continue;
    explain_vector wanted = {.vector.id = value_arena_copy(&e->arena, id)};
    explain_vector *found = bsearch(&wanted, e->vectors, e->count, sizeof wanted, compare_ids);
    if (found && dloc_text_equal(found->vector.digest, digest))
      found->confirmed = value_arena_copy(&e->arena, line);
  }
  if (path)
    tool_input_close(&input);
}

/* Reads the folder, if there is one. Ends the program, after a message, when it cannot be read. */
static void explainer_open(explainer *e, const char *folder) {
  *e = (explainer){.folder = folder};
  if (!folder)
    return;
  read_vectors(e);
  read_confirmed(e);
  const char *derived = find_beside(e, "DERIVED");
  if (derived)
    e->derived = vectors_read_expected(derived, &e->notes);
}

static void explainer_close(explainer *e) {
  inquiry_deinit(&e->inquiry);
  expected_deinit(&e->derived);
  tool_input_close(&e->notes);
  if (e->folder)
    vectors_close(&e->source);
  free(e->vectors);
  value_arena_deinit(&e->arena);
}

/* ---- As text ---- */

/* Words of a line from a column on; lines that follow begin in that column. */
static void print_wrapped(dloc_text text, size_t column) {
  dloc_text word;
  size_t at = column;
  while (text_take_word(&text, &word)) {
    if (at > column && at + 1 + word.size > COLUMNS) {
      printf("\n%*s", (int)column, "");
      at = column;
    }
    printf("%s%.*s", at > column ? " " : "", (int)word.size, word.bytes);
    at += (at > column) + word.size;
  }
  putchar('\n');
}

static void print_scalar(dloc_text text, size_t column) {
  for (bool first = true; first || text.size; first = false) {
    if (!first)
      printf("%*s", (int)column, "");
    print_wrapped(text_take_line(&text), column);
  }
}

static void print_list(const value *list, size_t column) {
  dloc_buffer text = {0};
  for (uint32_t i = 0; i < list->count; i++)
    buffer_format(&text, "%s%s", i ? ", " : "", value_text(&list->of.items[i]).bytes);
  print_scalar(buffer_text(&text), column);
  dloc_buffer_deinit(&text);
}

static bool is_inline(const value *v) {
  return v->kind == VALUE_SCALAR || (v->kind == VALUE_LIST && v->count && v->of.items[0].kind == VALUE_SCALAR);
}

/* Keys in one column, what they say behind; a map in a map below its key, and further right. */
static void print_map(const value *map, size_t indent) {
  enum { WIDEST = 32 };
  size_t width = 0;
  for (uint32_t i = 0; i < map->count; i++)
    if (is_inline(&map->of.entries[i].value) && map->of.entries[i].key.size > width)
      width = map->of.entries[i].key.size;
  if (width > WIDEST)
    width = WIDEST;
  for (uint32_t i = 0; i < map->count; i++) {
    const value *v = &map->of.entries[i].value;
    printf("%*s%-*s", (int)indent, "", is_inline(v) ? (int)width : 0, map->of.entries[i].key.bytes);
    if (is_inline(v))
      printf("  ");
    if (v->kind == VALUE_SCALAR) {
      print_scalar(value_text(v), indent + width + 2);
    } else if (is_inline(v)) {
      print_list(v, indent + width + 2);
    } else {
      putchar('\n');
      for (uint32_t j = 0; v->kind == VALUE_LIST && j < v->count; j++)
        print_map(&v->of.items[j], indent + 2);
      if (v->kind == VALUE_MAP)
        print_map(v, indent + 2);
    }
  }
}

/* ---- The command ---- */

static int explain_name(explainer *e, const char *wanted, bool json, bool *started) {
  tool_guess guess = {.wrong = wanted};
  char name[EXPLAIN_NAME_SIZE];
  bool is_known = false;
  for (size_t kind = 0; kind < explain_kind_count; kind++)
    for (size_t i = 0; i < explain_kinds[kind].count(e); i++) {
      explain_kinds[kind].name(e, i, name);
      if (strcmp(name, wanted) != 0) {
        tool_guess_offer(&guess, name);
        continue;
      }
      is_known = true;
      value said = explain_kinds[kind].explain(e, i);
      if (!json && *started)
        putchar('\n');
      *started = true;
      if (!json)
        print_map(&said, 0);
      else
        tool_print_json(&said);
    }
  if (!is_known)
    tool_error("nothing is named '%s'%s%s", wanted, tool_guess_words(&guess),
               e->folder ? "" : "; vectors are not here, --vectors may tell where they are");
  return is_known ? TOOL_FINE : TOOL_UNUSABLE;
}

int tool_explain_name(int argc, char **argv) {
  const char *folder = NULL;
  bool json = false, started = false;
  const tool_option options[] = {
      {TOOL_TEXT, "vectors", "DIR", "the vectors; by default those of DLOC_VECTORS, here, or installed", &folder},
      {TOOL_FLAG, "json", NULL, "one JSON object a subject, each in a line", &json},
      {0}};
  int count = tool_parse(argc, argv, &usage, options), status = TOOL_FINE;
  explainer e;
  if (!folder && access(script_vectors(), F_OK) == 0)
    folder = script_vectors();
  explainer_open(&e, folder);
  for (int i = 0; i < count; i++)
    if (explain_name(&e, argv[i], json, &started) != TOOL_FINE)
      status = TOOL_UNUSABLE;
  explainer_close(&e);
  return status;
}
