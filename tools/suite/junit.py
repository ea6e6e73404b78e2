"""usage: junit.py [SECONDS]

The file of `--junit`, JUnit's XML with a test suite for each run. As a script it makes that of `dloc run`, from the lines of
stdin (README.md) to stdout; SECONDS is how long the run took.
"""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from xml.sax.saxutils import escape
from typing import Any

from runs import BROKEN, Run, clean, read_input, why_unjudged
from shown import show_output


def xml(text: str | None) -> str:
    """As content or as an attribute's value."""
    return escape(clean(text or ""), {'"': "&quot;", "'": "&#39;", "\n": "&#10;"})


def write_failure(result: SimpleNamespace) -> str:
    element = "error" if result.outcome in BROKEN else "failure"
    message = f"differs from what {'the model answers' if result.basis == 'model' else 'is expected'}"
    if result.outcome == "nondet":
        message = "two different answers"
    texts = f"expected:&#10;{xml(result.expected)}&#10;actual:&#10;{xml(result.actual)}"
    kind = result.outcome if result.outcome in (*BROKEN, "nondet") else "different"
    return f'<{element} type="{kind}" message="{message}">{texts}</{element}>'


def write_skip(result: SimpleNamespace) -> str:
    reasons = {"known": ": ".join(filter(None, ("known to fail", result.known))), "skipped": result.actual}
    return f'<skipped message="{xml(reasons.get(result.mark.kind, why_unjudged(result)))}"/>'


def write_case(result: SimpleNamespace) -> str:
    case = f'    <testcase name="{xml(result.id)}" classname="{xml(result.clauses[0])}"'
    if result.path:
        case += f' file="{xml(result.path)}"' + (f' line="{result.line}"' if result.line else "")
    if result.mark.kind == "expected":
        return case + "/>"
    return f"{case}>{(write_failure if result.mark.kind == 'different' else write_skip)(result)}</testcase>"


def write_faults(totals: dict[str, Any]) -> str:
    """A finding without a vector is a test case of its own, so that no reader of the file can miss it."""
    message = "{fault-count} faults of the adapter, {} stale expected failures, {unreadable} unreadable vectors"
    lines = totals["faults"] + ["stale: " + entry["id"] for entry in totals["stale"]]
    return (
        f'    <testcase name="(the run)" classname="run"><failure message="'
        f"{message.format(len(totals['stale']), **totals)}\">{''.join(xml(line) + '&#10;' for line in lines)}"
        "</failure></testcase>"
    )


def write_suite(run: Run, time: str) -> Iterator[str]:
    kinds = [result.mark.kind for result in run.all]
    errors = sum(result.mark.kind == "different" and result.outcome in BROKEN for result in run.all)
    counts = {
        "tests": len(run.all) + bool(run.has_faults),
        "failures": kinds.count("different") - errors + bool(run.has_faults),
        "errors": errors,
        "skipped": sum(kind not in ("expected", "different") for kind in kinds),
    }
    counted = "".join(f' {name}="{count}"' for name, count in counts.items())
    yield f'  <testsuite name="{xml(run.title)}"{counted}{time}>'
    yield from map(write_case, run.all)
    if run.has_faults:
        yield write_faults(run.totals)
    yield "  </testsuite>"


def junit(runs: list[Run], seconds: str | None = None) -> str:
    time = f' time="{seconds}"' if seconds else ""
    suites = (line for run in runs for line in write_suite(run, time))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *suites, "</testsuites>", ""])


if __name__ == "__main__":
    show_output()
    print(end=junit([read_input(sys.stdin.buffer)[1]], sys.argv[1]))
