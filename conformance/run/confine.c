/* confine.c - limits on what the implementation under test may use. */
#include "confine.h"

#include "document/memory.h"
#include "document/buffer.h"
#include "process.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PROBE_SECONDS = 10 };

/* Of prlimit; a value is so many units of bytes or things. */
static const struct {
  const char *name, *option;
  int resource;
  uint64_t unit, value; /* by default */
} limit_table[] = {
    {"memory", "--as=", RLIMIT_AS, 1 << 20, 4096},
    {"files", "--nofile=", RLIMIT_NOFILE, 1, 256},
    {"processes", "--nproc=", RLIMIT_NPROC, 1, 1024},
    {"size", "--fsize=", RLIMIT_FSIZE, 1 << 20, 1024},
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

static void add(char ***words, size_t *count, const char *const *more) {
  for (; *more; more++)
    *MEMORY_ADD(*words, *count) = memory_copy(dloc_text_of(*more));
}

/* A command can have these namespaces of its own. In one of PIDs all processes end with the first. */
enum { NET = 1, PID = 2 };

static const char *const missing[] = {
    [0] = "the kernel permits no namespaces here: the network can be used, and processes that detach themselves remain",
    [NET] = "the kernel permits no namespace of processes here: those that detach themselves remain",
    [PID] = "the kernel permits no namespace of networks here: the network can be used",
};

/* The first process of a namespace is a shell, not the command: a signal whose action is the default does nothing to
 * it, also that of abort(), and it must reap orphans. The command writes to the stderr of dloc, the shell to none. */
static const char first[] = "exec 9>&2 2>/dev/null; (\"$@\" 2>&9 9>&-); exit $?";

/* A namespace of users permits the others to all, but root could not read the files of others in it. Root without one
 * loses its rights to raise limits and to enter other namespaces. */
static void add_namespaces(unsigned own, bool users, char ***words, size_t *count) {
  if (own)
    add(words, count, (const char *[]){"unshare", NULL});
  if (own && users)
    add(words, count, (const char *[]){"--user", NULL});
  if (own & NET)
    add(words, count, (const char *[]){"--net", NULL});
  if (own & PID)
    add(words, count, (const char *[]){"--pid", "--fork", "--kill-child", NULL});
  if (!users)
    add(words, count, (const char *[]){"setpriv", "--bounding-set=-sys_resource,-sys_admin", NULL});
  if (own & PID)
    add(words, count, (const char *[]){"sh", "-c", first, "sh", NULL});
}

/* None is above that of dloc itself: only root may raise it. */
static void add_limits(const confinement *c, char ***words, size_t *count) {
  add(words, count, (const char *[]){"prlimit", "--core=0", NULL});
  for (size_t i = 0; i < LIMIT_COUNT; i++) {
    uint64_t value = c->values[i] * limit_table[i].unit;
    struct rlimit most;
    if (getrlimit(limit_table[i].resource, &most) == 0 && most.rlim_max < value)
      value = most.rlim_max;
    *MEMORY_ADD(*words, *count) = text_format("%s%llu", limit_table[i].option, (unsigned long long)value);
  }
  add(words, count, (const char *[]){"--", NULL});
}

/* The words, if `true` runs behind them, otherwise NULL. */
static char **try_words(const confinement *c, unsigned own, bool users) {
  char **words = NULL;
  size_t count = 0;
  process child = {0};
  add_namespaces(own, users, &words, &count);
  add_limits(c, &words, &count);
  add(&words, &count, (const char *[]){"true", NULL});
  *MEMORY_ADD(words, count) = NULL;
  bool fine = process_run(words, (dloc_text){"", 0}, PROBE_SECONDS, 1 << 16, &child) == 0 && child.status == 0;
  process_end(&child);
  free(words[count - 2]);
  words[count - 2] = NULL;
  if (fine)
    return words;
  confine_free(words);
  return NULL;
}

char **confine(const char *limits, const char **ret_wrong, const char **ret_warning) {
  confinement c = {.network = false};
  *ret_warning = *ret_wrong = NULL;
  if (!read_limits(limits, &c)) {
    *ret_wrong = "it is `default`, or some of memory=MB,files=N,processes=N,size=MB,network=yes|no";
    return NULL;
  }
  const unsigned wanted = c.network ? PID : PID | NET;
  for (unsigned own = wanted;; own = (own - 1) & wanted) {
    char **words = geteuid() == 0 ? try_words(&c, own, false) : NULL;
    if (!words)
      words = try_words(&c, own, true);
    if (words && own != wanted)
      *ret_warning = missing[own | (wanted ^ (PID | NET))];
    if (!words && own == 0)
      *ret_wrong = "prlimit, of util-linux, is not here, or not even `true` runs within these limits";
    if (words || own == 0)
      return words;
  }
}

void confine_free(char **words) {
  for (char **word = words; word && *word; word++)
    free(*word);
  free(words);
}
