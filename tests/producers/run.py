#!/usr/bin/env python3
"""usage: tests/producers/run.py [VERSION...]

Programs of real producers, MLIR and Flang 19 and 22, from their source to an answer about an address. For each of them:
- `dloc mlir` and `dloc flang` make a module with layers, of both forms, which verifies; with -v they say which tools they ran;
- its primaries are those of the module that the tools make without dloc, its texts are what the tools print at each stage;
- through a stock opt, llc and linker it runs, and has the right result; a GPU kernel becomes PTX with directives of layers;
- at each instruction that the machine code must have for one operation, `dloc symbolize` names the line where the text of a stage has that operation;
- `dloc select` makes a stage the program's own table, and gdb stops at the operation in its text;
- `dloc browse` makes a page of it.
Bad input: tools that are missing, or of another release, marks that are wrong, programs that a tool refuses, time limits.
Environment: DLOC (default build/dloc)."""

import dataclasses
import hashlib
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "real"))
from common import DLOC, Results, llvm, run, why_missing  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
LIST_FORM = "pr215666"
TO_LLVM = """convert-scf-to-cf, expand-strided-metadata, lower-affine, convert-arith-to-llvm, finalize-memref-to-llvm, convert-func-to-llvm, convert-cf-to-llvm,
    reconcile-unrealized-casts"""


@dataclasses.dataclass
class Program:
    """operations: patterns of machine code in the function, and by stage what stands on the line of such an instruction; pipeline: for `dloc mlir`;
    module: the nested one that is lowered."""

    source: str
    function: str
    operations: dict
    result: int = None
    pipeline: str = None
    main: str = None
    module: str = None

    @property
    def name(self):
        return self.source.split(".")[0]

    @property
    def kinds(self):
        """In the order of the stages."""
        return re.findall(r"@(\w+)", self.pipeline) if self.pipeline else ["hlfir", "fir", "cfg"]


def sum_of_matmul():
    n = range(8)
    return sum((i + 2 * k) * (k - j) * (3 * i + j) for i in n for j in n for k in n)


def sum_of_product():
    n = range(1, 7)
    return sum((i + 2 * k) * (k * j - 5) for i in n for j in n for k in n)


MULTIPLY = r"^v?(mul[sp]d|fmadd\S+)\b"
STORE = r"^v?mov\S+\s+%xmm\d+,.*\("
# The multiplication of linalg.matmul stands in a region that nobody wrote.
ALL = [
    Program("matmul.mlir", "matmul", {MULTIPLY: {"scf": r"arith\.mulf", "llvm": r"llvm\.fmul"},
                                      STORE: {"linalg": r"linalg\.matmul", "scf": r"memref\.store", "llvm": r"llvm\.store"}}, sum_of_matmul(),
            f"@linalg, convert-linalg-to-loops, canonicalize, @scf, {TO_LLVM}, @llvm", "matmul.c"),
    Program("nest.mlir", "nest", {MULTIPLY: {"scf": r"arith\.mulf", "cf": r"arith\.mulf", "llvm": r"llvm\.fmul"}},
            sum((i * 7 + j) * (j + 1) for i in range(5) for j in range(7)),
            f"builtin.module(@scf, convert-scf-to-cf, @cf, {TO_LLVM}, @llvm)", "nest.c"),
    Program("inlining.mlir", "cubes", {r"^imul\b": {"before": r"arith\.muli", "after": r"arith\.muli", "llvm": r"llvm\.mul"}}, 7**3 - 5**3,
            f"@before, inline, @after, {TO_LLVM}, @llvm", "inlining.c"),
    Program("saxpy.mlir", "saxpy", {r"^mul\.(rn\.)?f32": {"gpu": r"arith\.mulf", "cf": r"arith\.mulf", "nvvm": r"llvm\.fmul"}}, None,
            "@gpu, convert-scf-to-cf, @cf, gpu.module(convert-gpu-to-nvvm{index-bitwidth=64}), reconcile-unrealized-casts, @nvvm", None, "kernels"),
    Program("dot.f90", "dot", {MULTIPLY: {"hlfir": r"arith\.mulf", "fir": r"arith\.mulf", "cfg": r"arith\.mulf"}},
            sum((i + 1) * (2 * i - 3) for i in range(9)), None, "dot.c"),
    Program("product.f90", "_QQmain", {r"^call\s.*FortranASum": {"hlfir": r"hlfir\.sum", "fir": r"FortranASum", "cfg": r"FortranASum"}}, sum_of_product()),
    # Its blocks come in another order unless cfg follows the passes that Flang has before it.
    Program("temporaries.f90", "_QQmain", {}, -837),
]  # fmt: skip


