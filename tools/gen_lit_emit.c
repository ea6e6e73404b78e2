/* gen_lit_emit.c - vectors that are shown by line directives, as llc writes them for NVPTX.
 *
 * An instruction is an inline assembly statement: a comment that names the vector and counts. The directives before it
 * are its own. */
#include "vector/callee.h"
#include "gen_lit.h"

#include <string.h>

/* ---- Functions ---- */

enum { NAME_SIZE = 160 };

/* The assembler's names have neither dots nor dashes. */
static const char *function_name(const lit_case *c, char ret[NAME_SIZE]) {
  snprintf(ret, NAME_SIZE, "%.*s", LIT_ID(c));
  for (char *at = ret; *at; at++)
    if (*at == '.' || *at == '-')
      *at = '_';
  return ret;
}

static dloc_status put_instruction(lit_file *f, const lit_case *c, const char *marker, dloc_node location) {
  TRY(lit_put(&f->code, "  call void asm sideeffect \"// %.*s %s\", \"\"()", LIT_ID(c), marker));
  TRY(lit_put_dbg(&f->graph, &f->code, LIT_INPUT, location));
  return lit_put(&f->code, "\n");
}

/* The function that the locations stand in. */
static dloc_status find_function(const lit_case *c, dloc_node *ret) {
  const vector_case *built = c->built;
  for (size_t i = 0; i < built->location_count; i++) {
    *ret = instruction_subprogram(built->context, built->locations[i]);
    if (*ret != DLOC_NULL)
      return DLOC_OK;
  }
  return lit_subprogram(built->context, ret);
}

static dloc_status make_node(dloc_context *context, const char *class_name, const char *const *keys,
                             const dloc_node *values, size_t count, dloc_node *ret) {
  dloc_field fields[4];
  dloc_node_diagnosis diagnosis;
  for (size_t i = 0; i < count; i++) {
    TRY(dloc_token(context, dloc_text_of(keys[i]), &fields[i].key));
    fields[i].value = values[i];
  }
  return dloc_specialised(context, dloc_text_of(class_name), false, fields, count, &diagnosis, ret);
}

/* A location that no directive of the vector has, in a file of its own. */
static dloc_status make_before(dloc_context *context, dloc_node subprogram, dloc_node *ret) {
  dloc_node values[3], file, zero, scope;
  TRY(dloc_string(context, dloc_text_of("before.py"), &values[0]));
  TRY(dloc_string(context, dloc_text_of(""), &values[1]));
  TRY(make_node(context, "DIFile", (const char *const[]){"filename", "directory"}, values, 2, &file));
  TRY(dloc_token(context, dloc_text_of("0"), &zero));
  TRY(make_node(context, "DILexicalBlockFile", (const char *const[]){"scope", "file", "discriminator"},
                (const dloc_node[]){subprogram, file, zero}, 3, &scope));
  const dloc_location content = {.line = 65535, .column = 1, .scope = scope};
  return dloc_location_create(context, false, &content, ret);
}

static dloc_status put_function(lit_file *f, const lit_case *c) {
  char name[NAME_SIZE], marker[24];
  dloc_node subprogram, before;
  TRY(find_function(c, &subprogram));
  TRY(make_before(f->graph.context, subprogram, &before));
  TRY(lit_put(&f->code, "define void @%s()", function_name(c, name)));
  TRY(lit_put(&f->code, " !dbg "));
  TRY(lit_put_root(&f->graph, &f->code, LIT_INPUT, subprogram));
  TRY(lit_put(&f->code, " {\n"));
  TRY(put_instruction(f, c, "before", before));
  for (size_t i = 0; i < c->built->location_count; i++) {
    snprintf(marker, sizeof marker, "%zu", i);
    TRY(put_instruction(f, c, marker, c->built->locations[i]));
  }
  return lit_put(&f->code, "  ret void\n}\n");
}

/* The position of a path among those of the test file, which come to number in the order in which directives use them.
 */
static dloc_status find_path(lit_file *f, dloc_text path, size_t *ret, bool *ret_new) {
  size_t count = 0;
  for (size_t at = 0, next; at < f->paths.size; at = next, count++) {
    const char *end = memchr(f->paths.bytes + at, '\n', f->paths.size - at);
    next = (size_t)(end - f->paths.bytes) + 1;
    if (dloc_text_equal(path, (dloc_text){f->paths.bytes + at, next - 1 - at})) {
      *ret = count + 1;
      *ret_new = false;
      return DLOC_OK;
    }
  }
  *ret = count + 1;
  *ret_new = true;
  TRY(lit_put_text(&f->paths, path));
  return lit_put(&f->paths, "\n");
}

