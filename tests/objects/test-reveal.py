#!/usr/bin/env python3
"""usage: tests/objects/test-reveal.py few|all

Objects of stock LLVMs that `dloc reveal` gives line tables of layers. Beside them stand the object of the same module without layers, and the one
that was not revealed, whose discriminators are numbers of the table:
- without debug information all three are equal, byte for byte;
- each instruction has the primary that it has without layers, but for 2 of 1,000 (LLVM 19: 3, LLVM 14: 5, whose opt gives more merged instructions
  line 0), and each unit's DIEs find their own lines;
- each instruction has the layers of its number in the table, which is read here, or none;
- no number is left: no discriminator, no stand-in line, in rows and in DIEs;
- mistakes that a tool could make are made here, and noticed.
few: a small program; all: Lua, C++ with COMDAT functions, several machines, LLVM 14, 19 and 22. Environment: DLOC (default build/dloc)."""

import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
from modules import optimisable, units  # noqa: E402
from tables import LLVM, Rows, Table, instructions, run  # noqa: E402

DLOC = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
STAND_IN = 0x3FFFFFFF
OTHER_PRIMARIES = {14: 5, 19: 3, 22: 2}  # of 1,000 instructions
SMALL = """
static inline __attribute__((always_inline)) int g(int x) { return x * 3; }
int h(int), f(int);
#ifdef SECOND
int h(int x) { int s = 0; for (int i = 0; i < x; i++) s += g(i) ^ x; return s; }
int main(void) { return f(1); }
#else
int f(int x) { if (x > 3) return h(g(x)); return g(h(x)); }
#endif
"""
TEMPLATES = """
#include <map>
#include <string>
#include <vector>
template <class T> T sum(const std::vector<T> &v) { T s{}; for (const T &x : v) s += x; return s; }
inline int twice(int x) { return x + x; }
#ifdef SECOND
int other(std::map<std::string, int> &m) { m["b"] = twice(2); return m.size() + sum<int>({1, 2, 3}); }
#else
int other(std::map<std::string, int> &m);
int main() { std::map<std::string, int> m{{"a", twice(1)}}; return other(m) + sum<int>({4, 5}) - 23; }
#endif
"""
Case = collections.namedtuple("Case", "name source version triple llc")
X86 = "x86_64-unknown-linux-gnu"
FEW = [Case("C, linked modules", SMALL, 22, X86, ["-function-sections"])]
MISTAKEN = FEW
ALL = FEW + [
    Case("C", SMALL, 22, X86, []), Case("Lua", "lua", 22, X86, []), Case("Lua", "lua", 19, X86, ["-function-sections"]), Case("Lua", "lua", 14, X86, []),
    Case("Lua", "lua", 22, "aarch64-unknown-linux-gnu", []), Case("Lua, unit by unit", "units", 22, X86, []),
    Case("C++", TEMPLATES, 22, X86, ["-function-sections"]), Case("C++, units of types", TEMPLATES, 22, X86, ["-generate-type-units"]), Case("C++", TEMPLATES, 14, X86, []),
    Case("C, version 4", SMALL, 19, X86, ["-dwarf-version=4"]), Case("C, DWARF 64", SMALL, 22, X86, ["-dwarf64"]),
    Case("C, compressed", SMALL, 22, X86, ["compressed"]), Case("C, split", SMALL, 22, X86, ["-split-dwarf-file=x.dwo"]), Case("C, unoptimised", SMALL, 22, X86, ["-O0"]),
    Case("C, SHT_REL", SMALL, 19, "i386-unknown-linux-gnu", []), Case("C, SHT_REL", SMALL, 22, "armv7-unknown-linux-gnueabi", []),
    Case("C, big-endian", SMALL, 22, "s390x-unknown-linux-gnu", []), Case("C, big-endian", SMALL, 22, "powerpc64-unknown-linux-gnu", []),
    Case("C, not relaxed", SMALL, 22, "riscv64-unknown-linux-gnu", ["-mattr=-relax"]),
]  # fmt: skip


def tool(version, name):
    return f"/usr/lib/llvm-{version}/bin/{name}"


