#!/usr/bin/env bash
# usage: conformance/scale/shard.sh I N     the I-th of N shards of a fuzz run; its state and report go to $RESULTS
# Environment: DLOC_FUZZ (options of dloc fuzz), DLOC (default build/dloc), RESULTS (default fuzz-results).
set -uo pipefail
results=${RESULTS:-fuzz-results}
mkdir -p "$results"
# shellcheck disable=SC2086 # the options are several words
eval "exec \"${DLOC:-build/dloc}\" fuzz ${DLOC_FUZZ:---impl model} --quiet --shard $1/$2" \
    '--state "$results/state-$1-of-$2" -o "$results" >"$results/report-$1-of-$2"'
