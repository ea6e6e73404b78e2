/* temporary.c - files that appear when they are complete. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "temporary.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "ending.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- Names ---- */

#define SUFFIX ".dloc-"
enum { ADDED = 6 }; /* characters that are drawn at random */

/* The folder of a path, with its slash. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return text_format("%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
}

/* Links of /proc lead to what a process has open. */
static bool is_of_proc(const char *path) {
  struct statfs system;
  OWNED(memory_release) char *folder = folder_of(path);
  return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* Follow the links at a path, as whoever opens it to write does; it need not be there. One of /proc is the end. NULL: see
 * errno. */
static char *resolve(const char *path) {
  enum { MOST_LINKS = 40 }; /* Linux's */
  char *target = text_format("%s", path), link[PATH_MAX];
  for (int links = 0; links <= MOST_LINKS; links++) {
    ssize_t size = readlink(target, link, sizeof link);
    if (size < 0 || is_of_proc(target))
      return target;
    const char *slash = strrchr(target, '/');
    size_t folder = *link == '/' || !slash ? 0 : (size_t)(slash + 1 - target);
    char *next = text_format("%.*s%.*s", (int)folder, target, (int)size, link);
    free(target);
    target = next;
  }
  free(target);
  errno = ELOOP;
  return NULL;
}

/* A name that has no room for the end is left out. */
static char *name_beside(const char *target) {
  const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
  bool fits = strlen(base) + strlen(SUFFIX) + ADDED <= NAME_MAX;
  return text_format("%.*s" SUFFIX "XXXXXX", (int)(fits ? strlen(target) : (size_t)(base - target)), target);
}

typedef int make_named(const temporary *file);

static int create(const temporary *file) {
  return open(file->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

static int link_open(const temporary *file) {
  char *opened = text_format("/proc/self/fd/%d", file->descriptor);
  int status = linkat(AT_FDCWD, opened, AT_FDCWD, file->name, AT_SYMLINK_FOLLOW), error = errno;
  free(opened);
  errno = error;
  return status;
}

/* Draw the end of the name until the file can have it; from then on the file goes with the program. Negative: see
 * errno. */
static int give_name(temporary *file, make_named *make) {
  sigset_t all, before;
  int made = -1;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  errno = EEXIST;
  for (int i = 0; i < 100 && made < 0 && errno == EEXIST; i++) {
    unsigned char random[ADDED];
    if (getentropy(random, sizeof random) != 0)
      break;
    for (size_t k = 0; k < ADDED; k++)
      file->name[strlen(file->name) - ADDED + k] = "abcdefghijklmnopqrstuvwxyz234567"[random[k] % 32];
    made = make(file);
  }
  int error = errno;
  file->is_named = made >= 0;
  if (file->is_named)
    ending_add_file(file->name);
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return made;
}

/* ---- Files ---- */

/* The number of a path like /proc/self/fd/7; -1: another process has it open. */
static int own_descriptor(const char *path) {
  OWNED(memory_release) char *folder = folder_of(path);
  char here[PATH_MAX], own[PATH_MAX], *end;
  const char *name = path + strlen(folder);
  long number = strtol(name, &end, 10);
  bool is_own = realpath(folder, here) && realpath("/proc/self/fd", own) && strcmp(here, own) == 0;
  return is_own && *name && !*end ? (int)number : -1;
}

bool temporary_replaces(const char *path, int *ret_own) {
  struct stat status;
  OWNED(memory_release) char *target = resolve(path);
  *ret_own = -1;
  if (!target || !is_of_proc(target))
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
  *ret_own = own_descriptor(target);
  return false;
}

static int open_unnamed(const char *target) {
  OWNED(memory_release) char *folder = folder_of(target);
  int descriptor =
      access("/proc/self/fd", X_OK) == 0 ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR) : -1;
  return descriptor;
}

temporary *temporary_open(const char *path) {
  ending_prepare();
  if (access(path, W_OK) != 0 && errno != ENOENT)
    return NULL;
  char *target = resolve(path);
  if (!target)
    return NULL;
  temporary *file = memory_allocate(1, sizeof *file);
  *file = (temporary){.descriptor = open_unnamed(target), .name = name_beside(target), .target = target};
  if (file->descriptor < 0)
    file->descriptor = give_name(file, create);
  if (file->descriptor >= 0)
    return file;
  int error = errno;
  temporary_end(file);
  errno = error;
  return NULL;
}

/* Give the file to the owner and the group of what it replaces, and return the mode for it: where they cannot be kept,
 * or a list of names has a say, it has less rights. */
static mode_t take_over(const temporary *file) {
  struct stat replaced;
  mode_t mask = umask(0);
  umask(mask);
  if (stat(file->target, &replaced) != 0)
    return errno == ENOENT ? 0666 & ~mask : S_IRUSR | S_IWUSR;
  uid_t owner = geteuid() == 0 ? replaced.st_uid : (uid_t)-1;
  bool same = fchown(file->descriptor, owner, replaced.st_gid) == 0 &&
              getxattr(file->target, "system.posix_acl_access", NULL, 0) <= 0;
  return replaced.st_mode & (same ? 0777 : 0707);
}

bool temporary_complete(temporary *file) {
  (void)!fchmod(file->descriptor, take_over(file)); /* some file systems keep no modes */
  return file->is_named || give_name(file, link_open) >= 0;
}

/* Where it may be moved back, the old file gets the name of the new one. Some file systems cannot do that. */
static bool move(temporary *file, bool back) {
  file->is_exchanged = back && renameat2(AT_FDCWD, file->name, AT_FDCWD, file->target, RENAME_EXCHANGE) == 0;
  return file->is_exchanged || rename(file->name, file->target) == 0;
}

static void move_back(const temporary *file) {
  if (file->is_exchanged)
    (void)!renameat2(AT_FDCWD, file->name, AT_FDCWD, file->target, RENAME_EXCHANGE);
  else
    (void)!rename(file->target, file->name);
}

bool temporary_keep(temporary *const *files, size_t count, size_t *ret_failed) {
  size_t moved = 0;
  while (moved < count && move(files[moved], count > 1))
    moved++;
  int error = errno;
  *ret_failed = moved;
  for (size_t i = moved < count ? moved : 0; i-- > 0;)
    move_back(files[i]);
  errno = error;
  return moved == count;
}

void temporary_end(temporary *file) {
  if (!file)
    return;
  if (file->is_named) {
    unlink(file->name); /* unless it was moved */
    ending_forget_file(file->name);
  }
  free(file->name);
  free(file->target);
  free(file);
}
