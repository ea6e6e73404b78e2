"""usage: tap.py [SECONDS]

The file of `--tap`, in the Test Anything Protocol, version 13: a test point for each vector, and one for what belongs to
none. As a script it makes that of `dloc run`, from the lines of stdin (README.md) to stdout.
"""

import json
import re
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from runs import Run, clean, read_input, why_unjudged
from shown import show_output


def one_line(text: str | None) -> str:
    return re.sub("[\t\n]", " ", clean(text or ""))


def describe(text: str | None) -> str:
    """A character that would begin a directive or an escape is itself escaped."""
    return re.sub(r"([#\\])", r"\\\1", one_line(text))


def quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def write_block(key: str, text: str | None) -> Iterator[str]:
    """A literal block of YAML. A first line that begins with a blank would be taken for deeper indentation: then a string."""
    if text is None:
        return
    if not text or text[0] in " \n":
        yield f"  {key}: {quote(text)}"
        return
    yield f"  {key}: |"
    for line in text.removesuffix("\n").split("\n"):
        yield "    " + one_line(line)


def write_diagnostics(result: SimpleNamespace) -> Iterator[str]:
    yield f"  ---\n  clause: {quote(result.clauses[0])}\n  outcome: {quote(result.outcome)}\n  basis: {quote(result.basis)}"
    if result.path:
        yield f"  file: {quote(f'{result.path}:{result.line}' if result.line else result.path)}"
    first, second = ("first", "second") if result.outcome == "nondet" else ("expected", "actual")
    yield from write_block(first, result.expected)
    yield from write_block(second, result.actual)
    yield "  ..."


def directive_of(result: SimpleNamespace) -> str:
    if result.mark.kind == "known":
        return " # TODO " + describe(result.known or "known to fail")
    if result.mark.kind == "skipped":
        return " # SKIP " + describe(result.actual)
    return f" # SKIP {why_unjudged(result)}" if result.mark.kind == "not-judged" else ""


def write_point(number: int, result: SimpleNamespace) -> Iterator[str]:
    bad = result.mark.kind in ("different", "known")
    yield f"{'not ok' if bad else 'ok'} {number} - {describe(result.id)}{directive_of(result)}"
    if bad:
        yield from write_diagnostics(result)


def write_items(title: str, items: list[str]) -> Iterator[str]:
    if items:
        yield f"  {title}:"
    for item in items:
        yield f"    - {quote(item)}"


def write_faults(number: int, totals: dict[str, Any]) -> Iterator[str]:
    yield f"not ok {number} - (the run)\n  ---\n  unreadable: {totals['unreadable']}\n  faults: {totals['fault-count']}"
    yield from write_items("first faults", totals["faults"])
    yield from write_items("stale", [entry["id"] for entry in totals["stale"]])
    yield "  ..."


def write_run(run: Run) -> Iterator[str]:
    yield f"TAP version 13\n1..{len(run.all) + bool(run.has_faults)}\n# {one_line(run.title)}"
    for number, result in enumerate(run.all, 1):
        yield from write_point(number, result)
    if run.has_faults:
        yield from write_faults(len(run.all) + 1, run.totals)


def tap(run: Run) -> str:
    return "".join(f"{line}\n" for line in write_run(run))


if __name__ == "__main__":
    show_output()
    print(end=tap(read_input(sys.stdin.buffer)[1]))
