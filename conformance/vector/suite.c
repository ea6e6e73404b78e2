/* suite.c - vector files below some paths. */
#include "suite.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The identity of a folder, from stat. */
typedef struct folder {
  dev_t device;
  ino_t number;
} folder;

struct suite {
  folder *folders; /* while they are walked through: each is entered once, by whatever links it is reached */
  size_t folder_count;
  char **files;
  size_t file_count;
  size_t next; /* file */
  const char *path;
  char *bytes; /* of the file being read */
  size_t size;
  value_reader *reader; /* NULL: between files */
  value_lines lines;
  bool in_lines;     /* the file is JSON Lines */
  uint64_t before;   /* bytes of the files before the next */
  uint64_t from, to; /* of them all: where documents begin that are wanted */
  const char *const *only;
  bool *met; /* of only */
  size_t only_count;
};

static dloc_status unreadable(suite_error *error, const char *path, int number) {
  *error = (suite_error){.path = path, .unreadable = true};
  return value_diagnose(&error->at, 0, 0, "suite.unreadable", "%s: %s", path, strerror(number));
}

/* ---- Collecting ---- */

static char *join(const char *folder, const char *name) {
  size_t length = strlen(folder);
  return text_format("%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name);
}

static void add_file(suite *s, const char *path) {
  *MEMORY_ADD(s->files, s->file_count) = memory_copy(dloc_text_of(path));
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* By bytes, so that every machine reads in the same order. */
static int compare_names(const struct dirent **left, const struct dirent **right) {
  return strcmp((*left)->d_name, (*right)->d_name);
}

/* Whether it is a folder that nobody entered yet. */
static bool enter(suite *s, const struct stat *status) {
  for (size_t i = 0; i < s->folder_count; i++)
    if (s->folders[i].device == status->st_dev && s->folders[i].number == status->st_ino)
      return false;
  *MEMORY_ADD(s->folders, s->folder_count) = (folder){status->st_dev, status->st_ino};
  return true;
}

static dloc_status walk(suite *s, const char *path, int depth, suite_error *error);

static dloc_status walk_name(suite *s, const char *folder, const char *name, int depth, suite_error *error) {
  struct stat status;
  char *path = join(folder, name);
  dloc_status result = DLOC_OK;
  bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  if (is_folder && depth == SUITE_DEPTH)
    result = DLOC_LIMIT;
  else if (is_folder)
    result = enter(s, &status) ? walk(s, path, depth + 1, error) : DLOC_OK;
  else if (text_ends_with(name, ".yaml") || text_ends_with(name, ".jsonl"))
    add_file(s, path);
  free(path);
  return result;
}

/* Recursion is bounded by SUITE_DEPTH. */
static dloc_status walk(suite *s, const char *path, int depth, suite_error *error) {
  struct dirent **found = NULL;
  int count = scandir(path, &found, is_visible, compare_names);
  if (count < 0 && errno == ENOMEM)
    memory_exhausted();
  dloc_status status = count < 0 ? unreadable(error, path, errno) : DLOC_OK;
  for (int i = 0; i < count; i++) {
    if (status == DLOC_OK)
      status = walk_name(s, path, found[i]->d_name, depth, error);
    free(found[i]);
  }
  free(found);
  return status;
}

static dloc_status add_path(suite *s, const char *path, suite_error *error) {
  struct stat status = {.st_mode = S_IFREG};
  if (strcmp(path, "-") != 0 && stat(path, &status) != 0)
    return unreadable(error, path, errno);
  if (!S_ISDIR(status.st_mode)) {
    add_file(s, path);
    return DLOC_OK;
  }
  dloc_status result = enter(s, &status) ? walk(s, path, 0, error) : DLOC_OK;
  s->folder_count = 0;
  if (result == DLOC_INVALID)
    error->path = path; /* what it named is freed */
  return result;
}

dloc_status suite_create(const char *const *paths, size_t count, suite_error *error, suite **ret) {
  suite *s = memory_allocate(1, sizeof *s);
  s->to = UINT64_MAX;
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < count; i++)
    status = add_path(s, paths[i], error);
  if (status != DLOC_OK)
    suite_destroy(s);
  else
    *ret = s;
  return status;
}

static void stop_reading(suite *s) {
  value_reader_destroy(s->reader);
  s->reader = NULL;
  s->in_lines = false;
}

static void close_file(suite *s) {
  stop_reading(s);
  free(s->bytes);
  s->bytes = NULL;
  s->size = 0;
}

void suite_destroy(suite *s) {
  if (!s)
    return;
  close_file(s);
  for (size_t i = 0; i < s->file_count; i++)
    free(s->files[i]);
  free(s->files);
  free(s->met);
  free(s->folders);
  free(s);
}

void suite_only(suite *s, const char *const *ids, size_t count) {
  s->only = ids;
  s->only_count = count;
  s->met = memory_allocate(count, sizeof *s->met);
}

const char *suite_missing(const suite *s) {
  for (size_t i = 0; i < s->only_count; i++)
    if (!s->met[i])
      return s->only[i];
  return NULL;
}

size_t suite_file_count(const suite *s) { return s->file_count; }

const char *suite_file(const suite *s, size_t index) { return s->files[index]; }

uint64_t suite_bytes(const suite *s) {
  uint64_t bytes = 0;
  struct stat status;
  for (size_t i = 0; i < s->file_count; i++) {
    if (stat(s->files[i], &status) != 0 || !S_ISREG(status.st_mode))
      return 0;
    bytes += (uint64_t)status.st_size;
  }
  return bytes;
}

void suite_part(suite *s, uint64_t from, uint64_t to) {
  s->from = from;
  s->to = to;
}

/* ---- Reading ---- */

/* Where the first document begins at an offset or behind it: a line of JSON, or the `---` that YAML has for nothing
 * else. */
static size_t document_at(const suite *s, uint64_t offset) {
  const dloc_text text = {s->bytes, s->size};
  size_t at = offset < text.size ? (size_t)offset : text.size;
  while (at > 0 && at < text.size) {
    const char *end = memchr(text.bytes + at - 1, '\n', text.size - at + 1);
    at = end ? (size_t)(end - text.bytes) + 1 : text.size;
    bool marked = text.size - at >= 4 && memcmp(text.bytes + at, "---", 3) == 0 && strchr(" \t\n", text.bytes[at + 3]);
    if (s->in_lines || marked)
      break;
    at++;
  }
  return at < text.size ? at : text.size;
}

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* The documents of the file that are wanted, and how many lines are before them. */
static dloc_text wanted_text(suite *s, uint32_t *ret_lines) {
  size_t first = document_at(s, less(s->from, s->before));
  size_t last = document_at(s, less(s->to, s->before));
  s->before += s->size;
  const char *bytes = s->bytes;
  uint32_t lines = 0;
  for (size_t i = 0; i < first; i++)
    lines += bytes[i] == '\n';
  *ret_lines = lines;
  return (dloc_text){bytes + first, last - first};
}

static dloc_status read_all(suite *s, int descriptor, suite_error *error) {
  size_t room = 1 << 16;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < SUITE_FILE_LIMIT)
    room = (size_t)status.st_size + 1;
  for (;;) {
    if (!s->bytes || s->size == room) {
      room = s->bytes ? room * 2 : room;
      if (room > (size_t)SUITE_FILE_LIMIT * 2)
        return unreadable(error, s->path, EFBIG);
      s->bytes = memory_resize(s->bytes, room, 1);
    }
    ssize_t got = read(descriptor, s->bytes + s->size, room - s->size);
    if (got == 0)
      return DLOC_OK;
    if (got < 0 && errno != EINTR)
      return unreadable(error, s->path, errno);
    s->size += got > 0 ? (size_t)got : 0;
  }
}

