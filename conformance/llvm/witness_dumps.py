"""Dumps of whole line tables by readelf and by libdwarf's dwarfdump (op units): headers, tables of files, rows, and what readelf says is wrong. See witnesses.py.

readelf prints the instructions and the registers; tests/lines/readers.py makes rows of that. It tells where an instruction is that it cannot read, and the first string of a table that
it cannot find. It says nothing of a sequence without an end, but shows that the end is not there.
dwarfdump reads the prototype's version 0xf006, which DWARF has no word for: the vectors call it 4. It prints the table of a unit of .debug_info."""
import os
import re
import subprocess
from typing import Any

from line_programs import bytes_of, compile_unit, object_of, prototype
from line_tests import READERS, UNITS

Vector = dict[str, Any]
Row = dict[str, Any]
SHOWN = {"offset", "end", "version", "program", "address_size", "directories", "files", "rows"}
ENTRY = re.compile(r"^ +(\d+)\t(.*)$", re.MULTILINE)
# A table of readelf's: where its entries begin, its columns, its lines.
TABLE = re.compile(r"^ The (Directory|File Name) Table \(offset (0x[0-9a-f]+).*\n  Entry\t?(.*)\n((?:  \d.*\n)*)", re.MULTILINE)
DEFINED = re.compile(r"define new File Table entry\n  Entry\tDir\tTime\tSize\tName\n(.*)\n")
BAD_STRING = re.compile(r"(?:\(ind.*\): )?<(?:offset is too big|no NUL byte at end of \S+ section|no \.debug_str_offsets section)>")
BAD_NUMBER = {"read LEB value is too large to store in destination variable": "lines.leb128", "end of data encountered whilst reading LEB": "lines.program.short"}


def field(part: str, name: str) -> int:
    found = re.search(rf"^  {name}: +(\S+)", part, re.MULTILINE)
    return int(found[1], 0) if found else 0


def sorted_problems(problems: list[Row]) -> list[Row]:
    return sorted(({"reason": problem["reason"], "at": int(problem["at"])} for problem in problems), key=lambda one: (one["at"], one["reason"]))


def tables_in(part: str) -> tuple[list[str], list[Row], list[Row]] | None:
    """Directories, files and problems of a unit as readelf shows it; None: a string is missing whose place nothing tells."""
    paths, directories, entries, problems = READERS.Unit(field(part, "DWARF Version")), [], [], []
    defined = [("File Name", "0", "Dir\tTime\tSize\tName", f"{line}\n") for line in DEFINED.findall(part)]
    for table, offset, heads, lines in [*TABLE.findall(part), *defined]:
        columns = heads.split("\t") if heads else []
        for at, (number, cells) in enumerate(ENTRY.findall(lines)):
            cell = dict(zip(columns, cells.split("\t")))
            name = cell.get("Name", "")
            if BAD_STRING.fullmatch(name):
                if at or columns[0] != "Name":
                    return None
                problems.append({"reason": "lines.string", "at": int(offset, 16)})
                name = ""
            name = READERS.readelf_string(name)
            if table == "Directory":
                directories.append(name)
                paths.directories[int(number)] = name
            else:
                paths.files[int(number)] = (name, int(cell.get("Dir", "0"), 0))
                entries.append((int(number), cell))
    return directories, [{"number": number, "path": paths.path(number), **{key: int(cell[head], 0) for key, head in (("directory", "Dir"), ("time", "Time"), ("size", "Size"))
                                                                          if int(cell.get(head, "0"), 0)}} for number, cell in entries], problems


# In place of the tables, so that a row has the number of its file.
NUMBERS = " The File Name Table:\n  Entry\tDir\tName\n" + "".join(f"  {number}\t0\t{number}\n" for number in range(100)) + "\n"


def rows_in(text: str) -> list[Any]:
    """The rows of what readelf prints, whose files are numbers."""
    kept = [line for line in text.splitlines() if line.startswith(("  [0x", "  DWARF Version", "  Initial value of 'is_stmt'"))]
    return list(READERS.readelf_raw("\n".join(line + ("\n" + NUMBERS if line.startswith("  DWARF") else "") for line in kept)))


def read_readelf(vector: Vector, folder: str) -> bool:
    """Tables whose rows have nothing that readelf does not show, and whose files have numbers where it shows numbers."""
    try:
        return same_dump(vector, folder)
    except (ValueError, KeyError, IndexError):
        return False


