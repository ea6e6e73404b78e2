/* emit.c - `emit`: the directives before each instruction, and the embedded texts. SPEC.md 8 */
#include "declare.h"
#include "document/memory.h"

#define DIRECTIVE MAP("a directive", FIELD("file", TEXT), FIELD("line", NUMBER), FIELD("column", NUMBER))
#define PLACE "%line:%column %file\n"
#define INSTRUCTION                                                                                                    \
  MAP_AS("what is written before an instruction", "instruction #\n",                                                   \
         OPTIONAL_AS("primary", DIRECTIVE, "  primary " PLACE),                                                        \
         OPTIONAL_AS("layers", LIST(DIRECTIVE), "  layer " PLACE))
#define EMBEDDED                                                                                                       \
  MAP("an embedded text", FIELD_AS("kind", TEXT, "text of kind %\n"), FIELD_AS("file", TEXT, "  file %\n"),            \
      FIELD_AS("text", TEXT, "  text %\n"))

static void take_directive(query *q, const dloc_directive *directive, term *ret) {
  term_set_text(q->arena, ret, "file", dloc_node_text(q->context, directive->file));
  term_set_number(ret, "line", directive->line);
  term_set_number(ret, "column", directive->column);
}

static void take_instruction(query *q, const dloc_emitted *emitted, term *ret) {
  if (emitted->has_primary)
    take_directive(q, &emitted->primary, term_set_map(q->arena, ret, "primary"));
  for (size_t i = 0; i < emitted->layer_count; i++)
    take_directive(q, &emitted->layers[i], term_add(q->arena, ret, "layers"));
}

static dloc_status emit_all(query *q, dloc_emitter *emitter, term *value) {
  const term *locations = q->args;
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  term *instructions = term_set_list(q->arena, value, "instructions", locations->count);
  dloc_emitted emitted;
  for (uint32_t i = 0; i < locations->count; i++) {
    TRY(dloc_emit_instruction(emitter, locations->of.nodes[i], &q->reason, &emitted));
    take_instruction(q, &emitted, &instructions[i]);
  }
  TRY(dloc_emit_texts(emitter, &texts, &count));
  for (size_t i = 0; i < count; i++) {
    term *text = term_add(q->arena, value, "texts");
    term_set_text(q->arena, text, "kind", dloc_node_text(q->context, texts[i].kind));
    term_set_text(q->arena, text, "file", dloc_node_text(q->context, texts[i].file));
    term_set_text(q->arena, text, "text", dloc_node_text(q->context, texts[i].text));
  }
  return DLOC_OK;
}

void emit_marks(value_arena *arena, bool in_angles, term *value) {
  const dloc_text marks[] = {dloc_text_of(in_angles ? ".source: <<<" : ".source_begin"),
                             dloc_text_of(in_angles ? ">>>" : ".source_end")};
  term_set_texts(arena, value, "marks", marks, 2);
}

/* The parts of the output in their order. */
static dloc_status emit_order(query *q, dloc_emitter *emitter, term *value) {
  const term *locations = term_list(q->args, "order");
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  dloc_emitted emitted;
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_emit_instruction(emitter, locations->of.nodes[i], &q->reason, &emitted));
  TRY(dloc_emit_texts(emitter, &texts, &count));
  bool first = count && dloc_emit_texts_stand_first(emitter);
  const dloc_text parts[] = {dloc_text_of("texts"), dloc_text_of("files"), dloc_text_of("texts")};
  term_set_texts(q->arena, value, "order", &parts[!first], count ? 2 : 1);
  if (count && term_flag(q->args, "marks"))
    emit_marks(q->arena, dloc_emit_texts_in_angles(emitter), value);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_emitter) dloc_emitter *emitter = NULL;
  TRY(dloc_emitter_create(q->context, q->profile, q->module, q->trace, &emitter));
  return (q->args->type->kind == TYPE_LIST ? emit_all : emit_order)(q, emitter, value);
}

const operation op_emit = {
    .name = "emit",
    .forms = {{LIST(NODE), MAP(NULL, {.key = "instructions", .of = LIST(INSTRUCTION), .as_many = "args"},
                               OPTIONAL("texts", LIST(EMBEDDED)))},
              {MAP(NULL, FIELD("order", LIST(NODE)), OPTIONAL("marks", FLAG)),
               MAP(NULL, FIELD_AS("order", LIST(TEXT), "%\n"), OPTIONAL_AS("marks", LIST(TEXT), "%\n"))}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
};
