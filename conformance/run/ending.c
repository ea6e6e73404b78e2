/* ending.c - what must go when this program ends. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "ending.h"

#include "document/buffer.h"
#include "document/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_GROUPS = 64, MOST_FILES = 64, PATH_SIZE = 4096 };

/* What the guard sees as well. */
typedef struct common {
  volatile sig_atomic_t groups[MOST_GROUPS]; /* 0: unused */
  char folder[PATH_SIZE];
} common;

static common own, *shared = &own;
static char *volatile files[MOST_FILES];
static pid_t owner; /* a child may have a copy of all this, but nothing of it is its own */
static pid_t guard;
static volatile sig_atomic_t is_deferred, deferred;

static void kill_groups(void) {
  for (size_t i = 0; i < MOST_GROUPS; i++)
    if (shared->groups[i] > 0)
      kill(-(pid_t)shared->groups[i], SIGKILL);
}

static void remove_files(void) {
  for (size_t i = 0; i < MOST_FILES; i++)
    if (files[i])
      unlink(files[i]);
}

/* Only a folder of this user, and no link: others can write to /tmp, too. */
static DIR *open_own(const char *path) {
  struct stat status;
  int descriptor = *path ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  DIR *directory = NULL;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_uid == geteuid())
    directory = fdopendir(descriptor);
  if (descriptor >= 0 && !directory)
    close(descriptor);
  return directory;
}

static void remove_folder(const char *path) {
  DIR *directory = open_own(path);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(directory), entry->d_name, 0);
  if (!directory)
    return;
  closedir(directory);
  rmdir(path);
}

/* ---- Signals ---- */

/* A file that is mapped has lost the page: somebody made it shorter. */
static _Noreturn void end_by_truncation(void) {
  static const char message[] = "dloc: an input became shorter while it was read\n";
  (void)!write(STDERR_FILENO, message, sizeof message - 1);
  remove_files();
  _exit(2);
}

static void on_signal(int number, siginfo_t *info, void *state) {
  (void)state;
  bool may_wait = number == SIGINT || number == SIGTERM || number == SIGHUP;
  if (getpid() == owner) {
    kill_groups();
    if (is_deferred && !deferred && may_wait) {
      deferred = number;
      return;
    }
    if (number == SIGBUS && info->si_code == BUS_ADRERR)
      end_by_truncation();
    remove_files(); /* the folder is the guard's work */
  }
  signal(number, SIG_DFL);
  raise(number);
}

static void on_exit_of_program(void) {
  if (getpid() != owner)
    return;
  kill_groups();
  remove_files();
  remove_folder(shared->folder);
  if (guard > 0) {
    kill(guard, SIGKILL);
    waitpid(guard, NULL, 0);
  }
}

/* Signals that would end this program. Its stack may be what is used up. */
void ending_prepare(void) {
  static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,   SIGBUS,  SIGFPE, SIGUSR1,
                                SIGSEGV, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGSYS};
  static char stack[1 << 14];
  if (owner)
    return;
  owner = getpid();
  atexit(on_exit_of_program);
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action = {.sa_flags = SA_ONSTACK | SA_SIGINFO}, old;
    action.sa_sigaction = on_signal;
    sigemptyset(&action.sa_mask);
    if (sigaction(signals[i], NULL, &old) == 0 && (old.sa_handler == SIG_DFL || signals[i] == SIGBUS))
      sigaction(signals[i], &action, NULL);
  }
}

void ending_defer(void) {
  ending_prepare();
  is_deferred = true;
}

int ending_signal(void) { return deferred; }

void ending_resume(void) {
  is_deferred = false;
  if (deferred)
    raise(deferred);
}

/* ---- Children ---- */

void ending_follow(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
}

/* Every signal is blocked. It has a group of its own, so that what kills this program's leaves it alone. */
static _Noreturn void watch_over(pid_t parent) {
  sigset_t ended;
  int number;
  sigemptyset(&ended);
  sigaddset(&ended, SIGTERM);
  for (int descriptor = 0; descriptor < 256; descriptor++)
    close(descriptor); /* whoever reads what the program writes waits for its end alone */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  while (getppid() == parent)
    sigwait(&ended, &number);
  kill_groups();
  remove_folder(shared->folder);
  _exit(0);
}

int ending_guard(void) {
  if (guard > 0)
    return 0;
  ending_prepare();
  common *seen_by_both = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen_by_both == MAP_FAILED)
    return errno;
  *seen_by_both = own;
  shared = seen_by_both;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  guard = fork();
  int error = guard < 0 ? errno : 0;
  if (guard == 0)
    watch_over(parent);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return error;
}

static void replace_group(pid_t old, pid_t group) {
  for (size_t i = 0; i < MOST_GROUPS; i++)
    if (shared->groups[i] == (sig_atomic_t)old) {
      shared->groups[i] = (sig_atomic_t)group;
      return;
    }
}

void ending_add_group(pid_t group) { replace_group(0, group); }

void ending_forget_group(pid_t group) { replace_group(group, 0); }

/* ---- Files ---- */

/* The mode of a file that goes with the program that has its lock. No file of a user's has it by chance, whatever its
 * name. */
enum { MARK = S_ISVTX | S_IRUSR | S_IWUSR };

