"""Reading what `dloc run --json` wrote (conformance/reports/README.md). Members that are not known here are left out: a later version adds some."""

import collections
import json
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from program import UNUSABLE, diagnose, read_bytes
from runs import KIND_OF_VERDICT, Run, mark_of

Line = dict[str, Any]

OUTCOMES = ("ok", "reject", "degraded", "refused", "skipped", "errored", "crash", "hang", "not-asked", "nondet")
WORDS = {
    "outcome": OUTCOMES,
    "verdict": (*KIND_OF_VERDICT, "not-judged"),
    "basis": ("derived", "model"),
    "follows": ("unknown", "one", "several", "mixed"),
}
NO_TEXT = re.compile("[\0\ud800-\udfff]")


class Fault(Exception):
    """The message says what is wrong with a line."""


# ---- Members: each gives the value that a line has under a key


def text(line: Line, key: str) -> str:
    if key not in line:
        raise Fault(f"the line has no {key}")
    if not isinstance(line[key], str) or NO_TEXT.search(line[key]):
        raise Fault(f"{key} must be a text")
    return str(line[key])


def whole_list(line: Line, key: str) -> list[Any]:
    if not isinstance(line.get(key), list):
        raise Fault(f"the line has no list {key}")
    return list(line[key])


def texts(line: Line, key: str) -> list[str]:
    items = whole_list(line, key)
    if not all(isinstance(item, str) and not NO_TEXT.search(item) for item in items):
        raise Fault(f"{key} must be a list of texts")
    return items


def number(line: Line, key: str) -> int:
    value = line.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 64:
        raise Fault(f"the line has no number {key}")
    return value


def word(line: Line, key: str) -> str:
    if line.get(key) in WORDS[key]:
        return str(line[key])
    raise Fault(f"the line has no known {key}")


def boolean(line: Line, key: str) -> bool:
    if not isinstance(line.get(key), bool):
        raise Fault(f"{key} must be true or false")
    return bool(line[key])


def stale(line: Line, key: str) -> list[Line]:
    entries = whole_list(line, key)
    if not all(isinstance(entry, dict) for entry in entries):
        raise Fault("an entry of stale has no id")
    return [{"id": text(entry, "id"), "line": number(entry, "line"), "seen": boolean(entry, "seen")} for entry in entries]


# ---- Lines: the members that one must have, and those that it may have. Behind the first, a member tells which it is

Members = dict[Callable[[Line, str], Any], str]

FIRST: tuple[Members, Members] = (
    {text: "implementation version profile", texts: "choices"},
    {text: "revision label command doubt remark"},
)
OTHERS: dict[str, tuple[Members, Members]] = {
    "id": (
        {text: "id level op digest", texts: "clauses", word: "outcome verdict"},
        {word: "basis", number: "line", text: "path expected actual known answer listed note asked through module errors"},
    ),
    "choice": ({text: "choice alternatives", word: "follows", texts: "witnesses"}, {text: "profile"}),
    "vectors": (
        {number: "vectors not-applicable unreadable layers-lost-as-expected restarts fault-count", stale: "stale", texts: "faults"},
        {boolean: "partial"},
    ),
}


def members_of(line: Line, shape: tuple[Members, Members]) -> Line:
    musts, mays = ([(read, key) for read, keys in members.items() for key in keys.split()] for members in shape)
    return {key: read(line, key) for read, key in musts + [(read, key) for read, key in mays if key in line]}


def without_repetition(pairs: list[tuple[str, Any]]) -> Line:
    line = dict(pairs)
    if len(line) != len(pairs):
        raise Fault("a key is there twice")
    return line


class Reader:
    def __init__(self) -> None:
        self.head: Line = {}
        self.results: dict[str, Line] = {}
        self.findings: list[Line] = []
        self.totals: Line = {}

    def read(self, row: bytes) -> None:
        line = json.loads(row.decode(), object_pairs_hook=without_repetition)
        if not isinstance(line, dict):
            raise Fault("a line must be a JSON object")
        if self.totals:
            raise Fault("nothing may follow the totals")
        if self.head:
            self.add(next((key for key in OTHERS if key in line), None), line)
        elif "implementation" in line:
            self.head = members_of(line, FIRST)
        else:
            raise Fault("the first line must name the implementation")

    def add(self, kind: str | None, line: Line) -> None:
        if kind is None:
            raise Fault("the line is neither a result nor a choice nor the totals of a run")
        known = members_of(line, OTHERS[kind])
        if kind == "id":
            self.add_result(known)
        elif kind == "choice":
            self.findings.append(known)
        else:
            self.end(known)

    def add_result(self, line: Line) -> None:
        if not line["clauses"]:
            raise Fault("the result names no clause")
        if line["id"] in self.results:
            raise Fault(f"two results of {line['id'][:200]}")
        self.results[line["id"]] = line

    def end(self, totals: Line) -> None:
        """The results are counted again. Another number of them means that lines are missing."""
        if totals["vectors"] != len(self.results):
            raise Fault("the file has another number of results than its last line says")
        if len(totals["faults"]) > totals["fault-count"]:
            raise Fault("there are more faults than fault-count says")
        results = self.results.values()
        kinds = collections.Counter(mark_of(line).kind for line in results)
        outcomes = collections.Counter(line["outcome"] for line in results)
        faults = totals["fault-count"] + len(totals["stale"]) + totals["unreadable"]
        whole = not outcomes["not-asked"] and not totals.get("partial") and "doubt" not in self.head
        self.totals = {
            **totals,
            **{key: kinds["expected" if key == "as-expected" else key] for key in ("as-expected", "different", "known", "skipped", "not-judged")},
            "by-model": sum(line.get("basis") == "model" for line in results),
            "outcomes": {name: outcomes[name] for name in OUTCOMES},
            "good": whole and not kinds["different"] and not faults,
        }


def refuse(path: str, problem: str, code: str, number: int, row: bytes) -> NoReturn:
    diagnose(path, problem, code, number, row.decode(errors="replace"))
    sys.exit(UNUSABLE)


def read_run(path: str) -> Run:
    """`-` is stdin. Ends the program, after a message, when the file is none of a run."""
    rows = read_bytes(path).split(b"\n")
    if not rows[-1]:
        rows.pop()
    reader = Reader()
    for at, row in enumerate(rows, 1):
        try:
            reader.read(row)
        except Fault as fault:
            refuse(path, str(fault), "report.format", at, row)
        except (ValueError, RecursionError) as failure:
            refuse(path, f"this is no JSON: {failure}", "json.syntax", at, row)
    if not reader.totals:
        refuse(path, "the file ends before the totals of the run", "report.format", len(rows) + 1, b"")
    return Run([reader.head, *reader.results.values(), *reader.findings, reader.totals])
