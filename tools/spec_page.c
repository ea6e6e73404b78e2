/* spec_page.c - SPEC.md as one HTML page. cmark reads the Markdown; what stands behind each clause goes into its tree.
 */
#include "spec_page.h"

#include "vector/mutants.h"
#include "reports/page.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <stdlib.h>
#include <string.h>

/* ---- What stands behind a clause ---- */

typedef struct page {
  const trace *trace;
  const char *report; /* or NULL */
} page;

static void write_vector_name(writer *w, const page *p, const char *id) {
  if (p->report) {
    write_plain(w, "<a href=\"");
    write_html(w, p->report);
    write_plain(w, "#vector-");
    write_html(w, id);
    write_plain(w, "\">");
  }
  write_plain(w, "<code>");
  write_html(w, id);
  write_plain(w, p->report ? "</code></a>" : "</code>");
}

static size_t count_vectors(const trace_clause *c) {
  size_t count = 0;
  for (const trace_link *link = c->vectors; link; link = link->next)
    count++;
  return count;
}

typedef struct mutant_counts {
  size_t all, killed, survived, equivalent;
} mutant_counts;

static mutant_counts count_mutants(const trace_clause *c) {
  mutant_counts counts = {0};
  for (const trace_mutant *m = c->mutants; m; m = m->next) {
    counts.all++;
    counts.killed += strcmp(m->outcome, "killed") == 0;
    counts.equivalent += strcmp(m->outcome, "equivalent") == 0;
  }
  counts.survived = counts.all - counts.killed - counts.equivalent;
  return counts;
}

static record_counts count_results(const trace_clause *c, size_t run) {
  record_counts counts = {0};
  for (const trace_link *link = c->vectors; link; link = link->next)
    if (link->vector->results[run])
      record_count(&counts, link->vector->results[run]);
  return counts;
}

static void write_mutant_summary(writer *w, const trace_clause *c) {
  mutant_counts counts = count_mutants(c);
  if (counts.all == 0)
    write_plain(w, "; <span class=\"known\">no mutant</span>");
  else
    write_format(w, "; %zu mutant%s, <span class=\"%s\">%zu killed, %zu survived</span>", counts.all,
                 plural(counts.all), counts.survived ? "different" : "expected", counts.killed, counts.survived);
  if (counts.equivalent)
    write_format(w, ", %zu equivalent", counts.equivalent);
}

static void write_summary(writer *w, const page *p, const trace_clause *c) {
  size_t vectors = count_vectors(c);
  for (size_t i = 0; i < p->trace->run_count; i++) {
    record_counts counts = count_results(c, i);
    write_plain(w, "<span class=\"counts\" title=\"");
    html_run_name(w, &p->trace->runs[i]);
    write_plain(w, "\">");
    html_counts(w, &counts);
    write_plain(w, "</span>");
  }
  if (c->untestable)
    write_plain(w, "<span class=\"known\">no test can reach it</span>");
  else
    write_format(w, "%zu vector%s", vectors, plural(vectors));
  if (p->trace->has_mutants)
    write_mutant_summary(w, c);
}

/* "operations: merge 5, verify 2": how often each text occurs among the clause's vectors, in the order met. */
static void write_coverage(writer *w, const trace_clause *c, const char *label,
                           const char *(*text_of)(const trace_vector *)) {
  const char *separator = ": ";
  write_plain(w, label);
  for (const trace_link *link = c->vectors; link; link = link->next) {
    const char *text = text_of(link->vector);
    size_t count = 0;
    const trace_link *first = NULL;
    for (const trace_link *other = c->vectors; other; other = other->next)
      if (strcmp(text_of(other->vector), text) == 0) {
        first = first ? first : other;
        count++;
      }
    if (first != link)
      continue;
    write_format(w, "%s%s %zu", separator, text, count);
    separator = ", ";
  }
}

static const char *op_of(const trace_vector *v) { return v->op; }
static const char *level_of(const trace_vector *v) { return v->level; }

/* `llvm-19+layers` alone is the project's own patch; every other name is a release. */
static const char *evidence_of(const trace_vector *v) {
  if (!*v->llvms)
    return "none";
  return strcmp(v->llvms, "llvm-19+layers") == 0 ? "an LLVM with layers" : "a release";
}

static void write_result(writer *w, const record_result *result) {
  if (result)
    write_format(w, "<td class=\"%s\">%s %s</td>", html_verdict_class(result), html_verdict_sign(result),
                 record_verdict_name(result->verdict));
  else
    write_plain(w, "<td class=\"absent\">not run</td>");
}

