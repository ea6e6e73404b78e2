#!/usr/bin/env python3
"""usage: conformance/llvm/cost.py [--bin BIN] [--irlayers-bin BIN] [--module FILE.ll] [--quick] [--runs N] [--output DIR]

What layers cost: bytes of bitcode, and memory and processor time to read it, for each thousand located instructions. A real program (Lua, compiled by
clang 22 -O0 -g, or FILE.ll, which has none) gets layers in every combination of
  layers     0, 1, 2 and 4 in each instruction that has any
  share      10, 50 and 100 % of the located instructions have them
  run        each line of a layer belongs to 1, 4 or 16 instructions, one after the other
and `dloc assemble` makes bitcode of it in five layouts:
  record     the RFC's: a record for each layer
  upstream   PR 205453's: the same, for the first layer only, also where the location repeats
  operands   layers as operands of the primary's record
  again      layers as operands of a DEBUG_LOC_AGAIN, which old readers skip
  irlayers   the form irlayers: a list as operand of the location, which names layers
Memory and time are those of the patched LLVM in BIN (default build/patched-llvm/bin), `opt -passes=verify`, for the layout that it reads, and of `dloc
verify` for all; the least of N runs (3). Without BIN only dloc is measured. llvm-as is what that LLVM writes itself, irlayers-as what the
patched LLVM of the other form does (default build/patched-irlayers/bin). --quick tries two combinations. Every run on every
machine gives the same bytes; times are ratios within one run.

Writes cost.jsonl, a line for each combination and layout, and cost.html to DIR (default build), and prints a table. Environment: DLOC.
"""

import argparse
import html
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "real"))
from common import DLOC, ROOT, first_line, llvm  # noqa: E402

STOCK = os.path.dirname(llvm(22, "llvm-as"))
LAYOUTS = {
    "record": ["--choice", "bitcode.layout=record"],
    "upstream": ["--profile", "pr205453"],
    "operands": ["--choice", "bitcode.layout=operands"],
    "again": ["--choice", "bitcode.layout=again"],
    "irlayers": ["--profile", "pr215666"],
}
READ_BY_LLVM = "record"
CONTROLS = ("llvm-as", "irlayers-as")
LAYERS, SHARES, RUNS_OF_LINES = (1, 2, 4), (10, 50, 100), (1, 4, 16)
LIMIT = 600
Cost = dict[str, Any]  # a line of cost.jsonl


# ---- Modules with layers

LOCATED = re.compile(r"^ .*, !dbg !(\d+)(?=,|$)")
DEFINE = re.compile(r"^define .*!dbg !(\d+)")
NUMBER = re.compile(r"^!(\d+) = ", re.MULTILINE)
LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\((.*)\)$", re.MULTILINE)


def is_layered(index: int, share: int) -> bool:
    """The same instructions each time, spread over the program: those of a smaller share are among those of a larger one."""
    return index * 2654435761 % 2**32 < share * 2**32 // 100


class Layering:
    """Gives the located instructions of a module's text layers."""

    def __init__(self, text: str, layers: int, share: int, run: int) -> None:
        self.layers, self.share, self.run = layers, share, run
        self.located = self.layered = 0
        self.next = max(map(int, NUMBER.findall(text)), default=-1) + 1
        self.added: list[str] = []
        self.known: dict[str, int] = {}
        self.files = [self.node(f'!DIFile(filename: "layer{kind}.ir", directory: ".")') for kind in range(layers)]
        self.text = "\n".join(self.lines(text)) + "\n" + "".join(self.added) + self.sources()

    def node(self, content: str) -> int:
        if content not in self.known:
            self.known[content] = self.next
            self.added.append(f"!{self.next} = {content}\n")
            self.next += 1
        return self.known[content]

    def sources(self) -> str:
        entries = [self.node(f'!{{!"LAYER{kind}", !{file}, !""}}') for kind, file in enumerate(self.files)]
        definitions = "".join(self.added[len(self.added) - len(entries):])
        names = ", ".join(f"!{entry}" for entry in entries)
        return f"{definitions}!llvm.intermediate_level_source = !{{{names}}}\n" if entries else ""

    def layered_location(self, primary: str, subprogram: str) -> int:
        line = self.layered // self.run + 1
        operands = [f"!{primary}"]
        for kind, file in enumerate(self.files):
            scope = self.node(f"!DILexicalBlockFile(scope: !{subprogram}, file: !{file}, discriminator: 0)")
            place = self.node(f"!DILocation(line: {line}, column: {kind + 1}, scope: !{scope})")
            operands.append("!%d" % self.node(f'!{{!"LAYER{kind}", !{place}}}'))
        self.layered += 1
        return self.node(f"!{{{', '.join(operands)}}}")

    def lines(self, text: str) -> Iterator[str]:
        subprogram = ""
        for line in text.splitlines():
            define = DEFINE.match(line)
            subprogram = define[1] if define else "" if line == "}" else subprogram
            found = LOCATED.match(line) if subprogram else None
            if found:
                if self.layers and is_layered(self.located, self.share):
                    line = f"{line[: found.start(1)]}{self.layered_location(found[1], subprogram)}{line[found.end(1) :]}"
                self.located += 1
            yield line


