"""`dloc browse` of a file in PTX: an instruction is at its line, the source is what `.loc` says, layers what `.loc_intermediate` says."""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from program import FINE, UNUSABLE, VIOLATION, Command, diagnose, fail, read_file

Frame = dict[str, Any]  # with its caller, or None, and the outermost one: a stack is its innermost frame, and callers are shared
Known = tuple[Frame | None, list[dict[str, Any]]]  # of an address: its stack and layers

CALL = " @[ "
LAYER = re.compile(r", ([^,:]+): ([^,:]+):(\d+)(?::(\d+))?")
INLINED = re.compile(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)")
COMMENT = re.compile(r" @\[ (.*?):(\d+)(?::(\d+))?(?= @\[| \])")


def callers_of(frame: Frame | None) -> Iterator[Frame]:
    """The frames of a stack, innermost first."""
    while frame:
        yield frame
        frame = frame["caller"]


class Stacks:
    """Lists of frames become stacks that share their callers."""

    def __init__(self) -> None:
        self.known: dict[tuple[Any, ...], Frame] = {}

    def of(self, frames: list[dict[str, Any]], caller: Frame | None = None) -> Frame | None:
        for frame in reversed(frames):
            key = (id(caller), *frame.items())
            if key not in self.known:
                self.known[key] = made = {**frame, "caller": caller}
                made["outermost"] = caller["outermost"] if caller else made
            caller = self.known[key]
        return caller


def ask(command: Command, *options: str, text: str, least: int = 1) -> Iterator[dict[str, Any]]:
    """The answers of `dloc symbolize` to a text, as it writes them. It says itself what is wrong, and that ends this one if there are fewer answers than the least."""
    arguments = [command.program, "symbolize", "--json", *["--no-demangle"] * command.options.raw_names, *options, command.operands[0]]
    count = 0
    with tempfile.TemporaryFile() as questions:
        questions.write(text.encode())
        questions.seek(0)
        with subprocess.Popen(arguments, stdin=questions, stdout=subprocess.PIPE) as child:
            assert child.stdout
            for line in child.stdout:
                if line.endswith(b"\n"):  # one that ran out of memory cuts a line
                    count += 1
                    yield json.loads(line)
    if child.returncode not in (FINE, VIOLATION) and count < least:
        sys.exit(UNUSABLE)
    if count or least:
        command.status = max(command.status, min(child.returncode, VIOLATION))


def is_ptx(path: str) -> bool:
    """By its name, as a page is made of a file that has one."""
    return path.endswith(".ptx")


# Lines of PTX: an item's name, and behind it a file's number, line and column, or a text.
DIRECTIVES = [
    (re.compile(pattern), item)
    for pattern, item in (
        (r"\.loc\s+(?P<number>\d+)\s+(?P<line>\d+)\s+(?P<column>\d+)", "loc"),
        (r"\.loc_intermediate\s+(?P<number>\d+)\s+(?P<line>\d+)\s+(?P<column>\d+)", "loc_intermediate"),
        (r'\.file\s+(?P<number>\d+)\s+"(?P<text>(?:[^"\\]|\\.)*)"', "file"),
        (r'\.ir_name\s*:\s*"(?P<text>[^"]*)"', "ir_name"),
        (r'\.sourceFileName\s*:\s*(?P<number>\d+)(?:\s*//\s*"(?P<text>(?:[^"\\]|\\.)*)")?', "source_file"),
    )
]
MOST_HEAD = 4000  # characters of a function before its parameters, and of the comment of a `.loc`
FUNCTION = re.compile(r"\.(?:entry|func)\b\s*(?:\([^)]*\))?\s*([\w$%]+)")
ESCAPE = re.compile(r"\\([0-7]{3}|.)")


def unescape(text: str) -> str:
    return ESCAPE.sub(lambda match: chr(int(match[1], 8)) if len(match[1]) == 3 else match[1], text)


