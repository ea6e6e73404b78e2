#!/usr/bin/env python3
"""usage: tests/bitcode/run.py [GROUP...]        groups: small programs llvm-tests some (default: small)

Our reader of bitcode beside LLVM's: for each module, `dloc print --locations --scopes` of the bitcode and of what llvm-dis of the same release
makes of it must say the same of every function and instruction: location, inlinedAt, scopes, layers, distinctness, debug records. And
`dloc verify` must find as much in one as in the other. In the opposite direction, `dloc encode` of that text must say what llvm-as writes of it: the
number of every string and node, its operands, and every record of a location. And opt reads what `dloc print` writes of the bitcode, and shows each
node of debug info as in the file.
  small       example.c and values.cpp, by clang 14, 15, 16, 19, 22 and those of 23 and 24 that are there, in several forms; modules with layers by the patched LLVMs of both forms
  programs    SQLite, -O0 and -O2, by clang 14, 19 and 22; and SQLite and Lua with layers, by the patched LLVM
  llvm-tests  LLVM's own test inputs that have debug info, as far as each release assembles them
  some        60 of these, evenly spread
Ends with a line `N passed, N failed[, N skipped]`. Environment: DLOC, PATCHED_LLVM (default build/patched-llvm/bin), PATCHED_IRLAYERS
(default build/patched-irlayers/bin).
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from inputs import spread  # noqa: E402
from common import CACHE, DLOC, NEWER, ROOT, Results, first_line, in_parallel, llvm, run, why_missing  # noqa: E402

RELEASES = ("14", "15", "16", "19", "22")
PATCHED = os.path.abspath(os.environ.get("PATCHED_LLVM", os.path.join(ROOT, "build", "patched-llvm", "bin")))
IRLAYERS = os.path.abspath(os.environ.get("PATCHED_IRLAYERS", os.path.join(ROOT, "build", "patched-irlayers", "bin")))
PROGRAMS = [f"sqlite-{release}-{level}" for release in ("14", "19", "22") for level in ("O0", "O2")]
LIMIT = 300


def tools(release):
    return {"patched": PATCHED, "irlayers": IRLAYERS}.get(release) or os.path.dirname(llvm(release, "opt"))


# Whose numbers a release writes: those before 19 have no debug records.
PROFILES = {"14": "llvm-14", "15": "llvm-14", "16": "llvm-14", "19": "llvm-19", "22": "llvm-22", "23": "llvm-23", "24": "llvm-24", "patched": "rfc",
            "irlayers": "pr215666"}

# In a listing: metadata that our reader spells as the text does. Of other values it does not know the value.
SPELLED = re.compile(r"  \d+ (!|distinct |tuple|DI|GenericDI|i(1|8|16|32|64) (-?\d+|true|false)$)")
LOCAL = re.compile(r"  \d+ (value|DIArgList.*)$")


def drop_local(lines):
    while lines and LOCAL.match(lines[-1]):
        lines.pop()


def listing(release, options, path):
    """The lines of `dloc encode`, or what went wrong. Behind a function's own metadata a file has the values that are its arguments and
    instructions, as far as debug records name them; these are not the model's concern. What values stand there is left out of both."""
    status, output, errors = run([DLOC, "encode", "--profile", PROFILES[release], *options, path], limit=LIMIT)
    if status != 0:
        return f"dloc encode {' '.join(options)}: exit status {status}: {first_line(errors)}", []
    lines = []
    for line in output.decode(errors="replace").splitlines():
        metadata = re.match(r"  (\d+) ", line)
        if metadata and not SPELLED.match(line):
            line = f"  {metadata[1]} value"
        if not metadata:
            drop_local(lines)
        lines.append(line)
    drop_local(lines)
    return None, lines


