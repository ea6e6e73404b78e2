"""The channels of a module as opt prints it: the primary and the layers of each instruction, by content, and where two channels may differ."""

import dataclasses
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

DBG = b", !dbg !"
NUMBER = re.compile(rb"!\d+")
DEFINITION = re.compile(rb"^!(\d+) = (.*)$", re.M)
REFERENCE = re.compile(rb"(\d*)(.*)", re.S)  # what stands behind DBG: a number, then attachments or a comment
FIRST_DEFINITION = re.compile(rb"^!\d+ = ", re.M)
NAME = re.compile(rb'@("[^"]*"|[^(]+)\(')
RECORD = b"#dbg_"
SCOPES_WITHIN = (b"DILexicalBlock", b"DILexicalBlockFile")

# The layers: where an instruction stood, and in which function. OTHER is the first one by another name, so that there are merges in which only one
# side has it.
PLACE, ORIGIN, OTHER = "PLACE", "ORIGIN", "OTHER"


@dataclasses.dataclass(frozen=True)
class Scope:
    kind: bytes
    text: bytes  # without the numbers of nodes
    parent: "Scope | None"

    def subprogram(self) -> "Scope":
        return self.parent.subprogram() if self.parent else self


@dataclasses.dataclass(frozen=True)
class Location:
    line: int
    column: int
    scope: Scope
    inlined_at: "Location | None"

    def innermost(self) -> "Location":
        return dataclasses.replace(self, inlined_at=None)

    def undiscriminated(self) -> "Location":
        scope = self.scope
        while scope.parent and scope.kind == b"DILexicalBlockFile" and not scope.text.endswith(b"discriminator: 0)"):
            scope = scope.parent
        return dataclasses.replace(self, scope=scope)


class Instruction(NamedTuple):
    text: bytes
    location: int | None  # the number of the node


Layers = dict[str, Location | None]  # by kind
Record = tuple[int, bytes]  # before which instruction, and the line
Function = tuple[str, list[Instruction], list[Record]]  # with its name


def sure(match: re.Match[bytes] | None) -> re.Match[bytes]:
    """The match, which there is: opt printed the text, and its form is known."""
    assert match
    return match


class Module:
    """A module that opt printed."""

    def __init__(self, text: bytes) -> None:
        first = FIRST_DEFINITION.search(text)
        end = first.start() if first else len(text)
        self.body = text[:end]
        self.definitions = {int(number): definition for number, definition in DEFINITION.findall(text, end)}
        self.scopes: dict[int, Scope] = {}
        self.contents: dict[int, tuple[Location | None, Layers]] = {}

    def functions(self) -> Iterator[Function]:
        """(name, instructions, records) of each; an instruction's text is a line of the function, without its `!dbg`."""
        name = None
        for line in self.body.split(b"\n"):
            if name is None:
                if line.startswith(b"define "):
                    name = sure(NAME.search(line))[1].decode()
                    instructions: list[Instruction] = []
                    records: list[Record] = []
            elif line == b"}":
                yield name, instructions, records
                name = None
            elif RECORD in line and line.lstrip().startswith(RECORD):
                records.append((len(instructions), line))
            else:
                head, _, tail = line.partition(DBG)
                number, rest = sure(REFERENCE.match(tail)).groups()
                instructions.append(Instruction(head + rest, int(number) if number else None))

    def recursive(self) -> set[str]:
        """The names of functions that call themselves."""
        return {name for name, instructions, _ in self.functions() if any(b"@%s(" % name.encode() in text for text, _ in instructions)}

    def scope(self, number: int) -> Scope:
        if number not in self.scopes:
            text = self.definitions[number]
            kind = sure(re.match(rb"(?:distinct )?!(\w+)\(", text))[1]
            parent = re.search(rb"\bscope: !(\d+)", text) if kind in SCOPES_WITHIN else None
            self.scopes[number] = Scope(kind, NUMBER.sub(b"!", text), self.scope(int(parent[1])) if parent else None)
        return self.scopes[number]

    def content(self, number: int | None) -> tuple[Location | None, Layers]:
        """(primary, {kind: location}) of what `!dbg` or a record refers to."""
        if number is None:
            return None, {}
        if number not in self.contents:
            text = self.definitions[number]
            self.contents[number] = self.composite(text) if "{" in chr(text[text.index(b"!") + 1]) else (self.bare(text), {})
        return self.contents[number]

    def bare(self, text: bytes) -> Location:
        fields = dict(re.findall(rb"(\w+): !?(\d+)", text))
        at = fields.get(b"inlinedAt")
        return Location(
            int(fields.get(b"line", 0)), int(fields.get(b"column", 0)), self.scope(int(fields[b"scope"])), self.content(int(at))[0] if at else None
        )

    def composite(self, text: bytes) -> tuple[Location | None, Layers]:
        primary, *operands = (int(number[1:]) for number in NUMBER.findall(text))
        layers = {}
        for operand in operands:
            kind, location = sure(re.match(rb'!\{!"([^"]*)", !(\d+)\}', self.definitions[operand])).groups()
            layers[kind.decode()] = self.content(int(location))[0]
        return self.content(primary)[0], layers


def same_text(one: bytes, other: bytes) -> bool:
    return one == other or NUMBER.sub(b"!", one) == NUMBER.sub(b"!", other)


