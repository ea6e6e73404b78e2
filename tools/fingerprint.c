/* fingerprint.c - dloc run --fingerprint: which alternative of each choice implementations follow. */
#include "fingerprint.h"

#include <string.h>

/* ---- Text ---- */

static size_t wider(size_t width, const char *text) { return strlen(text) > width ? strlen(text) : width; }

static void name_column(const fingerprint_column *column, char *text, size_t size) {
  snprintf(text, size, "%s %s", column->implementation.name, column->implementation.version);
}

static size_t width_of(const fingerprint_column *column) {
  char name[sizeof column->implementation.name + sizeof column->implementation.version];
  name_column(column, name, sizeof name);
  size_t width = strlen(name);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    width = wider(width, run_results_finding(&column->results, (dloc_choice)i).alternatives);
  return width;
}

static size_t width_of_choices(void) {
  size_t width = 0;
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    width = wider(width, dloc_choice_name((dloc_choice)i));
  return width;
}

/* Rows come in groups of the same family, the part of the name before the dot. */
static bool starts_group(int choice) {
  if (choice == 0)
    return false;
  const char *name = dloc_choice_name((dloc_choice)choice);
  return strncmp(name, dloc_choice_name((dloc_choice)(choice - 1)), strcspn(name, ".") + 1) != 0;
}

static void write_witnesses(const run_results *results, const run_finding *finding, FILE *file) {
  for (size_t i = 0; i < finding->witness_count; i++)
    fprintf(file, "%s%s", i ? ", " : "", results->items[finding->witnesses[i]].id);
}

static void write_heading(const fingerprint_column *columns, size_t count, FILE *file) {
  fprintf(file, "%-*s", (int)width_of_choices(), "choice");
  for (size_t i = 0; i < count; i++) {
    char name[sizeof columns->implementation.name + sizeof columns->implementation.version];
    name_column(&columns[i], name, sizeof name);
    bool last = count > 1 && i + 1 == count;
    fprintf(file, "  %-*s", last ? 0 : (int)width_of(&columns[i]), name);
  }
  fputs(count == 1 ? "  witness\n\n" : "\n\n", file);
}

/* A row; nothing is padded behind which nothing stands. */
static void write_row(const fingerprint_column *columns, size_t count, dloc_choice choice, FILE *file) {
  fprintf(file, "%-*s", (int)width_of_choices(), dloc_choice_name(choice));
  for (size_t i = 0; i < count; i++) {
    run_finding finding = run_results_finding(&columns[i].results, choice);
    bool last = i + 1 == count && (count > 1 || finding.witness_count == 0);
    fprintf(file, "  %-*s", last ? 0 : (int)width_of(&columns[i]), finding.alternatives);
    if (count == 1 && finding.witness_count) {
      fputs("  ", file);
      write_witnesses(&columns[i].results, &finding, file);
    }
  }
  fputc('\n', file);
}

/* For each choice that something is known of: the implementations with what told it. */
static void write_witness_block(const fingerprint_column *columns, size_t count, FILE *file) {
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    bool named = false;
    for (size_t j = 0; j < count; j++) {
      run_finding finding = run_results_finding(&columns[j].results, (dloc_choice)i);
      if (finding.witness_count == 0)
        continue;
      char name[sizeof columns->implementation.name + sizeof columns->implementation.version];
      name_column(&columns[j], name, sizeof name);
      if (!named)
        fprintf(file, "\n%s\n", dloc_choice_name((dloc_choice)i));
      named = true;
      fprintf(file, "  %s: %s: ", name, finding.alternatives);
      write_witnesses(&columns[j].results, &finding, file);
      fputc('\n', file);
    }
  }
}

void fingerprint_write_text(const fingerprint_column *columns, size_t count, bool witnesses, FILE *file) {
  write_heading(columns, count, file);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    if (starts_group(i))
      fputc('\n', file);
    write_row(columns, count, (dloc_choice)i, file);
  }
  if (witnesses && count > 1)
    write_witness_block(columns, count, file);
}

/* ---- JSON ---- */

/* Names come from outside: whatever is not plain ASCII is replaced. */
static void write_string(const char *text, FILE *file) {
  fputc('"', file);
  for (const char *p = text; *p; p++)
    if (*p == '"' || *p == '\\')
      fprintf(file, "\\%c", *p);
    else
      fputc(*p >= ' ' && *p <= '~' ? *p : '?', file);
  fputc('"', file);
}

/* The alternatives as a list: none when nothing is known, or nothing fits. */
static void write_alternatives(const run_finding *finding, FILE *file) {
  bool any = finding->follows == RUN_FOLLOWS_ONE || finding->follows == RUN_FOLLOWS_SEVERAL;
  fputs("\"alternatives\": [", file);
  for (const char *p = any ? finding->alternatives : ""; *p;) {
    size_t size = strcspn(p, "|");
    fprintf(file, "\"%.*s\"%s", (int)size, p, p[size] ? ", " : "");
    p += size + (p[size] == '|');
  }
  fputs("]", file);
}

static void write_finding(const run_results *results, dloc_choice choice, FILE *file) {
  run_finding finding = run_results_finding(results, choice);
  fprintf(file, "      \"%s\": {\"follows\": \"%s\", ", dloc_choice_name(choice), run_follows_name(finding.follows));
  write_alternatives(&finding, file);
  fputs(", \"witnesses\": [", file);
  for (size_t i = 0; i < finding.witness_count; i++) {
    fputs(i ? ", " : "", file);
    write_string(results->items[finding.witnesses[i]].id, file);
  }
  fprintf(file, "]}%s\n", choice + 1 < DLOC_CHOICE_COUNT ? "," : "");
}

void fingerprint_write_json(const fingerprint_column *columns, size_t count, FILE *file) {
  fputs("{\"fingerprints\": [\n", file);
  for (size_t i = 0; i < count; i++) {
    fputs("  {\"implementation\": ", file);
    write_string(columns[i].implementation.name, file);
    fputs(", \"version\": ", file);
    write_string(columns[i].implementation.version, file);
    fputs(", \"choices\": {\n", file);
    for (int j = 0; j < DLOC_CHOICE_COUNT; j++)
      write_finding(&columns[i].results, (dloc_choice)j, file);
    fprintf(file, "    }}%s\n", i + 1 < count ? "," : "");
  }
  fputs("]}\n", file);
}