def numbers(text, release):
    """None, or what is different between the numbers and records that the model says and those that llvm-as writes."""
    status, _, errors = run([os.path.join(tools(release), "llvm-as"), "-o", text + ".bc", text], limit=LIMIT)
    if status != 0:
        return None  # a release that does not read what it wrote
    problem, ours = listing(release, [], text)
    if not problem:
        problem, theirs = listing(release, ["--written"], text + ".bc")
    if problem:
        return problem
    for model, file in zip(ours, theirs):
        if model != file:
            return f"the model says {model[:300]!r}, llvm-as writes {file[:300]!r}"
    return None if len(ours) == len(theirs) else f"the model says {len(ours)} lines, llvm-as writes {len(theirs)}"


def locations(path, output):
    with open(output, "wb") as file:
        status, _, errors = run([DLOC, "print", "--scopes", path], limit=LIMIT, stdout=file)
    return status and f"dloc print {os.path.basename(path)}: exit status {status}: {first_line(errors)}"


def violations(path):
    """The reasons, sorted. What function a node is met in first depends on the order of nodes, and lines are not in bitcode."""
    status, output, errors = run([DLOC, "verify", "--json", path], limit=LIMIT)
    if status not in (0, 1):
        return f"exit status {status}: {first_line(errors)}"
    return sorted(json.loads(line)["reason"] for line in output.splitlines())


def first_difference(left, right):
    with open(left, "rb") as a, open(right, "rb") as b:
        for ours, theirs in zip(a, b):
            if ours != theirs:
                return f"bitcode has {ours[:300]!r}, the text {theirs[:300]!r}"
        return f"behind the end of the other: {(a.readline() or b.readline())[:300]!r}"


def nodes(path):
    """How often each node of debug info is there, without numbers. DIAssignIDs stand at instructions that are not in bitcode's print, and dloc does not
    read the types of globals, which LLVM 14 writes in pointers."""
    with open(path, "rb") as file:
        lines = [line.partition(b" = ")[2] for line in file if re.match(rb"!\d+ = (distinct )?!DI(?!AssignID)", line)]
    return collections.Counter(re.sub(rb"!\d+|(?<=value: )[^@]+\* @", b"!", line) for line in lines)


def read_back(file, release):
    """opt reads what `dloc print` writes of bitcode, and it has the debug info of the file. Both go through opt, which changes types that have
    identifiers when it reads text."""
    ours, theirs = file + ".printed.ll", file + ".ll"
    for command in (
        [DLOC, "print", file, "-o", ours],
        *([os.path.join(tools(release), "opt"), "-passes=verify", "-S", text, "-o", text] for text in (ours, theirs)),
    ):
        status, _, errors = run(command, limit=LIMIT)
        if status != 0 or "warning: ignoring" in errors:
            return f"{os.path.basename(command[0])}: exit status {status}: {first_line(errors)}"
    lost, new = nodes(theirs) - nodes(ours), nodes(ours) - nodes(theirs)
    return (lost or new) and f"{sum(lost.values())} nodes are lost: {list(lost)[:1]}, {sum(new.values())} are new: {list(new)[:1]}"


def compare(bitcode, release, folder):
    """None, or what is different between a file of bitcode and what llvm-dis makes of it."""
    text = bitcode + ".ll"
    status, _, errors = run([os.path.join(tools(release), "llvm-dis"), "-o", text, bitcode], limit=LIMIT)
    if status != 0:
        return None if status == 1 else f"llvm-dis: exit status {status}: {first_line(errors)}"
    problem = locations(bitcode, bitcode + ".ours") or locations(text, bitcode + ".theirs")
    if problem:
        return problem
    if subprocess.run(["cmp", "-s", bitcode + ".ours", bitcode + ".theirs"]).returncode:
        return first_difference(bitcode + ".ours", bitcode + ".theirs")
    ours, theirs = violations(bitcode), violations(text)
    if ours != theirs:
        return f"verify: bitcode has {ours}, the text {theirs}"
    return numbers(text, release) or read_back(bitcode, release)


