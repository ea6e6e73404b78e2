/* worklist.c - tasks: groups of vectors that are still to be done. */
#include "worklist.h"

#include <stdlib.h>
#include <string.h>

bool worklist_add(worklist *list, const size_t *items, size_t count, int kind) {
  if (count == 0)
    return true;
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    task *tasks = realloc(list->tasks, capacity * sizeof *tasks);
    if (!tasks)
      return false;
    list->tasks = tasks;
    list->capacity = capacity;
  }
  size_t *copy = malloc(count * sizeof *copy);
  if (!copy)
    return false;
  memcpy(copy, items, count * sizeof *copy);
  list->tasks[list->count++] = (task){copy, count, kind};
  return true;
}

bool worklist_add_chunks(worklist *list, const size_t *items, size_t count, size_t size, int kind) {
  size_t chunks = (count + size - 1) / size;
  for (size_t i = chunks; i > 0; i--) {
    size_t start = (i - 1) * size;
    if (!worklist_add(list, items + start, start + size < count ? size : count - start, kind))
      return false;
  }
  return true;
}

bool worklist_split(worklist *list, const size_t *items, size_t count, int kind) {
  size_t half = count / 2;
  return worklist_add(list, items + 1 + half, count > half + 1 ? count - half - 1 : 0, kind) &&
         worklist_add(list, items + 1, half < count - 1 ? half : count - 1, kind) && worklist_add(list, items, 1, kind);
}

bool worklist_take(worklist *list, task *ret) {
  if (list->count == 0)
    return false;
  *ret = list->tasks[--list->count];
  return true;
}

void task_deinit(task *t) {
  free(t->items);
  *t = (task){NULL, 0, 0};
}

void worklist_deinit(worklist *list) {
  while (list->count > 0)
    task_deinit(&list->tasks[--list->count]);
  free(list->tasks);
  *list = (worklist){NULL, 0, 0};
}
