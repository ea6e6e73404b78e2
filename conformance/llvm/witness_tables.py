"""Readers of line tables that are no LLVM: libdwarf's dwarfdump, libdw (as a library) and readelf; and what llvm-dwarfdump complains of. See witnesses.py.

libdwarf knows the prototype's two-level tables, of which it shows both programs' rows: address, line, column, file, discriminator, context, subprogram and flags. Subprograms and
files are named by their numbers, and stacks follow the numbers of contexts. An actual is added where the vector has none, as dwarfdump wants one.
libdw knows NVIDIA's extended line map: rows with the row that is their context, and the name of their function. It sorts the rows of a unit by address, so that only tables are asked
for whose rows stand in its order.
readelf prints each instruction and what it does to the registers; tests/lines/readers.py makes rows of that."""
import ctypes
import os
import re
import subprocess
from typing import Any

from line_programs import bytes_of, compile_unit, object_of, prototype, unit

Vector = dict[str, Any]
Row = dict[str, Any]


def run(*command: str) -> tuple[str, str]:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20, check=False)
    return done.stdout, done.stderr


def written(folder: str, content: bytes) -> str:
    path = os.path.join(folder, "table")
    with open(path, "wb") as file:
        file.write(content)
    return path


def whole(row: Row, **more: Any) -> Row:
    """A row of a vector with its defaults, numbers as numbers."""
    return {**dict.fromkeys(("column", "discriminator", "op_index", "isa", "context", "function"), 0), "file": 1,
            **{key: part if key == "flags" or not str(part).isdigit() else int(part) for key, part in row.items()}, **more}


# ---- Two-level tables, by libdwarf ----

LOGICAL = re.compile(r'\[ *\d+\]  (0x[0-9a-f]+)  \[ *(\d+), *(\d+)\](( NS| PE| EB)*)(?: DI=(0x[0-9a-f]+))?(?: CC=(\d+))?(?: SB="([^"]*)")?(?: uri: "/d?/?(.*)")?$')
ACTUAL = re.compile(r"\[ *\d+\]  (0x[0-9a-f]+)  \[ *(\d+)\](( BB| ET)*)(?: IS=(0x[0-9a-f]+))?$")


def flags_of(words: str, letters: dict[str, str]) -> str:
    return "".join(letter for word, letter in letters.items() if word in words.split())


def two_level_rows(text: str) -> tuple[list[Row], list[Row]]:
    """Logicals, whose flags are s, p and e and whose file and function are names, and actuals."""
    logicals: list[Row] = []
    actuals: list[Row] = []
    file = ""
    for line in map(str.rstrip, text.splitlines()):
        if found := LOGICAL.match(line):
            file = found[9] if found[9] is not None else file
            logicals.append({"address": int(found[1], 16), "line": int(found[2]), "column": int(found[3]), "file": file, "discriminator": int(found[6] or "0", 16),
                             "context": int(found[7] or 0), "function": found[8] or "", "flags": flags_of(found[4], {"NS": "s", "PE": "p", "EB": "e"})})
        elif found := ACTUAL.match(line):
            actuals.append({"address": int(found[1], 16), "line": int(found[2]), "isa": int(found[5] or "0", 16), "flags": flags_of(found[3], {"BB": "b", "ET": "E"})})
    return logicals, actuals


def ends(program: list[str]) -> list[bool]:
    """Of each row of a program: does it end a sequence? dwarfdump does not say so of logicals."""
    return [text == "end_sequence" for text in program if text in ("copy", "end_sequence") or text.startswith("special ")]


def same_logicals(wanted: list[Row], shown: list[Row], ending: list[bool]) -> bool:
    def seen(row: Row) -> Row:
        row = whole(row)
        return {**{key: row[key] for key in ("address", "line", "column", "discriminator", "context")}, "file": str(row["file"]),
                "function": str(row["function"] or ""), "flags": row["flags"].replace("E", "")}
    return (not any({"isa", "op_index"} & set(row) for row in wanted) and list(map(seen, wanted)) == shown and
            ["E" in row["flags"] for row in wanted] == ending)


def same_actuals(wanted: list[Row], shown: list[Row]) -> bool:
    """A row of the actuals has only what dwarfdump shows; it has is_stmt, which means nothing."""
    return (all(set(row) <= {"address", "line", "isa", "flags"} and row["flags"].startswith("s") for row in wanted) and
            [{**{key: whole(row)[key] for key in ("address", "line", "isa")}, "flags": row["flags"][1:]} for row in wanted] == shown)


