#!/usr/bin/env python3
"""usage: tests/bitcode/run.py [GROUP...]        groups: small programs llvm-tests some (default: small)

Our reader of bitcode beside LLVM's: for each module, `dloc print --locations --scopes` of the bitcode and of what llvm-dis of the same release
makes of it must say the same of every function and instruction: location, inlinedAt, scopes, layers, distinctness, debug records. And
`dloc verify` must find as much in one as in the other. In the opposite direction, `dloc encode` of that text must say what llvm-as writes of it: the
number of every string and node, its operands, and every record of a location.
  small       example.c, by clang 14, 15, 16, 19, 22 in several forms; modules with layers by the patched LLVMs of both forms
  programs    SQLite, -O0 and -O2, by clang 14, 19 and 22; and SQLite and Lua with layers, by the patched LLVM
  llvm-tests  LLVM's own test inputs that have debug info, as far as each release assembles them
  some        60 of these, evenly spread
Ends with a line `N passed, N failed[, N skipped]`. Environment: DLOC, PATCHED_LLVM (default build/patched-llvm/bin), PATCHED_IRLAYERS
(default build/patched-irlayers/bin).
"""

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
from common import CACHE, DLOC, ROOT, Results, first_line, in_parallel, llvm, run  # noqa: E402

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
    return numbers(text, release) if ours == theirs else f"verify: bitcode has {ours}, the text {theirs}"


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


FORMS = (["-O0"], ["-O2"], ["-O1", "-flto=thin"], ["-Og", "-fembed-bitcode=off"], ["-O2", "-gline-tables-only"])


def small(results, folder):
    source = os.path.join(ROOT, "tests", "bitcode", "example.c")
    for release in RELEASES:
        for number, form in enumerate(FORMS):
            bitcode = os.path.join(folder, f"example-{release}-{number}.bc")
            command = [os.path.join(tools(release), "clang"), "-g", "-w", *form, "-c", "-emit-llvm", "-o", bitcode, source]
            status, _, errors = run(command)
            name = f"example.c {' '.join(form)}, LLVM {release}"
            results.check(name, first_line(errors) if status else compare(bitcode, release, folder))
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
