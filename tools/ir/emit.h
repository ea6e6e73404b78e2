/* emit.h - what the files of `dloc emit` share: the directives of a module's instructions, and its texts. */
#pragma once

#include "shell/tools.h"

/* Called for each instruction with a sound location or none. number counts from the function's first. */
typedef dloc_status emit_visit(void *user, const dloc_function *function, uint32_t number, const dloc_emitted *emitted);
dloc_status emit_walk(const tool_module *module, dloc_emitter *emitter, emit_visit *visit, void *user);

/* emit_check.c: the exit status of `dloc emit --check`; against may be NULL. */
int emit_check(const char *path, const char *against, const dloc_profile *profile);
