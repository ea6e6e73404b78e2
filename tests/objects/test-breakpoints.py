#!/usr/bin/env python3
"""usage: tests/objects/test-breakpoints.py few|all

The program's own lines, beside layers: gdb sets a breakpoint at each line and each function of breakpoints.cpp, in a program of stock LLVM 14, 19
and 22 without layers, and in those with layers. A breakpoint must have the same locations in both: addresses, functions, lines.
- tools/drop-in/opt and llc as they come: all breakpoints, and all rows of the line table, are those of the program without layers.
- `dloc hide`, the stock opt and llc, `dloc reveal --exact`: the same.
- `dloc reveal --fast`: the breakpoints differ at most where spec/hidden.md 17.4 says, and rows that begin a statement behind another stay.
Each program must have a table of layers, and gdb must answer. few: -O2 by the three LLVMs, and one at -O0, where every instruction has a layer; all: more levels.
An LLVM that is not installed is left out, and that is told. Environment: DLOC (default build/dloc)."""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from tables import LLVM, run  # noqa: E402

DLOC = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
SOURCE = os.path.join(HERE, "breakpoints.cpp")
VERSIONS = (14, 19, 22)
Case = collections.namedtuple("Case", "version level annotate")
FEW = [Case(version, "2", ()) for version in VERSIONS] + [Case(22, "0", ("--all",))]
ALL = FEW + [Case(version, level, words) for version in VERSIONS for level, words in (("0", ("--all",)), ("1", ()), ("3", ()), ("s", ())) if version != 22 or level != "0"]


def tool(version, name):
    return f"/usr/lib/llvm-{version}/bin/{name}"


def lines_of(pattern):
    """The numbers of the source's lines that have it."""
    with open(SOURCE, encoding="utf-8") as file:
        return {number for number, line in enumerate(file, 1) if re.search(pattern, line)}


def give_line_0(text):
    """The first instructions of zero_... stand for no line: those up to the first one that writes or calls."""
    added = []

    def change(match):
        body, scope = match[0], match[1]
        first = re.search(r"^  (?:%\S+ = )?(?:store|(?:tail )?call) (?!.*@llvm\.dbg).*, !dbg !\d+.*\n", body, re.M)
        added.append(f"!{next_node + len(added)} = !DILocation(line: 0, scope: {scope})\n")
        end = body.index("\n") + 1
        head = re.sub(r"(?<!\)), !dbg !\d+", f", !dbg !{next_node + len(added) - 1}", body[end : first.end()], flags=re.M)
        return body[:end] + head + body[first.end() :]

    next_node = 1 + max(int(number) for number in re.findall(r"^!(\d+) = ", text, re.M))
    text = re.sub(r"^define [^\n]*@_ZL?\d+zero_\w+\([^\n]* !dbg (!\d+) \{\n.*?^\}\n", change, text, flags=re.M | re.S)
    assert len(added) == 4, f"{len(added)} functions have got line 0"
    return text + "".join(added)


# ---- Programs --------------------------------------------------------------------------------------------------------------------------------------


