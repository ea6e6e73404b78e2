"""`dloc browse`: source, layers and machine code of a program side by side, as a page, with samples of its runs."""

import bisect
import collections
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from browse_cubin import Cubin, is_cubin
from browse_ptx import Frame, Known, Own, Ptx, Stacks, ask, callers_of, is_ptx
from browse_text import Regions, language_of
from page import data_of, render_page
from program import FINE, VIOLATION, Command, diagnose, error, fail, read_file, run

SECONDS = 120  # for the disassembler
MOST_CODE = 1_000_000  # instructions that are looked at when nothing says which
MOST_SOURCE = 64 << 20  # bytes of a file that is read
MOST_LINES = 40_000  # of a pane
AROUND = (100, 15, 5, 1, 0)  # lines around one that has code; the first that keeps to MOST_LINES. Of source files, which are not the program's own, fewer
MOST_OBJECTS, MOST_TOLD = 2, 20  # that the page's head names, and the note
MOST_WIDTH = 300  # characters of a line


# ---- Samples


class Samples:
    """How often each address of the file was met."""

    def __init__(self) -> None:
        self.counts: collections.Counter[int] = collections.Counter()
        self.notes: list[str] = []  # for the page
        self.elsewhere: collections.Counter[str] = collections.Counter()  # those of other objects
        self.wrong = False  # something in them is

    def within(self, first: int, end: int) -> int:
        return sum(self.counts[address] for address in self.sorted[self.index(first) : self.index(end)])

    def index(self, address: int) -> int:
        return bisect.bisect_left(self.sorted, address)

    def finish(self) -> "Samples":
        self.sorted = sorted(self.counts)
        self.total = sum(self.counts.values())
        return self


LINE = re.compile(r"\s*(?:0[xX])?([0-9a-fA-F]{1,16})(?:\s+([0-9]{1,15}))?\s*")


def read_list(samples: Samples, path: str, lines: list[str]) -> None:
    """Lines `ADDRESS [COUNT]`. The page tells what stands behind `#`."""
    for number, line in enumerate(lines, 1):
        match = LINE.fullmatch(line)
        if match:
            samples.counts[int(match[1], 16)] += int(match[2] or 1)
        elif line.lstrip().startswith("#"):
            samples.notes.append(line.strip("# \t"))
        elif line.strip():
            diagnose(path, "expected 'ADDRESS [COUNT]', in hexadecimal and decimal", "samples.format", number, line[:100])
            samples.wrong = True


def read_perf(command: Command, samples: Samples, text: str) -> None:
    """The samples that `dloc symbolize` reads from the output of `perf script`."""
    base = ["--base", command.options.base] if command.options.base else []
    for line in ask(command, "--perf", *base, text=text):
        samples.counts[int(line["address"], 16)] += line["count"]


def count_elsewhere(samples: Samples, text: str, program: str) -> None:
    """Samples of other objects, which stand in the last parentheses of a line; with call chains, the first line of each counts."""
    in_chain = False
    for line in text.splitlines():
        words = line.split(None, 1)
        of_chain = len(words) == 2 and ": " not in line and re.fullmatch("[0-9a-f]{1,16}", words[0]) is not None
        name = os.path.basename(in_last_parentheses(line).removesuffix(" (deleted)"))
        if name not in ("", program) and "PERF_RECORD_" not in line and not (of_chain and in_chain):
            samples.elsewhere["kernel" if name.startswith("[kernel.") else name.strip("[]")] += 1
        in_chain = of_chain


def in_last_parentheses(line: str) -> str:
    text, depth = line.rstrip(), 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return text[at + 1 : -1]
    return ""


POSITION = re.compile(r"\*|0x[0-9a-fA-F]{1,16}|[+-]\d{1,15}")
NUMBER = re.compile(r"\d{1,15}")



