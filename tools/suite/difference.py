"""In which lines two canonical texts differ, as graphs.

Numbers of nodes say nothing: a node more at the top shifts all of them. So the second graph is numbered like the first
one before they are compared. Nodes that look alike, with all that they refer to, are the same node; from what is not a
node on, other operands of the same name are.

As a script it answers each line of stdin, {"expected": TEXT, "actual": TEXT}, with the lines of the difference and a
NUL byte: `dloc check` shows them.
"""

import io
import json
import re
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

# After so many operands of a line only their place counts; a line is looked for so many lines ahead.
MOST_COMPARED, MOST_AHEAD = 256, 1000
CONTEXT = 2  # lines that both texts have, shown around a difference

# `!12`, text in quotes, or what a name begins behind.
PART = re.compile(r'(?P<reference>![0-9]{1,9})|(?P<quoted>"[^"]*"?)|(?P<before>, ?|[({])')


@dataclass
class Reference:
    node: int
    start: int
    end: int
    name: str  # what stands before it since the last comma or bracket: "scope: "; of an operand of a tuple: empty


@dataclass
class Line:
    text: str
    references: list[Reference] = field(default_factory=list)  # that of a node begins with its own number

    def __post_init__(self) -> None:
        name = 0
        for part in PART.finditer(self.text):
            if part["reference"]:
                start, end = part.span()
                self.references.append(Reference(int(part[0][1:]), start, end, self.text[name:start]))
            if not part["quoted"]:
                name = part.end()

    def defines(self, node: int) -> bool:
        own = self.references[:1]
        return bool(own) and own[0].start == 0 and own[0].node == node and self.text.startswith(" = ", own[0].end)

    @property
    def looks(self) -> tuple[str, ...]:
        """The text of a node around its operands."""
        ends = [*(reference.start for reference in self.references[1:]), len(self.text)]
        return tuple(self.text[reference.end : end] for reference, end in zip(self.references, ends))

    @property
    def beginning(self) -> str:
        """The text of a node before its first operand: a layer's kind, a location's line and column."""
        end = self.references[1].start if len(self.references) > 1 else None
        return self.text[self.references[0].end : end]


class Graph:
    """A canonical text: lines that may refer to nodes, and behind them those that define node 0, 1, ... in this order."""

    def __init__(self, text: str):
        lines = [Line(line) for line in text.removesuffix("\n").split("\n")] if text else []
        first = next((number for number, line in enumerate(lines) if line.defines(0)), len(lines))
        if not all(line.defines(number) for number, line in enumerate(lines[first:])):
            first = len(lines)  # no canonical text: one without nodes
        self.heading, self.nodes = lines[:first], lines[first:]
        self.partner: dict[int, int] = {}  # the number of a node in the other graph
        self.colours: dict[int, int] = {}  # nodes of one colour look alike, and so do their operands, in both graphs

    def is_open(self, node: int) -> bool:
        return node < len(self.nodes) and node not in self.partner

    def colour(self, colours: dict[tuple[object, ...], int]) -> None:
        """Nodes look alike if their texts do and their operands have the same colours: operands first. Within a cycle
        the node that is met first is the last one, and has the colour -1 until then."""
        known = self.colours
        for first in range(len(self.nodes)):
            open_nodes = [first]
            while open_nodes:
                node = self.nodes[open_nodes[-1]]
                number, *operands = (reference.node for reference in node.references)
                if number not in known:
                    known[number] = -1
                    open_nodes += (other for other in operands if other < len(self.nodes) and other not in known)
                    continue
                open_nodes.pop()
                if known[number] == -1:
                    looks = (node.looks, *(known.get(other, -1) for other in operands))
                    known[number] = colours.setdefault(looks, len(colours))

    def renumbered(self, line: Line) -> str:
        parts: list[str] = []
        done = 0
        for reference in line.references:
            parts += line.text[done : reference.start], f"!{self.partner.get(reference.node, reference.node)}"
            done = reference.end
        return "".join(parts) + line.text[done:]


