"""usage: report.py [ADDRESS]

Makes the page of `dloc report --html`, which runs this script: from the lines of stdin (README.md) to stdout. ADDRESS
is that of the page that tells what layers cost.
"""

import collections
import sys
from types import SimpleNamespace

from difference import difference
from evidence import add_confirmed, confirmation
from page import write_page
from runs import Run, read_input


class Row:
    """A vector with its result in each run, or None. It stands under the first clause that it tests."""

    def __init__(self, identity: str, runs: list[Run], vector: dict | None):
        self.id = identity
        self.results = [run.results.get(identity) for run in runs]
        self.any = next(result for result in self.results if result)
        self.vector = vector
        self.clause = self.any.clauses[0]
        self.family = self.clause.partition(".")[0]
        self.kinds = dict.fromkeys(result.mark.kind for result in self.results if result)
        self.answers = self.group_answers(runs)
        self.changed = vector and any(result.digest != vector["digest"] for result in self.results if result)

    def group_answers(self, runs: list[Run]) -> list[tuple[SimpleNamespace, list[str]]]:
        """Each distinct answer, with the names of the runs that gave it."""
        groups: dict[tuple, tuple[SimpleNamespace, list[str]]] = {}
        for run, result in zip(runs, self.results):
            if result:
                key = (result.verdict, result.basis, result.outcome, result.expected or "", result.actual or "", result.known or "")
                groups.setdefault(key, (result, []))[1].append(run.name)
        return list(groups.values())


class Group:
    """Rows that have something in common, their results run by run, and the groups within."""

    def __init__(self, name: str, rows: list[Row]):
        self.name = name
        self.rows = rows
        self.columns = list(zip(*(row.results for row in rows)))
        self.clauses: list[Group] = []


def group_by(attribute: str, rows: list[Row]) -> list[Group]:
    groups: dict[str, list[Row]] = {}
    for row in rows:  # a family may have clauses in two chapters
        groups.setdefault(getattr(row, attribute), []).append(row)
    return [Group(name, group) for name, group in groups.items()]


def make_families(rows: list[Row], clauses: list[dict]) -> list[Group]:
    """Clauses in the order of SPEC.md; behind them those that this version does not know."""
    rank = {clause["clause"]: number for number, clause in enumerate(clauses)}
    rows.sort(key=lambda row: (rank.get(row.clause, len(rank)), row.clause, row.id))
    families = group_by("family", rows)
    for family in families:
        family.clauses = group_by("clause", family.rows)
    return families


def main() -> None:
    tables, runs = read_input(sys.stdin.buffer)
    for result in (result for run in runs for result in run.results.values()):
        # An expected rejection may have been for another one of several reasons: that is no difference.
        if result.verdict != "as-expected" and result.expected not in (None, result.actual or ""):
            result.difference = list(difference(result.expected, result.actual or ""))
    vectors = {vector["id"]: vector for vector in tables["vectors"]}
    identities = {identity for run in runs for identity in run.results}
    confirmed = add_confirmed(tables["vectors"], [line["folder"] for line in tables["folders"]])
    rows = [Row(identity, runs, vectors.get(identity)) for identity in identities]
    write_page(
        "report.html",
        runs=runs,
        families=make_families(rows, tables["clauses"]),
        clauses={clause["clause"]: clause for clause in tables["clauses"]},
        evidence=collections.Counter(confirmation(row.vector) for row in rows if row.vector) if confirmed else {},
        headings={row.clause for row in rows},
        choices=tables["choices"],
        cost=sys.argv[1] if len(sys.argv) > 1 else None,
    )


main()
