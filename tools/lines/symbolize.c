/* dloc symbolize: the functions and places of addresses. */
#include "help/symbolize.h"
#include "symbolize.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In this order they are asked. */
static const symbolize_source *const sources[] = {&symbolize_dies, &symbolize_two_level, &symbolize_nvidia,
                                                  &symbolize_made, &symbolize_rows};
enum { SOURCES = sizeof sources / sizeof *sources };

typedef struct request {
  dloc_profile profile;
  const char *source;
  const char *base_text;
  uint64_t base;
  bool compare, no_layers, perf, mangled;
  bool tsv, json;
} request;

typedef struct answerer {
  const symbolize_source *source;
  line_file file;
  void *opened;
} answerer;

typedef struct session {
  const request *request;
  tool_input input; /* each reader of it has its own state, so there is a file of it for each */
  answerer answerers[SOURCES];
  size_t count;
  size_t differences, bad_lines; /* bad: what cannot be asked for, too */
  uint64_t nowhere;              /* samples of which nothing is known */
  int status;                    /* of sources that could not be opened */
  dloc_symbolizer *layers;       /* NULL: they are not asked for, or a source knows them */
  answerer own;                  /* whose layers they are */
  dloc_buffer text, name;        /* of an answer, and of a function in it */
} session;

/* Any file that is open, for what is the same in all of them. */
static line_file *file_of(session *s) { return s->count ? &s->answerers[0].file : &s->own.file; }

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

enum { MOST_SECTIONS = 8 };

/* A name that an address could have in front. */
static const char *refuse_bare(const dloc_text *sections, size_t count) {
  static char message[1 << 10];
  size_t size = (size_t)snprintf(message, sizeof message,
                                 "code is in %zu sections: ask for SECTION+OFFSET or FUNCTION+OFFSET:", count);
  for (size_t i = 0; i < count && i < MOST_SECTIONS; i++)
    size += (size_t)snprintf(message + size, sizeof message - size, "%s %.100s", i ? "," : "", sections[i].bytes);
  snprintf(message + size, sizeof message - size, "%s", count > MOST_SECTIONS ? ", ..." : "");
  return message;
}

