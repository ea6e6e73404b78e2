#!/usr/bin/env python3
"""usage: conformance/llvm/line-tables.py BIN

What do layers change in the primary's line table? Lua goes through default<O2> of the patched LLVM in BIN, with the two layers that projection gives
each instruction; `dloc project --primary` makes of the result the same module without layers. llc makes x86 code of both, at O0 and at O2.

The instructions must be the same. At O0 the directives `.loc` must be, too. At O2 code generation merges locations, and `merge.empty.composite` says that a
composite stays whole where a bare location is lost: so they differ, and the figures are printed. That this clause alone explains it is shown with the fault
merge.empty (patch/tuple/faults.txt), under which a composite is lost as well: with it they must not differ. Ends with `N passed, N failed`.
"""

import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "real"))
os.environ.setdefault("DLOC", os.path.abspath(os.path.join(HERE, "..", "..", os.environ.get("BUILD", "build"), "dloc")))
from common import CACHE, DLOC, first_line, run  # noqa: E402
from modules import optimisable  # noqa: E402

LIMIT = 600
Directives = list[list[str]]  # file, line, column, flags...
DEBUG = re.compile(r"\t\.(loc|file)\t|\.Ltmp\d+:|\s*(#.*)?$")
TEMPORARY = re.compile(r"\.Ltmp\d+")


def must(*command: str) -> None:
    status, _, errors = run(command, limit=LIMIT)
    if status:
        print(f"line-tables: {' '.join(command)}: exit status {status}: {first_line(errors)}", file=sys.stderr)
        sys.exit(2)


def layered(binaries: str, folder: str) -> tuple[str, str]:
    """Lua after O2, with layers and without."""
    plain, place, both, layers, primary = (os.path.join(folder, name + ".ll") for name in ("plain", "place", "both", "layers", "primary"))
    opt = os.path.join(binaries, "opt")
    must(opt, "-S", "-passes=verify", optimisable("lua-22-O0", folder), "-o", plain)
    must(DLOC, "annotate", "--layer", "PLACE", "--loops", "--file", "module.ll", plain, "-o", place)
    must(DLOC, "annotate", "--layer", "ORIGIN", "--loops", "--by-function", "--file", "functions", place, "-o", both)
    must(opt, "-S", "-passes=default<O2>", both, "-o", layers)
    must(DLOC, "project", "--primary", layers, "-o", primary)
    return layers, primary


def compile_with(binaries: str, level: str, path: str, fault: str = "") -> tuple[list[str], Directives]:
    """(instructions, directives) of the text sections; a directive as [file, line, column, flags...]."""
    result = path + ".s"
    os.environ["DLOC_FAULT"] = fault
    must(os.path.join(binaries, "llc"), "-mtriple=x86_64-linux-gnu", "-" + level, path, "-o", result)
    os.environ["DLOC_FAULT"] = ""
    with open(result, encoding="latin-1") as file:
        lines = file.read().partition("\t.section\t.debug_")[0].splitlines()
    code = [TEMPORARY.sub("", line.partition("#")[0]) for line in lines if not DEBUG.match(line)]
    return code, [line.partition("#")[0].split()[1:] for line in lines if line.startswith("\t.loc\t")]


def difference(with_layers: Directives, without: Directives, folder: str) -> tuple[Directives, Directives]:
    """(directives only without layers, only with)"""
    paths = [os.path.join(folder, name) for name in ("without.txt", "with.txt")]
    for path, locations in zip(paths, (without, with_layers)):
        with open(path, "w") as file:
            file.writelines(" ".join(location) + "\n" for location in locations)
    lines = run(["diff", *paths], limit=LIMIT)[1].decode().splitlines()
    gone, new = ([line.split()[1:] for line in lines if line.startswith(side)] for side in "<>")
    return gone, new


def line_0(locations: Directives) -> int:
    return sum(location[1] == "0" for location in locations)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    binaries, failures, checks = os.path.abspath(sys.argv[1]), [], 0

    def check(good: bool, text: str) -> None:
        nonlocal checks
        checks += 1
        if not good:
            failures.append(text)
            print("FAILED: " + text)

    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        layers, primary = layered(binaries, folder)
        for level in ("O0", "O2"):
            code, without = compile_with(binaries, level, primary)
            for fault in ("", "merge.empty"):
                same_code, locations = compile_with(binaries, level, layers, fault)
                gone, new = difference(locations, without, folder)
                print(f"{level} {fault or '-':12} .loc without layers {len(without)}, only there {len(gone)} ({line_0(gone)} at line 0), only with {len(new)} ({line_0(new)})")
                check(same_code == code, f"{level} {fault}: the instructions differ")
                if level == "O0" or fault:
                    check(not gone and not new, f"{level} {fault}: the line tables differ, and merge.empty.composite does not explain it")
                else:
                    check(bool(gone or new), f"{level}: no difference that merge.empty.composite could explain")
    print(f"{checks - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
