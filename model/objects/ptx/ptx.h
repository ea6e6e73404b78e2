/* ptx.h - the directives of PTX that locate instructions: reading them, and what PTX ISA 9.4 asks of them
 * (spec/lines.md 8.5). The reader makes items of a text; the rules are about items, whoever made them. */
#pragma once

#include "dloc_formats.h"

typedef enum ptx_kind {
  PTX_FILE,             /* number; text: the file's name */
  PTX_LOC,              /* number, line, column */
  PTX_LOC_INTERMEDIATE, /* the same */
  PTX_INSTRUCTION,
  PTX_FUNCTION, /* a body begins; text: the function's name */
  PTX_FUNCTION_END,
  PTX_SECTION,     /* .nv_intermediate_source_section */
  PTX_BLOCK,       /* .code_block */
  PTX_IR_NAME,     /* text */
  PTX_SOURCE_FILE, /* number */
  PTX_TEXT,        /* text */
  PTX_TEXT_END,    /* a .source_end that has no .source_begin */
  PTX_BLOCK_END,
  PTX_END,
  PTX_OTHER, /* a label, a declaration, a brace, a directive of no interest */
  PTX_KINDS
} ptx_kind;

typedef struct ptx_item {
  ptx_kind kind;
  uint64_t at; /* where it stands: the offset in a text, or what the caller counts by */
  uint32_t number, line, column;
  bool has_more;  /* PTX_LOC...: something stands behind the column; PTX_TEXT: it goes on behind a .source_end */
  bool is_open;   /* PTX_TEXT: no .source_end follows */
  bool in_angles; /* PTX_TEXT: .source: <<< TEXT >>> */
  bool is_bare;   /* PTX_INSTRUCTION: known to have no layers */
  dloc_text text; /* valid during the visit */
} ptx_item;

typedef dloc_status ptx_visit(void *user, const ptx_item *item);

/* Does a text begin as PTX does, with a directive or one of its comments? No .ll file does. */
bool ptx_is_text(dloc_text text);
/* Has a text that is to be embedded a line `.source_end`, blanks aside? */
bool ptx_ends_itself(dloc_text text);
/* Visit the items of a text in order. DLOC_INVALID with *diagnostic on a text that is no PTX. Cost: linear. */
dloc_status ptx_read(dloc_context *context, dloc_text text, ptx_visit *visit, void *user, dloc_diagnostic *diagnostic);
/* A string without the escapes of an assembler, octal or the character itself: how many bytes stand in ret, which has
 * room for as many as the text has. */
size_t ptx_unescape(dloc_text text, char *ret);
/* Move a place to an offset of the text; going back costs the way from the start. Begin with {0}. */
void ptx_move(dloc_text text, uint64_t offset, dloc_place *place);

/* Called for each rule that is broken. A reason of severity soft is a warning: an assembler takes it. */
typedef dloc_status ptx_report(void *user, dloc_reason reason, uint64_t at);
typedef struct ptx_checker ptx_checker;
dloc_status ptx_checker_create(dloc_context *context, ptx_report *report, void *user, ptx_checker **ret);
void ptx_checker_destroy(ptx_checker *checker); /* NULL is allowed */
/* Check the next item: a ptx_visit whose user is a checker. */
dloc_status ptx_check(void *checker, const ptx_item *item);

/* The model's directives for a module, and whether a file has them. The emitter's context is the comparison's. */
typedef struct ptx_comparison ptx_comparison;
dloc_status ptx_comparison_create(dloc_context *context, ptx_report *report, void *user, ptx_comparison **ret);
void ptx_comparison_destroy(ptx_comparison *comparison); /* NULL is allowed */
/* The directives before an instruction of a function; alone: those that it has behind an instruction at another line.
 * at says where the instruction is, for the reason `ptx.model.missing`. */
dloc_status ptx_expect(ptx_comparison *comparison, dloc_text function, uint64_t at, const dloc_emitted *emitted,
                       const dloc_emitted *alone);
dloc_status ptx_expect_text(ptx_comparison *comparison, dloc_text kind, dloc_node file, dloc_text text);
/* Read the file twice: visits whose user is a comparison. */
dloc_status ptx_compare_files(void *comparison, const ptx_item *item);
dloc_status ptx_compare(void *comparison, const ptx_item *item);
