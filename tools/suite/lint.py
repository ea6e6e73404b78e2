"""`dloc lint`: ids, and folders that say what was released (RELEASED), who confirms expectations (CONFIRMED, DERIVED), and what holds
where two alternatives act together (TOGETHER).
`dloc lint --facts` checks each vector.
"""

import json
import os
import re
import sys
from typing import Any

import program
from evidence import read_confirmed
from program import VIOLATION, Command, diagnose, read_file, read_reasons, run

Known = dict[str, dict[str, Any]]  # by id: what `dloc lint --facts` says of the vector


def is_named(id: str, notes: str) -> bool:
    """By its id, or by a family that it is of: `merge.line.*`."""
    parts = id.split(".")
    return any(f"`{name}`" in notes for name in [id, *(".".join(parts[:count]) + ".*" for count in range(1, len(parts)))])


class Folder:
    def __init__(self, path: str, known: Known):
        self.path, self.known, self.is_fine = path, known, True

    def complain(self, file: str, line: int, text: str, code: str) -> None:
        diagnose(file, text, f"vector.{code}", line)
        self.is_fine = False

    def has(self, name: str) -> bool:
        return os.path.exists(f"{self.path}/{name}")

    def check_released(self) -> None:
        """Released vectors stay, and CHANGES.md tells those that have changed since, in its first section."""
        changes = read_file(f"{self.path}/CHANGES.md") if self.has("CHANGES.md") else ""
        notes = "\n## ".join(changes.split("\n## ")[:2])
        file = f"{self.path}/RELEASED"
        for number, line in enumerate(read_file(file).splitlines(), 1):
            id, digest, *_ = (*line.split(), "", "")
            vector = self.known.get(id)
            if not digest:
                self.complain(file, number, "a line is no id and digest", "released")
            elif not vector:
                self.complain(file, number, f"{id} was released and is gone; an id stays for ever", "released")
            elif vector["digest"] != digest and not is_named(id, notes):
                text = f"{id} is not what was released, and CHANGES.md does not say why"
                self.complain(vector["path"], vector["line"], text, "released")

    def check_names(self, file: str, named: list[tuple[str, int]]) -> None:
        for id, number in sorted(named):
            if id not in self.known:
                self.complain(f"{self.path}/{file}", number, f"{id} is named, and no vector has this id", "evidence")

    def check_evidence(self) -> None:
        """Of a witness of a law, or a difference that was found by chance, nobody wrote down what is expected: somebody
        else must confirm what the model computed."""
        confirmed = read_confirmed(self.path)
        derived = list(read_reasons(f"{self.path}/DERIVED", "vector.evidence")) if self.has("DERIVED") else []
        self.check_names("CONFIRMED", [(id, number) for number, id, _, _ in confirmed])
        self.check_names("DERIVED", [(id, number) for number, id, _ in derived])
        digests = {id: digest for _, id, digest, _ in confirmed}
        reasons = {id for _, id, _ in derived}
        for id, vector in sorted(self.known.items()):
            is_confirmed = digests.get(id) == vector["digest"] or id in reasons
            if re.search(r"\.(law|fuzz)\.", id) and not is_confirmed:
                text = f"{id} was computed: no LLVM confirms it in CONFIRMED, and DERIVED does not derive it"
                self.complain(vector["path"], vector["line"], text, "evidence")


    def check_together(self) -> None:
        """Of alternatives that act together nobody wrote down in a vector what is expected: TOGETHER derives it in words."""
        found: dict[str, dict[str, Any]] = {}
        for vector in self.known.values():
            for pair in vector.get("together", []):
                found.setdefault(" ".join(sorted(map("=".join, pair.items()))), vector)
        told = {}
        for number, line in enumerate(read_file(f"{self.path}/TOGETHER").splitlines(), 1):
            match = re.fullmatch(r"(\S+=\S+ \S+=\S+): \S.*", line)
            if line and not line.startswith("#") and not match:
                self.complain(f"{self.path}/TOGETHER", number, "a line is `ALTERNATIVE ALTERNATIVE: DERIVATION`", "together")
            elif match:
                told[match[1]] = number
        for pair, number in told.items():
            if pair not in found:
                text = f"{pair} do not act together in a vector, or stand in another order"
                self.complain(f"{self.path}/TOGETHER", number, text, "together")
        for pair, vector in sorted(found.items()):
            if pair not in told:
                text = f"in {vector['id']} {pair} act together: nobody derived what holds, here or in TOGETHER"
                self.complain(vector["path"], vector["line"], text, "together")


def check_ids(vectors: list[dict[str, Any]]) -> bool:
    """Whether each vector has an id of its own."""
    ordered = sorted(vectors, key=lambda vector: (vector["id"], vector["path"], vector["line"]))
    same = [(one, other) for one, other in zip(ordered, ordered[1:]) if one["id"] == other["id"]]
    for one, other in same:
        diagnose(other["path"], f"id '{other['id']}' is that of {one['path']}:{one['line']} as well", "vector.id", other["line"])
    return not same


def main(command: Command) -> int:
    """The program has told on stderr, or with --json among the facts, what is wrong with each vector."""
    program.diagnoses_json = command.options.json
    json_option = ["--json"] * command.options.json
    status, lines = command.ask("lint", "--facts", *json_option, "--", *command.operands)
    vectors = []
    for line in lines:
        if line.startswith(b'{"id":'):
            vectors.append(json.loads(line))
        else:
            sys.stdout.write(line.decode())
    if not check_ids(vectors):
        status = max(status, VIOLATION)
    known = {vector["id"]: vector for vector in vectors}
    for path in command.operands:
        folder = Folder(path, known)
        if folder.has("RELEASED"):
            folder.check_released()
        if folder.has("CONFIRMED"):
            folder.check_evidence()
        if folder.has("TOGETHER"):
            folder.check_together()
        status = status if folder.is_fine else max(status, VIOLATION)
    return status


run(main)
