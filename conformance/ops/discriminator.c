/* discriminator.c - `discriminator`: a location whose primary gets another discriminator.
 * spec/transformations.md 5.9 */
#include "declare.h"

#define RESULT MAP(NULL, FIELD("result", NODE), NODES)

static dloc_status ask(query *q, term *value) {
  bool base = term_get(q->args, "base") != NULL;
  return dloc_discriminate(q->context, q->profile, term_node(q->args, "location"),
                           base ? DLOC_DISCRIMINATOR_BASE : DLOC_DISCRIMINATOR_DUPLICATION,
                           (uint32_t)term_number(q->args, base ? "base" : "duplication"), &q->reason,
                           term_set_node(q->arena, value, "result"));
}

const operation op_discriminator = {
    .name = "discriminator",
    .forms = {{MAP(NULL, FIELD("base", NUMBER), FIELD("location", NODE)), RESULT},
              {MAP(NULL, FIELD("duplication", NUMBER), FIELD("location", NODE)), RESULT}},
    .roots = "result",
    .ask = ask,
};