class Listing(Layering):
    """The same layers in the form irlayers."""

    def __init__(self, text: str, *how: int) -> None:
        self.contents = dict(LOCATION.findall(text))
        super().__init__(text, *how)

    def sources(self) -> str:
        return ""

    def layered_location(self, primary: str, _: str) -> int:
        line = self.layered // self.run + 1
        layers = [
            self.node(f'!DILayerLoc(line: {line}, column: {kind + 1}, file: !{file}, kind: "LAYER{kind}")') for kind, file in enumerate(self.files)
        ]
        entries = self.node(f"!DILayerLocList({', '.join(f'!{layer}' for layer in layers)})")
        self.layered += 1
        return self.node(f"!DILocation({self.contents[primary]}, irlayers: !{entries})")


# ---- Measuring


def fail(message: object) -> NoReturn:
    sys.exit(f"cost: {message}")


# The peak memory of a process is at least that of the one that starts it, so a small one does.
STARTER = """
import json, os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)
null = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=null), 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]))
"""


def measure(command: list[str]) -> tuple[float, int]:
    """(processor seconds, peak memory in bytes) of a command that ends well."""
    starter = [sys.executable, "-I", "-S", "-c", STARTER, str(LIMIT), *command]
    done = subprocess.run(starter, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=2 * LIMIT)
    status, seconds, memory = json.loads(done.stdout) if done.returncode == 0 else (done.returncode, 0, 0)
    if status:
        fail(f"{' '.join(command)}: exit status {status}: {first_line(done.stderr)}")
    return seconds, memory


def least(command: list[str], runs: int) -> tuple[float, int]:
    measured = [measure(command) for _ in range(runs)]
    return min(time for time, _ in measured), min(memory for _, memory in measured)


def readers(layout: str, bitcode: str, binaries: str | None) -> Iterator[tuple[str, list[str]]]:
    yield "dloc", [DLOC, "verify", *(LAYOUTS[layout] if layout == "irlayers" else []), bitcode]
    if binaries and layout == READ_BY_LLVM:
        yield "llvm", [os.path.join(binaries, "opt"), "-passes=verify", "-disable-output", bitcode]


