"""The page of `dloc spec --html`: the volumes, chapter by chapter, and at each clause its vectors, mutants and verdicts of runs."""

import collections
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from evidence import add_confirmed, confirmation, newest_llvm
from markupsafe import Markup
from page import data_of, render_page
from program import UNUSABLE, diagnose, read_file
from runs import MARKS, Run, clean


# ---- What stands behind a clause


class Clause:
    def __init__(self, line: dict[str, Any], untestable: str | None):
        self.anchor, self.level, self.origin = line["clause"], line["level"], line["origin"]
        self.untestable = untestable  # why no test can reach it
        self.exempt = line.get("exempt")  # why it has no mutant
        self.vectors: list[dict[str, Any]] = []
        self.columns: list[list[SimpleNamespace]] = []  # the results of its vectors, run by run
        self.mutants: list[dict[str, Any]] = []
        self.applied = 0  # so many answers of the model applied it

    @property
    def outcomes(self) -> collections.Counter[str]:
        """How many mutants are killed, equivalent or have survived."""
        outcomes = [mutant["outcome"] for mutant in self.mutants]
        return collections.Counter(name if name in ("killed", "equivalent") else "survived" for name in outcomes)

    @property
    def coverage(self) -> list[tuple[str, collections.Counter[str]]]:
        """How often each value occurs among its vectors, in the order met."""
        counted = [
            ("operations", collections.Counter(vector["op"] for vector in self.vectors)),
            ("levels", collections.Counter(vector["level"] for vector in self.vectors)),
        ]
        if all("confirmed" in vector for vector in self.vectors):
            counted.append(("expectations confirmed by", collections.Counter(map(confirmation, self.vectors))))
            newest = [newest_llvm(vector["confirmed"]) for vector in self.vectors]
            counted.append(("newest LLVM that confirms them", collections.Counter(f"LLVM {release}" if release else "none" for release in newest)))
        return counted

    @property
    def differs(self) -> bool:
        return any(result and result.mark.kind == "different" for column in self.columns for result in column)


def read_mutants(path: str, known: set[str]) -> list[dict[str, Any]]:
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


def read_vectors(lines: list[dict[str, Any]], folders: list[str]) -> list[dict[str, Any]]:
    """The vectors, with the clauses that the model applies and the LLVMs that confirm each."""
    vectors = [line["vector"] | {"applied": line["applied"]} for line in lines]
    add_confirmed(vectors, folders)
    return vectors


def add_vectors(clauses: dict[str, Clause], vectors: list[dict[str, Any]], runs: list[Run]) -> None:
    for vector in vectors:
        vector["results"] = [run.results.get(vector["id"]) for run in runs]
        for anchor in vector["clauses"]:
            clauses[anchor].vectors.append(vector)
        for anchor in vector["applied"]:
            clauses[anchor].applied += 1
    for clause in clauses.values():
        clause.columns = [[vector["results"][number] for vector in clause.vectors] for number in range(len(runs))]


class Choice:
    """The evidence of a choice: its vectors, and the alternative that each run follows."""

    def __init__(self, line: dict[str, Any], vectors: list[dict[str, Any]], runs: list[Run]):
        self.name, self.question, self.profiles = line["choice"], line["question"], line["profiles"]
        self.vectors = [vector for vector in vectors if self.name in choices_of(vector)]
        self.findings = [(run, run.findings[self.name]) for run in runs if self.name in run.findings]


def choices_of(vector: dict[str, Any]) -> list[str]:
    """Of which a vector tells something."""
    return [*vector.get("choices", {}), *vector.get("with", {})]


def vector_data(vector: dict[str, Any]) -> dict[str, Any]:
    kinds = {kind: str(number) for number, kind in enumerate(MARKS)}
    return {
        **{key: vector[key] for key in ("id", "op", "level", "note", "clauses", "confirmed") if key in vector},
        "choices": choices_of(vector),
        "kinds": "".join(kinds[result.mark.kind] if result else "." for result in vector["results"]),
    }


# ---- The document


class Block:
    """A block of a volume: what it is, its HTML, the place that links to it name, and what stands behind it."""

    def __init__(self, element: ET.Element, place: str | None = None, clause: Clause | None = None):
        element.tail = None
        self.tag = element.tag
        self.title = "".join(element.itertext())
        self.html = Markup(ET.tostring(element, encoding="unicode", method="html"))
        self.place = place
        self.clause = clause
        self.choice: Choice | None = None  # whose entry ends here
        self.mentioned: list[tuple[str, str]] = []  # where its clause or choice is mentioned: places and their titles


