/* Private to model/: the state of one verification, shared by the chapters of verify*.c.
 *
 * Everything known about nodes stands in arrays over their handles, filled as nodes are met: each node is visited once,
 * each chain of scopes or of inlinedAt walked once, whatever the number of instructions. No node may be created
 * meanwhile. */
#pragma once

#include "nodes/module.h"

/* The facts about a node. */
enum {
  MARK_VISITED = 1 << 0,    /* Its rules are checked. */
  MARK_MISPLACED = 1 << 1,  /* Reported as containing a misplaced location. */
  MARK_SURVIVES = 1 << 2,   /* Reached from what LLVM keeps when it drops debug info. */
  MARK_LISTED = 1 << 3,     /* A compile unit of !llvm.dbg.cu; a DIFile of !llvm.intermediate_level_source. */
  MARK_SHAPED = 1 << 4,     /* A DebugLoc whose shape and atoms are checked. */
  MARK_CLASSIFIED = 1 << 5, /* A subprogram of which MARK_DEFINITION is known. */
  MARK_DEFINITION = 1 << 6,
};

/* Owners (scope.c): the subprogram that a scope, or the outermost scope of a location's chain, belongs to. */
#define OWNER_UNKNOWN ((dloc_node)0)
#define OWNER_NONE UINT32_MAX          /* the chain does not end in a subprogram */
#define OWNER_CYCLE (UINT32_MAX - 1)   /* it does not end at all */
#define OWNER_WALKING (UINT32_MAX - 2) /* it is being walked */

typedef struct verifier {
  const dloc_module *module;
  dloc_context *context;
  const dloc_profile *profile;
  dloc_report *report;
  void *user;
  dloc_verdict verdict;
  /* Where the walk stands. */
  uint32_t function;
  uint32_t instruction;
  uint32_t named;
  dloc_node subprogram; /* of the function; DLOC_NULL */
  /* For the next violation: see dloc_violation. */
  uint32_t operand, other_operand;
  dloc_node other;
  bool stripped; /* the debug info is of another version: only what LLVM keeps is checked */
  bool survivors_known;
  dloc_status (*mark_survivors)(struct verifier *v); /* set MARK_SURVIVES on what each survivor reaches */
  bool layers_met;
  bool sources_listed; /* there is an !llvm.intermediate_level_source */
  /* Over nodes. */
  uint32_t limit;
  uint8_t *marks;
  dloc_node *owners;
  uint32_t *functions; /* 1 + the last function: that a location was checked in, that a subprogram is attached to;
                          of a number, the variable that is retained as the argument of this number */
  /* Work in progress. */
  scratch stack;
  scratch path;
  scratch units;
} verifier;

/* Report a violation of a rule about where the walk stands; node may be DLOC_NULL. */
dloc_status violated(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node);
/* The same about a node itself: hard when LLVM cannot get rid of the node. */
dloc_status attachment_violated(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node);
dloc_status node_violated(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node);
/* One of these about an operand of the node: dloc_violation.operand. */
typedef dloc_status violated_node(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node);
dloc_status violated_at(verifier *v, violated_node *violates, dloc_reason reason, dloc_clause clause, dloc_node node,
                        size_t operand);

static inline unsigned kind_of(const verifier *v, dloc_node node) { return v->context->nodes[node].kind; }

static inline const uint32_t *words_of(const verifier *v, dloc_node node) {
  return v->context->words + v->context->nodes[node].at;
}

/* Words 2 and 3 of a location's payload. */
static inline dloc_node location_scope(const verifier *v, dloc_node location) { return words_of(v, location)[2]; }
static inline dloc_node location_inlined_at(const verifier *v, dloc_node location) { return words_of(v, location)[3]; }

static inline dloc_node field_of(const verifier *v, dloc_node node, unsigned field) {
  return node_field(v->context, node, v->context->field_keys[field]);
}

/* scope.c */
/* The primary of a DebugLoc that the profile accepts; DLOC_NULL for any other node. */
dloc_node primary_of(const verifier *v, dloc_node debug_loc);
bool is_definition_node(verifier *v, dloc_node subprogram);
bool is_declaration_node(verifier *v, dloc_node node); /* a subprogram that is no definition */
/* The owner of a scope or location; OWNER_NONE for any other node. Reports a cycle when it meets one. */
dloc_status owner_of(verifier *v, dloc_node node, dloc_node *ret);
dloc_status check_location(verifier *v, dloc_node location);
dloc_status check_scope(verifier *v, dloc_node scope);
/* The rules for a location that an instruction of the function holds (`verify.subprogram`). */
dloc_status check_in_function(verifier *v, dloc_node location);

/* node.c */
/* What a walk makes of the locations that it meets in nodes: they may not stand there, they may, LLVM takes them out. */
typedef enum location_use { LOCATIONS_MISPLACED, LOCATIONS_ALLOWED, LOCATIONS_DROPPED } location_use;
static inline location_use allowed_if(bool condition) { return condition ? LOCATIONS_ALLOWED : LOCATIONS_MISPLACED; }
/* Check every node reachable from root that has not been checked. */
dloc_status visit(verifier *v, dloc_node root, location_use locations);
/* Set MARK_SURVIVES on every node reachable from root. */
dloc_status mark_survivors(verifier *v, dloc_node root, location_use locations);
dloc_status check_units_listed(verifier *v);

/* function.c */
dloc_status check_functions(verifier *v);
bool is_debug_record(const verifier *v, uint32_t flags);

/* fields.c */
dloc_status check_variable(verifier *v, dloc_node node); /* or label; any other node is fine */
dloc_status check_subprogram(verifier *v, dloc_node subprogram);
dloc_status check_unit(verifier *v, dloc_node unit);
dloc_status check_file(verifier *v, dloc_node file);
/* Is the class of a node one of these, between which are blanks? */
bool class_is(const verifier *v, dloc_node node, const char *names);

/* irlayers.c */
dloc_status check_list(verifier *v, dloc_node list);
dloc_status check_layer(verifier *v, dloc_node layer);

/* shape.c */
/* As primary_of, but for a composite whose primary the rules about instructions do not hold for (`verify.composites`). */
dloc_node checked_location(const verifier *v, dloc_node debug_loc);
/* The shape of an instruction's or record's DebugLoc, then its nodes, layers and atoms. */
dloc_status check_debug_loc(verifier *v, dloc_node debug_loc);

/* source.c */
void list_sources(verifier *v);
/* After everything else: which files have layers is known then. */
dloc_status check_sources(verifier *v);

/* survivors.c: what LLVM keeps when it drops a module's debug info. */
typedef dloc_status visitor(verifier *v, dloc_node root, location_use locations);
dloc_status each_survivor(verifier *v, visitor *action);
bool has_debug_info(const verifier *v);

/* report.c */
bool text_is(const verifier *v, dloc_node token, const char *word);
bool text_starts(const verifier *v, dloc_node token, const char *word);
