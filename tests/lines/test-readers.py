#!/usr/bin/env python3
"""usage: tests/lines/test-readers.py few|all [OBJECT...]

Rows of real objects, by dloc and by every other reader of line tables, compared row by row in what the reader shows. differences.py lists where
another reader shows something else, and why. A difference that is not listed there fails, and so does one that is listed and does not occur."""

import collections
import subprocess
import sys

from differences import DIFFERENCES
from objects import Missing, dloc, objects
from readers import readers, tabs

from common import Results, in_parallel, run  # in tests/real, which objects.py makes known


def relocatable(path):
    with open(path, "rb") as file:
        return 1 in file.read(18)[16:]  # ET_REL


def by_address(row):
    return (row.address, 1, ()) if "E" not in row.flags else (row.address, 0, row)


def difference(reader, path, wanted, found):
    """What differs in rows, or None."""
    wanted, found = ([reader.shows(row) for row in rows] for rows in (wanted, found))
    if reader.order != "program":
        # in which order sections of a relocatable object stand is up to the reader
        key = by_address if reader.order == "address" and not relocatable(path) else None
        wanted.sort(key=key), found.sort(key=key)
    for number, (theirs, ours) in enumerate(zip(found, wanted)):
        if theirs != ours:
            return f"row {number + 1}: {tuple(theirs)}; dloc {tuple(ours)}"
    return None if len(found) == len(wanted) else f"{len(found)} rows, dloc {len(wanted)}"


def compared(reader, path, name, rows):
    """(None or what differs, the listed differences that occurred)."""
    status, output, errors = run([*reader.command, path], limit=200)
    found, met, unreadable = list(reader.rows(output.decode(errors="replace"))), [], None
    for listed in DIFFERENCES:
        if not listed.applies(reader.name, name):
            continue
        if not listed.change:
            unreadable = listed
            continue
        changed = listed.change(rows, found)
        if changed != rows:
            met.append(listed)
        rows = changed
    problem = difference(reader, path, rows, found)
    if unreadable:
        return (None, [unreadable]) if problem else (f"listed, and does not occur: {unreadable.cause}", [])
    return problem and f"{problem}; exit status {status}: {errors.strip()[:200]}", met


def main():
    few, names = sys.argv[1] == "few", sys.argv[2:]
    results, occurred, table = Results(), collections.Counter(), objects(few)
    asked = [reader for reader in readers() if reader.few or not few]

    def one(name):
        status, output, errors = run([dloc(), "lines", "--tsv", table[name]])
        if status not in (0, 1):
            return [(name, f"dloc: exit status {status}: {errors.strip()[:300]}", [])]
        rows = list(tabs(output.decode(errors="replace")))
        return [(f"{name}, {reader.name}", *compared(reader, table[name], name, rows)) for reader in asked if len(rows) <= reader.most]

    missing = [name for name, path in table.items() if isinstance(path, Missing)]
    for name in missing:
        results.skip(f"{name}: {table[name]}"[:200])
    for name, path in table.items():
        if isinstance(path, subprocess.SubprocessError):
            results.check(name, str(path))
    for findings in in_parallel(one, [name for name, path in table.items() if isinstance(path, str) and (not names or name in names)]):
        for what, problem, met in findings:
            results.check(what, problem)
            occurred.update(met)
    for listed in DIFFERENCES:
        print(f"{occurred[listed]:5} times: {listed.readers}: {listed.cause}")
        if not (few or names or occurred[listed] or any(listed.applies(listed.readers.split()[0], name) for name in missing)):
            results.check(listed.readers, f"listed, and does not occur: {listed.cause}")
    results.finish()


main()
