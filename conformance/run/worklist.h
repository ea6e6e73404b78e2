/* worklist.h - tasks: groups of vectors that are still to be done, taken from the end.
 *
 * When a group fails as a whole (a crash, a time limit, stripped debug info) it is put back in parts, until the vector
 * that is to blame is alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct task {
  size_t *items; /* malloc's; indices of vectors */
  size_t count;
  int kind; /* the adapter's */
} task;

typedef struct worklist {
  task *tasks;
  size_t count;
} worklist;

/* Copies items. A count of 0 adds nothing. */
void worklist_add(worklist *list, const size_t *items, size_t count, int kind);
/* Add tasks of at most `size` items, so that the first items are taken first. */
void worklist_add_chunks(worklist *list, const size_t *items, size_t count, size_t size, int kind);
/* Put back items[0] alone, to be taken first, then the others in halves. */
void worklist_split(worklist *list, const size_t *items, size_t count, int kind);
/* False when the list is empty. The caller releases the task. */
bool worklist_take(worklist *list, task *ret);
void task_deinit(task *t);
void worklist_deinit(worklist *list);
