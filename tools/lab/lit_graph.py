"""The metadata of a test file: which nodes are one, what LLVM's printer numbers them, and how they are written.

The module that a tool prints is known before the tool runs: its metadata are the nodes that the vectors expect,
numbered as LLVM's printer does. So the checks are that module, with each number replaced by a FileCheck variable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum


class Node:
    """A node of a vector: its text, with references to other nodes in it, and those in LLVM's order of operands."""

    def __init__(self, class_name: str, text: list[str | Node], operands: list[Node] | None = None, distinct: bool = False):
        self.class_name = class_name
        self.text = text
        self.operands = operands if operands is not None else self.references()
        self.distinct = distinct
        self.subprogram: Node | None = None  # the function's in which an instruction with this location stands

    def references(self) -> list[Node]:
        return [piece for piece in self.text if isinstance(piece, Node)]

    def primary(self) -> Node:
        return self.operands[0] if self.class_name == "composite" else self


class Side(IntEnum):
    INPUT = 0
    OUTPUT = 1


@dataclass(eq=False)
class Entry:
    """A node of the file: vectors with equal nodes share one."""

    node: Node
    vector: int  # the last that uses it
    variable: str = ""  # FileCheck's name for it
    bound: bool = False  # the variable has been defined in the text
    numbers: list[int | None] = field(default_factory=lambda: [None, None])  # by side; None: not in it


@dataclass(frozen=True)
class Mark:
    """Where a node stands in a text: how it is written is known when the file is complete."""

    side: Side
    entry: Entry


Text = list["str | Mark"]
Key = tuple["str | Entry", ...]  # the text of a node

FLAGS = Node("tuple", ['!{i32 2, !"Debug Info Version", i32 3}'])
STEMS = {
    "composite": "DBG",
    "DILocation": "LOC",
    "DILayerLoc": "LAYER",
    "DILayerLocList": "LIST",
    "DIFile": "FILE",
    "DICompileUnit": "CU",
    "DISubprogram": "SP",
    "DILexicalBlock": "SCOPE",
    "DILexicalBlockFile": "SCOPE",
}


def literal(text: str) -> str:
    """Any text, so that FileCheck takes it literally: two brackets or braces begin a pattern."""
    return re.sub(r"\[\[|\{\{", lambda found: "{{\\%s\\%s}}" % tuple(found[0]), text)