class Statements:
    """Where functions and instructions begin, as LLVM prints them: one a line, or over several lines."""

    def __init__(self) -> None:
        self.head, self.depth, self.inside, self.goes_on = "", 0, False, False

    def take(self, code: str) -> tuple[str, str] | None:
        """The item of a line without its comment: a function with its name, an instruction, or nothing."""
        outside = self.depth == 0
        self.depth = max(0, self.depth + code.count("{") - code.count("}"))
        if outside:
            self.head += f" {code[:MOST_HEAD]}" if len(self.head) < MOST_HEAD else ""
            match = FUNCTION.search(self.head) if "{" in code else None
            self.inside = match is not None and self.depth > 0
            self.head = "" if "{" in code or ";" in code else self.head
            return ("function", match[1]) if match and self.inside else None
        rest = re.sub(r"^[\w$]+:\s*", "", code.strip("{} \t"))
        begins = bool(rest) and self.inside and not self.goes_on and not rest.startswith(".")
        self.goes_on = (begins or self.goes_on) and ";" not in code
        return ("instruction", "") if begins else None


def read_items(lines: list[str]) -> Iterator[dict[str, Any]]:
    """Items that locate instructions, each with its line, `at`. A text ends with a line `.source_end`, or with `>>>`."""
    statements, source, end = Statements(), None, ""
    for at, line in enumerate(lines, 1):
        code = line.strip()
        if source is not None:
            if code.endswith(end):
                source += [line.rstrip().removesuffix(end).removesuffix(" ")] if end == ">>>" else []
                yield {"at": at, "item": "source", "text": "\n".join(source)}
                source = None
            else:
                source.append(line)
        elif code == ".source_begin" or code.startswith(".source: <<<"):
            source, end = ([], ".source_end") if code == ".source_begin" else ([code.removeprefix(".source: <<<").removeprefix(" ")], ">>>")
        elif found := next(((match, item) for pattern, item in DIRECTIVES if (match := pattern.match(code))), None):
            parts = found[0].groupdict()
            numbers = {key: int(parts.get(key) or 0) for key in ("number", "line", "column")}
            yield {"at": at, "item": found[1], "text": unescape(parts.get("text") or ""), **numbers}
        elif taken := statements.take(code.split("//")[0].strip()):
            yield {"at": at, "item": taken[0], "text": taken[1]}


class Own:
    """Code that no disassembler of a program's reads, and what is known of each of its addresses."""

    def __init__(self) -> None:
        self.code: list[tuple[str, list[tuple[int, str]]]] = []  # functions: name, instructions
        self.known: dict[int, Known] = {}
        self.stacks = Stacks()
        self.texts: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.notes: list[str] = []
        self.order: list[str] = []  # of kinds; others stand behind these

    def answers(self, addresses: list[int]) -> dict[int, Known]:
        return {address: self.known.get(address, (None, [])) for address in addresses}

    def rename(self, names: dict[str, str]) -> None:
        self.code = [(names.get(name, name), code) for name, code in self.code]
        for frame in self.stacks.known.values():
            if "function" in frame:
                frame["function"] = names.get(frame["function"], frame["function"])

    def shown(self, address: int) -> str:
        raise NotImplementedError

    def read_rows(self, path: str) -> tuple[Counter[int], bool]:
        """Samples, and whether a row of them is wrong."""
        raise NotImplementedError


