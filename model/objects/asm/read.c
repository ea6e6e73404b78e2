/* read.c - the lines of an assembler text that locate instructions. */
#include "asm.h"
#include "ll/refuse.h"
#include "nodes/metadata.h"
#include "nodes/text.h"
#include "objects/lines/machine.h"
#include "objects/ptx/ptx.h"

enum { FAR = 1 << 17, MOST_DEPTH = 64 }; /* more than an advance can tell; of .pushsection */

typedef struct reader {
  asm_text *a;
  dloc_diagnostic *diagnostic;
  size_t line, next; /* where the line at hand begins, and the one behind it */
  size_t at, end;    /* the operand at hand, without quotes */
  bool is_string;
  uint64_t address;
  size_t pending; /* the first `.loc` whose place is not known yet */
  uint32_t functions;
  bool is_stmt;
  unsigned header_bytes; /* numbers of one byte in the header of .debug_info */
  size_t behind_value;   /* where the line behind the last value begins */
  map section_numbers;
  uint32_t section, previous;
  uint32_t stack[MOST_DEPTH][2];
  size_t depth;
  size_t macro; /* where a macro began; SIZE_MAX: in none */
} reader;

/* ---- Tokens ---- */

/* Only near its beginning, as lines may be long. */
static bool contains(dloc_text text, const char *part) {
  const size_t size = strlen(part);
  for (size_t i = 0; i + size <= text.size && i < 400; i++)
    if (memcmp(text.bytes + i, part, size) == 0)
      return true;
  return false;
}

#define refuse(r, reason, at, ...) refuse_text((r)->diagnostic, (r)->a->text.bytes, (reason), (at), __VA_ARGS__)

static bool is_word(char c) {
  return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '$' ||
         c == '%';
}

static char byte_at(const reader *r, size_t at) { return at < r->next ? r->a->text.bytes[at] : '\n'; }
static dloc_text operand(const reader *r) { return (dloc_text){r->a->text.bytes + r->at, r->end - r->at}; }
static bool operand_is(const reader *r, const char *text) {
  return !r->is_string && dloc_text_equal(operand(r), dloc_text_of(text));
}
static bool is_comment(const reader *r, size_t at) {
  char c = byte_at(r, at);
  return c == '#' || (c == '/' && (byte_at(r, at + 1) == '/' || byte_at(r, at + 1) == '*'));
}

/* Whether the statement, or its line, ends at the operand at hand. */
static bool at_end(const reader *r) { return !r->is_string && r->at == r->end; }

/* To the next operand: a word, a string, or another character; commas are for themselves. */
static dloc_status step(reader *r) {
  r->at = r->end + r->is_string;
  while (r->at < r->next && byte_at(r, r->at) != '\n' && text_is_blank(byte_at(r, r->at)))
    r->at++;
  r->end = r->at;
  char c = byte_at(r, r->at);
  r->is_string = c == '"';
  if (r->is_string) {
    for (r->end = ++r->at; byte_at(r, r->end) != '"'; r->end += 1 + (byte_at(r, r->end) == '\\'))
      if (byte_at(r, r->end) == '\n' || r->end >= r->next)
        return refuse(r, DLOC_REASON_TEXT_TRUNCATED, r->at - 1, "the string has no closing quote");
  } else if (c != '\n' && c != ';' && !is_comment(r, r->at)) {
    do
      r->end++;
    while (is_word(c) && is_word(byte_at(r, r->end)));
  }
  return DLOC_OK;
}

static dloc_status expected(const reader *r, const char *what) {
  bool cut = r->at >= r->a->text.size;
  return refuse(r, cut ? DLOC_REASON_TEXT_TRUNCATED : DLOC_REASON_TEXT_SYNTAX, r->at, "expected %s", what);
}

/* A decimal or hexadecimal number; false: the operand is none, or too large. */
static bool read_number(const reader *r, uint64_t *ret) {
  dloc_text text = operand(r);
  bool hexadecimal = text.size > 2 && text.bytes[0] == '0' && (text.bytes[1] | 0x20) == 'x';
  unsigned base = hexadecimal ? 16 : 10;
  uint64_t number = 0;
  for (size_t i = hexadecimal ? 2 : 0; i < text.size; i++) {
    unsigned c = (unsigned char)text.bytes[i], letter = (c | 0x20) - 'a';
    unsigned digit = text_is_digit((char)c) ? c - '0' : letter < 6 ? letter + 10 : 16;
    if (digit >= base || number > (UINT64_MAX - digit) / base)
      return false;
    number = number * base + digit;
  }
  *ret = number;
  return text.size > 0 && !r->is_string;
}

