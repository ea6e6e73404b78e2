#!/usr/bin/env python3
"""usage: tests/fuzz/executions.py check | add DIR | add TARGET=COUNT | merge FILE...

tests/fuzz/executions has how often each fuzz target has run without an open finding: a line `TARGET MACHINE COUNT` for each machine that ran it. A count
only grows, so `merge`, which takes the larger one of each, adds what other machines ran, and adds nothing the second time. `make soak` adds what the
logs in DIR say to the lines of this machine, whose name is a random one in build/cache/fuzz/machine; whoever commits the file gives it to the others.
check: the file has each line once, in order, and each target. All end with the sum, and what is missing of the goal.
"""

import pathlib
import re
import secrets
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "executions"
MACHINE = HERE.parents[1] / "build/cache/fuzz/machine"
GOAL = 10**9


def read(path):
    return {(name, machine): int(count) for name, machine, count in (line.split() for line in path.read_text().splitlines())}


def write(counts):
    FILE.write_text("".join(f"{name} {machine} {count}\n" for (name, machine), count in sorted(counts.items())))


def this_machine():
    if not MACHINE.exists():
        MACHINE.parent.mkdir(parents=True, exist_ok=True)
        MACHINE.write_text(secrets.token_hex(4) + "\n")
    return MACHINE.read_text().strip()


def logged(folder):
    """What each log says. That of a target with a finding does not say it."""
    for log in sorted(folder.glob("*.log")):
        found = re.findall(r"^stat::number_of_executed_units: *(\d+)$", log.read_text(errors="replace"), re.M)
        if found:
            yield log.stem, int(found[-1])


def wrong(path):
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if not re.fullmatch(r"[a-z_]+ [0-9a-z]+ [1-9]\d{0,14}", line):
            yield f"line {number} is no `TARGET MACHINE COUNT`: {line!r}"
    names = [tuple(line.split(" ")[:2]) for line in lines]
    targets = {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.c*")}
    if names != sorted(set(names)):
        yield "lines are not sorted, or one stands twice"
    yield from (f"there is no target {name}" for name in {name for name, *_ in names} - targets)
    yield from (f"target {name} has no line" for name in targets - {name for name, *_ in names})


def change():
    what, given = sys.argv[1], sys.argv[2:]
    counts = read(FILE)
    if what == "merge":
        for path in map(pathlib.Path, given):
            if problems := sorted(wrong(path)):
                sys.exit("".join(f"{path}: {problem}\n" for problem in problems))
            for key, count in read(path).items():
                counts[key] = max(counts.get(key, 0), count)
    else:
        name, _, count = given[0].partition("=")
        for target, more in [(name, int(count))] if count else list(logged(pathlib.Path(name))):
            counts[target, this_machine()] = counts.get((target, this_machine()), 0) + more
    write(counts)


def main():
    if sys.argv[1:2] in (["add"], ["merge"]) and len(sys.argv) >= 3:
        change()
    elif sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    problems = sorted(wrong(FILE))
    print("".join(f"tests/fuzz/executions: {problem}\n" for problem in problems), end="")
    total = 0 if problems else sum(read(FILE).values())
    if total:
        print(f"{total:,} executions without an open finding; the goal is {GOAL:,}: {total / GOAL:.1%}")
    print(f"{0 if problems else 1} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
