/* gen_lit.c - `dloc gen lit`: tests for lit and FileCheck, from vectors. A file of vectors gives a test file for each
 * of its ops. */
#include "gen.h"
#include "gen_lit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const tool_usage usage = {
    "dloc gen lit [OPTION...] PATH...",
    "Write vectors as tests for LLVM: .ll files with RUN lines for lit and checks for FileCheck, one for each file of "
    "vectors "
    "and way of asking.\n"
    "Takes the vectors with layers or embedded sources that have an expectation under the profile. That is what is "
    "checked, in the order\n"
    "in which LLVM prints metadata; no LLVM is run. Says on stderr how many vectors were left out.\n",
    "dloc gen lit --profile rfc+llvm-19 vectors/merge/n-way.yaml\n"
    "dloc gen lit --profile rfc+llvm-19 -o lit-tests vectors/merge vectors/inline\n",
    1, -1};

typedef struct generator {
  dloc_profile profile;
  const char *op;        /* NULL: every op */
  const char *directory; /* NULL: stdout */
  vectors input;
  value_arena arena;
  const char *path; /* of the vectors in files */
  lit_file files[LIT_RECIPES];
  size_t written, shown;
  size_t inapplicable, unobservable;
} generator;

/* ---- A vector as part of a file ---- */

static void file_deinit(lit_file *f) {
  lit_graph_deinit(&f->graph);
  dloc_buffer *const buffers[] = {&f->runs, &f->body, &f->code, &f->checks, &f->paths};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    dloc_buffer_deinit(buffers[i]);
  *f = (lit_file){.count = 0};
}

static dloc_status file_open(lit_file *f, const lit_recipe *recipe) {
  if (f->graph.context)
    return DLOC_OK;
  *f = (lit_file){.graph = {.own_subprograms = recipe->own_subprograms, .asks_directives = recipe->asks_directives}};
  f->graph.context = dloc_context_create(NULL);
  return f->graph.context ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_text text_of(const dloc_buffer *buffer) { return (dloc_text){buffer->bytes, buffer->size}; }

/* A comment must not end before its line does. */
static dloc_status put_comment(dloc_buffer *text, const vector *v) {
  TRY(lit_put(text, "; %.*s: ", (int)v->id.size, v->id.bytes));
  for (size_t i = 0; i < v->note.size; i++) {
    bool plain = (unsigned char)v->note.bytes[i] >= ' ';
    TRY(lit_put_text(text, plain ? (dloc_text){v->note.bytes + i, 1} : dloc_text_of(" ")));
  }
  TRY(lit_put(text, "\n; Clauses:"));
  for (size_t i = 0; i < v->clause_count; i++)
    TRY(lit_put(text, "%s %s", i ? "," : "", dloc_clause_anchor(v->clauses[i])));
  return lit_put(text, "\n");
}

static dloc_status put_vector(lit_file *f, const vector *v) {
  TRY(lit_put(&f->body, "\n"));
  TRY(put_comment(&f->body, v));
  TRY(lit_put_text(&f->body, text_of(&f->checks)));
  TRY(lit_put_text(&f->body, text_of(&f->code)));
  f->count++;
  return DLOC_OK;
}

static dloc_status add_case(lit_file *f, const lit_recipe *recipe, const lit_case *c, bool *ret_shown) {
  f->code.size = f->checks.size = 0;
  f->graph.vector++;
  *ret_shown = c->vector->op == VECTOR_VERIFY || c->expected->outcome == VECTOR_OK;
  if (*ret_shown)
    TRY(recipe->add(f, c, ret_shown));
  return *ret_shown ? put_vector(f, c->vector) : DLOC_OK;
}

static dloc_status add_vector(generator *g, lit_file *f, const lit_recipe *recipe,
                              const vector_expectation *expectation, bool *ret_shown) {
  const vector *v = &g->input.vector;
  vector_case built;
  vector_answer expected;
  bool rejected = false;
  value_diagnostic diagnostic;
  *ret_shown = false;
  TRY(file_open(f, recipe));
  TRY(vector_build(v, f->graph.context, &g->arena, &built, &rejected, &expected));
  if (rejected)
    return DLOC_OK;
  dloc_status status = vector_expectation_in(v, expectation, &built, &g->arena, &diagnostic, &expected);
  const lit_case c = {v, &built, &expected};
  if (status == DLOC_OK)
    status = add_case(f, recipe, &c, ret_shown);
  vector_case_deinit(&built);
  return status;
}

/* ---- A module ---- */

/* Functions, checks of what is not theirs, and metadata: the nodes' numbers are known from here on. */
static dloc_status write_module(lit_file *f, const lit_recipe *recipe, dloc_text functions, dloc_buffer *ret) {
  dloc_buffer marked = {NULL, 0, 0};
  dloc_status status = recipe->has_nodes ? lit_number(&f->graph) : DLOC_OK;
  if (status == DLOC_OK)
    status = lit_put_text(&marked, functions);
  if (status == DLOC_OK && recipe->declarations)
    status = lit_put(&marked, "\n%s", recipe->declarations);
  if (status == DLOC_OK && recipe->checks_paths)
    status = lit_put_paths(f, &marked);
  if (status == DLOC_OK && recipe->checks_metadata)
    status = lit_put_metadata(&f->graph, &marked, LIT_OUTPUT);
  if (status == DLOC_OK && recipe->has_nodes)
    status = lit_put_metadata(&f->graph, &marked, LIT_INPUT);
  if (status == DLOC_OK)
    status = lit_render(&f->graph, &marked, dloc_buffer_sink(ret));
  dloc_buffer_deinit(&marked);
  return status;
}

/* LLVM drops the debug info of a module with a violation; then the vector cannot be shown. */
static dloc_status check_module(const generator *g, dloc_text text, bool *ret_valid) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_verdict verdict = {0, 0};
  dloc_status status = context ? dloc_read_ll(context, text, &diagnostic, &module) : DLOC_NO_MEMORY;
  if (status == DLOC_OK)
    status = dloc_verify(module, &g->profile, NULL, NULL, &verdict);
  *ret_valid = status == DLOC_OK && verdict.soft + verdict.hard == 0;
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status == DLOC_INVALID ? DLOC_OK : status;
}

