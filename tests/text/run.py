#!/usr/bin/env python3
"""usage: tests/text/run.py few | all | FILE.ll...

Assembler text that `dloc reveal` gave line tables of layers, beside the text that it was made of: both are assembled and linked (on RISC-V
the linker removes instructions), and at each address that the hidden program has a row for, the tables of layers must say what the number of
that row stands for, and the primary's must say what it said; the code is the same. `few` tries few versions and assemblers; a FILE is a module
without layers for LLVM 22 on x86-64.
Ends with a line `N passed, N failed[, N skipped]`. Environment: DLOC (default build/dloc).
"""

import bisect
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DLOC = os.environ.get("DLOC", str(ROOT / "build/dloc"))
TARGETS = {
    "x86-64": ["--target=x86_64-linux-gnu"],
    "aarch64": ["--target=aarch64-linux-gnu"],
    "riscv64": ["--target=riscv64-linux-gnu", "-march=rv64gc"],
}
KINDS = {"TileIR": ".debug_line_tileir", "MLIR": ".debug_line_mlir"}
END = "E"


def command(*words) -> str:
    done = subprocess.run([str(w) for w in words], capture_output=True, timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.decode(errors='replace')[:2000]}")
    return done.stdout.decode(errors="replace")


def rows_of(program: Path, section: str) -> list[list[tuple]]:
    """The sequences of a table: rows of address, file, line, column, discriminator, flags."""
    sequences: list[list[tuple]] = [[]]
    for line in command(DLOC, "lines", "--tsv", "--section", section, program).splitlines():
        address, file, number, column, discriminator, flags = line.split("\t")[:6]
        sequences[-1].append((int(address, 16), file, int(number), int(column), int(discriminator), flags))
        if END in flags:
            sequences.append([])
    return [s for s in sequences if len(s) > 1]


def layers_of(program: Path, section: str) -> list[list[tuple]]:
    """The same with the name of each file alone, and sequences by address."""
    return sorted([(r[0], os.path.basename(r[1]), *r[2:]) for r in rows] for rows in rows_of(program, section))


class Lookup:
    """The last row at or before an address, in the sequence that has it."""

    def __init__(self, sequences):
        self.sequences = sorted(sequences, key=lambda rows: rows[0][0])
        self.starts = [rows[0][0] for rows in self.sequences]

    def find(self, address: int):
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.sequences[at][-1][0]:
            return None
        rows = self.sequences[at]
        return rows[bisect.bisect_right([r[0] for r in rows], address) - 1] if len(rows) < 64 else self.long(at, address)

    def long(self, at: int, address: int):
        if not hasattr(self, "addresses"):
            self.addresses = {}
        addresses = self.addresses.setdefault(at, [r[0] for r in self.sequences[at]])
        return self.sequences[at][bisect.bisect_right(addresses, address) - 1]


def numbers_of(table: Path) -> dict[int, dict[str, tuple[int, int]]]:
    """What each number stands for: line and column by kind. Read from the text of the table alone."""
    nodes = dict(re.findall(r"^!(\S+) = (.*)$", table.read_text(), re.M))
    first, *step = map(int, re.findall(r"i32 (\d+)", nodes[nodes["dloc.hidden.table"].strip("!{}")]))
    result = {}
    for i, entry in enumerate(re.findall(r"!(\d+)", nodes["dloc.hidden.layers"])):
        layers: dict[str, tuple[int, int]] = {}
        for operand in re.findall(r"!(\d+)", nodes[entry])[1:] if nodes[entry].startswith("!{") else []:
            kind, place = re.fullmatch(r'!\{!"(\w+)", !(\d+)\}', nodes[operand]).groups()
            line = int(re.search(r"line: (\d+)", nodes[place]).group(1))
            column = re.search(r"column: (\d+)", nodes[place])
            if line:
                layers.setdefault(kind, (line, int(column.group(1)) if column else 0))
        result[first + i * (step[0] if step else 1)] = layers
    return result


def compare(hidden: Path, revealed: Path, table: Path, assembler: str) -> tuple[int, list[str]]:
    """How many layers were looked up, and what was wrong."""
    numbers = numbers_of(table)
    layers = {kind: Lookup(rows_of(revealed, section)) for kind, section in KINDS.items()}
    primary = Lookup(rows_of(revealed, ".debug_line"))
    looked, wrong = 0, []
    for rows in rows_of(hidden, ".debug_line"):
        for row, behind in zip(rows, rows[1:]):
            address, file, line, column, number, _ = row
            if behind[0] == address:
                continue
            line = 0 if line == 0x3FFFFFFF else line
            now = primary.find(address)
            unwritten = assembler == "as" and line == 0 # by GNU as, whoever asks for it
            expected_row = (file, line, column, 0) if line else (now and now[1], 0, now and now[3], 0) # line 0 is one place
            if not unwritten and (now is None or now[1:5] != expected_row):
                wrong.append(f"{address:#x}: primary {file}:{line}:{column} is {now}")
            for kind, lookup in layers.items():
                expected = numbers[number].get(kind) if number else None
                found = lookup.find(address)
                place = found[2:4] if found and found[2] else None
                looked += expected is not None
                if place != expected:
                    wrong.append(f"{address:#x}: {kind} {expected} is {found}")
                if place and not os.path.basename(found[1]).startswith(f".debug_txt.{kind.lower()}."):
                    wrong.append(f"{address:#x}: the file of a layer with a text is {found[1]}")
    return looked, wrong