def read_two_level(vector: Vector, folder: str) -> bool:
    args, value = vector["args"], vector["expect"].get("value", {})
    header = {key: part for key, part in args.get("header", {}).items() if key != "dialect"}
    if args["header"].get("dialect") != "logicals" or set(args) - {"header", "logicals", "actuals", "functions", "stacks"} or set(value) - {"stacks"} != {"logicals", "actuals"}:
        return False
    if len(args.get("stacks", [])) != len(value.get("stacks", [])):
        return False
    actuals = args["actuals"] or ["copy", "end_sequence"]
    logicals = args["logicals"] or ["copy", "end_sequence"]
    table = prototype(header, logicals, actuals, [str(number) for number in range(1, 11)])
    shown = two_level_rows(run("dwarfdump", "-l", written(folder, object_of({**compile_unit(), ".debug_line": table})))[0])
    return ((same_logicals(value["logicals"], shown[0], ends(logicals)) if args["logicals"] else not value["logicals"] and len(shown[0]) == 2) and
            (same_actuals(value["actuals"], shown[1]) if args["actuals"] else not value["actuals"] and len(shown[1]) == 2) and
            all(stack_of(shown, int(row), args.get("functions", [])) == [{**frame, **{key: int(frame[key]) for key in ("file", "line", "column")}} for frame in stack]
                for row, stack in zip(args.get("stacks", []), value.get("stacks", []), strict=True)))


def stack_of(shown: tuple[list[Row], list[Row]], actual: int, functions: list[dict[str, Any]]) -> list[Row]:
    """The frames of an actual: its logical, the logical that this one's context names, and so on, by the numbers that dwarfdump shows. A function of number 0 has no name."""
    names = {str(function["number"]): function["name"] for function in functions}
    number = shown[1][actual - 1]["line"]
    frames: list[Row] = []
    while 0 < number <= len(shown[0]) and len(frames) <= len(shown[0]):
        row = shown[0][number - 1]
        frames.append({"function": names.get(row["function"], ""), "file": int(row["file"]), "line": row["line"], "column": row["column"]})
        number = row["context"]
    return frames


# ---- NVIDIA's map, by libdw ----

class Libdw:
    """The rows of a file as libdw keeps them."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libdw.so.1")
        pointer = ctypes.c_void_p
        for name, result, arguments in (("begin", pointer, [ctypes.c_int, ctypes.c_int]), ("onesrcline", pointer, [pointer, ctypes.c_size_t]), ("linecontext", pointer, [pointer, pointer]),
                                        ("linefunctionname", ctypes.c_char_p, [pointer, pointer]), ("linesrc", ctypes.c_char_p, [pointer, pointer, pointer]),
                                        ("end", ctypes.c_int, [pointer])):
            function = getattr(self.library, f"dwarf_{name}")
            function.restype, function.argtypes = result, arguments
        self.library.dwarf_next_lines.argtypes = [pointer, ctypes.c_uint64] + [pointer] * 6

    def number(self, name: str, line: int, kind: Any = ctypes.c_int) -> int:
        found = kind()
        function = getattr(self.library, f"dwarf_{name}")
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        return int(found.value) if function(line, ctypes.byref(found)) == 0 else -1

    def tables(self, path: str) -> list[list[Row]] | None:
        """Of each unit its rows; None: libdw does not read it."""
        with open(path, "rb") as file:
            dwarf = self.library.dwarf_begin(file.fileno(), 0)
            try:
                return self.units(dwarf) if dwarf else None
            finally:
                if dwarf:
                    self.library.dwarf_end(dwarf)

    def units(self, dwarf: int) -> list[list[Row]] | None:
        result: list[list[Row]] = []
        at = 0
        unit_, files, lines = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        following, count = ctypes.c_uint64(), ctypes.c_size_t()
        while True:
            status = self.library.dwarf_next_lines(dwarf, at, ctypes.byref(following), ctypes.byref(unit_), ctypes.byref(files), None, ctypes.byref(lines), ctypes.byref(count))
            if status:
                return result if status > 0 else None
            result.append(self.rows(dwarf, lines.value or 0, count.value))
            at = following.value

    def rows(self, dwarf: int, lines: int, count: int) -> list[Row]:
        all_of_it = [self.library.dwarf_onesrcline(lines, at) for at in range(count)]
        result = []
        for line in all_of_it:
            context = self.library.dwarf_linecontext(lines, line)
            function = self.library.dwarf_linefunctionname(dwarf, line)
            flags = "".join(letter for letter, name in zip("sbpeE", ("beginstatement", "block", "prologueend", "epiloguebegin", "endsequence"))
                            if self.number(f"line{name}", line, ctypes.c_bool) == 1)
            result.append({"address": self.number("lineaddr", line, ctypes.c_uint64), "line": self.number("lineno", line), "column": self.number("linecol", line),
                           "discriminator": self.number("linediscriminator", line), "isa": self.number("lineisa", line), "op_index": self.number("lineop_index", line),
                           "file": (self.library.dwarf_linesrc(line, None, None) or b"").decode(), "context": all_of_it.index(context) + 1 if context else 0,
                           "function": None if function is None else function.decode(), "flags": flags})
        return result


NAMES = 256  # .debug_str is one string of this length, of which the function name N is the end with N characters less
BEHIND = 16  # libdw puts the end of a sequence before a row of its address, so the end stands further behind


def nvidia_rows(vector: Vector, folder: str, libdw: Libdw) -> list[Row] | None:
    """The rows of a program of one sequence with NVIDIA's opcodes; file and function are numbers."""
    program = vector["args"]["program"]
    if program.count("end_sequence") != 1 or program[-1] != "end_sequence" or vector["args"].get("header", {}).get("dialect") != "nvidia" or set(vector["args"]) - {"header", "program"}:
        return None
    table = unit({key: part for key, part in vector["args"]["header"].items() if key != "dialect"}, [*program[:-1], f"advance_pc {BEHIND}", "end_sequence"])[0]
    found = libdw.tables(written(folder, object_of({".debug_line": table, ".debug_str": b"x" * NAMES + b"\0"})))
    if found is None or len(found) != 1:
        return None
    rows = [{**row, "file": int(row["file"].strip("/")), "function": NAMES - len(row["function"]) if row["function"] is not None else 0, "named": row["function"] is not None} for row in found[0]]
    rows[-1]["address"] -= BEHIND
    return rows if all(one["address"] <= other["address"] for one, other in zip(rows, rows[1:])) else None


