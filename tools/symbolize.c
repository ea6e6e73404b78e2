/* dloc symbolize: the functions and places of addresses. */
#include "symbolize.h"

#include "document/memory.h"
#include "document/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc symbolize [OPTION...] FILE [ADDRESS...]",
    "Tell where addresses of FILE, an ELF file, are in its source: the function and the place of each frame, from the\n"
    "innermost inlined function outwards. Addresses are hexadecimal, with or without 0x; without any they are read from\n"
    "standard input, one a line. One of a cubin, where each kernel begins at 0, is written KERNEL+OFFSET.\n"
    "\n"
    "Exit status: 0 fine; 1 something in the file is wrong, or sources differ; 2 bad usage, unreadable files, a line that\n"
    "is no address.\n",
    "dloc symbolize build/dloc 0x$(nm build/dloc | sed -n 's/ T main$//p')\n", 1, -1};

/* In this order they are asked. */
static const symbolize_source *const sources[] = {&symbolize_dies, &symbolize_two_level, &symbolize_nvidia,
                                                  &symbolize_made, &symbolize_rows};
enum { SOURCES = sizeof sources / sizeof *sources };

typedef struct request {
  dloc_profile profile;
  const char *source;
  bool compare, tsv, json;
} request;

typedef struct answerer {
  const symbolize_source *source;
  line_file file;
  void *opened;
} answerer;

typedef struct session {
  const request *request;
  answerer answerers[SOURCES];
  size_t count;
  size_t differences, bad_lines; /* bad: what cannot be asked for, too */
  int status;                    /* of sources that could not be opened */
} session;

/* ---- Output ---- */

static void print_path(const dloc_symbol_frame *frame, const char *behind) {
  bool joins = frame->path.size && !dloc_path_is_absolute(frame->path) && frame->directory.size;
  if (joins)
    tool_print_name(stdout, frame->directory, frame->directory.bytes[frame->directory.size - 1] == '/' ? "" : "/");
  tool_print_name(stdout, frame->path.size ? frame->path : dloc_text_of("??"), behind);
}

static void print_text(const dloc_symbol_frame *frame) {
  tool_print_name(stdout, frame->function.size ? frame->function : dloc_text_of("??"), "\n");
  print_path(frame, ":");
  printf("%" PRIu32 ":%" PRIu32, frame->line, frame->column);
  if (frame->discriminator)
    printf(" (discriminator %" PRIu32 ")", frame->discriminator);
  putchar('\n');
}

static void print_tsv(const symbolize_address *address, size_t number, const dloc_symbol_frame *frame) {
  if (address->kernel.size)
    tool_print_name(stdout, address->kernel, "+0x");
  printf(address->kernel.size ? "%" PRIx64 "\t%zu\t" : "%016" PRIx64 "\t%zu\t", address->offset, number);
  tool_print_name(stdout, frame->function, "\t");
  if (frame->path.size)
    print_path(frame, "");
  printf("\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", frame->line, frame->column, frame->discriminator);
}

static value json_frame(value_arena *arena, const dloc_symbol_frame *frame) {
  value map = {.kind = VALUE_MAP};
  if (frame->function.size)
    value_put_text(arena, &map, "function", frame->function);
  if (frame->path.size && !dloc_path_is_absolute(frame->path) && frame->directory.size)
    value_put_text(arena, &map, "directory", frame->directory);
  if (frame->path.size)
    value_put_text(arena, &map, "file", frame->path);
  value_put_number(arena, &map, "line", frame->line);
  value_put_number(arena, &map, "column", frame->column);
  value_put_number(arena, &map, "discriminator", frame->discriminator);
  return map;
}

