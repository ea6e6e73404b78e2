/* list.c - `dloc list`: one line a vector. */
#include "document/memory.h"
#include "vectors.h"

static const tool_usage usage = {
    "dloc list [OPTION...] [PATH...]",
    "Print a line for each vector: id, operation, level, clauses and note, separated by tabs.\n",
    "dloc list --clause merge.empty.composite vectors/\ndloc list --op verify --ids vectors/\n", 0, -1};

typedef struct filter {
  const char *clause; /* NULL: any */
  const char *op;
  dloc_clause clause_id;
  vector_op wanted;
  bool ids;
  bool digests;
  bool json;
} filter;

static bool is_wanted(const filter *f, const vector *v) {
  if (f->op && v->op != f->wanted)
    return false;
  for (size_t i = 0; f->clause && i < v->clause_count; i++)
    if (v->clauses[i] == f->clause_id)
      return true;
  return !f->clause;
}

static void print_text(dloc_text text) { fwrite(text.bytes, 1, text.size, stdout); }

static void print_vector(const filter *f, const vector *v) {
  print_text(v->id);
  if (f->digests) {
    putchar(' ');
    print_text(v->digest);
  } else if (!f->ids) {
    printf("\t%s\t%s\t", vector_op_name(v->op), v->level);
    for (size_t i = 0; i < v->clause_count; i++)
      printf("%s%s", i ? " " : "", dloc_clause_anchor(v->clauses[i]));
    putchar('\t');
    print_text(v->note);
  }
  putchar('\n');
}

static void note_applied(void *user, dloc_clause clause, const char *decision) {
  bool *applied = user;
  (void)decision;
  applied[clause] = true;
}

/* The clauses that the model applies when it answers under the vector's own profile. What is no case of the op is the
 * business of `dloc check`. */
static value list_applied(const vector *v, value_arena *arena) {
  bool applied[DLOC_CLAUSE_COUNT] = {false};
  const dloc_trace steps = {note_applied, applied};
  vector_answer answer;
  value list = {.kind = VALUE_LIST};
  dloc_context *context = memory_context();
  (void)!vector_evaluate(v, v->since, context, arena, &steps, &answer);
  dloc_context_destroy(context);
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (applied[i])
      value_add(arena, &list, value_of_word(arena, dloc_clause_anchor((dloc_clause)i)));
  return list;
}

static void print_json(vectors *v) {
  value map = {.kind = VALUE_MAP}, document;
  vector_canonical(v->vector.document, &v->arena, &document);
  value_put_text(&v->arena, &map, "file", dloc_text_of(v->path));
  value_put_number(&v->arena, &map, "line", value_get(v->vector.document, "id")->line);
  value_put_value(&v->arena, &map, "applied", list_applied(&v->vector, &v->arena));
  value_put_value(&v->arena, &map, "vector", document);
  if (value_write_json(&map, tool_file_sink(stdout)) == DLOC_OK)
    putchar('\n');
}

static void check_filter(filter *f) {
  if (f->clause)
    f->clause_id = tool_clause(f->clause);
  if (f->op)
    f->wanted = vectors_find_op(f->op);
}

int tool_list_vectors(int argc, char **argv) {
  filter f = {.clause = NULL};
  const tool_option options[] = {
      {TOOL_TEXT, "clause", "ANCHOR", "vectors of this clause only", &f.clause},
      {TOOL_TEXT, "op", "OP", "vectors of this operation only", &f.op},
      {TOOL_FLAG, "ids", NULL, "print ids only", &f.ids},
      {TOOL_FLAG, "digests", NULL, "print ids and digests, as in RELEASED", &f.digests},
      {TOOL_FLAG, "json", NULL, "write vectors and the clauses that the model applies", &f.json},
      {0}};
  int count = vectors_operands(tool_parse(argc, argv, &usage, options), argv);
  check_filter(&f);
  vectors v;
  vectors_open(&v, (const char *const *)argv, (size_t)count);
  while (vectors_next(&v))
    if (is_wanted(&f, &v.vector) && f.json)
      print_json(&v);
    else if (is_wanted(&f, &v.vector))
      print_vector(&f, &v.vector);
  vectors_close(&v);
  return v.status;
}
