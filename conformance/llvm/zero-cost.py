#!/usr/bin/env python3
"""usage: conformance/llvm/zero-cost.py BIN [COUNT]

"Zero cost when unused": on modules without layers the patched LLVM in BIN does what stock LLVM 22 does. Both run default<O2> over COUNT (1,200)
of LLVM's own test inputs with debug info, and over SQLite as one module. Exit status, bitcode, and the text that each one's own llvm-dis makes of
it must be the same, byte for byte. An input is skipped when stock refuses it or differs from itself.
Inlined locations are distinct in LLVM's main branch, on which PR 215666 stands: DLOC_FAULT=inline.uniqued makes them as LLVM 22 does.

Ends with `N passed, N failed, N skipped`; fails also when fewer than five in six could be compared.
"""

import filecmp
import os
import sys
import tempfile
from typing import NoReturn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "real"))
from common import CACHE, HANG, first_line, in_parallel, llvm, run  # noqa: E402
from inputs import INPUTS, files_with_debug_info, spread, unpack  # noqa: E402
from modules import optimisable  # noqa: E402

STOCK = os.path.dirname(llvm(22, "opt"))


def optimise(binaries: str, path: str, folder: str, limit: int) -> tuple[int | str, str, str, str]:
    """(exit status, errors, bitcode, text). The module is called the same each time: its name stands in both results."""
    os.makedirs(folder)
    status, _, errors = run([os.path.join(binaries, "opt"), "-passes=default<O2>", path, "-o", "module.bc"], folder, limit)
    if status == 0:
        status, _, errors = run([os.path.join(binaries, "llvm-dis"), "module.bc", "-o", "module.ll"], folder, limit)
    return status, errors, os.path.join(folder, "module.bc"), os.path.join(folder, "module.ll")


def same(one: tuple[int | str, str, str, str], other: tuple[int | str, str, str, str]) -> bool:
    return all(filecmp.cmp(left, right, shallow=False) for left, right in zip(one[2:], other[2:]))


def compare(binaries: str, path: str, limit: int = 60) -> tuple[str, str | None]:
    """(name of the outcome, explanation)"""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        stock = optimise(STOCK, path, os.path.join(folder, "stock"), limit)
        if stock[0] != 0:
            return "skipped", "stock takes more than %d s" % limit if stock[0] == HANG else "stock refuses it"
        patched = optimise(binaries, path, os.path.join(folder, "patched"), limit)
        if patched[0] != 0:
            return "failed", f"exit status {patched[0]}, stock 0: {first_line(patched[1])}"
        if same(stock, patched):
            return "passed", None
        if not same(stock, optimise(STOCK, path, os.path.join(folder, "again"), limit)):
            return "skipped", "stock differs from itself"
        return "failed", "text differs" if not filecmp.cmp(stock[3], patched[3], shallow=False) else "bitcode differs"


def main() -> NoReturn:
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-") or not "".join(sys.argv[2:3] or "1").isdigit():
        sys.exit(__doc__)
    binaries = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1200
    for tool in (os.path.join(binaries, "opt"), os.path.join(binaries, "llvm-dis"), llvm(22, "opt"), llvm(22, "clang")):
        if not os.access(tool, os.X_OK):
            print(f"zero-cost: there is no {tool}", file=sys.stderr)
            sys.exit(2)
    unpack()
    outcomes = {"passed": 0, "failed": 0, "skipped": 0}
    reasons: dict[str, list[str]] = {}

    def judge(name: str, outcome: str, explanation: str | None) -> None:
        outcomes[outcome] += 1
        if outcome == "failed":
            print(f"FAILED {name}: {explanation}")
        elif explanation:
            reasons.setdefault(explanation, []).append(name)

    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        jobs = [("SQLite", optimisable("sqlite-22-O0", folder), 300)]  # the longest first
        jobs += [(name, os.path.join(INPUTS, name), 60) for name in spread(files_with_debug_info(), count)]
        for (name, _, _), answer in zip(jobs, in_parallel(lambda job: compare(binaries, *job[1:]), jobs)):
            judge(name, *answer)
    for reason, names in sorted(reasons.items()):
        print(f"skipped {len(names)}: {reason} ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})")
    compared = outcomes["passed"] + outcomes["failed"]
    if compared < count * 5 // 6:
        judge("inputs", "failed", f"only {compared} were compared, {count * 5 // 6} are wanted")
    print("%d passed, %d failed, %d skipped" % tuple(outcomes.values()))
    sys.exit(1 if outcomes["failed"] else 0)


main()
