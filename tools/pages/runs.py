"""The input of the pages from `dloc`: sections of JSON lines (see README.md), and the runs among them."""

import collections
import copy
import json
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Iterable, Iterator

from shown import ACTING


@dataclass(frozen=True)
class Mark:
    """How a page shows a verdict. Words and sign tell it; the CSS class `kind` colours it, and the filter asks for it."""

    kind: str
    sign: str
    words: str


MARKS = {
    mark.kind: mark
    for mark in (
        Mark("expected", "✓", "as expected"),
        Mark("different", "✗", "different"),
        Mark("known", "~", "known to fail"),
        Mark("skipped", "–", "skipped"),
        Mark("not-judged", "○", "not judged"),
    )
}
KIND_OF_VERDICT = {"as-expected": "expected", "different": "different", "layers-lost": "different", "known": "known"}
BROKEN = ("errored", "crash", "hang")  # outcomes without an answer to compare
NOT_ALWAYS_TOLD = ("path", "line", "expected", "actual", "known", "answer", "listed", "note", "asked", "through", "module", "errors", "difference")
MAY_BE_ABSENT: dict[str, Any] = {"basis": "derived", **dict.fromkeys(NOT_ALWAYS_TOLD)}

# Characters that no document may hold: controls, and code points that are no characters.
FORBIDDEN = re.compile("[" + "".join(map(chr, ACTING)) + "\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    return FORBIDDEN.sub("?", text)


def mark_of(line: dict[str, Any]) -> Mark:
    unjudged = "skipped" if line["outcome"] == "skipped" else "not-judged"
    return MARKS[KIND_OF_VERDICT.get(line["verdict"], unjudged)]


def why_unjudged(result: SimpleNamespace) -> str:
    reason = "only the model says what holds under the profile" if result.basis == "model" else "nothing is held to it"
    return f"not judged: {reason}"


def read_result(line: dict[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(**MAY_BE_ABSENT | line | {"mark": mark_of(line)})


def count_marks(results: Iterable[SimpleNamespace | None]) -> list[tuple[Mark, int]]:
    """How many results have each mark, in the order of MARKS; absent results do not count."""
    counts = collections.Counter(result.mark for result in results if result)
    return [(mark, counts[mark]) for mark in MARKS.values() if counts[mark]]


class Run:
    """The output of `dloc run --json` for one implementation."""

    def __init__(self, lines: list[dict[str, Any]]):
        head, *others, self.totals = lines
        self.head = head
        self.faults, self.fault_count = self.totals["faults"], self.totals["fault-count"]  # of the adapter
        self.label, self.profile = head.get("label"), head["profile"]
        self.chosen = dict(choice.split("=", 1) for choice in head["choices"] if "=" in choice)  # in place of the profile's
        build = f" ({head['revision'][:10]})" if "revision" in head else ""
        self.title = "{implementation} {version}{build}, profile {profile}".format(build=build, **head)
        if self.label:
            self.title = f"{self.label}: {self.title}"
        self.title = self.title.replace("\n", "?")
        self.name = self.title + (" with " + ", ".join(head["choices"]) if head["choices"] else "")
        self.all = [read_result(line) for line in others if "id" in line]  # a vector that was given twice is there twice
        self.results = {result.id: result for result in self.all}
        self.findings = {line["choice"]: line for line in others if "choice" in line}
        if "doubt" in head:
            self.totals = {**self.totals, "faults": [head["doubt"], *self.totals["faults"]], "fault-count": self.totals["fault-count"] + 1}
        self.partial = bool(self.totals.get("partial"))
        self.has_faults = self.totals["fault-count"] or self.totals["stale"] or self.totals["unreadable"]
        self.earlier: Run | None = None
        self.changes: list[tuple[str, list[str]]] = []  # since the earlier run: kinds of change with their ids

    def compare_with(self, earlier: "Run") -> None:
        self.earlier = earlier
        groups: dict[str | None, list[str]] = {kind: [] for kind in CHANGES}
        for identity in sorted(self.results.keys() | earlier.results.keys()):
            kind = change_between(earlier.results.get(identity), self.results.get(identity))
            groups.setdefault(kind, []).append(identity)
        self.changes = [(kind, groups[kind]) for kind in CHANGES if groups[kind]]


NEWLY_FAILING, NEWLY_PASSING, OTHER_VERDICT = "newly failing", "newly passing", "other verdict"
OTHER_ANSWER, CHANGED_VECTOR, NEW, GONE = "other answer", "changed vector", "new", "gone"
CHANGES = (NEWLY_FAILING, NEWLY_PASSING, OTHER_VERDICT, OTHER_ANSWER, CHANGED_VECTOR, NEW, GONE)


def change_between(before: SimpleNamespace | None, now: SimpleNamespace | None) -> str | None:
    """The kind of change of a vector; None: there is none. Answers are compared where both runs kept them."""
    if not (before and now):
        return NEW if now else GONE
    failed, fails = (result.mark.kind == "different" for result in (before, now))
    if fails and not failed:
        return NEWLY_FAILING
    if now.verdict == "as-expected" and (failed or before.verdict == "known"):
        return NEWLY_PASSING
    if now.verdict != before.verdict:
        return OTHER_VERDICT
    if now.digest != before.digest:
        return CHANGED_VECTOR
    other = None not in (now.actual, before.actual) and now.actual != before.actual
    return OTHER_ANSWER if other or now.outcome != before.outcome else None


def read_sections(lines: Iterable[bytes]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The name of each section, and its lines."""
    name = ""
    section: list[dict[str, Any]] = []
    for line in map(json.loads, lines):
        if "section" in line:
            if name:
                yield name, section
            name, section = line["section"], []
        else:
            section.append(line)
    if name:
        yield name, section


def tell_apart(runs: Iterable[Run]) -> list[Run]:
    """The runs of one page: of those with the same name, the later ones get a number behind it."""
    counts: collections.Counter[str] = collections.Counter()
    named = [copy.copy(run) for run in runs]
    for run in named:
        counts[run.name] += 1
        run.name += f" #{counts[run.name]}" if counts[run.name] > 1 else ""
    return named


def read_input(lines: Iterable[bytes]) -> tuple[dict[str, list[dict[str, Any]]], Run]:
    """Every other section by its name, and the run."""
    sections = dict(read_sections(lines))
    return sections, Run(sections.pop("run"))
