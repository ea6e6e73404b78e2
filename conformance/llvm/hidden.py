#!/usr/bin/env python3
"""usage: conformance/llvm/hidden.py [--patched BIN] [--only code|passes|modes|patched]... [--full | --newer] [--jobs N] [--resume FILE] [--report FILE]

What `dloc hide`, a stock LLVM and `dloc reveal` make of real programs with two layers: TileIR, where each instruction has its own line, and MLIR,
where three lines are one and there are no columns.
  code     the code: objects without debug info equal those of the module without layers, byte for byte
  passes   behind opt -O2: layers and primaries beside those of projections, one run of opt for each channel, instruction by instruction
  modes    behind opt -O2: `--exact` and `--full` give modules whose primaries are byte for byte those of the module without layers; layers are those of
           --fast, and those of projections
  patched  behind opt -O2 of the patched LLVM in BIN, which carries layers itself
Runs on Lua; --full also on SQLite, and every LLVM, level and target; --newer by LLVM 23 and 24, as far as they are there. What may differ, and how
much, is in the table LIMITS.

As many modules at a time as there are processors, or --jobs. --resume keeps what a module came to in FILE, a line for each, and does not try it again
with the same dloc. Ends with `N passed, N failed, N skipped`. --report writes the figures as JSON.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "real"))
from channels import Function, Instruction, Layers, Location, Module, sure  # noqa: E402
from common import CACHE, DLOC, JOBS, NEWER, first_line, llvm, run, sha256, why_missing  # noqa: E402
from modules import optimisable  # noqa: E402

FINE, COARSE = "TileIR", "MLIR"
Counts = collections.Counter[str]
Outcome = tuple[str, list[str], dict[str, int]]  # what was checked, problems, figures
Content = tuple["Location | None", Layers]
Expected = tuple[list[str], Callable[[list[Content], str], "Location | None"]]
Job = tuple[str, int, tuple[int, ...]]  # module, version, levels
# For how many in a thousand something may be so, and of what; what is not named here may not be.
LIMITS: dict[str, Callable[[int], tuple[float, str]]] = {
    "coarse layer lost": lambda version: (0.2, "coarse layer"),
    "primary differs": lambda version: (3 if version == 14 else 1.5, "instructions"),
    "lost beside the patched LLVM": lambda version: (6, "coarse layer"),
}
COMPARED = (14, 19, 22, 23, 24)
SHOWN_ONLY = {"instructions", "coarse layer", "coarse layer at line 0 in the projection", "layer that no projection has"}


class Failure(Exception):
    pass


def tool(command: Sequence[object], limit: int = 900) -> None:
    status, _, errors = run([str(part) for part in command], limit=limit)
    if status != 0:
        raise Failure(f"{os.path.basename(str(command[0]))}: exit status {status}: {first_line(errors)}")


# ---- Modules ---------------------------------------------------------------------------------------------------------------------------------------


def coarsen(source: str, target: str) -> None:
    """Three lines of the layer MLIR become one; its columns go."""
    with open(source, "rb") as file:
        text = file.read()
    number = sure(re.search(rb'^(!\d+) = !DIFile\(filename: "layers\.mlir"', text, re.M))[1]
    scopes = set(re.findall(rb"^(!\d+) = (?:distinct )?!DILexicalBlockFile\(scope: !\d+, file: %s," % number, text, re.M))

    def change(match: re.Match[bytes]) -> bytes:
        if match[3] not in scopes:
            return match[0]
        return b"!DILocation(line: %d, scope: %s" % ((int(match[1]) + 2) // 3, match[3])

    with open(target, "wb") as output:
        output.write(re.sub(rb"!DILocation\(line: (\d+)(, column: \d+)?, scope: (!\d+)", change, text))


def layered(name: str, folder: str) -> str:
    """A program with both layers."""
    path, one, two, both = optimisable(name, folder), *(os.path.join(folder, part + ".ll") for part in ("one", "two", "layered"))
    tool([DLOC, "annotate", "--loops", "--layer", FINE, "--file", "layers.tile", path, "-o", one])
    tool([DLOC, "annotate", "--loops", "--layer", COARSE, "--file", "layers.mlir", one, "-o", two])
    coarsen(two, both)
    for spare in (path, one, two):
        os.remove(spare)
    return both


class Work:
    """A layered module, and what is made of it, in a folder of its own."""

    def __init__(self, name: str, version: int, folder: str) -> None:
        self.name, self.version, self.folder = name, version, folder
        self.layered = layered(name, folder)
        self.table = self.path("table")
        self.hidden = self.path("hidden.ll")
        tool([DLOC, "hide", "--table", self.table, self.layered, "-o", self.hidden])

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def projected(self, channel: str) -> str:
        output = self.path(f"projected-{channel}.ll")
        if not os.path.exists(output):
            tool([DLOC, "project", *(["--primary"] if channel == "primary" else ["--layer", channel]), self.layered, "-o", output])
        return output

    def optimised(self, module: str, level: int = 2, binaries: str | None = None) -> str:
        output = f"{module[:-3]}-O{level}.ll"
        if not os.path.exists(output):
            opt = os.path.join(binaries, "opt") if binaries else llvm(self.version, "opt")
            tool([opt, f"-passes=default<O{level}>", "-S", module, "-o", output])
        return output

    def revealed(self, module: str) -> str:
        output = f"{module[:-3]}-revealed.ll"
        tool([DLOC, "reveal", "--fast", "--table", self.table, module, "-o", output])
        return output

    def code(self, module: str, level: int) -> str:
        """The object of a module without debug info, as a digest."""
        output = self.path("module.o")
        tool([llvm(self.version, "llc"), f"-O{level}", "-filetype=obj", module, "-o", output])
        tool([llvm(self.version, "llvm-strip"), output])
        with open(output, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()


# ---- Code ------------------------------------------------------------------------------------------------------------------------------------------


def check_code(work: Work, levels: Iterable[int]) -> Iterator[Outcome]:
    for level in levels:
        plain, hidden = work.projected("primary"), work.hidden
        if level:
            plain, hidden = work.optimised(plain, level), work.optimised(hidden, level)
        same = work.code(plain, level) == work.code(hidden, level)
        yield f"code of {work.name}, O{level}", [] if same else ["the objects differ"], {}


# ---- Passes ----------------------------------------------------------------------------------------------------------------------------------------


def place(location: Location | None) -> tuple[int, int] | None:
    """The place as a reader of a line table sees it."""
    return (location.line, location.column) if location and location.line else None


def read(path: str) -> Module:
    with open(path, "rb") as file:
        return Module(file.read())


def code(function: Function) -> list[Instruction]:
    """The instructions of a function; calls of llvm.dbg functions, which LLVM 14 to 16 have, place variables."""
    return [instruction for instruction in function[1] if b"@llvm.dbg." not in instruction.text]


def instructions(modules: list[Module]) -> Iterator[list[Content]]:
    """(primary, layers) of the same instruction of several modules, one after the other."""
    for functions in zip(*(module.functions() for module in modules), strict=True):
        for same in zip(*map(code, functions), strict=True):
            yield [module.content(one.location) for module, one in zip(modules, same)]


def count_passes(work: Work, counts: Counts) -> None:
    channels = ("primary", FINE, COARSE)
    modules = [read(work.revealed(work.optimised(work.hidden))), *(read(work.optimised(work.projected(channel))) for channel in channels)]
    for (primary, layers), *others in instructions(modules):
        alone = dict(zip(channels, (location for location, _ in others)))
        counts["instructions"] += 1
        before, now = place(alone["primary"]), place(primary)
        if primary is not None and alone["primary"] is not None and now and before and now != before:
            counts["primary names another line"] += 1
        elif (primary is None) != (alone["primary"] is None) or now != before:
            counts["primary differs"] += 1
        for kind in (FINE, COARSE):
            count_layer(counts, kind, layers.get(kind), alone[kind])


def count_layer(counts: Counts, kind: str, layer: Location | None, alone: Location | None) -> None:
    now, before = place(layer), place(alone)
    if before:
        counts["coarse layer"] += kind == COARSE
    if alone is not None and not before:
        counts["coarse layer at line 0 in the projection"] += kind == COARSE
    if now and before and now != before:
        counts["layer names another line"] += 1
    elif now and not before:
        counts["layer that no projection has"] += 1
    elif before and not now and kind == COARSE:
        counts["coarse layer lost"] += 1


def check_passes(work: Work) -> Iterator[Outcome]:
    counts: Counts = collections.Counter()
    count_passes(work, counts)
    yield f"passes on {work.name}", beyond(counts, work.version), counts


def beyond(counts: Counts, version: int) -> list[str]:
    """The counts that are above their limits, in words."""
    problems = [] if counts["coarse layer"] else ["no layers"]
    for what, count in counts.items():
        limit, base = LIMITS[what](version) if what in LIMITS else (0, "instructions")
        if what not in SHOWN_ONLY and count > limit * counts[base] / 1000:
            problems.append(f"{what}: {count} of {counts[base]}, {limit} in a thousand may")
    return problems


# ---- Modes -----------------------------------------------------------------------------------------------------------------------------------------


def without_layers(work: Work, module: str) -> list[bytes]:
    """As opt prints it, with numbers of its own."""
    primary, output = work.path("without-layers.ll"), work.path("printed.ll")
    tool([DLOC, "project", "--primary", module, "-o", primary])
    tool([llvm(work.version, "opt"), "-passes=verify", "-S", primary, "-o", output])
    with open(output, "rb") as file:
        return [line for line in file if not line.startswith((b"; ModuleID", b"source_filename"))]


def other_layers(module: str, expected: Expected) -> int:
    """How many instructions have other layers than expected: other modules, and a function of the locations that they have there."""
    modules, layers = expected
    different = 0
    for (_, mine), *others in instructions([read(module), *map(read, modules)]):
        different += any(place(mine.get(kind)) != place(layers(others, kind)) for kind in (FINE, COARSE))
    return different


def joined(work: Work) -> str:
    """The module that --full makes of modules that went through opt one by one."""
    folder, output = work.path("full"), work.path("full.ll")
    tool([DLOC, "hide", "--full", folder, work.layered])
    for name in ("primary", FINE.lower(), COARSE.lower()):
        path = os.path.join(folder, name + ".ll")
        os.replace(work.optimised(path), path)
    tool([DLOC, "reveal", "--full", folder, "-o", output])
    return output


def check_modes(work: Work) -> Iterator[Outcome]:
    base, made, exact = work.optimised(work.projected("primary")), work.optimised(work.hidden), work.path("exact.ll")
    tool([DLOC, "reveal", "--exact", base, made, "--table", work.table, "-o", exact])
    full, plain = joined(work), without_layers(work, base)
    lone = [work.optimised(work.projected(kind)) for kind in (FINE, COARSE)]
    kept = {
        "--exact": (exact, ([work.revealed(made)], lambda others, kind: others[0][1].get(kind))),
        "--full": (full, (lone, lambda others, kind: others[kind == COARSE][0])),
    }
    for mode, (module, expected) in kept.items():
        different = other_layers(module, expected)
        problems = [] if without_layers(work, module) == plain else ["primaries are not those of the module without layers"]
        yield f"{mode} on {work.name}", problems + ([f"{different} instructions have other layers"] if different else []), {}


# ---- The patched LLVM ------------------------------------------------------------------------------------------------------------------------------


def check_patched(work: Work, binaries: str) -> Iterator[Outcome]:
    counts: Counts = collections.Counter()
    ours = read(work.revealed(work.optimised(work.hidden)))
    theirs = read(work.optimised(work.layered, binaries=binaries))
    for (_, mine), (_, patched) in instructions([ours, theirs]):
        counts["instructions"] += 1
        counts["coarse layer"] += bool(place(patched.get(COARSE)))
        for kind in (FINE, COARSE):
            now, wanted = place(mine.get(kind)), place(patched.get(kind))
            if now and now != wanted:
                counts["layer that the patched LLVM has not"] += 1
            elif wanted and not now:
                counts["lost beside the patched LLVM"] += kind == COARSE
    yield f"patched LLVM on {work.name}", beyond(counts, work.version), counts


# ---- All of it -------------------------------------------------------------------------------------------------------------------------------------


def jobs(arguments: argparse.Namespace) -> list[Job]:
    """(module, version, levels)"""
    if arguments.newer:
        return [(f"{program}-{version}-O0", int(version), (0, 2)) for program in ("lua", "coroutines") for version in NEWER if not why_missing(version)]
    if not arguments.full:
        return [("lua-22-O0", 22, (2,)), ("lua-19-O0", 19, (0,)), ("lua-14-O0-aarch64", 14, (2,))]
    names = itertools.product(("sqlite", "lua"), (14, 15, 16, 19, 22), ("", "-aarch64"))  # the longest first
    return [(f"{program}-{version}-O0{machine}", version, (0, 2, 3)) for program, version, machine in names]


def checks(work: Work, version: int, levels: Iterable[int], arguments: argparse.Namespace) -> Iterator[Outcome]:
    wanted = arguments.only or ["code", "passes", "modes", "patched"]
    if "code" in wanted:
        yield from check_code(work, levels)
    if "passes" in wanted and version in COMPARED:
        yield from check_passes(work)
    if "modes" in wanted and version in COMPARED:
        yield from check_modes(work)
    if "patched" in wanted and version == 22 and arguments.patched:
        yield from check_patched(work, arguments.patched)


def outcomes_of(job: Job, arguments: argparse.Namespace) -> list[Outcome]:
    name, version, levels = job
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        try:
            return list(checks(Work(name, version, folder), version, levels, arguments))
        except (Failure, ValueError) as failure:  # ValueError: the modules have other instructions
            return [(name, [str(failure)], {})]


def all_outcomes(arguments: argparse.Namespace) -> Iterator[list[Outcome]]:
    """The outcomes of each job as it ends. Jobs in the file of --resume do not run again."""
    with open(DLOC, "rb") as file:
        dloc = sha256(file.read())
    keys = {json.dumps([dloc, arguments.only, arguments.patched, *job]): job for job in jobs(arguments)}
    if arguments.resume and os.path.exists(arguments.resume):
        with open(arguments.resume, encoding="utf-8") as file:
            for key, outcomes in map(json.loads, file):
                if keys.pop(key, None):
                    yield outcomes
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(outcomes_of, job, arguments): key for key, job in keys.items()}
        for ended in concurrent.futures.as_completed(running):
            if arguments.resume:
                with open(arguments.resume, "a", encoding="utf-8") as file:
                    file.write(json.dumps([running[ended], ended.result()]) + "\n")
            yield ended.result()


def main() -> NoReturn:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--patched")
    parser.add_argument("--only", action="append", choices=("code", "passes", "modes", "patched"))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--newer", action="store_true")
    parser.add_argument("--jobs", type=int, default=JOBS)
    parser.add_argument("--resume")
    parser.add_argument("--report")
    arguments = parser.parse_args()
    passed = failed = 0
    figures = {}
    for outcomes in all_outcomes(arguments):
        for what, problems, counts in outcomes:
            passed, failed = passed + (not problems), failed + bool(problems)
            figures[what] = dict(counts)
            for problem in problems:
                print(f"FAILED {what}: {problem}")
            if counts:
                print(f"{what}: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())), flush=True)
    if arguments.report:
        with open(arguments.report, "w") as file:
            json.dump(figures, file, indent=1)
    missing = [reason for reason in map(why_missing, NEWER if arguments.newer else ()) if reason]
    for reason in missing:
        print("skipped:", reason)
    print(f"{passed} passed, {failed} failed, {len(missing)} skipped")
    sys.exit(failed > 0 or passed + len(missing) == 0)


if __name__ == "__main__":
    main()
