/* laws.h - algebraic laws of the model, tried on every input of a small scope.
 *
 * An input is up to three DebugLocs, and for a law about inlining how the call is inlined. Its size is the sum of what
 * its parts cost (world.c); a scope holds every input up to a size. Inputs are numbered from 0 in order of size, so the
 * first that breaks a law is a smallest one. Nothing is random: number N of a law is the same input on every machine
 * and in every shard.
 *
 * A law that does not hold is a choice or a defect of a text: expected.def lists, profile by profile, which do not, and
 * spec/choices.md, annex A says why. */
#pragma once

#include "run/runner.h"

typedef enum law {
#define LAW(id, name, inputs, only, holds, ask, statement, clauses) LAW_##id,
#include "laws.def"
  LAW_COUNT
} law;

const char *law_name(law l);
const char *law_inputs(law l); /* a letter for each DebugLoc: laws.def */
const char *law_statement(law l);
const char *law_clauses(law l); /* anchors, separated by blanks */
bool law_find(dloc_text name, law *ret);

enum { LAWS_SCOPE_LIMIT = 4 };

/* The size of the largest inputs of a scope. */
unsigned laws_scope_size(unsigned scope);

#define LAWS_NO_INPUT UINT64_MAX

typedef struct law_result {
  uint64_t tried;  /* inputs that the law says something about */
  uint64_t broken; /* inputs that break it */
  uint64_t untold; /* inputs of which an implementation did not tell enough */
  uint64_t first;  /* number of the first that breaks it; LAWS_NO_INPUT */
} law_result;

typedef struct laws_settings {
  const dloc_profile *profile;
  unsigned scope;       /* 1 to LAWS_SCOPE_LIMIT */
  bool skip[LAW_COUNT]; /* laws that are not tried */
  uint64_t shard;       /* of the inputs numbered N those are tried whose N mod shards is shard */
  uint64_t shards;      /* at least 1 */
  size_t mutant; /* the model makes the mistake of this row of mutants.def, counted from 1; 0: none. In the build with
                    mutants alone */
  void (*progress)(law next); /* called before each law; NULL: nobody looks */
} laws_settings;

/* Try the laws on every input of the shard. results has an entry for each law. */
void laws_run(const laws_settings *settings, law_result results[LAW_COUNT]);
/* The same in `jobs` processes. The results are those of laws_run. */
void laws_run_parallel(const laws_settings *settings, unsigned jobs, law_result results[LAW_COUNT]);
/* Add the results of another shard. */
void laws_add(law_result results[LAW_COUNT], const law_result more[LAW_COUNT]);

/* ---- Witnesses ---- */

/* The questions about an input that breaks a law: a few lines for people, with the DebugLocs in LLVM's form; and
 * vectors, each document behind a `---` but for the first. A vector has the answers of the profile, and of other
 * built-in profiles where they differ. */
typedef struct law_told {
  dloc_buffer questions, witness;
} law_told;

/* Asks the model; told is zeroed, and its buffers are the caller's. */
void laws_show(const laws_settings *settings, law l, uint64_t input, law_told *told);

/* ---- The same of an implementation ---- */

/* Ask an implementation that was started, with these capabilities, instead of the model. told, as of laws_show, is
 * about the first inputs that break the laws. False: the run could not go on; the adapter's error says why. */
bool laws_ask(const laws_settings *settings, adapter *a, uint64_t capabilities, law_result results[LAW_COUNT],
              law_told told[LAW_COUNT]);

/* ---- What is expected ---- */

typedef struct law_expectation {
  law law;
  const char *profile;
  unsigned scope;  /* the smallest that has an input which breaks the law */
  const char *why; /* the choice, the clause or the sentence of the RFC that it comes from */
} law_expectation;

/* Why the law is known to be broken for the built-in profile at that scope; NULL: it is expected to hold. */
const law_expectation *law_expected(law l, const char *profile, unsigned scope);