static dloc_status put_directive(lit_file *f, const char *directive, const vector_directive *d, const char *end) {
  size_t path;
  bool is_new;
  TRY(find_path(f, d->file, &path, &is_new));
  return lit_put(&f->checks, "; %s [[FILE%zu%s]] %u %u%s\n", directive, path, is_new ? ":[0-9]+" : "",
                 (unsigned)d->line, (unsigned)d->column, end);
}

static dloc_status put_start_checks(lit_file *f, const lit_case *c) {
  char name[NAME_SIZE];
  TRY(lit_put(&f->checks, "; CHECK-LABEL: .visible .func %s(\n", function_name(c, name)));
  const vector_directive before = {dloc_text_of("before.py"), 65535, 1};
  TRY(put_directive(f, "CHECK: .loc", &before, " // {{.*}}"));
  return lit_put(&f->checks, "; CHECK: // %.*s before{{$}}\n", LIT_ID(c));
}

/* Up to the instruction nothing else is written. */
static dloc_status put_marker_check(lit_file *f, const lit_case *c, size_t index) {
  return lit_put(&f->checks, "; CHECK-NOT: .loc\n; CHECK: // %.*s %zu{{$}}\n", LIT_ID(c), index);
}

/* ---- Equal: of two instructions in a row, the second has directives unless it is where the first is ---- */

dloc_status lit_add_equal(lit_file *f, const lit_case *c, bool *ret_shown) {
  const dloc_node *locations = c->built->locations;
  *ret_shown = c->built->location_count == 2 && locations[0] != DLOC_NULL && locations[1] != DLOC_NULL;
  if (!*ret_shown)
    return DLOC_OK;
  TRY(put_function(f, c));
  TRY(put_start_checks(f, c));
  TRY(lit_put(&f->checks, "; CHECK: .loc\n; CHECK: // %.*s 0{{$}}\n", LIT_ID(c)));
  if (c->expected->equal)
    return put_marker_check(f, c, 1);
  return lit_put(&f->checks, "; CHECK: .loc\n; CHECK: // %.*s 1{{$}}\n", LIT_ID(c));
}

/* ---- Emit ---- */

/* What stands in quotes as it is. */
static bool is_plain(dloc_text text) {
  for (size_t i = 0; i < text.size; i++)
    if (text.bytes[i] < ' ' || text.bytes[i] > '~' || text.bytes[i] == '"' || text.bytes[i] == '\\')
      return false;
  return true;
}

static dloc_status put_directives(lit_file *f, const vector_emitted *e) {
  if (e->has_primary)
    TRY(put_directive(f, "CHECK: .loc", &e->primary, " // {{.*}}"));
  for (size_t i = 0; i < e->layer_count; i++)
    TRY(put_directive(f, i || e->has_primary ? "CHECK-NEXT: .loc_intermediate" : "CHECK: .loc_intermediate",
                      &e->layers[i], "{{$}}"));
  return DLOC_OK;
}

static bool are_plain(const vector_answer *expected) {
  for (size_t i = 0; i < expected->instruction_count; i++) {
    const vector_emitted *e = &expected->instructions[i];
    bool plain = !e->has_primary || is_plain(e->primary.file);
    for (size_t j = 0; j < e->layer_count; j++)
      plain = plain && is_plain(e->layers[j].file);
    if (!plain)
      return false;
  }
  return true;
}

dloc_status lit_add_emit(lit_file *f, const lit_case *c, bool *ret_shown) {
  *ret_shown = are_plain(c->expected);
  if (!*ret_shown)
    return DLOC_OK;
  TRY(put_function(f, c));
  TRY(put_start_checks(f, c));
  for (size_t i = 0; i < c->expected->instruction_count; i++) {
    TRY(put_directives(f, &c->expected->instructions[i]));
    TRY(put_marker_check(f, c, i));
  }
  return DLOC_OK;
}