/* A part of a file for split-file, which is complete already. */
static dloc_status put_part(generator *g, lit_file *f, const lit_file *alone, dloc_text module) {
  const vector *v = &g->input.vector;
  TRY(lit_put_text(&f->runs, text_of(&alone->runs)));
  TRY(lit_put(&f->body, "\n;--- %.*s.ll", (int)v->id.size, v->id.bytes));
  f->count++;
  return lit_put_text(&f->body, module);
}

static dloc_status take_alone(generator *g, unsigned index, const vector_expectation *expectation, lit_file *alone,
                              dloc_buffer *module, bool *ret_shown) {
  const lit_recipe *recipe = &lit_recipes[index];
  TRY(add_vector(g, alone, recipe, expectation, ret_shown));
  if (*ret_shown)
    TRY(write_module(alone, recipe, text_of(&alone->body), module));
  if (*ret_shown && recipe->has_nodes)
    TRY(check_module(g, text_of(module), ret_shown));
  return *ret_shown && recipe->is_split ? put_part(g, &g->files[index], alone, text_of(module)) : DLOC_OK;
}

/* First as a module of its own. */
static dloc_status show_vector(generator *g, unsigned index, const vector_expectation *expectation, bool *ret_shown) {
  lit_file alone = {.count = 0};
  dloc_buffer module = {NULL, 0, 0};
  dloc_status status = take_alone(g, index, expectation, &alone, &module, ret_shown);
  dloc_buffer_deinit(&module);
  file_deinit(&alone);
  if (status == DLOC_OK && *ret_shown && !lit_recipes[index].is_split)
    status = add_vector(g, &g->files[index], &lit_recipes[index], expectation, ret_shown);
  return status;
}

/* Of a vector that people are to read. Nodes are walked by recursion, and ids become names. */
enum { MOST_NODES = 4096, LONGEST_ID = 128 };

static bool is_readable(const vector *v) {
  return (!v->nodes || v->nodes->count <= MOST_NODES) && v->id.size <= LONGEST_ID;
}

/* Needs layers, or embeds sources. */
static bool is_of_interest(const vector *v) {
  const value *named = v->module ? value_get(v->module, "named") : NULL;
  return v->needs & 1u << VECTOR_NEED_LAYERS || (named && value_get(named, "llvm.intermediate_level_source"));
}

static dloc_status take_vector(generator *g) {
  const vector *v = &g->input.vector;
  unsigned index = lit_recipe_for(v);
  const vector_expectation *expectation = vector_expectation_for(v, &g->profile);
  bool shown = false;
  if (!is_of_interest(v) || (g->op && strcmp(g->op, vector_op_name(v->op)) != 0))
    return DLOC_OK;
  if (!expectation) {
    g->inapplicable++;
    return DLOC_OK;
  }
  value_arena_reset(&g->arena);
  if (index < LIT_RECIPES && is_readable(v))
    TRY(show_vector(g, index, expectation, &shown));
  g->shown += shown;
  g->unobservable += !shown;
  return DLOC_OK;
}

/* ---- Where it goes ---- */

/* The last part of a path, without what ends it from the last dot on; the path goes on before it. */
static dloc_text take_part(dloc_text *path) {
  size_t start = path->size, end;
  while (start > 0 && path->bytes[start - 1] != '/')
    start--;
  for (end = path->size; end > start && path->bytes[end - 1] != '.';)
    end--;
  dloc_text part = {path->bytes + start, (end > start ? end - 1 : path->size) - start};
  path->size = start > 0 ? start - 1 : 0;
  return part;
}