def read_callgrind(samples: Samples, path: str, lines: list[str], program: str) -> None:
    """Instructions that valgrind counted, by their addresses. The line behind `calls=` has what a call cost, which stands at its own instructions, too."""
    names: dict[str, str] = {}
    place, here, own, positions = 0, "unknown", True, [""]
    for line in lines:
        key, _, value = line.partition("=")
        words = line.split()
        if key in ("ob", "cob"):
            number, _, name = value.partition(" ") if value.startswith("(") else ("", "", value)
            name = names.setdefault(number, name) if number else name
            here = os.path.basename(name).replace("???", "unknown") if key == "ob" else here
        elif key == "calls":
            own = False
        elif words and words[0] == "positions:":
            positions = words[1:] or [""]
        elif words and positions[0] == "instr" and POSITION.fullmatch(words[0]):
            place = place if words[0] == "*" else int(words[0], 0) + (0 if words[0][0] == "0" else place)
            cost = int(words[len(positions)]) if own and len(words) > len(positions) and NUMBER.fullmatch(words[len(positions)]) else 0
            if here == program:
                samples.counts[place] += cost
            elif cost:
                samples.elsewhere[here] += cost
            own = True
    samples.notes.append("Simulated: a sample is an instruction that valgrind counted. Nobody measured time.")
    if positions[0] != "instr":
        diagnose(path, "there are no addresses: valgrind needs --dump-instr=yes", "samples.format")
        samples.wrong = True


def read_samples(command: Command, code: Own | Command) -> Samples:
    samples, path = Samples(), command.options.samples
    text = read_file(path) if path and isinstance(code, Command) else ""
    lines = text.splitlines()
    program = os.path.basename(command.operands[0])
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    if path and not isinstance(code, Command):
        samples.counts, samples.wrong = code.read_rows(path)
    elif any(line.startswith("creator: callgrind") for line in lines[:10]):
        read_callgrind(samples, path, lines, program)
    elif LINE.fullmatch(first):
        read_list(samples, path, lines)
    elif path:
        read_perf(command, samples, text)
        count_elsewhere(samples, text, program)
    samples.finish()
    if path and not samples.total:
        diagnose(path, f"there are no samples of {command.operands[0]}", "samples.none")
        samples.wrong = True
    return samples


# ---- Machine code


class Function:
    def __init__(self, name: str) -> None:
        self.name = name
        self.code: list[tuple[int, str]] = []  # instructions: address, text
        self.samples = 0

    @property
    def first(self) -> int:
        return self.code[0][0]


FUNCTION = re.compile(r"([0-9a-f]+) <(.*)>:")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s*(.*)")


def find_disassembler(folder: str | None) -> str:
    tried = [os.path.join(folder, "llvm-objdump")] if folder else ["llvm-objdump", "objdump"]
    found = [path for path in (shutil.which(name) for name in tried) if path]
    return found[0] if found else fail(f"cannot find {' or '.join(tried)}")


def demangled(command: Command, names: set[str]) -> dict[str, str]:
    """Names of C++ and Rust for people, where a demangler is beside the disassembler or in PATH."""
    mangled = sorted(name for name in names if name.startswith(("_Z", "_R")))
    if command.options.raw_names or not mangled:
        return {}
    tried = (os.path.join(command.options.llvm or "", "llvm-cxxfilt"), "llvm-cxxfilt", "c++filt")
    tool = next((path for path in map(shutil.which, tried) if path), None)
    done = subprocess.run([tool], input="\n".join(mangled), stdout=subprocess.PIPE, text=True, check=False, timeout=SECONDS) if tool else None
    lines = done.stdout.splitlines() if done and done.returncode == 0 else []
    return dict(zip(mangled, lines)) if len(lines) == len(mangled) else {}


def is_named(function: str, wanted: str) -> bool:
    """Whether a name of the disassembler is meant: in full, or without template arguments and parameters."""
    plain, count = function, 1
    while count:
        plain, count = re.subn(r"<[^<>]*>", "", plain)
    return wanted in (function, function.partition("(")[0], (plain.partition("(")[0].split() or [""])[-1])


