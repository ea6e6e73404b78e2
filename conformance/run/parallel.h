/* parallel.h - parts of one task in processes of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Zeroed memory that this process and its children share; unmapped by parallel_forget. */
void *parallel_memory(size_t size);
void parallel_forget(void *memory, size_t size);
/* Does the part in a child, which ends when this process does; at most 0 when there is none. */
pid_t parallel_start(void (*part)(void *user), void *user);
/* Waits: whether the child did its part. */
bool parallel_end(pid_t child);
