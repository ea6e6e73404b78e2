#!/usr/bin/env python3
"""usage: tests/fuzz/coverage.py [--missing] DIR

Gives each target DIR/fuzz_NAME its seeds, those of the repository alone, and prints which part of the lines of each reader (tests/fuzz/readers) they
reach. Fails when one is below 95 %; CONTRIBUTING.md says what helps. --missing: and the lines that none reaches. reached.py says what counts.
"""

import sys
import tempfile
from pathlib import Path

from reached import ROOT, Run, leave_out, measure, readers, replay, seeds

LEAST = 95  # percent


def run_seeds(directory: Path, target: str) -> Run:
    with tempfile.TemporaryDirectory() as scratch:
        run = replay(directory / f"fuzz_{target}", seeds(target, Path(scratch) / "vectors"), Path(scratch))
    leave_out(run)
    return run


def main() -> int:
    missing = "--missing" in sys.argv
    directory = Path(sys.argv[-1]).resolve()
    table = list(readers())
    runs = {target: run_seeds(directory, target) for target in sorted({target for row in table for target in row[2]})}
    below = 0
    print(f"{'reader':22} {'lines':>5} {'reached':>9}  targets")
    for name, sources, targets in table:
        measured = {source: measure(source, [runs[target] for target in targets]) for source in sources}
        lines = sum(count for count, _ in measured.values())
        percent = 100 * (lines - sum(len(left) for _, left in measured.values())) / lines
        below += percent < LEAST
        print(f"{name:22} {lines:5} {percent:7.1f} %  {' '.join(targets)}")
        for source, (_, left) in measured.items():
            for number in left if missing else []:
                print(f"  {source.relative_to(ROOT)}:{number}: {source.read_text().splitlines()[number - 1]}")
    print(f"{len(table)} readers, {below} below {LEAST} %")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