static void print_json(const symbolize_address *address, const char *source, const symbolize_frames *frames) {
  value_arena arena = {0};
  value map = {.kind = VALUE_MAP}, list = {.kind = VALUE_LIST};
  char text[32];
  snprintf(text, sizeof text, "0x%" PRIx64, address->offset);
  if (address->kernel.size)
    value_put_text(&arena, &map, "kernel", address->kernel);
  value_put_text(&arena, &map, "address", dloc_text_of(text));
  if (source)
    value_put_text(&arena, &map, "source", dloc_text_of(source));
  for (size_t i = 0; i < frames->count; i++)
    value_add(&arena, &list, json_frame(&arena, &frames->items[i]));
  value_put_value(&arena, &map, "frames", list);
  if (value_write_json(&map, tool_file_sink(stdout)) == DLOC_OK) /* otherwise main reports it for standard output */
    putchar('\n');
  value_arena_deinit(&arena);
}

/* source: whose answer it is, when several are printed; else NULL. */
static void print_answer(const request *r, const symbolize_address *address, const char *source,
                         const symbolize_frames *frames) {
  const dloc_symbol_frame none = {.line = 0};
  size_t count = frames->count ? frames->count : 1;
  if (r->json) {
    print_json(address, source, frames);
    return;
  }
  if (source && !r->tsv)
    printf("%.*s%s0x%" PRIx64 " by %s:\n", (int)address->kernel.size, address->kernel.bytes,
           address->kernel.size ? "+" : "", address->offset, source);
  for (size_t i = 0; i < count; i++)
    if (r->tsv)
      print_tsv(address, i, frames->count ? &frames->items[i] : &none);
    else
      print_text(frames->count ? &frames->items[i] : &none);
  if (!r->tsv)
    putchar('\n');
}

/* ---- Answers ---- */

static bool same_frame(const dloc_symbol_frame *a, const dloc_symbol_frame *b) {
  return dloc_text_equal(a->function, b->function) && dloc_text_equal(a->path, b->path) && a->line == b->line &&
         a->column == b->column;
}

static bool same_frames(const symbolize_frames *a, const symbolize_frames *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = same_frame(&a->items[i], &b->items[i]);
  return same;
}

/* Why no source can be asked for an address; NULL: one can. */
static const char *refuse(const session *s, const symbolize_address *address) {
  const char *why = NULL;
  for (size_t i = 0; i < s->count; i++) {
    const answerer *a = &s->answerers[i];
    if (a->source->refuse)
      why = a->source->refuse(a->opened, address);
    else
      why = address->kernel.size ? "only a cubin has kernels" : NULL;
    if (!why)
      return NULL;
  }
  return why;
}

static void symbolize(session *s, const symbolize_address *address) {
  const char *why = refuse(s, address);
  if (why) {
    tool_error("%.*s%s0x%" PRIx64 ": %s", (int)address->kernel.size, address->kernel.bytes,
               address->kernel.size ? "+" : "", address->offset, why);
    s->bad_lines++;
    return;
  }
  symbolize_frames answers[SOURCES] = {{NULL, 0}};
  bool differ = false;
  for (size_t i = 0; i < s->count; i++) {
    s->answerers[i].source->ask(s->answerers[i].opened, address, &answers[i]);
    differ = differ || !same_frames(&answers[0], &answers[i]);
  }
  for (size_t i = 0; i < (differ ? s->count : 1); i++)
    print_answer(s->request, address, differ ? s->answerers[i].source->name : NULL, &answers[i]);
  for (size_t i = 0; i < s->count; i++)
    free(answers[i].items);
  s->differences += differ;
}

/* ---- Addresses ---- */

/* Hexadecimal, behind the name of a kernel and a plus, if there is one, and nothing else. */
static bool read_address(const char *text, symbolize_address *ret) {
  char *end;
  const char *plus = strrchr(text, '+'), *number = plus ? plus + 1 : text;
  number += strncmp(number, "0x", 2) == 0 || strncmp(number, "0X", 2) == 0 ? 2 : 0;
  size_t digits = strspn(number, "0123456789abcdefABCDEF");
  size_t zeros = strspn(number, "0");
  if (!digits || number[digits] || digits - zeros > 16 || plus == text)
    return false;
  *ret = (symbolize_address){{text, plus ? (size_t)(plus - text) : 0}, strtoull(number + zeros, &end, 16)};
  return true;
}

