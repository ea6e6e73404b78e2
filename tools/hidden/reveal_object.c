/* reveal_object.c - `dloc reveal` of an object: numbers in its line table, or the lines of other objects, become line
 * tables of layers. */
#include "reveal.h"

#include "full.h"

#include <stdlib.h>

typedef struct reveal {
  line_file file;
  dloc_object_edit *edit;
  uint32_t line; /* the section .debug_line */
  dloc_hidden *hidden;
  tool_input base_input;
  dloc_object_edit *base; /* NULL: the file itself gets the layers */
  const char *full;       /* NULL: its numbers are its own */
  bool lost;              /* layers of a function */
  size_t unknown;         /* numbers of units that are none of the tables' */
  size_t first_unknown;   /* in which unit */
  bool split;             /* DIEs are in a .dwo file */
} reveal;

static void require(const reveal *r, dloc_status status, const dloc_diagnostic *diagnostic) {
  line_file_require(&r->file, status, diagnostic);
}

/* ---- DIEs ---- */

/* A section of DIEs while its values change. */
typedef struct dies {
  reveal *reveal;
  char *bytes; /* not relocated; a copy */
  size_t size;
  size_t changed;
} dies;

static void put_value(const dies *d, const dloc_die_value *value, uint64_t number) {
  char *at = d->bytes + value->at;
  for (size_t i = 0; i < value->size; i++)
    if (value->is_leb) /* as long as it was */
      at[i] = (char)((7 * i < 64 ? number >> 7 * i & 0x7f : 0) | (i + 1 < value->size ? 0x80 : 0));
    else
      at[d->reveal->file.kind.big_endian ? value->size - 1 - i : i] = (char)(number >> 8 * i);
}

static bool fits(const dloc_die_value *value, uint64_t number) {
  unsigned bits = (unsigned)value->size * (value->is_leb ? 7 : 8);
  return bits >= 64 || (bits && number >> bits == 0);
}

/* The number that a value stands for; false: it is none of ours. */
static bool own_value(const reveal *r, const dloc_die_value *value, uint64_t *ret) {
  dloc_hidden_entry entry;
  if (value->attribute == DLOC_AT_CALL_LINE && value->value == DLOC_HIDDEN_LINE_0)
    return *ret = 0, true;
  if (value->attribute != DLOC_AT_GNU_DISCRIMINATOR || !value->value || value->value > UINT32_MAX ||
      !dloc_hidden_find(r->hidden, (uint32_t)value->value, &entry))
    return false;
  return *ret = entry.discriminator, true;
}

static dloc_status visit_value(void *user, const dloc_die_value *value) {
  dies *d = user;
  uint64_t number;
  d->reveal->split |= value->attribute == DLOC_AT_DWO_NAME || value->attribute == DLOC_AT_GNU_DWO_NAME;
  if (!own_value(d->reveal, value, &number))
    return DLOC_OK;
  if (!fits(value, number) || value->at > d->size || d->size - value->at < value->size)
    tool_diagnose(&d->reveal->file.input, NULL, "warning", dloc_reason_text(DLOC_REASON_OBJECT_VALUE),
                  dloc_reason_name(DLOC_REASON_OBJECT_VALUE));
  else {
    put_value(d, value, number);
    d->changed++;
  }
  return DLOC_OK;
}

/* Discriminators and lines of calls that were inlined, in the bytes of one section. */
static void reveal_section(reveal *r, const dloc_object_section *info, dloc_text abbreviations) {
  dloc_diagnostic diagnostic;
  dloc_text bytes;
  bool complete = true;
  require(r, dloc_object_edit_bytes(r->edit, info->index, &diagnostic, &bytes), &diagnostic);
  dies d = {.reveal = r, .bytes = memory_copy(bytes), .size = bytes.size};
  const dloc_die_sections sections = {info->bytes, abbreviations, r->file.kind.big_endian, false};
  dloc_status status = dloc_die_values(r->file.context, &sections, visit_value, &d, &complete);
  if (!complete)
    tool_diagnose(&r->file.input, NULL, "warning", dloc_reason_text(DLOC_REASON_STACK_UNREADABLE),
                  dloc_reason_name(DLOC_REASON_STACK_UNREADABLE));
  if (status == DLOC_OK && d.changed)
    status = dloc_object_edit_set(r->edit, info->index, (dloc_text){d.bytes, d.size});
  require(r, status, &diagnostic);
  free(d.bytes);
}

/* Units of types have sections of their own, which stand before the others. */
static void reveal_dies(reveal *r, const char *name, const char *abbreviations) {
  dloc_object_section info, abbrev;
  (void)line_file_section(&r->file, abbreviations, 0, &abbrev);
  for (uint32_t after = 0; line_file_section(&r->file, name, after, &info); after = info.index)
    reveal_section(r, &info, abbrev.bytes);
}

