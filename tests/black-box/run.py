#!/usr/bin/env python3
"""usage: tests/black-box/run.py

Is an LLVM with layers a black box? Runs the vectors with each patched LLVM, and again with the same LLVM worded otherwise (tests/black-box/tool.py): no outcome
and no verdict may differ, and each is recognised as what it is. Where an LLVM shows less, the vectors about that are skipped, and no other one is judged
otherwise. An LLVM that insists on a list of sources is recognised as one with layers. Ends with `N passed, N failed[, N skipped]`.
Environment: DLOC (default build/dloc), PATCHED_LLVM and PATCHED_IRLAYERS (default build/patched-llvm/bin, build/patched-irlayers/bin)."""
import functools
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DLOC = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
BUILT = {name: os.path.abspath(os.environ.get(variable, os.path.join(ROOT, "build", folder, "bin")))
         for name, variable, folder in (("layers", "PATCHED_LLVM", "patched-llvm"), ("irlayers", "PATCHED_IRLAYERS", "patched-irlayers"))}
PROFILES = {"layers": "rfc", "irlayers": "pr215666"}
TOOLS = ("opt", "llvm-as", "llvm-dis", "llc")


@functools.cache
def run(folder, vectors=("vectors",), profile=None, choices=(), **environment):
    """What a run says of the implementation, and of each vector. Time is no matter of this test."""
    rules = (["--profile", profile] if profile else []) + [f"--choice={choice}" for choice in choices]
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "run.json")
        subprocess.run([DLOC, "run", "--impl", "llvm", "--llvm", folder, *rules, "--timeout", "300", "--quiet", "--json", "-o", report, *vectors],
                       env={**os.environ, **environment}, cwd=ROOT, check=False)
        with open(report, encoding="utf-8") as file:
            lines = list(map(json.loads, file))
    return lines[0], {line["id"]: line for line in lines if "verdict" in line}


def differences(plain, other):
    """Without what does not apply, of which a run says nothing; a vector that is skipped may be of that sort."""
    return [id for id in other if id in plain and any(plain[id][part] != other[id][part] for part in ("outcome", "verdict"))]


def show(results, ids):
    """Complain of these vectors; whether there are none."""
    for id in ids[:20]:
        print(f"{id}: {results[id]['verdict']}: {results[id].get('actual')}")
    return not ids


def folder_of(scratch, name, tools, of):
    """A folder with these tools, all of which are links to OF or to what OF maps their names to."""
    folder = os.path.join(scratch, name)
    os.mkdir(folder)
    for tool in tools:
        os.symlink(of(tool), os.path.join(folder, tool))
    return folder


def is_recognised(folder, form, **environment):
    about, _ = run(folder, ("vectors/section",), **environment)
    print(f"{about['implementation']} {about['version']}: {about['profile']}")
    return about["profile"] == PROFILES[form] and about["version"].endswith(f" with {form}")


def check_form(form, wrapped):
    """The same LLVM worded otherwise."""
    vectors = ("vectors",) if form == "layers" else tuple(sorted(glob.glob("vectors/*/irlayers*.yaml", root_dir=ROOT)))
    _, plain = run(BUILT[form], vectors, PROFILES[form])
    _, other = run(wrapped, vectors, PROFILES[form], WRAPPED=BUILT[form])
    yield show(other, differences(plain, other))
    yield is_recognised(BUILT[form], form)
    yield is_recognised(wrapped, form, WRAPPED=BUILT[form])


def check_less(wrapped, few):
    """The LLVM with tuples, where less is to be seen."""
    patched, profile, directives = BUILT["layers"], PROFILES["layers"], ("vectors/source", "vectors/emit", "vectors/equal")
    _, plain = run(patched, ("vectors",), profile)

    _, other = run(wrapped, directives, profile, ("emit.texts.form=angles",), WRAPPED=patched, WRAPPED_TEXTS="draft")
    yield show(other, differences(plain, other))

    _, other = run(wrapped, directives, profile, WRAPPED=patched, WRAPPED_TEXTS="none")
    yield show(other, [id for id in differences(plain, other) if other[id]["outcome"] != "skipped" and "text" not in id])

    _, other = run(few, profile=profile)
    yield show(other, [id for id in differences(plain, other) if other[id]["verdict"] == "different"])

    about, other = run(patched, profile=profile, DLOC_FAULT="source.missing")
    ids = [id for id in differences(plain, other) if other[id]["op"] != "verify" or "source.missing" not in other[id]["actual"]]
    yield show(other, ids) and "with layers" in about["version"]


def main():
    passed, skipped = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        wrapped = folder_of(scratch, "wrapped", TOOLS, lambda tool: os.path.join(ROOT, "tests", "black-box", "tool.py"))
        few = folder_of(scratch, "few", TOOLS[:3], lambda tool: os.path.join(BUILT["layers"], tool))
        for form, folder in BUILT.items():
            if os.path.exists(os.path.join(folder, "opt")):
                passed += check_form(form, wrapped)
                passed += check_less(wrapped, few) if form == "layers" else []
            else:
                print(f"no {folder}; 'make patched-llvm' builds it")
                skipped += 1
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if all(passed) else 1


sys.exit(main())
