#!/usr/bin/env python3
"""usage: conformance/llvm/passes.py --table [SOURCE] | BIN [PASS...] | --faults BIN [PASS...]

Which files of LLVM 22 make, move, merge or clone a location, and what shows that each keeps layers? passes.txt says the latter.

--table: finds the files in LLVM's source (SOURCE, by default the one that `make patched-llvm` unpacked) by the functions that they call, and prints them with those and their line of
passes.txt. A file without a line there, and a line without such a file, is an error.
BIN: asks the LLVM in BIN, of either form, for all passes of passes.txt, or those named, by the law of projection over a few of LLVM's own inputs each: minutes.
--faults: the project's own LLVM drops the layers of whatever one pass made or changed (DLOC_FAULT=keeps-primary:PASS), for one pass after the other; the law must notice.
Prints a line for each pass; ends with `N passed, N failed`. Exit status: 0 all passed, 1 one did not, 2 it could not be done. BUILD: where dloc is, by default `build`.
"""

import glob
import os
import re
import subprocess
import sys
from typing import NamedTuple, NoReturn

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCE = os.path.join(ROOT, "build/cache/unpacked/llvm-toolchain-22/llvm")
FOLDERS = ("Transforms", "CodeGen", "IR", "Analysis", "Linker")
# These set a location, or make one of others. A DILocation that is taken out of a DebugLoc has lost its layers.
CALLS = re.compile(
    r"\b(getMergedLocations?|applyMergedLocation|dropLocation|updateLocationAfterHoist|setDebugLoc|SetCurrentDebugLocation|cloneWithDiscriminator|"
    r"cloneByMultiplyingDuplicationFactor|replaceInlinedAtSubprogram|appendInlinedAt|updateLoopMetadataDebugLocations|copyMetadata)\("
)
UNWRAPS = re.compile(r"\b((?:dyn_)?cast|isa)(?:_\w+)?<(?:const )?DILocation>|(getDebugLoc)\(\)\.get\(\)|(?:const )?(DILocation) \*\w+ = .*getDebugLoc\(\);")
SECONDS = 1200  # for one pass


class Row(NamedTuple):
    file: str
    how: str

    @property
    def law(self) -> tuple[str, str, bool] | None:
        """(pipeline, folder of inputs, for profiling)"""
        found = re.fullmatch(r"(\S+)@(\S+?)(\+profiling)?", self.how)
        return (found[1], found[2], bool(found[3])) if found else None


def fail(message: str) -> NoReturn:
    print("passes: " + message, file=sys.stderr)
    sys.exit(2)


def rows() -> list[Row]:
    with open(os.path.join(HERE, "passes.txt")) as file:
        return [Row(*line.rstrip("\n").split(": ", 1)) for line in file if line.strip() and not line.startswith("#")]


def laws() -> list[tuple[str, str, bool]]:
    """Each once, in the order of passes.txt."""
    return list(dict.fromkeys(row.law for row in rows() if row.law))


def callers(source: str) -> dict[str, list[str]]:
    """{file: what it calls}: a minus before what takes the primary out"""
    found = {}
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(source, "lib", folder, "**", "*"), recursive=True)):
            if path.endswith((".cpp", ".h")):
                with open(path, errors="replace") as file:
                    text = file.read()
                calls = sorted(set(CALLS.findall(text)))
                if calls:
                    unwraps = sorted({"-" + next(filter(None, match.groups())) for match in UNWRAPS.finditer(text)})
                    found[os.path.relpath(path, source)] = calls + unwraps
    return found


def table(source: str) -> bool:
    if not os.path.isdir(os.path.join(source, "lib/Transforms")):
        fail(f"no source of LLVM in {source}; 'make patched-llvm' unpacks it")
    called, listed = callers(source), {row.file: row.how for row in rows()}
    for file, calls in called.items():
        print("%-66s %-60s %s" % (file.removeprefix("lib/"), listed.get(file, "NOT LISTED"), " ".join(calls)))
    wrong = sorted(set(called) ^ set(listed))
    for file in wrong:
        print(f"passes.txt {'does not list' if file in called else 'lists what makes no location:'} {file}")
    shown = sum(not how.startswith("- ") for how in listed.values())
    print(f"{len(called)} files: {shown} with a test, {len(listed) - shown} with a reason why there is none")
    print("%d passed, %d failed" % (len(called) - len(wrong), len(wrong)))
    return not wrong


def class_of(pipeline: str) -> str:
    """The class of the pass, of several the one that is not about early or late, as LLVM's registry of passes has it."""
    name = "coro-split" if "coro-split" in pipeline else re.findall(r"[\w-]+", pipeline.split("<")[0])[-1]
    with open(os.path.join(SOURCE, "lib/Passes/PassRegistry.def")) as file:
        found = re.search(r'"%s",\s*"?(\w+)' % re.escape(name), file.read())
    return found[1] if found else fail(f"no pass {name} in LLVM's registry")


def reads_lists(binaries: str) -> bool:
    layer = '!named = !{!0}\n!0 = !DILayerLocList()\n'
    command = [os.path.join(binaries, "llvm-as"), "-disable-verify", "-o", os.devnull, "-"]
    return subprocess.run(command, input=layer, text=True, stderr=subprocess.DEVNULL, check=False).returncode == 0


def asked(binaries: str, pipeline: str, fault: str = "") -> tuple[int, int, int]:
    """(passed, failed, locations that the pass touched)"""
    script = ["projection-irlayers.py", binaries, pipeline] if reads_lists(binaries) else ["projection.py", binaries, "--only", pipeline]
    command = [sys.executable, os.path.join(HERE, script[0]), *script[1:]]
    try:
        output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=SECONDS, env=dict(os.environ, DLOC_FAULT=fault), check=False).stdout
    except subprocess.TimeoutExpired:
        return 0, 1, 0
    found, touched = re.search(r"^(\d+) passed, (\d+) failed", output, re.M), re.search(r"(\d+) moved|^\S+ +(?:\d+ +){3}(\d+) ", output, re.M)
    if not found:
        fail(f"{script[0]} gave no result for {pipeline}")
    return int(found[1]), int(found[2]), int(touched[1] or touched[2]) if touched else 0


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--table"] and len(arguments) < 3:
        return 0 if table(arguments[1] if arguments[1:] else SOURCE) else 1
    faults = arguments[:1] == ["--faults"]
    named = arguments[faults + 1 :]
    if not arguments[faults:] or arguments[faults].startswith("-") or set(named) - {law[0] for law in laws()}:
        print(__doc__, end="", file=sys.stderr)
        return 2
    binaries, passed, failed = os.path.abspath(arguments[faults]), 0, 0
    wanted = list(dict.fromkeys(law[0] for law in laws() if not named or law[0] in named))
    for pipeline in wanted:
        good, bad, touched = asked(binaries, pipeline, "keeps-primary:" + class_of(pipeline) if faults else "")
        fine = bad > 0 if faults else not bad
        print("%-45s %5d passed %5d failed %7d touched%s" % (pipeline, good, bad, touched, "" if fine else "  FAILED"), flush=True)
        passed, failed = passed + fine, failed + (not fine)
    print("%d passed, %d failed" % (passed, failed))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
