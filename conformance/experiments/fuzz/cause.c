/* cause.c - what a difference is about, so that reducing it does not slip to another one.
 *
 * A cause is the operation, both outcomes, and the place in the answers where they differ first: which part of which
 * node, and by what references the answer leads there. Numbers and names do not count, nor how often a reference is
 * followed (a shorter chain is the same place). */
#include "fuzz.h"

#include "document/memory.h"
#include "nodes/try.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places in answers ---- */

/* The same in every run, as causes are compared; nothing is looked up by it. */
static uint64_t mix(uint64_t hash, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return hash * UINT64_C(0x9e3779b97f4a7c15);
}

/* "!3 = ...": what is behind the equals sign; NULL when the line is no node's. */
static const char *node_in(const char *line) {
  const char *p = line + (*line == '!');
  size_t digits = strspn(p, "0123456789");
  return *line == '!' && digits && strncmp(p + digits, " = ", 3) == 0 ? p + digits + 3 : NULL;
}

/* The first reference to each node by its number, where it stands before a line. A text of some size has no number
 * beyond that: an answer's nodes are numbered from 0. */
typedef struct references {
  const char **first;
  size_t count;
} references;

/* The number behind `!`, or SIZE_MAX; where it ends. */
static size_t number_at(const char *p, const char **ret_end) {
  size_t number = 0;
  const char *digit = p + 1;
  for (; isdigit((unsigned char)*digit); digit++)
    number = number < SIZE_MAX / 20 ? number * 10 + (size_t)(*digit - '0') : SIZE_MAX / 20;
  *ret_end = digit;
  return digit > p + 1 ? number : SIZE_MAX;
}

static references references_before(const char *text, const char *line) {
  references r = {.count = (size_t)(line - text) + 1};
  r.first = memory_allocate(r.count, sizeof *r.first);
  for (const char *p = text; p < line && (p = memchr(p, '!', (size_t)(line - p))); p++) {
    const char *end;
    size_t number = number_at(p, &end);
    if (number < r.count && !r.first[number] && strncmp(end, " = ", 3) != 0)
      r.first[number] = p;
  }
  return r;
}

/* The first reference to the node of a line, which stands in a line before; NULL for a root's own line. */
static const char *referrer(const references *r, const char *line) {
  const char *end, *found;
  size_t number = number_at(line, &end);
  found = number < r->count ? r->first[number] : NULL;
  return found && found < line ? found : NULL;
}

static const char *start_of(const char *text, const char *p) {
  while (p > text && p[-1] != '\n')
    p--;
  return p;
}

/* The word before a reference: the field that it is in; "," in a tuple. Size 0: a composite's primary is no step. */
static dloc_text field_of(const char *line, const char *reference) {
  const char *end = reference;
  while (end > line && (end[-1] == ' ' || end[-1] == ':'))
    end--;
  const char *start = end;
  while (start > line && isalpha((unsigned char)start[-1]))
    start--;
  return start == end && end > line && end[-1] == ',' ? (dloc_text){end - 1, 1}
                                                      : (dloc_text){start, (size_t)(end - start)};
}

/* The fields on the way from the root to a line. */
static uint64_t mix_way(uint64_t hash, const char *text, const char *line) {
  dloc_text last = {"", 0};
  const references r = references_before(text, line);
  const char *reference = NULL;
  while (node_in(line) && (reference = referrer(&r, line))) {
    line = start_of(text, reference);
    dloc_text field = field_of(line, reference);
    if (field.size && !dloc_text_equal(field, last))
      hash = mix(hash, field.bytes, field.size);
    last = field.size ? field : last;
  }
  free(r.first);
  if (node_in(line))
    return hash;
  line += strspn(line, " ");
  return mix(hash, line, strcspn(line, " :\n0123456789"));
}