/* The address in the file for one behind a name. Returns why there is none; NULL: there is one. */
static const char *resolve(session *s, symbolize_address *address) {
  line_file *file = file_of(s);
  uint64_t from = 0;
  size_t count;
  const dloc_text *sections = dloc_object_code_sections(file->object, &count);
  if (!address->name.size)
    return count > 1 ? refuse_bare(sections, count) : NULL;
  if (dloc_line_dialect_of(file->kind) == DLOC_DIALECT_NVIDIA) {
    address->kernel = address->name;
    return NULL;
  }
  count = dloc_object_named(file->object, address->name, &from);
  address->offset += from;
  return count == 0 ? "no function or section of code has that name" : count > 1 ? "several have that name" : NULL;
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

/* The address in the file for one of a process. */
static void apply_base(session *s, symbolize_address *address) {
  if (s->request->base_text && !address->name.size)
    address->offset += dloc_object_base(file_of(s)->object) - s->request->base;
}

static void add_layers(session *s, const symbolize_frames *answers, symbolize_answer *answer) {
  dloc_symbol symbol = {.layers = NULL};
  if (s->layers && !answer->address->kernel.size)
    tool_require(dloc_symbolizer_ask(s->layers, answer->address->offset, &symbol), file_of(s)->input.name);
  answer->layers = symbol.layers;
  answer->layer_count = symbol.layer_count;
  for (size_t i = 0; i < s->count && !s->request->no_layers; i++)
    if (answers[i].layer_count) {
      answer->layers = answers[i].layers;
      answer->layer_count = answers[i].layer_count;
    }
}

/* count: of samples, or 0. */
static void symbolize(session *s, symbolize_address *address, uint64_t count) {
  const request *r = s->request;
  const char *why = resolve(s, address);
  if (!why)
    why = refuse(s, address);
  if (why) {
    tool_error("%.*s%s0x%" PRIx64 ": %s", (int)address->name.size, address->name.bytes, address->name.size ? "+" : "",
               address->shown, why);
    s->bad_lines++;
    return;
  }
  symbolize_frames answers[SOURCES] = {{.items = NULL}};
  bool differ = false;
  for (size_t i = 0; i < s->count; i++) {
    s->answerers[i].source->ask(s->answerers[i].opened, address, &answers[i]);
    differ = differ || (i && !same_frames(&answers[0], &answers[i]));
  }
  for (size_t i = 0; i < (differ ? s->count : 1); i++) {
    symbolize_answer answer = {.address = address,
                               .source = differ ? s->answerers[i].source->name : NULL,
                               .count = count,
                               .frames = &answers[i],
                               .name = r->mangled ? NULL : &s->name};
    if (!differ || i + 1 == s->count)
      add_layers(s, answers, &answer);
    s->nowhere += answers[0].count || answer.layer_count ? 0 : count;
    symbolize_print(r->json ? SYMBOLIZE_JSON : r->tsv ? SYMBOLIZE_TSV : SYMBOLIZE_TEXT, &answer, &s->text);
  }
  s->differences += differ;
}

/* ---- Addresses ---- */

static void take_line(void *user, size_t number, const char *text, symbolize_address *address) {
  session *s = user;
  if (address) {
    apply_base(s, address);
    symbolize(s, address, 0);
    return;
  }
  s->bad_lines++;
  if (text)
    tool_error("standard input, line %zu: '%.60s' is no address", number, text);
  else
    tool_error("standard input, line %zu: there is a NUL byte", number);
}

static void symbolize_input(session *s) {
  size_t line = 0;
  int error = symbolize_read_addresses(STDIN_FILENO, take_line, s, &line);
  if (error)
    tool_fail("cannot read standard input: %s", strerror(error));
  if (line)
    tool_fail("standard input, line %zu: more than %d bytes", line, SYMBOLIZE_MOST_LINE);
}

static void symbolize_perf(session *s, const char *path) {
  const dloc_object *object = file_of(s)->object;
  const uint64_t *base = s->request->base_text ? &s->request->base : NULL;
  symbolize_samples samples = symbolize_read_perf(stdin, path, object, base);
  tool_stdin_ended();
  uint64_t all = 0;
  for (size_t i = 0; i < samples.count; i++) {
    all += samples.items[i].count;
    const uint64_t address = samples.items[i].address;
    symbolize(s, &(symbolize_address){.offset = address, .shown = address}, samples.items[i].count);
  }
  if (samples.bad_lines)
    tool_error("standard input: %zu line%s that `perf script` does not print so", samples.bad_lines,
               samples.bad_lines == 1 ? "" : "s");
  if (s->nowhere)
    tool_error("nothing is known of the addresses of %" PRIu64 " sample%s%s", s->nowhere, s->nowhere == 1 ? "" : "s",
               s->nowhere < all ? ""
                                : "; `perf script --show-mmap-events`, or --base, tells where the file was loaded");
  s->bad_lines += samples.bad_lines;
  free(samples.items);
}

/* ---- Command ---- */

static void check_source(const char *name) {
  for (size_t i = 0; i < SOURCES; i++)
    if (strcmp(name, sources[i]->name) == 0)
      return;
  tool_fail("'%.60s' is no source: dies, two-level, nvidia, rows or made", name);
}

static bool has_layers(const dloc_symbolizer *symbolizer) {
  size_t count;
  (void)dloc_layer_lines_kinds(dloc_symbolizer_layers(symbolizer), &count);
  return count > 0;
}

static line_file open_again(const session *s) {
  tool_input input = tool_input_lend(&s->input);
  line_file file = line_file_of(&input, &s->request->profile);
  tool_require(dloc_object_lay_out(file.object), file.input.name);
  return file;
}

/* Layers, where no source knows them. */
static void open_layers(session *s) {
  bool known = s->request->no_layers;
  for (size_t i = 0; i < s->count; i++)
    known = known || s->answerers[i].source->knows_layers;
  if (known)
    return;
  s->own.file = open_again(s);
  s->own.opened = s->layers = symbolize_open(&s->own.file, DLOC_SYMBOLIZE_LAYERS);
  if (!has_layers(s->layers))
    s->layers = NULL;
}

/* Each source that the file has, or the first. */
static void open_sources(session *s, const char *path) {
  const request *r = s->request;
  s->input = tool_input_required(path);
  for (size_t i = 0; i < SOURCES && (r->compare || !s->count); i++) {
    bool unasked = sources[i] == &symbolize_made || (r->compare && sources[i] == &symbolize_rows);
    if (r->source ? strcmp(r->source, sources[i]->name) != 0 : unasked)
      continue;
    answerer *a = &s->answerers[s->count];
    *a = (answerer){.source = sources[i], .file = open_again(s)};
    a->opened = a->source->open(&a->file);
    if (a->opened) {
      s->count++;
    } else {
      int of_file = line_file_close(&a->file);
      s->status = of_file > s->status ? of_file : s->status;
    }
  }
  open_layers(s);
  if (!s->count && !s->layers) {
    line_file file = open_again(s);
    line_file_tell_elsewhere(&file);
  }
  if (!s->count && (r->source || !s->layers))
    tool_fail("%s: there is nothing that tells of %s", path, r->source ? r->source : "lines or functions");
  if (s->count && r->compare && s->count < 2)
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
  if (s->own.opened) {
    dloc_symbolizer_close(s->own.opened);
    int of_file = line_file_close(&s->own.file);
    status = of_file > status ? of_file : status;
  }
  tool_input_close(&s->input);
  dloc_buffer_deinit(&s->text);
  dloc_buffer_deinit(&s->name);
  return status;
}

static void read_base(request *r) {
  symbolize_address base;
  if (!r->base_text)
    return;
  if (!symbolize_read_address(r->base_text, &base) || base.name.size)
    tool_fail("'%.60s' is no address", r->base_text);
  r->base = base.offset;
}

int tool_symbolize(int argc, char **argv) {
  request r = {.source = NULL};
  session s = {.request = &r};
  const tool_option options[] = {
      {TOOL_FLAG, "compare", NULL, &r.compare},
      {TOOL_TEXT, "from", NULL, &r.source},
      {TOOL_TEXT, "base", NULL, &r.base_text},
      {TOOL_FLAG, "perf", NULL, &r.perf},
      {TOOL_FLAG, "no-layers", NULL, &r.no_layers},
      {TOOL_FLAG, "no-demangle", NULL, &r.mangled},
      {TOOL_FLAG, "tsv", "a frame a line: address, number, function, path, line, column, discriminator", &r.tsv},
      {TOOL_FLAG, "json", NULL, &r.json},
      TOOL_PROFILE_OPTIONS(&r.profile),
      {0}};
  int count = tool_parse(argc, argv, &symbolize_usage, options);
  symbolize_address address;
  for (int i = 1; i < count; i++)
    if (!symbolize_read_address(argv[i], &address))
      tool_fail("'%.60s' is no address", argv[i]);
  if (r.source)
    check_source(r.source);
  read_base(&r);
  if (r.perf && count > 1)
    tool_fail("with --perf, addresses come from standard input");
  open_sources(&s, argv[0]);
  for (int i = 1; i < count; i++)
    if (symbolize_read_address(argv[i], &address)) {
      apply_base(&s, &address);
      symbolize(&s, &address, 0);
    }
  if (r.perf)
    symbolize_perf(&s, argv[0]);
  else if (count == 1)
    symbolize_input(&s);
  return close_sources(&s);
}
