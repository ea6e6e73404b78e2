/* memory.c - memory that cannot run out, because the program ends before. */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_UNUSABLE = 2, FIRST_ROOM = 8 };

void memory_exhausted(void) {
  fputs("dloc: out of memory\n", stderr);
  exit(EXIT_UNUSABLE);
}

static void *given(void *memory) {
  if (!memory)
    memory_exhausted();
  return memory;
}

void *memory_allocate(size_t count, size_t size) { return given(calloc(count ? count : 1, size)); }

void *memory_resize(void *old, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size)
    memory_exhausted();
  return given(realloc(old, count && size ? count * size : 1));
}

void memory_release(void *owned) {
  void *memory;
  memcpy(&memory, owned, sizeof memory);
  free(memory);
}

char *memory_copy(dloc_text text) {
  char *copy = memory_allocate(text.size + 1, 1);
  if (text.size)
    memcpy(copy, text.bytes, text.size);
  return copy;
}

void *memory_room_for_one(void *items, size_t count, size_t size) {
  bool full = count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
  return full ? memory_resize(items, count ? 2 * count : FIRST_ROOM, size) : items;
}

static void *context_resize(void *user, void *old, size_t size) {
  (void)user;
  return memory_resize(old, size, 1);
}

static void context_release(void *user, void *old) {
  (void)user;
  free(old);
}

dloc_context *memory_context(void) {
  return dloc_context_create(&(dloc_allocator){context_resize, context_release, NULL});
}
