/* diagnose.c - diagnostics as clang shows them: a place, a message, the line with a caret, in colours on a terminal. */
#include "document/buffer.h"
#include "document/text.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Characters ---- */

/* Columns of a terminal that a character takes: marks that join the one before take none, East Asian ones and emoji
 * two. Unicode's blocks are near enough. */
static size_t width_of(uint32_t c) {
  static const struct {
    uint32_t first, last, width;
  } blocks[] = {{0x300, 0x36f, 0},     {0x200b, 0x200f, 0},  {0xfe00, 0xfe0f, 0},   {0x1100, 0x115f, 2},
                {0x2e80, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},  {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},
                {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},  {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
                {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (c >= blocks[i].first && c <= blocks[i].last)
      return blocks[i].width;
  return 1;
}

/* ---- Colours ---- */

static bool coloured(void) {
  static enum { UNKNOWN, OFF, ON } state;
  const char *said = getenv("DLOC_COLOR"), *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (state == UNKNOWN && said && *said)
    state = strcmp(said, "always") == 0 ? ON : OFF;
  if (state == UNKNOWN)
    state = !(none && *none) && isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0) ? ON : OFF;
  return state == ON;
}

/* As an environment variable, so that the scripts behind some commands do the same. */
void tool_colour(const char *when) {
  if (strcmp(when, "auto") != 0 && strcmp(when, "always") != 0 && strcmp(when, "never") != 0)
    tool_fail("--color is auto, always or never, not '%s'", when);
  if (strcmp(when, "auto") == 0)
    unsetenv("DLOC_COLOR");
  else
    setenv("DLOC_COLOR", when, 1);
}

#define BOLD "\033[1m"
#define GREEN "\033[1;32m"
#define PLAIN "\033[0m"

static const char *colour_of(const char *level) {
  return strcmp(level, "error") == 0     ? "\033[1;31m"
         : strcmp(level, "warning") == 0 ? "\033[1;35m"
         : strcmp(level, "note") == 0    ? "\033[1;36m"
                                         : GREEN;
}

static void add(dloc_buffer *to, const char *text) { buffer_put(to, dloc_text_of(text)); }

static const char *paint(const char *colour) { return coloured() ? colour : ""; }

/* Text from outside: what a terminal might act on is shown as `?`. */
static void add_printable(dloc_buffer *to, dloc_text text) {
  while (text.size) {
    size_t size = text_printable(text);
    buffer_put(to, size ? (dloc_text){text.bytes, size} : dloc_text_of("?"));
    size += !size;
    text = (dloc_text){text.bytes + size, text.size - size};
  }
}

/* ---- The line ---- */

/* The columns of a line that a diagnostic shows, and how much it looks at on either side of the caret. */
enum { SHOWN = 120, LOOKED_AT = 600, TAB = 8 };

typedef struct cell {
  dloc_text bytes; /* empty: a part of a tab */
  size_t column, width;
} cell;

typedef struct excerpt {
  cell cells[(LOOKED_AT * 2 + 4) * TAB];
  size_t count;
  size_t columns;
  size_t caret, caret_end; /* columns of the culprit, at least one */
} excerpt;

static void add_cell(excerpt *e, dloc_text bytes, size_t width) {
  e->cells[e->count++] = (cell){bytes, e->columns, width};
  e->columns += width;
}

/* The character at the start of a text; returns its size. */
static size_t add_character(excerpt *e, dloc_text text) {
  uint32_t c = 0;
  size_t size = text_printable(text);
  if (*text.bytes == '\t')
    do
      add_cell(e, dloc_text_of(" "), 1);
    while (e->columns % TAB);
  else if (size == 0)
    add_cell(e, dloc_text_of("?"), 1);
  else
    add_cell(e, (dloc_text){text.bytes, size}, (dloc_character(text, &c), width_of(c)));
  return size ? size : 1;
}

/* Set first and last to the part of the line around an offset. */
static void find_line(dloc_text text, size_t offset, size_t *first, size_t *last) {
  *first = *last = offset;
  while (*first > 0 && offset - *first < LOOKED_AT && text.bytes[*first - 1] != '\n')
    --*first;
  while (*last < text.size && *last - offset < LOOKED_AT && text.bytes[*last] != '\n')
    ++*last;
  if (*last > *first && text.bytes[*last - 1] == '\r' && (*last == text.size || text.bytes[*last] == '\n'))
    --*last;
  while (*first > 0 && *first < offset && (text.bytes[*first] & 0xc0) == 0x80) /* not inside a character */
    ++*first;
}

static void read_line(excerpt *e, dloc_text text, size_t offset, size_t size) {
  size_t first, last;
  find_line(text, offset, &first, &last);
  e->count = e->columns = 0;
  e->caret = e->caret_end = SIZE_MAX;
  for (size_t at = first; at < last;) {
    if (at >= offset && e->caret == SIZE_MAX)
      e->caret = e->columns;
    at += add_character(e, (dloc_text){text.bytes + at, last - at});
    if (at >= offset + size && e->caret != SIZE_MAX && e->caret_end == SIZE_MAX)
      e->caret_end = e->columns;
  }
  if (e->caret == SIZE_MAX) /* behind the line */
    e->caret = e->columns;
  if (e->caret_end == SIZE_MAX)
    e->caret_end = e->columns;
  if (e->caret_end <= e->caret)
    e->caret_end = e->caret + 1;
}

/* The columns that are shown of a long line: the culprit, as far as it goes, in the middle. */
static void choose_columns(const excerpt *e, size_t *from, size_t *to) {
  size_t end = e->caret_end < e->caret + SHOWN / 2 ? e->caret_end : e->caret + SHOWN / 2;
  size_t room = (SHOWN - (end - e->caret)) / 2;
  *from = e->caret > room ? e->caret - room : 0;
  if (e->columns <= SHOWN)
    *from = 0;
  else if (*from + SHOWN > e->columns)
    *from = e->columns - SHOWN;
  *to = *from + SHOWN;
}

static void add_line(dloc_buffer *to, const excerpt *e, size_t from, size_t end) {
  size_t begin = from ? from + 3 : 0, stop = end < e->columns ? end - 3 : end;
  add(to, from ? "..." : "");
  for (size_t i = 0; i < e->count; i++) {
    const cell *c = &e->cells[i];
    if (c->column < begin && c->column + c->width > begin) /* half of a wide character */
      add(to, " ");
    else if (c->column >= begin && c->column + c->width <= stop)
      buffer_put(to, c->bytes);
  }
  add(to, end < e->columns ? "...\n" : "\n");
}

static void add_caret(dloc_buffer *to, const excerpt *e, size_t from, size_t end) {
  for (size_t column = from; column < e->caret; column++)
    add(to, " ");
  buffer_format(to, "%s^", paint(GREEN));
  for (size_t column = e->caret + 1; column < e->caret_end && column < end; column++)
    add(to, "~");
  buffer_format(to, "%s\n", paint(PLAIN));
}

static void add_excerpt(dloc_buffer *to, dloc_text text, size_t offset, size_t size) {
  static excerpt e;
  size_t from, end;
  if (offset > text.size)
    offset = text.size;
  read_line(&e, text, offset, size);
  choose_columns(&e, &from, &end);
  add_line(to, &e, from, end);
  add_caret(to, &e, from, end);
}

/* ---- The message ---- */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_.-$", c);
}

/* The word, number, name or string that begins at an offset. */
static size_t token_size(dloc_text text, size_t offset) {
  size_t at = offset;
  if (at < text.size && text.bytes[at] == '"') {
    do
      at++;
    while (at < text.size && text.bytes[at] != '"' && text.bytes[at] != '\n');
    return at + (at < text.size) - offset;
  }
  at += at + 1 < text.size && strchr("!@%#", text.bytes[at]) && text.bytes[at] && is_word(text.bytes[at + 1]);
  while (at < text.size && text.bytes[at] && is_word(text.bytes[at]))
    at++;
  return at - offset;
}

/* FILE:LINE:COL: in text; FILE:bit N: in bitcode; FILE: where there is no place. */
static void add_place(dloc_buffer *to, const char *name, const dloc_place *place) {
  char where[48] = "";
  if (place && place->line)
    snprintf(where, sizeof where, "%lu:%lu:", (unsigned long)place->line, (unsigned long)place->column);
  else if (place)
    snprintf(where, sizeof where, "bit %llu:", (unsigned long long)place->bit);
  add(to, paint(BOLD));
  add_printable(to, dloc_text_of(name));
  buffer_format(to, ":%s%s", where, paint(PLAIN));
}

static void add_message(dloc_buffer *to, const char *level, dloc_text message, const char *reason) {
  bool is_note = strcmp(level, "note") == 0;
  buffer_format(to, " %s%s:%s %s", paint(colour_of(level)), level, paint(PLAIN), is_note ? "" : paint(BOLD));
  add_printable(to, message);
  if (reason)
    buffer_format(to, " [%s]", reason);
  buffer_format(to, "%s\n", is_note ? "" : paint(PLAIN));
}

static dloc_buffer out; /* stderr has no buffer: a diagnostic is written as a whole */

/* ---- What was found while reading ---- */

/* The class of the node that an offset is in: the word before the bracket that is open there; empty without one. */
static dloc_text class_around(dloc_text text, size_t offset) {
  enum { FAR = 4096 };
  size_t depth = 1, at = offset, first = offset > FAR ? offset - FAR : 0;
  while (at > first && depth) {
    char c = text.bytes[--at];
    depth += (c == ')') - (c == '(');
  }
  size_t end = at;
  while (!depth && at > first && is_word(text.bytes[at - 1]))
    at--;
  return (dloc_text){text.bytes + at, end - at};
}

/* The field that a word is near to, of those that the class has. */
static void guess_field(dloc_text class, tool_guess *guess) {
#define CLASS(id, name, form, code, least)                                                                             \
  const bool is_##id = dloc_text_equal(class, dloc_text_of(#name));                                                    \
  (void)is_##id;
#define FIELD(id, name, type, presence, operand, value)                                                                \
  if (is_##id)                                                                                                         \
    tool_guess_offer(guess, #name);
#include "nodes/classes.def"
#undef CLASS
#undef FIELD
}

static dloc_text help_with(const tool_input *input, const dloc_diagnostic *diagnostic) {
  static char help[TOOL_GUESS_SIZE + 16];
  char word[TOOL_GUESS_SIZE];
  tool_guess guess = {.wrong = word};
  switch (diagnostic->reason) {
  case DLOC_REASON_SUBPROGRAM_NOT_DISTINCT:
    return dloc_text_of("write distinct !DISubprogram(");
  case DLOC_REASON_UNIT_NOT_DISTINCT:
    return dloc_text_of("write distinct !DICompileUnit(");
  case DLOC_REASON_ASSIGN_ID_NOT_DISTINCT:
    return dloc_text_of("write distinct !DIAssignID(");
  case DLOC_REASON_FIELD_UNKNOWN:
    snprintf(word, sizeof word, "%.*s", (int)token_size(input->text, diagnostic->offset),
             input->text.bytes + diagnostic->offset);
    guess_field(class_around(input->text, diagnostic->offset), &guess);
    if (!*tool_guess_words(&guess))
      return (dloc_text){NULL, 0};
    snprintf(help, sizeof help, "write %s", guess.name);
    return dloc_text_of(help);
  default:
    return (dloc_text){NULL, 0};
  }
}

static dloc_diagnosis diagnosis_at(const tool_input *input, const dloc_place *place, const char *message) {
  dloc_diagnosis diagnosis = {.note_count = 0};
  dloc_remark *fault = &diagnosis.fault;
  fault->message = dloc_text_of(message);
  fault->placed = place != NULL;
  if (place)
    fault->place = *place;
  if (place && place->line) {
    fault->text = input->text;
    fault->offset = place->offset;
    fault->size = token_size(input->text, place->offset);
  }
  return diagnosis;
}

dloc_diagnosis tool_diagnosis_of(const tool_input *input, const dloc_diagnostic *diagnostic) {
  const dloc_place place = {diagnostic->offset, diagnostic->line, diagnostic->column, diagnostic->bit};
  dloc_diagnosis diagnosis = diagnosis_at(input, &place, diagnostic->message);
  if (place.line)
    diagnosis.help = help_with(input, diagnostic);
  return diagnosis;
}

static void add_remark(const tool_input *input, const char *level, const dloc_remark *remark, const char *reason) {
  add_place(&out, input->name, remark->placed ? &remark->place : NULL);
  add_message(&out, level, remark->message, reason);
  if (remark->text.bytes)
    add_excerpt(&out, remark->text, remark->offset, remark->size);
}

void tool_show(const tool_input *input, const char *level, const dloc_diagnosis *diagnosis, const char *reason) {
  const dloc_remark *fault = &diagnosis->fault;
  if (tool_diagnoses_json) {
    tool_write_finding(input->name, fault->placed ? &fault->place : NULL, level, fault->message, reason);
    return;
  }
  add_remark(input, level, fault, reason);
  if (diagnosis->help.size) {
    buffer_format(&out, "%shelp:%s ", paint(colour_of("help")), paint(PLAIN));
    add_printable(&out, diagnosis->help);
    add(&out, "\n");
  }
  for (size_t i = 0; i < diagnosis->note_count; i++)
    add_remark(input, "note", &diagnosis->notes[i], NULL);
  fwrite(out.bytes, 1, out.size, stderr);
  out.size = 0;
}

void tool_diagnose(const tool_input *input, const dloc_place *place, const char *level, const char *message,
                   const char *reason) {
  const dloc_diagnosis diagnosis = diagnosis_at(input, place, message);
  tool_show(input, level, &diagnosis, reason);
}
