/* batch.c - what every recipe needs: vectors in, probes, a tool's output back. */
#include "llvm.h"

#include <string.h>

/* ---- Writing ---- */

bool llvm_has_module(const llvm_adapter *a, const vector *v) { return a && v->module; }

bool llvm_needs_layers(const vector *v) { return v->needs >> VECTOR_NEED_LAYERS & 1; }

bool llvm_needs_irlayers(const vector *v) { return v->needs >> VECTOR_NEED_IRLAYERS & 1; }

bool llvm_has_atoms(const llvm_adapter *a, const vector *v) { return a && v->needs >> VECTOR_NEED_ATOMS & 1; }

bool llvm_write_vector(llvm_batch *b, llvm_text *t, size_t position) {
  vector_case built = {.rejected = DLOC_REASON_NONE};
  if (!b->recipe->write) {
    llvm_write_whole(llvm_vector(b, position), t);
    return true;
  }
  llvm_text_begin(t);
  dloc_status status = vector_build(llvm_vector(b, position), t->context, &t->arena, &built);
  if (status == DLOC_OK && !built.rejected) {
    llvm_text_built(t);
    bool written = b->recipe->write(b, t, position, &built);
    vector_case_deinit(&built);
    return written;
  }
  if (built.rejected)
    llvm_hand_on(b, position, llvm_kind(VECTOR_VERIFY, 0)); /* such nodes are written as they stand, alone */
  else
    run_answer_set(llvm_answer(b, position), RUN_ERRORED, "%s", dloc_status_text(status));
  return false;
}

uint32_t llvm_probe_add(llvm_batch *b, size_t position, uint32_t call, uint32_t index, uint8_t kind) {
  *MEMORY_ADD(b->probes, b->probe_count) =
      (llvm_probe){.position = position, .call = call, .index = index, .kind = kind};
  return (uint32_t)b->probe_count - 1;
}

void llvm_write_calls(llvm_batch *b, llvm_text *t, size_t position, const term *locations, bool stores) {
  for (uint32_t i = 0; i < locations->count; i++) {
    unsigned probe = llvm_probe_add(b, position, 0, i, 0);
    if (stores && probe % 2)
      llvm_code(t, "  store volatile i32 %u, %s @dloc.memory", probe,
                b->adapter->facts & LLVM_OPAQUE_POINTERS ? "ptr" : "i32*");
    else
      llvm_code(t, "  call void @dloc.case(i32 %u)", probe);
    llvm_code_dbg(t, locations->of.nodes[i]);
  }
}

bool llvm_write_list(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  llvm_code(t, "define void @list.%zu() {\n", position);
  llvm_write_calls(b, t, position, built->args, false);
  llvm_code(t, "  ret void\n}\n");
  return true;
}

/* ---- Reading ---- */

/* The module that the tool printed; NULL: it cannot be read, and that has been answered. */
static dloc_module *read_module(llvm_batch *b, dloc_context *context) {
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  if (dloc_read_ll(context, buffer_text(&b->child.output), &diagnostic, &module) == DLOC_OK)
    return module;
  for (size_t i = 0; i < b->task.count; i++)
    if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
      run_answer_set(llvm_answer(b, i), RUN_ERRORED, "its output cannot be read: line %u: %s",
                     (unsigned)diagnostic.line, diagnostic.message);
  return NULL;
}

void llvm_take_result(const llvm_seen *seen, term *value) {
  *term_set_node(&seen->batch->arena, value, "result") = seen->probes->node;
}

void llvm_take_results(const llvm_seen *seen, term *value) {
  dloc_node *results = term_set_nodes(&seen->batch->arena, value, "results", seen->count);
  for (size_t i = 0; i < seen->count; i++)
    results[i] = seen->probes[i].node;
}

void llvm_take_list(const llvm_seen *seen, term *value) {
  const dloc_module *module = seen->module;
  dloc_named_metadata list = {.operand_count = 0};
  (void)dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list);
  dloc_node *sources = term_set_nodes(&seen->batch->arena, value, "sources", list.operand_count);
  for (size_t i = 0; i < list.operand_count; i++)
    sources[i] = dloc_module_named_operand(module, &list, i);
}

/* The observations of the probes of one vector. One that has not seen anything leaves it without an answer. */
static void answer_vector(llvm_batch *b, const dloc_module *module, size_t position, const llvm_probe *probes,
                          size_t count) {
  run_answer *answer = llvm_answer(b, position);
  for (size_t i = 0; i < count; i++)
    if (!probes[i].seen)
      return;
  if (answer->outcome != RUN_UNANSWERED)
    return;
  vector_answer given = llvm_begin_answer(b, position);
  b->recipe->take(&(const llvm_seen){b, module, position, probes, count}, given.value);
  if (answer->outcome == RUN_UNANSWERED)
    llvm_give(b, position, dloc_module_context(module), &given);
}

/* Probes have the order of their vectors. */
static void answer_all(llvm_batch *b, const dloc_module *module) {
  for (size_t position = 0, first = 0; position < b->task.count; position++) {
    size_t next = first;
    while (next < b->probe_count && b->probes[next].position == position)
      next++;
    answer_vector(b, module, position, b->probes ? b->probes + first : NULL, next - first);
    first = next;
  }
}