def cell(text: str, layers: int, share: int, run: int, layouts: Iterable[str], options: argparse.Namespace, folder: str) -> Iterator[Cost]:
    """The cost of one combination in each layout: dicts that are lines of cost.jsonl."""
    bitcode = os.path.join(folder, "layered.bc")
    made, sources = {}, {}
    for form in (Layering, Listing):
        made[form] = form(text, layers, share, run)
        sources[form] = os.path.join(folder, f"{form.__name__}.ll")
        with open(sources[form], "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(made[form].text)

    def result(layout: str, form: type[Layering]) -> Cost:
        return {"layers": layers, "share": share, "run": run, "layout": layout, "located": made[form].located,
                "layered": made[form].layered, "bytes": os.path.getsize(bitcode)}

    for layout in layouts:
        form = Listing if layout == "irlayers" else Layering
        measure([DLOC, "assemble", sources[form], "--llvm", STOCK, *LAYOUTS[layout], "-o", bitcode])
        found = result(layout, form)
        for reader, command in readers(layout, bitcode, options.bin):
            found[f"{reader}_seconds"], found[f"{reader}_memory"] = least(command, options.runs)
        yield found
    for control, binaries, form in zip(CONTROLS, (options.bin, options.irlayers_bin), (Layering, Listing)):
        if binaries:
            measure([os.path.join(binaries, "llvm-as"), sources[form], "-o", bitcode])
            yield result(control, form)


def combinations(quick: bool) -> Iterator[tuple[int, int, int]]:
    yield 0, 0, 1
    yield from [(1, 100, 1)] if quick else itertools.product(LAYERS, SHARES, RUNS_OF_LINES)


def measure_all(text: str, options: argparse.Namespace) -> list[Cost]:
    results: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder:
        for layers, share, run in combinations(options.quick):
            print(f"{layers} layers, {share} %, {run} to a line", file=sys.stderr)
            layouts = tuple(LAYOUTS) if layers else (READ_BY_LLVM,)
            results += cell(text, layers, share, run, layouts, options, folder)
    if results[0]["located"] == 0:
        fail("the module has no located instruction")
    return results


# ---- Tables


class Table:
    """Costs beyond those of the module without layers."""

    def __init__(self, results: list[Cost]) -> None:
        self.results = [result for result in results if result["layers"]]
        self.base = {result["layout"]: result for result in results if not result["layers"]}
        self.of = {(r["layers"], r["share"], r["run"], r["layout"]): r for r in self.results}

    def more(self, result: Cost, key: str) -> float | None:
        """Per thousand located instructions; None when it was not measured."""
        base = self.base.get(result["layout"] if result["layout"] in CONTROLS else READ_BY_LLVM, {})
        if key not in result or key not in base:
            return None
        return float(result[key] - base[key]) * 1000 / float(result["located"])

    def ratio(self, result: Cost, key: str) -> float | None:
        base = self.base[READ_BY_LLVM]
        return float(result[key]) / float(base[key]) if key in result and base.get(key) else None

    def rows(self) -> Iterator[list[Any]]:
        for layers, share, run in dict.fromkeys((r["layers"], r["share"], r["run"]) for r in self.results):
            found = {layout: self.of[layers, share, run, layout] for layout in LAYOUTS}
            record = found[READ_BY_LLVM]
            bytes_of = [self.more(found[layout], "bytes") for layout in LAYOUTS]
            controls = [self.of.get((layers, share, run, control)) for control in CONTROLS]
            yield [layers, share, run, *bytes_of, *(control and self.more(control, "bytes") for control in controls), self.more(record, "llvm_memory"),
                   self.ratio(record, "llvm_seconds"), self.more(record, "dloc_memory"),
                   self.ratio(record, "dloc_seconds")]


COLUMNS = ["layers", "share %", "run", *LAYOUTS, *CONTROLS, "LLVM memory", "LLVM time", "dloc memory", "dloc time"]


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) and value < 20 else f"{value:,.0f}"


