#!/usr/bin/env python3
"""usage: tests/bitcode/cost.py

conformance/llvm/cost.py on a small module: what it writes is whole, and agrees with what must be so of any module. Times are not looked at.
Ends with a line `N passed, N failed[, N skipped]`. Environment: DLOC, PATCHED_LLVM.
"""

import html.parser
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import DLOC, ROOT, Results, first_line, llvm, run  # noqa: E402

LAYOUTS = ("record", "upstream", "operands", "again", "irlayers")
CONTROLS = {"llvm-as", "irlayers-as"}


class Page(html.parser.HTMLParser):
    """Rows of its table, the names of its lines, and what it would fetch."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.lines, self.fetched, self.cell = [], 0, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.lines += tag == "polyline"
        self.cell = tag in ("td", "th")
        if tag == "tr":
            self.rows.append([])
        self.fetched += [value for name, value in attributes if name in ("src", "href") and value != "data:,"]

    def handle_endtag(self, tag):
        self.cell = False

    def handle_data(self, data):
        if self.cell:
            self.rows[-1].append(data)


def check_costs(costs, located, results):
    base = next(cost for cost in costs if not cost["layers"])
    of = {cost["layout"]: cost["bytes"] for cost in costs if cost["layers"]}
    wanted = {*LAYOUTS, *(["llvm-as"] if "llvm_seconds" in base else [])}
    results.check("layouts", None if wanted <= set(of) <= wanted | CONTROLS else f"{sorted(of)} are to be {sorted(wanted)}")
    counted = {cost["located"] for cost in costs} | {cost["layered"] for cost in costs if cost["layers"]}
    results.check("instructions", None if counted == {located} else f"{counted} are to be {located}")
    smaller = [layout for layout in of if of[layout] <= base["bytes"]]
    results.check("layers take room", f"none in {smaller}" if smaller else None)
    # One layer each: upstream's and ours write what the RFC's does, but primaries that repeat. Where there are atoms, `operands` has room for one in each record.
    order = of["again"] <= of["upstream"] <= of["record"]
    results.check("order of the layouts", None if order else str(of))
    return base["bytes"], of


def check_page(path, base, of, located, results):
    with open(path, encoding="utf-8") as file:
        page = Page(file.read())
    results.check("the page stands alone", f"it fetches {page.fetched}" if page.fetched else None)
    results.check("the page has lines", None if page.lines >= len(LAYOUTS) else f"{page.lines}")
    shown = dict(zip(page.rows[0], page.rows[1]))
    wrong = [layout for layout in LAYOUTS if float(shown[layout].replace(",", "")) != round((of[layout] - base) * 1000 / located)]
    results.check("the page's table", f"{shown}" if wrong else None)


def main():
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        module = os.path.join(folder, "example.ll")
        source = os.path.join(ROOT, "tests", "bitcode", "example.c")
        status, _, errors = run([llvm(19, "clang"), "-O0", "-g", "-w", "-S", "-emit-llvm", source, "-o", module])
        if status != 0:
            results.check("clang 19", first_line(errors))
            results.finish()
        _, output, _ = run([DLOC, "print", "--locations", module])
        with open(module, encoding="utf-8") as file:
            located = len(output.splitlines()) - file.read().count("#dbg_")
        command = [os.path.join(ROOT, "conformance", "llvm", "cost.py"), "--quick", "--runs", "1", "--module", module, "--output", folder]
        status, _, errors = run(command)
        results.check("exit status", f"{status}: {first_line(errors)}" if status else None)
        if status == 0:
            with open(os.path.join(folder, "cost.jsonl"), encoding="utf-8") as file:
                base, of = check_costs([json.loads(line) for line in file], located, results)
            check_page(os.path.join(folder, "cost.html"), base, of, located, results)
    results.finish()


main()