static void write_confirmed(writer *w, const char *llvms) {
  write_plain(w, "<td>");
  write_html(w, *llvms ? llvms : "-");
  write_plain(w, "</td>");
}

static void write_vectors(writer *w, const page *p, const trace_clause *c) {
  write_plain(w, "<p>Coverage by vectors: ");
  write_coverage(w, c, "operations", op_of);
  write_coverage(w, c, "; levels", level_of);
  if (p->trace->has_evidence)
    write_coverage(w, c, "; expectations confirmed by", evidence_of);
  if (c->applied)
    write_format(w, "; applied by the model in answering: %zu", c->applied);
  write_plain(w, ".</p>\n<div class=\"scroll\"><table class=\"vectors\"><thead><tr><th scope=\"col\">vector</th>"
                 "<th scope=\"col\">operation</th><th scope=\"col\">level</th>");
  if (p->trace->has_evidence)
    write_plain(w, "<th scope=\"col\">confirmed by</th>");
  for (size_t i = 0; i < p->trace->run_count; i++) {
    write_plain(w, "<th scope=\"col\">");
    html_run_name(w, &p->trace->runs[i]);
    write_plain(w, "</th>");
  }
  write_plain(w, "</tr></thead>\n<tbody>\n");
  for (const trace_link *link = c->vectors; link; link = link->next) {
    write_plain(w, "<tr><td>");
    write_vector_name(w, p, link->vector->id);
    write_format(w, "</td><td>%s</td><td>%s</td>", link->vector->op, link->vector->level);
    if (p->trace->has_evidence)
      write_confirmed(w, link->vector->llvms);
    for (size_t i = 0; i < p->trace->run_count; i++)
      write_result(w, link->vector->results[i]);
    write_plain(w, "</tr>\n");
  }
  write_plain(w, "</tbody></table></div>\n");
}

static void write_mutant(writer *w, const page *p, const trace_mutant *m) {
  write_plain(w, "<li><code>");
  write_html(w, m->name);
  write_plain(w, "</code>: ");
  write_html(w, m->what);
  write_plain(w, "; ");
  write_html(w, m->outcome);
  if (m->noticed_count) {
    write_plain(w, " by ");
    write_vector_name(w, p, m->noticed[0]);
  }
  if (m->noticed_count > 1)
    write_format(w, " and %zu more", m->noticed_count - 1);
  if (m->failed)
    write_plain(w, " <span class=\"different\">(not as the vectors that name it say)</span>");
  write_plain(w, "</li>\n");
}

/* Why a clause has no mutant, where model/mutants.def says so. */
static void write_exemption(writer *w, dloc_clause clause) {
  const char *reason = mutant_exemption(clause);
  if (!reason)
    return;
  write_plain(w, "<p class=\"exempt\">No mutant: ");
  write_html(w, reason);
  write_plain(w, ".</p>\n");
}

static void write_mutants(writer *w, const page *p, const trace_clause *c) {
  if (!c->mutants)
    return;
  write_plain(w, "<p>Mutants: deliberate mistakes in the model's code for this clause.</p>\n<ul class=\"mutants\">\n");
  for (const trace_mutant *m = c->mutants; m; m = m->next)
    write_mutant(w, p, m);
  write_plain(w, "</ul>\n");
}

static void write_clause(writer *w, const page *p, dloc_clause clause) {
  const trace_clause *c = &p->trace->clauses[clause];
  write_format(w, "<details class=\"trace\" data-clause=\"%s\"><summary>", dloc_clause_anchor(clause));
  write_summary(w, p, c);
  write_plain(w, "</summary>\n");
  if (c->untestable) {
    write_plain(w, "<p class=\"untestable\">No test can reach this clause: ");
    write_html(w, c->untestable);
    write_plain(w, "</p>\n");
  }
  if (c->vectors)
    write_vectors(w, p, c);
  write_mutants(w, p, c);
  write_exemption(w, clause);
  write_plain(w, "</details>\n");
}

/* ---- The document ---- */

/* The name in a node that is `code` alone; NULL when it is none. */
static const char *code_of(cmark_node *node) {
  return node && cmark_node_get_type(node) == CMARK_NODE_CODE ? cmark_node_get_literal(node) : NULL;
}

static bool find_clause(const char *name, dloc_clause *ret) {
  return name && dloc_clause_find(dloc_text_of(name), ret);
}

/* A paragraph that begins with **`anchor`** states a clause. */
static bool states_clause(cmark_node *block, dloc_clause *ret) {
  cmark_node *first = cmark_node_get_type(block) == CMARK_NODE_PARAGRAPH ? cmark_node_first_child(block) : NULL;
  return first && cmark_node_get_type(first) == CMARK_NODE_STRONG &&
         find_clause(code_of(cmark_node_first_child(first)), ret);
}

