/* temporary.c - files that appear when they are complete, and a folder that goes. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "temporary.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "ending.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- Marks and locks ---- */

enum { MARK = S_ISVTX | S_IRUSR | S_IWUSR, FOLDER_MARK = S_ISVTX | S_IRWXU };

/* Root gives a file to the owner of what it replaces, before the rename. */
static bool is_own(const struct stat *status) { return status->st_uid == geteuid() || geteuid() == 0; }

/* Whether the name is still that of the file, and this one's mode says that it is temporary. */
static bool is_marked(int descriptor, const char *path) {
  struct stat opened, found;
  return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0 && opened.st_dev == found.st_dev &&
         opened.st_ino == found.st_ino && S_ISREG(opened.st_mode) && (opened.st_mode & MARK) == MARK && is_own(&opened);
}

/* As long as the file is open. Other descriptors of this program's do not have it. */
static bool lock(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &whole) == 0;
}

/* ---- Making ---- */

/* What is drawn at random. */
enum { ADDED = 6 };
#define SUFFIX ".dloc-"

/* A new file is marked before it is locked. Whoever takes it for abandoned in between removes it; then there is another
 * name. Where nobody can lock, nobody removes it. -1: see errno, EEXIST when it is not ours. */
static int create_file(const char *path) {
  struct stat status;
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, MARK);
  if (descriptor < 0)
    return -1;
  bool taken = !lock(descriptor) && (errno == EAGAIN || errno == EACCES);
  if (!taken && fstat(descriptor, &status) == 0 && status.st_nlink > 0)
    return descriptor;
  close(descriptor);
  errno = EEXIST;
  return -1;
}

/* The same of a folder, by the file `lock` in it, which stays open. */
static int create_folder(const char *path) {
  if (mkdir(path, FOLDER_MARK) != 0)
    return -1;
  char *locked = text_format("%s/lock", path);
  int descriptor = create_file(locked), error = errno == ENOENT ? EEXIST : errno;
  free(locked);
  if (descriptor < 0)
    rmdir(path);
  errno = error;
  return descriptor;
}

/* Draw the end of a name until it is a new one. -1: see errno. Signals are
 * blocked by the caller, who makes it known. */
static int make(char *path, int (*create)(const char *)) {
  int made = -1;
  errno = EEXIST;
  for (int i = 0; i < 100 && made < 0 && errno == EEXIST; i++) {
    unsigned char random[ADDED];
    if (getentropy(random, sizeof random) != 0)
      return -1;
    for (size_t k = 0; k < ADDED; k++)
      path[strlen(path) - ADDED + k] = "abcdefghijklmnopqrstuvwxyz234567"[random[k] % 32];
    made = create(path);
  }
  return made;
}

static void block_signals(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, before);
}

/* ---- What other programs left ---- */

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names in a folder that have this text before what was drawn, sorted. */
static char **list_temporaries(const char *parent, const char *before, size_t *ret_count) {
  DIR *directory = opendir(parent);
  char **names = NULL;
  const size_t size = strlen(before);
  *ret_count = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    size_t length = strlen(entry->d_name);
    if (length >= size + ADDED && strncmp(entry->d_name + length - size - ADDED, before, size) == 0)
      *MEMORY_ADD(names, *ret_count) = text_format("%s", entry->d_name);
  }
  if (directory)
    closedir(directory);
  if (*ret_count)
    qsort(names, *ret_count, sizeof *names, compare_names);
  return names;
}

/* What is marked and nobody has locked is nobody's. It is looked at while we have the lock: before, its program could
 * have put it in its place. */
static void remove_if_abandoned(const char *locked, const char *folder) {
  int descriptor = open(locked, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0)
    return;
  bool abandoned = lock(descriptor) && is_marked(descriptor, locked);
  if (abandoned && folder)
    ending_remove_folder(folder);
  else if (abandoned)
    unlink(locked);
  close(descriptor);
}

/* The temporary files in the folder that was written to last, as they were when it was written to first. */
static struct {
  char *folder;
  char **names;
  size_t count;
} last;

static void look_into(char *folder) {
  if (last.folder && strcmp(last.folder, folder) == 0) {
    free(folder);
    return;
  }
  for (size_t i = 0; i < last.count; i++)
    free(last.names[i]);
  free(last.names);
  free(last.folder);
  last.folder = folder;
  last.names = list_temporaries(*folder ? folder : ".", SUFFIX, &last.count);
}

