/* runner.h - runs implementations against vectors: every vector twice, in different company, and judges the answers.
 *
 * An adapter speaks for one implementation. `model` and `llvm` run in this process, any other is a program at the other
 * end of the protocol (PROTOCOL.md); the runner sees no difference. An adapter tells what the implementation does,
 * never what it should do. */
#pragma once

#include "expected.h"
#include "vector/suite.h"

/* ---- Answers ---- */

/* The outcome of a vector. */
typedef enum run_outcome {
  RUN_UNANSWERED,
  RUN_OK,       /* the operation was done; compare the value */
  RUN_REJECT,   /* the input was refused, for a reason */
  RUN_DEGRADED, /* the input was accepted, but debug info was lost */
  RUN_REFUSED,  /* the input was not read */
  RUN_SKIPPED,  /* the adapter cannot show it */
  RUN_ERRORED,  /* no usable answer */
  RUN_CRASH,
  RUN_HANG,
  RUN_NOT_ASKED, /* too much went wrong before, in vectors like this */
  RUN_NONDET,    /* two runs, two answers */
  RUN_OUTCOME_COUNT
} run_outcome;

/* The input was not taken as it is: the answer has reasons. */
static inline bool run_is_rejection(run_outcome outcome) {
  return outcome == RUN_REJECT || outcome == RUN_DEGRADED || outcome == RUN_REFUSED;
}

const char *run_outcome_name(run_outcome outcome);
bool run_outcome_find(dloc_text name, run_outcome *ret);

enum { RUN_SEVERITY_UNKNOWN = -1 };

typedef struct run_answer {
  run_outcome outcome;
  char *text;          /* Ok: the canonical text (vector_answer_text). Else an explanation, or NULL. malloc's. */
  char *errors;        /* All that an implementation which failed wrote to stderr, or NULL. malloc's. */
  const char *asked;   /* The tool and its options, the adapter's; or NULL. */
  const char *through; /* The op whose way of being observed it shares, or NULL: one fault may show in both. */
  /* The reasons that a reject or a degraded can be for. An implementation's message need not tell them apart. */
  bool reasons[DLOC_REASON_COUNT];
  int severity; /* of reject: dloc_severity, or RUN_SEVERITY_UNKNOWN */
} run_answer;

