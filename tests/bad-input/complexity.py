#!/usr/bin/env python3
"""usage: tests/bad-input/complexity.py [PART-OF-A-ROW...]        `make complexity`

How memory, output and time grow with what is read. Each row below is a family of inputs, a command that reads it, and the exponent that each of the three may have. They are
measured with n, 2n and 4n of something; what one costs is taken away. Fails where an exponent is larger than the row's by more than a third. Time is the least of three runs, and
is told alone where it is too short. Ends with `N passed, N failed`. Environment: DLOC (default build/dloc).
"""

import math
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import every
import floods
import process
from floods import FLOODS, KEYS, SEVERAL, WIDE

RUNS = 3
MORE = 1 / 3
LEAST = (4 << 20, 1 << 16, 0.08)  # of 4n: bytes of memory and of output, seconds; less says nothing
NAMES = ("memory", "output", "time")
LINEAR, SQUARE = (1, 1, 1), (1, 2, 2)  # the second: all is written as it is made

# The family, what makes it, the command, n, exponents of memory, output and time.
ROWS = [
    ("distinct nodes", "MODULE", "verify -W MODULE", 100_000, LINEAR),
    ("kinds and files", "MODULE", "print MODULE", 30_000, LINEAR),
    ("chains of call sites", WIDE, "print --locations --scopes MODULE", 300, SQUARE),
    ("kinds of each instruction", WIDE, "emit MODULE", 400, SQUARE),
    ("calls of a long function", WIDE, "inline MODULE", 300, SQUARE),
    ("nested scopes, hidden", SEVERAL, "hide MODULE --table TABLE -o OUT", 20_000, LINEAR),
    ("files of a kind", "HIDDEN", "reveal --fast --table HIDDEN PLAIN -o OUT", 20_000, LINEAR),
    ("lines", "BITCODE", "bitcode BITCODE", 50_000, LINEAR),
    ("locations", "ASSEMBLER", "reveal --fast --table HIDDEN ASSEMBLER -o OUT", 40_000, LINEAR),
    ("rows at one address", "OBJECT", "lines --tsv OBJECT", 400_000, LINEAR),
    ("line tables that break off", "OBJECT", "lines --json OBJECT", 100_000, (1, 0, 1)),
    ("relocations", "OBJECT", "lines --json OBJECT", 10_000, LINEAR),
    ("inlined one behind another", "EXECUTABLE", "symbolize --json EXECUTABLE <SAMPLES", 50_000, LINEAR),
    ("units over a layer that is selected", SEVERAL, floods.SELECT, 5_000, LINEAR),
    ("sequences that lie in each other", SEVERAL, "two-level EXECUTABLE", 32_000, (1, 0, 1)),
    ("chain of inlined calls", "PTX", "browse PTX -o OUT", 2_000, LINEAR),
    ("chain of inlined calls", "PTX", "emit --check ptx-9.4 PTX", 20_000, LINEAR),
    ("addresses", "SAMPLES", "symbolize --json EXECUTABLE <SAMPLES", 20_000, LINEAR),
    ("call sites", "MLIR", "mlir primary --tag t MLIR -o OUT", 20_000, LINEAR),
    ("vectors", "VECTORS", "check VECTORS", 3_000, LINEAR),
    ("nodes", "VECTORS", "fmt --to jsonl VECTORS", 10_000, LINEAR),
    ("chain of nodes", "ADAPTER", "run --impl ADAPTER --timeout 2 VECTORS", 5_000, LINEAR),
    ("results", "RUN", "report --quiet --html OUT --vectors VECTORS RUN", 3_000, LINEAR),
    ("clauses", "SPEC", "spec --check SPEC VECTORS", 3_000, LINEAR),
]


def maker(name, made):
    """A function that makes the files of a family."""
    if made is WIDE or made is SEVERAL:
        return made[name][1]
    return lambda folder, count, key: floods.flooded(made, FLOODS[made][name], folder, count, key)


def cost(folder, row, files):
    """Bytes of memory, bytes of output, seconds; and what is wrong with the run."""
    costs = []
    for _ in range(RUNS):
        run, problem = floods.read(folder, row, files)
        if problem:
            return None, problem
        written = sum(os.path.getsize(path) for path in (run.stdout, files["OUT"]) if os.path.exists(path))
        costs.append((run.bytes, written, run.seconds))
    return [min(each) for each in zip(*costs)], None


def exponents(base, costs):
    """The three exponents. None stands for a cost that is too small, or for less memory than this process has, which Run cannot see."""
    n, _, last = [[max(many - one, 0) for many, one in zip(each, base)] for each in costs]
    return [math.log2(most / first) / 2 if first and most >= least else None for first, most, least in zip(n, last, LEAST)]


def measure(folder, name, made, row, n):
    sound, costs = every.sound(folder), []
    for count in (1, n, 2 * n, 4 * n):
        where = os.path.join(folder, f"{count}")
        os.makedirs(where)
        found, problem = cost(folder, row, {**sound, **maker(name, made)(where, count, KEYS[2])})
        if problem:
            return None, None, problem
        costs.append(found)
        shutil.rmtree(where)
    return costs[-1], exponents(costs[0], costs[1:]), None


def main():
    process.prepare(False)
    passed = failed = 0
    for name, made, row, n, allowed in ROWS:
        if not all(word in f"{name} {row}" for word in sys.argv[1:]):
            continue
        with tempfile.TemporaryDirectory(prefix="dloc-complexity-") as folder:
            most, found, problem = measure(folder, name, made, row, n)
        if not problem:
            parts = [f"{what} {'-' if of is None else f'{of:.2f}'} (<= {may})" for what, of, may in zip(NAMES, found, allowed)]
            above = [what for what, of, may in zip(NAMES, found, allowed) if of is not None and of > may + MORE]
            problem = " and ".join(above)
            print(f"{name:<36} {row[:44]:<44} {4 * n:>7,}: {', '.join(parts)}; {most[0] >> 20} MB, {most[1] >> 10} kB, {most[2]:.2f} s", flush=True)
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print(f"FAILED {name}: {row}: {problem}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
