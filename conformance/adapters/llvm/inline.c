/* inline.c - inlining, through always-inline.
 *
 * Each call of a vector is a caller and an alwaysinline callee of its own, whose instructions are calls (and allocas,
 * probes, debug records) that carry their number. In the caller, which has no subprogram and so is not checked
 * afterwards, they are found by that number. A subprogram can belong to one function only: two calls whose callees are
 * equal share one. */
#include "llvm.h"

#include <inttypes.h>
#include <stdio.h>

enum probe_kind { PROBE_INSTRUCTION, PROBE_ALLOCA, PROBE_PSEUDO, PROBE_LOOP, PROBE_RECORD };

/* ---- Writing ---- */

typedef struct inline_writer {
  llvm_batch *b;
  llvm_text *t;
  size_t position;
  uint32_t call;
  const dloc_context *context;
} inline_writer;

static void write_allocas(const inline_writer *w, const term *callee) {
  const char *pointer = w->b->adapter->facts & LLVM_OPAQUE_POINTERS ? "ptr" : "i32*";
  for (uint32_t i = 0; i < callee->count; i++) {
    const term *one = &callee->of.items[i];
    if (term_word(one, "instruction") != DLOC_INSTRUCTION_STATIC_ALLOCA)
      continue;
    uint32_t probe = llvm_probe_add(w->b, w->position, w->call, i, PROBE_ALLOCA);
    llvm_code(w->t, "  %%dloc.a%u = alloca i32", (unsigned)probe);
    llvm_code_dbg(w->t, term_node(one, "location"));
    /* Inlining deletes an alloca without a use. */
    llvm_code(w->t, "  call void @dloc.use(%s %%dloc.a%u)\n", pointer, (unsigned)probe);
  }
}

static void write_instruction(const inline_writer *w, unsigned word, unsigned probe) {
  const char *pointer = w->b->adapter->facts & LLVM_OPAQUE_POINTERS ? "ptr" : "i32*";
  if (word == DLOC_INSTRUCTION_PSEUDO_PROBE)
    llvm_code(w->t, "  call void @llvm.pseudoprobe(i64 1, i64 %u, i32 0, i64 -1)", probe);
  else if (word == CALLEE_STORE)
    llvm_code(w->t, "  store volatile i32 %u, %s @dloc.memory", probe, pointer);
  else if (word == CALLEE_LOAD)
    llvm_code(w->t, "  %%dloc.v%u = load volatile i32, %s @dloc.memory", probe, pointer);
  else if (word == CALLEE_PHI)
    llvm_code(w->t,
              "  br label %%a%u\na%u:\n  br i1 %%c, label %%b%u, label %%d%u\nb%u:\n  br label %%d%u\nd%u:\n"
              "  %%dloc.v%u = phi i32 [ 1, %%a%u ], [ 2, %%b%u ]",
              probe, probe, probe, probe, probe, probe, probe, probe, probe, probe);
  else
    llvm_code(w->t, "  call void @dloc.case(i32 %u)", probe);
}

static void write_instructions(const inline_writer *w, const term *callee) {
  for (uint32_t i = 0; i < callee->count; i++) {
    const term *one = &callee->of.items[i];
    if (term_word(one, "instruction") == DLOC_INSTRUCTION_STATIC_ALLOCA)
      continue;
    unsigned word = term_word(one, "instruction");
    bool pseudo = word == DLOC_INSTRUCTION_PSEUDO_PROBE;
    write_instruction(w, word,
                      llvm_probe_add(w->b, w->position, w->call, i, pseudo ? PROBE_PSEUDO : PROBE_INSTRUCTION));
    llvm_code_dbg(w->t, term_node(one, "location"));
  }
}

/* Debug records in the older form of calls, which every release reads. */
static void write_records(const inline_writer *w, const term *records) {
  for (uint32_t i = 0; i < records->count; i++) {
    uint32_t probe = llvm_probe_add(w->b, w->position, w->call, i, PROBE_RECORD);
    dloc_node scope = dloc_location_get(w->context, dloc_primary(w->context, records->of.nodes[i])).scope;
    uint64_t variable = llvm_text_made(w->t, "!DILocalVariable(name: \"v%u\", scope: !%" PRIu64 ")", (unsigned)probe,
                                       llvm_text_node(w->t, scope));
    llvm_code(w->t, "  call void @llvm.dbg.value(metadata i32 %u, metadata !%" PRIu64 ", metadata !DIExpression())",
              (unsigned)probe, variable);
    llvm_code_dbg(w->t, records->of.nodes[i]);
  }
}

