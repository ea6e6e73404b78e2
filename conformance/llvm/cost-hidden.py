#!/usr/bin/env python3
"""usage: conformance/llvm/cost-hidden.py [--llvm N] [--program NAME]... [--level L]... [--layers N]... [--runs N] [--quick] [--output FILE]

What layers cost on a stock LLVM N (22): Lua and SQLite, each one module, at -O0 and -O2, with 0, 1, 2 and 4 layers in every located instruction. One layer
has a line of its own for each instruction, one has a line for three of them and no columns; four are each twice.
  time    processor seconds of dloc hide, opt, llc, dloc reveal, and linking by four linkers; the least of RUNS runs (1)
  memory  the most that a step held, in MB
  bytes   of objects and executables: code and data, the primary's line table, those of layers, texts, all other debug information
  lookups addresses a second that `dloc symbolize` answers, from standard input
With 0 layers nothing is hidden or revealed: what the others are compared with. A linker that is not installed is left out. Writes FILE
(build/cost-hidden.json) and prints a table. --quick is Lua at -O2 with 0 and 2 layers. Environment: DLOC.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from typing import IO, Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "real"))
from common import CACHE, DLOC, ROOT, llvm  # noqa: E402
from modules import optimisable  # noqa: E402

LINKERS = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld-22", "mold": "mold"}
LIBRARIES = ["-lm", "-ldl", "-lpthread"]
KINDS = ["TileIR", "MLIR", "Linalg", "LLVM"]
LIMIT = 1800
Row = dict[str, Any]


def step(command: list[str], stdin: IO[str] | None = None) -> tuple[float, float]:
    """(processor seconds, MB) of a command that must succeed."""
    child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr
    deadline = time.monotonic() + LIMIT
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status or time.monotonic() > deadline:
        sys.exit(f"cost-hidden: {' '.join(command[:2])}: status {status}: {errors.decode(errors='replace')[:300]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Costs:
    """The least seconds of each step, and the most memory."""

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.seconds: dict[str, float] = {}
        self.memory: dict[str, float] = {}

    def add(self, name: str, command: list[str], stdin: IO[str] | None = None) -> None:
        for _ in range(self.runs):
            if stdin:
                stdin.seek(0)
            seconds, memory = step(command, stdin)
            self.seconds[name] = min(seconds, self.seconds.get(name, seconds))
            self.memory[name] = max(memory, self.memory.get(name, 0))


def bytes_of(path: str) -> dict[str, int]:
    """How many bytes a file has, by what they are."""
    sizes = {"all": os.path.getsize(path), "code and data": 0, "primary lines": 0, "layer lines": 0, "texts": 0, "other debug information": 0}
    listing = subprocess.run([llvm(22, "llvm-readelf"), "-SW", path], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        fields = line[line.find("]") + 1 :].split()
        if not line.lstrip().startswith("[") or len(fields) < 7 or fields[0] in ("Name", "NULL") or fields[1] == "NOBITS":
            continue
        name, size = fields[0].removeprefix(".rela"), int(fields[4], 16)
        if name == ".debug_line":
            sizes["primary lines"] += size
        elif name.startswith((".debug_line_", ".debug_line.")) and name != ".debug_line_str":
            sizes["layer lines"] += size
        elif name.startswith(".debug_txt"):
            sizes["texts"] += size
        elif name.startswith(".debug"):
            sizes["other debug information"] += size
        elif "A" in fields[6]:
            sizes["code and data"] += size
    return sizes


def layered(module: str, count: int, folder: str) -> str:
    for index, kind in enumerate(KINDS[:count]):
        output = os.path.join(folder, f"layers-{index}.ll")
        coarse = ["--by-function"] if index % 2 else []
        step([DLOC, "annotate", "--layer", kind, "--file", f"{kind.lower()}.txt", *coarse, module, "-o", output])
        module = output
    return module


def addresses(executable: str, count: int = 100_000) -> str:
    """Lines with addresses of code, the same ones every time."""
    listing = subprocess.run([llvm(22, "llvm-readelf"), "-SW", executable], check=True, capture_output=True, text=True).stdout
    fields = next(line[line.find("]") + 1 :].split() for line in listing.splitlines() if " .text " in line)
    start, size = int(fields[2], 16), int(fields[4], 16)
    chosen = random.Random(1)
    return "".join(f"{start + chosen.randrange(size):#x}\n" for _ in range(count))


def measure(program: str, version: int, level: int, count: int, runs: int, folder: str) -> Row:
    costs = Costs(runs)

    def path(name: str) -> str:
        return os.path.join(folder, name)

    module = layered(optimisable(f"{program}-{version}-O0", folder), count, folder)
    if count:
        costs.add("hide", [DLOC, "hide", "--table", path("table"), module, "-o", path("hidden.ll")])
        module = path("hidden.ll")
    if level:
        costs.add("opt", [llvm(version, "opt"), f"-passes=default<O{level}>", module, "-o", path("optimised.bc")])
        module = path("optimised.bc")
    costs.add("llc", [llvm(version, "llc"), f"-O{level}", "-filetype=obj", "-relocation-model=pic", module, "-o", path("module.o")])
    item = path("module.o")
    if count:
        costs.add("reveal", [DLOC, "reveal", "--fast", "--table", path("table"), item, "-o", path("layers.o")])
        item = path("layers.o")
    result: Row = {"program": program, "level": level, "layers": count, "object": bytes_of(item), "executables": {}}
    for linker, name in LINKERS.items():
        if not shutil.which(name):
            continue
        driver = [llvm(version, "clang"), f"--ld-path={shutil.which(name)}", item, "-o", path(linker), *LIBRARIES]
        costs.add("link by " + linker, driver)
        result["executables"][linker] = bytes_of(path(linker))
    linked = path(next(iter(result["executables"])))
    with open(path("addresses"), "w+", encoding="ascii") as file:
        lines = addresses(linked)
        file.write(lines)
        file.flush()
        costs.add("lookups", [DLOC, "symbolize", linked], file)
    result["lookups a second"] = lines.count("\n") / costs.seconds["lookups"]
    return result | {"seconds": costs.seconds, "memory": costs.memory}


# ---- The table -------------------------------------------------------------------------------------------------------------------------------------


def compile_seconds(row: Row) -> float:
    return sum(float(row["seconds"].get(name, 0)) for name in ("hide", "opt", "llc", "reveal"))


def show(rows: list[Row]) -> None:
    bare = {(row["program"], row["level"]): row for row in rows if row["layers"] == 0}
    print("program level layers   hide    opt    llc reveal  ratio  memory   object   lines  layers   texts  lookups/s")
    for row in rows:
        seconds, sizes = row["seconds"], row["object"]
        base = bare.get((row["program"], row["level"]))
        print(
            f"{row['program']:8}O{row['level']:<3}{row['layers']:6}  "
            + " ".join(f"{seconds.get(name, 0):6.2f}" for name in ("hide", "opt", "llc", "reveal"))
            + (f" {compile_seconds(row) / compile_seconds(base):6.2f}" if base else "      -")
            + (f" {max(row['memory'].values()) / max(base['memory'].values()):7.2f}" if base else "       -")
            + "".join(f" {sizes[name] / 1e6:7.2f}M"[:8] + " " for name in ("all", "primary lines", "layer lines", "texts"))
            + f"{row['lookups a second']:10,.0f}"
        )
        for linker, executable in row["executables"].items():
            print(f"          {linker:5} {seconds['link by ' + linker]:6.2f} s, {executable['all'] / 1e6:.2f} MB, layers {executable['layer lines'] / 1e6:.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--llvm", type=int, default=22)
    parser.add_argument("--program", action="append", choices=("lua", "sqlite"))
    parser.add_argument("--level", type=int, action="append")
    parser.add_argument("--layers", type=int, action="append", choices=range(len(KINDS) + 1))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--output", default=os.path.join(ROOT, "build", "cost-hidden.json"))
    arguments = parser.parse_args()
    quick = arguments.quick
    programs = arguments.program or (["lua"] if quick else ["lua", "sqlite"])
    levels, layers = arguments.level or ([2] if quick else [0, 2]), arguments.layers or ([0, 2] if quick else [0, 1, 2, 4])
    rows = []
    for program in programs:
        for level in levels:
            for count in layers:
                with tempfile.TemporaryDirectory(dir=CACHE) as folder:
                    rows.append(measure(program, arguments.llvm, level, count, arguments.runs, folder))
    show(rows)
    with open(arguments.output, "w", encoding="ascii") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