static void symbolize_line(session *s, char *line, size_t number) {
  symbolize_address address;
  line += strspn(line, " \t");
  line[strcspn(line, " \t\r\n")] = '\0';
  if (read_address(line, &address)) {
    symbolize(s, &address);
  } else if (line[0]) {
    s->bad_lines++;
    tool_error("standard input, line %zu: '%.60s' is no address", number, line);
  }
}

/* Answers go out when input stops, so that a program can ask one by one. */
static void symbolize_input(session *s) {
  char *line = NULL;
  size_t room = 0;
  for (size_t number = 1; getline(&line, &room, stdin) >= 0; number++) {
    symbolize_line(s, line, number);
    (void)fflush(stdout);
  }
  free(line);
}

/* ---- Command ---- */

static void check_source(const char *name) {
  for (size_t i = 0; i < SOURCES; i++)
    if (strcmp(name, sources[i]->name) == 0)
      return;
  tool_fail("'%.60s' is no source: dies, two-level, nvidia, rows or made", name);
}

/* Each source that the file has, or the first. */
static void open_sources(session *s, const char *path) {
  const request *r = s->request;
  for (size_t i = 0; i < SOURCES && (r->compare || !s->count); i++) {
    bool unasked = sources[i] == &symbolize_made || (r->compare && sources[i] == &symbolize_rows);
    if (r->source ? strcmp(r->source, sources[i]->name) != 0 : unasked)
      continue;
    answerer *a = &s->answerers[s->count];
    *a = (answerer){.source = sources[i], .file = line_file_open(path, &r->profile)};
    a->opened = a->source->open(&a->file);
    if (a->opened) {
      s->count++;
    } else {
      int of_file = line_file_close(&a->file);
      s->status = of_file > s->status ? of_file : s->status;
    }
  }
  if (!s->count)
    tool_fail("%s: there is nothing that tells of %s", path, r->source ? r->source : "lines or functions");
  if (r->compare && s->count < 2)
    tool_error("%s: there is one source alone, %s: nothing is compared", path, s->answerers[0].source->name);
}

static int close_sources(session *s) {
  int status = s->bad_lines ? TOOL_UNUSABLE : s->differences ? TOOL_VIOLATION : s->status;
  for (size_t i = 0; i < s->count; i++) {
    answerer *a = &s->answerers[i];
    a->source->close(a->opened);
    int of_file = line_file_close(&a->file);
    status = of_file > status ? of_file : status;
  }
  return status;
}

int tool_symbolize(int argc, char **argv) {
  request r = {.source = NULL};
  session s = {.request = &r};
  const tool_option options[] = {
      {TOOL_FLAG, "compare", NULL, "ask every source that the file has, and show where they differ", &r.compare},
      {TOOL_TEXT, "source", "NAME",
       "ask this one alone: dies, two-level, nvidia, rows, or made: of a two-level table that is made", &r.source},
      {TOOL_FLAG, "tsv", NULL, "a frame a line: address, number, function, path, line, column, discriminator", &r.tsv},
      {TOOL_FLAG, "json", NULL, "an address a line, as JSON", &r.json},
      TOOL_PROFILE_OPTIONS(&r.profile),
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  symbolize_address address;
  for (int i = 1; i < count; i++)
    if (!read_address(argv[i], &address))
      tool_fail("'%.60s' is no address", argv[i]);
  if (r.source)
    check_source(r.source);
  open_sources(&s, argv[0]);
  for (int i = 1; i < count; i++)
    if (read_address(argv[i], &address))
      symbolize(&s, &address);
  if (count == 1)
    symbolize_input(&s);
  return close_sources(&s);
}