/* ---- The lines of one object for each kind: --full ---- */

/* The line table of a file that must have one, without faults. */
static void require_lines(line_file *file) {
  if (!line_file_section(file, ".debug_line", 0, &file->section))
    tool_exit(tool_reject(&file->input, NULL, DLOC_REASON_OBJECT_LINES));
  line_file_read(file, DLOC_DIALECT_STANDARD);
  if (file->errors || file->section.unapplied)
    tool_exit(TOOL_VIOLATION);
}

/* A kind at hand. */
typedef struct kind_object {
  const char *kind;
  line_file file;
  dloc_full *full;
  bool lost; /* layers of a function */
} kind_object;

/* Code that differs has no layers. */
static dloc_status take_function(void *user, const dloc_edit_function *function, const dloc_edit_function *other) {
  kind_object *k = user;
  if (other)
    return dloc_full_function(k->full, function, other);
  full_tell_lost(&k->file.input, function->name, k->kind);
  k->lost = true;
  return DLOC_OK;
}

static void add_lines(kind_object *k, dloc_object_edit *primary, dloc_object_edit *edit) {
  dloc_diagnostic diagnostic;
  uint32_t line = 0;
  line_file_require(&k->file, dloc_object_edit_lines(edit, &diagnostic, &line), &diagnostic);
  require_lines(&k->file);
  line_file_require(&k->file, dloc_full_kind(k->full, dloc_text_of(k->kind)), NULL);
  line_file_require(&k->file, dloc_full_object(k->full, edit, line, k->file.table, &diagnostic), &diagnostic);
  line_file_require(&k->file, dloc_object_edit_functions(primary, edit, &diagnostic, take_function, k), &diagnostic);
}

/* False: a function has lost layers. */
static bool add_kind(dloc_full *full, const dloc_profile *profile, dloc_object_edit *primary, const full_kind *kind,
                     const char *directory) {
  dloc_diagnostic diagnostic;
  OWNED(memory_release) char *path = full_path(directory, kind->name, ".o");
  kind_object k = {.kind = kind->kind, .full = full, .file = line_file_open(path, profile)};
  dloc_object_edit *edit = NULL;
  line_file_require(&k.file, dloc_object_edit_open(k.file.context, k.file.input.text, &diagnostic, &edit), &diagnostic);
  add_lines(&k, primary, edit);
  dloc_object_edit_close(edit);
  (void)line_file_close(&k.file);
  return !k.lost;
}

/* Numbers for the layers of the objects DIR/NAME.o become the discriminators of the primary's table. False: a function
 * has lost layers. */
static bool number_kinds(line_file *primary, dloc_object_edit *edit, uint32_t line, dloc_hidden *hidden,
                         const char *directory) {
  dloc_diagnostic diagnostic;
  dloc_full *full = NULL;
  bool whole = true;
  if (dloc_hidden_where(hidden) != DLOC_HIDDEN_IN_DISCRIMINATOR)
    tool_exit(tool_reject(&primary->input, NULL, DLOC_REASON_LAYER_LINES_COLUMN));
  OWNED(full_kinds_free) full_kinds kinds = full_kinds_of(&primary->input, primary->context, hidden, &primary->profile);
  line_file_require(primary, dloc_full_create(primary->context, hidden, &full), NULL);
  for (size_t i = 0; i < kinds.count; i++)
    whole &= add_kind(full, &primary->profile, edit, &kinds.items[i], directory);
  line_file_require(primary, dloc_full_number_object(full, edit, line, primary->table, &diagnostic), &diagnostic);
  dloc_full_destroy(full);
  return whole;
}

/* ---- Line tables ---- */

/* False: libelf does not find the section. */
static bool read_lines(reveal *r) {
  dloc_object_section section;
  if (!line_file_section(&r->file, ".debug_line", 0, &section) || section.index != r->line)
    return false;
  r->file.section = section;
  line_file_read(&r->file, DLOC_DIALECT_STANDARD);
  return true;
}

static int reject(const reveal *r, dloc_reason reason) { return tool_reject(&r->file.input, NULL, reason); }

static dloc_status take_problem(void *user, dloc_reason reason, size_t at) {
  reveal *r = user;
  if (reason != DLOC_REASON_LAYER_LINES_NUMBER)
    return line_file_problem(&r->file, reason, at);
  if (r->unknown++ == 0)
    r->first_unknown = at;
  return DLOC_OK;
}

/* Numbers stay where base has the same place. */
static void compare_rows(reveal *r) {
  tool_input input = tool_input_lend(&r->base_input);
  line_file base = line_file_of(&input, &r->file.profile);
  require_lines(&base);
  require(r, dloc_exact_table(r->file.table, base.table), NULL);
  (void)line_file_close(&base);
}

