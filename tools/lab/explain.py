"""`dloc explain`: what a name stands for, as text or JSON. The model's answers are asked by `dloc explain --facts`, laws by
`dloc laws --facts`."""

import difflib
import functools
import json
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from evidence import add_confirmed, newest_llvm
from program import FINE, UNUSABLE, Command, error, read_reasons, run
from runs import read_sections

COLUMNS, WIDEST = 110, 32
SHORT = 400  # bytes of a question or an answer
SEVERITIES = {
    "soft": "soft: LLVM drops the debug info of the module, with a warning",
    "hard": "hard: LLVM, or the command that found it, ends with an error",
    "parse": "parse: the input is not read at all",
    "warning": "warning: the rules permit it; `dloc verify -W` tells of it",
}
FORMS = {"layers": "rfc", "irlayers": "pr215666"}  # of the project's own LLVMs: the profile of each

Said = dict[str, Any]

def full(said: Said) -> Said:
    """Without the parts that say nothing."""
    return {key: part for key, part in said.items() if part not in ({}, [], "", None)}


def mentions(text: str, name: str) -> bool:
    """Whether a text names it between backquotes, alone or as `name: alternative`."""
    return f"`{name}`" in text or f"`{name}:" in text


def size(document: Any) -> int:
    parts = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    return 1 + sum(map(size, parts))


def names_reason(document: Any, reason: str) -> bool:
    if isinstance(document, dict):
        return document.get("reason") == reason or any(names_reason(part, reason) for part in document.values())
    return isinstance(document, list) and any(names_reason(part, reason) for part in document)


def cut(text: str) -> str:
    data = text.encode()
    return text if len(data) <= SHORT else data[:SHORT].decode(errors="ignore") + " ..."


def spell(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, list):
        return f"[{', '.join(map(spell, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {spell(part)}" for key, part in value.items()) + "}"
    return value if isinstance(value, str) else json.dumps(value)


def spell_alone(value: Any) -> str:
    [part] = value.values() if isinstance(value, dict) and len(value) == 1 else [value]
    return spell(part)


def spell_answer(answer: dict[str, Any]) -> str:
    if "reason" in answer:
        return f"reject {answer['reason']}"
    return spell_alone(answer["value"]) if "value" in answer else "ok" if answer["full"] else ""