class Graph:
    """Nodes by content. Distinct ones are shared by vectors, but not within one."""

    def __init__(self, own_subprograms: bool, asks_directives: bool):
        self.own_subprograms = own_subprograms  # functions have them, so vectors must not share them
        self.asks_directives = asks_directives  # compile units of the input do
        self.vector = 0
        self.entries: list[Entry] = []
        self.of_node: dict[Node, Entry | None] = {}  # None: its operands are being added
        self.of_key: dict[Key, list[Entry]] = {}
        self.roots: tuple[list[Entry], list[Entry]] = ([], [])  # by side, in the order in which they are met
        self.order: tuple[list[Entry], list[Entry]] = ([], [])  # by side and number
        self.named: Text = []  # other named metadata of the input
        self.flags: Entry  # the operand of !llvm.module.flags

    # ---- Nodes ----

    def new_entry(self, node: Node) -> Entry:
        entry = self.of_node[node] = Entry(node, self.vector)
        self.entries.append(entry)
        return entry

    def entry_of(self, node: Node) -> Entry:
        entry = self.of_node[node]
        assert entry
        return entry

    def key_of(self, node: Node) -> Key:
        """The text with entries for nodes. A node whose operands are being added is part of a cycle: it becomes an
        entry at once, and is not shared."""
        return tuple(
            (self.of_node[piece] or self.new_entry(piece)) if isinstance(piece, Node) else piece for piece in node.text
        )

    def may_share(self, found: Entry, side: Side) -> bool:
        if not found.node.distinct:
            return True
        if side == Side.OUTPUT or found.vector == self.vector:
            return False
        return not (self.own_subprograms and found.node.class_name == "DISubprogram")

    def add(self, node: Node, side: Side) -> Entry:
        """The entry of a node. In the output, a distinct node that is not in the input is new."""
        self.of_node[node] = None
        for operand in node.operands:
            if operand not in self.of_node:
                self.add(operand, side)
        key = self.key_of(node)
        entry = self.of_node[node]
        if entry:
            return entry
        entry = next((found for found in self.of_key.get(key, []) if self.may_share(found, side)), None)
        if entry:
            self.of_node[node] = entry
        else:
            entry = self.new_entry(node)
            self.of_key.setdefault(key, []).append(entry)
        entry.vector = self.vector
        return entry

    def mark(self, node: Node, side: Side) -> Mark:
        """A reference to a node, which becomes the next root of that side."""
        entry = self.of_node.get(node) or self.add(node, side)
        self.roots[side].append(entry)
        return Mark(side, entry)

    # ---- Numbers ----

    def number_entry(self, entry: Entry, side: Side) -> None:
        """Depth first, a node before its operands: as LLVM's SlotTracker does."""
        if entry.numbers[side] is not None:
            return
        entry.numbers[side] = len(self.order[side])
        self.order[side].append(entry)
        for operand in entry.node.operands:
            self.number_entry(self.entry_of(operand), side)

    def stem(self, entry: Entry) -> str:
        """The beginning of a variable's name."""
        if entry is self.flags:
            return "FLAGS"
        node = entry.node
        if node.class_name == "tuple" and isinstance(node.text[0], str) and node.text[0].startswith('!{!"'):
            return "LAYER"
        return STEMS.get(node.class_name, "NODE")

    def number(self) -> None:
        """Give every node its number on both sides, and its variable. Operands of named metadata come first."""
        self.flags = self.of_node.get(FLAGS) or self.add(FLAGS, Side.INPUT)
        for side in Side:
            units = [entry for entry in self.entries if entry.node.class_name == "DICompileUnit"]
            for entry in units + [self.flags] + self.roots[side]:
                self.number_entry(entry, side)
        counts: dict[str, int] = {}
        for entry in self.order[Side.OUTPUT]:
            stem = self.stem(entry)
            counts[stem] = counts.get(stem, 0) + 1
            entry.variable = f"{stem}{counts[stem]}"

    # ---- Text ----

    def render(self, text: Text) -> str:
        """The text with `!7` for marks of the input and variables for those of the output. To be done once."""
        return "".join(piece if isinstance(piece, str) else self.render_mark(piece) for piece in text)

    @staticmethod
    def render_mark(mark: Mark) -> str:
        entry = mark.entry
        if mark.side == Side.INPUT:
            return f"!{entry.numbers[Side.INPUT]}"
        bound, entry.bound = entry.bound, True
        return f"[[{entry.variable}]]" if bound else f"[[{entry.variable}:![0-9]+]]"

    def definition(self, entry: Entry, side: Side) -> Text:
        node = entry.node
        is_unit = node.class_name == "DICompileUnit"
        if is_unit and side == Side.OUTPUT:
            return self.unit_check(node)
        text: Text = []
        for piece in node.text:
            if isinstance(piece, Node):
                text.append(Mark(side, self.entry_of(piece)))
            else:
                text.append(literal(piece) if side == Side.OUTPUT else piece)
        if is_unit and self.asks_directives and not self.has_field(node, "emissionKind"):
            text += [str(text.pop())[:-1], ", emissionKind: DebugDirectivesOnly)"]
        return text

    @staticmethod
    def has_field(node: Node, name: str) -> bool:
        outside_strings = re.sub('"[^"]*"', "", "".join(piece for piece in node.text if isinstance(piece, str)))
        return f"{name}: " in outside_strings

    def unit_check(self, unit: Node) -> Text:
        """LLVM prints some fields of a unit whatever they hold."""
        text: Text = ["distinct !DICompileUnit({{.*}}"]
        for before, piece in zip(unit.text, unit.text[1:]):
            if isinstance(piece, Node) and isinstance(before, str) and before.endswith(("(file: ", ", file: ")):
                text += ["file: ", Mark(Side.OUTPUT, self.entry_of(piece)), ", {{.*}}"]
        return text + [")"]

    def metadata(self, side: Side) -> Text:
        """`!7 = ...` for every node of the input; or a check for every one of the output."""
        first, following = ("; CHECK: ", "; CHECK-NEXT: ") if side == Side.OUTPUT else ("", "")
        text: Text = [f"\n{first}!llvm.dbg.cu = !{{"]
        units = [entry for entry in self.order[side] if entry.node.class_name == "DICompileUnit"]
        for i, entry in enumerate(units):
            text += [", " if i else "", Mark(side, entry)]
        text += [f"}}\n{following}!llvm.module.flags = !{{", Mark(side, self.flags), "}\n"]
        text += self.named if side == Side.INPUT else ["\n"]
        for i, entry in enumerate(self.order[side]):
            text += [following if i else first, Mark(side, entry), " = ", *self.definition(entry, side), "\n"]
        return text