class Chapter:
    """A page: its heading and blocks; and for the contents below it places, titles and what each is."""

    def __init__(self, block: Block, volume: bool):
        self.place, self.title, self.volume = block.place, block.title, volume
        self.blocks: list[Block] = []
        self.entries: list[tuple[str, str, str]] = []


def read_volumes(volumes: dict[str, str]) -> ET.Element:
    """One document. The title of a later volume is a chapter of its own; links to volumes lead to their titles, others nowhere: the page is alone."""
    document = ET.Element("main")
    for number, (path, text) in enumerate(volumes.items()):
        volume = read_markdown(text)
        title = volume.find("h1")
        if title is not None:
            title.tag = "h2" if number else "h1"
            title.set("id", place_of(path))
        document.extend(volume)
    known = {os.path.basename(path) for path in volumes}
    for link in document.iter("a"):
        address = link.get("href", "")
        if os.path.basename(address) in known:
            link.set("href", f"#{place_of(address)}")
        elif not re.match("[a-z]+:|#", address):
            link.tag, link.attrib = "span", {}  # a file beside the volume, which is not beside the page
    return document


def place_of(path: str) -> str:
    return f"volume-{os.path.basename(path).removesuffix('.md')}"


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
    return clauses.get(name_of(next(iter(block[0]), None)) or "")


def choice_of(heading: ET.Element, choices: dict[str, Choice]) -> str | None:
    """The choice whose entry begins at a heading that ends with its name."""
    last = heading[-1] if len(heading) and not heading[-1].tail else None
    return name_of(last) if name_of(last) in choices else None


def heading_place(heading: ET.Element, number: int, choices: dict[str, Choice]) -> str:
    """Of a choice its name, of a volume that of its file, of a chapter its number among all headings."""
    choice = choice_of(heading, choices)
    return f"choice-{choice}" if choice else heading.get("id") or f"section-{number}"


def add_takers(alternatives: ET.Element, profiles: dict[str, str]) -> None:
    """Adds to each alternative of a choice the profiles that take it, as the profiles say."""
    for item in alternatives:
        takers = [profile for profile, alternative in profiles.items() if alternative == name_of(item[0])]
        note = ET.SubElement(item, "span")
        note.text = "; taken by " if takers else "; no built-in profile takes it"
        for number, profile in enumerate(takers, 1):
            code = ET.SubElement(note, "code")
            code.text, code.tail = profile, ", " if number < len(takers) else ""


def add_all_takers(document: ET.Element, choices: dict[str, Choice]) -> None:
    choice = None
    for block in document:
        if block.tag == "h3":
            choice = choice_of(block, choices)
        elif block.tag == "ul" and choice:
            add_takers(block, choices[choice].profiles)


def add_links(block: ET.Element, kinds: dict[str, str]) -> Iterator[str]:
    """A name of a clause, a choice or a reason leads there, wherever it is mentioned but in a row that is a place itself.
    Yields the places."""
    for code in list(block.iter("code")):
        if code.get("class") == "language-rules":
            yield from add_rule_links(code, kinds)
    places = {cell for row in block.iter("tr") if row.get("id") for cell in row}
    for parent in list(block.iter()):
        if parent.tag in ("th", "pre", "a") or parent in places:
            continue
        for number, code in enumerate(parent):
            kind = kinds.get(name_of(code) or "")
            if kind:
                link = ET.Element("a", href=f"#{kind}-{code.text}")
                link.tail, code.tail = code.tail, None
                parent[number] = link
                link.append(code)
                yield f"{kind}-{code.text}"


def add_rule_links(code: ET.Element, kinds: dict[str, str]) -> Iterator[str]:
    """Pseudo-code: the clauses at the end of each line lead there."""
    before, *parts = re.split(r"([a-z][\w-]*(?:\.[\w-]+)+)", code.text or "")
    code.text, last = before, code
    for name, behind in zip(parts[::2], parts[1::2], strict=True):
        if name in kinds:
            last = ET.SubElement(code, "a", href=f"#{kinds[name]}-{name}")
            last.text, last.tail = name, behind
            yield f"{kinds[name]}-{name}"
        elif last is code:
            code.text += name + behind
        else:
            last.tail = (last.tail or "") + name + behind


def add_table_heads(document: ET.Element, reasons: set[str]) -> None:
    """Markdown's tables do not say what their heads are about. The row of a reason is the place that links to it name."""
    for head in list(document.iter("th")):
        if "".join(head.itertext()):
            head.set("scope", "col")
        else:
            head.tag = "td"
    for row in document.iter("tr"):
        name = name_of(row[0][0]) if len(row) == 3 and len(row[0]) else None
        if name in reasons:
            reasons.discard(name)
            row.set("id", f"reason-{name}")


