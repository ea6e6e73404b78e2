#!/usr/bin/env python3
"""usage: tests/objects/test-select.py [lua] [sqlite] [matmul]

Lua, built by its own makefile with tools/drop-in/clang, in two layers that `dloc select` makes its own tables: the LLVM IR before its passes, and behind them.
What stock programs then say of it, beside the tables of the layers in the program before, which tests/builds/decode.py reads:
- llvm-symbolizer and addr2line name the line of each address, and none where the layer has none;
- gdb and lldb break at functions and at lines of a text, list it, step from line to line, and have the frames that they have in the source;
- perf annotate gives each line of a text the samples of its instructions;
- files of debug information, made by objcopy, llvm-objcopy and eu-strip, do the same for one stripped program; texts are found at another place;
- `--layer source` gives back the program.
SQLite in its LLVM IR, and a matrix product of MLIR in linalg, scf and LLVM's dialect, as tools/demo.py makes them: gdb and lldb do the same, and the program comes back.
A program that is not installed, or may not do it here, is left out, and that is told. Environment: DLOC (default build/dloc)."""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests", part) for part in ("real", "builds", "linkers")]
sys.dont_write_bytecode = True
from common import DLOC, JOBS, Results, Skip  # noqa: E402
from decode import Rows  # noqa: E402
from elf import Elf  # noqa: E402
from modules import unpacked  # noqa: E402

LLVM = "/usr/lib/llvm-22/bin"
LAYERS = ("llvm", "llvm-opt")
FUNCTIONS = ("luaH_getint", "luaH_setint", "luaD_precall", "luaS_newlstr", "lua_pcallk", "luaV_execute")
SCRIPT = "local t = {} for i = 1, 10 do t[i] = i end\nlocal s = 0\nfor i = 1, 20000000 do s = s + t[i % 10 + 1] end\nprint(s)\n"
Stop = collections.namedtuple("Stop", "address text line shown")
DEMO = os.path.join(ROOT, "build", "demo")
FUNCTIONS_OF = {"sqlite": ("sqlite3VdbeExec", "sqlite3BtreeInsert", "sqlite3Select"), "matmul": ("_mlir_ciface_matmul",)}
LAYERS_OF = {"sqlite": ("llvm", "llvm-o2"), "matmul": ("linalg", "scf", "llvm")}


def run(*words, **more):
    if shutil.which(words[0]) is None:
        raise Skip(f"{words[0]} is not installed")
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=600, check=False, **more)
    assert done.returncode == 0, f"{' '.join(words)[:300]}: exit status {done.returncode}\n{done.stderr[-800:]}"
    return done.stdout


class Program:
    """A program in a folder, and itself in each layer."""

    def __init__(self, layers, functions, arguments):
        self.layers, self.names_of_functions, self.arguments = layers, functions, arguments
        elf = Elf(self.program)
        self.functions = {name: symbol for name, symbol in elf.symbols.items() if symbol.size and elf.sections[symbol.section].name == ".text"}
        content = {section.name: section.data for section in elf.sections}
        strings = {0x1F: content.get(".debug_line_str", b""), 0x0E: content[".debug_str"]}
        self.rows = {layer: Rows(content[f".debug_line_{layer}"], strings, lambda address: address > 0) for layer in layers}
        self.selected = {}
        for layer in layers:
            self.selected[layer] = self.path(f"program.{layer}")
            run(DLOC, "select", self.program, "--layer", layer, "-o", self.selected[layer], "--texts", self.path("texts"))
        files = {self.read(self.path("texts", name)): name for name in os.listdir(self.path("texts"))}
        self.names = {name: files[text] for name, text in content.items() if name.startswith(".debug_txt.")}  # of the texts as files
        assert sorted(self.names.values()) == sorted(files.values()), "other texts than those of the layers"
        self.texts = {name: text.decode().split("\n") for text, name in files.items()}

    def moves(self, _layer, _function):
        """How a debugger goes on from a stop, twice."""
        return 2 * [{"gdb": ("next",), "lldb": ("next",)}]

    def path(self, *names):
        return os.path.join(self.folder, *names)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def place(self, layer, address):
        """(name of the text's file, line) of an address, or None."""
        found = self.rows[layer].at(address)
        return (self.names[found[0]], found[1]) if found and found[1] else None

    def entry(self, layer, address):
        """The first place in the function, where the address is before it (`select.entry`)."""
        (inside,) = {self.of(name) for name in self.functions if address in self.of(name)}
        first = next(at for at in inside if self.place(layer, at))
        return self.place(layer, first) if address < first else None

    def line(self, place):
        return self.texts[place[0]][place[1] - 1]

    def of(self, function):
        return range(self.functions[function].value, self.functions[function].value + self.functions[function].size)