static dloc_status take_number(reader *r, uint64_t most, uint32_t *ret) {
  uint64_t number = 0;
  if (at_end(r) || r->is_string || !text_is_digit(byte_at(r, r->at)))
    return expected(r, "integer");
  if (!read_number(r, &number) || number > most)
    return refuse(r, DLOC_REASON_TEXT_LIMIT, r->at, "expected an integer up to %llu", (unsigned long long)most);
  *ret = (uint32_t)number;
  return step(r);
}

/* ---- Directives ---- */

static dloc_status read_file(reader *r) {
  asm_file file = {.name = {"", 0}};
  if (r->is_string)
    return DLOC_OK; /* `.file "NAME"` is for symbols */
  TRY(take_number(r, UINT32_MAX, &file.number));
  if (!r->is_string)
    return expected(r, "a string");
  file.name = operand(r);
  TRY(step(r));
  if (r->is_string) {
    file.directory = file.name;
    file.name = operand(r);
  }
  PUSH(r->a->context, r->a->files, file);
  if (!r->a->behind_files)
    r->a->first_file = r->line;
  r->a->behind_files = r->next;
  return DLOC_OK;
}

/* The end of the text before the cursor, from `first` on, without trailing blanks. */
static size_t before_blanks(const reader *r, size_t first) {
  size_t end = r->at - r->is_string;
  while (end > first && text_is_blank(byte_at(r, end - 1)))
    end--;
  return end;
}

static dloc_status read_option(reader *r, asm_loc *loc) {
  static const struct {
    const char *name;
    uint8_t flag;
  } flags[] = {{"basic_block", DLOC_ROW_BASIC_BLOCK},
               {"prologue_end", DLOC_ROW_PROLOGUE_END},
               {"epilogue_begin", DLOC_ROW_EPILOGUE_BEGIN}};
  uint32_t number = 0;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (operand_is(r, flags[i].name)) {
      loc->row.flags |= flags[i].flag;
      return step(r);
    }
  if (operand_is(r, "is_stmt")) {
    TRY(step(r));
    TRY(take_number(r, 1, &number));
    r->is_stmt = number;
    return DLOC_OK;
  }
  if (operand_is(r, "discriminator")) {
    TRY(step(r));
    TRY(take_number(r, UINT32_MAX, &number));
    loc->row.discriminator = number;
    return DLOC_OK;
  }
  size_t first = loc->rest.size ? (size_t)(loc->rest.bytes - r->a->text.bytes) : r->at - r->is_string;
  TRY(step(r));
  if (!loc->rest.size) /* `isa`, `view`, `, function_name`: the operands behind them as well */
    while (!at_end(r) && !operand_is(r, "discriminator") && !operand_is(r, "is_stmt"))
      TRY(step(r));
  loc->rest = (dloc_text){r->a->text.bytes + first, before_blanks(r, first) - first};
  return DLOC_OK;
}

static dloc_status read_loc(reader *r, size_t start) {
  asm_loc loc = {.at = start, .next = r->next, .place = SIZE_MAX, .function = r->functions};
  uint32_t file = 0;
  TRY(take_number(r, DLOC_ROW_MOST_FILE, &file));
  TRY(take_number(r, UINT32_MAX, &loc.line));
  if (!at_end(r) && text_is_digit(byte_at(r, r->at)))
    TRY(take_number(r, UINT16_MAX, &loc.column));
  while (!at_end(r))
    TRY(read_option(r, &loc));
  loc.row.file = file & DLOC_ROW_MOST_FILE;
  loc.row.flags |= r->is_stmt ? DLOC_ROW_IS_STMT : 0;
  loc.end = before_blanks(r, loc.at);
  PUSH(r->a->context, r->a->locs, loc);
  return DLOC_OK;
}

/* ---- Sections ---- */

/* The section that a directive leads to. Those of one name are one, unless it is `unique` or in a group. */
static dloc_status number_section(reader *r, dloc_text name, dloc_text directive, uint32_t *ret) {
  dloc_node key = DLOC_NULL;
  uint32_t number = (uint32_t)r->a->sections.count;
  bool single = !contains(directive, "unique") && !contains(directive, "comdat");
  TRY(dloc_string(r->a->context, single ? name : directive, &key));
  TRY(map_add(r->a->context, &r->section_numbers, key, 0, number, ret));
  if (*ret == number)
    PUSH(r->a->context, r->a->sections, directive);
  return DLOC_OK;
}