static bool is_marked(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & 07777) == MARK;
}

/* While this program lives; false: another one has the lock, or nobody can have one here. */
static bool lock(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_SETLK, &whole) == 0;
}

static bool is_own(const char *path) {
  for (size_t i = 0; i < MOST_FILES; i++)
    if (files[i] && strcmp(files[i], path) == 0)
      return true;
  return false;
}

/* Only what is locked is marked, so that nobody takes it for abandoned before. */
static void lock_and_mark(int descriptor) {
  if (lock(descriptor))
    (void)fchmod(descriptor, MARK);
}

/* What is marked and nobody has locked is nobody's: it is removed while we have the lock. Closing a file of our own
 * would give up its lock. */
static void remove_if_abandoned(const char *locked, const char *folder) {
  int descriptor = is_own(locked) ? -1 : open(locked, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0)
    return;
  bool abandoned = is_marked(descriptor) && lock(descriptor);
  if (abandoned && folder)
    remove_folder(folder);
  else if (abandoned)
    unlink(locked);
  close(descriptor);
}

/* What mkstemp and mkdtemp add behind these. */
enum { ADDED = 6 };
static const char temporary_file[] = ".dloc-", temporary_folder[] = "dloc.";

/* Whether a name ends so, and with these characters. */
static bool is_temporary(const char *name, const char *before) {
  size_t length = strlen(name), end = strlen(before) + ADDED;
  return length >= end && strncmp(name + length - end, before, strlen(before)) == 0;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The temporary files or folders in a folder, sorted. */
static char **list_temporaries(const char *parent, const char *before, size_t *ret_count) {
  DIR *directory = opendir(parent);
  char **names = NULL;
  *ret_count = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (is_temporary(entry->d_name, before))
      *MEMORY_ADD(names, *ret_count) = text_format("%s", entry->d_name);
  if (directory)
    closedir(directory);
  if (*ret_count)
    qsort(names, *ret_count, sizeof *names, compare_names);
  return names;
}

static void add_file(char *path) {
  for (size_t i = 0; i < MOST_FILES; i++)
    if (!files[i]) {
      files[i] = path;
      return;
    }
}

void ending_forget_file(const char *path) {
  for (size_t i = 0; i < MOST_FILES; i++)
    if (files[i] == path)
      files[i] = NULL;
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
  last.names = list_temporaries(*folder ? folder : ".", temporary_file, &last.count);
}

/* Remove what programs that are gone left of a file: of many files in one folder each is looked for once. */
static void clean_beside(const char *path) {
  const char *slash = strrchr(path, '/');
  look_into(slash ? text_format("%.*s", (int)(slash - path + 1), path) : text_format("%s", ""));
  char *beginning = text_format("%s%s", slash ? slash + 1 : path, temporary_file);
  const size_t length = strlen(beginning);
  size_t low = 0;
  for (size_t high = last.count; low < high;) {
    size_t middle = low + (high - low) / 2;
    bool before = strcmp(last.names[middle], beginning) < 0;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  for (; low < last.count && strncmp(last.names[low], beginning, length) == 0; low++) {
    char *file = text_format("%s%s", last.folder, last.names[low]);
    if (strlen(last.names[low]) == length + ADDED)
      remove_if_abandoned(file, NULL);
    free(file);
  }
  free(beginning);
}

int ending_open_beside(const char *path, char **ret) {
  ending_prepare();
  clean_beside(path);
  char *temporary = text_format("%s%sXXXXXX", path, temporary_file);
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before); /* it is there and not yet known */
  int descriptor = mkstemp(temporary);
  int error = errno;
  if (descriptor >= 0)
    add_file(temporary);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (descriptor < 0) {
    free(temporary);
    errno = error;
    return -1;
  }
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  lock_and_mark(descriptor);
  *ret = temporary;
  return descriptor;
}

void ending_unmark(int descriptor, const char *path) {
  struct stat replaced;
  mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(descriptor, stat(path, &replaced) == 0 ? replaced.st_mode & 0777 : 0666 & ~mask);
}

static void remove_folders(const char *parent) {
  size_t count;
  char **names = list_temporaries(parent, temporary_folder, &count);
  for (size_t i = 0; i < count; i++) {
    char *folder = text_format("%s/%s", parent, names[i]), *locked = text_format("%s/lock", folder);
    if (strlen(names[i]) == strlen(temporary_folder) + ADDED)
      remove_if_abandoned(locked, folder);
    free(folder);
    free(locked);
    free(names[i]);
  }
  free(names);
}

char *ending_make_folder(const char *parent) {
  ending_prepare();
  remove_folders(parent);
  char *folder = text_format("%s/%sXXXXXX", parent, temporary_folder);
  if (strlen(folder) >= PATH_SIZE || !mkdtemp(folder)) {
    free(folder);
    return NULL;
  }
  strcpy(shared->folder, folder);
  char *path = text_format("%s/lock", folder);
  int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600); /* open until the program ends */
  if (descriptor >= 0)
    lock_and_mark(descriptor);
  free(path);
  return folder;
}

void ending_remove_folder(void) {
  remove_folder(shared->folder);
  shared->folder[0] = '\0';
}
