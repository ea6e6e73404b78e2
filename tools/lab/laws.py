"""`dloc laws --mutants`: can each law that holds fail? Some mistake of the model must break it. `dloc laws --mutant`
tries the laws under one mistake, in a process of its own: it may crash, loop or eat memory.

`dloc laws --all-profiles`: a table of laws by profiles.

`dloc laws --repairs`: which single change of a choice repairs or breaks a law?
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from program import FINE, VIOLATION, Command, run
from runs import read_sections

# Of one process: seconds of processor time, and KiB.
LIMITED = ["sh", "-c", 'ulimit -c 0; ulimit -t 20; ulimit -d 1048576; exec "$@"', "sh"]


@dataclass
class Law:
    name: str
    clauses: list[str]
    tried: int = 0  # inputs, by the model as it is
    broken: int = 0
    breakers: list[dict[str, Any]] = field(default_factory=list)  # mutants

    @property
    def without(self) -> str | None:
        """Why there is nothing to break."""
        return "broken without any" if self.broken else None if self.tried else "NO INPUT"

    @property
    def can_fail(self) -> bool:
        return bool(self.breakers or self.broken)

    def relation(self, mutant: dict[str, Any]) -> int:
        """2: the mutant is of a clause that the law comes from; 1: of its family."""
        family = mutant["clause"].split(".")[0] + "."
        return 2 if mutant["clause"] in self.clauses else int(any(name.startswith(family) for name in self.clauses))

    def row(self) -> str:
        count = len(self.breakers) or "-"
        told = max(self.breakers, key=self.relation)["mutant"] if self.breakers else self.without or "NO MUTANT BREAKS IT"
        return f"{self.name:28} {count:>7}  {told}\n"


def try_laws(command: Command, laws: list[Law], scope: int, *more: str) -> subprocess.CompletedProcess[bytes]:
    names = [word for law in laws for word in ("--law", law.name)]
    words = [*command.operands, "--scope", str(scope), *names, "--json", "-", *more]
    return subprocess.run([*LIMITED, command.program, "laws", *words], stdout=subprocess.PIPE, check=False)


def results_of(tried: subprocess.CompletedProcess[bytes]) -> dict[str, dict[str, Any]]:
    """By law. A mutant that crashes, or refuses what is valid, tells nothing of a law."""
    return {} if tried.returncode else {result["law"]: result for result in json.loads(tried.stdout)["laws"]}


def find_breakers(command: Command, laws: list[Law], scope: int, mutants: list[dict[str, Any]]) -> None:
    """At the first scope all of them; at a larger one, which takes its time, one for each law is enough: likely ones first."""
    if scope > 1:
        mutants = sorted(mutants, key=lambda mutant: -max((law.relation(mutant) for law in laws), default=0))

    def broken_by(mutant: dict[str, Any]) -> list[Law]:
        left = [law for law in laws if scope == 1 or not law.breakers]
        results = results_of(try_laws(command, left, scope, "--mutant", mutant["mutant"])) if left else {}
        return [law for law in left if results.get(law.name, {}).get("broken")]

    with ThreadPoolExecutor(command.options.jobs) as crew:
        for mutant, broken in zip(mutants, crew.map(broken_by, mutants) if scope == 1 else map(broken_by, mutants)):
            for law in broken:
                law.breakers.append(mutant)


def widen(command: Command, laws: list[Law], scope: int, mutants: list[dict[str, Any]]) -> None:
    tried = try_laws(command, laws, scope)
    if tried.returncode != FINE:
        sys.exit(tried.returncode)
    for law in laws:
        result = results_of(tried)[law.name]
        law.tried, law.broken = result["tried"], result["broken"]
    find_breakers(command, [law for law in laws if not law.without], scope, mutants)


def try_mutants(command: Command) -> int:
    rows = [line.decode().rstrip("\n").split("\t") for line in command.told("laws", "--list")]
    chosen = command.options.law
    laws = [Law(name, clauses.split()) for name, clauses, _ in rows if not chosen or name in chosen]
    mutants = dict(read_sections(command.told("spec", "--sections")))["mutants"]
    for scope in range(1, command.options.scope + 1):
        left = [law for law in laws if scope == 1 or not law.breakers and not law.broken]
        if left:
            widen(command, left, scope, mutants)
    sys.stdout.write(f"{'law':28} {'mutants':>7}  such as\n" + "".join(law.row() for law in laws))
    return FINE if all(law.can_fail for law in laws) else VIOLATION


# ---- Every profile


def judge(column: dict[str, Any]) -> list[str]:
    """What deviates. A shard may well have no input that breaks a broken law."""
    deviations = {True: "is broken and was expected to hold", False: "holds and was expected to be broken"}
    return [
        f"{column['profile']}: {law['law']} {deviations[bool(law['broken'])]}\n"
        for law in column["laws"]
        if bool(law["broken"]) != ("known" in law) and (law["broken"] or column["shards"] == 1)
    ]


def try_profiles(command: Command) -> int:
    choices = dict(read_sections(command.told("spec", "--sections")))["choices"]
    lines, to = [], command.options.json
    for profile in choices[0]["profiles"]:
        lines += command.told("laws", *command.operands, "--profile", profile, "--json", "-")
    if to:
        command.write(to, b"".join(lines))
    if to == "-":
        return FINE
    columns = [json.loads(line) for line in lines]
    rows = [["law", *(column["profile"] for column in columns)]]
    for laws in zip(*(column["laws"] for column in columns)):
        rows.append([laws[0]["law"], *(law["broken"] or ("holds" if law["tried"] else "-") for law in laws)])
    deviations = [text for column in columns for text in judge(column)]
    sys.stdout.writelines(f"{name:28}" + "".join(f" {cell:>11}" for cell in cells) + "\n" for name, *cells in rows)
    sys.stdout.writelines(deviations)
    return VIOLATION if deviations else FINE


# ---- Every change of a choice


def try_repairs(command: Command) -> int:
    choices = dict(read_sections(command.told("spec", "--sections")))["choices"]

    def results(*change: str) -> bytes:
        return b"".join(command.told("laws", *command.operands, *change, "--json", "-"))

    first = results()
    if command.options.json:
        command.write(command.options.json, first)
    for choice, alternative in ((choice, alternative) for choice in choices for alternative in choice["alternatives"]):
        change = f"{choice['choice']}={alternative}"
        changed = any(f"{choice['choice']}=" in word for word in command.operands)
        if alternative == choice["profiles"][command.options.profile or "rfc"] and not changed:
            continue
        for before, after in zip(*(json.loads(lines)["laws"] for lines in (first, results("--choice", change)))):
            if bool(before["broken"]) != bool(after["broken"]):
                print(f"--choice {change} {'breaks' if after['broken'] else 'repairs'} {after['law']}")
    return FINE


def main(command: Command) -> int:
    options = command.options
    return (try_mutants if options.mutants else try_repairs if options.repairs else try_profiles)(command)


run(main)
