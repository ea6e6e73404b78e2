"""The page of `dloc report --html`."""

import collections
from types import SimpleNamespace
from typing import Any

from difference import difference
from evidence import add_confirmed, confirmation
from page import data_of, render_page
from runs import MARKS, Run, tell_apart

Tables = dict[str, list[dict[str, Any]]]

SIGN_OF_KIND = {kind: str(number) for number, kind in enumerate(MARKS)}


class Row:
    """A vector with its result in each run, or None. It stands under the first clause that it tests."""

    def __init__(self, identity: str, runs: list[Run], vector: dict[str, Any] | None):
        self.id = identity
        self.results = [run.results.get(identity) for run in runs]
        self.any = next(result for result in self.results if result)
        self.vector = vector
        self.clause = self.any.clauses[0]
        self.family = self.clause.partition(".")[0]
        self.answers = self.group_answers()

    def group_answers(self) -> list[tuple[SimpleNamespace, list[int]]]:
        """Each distinct answer, with the numbers of the runs that gave it; those that differ come first."""
        groups: dict[tuple[str, ...], tuple[SimpleNamespace, list[int]]] = {}
        for number, result in enumerate(self.results):
            if result:
                key = (result.verdict, result.basis, result.outcome, result.expected or "", result.actual or "", result.known or "")
                groups.setdefault(key, (result, []))[1].append(number)
        return sorted(groups.values(), key=lambda group: bool(group[0].mark.kind != "different"))

    def data(self, texts: "Texts") -> dict[str, Any]:
        vector = self.vector or {}
        return {
            "id": self.id,
            "clause": self.clause,
            "kinds": "".join(SIGN_OF_KIND[result.mark.kind] if result else "." for result in self.results),
            "facts": {"op": self.any.op, "level": self.any.level, "path": self.any.path, "clauses": self.any.clauses},
            "note": texts.number(vector.get("note")),
            "text": texts.number(vector.get("text")),
            "changed": bool(vector) and any(result.digest != vector.get("digest") for result in self.results if result),
            "answers": [answer_data(result, numbers, texts) for result, numbers in self.answers],
        }


class Texts:
    """Long texts, each once: the page refers to them by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str | None) -> int | None:
        return None if text is None else self.numbers.setdefault(text, len(self.numbers))


def answer_data(result: SimpleNamespace, runs: list[int], texts: Texts) -> dict[str, Any]:
    """An expected rejection may have been for another one of several reasons: that is no difference."""
    differs = result.verdict != "as-expected" and result.expected not in (None, result.actual or "")
    lines = "\n".join(difference(result.expected, result.actual or "")) if differs else None
    return {
        "runs": runs,
        "kind": SIGN_OF_KIND[result.mark.kind],
        "verdict": result.verdict,
        "outcome": result.outcome,
        "byModel": result.basis == "model",
        "known": result.known,
        "expected": texts.number(result.expected),
        "actual": texts.number(result.actual),
        "difference": texts.number(lines),
    }


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


def make_families(rows: list[Row], clauses: list[dict[str, Any]]) -> list[Group]:
    """Clauses in the order of SPEC.md; behind them those that this version does not know."""
    rank = {clause["clause"]: number for number, clause in enumerate(clauses)}
    rows.sort(key=lambda row: (rank.get(row.clause, len(rank)), row.clause, row.id))
    families = group_by("family", rows)
    for family in families:
        family.clauses = group_by("clause", family.rows)
    return families


def compare_runs(rows: list[Row], runs: list[Run]) -> list[list[int]]:
    """Of each run, how many vectors pass in it and fail in each other one."""
    pairs = [[0] * len(runs) for _ in runs]
    for row in rows:
        kinds = [result.mark.kind if result else None for result in row.results]
        passing = [number for number, kind in enumerate(kinds) if kind == "expected"]
        for fails in (number for number, kind in enumerate(kinds) if kind == "different"):
            for passes in passing:
                pairs[passes][fails] += 1
    return pairs


class Choice:
    """The alternative that each run follows, and that of its profile where it differs."""

    def __init__(self, line: dict[str, Any], runs: list[Run]):
        self.name, self.question = line["choice"], line["question"]
        self.findings = [run.findings.get(self.name) for run in runs]
        self.wanted = [run.chosen.get(self.name, line["profiles"].get(run.profile)) for run in runs]
        self.deviates = [
            bool(finding and wanted and wanted not in finding["alternatives"].split("|"))
            for finding, wanted in zip(self.findings, self.wanted)
        ]


def make_page(runs: list[Run], tables: Tables, listed: list[dict[str, Any]], folders: list[str], addresses: dict[str, str | None]) -> bytes:
    """listed: the vectors of the folders, of which each has its `text`. addresses: of the pages to which this one links."""
    runs = tell_apart(runs)
    vectors = {vector["id"]: vector for vector in listed}
    confirmed = add_confirmed(listed, folders)
    rows = [Row(identity, runs, vectors.get(identity)) for identity in {identity for run in runs for identity in run.results}]
    families = make_families(rows, tables["clauses"])
    texts = Texts()
    data = {
        "runs": [run.name for run in runs],
        "profiles": [run.profile for run in runs],
        "marks": [[mark.kind, mark.sign, mark.words] for mark in MARKS.values()],
        "vectors": [row.data(texts) for row in rows],
        "texts": list(texts.numbers),
        "addresses": addresses,
    }
    choices = [Choice(line, runs) for line in tables["choices"]]
    return render_page(
        "report.html",
        runs=runs,
        families=families,
        pairs=compare_runs(rows, runs),
        clauses={clause["clause"]: clause for clause in tables["clauses"]},
        evidence=collections.Counter(confirmation(row.vector) for row in rows if row.vector) if confirmed else {},
        choices=[choice for choice in choices if any(choice.deviates)],
        others=[choice for choice in choices if not any(choice.deviates)],
        marks=MARKS.values(),
        addresses=addresses,
        data=data_of(data),
    )