def code_of(program: Path, work: Path, llvm: Path) -> bytes:
    stripped = work / "stripped"
    command(llvm / "llvm-strip", "--strip-all", program, "-o", stripped)
    return stripped.read_bytes()


def riscv(version: str) -> str:
    """The features; LLVM 14 does not tell the linker all distances of its own line table."""
    return "-mattr=+m,+a,+c,+f,+d" + ("" if version == "14" else ",+relax")


def link(objects: list[Path], out: Path, triple: str) -> None:
    emulation = {"x86-64": "elf_x86_64", "aarch64": "aarch64linux", "riscv64": "elf64lriscv"}[triple]
    command("ld.lld-22", "-m", emulation, "--unresolved-symbols=ignore-all", "-e", "0", *objects, "-o", out)


def hide(module: Path, llvm: Path, level: str, work: Path) -> tuple[Path, Path]:
    table, hidden = work / "table", work / "hidden.ll"
    command(DLOC, "annotate", "--layer", "TileIR", "--embed", module, "-o", work / "one.ll")
    command(DLOC, "annotate", "--layer", "MLIR", "--all", "--by-function", "--embed", work / "one.ll", "-o", work / "two.ll")
    command(DLOC, "hide", work / "two.ll", "--table", table, "-o", work / "plain.ll")
    command(llvm / "opt", "-S", level, work / "plain.ll", "-o", hidden)
    return hidden, table


def same_as_object(work: Path, table: Path, target: str) -> list[str]:
    """The rows of layers are those of the hidden text's object when that is revealed."""
    command(DLOC, "reveal", "--fast", work / "hidden.o", "--table", table, "-o", work / "object.o")
    link([work / "object.o"], work / "object", target)
    different = [section for section in KINDS.values() if layers_of(work / "object", section) != layers_of(work / "revealed", section)]
    return [f"rows of {section} are not those of the object" for section in different]


def check(module: Path, llvm: Path, target: str, level: str, flags: list[str], assemblers: list[str], work: Path):
    hidden, table = hide(module, llvm, level, work)
    command(llvm / "llc", level, *flags, "-relocation-model=pic", hidden, "-o", work / "hidden.s")
    command(DLOC, "reveal", "--fast", work / "hidden.s", "--table", table, "-o", work / "revealed.s")
    for assembler in assemblers:
        for name in ("hidden", "revealed"):
            if assembler == "as":
                command("x86_64-linux-gnu-as", work / f"{name}.s", "-o", work / f"{name}.o")
            else:
                extra = [riscv(assembler)] if target == "riscv64" else []
                triple = TARGETS[target][0].split("=")[1]
                mc = Path(f"/usr/lib/llvm-{assembler}/bin/llvm-mc")
                command(mc, "-filetype=obj", "-triple", triple, *extra, work / f"{name}.s", "-o", work / f"{name}.o")
            link([work / f"{name}.o"], work / name, target)
        looked, wrong = compare(work / "hidden", work / "revealed", table, assembler)
        if target != "riscv64" and assembler != "as": # as above
            wrong += same_as_object(work, table, target)
        if code_of(work / "hidden", work, llvm) != code_of(work / "revealed", work, llvm):
            wrong.append("the code differs")
        if looked == 0:
            wrong.append("no layer was looked up")
        yield assembler, looked, wrong


def cases(everything: bool):
    for version in ("14", "19", "22"):
        for target in TARGETS:
            for level in ("-O0", "-O2"):
                if everything or (version == "22" and level == "-O2"):
                    yield version, target, level


def main() -> int:
    everything = "all" in sys.argv
    files = [a for a in sys.argv[1:] if a not in ("few", "all")]
    passed = failed = 0

    def count(name: str, results) -> None:
        nonlocal passed, failed
        try:
            for assembler, looked, wrong in results:
                passed += not wrong
                failed += bool(wrong)
                if wrong or files:
                    print(f"{name}, {assembler}: {looked} layers, {len(wrong)} wrong", *wrong[:10], sep="\n  ")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{name}: {error}")

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for file in files:
            count(file, check(Path(file), Path("/usr/lib/llvm-22/bin"), "x86-64", "-O2", [], ["22"], work))
        for version, target, level in [] if files else cases(everything):
            llvm = Path(f"/usr/lib/llvm-{version}/bin")
            module = work / "module.ll"
            command(llvm / "clang", *TARGETS[target], "-g", "-ffreestanding", "-fPIC", level, "-Xclang", "-disable-llvm-passes",
                    "-S", "-emit-llvm", Path(__file__).with_name("program.c"), "-o", module)
            text = module.read_text()
            module.write_text(text.replace(" optnone ", " ") if level == "-O0" else text)
            flags = ["-function-sections"] if level == "-O2" else []
            flags += [riscv(version)] if target == "riscv64" else []
            assemblers = [version] + (["as"] if target == "x86-64" else []) + (["22"] if everything and version == "19" else [])
            count(f"LLVM {version}, {target}, {level}", check(module, llvm, target, level, flags, assemblers, work))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
