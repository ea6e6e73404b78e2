#!/usr/bin/env python3
"""usage: tests/choices.py [--profile NAME]... [--singles N] [--pairs N | --neighbours] [--seed N]

The model under every single alternative that a built-in profile (rfc) does not take, or N drawn at random, and under random pairs of them: `dloc run` finds no
difference, and the fingerprint names what was chosen, and nothing else that the model does not take, as far as its answers tell. --neighbours: under every pair
of alternatives of two choices that vectors of one clause list, whether or not one vector lists both. Ends with a line `N passed, N failed`.
"""

import argparse
import collections
import functools
import itertools
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DLOC = os.environ.get("DLOC") or ROOT / "build/dloc"
sys.path.insert(0, str(ROOT / "tools" / "make"))

import tables  # noqa: E402

SPEC = tables.read(ROOT / "SPEC.md")
Changes = tuple[tuple[str, str], ...]  # choices and their alternatives
# Another profile explains nearly as many answers, and `dloc run` looks for one that is better by changing one alternative at a time.
MISTAKEN: Changes = (("emit.layers", "tile-ir"), ("emit.layer.end", "nothing"))


class Run:
    def __init__(self, profile: str, changes: Changes):
        options = [option for change in changes for option in ("--choice", "=".join(change))]
        command = [DLOC, "run", "--impl", "model", "--profile", profile, *options, "--quiet", "--json", "vectors"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.fine = done.returncode == 0
        self.different = [line["id"] for line in lines if line.get("verdict") not in (None, "as-expected", "not-judged")]
        self.answers = {line["id"]: hash(line.get("actual")) for line in lines if "id" in line}
        self.found = {line["choice"]: line["alternatives"] for line in lines if "choice" in line}

    def answers_like(self, other: "Run") -> bool:
        return all(self.answers.get(vector, answer) == answer for vector, answer in other.answers.items())


@functools.cache
def run(profile: str, changes: Changes) -> Run:
    return Run(profile, changes)


def change(profile: str, changes: Changes, choice: str, alternative: str) -> Changes:
    """In the order of spec/choices.md, without what the profile takes anyway."""
    changed = {**dict(changes), choice: alternative}
    taken = SPEC.alternatives_of(profile)
    return tuple((name, changed[name]) for name in SPEC.choices if changed.get(name, taken[name]) != taken[name])


def faults(profile: str, changes: Changes) -> list[str]:
    """What is wrong under the changed profile."""
    this = run(profile, changes)
    wrong = [f"differs from what is expected: {', '.join(this.different[:5])}"] if not this.fine else []
    taken = SPEC.alternatives_of(profile) | dict(changes)
    for choice, alternative in taken.items():
        found = this.found.get(choice, "?")
        if found != "?" and alternative not in found.split("|"):
            wrong.append(f"{choice} is {alternative}, found {found}")
    for choice, alternative in changes:
        found = this.found.get(choice, "?").replace("?", "|".join(SPEC.choices[choice].alternatives))
        for other in set(found.split("|")) - {alternative}:
            if not run(profile, change(profile, changes, choice, other)).answers_like(this):
                wrong.append(f"{choice} is {alternative}, which answers tell from {other}; found {found}")
    return wrong


@functools.cache
def neighbours() -> set[frozenset[str]]:
    """Two choices that vectors of one clause list."""
    listed = collections.defaultdict(set)
    for line in subprocess.run([DLOC, "list", "--json", "vectors"], cwd=ROOT, capture_output=True, check=True).stdout.splitlines():
        vector = json.loads(line)["vector"]
        for clause in vector["clauses"]:
            listed[clause].update(vector.get("choices", ()))
    return {frozenset(pair) for choices in listed.values() for pair in itertools.combinations(choices, 2)}


def cases(profile: str, most: int | None, pairs: int | None, draw: random.Random) -> list[tuple[str, Changes]]:
    """pairs: so many, or all of neighbours."""
    taken = SPEC.alternatives_of(profile)
    singles = [(choice.name, name) for choice in SPEC.choices.values() for name in choice.alternatives if name != taken[choice.name]]
    both = [pair for pair in itertools.combinations(singles, 2) if pair[0][0] != pair[1][0]]
    some = singles if most is None else draw.sample(singles, min(most, len(singles)))
    both = [pair for pair in both if pair != MISTAKEN]
    drawn = [pair for pair in both if frozenset(name for name, _ in pair) in neighbours()] if pairs is None else draw.sample(both, min(pairs, len(both)))
    return [(profile, changes) for changes in [*((single,) for single in some), *drawn]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--profile", action="append")
    parser.add_argument("--singles", type=int, help="default: all")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--neighbours", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    draw = random.Random(options.seed)
    drawn = [case for profile in options.profile or ["rfc"] for case in cases(profile, options.singles, None if options.neighbours else options.pairs, draw)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda case: faults(*case), drawn))
    for (profile, changes), wrong in zip(drawn, found):
        for fault in wrong:
            print(f"{profile} with {', '.join(map('='.join, changes))} (--seed {options.seed}): {fault}")
    failed = sum(map(bool, found))
    print(f"{len(drawn) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