def print_table(table: Table) -> None:
    base = table.base[READ_BY_LLVM]
    print(f"{base['located']:,} located instructions, {base['bytes']:,} bytes of bitcode without layers. For each thousand of them, more bytes of")
    print("bitcode by layout (llvm-as, irlayers-as: what the patched LLVMs write) and more bytes of memory; times as multiples of those without layers.")
    rows = [COLUMNS, *(list(map(shown, row)) for row in table.rows())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    for row in rows:
        print("  ".join(text.rjust(width) for text, width in zip(row, widths)).rstrip())


# ---- The page

STYLE = """:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--faint:#59636e;--line:#d1d9e0;--panel:#f6f8fa;
--c0:#0b5cad;--c1:#b3261e;--c2:#1a7f37;--c3:#8a5a00;--c4:#6f3fb5}
@media(prefers-color-scheme:dark){:root{--back:#0f1318;--text:#e6e9ec;--faint:#9aa5b1;--line:#39424d;--panel:#181e25;
--c0:#7ab7ff;--c1:#ff8f87;--c2:#5bd07a;--c3:#e0b050;--c4:#c3a1f5}}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem}h2{margin-top:2rem;border-bottom:1px solid var(--line)}figure{display:inline-block;margin:0 1rem 1rem 0}
.scroll{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.2rem .6rem;border:1px solid var(--line);text-align:right}
th{background:var(--panel)}svg{display:block;max-width:100%}svg text{fill:var(--text);font:12px system-ui,sans-serif}
.axis{stroke:var(--line)}.faint{fill:var(--faint)}dt{font-weight:600}dd{margin:0 0 .4rem 1.5rem}
"""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 520, 300, 76, 76, 12, 40


def ticks(top: float) -> list[float]:
    power = 10 ** (len(str(int(max(top, 1)))) - 1)
    step = next(s for s in (power / 5, power / 2, power, 2 * power) if top / s <= 6)
    return [step * i for i in range(int(top / step) + 1)]


def plot(caption: str, x_label: str, xs: list[Any], series: list[tuple[str, list[float | None]]], place: Callable[[Any], float] = float) -> str:
    """A line for each (name, values at xs); dots have their numbers as titles. place: where a value stands on the axis, in any unit."""
    top = max([value for _, values in series for value in values if value is not None] + [1]) * 1.05
    first, last = place(xs[0]), place(xs[-1])

    def at(x: Any, value: float) -> tuple[float, float]:
        across = (place(x) - first) / (last - first)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)

    parts = [f'<figure><figcaption>{html.escape(caption)}</figcaption><svg width="{WIDTH}" height="{HEIGHT}" role="img" '
             f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="{html.escape(caption)}">']
    for tick in ticks(top):
        y = at(xs[0], tick)[1]
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                     f'<text class="faint" text-anchor="end" x="{LEFT - 6}" y="{y + 4:.1f}">{tick:,.0f}</text>')
    for x in xs:
        parts.append(f'<text class="faint" text-anchor="middle" x="{at(x, 0)[0]:.1f}" y="{HEIGHT - BOTTOM + 18}">{x}</text>')
    parts.append(f'<text class="faint" text-anchor="middle" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}">{html.escape(x_label)}</text>')
    labels: list[tuple[float, str, int]] = []
    for number, (name, values) in enumerate(series):
        points = [(*at(x, value), value) for x, value in zip(xs, values) if value is not None]
        if not points:
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        parts.append(f'<polyline fill="none" stroke="var(--c{number})" stroke-width="2" points="{path}"/>')
        parts += [f'<circle r="3.5" fill="var(--c{number})" cx="{x:.1f}" cy="{y:.1f}"><title>{html.escape(name)}: {value:,.0f}</title></circle>'
                  for x, y, value in points]
        labels.append((points[-1][1], name, number))
    above = TOP - 14.0
    for label in sorted(labels):  # those that would lie on each other are moved apart
        above = max(label[0], above + 14)
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{above + 4:.1f}" style="fill:var(--c{label[2]})">{html.escape(label[1])}</text>')
    return "".join(parts) + "</svg></figure>"


def plots(table: Table) -> Iterator[str]:
    def values(layout: str, key: str, cells: list[tuple[int, int, int]]) -> list[float | None]:
        return [0 if not c[0] else table.more(table.of[(*c, layout)], key) if (*c, layout) in table.of else None for c in cells]

    layers = [(0, 0, 1), *((n, 100, 1) for n in LAYERS)]
    shares = [(0, 0, 1), *((1, share, 1) for share in SHARES)]
    runs = [(1, 100, run) for run in RUNS_OF_LINES]
    axes: tuple[tuple[str, str, list[tuple[int, int, int]], int, Callable[[Any], float]], ...] = (
        ("every instruction has layers, each its own line", "layers", layers, 0, float),
        ("one layer, each its own line", "% of the instructions have it", shares, 1, float),
        ("every instruction has one layer", "instructions for each line of the layer", runs, 2, math.log2),
    )
    for caption, label, cells, x, place in axes:
        for what, series in (
            ("Bytes of bitcode", [(layout, values(layout, "bytes", cells)) for layout in LAYOUTS]),
            ("Bytes of memory", [(reader, values("record", reader.lower() + "_memory", cells)) for reader in ("LLVM", "dloc")]),
        ):
            yield plot(f"{what}: {caption}", label, [c[x] for c in cells], series, place)