/* FOLDER-FILE[-NAME].ll: vectors/merge/n-way.yaml gives merge-n-way.ll. */
static bool file_path(const generator *g, const char *name, char *ret, size_t size) {
  dloc_text rest = dloc_text_of(g->path);
  dloc_text file = take_part(&rest), folder = take_part(&rest);
  bool named = dloc_text_equal(folder, dloc_text_of(name));
  if (dloc_text_equal(folder, file))
    folder.size = 0;
  int length = snprintf(ret, size, "%s/%.*s%s%.*s%s%s.ll", g->directory, (int)folder.size, folder.bytes,
                        folder.size ? "-" : "", (int)file.size, file.bytes, named ? "" : "-", named ? "" : name);
  return length > 0 && (size_t)length < size;
}

static dloc_status put_file(generator *g, unsigned index, dloc_sink sink) {
  lit_file *f = &g->files[index];
  const lit_recipe *recipe = &lit_recipes[index];
  dloc_buffer text = {NULL, 0, 0};
  dloc_status status = lit_put(&text, "; Generated by: dloc gen lit --profile %s ", g->profile.name);
  const dloc_text head[] = {dloc_text_of(g->path), dloc_text_of("\n"), dloc_text_of(recipe->runs), text_of(&f->runs)};
  for (size_t i = 0; status == DLOC_OK && i < sizeof head / sizeof *head; i++)
    status = lit_put_text(&text, head[i]);
  if (status == DLOC_OK)
    status =
        recipe->is_split ? lit_put_text(&text, text_of(&f->body)) : write_module(f, recipe, text_of(&f->body), &text);
  if (status == DLOC_OK && !sink.write(sink.user, text.bytes, text.size))
    status = DLOC_STOPPED;
  dloc_buffer_deinit(&text);
  return status;
}

static dloc_status write_file(generator *g, unsigned index) {
  char path[4096];
  tool_output output;
  if (g->directory && !file_path(g, lit_recipes[index].name, path, sizeof path))
    return DLOC_LIMIT;
  if (!tool_output_open(g->directory ? path : NULL, &output)) {
    g->input.status = TOOL_UNUSABLE;
    return DLOC_OK;
  }
  dloc_status status = put_file(g, index, tool_file_sink(output.file));
  if (!tool_output_close(&output, status == DLOC_OK))
    g->input.status = TOOL_UNUSABLE;
  g->written++;
  return status;
}

/* The vectors of a file are complete. */
static dloc_status write_files(generator *g) {
  dloc_status status = DLOC_OK;
  for (unsigned i = 0; i < LIT_RECIPES; i++) {
    if (g->files[i].count > 0 && status == DLOC_OK)
      status = write_file(g, i);
    file_deinit(&g->files[i]);
  }
  return status;
}

static dloc_status generate(generator *g) {
  dloc_status status = DLOC_OK;
  while (status == DLOC_OK && vectors_next(&g->input)) {
    if (g->path != g->input.path)
      status = write_files(g);
    g->path = g->input.path;
    if (status == DLOC_OK)
      status = take_vector(g);
  }
  dloc_status last = write_files(g);
  return status == DLOC_OK ? last : status;
}

static int run(generator *g, const char *const *paths, size_t count) {
  int status = vectors_open(&g->input, paths, count);
  if (status != TOOL_CONTINUE)
    return status;
  value_arena_init(&g->arena, NULL);
  dloc_status done = generate(g);
  value_arena_deinit(&g->arena);
  status = done == DLOC_OK || (done == DLOC_STOPPED && ferror(stdout)) ? g->input.status : tool_failure(done, g->path);
  fprintf(
      stderr,
      "dloc: %zu vectors in %zu test files; of others about layers, %zu do not apply to %s, and %zu cannot be shown "
      "with LLVM's tools\n",
      g->shown, g->written, g->inapplicable, g->profile.name, g->unobservable);
  vectors_close(&g->input);
  return status;
}

static bool is_op(const char *name) {
  for (int op = 0; op < VECTOR_OP_COUNT; op++)
    if (strcmp(name, vector_op_name((vector_op)op)) == 0)
      return true;
  tool_error("no operation is named '%s'", name);
  return false;
}

static bool make_directory(const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST)
    return true;
  tool_error("cannot make the directory %s: %s", path, strerror(errno));
  return false;
}

int gen_lit(int argc, char **argv) {
  generator g = {.op = NULL};
  const tool_option options[] = {
      {TOOL_PROFILE, "profile", "NAME", "the rules: rfc (default), rfc+llvm-19, pr205453, ...", &g.profile},
      {TOOL_TEXT, "op", "OP", "vectors of this operation only", &g.op},
      {TOOL_TEXT, "o", "DIR", "write files into this directory instead of to stdout", &g.directory},
      {0, NULL, NULL, NULL, NULL}};
  int count = 0;
  int status = tool_parse(argc, argv, &usage, options, &count);
  if (status != TOOL_CONTINUE)
    return status;
  if ((g.op && !is_op(g.op)) || (g.directory && !make_directory(g.directory)))
    return TOOL_UNUSABLE;
  return run(&g, (const char *const *)argv, (size_t)count);
}
