/* spec.c - `dloc spec`: the tables of clauses, choices and reasons, and whether vectors and mutants cover them. Here is
 * what spec.py asks for: the tables, as sections of JSON Lines. */
#include "document/text.h"
#include "experiments/laws/laws.h"
#include "help/spec.h"
#include "reports/report.h"
#include "shell/script.h"
#include "shell/vectors.h"

static void write_words(writer *w, const char *words) {
  dloc_text rest = dloc_text_of(words), word;
  for (const char *before = ""; text_take_word(&rest, &word); before = ", ") {
    write_plain(w, before);
    write_json_text(w, word);
  }
}

static void write_law(writer *w, law l) {
  const char *behind = "";
  write_first_member(w, "law", law_name(l));
  write_member(w, "statement", law_statement(l));
  write_plain(w, ", \"clauses\": [");
  write_words(w, law_clauses(l));
  write_plain(w, "], \"broken\": {");
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const char *profile = dloc_profile_at(i)->name;
    const law_expectation *known = law_expected(l, profile, LAWS_SCOPE_LIMIT);
    if (!known)
      continue;
    write_format(w, "%s\"%s\": ", behind, profile);
    write_json(w, known->why);
    behind = ", ";
  }
  write_plain(w, "}}\n");
}

static int print_sections(void) {
  writer w = {.sink = tool_file_sink(stdout)};
  page_tables(&w);
  page_section(&w, "laws");
  for (int i = 0; i < LAW_COUNT; i++)
    write_law(&w, (law)i);
  return TOOL_FINE;
}

int tool_spec(int argc, char **argv) {
  bool check = false, list = false, choices = false, reasons = false, json = false, questions = false, sections = false,
       profiles = false;
  const char *html = NULL, *mutants = NULL, *report = NULL, *playground = NULL, *untestable = NULL;
  const char *since = NULL, *folder = NULL, *origin = NULL, *level = NULL;
  tool_list runs = {0};
  const tool_option options[] = {
      {TOOL_FLAG, "check", "check that vectors/ and the mutants cover the clauses", &check},
      {TOOL_OUTPUT, "html", "write the volumes as a page, with what stands behind each clause", &html},
      {TOOL_LIST, "run", NULL, &runs},
      {TOOL_TEXT, "mutants", NULL, &mutants},
      {TOOL_TEXT, "playground", NULL, &playground},
      {TOOL_TEXT, "report", NULL, &report},
      {TOOL_TEXT, "untestable", NULL, &untestable},
      {TOOL_FLAG, "list", "print the clauses: anchor, level, origin, place in LLVM, statement", &list},
      {TOOL_TEXT, "origin", NULL, &origin},
      {TOOL_TEXT, "level", NULL, &level},
      {TOOL_FLAG, "choices", NULL, &choices},
      {TOOL_FLAG, "profiles", NULL, &profiles},
      {TOOL_FLAG, "reasons", NULL, &reasons},
      {TOOL_FLAG, "json", "print all tables as JSON (conformance/tables.schema.json)", &json},
      {TOOL_FLAG, "questions", NULL, &questions},
      {TOOL_TEXT, "vectors", "for --questions: the vectors to take witnesses from", &folder},
      {TOOL_TEXT, "since", NULL, &since},
      {TOOL_FLAG, "facts", "write the tables for scripts (tools/pages/README.md)", &sections},
      {0}};
  int count = tool_parse(argc, argv, &spec_usage, options);
  return sections ? print_sections() : script_become("lab/spec.py", options, argv, count);
}