class Ptx(Own):
    """The instructions of a file in PTX, each at its line, and where they come from. A layer holds as long as its `.loc`."""

    def __init__(self, command: Command) -> None:
        super().__init__()
        path = command.operands[0]
        self.lines = read_file(path).split("\n")
        items = list(read_items(self.lines))
        if not any(line.startswith(".version") for line in self.lines):
            fail(f"{path} is no PTX: it has no .version")
        self.files = {item["number"]: item["text"] for item in items if item["item"] == "file"}
        self.by_name = {os.path.basename(name): name for name in self.files.values()}
        self.kinds: dict[int, str] = {}
        self.read_texts(items)
        self.read_code(items)

    def read_texts(self, items: list[dict[str, Any]]) -> None:
        kind, number, name = "", 0, ""
        for item in items:
            if item["item"] == "ir_name":
                kind = item.get("text", "")
            elif item["item"] == "source_file":
                number, name = item["number"], item["text"]
            elif item["item"] == "source":
                self.kinds[number] = kind
                self.texts[self.files.get(number, "")] = item.get("text", "")
                self.names[self.files.get(number, "")] = name

    def read_code(self, items: list[dict[str, Any]]) -> None:
        stack: Frame | None = None
        layers: list[dict[str, Any]] = []
        callers: dict[tuple[int, ...], Frame | None] = {}  # of the function: a `.loc` and the stack that it had last
        name = ""
        for item in items:
            at = item["at"]
            if item["item"] == "function":
                name, stack, layers, callers = item.get("text", ""), None, [], {}
                self.code.append((name, []))
            elif item["item"] == "loc":
                stack, layers = self.stack(name, item, callers), []
            elif item["item"] == "loc_intermediate":
                file = item["number"]
                kind = self.kinds.get(file, "intermediate")
                layers = [*layers, {"kind": kind, "file": self.files.get(file, "?"), "line": item["line"], "column": item["column"]}]
            elif item["item"] == "instruction" and self.code:
                code = self.code[-1][1]
                if not code or code[-1][0] != at:  # one of several in a line stands for them
                    code.append((at, " ".join(self.lines[at - 1].split("//")[0].split())))
                self.known[at] = (stack, [layer for layer in layers if layer["line"]])

    def stack(self, function: str, item: dict[str, Any], callers: dict[tuple[int, ...], Frame | None]) -> Frame | None:
        """Of a `.loc`. The caller stands behind `inlined_at`, or in the comment of LLVM, which has names without folders."""
        key = (item["number"], item["line"], item["column"])
        frames = [{"file": self.files.get(item["number"], "?"), "line": item["line"], "column": item["column"]}]
        text = self.lines[item["at"] - 1][:MOST_HEAD]
        match = INLINED.search(text)
        caller = None
        if match:
            at = (int(match[1]), int(match[2]), int(match[3]))
            caller = callers.get(at) or self.stacks.of([{"file": self.files.get(at[0], "?"), "line": at[1], "column": at[2], "function": function}])
        else:
            frames += [{"file": self.by_name.get(name, name), "line": int(line), "column": int(column or 0)} for name, line, column in COMMENT.findall(text)]
            frames[-1]["function"] = function
        callers[key] = self.stacks.of(frames, caller)
        return callers[key]

    def join(self, command: Command, module: str) -> None:
        """Give each instruction the layers of the last one of a module that has its place (spec/hidden.md, chapter 20). A place may also be one in a
        layer's file: the frames are those of that instruction then."""
        places = Stacks()
        found = read_module(command, module, places)
        kinds = {layer["file"]: layer["kind"] for known in found.values() for layer in known[-1][1]}
        self.order = list(kinds.values())
        counts = [0, 0, 0]
        named: dict[tuple[int, str], Frame | None] = {}
        place_of: dict[int, Frame | None] = {}  # of each stack, callers first
        for frame in self.stacks.known.values():
            place_of[id(frame)] = places.of([frame_of(frame["file"], frame["line"], frame["column"])], place_of.get(id(frame["caller"])))
        for at, (stack, _) in self.known.items():
            here = place_of[id(stack)] if stack else None
            known = (found.get(id(here)) or found.get((here["file"], here["line"])) or []) if here else []
            counts[min(len(known), 2)] += 1
            function = stack["outermost"].get("function", "") if stack else ""
            if known:
                own, layers = known[-1]
                if id(here) not in found and (id(own), function) not in named:
                    named[id(own), function] = self.renamed(own, function)
                self.known[at] = (stack if id(here) in found else named[id(own), function], layers)
            elif here and here["file"] in kinds:  # of no instruction, as the line of a function is
                layer = {"kind": kinds[here["file"]], "file": here["file"], "line": here["line"], "column": 0}
                self.known[at] = (self.stacks.of([{"line": 0, "function": function}]), [layer] if layer["line"] else [])
        for line in command.told("source", module):
            index, _, _, _, name = line.decode(errors="replace").rstrip("\n").split("\t")
            self.texts[name] = b"".join(command.told("source", module, "--extract", index)).decode(errors="replace")
        self.notes.append(
            f"Instructions of PTX: {counts[1]:,} have the place of one instruction of {os.path.basename(module)}, {counts[2]:,} of several, which the last stands for, and {counts[0]:,} of none."
        )

    def renamed(self, stack: Frame | None, function: str) -> Frame | None:
        """A stack of the module, with the names of files and the function that it has here."""
        frames = [{"file": self.by_name.get(frame["file"], frame["file"]), "line": frame["line"], "column": frame["column"]} for frame in callers_of(stack)]
        frames[-1]["function"] = function
        return self.stacks.of(frames)

    def shown(self, address: int) -> str:
        return str(address)

    def read_rows(self, path: str) -> tuple[Counter[int], bool]:
        return read_rows(path)