def read_nvidia(vector: Vector, folder: str, libdw: Libdw) -> bool:
    rows = nvidia_rows(vector, folder, libdw) if set(vector["expect"].get("value", {})) == {"rows"} else None
    return rows is not None and [{key: part for key, part in row.items() if key != "named"} for row in rows] == list(map(whole, vector["expect"]["value"]["rows"]))


def read_contexts(vector: Vector, folder: str, libdw: Libdw) -> bool:
    """The stack of each row that has a context: dwarf_linecontext from row to row. libdw names the function of a row that has one; where it has a name and no row, the
    context is out of range."""
    rows = nvidia_rows(vector, folder, libdw) if {"stacks"} <= set(vector["expect"].get("value", {})) <= {"stacks", "problems"} else None
    if rows is None:
        return False
    stacks = []
    problems = []
    for at, row in enumerate(rows):
        frames: list[Row] = []
        number = at + 1 if row["named"] else 0
        while number and len(frames) <= len(rows):
            here = rows[number - 1]
            frames.append({"row": number, "line": here["line"], **({"function": here["function"]} if here["named"] else {})})
            number = here["context"]
        if frames and "E" not in row["flags"]:
            stacks.append({"frames": frames})
            problems += [] if row["context"] else [{"reason": "nvidia.context.range", "at": at + 1}]
    return bool(problems == [{**problem, "at": int(problem["at"])} for problem in vector["expect"]["value"].get("problems", [])] and stacks == [{"frames": [{key: int(part) for key, part in frame.items()} for frame in stack["frames"]]} for stack in vector["expect"]["value"]["stacks"]])


WORD = re.compile(r"unknown data in line table prologue at offset (0x[0-9a-f]+): parsing ended \(at offset (0x[0-9a-f]+)\) before reaching the prologue end at offset (0x[0-9a-f]+)")


def words(path: str, line: bytes) -> list[int | None]:
    """The word of each unit: llvm-dwarfdump finds four bytes between the tables of its header and its program."""
    shown, errors = run("/usr/lib/llvm-22/bin/llvm-dwarfdump", "--debug-line", path)
    found = {int(at, 16): (int(first, 16), int(end, 16)) for at, first, end in WORD.findall(errors)}
    units = [int(at, 16) for at in re.findall(r"^debug_line\[(0x[0-9a-f]+)\]", shown, re.MULTILINE)]
    return [int.from_bytes(line[slice(*found[at])], "little") if at in found and found[at][1] - found[at][0] == 4 else None for at in units]


def read_cubin(vector: Vector, folder: str, libdw: Libdw) -> bool:
    """Rows with the names of their functions, of tables of which no relocation names a kernel; the word of each header as well. The function of a row with a context is out of range if
    libdw finds no name."""
    args, value = vector["args"], vector["expect"].get("value", {})
    if set(args) - {"line", "str", "machine"} or set(value) - {"problems"} != {"units", "rows"}:
        return False
    line = bytes_of(args["line"])
    path = written(folder, object_of({".debug_line": line, **({".debug_str": bytes_of(args["str"])} if "str" in args else {})}, int(args.get("machine", 190))))
    found = libdw.tables(path)
    wanted = [{**whole(row), "function": row.get("function")} for row in value["rows"]]
    nameless = [{"reason": "nvidia.function.range", "at": at + 1} for at, row in enumerate(row for rows in found or [] for row in rows) if row["context"] and row["function"] is None]
    return (found is not None and [{**problem, "at": int(problem["at"])} for problem in value.get("problems", [])] == nameless and [{**row, "file": 1} for rows in found for row in rows] == wanted and
            words(path, line) == [int(part["names"]) if "names" in part else None for part in value["units"]])