def disassemble(command: Command) -> Iterator[Function]:
    """The functions of the code, as the disassembler prints them."""
    tool, function = find_disassembler(command.options.llvm), None
    try:
        with open(command.operands[0], "rb") as file:
            if file.read(4) != b"\x7fELF":
                fail(f"{command.operands[0]} is no ELF file: browse takes a program, a library, a cubin or PTX")
    except OSError as failure:
        fail(f"cannot read {command.operands[0]}: {failure.strerror}")
    arguments = ["timeout", str(SECONDS), tool, "-d", *["-C"] * (not command.options.raw_names), "--no-show-raw-insn", command.operands[0]]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors, subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8", errors="replace"
    ) as child:
        assert child.stdout
        for line in child.stdout:
            head, instruction = FUNCTION.fullmatch(line.rstrip("\n")), INSTRUCTION.fullmatch(line.rstrip("\n"))
            if head:
                if function and function.code:
                    yield function
                function = Function(head[2])
            elif function and instruction:
                function.code.append((int(instruction[1], 16), " ".join(instruction[2].split())))
        if function and function.code:
            yield function
        child.wait()
        errors.seek(0)
        said = errors.read(1000).strip()
    if child.returncode and said:
        error(f"{tool} says: {said}")
    if child.returncode:
        fail(f"{tool} cannot disassemble {command.operands[0]}: exit status {child.returncode}")


def functions_of(code: Own | Command) -> Iterator[Function]:
    if isinstance(code, Command):
        yield from disassemble(code)
        return
    for name, instructions in code.code:
        function = Function(name)
        function.code = instructions
        if instructions:
            yield function


def choose(command: Command, code: Own | Command, samples: Samples, notes: list[str]) -> list[Function]:
    """Those of the names that are asked for, or those with samples, the hottest first; without samples, those of which something is known."""
    names, functions = demangled(command, set(command.options.function)), []
    wanted = {names.get(name, name) for name in command.options.function}
    size = attributed = last = 0
    for function in functions_of(code):
        size += len(function.code)
        if size > MOST_CODE and not samples.total and not wanted:
            notes.append(f"Functions from {function.first:#x} on are left out.")
            break
        if function.first < last:
            fail(f"{command.operands[0]}: functions share addresses; is the file linked?")
        last = function.code[-1][0]
        function.samples = samples.within(function.first, last + 1)
        attributed += function.samples
        if any(is_named(function.name, name) for name in wanted) if wanted else function.samples or not samples.total:
            functions.append(function)
    for name in sorted(name for name in wanted if not any(is_named(function.name, name) for function in functions)):
        fail(f"{command.operands[0]}: there is no function {name}")
    if samples.total and not attributed:
        path = command.options.samples
        diagnose(path, f"no sample is of the code of {command.operands[0]}; where was it loaded? See `perf script --show-mmap-events`, --base", "samples.none")
        samples.wrong = True
    elif attributed < samples.total:
        notes.append(f"{samples.total - attributed} of {samples.total} samples are of no function of the file.")
        print(f"dloc: {command.operands[0]}: {notes[-1]}", file=sys.stderr)
    if not samples.total and not wanted:
        known = answers(code, [function.first for function in functions])
        functions = [function for function in functions if isinstance(code, Own) or is_known(*known.get(function.first, (None, [])))]
    return limit(functions, command.options.most, notes)


def limit(functions: list[Function], most: int, notes: list[str]) -> list[Function]:
    """So many instructions, or the first function."""
    kept: list[Function] = []
    size = 0
    for function in sorted(functions, key=lambda function: (-function.samples, function.first)):
        size += len(function.code)
        if kept and size > most:
            break
        kept.append(function)
    left = len(functions) - len(kept)
    if left:
        samples = sum(function.samples for function in functions) - sum(function.samples for function in kept)
        notes.append(f"{left} of {len(functions)} functions are left out, with {samples} samples: --most {most}.")
    return sorted(kept, key=lambda function: function.first)


# ---- Places

Answers = dict[int, Known]


def answers(code: Own | Command, addresses: list[int]) -> Answers:
    """Stacks and layers of addresses."""
    if isinstance(code, Own):
        return code.answers(addresses)
    stacks = Stacks()
    lines = ask(code, text="".join(f"{address:x}\n" for address in addresses), least=len(addresses)) if addresses else ()
    return {int(line["address"], 16): (stacks.of(line["frames"]), line.get("layers", [])) for line in lines}


