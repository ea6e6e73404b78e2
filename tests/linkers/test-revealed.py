#!/usr/bin/env python3
"""usage: tests/linkers/test-revealed.py few|all [PROGRAM...]

Real programs whose objects `dloc reveal` gave layers, through linkers. Beside each stands the same link of the objects that were not revealed: what
is loaded has to be equal, and each instruction has a number there, in the discriminator of its row. After linking each instruction has to have the
layers of its number, read from the text of the table, in each kind; and the program's own line table says what it says there but for numbers."""

import bisect
import collections
import dataclasses
import itertools
import json
import os
import re
import shutil
import sys
import tempfile

from links import LINKERS, ROOT, SHAPES, Failed, succeed, wrong_texts
from elf import Elf
from common import DLOC, Results, in_parallel, llvm, run
from modules import units
from readers import tabs

sys.path.insert(0, os.path.join(ROOT, "tests", "objects"))
from tables import Table, instructions  # noqa: E402

STAND_IN = 0x3FFFFFFF  # the line of a primary at line 0 while it is hidden
KINDS = {"TileIR": ".debug_line_tileir", "MLIR": ".debug_line_mlir"}
TEMPLATES = """
#include <map>
#include <string>
#include <vector>
template <class T> T sum(const std::vector<T> &v) { T s{}; for (const T &x : v) s += x; return s; }
inline int twice(int x) { return x + x; }
int first(int x) { int s = 7; for (int i = 0; i < x; i++) s = s * 31 + twice(i); return s; }
int second(int x) { int s = 7; for (int i = 0; i < x; i++) s = s * 31 + twice(i); return s; }
int unused(int x) { return sum<int>({x, first(x)}); }
int other(std::map<std::string, int> &m);
int main() { std::map<std::string, int> m{{"a", twice(1)}}; return other(m) + sum<int>({4, 5}) + first(3) - second(3) - 17; }
"""
OTHER = """
#include <map>
#include <string>
#include <vector>
template <class T> T sum(const std::vector<T> &v) { T s{}; for (const T &x : v) s += x; return s; }
inline int twice(int x) { return x + x; }
int other(std::map<std::string, int> &m) { m["b"] = twice(2); return m.size() + sum<int>({1, 2, 3}); }
"""


