/* llvm_batch.c - what every recipe needs: vectors in, probes, a tool's output back. */
#include "llvm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const vector *llvm_vector(const llvm_batch *b, size_t position) { return b->vectors[b->task.items[position]]; }

run_answer *llvm_answer(const llvm_batch *b, size_t position) { return &b->answers[b->task.items[position]]; }

uint32_t llvm_probe_add(llvm_batch *b, llvm_text *t, size_t position, uint32_t call, uint32_t index, uint8_t kind) {
  if (b->probe_count == b->probe_room) {
    size_t room = b->probe_room ? 2 * b->probe_room : 256;
    llvm_probe *probes = realloc(b->probes, room * sizeof *probes);
    if (!probes || room > UINT32_MAX / 2) {
      b->probes = probes ? probes : b->probes;
      t->status = DLOC_NO_MEMORY;
      return UINT32_MAX;
    }
    b->probes = probes;
    b->probe_room = room;
  }
  b->probes[b->probe_count] = (llvm_probe){.position = position, .call = call, .index = index, .kind = kind};
  return (uint32_t)b->probe_count++;
}

void llvm_hand_on(llvm_batch *b, llvm_text *t, size_t position, int kind) {
  (void)t;
  worklist_add(&b->later, &b->task.items[position], 1, kind);
  run_answer_set(llvm_answer(b, position), RUN_ERRORED, "not tried");
}

bool llvm_case_open(llvm_batch *b, llvm_text *t, size_t position, llvm_case *ret) {
  if (!llvm_text_begin(t))
    return false;
  llvm_case c = {.context = t->context};
  bool rejected = false;
  vector_answer answer;
  dloc_status status = vector_build(llvm_vector(b, position), c.context, &t->arena, &c.built, &rejected, &answer);
  if (status == DLOC_OK && !rejected) {
    *ret = c;
    return llvm_text_built(t);
  }
  if (status == DLOC_NO_MEMORY)
    t->status = status;
  else if (rejected)
    llvm_hand_on(b, t, position, KIND_VERIFY); /* nodes that cannot exist are written as they stand, alone */
  else
    run_answer_set(llvm_answer(b, position), RUN_ERRORED, "%s", dloc_status_text(status));
  t->context_uses = UINT_MAX - 1; /* it may be left half built */
  return false;
}

void llvm_case_close(llvm_case *c) { vector_case_deinit(&c->built); }

dloc_status llvm_output_read(llvm_batch *b, dloc_text text, llvm_output *ret) {
  llvm_output output = {.context = dloc_context_create(NULL)};
  value_arena_init(&output.arena, NULL);
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_status status = DLOC_NO_MEMORY;
  if (output.context)
    status = dloc_read_ll(output.context, text, &diagnostic, &output.module);
  if (status == DLOC_OK) {
    *ret = output;
    return DLOC_OK;
  }
  llvm_output_close(&output);
  if (status == DLOC_INVALID)
    for (size_t i = 0; i < b->task.count; i++)
      if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
        run_answer_set(llvm_answer(b, i), RUN_ERRORED, "its output cannot be read: line %u: %s",
                       (unsigned)diagnostic.line, diagnostic.message);
  return status;
}

void llvm_output_close(llvm_output *output) {
  dloc_module_destroy(output->module);
  dloc_context_destroy(output->context);
  value_arena_deinit(&output->arena);
}

dloc_status llvm_read_results(llvm_batch *b, void (*see)(llvm_batch *, const llvm_output *)) {
  llvm_output output;
  dloc_status status = llvm_output_read(b, llvm_text_of(&b->child.output), &output);
  if (status != DLOC_OK)
    return status == DLOC_INVALID ? DLOC_OK : status;
  see(b, &output);
  for (size_t i = 0; status == DLOC_OK && i < b->probe_count; i++) {
    const llvm_probe *probe = &b->probes[i];
    run_answer *answer = llvm_answer(b, probe->position);
    if (answer->outcome != RUN_UNANSWERED || !probe->seen)
      continue;
    value_arena_reset(&output.arena);
    vector_answer given = vector_ok(llvm_vector(b, probe->position), &output.arena);
    *term_set_node(&output.arena, given.value, "result") = probe->node;
    status = run_answer_take(answer, output.context, &output.arena, &given);
  }
  llvm_output_close(&output);
  return status;
}

void llvm_take_results(llvm_output *output, const llvm_probe *probes, size_t count, term *ret) {
  dloc_node *results = term_set_nodes(&output->arena, ret, "results", count);
  for (size_t i = 0; i < count; i++)
    results[i] = probes[i].node;
}

