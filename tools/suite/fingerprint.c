/* fingerprint.c - dloc run --fingerprint: which alternative of each choice implementations follow. fingerprint.py
 * writes the table, or the JSON. */
#include "fingerprint.h"

#include "document/buffer.h"
#include "reports/writer.h"
#include "shell/script.h"

static void write_finding(writer *w, const run_results *results, dloc_choice choice) {
  run_finding finding = run_results_finding(results, choice);
  bool any = finding.follows == RUN_FOLLOWS_ONE || finding.follows == RUN_FOLLOWS_SEVERAL;
  write_format(w, ", \"%s\": {\"follows\": \"%s\"", dloc_choice_name(choice), run_follows_name(finding.follows));
  write_member(w, "told", finding.alternatives);
  write_member(w, "alternatives", any ? finding.alternatives : "");
  write_plain(w, ", \"witnesses\": [");
  for (size_t i = 0; i < finding.witness_count; i++) {
    write_plain(w, i ? ", " : "");
    write_json(w, results->items[finding.witnesses[i]].id);
  }
  write_plain(w, "]}");
}

bool fingerprint_write(const fingerprint_column *columns, size_t count, const char *form, const char *path) {
  dloc_buffer lines = {0};
  writer w = {.sink = buffer_sink(&lines)};
  for (size_t i = 0; i < count; i++) {
    write_first_member(&w, "implementation", columns[i].implementation.name);
    write_member(&w, "version", columns[i].implementation.version);
    for (int j = 0; j < DLOC_CHOICE_COUNT; j++)
      write_finding(&w, &columns[i].results, (dloc_choice)j);
    write_plain(&w, "}\n");
  }
  bool fine = script_write("suite/fingerprint.py", form, buffer_text(&lines), path) == TOOL_FINE;
  dloc_buffer_deinit(&lines);
  return fine;
}
