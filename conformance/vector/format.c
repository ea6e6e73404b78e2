/* format.c - the format of a vector: the keys of a document in their order, and what stands there. */
#include "ops/declare.h"
#include "format.h"

#define ANY (&(const type){.kind = TYPE_ANY})
#define OF_EACH(item) (&(const type){.kind = TYPE_NAMED, .of = (item)})
#define LEVEL WORD("a level", "must", "should", "may", "undefined", "record")

const type outcome_type = {.kind = TYPE_MAP,
                           .what = "an outcome",
                           .fields = (const field[]){FIELD("outcome", WORD("an outcome", "ok", "reject")),
                                                     OPTIONAL("reason", TEXT),
                                                     OPTIONAL("severity", WORD("a severity", "soft", "hard", "parse")),
                                                     OPTIONAL("value", (&(const type){.kind = TYPE_VALUE})),
                                                     {.key = NULL}}};

/* Its `op` says which args and values stand in it. */
const type *const vector_type =
    MAP("a vector", FIELD("id", TEXT), OPTIONAL("note", TEXT), NODES,
        OPTIONAL("module", (&(const type){.kind = TYPE_MODULE})), FIELD("op", TEXT),
        OPTIONAL("args", (&(const type){.kind = TYPE_ARGS})), FIELD("expect", &outcome_type),
        OPTIONAL("choices", OF_EACH(OF_EACH(&outcome_type))), OPTIONAL("profiles", OF_EACH(&outcome_type)),
        OPTIONAL("digest", TEXT), FIELD("clauses", LIST(TEXT)), FIELD("level", LEVEL), FIELD("since", TEXT),
        OPTIONAL("with", OF_EACH(TEXT)), OPTIONAL("needs", LIST(TEXT)), OPTIONAL("kills", LIST(TEXT)));

/* The fields of LLVM's classes follow, in LLVM's order. */
const type node_type = {
    .kind = TYPE_MAP,
    .fields = (const field[]){OPTIONAL("node", ANY),
                              OPTIONAL("distinct", ANY),
                              OPTIONAL("self", ANY),
                              OPTIONAL("primary", ANY),
                              OPTIONAL("layers", LIST(MAP("a layer", FIELD("kind", ANY), FIELD("location", ANY)))),
                              {.key = NULL}}};
