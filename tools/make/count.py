#!/usr/bin/env python3
"""usage: tools/make/count.py [--release] [ROOT]

Lines of C (.c, .h, .def) and Python in each ring of the program, beside the ring's budget. ARCHITECTURE.md has the rings, and a line for each raise
of a budget. A ring, and the C of all rings, may be a tenth above the budget. With --release, exit status 1 when one is more.
model/mutants.def is data for tests; what the build makes of the specification is in no ring.
"""

import re
import sys
from pathlib import Path
from typing import Iterator

ROOTS = [word for word in sys.argv[1:] if word != "--release"]
ROOT = Path(ROOTS[0]) if ROOTS else Path(__file__).resolve().parents[2]
NOT_COUNTED = {"model/mutants.def"}
C = {".c", ".h", ".def"}
WHOLE = "all C"


def tables() -> tuple[dict[str, int], dict[str, str]]:
    """The budget of each ring with its raises, and the ring of each folder."""
    budgets: dict[str, int] = {}
    rings: dict[str, str] = {}
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = re.search(r"^## Budgets\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    for ring, number, folders in re.findall(r"^\| ([^|]+?) \| (\+?[\d,]+) \| ([^|]+?) \|", section[1] if section else "", re.M):
        budgets[ring] = budgets.get(ring, 0) + int(number.replace(",", ""))
        rings |= dict.fromkeys([] if number.startswith("+") else re.findall(r"`(.+?)/`", folders), ring)
    return budgets, rings


def language(path: Path) -> str | None:
    if path.suffix in C:
        return "C"
    if path.suffix == ".py" or not path.suffix and path.is_file() and re.match(rb"#!/usr/bin/env (-S )?python3", path.read_bytes()[:64]):
        return "Python"
    return None


def counted(rings: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """(ring, language, lines) of each file: its ring is that of the innermost folder that has one."""
    for top in sorted({folder.split("/")[0] for folder in rings}):
        for path in (ROOT / top).rglob("*"):
            name = path.relative_to(ROOT)
            kind = None if str(name) in NOT_COUNTED else language(path)
            if kind:
                ring = next(rings[str(folder)] for folder in name.parents if str(folder) in rings)
                yield ring, kind, path.read_bytes().count(b"\n")


def main() -> int:
    budgets, rings = tables()
    lines = {(ring, kind): 0 for ring in budgets for kind in ("C", "Python")}
    for ring, kind, number in counted(rings):
        lines[ring, kind] += number
        if kind == "C":
            lines[WHOLE, kind] += number
    above = 0
    print(f"{'lines':24} {'C':>6} {'Python':>7} {'budget':>7}")
    for ring, budget in budgets.items():
        here = lines[ring, "C"] + lines[ring, "Python"]
        most = budget * 11 // 10
        above += here > most
        note = "  no release: see ARCHITECTURE.md, Budgets" if here > most else "  above its budget" if here > budget else ""
        print(f"{ring:24} {lines[ring, 'C']:6} {lines[ring, 'Python'] or '':>7} {budget:7}{note}")
    return 1 if above and "--release" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