/* The names of the files that were used, by number. */
dloc_status lit_put_paths(lit_file *f, dloc_buffer *text) {
  size_t count = 0;
  TRY(lit_put(text, "\n"));
  for (size_t at = 0; at < f->paths.size; count++) {
    const char *path = f->paths.bytes + at, *end = memchr(path, '\n', f->paths.size - at);
    TRY(lit_put(text, "; %s .file [[FILE%zu]] \"", count ? "CHECK-NEXT:" : "CHECK:", count + 1));
    TRY(lit_put_literal(text, (dloc_text){path, (size_t)(end - path)}));
    TRY(lit_put(text, "\"\n"));
    at += (size_t)(end - path) + 1;
  }
  return DLOC_OK;
}

/* ---- Emit, with embedded texts: a module of its own ---- */

static bool is_text_plain(dloc_text text) {
  for (size_t i = 0; i < text.size; i++)
    if ((text.bytes[i] < ' ' || text.bytes[i] > '~') && text.bytes[i] != '\n')
      return false;
  return true;
}

static dloc_status put_text_lines(lit_file *f, dloc_text text) {
  for (size_t at = 0; at <= text.size;) {
    size_t end = at;
    while (end < text.size && text.bytes[end] != '\n')
      end++;
    if (end == at) {
      TRY(lit_put(&f->checks, "; CHECK-EMPTY:\n"));
    } else {
      TRY(lit_put(&f->checks, "; CHECK-NEXT: {{^}}"));
      TRY(lit_put_literal(&f->checks, (dloc_text){text.bytes + at, end - at}));
      TRY(lit_put(&f->checks, "{{$}}\n"));
    }
    at = end + 1;
  }
  return DLOC_OK;
}

static dloc_status put_text_block(lit_file *f, const vector_text *given) {
  size_t path;
  bool is_new;
  TRY(find_path(f, given->file, &path, &is_new));
  TRY(lit_put(&f->checks, "; CHECK-NEXT: .code_block {\n; CHECK-NEXT: .ir_name: \""));
  TRY(lit_put_literal(&f->checks, given->kind));
  TRY(lit_put(&f->checks, "\"{{$}}\n; CHECK-NEXT: .sourceFileName: [[FILE%zu%s]]{{$}}\n; CHECK-NEXT: .source_begin\n",
              path, is_new ? ":[0-9]+" : ""));
  TRY(put_text_lines(f, given->text));
  return lit_put(&f->checks, "; CHECK-NEXT: .source_end\n; CHECK-NEXT: }\n");
}

static dloc_status put_texts(lit_file *f, const lit_case *c) {
  const vector_answer *expected = c->expected;
  if (expected->text_count == 0)
    return lit_put(&f->checks, "; CHECK-NOT: .nv_intermediate_source_section\n");
  TRY(lit_put(&f->checks, "; CHECK: .nv_intermediate_source_section {\n"));
  for (size_t i = 0; i < expected->text_count; i++)
    TRY(put_text_block(f, &expected->texts[i]));
  return lit_put(&f->checks, "; CHECK-NEXT: {{^}}}\n");
}

/* The list of sources, as the module has it. */
static dloc_status put_sources(lit_file *f, const dloc_module *module) {
  static const char name[] = "llvm.intermediate_level_source";
  dloc_named_metadata list;
  if (!dloc_module_find_named(module, dloc_text_of(name), &list))
    return DLOC_OK;
  TRY(lit_put(&f->graph.named, "!%s = !{", name));
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(module, &list, i);
    TRY(lit_put(&f->graph.named, "%s", i ? ", " : ""));
    TRY(lit_put_root(&f->graph, &f->graph.named, LIT_INPUT, entry));
  }
  return lit_put(&f->graph.named, "}\n");
}

dloc_status lit_add_emit_texts(lit_file *f, const lit_case *c, bool *ret_shown) {
  for (size_t i = 0; i < c->expected->text_count; i++)
    if (!is_text_plain(c->expected->texts[i].text) || !is_plain(c->expected->texts[i].kind))
      return DLOC_OK;
  TRY(lit_add_emit(f, c, ret_shown));
  if (!*ret_shown)
    return DLOC_OK;
  TRY(put_sources(f, c->built->module));
  TRY(put_texts(f, c));
  TRY(lit_put(&f->runs, "; RUN: llc -mtriple=nvptx64-nvidia-cuda %%t/%.*s.ll -o - | FileCheck %%t/%.*s.ll\n", LIT_ID(c),
              LIT_ID(c)));
  return DLOC_OK;
}
