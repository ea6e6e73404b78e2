/* emit.c - `emit`: the directives before each instruction, and the embedded texts. SPEC.md 8 */
#include "emit.h"

#include "declare.h"

#define DIRECTIVE MAP("a directive", FIELD("file", TEXT), FIELD("line", NUMBER), FIELD("column", NUMBER))
#define PLACE "%line:%column %file\n"
#define INSTRUCTION                                                                                                    \
  MAP_AS("what is written before an instruction", "instruction #\n",                                                   \
         {.key = "primary", .of = DIRECTIVE, .optional = true, .text = "  primary " PLACE},                            \
         {.key = "layers", .of = LIST(DIRECTIVE), .optional = true, .text = "  layer " PLACE})
#define EMBEDDED                                                                                                       \
  MAP("an embedded text", {.key = "kind", .of = TEXT, .text = "text of kind %\n"},                                     \
      {.key = "file", .of = TEXT, .text = "  file %\n"}, {.key = "text", .of = TEXT, .text = "  text %\n"})

static void take_directive(query *q, const dloc_directive *directive, term *ret) {
  term_set_text(q->arena, ret, "file", dloc_node_text(q->context, directive->file));
  term_set_number(ret, "line", directive->line);
  term_set_number(ret, "column", directive->column);
}

static void take_instruction(query *q, const dloc_emitted *emitted, term *ret) {
  if (emitted->has_primary)
    take_directive(q, &emitted->primary, term_set_map(q->arena, ret, "primary"));
  term *layers = emitted->layer_count ? term_set_list(q->arena, ret, "layers", emitted->layer_count) : NULL;
  for (size_t i = 0; i < emitted->layer_count; i++)
    take_directive(q, &emitted->layers[i], &layers[i]);
}

static dloc_status take_texts(query *q, dloc_emitter *emitter, term *value) {
  const dloc_emitted_text *written = NULL;
  size_t count = 0;
  TRY(dloc_emit_texts(emitter, &written, &count));
  term *texts = count ? term_set_list(q->arena, value, "texts", count) : NULL;
  for (size_t i = 0; i < count; i++) {
    term_set_text(q->arena, &texts[i], "kind", dloc_node_text(q->context, written[i].kind));
    term_set_text(q->arena, &texts[i], "file", dloc_node_text(q->context, written[i].file));
    term_set_text(q->arena, &texts[i], "text", dloc_node_text(q->context, written[i].text));
  }
  return DLOC_OK;
}

static dloc_status emit_all(query *q, dloc_emitter *emitter, term *value) {
  const term *locations = q->args;
  term *instructions = term_set_list(q->arena, value, "instructions", locations->count);
  dloc_emitted emitted;
  for (uint32_t i = 0; i < locations->count; i++) {
    TRY(dloc_emit_instruction(emitter, locations->of.nodes[i], &q->reason, &emitted));
    take_instruction(q, &emitted, &instructions[i]);
  }
  return take_texts(q, emitter, value);
}

void emit_marks(value_arena *arena, bool in_angles, term *value) {
  term *marks = term_set_list(arena, value, "marks", 2);
  term_be_text(arena, &marks[0], dloc_text_of(in_angles ? ".source: <<<" : ".source_begin"));
  term_be_text(arena, &marks[1], dloc_text_of(in_angles ? ">>>" : ".source_end"));
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
  term *order = term_set_list(q->arena, value, "order", count ? 2 : 1);
  term_be_text(q->arena, &order[first], dloc_text_of("files"));
  if (count)
    term_be_text(q->arena, &order[!first], dloc_text_of("texts"));
  if (!count || !term_flag(q->args, "marks"))
    return DLOC_OK;
  emit_marks(q->arena, dloc_emit_texts_in_angles(emitter), value);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  dloc_emitter *emitter = NULL;
  TRY(dloc_emitter_create(q->context, q->profile, q->module, q->trace, &emitter));
  dloc_status status = (q->args->type->kind == TYPE_LIST ? emit_all : emit_order)(q, emitter, value);
  dloc_emitter_destroy(emitter);
  return status;
}

const operation op_emit = {
    .name = "emit",
    .forms = {{LIST(NODE), MAP(NULL, {.key = "instructions", .of = LIST(INSTRUCTION), .as_many = "args"},
                               OPTIONAL("texts", LIST(EMBEDDED)))},
              {MAP(NULL, FIELD("order", LIST(NODE)), OPTIONAL("marks", FLAG)),
               MAP(NULL, {.key = "order", .of = LIST(TEXT), .text = "%\n"},
                   {.key = "marks", .of = LIST(TEXT), .optional = true, .text = "%\n"})}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
    .args_cell =
        "the same, or `{order: [a, null, b], marks: true}` (marks default false); `module` (optional) with `llvm.intermediate_level_source`",
    .value_cell =
        "`instructions: [...]`: what is written before each; `texts: [{kind, file, text}]`, absent when none is written / "
        "`order: [files, texts]`: what stands first, the directives that name files or the texts, and "
        "`marks: [.source_begin, .source_end]`: what stands before and behind each text, if asked for",
};
