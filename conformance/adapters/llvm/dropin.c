/* dropin.c - layers on an LLVM that does not know them: the module of a batch is hidden before the tool reads it, and
 * what the tool prints is revealed (spec/hidden.md 17). Recipes see layers, as if the tool had known them. */
#include "llvm.h"
#include "ops/hiding.h"
#include "nodes/try.h"

#include <string.h>

bool dropin_shows(vector_op op) {
  return op == VECTOR_MERGE || op == VECTOR_INLINE || op == VECTOR_HOIST || op == VECTOR_STRIP ||
         op == VECTOR_OUTLINE || op == VECTOR_COPY || op == VECTOR_ROUNDTRIP;
}

/* 17.3: what passes keep of hidden layers. Primaries follow the rules of the release; `rfc` takes the rules of 22. */
void dropin_recognise(run_implementation *found) {
  static const struct {
    dloc_choice choice;
    unsigned taken;
  } hidden[] = {{DLOC_CHOICE_MERGE_EMPTY, DLOC_MERGE_EMPTY_DROP},
                {DLOC_CHOICE_MERGE_LAYER_PAIRING, DLOC_MERGE_LAYER_PAIRING_WHOLE},
                {DLOC_CHOICE_HOIST_BRANCH_LAYERS, DLOC_HOIST_BRANCH_LAYERS_WHOLE},
                {DLOC_CHOICE_STRIP_LAYERS, DLOC_STRIP_LAYERS_DROP},
                {DLOC_CHOICE_OUTLINE_LAYERS, DLOC_OUTLINE_LAYERS_REBASED}};
  const dloc_profile *release = dloc_profile_find(dloc_text_of(found->profile));
  const dloc_profile *llvm_22 = dloc_profile_find(dloc_text_of("llvm-22"));
  bool oldest = strcmp(found->profile, "llvm-14") == 0, older = strcmp(found->profile, "llvm-19") == 0;
  strcpy(found->profile, "rfc");
  strcpy(found->name, "dloc hide and LLVM");
  found->no_tuples[0] = found->no_lists[0] = '\0'; /* LLVM sees none */
  found->changed = *dloc_profile_find(dloc_text_of(found->profile));
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (release->alternative[i] != llvm_22->alternative[i])
      found->changed.alternative[i] = release->alternative[i];
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    found->changed.alternative[hidden[i].choice] = (uint8_t)hidden[i].taken;
  found->changed.alternative[DLOC_CHOICE_BITCODE_ATOM_GROUP] = release->alternative[DLOC_CHOICE_BITCODE_ATOM_GROUP];
  if (oldest)
    found->changed.alternative[DLOC_CHOICE_OUTLINE_LAYERS] = DLOC_OUTLINE_LAYERS_DROP;
  found->failures = oldest  ? "conformance/llvm/dropin-failures-14.txt"
                    : older ? "conformance/llvm/dropin-failures-19.txt"
                            : "conformance/llvm/dropin-failures.txt";
}

/* ---- Hiding ---- */

/* The texts of what is hidden: the code, and the table. */
static dloc_status hide(dloc_context *context, dloc_text before, dloc_buffer *code, dloc_buffer *table_text,
                        dloc_reason *ret_reason) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  OWNED(release_dloc_module) dloc_module *module = NULL, *table = NULL;
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  const dloc_hide_options options = {.on_problem = hiding_note_reason, .user = ret_reason};
  dloc_status status = dloc_read_ll(context, before, &diagnostic, &module);
  *ret_reason = diagnostic.reason;
  TRY(status);
  TRY(dloc_hide(module, &options, &hidden));
  TRY(dloc_hidden_write(hidden, &table));
  TRY(dloc_write_ll(table, buffer_sink(table_text)));
  return dloc_write_ll(module, buffer_sink(code));
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
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_buffer plain = {.size = 0};
  dloc_status status = hide(context, buffer_text(code), &plain, &b->table, &reason);
  dloc_buffer_deinit(status == DLOC_OK ? code : &plain);
  if (status == DLOC_OK)
    *code = plain;
  else
    answer_refusal(b, status, reason);
  return status == DLOC_OK;
}

/* ---- Revealing ---- */

static dloc_status reveal(dloc_context *context, const llvm_batch *b, dloc_buffer *ret) {
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  OWNED(release_dloc_module) dloc_module *table = NULL, *module = NULL;
  dloc_diagnostic diagnostic;
  TRY(dloc_hidden_create(context, &hidden));
  TRY(dloc_read_ll(context, buffer_text(&b->table), &diagnostic, &table));
  TRY(dloc_hidden_read(hidden, table, NULL));
  TRY(dloc_read_ll(context, buffer_text(&b->child.output), &diagnostic, &module));
  TRY(dloc_reveal(module, hidden, NULL, NULL));
  return dloc_write_ll(module, buffer_sink(ret));
}

void dropin_reveal(llvm_batch *b) {
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  dloc_buffer revealed = {.size = 0};
  dloc_status status = reveal(context, b, &revealed);
  dloc_buffer_deinit(status == DLOC_OK ? &b->child.output : &revealed);
  if (status == DLOC_OK)
    b->child.output = revealed;
  for (size_t i = 0; status != DLOC_OK && i < b->task.count; i++)
    if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
      run_answer_set(llvm_answer(b, i), RUN_ERRORED, "reveal: %s", dloc_status_text(status));
}