def missing_records(one: Module, other: Module, ours: list[Record], theirs: list[Record]) -> int | None:
    """How many of our records are not there in the other, at the same place, of the same text and location; None when it has others than ours."""

    def content(module: Module, line: bytes) -> tuple[Location | None, Layers]:
        return module.content(int(NUMBER.findall(line)[-1][1:]))

    def known(line: bytes) -> bytes:  # which of the two stands there changes from run to run of NewGVN
        return line.replace(b" undef,", b" poison,")

    def same(record: Record, wanted: Record) -> bool:
        return record[0] == wanted[0] and same_text(known(record[1]), known(wanted[1])) and content(one, record[1]) == content(other, wanted[1])

    met = 0
    for record in ours:
        met += met < len(theirs) and same(record, theirs[met])
    return len(ours) - met if met == len(theirs) else None


# ---- The law ---------------------------------------------------------------------------------------------------------------------------------------
# An instruction of P(M) against the same one of P(M with that channel as its only location). EQUAL, a clause of SPEC.md, which is why they
# differ and whose consequences were checked, or a string that starts with FAULT.
EQUAL, FAULT = "equal", "!"
EXCEPTIONS = {
    "merge.empty.composite": "merged with an instruction without location, a composite stays whole; a bare location is lost",
    "inline.layers": "the layer alone gets an inlinedAt, and is merged along the chain; as a layer it gets none",
    "merge.layer.divergent": "code of several functions was merged: layers have no chain to meet in",
    "merge.layer.one-sided": "the other side has no such layer: it stays as it is, where a layer alone is merged with an empty location or line 0",
    "hoist.layers": "a call that lost its location got line 0 of the function as its primary, and no layer; a layer alone becomes that line 0",
    "discriminator.layers": "the layer alone got another discriminator; as a layer it has none, or keeps its own",
    "strip.layer.file": "the file of a layer was kept when the module was stripped; a layer alone is stripped as a primary is",
}


def judge_primary(primary: Location | None, layers: Layers, alone: Location | None) -> str:
    if primary == alone:
        return EQUAL
    if alone is None and ORIGIN in layers:
        return "merge.empty.composite"
    return FAULT + "primary lost" if primary is None else FAULT + "primary differs"


def is_placeholder(location: Location) -> bool:
    """Passes give an instruction that must have a location and stands for none line 0, straight in a subprogram. No layer is like that."""
    return location.line == 0 and location.undiscriminated().scope.parent is None


def judge_records(missing: int | None, verdicts: set[str]) -> str | None:
    """A location that is kept keeps its scope in use, and so the variables in it."""
    if missing == 0:
        return None
    return "merge.empty.composite" if missing and "merge.empty.composite" in verdicts else FAULT + "records differ"


def judge_layer(primary: Location | None, layers: Layers, alone: Location | None, primary_alone: Location | None, recursive: bool, alternating: bool) -> str:
    layer, origin = layers.get(PLACE), layers.get(ORIGIN)
    if layer is None and OTHER in layers:  # a call gets line 0 in the projection, `verify.call`
        return EQUAL if alone is None or is_placeholder(alone.innermost()) else FAULT + "layer lost, another kept"
    mixed = origin is not None and origin.line == 0
    if layer is None:
        return judge_lost(primary, origin, mixed, alone, alternating)
    if layer.inlined_at or origin is None or origin.inlined_at:
        return FAULT + "layer has a chain, or no origin"
    if layer.line and not mixed and layer.line < origin.line:
        return FAULT + "layer of another function"
    if alone is None and OTHER in layers:
        return "merge.layer.one-sided"
    if alone is None:  # some passes drop locations that differ: with chains, these did
        return "inline.layers" if primary_alone else "merge.empty.composite"
    if layer == alone:
        return EQUAL
    if layer == alone.innermost():
        return "inline.layers"
    if layer.undiscriminated() in (alone.undiscriminated(), alone.undiscriminated().innermost()):
        return "discriminator.layers"
    if layer.scope.parent == alone.scope and layer.scope.parent.kind == b"DISubprogram" and dataclasses.replace(layer, scope=alone.scope) == alone:
        return "strip.layer.file"
    return judge_other(primary, layer, mixed, alone, recursive, OTHER in layers)


def alternate(text: bytes) -> bytes:
    """Every second layer of that kind gets the other name."""
    names = itertools.cycle((PLACE, OTHER))
    return re.sub(rb'= !\{!"PLACE", (!\d+)\}', lambda match: b'= !{!"%s", %s}' % (next(names).encode(), match[1]), text)


def judge_lost(primary: Location | None, origin: Location | None, mixed: bool, alone: Location | None, alternating: bool) -> str:
    if alone is None:
        return EQUAL if origin is None or mixed or not alternating or (primary and primary.line) else FAULT + "layers of both sides lost"
    if origin is not None:
        return "merge.layer.divergent" if mixed else FAULT + "layer lost, origin kept"
    if is_placeholder(alone) and primary is not None and is_placeholder(primary):
        return "hoist.layers"
    return FAULT + "layer lost"


def judge_other(primary: Location | None, layer: Location, mixed: bool, alone: Location, recursive: bool, one_sided: bool) -> str:
    if mixed:
        return "merge.layer.divergent"
    if is_placeholder(alone.innermost()) and (one_sided or (primary and primary.line == 0)):
        return "merge.layer.one-sided"
    if layer.scope.subprogram() != alone.scope.subprogram() or recursive:  # merged in an outer frame
        return "inline.layers"
    return FAULT + "layer differs"
