/* dloc_symbolizer.h - what an address is: the inline stack of the source, and for each layer the line of its text. For
 * profilers. Chapters 14 (spec/lines.md) and 18 (spec/hidden.md). The conventions are those of dloc.h.
 *
 * Open, ask, close; examples/profiler.c is a whole program:
 *
 *   dloc_context *context = dloc_context_create(NULL);
 *   if (dloc_object_open_file(context, "program", &diagnostic, &object) != DLOC_OK ||
 *       dloc_symbolizer_open(object, NULL, &diagnostic, &symbolizer) != DLOC_OK)
 *     fail(diagnostic.message);
 *   if (dloc_symbolizer_ask(symbolizer, 0x1140, &symbol) == DLOC_OK && symbol.layer_count)
 *     printf("%.*s %u: %.*s\n", DLOC_TEXT_ARGUMENTS(symbol.layers->kind), symbol.layers->line,
 *            DLOC_TEXT_ARGUMENTS(symbol.layers->source));
 *   dloc_symbolizer_close(symbolizer), dloc_object_close(object), dloc_context_destroy(context);
 *
 * Threads: a context, an object of it and its symbolizers belong to one thread at a time, also for questions, as what
 * an answer needs is read when it is first needed. Threads that work at once have a context and an object each. */
#ifndef DLOC_SYMBOLIZER_H
#define DLOC_SYMBOLIZER_H

#include "dloc_dwarf.h"

DLOC_BEGIN

/* ---- Layers of an address ---- */

/* The state of the text of a layer's line (`layer-lookup.text`). */
typedef enum dloc_layer_text {
  DLOC_LAYER_TEXT_OF_FILE, /* The text is not embedded: it is a file of this name. */
  DLOC_LAYER_TEXT_LINE,    /* The line is there. */
  DLOC_LAYER_TEXT_MISSING, /* There is no section of the text. */
  DLOC_LAYER_TEXT_NOT_ITS, /* The section does not hold the text that its name is the hash of. */
  DLOC_LAYER_TEXT_BEYOND   /* The text has fewer lines. */
} dloc_layer_text;

/* An embedded text. */
typedef struct dloc_embedded_text {
  dloc_text section; /* `.debug_txt.tileir.HASH` */
  dloc_text kind;    /* "tileir" */
  dloc_text bytes;
  dloc_text name; /* the producer's, "k.tile" (`layer-lookup.name`); empty: not known */
  dloc_text
      file; /* of a file with the text: the last part of the name if it is the only one of the kind, or KIND.HASH */
} dloc_embedded_text;
#define DLOC_NO_TEXT UINT32_MAX

/* Where an address is in a layer. */
typedef struct dloc_layer_line {
  dloc_text kind;      /* As the producer spells it, "TileIR", or else as the name of its section has it, "tileir". */
  dloc_text directory; /* The directory of a file that is not embedded; may be empty. */
  dloc_text file;      /* The name of the embedded text's section, or of the file; empty: not known. */
  uint32_t line;       /* Never 0. */
  uint32_t column;     /* 0: not known */
  uint32_t text;       /* The number of the embedded text, or DLOC_NO_TEXT. */
  dloc_layer_text has;
  dloc_text source; /* the line itself without its end, if has is DLOC_LAYER_TEXT_LINE */
  dloc_text name;   /* that of the embedded text; may be empty */
} dloc_layer_line;

/* Something is wrong in a section, which is there to be named; what can be told is told. A status other than DLOC_OK
 * stops. */
typedef dloc_status dloc_section_problem(void *user, dloc_reason reason, dloc_text section, size_t at);

/* ---- Files (model/objects/elf) ---- */

/* A text for `%.*s`: it has a size, and no zero at its end. */
#define DLOC_TEXT_ARGUMENTS(text) (int)(text).size, (text).bytes ? (text).bytes : ""

/* dloc_object_open of the file at that path. DLOC_INVALID with *diagnostic also when it cannot be read, or is no regular
 * file: a pipe is not waited for. */
dloc_status dloc_object_open_file(dloc_context *context, const char *path, dloc_diagnostic *diagnostic,
                                  dloc_object **ret);
/* Where the first segment of an object stands by its own count of addresses; 0 when there is none. An instruction at P
 * in a process in which the file was loaded at BASE is at P - BASE + this of the file. */
uint64_t dloc_object_base(const dloc_object *object);
/* The address of a byte of the file, as a process maps it; false: it is in no segment. */
bool dloc_object_address_at(const dloc_object *object, uint64_t offset, uint64_t *ret);

/* A function and a place in it. */
typedef struct dloc_symbol_frame {
  dloc_text function;  /* empty: not known */
  dloc_text directory; /* of the compilation; it belongs before a path that is no absolute one. May be empty */
  dloc_text path;      /* empty: not known */
  uint32_t line, column, discriminator;
} dloc_symbol_frame;

