#!/usr/bin/env python3
"""usage: tests/bad-input/run.py [few] [GROUP...]        groups: dropins llvm big truncated mutated files ptx lines layers reveals selects mlir nests
       floods keys hostile small (default: all)

Bad input and bad surroundings: whatever dloc is given, it ends by itself, in bounded time and memory, with one clear diagnostic,
the right exit status, and nothing half-written. Ends with a line `N passed, N failed[, N skipped]`.
few: a sixth of the random inputs and of the big ones, and of floods a small sample, whose cost is not measured.
Environment: DLOC (default build/dloc). With a sanitizer build, a seventh of the random inputs, a third of the big ones and a small sample
of the floods are tried, and nothing is measured.
"""

import concurrent.futures
import shutil
import signal
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
import archives
import big
import broken_llvm
import dropins
import floods
import hostile
import keys
import layers
import lines
import memory
import mlir
import nests
import process
import ptx
import replacing
import reveals
import selects
import small
import stopped
import strangers
import surroundings
import writers
from common import DLOC, JOBS, Results
from mutate import MODULE, VECTORS, mutated, truncated

MUTANTS = 1000
PARTS = 4


def is_sanitized():
    with open(DLOC, "rb") as file:
        return b"__asan_init" in file.read()


def truncated_jobs(thin):
    for kind in (MODULE, VECTORS):
        for part in range(PARTS):
            yield truncated, kind, part * thin, PARTS * thin


def mutated_jobs(thin):
    size = MUTANTS // PARTS
    for kind in (MODULE, VECTORS):
        for part in range(PARTS):
            yield mutated, kind, part * size, part * size + size // thin


def big_jobs(thin):
    jobs = []
    for kind, texts in (("module", big.lines), ("yaml", big.yaml_lines)):
        jobs += [(big.long_line, kind, index) for index in range(big.count(texts))]
    for kind, texts in big.SETS.items():
        jobs += [(big.extreme, kind, index) for index in range(big.count(texts))]
    return jobs[:: min(thin, 3)] + [(floods.wide, index) for index in range(len(floods.WIDE))]


def small_jobs(thin):
    for function in (small.attacks, small.modules, small.vectors, small.usage):
        yield (function,)
    for part in range(PARTS):
        yield archives.in_each_place, part * thin, PARTS * thin


def ptx_jobs(thin):
    yield (ptx.small_texts,)
    for index in range(0, len(ptx.BIG), thin):
        yield ptx.big_texts, index


def line_jobs(thin):
    for index in range(0, len(lines.LARGE), min(thin, 3)):
        yield lines.large, index
    for part in range(PARTS):
        yield lines.tables, part * thin, PARTS * thin
    yield (lines.objects,)


def layer_jobs(thin):
    for index in range(0, len(layers.LARGE), min(thin, 3)):
        yield layers.large, index
    for part in range(PARTS):
        yield layers.damaged, part * thin, PARTS * thin
    yield (layers.small_cases,)


def reveal_jobs(thin):
    yield (reveals.overlapping,)
    for part in range(PARTS):
        yield reveals.damaged, part * thin, PARTS * thin


def select_jobs(thin):
    yield (selects.small_cases,)
    for part in range(PARTS):
        yield selects.damaged, part * thin, PARTS * thin


def mlir_jobs(thin):
    yield (mlir.small_texts,)
    for index in range(0, len(mlir.BIG), min(thin, 3)):
        yield mlir.big_texts, index
    for part in range(PARTS):
        yield mlir.damaged, part * thin, PARTS * thin


def nest_jobs(thin):
    parts = 4 * PARTS // thin  # each makes its sound files first
    for part in range(parts):
        yield nests.nests, part, parts, thin > 1


def flood_jobs(thin):
    if thin > 1:
        yield floods.sample, thin
        return
    parts = 8 * PARTS
    for part in range(parts):
        yield floods.floods, part, parts


def key_jobs(thin):
    for part in range(PARTS):
        yield keys.same_bytes, part * thin, PARTS * thin


