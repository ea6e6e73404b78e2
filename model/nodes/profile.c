/* The tables of reasons, clauses, choices and profiles, as functions. */
#include "text.h"
#include "dloc.h"

const char *dloc_version(void) { return DLOC_VERSION; }

const char *dloc_status_text(dloc_status status) {
  switch (status) {
  case DLOC_OK:
    return "no error";
  case DLOC_NO_MEMORY:
    return "out of memory";
  case DLOC_LIMIT:
    return "input exceeds a limit";
  case DLOC_INVALID:
    return "invalid input";
  case DLOC_STOPPED:
    return "stopped";
  }
  return "unknown status";
}

/* ---- Reasons ---- */

typedef struct reason_row {
  const char *name;
  dloc_severity severity;
  const char *text;
} reason_row;

static const reason_row reasons[DLOC_REASON_COUNT] = {
    [DLOC_REASON_NONE] = {"none", DLOC_SEVERITY_SOFT, "no violation"},
#define REASON(id, name, severity, text) [DLOC_REASON_##id] = {name, DLOC_SEVERITY_##severity, text},
#include "reasons.def"
#undef REASON
};

const char *dloc_reason_name(dloc_reason reason) { return reasons[reason].name; }
const char *dloc_reason_text(dloc_reason reason) { return reasons[reason].text; }
dloc_severity dloc_reason_severity(dloc_reason reason) { return reasons[reason].severity; }

const char *dloc_severity_name(dloc_severity severity) {
  static const char *const names[] = {"soft", "hard", "parse", "warning"};
  return names[severity];
}

/* ---- Clauses ---- */

typedef struct clause_row {
  dloc_text anchor;
  const char *level;
  const char *origin;
  const char *place;
  const char *statement;
  const char *source;
} clause_row;

static const clause_row clauses[DLOC_CLAUSE_COUNT] = {
#define CLAUSE(id, anchor, level, origin, place, statement, source)                                                    \
  [DLOC_CLAUSE_##id] = {{anchor, sizeof anchor - 1}, level, origin, place, statement, source},
#include "clauses.def"
#undef CLAUSE
};

const char *dloc_clause_anchor(dloc_clause clause) { return clauses[clause].anchor.bytes; }
const char *dloc_clause_level(dloc_clause clause) { return clauses[clause].level; }
const char *dloc_clause_origin(dloc_clause clause) { return clauses[clause].origin; }
const char *dloc_clause_place(dloc_clause clause) { return clauses[clause].place; }
const char *dloc_clause_statement(dloc_clause clause) { return clauses[clause].statement; }
const char *dloc_clause_source(dloc_clause clause) { return clauses[clause].source; }

bool dloc_clause_find(dloc_text anchor, dloc_clause *ret) {
  for (unsigned i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (clauses[i].anchor.size == anchor.size && dloc_text_equal(anchor, clauses[i].anchor)) {
      *ret = (dloc_clause)i;
      return true;
    }
  return false;
}

/* ---- Choices ---- */

typedef struct choice_row {
  const char *name;
  const char *question;
  const char *reason;
  const char *consequence;
} choice_row;

static const choice_row choices[DLOC_CHOICE_COUNT] = {
#define CHOICE(id, name, question, reason, consequence) [DLOC_CHOICE_##id] = {name, question, reason, consequence},
#define ALTERNATIVE(choice, id, name, meaning)
#include "choices.def"
#undef CHOICE
#undef ALTERNATIVE
};

/* All alternatives in one array; those of a choice are contiguous, in the order of their numbers. */
typedef struct alternative_row {
  dloc_choice choice;
  const char *name;
  const char *meaning;
} alternative_row;

static const alternative_row alternatives[] = {
#define CHOICE(id, name, question, reason, consequence)
#define ALTERNATIVE(choice, id, name, meaning) {DLOC_CHOICE_##choice, name, meaning},
#include "choices.def"
#undef CHOICE
#undef ALTERNATIVE
};

enum { ALTERNATIVE_COUNT = sizeof alternatives / sizeof *alternatives };

const char *dloc_choice_name(dloc_choice choice) { return choices[choice].name; }
const char *dloc_choice_question(dloc_choice choice) { return choices[choice].question; }
const char *dloc_choice_reason(dloc_choice choice) { return choices[choice].reason; }
const char *dloc_choice_consequence(dloc_choice choice) { return choices[choice].consequence; }

static const alternative_row *first_alternative(dloc_choice choice) {
  const alternative_row *row = alternatives;
  while (row->choice != choice)
    row++;
  return row;
}

unsigned dloc_choice_alternatives(dloc_choice choice) {
  const alternative_row *first = first_alternative(choice);
  const alternative_row *row = first;
  while (row < alternatives + ALTERNATIVE_COUNT && row->choice == choice)
    row++;
  return (unsigned)(row - first);
}

const char *dloc_alternative_name(dloc_choice choice, unsigned alternative) {
  return first_alternative(choice)[alternative].name;
}

const char *dloc_alternative_meaning(dloc_choice choice, unsigned alternative) {
  return first_alternative(choice)[alternative].meaning;
}

bool dloc_choice_find(dloc_text name, dloc_choice *ret) {
  for (unsigned i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (text_equals(name, choices[i].name)) {
      *ret = (dloc_choice)i;
      return true;
    }
  return false;
}

bool dloc_alternative_find(dloc_choice choice, dloc_text name, unsigned *ret) {
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    if (text_equals(name, dloc_alternative_name(choice, i))) {
      *ret = i;
      return true;
    }
  return false;
}

/* ---- Profiles ---- */

static const dloc_profile profiles[] = {
#define PROFILE(name, base, about, ...) {name, {__VA_ARGS__}, base, about},
#define TAKES(choice, alternative) [DLOC_CHOICE_##choice] = DLOC_##choice##_##alternative,
#include "profiles.def"
#undef PROFILE
#undef TAKES
};

size_t dloc_profile_count(void) { return sizeof profiles / sizeof *profiles; }
const dloc_profile *dloc_profile_at(size_t index) { return &profiles[index]; }

const dloc_profile *dloc_profile_find(dloc_text name) {
  for (size_t i = 0; i < dloc_profile_count(); i++)
    if (text_equals(name, profiles[i].name))
      return &profiles[i];
  return NULL;
}
