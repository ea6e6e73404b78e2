#!/usr/bin/env python3
"""usage: conformance/llvm/faults.py FORM BIN [FAULT...|few]

Switches on each deliberate fault (DLOC_FAULT; the list is patch/FORM/faults.txt) of the patched LLVM in BIN, which knows layers of the form FORM, `tuple` or
`irlayers`, and runs the vectors of the chapters that it is about. A fault is killed by a vector that passes without it, fails with it, and is there for the clause
that the fault breaks. No fault may hang on a single witness: when fewer than two vectors notice it, the tests over .ll that are written by hand are run, and for a
fault in a pass, which no vector reaches, `projection` over that pass, or `projection-irlayers`, which counts moved code that keeps layers. Prints a table: fault, how
many vectors, files of tests and channels of modules notice it, the vector or file that kills it, its clause. Ends with `N passed, N failed`: a fault passes when it
is killed and two witnesses notice it. few: a twelfth of the faults, others each time. Exit status: 0 all passed, 1 one did not, 2 it could not be done.
"""

import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DLOC = os.path.join(os.environ.get("BUILD", "build"), "dloc")
SECONDS = 600  # for one command

# The folders of vectors for the faults of one group, if not one of its name.
FOLDERS = {"shape": ("shape", "scope", "verify"), "bitcode": ("bitcode", "accessor"), "source": ("source", "emit"), "text": ("emit",), "node": ("metadata", "merge"),
           "move": ("hoist",), "pass": (), "atom": ()}
PROFILES = {"tuple": "rfc", "irlayers": "pr215666"}


def fail(message: str) -> NoReturn:
    print("faults: " + message, file=sys.stderr)
    sys.exit(2)


def all_faults(form: str) -> dict[str, str]:
    """{name: what it breaks}: the clauses; or a minus, and the pass; a minus alone is printing"""
    with open(f"conformance/llvm/patch/{form}/faults.txt") as file:
        return dict(re.findall(r'^FAULT\(\w+, "(.+?)", "(.+?)", ', file.read(), re.M))


def files_of_vectors(form: str, group: str, broken: Iterable[str]) -> tuple[str, ...]:
    """The files of the fault's group, or else of the chapters of the clauses that it breaks. For irlayers, files that have a layer of this form."""
    folders = FOLDERS.get(group, (group,)) or sorted({clause.split(".")[0] for clause in broken})
    files = [file for folder in folders for file in sorted(glob.glob(f"vectors/{folder}/*.yaml"))]
    if form == "tuple":
        return tuple(files)
    return tuple(file for file in files if "DILayerLoc" in open(file).read())


def clauses_of_vectors(files: Iterable[str]) -> dict[str, list[str]]:
    """{id: clauses}"""
    listed = subprocess.run([DLOC, "list", *files], stdout=subprocess.PIPE, text=True)
    if listed.returncode:
        fail("dloc list could not be done")
    rows = (line.split("\t") for line in listed.stdout.splitlines())
    return {row[0]: row[3].replace(",", " ").split() for row in rows}


def vectors_as_expected(form: str, binaries: str, fault: str, *files: str) -> list[str]:
    with tempfile.TemporaryDirectory() as directory:
        report = os.path.join(directory, "report.json")
        command = [DLOC, "run", "--impl", "llvm", "--llvm", binaries, "--quiet", "--json", "-o", report, *files]
        # A fault may crash the tool or make it refuse every module with a layer, but not change what it is tried with first.
        command += ["--profile", PROFILES[form]]
        subprocess.run(command, env=dict(os.environ, DLOC_FAULT=fault), stdout=subprocess.DEVNULL, check=False)
        if not os.path.exists(report):  # a fault may make it look like a stock LLVM: exit status 2
            fail("dloc run could not be done")
        with open(report) as file:
            lines = [json.loads(line) for line in file]
    return [line["id"] for line in lines if line.get("verdict") == "as-expected"]