void llvm_read(llvm_batch *b) {
  if (b->adapter->hides)
    dropin_reveal(b);
  if (b->recipe->read) {
    b->recipe->read(b);
    return;
  }
  if (b->recipe->prepare)
    b->recipe->prepare(b);
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  OWNED(release_dloc_module) dloc_module *module = read_module(b, context);
  if (!module)
    return;
  if (b->recipe->see)
    b->recipe->see(b, module);
  else
    llvm_see_calls(b, module, NULL);
  answer_all(b, module);
}

void llvm_see_calls(llvm_batch *b, const dloc_module *module, const char *seen_twice) {
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++) {
    const dloc_instruction *instruction = dloc_module_instruction(module, i);
    dloc_text line = llvm_line_of(b, instruction);
    uint32_t number;
    bool is_probe = llvm_number_after(line, "call void @dloc.case(i32 ", &number) ||
                    llvm_number_after(line, "store volatile i32 ", &number);
    if (!is_probe || number >= b->probe_count)
      continue;
    llvm_probe *probe = &b->probes[number];
    if (probe->seen && seen_twice)
      run_answer_set(llvm_answer(b, probe->position), RUN_ERRORED, "%s", seen_twice);
    probe->seen = true;
    probe->node = instruction->debug_loc;
  }
}

/* ---- What a tool says that failed ---- */

static void set_degraded(run_answer *answer, dloc_text errors) {
  dloc_text message = llvm_first_message(errors);
  bool reasons[DLOC_REASON_COUNT] = {false};
  llvm_reasons(message, reasons);
  run_answer_set(answer, RUN_DEGRADED, "%.*s%sall debug info was dropped",
                 (int)(message.size < 200 ? message.size : 200), message.bytes, message.size ? ": " : "");
  memcpy(answer->reasons, reasons, sizeof reasons);
}

/* These texts stand in an instruction before the number of a probe, the last four before its factor. */
static const char *const marks[] = {"@dloc.case(i32 ", "store volatile i32 ", "@dloc.print.",
                                    "label %do.",      "\"// dloc ",          " %x, ",
                                    "(i32 %x, i32 ",   " %a, <i32 ",          " %a, splat (i32 "};
enum { FIRST_OF_FACTORS = 5 };

/* The vector that an instruction in a message names; NULL: none. It is indented; nodes, with the vectors' texts, are not. */
static run_answer *named_answer(const llvm_batch *b, dloc_text line) {
  uint32_t number;
  if (line.size == 0 || *line.bytes != ' ')
    return NULL;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    uint32_t first = i < FIRST_OF_FACTORS ? 0 : LLVM_FIRST_FACTOR;
    if (llvm_number_after(line, marks[i], &number) && number - first < b->probe_count)
      return llvm_answer(b, b->probes[number - first].position);
  }
  return llvm_number_after(line, "@callee.", &number) && number < b->task.count ? llvm_answer(b, number) : NULL;
}

/* The tool dropped the module's debug info. Its messages show instructions: these vectors are to blame, the others are
 * tried again. */
static void blame_named(llvm_batch *b) {
  for (dloc_text errors = buffer_text(&b->child.errors), rest = errors; rest.size;) {
    run_answer *answer = named_answer(b, text_take_line(&rest));
    if (answer && answer->outcome == RUN_UNANSWERED)
      set_degraded(answer, errors);
  }
}

/* The tool could not read the module, and said why. */
static bool set_unread(const llvm_batch *b, run_answer *answer) {
  bool reasons[DLOC_REASON_COUNT] = {false};
  dloc_text errors = buffer_text(&b->child.errors), words = process_last_words(&b->child);
  bool told = !b->child.timed_out && !process_crashed(&b->child) && llvm_reasons(llvm_first_message(errors), reasons);
  if (!told)
    return false;
  bool unread = text_find(words, "<stdin>:") && text_find(words, ": error: ");
  run_answer_set(answer, unread ? RUN_REFUSED : RUN_REJECT, "%.*s", (int)words.size, words.bytes);
  memcpy(answer->reasons, reasons, sizeof reasons);
  return true;
}

/* The parser shows the line where it ends: its vector is to blame, the others are tried again. */
static void blame_shown(llvm_batch *b) {
  for (dloc_text rest = buffer_text(&b->child.errors); rest.size;) {
    run_answer *answer = named_answer(b, text_take_line(&rest));
    if (answer && answer->outcome == RUN_UNANSWERED)
      set_unread(b, answer);
  }
}

/* A single vector whose run failed. */
static void answer_failure(llvm_batch *b, run_answer *answer) {
  char end[100];
  const process *child = &b->child;
  dloc_text words = process_last_words(child), errors = buffer_text(&child->errors);
  process_describe_end(child, end, sizeof end);
  if (set_unread(b, answer))
    return;
  if (child->timed_out) {
    run_answer_set(answer, RUN_HANG, "%s", end);
  } else {
    run_answer_set(answer, process_crashed(child) ? RUN_CRASH : RUN_ERRORED, "%s%s%.*s", end, words.size ? ": " : "",
                   (int)words.size, words.bytes);
  }
  run_answer_keep_errors(answer, errors);
}

void llvm_read_failure(llvm_batch *b, bool ended_well) {
  run_answer *alone = b->task.count == 1 ? llvm_answer(b, 0) : NULL;
  if (ended_well)
    blame_named(b);
  else if (!alone)
    blame_shown(b);
  if (!alone || alone->outcome != RUN_UNANSWERED)
    return;
  if (ended_well)
    set_degraded(alone, buffer_text(&b->child.errors));
  else
    answer_failure(b, alone);
}
