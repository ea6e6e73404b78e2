"""`dloc mutants`: which vectors notice each mutant of the model? `dloc check --mutant` tries one, in a process of its
own: it may crash, loop or eat memory.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from program import FINE, VIOLATION, Command, fail, run
from runs import read_sections

# Of one process: seconds of processor time, of which all vectors take a fraction of one, and KiB.
LIMITED = ["sh", "-c", 'ulimit -c 0; ulimit -t 3; ulimit -d 1048576; exec "$@"', "sh"]
BATCH = 500  # vectors of one process


@dataclass
class Vector:
    id: str
    kills: list[str]
    line: bytes  # the vector as JSON


@dataclass
class Mutant:
    name: str
    clause: str
    what: str
    proof: str | None  # why no answer can tell it from the model
    verdicts: dict[str, str] = field(default_factory=dict)  # by id: noticed, unnoticed, crashed
    named: list[str] = field(default_factory=list)  # the vectors that name it

    @property
    def killers(self) -> list[str]:
        """Those that name it before any other."""
        killers = [id for id, verdict in self.verdicts.items() if verdict != "unnoticed"]
        return sorted(killers, key=lambda id: id not in self.named)

    @property
    def outcome(self) -> str:
        return "killed" if self.killers else "equivalent" if self.proof else "survived"

    @property
    def failures(self) -> list[str]:
        killer = self.killers[0] if self.killers else None
        wrong = [f"{id} names it, and does not notice it" for id in self.named if self.verdicts[id] == "unnoticed"]
        if killer and self.proof:
            wrong.append(f"listed as equivalent, but {killer} notices it")
        elif killer and killer not in self.named:
            wrong.append(f"{killer} notices it, but no vector that names it does")
        elif not killer and not self.proof:
            wrong.append(f"no vector notices that the model {self.what}")
        return [f"{self.name}: {text}\n" for text in wrong]

    def row(self, width: int, all_vectors: bool) -> str:
        text = self.outcome if self.proof else "SURVIVED"
        if self.killers:
            text = self.killers[0] + (" (crash or hang)" if self.verdicts[self.killers[0]] == "crashed" else "")
            text += f" and {len(self.killers) - 1} more" if all_vectors and len(self.killers) > 1 else ""
        return f"{self.name:{width}}  {self.clause:30}  {text}\n"

    def line(self) -> str:
        noticed, crashed = ([id for id, of in self.verdicts.items() if of == kind] for kind in ("noticed", "crashed"))
        line: dict[str, Any] = {"mutant": self.name, "clause": self.clause, "what": self.what, "outcome": self.outcome}
        line |= {"status": "failed" if self.failures else "passed", "noticed": noticed, "crashed": crashed}
        return json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n"


# ---- Running


def try_batch(command: Command, mutant: Mutant, vectors: list[Vector]) -> None:
    """A process that ended in the middle of a vector was killed by it; another goes on with the rest."""
    while vectors:
        program = [*LIMITED, command.program, "check", "--mutant", mutant.name, "-"]
        lines = b"".join(vector.line for vector in vectors)
        child = subprocess.run(program, input=lines, capture_output=True, check=False)
        verdicts = child.stdout.decode().split()
        mutant.verdicts |= zip((vector.id for vector in vectors), verdicts)
        if len(verdicts) < len(vectors):
            if child.returncode in (0, 126, 127):
                fail(f"{mutant.name}: the process could not do its work")
            mutant.verdicts[vectors[len(verdicts)].id] = "crashed"
        vectors = vectors[len(verdicts) + 1 :]


def try_mutant(command: Command, mutant: Mutant, vectors: list[Vector]) -> Mutant:
    """First every vector that names it, then, unless that is enough, the others."""
    mutant.named = [vector.id for vector in vectors if mutant.name in vector.kills]
    try_batch(command, mutant, [vector for vector in vectors if mutant.name in vector.kills])
    others = [vector for vector in vectors if mutant.name not in vector.kills]
    for start in range(0, len(others), BATCH):
        if command.options.all or not mutant.killers:
            try_batch(command, mutant, others[start : start + BATCH])
    mutant.verdicts = {vector.id: mutant.verdicts[vector.id] for vector in vectors if vector.id in mutant.verdicts}
    return mutant


def show_progress(done: Iterable[Mutant], count: int) -> Iterable[Mutant]:
    for number, mutant in enumerate(done, 1):
        if sys.stderr.isatty():
            print(f"\r\033[K{number} of {count} mutants", end="" if number < count else "\r\033[K", file=sys.stderr)
        yield mutant


def try_all(command: Command, mutants: list[Mutant], vectors: list[Vector]) -> list[Mutant]:
    with ThreadPoolExecutor(command.options.jobs) as crew:
        done = crew.map(lambda mutant: try_mutant(command, mutant, vectors), mutants)
        return list(show_progress(done, len(mutants)))


# ---- The command


def read_mutants(command: Command) -> list[Mutant]:
    lines = dict(read_sections(command.told("spec", "--facts")))["mutants"]
    return [Mutant(line["mutant"], line["clause"], line["what"], line.get("equivalent")) for line in lines]


def read_vectors(command: Command) -> list[Vector]:
    """The model as it is must agree with all of them."""
    command.told("check", "--", *command.operands)
    lines = command.told("fmt", "--to", "jsonl", "--", *command.operands)
    documents = [(json.loads(line), line) for line in lines]
    return [Vector(document["id"], document.get("kills", []), line) for document, line in documents]


def report(mutants: list[Mutant], all_vectors: bool) -> str:
    width = max(len(name) for name in ("mutant", *(mutant.name for mutant in mutants)))
    outcomes = [mutant.outcome for mutant in mutants]
    counts = ", ".join(f"{outcomes.count(name)} {name}" for name in ("killed", "survived", "equivalent"))
    failed = [mutant.failures for mutant in mutants if mutant.failures]
    return "".join(
        [
            f"{'mutant':{width}}  {'clause':30}  killed by\n\n",
            *(mutant.row(width, all_vectors) for mutant in mutants),
            "\n",
            *(text for texts in failed for text in texts),
            f"{counts}\n{len(mutants) - len(failed)} passed, {len(failed)} failed\n",
        ]
    )


def main(command: Command) -> int:
    options, mutants = command.options, read_mutants(command)
    if options.list:
        for mutant in mutants:
            proof = [f"equivalent: {mutant.proof}"] if mutant.proof else []
            print(mutant.name, mutant.clause, mutant.what, *proof, sep="\t")
        return FINE
    if not command.operands or not 1 <= options.jobs <= 1024:
        fail("--jobs takes 1 to 1024" if command.operands else "mutants takes a PATH of vectors")
    for name in options.only:
        if name not in (mutant.name for mutant in mutants):
            fail(f"no mutant is named '{name}'; `dloc mutants --list` lists them")
    wanted = [mutant for mutant in mutants if not options.only or mutant.name in options.only]
    tried = try_all(command, wanted, read_vectors(command))
    if options.json:
        command.write(options.o or "-", "".join(mutant.line() for mutant in tried).encode())
    if not options.json or options.o not in (None, "-"):
        sys.stdout.write(report(tried, options.all))
    return VIOLATION if any(mutant.failures for mutant in tried) else FINE


run(main)