class Failed(Exception):
    pass


def need(*command, status=0, both=False):
    """What a command prints; it must end with that status."""
    got, output, errors = run([str(word) for word in command], limit=120)
    if got != status:
        raise Failed(f"{' '.join(str(word) for word in command)}: {got}\n{errors[:2000]}")
    return (output, errors) if both else output


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Chain:
    """A program through the tools of one release."""

    def __init__(self, program, version, folder):
        self.program, self.version, self.folder = program, version, folder
        self.tools = os.path.dirname(llvm(version, "opt"))
        self.source = os.path.join(PROGRAMS, program.source)
        self.layered = self.path("layered.ll")
        self.fortran = program.source.endswith(".f90")

    def path(self, name):
        return os.path.join(self.folder, name)

    def tool(self, name):
        return os.path.join(self.tools, name)

    def compiler(self):
        return self.tool("flang-new" if self.version < 20 else "flang")

    # ---- The module ----

    def lower(self, *options):
        options = ["--llvm", self.tools, *options]
        if self.fortran:
            return need(DLOC, "flang", self.source, *options, both=True)[1]
        if self.program.module:
            options += ["--module", self.program.module]
        return need(DLOC, "mlir", self.source, "--pipeline", self.program.pipeline, *options, both=True)[1]

    def module(self):
        said = self.lower("-o", self.layered, "--counts", "-v")
        if f"of LLVM {self.version}." not in said:
            return "does not say which tools it ran:\n" + said
        for kind in self.program.kinds:
            match = re.search(rf"^{kind}: (\d+) instructions; (\d+) places, (\d+) of them at an op, (\d+) merged$", said, re.M)
            if not match or int(match[1]) == 0 or int(match[2]) != int(match[3]) + int(match[4]):
                return f"places of {kind} that are no ops:\n{said}"
        need(DLOC, "verify", self.layered)
        return None

    def lists(self):
        """The same layers in the other form."""
        path = self.path("lists.ll")
        self.lower("--profile", LIST_FORM, "-o", path)
        need(DLOC, "verify", "--profile", LIST_FORM, path)
        if self.version > 19 and not why_missing(24):
            need(llvm(24, "opt"), "-passes=verify", "-disable-output", path)
        if "irlayers:" not in read(path):
            return "has no list"
        listed, tuples = (need(DLOC, "print", "--locations", name).decode() for name in (path, self.layered))
        need(DLOC, "convert", "--to", "tuple", path, "-o", self.path("back.ll"))
        back = need(DLOC, "print", "--locations", self.path("back.ll")).decode()
        return None if back == tuples and listed else "converted back it has other layers"

    def base(self):
        """The module by the tools alone."""
        if self.fortran:
            return need(self.compiler(), "-fc1", "-emit-llvm", "-debug-info-kind=standalone", self.source, "-o", "-").decode()
        passes = re.sub(r"@\w+,? *|, @\w+", "", self.program.pipeline)
        passes = passes if passes.startswith("builtin.module(") else f"builtin.module({passes})"
        lowered, scoped = self.path("base.mlir"), self.path("scoped.mlir")
        need(self.tool("mlir-opt"), self.source, "--mlir-print-debuginfo", f"--pass-pipeline={passes}", "-o", lowered)
        if self.program.module:
            take_module(lowered, self.program.module)
        need(self.tool("mlir-opt"), lowered, "--mlir-print-debuginfo", "--ensure-debug-info-scope-on-llvm-func", "-o", scoped)
        return need(self.tool("mlir-translate"), "--mlir-to-llvmir", scoped).decode()

    def primaries(self):
        """An instruction that has none has line 0 of its function."""
        path = self.path("base.ll")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.base())
        need(DLOC, "project", "--primary", self.layered, "-o", self.path("primary.ll"))
        ours, theirs = ({tuple(line.split()[:2]): line for line in need(DLOC, "print", "--locations", name).decode().splitlines()}
                        for name in (self.path("primary.ll"), path))  # fmt: skip
        for key, line in ours.items():
            if line != theirs.get(key) and (key in theirs or not re.search(r":0$", line)):
                return f"{line}, not {theirs.get(key)}"
        return None if theirs and set(theirs) <= set(ours) else "a location is missing"

    def texts(self):
        """The program at each stage, as the tools print it."""
        listed = need(DLOC, "source", self.layered).decode().splitlines()
        kinds = self.program.kinds
        if [line.split()[3:] for line in listed] != [[kind, f"{self.program.name}.{kind}.mlir"] for kind in kinds]:
            return "other texts:\n" + "\n".join(listed)
        for number, kind in enumerate(kinds):
            need(DLOC, "source", self.layered, "--extract", number, "-o", self.path(f"{kind}.mlir"))
            if self.fortran:
                continue
            before = self.program.pipeline.split(f"@{kind}")[0].rstrip(", ")
            before = before + ")" if before.startswith("builtin.module(") else f"builtin.module({before})"
            passes = re.sub(r"@\w+,? *", "", before).replace(", )", ")")
            printed = need(self.tool("mlir-opt"), self.source, f"--pass-pipeline={passes}").decode()
            if printed.strip() != read(self.path(f"{kind}.mlir")).strip():
                return f"the text of {kind} is not what mlir-opt prints"
        return None

    # ---- The program ----

    def build(self):
        hidden, optimised, item = self.path("hidden.ll"), self.path("optimised.ll"), self.path("object.o")
        need(DLOC, "hide", self.layered, "--table", self.path("table"), "-o", hidden)
        need(self.tool("opt"), "-passes=default<O2>", "-S", hidden, "-o", optimised)
        need(self.tool("llc"), "-O2", "-filetype=obj", "-relocation-model=pic", optimised, "-o", item)
        need(DLOC, "reveal", "--fast", item, "--table", self.path("table"), "-o", self.path("revealed.o"))
        linker = [self.compiler()] if self.fortran else ["cc"]
        main = self.program.main
        if main:
            need("cc", "-O1", "-c", os.path.join(PROGRAMS, main), "-o", self.path("main.o"))
        objects = [self.path("revealed.o")] + ([self.path("main.o")] if main else [])
        need(*(linker if not main else ["cc"]), *objects, "-o", self.path("program"))
        printed = need(self.path("program")).decode().strip()
        return None if printed == str(self.program.result) else f"it prints {printed}, not {self.program.result}"

    def addresses(self, instruction):
        """Of the instructions that the function has for an operation."""
        text = need("objdump", "-dr", "--no-show-raw-insn", f"--disassemble={self.program.function}", self.path("program")).decode()
        return [match[1] for match in re.finditer(r"^ *([0-9a-f]+):\s+(.*)$", text, re.M) if re.search(instruction, match[2])]

    def lines(self, kind, operation):
        """Of the text of a stage that have the operation."""
        return {number for number, line in enumerate(read(self.path(f"{kind}.mlir")).splitlines(), 1) if re.search(operation, line)}

    def symbolized(self):
        for instruction, operations in self.program.operations.items():
            addresses, found = self.addresses(instruction), {kind: set() for kind in operations}
            if not addresses:
                return f"no instruction is {instruction}"
            for line in need(DLOC, "symbolize", "--json", self.path("program"), *addresses).decode().splitlines():
                layers = {layer["kind"]: layer["line"] for layer in json.loads(line)["layers"]}
                if set(layers) != set(operations):
                    return f"{instruction} has other layers: {line}"
                for kind, number in layers.items():
                    found[kind].add(number)
            for kind, numbers in found.items():
                if not numbers <= self.lines(kind, operations[kind]):
                    return f"{instruction} has lines {numbers} in {kind}, which are not of {operations[kind]}"
            if self.program.name == "inlining" and not len(found["before"]) < len(found["after"]):
                return f"the text behind inlining tells copies apart, the one before does not; here {found}"
        return None

    def page(self):
        need(DLOC, "browse", self.path("program"), "--function", self.program.function, "--llvm", self.tools, "--json", "-o", self.path("page.json"))
        need(DLOC, "browse", self.path("program"), "--function", self.program.function, "--llvm", self.tools, "-o", self.path("page.html"))
        shown, page = read(self.path("page.json")), read(self.path("page.html"))
        for operations in self.program.operations.values():
            for kind, operation in operations.items():
                if not re.search(operation, shown) or f'"{kind}"' not in shown or kind not in page:
                    return f"the page has nothing of {kind}"
        return None

    def selected(self):
        """gdb in each stage: it stops at a line that has the operation, shows it, and names such a line for each instruction of it."""
        for instruction, operations in self.program.operations.items():
            for kind, operation in operations.items():
                program, texts, lines = self.path(f"selected.{kind}"), self.path(f"texts.{kind}"), self.lines(kind, operation)
                need(DLOC, "select", self.path("program"), "--layer", kind, "-o", program, "--texts", texts)
                (name,) = os.listdir(texts)
                breaks = [f"break {name}:{line}" for line in sorted(lines)]
                asked = [f"info line *0x{address}" for address in self.addresses(instruction)]
                words = [word for command in ("set debuginfod enabled off", *asked, *breaks, "run", "frame") for word in ("-ex", command)]
                told = need("gdb", "-nx", "-batch", *words, program).decode(errors="replace")
                named = re.findall(rf'^Line (\d+) of ".*{name}"', told, re.M)
                if len(named) != len(asked) or not {int(line) for line in named} <= lines:
                    return f"{instruction} in {kind}: gdb names the lines {named}, and {lines} have {operation}"
                stop = re.search(rf"^#0 .*{name}:(\d+)\n\1\t(.*)$", told, re.M)
                if not stop or int(stop[1]) not in lines or not re.search(operation, stop[2]):
                    return f"gdb does not stop at {operation} in {kind}: {told[-600:]}"
        return None

    # ---- The kernel ----

    def kernel(self):
        """PTX by a stock LLVM, which has directives of layers behind each directive of a place."""
        hidden, ptx, revealed = self.path("hidden.ll"), self.path("hidden.ptx"), self.path("kernel.ptx")
        need(DLOC, "hide", "--in", "column", self.layered, "--table", self.path("table"), "-o", hidden)
        need(self.tool("llc"), "-O2", "-march=nvptx64", "-mcpu=sm_80", hidden, "-o", ptx)
        need(DLOC, "reveal", "--fast", ptx, "--table", self.path("table"), "--profile", "rfc", "-o", revealed)
        (instruction, operations), text = *self.program.operations.items(), read(revealed)
        files, at, found = dict(re.findall(r'^\s*\.file\s+(\d+)\s+"(.*?)"', text, re.M)), {}, 0
        names = {kind: hashlib.md5(read(self.path(f"{kind}.mlir")).encode()).hexdigest() for kind in operations}
        for line in text.splitlines():
            if re.match(r"\s*\.loc\s", line):
                at = {}
            elif match := re.match(r"\s*\.loc_intermediate\s+(\d+)\s+(\d+)", line):
                at[files[match[1]]] = int(match[2])
            elif re.search(instruction, line.strip()):
                found += 1
                if at != {names[kind]: min(self.lines(kind, operation)) for kind, operation in operations.items()}:
                    return f"{line.strip()} has {at}"
        return None if found else f"no instruction is {instruction}"

    def steps(self):
        steps = ["module", "lists", "primaries", "texts"]
        return steps + (["kernel"] if self.program.module else ["build", "symbolized", "selected", "page"])


def take_module(path, name):
    """The nested module alone, with the aliases of locations."""
    text = read(path)
    aliases = re.findall(r"^#.*$", text, re.M)
    body = re.search(rf"^  \S*module @{name} .*?{{$\n(.*?)^  }}", text, re.M | re.S)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(["module {", body, "}", *aliases, ""]))


def follow(results, program, version):
    with tempfile.TemporaryDirectory() as folder:
        chain = Chain(program, version, folder)
        for step in chain.steps():
            try:
                problem = getattr(chain, step)()
            except Failed as failure:
                problem = str(failure)
            results.check(f"{program.source}, {version}: {step}", problem)
            if problem:
                return


def main():
    results = Results()
    versions = [int(word) for word in sys.argv[1:]] or [22, 19]
    for version in versions:
        if not os.access(llvm(version, "mlir-opt"), os.X_OK):
            results.skip(f"there is no mlir-opt {version}; `.ci/setup producers` installs it")
            continue
        for program in ALL:
            follow(results, program, version)
    results.finish()


if __name__ == "__main__":
    main()