static dloc_status enter(reader *r, bool push, dloc_text name, dloc_text directive) {
  uint32_t number;
  TRY(number_section(r, name, directive, &number));
  if (push) {
    if (r->depth == MOST_DEPTH)
      return refuse(r, DLOC_REASON_TEXT_LIMIT, r->line, ".pushsection is nested too deeply");
    r->stack[r->depth][0] = r->section;
    r->stack[r->depth++][1] = r->previous;
  }
  r->previous = r->section;
  r->section = number;
  r->address++; /* no place of one section has the address of another's */
  return DLOC_OK;
}

/* `.section NAME...`, `.pushsection NAME...`, `.text`, `.data`, `.bss`, `.popsection`, `.previous` */
static dloc_status read_section(reader *r, dloc_text directive, size_t start) {
  bool push = dloc_text_equal(directive, dloc_text_of(".pushsection"));
  if (push || dloc_text_equal(directive, dloc_text_of(".section"))) {
    dloc_text name = operand(r);
    size_t first = r->at - r->is_string;
    if (at_end(r))
      return expected(r, "the name of a section");
    while (!at_end(r))
      TRY(step(r));
    return enter(r, push, name, (dloc_text){r->a->text.bytes + first, before_blanks(r, first) - first});
  }
  if (dloc_text_equal(directive, dloc_text_of(".previous"))) {
    uint32_t section = r->section;
    r->section = r->previous;
    r->previous = section;
    r->address++;
    return DLOC_OK;
  }
  if (dloc_text_equal(directive, dloc_text_of(".popsection"))) {
    if (!r->depth)
      return refuse(r, DLOC_REASON_TEXT_SYNTAX, start, ".popsection without .pushsection");
    r->section = r->stack[--r->depth][0];
    r->previous = r->stack[r->depth][1];
    r->address++;
    return DLOC_OK;
  }
  return enter(r, false, directive, directive);
}

/* ---- Numbers in .debug_info ---- */

static dloc_status add_value(reader *r, asm_value value) {
  value.at = r->at;
  value.end = r->end;
  r->behind_value = r->next;
  PUSH(r->a->context, r->a->values, value);
  return DLOC_OK;
}

/* A number by its comment. In PTX a number of several bytes is several numbers, of which the first has it. */
static dloc_status name_value(reader *r, uint64_t number, uint8_t size) {
  static const char *const names[] = {"DW_AT_GNU_discriminator", "DW_AT_call_file", "DW_AT_call_line",
                                      "DW_AT_call_column"};
  dloc_text rest = {r->a->text.bytes + r->end, r->next - r->end};
  asm_value value = {.number = number, .size = size};
  bool named = contains(rest, "DW_AT_");
  for (size_t i = 0; named && i < sizeof names / sizeof *names; i++)
    if (contains(rest, names[i])) {
      value.attribute = (asm_attribute)i;
      return add_value(r, value);
    }
  if (r->line != r->behind_value || !r->a->values.count || contains(rest, "//") || contains(rest, "#"))
    return DLOC_OK;
  const asm_value *before = &r->a->values.items[r->a->values.count - 1];
  value.attribute = before->attribute;
  value.part = (uint8_t)(before->part + 1);
  return before->size == 1 && size == 1 && value.part < 8 ? add_value(r, value) : DLOC_OK;
}

/* The header of a unit: a length, a version; in version 5 what unit it is and the size of addresses, before that the
 * offset of abbreviations comes first. */
static dloc_status read_value(reader *r, uint8_t size) {
  asm_text *a = r->a;
  uint64_t number;
  dloc_text section = a->sections.items[r->section];
  if (!text_begins(section, ".debug_info") || !read_number(r, &number))
    return DLOC_OK;
  if (size == 2 && !a->version)
    a->version = (uint16_t)number;
  else if (size == 1 && a->version && ++r->header_bytes == (a->version >= 5 ? 2U : 1U))
    a->address_size = (uint8_t)number;
  return name_value(r, number, size);
}

/* ---- Statements ---- */

typedef enum effect {
  NONE,  /* no address moves */
  FILE_, /* .file */
  LOC,
  SECTION,
  BYTES, /* as many as the line has characters, times 16, at most */
  NUMBER_1,
  NUMBER_2,
  NUMBER_4,
  SPACE,   /* nobody knows how many */
  REPEAT,  /* lines that count more than once, or not at all */
  MACRO,   /* to .endm */
  FOREIGN, /* the text is not for ELF */
  REVEALED
} effect;

