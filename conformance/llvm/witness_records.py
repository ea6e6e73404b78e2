"""The answers of a stock LLVM to records of bitcode (op decode); see witnesses.py.

A module of bitcode is written by hand, with the vector's records, and llvm-dis reads it. The nodes that the records name are tuples with a name. Values that a stock LLVM does not know
stand in places where it knows the like, in a record of their own behind all others, as a number means the same wherever it stands:
- the list of a LOCATION or DEBUG_LOC, a number plus 1, as the inlinedAt of a location; the values before it as the whole record;
- a LAYERLOC as a LOCATION, whose first four values are the same: distinct, line, column, and the number of a node; the kind, a number, as the scope of a location;
- a LAYERLOCLIST as a GenericDINode, which has its distinct, and its operands as numbers plus 1.
A DEBUG_LOC without an atom is asked with all its values, as LLVM passes over those behind the atom. Vectors about a wrong number of values of LAYERLOC and LAYERLOCLIST, or
of more values of a LOCATION than are known, are not asked."""
import os
import re
import subprocess
from typing import Any

Vector = dict[str, Any]
Record = tuple[int, list[int]]
MODULE, TYPES, METADATA, FUNCTION, CONSTANTS = 8, 17, 15, 12, 11
STRING, VALUE, NODE, NAME, LOCATION, NAMED, GENERIC = 1, 2, 3, 4, 7, 10, 12
DEBUG_LOC = 35
FENCE: Record = (36, [4, 1])
RETURN: Record = (10, [])
OF_LOCATION, OF_DEBUG_LOC = 8, 7  # values that LLVM 22 knows


