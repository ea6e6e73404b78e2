"""`dloc spec`: the tables of clauses, choices and reasons as text, and whether vectors and mutants cover the specification."""

import collections
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from evidence import add_confirmed, confirmation
from origins import faults
from program import FINE, UNUSABLE, VIOLATION, Command, diagnose, fail, read_file, read_reasons, run, standard, standard_vectors
from run_file import read_run
from runs import Run, read_sections, tell_apart

Tables = dict[str, list[dict[str, Any]]]

# ---- The tables as text


def clause_list(tables: Tables) -> Iterator[str]:
    for line in tables["clauses"]:
        yield "\t".join(line[part] for part in ("clause", "level", "origin", "place", "statement")) + "\n"


def reason_table(tables: Tables) -> Iterator[str]:
    yield "| code | severity | text |\n|---|---|---|\n"
    for line in tables["reasons"]:
        yield f"| `{line['reason']}` | {line['severity']} | {line['text']} |\n"


def takers(choice: dict[str, Any]) -> str:
    """``Profiles: `keep` is taken by `rfc`, `pr205453`; ...; no built-in profile takes `drop`.``"""
    taken: dict[str, list[str]] = {alternative: [] for alternative in choice["alternatives"]}
    for profile, alternative in choice["profiles"].items():
        taken[alternative].append(f"`{profile}`")
    parts = [f"`{alternative}` is taken by {', '.join(profiles)}" for alternative, profiles in taken.items() if profiles]
    others = [f"`{alternative}`" for alternative, profiles in taken.items() if not profiles]
    return f"Profiles: {'; '.join(parts)}" + (f"; no built-in profile takes {', '.join(others)}" if others else "")


def choice_entries(tables: Tables) -> Iterator[str]:
    for number, choice in enumerate(tables["choices"]):
        default = next(iter(choice["profiles"].values()))
        yield "\n" if number else ""
        yield f"### Choice `{choice['choice']}`\n\n{choice['question']}\n\ndefault: `{default}`\n\n"
        yield from (f"- `{name}`: {meaning}\n" for name, meaning in choice["alternatives"].items())
        yield f"\nReason: {choice['reason']}\n\nWhat a user sees: {choice['consequence']}\n\n{takers(choice)}.\n"


BEYOND = {
    "ours": "The RFC is silent; the answers are ours.",
    "dwarf": "The RFC says \"standard DWARF\"; these say what that is, by DWARF 2 to 5 or a document that extends it.",
}


def profile_table(tables: Tables) -> Iterator[str]:
    """Choices in which a profile does not take the default: the default, and what else each profile takes."""
    first, *others = (line["profile"] for line in tables["profiles"])
    yield f"| choice | `{first}` | {' | '.join(f'`{name}`' for name in others)} |\n"
    yield "| --- " * (len(others) + 2) + "|\n"
    for choice in tables["choices"]:
        taken = choice["profiles"]
        cells = ["" if taken[name] == taken[first] else f"`{taken[name]}` " for name in others]
        if any(cells):
            yield f"| `{choice['choice']}` | `{taken[first]}` | {'| '.join(cells)}|\n"


def stated(tables: Tables, options: SimpleNamespace) -> Iterator[str]:
    """The clauses of an origin and a level, with what they rest on."""
    for line in tables["clauses"]:
        if options.origin in (None, line["origin"]) and options.level in (None, line["level"]):
            yield f"- **`{line['clause']}`** *({line['level']}, {line['origin']})* {line['statement']} {line['source']}".replace("\n", " ").rstrip() + "\n"


def beyond_the_rfc(tables: Tables) -> Iterator[str]:
    """The clauses that neither quote the RFC nor say what LLVM did before it."""
    count = collections.Counter(line["origin"] for line in tables["clauses"])
    yield f"# Clauses beyond the RFC's text\n\nOf {len(tables['clauses'])} clauses {count['rfc']} quote the RFC, and "
    yield f"{count['stock']} are rules of LLVM that it keeps. Here are the others.\n"
    for origin, why in BEYOND.items():
        yield f"\n## {count[origin]} of the origin *{origin}*\n\n{why}\n\n"
        for line in tables["clauses"]:
            if line["origin"] == origin:
                source = line["source"].replace("\n", " ")
                yield f"- **`{line['clause']}`** *({line['level']})* {line['statement']} {source}".rstrip() + "\n"


# ---- Questions for the RFC's thread

# The RFC is not about these: readers of line tables, other extensions, and MLIR.
ELSEWHERE = {"lines", "stack", "two-level", "nvidia", "mlir", "dump", "layer-lines", "layer-lookup"}