def hostile_jobs(thin):
    parts = 4 * PARTS // thin
    for part in range(parts):
        yield hostile.without_memory, part * thin, parts * thin, thin > 1
        yield hostile.refused, part * thin, parts * thin, thin > 1
        yield hostile.without_files, part * thin, parts * thin, thin > 1


def file_jobs(thin):
    for function in (surroundings.unreadable, surroundings.unwritable, surroundings.full, memory.short_of_memory):
        yield (function,)
    for function in (strangers.names_for_terminals, strangers.answers_for_terminals, strangers.runs, strangers.by_pipe, strangers.endless, strangers.read_once, strangers.lookalikes, strangers.shrinks, strangers.programs, replacing.places):
        yield (function,)
    for function in (writers.every_output, writers.every_pipe):
        yield (function,)
    yield (replacing.killed,)
    yield replacing.killed, True
    if thin == 1:
        yield (replacing.together,)


def llvm_jobs(thin):
    yield (broken_llvm.no_tools,)
    yield (broken_llvm.interrupted,)
    yield (stopped.runs,)
    yield (stopped.outputs,)
    yield (stopped.lost_implementation,)
    yield (stopped.detached,)
    yield (stopped.bomb,)
    for implementation in ("adapters", "llvm"):
        for part in range(1 if thin > 1 else PARTS):
            yield stopped.at_moments, implementation, part, PARTS
    for index in range(len(broken_llvm.ALWAYS)):
        yield broken_llvm.broken_tool, index
    for index in range(len(broken_llvm.AT_ONE)):
        yield broken_llvm.broken_at_one, index


def dropin_jobs(thin):
    parts = 2 * PARTS
    for part in range(1 if thin > 1 else parts):
        yield dropins.calls, part, parts, ("exact",) if thin > 1 else dropins.MODES
    for function in (dropins.killed, dropins.timed_out, dropins.together, dropins.full_disk, dropins.forbidden, dropins.given_otherwise, dropins.ended_in_compiler):
        yield (function,)
    for function in (dropins.strict, dropins.as_stock, dropins.words, writers.rules, writers.streams):
        yield function, thin > 1


# The longest first.
GROUPS = {
    "dropins": dropin_jobs,
    "llvm": llvm_jobs,
    "big": big_jobs,
    "truncated": truncated_jobs,
    "mutated": mutated_jobs,
    "files": file_jobs,
    "ptx": ptx_jobs,
    "lines": line_jobs,
    "layers": layer_jobs,
    "reveals": reveal_jobs,
    "selects": select_jobs,
    "mlir": mlir_jobs,
    "nests": nest_jobs,
    "floods": flood_jobs,
    "keys": key_jobs,
    "hostile": hostile_jobs,
    "small": small_jobs,
}


def work(folder, job):
    function, *arguments = job
    here = tempfile.mkdtemp(dir=folder)
    try:
        return list(function(here, *arguments))
    except Exception:
        return [(f"{function.__name__} {arguments}", traceback.format_exc())]
    finally:
        shutil.rmtree(here, ignore_errors=True)


def main():
    results = Results()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:  # nohup, or a shell's background: programs that tests stop must not inherit it
            signal.signal(number, signal.SIG_DFL)
    sanitized = is_sanitized()
    few, groups = sys.argv[1:2] == ["few"], sys.argv[1:]
    groups = groups[few:] or list(GROUPS)
    if not set(groups) <= set(GROUPS):
        sys.exit(__doc__)
    jobs = [(group, job) for group in groups for job in GROUPS[group](7 if sanitized else 6 if few else 1)]
    silent = set(groups)
    with tempfile.TemporaryDirectory(prefix="dloc-bad-input-") as folder:
        # Two more than processors, as some only wait for a time limit.
        with concurrent.futures.ProcessPoolExecutor(JOBS + 2, initializer=process.prepare, initargs=(sanitized,)) as pool:
            for group, findings in [(group, pool.submit(work, folder, job)) for group, job in jobs]:
                for name, problem in findings.result():
                    silent.discard(group)
                    if problem is not None and problem.startswith("skip: "):
                        results.skip(problem[6:])
                    else:
                        results.check(name, problem)
    for group in sorted(silent):
        results.check(group, "nothing of this group was tried")
    results.finish()


main()
