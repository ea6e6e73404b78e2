"""In which lines two canonical texts differ, as graphs.

Numbers of nodes say nothing: a node more at the top shifts all of them. So the second graph is numbered like the first
one before they are compared: from what is not a node on, operands of the same name are the same node.

As a script it answers each line of stdin, {"expected": TEXT, "actual": TEXT}, with the lines of the difference and a
NUL byte: `dloc check` shows them.
"""

import io
import json
import re
import sys
from collections.abc import Iterator
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

    def is_open(self, node: int) -> bool:
        return node < len(self.nodes) and node not in self.partner

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
        self.queue: list[int] = []  # nodes of expected whose operands are still to be matched
        for left, right in zip(expected.heading, actual.heading):
            self.match_lines(left, right)
        for node in self.queue:
            self.match_lines(expected.nodes[node], actual.nodes[expected.partner[node]])
        alone = [node for node in range(len(actual.nodes)) if node not in actual.partner]
        actual.partner |= {node: len(expected.nodes) + number for number, node in enumerate(alone)}

    def match_lines(self, expected: Line, actual: Line) -> None:
        """Operands of the same name are the same node; of several of one name first those that begin alike, then those
        at the same place."""
        if max(len(expected.references), len(actual.references)) <= MOST_COMPARED:
            for left in expected.references:
                self.match_first(left, actual.references, by_content=True)
        for left, right in zip(expected.references, actual.references):
            self.match_first(left, [right], by_content=False)

    def match_first(self, left: Reference, candidates: list[Reference], by_content: bool) -> None:
        if not self.expected.is_open(left.node):
            return
        for right in candidates:
            if self.actual.is_open(right.node) and left.name == right.name:
                if not by_content or self.expected.nodes[left.node].beginning == self.actual.nodes[right.node].beginning:
                    self.expected.partner[left.node] = right.node
                    self.actual.partner[right.node] = left.node
                    self.queue.append(left.node)
                    return


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