static void write_end_of_callee(const inline_writer *w, const term *call) {
  if (term_get(call, "loop")) {
    llvm_probe_add(w->b, w->position, w->call, 0, PROBE_LOOP);
    llvm_code(w->t, "  br label %%loop\nloop:\n  br i1 %%c, label %%loop, label %%out");
    if (term_node(call, "loop") != DLOC_NULL)
      llvm_code(w->t, ", !llvm.loop !%" PRIu64, llvm_text_node(w->t, term_node(call, "loop")));
    llvm_code(w->t, "\nout:\n");
  }
  llvm_code(w->t, "  ret void\n}\n");
}

static void write_callee(const inline_writer *w, const term *call, dloc_node subprogram) {
  llvm_code(w->t, "define void @callee.%zu.%u(i1 %%c) alwaysinline", w->position, (unsigned)w->call);
  if (term_flag(call, "callee-subprogram"))
    llvm_code(w->t, " !dbg !%" PRIu64, subprogram ? llvm_text_node(w->t, subprogram) : llvm_text_subprogram(w->t));
  llvm_code(w->t, " {\n");
  write_allocas(w, term_list(call, "callee"));
  write_records(w, term_list(call, "records"));
  write_instructions(w, term_list(call, "callee"));
  write_end_of_callee(w, call);
}

static void write_caller(const inline_writer *w, const term *call, uint32_t callee) {
  llvm_code(w->t, "define void @caller.%zu.%u(i1 %%c)%s {\n", w->position, (unsigned)w->call,
            term_flag(call, "no-inline-line-tables") ? " \"no-inline-line-tables\"" : "");
  llvm_code(w->t, "  call void @callee.%zu.%u(i1 %%c)", w->position, (unsigned)callee);
  llvm_code_dbg(w->t, term_node(call, "call"));
  llvm_code(w->t, "  ret void\n}\n");
}

/* Probes of a shared callee are asked for again, under the number of the first: the reader matches by caller. */
static void share_probes(const inline_writer *w, const term *call) {
  for (uint32_t i = 0; i < term_list(call, "callee")->count; i++)
    llvm_probe_add(w->b, w->position, w->call, i, PROBE_INSTRUCTION);
  for (uint32_t i = 0; i < term_list(call, "records")->count; i++)
    llvm_probe_add(w->b, w->position, w->call, i, PROBE_RECORD);
  if (term_get(call, "loop"))
    llvm_probe_add(w->b, w->position, w->call, 0, PROBE_LOOP);
}

static void write_calls(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built, uint32_t count) {
  const term *calls;
  inlined_calls(built->args, &calls);
  for (uint32_t i = 0; i < count; i++) {
    inline_writer w = {b, t, position, i, built->context};
    uint32_t callee = i;
    callee_find(built->context, built->args, i, &callee);
    if (callee == i)
      write_callee(&w, &calls[i], callee_subprogram(built->context, &calls[i]));
    else
      share_probes(&w, &calls[i]);
    write_caller(&w, &calls[i], callee);
  }
}

static bool write_inlined(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *calls;
  uint32_t count = (uint32_t)inlined_calls(built->args, &calls);
  for (uint32_t i = 0, callee; i < count; i++)
    if (!callee_find(built->context, built->args, i, &callee))
      return llvm_skip(b, position, "two callees with one subprogram cannot be observed");
  write_calls(b, t, position, built, count);
  return true;
}

static void write_declarations(llvm_batch *b, llvm_text *t) {
  llvm_code(t, "declare void @dloc.case(i32)\ndeclare void @dloc.use(%s)\n@dloc.memory = external global i32\n",
            b->adapter->facts & LLVM_OPAQUE_POINTERS ? "ptr" : "i32*");
  llvm_code(t, "declare void @llvm.pseudoprobe(i64, i64, i32, i64)\n"
               "declare void @llvm.dbg.value(metadata, metadata, metadata)\n");
}

/* ---- Reading ---- */

/* "caller.POSITION.CALL" */
static bool read_caller(dloc_text name, uint32_t *position, uint32_t *call) {
  uint32_t number;
  if (!llvm_number_after(name, "caller.", position))
    return false;
  char marker[32];
  snprintf(marker, sizeof marker, "caller.%u.", (unsigned)*position);
  if (!llvm_number_after(name, marker, &number))
    return false;
  *call = number;
  return true;
}

/* The number an instruction of a caller carries, and whether it is a debug record's. */
static bool read_number(const dloc_instruction *instruction, dloc_text line, uint32_t *ret, bool *ret_record) {
  *ret_record = (instruction->flags & DLOC_INSTRUCTION_DEBUG) != 0;
  if (*ret_record)
    return llvm_number_after(line, "value(i32 ", ret) || llvm_number_after(line, "(metadata i32 ", ret);
  return llvm_number_after(line, "@dloc.case(i32 ", ret) || llvm_number_after(line, "%dloc.v", ret) ||
         llvm_number_after(line, "store volatile i32 ", ret) ||
         llvm_number_after(line, "@llvm.pseudoprobe(i64 1, i64 ", ret) ||
         (instruction->flags & DLOC_INSTRUCTION_ALLOCA && llvm_number_after(line, "%dloc.a", ret));
}