def output_under(fault: str, *command: str) -> str:
    try:
        done = subprocess.run(command, env=dict(os.environ, DLOC_FAULT=fault), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        fail(f"not done after {SECONDS} s: {command[0]}")
    return done.stdout


def failed_files(form: str, binaries: str, fault: str) -> set[str]:
    tests = glob.glob("conformance/llvm/test/%s*.ll" % ("" if form == "tuple" else form + "/"))
    output = output_under(fault, "conformance/llvm/lit", binaries, *tests)
    if not re.search(r"^\d+ passed, \d+ failed", output, re.M):
        fail("the tests over .ll could not be run")
    return {os.path.basename(file) for file in re.findall(r"^FAIL (\S+)$", output, re.M)}


def changed_channels(form: str, binaries: str, fault: str, pipeline: str) -> int:
    if form == "irlayers":
        output = output_under(fault, "conformance/llvm/projection-irlayers.py", binaries, pipeline)
        found = re.search(r"(\d+) moved", output)
    else:
        output = output_under(fault, "conformance/llvm/projection.py", binaries, "--only", pipeline)
        found = re.search(r"^\d+ passed, (\d+) failed", output, re.M)
    if not found:
        fail("projection could not be run")
    return int(found[1])


class Judge:
    """What notices a fault."""

    def __init__(self, form: str, binaries: str) -> None:
        self.form, self.binaries, self.faults = form, binaries, all_faults(form)
        self.sound: dict[Any, Any] = {}

    def changed(self, run: Callable[..., Any], fault: str, *what: str) -> tuple[Any, Any]:
        """Both results of `run`: without the fault, and with it."""
        if (run, what) not in self.sound:
            self.sound[run, what] = run(self.form, self.binaries, "", *what)
        return self.sound[run, what], run(self.form, self.binaries, fault, *what)

    def vectors(self, fault: str, broken: set[str]) -> tuple[list[str], list[str], dict[str, list[str]]]:
        """(those that notice it, those that kill it, the clauses of each)"""
        files = files_of_vectors(self.form, fault.split(".")[0], broken)
        if not files:
            return [], [], {}
        clauses = clauses_of_vectors(files)
        sound, still = self.changed(vectors_as_expected, fault, *files)
        noticed = sorted(set(sound) - set(still), key=sound.index)
        # One that is there for the clause first of all tells more than one that merely touches it.
        killers = sorted((vector for vector in noticed if broken & set(clauses[vector])), key=lambda vector: clauses[vector][0] not in broken)
        return noticed, killers, clauses

    def files(self, fault: str) -> list[str]:
        sound, faulty = self.changed(failed_files, fault)
        return sorted(faulty - sound)

    def channels(self, fault: str, pipeline: str) -> int:
        sound, faulty = self.changed(changed_channels, fault, pipeline)
        return abs(int(faulty) - int(sound))

    def judge(self, fault: str) -> tuple[str, bool]:
        """(row of the table, whether it passes)"""
        broken = set(self.faults[fault].split())
        where = self.faults[fault].removeprefix("-") if self.faults[fault].startswith("-") else None
        noticed, killers, clauses = self.vectors(fault, broken)
        files = self.files(fault) if len(noticed) < 2 else []
        changed = self.channels(fault, where) if where and len(noticed) + len(files) < 2 else 0
        killer, clause = "-", "SURVIVES"
        if where is not None and (files or changed):
            killer, clause = files[0] if files else "projection", where or "printing"
        elif killers:
            killer, clause = killers[0], next(clause for clause in clauses[killers[0]] if clause in broken)
        alone = len(noticed) + len(files) + changed < 2
        row = "%-24s %4d %2d %3d  %-50s %s%s" % (fault, len(noticed), len(files), changed, killer, clause, ": ONE WITNESS" if alone else "")
        return row, killer != "-" and not alone


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in PROFILES:
        print(__doc__, end="", file=sys.stderr)
        sys.exit(2)
    binaries = os.path.abspath(sys.argv[2])
    os.chdir(ROOT)
    judge, passed = Judge(sys.argv[1], binaries), 0
    few = sys.argv[3:] == ["few"]
    selected = random.sample(sorted(judge.faults), len(judge.faults) // 12) if few else sys.argv[3:] or judge.faults
    if set(selected) - set(judge.faults):
        fail("no such fault: " + " ".join(sorted(set(selected) - set(judge.faults))))
    for fault in selected:
        row, good = judge.judge(fault)
        passed += good
        print(row, flush=True)
    print("%d passed, %d failed" % (passed, len(selected) - passed))
    return passed != len(selected)


if __name__ == "__main__":
    sys.exit(main())