TERMS = {
    "record": "The RFC's layout: behind the primary's DEBUG_LOC one more for each layer.",
    "upstream": "PR 205453's: the same for the first layer alone; DEBUG_LOC_AGAIN stands for the primary, so that the layer of a location that repeats "
    "is written each time.",
    "operands": "Layers as further operands of the primary's DEBUG_LOC.",
    "again": "Layers as operands of a DEBUG_LOC_AGAIN. The one layout that stock LLVM 14 to 22 reads without losing anything of the primary.",
    "irlayers": "The form irlayers, of LLVM's main branch: a list as operand of the location; layers and lists are metadata, of one function if only that "
    "uses them.",
    "irlayers-as": "What the patched LLVM of the form irlayers makes of the module. `dloc assemble` writes as much.",
    "llvm-as": "What the patched LLVM's own writer makes of the module: the RFC's layout. It keeps a function's scopes with the function, `dloc assemble` with "
    "the module; the difference is what that costs.",
    "LLVM, dloc": "Reading it all: the patched LLVM's opt -passes=verify, and dloc verify. Memory is peak resident memory beyond that of the module without "
    "layers, and time processor time as a multiple of it.",
    "share, run": "How many of the located instructions have layers, and how many of those in a row have the same line in each layer.",
}


def write_page(table: Table, name: str, path: str) -> None:
    base = table.base[READ_BY_LLVM]
    head = "".join(f"<th>{html.escape(column)}</th>" for column in COLUMNS)
    body = "".join("<tr>" + "".join(f"<td>{shown(value)}</td>" for value in row) + "</tr>\n" for row in table.rows())
    terms = "".join(f"<dt>{html.escape(term)}</dt><dd>{html.escape(text)}</dd>\n" for term, text in TERMS.items())
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<link rel="icon" href="data:,"><title>What layers cost</title><style>{STYLE}</style></head><body>
<h1>What layers cost</h1>
<p>{html.escape(name)}: {base['located']:,} located instructions, {base['bytes']:,} bytes of bitcode without layers. Everything below is beyond that, for each
thousand located instructions. Embedded source texts are not counted.</p>
<h2>Bitcode and memory</h2>
{"".join(plots(table))}
<h2>Everything</h2>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>
{body}</tbody></table></div>
<h2>Words</h2>
<dl>{terms}</dl>
</body></html>
""")


# ---- The command


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(usage=__doc__.removeprefix("usage: ").replace("%", "%%"), add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--bin", default=os.environ.get("PATCHED_LLVM", os.path.join(ROOT, "build", "patched-llvm", "bin")))
    parser.add_argument("--irlayers-bin", default=os.environ.get("PATCHED_IRLAYERS", os.path.join(ROOT, "build", "patched-irlayers", "bin")))
    parser.add_argument("--module")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--output", default=os.path.join(ROOT, "build"))
    options = parser.parse_args()
    if options.help:
        print(__doc__, end="")
        sys.exit(0)
    if options.runs < 1:
        fail("--runs takes a number from 1 on")
    if not os.path.exists(os.path.join(options.bin, "opt")):
        print(f"cost: there is no {options.bin}/opt: LLVM is not measured", file=sys.stderr)
        options.bin = None
    if not os.path.exists(os.path.join(options.irlayers_bin, "llvm-as")):
        options.irlayers_bin = None
    return options


def main() -> None:
    options = parse()
    if not options.module:
        from modules import build

        options.module = build("lua-22-O0")
    try:
        with open(options.module, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError as error:
        fail(error)
    results = measure_all(text, options)
    os.makedirs(options.output, exist_ok=True)
    with open(os.path.join(options.output, "cost.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(result) + "\n" for result in results)
    table = Table(results)
    write_page(table, os.path.basename(options.module), os.path.join(options.output, "cost.html"))
    print_table(table)


main()