/* Put HTML around, before or behind a block of the tree: a block of its own. */
static cmark_node *html_block(const char *html) {
  cmark_node *node = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
  if (node && cmark_node_set_on_enter(node, html))
    return node;
  cmark_node_free(node);
  return NULL;
}

static bool insert(cmark_node *block, const char *html, bool before) {
  cmark_node *node = html_block(html);
  bool fine = node && (before ? cmark_node_insert_before(block, node) : cmark_node_insert_after(block, node));
  if (!fine)
    cmark_node_free(node);
  return fine;
}

static bool add_clause(const page *p, cmark_node *block, dloc_clause clause) {
  dloc_buffer before = {0}, after = {0};
  writer start = {dloc_buffer_sink(&before), false}, end = {dloc_buffer_sink(&after), false};
  write_format(&start, "<section id=\"clause-%s\">\n", dloc_clause_anchor(clause));
  write_clause(&end, p, clause);
  write_plain(&end, "</section>\n");
  bool fine = !start.stopped && !end.stopped && insert(block, before.bytes, true) && insert(block, after.bytes, false);
  dloc_buffer_deinit(&before);
  dloc_buffer_deinit(&after);
  return fine;
}

/* The place of a heading: of a choice its name, of a chapter its number among all headings. */
static void heading_id(cmark_node *heading, unsigned number, char *ret, size_t size) {
  const char *name = code_of(cmark_node_last_child(heading));
  dloc_choice choice;
  if (name && dloc_choice_find(dloc_text_of(name), &choice))
    snprintf(ret, size, "choice-%s", name);
  else
    snprintf(ret, size, "section-%u", number);
}

static bool add_heading(cmark_node *heading, unsigned number) {
  char id[160], html[192];
  heading_id(heading, number, id, sizeof id);
  snprintf(html, sizeof html, "<div id=\"%s\"></div>\n", id);
  return insert(heading, html, true);
}

/* Types of extensions have names only. */
static bool is_of(cmark_node *node, const char *type) { return strcmp(cmark_node_get_type_string(node), type) == 0; }

static bool add_everything(const page *p, cmark_node *document) {
  bool fine = true;
  unsigned headings = 0;
  for (cmark_node *block = cmark_node_first_child(document), *next; fine && block; block = next) {
    dloc_clause clause;
    next = cmark_node_next(block);
    if (cmark_node_get_type(block) == CMARK_NODE_HEADING)
      fine = add_heading(block, headings++);
    else if (is_of(block, "table"))
      fine = insert(block, "<div class=\"scroll\">\n", true) && insert(block, "</div>\n", false);
    else if (states_clause(block, &clause))
      fine = add_clause(p, block, clause);
  }
  return fine;
}

/* A name of a clause or a choice, wherever it is mentioned, leads there; but a table has other names, of reasons. */
static bool add_link(cmark_node *code) {
  const char *name = cmark_node_get_literal(code);
  char address[160];
  dloc_clause clause;
  dloc_choice choice;
  if (is_of(cmark_node_parent(code), "table_cell"))
    return true;
  if (find_clause(name, &clause))
    snprintf(address, sizeof address, "#clause-%s", name);
  else if (dloc_choice_find(dloc_text_of(name), &choice))
    snprintf(address, sizeof address, "#choice-%s", name);
  else
    return true;
  cmark_node *link = cmark_node_new(CMARK_NODE_LINK);
  bool fine = link && cmark_node_set_url(link, address) && cmark_node_insert_before(code, link);
  if (!fine) {
    cmark_node_free(link);
    return false;
  }
  cmark_node_unlink(code);
  return cmark_node_append_child(link, code);
}

