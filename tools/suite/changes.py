"""usage: changes.py [quiet]

Prints what `dloc report --before` tells: what changed between two runs, which stdin holds (README.md). Exit status: 1
when something newly fails.
"""

import sys

from runs import NEWLY_FAILING, Run, read_input
from shown import show_output


def describe(run: Run, identity: str) -> str:
    now, before = run.results.get(identity), run.earlier.results.get(identity)
    if now and before and now.verdict != before.verdict:
        return f"  {identity}: {now.verdict}, was {before.verdict}"
    return f"  {identity}: {(now or before).verdict}"


def tell(run: Run) -> None:
    print(f"{run.title}\nagainst an earlier run of {run.earlier.title}")
    for kind, ids in run.changes:
        print(f"\n{kind}:")
        for identity in ids:
            print(describe(run, identity))
    print("\n" + (", ".join(f"{len(ids)} {kind}" for kind, ids in run.changes) or "no change"))


def main() -> None:
    show_output()
    [run] = read_input(sys.stdin.buffer)[1]
    if "quiet" not in sys.argv:
        tell(run)
    sys.exit(any(kind == NEWLY_FAILING for kind, _ in run.changes))


main()
