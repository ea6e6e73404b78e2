"""A real MLIR as a witness of the vectors of the op `mlir`; see witnesses.py.

Primaries: mlir-opt reads the text with each tagged location written as `unknown`, and it reads the text that the vector expects. It has to print the same locations.
Layers: a kind's layer is asked as if it were the primary. Every place outside the kind's tagged locations is written as `unknown`, and mlir-translate makes a
DILocation of the rest: it joins what is fused, and it takes the callee of a call site. It does not tell files, so that what has two of them is not confirmed.
Columns: `snapshots_count_from_0` asks mlir-opt how a snapshot counts them."""
import os
import re
import subprocess
from typing import Any

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|loc\b|[a-z]+\b|#[\w.$-]+|\d+|[()\[\]<>,:]|.)', re.DOTALL)
PLACE = re.compile(r'("(?:[^"\\]|\\.)*"):(\d+)(?::(\d+))?( to (?:\d+)?:\d+)?')
Tree = tuple[str, Any, list[Any]]  # what it is, its text, its parts
UNKNOWN: Tree = ("unknown", "unknown", [])


class Broken(Exception):
    """A text that this reader or MLIR does not read."""


class Reader:
    """One location, from a place in a text."""

    def __init__(self, text: str, at: int, aliases: dict[str, str], open_aliases: tuple[str, ...] = ()) -> None:
        self.text, self.at, self.aliases, self.open = text, at, aliases, open_aliases

    def peek(self, word: str) -> bool:
        return self.text[self.at:].lstrip().startswith(word)

    def take(self, word: str) -> None:
        if not self.peek(word):
            raise Broken(f"{word} is missing: {self.text[self.at:]}")
        self.at = self.text.index(word, self.at) + len(word)

    def metadata(self) -> str:
        """The text within angles; an arrow is none."""
        start, depth = self.at, 0
        while True:
            token = TOKEN.match(self.text.replace("->", "--"), self.at)
            if not token:
                raise Broken("angles have no end")
            self.at = token.end()
            depth += {"<": 1, ">": -1}.get(token[1], 0)
            if depth == 0:
                return self.text[start:self.at]

    def parts(self, end: str) -> list[Tree]:
        found = []
        while not self.peek(end):
            found.append(self.location())
            if self.peek(","):
                self.take(",")
        self.take(end)
        return found

    def location(self) -> Tree:
        self.at += len(self.text[self.at:]) - len(self.text[self.at:].lstrip())
        rest = self.text[self.at:]
        if place := PLACE.match(rest):
            self.at += place.end()
            return ("place", place[0], [])
        if rest.startswith("unknown"):
            self.take("unknown")
            return UNKNOWN
        if rest.startswith("fused"):
            self.take("fused")
            metadata = self.metadata() if self.peek("<") else ""
            self.take("[")
            return ("fused", metadata, self.parts("]"))
        if rest.startswith("callsite"):
            self.take("callsite")
            self.take("(")
            callee = self.location()
            self.take("at")
            caller = self.location()
            self.take(")")
            return ("callsite", "", [callee, caller])
        if alias := re.match(r"#[\w.$-]+", rest):
            return self.alias(alias[0])
        if name := re.match(r'"(?:[^"\\]|\\.)*"', rest):
            self.at += name.end()
            if not self.peek("("):
                return ("name", name[0], [])
            self.take("(")
            return ("name", name[0], self.parts(")"))
        raise Broken(rest)

    def alias(self, name: str) -> Tree:
        self.at += len(name)
        definition = self.aliases.get(name)
        if definition is None or name in self.open:
            raise Broken(f"{name} is not defined")
        if not definition.startswith("loc("):
            return ("dialect", definition, [])
        return Reader(definition, 4, self.aliases, (*self.open, name)).location()


def code_of(text: str) -> str:
    """The text with strings and comments blanked, of the same length."""
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', lambda found: " " * len(found[0]), text)


