"""The page of `dloc spec --html`: SPEC.md, and at each clause its vectors, mutants and verdicts of runs."""

import collections
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from types import SimpleNamespace

from evidence import add_confirmed, confirmation
from page import Markup, render_page
from program import UNUSABLE, diagnose, read_file
from runs import Run, clean


# ---- What stands behind a clause


class Clause:
    def __init__(self, line: dict, untestable: str | None):
        self.anchor = line["clause"]
        self.untestable = untestable  # why no test can reach it
        self.exempt = line.get("exempt")  # why it has no mutant
        self.vectors: list[dict] = []
        self.columns: list[list[SimpleNamespace]] = []  # the results of its vectors, run by run
        self.mutants: list[dict] = []
        self.applied = 0  # so many answers of the model applied it

    @property
    def outcomes(self) -> collections.Counter:
        """How many mutants are killed, equivalent or have survived."""
        outcomes = [mutant["outcome"] for mutant in self.mutants]
        return collections.Counter(name if name in ("killed", "equivalent") else "survived" for name in outcomes)

    @property
    def coverage(self) -> list[tuple[str, collections.Counter]]:
        """How often each value occurs among its vectors, in the order met."""
        counted = [
            ("operations", collections.Counter(vector["op"] for vector in self.vectors)),
            ("levels", collections.Counter(vector["level"] for vector in self.vectors)),
        ]
        if all("confirmed" in vector for vector in self.vectors):
            counted.append(("expectations confirmed by", collections.Counter(map(confirmation, self.vectors))))
        return counted

    @property
    def differs(self) -> bool:
        return any(result and result.mark.kind == "different" for column in self.columns for result in column)


def read_mutants(path: str, known: set[str]) -> list[dict]:
    """The lines of `dloc mutants --json`."""
    lines = read_file(path).splitlines()
    mutants = []
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            mutants.append({key: line[key] for key in ("mutant", "clause", "noticed")})
            mutants[-1] |= {key: line.get(key, "") for key in ("what", "outcome", "status")}
            wrong = "" if line["clause"] in known else "no clause of the mutant's name"
        except (ValueError, KeyError, TypeError):
            wrong = "the line is none of `dloc mutants --json`"
        if wrong:
            diagnose(path, wrong, "mutants.format", number, text)
            sys.exit(UNUSABLE)
    return mutants


def read_vectors(lines: list[dict], folders: list[str]) -> list[dict]:
    """The vectors, with the clauses that the model applies and the LLVMs that confirm each."""
    vectors = [line["vector"] | {"applied": line["applied"]} for line in lines]
    add_confirmed(vectors, folders)
    return vectors


def add_vectors(clauses: dict[str, Clause], vectors: list[dict], runs: list[Run]) -> None:
    for vector in vectors:
        vector["results"] = [run.results.get(vector["id"]) for run in runs]
        for anchor in vector["clauses"]:
            clauses[anchor].vectors.append(vector)
        for anchor in vector["applied"]:
            clauses[anchor].applied += 1
    for clause in clauses.values():
        clause.columns = [[vector["results"][number] for vector in clause.vectors] for number in range(len(runs))]


# ---- The document


class Block:
    """A block of SPEC.md: what it is, its HTML, the place that links to it name, and the clause that it states."""

    def __init__(self, element: ET.Element, place: str | None = None, clause: Clause | None = None):
        element.tail = None
        self.tag = element.tag
        self.title = "".join(element.itertext())
        self.html = Markup(ET.tostring(element, encoding="unicode", method="html"))
        self.place = place
        self.clause = clause


def read_markdown(text: str) -> ET.Element:
    """Raw HTML is left out, as are addresses that are scripts: so the program promises."""
    command = ["cmark-gfm", "--extension", "table", "--to", "html"]
    try:
        done = subprocess.run(command, input=clean(text), stdout=subprocess.PIPE, encoding="utf-8", check=True)
    except FileNotFoundError:
        sys.exit("cmark-gfm is missing (Debian's package cmark-gfm)")
    return ET.fromstring(f"<main>{done.stdout}</main>")