def add_profile_table(document: ET.Element, rows: str) -> None:
    """Adds the table of what each profile takes, before the profiles."""
    first = next((number for number, block in enumerate(document) if block.tag == "h3" and block.text == "Profile "), len(document))
    made = read_markdown(f"### Which profile takes what\n\nChoices without a row have their default in every profile.\n\n{rows}")
    for row in made.iter("tr"):
        if name := name_of(next(iter(row[0]), None)):
            row.set("id", f"profiles-{name}")
    for number, block in enumerate(list(made)):
        document.insert(first + number, block)


def read_blocks(
    volumes: dict[str, str], rows: str, clauses: dict[str, Clause], choices: dict[str, Choice], reasons: set[str]
) -> list[Block]:
    document = read_volumes(volumes)
    add_profile_table(document, rows)
    kinds = {**dict.fromkeys(reasons, "reason"), **dict.fromkeys(choices, "choice"), **dict.fromkeys(clauses, "clause")}
    headings = [block for block in document if block.tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    places = {heading: heading_place(heading, number, choices) for number, heading in enumerate(headings)}
    add_all_takers(document, choices)
    add_table_heads(document, set(reasons))
    blocks: list[Block] = []
    mentions: dict[str, dict[str, str]] = collections.defaultdict(dict)  # of a place: where it is mentioned, with the titles
    here, title, choice = "", "", None
    for element in document:
        clause = stated_clause(element, clauses)
        place = f"clause-{clause.anchor}" if clause else places.get(element)
        if place and blocks and choice:
            blocks[-1].choice, choice = choice, None
        if place:
            here, title = place, clause.anchor if clause else "".join(element.itertext())
        if place and not clause:
            element.set("id", place)
        if place and place.startswith("choice-"):
            choice = choices[place.removeprefix("choice-")]
        for target in add_links(element, kinds):
            if target != here:
                mentions[target].setdefault(here, title)
        blocks.append(Block(element, place, clause))
    if choice:
        blocks[-1].choice = choice
    for block in blocks:
        place = block.place if block.clause else f"choice-{block.choice.name}" if block.choice else ""
        block.mentioned = list(mentions[place].items()) if place else []
    return blocks


def chapters_of(blocks: list[Block]) -> list[Chapter]:
    """Each has its page; what stands before the first belongs to it."""
    chapters: list[Chapter] = []
    front: list[Block] = []
    for block in blocks:
        if block.tag == "h2":
            chapters.append(Chapter(block, (block.place or "").startswith("volume-")))
        elif block.place and chapters:
            kind, _, name = block.place.partition("-")
            chapters[-1].entries.append((block.place, block.title if kind == "section" else name, kind))
        (chapters[-1].blocks if chapters else front).append(block)
    if chapters:
        chapters[0].blocks[:0] = front
    return chapters


def make_page(
    options: SimpleNamespace,
    tables: dict[str, list[dict[str, Any]]],
    runs: list[Run],
    volumes: dict[str, str],
    rows: str,
    lines: list[dict[str, Any]],
    folders: list[str],
    untestable: dict[str, str],
) -> bytes:
    clauses = {line["clause"]: Clause(line, untestable.get(line["clause"])) for line in tables["clauses"]}
    vectors = read_vectors(lines, folders)
    choices = {line["choice"]: Choice(line, vectors, runs) for line in tables["choices"]}
    reasons = {line["reason"]: line["text"] for line in tables["reasons"]}
    mutants = read_mutants(options.mutants, set(clauses)) if options.mutants else None
    add_vectors(clauses, vectors, runs)
    for mutant in mutants or []:
        clauses[mutant["clause"]].mutants.append(mutant)
    names = [("clause", line["clause"], line["statement"]) for line in tables["clauses"]]
    names += [("choice", choice.name, choice.question) for choice in choices.values()]
    names += [("reason", name, text) for name, text in reasons.items()]
    data = {
        "vectors": [vector_data(vector) for vector in vectors],
        "marks": [[mark.kind, mark.sign, mark.words] for mark in MARKS.values()],
        "runs": [run.name for run in runs],
        "names": names,
        "addresses": {"report": options.report, "playground": options.playground},
    }
    blocks = read_blocks(volumes, rows, clauses, choices, set(reasons))
    return render_page(
        "spec.html",
        title=next((block for block in blocks if block.tag == "h1"), None),
        chapters=chapters_of([block for block in blocks if block.tag != "h1"]),
        origins=sorted({clause.origin for clause in clauses.values()}),
        levels=sorted({clause.level for clause in clauses.values()}),
        clauses=clauses.values(),
        vectors=vectors,
        mutants=mutants,
        runs=runs,
        report=options.report,
        data=data_of(data),
    )