def give_line_0(module):
    """Multiplications stand for no line."""
    with open(module, encoding="utf-8") as file:
        text = file.read()
    for node in re.findall(r" = mul .*!dbg (!\d+)$", text, re.M):
        text = re.sub(rf"^({node} = !DILocation\(line: )\d+(, column: )\d+", r"\g<1>0\g<2>0", text, flags=re.M)
    with open(module, "w", encoding="utf-8") as file:
        file.write(text)


class Objects:
    """What is made of the modules of a case: objects by what was done, and their tables."""

    def __init__(self, case, folder):
        self.case, self.folder = case, folder
        self.tables, self.layers = [], []
        self.plain, self.hidden, self.revealed = [], [], []
        first = 1
        for number, module in enumerate(self.modules()):
            layered, hidden, table = self.layered(module), self.path(f"hidden{number}.ll"), self.path(f"{number}.table")
            run(DLOC, "hide", layered, "--first", str(first), "--table", table, "-o", hidden)
            self.tables.append(table)
            self.layers.append(layered)
            self.plain.append(self.compiled(self.output(DLOC, "project", "--primary", layered), f"plain{number}"))
            self.hidden.append(self.compiled(hidden, f"hidden{number}"))
            self.revealed.append(self.path(f"revealed{number}.o"))
            run(DLOC, "reveal", "--fast", self.hidden[-1], "--table", table, "-o", self.revealed[-1])
            first += 100000000

    def path(self, name):
        return os.path.join(self.folder, name)

    def output(self, *command):
        path = self.path(f"output{len(os.listdir(self.folder))}.ll")
        run(*command, "-o", path)
        return path

    def modules(self):
        source, version = self.case.source, self.case.version
        if source == "lua":
            return [optimisable(f"lua-{version}-O0", self.folder)]
        flags = ["-g", "-O2", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", f"--target={self.case.triple}"]
        if source == "units":
            folder, names, more = units("lua")
            return [self.output(tool(version, "clang"), *flags, "-w", *more, os.path.join(folder, name)) for name in names]
        path = self.path("source.cc" if source == TEMPLATES else "source.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        modules = [self.output(tool(version, "clang"), *flags, *more, path) for more in (["-DSECOND"], [])]
        for module in modules:
            give_line_0(module)
        return [self.output(tool(version, "llvm-link"), "-S", *modules)] if "linked" in self.case.name else modules

    def layered(self, module):
        """Its own lines as the layer TileIR, also where there is no primary, so that some have line 0; its functions as the layer MLIR."""
        tile = self.output(DLOC, "annotate", *(["--all"] if self.case.source == SMALL else []), "--layer", "TileIR", "--embed", module)
        return self.output(DLOC, "annotate", "--by-function", "--embed", "--layer", "MLIR", "--file", "layers.mlir", tile)

    def compiled(self, module, name):
        bitcode, out = self.path("module.bc"), self.path(name + ".o")
        level = "0" if "-O0" in self.case.llc else "2"
        run(tool(self.case.version, "opt"), f"-passes=default<O{level}>", module, "-o", bitcode)
        run(tool(self.case.version, "llc"), "-O2", "-filetype=obj", f"-mtriple={self.case.triple}", *(word for word in self.case.llc if word[0] == "-"), bitcode, "-o", out)
        if "compressed" in self.case.llc:
            run(f"{LLVM}/llvm-objcopy", "--compress-debug-sections=zlib", out)
        return out

    def linked(self, objects, name):
        """Not to run, but so that every address is another one."""
        out = self.path(name)
        run(f"{LLVM}/ld.lld", "-e", "0", "--unresolved-symbols=ignore-all", "-z", "notext", "--noinhibit-exec", "-o", out, *objects)
        return out


SYMBOL_TABLES = (".strtab", ".symtab", ".shstrtab", ".symtab_shndx", ".group", ".llvm_addrsig")

NEW = re.compile(r"\.debug_(line_(tileir|mlir)|txt\..*)$")


def sections(path):
    """Contents by name; of sections of one name one."""
    names = re.findall(r"^  \[ *\d+\] (\S+) ", run(f"{LLVM}/llvm-readelf", "-SW", path), re.M)
    words = [f"--dump-section={name}={path}.{number}" for number, name in enumerate(names)]
    types = run(f"{LLVM}/llvm-readelf", "-SW", path)
    keep = [number for number, name in enumerate(names) if not re.search(rf"\] {re.escape(name)} +(NOBITS|NULL) ", types)]
    run(f"{LLVM}/llvm-objcopy", *(words[number] for number in keep), path, os.devnull)
    return {names[number]: read(f"{path}.{number}") for number in keep}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def relocated(path, names):
    """Relocations of the sections that names has, by the names of symbols."""
    parts = re.findall(r"\) \.rela?(\S+) \{\n(.*?)\n  \}", run(f"{LLVM}/llvm-readobj", "-r", path), re.S)
    return [part for part in parts if part[0] in names]


def stripped(path):
    run(f"{LLVM}/llvm-strip", path, "-o", path + ".stripped")
    return read(path + ".stripped")


class Check:
    """The files of a case after linking, one of them perhaps broken: each method raises an AssertionError, or returns figures."""

    def __init__(self, objects, revealed=None):
        self.objects = objects
        self.plain = objects.linked(objects.plain, "plain")
        self.hidden = objects.linked(objects.hidden, "hidden")
        self.revealed = objects.linked(revealed or objects.revealed, "revealed")
        self.addresses = instructions(self.plain)
        self.rows = Rows(self.revealed)
        self.numbers = Rows(self.hidden)
        self.table = Table(objects.tables)

    def all(self):
        self.code()
        self.exact()
        return {**self.tables(), **self.full()}

    def tables(self):
        figures = {**self.primary(), **self.layers()}
        self.nothing_left()
        self.dies()
        return figures

    def code(self):
        for plain, hidden, revealed in zip(self.objects.plain, self.objects.hidden, self.objects.revealed):
            assert stripped(plain) == stripped(hidden) == stripped(revealed), "the code differs"

    def exact(self):
        """Objects without layers that get those of the others: all that they have stays, and layers are the same."""
        for plain, hidden, revealed, table in zip(self.objects.plain, self.objects.hidden, self.objects.revealed, self.objects.tables):
            run(DLOC, "reveal", hidden, "--exact", plain, "--table", table, "-o", plain + ".exact")
            had, has, layers = sections(plain), sections(plain + ".exact"), sections(revealed)
            other = [name for name in had if name not in SYMBOL_TABLES and not name.startswith(".rel") and has[name] != had[name]]
            assert not other, f"sections of the object without layers have changed: {other}"
            other = [name for name in layers if NEW.match(name) and has.get(name) != layers[name]]
            assert not other, f"sections of layers differ: {other}"
            assert relocated(plain + ".exact", had) == relocated(plain, had), "relocations differ"

    def full(self):
        """Each kind compiled by itself: an instruction has the layer that its number gives it, or one more."""
        objects, made, found = self.objects, [], collections.Counter()
        for number, module in enumerate(objects.layers):
            folder = objects.path(f"full{number}")
            run(DLOC, "hide", module, "--full", folder)
            for name in [path.removesuffix(".ll") for path in os.listdir(folder) if path.endswith(".ll")]:  # a unit without code has no kinds
                objects.compiled(os.path.join(folder, name + ".ll"), os.path.join(folder, name))
            made.append(objects.path(f"full{number}.o"))
            run(DLOC, "reveal", "--full", folder, "-o", made[-1])
        joined = objects.linked(made, "full")
        for kind in ("tileir", "mlir"):
            rows, others = Rows(joined, f".debug_line_{kind}"), Rows(self.revealed, f".debug_line_{kind}")
            for address in instructions(joined, padding=False):
                place, other = (place[:3] if place and place[1] else None for place in (rows.at(address), others.at(address)))
                found["more"] += other is None and place is not None
                found["lost"] += other is not None and place is None and self.rows.at(address)[1] != 0  # line 0 goes on with any layer
                if other is not None and place is not None and place[:2] != other[:2]:
                    goes_on = self.numbers.row(address) < rows.row(address)  # --fast, as there is no row of its own
                    found["goes on" if goes_on else "another"] += 1
        assert found["another"] == 0 and found["lost"] <= len(self.addresses) // 200, f"--full: {dict(found)}"
        return {"--full": dict(found)}

    def primary(self):
        plain, other = Rows(self.plain), 0
        for address in self.addresses:
            has, had = self.rows.at(address), plain.at(address)
            other += (has or (0, 0, 0))[:3] != (had or (0, 0, 0))[:3] and (has or had) is not None
        assert other * 1000 <= len(self.addresses) * OTHER_PRIMARIES[self.objects.case.version], f"{other} of {len(self.addresses)} instructions have another primary"
        return {"instructions": len(self.addresses), "other primaries": other}

    def layers(self):
        found = collections.Counter()
        for kind in ("TileIR", "MLIR"):
            rows = Rows(self.revealed, f".debug_line_{kind.lower()}")
            for address in self.addresses:
                number, place = (self.numbers.at(address) or (0, 0, 0, 0))[3], rows.at(address)
                expected = self.table.layers[number].get(kind) if number else None
                place = place[:3] if place and place[1] else None
                assert place == (expected if expected and expected[1] else None), f"{kind} at {address:#x}: {place}, expected {expected} (number {number})"
                found[kind] += place is not None
        assert all(found[kind] * 2 > len(self.addresses) for kind in ("TileIR", "MLIR")), found
        return dict(found)

    def nothing_left(self):
        assert not any(place and (place[3] or place[1] == STAND_IN) for place in self.rows.places), "a row has a number that is left"
        assert any(place and place[1] == STAND_IN for place in self.numbers.places) or self.objects.case.source != SMALL, "no line 0"
        text = "".join(run(f"{LLVM}/llvm-dwarfdump", "--debug-info", path) for path in self.objects.revealed)
        assert text.count("DW_AT_GNU_discriminator") or self.objects.case.name.startswith("C"), "no DIE had a number"
        left = [value for value in re.findall(r"DW_AT_(?:GNU_discriminator|call_line)\t\((\w+)\)", text) if int(value, 0) == STAND_IN]
        left += [value for value in re.findall(r"DW_AT_GNU_discriminator\t\((\w+)\)", text) if int(value, 0)]
        assert not left, f"a DIE has a number that is left: {left[:3]}"

    def dies(self):
        """The lines of every 50th instruction by its unit's DIEs."""
        some = "\n".join(map(hex, self.addresses[:: max(1, len(self.addresses) // 2000)]))
        answers = [
            run(f"{LLVM}/llvm-symbolizer", f"--obj={path}", "--output-style=GNU", "--no-inlines", input=some.encode()).splitlines()
            for path in (self.plain, self.revealed)
        ]
        other = sum(a != b for a, b in zip(*answers))
        assert len(answers[0]) == len(answers[1]) and other * 100 <= len(answers[0]), f"{other} of {len(answers[0])} answers by DIEs differ"
        verified = run(f"{LLVM}/llvm-dwarfdump", "--verify", self.objects.revealed[0])
        assert "No errors." in verified, verified[-300:]


# ---- Mistakes --------------------------------------------------------------------------------------------------------------------------------------


def change_relocations(path, section, change):
    """A copy of an object of 64 bits, little endian, in which change(number, offset, info, addend) made other relocations of a section."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    table, count, names = struct.unpack_from("<Q", data, 0x28)[0], *struct.unpack_from("<HH", data, 0x3C)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + 64 * i) for i in range(count)]
    for header in headers:
        start = headers[names][4] + header[0]
        if data[start : data.index(0, start)].decode() == ".rela" + section:
            for number, at in enumerate(range(header[4], header[4] + header[5], 24)):
                struct.pack_into("<QQq", data, at, *change(number, *struct.unpack_from("<QQq", data, at)))
    out = path + ".broken.o"
    with open(out, "wb") as file:
        file.write(data)
    return out


def swap_symbols(path, section):
    """The first relocation gets the symbol and addend of the last one, and the other way round."""
    entries = []
    change_relocations(path, section, lambda number, *entry: entries.append(entry) or entry)
    other = {0: entries[-1][1:], len(entries) - 1: entries[0][1:]}
    return change_relocations(path, section, lambda number, offset, info, addend: (offset, *other.get(number, (info, addend))))


def renamed(path, *names):
    out = path + ".broken.o"
    run(f"{LLVM}/llvm-objcopy", *(f"--rename-section={old}={new}" for old, new in names), path, out)
    return out


def forget_units(path, before):
    """Units point to the line tables that they had in the object that was not revealed."""
    dumps = [re.findall(r"^    0x\w+ \w+ (\S+) (0x\w+)$", relocations(file, ".rela.debug_info"), re.M) for file in (path, before)]
    addends = {number: int(addend, 16) for number, (symbol, addend) in enumerate(dumps[1]) if symbol == ".debug_line"}
    assert len(addends) > 1 and [symbol for symbol, _ in dumps[0]] == [symbol for symbol, _ in dumps[1]]
    return change_relocations(path, ".debug_info", lambda number, offset, info, addend: (offset, info, addends.get(number, addend)))


def relocations(path, section):
    return run(f"{LLVM}/llvm-readobj", "-r", path).split(f") {section} {{")[1].split("  }")[0]


MISTAKES = {
    "wrong relocation symbol": lambda path, _: swap_symbols(path, ".debug_line_tileir"),
    "wrong relocation symbol of the primary": lambda path, _: swap_symbols(path, ".debug_line"),
    "wrong addend": lambda path, _: change_relocations(
        path, ".debug_line_tileir", lambda number, offset, info, addend: (offset, info, addend + 4)
    ),
    "units at their old offsets": forget_units,
    "swapped kinds": lambda path, _: renamed(
        path, (".debug_line_tileir", ".x"), (".debug_line_mlir", ".debug_line_tileir"), (".x", ".debug_line_mlir")
    ),
    "numbers left": None,
    "stand-in line left": None,
}


def notices(objects, mistake):
    """A mistake made in the revealed object, or in its rows, must not pass."""
    change = MISTAKES[mistake]
    try:
        check = Check(objects, change and [change(objects.revealed[0], objects.hidden[0])])
        if mistake == "numbers left":
            check.rows = check.numbers
        elif mistake == "stand-in line left":
            check.rows.places = [place and (*place[:3], 0) for place in check.numbers.places]
            check.rows.addresses = check.numbers.addresses
        check.tables()
    except AssertionError:
        return
    raise AssertionError("it is not noticed")


# ---- Runs ------------------------------------------------------------------------------------------------------------------------------------------


class Tests:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, test, *arguments):
        try:
            figures = test(*arguments)
            self.passed += 1
            print(f"{name}: {figures or 'fine'}")
            return True
        except AssertionError as error:
            print(f"{name}: {error}")
            self.failed += 1
            return False

    def case(self, case):
        name = f"{case.name}, LLVM {case.version}, {case.triple.split('-')[0]} {' '.join(case.llc)}"
        with tempfile.TemporaryDirectory() as folder:
            objects = []
            if not self.check(name + ": made", lambda: objects.append(Objects(case, folder))):
                return
            self.check(name, lambda: Check(objects[0]).all())
            for mistake in MISTAKES if case in MISTAKEN else ():
                self.check(f"{name}: {mistake}", notices, objects[0], mistake)


def refused(case):
    """What cannot be revealed is told, and nothing is written."""
    with tempfile.TemporaryDirectory() as folder:
        objects = Objects(case, folder)
        relaxed = objects.path("relaxed.o")
        run("clang-22", "--target=riscv64-linux-gnu", "-g", "-c", objects.path("source.c"), "-o", relaxed)
        other = objects.path("other.o")
        run("clang-22", "-g", "-c", objects.path("source.c"), "-o", other)
        hidden, revealed, linked = objects.hidden[0], objects.revealed[0], objects.linked(objects.hidden, "x")
        for reason, *words in (
            ("object.relaxed", "--fast", relaxed), ("object.layers", "--fast", revealed), ("object.relocations", "--fast", linked),
            ("object.base", hidden, "--exact", other), ("object.layers", hidden, "--exact", revealed),
        ):  # fmt: skip
            out = objects.path("refused")
            done = subprocess.run([DLOC, "reveal", *words, "--table", objects.tables[0], "-o", out], capture_output=True, text=True, timeout=60)
            assert done.returncode in (1, 2) and reason in done.stderr and not os.path.exists(out), (words, done)


def main():
    if sys.argv[1:] not in (["few"], ["all"]):
        sys.exit(__doc__)
    tests = Tests()
    for case in ALL if sys.argv[1] == "all" else FEW:
        tests.case(case)
    tests.check("refused", refused, FEW[0])
    print(f"{tests.passed} passed, {tests.failed} failed")
    return tests.failed > 0


if __name__ == "__main__":
    sys.exit(main())
