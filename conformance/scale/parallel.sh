#!/usr/bin/env bash
# usage: conformance/scale/parallel.sh      SHARDS shards (default: as many as processors) of a fuzz run, with GNU parallel
# Environment: SHARDS; JOBS at a time (default: SHARDS); and that of shard.sh.
set -uo pipefail
shards=${SHARDS:-$(nproc)}
results=${RESULTS:-fuzz-results}
mkdir -p "$results"
parallel --jobs "${JOBS:-$shards}" --joblog "$results/joblog" "$(dirname "$0")/shard.sh" {} "$shards" ::: $(seq "$shards")
tail -qn 1 "$results"/report-*-of-"$shards"
# The worst exit status, column 7 of the log: parallel's own is the number of jobs that failed.
awk 'NR > 1 && $7 > worst { worst = $7 } END { exit worst }' "$results/joblog"
