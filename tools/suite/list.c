/* list.c - `dloc list`: one line a vector. */
#include "help/list.h"
#include "shell/vectors.h"

#include <string.h>

typedef struct filter {
  const char *clause; /* NULL: any */
  const char *op;
  const char *choice; /* CHOICE or CHOICE=ALTERNATIVE */
  dloc_choice choice_id;
  dloc_profile chosen; /* takes the alternative */
  const char *reason;
  dloc_reason reason_id;
  dloc_clause clause_id;
  vector_op wanted;
  bool ids;
  bool digests;
  bool json;
} filter;

static bool tests_clause(const filter *f, const vector *v) {
  for (size_t i = 0; i < v->clause_count; i++)
    if (v->clauses[i] == f->clause_id)
      return true;
  return !f->clause;
}

static bool lists_choice(const filter *f, const vector *v) {
  bool is_any = f->choice && !strchr(f->choice, '=');
  for (size_t i = 0; f->choice && i < v->choice_count; i++)
    if (v->choices[i].choice == f->choice_id &&
        (is_any || v->choices[i].alternative == f->chosen.alternative[f->choice_id]))
      return true;
  return !f->choice;
}

static bool is_wanted(const filter *f, const vector *v) {
  if (f->op && v->op != f->wanted)
    return false;
  if (f->reason && !vectors_expects_reason(v, f->reason_id))
    return false;
  return tests_clause(f, v) && lists_choice(f, v);
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
    tool_print_name(stdout, v->note, "");
  }
  putchar('\n');
}

static void note_applied(void *user, dloc_clause clause, const char *decision) {
  bool *applied = user;
  (void)decision;
  applied[clause] = true;
}

/* The clauses that the model applies when it answers under the vector's own profile. `dloc check` tells of vectors
 * that are no case of the op. */
static value list_applied(const vector *v, value_arena *arena) {
  bool applied[DLOC_CLAUSE_COUNT] = {false};
  const dloc_trace steps = {note_applied, applied};
  vector_answer answer;
  value list = {.kind = VALUE_LIST};
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  (void)!vector_evaluate(v, v->since, context, arena, &steps, &answer);
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
  tool_print_json(&map);
}

static dloc_reason find_reason(const char *name) {
  dloc_reason found;
  if (vector_reason_find(dloc_text_of(name), &found))
    return found;
  tool_guess guess = {.wrong = name};
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++)
    tool_guess_offer(&guess, dloc_reason_name((dloc_reason)i));
  tool_fail("no reason is named '%s'%s", name, tool_guess_words(&guess));
}

static void check_filter(filter *f) {
  if (f->clause)
    f->clause_id = tool_clause(f->clause);
  if (f->op)
    f->wanted = vectors_find_op(f->op);
  if (f->choice)
    f->choice_id = tool_choice((dloc_text){f->choice, strcspn(f->choice, "=")});
  if (f->choice && strchr(f->choice, '='))
    tool_choose(f->choice, &f->chosen);
  if (f->reason)
    f->reason_id = find_reason(f->reason);
}

int tool_list_vectors(int argc, char **argv) {
  filter f = {.clause = NULL};
  const tool_option options[] = {
      {TOOL_TEXT, "clause", NULL, &f.clause},
      {TOOL_TEXT, "op", NULL, &f.op},
      {TOOL_TEXT, "choice", "vectors that list this choice, or alternative, only", &f.choice},
      {TOOL_TEXT, "reason", NULL, &f.reason},
      {TOOL_FLAG, "ids", NULL, &f.ids},
      {TOOL_FLAG, "digests", NULL, &f.digests},
      {TOOL_FLAG, "json", NULL, &f.json},
      {0}};
  int count = vectors_operands(tool_parse(argc, argv, &list_usage, options), argv);
  check_filter(&f);
  OWNED(vectors_close) vectors v;
  vectors_open(&v, (const char *const *)argv, (size_t)count);
  while (vectors_next(&v))
    if (is_wanted(&f, &v.vector) && f.json)
      print_json(&v);
    else if (is_wanted(&f, &v.vector))
      print_vector(&f, &v.vector);
  return v.status;
}
