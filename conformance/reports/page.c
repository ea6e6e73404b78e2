/* page.c - what the text and the pages in Python are made of. */
#include "report.h"

#include "ops/operation.h"
#include "vector/mutants.h"

void page_section(writer *w, const char *name) { write_format(w, "{\"section\": \"%s\"}\n", name); }

/* ---- The model's tables ---- */

static void write_clause(writer *w, dloc_clause clause) {
  const char *exempt = mutant_exemption(clause), *implementation = clause_implementation(clause);
  write_first_member(w, "clause", dloc_clause_anchor(clause));
  write_member(w, "level", dloc_clause_level(clause));
  write_member(w, "origin", dloc_clause_origin(clause));
  write_member(w, "place", dloc_clause_place(clause));
  write_member(w, "statement", dloc_clause_statement(clause));
  write_member(w, "source", dloc_clause_source(clause));
  if (exempt)
    write_member(w, "exempt", exempt);
  if (implementation)
    write_member(w, "model", implementation);
  write_plain(w, "}\n");
}

static void write_choice(writer *w, dloc_choice choice) {
  write_first_member(w, "choice", dloc_choice_name(choice));
  write_member(w, "question", dloc_choice_question(choice));
  write_member(w, "reason", dloc_choice_reason(choice));
  write_member(w, "consequence", dloc_choice_consequence(choice));
  write_plain(w, ", \"alternatives\": {");
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++) {
    write_format(w, "%s\"%s\": ", i ? ", " : "", dloc_alternative_name(choice, i));
    write_json(w, dloc_alternative_meaning(choice, i));
  }
  write_plain(w, "}, \"profiles\": {");
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const dloc_profile *profile = dloc_profile_at(i);
    write_format(w, "%s\"%s\": \"%s\"", i ? ", " : "", profile->name,
                 dloc_alternative_name(choice, profile->alternative[choice]));
  }
  write_plain(w, "}}\n");
}

static void write_profile(writer *w, const dloc_profile *profile) {
  write_first_member(w, "profile", profile->name);
  write_member(w, "base", profile->base);
  write_member(w, "about", profile->about);
  write_plain(w, "}\n");
}

static void write_operation(writer *w, vector_op op) {
  static const char *const words[VECTOR_OP_COUNT][2] = {
#define OPERATION(id, args, value) [VECTOR_##id] = {args, value},
#include "operations.def"
  };
  write_first_member(w, "op", operations[op]->name);
  write_member(w, "args", words[op][0]);
  write_member(w, "value", words[op][1]);
  write_plain(w, "}\n");
}

static void write_reason(writer *w, dloc_reason reason) {
  write_first_member(w, "reason", dloc_reason_name(reason));
  write_member(w, "severity", dloc_severity_name(dloc_reason_severity(reason)));
  write_member(w, "text", dloc_reason_text(reason));
  write_plain(w, "}\n");
}

static void write_mutant(writer *w, const mutant *m) {
  write_first_member(w, "mutant", m->name);
  write_member(w, "clause", dloc_clause_anchor(m->clause));
  write_member(w, "what", m->what);
  if (m->proof)
    write_member(w, "equivalent", m->proof);
  write_plain(w, "}\n");
}

void page_clauses(writer *w) {
  page_section(w, "clauses");
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    write_clause(w, (dloc_clause)i);
}

void page_tables(writer *w) {
  page_clauses(w);
  page_section(w, "choices");
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    write_choice(w, (dloc_choice)i);
  page_section(w, "profiles");
  for (size_t i = 0; i < dloc_profile_count(); i++)
    write_profile(w, dloc_profile_at(i));
  page_section(w, "ops");
  for (int i = 0; i < VECTOR_OP_COUNT; i++)
    write_operation(w, (vector_op)i);
  page_section(w, "reasons");
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++)
    write_reason(w, (dloc_reason)i);
  page_section(w, "mutants");
  for (size_t i = 0; i < mutant_count(); i++)
    write_mutant(w, mutant_at(i));
}

/* ---- Runs ---- */

void page_run(writer *w, const record *r) {
  page_section(w, "run");
  report_json(w, r);
}