void run_answer_deinit(run_answer *answer);
/* Set outcome and explanation (printf's format), releasing what was there. */
void run_answer_set(run_answer *answer, run_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Keep what a program that failed wrote to stderr: its beginning. */
void run_answer_keep_errors(run_answer *answer, dloc_text errors);
/* Take over a vector_answer that lives in context. DLOC_LIMIT when its text cannot be written. */
dloc_status run_answer_take(run_answer *answer, dloc_context *context, const vector_answer *given);

/* An answer for people: "reject shape.not-a-location (soft)", or the canonical text. malloc's. */
char *run_answer_describe(const run_answer *answer);
/* Whether both say the same; explanations aside. */
bool run_answer_same(const run_answer *a, const run_answer *b);
/* Whether an answer is what was wanted, itself given as an answer. A degraded one is a soft rejection whose reason is
 * known. */
bool run_answer_satisfies(const run_answer *answer, const run_answer *wanted);

/* ---- Adapters ---- */

typedef struct run_settings {
  const char *profile_name;   /* asked for by the user; NULL: the adapter's own */
  dloc_profile profile;       /* in force; final before adapter->run */
  const char *const *choices; /* NAME=ALTERNATIVE, already applied to profile */
  size_t choice_count;
  double timeout;   /* seconds for one answer, or one run of a tool */
  unsigned jobs;    /* processes at a time, at least 1 */
  bool asks_anyway; /* also what is to be seen only where the implementation writes no layers */
} run_settings;

enum { RUN_MESSAGE = 512 };

/* Where an implementation that reads layers may write none. */
typedef enum run_place { RUN_NOWHERE, RUN_IN_BITCODE, RUN_IN_DIRECTIVES, RUN_IN_PRINT, RUN_PLACE_COUNT } run_place;

/* The name of a place; and whether a profile writes layers there. */
const char *run_place_name(run_place place);
bool run_place_find(dloc_text name, run_place *ret);
bool run_place_has_layers(run_place place, const dloc_profile *profile);
dloc_choice run_place_choice(run_place place);

typedef struct run_implementation {
  char name[64];
  char version[64];
  char revision[44];     /* the commit that it was built from; empty: not told */
  char profile[32];      /* the adapter's own; empty: none */
  dloc_profile changed;  /* that profile with other alternatives; its name is NULL: as it is */
  const char *failures;  /* the list of what is known to fail, a file of the program's; NULL: none */
  uint64_t capabilities; /* VECTOR_NEED_BIT */
  unsigned lacks;        /* 1 << run_place: it writes no layers there */
  /* Of a form of layers that it was found not to know: what it said to a module that has them. Else empty. */
  char no_tuples[RUN_MESSAGE], no_lists[RUN_MESSAGE];
  char remark[RUN_MESSAGE]; /* on the recognition, or empty */
} run_implementation;

/* The adapter's own profile; NULL: none, or an unknown one. */
const dloc_profile *run_own_profile(const run_implementation *implementation);
/* Apply NAME=ALTERNATIVE; false when there is no such choice or alternative. */
bool run_choose(const char *given, dloc_profile *profile);

/* The question to an implementation about one vector alone, and its answer. Starts as {0}. */
enum { RUN_MODULES = 3 };

typedef struct run_exchange {
  dloc_buffer module;              /* the vector as LLVM IR, or assembly; empty: it has no such form */
  dloc_buffer others[RUN_MODULES]; /* more modules, which the command takes */
  dloc_buffer lines;               /* of the protocol */
  dloc_buffer question;            /* the one of them that is about the vector */
  dloc_buffer command, behind;     /* what reads the module, or the lines, and what reads its output; for a shell */
  dloc_buffer output, errors;
} run_exchange;

void run_exchange_deinit(run_exchange *exchange);

typedef struct adapter adapter;

struct adapter {
  const run_settings *settings; /* set by the runner before start */
  /* Called with the number of vectors answered so far in this call of run; may be NULL. */
  void (*progress)(void *user, size_t done);
  void *user;
  char error[RUN_MESSAGE]; /* why start or run returned false: one line */
  /* What the protocol's other end did wrong, for the report: the first few, and how many there were. */
  char notes[8][RUN_MESSAGE];
  size_t note_count;
  size_t restarts; /* of the implementation, after a crash or a hang */

  /* Find out what there is to test. */
  bool (*start)(adapter *a, run_implementation *ret);
  /* The place in whose output the answer to a vector is seen. NULL: that of the op. */
  run_place (*place_of)(const adapter *a, const vector *v);
  /* Whether the vector is asked without any other beside it. NULL: none is. */
  bool (*is_alone)(const adapter *a, const vector *v);
  /* Answer count vectors, whose needs the implementation has. False: the run cannot go on. */
  bool (*run)(adapter *a, const vector *const *vectors, run_answer *answers, size_t count);
  /* Show what it is asked about a vector; with ask, ask it, as it was started. */
  void (*show)(adapter *a, const vector *v, bool ask, run_exchange *exchange);
  /* An answer showed tuples with layers, which it was found not to know: recognise it as one that does. May be NULL. */
  void (*correct)(adapter *a, run_implementation *found);
  /* End the implementation; before the report, as it may add notes. May be NULL. */
  void (*stop)(adapter *a);
  void (*destroy)(adapter *a);
};

/* `model`, `llvm` (then directory holds opt, llvm-as and so on; NULL: those of PATH), or a shell command. Arguments are
 * borrowed. */
adapter *adapter_create(const char *implementation, const char *directory);
adapter *adapter_model_create(void);
adapter *adapter_llvm_create(const char *directory);
/* The same tools between hiding and revealing: what layers become on an LLVM that does not know them. */
adapter *adapter_dropin_create(const char *directory);

/* A vector as the module that an LLVM which shows everything would be asked about. */
void adapter_write_module(const vector *v, dloc_buffer *ret);

/* Set a->error; returns false, for `return adapter_fail(...)`. */
bool adapter_fail(adapter *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void adapter_note(adapter *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void adapter_report(const adapter *a, size_t done);
/* a->run, of any number of vectors, with answers that are empty before. */
bool adapter_ask(adapter *a, const vector *const *vectors, run_answer *answers, size_t count);

/* ---- Results ---- */

typedef enum run_verdict {
  RUN_EXPECTED,       /* As the profile expects. */
  RUN_NEUTRAL,        /* Skipped, or nothing is held to its level: counted only. */
  RUN_KNOWN,          /* Differs, and stands in the list of expected failures. */
  RUN_DIFFERENT,      /* Differs. */
  RUN_DEGRADED_LAYERS /* Lost all debug info of the module because of the layers: reported in one sentence. */
} run_verdict;

/* The source of what is expected of a vector under the profile. */
typedef enum run_basis {
  RUN_DERIVED, /* a person: under the profile, or near it where the model sees no difference */
  RUN_BY_MODEL /* only the model */
} run_basis;

const char *run_basis_name(run_basis basis);

typedef struct run_result {
  const char *id;
  const char *path;   /* of the vector's file, the suite's; NULL: not known */
  size_t line;        /* where it stands there; 0: not known */
  const char *digest; /* of the vector that was run; empty when it has none */
  const char *level;
  const char *op;
  const char *const *clauses; /* anchors, at least one */
  size_t clause_count;
  run_outcome outcome;
  run_verdict verdict;
  run_basis basis;
  const char
      *expected;      /* Canonical text or description, if it differs or answers are kept. NULL: nothing particular. */
  const char *actual; /* The answer, alike; the reason of a skipped one. */
  const char *known;  /* The reason of RUN_KNOWN. */
  const char *answer; /* If it fails: the outcome and, for ok and reject, a digest of the answer. */
  const char *listed; /* If it fails otherwise than the list of expected failures says: the list's answer. */
  /* Of RUN_DIFFERENT, each may be NULL: */
  const char *note;     /* The vector's. */
  const char *asked;    /* The answer's. */
  const char *through;  /* The answer's. */
  const char *errors;   /* The text that the implementation wrote to stderr. */
  const char *module;   /* The question or module of run_exchange. */
  const char *document; /* the vector as JSON */
} run_result;

/* ---- The fingerprint: which alternative of each choice the answers follow ---- */

enum { RUN_ALTERNATIVES = 8 };

/* An answer, ok or reject. */
typedef struct run_evidence {
  size_t item; /* of the results */
  vector vector;
  run_answer answer;
} run_evidence;

/* The findings about a choice from the vectors that list it. Indices of results are one more: 0 is none. */
typedef struct run_told {
  size_t against[RUN_ALTERNATIVES]; /* the first answer that rules the alternative out */
  size_t stray;                     /* an answer that follows another alternative than the others do */
  size_t telling;                   /* how many answers rule some alternative out */
  size_t puzzling;                  /* how many no alternative explains */
} run_told;

typedef struct run_fingerprint {
  run_evidence *evidence; /* the answers to the first few thousand vectors */
  size_t count;
  bool is_complete;
  value_arena documents; /* the vectors */
  run_told told[DLOC_CHOICE_COUNT];
} run_fingerprint;

typedef enum run_follows {
  RUN_FOLLOWS_UNKNOWN, /* no answer tells */
  RUN_FOLLOWS_ONE,
  RUN_FOLLOWS_SEVERAL, /* these cannot be told apart */
  RUN_FOLLOWS_MIXED    /* some answers follow one, some another */
} run_follows;

const char *run_follows_name(run_follows follows);

typedef struct run_finding {
  run_follows follows;
  char alternatives[160];             /* "drop", "keep|drop", "mixed" or "?" */
  size_t witnesses[RUN_ALTERNATIVES]; /* the results that tell */
  size_t witness_count;
} run_finding;

typedef struct run_results {
  run_result *items;
  size_t count;
  value_arena arena; /* of their texts */
  size_t layers_lost_as_expected;
  size_t not_applicable;
  run_fingerprint fingerprint;
  size_t unreadable;       /* documents that are no vectors */
  char doubt[RUN_MESSAGE]; /* why it seems not to follow the profile that the user named; or empty */
  bool partial;            /* the run was stopped, or the implementation was lost */
  size_t unasked;          /* then: vectors that were read and have no answer */
  double seconds;
} run_results;

void run_results_deinit(run_results *results);

typedef struct runner {
  adapter *adapter;
  run_settings *settings;
  expected_list *expected; /* Or NULL. */
  bool judges_nothing;     /* Run for the fingerprint alone: ask also vectors that do not apply to the profile. */
  bool derived_only;       /* Judge no vector by the model's answer. */
  bool keep_answers;       /* Keep answers that do not differ as well, for the reports. */
  bool tells_no_choices;   /* Nobody reads which alternatives it follows. */
  /* Called when it was recognised, before it is asked. May be NULL. */
  void (*recognised)(void *user, const run_implementation *implementation);
  /* Called after the run for each result that differs: the vector was asked once more, alone. May be NULL. */
  void (*keep)(void *user, const run_result *result, const run_exchange *exchange);
  /* Called now and then; total is 0 while it is not known. May be NULL. */
  void (*progress)(void *user, size_t done, size_t total);
  /* Called for a document or file that is no vector; it is counted as well. */
  void (*complain)(void *user, const suite_error *error);
  void *user;
} runner;

/* Run the vectors of a suite. This settles the settings' profile: the user's, or the adapter's own, or rfc.
 * DLOC_INVALID when the implementation could not be started; r->adapter->error then says why. When it is lost later, or
 * a signal was deferred (ending.h), the results are partial, and the error says why. */
dloc_status runner_run(const runner *r, suite *s, run_implementation *ret_implementation, run_results *ret);

/* The evidence of the answers about a choice. */
run_finding run_results_finding(const run_results *results, dloc_choice choice);
