#!/usr/bin/env python3
"""usage: tables.py SPEC.md DIRECTORY

Writes the clauses, choices, profiles and reasons of the specification into DIRECTORY as tables for C. SPEC.md is its first volume and lists the others:

    clauses.def   CLAUSE(id, anchor, level, origin, place in LLVM, statement, text behind it)
    choices.def   CHOICE(id, name, question, reason, consequence), each followed by its ALTERNATIVE(choice, id, name, meaning)
    profiles.def  PROFILE(name, base, what it is, TAKES(choice, alternative) ...), with one TAKES for every choice
    reasons.def   REASON(id, name, severity, text)

An id is the name in upper case: `merge.layer.one-sided` is MERGE_LAYER_ONE_SIDED. The tables follow the order of the volumes. A mistake in a volume ends
the program with `FILE:LINE: error: TEXT` and exit status 1; nothing is written then. A table that would not change stays as it is, so that `make` compiles nothing.
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

LEVELS = ("must", "should", "may", "undefined", "record")
ORIGINS = ("rfc", "stock", "dwarf", "ours")
SEVERITIES = ("soft", "hard", "parse", "warning")
# The programs and documents that can be the witness of an alternative.
PROGRAMS = ("LLVM 22", "llvm-symbolizer", "PR 205453", "PR 211390", "PR 215666", "patched LLVM", "drop-in", "GNU as", "binutils", "readelf", "libdw", "libdwarf", "ptxas")
DOCUMENTS = ("RFC", "design of 2009", "proposal 090128.1", "elfutils' mail")
NAME = r"[a-z0-9]+(?:[.+-][a-z0-9]+)*"


class Place(NamedTuple):
    path: Path
    line: int


class SpecError(Exception):
    """A mistake in a volume: its place and what is wrong."""


def fail(place: Place, text: str) -> NoReturn:
    raise SpecError(place, text)


@dataclass
class Clause:
    place: Place
    name: str
    level: str
    origin: str
    statement: str
    note: str = ""

    def source(self, reasons: "Entries") -> str:
        """The note up to its first example or table, a paragraph a line, and the reason codes that its tables name."""
        paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", self.note)]
        end = next((i for i, part in enumerate(paragraphs) if part.startswith(("```", "|"))), len(paragraphs))
        codes = dict.fromkeys(code for part in paragraphs[end:] if part.startswith("|") for code in re.findall(rf"`({NAME})`", part) if code in reasons)
        return "\n".join(filter(None, [*paragraphs[:end], ", ".join(f"`{code}`" for code in codes)]))


def is_witness(text: str) -> bool:
    """Programs and perhaps what they do, a document with a quotation, which dloc spec --check looks up, or a law."""
    programs, _, _ = text.partition(": ")
    return (
        all(program in PROGRAMS for program in programs.split(", "))
        or re.fullmatch(rf'(?:{"|".join(map(re.escape, DOCUMENTS))}), "[^"]+"', text) is not None
        or re.fullmatch(rf"law {NAME}", text) is not None
    )


@dataclass
class Reason:
    place: Place
    name: str
    severity: str
    text: str


@dataclass
class Choice:
    place: Place
    name: str
    question: str = ""
    default: str = ""
    alternatives: dict[str, str] = field(default_factory=dict)  # name: meaning
    witnesses: dict[str, str] = field(default_factory=dict)  # name: who does it, or what asks for it
    reason: str = ""
    consequence: str = ""

    def complete(self) -> bool:
        return bool(self.question and self.default and self.alternatives and self.reason and self.consequence)

    def read(self, place: Place, line: str) -> None:
        """Read one line that is not empty. Paragraphs after the last part of the entry are comments."""
        if not self.question:
            self.question = line
        elif match := re.fullmatch(rf"default: `({NAME})`", line):
            self.set(place, "default", match[1])
        elif line.startswith("- `"):
            self.read_alternative(place, line)
        elif line.startswith("Reason: "):
            self.set(place, "reason", line.removeprefix("Reason: "))
        elif line.startswith("What a user sees: "):
            self.set(place, "consequence", line.removeprefix("What a user sees: "))
        elif not self.complete():
            fail(place, f"no line of a choice; `{self.name}` is not complete yet")

    def set(self, place: Place, part: str, text: str) -> None:
        if getattr(self, part):
            fail(place, f"choice `{self.name}` has a second {part}")
        setattr(self, part, text)

    def read_alternative(self, place: Place, line: str) -> None:
        match = re.fullmatch(rf"- `({NAME})`(?: \(witness: (.+?)\))?: (.+)", line)
        if not match:
            fail(place, "an alternative is a line \"- `name`: meaning\" or \"- `name` (witness: who): meaning\"")
        if match[1] in self.alternatives:
            fail(place, f"choice `{self.name}` has a second alternative `{match[1]}`")
        if match[2] and not is_witness(match[2]):
            fail(place, f"no program, document or law is a witness by the words '{match[2]}'")
        self.alternatives[match[1]] = match[3] + (f" (witness: {match[2]})" if match[2] else "")
        self.witnesses.update({match[1]: match[2]} if match[2] else {})

    def check(self) -> None:
        if not self.complete():
            fail(self.place, f"choice `{self.name}` lacks its question, default, alternatives, reason or what a user sees")
        if self.default not in self.alternatives:
            fail(self.place, f"the default of choice `{self.name}` is none of its alternatives")
        if len(self.alternatives) < 2:
            fail(self.place, f"choice `{self.name}` has one alternative only")


@dataclass
class Profile:
    place: Place
    name: str
    about: str = ""
    base: str = ""
    takes: dict[str, tuple[Place, str]] = field(default_factory=dict)  # choice: place, alternative

    def read(self, place: Place, line: str) -> None:
        if line.startswith("based on"):
            match = re.fullmatch(rf"based on: `({NAME})`", line)
            if not match or self.base:
                fail(place, "a profile has at most one line \"based on: `profile`\"")
            self.base = match[1]
        elif line.startswith("- "):
            match = re.fullmatch(rf"- `({NAME})`: `({NAME})`", line)
            if not match:
                fail(place, "a difference of a profile is a line \"- `choice`: `alternative`\"")
            if match[1] in self.takes:
                fail(place, f"profile `{self.name}` names choice `{match[1]}` twice")
            self.takes[match[1]] = (place, match[2])
        elif not self.base and not self.takes:
            self.about = f"{self.about} {line}".strip()


class Entries(dict[str, Any]):
    """Entries by name. Two whose names give one identifier of C cannot stand in it."""

    def __init__(self) -> None:
        super().__init__()
        self.identifiers: set[str] = set()

    def add(self, entry: Clause | Choice | Profile | Reason) -> None:
        if identifier(entry.name) in self.identifiers:
            fail(entry.place, f"`{entry.name}` stands here for the second time")
        self.identifiers.add(identifier(entry.name))
        self[entry.name] = entry


@dataclass
class Specification:
    clauses: Entries = field(default_factory=Entries)
    choices: Entries = field(default_factory=Entries)
    profiles: Entries = field(default_factory=Entries)
    reasons: Entries = field(default_factory=Entries)
    places: dict[str, str] = field(default_factory=dict)  # beginning of an anchor: function and file of LLVM

    def place_of(self, clause: Clause) -> str:
        fitting = [prefix for prefix in self.places if clause.name.startswith(prefix)]
        if not fitting:
            fail(clause.place, f"no row of the annex says where LLVM does `{clause.name}`")
        return self.places[max(fitting, key=len)]

    def alternatives_of(self, name: str, on: tuple[str, ...] = ()) -> dict[str, str]:
        """The alternative of every choice under a profile; `on`: the profiles that are based on it."""
        profile = self.profiles[name]
        if profile.base in (*on, name):
            fail(profile.place, f"profile `{name}` is based on itself")
        if profile.base and profile.base not in self.profiles:
            fail(profile.place, f"profile `{name}` is based on `{profile.base}`, which is no profile")
        if profile.base:
            taken = self.alternatives_of(profile.base, (*on, name))
        else:
            taken = {choice.name: choice.default for choice in self.choices.values()}
        for choice, (place, alternative) in profile.takes.items():
            if choice not in self.choices:
                fail(place, f"no choice is named `{choice}`")
            if alternative not in self.choices[choice].alternatives:
                fail(place, f"choice `{choice}` has no alternative `{alternative}`")
            if taken[choice] == alternative:
                fail(place, f"profile `{name}` takes `{alternative}` anyway")
            taken[choice] = alternative
        return taken


def identifier(name: str) -> str:
    return re.sub(r"[^A-Z0-9]", "_", name.upper())


def read_clause(place: Place, line: str) -> Clause:
    match = re.fullmatch(rf"\*\*`({NAME})`\*\* \*\((\w+), (\w+)\)\* (.+)", line)
    if not match:
        fail(place, "a clause is a line \"**`anchor`** *(level, origin)* statement\"")
    if match[2] not in LEVELS:
        fail(place, f"no level is named '{match[2]}'")
    if match[3] not in ORIGINS:
        fail(place, f"no origin is named '{match[3]}'")
    return Clause(place, *match.groups())


def read_reason(place: Place, line: str) -> Reason:
    match = re.fullmatch(rf"\| `({NAME})` \| (\w+) \| (.+) \|", line)
    if not match:
        fail(place, "a reason is a row \"| `code` | severity | text |\"")
    if match[2] not in SEVERITIES:
        fail(place, f"no severity is named '{match[2]}'")
    return Reason(place, *match.groups())


def read_heading(place: Place, line: str) -> Choice | Profile | None:
    match = re.fullmatch(rf"### (Choice|Profile) `({NAME})`", line)
    if not match:
        if line.startswith(("### Choice", "### Profile")):
            fail(place, "the heading of a choice or a profile is \"### Choice `name`\" or \"### Profile `name`\"")
        return None
    return Choice(place, match[2]) if match[1] == "Choice" else Profile(place, match[2])


def read_place(place: Place, line: str) -> tuple[str, str]:
    match = re.fullmatch(rf"\| `({NAME}-?)` \| (.+) \| `(.+)` \|", line)
    if not match:
        fail(place, "a place in LLVM is a row \"| `clauses` | `function` | `file` |\"")
    return match[1], f"{match[2].replace('`', '')} ({match[3]})"


def is_entry(line: str) -> bool:
    return line.startswith(("**`", "default: ", "Reason: ", "What a user sees: ", "based on: "))


def read_lines(path: Path) -> list[tuple[Place, str]]:
    return [(Place(path, number), line) for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]


def read_volumes(first: Path) -> list[tuple[Place, str]]:
    """The lines of the first volume and of those that it lists: "- [spec/NAME.md](spec/NAME.md): what is in it"."""
    lines = read_lines(first)
    for place, line in list(lines):
        if match := re.match(r"- \[(spec/[a-z]+\.md)\]\(\1\): ", line):
            if not (first.parent / match[1]).is_file():
                fail(place, f"there is no {match[1]} beside it")
            lines += read_lines(first.parent / match[1])
    return lines


def read(first: Path) -> Specification:
    """The volumes, checked."""
    lines = read_volumes(first)
    spec = read_entries(lines)
    check(spec, lines)
    return spec


def read_entries(lines: list[tuple[Place, str]]) -> Specification:
    spec = Specification()
    entry: Choice | Profile | None = None
    clause: Clause | None = None
    chapter = ""
    before = ""
    for place, line in lines:
        if line and is_entry(before):
            fail(place, "an empty line has to follow: the line before stands alone")
        before = line
        if line.startswith("#"):
            chapter = line if line.startswith(("# ", "## ")) else chapter
            entry, clause = read_heading(place, line), None
            if entry:
                (spec.choices if isinstance(entry, Choice) else spec.profiles).add(entry)
        elif line.startswith("**`"):
            clause = read_clause(place, line)
            spec.clauses.add(clause)
        elif chapter.endswith(" Reason codes") and line.startswith("| `"):
            spec.reasons.add(read_reason(place, line))
        elif chapter.endswith(" Where LLVM does it") and line.startswith("| `"):
            spec.places.update([read_place(place, line)])
        elif clause:
            clause.note += line + "\n"
        elif entry and line:
            entry.read(place, line)
    return spec


def check(spec: Specification, lines: list[tuple[Place, str]]) -> None:
    for table, what in ((spec.clauses, "clause"), (spec.choices, "choice"), (spec.profiles, "profile"), (spec.reasons, "reason")):
        if not table:
            fail(lines[0][0], f"there is no {what}")
    for entry in spec.choices.values():
        entry.check()
    for clause in spec.clauses.values():
        spec.place_of(clause)
    for name in spec.profiles:
        spec.alternatives_of(name)
    first = next(iter(spec.profiles.values()))
    if first.base or first.takes:
        fail(first.place, "the first profile takes every choice's default")
    check_witnesses(spec, lines)
    check_mentions(spec, lines)


def check_witnesses(spec: Specification, lines: list[tuple[Place, str]]) -> None:
    """The witness of a default is a clause that names the choice; that of another alternative a profile that takes it, or what the entry names."""
    notes = " ".join(clause.note for clause in spec.clauses.values())
    laws = " ".join(line for _, line in lines if line.startswith(("- `", "**Laws", "| `")))
    takes = {(choice, taken) for profile in spec.profiles.values() for choice, (_, taken) in profile.takes.items()}
    for choice in spec.choices.values():
        if f"`{choice.name}`" not in notes:
            fail(choice.place, f"no clause names choice `{choice.name}`")
        for name in choice.alternatives.keys() - {choice.default} - choice.witnesses.keys():
            if (choice.name, name) not in takes:
                fail(choice.place, f"alternative `{name}` of choice `{choice.name}` has no witness: no profile takes it, and no words behind its name say who does so")
        for name, witness in choice.witnesses.items():
            if witness.startswith("law ") and f"`{witness.removeprefix('law ')}`" not in laws:
                fail(choice.place, f"annex A has no {witness}")


def check_mentions(spec: Specification, lines: list[tuple[Place, str]]) -> None:
    """Choices that a note names, and names of the families of clauses; chapter 11 names files, annex A laws, annex B families."""
    known = spec.clauses.keys() | spec.choices.keys() | spec.reasons.keys()
    families = {name.split(".")[0] for name in known}
    chapter, in_rules = "", False
    for place, line in lines:
        chapter = line if line.startswith(("# ", "## ")) else chapter
        in_rules = line == "```rules" or in_rules and line != "```"
        for named in re.findall(r"(?:Choice|Deviation)s? ((?:`[^`]+`(?:, | and )?)+)", line):
            for name in re.findall(r"`([^`]+)`", named):
                if name not in spec.choices:
                    fail(place, f"no choice is named `{name}`")
        if chapter.startswith(("## 11 ", "## Annex A ", "## Annex B ")):
            continue
        for name in re.findall(rf"`({NAME})`", line) + (anchors_of(line) if in_rules else []):
            if "." in name and name.split(".")[0] in families and name not in known:
                fail(place, f"no clause, choice or reason is named `{name}`")


def anchors_of(line: str) -> list[str]:
    """The clauses at the end of a line of pseudo-code, in a block of `rules`: "what happens   anchor, anchor"."""
    match = re.search(rf"  ({NAME}(?:, {NAME})*)$", line)
    return match[1].split(", ") if match else []


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def row(macro: str, *arguments: str) -> str:
    return f"{macro}({', '.join(arguments)})"


def clause_rows(spec: Specification) -> list[str]:
    return [
        row("CLAUSE", identifier(c.name), *map(quoted, (c.name, c.level, c.origin, spec.place_of(c), c.statement, c.source(spec.reasons))))
        for c in spec.clauses.values()
    ]


def choice_rows(spec: Specification) -> list[str]:
    rows = []
    for c in spec.choices.values():
        rows.append(row("CHOICE", identifier(c.name), *map(quoted, (c.name, c.question, c.reason, c.consequence))))
        for name, meaning in c.alternatives.items():
            rows.append(row("ALTERNATIVE", identifier(c.name), identifier(name), quoted(name), quoted(meaning)))
    return rows


def profile_rows(spec: Specification) -> list[str]:
    rows = []
    for name in spec.profiles:
        taken = spec.alternatives_of(name)
        takes = "\n    ".join(row("TAKES", identifier(choice), identifier(taken[choice])) for choice in spec.choices)
        profile = spec.profiles[name]
        rows.append(f"PROFILE({quoted(name)}, {quoted(profile.base)}, {quoted(profile.about)},\n    {takes})")
    return rows


def reason_rows(spec: Specification) -> list[str]:
    return [
        row("REASON", identifier(r.name), quoted(r.name), r.severity.upper(), quoted(r.text))
        for r in spec.reasons.values()
    ]


def write(path: Path, rows: list[str]) -> None:
    text = "/* Made from SPEC.md and spec/ by tools/make/tables.py: change these instead. */\n" + "".join(f"{r}\n" for r in rows)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.write_text(text, encoding="utf-8")


def main(first: str, directory: str) -> None:
    try:
        spec = read(Path(first))
    except SpecError as error:
        place, text = error.args
        sys.exit(f"{place.path}:{place.line}: error: {text}")
    into = Path(directory)
    into.mkdir(parents=True, exist_ok=True)
    write(into / "clauses.def", clause_rows(spec))
    write(into / "choices.def", choice_rows(spec))
    write(into / "profiles.def", profile_rows(spec))
    write(into / "reasons.def", reason_rows(spec))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    main(*sys.argv[1:])