class Vector:
    """A vector of the folder, as `dloc list --json` writes it."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.document: dict[str, Any] = line["vector"]
        self.place = f"{line['file']}:{line['line']}"
        self.file: str = line["file"]
        self.id: str = self.document["id"]
        self.clauses: list[str] = self.document["clauses"]
        self.choices: dict[str, dict[str, Any]] = self.document.get("choices", {})
        self.size = size(self.document)
        self.confirmed: str = self.document.pop("confirmed", "")

    def expects(self, reason: str) -> bool:
        parts = (self.document["expect"], self.choices, self.document.get("profiles", {}))
        return any(names_reason(part, reason) for part in parts)


Wanted = Callable[[Vector], bool]


class Explainer:
    def __init__(self, command: Command) -> None:
        self.command = command
        self.folder: str | None = command.options.vectors
        tables = dict(read_sections(command.told("spec", "--facts")))
        self.tables: dict[str, dict[str, dict[str, Any]]] = {}
        for section, key in (("clauses", "clause"), ("choices", "choice"), ("reasons", "reason"), ("laws", "law"), ("profiles", "profile"), ("ops", "op")):
            self.tables[key] = {line[key]: line for line in tables[section]}
        self.statements = {name: line["statement"] for name, line in self.tables["clause"].items()}
        self.alternatives = {f"{name}={alternative}": (name, alternative) for name, line in self.tables["choice"].items() for alternative in line["alternatives"]}
        self.vectors = self.read_vectors()
        self.known: dict[str, dict[str, Any]] = {}  # facts, by name

    @functools.cached_property
    def laws(self) -> list[dict[str, Any]]:
        return self.laws_under()

    def read_vectors(self) -> dict[str, Vector]:
        if not self.folder:
            return {}
        lines = self.command.told_json("list", "--json", self.folder)
        add_confirmed([line["vector"] for line in lines], [self.folder])
        vectors = sorted(map(Vector, lines), key=lambda vector: vector.id.encode())
        return {vector.id: vector for vector in vectors}

    def ask(self, vectors: str | None, names: list[str]) -> None:
        """Asks the model for its answers: to vectors, and to those of choices."""
        options = [f"--vectors={vectors}"] if vectors else []
        self.known.update(zip(names, self.command.told_json("explain", "--facts", *options, "--", *names) if names else []))

    def facts(self, vector: Vector) -> dict[str, Any]:
        if vector.id not in self.known:
            self.ask(vector.file, [vector.id])
        return self.known[vector.id]

    # ---- What vectors show

    def question(self, vector: Vector) -> str:
        facts, op = self.facts(vector), vector.document["op"]
        return cut(f"{op} {spell_alone(facts['args'])}" if "args" in facts else f"{op} a module" if "module" in facts else op)

    @staticmethod
    def answers(named: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, str]:
        """Short, unless two that differ would then look alike."""
        answers = {name: (spell_answer(answer), answer["full"]) for name, answer in named}
        in_full = len({few for few, _ in answers.values()}) < len(set(answers.values()))
        return {name: full if in_full else cut(few) for name, (few, full) in answers.items()}

    def begin_example(self, vector: Vector) -> Said:
        return {"vector": vector.id, "note": vector.document.get("note", ""), "asked": self.question(vector)}

    def example(self, vector: Vector) -> Said:
        return {**self.begin_example(vector), "expected": self.answers([(vector.document["since"], self.facts(vector)["expect"])])}

    def choices_of(self, vector: Vector) -> Said:
        answers = self.facts(vector)["choices"]
        return {name: self.answers([(name, answer)])[name] for name, answer in answers.items()}

    def plainest(self, wanted: Wanted, name: str) -> Vector | None:
        """The first that has the name, as files begin with what is plain, or else the smallest."""
        fitting = [vector for vector in self.vectors.values() if wanted(vector)]
        named = [vector for vector in fitting if vector.id.startswith(f"{name}.")]
        return next(iter(named or sorted(fitting, key=lambda vector: vector.size)), None)

    def put_example(self, wanted: Wanted, name: str) -> Said:
        vector = self.plainest(wanted, name)
        return {"example": self.example(vector)} if vector else {}

    def confirmed(self, vectors: Iterable[Vector]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for vector in vectors:
            for llvm in vector.confirmed.split():
                counts[llvm] = counts.get(llvm, 0) + 1
        return counts

    def list_vectors(self, wanted: Wanted, option: str) -> Said:
        """How many they are, which LLVM confirms them, and the command that lists them."""
        if not self.folder:
            return {}
        vectors = [vector for vector in self.vectors.values() if wanted(vector)]
        counts = self.confirmed(vectors)
        return {**({"confirmed": counts} if counts else {}), "vectors": len(vectors), "list": f"dloc list {option} {self.folder}"}

    # ---- Clauses

    def clauses_that_mention(self, name: str) -> dict[str, str]:
        return {anchor: line["statement"] for anchor, line in self.tables["clause"].items() if mentions(line["source"], name)}

    def takers(self, choice: str) -> dict[str, list[str]]:
        """By alternative, the profiles that take it."""
        line = self.tables["choice"][choice]
        return {alternative: [profile for profile, taken in line["profiles"].items() if taken == alternative] for alternative in line["alternatives"]}

    def explain_clause(self, name: str) -> Said:
        line = self.tables["clause"][name]
        choices = {
            choice: {"question": known["question"], **{alternative: profiles or ["no profile"] for alternative, profiles in self.takers(choice).items()}}
            for choice, known in self.tables["choice"].items()
            if mentions(line["source"], choice)
        }
        return full({
            "clause": name,
            "statement": line["statement"],
            "level": line["level"],
            "origin": line["origin"],
            "source": line["source"],
            "llvm": line["place"],
            "model": line.get("model", ""),
            "choices": choices,
            "reasons": {code: known["text"] for code, known in self.tables["reason"].items() if mentions(line["source"], code)},
            "laws": {law: known["statement"] for law, known in self.tables["law"].items() if name in known["clauses"]},
            **self.put_example(lambda vector: vector.clauses[0] == name, name),
            **self.put_newest(name, line["origin"]),
        }) | self.list_vectors(lambda vector: name in vector.clauses, f"--clause {name}")

    def put_newest(self, name: str, origin: str) -> Said:
        """The newest LLVM that was asked about a rule of LLVM, and how many vectors it confirms."""
        asked = [newest_llvm(vector.confirmed) for vector in self.vectors.values() if vector.clauses[0] == name]
        newest = max(asked, default=0) if origin == "stock" else 0
        return {"newest": f"LLVM {newest}, {asked.count(newest)} of {len(asked)} vectors"} if newest else {}

    # ---- Choices

    def witnesses(self, choice: str, only: str | None) -> Iterator[Said]:
        """Vectors that show the alternatives in as few as possible: each the one with the most that none before it has."""
        line = self.tables["choice"][choice]
        advice = line["profiles"]["rfc"]
        left = {only, advice} if only else set(line["alternatives"])
        listing = [vector for vector in self.vectors.values() if choice in vector.choices]

        def own(vector: Vector) -> str:
            return str(line["profiles"][vector.document["since"]])

        def shown(vector: Vector) -> set[str]:
            return {own(vector), *vector.choices[choice]}

        def rank(vector: Vector) -> tuple[int, bool, int]:
            return -len(shown(vector) & left), vector.document["since"] != "rfc", vector.size

        while best := min((vector for vector in listing if shown(vector) & left), key=rank, default=None):
            left -= shown(best)
            facts, mine = self.facts(best), own(best)
            all_of_them = only is None or only == mine
            others = [alternative for alternative in best.choices[choice] if all_of_them or alternative == only]
            answers = [(mine, facts["expect"]), *((name, facts["choices"][f"{choice}={name}"]) for name in others)]
            yield {**self.begin_example(best), "answers": self.answers(answers)}

    def implementations(self, choice: str) -> dict[str, list[str]]:
        """By alternative, the LLVMs that follow it: each answer that one confirms rules out the alternatives with which
        the model would answer otherwise."""
        line, told = self.tables["choice"][choice], self.known[choice]["told"]
        found: dict[str, list[str]] = {alternative: [] for alternative in line["alternatives"]}
        for llvm in dict.fromkeys(llvm for vector in self.vectors.values() for llvm in vector.confirmed.split()):
            profile = self.profile_of(llvm)
            if not profile:
                continue
            own = line["profiles"][profile]
            out = {name for id in told if llvm in self.vectors[id].confirmed.split() for name in told[id][profile]}
            if out == found.keys() - {own}:
                found[own].append(llvm)
        return found

    def laws_under(self, *change: str) -> list[dict[str, Any]]:
        """Scope 1 takes an instant; scope 2 seconds for each alternative."""
        laws: list[dict[str, Any]] = self.command.told_json("laws", "--scope", "1", *change, "--facts", "--json")[0]["laws"]
        return laws

    def effects(self, choice: str, alternative: str) -> Said:
        """On the laws, of an alternative that rfc does not take."""
        if alternative == self.tables["choice"][choice]["profiles"]["rfc"]:
            return {}
        pairs = list(zip(self.laws, self.laws_under("--choice", f"{choice}={alternative}")))
        return full({
            "breaks": [after["law"] for before, after in pairs if after["broken"] and not before["broken"]],
            "mends": [after["law"] for before, after in pairs if before["broken"] and not after["broken"]],
        })

    def explain_any(self, said: Said, choice: str, only: str | None) -> Said:
        line = self.tables["choice"][choice]
        implementations, takers = self.implementations(choice), self.takers(choice)
        alternatives = {
            name: full({
                "means": meaning,
                "profiles": takers[name],
                "implementations": implementations[name],
                "laws": self.effects(choice, name),
            })
            for name, meaning in line["alternatives"].items()
            if only in (None, name)
        }
        option = f"--choice {choice}={only}" if only else f"--choice {choice}"
        return full({
            **said,
            "question": line["question"],
            "alternatives": alternatives,
            "advice": line["profiles"]["rfc"],
            "reason": line["reason"],
            "consequence": line["consequence"],
            "clauses": self.clauses_that_mention(choice),
            "witnesses": list(self.witnesses(choice, only)),
        }) | self.list_vectors(lambda vector: only in vector.choices.get(choice, {}) if only else choice in vector.choices, option)

    def explain_choice(self, name: str) -> Said:
        return self.explain_any({"choice": name}, name, None)

    def explain_alternative(self, name: str) -> Said:
        return self.explain_any({"alternative": name}, *self.alternatives[name])

    # ---- Reasons

    def reason_example(self, name: str) -> Said:
        """A vector that expects it, or else one that does under an alternative."""
        first = self.put_example(lambda vector: names_reason(vector.document["expect"], name), name)
        vector = None if first else self.plainest(lambda vector: vector.expects(name), name)
        return {"example": full({**self.example(vector), "choices": self.choices_of(vector)})} if vector else first

    def explain_reason(self, name: str) -> Said:
        line = self.tables["reason"][name]
        clauses = self.clauses_that_mention(name)
        for vector in self.vectors.values():
            if vector.expects(name):
                clauses.setdefault(vector.clauses[0], self.statements[vector.clauses[0]])
        return full({
            "reason": name,
            "text": line["text"],
            "severity": SEVERITIES[line["severity"]],
            "clauses": clauses,
            **self.reason_example(name),
        }) | self.list_vectors(lambda vector: vector.expects(name), f"--reason {name}")

    # ---- Laws, profiles, operations

    def explain_law(self, name: str) -> Said:
        line = self.tables["law"][name]
        return full({
            "law": name,
            "statement": line["statement"],
            "clauses": {clause: self.statements[clause] for clause in self.statements if clause in line["clauses"]},
            "holds": [profile for profile in self.tables["profile"] if profile not in line["broken"]],
            "broken": line["broken"],
            "try": f"dloc laws --only {name} --profile PROFILE --witnesses",
            "repairs": f"dloc laws --only {name} --profile PROFILE --scope 1 --repairs",
        })

    def profile_of(self, llvm: str) -> str | None:
        """The profile that an LLVM of the file CONFIRMED is held to."""
        release, _, form = llvm.removeprefix("dloc-").partition("+")
        is_own = llvm.startswith("dloc-")
        wanted = [f"{FORMS[form]}+{release}", FORMS[form]] if is_own and form in FORMS else [release] if form in ("", "irlayers") else []
        return next((profile for profile in wanted if profile in self.tables["profile"]), None)

    def explain_profile(self, name: str) -> Said:
        differs = {choice: line["profiles"][name] for choice, line in self.tables["choice"].items() if line["profiles"][name] != line["profiles"]["rfc"]}
        confirmed = self.confirmed(self.vectors.values())
        return full({
            "profile": name,
            "about": self.tables["profile"][name]["about"],
            "differs": differs,
            "broken": {law: line["broken"][name] for law, line in self.tables["law"].items() if name in line["broken"]},
            "confirmed": {llvm: count for llvm, count in confirmed.items() if self.profile_of(llvm) == name},
            "try": f"dloc run --impl IMPLEMENTATION --profile {name} {self.folder or 'VECTORS'}",
        })

    def explain_op(self, name: str) -> Said:
        line = self.tables["op"][name]

        def asks(vector: Vector) -> bool:
            return bool(vector.document["op"] == name)

        return full({"op": name, "args": line["args"], "value": line["value"], **self.put_example(asks, "")}) | self.list_vectors(asks, f"--op {name}")

    # ---- Vectors

    def expected_of(self, vector: Vector) -> list[Said]:
        """The answers that the built-in profiles expect, each with its profiles."""
        taken: dict[str, list[str]] = {}
        for profile, answer in self.answers(self.facts(vector)["profiles"].items()).items():
            taken.setdefault(answer, []).append(profile)
        return [{"answer": answer, "profiles": profiles} for answer, profiles in taken.items()]

    def derivation(self, vector: Vector) -> str:
        path = os.path.join(self.folder or "", "DERIVED")
        entries = read_reasons(path, "vector.evidence") if os.path.exists(path) else ()
        return next((reason for _, id, reason in entries if id == vector.id), "")

    def explain_vector(self, name: str) -> Said:
        vector = self.vectors[name]
        return full({
            "vector": name,
            "note": vector.document.get("note", ""),
            "file": vector.place,
            "level": vector.document["level"],
            "clauses": {clause: self.statements[clause] for clause in vector.clauses},
            "with": vector.document.get("with", {}),
            "asked": self.question(vector),
            "expected": self.expected_of(vector),
            "choices": self.choices_of(vector),
            "confirmed": vector.confirmed,
            "derived": self.derivation(vector),
            "kills": vector.document.get("kills", []),
            "run": f"dloc run --only {name} --impl IMPLEMENTATION {vector.file}",
        })

    # ---- Names

    def explain(self, name: str) -> list[Said]:
        """The text about each thing of that name."""
        tables: dict[str, Any] = {**self.tables, "alternative": self.alternatives, "vector": self.vectors}
        kinds = ("clause", "choice", "alternative", "reason", "law", "profile", "op", "vector")
        return [getattr(self, f"explain_{kind}")(name) for kind in kinds if name in tables[kind]]

    def guess(self, name: str) -> str:
        tables: list[Iterable[str]] = [*self.tables.values(), self.alternatives, self.vectors]
        names = {known for table in tables for known in table}
        near = difflib.get_close_matches(name, sorted(names), 1, 0.85)
        return f" (did you mean '{near[0]}'?)" if near else ""


# ---- Words

HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)*) (.*)$", re.M)


def texts_of(part: Any) -> Iterator[str]:
    """The texts of a line of a table, without what each profile takes."""
    if isinstance(part, dict):
        for key, inner in part.items():
            if key != "profiles":
                yield from texts_of(list(inner.items()) if key == "alternatives" else inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from texts_of(inner)
    else:
        yield str(part)


def headings() -> Iterator[tuple[str, str, str]]:
    """Of the specification, each with its file and the text below it."""
    here, installed = Path("SPEC.md"), Path(__file__).parents[2] / "SPEC.md"
    first = here if here.exists() else installed
    for path in (first, *sorted(first.parent.glob("spec/*.md"))):
        parts = HEADING.split(path.read_text(encoding="utf-8", errors="replace") if path.exists() else "")
        for number, title, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            yield f"{number} {title}", str(path), text


def find(explainer: Explainer, words: list[str]) -> Iterator[Said]:
    """Everything that has all words: names first, then texts, then headings."""
    wanted = [word.lower() for word in words]

    def has(text: str) -> bool:
        return all(word in text.lower() for word in wanted)

    shown = {"clause": "statement", "choice": "question", "reason": "text", "law": "statement", "profile": "about", "op": "args"}
    found = [(kind, name, line) for kind, table in explainer.tables.items() for name, line in table.items() if has(" ".join((name, *texts_of(line))))]
    for kind, name, line in sorted(found, key=lambda item: not has(item[1])):
        yield full({kind: name, shown[kind]: line[shown[kind]], "place": line.get("place", "")})
    for title, path, text in headings():
        if has(f"{title} {text}"):
            yield {"heading": title, "file": path}


def find_line(said: Said) -> str:
    (kind, name), *rest = said.items()
    told = f"{name}: {' '.join(rest[0][1].split())}" if kind != "heading" else f"{name} ({rest[0][1]})"
    return f"{kind:8} {told}" + (f" [{said['place']}]" if "place" in said else "")


def tell_found(command: Command, explainer: Explainer) -> int:
    found = list(find(explainer, command.operands))
    for said in found:
        print(json.dumps(said, ensure_ascii=False, separators=(",", ":")) if command.options.json else find_line(said))
    if not found:
        error(f"nothing has all of these words: {' '.join(command.operands)}")
    return FINE if found else UNUSABLE


# ---- As text


def is_inline(part: Any) -> bool:
    return not isinstance(part, dict | list) or (isinstance(part, list) and isinstance(part[0], str))


def wrapped(text: str, column: int) -> str:
    """Lines that follow begin in that column."""
    width = COLUMNS - column
    lines = [textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""] for line in text.split("\n")]
    return ("\n" + " " * column).join(line for part in lines for line in part)


def map_lines(said: Said, indent: int) -> Iterator[str]:
    """Keys in one column, what they say behind; a map in a map below its key, and further right."""
    width = min(max((len(key) for key, part in said.items() if is_inline(part)), default=0), WIDEST)
    for key, part in said.items():
        if is_inline(part):
            text = ", ".join(part) if isinstance(part, list) else str(part)
            yield f"{' ' * indent}{key:<{width}}  {wrapped(text.removesuffix(chr(10)), indent + width + 2)}"
            continue
        yield " " * indent + key
        for below in part if isinstance(part, list) else [part]:
            yield from map_lines(below, indent + 2)


def main(command: Command) -> int:
    explainer = Explainer(command)
    if command.options.find:
        return tell_found(command, explainer)
    choices = dict.fromkeys(explainer.alternatives.get(name, (name,))[0] for name in command.operands)
    explainer.ask(explainer.folder, [name for name in choices if name in explainer.tables["choice"]])
    status, started = FINE, False
    for name in command.operands:
        subjects = explainer.explain(name)
        for said in subjects:
            if command.options.json:
                print(json.dumps(said, ensure_ascii=False, separators=(",", ":")))
            else:
                print(*["\n"] * started, *(re.sub(" +$", "", line) + "\n" for line in map_lines(said, 0)), sep="", end="")
            started = True
        if not subjects:
            where = "" if explainer.folder else "; vectors are not here, --vectors may tell where they are"
            error(f"nothing is named '{name}'{explainer.guess(name)}{where}; --find looks for words")
            status = UNUSABLE
    return status


if __name__ == "__main__":
    run(main)