class Matching:
    """Which node is which. Nodes that only the second graph has get the numbers after the first graph's."""

    def __init__(self, expected: Graph, actual: Graph):
        self.expected, self.actual = expected, actual
        colours: dict[tuple[object, ...], int] = {}
        expected.colour(colours)
        actual.colour(colours)
        self.common = set(expected.colours.values()) & set(actual.colours.values())
        self.pairs = list(zip(expected.heading, actual.heading))  # of lines whose operands are matched
        self.match_operands()
        self.match_colours()
        self.common = set()
        self.match_operands()
        alone = [node for node in range(len(actual.nodes)) if node not in actual.partner]
        actual.partner |= {node: len(expected.nodes) + number for number, node in enumerate(alone)}

    def match(self, left: int, right: int) -> None:
        self.expected.partner[left] = right
        self.actual.partner[right] = left
        self.pairs.append((self.expected.nodes[left], self.actual.nodes[right]))

    def match_operands(self) -> None:
        for left, right in self.pairs:  # which grows
            self.match_lines(left, right)

    def match_colours(self) -> None:
        """Nodes that stand at other places in both graphs, such as the primary of a composite against a bare location."""
        others: defaultdict[int, deque[int]] = defaultdict(deque)
        for node in filter(self.actual.is_open, range(len(self.actual.nodes))):
            others[self.actual.colours[node]].append(node)
        for node in filter(self.expected.is_open, range(len(self.expected.nodes))):
            if others[self.expected.colours[node]]:
                self.match(node, others[self.expected.colours[node]].popleft())

    def match_lines(self, expected: Line, actual: Line) -> None:
        """Operands of the same name are the same node; of several of one name first those that look alike, then those
        that begin alike, then those at the same place."""
        if max(len(expected.references), len(actual.references)) <= MOST_COMPARED:
            for fits in self.look_alike, self.begin_alike:
                for left in expected.references:
                    self.match_first(left, actual.references, fits)
        for left, right in zip(expected.references, actual.references):
            self.match_first(left, [right], self.may_be_same)

    def match_first(self, left: Reference, candidates: list[Reference], fits: Callable[[int, int], bool]) -> None:
        for right in candidates:
            if not self.expected.is_open(left.node):
                return
            if self.actual.is_open(right.node) and left.name == right.name and fits(left.node, right.node):
                self.match(left.node, right.node)

    def look_alike(self, left: int, right: int) -> bool:
        return self.expected.colours[left] == self.actual.colours[right]

    def may_be_same(self, left: int, right: int) -> bool:
        """Neither looks like another node of the other graph."""
        return not self.common & {self.expected.colours[left], self.actual.colours[right]}

    def begin_alike(self, left: int, right: int) -> bool:
        return self.may_be_same(left, right) and self.expected.nodes[left].beginning == self.actual.nodes[right].beginning


def tell_heading(expected: list[Line], actual: list[str]) -> Iterator[str]:
    position = 0
    for line in expected:
        try:
            same = actual.index(line.text, position, position + MOST_AHEAD)
        except ValueError:
            yield "-" + line.text
            continue
        yield from ("+" + text for text in actual[position:same])
        yield " " + line.text
        position = same + 1
    yield from ("+" + text for text in actual[position:])


def difference(expected: str, actual: str) -> Iterator[str]:
    """Lines, each behind a blank (in both texts), `-` (in the first) or `+`. Lines of the second text have the first
    one's numbers; nodes that are only in the second have new numbers. A text that is no such graph is told as it is."""
    left, right = Graph(expected), Graph(actual)
    Matching(left, right)
    yield from tell_heading(left.heading, [right.renumbered(line) for line in right.heading])
    others = [right.renumbered(line) for line in right.nodes]
    for number, line in enumerate(left.nodes):
        partner = left.partner.get(number)
        same = partner is not None and others[partner] == line.text
        yield (" " if same else "-") + line.text
        if not same and partner is not None:
            yield "+" + others[partner]
    yield from ("+" + text for number, text in enumerate(others) if right.partner[number] >= len(left.nodes))


def shortened(lines: list[str]) -> Iterator[str]:
    """Without the lines that both texts have, but for a few around the others; nothing stands for a single line."""
    shown = {near for number, line in enumerate(lines) if line[0] != " " for near in range(number - CONTEXT, number + CONTEXT + 1)}
    ends = {-1, len(lines)} | shown
    shown |= {number for number in range(len(lines)) if {number - 1, number + 1} <= ends}
    for number, line in enumerate(lines):
        if number in shown:
            yield line
        elif number == 0 or number - 1 in shown:
            yield " ..."


def main() -> None:
    assert isinstance(sys.stdout, io.TextIOWrapper)
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sys.stdin.buffer:
        texts = json.loads(line)
        for told in shortened(list(difference(texts["expected"], texts["actual"]))):
            print(f"    {told[0]} {told[1:]}")
        print(end="\0", flush=True)


if __name__ == "__main__":
    main()
