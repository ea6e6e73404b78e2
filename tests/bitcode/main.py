#!/usr/bin/env python3
"""usage: tests/bitcode/main.py [COUNT]

Random modules with lists of layers (100, or COUNT), to LLVM's main branch and back:
- llvm-as writes one: dloc prints its locations as those of what opt makes of the module, verifies it, and lists its records; opt reads what dloc prints.
- dloc assembles one, with the llvm-as of LLVM 24 and that of 22: opt and dloc read it as what llvm-as wrote.
- LLVM 22 reads no file that LLVM 24 wrote: Invalid record (`bitcode.old-reader.location`).
Ends with a line `N passed, N failed[, N skipped]`: skipped where there is no LLVM 24. Environment: DLOC.
"""

import os
import random
import sys
import tempfile
from collections.abc import Iterator

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import DLOC, Results, first_line, llvm, run, why_missing  # noqa: E402

MAIN = os.path.dirname(llvm(24, "opt"))
SEED = 20261129


class Random:
    """The text of a module. Nodes have numbers in the order in which they are made."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.nodes: list[str] = []
        self.unit = self.node('distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)')
        self.node('!DIFile(filename: "a.c", directory: "src")')
        self.type = self.node("!DISubroutineType(types: null)")
        self.files = [self.node(f'!DIFile(filename: "{name}.mlir", directory: "build"{source})')
                      for name, source in (("soft", ""), ("hard", ', source: "line\\0A"'), ("x" * self.random.choice((1, 70)), ""))]
        self.layers = [self.layer() for _ in range(self.random.randint(1, 9))]
        self.lists = [self.list() for _ in range(self.random.randint(1, 5))]

    def node(self, text: str) -> int:
        self.nodes.append(text)
        return len(self.nodes) - 1

    def maybe(self, text: str, chance: float = 0.5) -> str:
        return text if self.random.random() < chance else ""

    def layer(self) -> int:
        line = self.random.choice((0, 1, 7, 255, 65536, 2**32 - 1))
        column = self.random.choice(("", ", column: 1", ", column: 65535"))
        kind = self.random.choice(("low", "high", "TileIR", "\\C3\\A9", "k" * 40))
        return self.node(f'{self.maybe("distinct ", 0.2)}!DILayerLoc(line: {line}{column}, file: !{self.random.choice(self.files)}, kind: "{kind}")')

    def list(self) -> int:
        entries = ", ".join(f"!{self.random.choice(self.layers)}" for _ in range(self.random.choice((1, 1, 2, 3, 4, 5, 17))))
        return self.node(f'{self.maybe("distinct ", 0.3)}!DILayerLocList({entries})')

    def location(self, scope: int, call: int | None, distinct: bool = False) -> int:
        layers = self.maybe(f", irlayers: !{self.random.choice(self.lists)}", 0.7)
        inlined = "" if call is None else f", inlinedAt: !{call}"
        return self.node(f'{"distinct " if distinct else ""}!DILocation(line: {self.random.randint(0, 300)}, column: {self.random.randint(0, 90)}, '
                         f'scope: !{scope}{inlined}{layers}{self.maybe(", isImplicitCode: true", 0.1)})')

    def subprogram(self, name: str) -> int:
        return self.node(f'distinct !DISubprogram(name: "{name}", scope: !1, file: !1, line: 1, type: !{self.type}, spFlags: DISPFlagDefinition, unit: !{self.unit})')

    def body(self, name: str) -> Iterator[str]:
        subprogram, inlined = self.subprogram(name), self.subprogram(f"in.{name}")
        block = self.node(f"distinct !DILexicalBlock(scope: !{subprogram}, file: !1, line: 2, column: 3)")
        yield f"define void @{name}(i1 %c) !dbg !{subprogram} {{"
        calls: list[int | None] = [None]
        for _ in range(self.random.randint(1, 12)):
            scope, call = self.random.choice((subprogram, block)), None
            if self.random.random() < 0.3:
                calls.append(self.location(scope, None, True))
                scope, call = inlined, calls[-1]
            yield f"  call void @g(), !dbg !{self.location(scope, call)}"
            if self.random.random() < 0.2:
                variable = self.node(f'!DILocalVariable(name: "v", scope: !{subprogram}, file: !1, line: 3)')
                yield f"    #dbg_value(i1 %c, !{variable}, !DIExpression(), !{self.location(subprogram, None)})"
        if self.random.random() < 0.4:
            begin, end = self.location(subprogram, None), self.location(subprogram, None)
            loop = self.node("")
            self.nodes[loop] = f"distinct !{{!{loop}, !{begin}, !{end}}}"
            yield f"  br label %loop\nloop:\n  br i1 %c, label %loop, label %out, !dbg !{self.location(subprogram, None)}, !llvm.loop !{loop}\nout:"
        yield f"  ret void, !dbg !{self.location(subprogram, None)}\n}}"

    def text(self) -> str:
        bodies = [line for index in range(self.random.randint(1, 4)) for line in self.body(f"f{index}")]
        if self.random.random() < 0.2:
            bodies.append(f'!property = !{{!{self.node("!DIProperty(name: " + chr(34) + "p" + chr(34) + ", file: !1, line: 4)")}}}')
        flag = self.node('!{i32 2, !"Debug Info Version", i32 3}')
        tables = [f"!llvm.dbg.cu = !{{!{self.unit}}}", f"!llvm.module.flags = !{{!{flag}}}"]
        return "\n".join([*bodies, "declare void @g()", *tables, *(f"!{number} = {node}" for number, node in enumerate(self.nodes))]) + "\n"


def must(*command: str) -> bytes:
    status, output, errors = run(list(command))
    if status != 0 or errors:
        raise AssertionError(f"{' '.join(map(os.path.basename, command[:2]))}: exit status {status}: {first_line(errors)}")
    return output


def same(what: str, one: bytes, other: bytes) -> None:
    if one != other:
        differs = next((pair for pair in zip(one.splitlines(), other.splitlines()) if pair[0] != pair[1]), (b"", b"the end"))
        raise AssertionError(f"{what}: {differs[0].decode()} | {differs[1].decode()}")


def text_of(folder: str, name: str) -> bytes:
    """The text that opt writes, without the name of the file."""
    return b"".join(line for line in must(os.path.join(MAIN, "opt"), "-S", os.path.join(folder, name), "-o", "-").splitlines(True) if b"ModuleID" not in line and b"source_filename" not in line)


def try_module(folder: str, text: str) -> None:
    def path(name: str) -> str:
        return os.path.join(folder, name)

    with open(path("m.ll"), "wb") as file:
        file.write(text.encode())
    must(os.path.join(MAIN, "llvm-as"), path("m.ll"), "-o", path("llvm.bc"))
    made = ["llvm.bc", "main.bc"] + ["stock.bc"] * ("DIProperty" not in text)  # a class that LLVM 22 does not have
    for name, tools in zip(made[1:], (MAIN, os.path.dirname(llvm(22, "opt")))):
        must(DLOC, "assemble", "--llvm", tools, path("m.ll"), "-o", path(name))
    wanted = text_of(folder, "m.ll")
    with open(path("opt.ll"), "wb") as file:
        file.write(wanted)
    for name in made:
        same(f"{name}, read by opt", wanted, text_of(folder, name))
        must(DLOC, "verify", "--profile", "llvm-24", path(name))
        must(DLOC, "print", path(name), "-o", path("printed.ll"))
        text_of(folder, "printed.ll")
        same(f"{name}, its locations", must(DLOC, "print", "--locations", path("opt.ll")), must(DLOC, "print", "--locations", path(name)))
        records = must(DLOC, "bitcode", "--records", path(name))
        lists = text.count("irlayers:") > 0
        if lists and (b"DILayerLocList" not in records or b"DILayerLoc " not in records):
            raise AssertionError(f"{name}: dloc bitcode names no layer or no list")
        status, _, errors = run([llvm(22, "llvm-dis"), path(name), "-o", "-"])
        if name != "stock.bc" and (status != 1 or "Invalid record" not in errors):
            raise AssertionError(f"{name}: LLVM 22 says {status}: {first_line(errors)}")
        same(f"{name}, printed by dloc", must(DLOC, "print", path("llvm.bc")), must(DLOC, "print", path(name)))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    results = Results()
    missing = why_missing(24)
    with tempfile.TemporaryDirectory() as folder:
        for index in range(0 if missing else count):
            results.attempt(f"module {index}", try_module, folder, Random(SEED + index).text())
    if missing:
        results.skip(missing)
    results.finish()


if __name__ == "__main__":
    main()