def frame_of(file: str, line: int, column: int) -> Frame:
    return {"file": os.path.basename(file), "line": line, "column": column}


def read_frames(text: str) -> list[Frame]:
    """FILE:LINE:COLUMN @[ ... ], as LLVM prints a location."""
    parts = [part.rstrip(" ]").rsplit(":", 2) for part in text.split(CALL)]
    full = [part if len(part) == 3 and part[1].isdigit() else [":".join(part[:-1]), part[-1], "0"] for part in parts]
    return [frame_of(file, int(line) if line.isdigit() else 0, int(column)) for file, line, column in full]


def read_module(command: Command, path: str, stacks: Stacks) -> dict[Any, list[Known]]:
    """The stacks and layers of a module's instructions: by the stack, by its first place alone, and by the file and line of each layer."""
    found: dict[Any, list[Known]] = {}
    for line in command.told("print", "--locations", path):
        text = line.decode(errors="replace").rstrip("\n").split(" ", 2)[2]
        matches = list(LAYER.finditer(text))
        layers: list[dict[str, Any]] = [
            {"kind": kind, "file": file, "line": int(line), "column": int(column or 0)} for kind, file, line, column in (match.groups() for match in matches)
        ]
        layers.reverse()  # the nearest to the module's own text is its first
        frames = read_frames(text[: matches[0].start()] if matches else text)
        known = (stacks.of(frames), layers)
        for key in {id(known[0]), id(stacks.of(frames[:1]))} | {(os.path.basename(layer["file"]), layer["line"]) for layer in layers}:
            found.setdefault(key, []).append(known)
    return found


def read_rows(path: str) -> tuple[Counter[int], bool]:
    """Samples by line of PTX, as CSV: LINE,SAMPLES; and whether a row is wrong. A first row may name the columns: `line` or `#`, and one with `samples` in its name."""
    counts: Counter[int] = Counter()
    columns, wrong = (0, 1), False
    lines = read_file(path).splitlines()
    for number, row in enumerate(csv.reader(lines), 1):
        cells = [cell.strip() for cell in row]
        names = [cell.lower() for cell in cells]
        if number == 1 and any("sample" in name for name in names):
            line = next((i for i, name in enumerate(names) if name in ("#", "line")), 0)
            columns = line, next(i for i, name in enumerate(names) if "sample" in name)
        elif len(cells) > max(columns) and all(re.fullmatch(r"[0-9]{1,15}", cells[i]) for i in columns):
            counts[int(cells[columns[0]])] += int(cells[columns[1]])
        elif any(cells) and not cells[0].startswith("#"):
            diagnose(path, "expected 'LINE,SAMPLES', in decimal", "samples.format", number, lines[number - 1][:100])
            wrong = True
    return counts, wrong
