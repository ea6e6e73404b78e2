/* dropin.c - layers on an LLVM that does not know them: the module of a batch is hidden before the tool reads it, and
 * what the tool prints is revealed (spec/hidden.md 17). Recipes see layers, as if the tool had known them. */
#include "objects/dloc_hidden.h"
#include "llvm.h"

#include <string.h>

bool dropin_shows(vector_op op) {
  return op == VECTOR_MERGE || op == VECTOR_INLINE || op == VECTOR_HOIST || op == VECTOR_STRIP ||
         op == VECTOR_OUTLINE || op == VECTOR_COPY || op == VECTOR_ROUNDTRIP;
}

void dropin_recognise(run_implementation *found) {
  strcpy(found->profile, strcmp(found->profile, "llvm-22") == 0 ? "rfc" : "rfc+llvm-19");
  strcpy(found->name, "dloc hide and LLVM");
}

/* ---- Hiding ---- */

static dloc_status note_reason(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  (void)instruction, (void)node;
  *(dloc_reason *)user = reason;
  return DLOC_OK;
}

/* Both texts, or neither. */
static dloc_status write_hidden(const dloc_module *module, const dloc_hidden *hidden, dloc_buffer *code,
                                dloc_buffer *table_text) {
  dloc_module *table = NULL;
  dloc_buffer plain = {.size = 0};
  dloc_status status = dloc_hidden_write(hidden, &table);
  if (status == DLOC_OK)
    status = dloc_write_ll(table, buffer_sink(table_text));
  dloc_module_destroy(table);
  if (status == DLOC_OK)
    status = dloc_write_ll(module, buffer_sink(&plain));
  if (status != DLOC_OK) {
    dloc_buffer_deinit(&plain);
    return status;
  }
  dloc_buffer_deinit(code);
  *code = plain;
  return DLOC_OK;
}

static dloc_status hide(dloc_context *context, dloc_buffer *code, dloc_buffer *table, dloc_reason *ret_reason) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_module *module = NULL;
  dloc_hidden *hidden = NULL;
  const dloc_hide_options options = {.on_problem = note_reason, .user = ret_reason};
  dloc_status status = dloc_read_ll(context, buffer_text(code), &diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_hide(module, &options, &hidden);
  else
    *ret_reason = diagnostic.reason;
  if (status == DLOC_OK) {
    dloc_buffer before = *code; /* the module lives in it */
    *code = (dloc_buffer){.size = 0};
    status = write_hidden(module, hidden, code, table);
    dloc_module_destroy(module);
    dloc_hidden_destroy(hidden);
    dloc_buffer_deinit(&before);
    return status;
  }
  dloc_module_destroy(module);
  return status;
}

/* With several vectors it is unknown whose location it is: they are tried again in halves, and count as answered
 * until then. */
static void answer_refusal(llvm_batch *b, dloc_status status, dloc_reason reason) {
  size_t count = b->task.count, half = count / 2;
  run_answer *answer = llvm_answer(b, 0);
  for (size_t i = 0; count > 1 && i < count; i++)
    run_answer_set(llvm_answer(b, i), RUN_ERRORED, "not tried");
  if (count > 1) {
    worklist_add(&b->later, b->task.items, half, b->task.kind);
    worklist_add(&b->later, b->task.items + half, count - half, b->task.kind);
    return;
  }
  run_answer_set(answer, status == DLOC_INVALID ? RUN_REJECT : RUN_ERRORED, "hide: %s",
                 reason ? dloc_reason_text(reason) : dloc_status_text(status));
  answer->reasons[reason] = status == DLOC_INVALID;
}

bool dropin_hide(llvm_batch *b, dloc_buffer *code) {
  dloc_context *context = memory_context();
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = hide(context, code, &b->table, &reason);
  dloc_context_destroy(context);
  if (status != DLOC_OK)
    answer_refusal(b, status, reason);
  return status == DLOC_OK;
}

/* ---- Revealing ---- */

static dloc_status reveal(dloc_context *context, const llvm_batch *b, dloc_buffer *ret) {
  dloc_diagnostic diagnostic;
  dloc_module *table = NULL, *module = NULL;
  dloc_hidden *hidden = NULL;
  dloc_status status = dloc_hidden_create(context, &hidden);
  if (status == DLOC_OK)
    status = dloc_read_ll(context, buffer_text(&b->table), &diagnostic, &table);
  if (status == DLOC_OK)
    status = dloc_hidden_read(hidden, table, NULL);
  if (status == DLOC_OK)
    status = dloc_read_ll(context, buffer_text(&b->child.output), &diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_reveal(module, hidden, NULL, NULL);
  if (status == DLOC_OK)
    status = dloc_write_ll(module, buffer_sink(ret));
  dloc_module_destroy(module);
  dloc_module_destroy(table);
  dloc_hidden_destroy(hidden);
  return status;
}

void dropin_reveal(llvm_batch *b) {
  dloc_context *context = memory_context();
  dloc_buffer revealed = {.size = 0};
  dloc_status status = reveal(context, b, &revealed);
  dloc_context_destroy(context);
  dloc_buffer_deinit(status == DLOC_OK ? &b->child.output : &revealed);
  if (status == DLOC_OK)
    b->child.output = revealed;
  for (size_t i = 0; status != DLOC_OK && i < b->task.count; i++)
    if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
      run_answer_set(llvm_answer(b, i), RUN_ERRORED, "reveal: %s", dloc_status_text(status));
}
