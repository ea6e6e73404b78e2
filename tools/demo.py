#!/usr/bin/env python3
"""usage: tools/demo.py [--llvm N] [--program sqlite|lua|matmul] [--layers-only] [-o PAGE.html]

A real program with layers, by a stock LLVM N (22): SQLite (or Lua), compiled by clang, gets two layers, the LLVM IR before and behind optimization. Both are
hidden from opt and llc, and come back in the object, which any linker links. The program runs under sampling, and `dloc browse` makes a page of the
samples: source, both layers, machine code, line by line.

matmul is a program of MLIR (examples/matmul), whose layers are the stages of its lowering: linalg, scf, llvm (LLVM's dialect). It needs mlir-opt and mlir-translate N.

Samples come from perf, or where it is not permitted from valgrind, which counts instructions. Writes build/demo/PROGRAM, build/demo/PROGRAM.o and the page,
build/demo/PROGRAM.html. Environment: DLOC.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
from common import DLOC, llvm  # noqa: E402
from modules import optimisable, units  # noqa: E402

SQL = """
create table trees(id integer primary key, kind text, height real, planted integer);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
insert into trees select i, 'kind ' || (i * 7919 % 97), (i * 104729 % 4000) / 100.0, 1900 + i % 120 from n;
create index by_kind on trees(kind, height);
select kind, count(*), avg(height), max(planted) from trees group by kind order by 3 desc limit 5;
select count(*) from trees a join trees b on a.kind = b.kind and a.height < b.height where a.planted = 1950 and b.planted > 1990;
select sum(length(replace(kind, 'kind', 'sort of tree'))) from trees where height between 10 and 30;
"""
LUA = """
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local words = {}
for i = 1, 200000 do words[i] = string.format("%05d", (i * 7919) % 100003) end
table.sort(words)
print(fib(27), words[1], #table.concat(words))
"""
INPUTS: dict[str, tuple[list[str], str]] = {"sqlite": ([":memory:"], SQL), "lua": (["-"], LUA), "matmul": ([], "")}
MATMUL = os.path.join(ROOT, "examples", "matmul")
LOWERING = """linalg-generalize-named-ops, @linalg, convert-linalg-to-loops, canonicalize, @scf, convert-scf-to-cf, expand-strided-metadata, lower-affine,
    convert-arith-to-llvm, finalize-memref-to-llvm, convert-func-to-llvm, convert-cf-to-llvm, reconcile-unrealized-casts, canonicalize, @llvm"""
LIBRARIES = ["-lm", "-ldl", "-lpthread"]


def say(what: str, start: float) -> None:
    print(f"  {time.monotonic() - start:6.1f} s  {what}", flush=True)


def wait(child: subprocess.Popen[bytes], name: str, start: float) -> tuple[bytes, bytes]:
    """What the child writes. A step of minutes says every few seconds that it still works."""
    while True:
        try:
            return child.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            seconds = time.monotonic() - start
            if seconds > 1800:
                child.kill()
                sys.exit(f"demo: {name}: no end after {seconds:.0f} s")
            print(f"{seconds:18.0f} s  {name} ...", flush=True)


def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
    words, name = [str(part) for part in command], os.path.basename(str(command[0]))
    with subprocess.Popen(words, **options) as child:
        output, errors = wait(child, name, time.monotonic())
    if child.returncode:
        sys.exit(f"demo: {name}: exit status {child.returncode}")
    return subprocess.CompletedProcess(words, child.returncode, output, errors)


class Demo:
    def __init__(self, program: str, version: int, folder: str) -> None:
        self.program, self.version, self.folder = program, version, folder
        self.executable = self.path(program)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def dloc(self, *arguments: str) -> None:
        run([DLOC, *arguments])

    def annotate(self, module: str, kind: str, name: str, output: str) -> None:
        """Each instruction gets its own line in the module as a layer; loops as well."""
        self.dloc("annotate", "--layer", kind, "--file", name, "--loops", "--embed", "--functions", module, "-o", output)

    def through(self, module: str, command: list[str], output: str) -> None:
        """Runs a tool of a stock LLVM on a module with layers: hidden before, revealed after."""
        hidden, table, after = self.path("hidden.ll"), self.path("table"), self.path("after" + output[output.rindex(".") :])
        self.dloc("hide", "--table", table, module, "-o", hidden)
        run([llvm(self.version, command[0]), *command[1:], hidden, "-o", after])
        self.dloc("reveal", "--fast", "--table", table, after, "-o", output)
        for spare in (hidden, table, after):
            os.remove(spare)

    def build(self, start: float) -> None:
        say(f"clang-{self.version} -O0 -g: {self.program} as one module of LLVM IR", start)
        source = optimisable(f"{self.program}-{self.version}-O0", self.folder)
        before, optimised, both, item = (self.path(self.program + end) for end in ("-before.ll", "-O2.ll", "-both.ll", ".o"))
        self.annotate(source, "LLVM", self.program + ".ll", before)
        say("dloc hide | opt -O2 | dloc reveal --fast: the layer LLVM goes through the passes", start)
        self.through(before, ["opt", "-passes=default<O2>", "-S"], optimised)
        self.annotate(optimised, "LLVM-O2", self.program + "-O2.ll", both)
        say("dloc hide | llc -O2 | dloc reveal --fast: both layers go into the object", start)
        self.through(both, ["llc", "-O2", "-filetype=obj", "-relocation-model=pic"], item)
        say("the linker", start)
        run([llvm(self.version, "clang"), item, "-o", self.executable, *LIBRARIES])
        for spare in (source, before, optimised, both):
            os.remove(spare)

    def build_stages(self, start: float) -> None:
        say(f"dloc mlir: matmul.mlir as a module of LLVM IR with its stages, by MLIR {self.version}", start)
        layered, hidden, table, fast, plain, item = map(self.path, ("matmul.ll", "hidden.ll", "table", "fast.ll", "plain.o", "matmul.o"))
        folder = os.path.dirname(llvm(self.version, "opt"))
        self.dloc("mlir", os.path.relpath(os.path.join(MATMUL, "matmul.mlir")), "--llvm", folder, "--pipeline", LOWERING, "-o", layered)
        self.dloc("verify", "-Werror", layered)
        say("dloc hide | opt -O2 | llc -O2 | dloc reveal --fast: the layers go into the object", start)
        self.dloc("hide", "--table", table, layered, "-o", hidden)
        run([llvm(self.version, "opt"), "-passes=default<O2>", "-S", hidden, "-o", fast])
        run([llvm(self.version, "llc"), "-O2", "-filetype=obj", "-relocation-model=pic", fast, "-o", plain])
        self.dloc("reveal", "--fast", "--table", table, plain, "-o", item)
        run([llvm(self.version, "clang"), "-O1", os.path.join(MATMUL, "main.c"), item, "-o", self.executable])
        for spare in (hidden, table, fast, plain):
            os.remove(spare)

    def sampled(self) -> tuple[str | None, str]:
        """The samples of a run of the program, as `dloc browse --samples` reads them."""
        arguments, text = INPUTS[self.program]
        options: dict[str, Any] = {"input": text.encode(), "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 900}
        command = [self.executable, *arguments]
        data, samples = self.path("perf.data"), self.path("samples")
        perf = shutil.which("perf")
        if perf and subprocess.run([perf, "record", "-q", "-o", data, "--", *command], **options).returncode == 0:
            with open(samples, "wb") as file:
                run([perf, "script", "--show-mmap-events", "-i", data], stdout=file, stderr=subprocess.DEVNULL)
            if os.path.getsize(samples):
                return samples, "perf"
        if not shutil.which("valgrind"):
            return None, "nothing: neither perf nor valgrind can be used here"
        counts = self.path("counts")
        run(["valgrind", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={counts}", *command], **options)
        return counts, "valgrind"


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--llvm", type=int, default=22)
    parser.add_argument("--program", choices=tuple(INPUTS), default="sqlite")
    parser.add_argument("--layers-only", action="store_true", help="no page")
    parser.add_argument("-o", dest="output")
    arguments = parser.parse_args()
    folder = os.path.join(ROOT, "build", "demo")
    os.makedirs(folder, exist_ok=True)
    start = time.monotonic()
    demo = Demo(arguments.program, arguments.llvm, folder)
    of_mlir = arguments.program == "matmul"
    (demo.build_stages if of_mlir else demo.build)(start)
    if arguments.layers_only:
        return
    say("a run under sampling", start)
    samples, by = demo.sampled()
    say(f"dloc browse, with samples by {by}", start)
    page = arguments.output or demo.executable + ".html"
    sources = MATMUL if of_mlir else units(arguments.program)[0]
    run(
        [DLOC, "browse", demo.executable, *(["--samples", samples] if samples else []), "--source-dir", sources]
        + ["--llvm", os.path.dirname(llvm(arguments.llvm, "opt")), "-o", page]
    )
    say(f"{os.path.relpath(page)} is the page", start)


if __name__ == "__main__":
    main()