# ---- Complaints of llvm-dwarfdump ----

PROLOGUE = r"parsing line table prologue at (?:offset )?(?P<unit>0x[0-9a-f]+):? (?:found )?"
# Its words, and the reason that says the same; the place is the unit, the one that the message names, or the instruction there.
COMPLAINTS = [(re.compile(pattern), reason) for pattern, reason in (
    (r"^(?P<at>0x[0-9a-f]+): .* ?Unrecognized (?:standard opcode|extended op)", "lines.opcode.unknown"),
    (r"^(?P<at>0x[0-9a-f]+): .* ?Badly formed extended line op", "lines.extended.length"),
    (r"unexpected line op length at offset (?P<within>0x[0-9a-f]+)", "lines.extended.length"),
    (r"address size \S+ of DW_LNE_set_address opcode at offset (?P<within>0x[0-9a-f]+) is unsupported", "lines.extended.length"),
    (r"unable to decode LEB128 at offset (?P<within>0x[0-9a-f]+): [us]leb128 too big", "lines.leb128"),
    (r"unable to decode LEB128 at offset (?P<within>0x[0-9a-f]+): malformed [us]leb128, extends past end", "lines.program.short"),
    (r"warning: unexpected end of data at offset \S+ while reading \[(?P<within>0x[0-9a-f]+),", "lines.program.short"),
    (r"last sequence in debug line table at offset (?P<end>0x[0-9a-f]+) is not terminated", "lines.sequence.open"),
    (PROLOGUE + r"unsupported reserved unit length", "lines.unit.reserved"),
    (PROLOGUE + r"unsupported version", "lines.version"),
    (PROLOGUE + r"invalid address size", "lines.address-size"),
    (PROLOGUE + r"opcode base of 0", "lines.opcode-base"),
    (PROLOGUE + r"unexpected end of data at offset \S+ while reading \[0x0,", "lines.unit.length"),
    (PROLOGUE + r"unexpected end of data", "lines.header.short"),
    (PROLOGUE + r"an invalid directory or file table description at (?P<form>\S+)\n.*because skipping the form value failed", "lines.form"),
    (PROLOGUE + r"an invalid directory or file table description at \S+\n.*(?:not null terminated|because extracting the form value failed)", "lines.header.short"),
    (r"line table program with offset (?P<unit>0x[0-9a-f]+) has length", "lines.unit.length"),
    (r"unknown data in line table prologue at offset (?P<unit>0x[0-9a-f]+): parsing ended \(at offset \S+\) before reaching the prologue end", "lines.header.length"),
)]
BESIDE = re.compile("mismatching address size at offset")  # what is told of the same address again, and is no problem alone


def complaints(release: int, path: str, units: list[Row]) -> list[Row] | None:
    """Reasons and places, in the order of places; None: it says what no reason is known to say."""
    shown, errors = run(f"/usr/lib/llvm-{release}/bin/llvm-dwarfdump", "--debug-line", "-v", path)
    starts = [int(at, 16) for at in re.findall(r"^(0x[0-9a-f]{8}): [0-9a-f]{2}", shown, re.MULTILINE)]
    told = [line for line in shown.splitlines() if re.match(r"0x[0-9a-f]{8}: .*(?:Unrecognized|Badly)", line)]
    told += [f"warning: {text}".strip() for text in re.sub(r"\nwarning: (?=failed to|file names table)", r"\n", errors).split("warning: ")[1:] if not BESIDE.match(text)]
    found = set()
    for text in told:
        match, reason = next(((match, reason) for pattern, reason in COMPLAINTS if (match := pattern.search(text))), (None, ""))
        if not match:
            return None
        place = {key: int(number, 16) for key, number in match.groupdict().items() if number}
        if "within" in place:
            place["at"] = max((start for start in starts if start <= place["within"]), default=-1)
        if "end" in place:
            place["at"] = max(int(part["end"]) for part in units)
        found.add((place.get("form", place.get("at", place.get("unit", -1))), reason))
    return [{"reason": reason, "at": at} for at, reason in sorted(found)]


def same_complaints(release: int, path: str, value: dict[str, Any]) -> bool:
    """Are the problems of a value of `units` what it complains of?"""
    wanted = sorted(({"reason": problem["reason"], "at": int(problem["at"])} for problem in value.get("problems", [])), key=lambda one: (one["at"], one["reason"]))
    return complaints(release, path, value["units"]) == wanted
