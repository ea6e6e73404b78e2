#!/usr/bin/env python3
"""usage: tests/bugs/run.py [--write] [ID...]

Runs the commands of BUGS.md, or those of some bugs, and compares what they print. A bug that a program no longer shows, or shows otherwise, fails: the entry is stale.
One whose program is not installed is skipped. --write puts what the commands print now into BUGS.md, to be read before it is kept.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER.parent.parent / "BUGS.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = 20


def run(command: str, scratch: str) -> tuple[str, str]:
    """What a command prints, and what else there is to say: that it takes too long, or that a program is missing."""
    environment = {**os.environ, "LC_ALL": "C", "T": scratch, "DLOC": os.environ.get("DLOC", str(PAGE.parent / "build/dloc"))}
    try:
        done = subprocess.run(["bash", "-c", "ulimit -c 0; " + command], cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "", f"longer than {SECONDS} s"
    missing = re.search(r"(\S+): (command not found|No such file or directory$)", done.stderr, re.MULTILINE)
    return done.stdout, f"missing: {missing[1]}" if missing and "command not found" in missing[2] else ""


def replay(block: str) -> tuple[str, str]:
    """The block as it is now, and why it is none."""
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        for line in block.splitlines():
            if line.startswith("$ "):
                output, problem = run(line[2:], scratch)
                if problem:
                    return block, problem
                lines += [line, *output.splitlines()]
    return "".join(line.rstrip() + "\n" for line in lines), ""


def check(section: str) -> tuple[str, str]:
    """A bug's section as it is now, and what came of it."""
    for word in ("Versions: ", "Reported: "):
        if word not in section:
            return section, f"FAILED, without '{word.strip()}'"
    match = BLOCK.search(section)
    if not match:
        return section, "passed" if "Not replayed: " in section else "FAILED: no command, and no reason"
    now, problem = replay(match[1])
    if problem:
        return section, ("skipped, " if problem.startswith("missing") else "FAILED, ") + problem
    if now == match[1]:
        return section, "passed"
    return section[: match.start(1)] + now + section[match.end(1) :], "FAILED, now:\n" + now


def main(words: list[str]) -> int:
    wanted = [word for word in words if word != "--write"]
    parts = re.split(r"(?m)^(?=##)", PAGE.read_text())
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for index, part in enumerate(parts):
        name = re.match(r"### `([^`]*)`", part)
        if not name or (wanted and name[1] not in wanted):
            continue
        parts[index], result = check(part)
        counts[re.match(r"\w+", result)[0].lower()] += 1
        if result != "passed":
            print(f"{name[1]}: {result}")
    if "--write" in words:
        PAGE.write_text("".join(parts))
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


sys.exit(main(sys.argv[1:]))
