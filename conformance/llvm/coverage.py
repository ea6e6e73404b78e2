#!/usr/bin/env python3
"""usage: conformance/llvm/coverage.py FORM DIR [vectors|lit|projection]...

Which lines and branches that the patch of the form FORM, `tuple` or `irlayers`, adds to LLVM are reached? DIR has the patched LLVM, built with coverage; `make patch-coverage` does that and runs
this. Runs all vectors, the tests over .ll and the law of projection over a few passes (or those that are named), and prints for each part of the patch how many of its lines that are
code each of them reaches, and in the same way its branches, a condition that holds or does not. Deliberate faults do not count. Then each line that nobody reached, with its reason from patch/FORM/unreached.txt; one without a reason is a
failure, and so is a reason for a line that was reached, but vectors alone must reach 95 % of what is in IR, bitcode, verifier, printer and directives, and all together 99 % of all but the
lines with a reason. Ends with `N passed, N failed`.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LLVM = "/usr/lib/llvm-22/bin/"
ORIGINAL = "build/cache/unpacked/llvm-toolchain-22"
DLOC = os.path.join(os.environ.get("BUILD", "build"), "dloc")
TOOLS = ("opt", "llc", "llvm-as", "llvm-dis")
# Vectors are about these; the rest are passes.
CORE = re.compile(r"llvm/(lib/IR/(?!IRBuilder|DebugProgram)|include/llvm/IR/|lib/Bitcode/|lib/AsmParser/|lib/CodeGen/AsmPrinter/)")
NOT_LLVM = ("llvm/include/llvm/IR/DlocFault.h", "llvm/lib/Passes/StandardInstrumentations.cpp")
PASSES = {
    "tuple": [["projection.py", "--inputs", "100", "--only", name] for name in ("default<O2>", "sroa,simplifycfg<hoist-common-insts>", "gvn-sink", "loop-mssa(licm)", "iroutliner", "consthoist")],
    "irlayers": [["projection-irlayers.py"]],
}  # fmt: skip


def asked(form: str, binaries: str) -> dict[str, list[list[str]]]:
    """The commands of each witness."""
    here = os.path.join("conformance", "llvm")
    projections = [[os.path.join(here, script), binaries, *arguments] for script, *arguments in PASSES[form]]
    return {"vectors": [[DLOC, "run", "--impl", "llvm", "--llvm", binaries, "--quiet"]], "lit": [[os.path.join(here, "lit"), binaries]], "projection": projections}


Counts = dict[tuple[str, ...], int]  # of a line (number), or one way of a condition (number of its line, block, way)


def reached(commands: list[list[str]], binaries: str) -> dict[str, Counts]:
    """{file of LLVM: {line or branch: how often}}"""
    with tempfile.TemporaryDirectory(dir="build") as folder:
        environment = dict(os.environ, LLVM_PROFILE_FILE=os.path.abspath(folder) + "/%4m.profraw")
        for command in commands:
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        profile = os.path.join(folder, "all.profdata")
        raw = [os.path.join(folder, name) for name in os.listdir(folder)]
        subprocess.run([LLVM + "llvm-profdata", "merge", "-sparse", "-failure-mode=all", "-o", profile, *raw], check=True, stderr=subprocess.DEVNULL)
        objects = [part for tool in TOOLS[1:] for part in ("-object", os.path.join(binaries, tool))]
        export = [LLVM + "llvm-cov", "export", "-format=lcov", "-instr-profile=" + profile, os.path.join(binaries, TOOLS[0]), *objects]
        lines = subprocess.run(export, stdout=subprocess.PIPE, text=True, check=True, stderr=subprocess.DEVNULL).stdout
    found: dict[str, Counts] = {}
    for line in lines.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            here = found.setdefault(rest.partition("/source/")[2], {})
        elif kind in ("DA", "BRDA"):
            *place, count = rest.split(",")[: 2 if kind == "DA" else 4]
            here[tuple(place)] = here.get(tuple(place), 0) + (int(count) if count != "-" else 0)
    return found


def added(source: str, file: str) -> tuple[set[int], list[str]]:
    """The lines of the file that the patch adds, and the file."""
    original = os.path.join(ORIGINAL, file)
    command = ["diff", "-U0", original if os.path.exists(original) else os.devnull, os.path.join(source, file)]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout
    numbers = set()
    for start, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", text, re.M):
        numbers |= set(range(int(start), int(start) + int(count or 1)))
    with open(os.path.join(source, file)) as lines:
        return numbers, lines.read().split("\n")


def faulty(text: list[str]) -> set[int]:
    """The lines of statements `if` that ask for a deliberate fault."""
    lines: set[int] = set()
    for number, line in enumerate(text):
        first = number
        while "dlocFault(" in line and not text[first].lstrip().startswith(("if (", "else if (")) and first and text[first - 1].rstrip()[-1:] not in (";", "{", "}", ""):
            first -= 1
        if "dlocFault(" not in line or not text[first].lstrip().startswith(("if (", "else if (")):
            continue
        depth, last = 0, number
        while True:
            depth += text[last].count("{") - text[last].count("}")
            if depth <= 0 and text[last].rstrip().endswith((";", "}")):
                break
            last += 1
        lines |= set(range(first + 1, last + 2))
    return lines


def reasons(form: str) -> list[tuple[str, str, str]]:
    """(end of the file's name, part of the line, reason)"""
    with open(f"conformance/llvm/patch/{form}/unreached.txt") as file:
        return [tuple(line.rstrip("\n").split(": ", 2)) for line in file if line.strip() and not line.startswith("#")]  # type: ignore[misc]


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in PASSES:
        print(__doc__, end="", file=sys.stderr)
        return 2
    form, folder, wanted = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
    os.chdir(ROOT)
    witnesses = {name: commands for name, commands in asked(form, folder + "/bin").items() if name in (wanted or asked(form, ""))}
    found = {name: reached(commands, folder + "/bin") for name, commands in witnesses.items()}
    with open(os.path.join(folder, "touched")) as file:
        files = [name for name in file.read().split() if name not in NOT_LLVM]
    why, met, failed, listed = reasons(form), set(), 0, []
    sums: dict[str, list[int]] = {}
    print("%-58s %6s" % ("file", "lines") + "".join("%11s" % name for name in [*found, "together"]))
    for name in files:
        numbers, text = added(os.path.join(folder, "source"), name)
        everything = [lines.get(name, {}) for lines in found.values()]
        counts = [{int(place[0]): count for place, count in lines.items() if len(place) == 1} for lines in everything]
        code = {number for number in numbers if any(number in lines for lines in counts)}
        hit = [{number for number in code if lines.get(number)} for lines in counts]
        together = set().union(*hit)
        ways = [{place: count for place, count in lines.items() if len(place) > 1 and int(place[0]) in together and "dlocFault(" not in text[int(place[0]) - 1]} for lines in everything]
        taken = [{place for place, count in lines.items() if count and int(place[0]) in numbers} for lines in ways]
        branches = [len({place for lines in ways for place in lines if int(place[0]) in numbers}), *map(len, taken), len(set().union(*taken))]
        code -= (code - together) & faulty(text)
        if not code:
            continue
        excused = {number for number in code - together if any(name.endswith(entry[0]) and entry[1] in text[number - 1] for entry in why)}
        row = [len(code - excused), *(len(lines) for lines in hit), len(together)]
        print("%-58s %6d" % (name.removeprefix("llvm/"), row[0]) + "".join("%10d%%" % (100 * count // max(row[0], 1)) for count in row[1:]))
        kind = "IR, bitcode, verifier, printer, directives" if CORE.match(name) else "passes"
        for part, more in (("all", row), (kind, row), ("branches: all", branches), (f"branches: {kind}", branches)):
            sums[part] = [a + b for a, b in zip(sums.get(part, [0] * len(more)), more)]
        for number in sorted(code - together):
            reason = next((entry for entry in why if name.endswith(entry[0]) and entry[1] in text[number - 1]), None)
            met.add(reason)
            failed += reason is None
            listed.append(f"{name}:{number}: {text[number - 1].strip()}: {reason[2] if reason else 'NO REASON'}")
    for part, row in sorted(sums.items(), key=lambda item: item[0].startswith("branches")):
        print("%-58s %6d" % (part, row[0]) + "".join("%10.1f%%" % (100 * count / max(row[0], 1)) for count in row[1:]))
    print("\n".join(listed))
    if not wanted:
        for entry in set(why) - met:
            failed += 1
            print("unreached.txt has a reason for what is reached: " + ": ".join(entry[:2]))
        core = sums["IR, bitcode, verifier, printer, directives"]
        failed += core[1] * 100 < core[0] * 95
    print("%d passed, %d failed" % (sums["all"][-1], failed))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
