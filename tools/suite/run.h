/* run.h - what the files of `dloc run` share. */
#pragma once

#include "run/runner.h"
#include "shell/tools.h"

/* What one vector that differs was asked, and what came of it: ID.ll, ID.command, ID.stdout, ID.stderr and, of an
 * adapter, ID.jsonl. False after a message. */
bool keep_exchange(const char *folder, const run_result *result, const run_exchange *exchange);
