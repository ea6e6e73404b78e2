#!/usr/bin/env bash
# What BUILD.bazel runs: dloc fuzz with the rule's args; the shard comes from Bazel's variables, and results go where it collects them.
exec build/dloc fuzz "$@" --quiet -o "${TEST_UNDECLARED_OUTPUTS_DIR:-fuzz-results}"