static const struct {
  effect effect;
  const char *names;
} directives[] = {{FILE_, ".file"},
                  {LOC, ".loc"},
                  {REVEALED, ".loc_intermediate"},
                  {SECTION, ".section .pushsection .popsection .previous .text .data .bss"},
                  {NUMBER_1, ".byte .b8"},
                  {NUMBER_2, ".short .hword .half .2byte .value"},
                  {NUMBER_4, ".long .int .word .4byte"},
                  {BYTES, ".quad .xword .dword .8byte .octa .inst .insn .ascii .asciz .string .uleb128 .sleb128"},
                  {REPEAT, ".rept .irp .irpc"},
                  {MACRO, ".macro"},
                  {NONE, ".globl .global .weak .hidden .protected .local .type .size .set .ident .comm .option "
                         ".attribute .variant_pcs .variant_cc .addrsig .addrsig_sym .intel_syntax .att_syntax .arch"},
                  {FOREIGN, ".build_version .subsections_via_symbols .def"}};

static effect effect_of(dloc_text name) {
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    if (text_is_among(name, directives[i].names))
      return directives[i].effect;
  return text_begins(name, ".cfi_") ? NONE : text_begins(name, ".if") ? REPEAT : SPACE;
}

static bool is_new_place(const asm_text *a, const reader *r) {
  const asm_place *last = a->places.count ? &a->places.items[a->places.count - 1] : NULL;
  return !last || last->address != r->address || last->section != r->section;
}

/* Here is what the `.loc` before it locates. */
static dloc_status place_pending(reader *r) {
  asm_text *a = r->a;
  if (r->pending == a->locs.count)
    return DLOC_OK;
  if (is_new_place(a, r))
    PUSH(a->context, a->places, (asm_place){r->line, r->address, r->section});
  for (; r->pending < a->locs.count; r->pending++) {
    a->locs.items[r->pending].place = a->places.count - 1;
    a->locs.items[r->pending].row.address = r->address;
  }
  return DLOC_OK;
}

/* `.p2align N` */
static uint64_t space_of(const reader *r, dloc_text directive) {
  uint64_t number;
  bool known = dloc_text_equal(directive, dloc_text_of(".p2align")) && read_number(r, &number) && number < 12;
  return known ? (uint64_t)1 << number : FAR;
}

static dloc_status read_directive(reader *r, dloc_text name) {
  size_t start = (size_t)(name.bytes - r->a->text.bytes), size;
  TRY(step(r));
  effect effect = effect_of(name);
  switch (effect) {
  case FILE_:
    return read_file(r);
  case LOC:
    TRY(place_pending(r)); /* the one before makes its row */
    return read_loc(r, start);
  case SECTION:
    return read_section(r, name, start);
  case MACRO:
    r->macro = start;
    return DLOC_OK;
  case FOREIGN:
    return refuse(r, DLOC_REASON_TEXT_SYNTAX, start, "this is no text for ELF");
  case REVEALED:
    return refuse(r, DLOC_REASON_TEXT_SYNTAX, start, "this text has layers already");
  case NONE:
    return DLOC_OK;
  case REPEAT:
    TRY(place_pending(r));
    r->address += FAR;
    return DLOC_OK;
  case SPACE:
    r->address += space_of(r, name);
    return DLOC_OK;
  default:
    size = r->next - r->line;
    TRY(place_pending(r));
    r->address += size * 16;
    return effect == BYTES ? DLOC_OK : read_value(r, effect == NUMBER_1 ? 1 : effect == NUMBER_2 ? 2 : 4);
  }
}

static bool is_function(const reader *r, dloc_text first) {
  dloc_text line = {first.bytes, (size_t)(r->a->text.bytes + r->next - first.bytes)};
  return text_is_among(first, ".visible .extern .weak .func .entry .common") &&
         (contains(line, ".func") || contains(line, ".entry"));
}

/* A label, a directive, an assignment, or an instruction. */
static dloc_status read_statement(reader *r) {
  dloc_text first = operand(r);
  size_t behind = r->end + r->is_string;
  while (byte_at(r, behind) == ' ')
    behind++;
  if (byte_at(r, behind) == ':' || byte_at(r, behind) == '=') {
    bool label = byte_at(r, behind) == ':';
    if (text_begins(first, ".Ldloc_"))
      return refuse(r, DLOC_REASON_TEXT_SYNTAX, r->at, "this text has layers already");
    TRY(step(r));
    TRY(step(r));
    while (!label && !at_end(r))
      TRY(step(r));
    return DLOC_OK;
  }
  if (is_function(r, first))
    r->functions++;
  if (!r->is_string && first.size && first.bytes[0] == '.')
    TRY(read_directive(r, first));
  else {
    TRY(place_pending(r));
    r->address += 32; /* a pseudo-instruction may be several */
  }
  return DLOC_OK;
}

