#!/usr/bin/env python3
"""usage: tests/security.py

What SECURITY.md says has a test: each row of its tables of rules and costs names one that there is, the costs are those of every subcommand, and the
executions those of every fuzz target. Ends with a line `N passed, N failed`.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT = (ROOT / "SECURITY.md").read_text()


def table(heading):
    """The rows of the first table below a heading, without its head."""
    lines = TEXT.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0].splitlines()
    rows = [line for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def named(text):
    return set(re.findall(r"`([^`]+)`", text))


def wrong():
    costs = table("Cost")
    for row in table("How that is kept") + costs:
        held, tests = row[-1], [name for name in named(row[-1]) if name.startswith("tests/")]
        if not tests and not re.search(r"the same|no file that is not trusted|make asan", held):
            yield f"'{row[0][:60]}' names no test"
    for name in sorted(named(TEXT)):
        path = name.split(" ")[0]
        if path.startswith("tests/") and path != "tests/run" and not (ROOT / path).exists():
            yield f"there is no {path}"
    commands = set(re.findall(r'^COMMAND\("([\w-]+)"', (ROOT / "tools/commands.def").read_text(), re.M))
    told = {name.split(" ")[0] for row in costs for name in named(row[0])}
    yield from (f"no cost of {name}" for name in sorted(commands - told))
    targets = {path.stem.removeprefix("fuzz_") for path in (ROOT / "tests/fuzz").glob("fuzz_*.c*")}
    told = {name for row in table("What was tried") for name in named(row[0])}
    yield from (f"no executions of {name}" for name in sorted(targets - told))


def main():
    problems = list(wrong())
    print("".join(f"SECURITY.md: {problem}\n" for problem in problems) + f"{0 if problems else 1} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


main()
