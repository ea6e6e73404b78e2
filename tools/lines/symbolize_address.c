/* dloc symbolize: addresses as somebody writes them, and those of standard input. */
#include "document/memory.h"
#include "symbolize.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *symbolize_read_digits(const char *at, uint64_t *ret) {
  const char *from = at;
  for (*ret = 0; isxdigit((unsigned char)*at) && *ret <= UINT64_MAX >> 4; at++)
    *ret = *ret << 4 | (uint64_t)((*at & 15) + (*at > '9' ? 9 : 0));
  return at > from && !isxdigit((unsigned char)*at) ? at : NULL;
}

static bool read_number(const char *number, uint64_t *ret) {
  const char *end = symbolize_read_digits(number + (number[0] == '0' && (number[1] | 32) == 'x' ? 2 : 0), ret);
  return end && !*end;
}

bool symbolize_read_address(const char *text, symbolize_address *ret) {
  const char *plus = NULL;
  uint64_t offset;
  if (!read_number(text, &offset) && (!(plus = strrchr(text, '+')) || plus == text || !read_number(plus + 1, &offset)))
    return false;
  *ret = (symbolize_address){.name = {text, plus ? (size_t)(plus - text) : 0}, .offset = offset, .shown = offset};
  return true;
}

typedef struct reader {
  symbolize_take *take;
  void *user;
  size_t line; /* its number */
} reader;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* A NUL byte stands behind the line. */
static void read_line(reader *r, char *line, size_t size) {
  symbolize_address address;
  const char *behind = line + size;
  r->line++;
  while (is_blank(*line))
    line++;
  char *end = line;
  while (*end && !is_blank(*end) && *end != '\r' && *end != '\n')
    end++;
  bool whole = end == behind || strlen(end) == (size_t)(behind - end);
  *end = '\0';
  if (!whole || line[0])
    r->take(r->user, r->line, whole ? line : NULL, whole && symbolize_read_address(line, &address) ? &address : NULL);
}

/* Lines that are whole. The first `known` bytes have no end of one. Returns what is left behind them, which has been
 * moved to the start. */
static size_t read_lines(reader *r, char *text, size_t known, size_t size) {
  char *line = text, *from = text + known;
  for (char *end; (end = memchr(from, '\n', size - (size_t)(from - text))); line = from = end + 1) {
    *end = '\0';
    read_line(r, line, (size_t)(end - line));
  }
  size -= (size_t)(line - text);
  memmove(text, line, size);
  return size;
}

/* Answers go out when input stops, so that a program can ask one by one. */
int symbolize_read_addresses(int from, symbolize_take *take, void *user, size_t *ret_line) {
  reader r = {.take = take, .user = user};
  size_t size = 0, room = 1 << 12;
  char *text = memory_allocate(room, 1);
  int error = 0;
  for (ssize_t got; !error && size <= SYMBOLIZE_MOST_LINE && (got = read(from, text + size, room - size - 1)) != 0;) {
    error = got < 0 && errno != EINTR ? errno : 0;
    size = read_lines(&r, text, size, size + (got > 0 ? (size_t)got : 0));
    if (size + 1 == room)
      text = memory_resize(text, room *= 2, 1);
    (void)fflush(stdout);
  }
  text[size] = '\0';
  if (size > SYMBOLIZE_MOST_LINE)
    *ret_line = r.line + 1;
  else if (!error)
    read_line(&r, text, size);
  free(text);
  return error;
}