static bool add_links(cmark_node *document) {
  cmark_iter *iterator = cmark_iter_new(document);
  cmark_node *pending = NULL; /* changed only when the iterator has left it */
  bool fine = iterator != NULL;
  for (cmark_event_type event; fine && (event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE;) {
    cmark_node *node = cmark_iter_get_node(iterator);
    if (pending)
      fine = add_link(pending);
    pending = event == CMARK_EVENT_ENTER && cmark_node_get_type(node) == CMARK_NODE_CODE ? node : NULL;
  }
  cmark_iter_free(iterator);
  return fine;
}

/* ---- The page ---- */

static void write_heading_text(writer *w, cmark_node *heading) {
  for (cmark_node *child = cmark_node_first_child(heading); child; child = cmark_node_next(child))
    write_html(w, cmark_node_get_literal(child));
}

/* The chapters; choices are many, and found in theirs. */
static void write_contents(writer *w, cmark_node *document) {
  unsigned headings = 0;
  write_plain(w, "<nav aria-label=\"chapters\"><ul>\n");
  for (cmark_node *block = cmark_node_first_child(document); block; block = cmark_node_next(block)) {
    if (cmark_node_get_type(block) != CMARK_NODE_HEADING)
      continue;
    unsigned number = headings++;
    if (cmark_node_get_heading_level(block) != 2)
      continue;
    write_format(w, "<li><a href=\"#section-%u\">", number);
    write_heading_text(w, block);
    write_plain(w, "</a></li>\n");
  }
  write_plain(w, "</ul></nav>\n");
}

typedef bool clause_test(const page *p, const trace_clause *c);

static bool is_untestable(const page *p, const trace_clause *c) { return p && c->untestable; }
static bool lacks_mutant(const page *p, const trace_clause *c) { return p->trace->has_mutants && !c->mutants; }
static bool has_survivor(const page *p, const trace_clause *c) { return p && count_mutants(c).survived > 0; }

static bool differs(const page *p, const trace_clause *c) {
  for (size_t i = 0; i < p->trace->run_count; i++)
    if (count_results(c, i).different)
      return true;
  return false;
}

/* The clauses of which something is to be known first. */
static void write_attention(writer *w, const page *p, const char *label, clause_test *test) {
  size_t count = 0;
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    count += test(p, &p->trace->clauses[i]);
  if (count == 0)
    return;
  write_format(w, "<details><summary>%s: %zu</summary><p>", label, count);
  const char *separator = "";
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (test(p, &p->trace->clauses[i])) {
      write_plain(w, separator);
      html_link(w, "clause", dloc_clause_anchor((dloc_clause)i));
      separator = ", ";
    }
  write_plain(w, "</p></details>\n");
}

static void write_overview(writer *w, const page *p) {
  const trace *t = p->trace;
  write_format(w, "<p>%d clauses, %zu vectors", DLOC_CLAUSE_COUNT, t->vector_count);
  if (t->has_mutants)
    write_format(w, ", %zu mutants", t->mutant_count);
  write_format(w, ". Below each clause: %swhat tests it.</p>\n",
               t->run_count ? "how these runs did, in this order, and " : "");
  if (t->run_count)
    write_plain(w, "<ol class=\"runs\">\n");
  for (size_t i = 0; i < t->run_count; i++) {
    record_counts counts = record_totals(&t->runs[i]);
    write_plain(w, "<li>");
    html_run_name(w, &t->runs[i]);
    write_plain(w, ": <span class=\"counts\">");
    html_counts(w, &counts);
    write_plain(w, "</span></li>\n");
  }
  if (t->run_count)
    write_plain(w, "</ol>\n");
  write_attention(w, p, "Clauses that no test can reach", is_untestable);
  write_attention(w, p, "Clauses without a mutant", lacks_mutant);
  write_attention(w, p, "Clauses with a mutant that survived", has_survivor);
  write_attention(w, p, "Clauses from which a run differs", differs);
}

static dloc_status write_document(writer *w, const page *p, cmark_node *document, cmark_llist *extensions) {
  page_begin(w, "dloc: specification");
  write_plain(w, "<header>\n");
  write_contents(w, document);
  write_overview(w, p);
  write_plain(w, "</header>\n<main>\n");
  if (!add_everything(p, document) || !add_links(document))
    return DLOC_NO_MEMORY;
  char *html = cmark_render_html(document, CMARK_OPT_DEFAULT, extensions);
  if (!html)
    return DLOC_NO_MEMORY;
  write_plain(w, html);
  free(html);
  write_plain(w, "</main>\n");
  page_end(w);
  return write_finish(w);
}

dloc_status spec_page_write(dloc_text markdown, const trace *t, const char *report, dloc_sink sink) {
  const page p = {t, report};
  writer w = {sink, false};
  cmark_gfm_core_extensions_ensure_registered();
  cmark_parser *parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8);
  cmark_syntax_extension *tables = cmark_find_syntax_extension("table");
  if (!parser || !tables || !cmark_parser_attach_syntax_extension(parser, tables)) {
    cmark_parser_free(parser);
    return DLOC_NO_MEMORY;
  }
  cmark_parser_feed(parser, markdown.bytes, markdown.size);
  cmark_node *document = cmark_parser_finish(parser);
  dloc_status status = DLOC_NO_MEMORY;
  if (document)
    status = write_document(&w, &p, document, cmark_parser_get_syntax_extensions(parser));
  cmark_node_free(document);
  cmark_parser_free(parser);
  return status;
}
