/* list.c - `dloc list`: one line a vector. */
#include "vectors.h"

static const tool_usage usage = {
    "dloc list [OPTION...] PATH...",
    "Print a line for each vector: id, operation, level, clauses and note, separated by tabs.\n",
    "dloc list --clause merge.empty.composite vectors/\ndloc list --op verify --ids vectors/\n", 1, -1};

typedef struct filter {
  const char *clause; /* NULL: any */
  const char *op;
  dloc_clause clause_id;
  vector_op wanted;
  bool ids;
  bool digests;
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

static void check_filter(filter *f) {
  if (f->clause && !dloc_clause_find(dloc_text_of(f->clause), &f->clause_id))
    tool_fail("no clause is named '%s'", f->clause);
  if (f->op)
    f->wanted = vectors_find_op(f->op);
}

int tool_list_vectors(int argc, char **argv) {
  filter f = {.clause = NULL};
  const tool_option options[] = {{TOOL_TEXT, "clause", "ANCHOR", "vectors of this clause only", &f.clause},
                                 {TOOL_TEXT, "op", "OP", "vectors of this operation only", &f.op},
                                 {TOOL_FLAG, "ids", NULL, "print ids only", &f.ids},
                                 {TOOL_FLAG, "digests", NULL, "print ids and digests, as in RELEASED", &f.digests},
                                 {0}};
  int count = tool_parse(argc, argv, &usage, options);
  check_filter(&f);
  vectors v;
  vectors_open(&v, (const char *const *)argv, (size_t)count);
  while (vectors_next(&v))
    if (is_wanted(&f, &v.vector))
      print_vector(&f, &v.vector);
  vectors_close(&v);
  return v.status;
}
