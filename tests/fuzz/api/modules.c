/* Calls of dloc.h: modules, their verification, what is done to whole modules, embedded texts. A module that something
 * borrows is not changed. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

/* How far a module is that is built, not read. */
typedef struct building {
  bool read, has_function, has_instruction, resolved;
} building;

static building *building_of(const thing *module) { return (building *)module->with; }

static thing *free_module(world *w) {
  thing *module = any_thing(w, MODULE);
  return module && !module->borrowers ? module : NULL;
}

/* ---- Building ---- */

static void call_create(world *w) {
  dloc_module *module = NULL;
  if (!has_room(w) || !take_thing(dloc_module_create(w->context, &module), module))
    return;
  require(dloc_module_context(module) == w->context);
  add_thing(w, MODULE, module, NULL, NULL, NULL)->with = lend(w, &(building){.read = false}, sizeof(building));
}

static thing *built_module(world *w) {
  thing *module = free_module(w);
  return module && !building_of(module)->read ? module : NULL;
}

static void call_function(world *w) {
  thing *module = built_module(w);
  uint32_t index = DLOC_NO_INDEX;
  if (!module)
    return;
  if (once_in(w->from, 3)) {
    if (dloc_module_function_named(module->it, any_text(w->from), &index) == DLOC_OK)
      require(index < dloc_module_function_count(module->it));
    return;
  }
  uint32_t flags = DLOC_FUNCTION_DEFINITION | (uint32_t)below(w->from, 64);
  if (dloc_module_begin_function(module->it, any_text(w->from), flags, 0, &index) != DLOC_OK)
    return;
  building_of(module)->has_function = true;
  building_of(module)->has_instruction = false;
  dloc_node subprogram = node_of_kind(w, DLOC_KIND_SUBPROGRAM);
  check_status(dloc_module_add_function_attachment(module->it, dloc_text_of("dbg"), subprogram));
  if (once_in(w->from, 4))
    check_status(dloc_module_add_function_attachment(module->it, any_text(w->from), any_node(w)));
}

static void call_instruction(world *w) {
  static const uint32_t flags[] = {0,
                                   DLOC_INSTRUCTION_CALL,
                                   DLOC_INSTRUCTION_ALLOCA,
                                   DLOC_INSTRUCTION_RECORD,
                                   DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_DBG_CALL,
                                   DLOC_INSTRUCTION_RET,
                                   DLOC_INSTRUCTION_RECORD | DLOC_INSTRUCTION_LABEL_RECORD,
                                   DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_INVOKE,
                                   DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_PROBE};
  thing *module = built_module(w);
  if (!module || !building_of(module)->has_function)
    return;
  for (size_t left = 1 + below(w->from, 4); left; left--) {
    dloc_instruction instruction = {.flags = ANY_OF(w->from, flags), .debug_loc = any_debug_loc(w)};
    if (instruction.flags & DLOC_INSTRUCTION_DEBUG)
      instruction.entity = any_node(w);
    else
      instruction.callee =
          once_in(w->from, 2) ? DLOC_NO_INDEX : (uint32_t)below(w->from, dloc_module_function_count(module->it));
    if (dloc_module_add_instruction(module->it, &instruction) != DLOC_OK)
      return;
    building_of(module)->has_instruction = true;
    if (once_in(w->from, 3))
      check_status(dloc_module_add_attachment(
          module->it, once_in(w->from, 2) ? dloc_text_of(DLOC_LOOP) : any_text(w->from), any_node(w)));
  }
}

static void call_named(world *w) {
  static const char *const names[] = {DLOC_SOURCE_LIST, DLOC_UNIT_LIST, DLOC_FLAG_LIST, "dloc.hidden", "all"};
  thing *module = free_module(w);
  dloc_node operands[4];
  size_t count = below(w->from, 5);
  for (size_t i = 0; i < count; i++)
    operands[i] = node_of_kind(w, once_in(w->from, 4) ? DLOC_KIND_COMPILE_UNIT : DLOC_KIND_TUPLE);
  dloc_text name = once_in(w->from, 4) ? any_text(w->from) : dloc_text_of(ANY_OF(w->from, names));
  if (!module)
    return;
  if (once_in(w->from, 4))
    dloc_module_drop_named(module->it, name);
  else
    check_status(dloc_module_add_named(module->it, name, count ? operands : NULL, count));
}

static void call_module_resolve(world *w) {
  thing *module = built_module(w);
  if (!module || building_of(module)->resolved || dloc_resolve(w->context, NULL) != DLOC_OK)
    return;
  check_status(dloc_module_resolve(module->it));
  building_of(module)->resolved = true;
}

