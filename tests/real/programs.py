#!/usr/bin/env python3
"""usage: tests/real/programs.py [newer | NAME...]      for instance sqlite-22-O0

Real programs, compiled with -O0 -g and -O2 -g by clang 14, 15, 16, 19 and 22, all units linked into one module: SQLite (300,000 lines, 55 MB
of text or more) by the oldest and the newest, Lua (30,000 lines, 8 MB) by the others. For each module:
  print   `dloc print` writes what llvm-as accepts and in which llvm-dis shows the same module, and so the same locations;
  verify  `dloc verify` accepts it, in the default profile and in that of the version;
  convert `dloc convert` writes the layers of some of them in the form irlayers, and back, and loses nothing;
  bitcode llvm-as's file of it has the same locations, violations, numbers and records, and opt reads what `dloc print` writes of it (tests/bitcode/run.py).
`newer`: the same of SQLite, Lua, zstd, a C++20 program, MLIR, Fortran and what is new in LLVM's main branch (main.ll) by LLVM 23 and LLVM 24, as far as
these are there (`make llvm-23 llvm-main`).
The sources come from Debian's source packages; these and the modules are kept in build/cache.
"""

import importlib
import os
import re
import sys
import tempfile

from common import CACHE, DLOC, NEWER, ROOT, Results, difference, first_line, in_parallel, llvm, run, sha256, why_missing
from modules import OURS, build

sys.path.append(os.path.join(ROOT, "tests", "bitcode"))
bitcode = importlib.import_module("run")

PROFILES = ("14", "19", "22", "23", "24")
CONVERTED = ("sqlite-22-O0", "lua-19-O0")


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


def check_convert(path):
    """Two layers for each instruction go from tuples into lists, and back: nothing is lost."""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        names = [os.path.join(folder, name + ".ll") for name in ("one", "two", "lists", "tuples")]
        one, two, lists, tuples = names
        for command in (
            ["annotate", "--layer", "LLVM", "--loops", "--embed", "--file", "one.ll", path, "-o", one],
            ["annotate", "--layer", "other", "--loops", "--file", "two.ll", one, "-o", two],
            ["convert", "--to", "irlayers", two, "-o", lists],
            ["verify", "--profile", "pr215666", lists],
            ["convert", "--to", "tuple", lists, "-o", tuples],
            ["verify", tuples],
        ):
            status, _, errors = run([DLOC, *command], limit=300)
            if status != 0:
                return f"dloc {command[0]}: exit status {status}: {first_line(errors)}"
        before, after = (run([DLOC, "print", "--locations", name], limit=300)[1] for name in (two, tuples))
    return None if before and before == after else "other locations than before"


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
    if name in CONVERTED:
        found.append((f"convert {name}", check_convert(path)))
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
