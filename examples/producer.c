/* A compiler that gives its LLVM IR a layer: the compiler's own IR, line by line.
 *
 *   cc producer.c $(pkg-config --cflags --libs dloc) -o producer
 *   ./producer MODULE.ll TEXT KIND >LAYERED.ll
 *
 * The code generator told of each instruction which line of TEXT it was made of, by metadata of its own, which every
 * LLVM keeps: `!ir !{i32 LINE}`. In a compiler that links libdloc the number can come from anywhere else. */
#include <dloc_formats.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct producer {
  dloc_context *context;
  dloc_module *module;
  dloc_node kind, file; /* of the layer */
} producer;

static void fail(const char *why) {
  fprintf(stderr, "producer: %s\n", why);
  exit(2);
}

static void check(dloc_status status) {
  if (status != DLOC_OK)
    fail(dloc_status_text(status));
}

static dloc_text read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  dloc_text text = {NULL, 0};
  if (!file || fseek(file, 0, SEEK_END) != 0)
    fail(path);
  size_t size = (size_t)ftell(file);
  char *bytes = malloc(size + 1);
  rewind(file);
  if (!bytes || fread(bytes, 1, size, file) != size)
    fail(path);
  fclose(file);
  text.bytes = bytes;
  text.size = size;
  return text;
}

static dloc_node string(producer *p, dloc_text text) {
  dloc_node made;
  check(dloc_string(p->context, text, &made));
  return made;
}

/* The line that the code generator told; 0: none. */
static uint32_t line_of(const producer *p, size_t instruction) {
  for (size_t i = 0; i < dloc_module_attachment_count(p->module, instruction); i++) {
    dloc_attachment attachment = dloc_module_attachment(p->module, instruction, i);
    if (dloc_text_equal(dloc_node_text(p->context, attachment.kind), dloc_text_of("ir"))) {
      dloc_text constant = dloc_node_text(p->context, dloc_operand(p->context, attachment.node, 0)); /* `i32 LINE` */
      return (uint32_t)strtoul(constant.bytes + strlen("i32 "), NULL, 10);
    }
  }
  return 0;
}

/* `!{primary, !{kind, !DILocation(line: LINE, scope: !DILexicalBlockFile(scope: FUNCTION, file: FILE))}}` */
static void add_layer(producer *p, size_t instruction, dloc_node function) {
  uint32_t line = line_of(p, instruction);
  dloc_node primary = dloc_module_instruction(p->module, instruction)->debug_loc, scope, composite;
  if (line == 0 || function == DLOC_NULL)
    return;
  if (primary == DLOC_NULL) /* a layer needs a primary */
    check(dloc_location_at(p->context, 0, 0, function, &primary));
  dloc_layer layer = {p->kind, DLOC_NULL};
  check(dloc_lexical_block_file(p->context, function, p->file, 0, &scope));
  check(dloc_location_at(p->context, line, 0, scope, &layer.location));
  check(dloc_debug_loc_create(p->context, primary, &layer, 1, &composite));
  check(dloc_module_set_debug_loc(p->module, instruction, composite));
}

static void add_layers(producer *p) {
  for (size_t i = 0; i < dloc_module_function_count(p->module); i++) {
    const dloc_function *function = dloc_module_function(p->module, i);
    for (uint32_t j = 0; j < function->instruction_count; j++)
      add_layer(p, function->first_instruction + (size_t)j, dloc_function_subprogram(p->module, i));
  }
}

/* The text of the IR, in the list that says which file it is. */
static void embed(producer *p, dloc_text text) {
  dloc_node parts[] = {p->kind, p->file, string(p, text)}, entry;
  check(dloc_tuple(p->context, false, parts, 3, &entry));
  check(dloc_module_add_named(p->module, dloc_text_of("llvm.intermediate_level_source"), &entry, 1));
}

static bool print(void *user, const char *bytes, size_t size) { return fwrite(bytes, 1, size, user) == size; }

int main(int argc, char **argv) {
  producer p = {dloc_context_create(NULL), NULL, DLOC_NULL, DLOC_NULL};
  dloc_diagnostic diagnostic;
  if (argc != 4 || !p.context)
    fail("usage: producer MODULE.ll TEXT KIND >LAYERED.ll");
  dloc_text module = read_file(argv[1]), text = read_file(argv[2]);
  dloc_status status = dloc_read_ll(p.context, module, &diagnostic, &p.module);
  if (status == DLOC_INVALID)
    fail(diagnostic.message);
  check(status);
  p.kind = string(&p, dloc_text_of(argv[3]));
  check(dloc_file(p.context, dloc_text_of(argv[2]), dloc_text_of("."), &p.file));
  add_layers(&p);
  embed(&p, text);
  check(dloc_write_ll(p.module, (dloc_sink){print, stdout}));
  dloc_module_destroy(p.module);
  dloc_context_destroy(p.context);
  free((char *)module.bytes);
  free((char *)text.bytes);
  return fflush(stdout) == 0 ? 0 : 2;
}
