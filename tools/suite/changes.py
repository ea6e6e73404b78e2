"""The text of `dloc report --before`: what changed between two runs."""

from runs import Run


def describe(run: Run, earlier: Run, identity: str) -> str:
    now, before = (of.results[identity].verdict if identity in of.results else None for of in (run, earlier))
    return f"  {identity}: {now or before}" + (f", was {before}" if now and before and now != before else "")


def tell_changes(run: Run, earlier: Run) -> None:
    print(f"{run.title}\nagainst an earlier run of {earlier.title}")
    for kind, ids in run.changes:
        print(f"\n{kind}:")
        for identity in ids:
            print(describe(run, earlier, identity))
    print("\n" + (", ".join(f"{len(ids)} {kind}" for kind, ids in run.changes) or "no change"))
