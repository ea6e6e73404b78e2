/* spec.c - `dloc spec`: the tables of clauses, choices and reasons, and whether vectors and mutants cover them. Here is
 * what conformance/pages/spec.py asks for: the tables, as JSON. */
#include "reports/page.h"
#include "script.h"
#include "vectors.h"

#include <stdlib.h>

static const tool_usage usage = {
    "dloc spec --check [OPTION...] [SPEC.md [VECTORS...]]\n"
    "       dloc spec --html FILE [OPTION...] [SPEC.md [VECTORS...]]\n"
    "       dloc spec --list | --choices | --reasons | --json",
    "Check that the vectors cover the specification: each clause and each alternative of a choice has a\n"
    "vector, each clause has a mutant of the model, and a vector names each mutant. SPEC.md must be the one\n"
    "that this dloc was made from. Or print the tables: clauses one per line, choices and reasons as\n"
    "Markdown, with the profiles that take each alternative. --html checks, and if all is covered writes\n"
    "SPEC.md as a page that shows at each clause its vectors, the mutants of the model (--mutants) and the\n"
    "verdicts of runs (--run). --untestable lists clauses that no test can reach, with the reason.\n"
    "Exit status: 0 all is covered, 1 something is not, 2 unreadable.\n",
    "dloc spec --check SPEC.md vectors/\ndloc spec --choices\n"
    "dloc run --impl model --quiet --json model.json vectors; dloc spec --html spec.html --run model.json\n",
    0, -1};

static void print_json(const tool_list *runs) {
  writer w = {tool_file_sink(stdout), false};
  page_tables(&w);
  for (size_t i = 0; i < runs->count; i++) {
    record r = vectors_read_run(runs->items[i]);
    page_run(&w, &r);
    record_deinit(&r);
  }
}

int tool_spec(int argc, char **argv) {
  bool check = false, list = false, choices = false, reasons = false, json = false;
  const char *html = NULL, *mutants = NULL, *report = NULL, *untestable = NULL;
  tool_list runs = {0};
  const tool_option options[] = {
      {TOOL_FLAG, "check", NULL, "check that vectors/ and the mutants cover SPEC.md", &check},
      {TOOL_TEXT, "html", "FILE", "write SPEC.md as a page, with what stands behind each clause", &html},
      {TOOL_LIST, "run", "RUN.json", "for --html: what `dloc run --json` wrote (may be repeated)", &runs},
      {TOOL_TEXT, "mutants", "FILE", "for --html: what `dloc mutants --json` wrote", &mutants},
      {TOOL_TEXT, "report", "ADDRESS", "for --html: the page of `dloc report --html`, for links to vectors", &report},
      {TOOL_TEXT, "untestable", "FILE", "clauses that no test can reach: lines `ANCHOR: REASON`", &untestable},
      {TOOL_FLAG, "list", NULL, "print the clauses: anchor, level, origin, place in LLVM, statement", &list},
      {TOOL_FLAG, "choices", NULL, "print the choices as Markdown", &choices},
      {TOOL_FLAG, "reasons", NULL, "print the reason codes as Markdown", &reasons},
      {TOOL_FLAG, "json", NULL, "write all tables, and runs, as JSON Lines (conformance/pages/README.md)", &json},
      {0}};
  int count = tool_parse(argc, argv, &usage, options), status = TOOL_FINE;
  if (json)
    print_json(&runs);
  else
    status = script_become("spec.py", options, argv, count);
  free(runs.items);
  return status;
}
