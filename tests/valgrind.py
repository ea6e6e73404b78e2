#!/usr/bin/env python3
"""usage: tests/valgrind.py [GROUP...]        groups: units vectors rows corpora lit (default: all)

What reads memory that nobody wrote, or loses it: valgrind looks on while dloc works, and has to be silent.
  units    each unit test, but for test_threads, which tests/threads runs
  vectors  `dloc check` of all vectors
  rows     each row of tests/bad-input/every.py
  corpora  each fuzz target with its corpus
  lit      every twenty-fourth of the tests of commands
And a program that reads what it did not write must be noticed. Ends with a line `N passed, N failed[, N skipped]`.
Environment: BUILD, DLOC (default build/dloc).
"""

import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "bad-input"), os.path.join(HERE, "real")]
import every
from common import DLOC, JOBS, ROOT, Results

BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
VALGRIND = shutil.which("valgrind") or "valgrind"  # a test may change PATH
LIMIT = 400  # seconds for one program
OPTIONS = ["-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", "--child-silent-after-fork=yes"]
BROKEN = "#include <stdlib.h>\nint main(void) { int *p = malloc(8), n = p[1] ? 3 : 4; free(p); return n - 3; }\n"
LIT = "/usr/lib/llvm-22/bin/lit"
PART = 24
FAIL_HERE = {"test_runner": (0, 1)}  # under valgrind vfork shares nothing, and does not tell that there is no program
SPARED = {"run-fingerprint.test", "report.test"}  # for the same reason; the first takes minutes, too


def watched(folder, command):
    return [VALGRIND, *OPTIONS, f"--log-file={folder}/%p.log", *command]


def complaints(folder):
    texts = []
    for path in sorted(glob.glob(os.path.join(folder, "*.log"))):
        with open(path, errors="replace") as file:
            texts.append(file.read())
    return "".join(texts)[:4000]


def watch(command, statuses, stdin=None):
    """What is wrong with a program under valgrind, or None."""
    with tempfile.TemporaryDirectory() as folder, open(stdin or os.devnull, "rb") as given:
        done = subprocess.run(watched(folder, command), cwd=ROOT, stdin=given, capture_output=True, timeout=LIMIT)
        if said := complaints(folder):
            return said
    return None if done.returncode in statuses else f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-600:]}"


def units(folder):
    for test in sorted(glob.glob(f"{BUILD}/tests/test_*"), key=os.path.getsize):
        name = os.path.basename(test)
        if name != "test_threads":
            yield name, [test], FAIL_HERE.get(name, (0,))


def vectors(folder):
    yield "dloc check vectors", [DLOC, "check", "vectors"], (0,)


def rows(folder):
    files = every.sound(folder)
    for number, row in enumerate(every.ROWS):
        own = {name: os.path.join(folder, f"{number}.{name}") for name in ("OUT", "TABLE")}
        given, stdin = every.arguments(row, files | own)
        yield row, [DLOC, *given], (0, 1, 2), stdin


def corpora(folder):
    subprocess.run(["make", "-s", "--no-print-directory", f"-j{JOBS}", "replays"], cwd=ROOT, check=True)
    for target in sorted(glob.glob(f"{BUILD}/replay/*")):
        name = os.path.basename(target)
        yield f"corpus of {name}", [target, "1", *sorted(glob.glob(f"{ROOT}/tests/fuzz/corpus-{name}/*"))], (0,)


def lit(folder):
    for test in sorted(glob.glob(f"{ROOT}/tests/lit/**/*.test", recursive=True))[::PART]:
        if os.path.basename(test) not in SPARED:
            yield f"lit: {os.path.basename(test)}", test


def watch_lit(test):
    """The test finds a dloc that valgrind watches."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper = os.path.join(folder, "dloc")
        with open(wrapper, "w") as file:
            file.write("#!/bin/sh\nexec " + " ".join(watched(folder, [DLOC])) + ' "$@"\n')
        os.chmod(wrapper, 0o755)
        done = subprocess.run([LIT, "-v", test], cwd=ROOT, env=os.environ | {"DLOC": wrapper}, capture_output=True, timeout=LIMIT, text=True)
        return complaints(folder) or (done.stdout[-2000:] if done.returncode else None)


def control(folder):
    path = os.path.join(folder, "broken")
    subprocess.run(["cc", "-O1", "-w", "-x", "c", "-o", path, "-"], input=BROKEN, text=True, check=True)
    said = watch([path], (0, 1))
    return None if said and "uninitialised" in said else "valgrind did not notice it"


def timed_out(function, *arguments):
    try:
        return function(*arguments)
    except subprocess.TimeoutExpired:
        return f"no end after {LIMIT} s"


# The longest first.
GROUPS = {"units": units, "lit": lit, "vectors": vectors, "rows": rows, "corpora": corpora}


def main():
    chosen = sys.argv[1:] or list(GROUPS)
    if not set(chosen) <= set(GROUPS):
        sys.exit(__doc__)
    results = Results()
    with tempfile.TemporaryDirectory(prefix="dloc-valgrind-") as folder, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results.check("a read of what was not written", control(folder))
        jobs = [(name, pool.submit(timed_out, watch_lit if group == "lit" else watch, *given))
                for group in GROUPS if group in chosen for name, *given in GROUPS[group](folder)]  # fmt: skip
        for name, job in jobs:
            results.check(name, job.result())
    results.finish()


main()