static dloc_status open_file(suite *s, suite_error *error) {
  close_file(s);
  s->path = s->files[s->next++];
  bool standard = strcmp(s->path, "-") == 0;
  int descriptor = standard ? STDIN_FILENO : open(s->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return unreadable(error, s->path, errno);
  dloc_status status = read_all(s, descriptor, error);
  if (!standard)
    close(descriptor);
  uint32_t lines = 0;
  s->in_lines = status == DLOC_OK && value_is_lines(s->path, (dloc_text){s->bytes, s->size});
  dloc_text text = wanted_text(s, &lines);
  s->lines = (value_lines){.text = text, .line = lines};
  if (status == DLOC_OK && !s->in_lines)
    s->reader = value_reader_create(text, lines);
  if (status != DLOC_OK)
    close_file(s);
  return status;
}

dloc_status suite_next(suite *s, value_arena *arena, suite_error *error, const char **path, value **ret) {
  *ret = NULL;
  while (s->reader || s->in_lines || s->next < s->file_count) {
    if (!s->reader && !s->in_lines) {
      dloc_status opened = open_file(s, error);
      if (opened != DLOC_OK)
        return opened;
    }
    *path = s->path;
    *error = (suite_error){.path = s->path};
    dloc_status status = s->in_lines ? value_lines_next(&s->lines, arena, &error->at, ret)
                                     : value_read(s->reader, arena, &error->at, ret);
    if ((status == DLOC_OK && *ret) || (status == DLOC_INVALID && s->in_lines))
      return status;
    stop_reading(s); /* the text stays for diagnostics until the next file is opened */
    if (status != DLOC_OK)
      return status;
  }
  return DLOC_OK;
}

static bool is_wanted(suite *s, const value *document) {
  bool wanted = s->only_count == 0;
  for (size_t i = 0; i < s->only_count; i++)
    if (value_is(value_get(document, "id"), s->only[i]))
      wanted = s->met[i] = true;
  return wanted;
}

dloc_status suite_next_vector(suite *s, value_arena *arena, suite_error *error, const char **path, vector *ret,
                              bool *ret_end) {
  value *document = NULL;
  do {
    dloc_status status = suite_next(s, arena, error, path, &document);
    *ret_end = status == DLOC_OK && !document;
    if (status != DLOC_OK || !document)
      return status;
  } while (!is_wanted(s, document));
  return vector_read(document, arena, &error->at, ret);
}

dloc_text suite_text(const suite *s) { return (dloc_text){s->bytes, s->size}; }
