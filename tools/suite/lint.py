"""`dloc lint` for folders that say what was released (RELEASED), and who confirms expectations (CONFIRMED, DERIVED)."""

import os
import re

import program
from typing import Any
from evidence import read_confirmed
from program import VIOLATION, Command, diagnose, read_file, read_reasons, run

Known = dict[str, dict[str, Any]]  # by id: what `dloc list --json` says of the vector


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
            elif vector["vector"]["digest"] != digest and f"`{id}`" not in notes:
                text = f"{id} is not what was released, and CHANGES.md does not say why"
                self.complain(vector["file"], vector["line"], text, "released")

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
            is_confirmed = digests.get(id) == vector["vector"]["digest"] or id in reasons
            if re.search(r"\.(law|fuzz)\.", id) and not is_confirmed:
                text = f"{id} was computed: no LLVM confirms it in CONFIRMED, and DERIVED does not derive it"
                self.complain(vector["file"], vector["line"], text, "evidence")


def main(command: Command) -> int:
    """The vectors have been checked one by one, and what was found about them was said."""
    program.diagnoses_json = command.options.json
    _, lines = command.ask_json("list", "--json", "--", *command.operands, quiet=True)
    known = {line["vector"]["id"]: line for line in lines}
    status: int = command.options.status
    for path in command.operands:
        folder = Folder(path, known)
        if folder.has("RELEASED"):
            folder.check_released()
        if folder.has("CONFIRMED"):
            folder.check_evidence()
        status = status if folder.is_fine else max(status, VIOLATION)
    return status


run(main)