class Programs:
    """breakpoints.cpp without layers (base) and with layers, by the ways to get them."""

    def __init__(self, case, folder):
        self.case, self.folder = case, folder
        self.module, self.layered = self.path("module.ll"), self.path("layered.ll")
        flags = ["-g", "-O2" if case.level != "0" else "-O0", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
        text = run(tool(case.version, "clang++"), *flags, "-o", "-", SOURCE)
        with open(self.module, "w", encoding="utf-8") as file:
            file.write(give_line_0(text))
        run(DLOC, "annotate", "--layer", "LLVM", "--embed", "--functions", *case.annotate, self.module, "-o", self.layered)
        run(DLOC, "project", "--primary", self.layered, "-o", self.module)  # --all adds instructions at line 0
        self.objects = {"base": self.stock(self.module)}
        self.objects["the drop-in"] = self.drop_in()
        self.objects["--exact"], self.objects["--fast"] = self.by_hand()
        self.linked = {way: self.link(item) for way, item in self.objects.items()}

    def path(self, name):
        return os.path.join(self.folder, name)

    def commands(self, opt, llc, module, fast, item, environment):
        run(opt, f"-passes=default<O{self.case.level}>", "-S", module, "-o", fast, env=environment)
        run(llc, "-O" + ("0" if self.case.level == "0" else "2"), "-filetype=obj", fast, "-o", item, env=environment)
        return item

    def stock(self, module):
        stem = module.removesuffix(".ll")
        return self.commands(tool(self.case.version, "opt"), tool(self.case.version, "llc"), module, stem + ".opt.ll", stem + ".o", None)

    def drop_in(self):
        environment = {**os.environ, "DLOC": DLOC, "DLOC_LLVM": os.path.dirname(tool(self.case.version, "opt"))}
        environment.pop("DLOC_MODE", None)
        opt, llc = (os.path.join(ROOT, "tools", "drop-in", name) for name in ("opt", "llc"))
        return self.commands(opt, llc, self.layered, self.path("drop-in.ll"), self.path("drop-in.o"), environment)

    def by_hand(self):
        table, base, plain, exact, fast = map(self.path, ("table", "base.ll", "plain.ll", "exact.o", "fast.o"))
        run(DLOC, "hide", "--exact", base, "--table", table, self.layered, "-o", plain)
        base, plain = self.stock(base), self.stock(plain)
        run(DLOC, "reveal", "--exact", base, "--table", table, plain, "-o", exact)
        run(DLOC, "reveal", "--fast", "--table", table, plain, "-o", fast)
        return exact, fast

    def link(self, item):
        program = item.removesuffix(".o")
        run(tool(self.case.version, "clang++"), "-no-pie", item, "-o", program)
        return program


def breakpoints(program):
    """{what was asked: its locations}, as gdb prints them."""
    names = re.findall(r"^\S+ [TtWw] (_Z\S+|main)$", run(f"{LLVM}/llvm-nm", program), re.M)
    with open(SOURCE, encoding="utf-8") as file:
        asked = [f"breakpoints.cpp:{number}" for number, _ in enumerate(file, 1)] + sorted(name for name in names if "clang_call_terminate" not in name)
    words = [word for command in ("set breakpoint pending on", "set width 0", *(f"break {name}" for name in asked), "info breakpoints") for word in ("-ex", command)]
    found = {name: [] for name in asked}
    for line in run("gdb", "-nx", "-batch", *words, program, env={**os.environ, "LC_ALL": "C"}).partition("\nNum ")[2].splitlines():
        match = re.match(r"(\d+)(?:\.\d+)? +(?:breakpoint +keep )?y +(0x[0-9a-f]+.*)$", line)
        if match:
            found[asked[int(match[1]) - 1]].append(match[2].replace(os.path.dirname(SOURCE) + "/", ""))
    assert sum(map(bool, found.values())) > 40, "gdb does not find the lines"
    return found


def rows(path):
    """Each row of .debug_line as llvm-dwarfdump prints it."""
    return re.findall(r"^0x.*", run(f"{LLVM}/llvm-dwarfdump", "--debug-line", path), re.M)


def statements(path):
    """(address, line) of each row that begins a statement, but for those behind a row at line 0."""
    found, before = collections.Counter(), None
    for row in rows(path):
        address, line = row.split()[:2]
        if "is_stmt" in row and "end_sequence" not in row and before != "0":
            found[address, int(line)] += 1
        before = line
    return found


def has_layers(path):
    return " .debug_line_llvm " in run(f"{LLVM}/llvm-readelf", "-SW", path)


# ---- Tests -----------------------------------------------------------------------------------------------------------------------------------------


def differing(base, other):
    return [name for name in base if base[name] != other.get(name)]


def same(programs, base, way):
    assert has_layers(programs.objects[way]), "the object has no layers"
    other = differing(base, breakpoints(programs.linked[way]))
    assert not other, f"{len(other)} breakpoints differ: {' '.join(other[:8])}"
    assert rows(programs.objects[way]) == rows(programs.objects["base"]), "the line table is another one"
    return f"{len(base)} breakpoints, {sum(map(len, base.values()))} locations"


def nearly_same(programs, base):
    """One run may lose these: lines where two layers meet at one place, and the first rows of functions that begin at line 0."""
    assert has_layers(programs.objects["--fast"]), "the object has no layers"
    allowed, found = lines_of(r"OVER\(|SIDE\(|zero_"), breakpoints(programs.linked["--fast"])
    other = differing(base, found)
    places = {place for name in other for place in set(base[name]) ^ set(found[name])}
    strange = [place for place in places if int(place.rpartition(":")[2]) not in allowed]
    assert not strange, f"locations that should not differ: {strange[:8]}"
    lost = statements(programs.objects["base"]) - statements(programs.objects["--fast"])
    strange = [place for place in lost if place[1] not in allowed]
    assert not strange, f"statements that should not be lost: {strange[:8]}"
    return f"{len(other)} of {len(base)} breakpoints differ, {sum(lost.values())} statements are lost"


def notices(programs, base):
    """gdb sees it when a line is lost: the object with numbers instead of lines stands for such a one."""
    with open(programs.module, encoding="utf-8") as file:
        text = file.read()
    other = programs.path("other.ll")
    with open(other, "w", encoding="utf-8") as file:
        file.write(re.sub(r"line: (\d+), column: (?=\d+, scope)", lambda match: f"line: {int(match[1]) + (int(match[1]) > 50)}, column: ", text))
    assert differing(base, breakpoints(programs.link(programs.stock(other)))), "a program with other lines has the same breakpoints"


def main():
    if sys.argv[1:] not in (["few"], ["all"]):
        sys.exit(__doc__)
    counts = collections.Counter(passed=0, failed=0)
    skipped = 0

    def check(name, test, *arguments):
        try:
            print(f"{name}: {test(*arguments) or 'fine'}")
            counts["passed"] += 1
        except (AssertionError, subprocess.TimeoutExpired) as error:
            print(f"FAILED {name}: {error}")
            counts["failed"] += 1

    for case in FEW if sys.argv[1] == "few" else ALL:
        name = f"LLVM {case.version} -O{case.level} {' '.join(case.annotate)}".rstrip()
        if not os.path.exists(tool(case.version, "clang++")) or not shutil.which("gdb"):
            print(f"{name}: not installed")
            skipped += 1
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = []
            check(f"{name}: programs", lambda: made.append(Programs(case, folder)))
            check(f"{name}: base", lambda: made.append(breakpoints(made[0].linked["base"])))
            if len(made) == 2:
                check(f"{name}: the drop-in", same, *made, "the drop-in")
                check(f"{name}: --exact", same, *made, "--exact")
                check(f"{name}: --fast", nearly_same, *made)
                if case == FEW[0]:
                    check(f"{name}: other lines are noticed", notices, *made)
    print(f"{counts['passed']} passed, {counts['failed']} failed" + (f", {skipped} skipped" if skipped else ""))
    return counts["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
