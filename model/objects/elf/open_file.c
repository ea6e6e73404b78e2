/* open_file.c - an object by its path: all that the libraries read by themselves. */
#include "elf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dloc_status unreadable(dloc_diagnostic *diagnostic, int error) {
  return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, error ? strerror(error) : "no regular file");
}

static dloc_status open_stream(dloc_context *context, FILE *file, dloc_diagnostic *diagnostic, dloc_object **ret) {
  struct stat about;
  if (fstat(fileno(file), &about) != 0)
    return unreadable(diagnostic, errno);
  if (!S_ISREG(about.st_mode))
    return unreadable(diagnostic, 0);
  size_t size = (size_t)about.st_size;
  ALLOCATE(context, char, bytes, size + 1);
  OWNED_MEMORY(context, &bytes);
  return fread(bytes, 1, size, file) == size ? dloc_object_open(context, (dloc_text){bytes, size}, diagnostic, ret)
                                             : unreadable(diagnostic, errno ? errno : EIO);
}

dloc_status dloc_object_open_file(dloc_context *context, const char *path, dloc_diagnostic *diagnostic,
                                  dloc_object **ret) {
  errno = 0;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe would wait for its writer */
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
  if (!file) {
    dloc_status status = unreadable(diagnostic, errno);
    if (descriptor >= 0)
      close(descriptor);
    return status;
  }
  dloc_status status = open_stream(context, file, diagnostic, ret);
  fclose(file);
  return status;
}