class Lua(Program):
    """Built by its own makefile."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="dloc-select-")
        source = os.path.join(self.folder, "src")
        shutil.copytree(os.path.join(unpacked("lua5.4", "*.orig.tar.gz"), "src"), source)
        environment = {**os.environ, "DLOC": DLOC, "DLOC_LLVM": LLVM, "DLOC_LAYERS": ",".join(LAYERS), "DLOC_MODE": "fast"}
        options = ["CFLAGS=-O1 -g -fno-pie -DLUA_USE_POSIX", "MYLIBS=-lm", "MYLDFLAGS=-fuse-ld=lld -no-pie", "lua"]
        run("make", "-s", f"-j{JOBS}", "-C", source, f"CC={os.path.join(ROOT, 'tools', 'drop-in', 'clang')}", *options, env=environment)
        self.program = os.path.join(source, "lua")
        with open(self.path("script.lua"), "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        super().__init__(LAYERS, FUNCTIONS, self.path("script.lua"))
        assert all(re.fullmatch(r"l\w+\.c(\.opt)?\.ll", name) for name in self.names.values()), self.names


class Demo(Program):
    """The object that tools/demo.py makes, linked where its addresses are those of the process."""

    def __init__(self, name):
        self.folder = tempfile.mkdtemp(prefix="dloc-select-")
        self.program = self.path(name)
        run(sys.executable, os.path.join(ROOT, "tools", "demo.py"), "--layers-only", "--program", name, env={**os.environ, "DLOC": DLOC})
        main = {"sqlite": ("-lm", "-ldl", "-lpthread"), "matmul": ("-O1", os.path.join(ROOT, "examples", "matmul", "main.c"))}[name]
        run(f"{LLVM}/clang", "-no-pie", os.path.join(DEMO, name + ".o"), *main, "-o", self.program)
        with open(self.path("input"), "w", encoding="utf-8") as file:
            file.write("create table t(a, b);\ninsert into t values (1, 2), (3, 4);\nselect sum(a + b) from t where b > 1;\n")
        super().__init__(LAYERS_OF[name], FUNCTIONS_OF[name], f":memory: <{self.path('input')}" if name == "sqlite" else "")

    def moves(self, layer, function):
        """The lines of a matrix product are loops, which debuggers would step through by instructions: they run to its last two lines."""
        if len(self.names_of_functions) > 1:
            return super().moves(layer, function)
        places = sorted({place for place in (self.place(layer, address) for address in self.of(function)) if place})[-2:]
        return [{"gdb": ("tbreak {}:{}".format(*place), "continue"), "lldb": ("breakpoint set -o true -f {} -l {}".format(*place), "continue")} for place in places]


# ---- Symbolizers ---------------------------------------------------------------------------------------------------------------


def named(lua, layer, step, *words):
    """A symbolizer's answers for addresses of all functions."""
    addresses = [address for name in lua.functions for address in list(lua.of(name))[::step]]
    addresses = list(dict.fromkeys(addresses))
    if shutil.which(words[0]) is None:
        raise Skip(f"{words[0]} is not installed")
    done = subprocess.run(words, input="".join(f"{address:#x}\n" for address in addresses), capture_output=True, text=True, timeout=600, check=True)
    told = [line for line in done.stdout.splitlines() if line]
    assert len(told) == len(addresses), f"{len(told)} answers to {len(addresses)} addresses"
    starts = {symbol.value: symbol for symbol in lua.functions.values()}
    seen, count, inside = False, 0, range(0)
    for address, line in zip(addresses, told):
        name, number = re.match(r"(?:.*/)?(.*):(\d+|\?)(?: \(discriminator \d+\))?$", line).groups()
        if address in starts:
            seen, inside = False, range(address, address + starts[address].size)
        place = lua.place(layer, address)
        seen = seen or place is not None or any(lua.place(layer, before) for before in range(max(inside.start, address - step), address))
        count += place is not None
        said = (name, int(number)) if number not in ("?", "0") else None
        assert said == place or (place is None and not seen), f"{address:#x}: {line}, and the layer has {place}"  # before the first line: select.entry
    assert count > 1000, count
    return f"{len(addresses)} addresses, {count} with a line"


