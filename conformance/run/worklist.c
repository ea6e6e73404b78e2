/* worklist.c - tasks: groups of vectors that are still to be done. */
#include "worklist.h"

#include "document/memory.h"

#include <stdlib.h>
#include <string.h>

void worklist_add(worklist *list, const size_t *items, size_t count, int kind) {
  if (count == 0)
    return;
  size_t *copy = memory_resize(NULL, count, sizeof *copy);
  memcpy(copy, items, count * sizeof *copy);
  *MEMORY_ADD(list->tasks, list->count) = (task){copy, count, kind};
}

void worklist_add_chunks(worklist *list, const size_t *items, size_t count, size_t size, int kind) {
  for (size_t i = count ? (count + size - 1) / size : 0; i > 0; i--) {
    size_t start = (i - 1) * size;
    worklist_add(list, items + start, start + size < count ? size : count - start, kind);
  }
}

void worklist_split(worklist *list, const size_t *items, size_t count, int kind) {
  size_t half = count / 2;
  worklist_add(list, items + 1 + half, count > half + 1 ? count - half - 1 : 0, kind);
  worklist_add(list, items + 1, half < count - 1 ? half : count - 1, kind);
  worklist_add(list, items, 1, kind);
}

bool worklist_take(worklist *list, task *ret) {
  if (list->count == 0)
    return false;
  *ret = list->tasks[--list->count];
  return true;
}

void task_deinit(task *t) {
  free(t->items);
  *t = (task){0};
}

void worklist_deinit(worklist *list) {
  while (list->count > 0)
    task_deinit(&list->tasks[--list->count]);
  free(list->tasks);
  *list = (worklist){0};
}