def name_of(element: ET.Element | None) -> str | None:
    return element.text if element is not None and element.tag == "code" else None


def stated_clause(block: ET.Element, clauses: dict[str, Clause]) -> Clause | None:
    """A paragraph that begins with **`anchor`** states a clause."""
    if block.tag != "p" or block.text or len(block) == 0 or block[0].tag != "strong" or block[0].text:
        return None
    return clauses.get(name_of(next(iter(block[0]), None)))


def choice_of(heading: ET.Element, choices: dict[str, dict]) -> str | None:
    """The choice whose entry begins at a heading that ends with its name."""
    last = heading[-1] if len(heading) and not heading[-1].tail else None
    return name_of(last) if name_of(last) in choices else None


def heading_place(heading: ET.Element, number: int, choices: dict[str, dict]) -> str:
    """Of a choice its name, of a chapter its number among all headings."""
    choice = choice_of(heading, choices)
    return f"choice-{choice}" if choice else f"section-{number}"


def add_takers(alternatives: ET.Element, profiles: dict[str, str]) -> None:
    """Behind each alternative of a choice the profiles that take it, which SPEC.md says at the profiles."""
    for item in alternatives:
        takers = [profile for profile, alternative in profiles.items() if alternative == name_of(item[0])]
        note = ET.SubElement(item, "span")
        note.text = "; taken by " if takers else "; no built-in profile takes it"
        for number, profile in enumerate(takers, 1):
            code = ET.SubElement(note, "code")
            code.text, code.tail = profile, ", " if number < len(takers) else ""


def add_all_takers(document: ET.Element, choices: dict[str, dict]) -> None:
    choice = None
    for block in document:
        if block.tag == "h3":
            choice = choice_of(block, choices)
        elif block.tag == "ul" and choice:
            add_takers(block, choices[choice]["profiles"])


def add_links(document: ET.Element, clauses: dict[str, Clause], choices: dict[str, dict]) -> None:
    """A name of a clause or a choice leads there, wherever it is mentioned; but a table has names of reasons."""
    for parent in list(document.iter()):
        if parent.tag in ("td", "th", "pre", "a"):
            continue
        for number, code in enumerate(parent):
            kind = "clause" if name_of(code) in clauses else "choice" if name_of(code) in choices else None
            if kind:
                link = ET.Element("a", href=f"#{kind}-{code.text}")
                link.tail, code.tail = code.tail, None
                parent[number] = link
                link.append(code)


def read_blocks(text: str, clauses: dict[str, Clause], choices: dict[str, dict]) -> list[Block]:
    document = read_markdown(text)
    headings = [block for block in document if block.tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    places = {heading: heading_place(heading, number, choices) for number, heading in enumerate(headings)}
    stated = {block: stated_clause(block, clauses) for block in document}
    add_all_takers(document, choices)
    add_links(document, clauses, choices)
    return [Block(block, places.get(block), stated[block]) for block in document]


def make_page(
    options: SimpleNamespace,
    tables: dict[str, list[dict]],
    runs: list[Run],
    text: str,
    lines: list[dict],
    folders: list[str],
    untestable: dict[str, str],
) -> bytes:
    clauses = {line["clause"]: Clause(line, untestable.get(line["clause"])) for line in tables["clauses"]}
    choices = {line["choice"]: line for line in tables["choices"]}
    vectors = read_vectors(lines, folders)
    mutants = read_mutants(options.mutants, clauses.keys()) if options.mutants else None
    add_vectors(clauses, vectors, runs)
    for mutant in mutants or []:
        clauses[mutant["clause"]].mutants.append(mutant)
    return render_page(
        "spec.html",
        blocks=read_blocks(text, clauses, choices),
        clauses=clauses.values(),
        vectors=vectors,
        mutants=mutants,
        has_evidence=any("confirmed" in vector for vector in vectors),
        runs=runs,
        report=options.report,
    )
