#!/usr/bin/env python3
"""usage: tests/objects/test-targets.py [TARGET...]

An object of each target that llc 22 has, with DWARF 4 and 5: `dloc lines` tells the rows that llvm-dwarfdump tells, `dloc reveal` gives each of
them its layer, and neither has anything to say but what TOLD lists. Environment: DLOC (default build/dloc)."""

import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "real"), os.path.join(ROOT, "tests", "lines")]
from common import DLOC, Results, in_parallel, llvm, run  # noqa: E402
from readers import llvm as rows_of_llvm  # noqa: E402
from readers import tabs  # noqa: E402

MODULE = """
define i32 @f(i32 %a) !dbg !5 {
  %b = add i32 %a, 1, !dbg !{!7, !{!"mlir", !10}}
  %c = mul i32 %b, %b, !dbg !{!8, !{!"mlir", !11}}
  ret i32 %c, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "p", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/s")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILexicalBlockFile(scope: !5, file: !12, discriminator: 0)
!7 = !DILocation(line: 2, column: 3, scope: !5)
!8 = !DILocation(line: 3, column: 5, scope: !5)
!9 = !DILocation(line: 4, column: 2, scope: !5)
!10 = !DILocation(line: 20, column: 4, scope: !6)
!11 = !DILocation(line: 30, column: 6, scope: !6)
!12 = !DIFile(filename: "a.mlir", directory: "")
"""
LAYERS = {2: 20, 3: 30, 4: 0}
# What dloc says of an object, by target and version, and why there are no layers then.
TOLD = {
    ("avr", 4): "error: the program of a line table cannot be written again",  # its set_address has 2 bytes, and only DWARF 5 says so
    ("r600", 4): "warning: no row of the line table has a number",  # its functions return nothing, so llc drops what has layers
    ("r600", 5): "warning: no row of the line table has a number",
}
BPF = "warning: lines in .BTF.ext that stand for line 0 stay"
NO_ELF = re.compile("nvptx|spirv|wasm|xcore")
# R_AMDGPU_REL32: the address is f, less where it stands.
DISTANCE = """.text
f: s_endpgm
.section .debug_line
.long 1f-0f
0: .short 4
.long 3f-2f
2: .byte 1, 1, 1, -5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0
.asciz "a.c"
.byte 0, 0, 0, 0
3: .byte 0, 5, 2
.long f-.
.byte 1, 2, 4, 0, 1, 1
1:
"""


def targets():
    status, out, _ = run([llvm(22, "llc"), "--version"])
    return [name for name in re.findall(r"^    (\S+) +- ", out.decode(), re.M) if not NO_ELF.match(name)]


def made(*command):
    status, out, errors = run(command)
    if status:
        raise AssertionError(f"{os.path.basename(command[0])}: exit status {status}: {errors[:300]}")
    return out.decode()


def start(path):
    """Where f is."""
    return int(re.search(r"^(\w+) .* f$", made(llvm(22, "llvm-nm"), path), re.M)[1], 16)


def layer_at(layers, address):
    return ([row.line for row in layers if row.address <= address and "E" not in row.flags] or [0])[-1]


def check(folder, target, version):
    """What is wrong, or None."""
    bare, layered = (os.path.join(folder, f"{target}.{version}{suffix}.o") for suffix in ("", ".layers"))
    made(llvm(22, "llc"), f"-march={target}", "-filetype=obj", os.path.join(folder, f"hidden.{version}.ll"), "-o", bare)
    status, out, errors = run([DLOC, "lines", "--tsv", bare])
    rows = list(tabs(out.decode()))
    _, shown, unrelocated = run([llvm(22, "llvm-dwarfdump"), "--debug-line", bare])
    theirs = list(rows_of_llvm(shown.decode()))
    if "failed to compute relocation" in unrelocated:  # neither its names nor its first address mean anything then
        file, first = "a.c" if version == 4 else "/s/a.c", start(bare) - theirs[0].address
        theirs = [row._replace(file=file, address=row.address + first) for row in theirs]
    if errors or not rows or rows != theirs:
        return f"{errors or rows}, llvm-dwarfdump {theirs}"
    status, out, errors = run([DLOC, "reveal", "--fast", bare, "--table", os.path.join(folder, "table"), "-o", layered])
    told = TOLD.get((target, version), BPF if target.startswith("bpf") else "")
    if told not in errors or bool(told) != bool(errors):
        return f"{errors or 'nothing'}, expected {told}"
    if (target, version) in TOLD:
        return None
    layers = list(tabs(made(DLOC, "lines", "--tsv", "--section", ".debug_line_mlir", layered)))
    wrong = [row for row in rows if row.line in LAYERS and "E" not in row.flags and layer_at(layers, row.address) != LAYERS[row.line]]
    return f"{wrong}: {layers}" if wrong or {row.line for row in layers} < {20, 30} else None


def check_distance(folder):
    source, object_file = (os.path.join(folder, f"distance.{suffix}") for suffix in ("s", "o"))
    with open(source, "w") as file:
        file.write(DISTANCE)
    made(llvm(22, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-filetype=obj", source, "-o", object_file)
    status, out, errors = run([DLOC, "lines", "--tsv", object_file])
    at = 4 + 2 + 4 + 16 + 4 + 4 + 3
    expected = [f"{(at_end - at) % 2**32:016x}" for at_end in (0, 4)]
    return None if not errors and [line.split("\t")[0] for line in out.decode().splitlines()] == expected else f"{out}, {errors}, expected {expected}"


def main():
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("module.ll", "table", "hidden.4.ll", "hidden.5.ll")}
        with open(paths["module.ll"], "w") as file:
            file.write(MODULE)
        hidden = made(DLOC, "hide", paths["module.ll"], "--table", paths["table"])
        for version in (4, 5):
            with open(paths[f"hidden.{version}.ll"], "w") as file:
                file.write(hidden.replace('"Dwarf Version", i32 4', f'"Dwarf Version", i32 {version}'))
        cases = [(target, version) for target in sys.argv[1:] or targets() for version in (4, 5)]
        for case, problem in zip(cases, in_parallel(lambda case: check(folder, *case), cases)):
            results.check("{}, DWARF {}".format(*case), problem)
        results.check("R_AMDGPU_REL32", check_distance(folder))
    return results.finish()


if __name__ == "__main__":
    sys.exit(main())