def symbolizer(lua, layer):
    return named(lua, layer, 2, f"{LLVM}/llvm-symbolizer", "--no-inlines", "--output-style=GNU", "--functions=none", f"--obj={lua.selected[layer]}")


def addr2line(lua, layer):
    return named(lua, layer, 29, "addr2line", "-e", lua.selected[layer])


# ---- Debuggers -----------------------------------------------------------------------------------------------------------------


def gdb(program, *commands):
    words = [word for command in commands for word in ("-ex", command)]
    return run("gdb", "-nx", "-batch", "-ex", "set confirm off", "-ex", "set width 0", "-ex", "set debuginfod enabled off", *words, program)


def gdb_stops(output):
    """At each `frame`: the address, where gdb says that it is, and the line that it shows."""
    pattern = re.compile(r"^AT (0x[0-9a-f]+)\n#0 .*? at (?:.*/)?(\S+):(\d+)\n(?:\d+\t(.*)\n)?", re.M)
    return [Stop(int(at, 16), text, int(line), shown) for at, text, line, shown in pattern.findall(output)]


AT = ('printf "AT %#lx\\n", $pc', "frame")


def frames(output):
    """The names of functions of a backtrace."""
    return re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(", output, re.M)


def check_stop(lua, layer, stop, what):
    place = lua.place(layer, stop.address) or lua.entry(layer, stop.address)
    assert place == (stop.text, stop.line), f"{what}: {stop}, and the layer has {place}"
    assert stop.shown is None or stop.shown == lua.line(place).expandtabs(1) or stop.shown == lua.line(place), f"{what}: shows {stop.shown!r}"


def in_gdb(lua, layer, program=None, functions=None, more=()):
    """Breakpoints at functions, then at the lines where these stopped. gdb unwinds no further than it can without the program's own .eh_frame."""
    program, functions = program or lua.selected[layer], functions or lua.names_of_functions
    script = lua.arguments
    stepped = 0
    for function in functions:
        moves = [command for move in lua.moves(layer, function) for command in (*move["gdb"], *AT)]
        first = gdb(program, *more, f"break {function}", f"run {script}", *AT, *moves)
        stops = gdb_stops(first)
        assert len(stops) == 3, f"{function}: {first[-600:]}"
        check_stop(lua, layer, stops[0], f"break {function}")
        assert stops[0].address in lua.of(function), f"break {function} stops at {stops[0].address:#x}"
        for stop in stops[1:]:
            if stop.text in lua.texts:  # where an inlined function begins gdb shows the call, in the source
                check_stop(lua, layer, stop, f"next in {function}")
                stepped += (stop.text, stop.line) != (stops[0].text, stops[0].line)
        where = f"{stops[0].text}:{stops[0].line}"
        again = gdb(program, *more, f"break {where}", f"run {script}", *AT, "bt", f"list {where}")
        (stop,) = gdb_stops(again)
        check_stop(lua, layer, stop, f"break {where}")
        listed = dict(re.findall(r"^(\d+)\t(.*)$", again, re.M))
        around = {str(number): lua.texts[stop.text][number - 1] for number in range(max(stops[0].line - 4, 1), stops[0].line + 4)}
        assert all(listed.get(number) == line for number, line in around.items()), f"list {where}: {listed}"
        source = gdb(lua.program, f"break *{stop.address:#x}", f"run {script}", "bt")
        unwound = frames(source)[: len(frames(again)) - 1] if more and "symbol-file" in more[0] else frames(source)
        assert frames(again)[1:] == unwound and len(unwound) > 1, f"{where}: {frames(again)}, and in the source {frames(source)}"
    assert stepped >= len(functions), f"{stepped} steps to other lines"
    return f"{len(functions)} functions, {stepped} steps"


def launch(lua):
    """lldb takes `<` for an argument."""
    arguments, _, given = lua.arguments.partition("<")
    return f"process launch {f'-i {given} ' if given else ''}-- {arguments}"


def lldb_says(lldb, program, *commands):
    return run(lldb, "--batch", "--no-use-colors", *(word for command in commands for word in ("-o", command)), program)


def in_lldb(lua, layer):
    """The same, by lldb: it has its own reader of tables, and chooses the end of the prologue by the row's flag."""
    lldb = shutil.which("lldb") or shutil.which("lldb-19") or shutil.which("lldb-22")
    if not lldb:
        raise Skip("lldb is not installed")
    stepped = 0
    for function in lua.names_of_functions[:3]:
        moves = [command for move in lua.moves(layer, function) for command in (*move["lldb"], "frame info")]
        commands = [f"breakpoint set -n {function}", launch(lua), "frame info", "bt", *moves, "source list -c 1"]
        output = lldb_says(lldb, lua.selected[layer], *commands)
        stops = re.findall(r"^\(lldb\) frame info\n(?:\s*\n)?frame #0: (0x[0-9a-f]+) \S+?`(\w+)\(?.*? at (\S+?):(\d+)(?::\d+)?", output, re.M)
        assert len(stops) == 3, f"{function}: {output[-900:]}"
        assert stops[0][1] == function, stops[0]
        for address, _, text, line in stops:
            if text in lua.texts:
                place = lua.place(layer, int(address, 16))
                assert place == (text, int(line)), f"lldb in {function}: {address} is {text}:{line}, and the layer has {place}"
                stepped += (text, line) != stops[0][2:]
                assert lua.line(place) in output, f"lldb does not show line {line}"
        assert stops[0][2] in lua.texts, stops[0]
        source = lldb_says(lldb, lua.program, f"breakpoint set -s {os.path.basename(lua.program)} -a {stops[0][0]}", launch(lua), "bt")
        unwound, expected = (re.findall(r"^ +(?:\* )?frame #\d+: .*?`(\w+)", text.split("(lldb) bt")[1].split("(lldb)")[0], re.M) for text in (output, source))
        assert unwound == expected and "main" in unwound, f"lldb in {function}: {unwound}, and in the source {expected}"
    count = min(3, len(lua.names_of_functions))
    assert stepped >= count, stepped
    return f"{count} functions, {stepped} steps"


def elsewhere(lua, layer):
    """The texts at another place, which is told to gdb."""
    away = lua.path("away")
    os.rename(lua.path("texts"), away)
    try:
        return in_gdb(lua, layer, None, FUNCTIONS[:1] * 2, (f"set substitute-path {lua.path('texts')} {away}",))
    finally:
        os.rename(away, lua.path("texts"))


# ---- perf ----------------------------------------------------------------------------------------------------------------------


def annotated(lua, layer):
    """Samples of the interpreter's loop by lines, from their addresses and by perf."""
    data, perf = lua.path(f"perf.{layer}"), ("perf", "--buildid-dir", lua.path(f"perf-cache.{layer}"))  # both layers have one build ID
    try:
        run(*perf, "record", "-e", "cpu-clock", "-F", "4999", "-o", data, lua.selected[layer], lua.path("script.lua"))
    except AssertionError as problem:
        raise Skip(f"perf may not record here: {str(problem).splitlines()[0]}") from None
    inside = lua.of("luaV_execute")
    addresses = [address for address in (int(word, 16) for word in run(*perf, "script", "-i", data, "-F", "ip").split()) if address in inside]
    told = run(*perf, "annotate", "-i", data, "--stdio", "-l", "-s", "luaV_execute")
    shares = {(name, int(line)): float(share) for share, name, line in re.findall(r"^ +(\d+\.\d+) +(?:\S*/)?(\S+):(\d+)$", told.split("Percent")[0], re.M)}
    assert len(addresses) > 20 and shares, f"{len(addresses)} samples: {told[:600]}"
    expected = collections.Counter()
    for address, count in collections.Counter(addresses).items():
        share = 100 * count / len(addresses)
        place = lua.place(layer, address) or lua.entry(layer, address)
        if share > 0.5 and place:  # perf's summary leaves out an instruction with less; what has line 0 is no line
            expected[place] += share
    shares = {place: share for place, share in shares.items() if place[1]}
    assert shares.keys() == expected.keys(), f"perf names {sorted(shares.keys() ^ expected.keys())}, or does not"
    for place, share in shares.items():
        assert abs(expected[place] - share) < 0.02, f"{place}: {share} %, and {expected[place]:.2f} % of {len(addresses)} samples"
    return f"{len(addresses)} samples, {len(shares)} lines"


# ---- Files ---------------------------------------------------------------------------------------------------------------------


def debug_files(lua, layer):
    """One stripped program, with a file of debug information for the layer."""
    stripped = lua.path("stripped")
    run("strip", "-g", lua.program, "-o", stripped)
    made = []
    for number, (maker, *words) in enumerate((("objcopy", "--only-keep-debug"), (f"{LLVM}/llvm-objcopy", "--only-keep-debug"), ("eu-strip",))):
        if shutil.which(maker) is None:
            continue
        debug = lua.path(f"{layer}.{number}.debug")
        if words:
            run(maker, *words, lua.selected[layer], debug)
        else:
            run(maker, "-f", debug, lua.selected[layer], "-o", lua.path("dropped"))
        in_gdb(lua, layer, stripped, FUNCTIONS[:1] * 2, (f"symbol-file {debug}",))
        made.append(os.path.basename(maker))
    linked = shutil.copy(stripped, lua.path("linked"))
    run("objcopy", f"--add-gnu-debuglink={lua.path(f'{layer}.0.debug')}", linked)
    in_gdb(lua, layer, linked, FUNCTIONS[:1] * 2)
    return ", ".join(made)


def back(lua, layer):
    out, other = lua.path("back"), lua.layers[layer == lua.layers[0]]
    run(DLOC, "select", lua.selected[layer], "--layer", "source", "-o", out)
    assert lua.read(out) == lua.read(lua.program), "--layer source gives another file"
    run(DLOC, "select", lua.selected[layer], "--layer", other, "-o", out, "--texts", lua.path("texts"))
    assert lua.read(out) == lua.read(lua.selected[other]), "from layer to layer is not from the program to the layer"
    assert os.access(out, os.X_OK)
    return "the same bytes"


def main():
    results = Results()
    for name in sys.argv[1:] or ["lua"]:
        if name == "matmul" and not os.path.exists(f"{LLVM}/mlir-opt"):
            results.skip("there is no mlir-opt of LLVM 22")
            continue
        program = Lua() if name == "lua" else Demo(name)
        checks = (symbolizer, addr2line, in_gdb, in_lldb, elsewhere, annotated, debug_files, back) if name == "lua" else (in_gdb, in_lldb, back)
        for layer in program.layers:
            for check in checks:
                results.attempt(f"{name}, {layer}, {check.__name__}", check, program, layer)
        shutil.rmtree(program.folder)
    results.finish()


main()
