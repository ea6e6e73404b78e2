#!/usr/bin/env python3
"""usage: tests/real/programs.py [newer | NAME...]      for instance sqlite-22-O0

Real programs, compiled with -O0 -g and -O2 -g by clang 14, 15, 16, 19 and 22, all units linked into one module: SQLite (300,000 lines, 55 MB
of text or more) by the oldest and the newest, Lua (30,000 lines, 8 MB) by the others. For each module:
  print   `dloc print` writes what llvm-as accepts and in which llvm-dis shows the same module, and so the same locations;
  verify  `dloc verify` accepts it, in the default profile and in that of the version;
  writers each command that writes modules gives it layers, in both forms, and LLVM reads what it writes (the table WRITERS); of SQLite for one;
  bitcode llvm-as's file of it has the same locations, violations, numbers and records, and opt reads what `dloc print` writes of it (tests/bitcode/run.py).
`newer`: the same of SQLite, Lua, zstd, a C++20 program, MLIR, Fortran and what is new in LLVM's main branch (main.ll) by LLVM 23 and LLVM 24, as far as
these are there (`make llvm-23 llvm-main`).
The sources come from Debian's source packages; these and the modules are kept in build/cache.
"""

import importlib
import os
import sys
import tempfile

from common import CACHE, DLOC, NEWER, ROOT, Results, difference, first_line, in_parallel, llvm, run, sha256, why_missing
from modules import OURS, build

sys.path.append(os.path.join(ROOT, "tests", "bitcode"))
bitcode = importlib.import_module("run")

PROFILES = ("14", "19", "22", "23", "24")
LISTS = "24"  # reads lists of layers, and modules of 23
# What each command writes, which LLVM reads it, and the command. Only the patched LLVM reads tuples (tests/bitcode/assemble.py); for bitcode see
# `bitcode`, for objects and assembler text tests/objects and tests/text, for MLIR tests/producers, for tests of LLVM tests/lit-llvm.
WRITERS = (
    ("one.ll", None, "annotate --layer LLVM --loops --embed --file one.ll {m} -o {d}/one.ll"),
    ("lists.ll", LISTS, "convert --lossy --to irlayers {d}/one.ll -o {d}/lists.ll"),
    ("two.ll", LISTS, "annotate --layer other --loops --file two.ll {d}/lists.ll -o {d}/two.ll"),
    ("tuples.ll", None, "convert --to tuple {d}/two.ll -o {d}/tuples.ll"),
    ("again.ll", LISTS, "convert --to irlayers {d}/tuples.ll -o {d}/again.ll"),
    ("primary.ll", "same", "project --primary {d}/tuples.ll -o {d}/primary.ll"),
    ("layer.ll", "same", "project --layer LLVM {d}/one.ll -o {d}/layer.ll"),
    ("columns.ll", "same", "hide --in column --table {d}/table {d}/tuples.ll -o {d}/columns.ll"),
    ("restored.ll", None, "reveal --fast --table {d}/table {d}/columns.ll -o {d}/restored.ll"),
    ("direct.ll", "same", "annotate --layer LLVM {m} --hide {d}/table -o {d}/direct.ll"),
    ("base.ll hidden.ll", "same", "hide --table {d}/table {d}/two.ll --exact {d}/base.ll -o {d}/hidden.ll"),
    ("fast.ll", LISTS, "reveal --fast --table {d}/table {d}/hidden.ll -o {d}/fast.ll"),
    ("exact.ll", LISTS, "reveal --table {d}/table {d}/hidden.ll --exact {d}/base.ll -o {d}/exact.ll"),
    ("full/primary.ll full/llvm.ll full/other.ll", "same", "hide {d}/two.ll --full {d}/full"),
    ("full.ll", LISTS, "reveal --full {d}/full -o {d}/full.ll"),
)


def disassembled(path, version):
    """(problem, text): the module as llvm-dis shows it, without the line that names the file."""
    with tempfile.NamedTemporaryFile(dir=CACHE, suffix=".bc") as bitcode:
        status, _, errors = run([llvm(version, "llvm-as"), "-o", bitcode.name, path], limit=300)
        if status != 0 or "warning: ignoring" in errors:
            return f"llvm-as {version}: exit status {status}: {first_line(errors)}", None
        status, text, errors = run([llvm(version, "llvm-dis"), "-o", "-", bitcode.name], limit=300)
    if status != 0:
        return f"llvm-dis {version}: exit status {status}: {first_line(errors)}", None
    return None, text.partition(b"\n")[2]