class Bits:
    """A bitstream without abbreviations, whose blocks all have numbers of three bits."""

    def __init__(self) -> None:
        self.number, self.size = 0, 0

    def put(self, value: int, width: int) -> None:
        self.number |= value << self.size
        self.size += width

    def variable(self, value: int, width: int) -> None:
        step = width - 1
        while value >> step:
            self.put(value & (1 << step) - 1 | 1 << step, width)
            value >>= step
        self.put(value, width)

    def align(self) -> None:
        self.size += -self.size % 32

    def record(self, code: int, values: list[int]) -> None:
        self.put(3, 3)
        for value in (code, len(values), *values):
            self.variable(value, 6)

    def block(self, id: int, parts: list[Any], outer: int = 3) -> None:
        """Parts are records, and blocks as (id, [parts])."""
        self.put(1, outer)
        self.variable(id, 8)
        self.variable(3, 4)
        self.align()
        start = self.size + 32
        inner = Bits()
        for part in parts:
            if isinstance(part, Block):
                inner.block(part.id, part.parts)
            else:
                inner.record(*part)
        inner.put(0, 3)
        inner.align()
        self.put(inner.size // 32, 32)
        self.number |= inner.number << start
        self.size = start + inner.size

    def bytes(self) -> bytes:
        return self.number.to_bytes(self.size // 8, "little")


class Block:
    def __init__(self, id: int, parts: list[Any]) -> None:
        self.id, self.parts = id, parts


def text(word: str) -> list[int]:
    return list(word.encode())


class Question:
    """The records of a vector for a stock LLVM."""

    def __init__(self, args: dict[str, Any]) -> None:
        self.metadata: list[Record] = []
        self.constants: list[int] = []
        self.code: list[Record] = []
        self.results: list[tuple[str, int, list[int]]] = []  # kind of record, number of the node or the instruction, numbers of further questions
        self.further: list[Record] = []
        strings = [item for item in args["metadata"] if isinstance(item, str)]
        self.names = dict(enumerate(strings))
        # A tuple needs its name; names of nodes stand behind all nodes that have numbers.
        self.places = len(args["metadata"]) + sum("DEBUG_LOC" not in record for record in args["records"])
        for item in args["metadata"]:
            self.item(item, strings)
        for record in args["records"]:
            (kind, values), = record.items()
            self.ask(kind, list(map(int, values)))
        count = len(self.metadata)
        self.metadata += [(STRING, text(name)) for name in strings]
        assert count == self.places
        self.behind = count + len(strings)
        self.metadata += self.further
        for number in range(count):
            if self.metadata[number][0] in (NODE, LOCATION, GENERIC):
                self.metadata += [(NAME, text(f"n{number}")), (NAMED, [number])]
        for number in range(len(self.further)):
            self.metadata += [(NAME, text(f"q{number}")), (NAMED, [self.behind + number])]

    def item(self, item: Any, strings: list[str]) -> None:
        if isinstance(item, str):
            self.metadata.append((NODE, [self.places + strings.index(item) + 1]))
        elif "string" in item:
            self.metadata.append((STRING, text(item["string"])))
        else:
            self.constants.append(int(re.fullmatch(r"i32 (\d+)", item["constant"])[1]))  # type: ignore[index]
            self.metadata.append((VALUE, [2, len(self.constants)]))  # behind the function, the value 0

    def probe(self, scope: int, inlined_at: int) -> list[int]:
        self.further.append((LOCATION, [1, len(self.further) + 1, 0, scope, inlined_at]))
        return [len(self.further) - 1]

    def ask(self, kind: str, values: list[int]) -> None:
        if kind == "DEBUG_LOC":
            self.results.append((kind, len(self.code) // 2, self.probe(0, values[OF_DEBUG_LOC]) if len(values) > OF_DEBUG_LOC else []))
            self.code += [FENCE, (DEBUG_LOC, values[:OF_DEBUG_LOC] if any(values[OF_DEBUG_LOC - 2:OF_DEBUG_LOC]) else values)]
            return
        number, probes = len(self.metadata), []
        if kind == "LOCATION" and len(values) <= OF_LOCATION + 1:
            probes = self.probe(0, values[OF_LOCATION]) if len(values) > OF_LOCATION else []
            self.metadata.append((LOCATION, values[:OF_LOCATION]))
        elif kind == "LAYERLOC" and len(values) == 5:
            probes = self.probe(values[4], 0)
            self.metadata.append((LOCATION, [*values[:4], 0]))
        elif kind == "LAYERLOCLIST" and values:
            self.metadata.append((GENERIC, [values[0], 1, 0, 0, *values[1:]]))
        else:
            raise ValueError(kind)
        self.results.append((kind, number, probes))

    def module(self) -> bytes:
        bits = Bits()
        bits.put(0xdec04342, 32)
        types = Block(TYPES, [(1, [3]), (2, []), (21, [0, 0]), (7, [32])])  # void, void(), i32
        constants = [Block(CONSTANTS, [(1, [2]), *((4, [value << 1]) for value in self.constants)])] if self.constants else []
        body = Block(FUNCTION, [(1, [1]), *self.code, RETURN])
        bits.block(MODULE, [(1, [1]), types, (8, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), *constants, Block(METADATA, self.metadata), body], 2)
        return bits.bytes()


FIELD = re.compile(r'(\w+): (\{[^}]*\}|"[^"]*"|![^,)]+|[^,)]+)')


def node(line: str, names: dict[str, Any]) -> Any:
    """A node as llvm-dis shows it: the name of a tuple, or its fields, with references as nodes."""
    if line == "null":
        return None
    if found := re.fullmatch(r'!"(.*)"', line):
        return {"string": found[1]}
    if re.fullmatch(r"i32 \d+", line):
        return {"constant": line}
    found = re.fullmatch(r"(distinct )?!(\w*)(?:\((.*)\)|\{(.*)\})?", line)
    if not found:
        raise ValueError(line)
    if found[3] is None and found[4] is None:
        return node(names[line], names)
    if found[3] is None:
        return node(found[4], names)["string"]
    fields = {key: value for key, value in FIELD.findall(found[3])}
    operands = [node(part, names) for part in fields["operands"][1:-1].split(", ")] if "operands" in fields else []
    return {"class": found[2], "distinct": bool(found[1]), "operands": operands,
            **{key: node(value, names) if value.startswith("!") else value for key, value in fields.items() if key != "operands"}}


def location(told: dict[str, Any]) -> dict[str, Any]:
    """A location as a vector has it, its references as they are."""
    numbers = {key: int(told[key]) for key in ("line", "column", "atomGroup", "atomRank") if int(told.get(key, 0))}
    return {"node": "DILocation", **({"distinct": True} if told["distinct"] else {}), **numbers, "scope": told["scope"], **({"inlinedAt": told["inlinedAt"]} if "inlinedAt" in told else {}),
            **({"isImplicitCode": True} if told.get("isImplicitCode") == "true" else {})}


def answered(question: Question, shown: str) -> list[Any]:
    """The results, as nodes with nodes in them."""
    nodes = dict(re.findall(r"^(!\d+) = (.*)$", shown, re.MULTILINE))
    named = dict(re.findall(r"^!([nq]\d+) = !\{(.*)\}$", shown, re.MULTILINE))
    code = re.findall(r"^  fence \w+(?:, !dbg (!\d+))?$", shown, re.MULTILINE)
    kinds = {number: (kind, probes) for kind, number, probes in question.results if kind != "DEBUG_LOC"}

    def made(kind: str, told: Any, probes: list[int]) -> Any:
        if not isinstance(told, dict) or "class" not in told:
            return told
        if kind == "LAYERLOCLIST":
            return {"node": "DILayerLocList", **({"distinct": True} if told["distinct"] else {}), "operands": list(map(whole, told["operands"]))}
        asked = [node(named[f"q{probe}"], nodes) for probe in probes]
        if kind == "LAYERLOC":
            word = asked[0]["scope"]
            if not isinstance(word, dict) or "string" not in word:
                raise ValueError("no string is the kind")
            place = {key: part for key, part in location(told).items() if key != "scope"}
            return {**place, "node": "DILayerLoc", "file": told["scope"], "kind": word["string"]}
        result = {key: whole(part) for key, part in location(told).items()}
        return {**result, **({"irlayers": whole(asked[0]["inlinedAt"])} if asked and "inlinedAt" in asked[0] else {})}

    whole_of = {repr(node(named[f"n{number}"], nodes)): number for number in kinds}

    def whole(told: Any) -> Any:
        number = whole_of.get(repr(told))
        return told if number is None else made(kinds[number][0], told, kinds[number][1])

    return [made(kind, node(code[number] if kind == "DEBUG_LOC" else named[f"n{number}"], nodes), probes) for kind, number, probes in question.results]


def wanted(vector: Vector) -> list[Any]:
    """The results that the vector expects, in the same form: nodes of the input by name."""
    value = vector["expect"]["value"]
    new = value.get("nodes", {})

    def of(part: Any) -> Any:
        if isinstance(part, str) and part in new:
            return {key: of(inner) if key in ("scope", "inlinedAt", "irlayers", "file", "operands") else int(inner) if str(inner).isdigit() and not isinstance(inner, bool) else inner
                    for key, inner in new[part].items()}
        return list(map(of, part)) if isinstance(part, list) else part
    return [of(result) for result in value["results"]]


def read_decode(vector: Vector, release: int, folder: str) -> bool:
    try:
        question = Question(vector["args"])
    except ValueError:
        return False
    path = os.path.join(folder, "records.bc")
    with open(path, "wb") as file:
        file.write(question.module())
    done = subprocess.run([f"/usr/lib/llvm-{release}/bin/llvm-dis", "-disable-auto-upgrade-debug-info", "-o", "-", path], capture_output=True, text=True, errors="replace", timeout=20, check=False)
    if vector["expect"]["outcome"] == "reject":
        return done.returncode == 1 and "error: Invalid record" in done.stderr and bool(vector["expect"]["reason"] == "bitcode.record")
    try:
        return done.returncode == 0 and answered(question, done.stdout) == wanted(vector)
    except (ValueError, KeyError, TypeError, IndexError):
        return False