static void call_drop_unused(world *w) {
  thing *module = free_module(w);
  if (module)
    check_status(dloc_module_drop_unused(module->it));
}

/* ---- Reading and writing ---- */

static const char *const modules[] = {
    "define void @f() !dbg !3 {\n  %a = alloca i32, !dbg !4\n  call void @g(), !dbg !5\n  br label %x, !dbg !5, "
    "!llvm.loop !11\nx:\n  ret void, !dbg !10\n}\ndeclare void @g()\n!llvm.module.flags = !{!0}\n!llvm.dbg.cu = "
    "!{!2}\n!llvm.intermediate_level_source = !{!12}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n!1 = "
    "!DIFile(filename: \"a.c\", directory: \"/d\")\n!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, "
    "emissionKind: FullDebug)\n!3 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !2, "
    "spFlags: DISPFlagDefinition)\n!4 = !{!5, !6}\n!5 = !DILocation(line: 1, scope: !8, atomGroup: 1, atomRank: "
    "1)\n!6 = !{!\"TileIR\", !7}\n!7 = !DILocation(line: 2, scope: !9, inlinedAt: !10)\n!8 = distinct "
    "!DILexicalBlock(scope: !3, file: !1, line: 1)\n!9 = !DILexicalBlockFile(scope: !8, file: !1, discriminator: "
    "1)\n!10 = distinct !DILocation(line: 3, scope: !3)\n!11 = distinct !{!11, !4}\n!12 = !{!\"TileIR\", !1, "
    "!\"text\"}\n",
    "define void @f() !dbg !3 {\n  call void @g(), !dbg !4\n  ret void, !dbg !5\n}\ndefine void @g() alwaysinline "
    "!dbg !8 {\n    #dbg_value(i32 0, !9, !DIExpression(), !10)\n  ret void, !dbg !10\n}\n!llvm.module.flags = "
    "!{!0}\n!llvm.dbg.cu = !{!2}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n!1 = !DIFile(filename: \"a.c\", "
    "directory: \"/d\")\n!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)\n!3 "
    "= distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !2, spFlags: DISPFlagDefinition)\n"
    "!4 = !DILocation(line: 1, column: 2, scope: !3, irlayers: !6)\n!5 = !DILocation(line: 2, scope: !3)\n!6 = "
    "!DILayerLocList(!7)\n!7 = !DILayerLoc(line: 9, column: 3, file: !1, kind: \"tile\")\n!8 = distinct "
    "!DISubprogram(name: \"g\", scope: !1, file: !1, line: 1, unit: !2, spFlags: DISPFlagDefinition)\n!9 = "
    "!DILocalVariable(name: \"v\", scope: !8, file: !1, line: 1)\n!10 = !DILocation(line: 4, scope: !8)\n",
    "!0 = !{i32 7, null}\n", "!0 = !{", ""};

static void take_nodes(world *w, const dloc_module *module) {
  dloc_node last = DLOC_NULL;
  for (uint64_t i = 0; i < 14; i++)
    if ((last = dloc_module_numbered(module, i)) != DLOC_NULL)
      add_node(w, last);
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++)
    add_node(w, dloc_module_instruction(module, i)->debug_loc);
}

static void take_module(world *w, dloc_status status, dloc_module *module, const dloc_diagnostic *diagnostic) {
  if (!take_thing(status, module)) {
    require(status != DLOC_INVALID || (diagnostic->reason != DLOC_REASON_NONE && diagnostic->message[0]));
    return;
  }
  add_thing(w, MODULE, module, NULL, NULL, NULL)->with =
      lend(w, &(building){.read = true, .resolved = true}, sizeof(building));
  take_nodes(w, module);
}

/* A text of ours, or what a module is written as. */
static void call_read_ll(world *w) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_module *module = NULL;
  thing *other = once_in(w->from, 3) ? any_thing(w, MODULE) : NULL;
  dloc_buffer buffer = {0};
  if (!has_room(w) || (other && dloc_write_ll(other->it, dloc_buffer_sink(&buffer)) != DLOC_OK)) {
    dloc_buffer_deinit(&buffer);
    return;
  }
  dloc_text text = dloc_text_of(ANY_OF(w->from, modules));
  if (other)
    text = (dloc_text){lend(w, buffer.bytes, buffer.size), buffer.size};
  dloc_buffer_deinit(&buffer);
  dloc_status status = dloc_read_ll(w->context, text, &diagnostic, &module);
  take_module(w, status, module, &diagnostic);
}

