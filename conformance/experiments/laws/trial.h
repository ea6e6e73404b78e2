/* trial.h - one law tried on one input: what laws.c asks of the model or of an implementation, and how it compares the
 * answers.
 *
 * Every question goes through here, so that the questions of a witness can be written down as vectors. A question that
 * is refused, although its operands are valid, breaks any law. */
#pragma once

#include "experiments/world/world.h"
#include "laws.h"

/* SILENT: the law says nothing about this input. WAITS: for answers, behind which it is tried again. */
typedef enum finding { SILENT, HOLDS, BROKEN, WAITS } finding;

enum { TRIAL_OPERANDS = 3, TRIAL_QUESTIONS = 16 };

/* An instruction that is hoisted: in which function, and whether it is a call. */
typedef struct hoisting {
  world_function function;
  bool is_call;
} hoisting;

/* Something that was asked: the operands of an op; for `inline` the call and how it was inlined, for `hoist` the
 * instruction, for `verify` its function. And what came back, where that is a DebugLoc for each
 * operand (`merge`: one for all) or a verdict. */
typedef struct question {
  vector_op op;
  const dloc_profile *profile;
  dloc_node operands[TRIAL_OPERANDS];
  size_t count;
  dloc_node call;
  world_mode mode;
  hoisting way;
  dloc_node results[TRIAL_OPERANDS];
  bool verdict;        /* equal, valid */
  unsigned turn;       /* of inlining: how often this trial inlined before. Each time makes call sites of its own */
  const char *text;    /* of an implementation: its answer to print and emit */
  const char *refusal; /* of an implementation: what it says instead of an answer; or NULL */
} question;

typedef struct trial trial;

/* Laws of several operations ask for one DebugLoc of the first operands. */
typedef dloc_node operation_of(trial *t, const dloc_profile *profile, const dloc_node *in);

struct trial {
  world *world;
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_profile *stock; /* the release without the feature that the profile stands on */
  const dloc_profile *other; /* the profile of the other form that it is compared with; NULL: there is none */
  dloc_node in[TRIAL_OPERANDS];
  size_t count;                         /* of these */
  world_function homes[TRIAL_OPERANDS]; /* of the operands; an empty one is at home where the first is */
  world_mode mode;
  hoisting way;       /* for laws about hoisting */
  uint32_t first_new; /* nodes from here on were made in this trial */
  bool refused;
  struct answers *answers; /* of an implementation that is asked instead of the model; NULL: the model is */
  bool waits;              /* for an answer; those that came back so far may be unknown */
  bool untold;             /* the implementation cannot be asked that, or did not say */
  unsigned inlined;        /* how often */
  size_t mutant;           /* laws_settings; stock is answered by the model without it */
  bool wants_questions;
  question questions[TRIAL_QUESTIONS];
  size_t question_count;
  operation_of *ask; /* of the law that is tried: its operation */
};

/* Try a law: t->in, homes, mode and first_new are filled in. */
finding trial_run(trial *t, law l);

/* ---- Questions ---- */

dloc_node trial_merge(trial *t, const dloc_profile *profile, const dloc_node *debug_locs, size_t count);
dloc_node trial_merge_two(trial *t, dloc_node a, dloc_node b); /* under the profile of the trial */
/* The DebugLocs of `count` instructions after one call was inlined. */
void trial_inline(trial *t, const dloc_profile *profile, dloc_node call, const dloc_node *debug_locs, size_t count,
                  dloc_node *ret);
dloc_node trial_round_trip(trial *t, const dloc_profile *profile, dloc_node debug_loc);
/* The DebugLoc of a hoisted instruction. */
dloc_node trial_hoist(trial *t, const dloc_profile *profile, dloc_node debug_loc, hoisting way);
bool trial_equal(trial *t, dloc_node a, dloc_node b);
bool trial_valid(trial *t, world_function function, dloc_node debug_loc);
/* Whether both print the same text. */
bool trial_same_print(trial *t, const dloc_node *in);
/* Whether the same directives are written for the first two after an instruction with the third DebugLoc. */
bool trial_same_directives(trial *t, const dloc_node *in);
/* Whether somebody who reads the directives, as far as they reach, sees the second instruction at the same places behind
 * the first as alone. */
bool trial_shown_as_alone(trial *t, const dloc_node *in);
/* DebugLocs in the other form; false when something would be lost. */
bool trial_convert(trial *t, dloc_form to, const dloc_node *debug_locs, size_t count, dloc_node *ret);
/* Whether a module that is printed and read again has the same location. */
bool trial_rereads(trial *t, const dloc_node *in);
/* The smallest bare location of f. */
dloc_node trial_plain(trial *t);
dloc_node trial_create(trial *t, dloc_node primary, const dloc_layer *layers, size_t count);

/* ---- A witness: the questions that were written down ---- */

/* Append them for people, and as vectors: law_told. */
void witness_explain(const trial *t, dloc_buffer *out);
void witness_write(const trial *t, law l, dloc_buffer *out);
/* Append a question as YAML. head: the lines down to the level. with_keys: functions ask for key instructions although
 * the question has no atoms, as the world's do where the profile knows atoms. */
void question_write(const world *world, const question *q, bool with_keys, const char *head, const char *note,
                    dloc_buffer *out);

/* ---- Comparison ---- */

/* Whether two DebugLocs say the same. Nodes that this trial made are the same when their content is, also when they are
 * distinct (call sites of two inlined calls), and so are atom groups that it allocated. */
bool trial_same(const trial *t, dloc_node a, dloc_node b);
/* The same, whichever of the locations and tuples are distinct, and without operands that are no layer. */
bool trial_alike(const trial *t, dloc_node a, dloc_node b);
bool trial_same_location(const trial *t, dloc_node a, dloc_node b);