def words(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def is_of_the_rfc(choice: dict[str, Any]) -> bool:
    return choice["choice"].partition(".")[0] not in ELSEWHERE


def is_contested(choice: dict[str, Any]) -> bool:
    """Whether a pull request does otherwise than `rfc`, of what the RFC is about."""
    profiles = choice["profiles"]
    return is_of_the_rfc(choice) and any(taken != profiles["rfc"] for profile, taken in profiles.items() if profile.startswith("pr"))


def is_open(choice: dict[str, Any], tables: Tables) -> bool:
    """Whether a clause that is the RFC's, or ours because the RFC is silent, names the choice."""
    named = re.compile(rf"`{re.escape(choice['choice'])}[`:]")
    return is_of_the_rfc(choice) and any(
        line["origin"] in ("rfc", "ours") and named.search(line["source"]) for line in tables["clauses"]
    )


def question_entry(known: dict[str, Any]) -> Iterator[str]:
    """The answer of `dloc explain --json` about a choice, as Markdown."""
    yield f"### {known['question']}\n\n`{known['choice']}`; clauses {words(known.get('clauses', {}))}\n\n"
    for name, alternative in known["alternatives"].items():
        yield f"- `{name}`: {alternative['means']}. Profiles: {words(alternative.get('profiles', [])) or 'none'}."
        if alternative.get("implementations"):
            yield f" Shown by {words(alternative['implementations'])}."
        for verb, laws in alternative.get("laws", {}).items():
            yield f" It {verb} {words(laws)}."
        yield "\n"
    for witness in known.get("witnesses", []):
        yield f"\nWitness `{witness['vector']}`: {witness['note']}\n\n```\n{witness['asked']}\n"
        yield from (f"  {name}: {answer.rstrip()}\n" for name, answer in witness["answers"].items())
        yield "```\n"
    yield f"\n*Our advice:* `{known['advice']}`. {known['reason']} {known['consequence']}\n\n"


def questions(command: Command, tables: Tables) -> Iterator[str]:
    wanted = command.operands or [choice["choice"] for choice in tables["choices"]]
    contested = [choice for choice in tables["choices"] if choice["choice"] in wanted and is_contested(choice)]
    silent = [choice for choice in tables["choices"] if choice["choice"] in wanted and choice not in contested]
    silent = [choice for choice in silent if is_open(choice, tables)]
    folder = [f"--vectors={command.options.vectors}"] if command.options.vectors else []
    names = [choice["choice"] for choice in (*contested, *silent)]
    for name in command.operands:
        if name not in names:
            fail(f"the RFC leaves no choice '{name}' open; `dloc spec --choices` lists all choices")
    lines = command.told_json("explain", "--json", *folder, "--", *names)
    known = {line["choice"]: line for line in lines if "choice" in line}
    yield f"# {len(names)} question{'s' if len(names) != 1 else ''} for the RFC's thread\n\n"
    yield "An implementation has shown an alternative when vectors that it confirms hold under no other one. Laws are those "
    yield "that the profile `rfc` breaks or keeps otherwise. spec/thread.md, chapter 11, has the weightiest questions in prose.\n"
    for title, choices in (("Where a pull request does otherwise than we read", contested), ("What the text leaves open", silent)):
        yield f"\n## {title}: {len(choices)}\n\n" if choices else ""
        for choice in choices:
            yield from question_entry(known[choice["choice"]])


# ---- The tables for programs


def table_object(tables: Tables, version: str) -> Iterator[str]:
    """One object, an entry a line. Mutants, where they are, and why a clause has none, are the model's own business."""
    yield f'{{\n"version": {json.dumps(version)}'
    for name, lines in tables.items():
        if name == "mutants":
            continue
        public = [{key: part for key, part in line.items() if key not in ("exempt", "model")} for line in lines]
        yield f',\n"{name}": [\n' + ",\n".join(json.dumps(line, ensure_ascii=False) for line in public) + "\n]"
    yield "\n}\n"


# ---- What the vectors cover


class Check:
    def __init__(self, path: str, tables: Tables, vectors: list[dict[str, Any]], untestable: dict[str, str]):
        self.path, self.tables, self.vectors, self.untestable = path, tables, vectors, untestable
        self.status = FINE

    def complain(self, code: str, message: str, name: str) -> None:
        diagnose(self.path, f"{message}: {name}", f"spec.{code}")
        self.status = VIOLATION

    def stated_clauses(self, path: str, text: str) -> set[str]:
        """Of a line **`anchor`** *(level)* statement; tools/make/tables.py has checked its form."""
        stated = set()
        known = {line["clause"] for line in self.tables["clauses"]}
        for number, line in enumerate(text.split("\n"), 1):
            match = re.match(r"\*\*`([^`]*)`", line)
            if match and match[1] not in known:
                diagnose(path, "this dloc knows no clause of that name", "spec.clause", number, line)
                self.status = VIOLATION
            elif match:
                stated.add(match[1])
        return stated

    def check_clauses(self, stated: set[str]) -> None:
        covered = {clause for vector in self.vectors for clause in vector["clauses"]}
        for line in self.tables["clauses"]:
            clause = line["clause"]
            if clause not in stated:
                self.complain("clause", "a clause is missing", clause)
            if clause not in covered and clause not in self.untestable:
                self.complain("vectors", "a clause has no vector", clause)
            if clause in covered and clause in self.untestable:
                self.complain("vectors", "a clause has vectors, and is said to be out of reach of any test", clause)

    def stated_alternatives(self) -> set[tuple[str, str]]:
        """A vector that lists a choice states an outcome under each alternative it lists, and by `expect` under the
        one that its own profile takes: `dloc lint` asks that they differ. A vector with a choice under `with` does so
        for that alternative."""
        taken = {line["choice"]: line["profiles"] for line in self.tables["choices"]}
        stated = set()
        for vector in self.vectors:
            for choice, alternatives in vector.get("choices", {}).items():
                stated |= {(choice, name) for name in [*alternatives, taken[choice][vector["since"]]]}
            stated |= set(vector.get("with", {}).items())
        return stated

    def check_alternatives(self) -> None:
        stated = self.stated_alternatives()
        families = {clause.partition(".")[0] for clause in self.untestable}
        for line in self.tables["choices"]:
            choice = line["choice"]
            # A vector has records only, no debug calls: SPEC.md says so at the choice.
            if choice.partition(".")[0] in families or choice == "verify.debug-calls":
                continue
            for name in line["alternatives"]:
                if (choice, name) not in stated:
                    self.complain("vectors", "an alternative has no vector", f"{choice}: {name}")

    def check_witnesses(self) -> None:
        """A profile takes every alternative, or the entry names who does so."""
        for line in self.tables["choices"]:
            for name, meaning in line["alternatives"].items():
                if name not in line["profiles"].values() and " (witness: " not in meaning:
                    self.complain("witness", "an alternative has no witness", f"{line['choice']}: {name}")

    def check_named_alternatives(self) -> None:
        """Reasons and consequences name alternatives that exist: of the choice, or of one that the text names."""
        alternatives = {line["choice"]: line["alternatives"].keys() for line in self.tables["choices"]}
        for line in self.tables["choices"]:
            for text in (line["reason"], line["consequence"]):
                quoted = [part.partition(": ") for part in re.findall("`([^`]+)`", text)]
                known = {name for choice, _, _ in quoted for name in alternatives.get(choice, ())} | alternatives[line["choice"]]
                for name, colon, alternative in quoted:
                    wrong = alternative not in alternatives[name] if colon and name in alternatives else name not in known
                    if wrong and re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", alternative if colon else name):
                        self.complain("alternative", "a choice tells of an alternative that is none", f"{line['choice']}: {alternative or name}")

    def check_mutants(self) -> None:
        """Every clause has a mutant, every mutant a vector."""
        named = {name for vector in self.vectors for name in vector.get("kills", [])}
        mutants = self.tables["mutants"]
        for line in mutants:
            if line["mutant"] not in named and "equivalent" not in line and line["clause"] not in self.untestable:
                self.complain("mutants", "no vector names a mutant", line["mutant"])
        mutated = {line["clause"] for line in mutants}
        for line in self.tables["clauses"]:
            if line["clause"] not in mutated and "exempt" not in line:
                self.complain("mutants", "a clause has no mutant", line["clause"])
            elif line["clause"] in mutated and "exempt" in line:
                self.complain("mutants", "a clause has a mutant and a reason for none", line["clause"])
            elif line["clause"] in mutated and "model" not in line:
                self.complain("mutants", "no function that a mutant of the clause changes names its anchor", line["clause"])

    def check_origins(self, volumes: dict[str, str], sentences: str) -> None:
        """Levels, origins and quotations are what chapter 0 says they are."""
        for path, number, fault in faults(volumes, sentences, read_file(sentences), [line["choice"] for line in self.tables["choices"]]):
            diagnose(path, fault, "spec.origin", number)
            self.status = VIOLATION

    def run(self, volumes: dict[str, str], sentences: str) -> None:
        self.check_clauses({clause for path, text in volumes.items() for clause in self.stated_clauses(path, text)})
        self.check_alternatives()
        self.check_witnesses()
        self.check_named_alternatives()
        self.check_mutants()
        self.check_origins(volumes, sentences)

    def print_summary(self, folders: list[str]) -> None:
        clauses, choices, reasons, mutants = (
            len(self.tables[name]) for name in ("clauses", "choices", "reasons", "mutants")
        )
        print(
            f"{clauses} clauses, {choices} choices and {reasons} reasons agree with {self.path}; {len(self.vectors)} "
            f"vectors cover every clause{' that a test can reach' if self.untestable else ''} and name every one of "
            f"{mutants} mutants"
        )
        if add_confirmed(self.vectors, folders):
            counted = collections.Counter(map(confirmation, self.vectors))
            print("expectations confirmed by " + ", ".join(f"{by}: {n}" for by, n in counted.most_common()))


# ---- The command


def read_untestable(path: str | None, tables: Tables) -> dict[str, str]:
    """The reason why no test can reach it, by clause."""
    known = {line["clause"] for line in tables["clauses"]}
    entries = list(read_reasons(path, "expected.format")) if path else []
    unknown = [entry for entry in entries if entry[1] not in known]
    for number, name, _ in unknown:
        print(f"{path}:{number}: error: no clause is named '{name}'", file=sys.stderr)
    if unknown:
        sys.exit(VIOLATION)
    return {name: reason for _, name, reason in entries}


def read_volumes(path: str) -> dict[str, str]:
    """The first volume and those that it lists, by their paths; tools/make/tables.py reads the same list."""
    first = read_file(path)
    listed = re.findall(r"^- \[(spec/[a-z]+\.md)\]\(\1\): ", first, re.M)
    return {path: first} | {other: read_file(other) for other in (os.path.join(os.path.dirname(path), name) for name in listed)}


def check_and_write(command: Command, tables: Tables, runs: list[Run]) -> int:
    options = command.options
    path, *folders = command.operands or [standard("SPEC.md")]
    folders = folders or [standard_vectors()]
    untestable = read_untestable(options.untestable, tables)
    status, lines = command.ask_json("list", "--json", "--", *folders)
    if status == UNUSABLE:
        return status
    volumes = read_volumes(path)
    check = Check(path, tables, [line["vector"] for line in lines], untestable)
    check.run(volumes, os.path.join(os.path.dirname(path), "spec", "sentences.txt"))
    status = max(status, check.status)
    if status == FINE and not options.html:
        check.print_summary(folders)
    elif status == FINE:
        from spec_page import make_page  # which needs more than Python

        command.write(options.html, make_page(options, tables, runs, volumes, "".join(profile_table(tables)), lines, folders, untestable))
    return status


def print_text(command: Command, tables: Tables) -> bool:
    """False when none of them is asked for."""
    options = command.options
    if options.json:
        text = table_object(tables, command.told("--version")[0].decode().split()[1])
    elif options.questions:
        text = questions(command, tables)
    elif options.origin or options.level:
        text = stated(tables, options)
    else:
        texts = [
            (options.list, clause_list),
            (options.choices, choice_entries),
            (options.profiles, profile_table),
            (options.reasons, reason_table),
            (options.since, beyond_the_rfc),
        ]
        asked = [make(tables) for is_asked, make in texts if is_asked]
        if not asked:
            return False
        [text] = asked
    sys.stdout.writelines(text)
    return True


def main(command: Command) -> int:
    options = command.options
    asked = (
        options.check, options.list, options.choices, options.profiles, options.reasons, options.json, options.questions, options.since,
        options.html, options.origin or options.level,
    )  # fmt: skip
    if sum(map(bool, asked)) != 1:
        fail("spec takes one of --check, --html, --list, --origin and --level, --choices, --profiles, --reasons, --json, --questions and --since")
    if options.vectors and not options.questions:
        fail("--vectors is for --questions")
    if options.since not in (None, "rfc"):
        fail(f"--since takes rfc; '{options.since}' has no text that clauses go beyond")
    if not options.html and (options.run or options.mutants or options.report or options.playground):
        fail("--run, --mutants, --report and --playground are for --html")
    if options.untestable and not options.html and not options.check:
        fail("--untestable is for --check and --html")
    tables = dict(read_sections(command.told("spec", "--facts")))
    runs = tell_apart(map(read_run, options.run))
    for part, asked_for in (("origin", options.origin), ("level", options.level)):
        known = {line[part]: None for line in tables["clauses"]}
        if asked_for and asked_for not in known:
            fail(f"no clause has the {part} '{asked_for}', but {', '.join(known)}")
    return FINE if print_text(command, tables) else check_and_write(command, tables, runs)


run(main)