def same_dump(vector: Vector, folder: str) -> bool:
    """A row without an end stands at the end of its unit."""
    value, args = vector["expect"].get("value", {}), vector["args"]
    if set(args) - {"bytes", "str", "line_str"} or set(value) - {"units", "problems"} or not value.get("units") or any(set(unit) - SHOWN for unit in value["units"]):
        return False
    path = os.path.join(folder, "dump")
    with open(path, "wb") as file:
        file.write(UNITS.elf(args))
    command = ["readelf", "--debug-dump=rawline", path]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", timeout=20, check=False).stdout
    both = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=20, check=False).stdout
    problems, units, rows = [], [], rows_in(text)
    for part in text.split("\n  Offset: ")[1:]:
        part = f"\n  Offset: {part}"
        offset, version, tables = field(part, "Offset"), field(part, "DWARF Version"), tables_in(part)
        if tables is None:
            return False
        end = offset + 4 + field(part, "Length")
        made = rows_in(part)
        problems += tables[2] + ([{"reason": "lines.sequence.open", "at": end}] if made and "E" not in made[-1].flags else [])
        units.append({"offset": offset, "end": end, "version": version, "program": offset + (12 if version >= 5 else 10) + field(part, "Prologue Length"),
                      "address_size": field(part, r"Address size \(bytes\)"), "directories": tables[0], "files": tables[1]})
    for line in [line for line in both.splitlines() if "readelf: " in line]:
        place = re.search(rf"\[(0x[0-9a-f]+)\] *\n?{re.escape(line[line.index('readelf: '):])}", both)
        reason = BAD_NUMBER.get(line.split("Error: ")[-1])
        if reason and place:
            problems.append({"reason": reason, "at": int(place[1], 16)})
        elif "offset too big" not in line:
            return False
    told = [{**{"address_size": 0, "directories": [], "files": []}, **{key: part for key, part in unit.items() if key != "rows"}} for unit in value["units"]]
    wanted = []
    for unit in value["units"]:
        for row in unit.get("rows", []):
            if set(row) - {"address", "line", "column", "file", "discriminator", "flags"}:
                return False
            wanted.append((int(row["address"]), str(row.get("file", 1)), int(row["line"]), row.get("column", 0), row.get("discriminator", 0), row["flags"]))
    return told == units and [tuple(row) for row in rows] == wanted and ("problems" not in value and not problems or sorted_problems(value.get("problems", [])) == sorted_problems(problems))


# ---- The prototype's header, by dwarfdump ----

LOGICAL = re.compile(r"^ \[0x[0-9a-f]+\] \[ *\d+\] (.*?) x([0-9a-f]+)/(\d+) +(\d+) +(-?\d+) +(\d+) +x([0-9a-f]+) +x([0-9a-f]+) +x([0-9a-f]+) +(\d)0(\d)(\d)$", re.MULTILINE)
ACTUAL = re.compile(r"^ \[0x[0-9a-f]+\] .*? 0x([0-9a-f]+)/(\d+) +(\d+) +(\d+) +(\d)(\d)$", re.MULTILINE)
SINGLE = re.compile(r"^ \[0x[0-9a-f]+\] .*? 0x([0-9a-f]+) +(\d+) +(-?\d+) +(\d+) +(\d) (\d) (\d)(?: (\d) (\d) (\d+) 0x([0-9a-f]+))?$", re.MULTILINE)


def letters(**flags: bool) -> str:
    return "".join(letter for letter, there in flags.items() if there)


def shown_unit(text: str) -> Row:
    """A unit as dwarfdump shows it; a row without two programs has no context."""
    numbers = {name: int(found[1], 0) if (found := re.search(rf"{words} +(\w+)", text)) else -1 for name, words in (
        ("length", "total line info length"), ("offset", "line offset"), ("version", "line table version"), ("wide", "line table length field length"))}
    start = re.search(r"statement prog offset in section: \S+ \((\d+)\)", text)
    directories = re.findall(r"^  include dir\[\d+\] (.*)$", text, re.MULTILINE)
    files = [{"number": int(number), "path": f"{directories[int(directory) - 1]}/{name}" if int(directory) else name, **({"directory": int(directory)} if int(directory) else {})}
             for name, number, directory in re.findall(r"^  file\[\d+\] +(.*?) +\(file-number: (\d+)\)\n    dir index (\d+)$", text, re.MULTILINE)]
    names = dict(re.findall(r"^    \[ *(\d+)\] +\d+ +\d+ (.*)$", text, re.MULTILINE))
    logicals, _, actuals = text.partition("\nActuals Table\n")
    if "\nLogicals Table\n" in text:
        rows = [{"address": int(address, 16), "op_index": int(index), "file": int(file), "line": int(line) & 0xFFFFFFFF, "column": int(column), "discriminator": int(discriminator, 16),
                 "context": int(context, 16), "function": int(function, 16), "flags": letters(s=stmt == "1", p=prologue == "1", e=epilogue == "1", E="end_sequence" in word)}
                for word, address, index, file, line, column, discriminator, context, function, stmt, prologue, epilogue in LOGICAL.findall(logicals)]
    else:
        rows = [{"address": int(address, 16), "op_index": 0, "file": int(file), "line": int(line) & 0xFFFFFFFF, "column": int(column), "discriminator": int(more or "0", 16),
                 "context": 0, "function": 0, **({"isa": int(isa)} if int(isa or "0") else {}),
                 "flags": letters(s=stmt == "1", b=block == "1", p=prologue == "1", e=epilogue == "1", E=end == "1")}
                for address, file, line, column, stmt, block, end, prologue, epilogue, isa, more in SINGLE.findall(text)]
    unit: Row = {"offset": numbers["offset"], "end": numbers["offset"] + numbers["wide"] + numbers["length"], "version": 4 if numbers["version"] == 0xF006 else numbers["version"],
                 "offset_size": 8 if numbers["wide"] == 12 else 4, "program": int(start[1]) if start else -1, "directories": directories, "files": files, "rows": rows,
                 "functions": [names.get(str(row["function"]), "") for row in rows]}
    if "\nLogicals Table\n" in text:
        unit["actuals"] = [{"address": int(address, 16), "op_index": int(index), "line": int(row), "isa": int(isa), "flags": letters(s=True, b=block == "1", E=end == "1")}
                           for address, index, row, isa, block, end in ACTUAL.findall(actuals)]
    return unit