/* The answer for an address: frames, the innermost first, none when nothing is known; the layers of the instruction. All of it
 * stays until the next question, texts as long as the symbolizer. */
typedef struct dloc_symbol {
  const dloc_symbol_frame *frames;
  size_t frame_count;
  const dloc_layer_line *layers;
  size_t layer_count;
} dloc_symbol;

/* The question: everything; no names and no inlining, which need .debug_info; layers alone. */
typedef enum dloc_symbolizer_parts {
  DLOC_SYMBOLIZE_ALL,
  DLOC_SYMBOLIZE_ROWS,
  DLOC_SYMBOLIZE_LAYERS
} dloc_symbolizer_parts;

typedef struct dloc_symbolizer_options {
  const dloc_profile *profile; /* NULL: `rfc`; otherwise borrowed, as user is */
  dloc_symbolizer_parts parts;
  dloc_section_problem *on_problem; /* may be NULL */
  void *user;
} dloc_symbolizer_options;

/* An executable, a shared library, a relocatable object; the file of debugging information of one. Addresses are those
 * of the file; in a relocatable object each section begins at 0. Of a cubin, where each kernel begins at 0,
 * dloc_kernels tell. options may be NULL. Opening reads the line tables, which is linear in their size; a unit of
 * .debug_info is read when an address leads to it, a text when a line of it is shown. A question costs a few searches
 * in small lists, in whatever order addresses come; it allocates nothing once what it needs was read. The object must
 * outlive the symbolizer. DLOC_INVALID with *diagnostic when a section cannot be read. */
typedef struct dloc_symbolizer dloc_symbolizer;
dloc_status dloc_symbolizer_open(dloc_object *object, const dloc_symbolizer_options *options,
                                 dloc_diagnostic *diagnostic, dloc_symbolizer **ret);
void dloc_symbolizer_close(dloc_symbolizer *symbolizer);
dloc_status dloc_symbolizer_ask(dloc_symbolizer *symbolizer, uint64_t address, dloc_symbol *ret);
/* The parts of the file: a primary line table, units of .debug_info. */
bool dloc_symbolizer_has_rows(const dloc_symbolizer *symbolizer);
bool dloc_symbolizer_has_units(const dloc_symbolizer *symbolizer);
/* For its kinds and texts. */
typedef struct dloc_layer_lines dloc_layer_lines;
const dloc_layer_lines *dloc_symbolizer_layers(const dloc_symbolizer *symbolizer);

/* Write the file with the table of a layer in the place of its own line table (18.4). Debuggers then show that layer as
 * the source. The symbolizer has all parts, and a relocatable object is laid out.
 * file: the bytes of its object. kind: in any letters. directory: where the texts of the kind will be files, each with
 * the name that dloc_embedded_text has.
 * DLOC_INVALID with *diagnostic when the file has no line table, a part of it cannot be changed, or this function wrote
 * it: take what dloc_object_unselect gives. Cost and memory: linear in the file and the rows of the kind. */
dloc_status dloc_symbolizer_select(dloc_symbolizer *symbolizer, dloc_text file, dloc_text kind, dloc_text directory,
                                   dloc_diagnostic *diagnostic, dloc_sink sink);

/* ---- Layers by address, of sections that the caller has (model/objects/dwarf) ---- */

typedef struct dloc_named_bytes {
  dloc_text name;
  dloc_text bytes;
} dloc_named_bytes;

/* The places where the layers of a file are found. All of it is borrowed as long as the layers live, but for the lists. */
typedef struct dloc_layer_sections {
  const dloc_named_bytes *sections; /* those that are no tables or texts of layers do not matter */
  size_t count;
  dloc_line_sections of_all; /* its strings, order of bytes, size of addresses and dialect */
  dloc_code code;
  dloc_line_table *primary; /* .debug_line, into which GNU ld may have merged tables; NULL: none */
  const uint64_t *claimed;  /* the offsets in it that a DW_AT_stmt_list names, in rising order */
  size_t claimed_count;
} dloc_layer_sections;

/* on_problem may be NULL. Cost and memory: linear in the sections. */
dloc_status dloc_layer_lines_create(dloc_context *context, const dloc_profile *profile,
                                    const dloc_layer_sections *sections, dloc_section_problem *on_problem, void *user,
                                    dloc_layer_lines **ret);
void dloc_layer_lines_destroy(dloc_layer_lines *lines);
/* The layers of an address, which stay until the next call. The hash of a text is computed once, when a line of it is
 * first asked for. */
dloc_status dloc_layer_lines_find(dloc_layer_lines *lines, uint64_t address, const dloc_layer_line **ret,
                                  size_t *ret_count);
/* The kinds that there is a table of, in the order of answers; the texts by their numbers. */
const dloc_text *dloc_layer_lines_kinds(const dloc_layer_lines *lines, size_t *ret_count);
const dloc_embedded_text *dloc_layer_lines_texts(const dloc_layer_lines *lines, size_t *ret_count);

DLOC_END

#endif