static void call_read_bitcode(world *w) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_module *module = NULL;
  dloc_numbers *numbers = NULL;
  if (!has_room(w))
    return;
  dloc_text bytes = {bitcode_file.bytes, once_in(w->from, 4) ? below(w->from, bitcode_file.size) : bitcode_file.size};
  require(dloc_is_bitcode(bitcode_file));
  dloc_status status = dloc_read_bitcode(w->context, once_in(w->from, 3) ? NULL : any_profile(w), bytes, &diagnostic,
                                         &module, once_in(w->from, 2) ? NULL : &numbers);
  take_module(w, status, module, &diagnostic);
  if (numbers)
    add_thing(w, NUMBERS, numbers, w->things[w->thing_count - 1], NULL, NULL);
}

static void call_write_ll(world *w) {
  thing *module = any_thing(w, MODULE);
  if (module)
    check_status(dloc_write_ll(module->it, any_sink(w)));
}

/* ---- Questions ---- */

static void call_functions(world *w) {
  thing *t = any_thing(w, MODULE);
  uint32_t found = DLOC_NO_INDEX;
  if (!t)
    return;
  const dloc_module *module = t->it;
  (void)dloc_module_find_function(module, any_text(w->from), &found);
  for (size_t i = 0; i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    (void)dloc_function_subprogram(module, i);
    require(dloc_module_find_function(module, dloc_node_text(w->context, function->name), &found) && found == i);
    require(function->first_instruction + function->instruction_count <= dloc_module_instruction_count(module));
  }
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++)
    for (size_t k = 0; k < dloc_module_attachment_count(module, i); k++)
      require(dloc_module_attachment(module, i, k).node < dloc_node_limit(w->context));
}

static void call_named_lists(world *w) {
  thing *t = any_thing(w, MODULE);
  dloc_named_metadata named;
  uint64_t number = 0;
  if (!t)
    return;
  const dloc_module *module = t->it;
  (void)dloc_module_find_named(module, any_text(w->from), &named);
  for (size_t i = 0; i < dloc_module_named_count(module); i++) {
    named = dloc_module_named(module, i);
    read_text(dloc_node_text(w->context, named.name));
    for (size_t k = 0; k < named.operand_count; k++)
      require(dloc_module_named_operand(module, &named, k) < dloc_node_limit(w->context));
  }
  (void)dloc_module_numbered(module, edge_number(w->from));
  if (dloc_module_number_of(module, any_node(w), &number))
    require(dloc_module_numbered(module, number) != DLOC_NULL);
}

static void call_sources(world *w) {
  enum { MOST = 4 };
  thing *module = any_thing(w, MODULE);
  dloc_source sources[MOST], found;
  char hash[33];
  size_t count = 0;
  if (!module)
    return;
  size_t all = dloc_source_count(module->it), listed = dloc_source_list(module->it, MOST, sources);
  require(listed == (all < MOST ? all : MOST));
  for (size_t i = 0; i < listed; i++) {
    read_text(sources[i].text);
    read_text(dloc_source_hash(w->context, any_profile(w), &sources[i], hash));
  }
  if (dloc_source_of_layers(module->it, MOST, sources, &count) == DLOC_OK)
    for (size_t i = 0; i < count && i < MOST; i++)
      read_text(sources[i].text);
  dloc_node file = node_of_kind(w, DLOC_KIND_FILE);
  if (dloc_source_find(module->it, any_profile(w), file, any_text(w->from), &found))
    read_text(found.text);
}

/* ---- Verification ---- */

typedef struct reported {
  world *w;
  const thing *module;
  dloc_diagnoser *diagnoser;
  size_t count;
} reported;

static void read_remark(const dloc_remark *remark) {
  read_text(remark->message);
  if (remark->text.bytes)
    require(remark->offset <= remark->text.size && remark->size <= remark->text.size - remark->offset);
}

static void explain(dloc_diagnoser *diagnoser, const dloc_violation *violation) {
  const dloc_diagnosis *diagnosis = NULL;
  if (dloc_diagnose(diagnoser, violation, &diagnosis) != DLOC_OK)
    return;
  read_remark(&diagnosis->fault);
  read_text(diagnosis->help);
  require(diagnosis->note_count <= DLOC_NOTES);
  for (size_t i = 0; i < diagnosis->note_count; i++)
    read_remark(&diagnosis->notes[i]);
}