def trees(text: str) -> list[tuple[int, int, Tree]]:
    """Each `loc(...)` of a text: where what is inside begins and ends, and its tree."""
    aliases = {found[1]: text[found.end():text.find("\n", found.end())] for found in re.finditer(r"^(#[\w.$-]+) = ", text, re.MULTILINE)}
    result = []
    for found in re.finditer(r"(?<![\w.$@%-])loc\(", code_of(text)):
        reader = Reader(text, found.end(), aliases)
        tree = reader.location()
        result.append((found.end(), reader.at, tree))
    return result


def is_tagged(tree: Tree, tags: list[str]) -> bool:
    return tree[0] == "name" and tree[1][1:-1] in tags and bool(tree[2]) and tree[2] != [UNKNOWN]


def written(tree: Tree, parts: list[str]) -> str:
    what, text, _ = tree
    if what == "fused":
        return f"fused{text}[{', '.join(parts)}]"
    if what == "callsite":
        return f"callsite({parts[0]} at {parts[1]})"
    return f"{text}({parts[0]})" if parts else str(text)


def without_tagged(tree: Tree, tags: list[str]) -> str:
    """The tree with each tagged location as `unknown`."""
    return "unknown" if is_tagged(tree, tags) else written(tree, [without_tagged(part, tags) for part in tree[2]])


def only(tree: Tree, kind: str, tags: list[str], within: bool = False) -> str:
    """The tree with each place outside the kind's tagged locations as `unknown`; a place counts its columns from 1."""
    if tree[0] == "place":
        found = PLACE.match(tree[1])
        assert found
        return f"{found[1]}:{found[2]}:{int(found[3] or 0) + 1}" if within else "unknown"
    if not tree[2] and tree[0] in ("name", "dialect") or not within and is_tagged(tree, tags) and tree[1] != f'"{kind}"':
        return "unknown"
    parts = [only(part, kind, tags, within or is_tagged(tree, tags)) for part in tree[2]]
    if not within and not is_tagged(tree, tags) and set(parts) == {"unknown"}:
        return "unknown"
    if tree[0] == "callsite":
        return f"callsite(fused<#f>[{parts[0]}] at {parts[1]})"  # a callee has a function of its own
    return written(("fused", "", []) if tree[0] == "fused" else tree, parts)


def kinds(tree: Tree, tags: list[str]) -> list[str]:
    """The kinds of tagged locations, in the order in which they come first."""
    return [tree[1][1:-1]] if is_tagged(tree, tags) else list(dict.fromkeys(sum((kinds(part, tags) for part in tree[2]), [])))