def dwarfdump(content: bytes, folder: str) -> Row | None:
    """The only unit of a table; None: dwarfdump complains."""
    path = os.path.join(folder, "dump")
    with open(path, "wb") as file:
        file.write(object_of({**compile_unit(), ".debug_line": content}))
    done = subprocess.run(["dwarfdump", "-l", "-vvv", path], capture_output=True, text=True, errors="replace", timeout=20, check=False)
    text = done.stdout[done.stdout.find("total line info length"):]
    if re.search("ERROR|DWARF CHECK", done.stdout + done.stderr) or not text or ("\nLogicals Table\n" not in text and "set_subprogram" in text):
        return None
    return shown_unit(text)


def full(row: Row, **more: int) -> Row:
    """A row of a vector with its defaults, numbers as numbers."""
    return {"op_index": 0, **more, **{key: part if key == "flags" else int(part) for key, part in row.items()}}


def full_logical(row: Row) -> Row:
    return full(row, column=0, file=1, discriminator=0, context=0, function=0)


def read_prototype(vector: Vector, folder: str) -> bool:
    """Tables of one unit of the prototype's version. An actual has is_stmt, which means nothing."""
    value, args = vector["expect"].get("value", {}), vector["args"]
    content = bytes_of(args.get("bytes", []))
    if set(args) != {"bytes"} or set(value) != {"units"} or b"\x06\xf0" not in (content[4:6], content[12:14]):
        return False
    shown = dwarfdump(content, folder)
    wanted = []
    for unit in value["units"]:
        rows = list(map(full_logical, unit.get("rows", [])))
        more = {"actuals": [full(row, isa=0) for row in unit["actuals"]]} if "actuals" in unit else {}
        wanted.append({"offset_size": 4, "directories": [], "files": [], **unit, "functions": unit.get("functions", [""] * len(rows)), "rows": rows, **more})
    return bool(shown and [shown] == wanted and shown["end"] == len(content))


# Instructions that mean in the prototype what they mean in DWARF, so that it does not matter whose opcodes are around them.
COMMON = {"set_isa", "set_basic_block", "set_prologue_end", "set_epilogue_begin", "copy", "end_sequence", "advance_pc", "advance_line", "special", "set_column", "set_file", "set_address", "const_add_pc", "fixed_advance_pc", "set_discriminator"}


def read_operations(vector: Vector, folder: str) -> bool:
    """Programs with the index of an operation, or with instructions of DWARF alone. Stacks are of rows without context and function, which the rows show."""
    args, value = vector["args"], vector["expect"].get("value", {})
    header = {key: part for key, part in args.get("header", {}).items() if key != "dialect"}
    programs = [key for key in ("logicals", "actuals") if key in args]
    if set(args) - {"header", "logicals", "actuals", "stacks"} or set(value) - {"stacks"} != set(programs) or not all(args[key] for key in programs):
        return False
    if args["header"].get("dialect") != "logicals" and (header or any(text.split()[0] not in COMMON for key in programs for text in args[key])):
        return False
    shown = dwarfdump(prototype(header, args["logicals"], args.get("actuals"), []), folder)
    if not shown or ("actuals" in shown) != ("actuals" in args) or any(row["context"] or row["function"] for row in shown["rows"]):
        return False
    stacks = []
    for number in map(int, args.get("stacks", [])):
        logical = shown["actuals"][number - 1]["line"] if "actuals" in shown else number
        row = shown["rows"][logical - 1] if 0 < logical <= len(shown["rows"]) else None
        stacks.append([{"function": "", **{key: row[key] for key in ("file", "line", "column")}}] if row else [])
    return bool(shown["rows"] == list(map(full_logical, value["logicals"])) and shown.get("actuals", []) == [full(row, isa=0) for row in value.get("actuals", [])] and
                stacks == value.get("stacks", []))
