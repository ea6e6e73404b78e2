"""usage: changes.py [quiet]

Prints what `dloc report --before` tells: what changed between two runs, which stdin holds (README.md). Exit status: 1
when something newly fails.
"""

import sys

from runs import NEWLY_FAILING, Run, read_input
from shown import show_output


def describe(run: Run, earlier: Run, identity: str) -> str:
    now, before = (of.results[identity].verdict if identity in of.results else None for of in (run, earlier))
    return f"  {identity}: {now or before}" + (f", was {before}" if now and before and now != before else "")


def tell(run: Run, earlier: Run) -> None:
    print(f"{run.title}\nagainst an earlier run of {earlier.title}")
    for kind, ids in run.changes:
        print(f"\n{kind}:")
        for identity in ids:
            print(describe(run, earlier, identity))
    print("\n" + (", ".join(f"{len(ids)} {kind}" for kind, ids in run.changes) or "no change"))


def main() -> None:
    show_output()
    [run] = read_input(sys.stdin.buffer)[1]
    if run.earlier and "quiet" not in sys.argv:
        tell(run, run.earlier)
    sys.exit(any(kind == NEWLY_FAILING for kind, _ in run.changes))


main()