def check_print(path, version):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        output = os.path.join(folder, os.path.basename(path))
        status, _, errors = run([DLOC, "print", path, "-o", output], limit=120)
        if status != 0:
            return f"dloc print: exit status {status}: {first_line(errors)}"
        problem, after = disassembled(output, version)
    if problem:
        return "what was printed: " + problem
    digest = path + ".sha256"
    if os.path.exists(digest):
        with open(digest) as file:
            if file.read() == sha256(after):
                return None
    problem, before = disassembled(path, version)
    if problem:
        return problem
    with open(digest, "w") as file:
        file.write(sha256(before))
    return difference(before, after)


def locations(path):
    return run([DLOC, "print", "--locations", path], limit=300)[1]


def check_writers(path, version):
    """What commands write of a module with layers is read by LLVM, which has the same locations. A module for profiles is not hidden."""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        for outputs, reader, command in WRITERS:
            words = [DLOC, *(word.format(m=path, d=folder) for word in command.split())]
            status, _, errors = run(words, limit=300)
            if "[hide.profiling]" in errors:
                break
            if status != 0:
                return f"dloc {command}: exit status {status}: {first_line(errors)}"
            reader = {None: None, "same": version}.get(reader, reader if version in NEWER and not why_missing(reader) else None)
            for output in (os.path.join(folder, name) for name in outputs.split() if reader):
                profile = "llvm-14" if reader in ("15", "16") else "llvm-" + reader
                for reads in ([DLOC, "verify", "--profile", profile, output], [llvm(reader, "opt"), "-passes=verify", "-S", output, "-o", output + ".again"]):
                    status, _, errors = run(reads, limit=300)
                    if status != 0 or "warning: ignoring" in errors:
                        return f"{os.path.basename(reads[0])} of dloc {command}: exit status {status}: {first_line(errors)}"
                if locations(output) != locations(output + ".again"):
                    return f"opt {reader} has other locations, of dloc {command}"
        pairs = ("two.ll", "again.ll"), ("tuples.ll", "restored.ll")
        changed = [pair for pair in pairs if len({locations(os.path.join(folder, name)) for name in pair}) > 1]
        return " and ".join(f"{one} and {other} differ" for one, other in changed)


def check_bitcode(path, version):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        file = os.path.join(folder, os.path.basename(path) + ".bc")
        status, _, errors = run([llvm(version, "llvm-as"), path, "-o", file], limit=300)
        if status != 0:
            return f"llvm-as: {first_line(errors)}"
        status, _, errors = run([DLOC, "verify", "--profile", "llvm-" + version, file], limit=300)
        if status != 0:
            return f"verify: exit status {status}: {first_line(errors)}"
        return bitcode.compare(file, version, folder)


def check(name):
    version = name.split("-")[1]
    path = build(name)
    found = [(f"print {name}", check_print(path, version))]
    for profile in [[]] * (version not in NEWER) + [["--profile", "llvm-" + version]] * (version in PROFILES):
        status, _, errors = run([DLOC, "verify", *profile, path], limit=120)
        problem = status != 0 and f"exit status {status}: {first_line(errors)}"
        found.append((" ".join(["verify", *profile, name]), problem))
    if not name.startswith("sqlite") or name == "sqlite-22-O0":
        found.append((f"writers {name}", check_writers(path, version)))
    if version in PROFILES:
        found.append((f"bitcode {name}", check_bitcode(path, version)))
    return found


def main():
    names = ["sqlite-22-O0", "sqlite-22-O2", "sqlite-14-O2", "lua-14-O0"]
    names += [f"lua-{version}-{level}" for version in ("15", "16", "19") for level in ("O0", "O2")]
    if sys.argv[1:] == ["newer"]:
        names = [f"{program}-{version}-{level}" for program in ("sqlite", "lua", "zstd", *OURS) for version in NEWER for level in ("O0", "O2")]
        names = [name for name in names if not name.startswith("main-") or name == "main-24-O0"]
    else:
        names = sys.argv[1:] or names
    results = Results()
    missing = {name: why_missing(name.split("-")[1]) for name in names}
    names = [name for name in names if not missing[name]]
    for reason in filter(None, missing.values()):
        results.skip(reason)
    for name in names:
        build(name)
    for found in in_parallel(check, names):
        for what, problem in found:
            results.check(what, problem)
    results.finish()


main()