static size_t line_end(dloc_text text, size_t at) {
  const char *end = at < text.size ? memchr(text.bytes + at, '\n', text.size - at) : NULL;
  return end ? (size_t)(end - text.bytes) + 1 : text.size;
}

static dloc_status pass_block_comment(reader *r) {
  dloc_text text = r->a->text;
  size_t start = r->at;
  for (r->at += 2; r->at + 1 < text.size; r->at++)
    if (text.bytes[r->at] == '*' && text.bytes[r->at + 1] == '/')
      break;
  if (r->at + 1 >= text.size)
    return refuse(r, DLOC_REASON_TEXT_TRUNCATED, start, "end of file in a comment");
  r->at++;
  if (r->at >= r->next)
    r->next = line_end(text, r->at);
  return DLOC_OK;
}

/* To the end of a statement, `;` or that of the line; a comment may go over several. */
static dloc_status pass_statement(reader *r) {
  dloc_text text = r->a->text;
  bool quoted = r->is_string;
  for (r->at = r->end; r->at < r->next; r->at++) {
    char c = text.bytes[r->at];
    if (c == '"')
      quoted = !quoted;
    else if (quoted)
      r->at += c == '\\';
    else if (c == '/' && byte_at(r, r->at + 1) == '*')
      TRY(pass_block_comment(r));
    else if (c == ';' || is_comment(r, r->at))
      break;
    else if (c == '\0')
      return refuse(r, DLOC_REASON_TEXT_ENCODING, r->at, "byte 0x00 cannot stand here");
  }
  bool more = r->at < r->next && text.bytes[r->at] == ';';
  r->end = r->at = more ? r->at + 1 : r->next;
  r->is_string = false;
  return more ? step(r) : DLOC_OK;
}

/* Elsewhere it ends a comment for LLVM's assembler, and not for GNU as. */
static dloc_status check_carriage_return(const reader *r) {
  const char *line = r->a->text.bytes + r->line, *feed = r->a->text.bytes + r->next - 1;
  const char *found = memchr(line, '\r', r->next - r->line);
  return !found || (found + 1 == feed && *feed == '\n')
             ? DLOC_OK
             : refuse(r, DLOC_REASON_TEXT_ENCODING, (size_t)(found - r->a->text.bytes),
                      "a carriage return inside of a line");
}

static dloc_status read_line(reader *r) {
  r->at = r->end = r->line;
  r->is_string = false;
  TRY(check_carriage_return(r));
  TRY(step(r));
  if (r->macro != SIZE_MAX) {
    if (operand_is(r, ".endm") || operand_is(r, ".endmacro"))
      r->macro = SIZE_MAX;
    return DLOC_OK;
  }
  while (r->at < r->next && byte_at(r, r->at) != '\n' && r->macro == SIZE_MAX) {
    if (!at_end(r))
      TRY(read_statement(r));
    TRY(pass_statement(r));
  }
  return DLOC_OK;
}

static dloc_status read_all(reader *r) {
  dloc_text text = r->a->text;
  TRY(enter(r, false, dloc_text_of(".text"), dloc_text_of(".text")));
  for (r->line = 0; r->line < text.size; r->line = r->next) {
    r->next = line_end(text, r->line);
    TRY(read_line(r));
  }
  r->line = text.size;
  for (size_t i = 0; !r->a->version && i < r->a->files.count; i++)
    if (r->a->files.items[i].number == 0)
      r->a->version = 5; /* no other has a file 0 */
  if (!r->a->address_size)
    r->a->address_size = 8;
  if (r->macro != SIZE_MAX)
    return refuse(r, DLOC_REASON_TEXT_TRUNCATED, r->macro, "end of file in a macro");
  return DLOC_OK;
}

dloc_status asm_read(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, asm_text *ret) {
  reader r = {.a = ret, .diagnostic = diagnostic, .is_stmt = true, .macro = SIZE_MAX};
  OWNED_MEMORY(context, &r.section_numbers.entries);
  *ret = (asm_text){.context = context, .text = text};
  return read_all(&r);
}

void asm_deinit(asm_text *a) {
  CONTEXT_FREE(a->context, a->files.items, a->locs.items, a->places.items, a->sections.items, a->values.items);
}

dloc_status asm_string(dloc_context *context, dloc_text text, dloc_node *ret) {
  ALLOCATE(context, char, bytes, text.size + 1);
  OWNED_MEMORY(context, &bytes);
  return dloc_string(context, (dloc_text){bytes, ptx_unescape(text, bytes)}, ret);
}