/* The probe of that call which asks for the same index as the one whose number was read. */
static llvm_probe *find_probe(llvm_batch *b, uint32_t number, uint32_t position, uint32_t call, bool record) {
  if (number >= b->probe_count || b->probes[number].position != position)
    return NULL;
  if (b->probes[number].call == call)
    return &b->probes[number];
  for (size_t i = number + 1; i < b->probe_count && b->probes[i].position == position; i++) {
    llvm_probe *probe = &b->probes[i];
    if (probe->call == call && probe->index == b->probes[number].index && probe->kind != PROBE_LOOP &&
        (probe->kind == PROBE_RECORD) == record)
      return probe;
  }
  return NULL;
}

static void see(llvm_batch *b, llvm_probe *probe, dloc_node node) {
  if (!probe)
    return;
  if (probe->seen)
    run_answer_set(llvm_answer(b, probe->position), RUN_ERRORED, "an instruction was inlined twice");
  probe->seen = true;
  probe->node = node;
}

static void see_loop(llvm_batch *b, const dloc_module *module, size_t instruction, uint32_t position, uint32_t call) {
  for (size_t i = 0; i < dloc_module_attachment_count(module, instruction); i++) {
    dloc_attachment attachment = dloc_module_attachment(module, instruction, i);
    if (!dloc_text_equal(dloc_node_text(dloc_module_context(module), attachment.kind), dloc_text_of(DLOC_LOOP)))
      continue;
    for (size_t j = 0; j < b->probe_count; j++)
      if (b->probes[j].kind == PROBE_LOOP && b->probes[j].position == position && b->probes[j].call == call)
        see(b, &b->probes[j], attachment.node);
  }
}

static void collect_function(llvm_batch *b, const dloc_module *module, const dloc_function *function) {
  uint32_t position, call;
  if (!read_caller(dloc_node_text(dloc_module_context(module), function->name), &position, &call))
    return;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    size_t index = function->first_instruction + i;
    const dloc_instruction *instruction = dloc_module_instruction(module, index);
    uint32_t number;
    bool record;
    if (read_number(instruction, llvm_line_of(b, instruction), &number, &record))
      see(b, find_probe(b, number, position, call, record), instruction->debug_loc);
    else
      see_loop(b, module, index, position, call);
  }
}

/* A record that is not in the result was deleted, a loop lost its metadata. */
static void see_inlined(llvm_batch *b, const dloc_module *module) {
  for (size_t i = 0; i < dloc_module_function_count(module); i++)
    collect_function(b, module, dloc_module_function(module, i));
  for (size_t i = 0; i < b->probe_count; i++)
    b->probes[i].seen = b->probes[i].seen || b->probes[i].kind >= PROBE_LOOP;
}

/* The results of one call, from the probes that are its. */
static void gather_call(const llvm_probe *probes, size_t count, uint32_t call, value_arena *arena, term *ret) {
  size_t results = 0, records = 0;
  for (size_t i = 0; i < count; i++) {
    records += probes[i].call == call && probes[i].kind == PROBE_RECORD;
    results += probes[i].call == call && probes[i].kind < PROBE_LOOP;
  }
  dloc_node *result_nodes = term_set_nodes(arena, ret, "results", results);
  dloc_node *record_nodes = records ? term_set_nodes(arena, ret, "records", records) : NULL;
  for (size_t i = 0; i < count; i++) {
    const llvm_probe *probe = &probes[i];
    if (probe->call == call)
      *(probe->kind == PROBE_RECORD ? &record_nodes[probe->index]
        : probe->kind == PROBE_LOOP ? term_set_node(arena, ret, "loop")
                                    : &result_nodes[probe->index]) = probe->node;
  }
}

static void take_calls(const llvm_seen *seen, term *value) {
  const term *calls;
  const term *args = llvm_vector(seen->batch, seen->position)->read_args;
  uint32_t call_count = (uint32_t)inlined_calls(args, &calls);
  term *inlined = calls == args ? value : term_set_list(&seen->batch->arena, value, "calls", call_count);
  for (uint32_t i = 0; i < call_count; i++)
    gather_call(seen->probes, seen->count, i, &seen->batch->arena, &inlined[i]);
}

const llvm_recipe llvm_inline[LLVM_MOST_RECIPES] = {
    {LLVM_PASSES("-passes=always-inline"), .most = 64, .private_nodes = true, .write = write_inlined,
     .write_end = write_declarations, .see = see_inlined, .take = take_calls}};