def check(source, name, release, results, folder):
    """Assemble a module, and compare."""
    stem = os.path.join(folder, name.replace("/", "_") + "-" + release)
    bitcode = stem + ".bc"
    status, _, errors = run([os.path.join(tools(release), "llvm-as"), "-o", bitcode, source], limit=LIMIT)
    if status != 0:
        results.skip(f"not a module for LLVM {release}")
        return
    results.check(f"{name}, LLVM {release}", compare(bitcode, release, folder))
    for path in glob.glob(glob.escape(stem) + "*"):
        os.remove(path)


FORMS = (
    "example.c -O0",
    "example.c -O1 -flto=thin -fdebug-info-for-profiling",
    "example.c -Og -fembed-bitcode=off -gpubnames -fdebug-ranges-base-address",
    "example.c -O2 -gline-tables-only -isysroot /",
    "values.cpp -O2 -gsplit-dwarf -fno-split-dwarf-inlining -fdebug-macro -gdwarf-5",
)


def small(results, folder):
    for release in (*RELEASES, *(release for release in NEWER if not why_missing(release))):
        for number, form in enumerate(FORMS):
            bitcode = os.path.join(folder, f"small-{release}-{number}.bc")
            source, *options = form.split()
            command = [os.path.join(tools(release), "clang"), "-g", "-w", *options, "-c", "-emit-llvm", "-o", bitcode, os.path.join(ROOT, "tests", "bitcode", source)]
            status, _, errors = run(command)
            results.check(f"{form}, LLVM {release}", first_line(errors) if status else compare(bitcode, release, folder))
    for form, patterns in (("patched", ("tests/**/*.ll",)), ("irlayers", ("tests/**/*irlayers*.ll", "conformance/llvm/test/irlayers/**/*.ll"))):
        if not os.path.exists(os.path.join(tools(form), "llvm-as")):
            results.skip("no patched LLVM; 'make patched-llvm' builds it")
            continue
        found = {path for pattern in patterns for path in glob.glob(os.path.join(ROOT, pattern), recursive=True)}
        for source in sorted(found):
            check(source, os.path.relpath(source, ROOT), form, results, folder)


def programs(results, folder):
    from modules import build

    for name in PROGRAMS:
        check(build(name), name, name.split("-")[1], results, folder)
    if not os.path.exists(os.path.join(PATCHED, "llvm-as")):
        results.skip("no patched LLVM; 'make patched-llvm' builds it")
        return
    for name in ("lua-19-O0", "sqlite-19-O0", "sqlite-19-O2"):
        layered = os.path.join(folder, name + ".ll")
        status, _, errors = run([DLOC, "annotate", "--layer", "LLVM", build(name), "-o", layered], limit=LIMIT)
        if status != 0:
            results.check(f"{name}, annotated", first_line(errors))
            continue
        check(layered, name + ", annotated", "patched", results, folder)
        os.remove(layered)


def llvm_tests(results, folder, most=None):
    inputs = os.path.join(CACHE, "llvm-test")
    sources = []
    for source in sorted(glob.glob(os.path.join(glob.escape(inputs), "**", "*.ll"), recursive=True)):
        with open(source, "rb") as file:
            if b"!DILocation(" in file.read():
                sources.append(source)
    sources = spread(sources, most or len(sources))
    jobs = [(source, release) for source in sources for release in RELEASES]

    def one(job):
        check(job[0], os.path.relpath(job[0], inputs), job[1], results, folder)

    in_parallel(one, jobs)
    if not jobs:
        results.skip("LLVM's test inputs are not in build/cache; 'tests/real/llvm-tests.py' gets them")


def some(results, folder):
    llvm_tests(results, folder, 60)


GROUPS = {"small": small, "programs": programs, "llvm-tests": llvm_tests, "some": some}


def main():
    wanted = sys.argv[1:] or ["small"]
    if not set(wanted) <= set(GROUPS):
        sys.exit(__doc__)
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        for group in wanted:
            GROUPS[group](results, folder)
    results.finish()


if __name__ == "__main__":
    main()