def is_known(stack: Frame | None, layers: list[dict[str, Any]]) -> bool:
    return bool(layers) or any(frame["line"] for frame in callers_of(stack))


# How texts name themselves: a module by its source, its name or its first function.
NAMING = (r'^source_filename = "([^"]+)"', r"^; ModuleID = '([^']+)'", r"^module (@[\w.$-]+)", r"^\s*(?:\w+\.)*func (?:private |public )?(@[\w.$-]+)", r"^define .*?(@[\w.$-]+)\(")
NAMING_LINES = 200


def name_of_text(lines: list[str]) -> str:
    head = "\n".join(lines[:NAMING_LINES])
    found = next((match for match in (re.search(pattern, head, re.M) for pattern in NAMING) if match), None)
    return found[1] if found else ""


class File:
    """A text, and the lines of it that code has."""

    def __init__(self, path: str, lines: list[str] | None, problem: str, name: str) -> None:
        self.path, self.lines, self.problem, self.name = path, lines, problem, name
        self.used: set[int] = set()

    def chunks(self, around: int) -> Iterator[tuple[int, int]]:
        """Lines first to last, and so on. Those that there is code of, and their neighbours; of no text, the former."""
        size = len(self.lines or [])
        first = last = 0
        for line in sorted(self.used):
            low, high = (line, line) if line > size else (max(1, line - around), min(size, line + around))
            if first and low <= last + 1:
                last = max(high, last)
            else:
                if first:
                    yield first, last
                first, last = low, high
        if first:
            yield first, last

    def size(self, around: int) -> int:
        return sum(last - first + 1 for first, last in self.chunks(around))

    def text(self, number: int) -> str:
        line = self.lines[number - 1] if self.lines and number <= len(self.lines) else ""
        return line if len(line) <= MOST_WIDTH else line[:MOST_WIDTH] + "…"

    def describe(self, around: int) -> dict[str, Any]:
        lines = [[first, [self.text(number) for number in range(first, last + 1)]] for first, last in self.chunks(around)]
        name = self.name or (name_of_text(self.lines or []) if self.path.startswith(".debug_txt.") else "")
        language = language_of(name or self.path, self.lines or [])
        told = Regions(language, self.lines or [])
        parts = {
            "name": name,
            "problem": self.problem,
            "language": language,
            "regions": [(first, told.found[first]) for first in sorted(told.found) if self.is_shown(lines, first, first)],
            "comments": [(first, last) for first, last in told.comments if self.is_shown(lines, first, last)],
        }
        return {"path": self.path, "count": len(self.lines or [])} | {key: value for key, value in parts.items() if value} | {"lines": lines}

    def is_shown(self, chunks: list[Any], first: int, last: int) -> bool:
        """Whether a line of these is."""
        at = bisect.bisect_right(chunks, last, key=lambda chunk: int(chunk[0])) - 1
        return at >= 0 and first < int(chunks[at][0]) + len(chunks[at][1])


class Pane:
    """The files of the source or of a layer. find has the lines of one, or why there are none; names are those that producers gave to texts."""

    def __init__(self, name: str, find: Callable[[str], tuple[list[str] | None, str]], names: dict[str, str], around: tuple[int, ...] = AROUND) -> None:
        self.name, self.find, self.names, self.around = name, find, names, around
        self.files: dict[str, int] = {}  # the number of a path
        self.list: list[File] = []

    def use(self, path: str, line: int) -> int:
        if path not in self.files:
            self.files[path] = len(self.list)
            self.list.append(File(path or "?", *self.find(path), os.path.basename(self.names.get(path, ""))))
        self.list[self.files[path]].used.add(line)
        return self.files[path]

    def describe(self) -> dict[str, Any]:
        around = next((n for n in self.around if sum(file.size(n) for file in self.list) <= MOST_LINES), 0)
        return {"name": self.name, "files": [file.describe(around) for file in self.list]}