static bool take_violation(void *user, const dloc_violation *violation) {
  enum { MOST = 40 };
  reported *r = user;
  dloc_place place;
  require(violation->reason != DLOC_REASON_NONE);
  (void)dloc_violation_place(r->module->it, violation, &place);
  if (r->diagnoser && r->count++ < MOST)
    explain(r->diagnoser, violation);
  return !once_in(r->w->from, 50);
}

static void call_verify(world *w) {
  thing *module = any_thing(w, MODULE), *diagnoser = any_thing(w, DIAGNOSER);
  dloc_verdict verdict;
  if (!module)
    return;
  bool its = diagnoser && diagnoser->borrows[0] == module;
  reported r = {.w = w, .module = module, .diagnoser = its ? diagnoser->it : NULL};
  const dloc_profile *profile = its ? diagnoser->with : any_profile(w);
  if (once_in(w->from, 3))
    check_status(dloc_warn(module->it, profile, take_violation, &r));
  else
    check_status(dloc_verify(module->it, profile, once_in(w->from, 8) ? NULL : take_violation, &r, &verdict));
}

static void call_diagnoser(world *w) {
  thing *module = any_thing(w, MODULE);
  dloc_diagnoser *diagnoser = NULL;
  const dloc_profile *profile = any_profile(w);
  if (module && take_thing(dloc_diagnoser_create(module->it, profile, &diagnoser), diagnoser))
    add_thing(w, DIAGNOSER, diagnoser, module, NULL, NULL)->with = profile;
}

static void call_diagnose(world *w) {
  thing *diagnoser = any_thing(w, DIAGNOSER);
  if (!diagnoser)
    return;
  size_t count = dloc_module_instruction_count(diagnoser->borrows[0]->it);
  uint32_t instruction = count && once_in(w->from, 2) ? (uint32_t)below(w->from, count) : DLOC_NO_INDEX;
  dloc_reason reason = (dloc_reason)(1 + below(w->from, DLOC_REASON_COUNT - 1));
  dloc_violation violation = dloc_violation_of(reason, instruction, any_node(w));
  explain(diagnoser->it, &violation);
}

/* ---- Changes ---- */

static void call_set_debug_loc(world *w) {
  thing *module = free_module(w);
  size_t count = module ? dloc_module_instruction_count(module->it) : 0;
  if (count)
    check_status(dloc_module_set_debug_loc(module->it, below(w->from, count), any_debug_loc(w)));
}

static dloc_status change_location(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  world *w = user;
  require(location != DLOC_NULL || instruction);
  *ret = once_in(w->from, 2) ? location : any_debug_loc(w);
  return once_in(w->from, 40) ? DLOC_STOPPED : DLOC_OK;
}
static void call_change_locations(world *w) {
  thing *module = free_module(w);
  if (module)
    check_status(dloc_module_change_locations(module->it, change_location, w));
}

static void call_project(world *w) {
  thing *module = free_module(w);
  const dloc_projection projection = {once_in(w->from, 2) ? (dloc_text){NULL, 0} : any_text(w->from),
                                      once_in(w->from, 2)};
  if (module)
    check_status(dloc_project(module->it, &projection));
}
static void call_drop_layers(world *w) {
  thing *module = free_module(w);
  if (module)
    check_status(dloc_drop_layers(module->it));
}

static dloc_place any_place(void *user, uint32_t function, uint32_t instruction) {
  world *w = user;
  (void)function, (void)instruction;
  return (dloc_place){.line = edge_number(w->from), .column = edge_number(w->from)};
}
static void call_annotate(world *w) {
  thing *module = free_module(w);
  uint32_t instruction = DLOC_NO_INDEX;
  dloc_annotation annotation = {.kind = any_text(w->from),
                                .file = any_text(w->from),
                                .text = any_text(w->from),
                                .all = once_in(w->from, 2),
                                .loops = once_in(w->from, 2),
                                .origin = once_in(w->from, 4),
                                .replace = once_in(w->from, 3),
                                .place = once_in(w->from, 2) ? any_place : NULL,
                                .user = w};
  if (module && annotation.kind.size)
    check_status(dloc_annotate(module->it, &annotation, any_reason(w), &instruction));
}

static api_call *const calls[] = {
    call_create,    call_function,       call_function,      call_instruction,      call_instruction, call_instruction,
    call_named,     call_module_resolve, call_drop_unused,   call_read_ll,          call_read_ll,     call_read_bitcode,
    call_write_ll,  call_functions,      call_named_lists,   call_sources,          call_verify,      call_verify,
    call_diagnoser, call_diagnose,       call_set_debug_loc, call_change_locations, call_project,     call_drop_layers,
    call_annotate};
CALLS(calls_of_modules, calls);
