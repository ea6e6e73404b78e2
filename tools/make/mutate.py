#!/usr/bin/env python3
"""usage: tools/make/mutate.py table FILE
       tools/make/mutate.py sources FOLDER

Read model/mutants.def, the deliberate mistakes that someone could make in the model.

table    write FILE, a C header with the name, the clause and the text of each mutant
sources  write the sources of model/ to FOLDER, with every mistake in them: what a mutant changes becomes a selection
         at run time, by the number of the mutant (1 is the first). Lines keep their numbers.

--root FOLDER is where model/ lies (default: the repository). Exit status: 0, or 1 after a message: a row is malformed,
its fragment does not stand exactly once where the row says, or two fragments overlap.
"""

import fnmatch
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

TABLE = "model/mutants.def"

# The text between tokens: comments and lines of the preprocessor.
SKIPPED = r"(?P<skipped>/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*)"
TOKEN = re.compile(
    SKIPPED
    + r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|`|\S',
    re.DOTALL | re.MULTILINE,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
STATEMENT = re.compile(r".*;|(?:if|for|while|do|switch|\{).*\}", re.DOTALL)


class TableError(Exception):
    """A mistake in a row: its line, and what is wrong."""

    def __init__(self, line: int, message: str):
        super().__init__(f"{TABLE}:{line}: error: {message}")


@dataclass
class Place:
    """Where a mutant differs from the model: in `function` of `file`, `code` stands instead of `fragment` or, when
    `inserted`, before it."""

    line: int
    file: str
    function: str
    fragment: str = ""
    code: str = ""
    inserted: bool = False


@dataclass
class Mutant:
    line: int
    name: str
    clause: str
    what: str
    proof: str = ""
    places: list[Place] = field(default_factory=list)


# ---- The table ----


def read_rows(text: str) -> list[tuple[int, str, str]]:
    """Line number, keyword and text of each row; a line that begins with eight blanks continues the row before it."""
    rows: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" " * 8):
            if not rows:
                raise TableError(number, "a row begins with a keyword")
            rows[-1] = (rows[-1][0], rows[-1][1], f"{rows[-1][2]} {line.strip()}".strip())
            continue
        keyword, _, rest = line.strip().partition(" ")
        rows.append((number, keyword, rest.strip()))
    return rows


def read_table(text: str) -> tuple[list[Mutant], dict[str, str]]:
    """The mutants, in order, and the reasons of clauses that have none."""
    mutants: list[Mutant] = []
    exemptions: dict[str, str] = {}
    names: set[str] = set()
    clause = place = None
    for line, keyword, rest in read_rows(text):
        mutant = mutants[-1] if mutants else None
        if not rest:
            raise TableError(line, f"'{keyword}' has no text")
        if keyword == "clause":
            clause, place = rest, None
        elif clause is None:
            raise TableError(line, "a mutant stands below its clause")
        elif keyword == "unmutated":
            exemptions[clause] = rest
        elif keyword == "mutant":
            name, _, what = rest.partition(": ")
            if name in names or not what:
                raise TableError(line, "a mutant has a name of its own, a colon and what it does")
            names.add(name)
            mutants.append(Mutant(line, name, clause, what))
            place = None
        elif mutant is None:
            raise TableError(line, f"'{keyword}' stands below its mutant")
        elif keyword == "equivalent":
            mutant.proof = rest
        elif keyword == "in":
            file, _, function = rest.partition(" ")
            place = Place(line, file, function.strip())
        elif place is None:
            raise TableError(line, f"'{keyword}' stands below 'in FILE FUNCTION'")
        elif keyword == "at":
            mutant.places.append(Place(line, place.file, place.function, fragment=rest))
        elif keyword in ("instead", "insert") and mutant.places and not mutant.places[-1].code:
            mutant.places[-1].code = rest
            mutant.places[-1].inserted = keyword == "insert"
        else:
            raise TableError(line, f"'{keyword}' is no keyword, or stands in the wrong row")
    for mutant in mutants:
        if not mutant.places or not all(place.code for place in mutant.places):
            raise TableError(mutant.line, "a mutant has places, each with 'at' and 'instead' or 'insert'")
    return mutants, exemptions


# ---- Fragments in a source ----


@dataclass
class Token:
    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    return [Token(m[0], m.start(), m.end()) for m in TOKEN.finditer(text) if m["skipped"] is None]


def closing(tokens: list[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(tokens)):
        if tokens[i].text in CLOSING:
            depth += 1
        elif tokens[i].text in CLOSING.values():
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("a bracket is not closed")


def functions_of(tokens: list[Token]) -> dict[str, tuple[int, int]]:
    """The tokens of the definition of each function, from its name on."""
    found = {}
    i = 0
    while i < len(tokens):
        if tokens[i].text not in CLOSING:
            i += 1
            continue
        end = closing(tokens, i)
        body = end + 1
        if tokens[i].text == "(" and body < len(tokens) and tokens[body].text == "{":
            end = closing(tokens, body)
            found[tokens[i - 1].text] = (i - 1, end + 1)
        i = end + 1
    return found


@dataclass
class Edit:
    """The text from `start` to `end`, which one or more mutants change."""

    start: int
    end: int
    line: int
    inserted: bool
    statement: bool
    codes: list[tuple[int, str]] = field(default_factory=list)  # number of the mutant, its code


class Source:
    """A file of model/, and the edits in it."""

    def __init__(self, path: Path):
        self.text = path.read_text()
        self.tokens = tokens_of(self.text)
        self.functions = functions_of(self.tokens)
        self.edits: dict[tuple[int, bool, int], Edit] = {}

    def find(self, place: Place) -> tuple[int, int]:
        """The tokens of the fragment of a place: of the part between backquotes, if it has any."""
        if place.function and place.function not in self.functions:
            raise TableError(place.line, f"{place.file} does not define '{place.function}'")
        first, last = self.functions[place.function] if place.function else (0, len(self.tokens))
        wanted = [token.text for token in tokens_of(place.fragment)]
        marks = [i for i, text in enumerate(wanted) if text == "`"] or [0, len(wanted) + 1]
        if len(marks) != 2:
            raise TableError(place.line, "a fragment has two backquotes or none")
        wanted = [text for text in wanted if text != "`"]
        texts = [token.text for token in self.tokens]
        found = [i for i in range(first, last - len(wanted) + 1) if texts[i : i + len(wanted)] == wanted]
        if len(found) != 1:
            where = f"'{place.function}' of {place.file}" if place.function else place.file
            message = f"the fragment stands {len(found)} times in {where}, not once: {place.fragment}"
            raise TableError(place.line, message)
        return found[0] + marks[0], found[0] + marks[1] - 1

    def add(self, number: int, place: Place) -> None:
        first, end = self.find(place)
        start, stop = self.tokens[first].start, self.tokens[end - 1].end
        statement = place.inserted or bool(STATEMENT.fullmatch(self.text[start:stop]))
        beginnings = ("{", "}", ";", ":") if place.inserted else ("{", "}", ";", ":", ")", "else")
        if statement and self.tokens[first - 1].text not in beginnings:
            raise TableError(place.line, "the fragment does not begin where a statement begins")
        stop = start if place.inserted else stop
        key = (start, not place.inserted, -stop)
        edit = self.edits.setdefault(key, Edit(start, stop, place.line, place.inserted, statement))
        edit.codes.append((number, place.code))

    def mutated(self) -> str:
        """The text with all edits. Those within an edit belong to what stands there without it."""
        ordered = [self.edits[key] for key in sorted(self.edits)]
        text, _ = self.render(ordered, 0, 0, len(self.text))
        return text

    def render(self, edits: list[Edit], i: int, start: int, end: int) -> tuple[str, int]:
        text = ""
        while i < len(edits) and edits[i].start < end:
            edit = edits[i]
            if edit.end > end:
                raise TableError(edit.line, "the fragment overlaps that of another mutant")
            text += self.text[start : edit.start]
            inner, i = self.render(edits, i + 1, edit.start, edit.end)
            text += select(edit, inner)
            start = edit.end
        return text + self.text[start:end], i


def select(edit: Edit, original: str) -> str:
    """C that runs the code of the selected mutant, or the original."""
    conditions = [(f"mutant_selected == {number}", code) for number, code in edit.codes]
    if edit.inserted:
        return "".join(f"if ({condition}) {{ {code} }} " for condition, code in conditions)
    if edit.statement:
        choices = "".join(f"if ({condition}) {{ {code} }} else " for condition, code in conditions)
        return f"{{ {choices}{{ {original} }} }}"
    return "(" + "".join(f"{condition} ? ({code}) : " for condition, code in conditions) + f"({original}))"


# ---- Where a clause is implemented ----


def about(source: Source, function: str) -> str:
    """A function with the comments above it; the whole file where a mutant is in no function."""
    if not function:
        return source.text
    first, last = source.functions[function]
    while first and source.tokens[first - 1].text not in (";", "}"):
        first -= 1
    start = source.tokens[first - 1].end if first else 0
    return source.text[start : source.tokens[last - 1].end]


def names(text: str, anchor: str) -> bool:
    """Whether a comment has the anchor between backquotes: alone, or by a family such as `lines.opcode.*`."""
    comments = "".join(match[0] for match in re.finditer(r"/\*.*?\*/", text, re.DOTALL))
    return any(fnmatch.fnmatchcase(anchor, named) for named in re.findall(r"`([a-z0-9.*-]+)`", comments))


def implementations(root: Path, mutants: list[Mutant]) -> dict[str, str]:
    """For each clause, file and function: the first that one of its mutants changes and that names its anchor."""
    sources: dict[str, Source] = {}
    found: dict[str, str] = {}
    for mutant in mutants:
        for place in mutant.places:
            path = root / "model" / place.file
            if mutant.clause in found or not path.exists():
                continue
            source = sources.setdefault(place.file, sources.get(place.file) or Source(path))
            if place.function in ("", *source.functions) and names(about(source, place.function), mutant.clause):
                found[mutant.clause] = f"model/{place.file} {place.function}".rstrip()
    return found


# ---- What is written ----


def mutate(root: Path, mutants: list[Mutant]) -> dict[str, str]:
    """The text of each file of model/ with the mutants in it, by its path below model/."""
    model = root / "model"
    paths = {path.relative_to(model).as_posix(): path for path in sorted(model.rglob("*.*"))}
    sources: dict[str, Source] = {}
    for number, mutant in enumerate(mutants, 1):
        for place in mutant.places:
            if place.file not in paths:
                raise TableError(place.line, f"there is no model/{place.file}")
            if place.file not in sources:
                sources[place.file] = Source(paths[place.file])
            sources[place.file].add(number, place)
    texts = {}
    for name, path in paths.items():
        texts[name] = path.read_text()
        if name in sources:
            texts[name] = f'extern _Thread_local unsigned mutant_selected;\n#line 1 "model/{name}"\n{sources[name].mutated()}'
    return texts


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def clause_of(anchor: str) -> str:
    return "DLOC_CLAUSE_" + re.sub(r"[.-]", "_", anchor).upper()


def by_clause(name: str, texts: dict[str, str]) -> list[str]:
    rows = [f"    [{clause_of(clause)}] = {quoted(text)}," for clause, text in texts.items()]
    return ["", f"static const char *const {name}[DLOC_CLAUSE_COUNT] = {{", *(rows or ["    [0] = NULL,"]), "};"]


def table_text(mutants: list[Mutant], exemptions: dict[str, str], implemented: dict[str, str]) -> str:
    lines = [f"/* Made from {TABLE}. */", "static const mutant mutants[] = {"]
    for mutant in mutants:
        proof = quoted(mutant.proof) if mutant.proof else "NULL"
        lines.append(f"    {{{quoted(mutant.name)}, {clause_of(mutant.clause)}, {quoted(mutant.what)}, {proof}}},")
    lines += ["};", *by_clause("exemptions", exemptions), *by_clause("implementations", implemented)]
    return "\n".join([*lines, ""])


def main(arguments: list[str]) -> int:
    root = Path(__file__).resolve().parents[2]
    if arguments[:1] == ["--root"] and len(arguments) > 1:
        root = Path(arguments[1])
        arguments = arguments[2:]
    if len(arguments) != 2 or arguments[0] not in ("table", "sources"):
        print(__doc__, file=sys.stderr)
        return 1
    target = Path(arguments[1])
    try:
        mutants, exemptions = read_table((root / TABLE).read_text())
        texts = {target: table_text(mutants, exemptions, implementations(root, mutants))}
        if arguments[0] == "sources":
            texts = {target / name: text for name, text in mutate(root, mutants).items()}
    except TableError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