class Table(dict[Any, int]):
    """Values, numbered as they are met."""

    def number(self, value: tuple[Any, ...]) -> int:
        return self.setdefault(value, len(self))


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def is_below(path: str, folders: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(os.path.commonpath((real, folder)) == folder for folder in [os.path.realpath(folder) for folder in folders])


def read_source(path: str, folders: list[str], own: list[str]) -> tuple[list[str] | None, str]:
    """The file itself, or that of a folder: by its whole path there, or by the end of it. A program may name any file: those elsewhere are not read."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    elsewhere = False
    for tried in [path] + [os.path.join(folder, *parts[i:]) for folder in folders for i in range(len(parts))]:
        try:
            if os.path.isfile(tried) and not is_below(tried, folders + own):
                elsewhere = True
            elif os.path.isfile(tried):
                with open(tried, "rb") as file:
                    content = file.read(MOST_SOURCE + 1)
                return (None, "This file is too large.") if len(content) > MOST_SOURCE else (lines_of(content.decode(errors="replace")), "")
        except (OSError, ValueError):  # it cannot be read; no name of a file
            continue
    if elsewhere:
        return None, "This file is neither in the current folder nor in that of the program. --source-dir names its folder."
    return None, "This file is not there. --source-dir names folders to look in."


class Places:
    """All places of the code, as the page has them."""

    def __init__(self, command: Command, code: Own | Command) -> None:
        self.command, self.code = command, code
        self.source = Pane("source", self.find_source, {}, AROUND[1:])
        self.layers: dict[str, Pane] = {}
        self.places, self.stacks = Table(), Table()
        if isinstance(code, Own):
            self.texts, self.names = dict.fromkeys(code.texts, ""), code.names
            for kind in code.order:
                self.pane(kind)
            return
        lines = command.told("source", command.operands[0])
        rows = [line.decode(errors="replace").rstrip("\n").split("\t") for line in lines]
        self.names = {f".debug_txt.{kind}.{digest}": name for _, _, digest, kind, name in rows if not name.startswith(".debug_txt.")}
        self.texts = {f".debug_txt.{kind}.{digest}": index for index, _, digest, kind, _ in rows}

    def find_source(self, path: str) -> tuple[list[str] | None, str]:
        own = [os.curdir, os.path.dirname(os.path.realpath(self.command.operands[0]))]
        lines, problem = read_source(path, getattr(self.command.options, "source-dir"), own)
        if lines is None and path in self.embedded:
            return lines_of(self.embedded[path]), ""
        return lines, problem

    @functools.cached_property
    def embedded(self) -> dict[str, str]:
        """Source texts in the line table (DW_LNCT_LLVM_source)."""
        if isinstance(self.code, Own):
            return {}
        units = self.command.ask_json("lines", "--json", self.command.operands[0], quiet=True)[1]
        return {file["path"]: file["source"] for unit in units for file in unit.get("files", []) if file.get("source")}

    def find_text(self, path: str) -> tuple[list[str] | None, str]:
        """The embedded text, or the file of that name."""
        if path in self.texts and isinstance(self.code, Own):
            return lines_of(self.code.texts[path]), ""
        if path in self.texts:
            text = b"".join(self.command.told("source", self.command.operands[0], "--extract", self.texts[path]))
            return lines_of(text.decode(errors="replace")), ""
        return (None, "The program does not have this text.") if path.startswith(".debug_txt.") else self.find_source(path)

    def place(self, pane: int, of: Pane, place: dict[str, Any]) -> int:
        path = place.get("file", "")
        if path and path not in self.texts:
            path = os.path.normpath(os.path.join(place.get("directory", ""), path))
        return self.places.number((pane, of.use(path, place["line"]), place["line"], place["column"]))

    def stack(self, stack: Frame | None) -> int | None:
        """The number of a stack, which the frame keeps."""
        made: list[tuple[Frame, int | None]] = []
        for frame in callers_of(stack):
            if "number" in frame:
                break
            made.append((frame, self.place(0, self.source, frame) if frame["line"] else None))
        for frame, place in reversed(made):
            caller = frame["caller"]
            frame["number"] = self.stacks.number((frame.get("function", ""), place, caller["number"] if caller else None))
        return stack["number"] if stack else None

    def pane(self, kind: str) -> Pane:
        if kind not in self.layers:
            self.layers[kind] = Pane(f"layer {kind}" if kind in ("source", "code") else kind, self.find_text, self.names)
        return self.layers[kind]

    def layer(self, place: dict[str, Any]) -> int:
        kind = place["kind"]
        pane = self.pane(kind)
        number = self.place(1 + list(self.layers).index(kind), pane, place)
        file = pane.list[pane.files[place.get("file", "")]] if place.get("file", "") in self.texts else None
        if file and file.lines and "text" not in place and place["line"] <= len(file.lines) and not isinstance(self.code, Own):
            file.lines, file.problem = None, "This is not the text that its name is the hash of."
        return number


# ---- The page


def describe_function(function: Function, samples: Samples, places: Places, known: Answers) -> dict[str, Any]:
    code = []
    ends = [address for address, _ in function.code[1:]] + [function.code[-1][0] + 1]
    for (address, text), end in zip(function.code, ends):
        stack, layers = known.get(address, (None, []))
        code.append([places.code.shown(address) if isinstance(places.code, Own) else hex(address), text, samples.within(address, end), places.stack(stack), [places.layer(layer) for layer in layers]])
    return {"name": function.name, "samples": function.samples, "code": code}


def open_code(command: Command) -> Own | Command:
    """A file whose code is read here, or the program that is disassembled."""
    path = command.operands[0]
    code: Own | Command = Ptx(command) if is_ptx(path) else Cubin(command) if is_cubin(path) else command
    if command.options.layered:
        if not isinstance(code, Ptx):
            fail("--layered is for PTX")
        code.join(command, command.options.layered)
    if isinstance(code, Ptx):
        code.rename(demangled(command, {name for name, _ in code.code}))
    return code


def describe(command: Command, code: Own | Command, samples: Samples) -> dict[str, Any]:
    notes = samples.notes
    if isinstance(code, Own):
        notes += code.notes
    functions = choose(command, code, samples, notes)
    known = answers(code, [address for function in functions for address, _ in function.code])
    places = Places(command, code)
    described = [describe_function(function, samples, places, known) for function in functions]
    panes = [places.source, *places.layers.values()]
    return {
        "file": os.path.basename(command.operands[0]),
        "samples": samples.total,
        "elsewhere": samples.elsewhere.most_common(),
        "language": "ptx" if isinstance(code, Ptx) else "assembly",
        "notes": notes,
        "panes": [pane.describe() for pane in panes],
        "places": list(places.places),
        "stacks": list(places.stacks),
        "functions": described,
    }


def count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def check_linked(path: str) -> None:
    """In a relocatable file every section begins at 0."""
    try:
        with open(path, "rb") as file:
            head = file.read(18)
    except OSError:
        return  # told by who reads it
    if len(head) == 18 and head[:4] == b"\x7fELF" and int.from_bytes(head[16:], "big" if head[5] == 2 else "little") == 1:
        fail(f"{path} is a relocatable file: link it first")


def main(command: Command) -> int:
    command.options.raw_names = vars(command.options)["no-demangle"]
    check_linked(command.operands[0])
    code = open_code(command)
    samples = read_samples(command, code)
    most = [name for name, _ in samples.elsewhere.most_common()]
    if most:
        told = ", ".join(f"{name} {number:,}" for name, number in samples.elsewhere.most_common(MOST_TOLD))
        samples.notes.append(f"{samples.elsewhere.total():,} more samples are in {count(len(most), 'other object')}: {told}{', …' * (len(most) > MOST_TOLD)}.")
    data = describe(command, code, samples)
    if command.options.json:
        content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"
    else:
        content = render_page(
            "browse.html",
            data=data,
            json=data_of(data),
            names=["source", *(pane["name"] for pane in data["panes"][1:]), "code"],
            summary=", ".join(
                ([count(data["samples"], "sample")] if data["samples"] else [])
                + ([f"{samples.elsewhere.total():,} elsewhere ({', '.join(most[:MOST_OBJECTS] + ['…'] * (len(most) > MOST_OBJECTS))})"] if most else [])
                + [count(len(data["functions"]), "function"), count(sum(len(each["code"]) for each in data["functions"]), "instruction")]
            ),
        )
    command.write(command.options.o or "-", content)
    return max(command.status, VIOLATION if samples.wrong else FINE)


run(main)
