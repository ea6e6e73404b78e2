#!/usr/bin/env python3
"""usage: tests/producers/many.py [mlir|fortran]-[19|22]... [--only SUBSTRING]

MLIR's own integration tests and the double precision sources of BLAS and LAPACK through `dloc mlir` and `dloc flang`, and a table of what came of them.
A test of MLIR counts if its own commands lower it to LLVM IR; its stages are the program as it is written, behind half of the passes, and behind all of
them. Of each module, by either: it verifies; its primaries are those of the module that the tools make without dloc; each place of a layer is the first
character of an operation in the text of the stage. Of Fortran, 98 % of the instructions of all sources have the layer hlfir; phis of Flang 19 have no location.
Where cfg changes the code, `dloc flang` leaves this layer out; how often is told.

Sources: Debian's source packages llvm-toolchain-19 and lapack, in build/cache/source. By default all, on which a machine works for half an hour.
Environment: DLOC (default build/dloc), JOBS."""

import collections
import glob
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "real"))
import integration  # noqa: E402
from common import DLOC, Results, in_parallel, llvm, run  # noqa: E402
from modules import unpacked  # noqa: E402

KINDS = {"mlir": ["start", "middle", "end"], "fortran": ["hlfir", "fir", "cfg"]}
HLFIR = 0.98  # of all instructions
LEFT_OUT = "the layer cfg is left out"


class Refused(Exception):
    pass


def need(*command):
    status, output, errors = run(command, limit=200)
    if status != 0:
        raise Refused(f"{command[1]}: {status}: {(errors.strip().splitlines() or [''])[-1][:300]}")
    return output.decode(errors="replace"), errors


def locations(path):
    """By function and number of the instruction."""
    return {tuple(line.split(" ", 2)[:2]): line for line in need(DLOC, "print", "--locations", path)[0].splitlines()}


def check_primaries(layered, base, folder):
    """An instruction that has none has line 0 of its function."""
    primary = os.path.join(folder, "primary.ll")
    need(DLOC, "project", "--primary", layered, "-o", primary)
    ours, theirs = locations(primary), locations(base)
    for key, line in ours.items():
        if line != theirs.get(key) and (key in theirs or not line.endswith(":0")):
            raise Refused(f"primary {line}, not {theirs.get(key)}")
    if not set(theirs) <= set(ours):
        raise Refused("a primary is missing")


def marked(passes):
    """The pipeline with its three stages."""
    half = len(passes) // 2
    return ", ".join(["@start", *passes[:half], "@middle", *passes[half:], "@end"])


def lower_mlir(version, name, folder):
    """The arguments for dloc, or None when the tools refuse the program; the module of the tools is in base.ll."""
    path = os.path.join(integration.INPUTS, name)
    passes = integration.pipeline(version, path)
    text = passes and integration.lowered(version, path, passes)
    if not text:
        return None
    with open(os.path.join(folder, "base.ll"), "wb") as file:
        file.write(text)
    return ["mlir", path, "--pipeline", marked(passes)]


def lower_fortran(version, path, folder):
    compiler = llvm(version, "flang-new" if version < 20 else "flang")
    status, _, _ = run([compiler, "-fc1", "-emit-llvm", "-debug-info-kind=standalone", path, "-o", os.path.join(folder, "base.ll")], limit=200)
    return ["flang", path] if status == 0 else None


def follow(case):
    """What came of a program: its counts, a problem, or None when it does not count."""
    language, version, name = case
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        arguments = (lower_mlir if language == "mlir" else lower_fortran)(version, name, folder)
        if not arguments:
            return None
        layered = os.path.join(folder, "layered.ll")
        try:
            said = need(DLOC, *arguments, "--llvm", os.path.dirname(llvm(version, "opt")), "--counts", "-o", layered)[1]
            all_of = re.search(r"^(\d+) instructions, (\d+) with layers, of these (\d+) without a primary; (\d+) constants differ$", said, re.M)
            counts.update(dict(zip(("instructions", "layered", "bare", "constants"), map(int, all_of.groups()))))
            for kind, *numbers in re.findall(r"^(\w+): (\d+) instructions; (\d+) places, (\d+) of them at an op, (\d+) merged$", said, re.M):
                counts.update(dict(zip((kind, "places", "ops", "merged"), map(int, numbers))))
            counts["left out"] = LEFT_OUT in said
            if ("warning" in said and not counts["left out"]) or "error" in said:
                raise Refused(said)
            need(DLOC, "verify", layered)
            check_primaries(layered, os.path.join(folder, "base.ll"), folder)
        except Refused as problem:
            return str(problem)
    return counts


def programs(language):
    if language == "mlir":
        integration.unpack()
        return integration.files()
    folder = unpacked("lapack", "*.orig.tar.gz")
    return sorted(path for ending in ("f", "f90") for part in ("BLAS/SRC", "SRC") for path in glob.glob(f"{folder}/{part}/d*.{ending}"))


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def follow_all(results, language, version, only):
    names = [name for name in programs(language) if only in name]
    found = in_parallel(follow, [(language, version, name) for name in names])
    total = collections.Counter()
    for name, counts in zip(names, found):
        if counts is None:
            continue
        total["programs"] += 1
        results.check(f"{language} {version}: {name}", counts if isinstance(counts, str) else None)
        if not isinstance(counts, str):
            total.update(counts)
    kinds = KINDS[language]
    print(
        f"{language} {version}: {total['programs']} of {len(names)} programs, {total['instructions']} instructions, with layers "
        f"{share(total['layered'], total['instructions'])} (" + ", ".join(f"{kind} {share(total[kind], total['instructions'])}" for kind in kinds)
        + f"), without a primary {total['bare']}, constants that differ {total['constants']}; {total['places']} places, {total['ops']} at an operation, "
        f"{total['merged']} merged" + (f"; cfg left out of {total['left out']}" if language == "fortran" else ""),
        flush=True,
    )  # fmt: skip
    results.check(f"{language} {version}: programs", None if total["programs"] else "there are none")
    results.check(f"{language} {version}: places", None if total["places"] == total["ops"] + total["merged"] else "some are of no operation")
    if language == "fortran" and not only:
        results.check(f"{language} {version}: hlfir", None if total["hlfir"] >= HLFIR * total["instructions"] else f"less than {HLFIR}")


def main():
    results, words = Results(), sys.argv[1:]
    only = words[words.index("--only") + 1] if "--only" in words else ""
    for word in [word for word in words if re.fullmatch(r"(mlir|fortran)-\d+", word)] or ["mlir-19", "mlir-22", "fortran-19", "fortran-22"]:
        language, version = word.split("-")
        follow_all(results, language, int(version), only)
    results.finish()


if __name__ == "__main__":
    main()
