/* confine.c - limits on what the implementation under test may use. */
#include "confine.h"

#include "document/memory.h"
#include "document/buffer.h"
#include "process.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_SECONDS = 10 };

/* Of prlimit; a value is so many units of bytes or things. */
static const struct {
  const char *name, *option;
  uint64_t unit, value; /* by default */
} limit_table[] = {
    {"memory", "--as=", 1 << 20, 4096},
    {"files", "--nofile=", 1, 256},
    {"processes", "--nproc=", 1, 1024},
    {"size", "--fsize=", 1 << 20, 1024},
};
enum { LIMIT_COUNT = sizeof limit_table / sizeof *limit_table, MOST = 1 << 30 };

typedef struct confinement {
  uint64_t values[LIMIT_COUNT];
  bool network;
} confinement;

static bool read_value(const char *text, size_t size, uint64_t *ret) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] < '0' || text[i] > '9' || value > MOST)
      return false;
    value = value * 10 + (uint64_t)(text[i] - '0');
  }
  *ret = value;
  return value > 0 && value <= MOST;
}

/* NAME=VALUE */
static bool read_limit(const char *text, size_t size, confinement *c) {
  const char *equals = memchr(text, '=', size);
  size_t name = equals ? (size_t)(equals - text) : size, rest = equals ? size - name - 1 : 0;
  if (equals && name == strlen("network") && memcmp(text, "network", name) == 0) {
    c->network = rest == 3 && memcmp(equals + 1, "yes", rest) == 0;
    return c->network || (rest == 2 && memcmp(equals + 1, "no", rest) == 0);
  }
  for (size_t i = 0; equals && i < LIMIT_COUNT; i++)
    if (strlen(limit_table[i].name) == name && memcmp(text, limit_table[i].name, name) == 0)
      return read_value(equals + 1, rest, &c->values[i]);
  return false;
}

static bool read_limits(const char *text, confinement *c) {
  for (size_t i = 0; i < LIMIT_COUNT; i++)
    c->values[i] = limit_table[i].value;
  if (strcmp(text, "default") == 0)
    return true;
  for (;; text++) {
    size_t size = strcspn(text, ",");
    if (!read_limit(text, size, c))
      return false;
    text += size;
    if (!*text)
      return true;
  }
}

static bool runs(char *const *argv) {
  process child = {0};
  bool fine = process_run(argv, (dloc_text){"", 0}, PROBE_SECONDS, 1 << 16, &child) == 0 && child.status == 0;
  process_end(&child);
  return fine;
}

static void add(char ***words, size_t *count, const char *word) {
  *MEMORY_ADD(*words, *count) = memory_copy(dloc_text_of(word));
}

/* Namespaces of its own: all processes of one of PIDs end with the first, also those that left its group; limits cannot
 * be raised from within, also not by root; and there is no network, unless it is wanted. Returns whether the kernel
 * permits that; otherwise there are no words. */
static bool add_namespaces(bool network, char ***words, size_t *count) {
  char unshare[] = "unshare", user[] = "--user", pid[] = "--pid", fork[] = "--fork", kill[] = "--kill-child",
       net[] = "--net", end[] = "--", nothing[] = "true";
  char *const all[] = {unshare, user, pid, fork, kill, network ? end : net, network ? nothing : end, nothing, NULL};
  if (!runs(all))
    return false;
  for (char *const *word = all; *word != nothing; word++)
    add(words, count, *word);
  return true;
}

char **confine(const char *limits, const char **ret_wrong, const char **ret_warning) {
  char prlimit[] = "prlimit", core[] = "--core=0", end[] = "--", nothing[] = "true";
  confinement c = {.network = false};
  char **words = NULL;
  size_t count = 0;
  *ret_warning = *ret_wrong = NULL;
  if (!read_limits(limits, &c))
    *ret_wrong = "it is `default`, or some of memory=MB,files=N,processes=N,size=MB,network=yes|no";
  else if (!runs((char *const[]){prlimit, core, end, nothing, NULL}))
    *ret_wrong = "prlimit, of util-linux, cannot be run here";
  if (*ret_wrong)
    return NULL;
  if (!add_namespaces(c.network, &words, &count))
    *ret_warning = c.network ? "the kernel permits no namespaces here: processes that detach themselves remain"
                             : "the kernel permits no namespaces here: the network can be used, and processes that "
                               "detach themselves remain";
  add(&words, &count, prlimit);
  add(&words, &count, core);
  for (size_t i = 0; i < LIMIT_COUNT; i++)
    *MEMORY_ADD(words, count) =
        text_format("%s%llu", limit_table[i].option, (unsigned long long)(c.values[i] * limit_table[i].unit));
  add(&words, &count, end);
  *MEMORY_ADD(words, count) = NULL;
  return words;
}

void confine_free(char **words) {
  for (char **word = words; word && *word; word++)
    free(*word);
  free(words);
}
