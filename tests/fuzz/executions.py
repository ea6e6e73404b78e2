#!/usr/bin/env python3
"""usage: tests/fuzz/executions.py check | add DIR | add TARGET=COUNT

tests/fuzz/executions has how often each fuzz target has run without an open finding: a line `TARGET COUNT` each. `make soak` adds what the logs in DIR
say; whoever has run more adds it by hand, and commits the file. check: the file has each target once, and nothing else. Both end with the sum, and what
is missing of the goal.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "executions"
GOAL = 10**9


def read():
    return {name: int(count) for name, count in (line.split() for line in FILE.read_text().splitlines())}


def write(counts):
    FILE.write_text("".join(f"{name} {count}\n" for name, count in sorted(counts.items())))


def logged(folder):
    """What each log says. That of a target with a finding does not say it."""
    for log in sorted(folder.glob("*.log")):
        found = re.findall(r"^stat::number_of_executed_units: *(\d+)$", log.read_text(errors="replace"), re.M)
        if found:
            yield log.stem, int(found[-1])


def wrong():
    lines = FILE.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if not re.fullmatch(r"[a-z_]+ [1-9]\d*", line):
            yield f"line {number} is no `TARGET COUNT`: {line!r}"
    names = [line.split(" ")[0] for line in lines]
    targets = {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.c*")}
    if names != sorted(set(names)):
        yield "names are not sorted, or one stands twice"
    yield from (f"there is no target {name}" for name in set(names) - targets)
    yield from (f"target {name} has no line" for name in targets - set(names))


def main():
    if sys.argv[1:2] == ["add"] and len(sys.argv) == 3:
        counts = read()
        name, _, count = sys.argv[2].partition("=")
        for target, more in [(name, int(count))] if count else list(logged(pathlib.Path(name))):
            counts[target] = counts.get(target, 0) + more
        write(counts)
    elif sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    problems = sorted(wrong())
    print("".join(f"tests/fuzz/executions: {problem}\n" for problem in problems), end="")
    total = 0 if problems else sum(read().values())
    if total:
        print(f"{total:,} executions without an open finding; the goal is {GOAL:,}: {total / GOAL:.1%}")
    print(f"{0 if problems else 1} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


main()
