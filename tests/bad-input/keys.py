"""Hashes have a key, which is another one in each process: every subcommand says and writes the same, whatever the key is, and does what it is for."""

import os

import every
from process import Run

RUNS = 3
OTHERS = ("flang",)  # it numbers the modules of a program in another order each time


def outcome(folder, row, files):
    """All that a run says and writes."""
    for name in ("OUT", "TABLE"):
        if os.path.exists(files[name]):
            os.remove(files[name])
    given, stdin = every.arguments(row, files)
    run = Run(given, folder, stdin or os.devnull, limit=60)
    written = [open(files[name], "rb").read() for name in ("OUT", "TABLE") if os.path.exists(files[name])]
    return run.status, every.timeless(run.output()), run.stderr, *written


def same_bytes(folder, part, parts):
    files = every.sound(folder)
    for row in every.ROWS[part::parts]:
        if row.startswith(OTHERS):
            continue
        first = outcome(folder, row, files)
        others = [outcome(folder, row, files) for _ in range(RUNS - 1)]
        yield f"{RUNS} keys: {row}", None if all(other == first for other in others) else "two runs differ"
        if not row.startswith(every.UNUSABLE):
            yield f"sound files: {row}", None if first[0] in (0, 1) else f"status {first[0]}: {first[2][:600]!r}"