/* "key: value" at p: the size up to the next one, or to the end of the line. */
static size_t part_size(const char *p) {
  size_t size = 0;
  for (bool quoted = false; p[size] && p[size] != '\n' && (quoted || p[size] != ','); size++)
    quoted ^= p[size] == '"';
  return size + (p[size] == ',') + (p[size] == ',' && p[size + 1] == ' ');
}

/* The fields in which two nodes of one class differ. */
static uint64_t mix_fields(uint64_t hash, const char *x, const char *y) {
  while (*x && *x != '\n' && *y && *y != '\n') {
    size_t m = part_size(x), n = part_size(y), key = strcspn(x, ":,\n"), other = strcspn(y, ":,\n");
    bool same_key = key == other && memcmp(x, y, key) == 0;
    if (m != n || memcmp(x, y, m) != 0)
      hash = mix(hash, x, same_key ? key : 0);
    if (!same_key)
      return hash;
    x += m;
    y += n;
  }
  return mix(hash, *x && *x != '\n' ? "more" : *y && *y != '\n' ? "fewer" : "", 1);
}

/* The difference between two lines at the same place. */
static uint64_t mix_difference(uint64_t hash, const char *x, const char *y) {
  const char *a = node_in(x), *b = node_in(y);
  if (!a || !b)
    return mix(hash, "line", 4);
  size_t m = strcspn(a, "({\n"), n = strcspn(b, "({\n");
  if (m != n || memcmp(a, b, m) != 0)
    return mix(hash, "class", 5);
  if (a[m] == '(')
    return mix_fields(hash, a + m + 1, b + n + 1);
  size_t of_a = strcspn(a, "\n"), of_b = strcspn(b, "\n");
  return mix(hash, of_a < of_b ? "fewer" : of_a > of_b ? "more" : "other", 4);
}

static bool same_line(const char *x, const char *y) {
  size_t m = strcspn(x, "\n"), n = strcspn(y, "\n");
  bool references = !node_in(x) && !node_in(y) && memchr(x, '!', m) && memchr(y, '!', n);
  return references || (m == n && memcmp(x, y, m) == 0);
}

static uint64_t place_of(const run_answer *a, const run_answer *b) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (a->outcome != RUN_OK || b->outcome != RUN_OK)
    return mix(hash, (const char *)b->reasons, sizeof b->reasons);
  const char *x = a->text, *y = b->text;
  while (*x && *y && same_line(x, y)) {
    x += strcspn(x, "\n");
    y += strcspn(y, "\n");
    x += *x == '\n';
    y += *y == '\n';
  }
  return mix_difference(mix_way(mix_way(hash, a->text, x), b->text, y), x, y);
}

/* ---- Causes ---- */

fuzz_cause fuzz_cause_of(const vector *v, const run_answer *a, const run_answer *b) {
  return (fuzz_cause){v->op, a->outcome, b->outcome, place_of(a, b)};
}

bool fuzz_cause_equal(const fuzz_cause *a, const fuzz_cause *b) {
  return a->op == b->op && a->a == b->a && a->b == b->b && a->place == b->place;
}

static void note_clause(void *user, dloc_clause clause, const char *decision) {
  fuzz_clauses *clauses = user;
  (void)decision;
  clauses->bits[clause / 64] |= UINT64_C(1) << clause % 64;
}

dloc_status fuzz_find_clauses(completer *c, const vector *v, const dloc_profile *profile, fuzz_clauses *ret) {
  OWNED(vector_case_deinit) vector_case built = {.module = NULL};
  vector_answer answer;
  const dloc_trace trace = {note_clause, ret};
  *ret = (fuzz_clauses){{0}};
  dloc_context_reset(c->context);
  TRY(vector_build(v, c->context, &c->arena, &built));
  return built.rejected ? DLOC_OK : vector_ask(v, &built, profile, &c->arena, &trace, &answer);
}

bool fuzz_has_clauses(const fuzz_clauses *all, const fuzz_clauses *wanted) {
  for (size_t i = 0; i < sizeof all->bits / sizeof *all->bits; i++)
    if (wanted->bits[i] & ~all->bits[i])
      return false;
  return true;
}
