"""A text as `dloc browse` shows it: its language, and the regions that lines open."""

import bisect
import re
from typing import Any

# By the end of a file's name, or by what stands at the beginning of a line near the text's own.
LANGUAGES = [
    (name, re.compile(rf"\.(?:{endings})$", re.I), re.compile(start, re.M))
    for name, endings, start in (
        ("llvm", "ll|llir", r"^(?:source_filename = |; ModuleID = |define .*\{$|target triple = )"),
        ("mlir", "mlir|ttir|ttgir", r"^(?:module\b.*\{$|#\w+ = |\s*(?:module|\w+\.func) .*\{$)"),
        ("ptx", r"ptx|nv_debug_ptx_txt\.\d+", r"^\.version \d"),
        ("python", "pyi?", r"^#!.*python"),
        ("fortran", "f90|f95|f03|f08", r"^\s*end (?:program|subroutine|function)\b"),
        ("c", r"[ch]|cc|cpp|cxx|hh|hpp|hxx|cuh?|inc|ipp|tcc|m|rs|java|swift|go|zig|cl", r"^#include [<\"]"),
    )
]
STRING = r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*'
TOKENS_MLIR = re.compile(rf"{STRING}|[{{}}]", re.S)
TOKENS = re.compile(rf"\bR\"([^(\s]{{0,16}})\(.*?(?:\)\1\"|\Z)|{STRING}|'(?:\\[^'\n]{{1,10}}|[^'\\\n])'|/\*.*?(?:\*/|\Z)|[(){{}};]|^[ \t]*#[ \t]*(?:(?P<if>if)|(?P<else>el)|(?P<end>endif))?(?:[^\n\\]|\\.)*", re.S | re.M)
SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|#(?:[^\n\\]|\\.)*)*", re.S)
HEAD = 200  # lines
MOST_HEAD = 10  # lines of an op before its region
MOST_DEEP = 100  # regions in each other that are told of


def language_of(path: str, lines: list[str]) -> str:
    head = "\n".join(line[:200] for line in lines[:HEAD])
    by_name = next((name for name, ending, _ in LANGUAGES if ending.search(path)), "")
    return by_name or next((name for name, _, start in LANGUAGES if start.search(head)), "")


class Regions:
    """Lines `first` to `last` of each region, by the line that opens it; and the lines that begin inside a comment."""

    def __init__(self, language: str, lines: list[str]) -> None:
        self.found: dict[int, int] = {}
        self.comments: list[tuple[int, int]] = []
        if language == "llvm":
            self.functions(lines)
        elif language in ("python", "fortran"):
            self.indented(lines)
        elif language in ("c", "ptx", "mlir"):
            self.braces(lines, language != "mlir")

    def add(self, first: int, last: int) -> None:
        if last > first:
            self.found[first] = max(last, self.found.get(first, 0))

    def functions(self, lines: list[str]) -> None:
        first = 0
        for number, line in enumerate(lines, 1):
            if line.startswith("define "):
                first = number
            elif line.startswith("}") and first:
                self.add(first, number)
                first = 0

    def indented(self, lines: list[str]) -> None:
        """A line opens what stands behind it and farther right. One with a closing bracket goes on with the line before."""
        opened: list[tuple[int, int]] = [(-1, 0)]
        last = 0
        for number, line in enumerate([*lines, "end"], 1):
            text = line.strip()
            if not text or text[0] in "#!" and number <= len(lines):
                continue
            indent = len(line.expandtabs()) - len(line.expandtabs().lstrip())
            closes = text[0] in ")]}"
            while opened[-1][0] >= indent + closes:
                self.add(opened.pop()[1], last)
            if not closes and len(opened) <= MOST_DEEP:
                opened.append((indent, number))
            last = number

    def braces(self, lines: list[str], statements: bool) -> None:
        """A region begins where its statement does, so at the `for` above a brace; without statements at the nearest line that is no farther right than its end. Text between `#else` and
        `#endif` goes on from `#if`."""
        text = "\n".join(lines)
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        outer: Any = None  # what is around the region: (outer, first, depth, parentheses that are open)
        first = depth = parens = begin = head = closed = 0  # begin, head: of the statement, and its first parenthesis
        conditions: list[Any] = []
        for match in (TOKENS if statements else TOKENS_MLIR).finditer(text):
            token, line = match[0], bisect.bisect_right(starts, match.start())
            if token == "{":
                inside = (outer, first, depth, parens)
                first = bisect.bisect_right(starts, head or SPACE.match(text, begin).end()) if statements else line  # type: ignore[union-attr]
                if self.found.get(closed) == first:  # `} else {` ends the one above it
                    self.found[closed] = first - 1
                outer, depth, parens, begin, head = inside, depth + 1, 0, match.end(), 0
            elif token == "}" and outer:
                if depth <= MOST_DEEP:
                    self.add(first if statements else above(lines, first, line), line)
                closed, begin, head = first, match.end(), 0
                outer, first, depth, parens = outer
            elif token == "(":
                head = head or (0 if parens else match.start())
                parens += 1
            elif token == ")":
                parens = max(0, parens - 1)
            elif token == ";" and not parens:
                begin, head = match.end(), 0
            elif token.startswith("/*") and "\n" in token:
                self.comments.append((line + 1, line + token.count("\n")))
            elif match.lastgroup == "if":
                conditions.append((outer, first, depth, parens, begin, head))
            elif match.lastgroup == "else" and conditions:
                outer, first, depth, parens, begin, head = conditions[-1]
            elif match.lastgroup == "end" and conditions:
                conditions.pop()


def above(lines: list[str], first: int, last: int) -> int:
    indents = {number: len(lines[number - 1]) - len(lines[number - 1].lstrip()) for number in (*range(max(1, first - MOST_HEAD), first + 1), last)}
    return next((number for number in range(first, max(0, first - MOST_HEAD - 1), -1) if indents.get(number, 0) <= indents[last] and lines[number - 1].strip()), first)