/* Remove what is called as this one but for its end: of many files in one folder each is looked for once. */
static void clean_beside(const char *name) {
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  const size_t length = strlen(base);
  look_into(text_format("%.*s", (int)(base - name), name));
  size_t low = 0;
  for (size_t high = last.count; low < high;) {
    size_t middle = low + (high - low) / 2;
    bool before = strncmp(last.names[middle], base, length - ADDED) < 0;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  for (; low < last.count && strncmp(last.names[low], base, length - ADDED) == 0; low++) {
    char *file = text_format("%s%s", last.folder, last.names[low]);
    if (strlen(last.names[low]) == length)
      remove_if_abandoned(file, NULL);
    free(file);
  }
}

static void remove_folders(const char *parent) {
  size_t count;
  char **names = list_temporaries(parent, ENDING_FOLDER, &count);
  for (size_t i = 0; i < count; i++) {
    char *folder = text_format("%s/%s", parent, names[i]), *locked = text_format("%s/lock", folder);
    struct stat status;
    if (strlen(names[i]) == strlen(ENDING_FOLDER) + ADDED) {
      remove_if_abandoned(locked, folder);
      if (lstat(folder, &status) == 0 && (status.st_mode & 01777) == FOLDER_MARK && is_own(&status))
        rmdir(folder); /* while there is no lock in it; whoever has just made it makes another one */
    }
    free(folder);
    free(locked);
    free(names[i]);
  }
  free(names);
}

/* ---- Files ---- */

/* Follow the links at a path, as whoever opens it to write does; it need not be there. NULL: see errno. */
static char *resolve(const char *path) {
  enum { MOST_LINKS = 40 }; /* Linux's */
  char *target = text_format("%s", path), link[PATH_MAX];
  for (int links = 0; links <= MOST_LINKS; links++) {
    ssize_t size = readlink(target, link, sizeof link);
    if (size < 0)
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

temporary *temporary_open(const char *path) {
  ending_prepare();
  if (access(path, W_OK) != 0 && errno != ENOENT)
    return NULL;
  char *target = resolve(path);
  if (!target)
    return NULL;
  temporary *file = memory_allocate(1, sizeof *file);
  *file = (temporary){.target = target, .name = name_beside(target)};
  clean_beside(file->name);
  sigset_t before;
  block_signals(&before);
  file->descriptor = make(file->name, create_file);
  int error = errno;
  if (file->descriptor >= 0)
    ending_add_file(file->name);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (file->descriptor >= 0)
    return file;
  free(file->name);
  file->name = NULL;
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

/* The mark goes at last: who is killed before leaves a complete file with its rights, and a bit that says nothing of a
 * file under its own name. Some file systems keep no modes, and no mark. */
bool temporary_keep(temporary *file) {
  struct stat status;
  mode_t mode = take_over(file);
  int copy = dup(file->descriptor); /* some say when a file is closed that there was no room for it */
  if (copy < 0 || close(copy) != 0 || fstat(file->descriptor, &status) != 0)
    return false;
  bool marked = (status.st_mode & MARK) == MARK;
  if ((marked && fchmod(file->descriptor, mode | MARK) != 0) || rename(file->name, file->target) != 0)
    return false;
  ending_forget_file(file->name);
  free(file->name);
  file->name = NULL;
  return !marked || fchmod(file->descriptor, mode) == 0;
}

void temporary_end(temporary *file) {
  if (!file)
    return;
  if (file->name) {
    unlink(file->name);
    ending_forget_file(file->name);
  }
  free(file->name);
  free(file->target);
  free(file);
}

/* ---- The folder ---- */

char *temporary_make_folder(const char *parent) {
  ending_prepare();
  remove_folders(parent);
  char *folder = text_format("%s/%sXXXXXX", parent, ENDING_FOLDER);
  sigset_t before;
  block_signals(&before);
  int error = make(folder, create_folder) < 0 ? errno : 0;
  if (!error && !ending_set_folder(folder)) {
    ending_remove_folder(folder);
    error = ENAMETOOLONG;
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!error)
    return folder;
  free(folder);
  errno = error;
  return NULL;
}

void temporary_remove_folder(char *folder) {
  ending_remove_folder(folder);
  ending_set_folder("");
  free(folder);
}