def call(release: int, tool: str, text: str, *options: str) -> str:
    done = subprocess.run([f"/usr/lib/llvm-{release}/bin/{tool}", *options], input=text, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise Broken(done.stderr)
    return done.stdout


def opt(release: int, text: str, *options: str) -> str:
    return call(release, "mlir-opt", text, "--allow-unregistered-dialect", *options)


def with_locations(release: int, text: str) -> str:
    return opt(release, text, "--mlir-print-debuginfo", "--mlir-print-local-scope")


HEAD = """#file = #llvm.di_file<"f.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#type = #llvm.di_subroutine_type<>
#f = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 1, subprogramFlags = "Definition", type = #type>
llvm.func @g() loc(unknown)
llvm.func @f() {
"""


def places(release: int, locations: list[str]) -> list[tuple[int, int] | None]:
    """Line and column that mlir-translate gives an instruction of each location."""
    calls = "".join(f"llvm.call @g() : () -> () loc({location})\n" for location in locations)
    text = call(release, "mlir-translate", HEAD + calls + 'llvm.return loc(unknown)\n} loc(fused<#f>["f.c":1:1])\n', "--mlir-to-llvmir")
    node = {found[1]: (int(found[2]), int(found[3] or 0)) for found in re.finditer(r"^(!\d+) = !DILocation\(line: (\d+),(?: column: (\d+),)?", text, re.MULTILINE)}
    return [node[found[1]] if found[1] else None for found in re.finditer(r"call void @g\(\)(?:, !dbg (!\d+))?", text)]


def layers(release: int, tree: Tree, tags: list[str]) -> list[dict[str, Any]]:
    names = kinds(tree, tags)
    masked = [only(tree, kind, tags) for kind in names]
    found = []
    for kind, text, place in zip(names, masked, places(release, masked) if masked else []):
        files = set(re.findall(r'"([^"]*)":\d+:', text))
        if place and len(files) > 1:
            raise Broken("mlir-translate does not tell files")
        if place:
            found.append({"kind": kind, "file": files.pop(), "line": place[0], "column": place[1]})
    return found


def snapshots_count_from_0(release: int, folder: str) -> bool:
    """Is the first column of a file 0 to --snapshot-op-locations?"""
    path = os.path.join(folder, "snapshot.mlir")
    text = opt(release, '"op"() : () -> ()\n', f"--snapshot-op-locations=filename={path} tag=scf", "--mlir-print-debuginfo", "--mlir-print-local-scope")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    found = re.search(r'"op"\(\) : .*"scf"\(".*":(\d+):(\d+)\)', text)
    return bool(found) and lines[int(found[1]) - 1].index('"op"') == int(found[2])  # type: ignore[index]


def is_rejected(release: int, text: str) -> bool:
    try:
        with_locations(release, text)
    except Broken as error:
        return bool(re.search("undefined symbol alias|location alias was never defined", str(error)))
    return False


def same_primaries(release: int, text: str, primary: str, tags: list[str]) -> bool:
    for start, end, tree in reversed(trees(text)):
        text = text[:start] + without_tagged(tree, tags) + text[end:]
    return with_locations(release, text) == with_locations(release, primary)


def same_numbers(release: int, text: str, value: dict[str, Any], tags: list[str]) -> bool:
    """Each location that became a number has the layers of that number, and its metadata; numbers count up from 1."""
    met, wanted = [], trees(value["text"])
    for (_, _, tree), (start, _, number) in zip(trees(text), wanted, strict=True):
        shown = None if value["text"][start] == "#" else re.search(r'"dloc":(\d+):0', written_whole(number))
        if shown and layers(release, tree, tags) != value["numbers"][int(shown[1]) - 1]:
            return False
        if shown:
            met.append(int(shown[1]))
        primary = with_locations(release, f'"op"() : () -> () loc({without_tagged(tree, tags)})\n')
        head = re.search(r"loc\((fused<.*>\[)?", primary)
        if shown and written_whole(number) != ((head[1] or "") if head else "") + shown[0] + ("]" if head and head[1] else ""):
            return False
    distinct = [number for at, number in enumerate(value["numbers"]) if number not in value["numbers"][:at]]
    return list(dict.fromkeys(met)) == list(range(1, len(value["numbers"]) + 1)) and distinct == value["numbers"] and opt(release, text) == opt(release, value["text"])


def written_whole(tree: Tree) -> str:
    return written(tree, [written_whole(part) for part in tree[2]])


def has_idle_alias(text: str) -> bool:
    """Is there an alias that nothing uses? MLIR does not print it."""
    return any(len(re.findall(re.escape(name) + r"(?![\w.$-])", text)) == 1 for name in re.findall(r"^(#[\w.$-]+) = ", text, re.MULTILINE))


def read_mlir(vector: dict[str, Any], release: int, folder: str) -> bool:
    args, expect, counted = vector["args"], vector["expect"], snapshots_count_from_0(release, folder)
    text, tags = args.get("text", args.get("ids")), args.get("tags", [])
    if not counted or set(args) - {"text", "ids", "tags"}:
        return False
    if expect["outcome"] == "reject":
        return expect.get("reason") == "text.undefined" and is_rejected(release, text)
    value = expect["value"]
    if has_idle_alias(value.get("text", value.get("primary"))):
        return False
    try:
        if "ids" in args:
            return set(value) == {"text", "numbers"} and same_numbers(release, text, value, tags)
        return (set(value) == {"primary", "locations"} and same_primaries(release, text, value["primary"], tags) and
                [layers(release, tree, tags) for _, _, tree in trees(text)] == value["locations"])
    except (Broken, ValueError, IndexError):
        return False