@dataclasses.dataclass
class Program:
    name: str
    sources: list  # (path, flags of the compiler)
    run: list = dataclasses.field(default_factory=list)  # arguments with which it ends with status 0
    version: int = 22
    triple: str = "x86_64-unknown-linux-gnu"
    llc: list = dataclasses.field(default_factory=list)
    lto: str = ""  # llvm-link, or lld: where modules become one
    hidden: list = dataclasses.field(default_factory=list)  # objects
    revealed: list = dataclasses.field(default_factory=list)
    tables: list = dataclasses.field(default_factory=list)

    def tool(self, name):
        return llvm(self.version, name)

    def make(self, folder):
        """The objects: each unit has a layer of its own lines, embedded, and one of its functions, is hidden with numbers of its own, and optimised."""
        parts = in_parallel(lambda numbered: self.module(folder, *numbered), enumerate(self.sources))
        self.tables = [table for _, table in parts]
        modules = [bitcode for bitcode, _ in parts]
        if self.lto == "llvm-link":
            modules = [os.path.join(folder, "all.bc")]
            succeed([self.tool("llvm-link"), *(bitcode for bitcode, _ in parts), "-o", modules[0]])
        if self.lto == "lld":
            self.hidden = [os.path.join(folder, "lto.o")]
            linker = [self.tool("clang++"), "-flto", "-w", f"--ld-path={llvm(self.version, 'ld.lld')}", f"-Wl,--lto-obj-path={self.hidden[0]}"]
            succeed([*linker, *modules, "-o", os.path.join(folder, "lto")])
        else:
            self.hidden = in_parallel(self.compiled, modules)
        self.revealed = [path + ".revealed.o" for path in self.hidden]
        many = len(self.hidden) != len(self.tables)
        for path, out, table in zip(self.hidden, self.revealed, self.tables):
            tables = [word for each in (self.tables if many else [table]) for word in ("--table", each)]
            succeed([DLOC, "reveal", "--fast", path, *tables, "-o", out])
        return self

    def module(self, folder, number, source):
        """(hidden bitcode, table) of a source file."""
        path, flags = source
        part = [os.path.join(folder, f"{number}.{ending}") for ending in ("0.ll", "1.ll", "2.ll", "hidden.ll", "bc", "table")]
        compiler = self.tool("clang++" if path.endswith(".cc") else "clang")
        common = ["-g", "-O2", "-fPIC", "-w", f"--target={self.triple}", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
        succeed([compiler, *common, *(["-flto"] if self.lto == "lld" else []), *flags, path, "-o", part[0]])
        succeed([DLOC, "annotate", "--all", "--layer", "TileIR", "--embed", part[0], "-o", part[1]])
        succeed([DLOC, "annotate", "--by-function", "--layer", "MLIR", "--file", f"/src/layers{number % 2}.mlir", part[1], "-o", part[2]])
        give_text(part[2], number % 2 == 0)
        succeed([DLOC, "hide", part[2], "--first", str(1 + number * 100000000), "--table", part[5], "-o", part[3]])
        succeed([self.tool("opt"), f"-passes={'lto-pre-link' if self.lto == 'lld' else 'default'}<O2>", part[3], "-o", part[4]])
        return part[4], part[5]

    def compiled(self, bitcode):
        out = bitcode.removesuffix(".bc") + ".o"
        model = ["-O2", "-filetype=obj", "-relocation-model=pic", "-function-sections", "-data-sections"]
        succeed([self.tool("llc"), *model, *(word.replace("$out", out) for word in self.llc), bitcode, "-o", out])
        return out


def give_text(path, embedded):
    """The layer MLIR gets a text that is the same in other units, or none."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    match = re.search(r'^(!\d+) = (!\{!"MLIR", !\d+, )!""\}$', text, re.M)
    if not match:  # a unit without functions
        return
    entry, content = match.groups()
    if embedded:
        text = text.replace(f'{entry} = {content}!""}}', f'{entry} = {content}!"// one text\\0Amodule {{ }}\\0A"}}')
    else:
        text = text.replace(f"!llvm.intermediate_level_source = !{{{entry}}}\n", "")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def programs(folder, few):
    paths = [os.path.join(folder, name) for name in ("first.cc", "second.cc")]
    for path, text in zip(paths, (TEMPLATES, OTHER)):
        with open(path, "w") as file:
            file.write(text)
    templates = [(path, []) for path in paths]
    yield Program("C++", templates)
    if few:
        return
    where, names, flags = units("lua")
    lua, hello = [(os.path.join(where, name), flags) for name in names], ["-e", "assert(string.rep('x', 3) == 'xxx')"]
    yield Program("Lua", lua, hello)
    yield Program("Lua, LLVM 14", lua, hello, version=14)
    borrowed = ["-isystem", "/usr/include/x86_64-linux-gnu", "-D__x86_64__"]  # headers of a C library: the objects are linked, and do not run
    yield Program("Lua, aarch64", [(path, [*flags, *borrowed]) for path, flags in lua], triple="aarch64-unknown-linux-gnu")
    yield Program("C++, llvm-link", templates, lto="llvm-link")
    yield Program("Lua, llvm-link", lua, hello, lto="llvm-link")
    yield Program("C++, LTO of lld", templates, lto="lld")
    yield Program("C++, split", templates, llc=["-split-dwarf-file=$out.dwo", "-split-dwarf-output=$out.dwo"])
    yield Program("C++, version 4", templates, version=19, llc=["-dwarf-version=4"])


# ---- Linking ----


def linked(program, linker, shape, objects, out):
    flags = [flag for flag in SHAPES[shape] if linker.folded or not flag.startswith("--icf")]
    if program.triple.startswith("aarch64"):  # there is no C library for it here
        flags = [flag for flag in flags if flag not in ("-pie", "-r", "-shared")]
        succeed([linker.command, "-shared", "-soname=program", *flags, *objects, "-o", out])
        return
    driver = [llvm(22, "clang++"), f"--ld-path={shutil.which(linker.command)}"]
    if shape == "relocatable":
        succeed([*driver, "-r", "-nostdlib", *objects, "-o", out + ".o"])
        objects, flags = [out + ".o"], []
    kind = [flag for flag in flags if flag in ("-pie", "-shared")] or ["-no-pie"]
    succeed([*driver, *kind, "-Wl,-soname=program", *(f"-Wl,{flag}" for flag in flags if flag not in kind), *objects, "-lm", "-ldl", "-o", out])
    if kind != ["-shared"]:
        succeed([out, *program.run])


# ---- What an instruction has ----


def covering(path, section, addresses):
    """{address: its rows, one of each sequence that covers it, in the order of the table}; sequences at 0 are of code that is gone."""
    found, sequence = collections.defaultdict(list), []
    for row in tabs(succeed([DLOC, "lines", "--tsv", "--section", section, path])):
        sequence.append(row)
        if "E" not in row.flags:
            continue
        if sequence[0].address:
            number = 0
            for address in addresses[bisect.bisect_left(addresses, sequence[0].address) : bisect.bisect_left(addresses, row.address)]:
                while sequence[number + 1].address <= address:
                    number += 1
                found[address].append(sequence[number])
        sequence = []
    return found


def place(row):
    """(file, line, column), or None at line 0. The directory of a file that names a section does not count."""
    text = row.file.find(".debug_txt.")
    return (row.file[max(text, 0) :], row.line, row.column) if row.line else None


def compared(program, linker, shape, folder, table):
    """Pairs of what was asked and what is wrong, or None; how many layers were compared."""
    hidden, revealed = (os.path.join(folder, f"{linker.name}-{shape}-{name}") for name in ("hidden", "revealed"))
    try:
        linked(program, linker, shape, program.hidden, hidden)
        linked(program, linker, shape, program.revealed, revealed)
    except Failed as problem:
        return [("link", str(problem))], 0
    elf = Elf(revealed)
    found = [("what is loaded", None if elf.loaded() == Elf(hidden).loaded() else "differs")]
    addresses = sorted(instructions(revealed))
    numbers, own = covering(hidden, ".debug_line", addresses), covering(revealed, ".debug_line", addresses)
    # With --icf the table of the program tells of code that was folded, too; that of a layer does or does not (links.py): one of the two counts.
    several = "icf" in "".join(SHAPES[shape])
    wrong = sum(not any(same_primary(has, had) for had in numbers[address]) for address in own for has in own[address][: None if several else 1])
    wrong += len(own.keys() ^ numbers.keys())
    found.append(("the program's own lines", f"{wrong} of {len(addresses)} instructions have other ones" if wrong else None))
    count, texts, tables = 0, set(), {}
    for kind, section in KINDS.items():
        layers, missing, other = covering(revealed, section, addresses), 0, 0
        tables[kind] = layers
        for address in addresses:
            wanted = [table.layers[row.discriminator].get(kind) if row.discriminator else None for row in numbers[address]]
            wanted = {row if row and row[1] else None for row in (wanted if several else wanted[:1]) or [None]}
            has = place(layers[address][0]) if address in layers else None
            missing += has is None and None not in wanted
            other += has is not None and has not in wanted
            count += has is not None
            texts |= {has[0]} if has and has[0].startswith(".debug_txt") else set()
        found.append((kind, f"of {len(addresses)} instructions {missing} have no layer, {other} have another" if missing or other else None))
    found.append(("dloc symbolize", asked_wrong(revealed, elf, addresses[:: 1 + len(addresses) // 2000], tables)))
    some = [address for address in own if own[address][0].line and len(own[address]) == 1]
    found.append(("gdb, addr2line and llvm-symbolizer", others_wrong(hidden, revealed, some[:: 1 + len(some) // 200])))
    names = [section.name for section in elf.named(".debug_txt")]
    found.append(("texts", None if len(names) == len(set(names)) and texts <= set(names) else f"{names}, and these are missing: {texts - set(names)}"))
    found.append(("hashes of texts", wrong_texts(elf, {section.name: section.data.decode() for section in elf.named(".debug_txt")})))
    return found, count


def asked_wrong(path, elf, addresses, tables):
    """The first answer of dloc symbolize that is not what the tables say, with the line of the text, or None."""
    texts = {section.name: section.data.decode(errors="replace").split("\n") for section in elf.named(".debug_txt")}
    _, output, errors = run([DLOC, "symbolize", "--json", path, *(f"{address:x}" for address in addresses)])
    answers = output.decode(errors="replace").splitlines()
    if len(answers) != len(addresses):
        return f"{len(answers)} answers to {len(addresses)} addresses: {errors[:300]}"
    for address, answer in zip(addresses, map(json.loads, answers)):
        wanted = {kind: place(rows[address][0]) for kind, rows in tables.items() if address in rows and rows[address][0].line}
        layers = answer.get("layers", [])
        has = {layer["kind"]: (os.path.join(layer.get("directory", ""), layer["file"]), layer["line"], layer["column"]) for layer in layers}
        lines = [(layer["text"], texts[layer["file"]][layer["line"] - 1]) for layer in layers if "text" in layer]
        if wanted != has or not lines and layers or any(one != other for one, other in lines):
            return f"{address:x}: {answer}, not {wanted}"
    return None


ANSWER = {  # program -> the command, where the file comes last, and what its answer to an address is
    "gdb": (
        lambda some: ["gdb", "-nx", "-batch", *(word for address in some for word in ("-ex", f"info line *{address:#x}"))],
        r'(Line \d+ of ".*?"|No line)',
    ),
    "addr2line": (lambda some: ["addr2line", "-a", *(f"{address:#x}" for address in some), "-e"], r"^(\S+?:(?:\d+|\?))(?= |$)"),
    "llvm-symbolizer": (lambda some: [llvm(22, "llvm-symbolizer"), "--no-inlines", *(f"{address:#x}" for address in some), "-e"], r"^(\S+:\d+:\d+)$"),
}


def others_wrong(hidden, revealed, addresses):
    """The first program that says something else of the program's own lines than before reveal, or None."""
    for program, (command, answer) in ANSWER.items():
        (status, before, _), (_, after, _) = (run([*command(addresses), path]) for path in (hidden, revealed))
        before, after = (re.findall(answer, output.decode(), re.M) for output in (before, after))
        if before != after or status == 0 and len(after) != len(addresses):  # mold -r loses strings of line tables, and gdb gives up
            return f"{program}: {len(after)} answers to {len(addresses)} addresses: {[*set(after) ^ set(before)][:2]}"
    return None


def same_primary(has, had):
    return (has.file, has.line) == (had.file, 0 if had.line == STAND_IN else had.line) and (has.column == had.column or not has.line)


def main():
    few, asked, results, figures = sys.argv[1] == "few", sys.argv[2:], Results(), []
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(programs(folder, few)):
            if asked and program.name not in asked:
                continue
            where = os.path.join(folder, str(number))
            os.makedirs(where)
            try:
                table = Table(program.make(where).tables)
            except Failed as problem:
                results.check(program.name, str(problem))
                continue
            shapes = {"C++": SHAPES, "Lua": ["executable", "relocatable", "everything"]}.get(program.name, ["everything"])
            shapes = ["everything"] if few else shapes
            cases = [
                (linker, shape)
                for linker, shape in itertools.product(LINKERS[-2:] if few else LINKERS, shapes)
                if shutil.which(linker.command) and program.triple.split("-")[0] in linker.machines and (linker.folded or "icf" not in shape)
            ]
            for (linker, shape), (found, count) in zip(cases, in_parallel(lambda case: compared(program, *case, where, table), cases)):
                figures.append(f"{program.name}, {linker.name}, {shape}: {count} layers")
                for what, problem in found:
                    results.check(f"{program.name}, {linker.name}, {shape}: {what}", problem)
    print("\n".join(figures))
    results.finish()


main()