static int reveal_lines(reveal *r) {
  dloc_layer_tables *made = NULL;
  dloc_diagnostic diagnostic;
  dloc_reason reason = DLOC_REASON_NONE;
  if (!read_lines(r))
    return reject(r, DLOC_REASON_OBJECT_LINES);
  if (r->file.errors || r->file.section.unapplied)
    return TOOL_VIOLATION;
  if (r->full)
    r->lost = !number_kinds(&r->file, r->edit, r->line, r->hidden, r->full);
  if (r->base)
    compare_rows(r);
  dloc_status status = dloc_layer_tables_make(r->file.context, &r->file.profile, r->file.table, r->hidden, take_problem,
                                              r, &reason, &made);
  if (status == DLOC_INVALID)
    return reject(r, reason);
  require(r, status, NULL);
  if (r->unknown)
    line_file_problems(&r->file, DLOC_REASON_LAYER_LINES_NUMBER, r->first_unknown, r->unknown);
  require(r, dloc_object_edit_layers(r->edit, r->line, made, r->base, &diagnostic), &diagnostic);
  dloc_layer_tables_destroy(made);
  return r->file.errors ? TOOL_VIOLATION : TOOL_FINE;
}

/* An object without code or debug info, or a .dwo, has no line table: there are no layers to reveal in it. */
static bool has_lines(reveal *r) {
  dloc_object_section section;
  return line_file_section(&r->file, ".debug_line", 0, &section) ||
         line_file_section(&r->file, ".zdebug_line", 0, &section);
}

static void open_base(reveal *r, const char *path) {
  dloc_diagnostic diagnostic;
  if (!path)
    return;
  r->base_input = tool_input_required(path);
  reveal base = {.file = {.input = r->base_input}};
  require(&base, dloc_object_edit_open(r->file.context, r->base_input.text, &diagnostic, &r->base), &diagnostic);
}

static int write_object(reveal *r, const char *path) {
  dloc_diagnostic diagnostic;
  tool_output output = tool_output_open(path);
  dloc_status status = dloc_object_edit_write(r->base ? r->base : r->edit, &diagnostic, tool_file_sink(output.file));
  if (status == DLOC_INVALID) {
    tool_output_close(&output, false);
    require(r, status, &diagnostic);
  }
  return tool_output_finish(&output, status, r->file.input.name);
}

/* Sections that dloc does not reveal may keep numbers, or lines that stand for line 0. */
static void tell_elsewhere(reveal *r) {
  dloc_object_section section;
  const char *reason = dloc_reason_name(DLOC_REASON_OBJECT_VALUE);
  if (r->split && !line_file_section(&r->file, ".debug_info.dwo", 0, &section))
    tool_diagnose(&r->file.input, NULL, "warning", "its .dwo file has numbers, too: reveal that file as well", reason);
  if (line_file_section(&r->file, ".BTF.ext", 0, &section))
    tool_diagnose(&r->file.input, NULL, "warning", "lines in .BTF.ext that stand for line 0 stay", reason);
}

int reveal_object(const reveal_request *request, tool_input *input) {
  dloc_diagnostic diagnostic;
  dloc_text bytes = input->text;
  reveal r = {.file = line_file_of(input, &request->profile), .full = request->full};
  r.hidden = reveal_tables(request, r.file.context);
  require(&r, dloc_object_edit_open(r.file.context, bytes, &diagnostic, &r.edit), &diagnostic);
  const bool lines = has_lines(&r);
  if (line_file_section(&r.file, ".debug_cu_index", 0, &r.file.section))
    tool_fail(
        "%s: this is a .dwp of several modules: reveal each .dwo with the table of its module, and join them then",
        r.file.input.name);
  if (lines)
    require(&r, dloc_object_edit_lines(r.edit, &diagnostic, &r.line), &diagnostic);
  open_base(&r, request->base);
  int result = lines ? reveal_lines(&r) : TOOL_FINE;
  if (result == TOOL_FINE) {
    if (!r.base) {
      reveal_dies(&r, ".debug_info", ".debug_abbrev");
      reveal_dies(&r, ".debug_info.dwo", ".debug_abbrev.dwo");
      tell_elsewhere(&r);
    }
    result = write_object(&r, request->output);
    if (result == TOOL_FINE && r.lost)
      result = TOOL_VIOLATION;
  }
  dloc_object_edit_close(r.base);
  dloc_object_edit_close(r.edit);
  dloc_hidden_destroy(r.hidden);
  tool_input_close(&r.base_input);
  (void)line_file_close(&r.file);
  return result;
}
