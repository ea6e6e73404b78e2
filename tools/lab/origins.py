"""Whether chapter 0 of the specification is true of its clauses: what a level and an origin promise, and whether quotations stand in their documents."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Fault = tuple[str, int, str]  # file, line, what is wrong

# How a text names the documents of spec/sentences.txt.
DOCUMENTS = {
    "The RFC": r"\bRFC\b",
    "The design of 2009": r"\bdesign of 2009\b",
    "The mail of 2019": r"\b[Tt]he mail\b",
    "elfutils' mail": r"\belfutils' mail\b",
    "Proposal 090128.1": r"\b[Pp]roposal 090128\.1",
}
# A *must* names so the programs that do otherwise.
DEVIATIONS = r"\bDeviations? (?:`[^`]+`(?:, | and )?)+"
DWARF_PLACE = r"\bDWARF [2-5], (?:table )?\d+\.\d+"
# The sentences of these works are not here, so their quotations are not looked up.
OTHERS = rf"{DWARF_PLACE}|\b[Ii]ssue 140906\.1|\bLLVM\b|\bPTX ISA\b|\bGNU as\b"
TOKENS = re.compile("|".join([r'"(?P<quotation>[^"]+)"', *(f"({name})" for name in DOCUMENTS.values()), f"(?P<other>{OTHERS})", r"(?P<dwarf>\bDWARF\b)"]))


@dataclass
class Clause:
    path: str
    line: int
    name: str
    level: str
    origin: str
    statement: str
    note: str = ""


@dataclass
class Row:
    """A row of a table "..., sentence by sentence"."""

    path: str
    line: int
    document: str
    sentence: str
    clauses: str
    reason: str


@dataclass
class Volumes:
    clauses: list[Clause] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    passages: list[Clause] = field(default_factory=list)  # reasons of choices, witnesses, and what chapter 11 quotes of the RFC: notes without a clause

    def read(self, path: str, text: str) -> None:
        clause: Clause | None = None
        document = ""
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("#"):
                match = re.fullmatch(r"#+ (?:Annex \w+ )?(.+), sentence by sentence", line)
                clause, document = None, match[1] if match else ""
            elif match := re.fullmatch(r"\*\*`(.+?)`\*\* \*\((\w+), (\w+)\)\* (.+)", line):
                clause = Clause(path, number, *match.groups())
                self.clauses.append(clause)
            elif clause:
                clause.note += line + "\n"
            elif line.startswith(("Reason: ", "> ")) or re.match("- `[^`]+` \\(witness: ", line):
                self.passages.append(Clause(path, number, "", "", "", "", re.sub("^> ", "RFC: ", line)))
            elif document and line.startswith("| ") and '"' in line:
                self.rows.append(Row(path, number, document, *map(str.strip, line.split("|")[1:4])))


class Sentences:
    """spec/sentences.txt, by document."""

    def __init__(self, text: str):
        self.all: dict[str, list[str]] = {name: [] for name in DOCUMENTS}
        self.asked: list[tuple[str, int, str]] = []  # document, line, sentence: those that a table has to have
        document = ""
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("# "):
                document = line[2:]
            elif line.startswith(("- ", "  ")):
                self.all[document].append(line[2:])
            if line.startswith("- "):
                self.asked.append((document, number, line[2:]))

    def have(self, document: str, quotation: str) -> bool:
        text = plain(" ".join(self.all[document]))
        return all(piece in text for piece in pieces(quotation))


def plain(text: str) -> str:
    return " ".join(re.sub('["`“”]', "", text.replace("’", "'")).lower().split())


def pieces(quotation: str) -> list[str]:
    """What stands between "..."."""
    return [plain(piece).strip(" ,.;:") for piece in quotation.split("...")]


def quotations(text: str) -> Iterator[tuple[str, str]]:
    """Each quotation of a text with the document that was named last before it, "" for any other work."""
    named = ""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    for token in TOKENS.finditer(re.sub("`[^`]*`", lambda code: "" if '"' in code[0] else code[0], text)):
        if token["quotation"]:
            yield named, token["quotation"]
        elif token["other"] or token["dwarf"]:
            named = "DWARF" if token["dwarf"] else ""
        else:
            named = next(name for name, pattern in DOCUMENTS.items() if re.fullmatch(pattern, token[0]))


def names_choice(text: str, choices: set[str], clauses: set[str]) -> str:
    """A choice that a text calls one, or that is no clause as well; "" if there is none."""
    called = re.findall(r"[Cc]hoices? `([^`]+)`", text)
    return next((name for name in [*called, *re.findall(r"`([^`]+)`", text)] if name in choices and (name in called or name not in clauses)), "")


def faults_of_level(clause: Clause, choices: set[str], clauses: set[str]) -> Iterator[str]:
    text = f"{clause.statement} {re.sub(DEVIATIONS, '', clause.note)}"
    if clause.level != "must":
        if re.search(DEVIATIONS, clause.note):
            yield "is no must, and calls a choice a deviation"
        return
    if clause.origin == "ours":
        yield "is ours: nobody must do so"
    if choice := names_choice(text, choices, clauses):
        yield f"is a must, and names the choice `{choice}`"
    if release := re.search(r"\bLLVM (?:1\d|2[01])\b(?! to \d)", text):
        yield f"is a must, and {release[0]} does otherwise"
    if clause.origin == "dwarf" and "rototype" in clause.note:
        yield "is a must, and rests on a prototype"


def faults_of_quotations(text: str, sentences: Sentences) -> Iterator[str]:
    for document, quotation in quotations(text):
        if document == "DWARF":
            yield f'quotes DWARF without a place: "{quotation}"'
        elif document and not sentences.have(document, quotation):
            yield f'quotes what {document} does not have: "{quotation}"'


def faults_of_origin(clause: Clause, sentences: Sentences) -> Iterator[str]:
    yield from faults_of_quotations(clause.note, sentences)
    documents = {document for document, _ in quotations(clause.note)}
    if clause.origin == "rfc" and "The RFC" not in documents:
        yield "is of the RFC, but no sentence of it is quoted"
    if clause.origin == "dwarf" and not documents & DOCUMENTS.keys() and not rests_on_a_place(clause):
        yield "is of DWARF, but its text names no document, or no place in it"


def rests_on_a_place(clause: Clause) -> bool:
    if re.search(rf"{DWARF_PLACE}|\b[Ii]ssue 140906\.1|\b[Pp]roposal 090128\.1, ", clause.note):
        return True
    return clause.level != "must" and bool(re.search(rf"DWARF [2-5]|{'|'.join(DOCUMENTS.values())}", clause.note))


def faults_of_tables(rows: list[Row], sentences: Sentences, path: str) -> Iterator[Fault]:
    """Each row quotes its document, and each sentence that asks for something has a row."""
    quoted: dict[str, list[str]] = {name: [] for name in sentences.all}
    for row in rows:
        for quotation in re.findall(r'"([^"]+)"', row.sentence):
            if row.document not in sentences.all or not sentences.have(row.document, quotation):
                yield row.path, row.line, f'{row.document} has no such sentence: "{quotation}"'
            else:
                quoted[row.document] += [part for piece in pieces(quotation) for part in piece.split(". ")]
        if not row.clauses and not row.reason:
            yield row.path, row.line, "the sentence has neither a clause nor a reason for none"
    for document, line, sentence in sentences.asked:
        whole = plain(sentence).strip(" ,.;:")
        if not any(piece in whole and (piece.count(" ") > 1 or piece == whole) for piece in quoted[document]):
            yield path, line, f"no row of a table has this sentence of {document}"


def faults(volumes: dict[str, str], path: str, text: str, choices: Iterable[str]) -> Iterator[Fault]:
    """Where chapter 0 is not true. `path`, `text`: those of the sentences."""
    read = Volumes()
    for name, volume in volumes.items():
        read.read(name, volume)
    sentences = Sentences(text)
    known, named = set(choices), {clause.name for clause in read.clauses}
    for clause in read.clauses:
        for fault in (*faults_of_level(clause, known, named), *faults_of_origin(clause, sentences)):
            yield clause.path, clause.line, f"clause `{clause.name}` {fault}"
    for passage in read.passages:
        for fault in faults_of_quotations(passage.note, sentences):
            yield passage.path, passage.line, f"the text {fault}"
    yield from faults_of_tables(read.rows, sentences, path)