void llvm_take_list(llvm_output *output, term *ret) {
  dloc_named_metadata list = {.operand_count = 0};
  (void)dloc_module_find_named(output->module, dloc_text_of(DLOC_SOURCE_LIST), &list);
  dloc_node *sources = term_set_nodes(&output->arena, ret, "sources", list.operand_count);
  for (size_t i = 0; i < list.operand_count; i++)
    sources[i] = dloc_module_named_operand(output->module, &list, i);
}

static dloc_status answer_group(llvm_batch *b, llvm_output *output, llvm_take *take, const llvm_probe *probes,
                                size_t count) {
  value_arena_reset(&output->arena);
  run_answer *answer = llvm_answer(b, probes->position);
  for (size_t i = 0; i < count; i++)
    if (!probes[i].seen) {
      run_answer_set(answer, RUN_ERRORED, "an instruction is not in the result");
      return DLOC_OK;
    }
  vector_answer given = vector_ok(llvm_vector(b, probes->position), &output->arena);
  take(b, output, probes, count, given.value);
  return run_answer_take(answer, output->context, &output->arena, &given);
}

dloc_status llvm_read_groups(llvm_batch *b, llvm_take *take) {
  llvm_output output;
  dloc_status status = llvm_output_read(b, llvm_text_of(&b->child.output), &output);
  if (status != DLOC_OK)
    return status == DLOC_INVALID ? DLOC_OK : status;
  llvm_see_calls(b, &output, NULL);
  for (size_t i = 0, next; status == DLOC_OK && i < b->probe_count; i = next) {
    for (next = i + 1; next < b->probe_count && b->probes[next].position == b->probes[i].position;)
      next++;
    if (llvm_answer(b, b->probes[i].position)->outcome == RUN_UNANSWERED)
      status = answer_group(b, &output, take, &b->probes[i], next - i);
  }
  llvm_output_close(&output);
  return status;
}

dloc_text llvm_line_at(dloc_text text, size_t offset) {
  if (offset >= text.size)
    return (dloc_text){"", 0};
  const char *start = text.bytes + offset;
  const char *end = memchr(start, '\n', text.size - offset);
  return (dloc_text){start, end ? (size_t)(end - start) : text.size - offset};
}

const char *llvm_find(dloc_text text, const char *wanted) {
  size_t size = strlen(wanted);
  for (size_t i = 0; i + size <= text.size; i++)
    if (text.bytes[i] == wanted[0] && memcmp(text.bytes + i, wanted, size) == 0)
      return text.bytes + i;
  return NULL;
}

dloc_text llvm_text_of(const dloc_buffer *buffer) {
  return (dloc_text){buffer->size ? buffer->bytes : "", buffer->size};
}

void llvm_last_line(dloc_text text, char *ret, size_t size) {
  while (text.size > 0 && (text.bytes[text.size - 1] == '\n' || text.bytes[text.size - 1] == ' '))
    text.size--;
  size_t start = text.size;
  while (start > 0 && text.bytes[start - 1] != '\n')
    start--;
  snprintf(ret, size, "%.*s", (int)(text.size - start < size ? text.size - start : size - 1),
           text.size ? text.bytes + start : "");
}

bool llvm_is_stripped(dloc_text errors) {
  return llvm_find(errors, "ignoring invalid debug info") ||
         llvm_find(errors, "ignoring debug info with an invalid version");
}

void llvm_see_calls(llvm_batch *b, const llvm_output *output, const char *seen_twice) {
  dloc_text text = llvm_text_of(&b->child.output);
  for (size_t i = 0; i < dloc_module_instruction_count(output->module); i++) {
    const dloc_instruction *instruction = dloc_module_instruction(output->module, i);
    uint32_t number;
    if (!(instruction->flags & DLOC_INSTRUCTION_CALL) ||
        !llvm_number_after(llvm_line_at(text, instruction->text), "@dloc.case(i32 ", &number) ||
        number >= b->probe_count)
      continue;
    llvm_probe *probe = &b->probes[number];
    if (probe->seen && seen_twice)
      run_answer_set(llvm_answer(b, probe->position), RUN_ERRORED, "%s", seen_twice);
    probe->seen = true;
    probe->node = instruction->debug_loc;
  }
}

bool llvm_number_after(dloc_text text, const char *marker, uint32_t *ret) {
  const char *found = llvm_find(text, marker);
  if (!found)
    return false;
  const char *p = found + strlen(marker);
  const char *end = text.bytes + text.size;
  const char *start = p;
  uint64_t number = 0;
  for (; p < end && *p >= '0' && *p <= '9' && number <= UINT32_MAX; p++)
    number = number * 10 + (uint64_t)(*p - '0');
  *ret = (uint32_t)number;
  return p > start && number <= UINT32_MAX;
}
