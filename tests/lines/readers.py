"""Programs that read line tables, and what they print as rows: (address, file, line, column, discriminator, letters of flags)."""

import collections
import dataclasses
import os
import re
import typing

from objects import HERE, built

Row = collections.namedtuple("Row", "address file line column discriminator flags")
FLAGS = {"is_stmt": "s", "basic_block": "b", "prologue_end": "p", "epilogue_begin": "e", "end_sequence": "E"}
END = "E"


class Unit:
    """The tables of a unit as a dumper prints them, for the files of its rows."""

    def __init__(self, version=0):
        self.version, self.directories, self.files, self.paths = version, {}, {}, {}

    def path(self, number):
        """A file by the number that a row has: its directory is joined unless it names none."""
        if number not in self.paths:
            name, directory = self.files.get(number, ("", 0))
            if name and not name.startswith("/"):
                parts = [self.directories.get(directory, ""), name]
                if self.version >= 5 and directory and not parts[0].startswith("/"):
                    parts.insert(0, self.directories.get(0, ""))
                name = "".join(part if part.endswith("/") or not part else part + "/" for part in parts[:-1]) + name
            self.paths[number] = name
        return self.paths[number]


# ---- Rows with tabs: dloc and libdw.c ----


def tabs(output):
    for line in output.splitlines():
        address, file, number, column, discriminator, flags = line.split("\t")
        yield Row(int(address, 16), file, int(number), int(column), int(discriminator), flags)


# ---- llvm-dwarfdump ----

LLVM_TABLE = re.compile(r"(?:include_directories|file_names)\[ *(\d+)\](?: = \"(.*)\")?")


def llvm(output):
    unit, entry = Unit(), 0
    for line in output.splitlines():
        if line.startswith("0x"):
            words = line.split()
            flags = "".join(FLAGS[word] for word in words[6:] if word in FLAGS)
            yield Row(int(words[0], 16), unit.path(int(words[3])), int(words[1]), int(words[2]), int(words[5]), flags)
        elif line.startswith("debug_line["):
            unit = Unit()
        elif line.lstrip().startswith("version:"):
            unit.version = int(line.split(":")[1])
        elif match := LLVM_TABLE.match(line):
            entry = int(match[1])
            if match[2] is not None:
                unit.directories[entry] = match[2]
        elif line.startswith("           name: "):
            unit.files[entry] = (line[17:].strip('"'), 0)
        elif line.startswith("      dir_index: "):
            unit.files[entry] = (unit.files[entry][0], int(line[17:]))


# ---- readelf and objdump ----

def readelf_shows(row):
    """Files without folders, no columns; a row that ends a sequence has no line."""
    flags = "E" if "E" in row.flags else "s" if "s" in row.flags else ""
    return row._replace(file=row.file.rsplit("/", 1)[-1], line=0 if flags == "E" else row.line, column=0, discriminator=0, flags=flags)


DECODED = re.compile(r" ?(\S.*?) +(\d+|-) +(0x[0-9a-f]+|0)(?:\[(\d+)\])?( +\d+)?( +x)?( +END)?$")


def readelf_decoded(output):
    for line in output.splitlines():
        if match := DECODED.match(line.rstrip()):
            end, file = match[2] == "-", "" if match[1].startswith("<over large file table index") else match[1]
            yield Row(int(match[3], 16), file, 0 if end else int(match[2]), 0, 0, END if end else "s" if match[6] else "")


class Registers:
    """The state machine, as far as a dump of opcodes leaves it to the reader of the dump."""

    def __init__(self, is_stmt):
        self.address, self.file, self.line, self.column, self.discriminator = 0, 1, 1, 0, 0
        self.is_stmt, self.flags = is_stmt, ""

    def row(self, unit, end=""):
        letters = ("s" if self.is_stmt else "") + "".join(letter for letter in "bpe" if letter in self.flags) + end
        row = Row(self.address, unit.path(self.file), self.line & 0xFFFFFFFF, self.column, self.discriminator, letters)
        self.discriminator, self.flags = 0, ""
        return row


READELF_OPCODES = re.compile(
    r"  \[0x[0-9a-f]+\]  (?:"
    r"(?P<special>Special opcode \d+: advance Address by \d+ to (?P<sa>0x[0-9a-f]+|0)(?:\[\d+\])?(?: and Line by -?\d+ to (?P<sl>\d+))?)|"
    r"(?P<copy>Copy)|Advance PC by (?:constant |fixed size amount )?\d+ to (?P<pc>0x[0-9a-f]+|0)|Advance Line by -?\d+ to (?P<line>-?\d+)|"
    r"Set column to (?P<column>\d+)|Set is_stmt to (?P<stmt>\d)|Set File Name to entry (?P<file>\d+)|"
    r"Set (?P<flag>basic block|prologue_end|epilogue_begin)|"
    r"Extended opcode 2: set Address to (?P<address>0x[0-9a-f]+|0)|Extended opcode 4: set Discriminator to (?P<discriminator>\d+)|"
    r"Extended opcode (?P<end>1): |Extended opcode (?P<define>3): )"
)


def readelf_string(text):
    """(indirect line string, offset: 0x1): name"""
    return text.split("): ", 1)[1] if text.startswith("(") and "): " in text else text


def readelf_raw(output):
    unit, m, default, table, defining = Unit(), None, True, None, False
    for line in output.splitlines():
        if match := READELF_OPCODES.match(line):
            m = m or Registers(default)
            groups = match.groupdict()
            if groups["special"]:
                m.address, m.line = int(groups["sa"], 16), int(groups["sl"] or m.line)
                yield m.row(unit)
            elif groups["copy"]:
                yield m.row(unit)
            elif groups["end"]:
                yield m.row(unit, END)
                m = None
            elif groups["pc"] or groups["address"]:
                m.address = int(groups["pc"] or groups["address"], 16)
            elif groups["flag"]:
                m.flags += groups["flag"][0]
            elif groups["define"]:
                table, defining = "file", True
            else:
                for name in ("line", "column", "file", "discriminator"):
                    if groups[name] is not None:
                        setattr(m, name, int(groups[name]))
                if groups["stmt"]:
                    m.is_stmt = groups["stmt"] == "1"
        elif line.startswith("  DWARF Version:"):
            unit, m, defining = Unit(int(line.split(":")[1])), None, False
        elif line.startswith("  Initial value of 'is_stmt':"):
            default = line.split(":")[1].strip() != "0"
        elif line.startswith(" The Directory Table"):
            table, columns = "directory", ["Entry", "Name"]
        elif line.startswith(" The File Name Table"):
            table = "file"
        elif line.startswith("  Entry\t"):
            columns = line.split()
        elif table and (entry := line.split("\t"))[0].strip().isdigit():
            fields = dict(zip(columns, entry))
            name = readelf_string(fields["Name"] if len(fields) == len(columns) else entry[-1])
            if table == "directory":
                unit.directories[int(entry[0])] = name
            else:
                unit.files[int(entry[0])] = (name, int(fields["Dir"].split()[0]))
        elif not line.strip() and not defining:
            table = None


# ---- eu-readelf ----

EU_ROW = re.compile(r" +(\d+):(\d+) +([S ])([B ])([P ])([E ])([* ]) +(\d+) +\d+ +\d+ (?:\S*\+)?(?:0x)?([0-9a-f]+)")
EU_FILE = re.compile(r"  (\S.*) \(mtime: [0-9?]+, length: [0-9?]+\)$")


def eu_decoded(output):
    """The end of a sequence is the last byte before it."""
    file = ""
    for line in output.splitlines():
        if match := EU_ROW.match(line):
            flags = "".join(letter for letter, there in zip("sbpeE", match.groups()[2:7]) if there != " ")
            yield Row(int(match[9], 16), file, int(match[1]), int(match[2]), int(match[8]), flags)
        elif match := EU_FILE.match(line):
            file = "" if match[1] in ("???", "<invalid DWARF>") else match[1]


EU_OPCODES = re.compile(
    r" \[ *[0-9a-f]+\] (?:"
    r"(?P<special>special opcode \d+: address\+(?P<sa>\d+) .*line(?P<sl>[+-]\d+) = -?\d+)|(?P<copy>copy)$|"
    r"advance address by (?:constant |fixed value )?(?P<pc>\d+) to|advance line by constant (?P<line>-?\d+) to|"
    r"set column to (?P<column>\d+)|set 'is_stmt' to (?P<stmt>\d)|set file to (?P<file>\d+)|"
    r"set (?P<flag>basic block|prologue end|epilogue begin) flag|"
    r"extended opcode 2: +set address to (?:\S*\+)?(?:0x)?(?P<address>[0-9a-f]+)|extended opcode 4: +set discriminator to (?P<discriminator>\d+)|"
    r"extended opcode (?P<end>1): |extended opcode 3: +define new file: dir=(?P<define>\d+).* name=(?P<name>.*))"
)
EU_UNENDED = re.compile(r"(unknown opcode with \d+ parameters?:[ 0-9,]*)(?= \[)")
EU_ENTRY = re.compile(r" ?(\d+) +(.*?)(?: \(\d+\))?(?:, +(\d+)(?:, .*)?)?$")


def eu_raw(output):
    unit, m, default, table = Unit(), None, True, None
    for line in EU_UNENDED.sub(r"\1\n", output).splitlines():
        if match := EU_OPCODES.match(line):
            m = m or Registers(default)
            groups = match.groupdict()
            if groups["special"]:
                m.address, m.line = m.address + int(groups["sa"]), m.line + int(groups["sl"])
                yield m.row(unit)
            elif groups["copy"]:
                yield m.row(unit)
            elif groups["end"]:
                yield m.row(unit, END)
                m = None
            elif groups["define"]:
                unit.files[len(unit.files) + 1] = (groups["name"], int(groups["define"]))
            elif groups["pc"]:
                m.address += int(groups["pc"])
            elif groups["address"]:
                m.address = int(groups["address"], 16)
            elif groups["flag"]:
                m.flags += groups["flag"][0]
            elif groups["line"]:
                m.line += int(groups["line"])
            elif groups["stmt"]:
                m.is_stmt = groups["stmt"] == "1"
            else:
                for name in ("column", "file", "discriminator"):
                    if groups[name] is not None:
                        setattr(m, name, int(groups[name]))
        elif line.startswith(" DWARF version:"):
            unit, m = Unit(int(line.split(":")[1])), None
        elif line.startswith(" Initial value if 'is_stmt':"):
            default = line.split(":")[1].strip() != "0"
        elif line.startswith("Directory table:"):
            table = "directory"
        elif line.startswith("File name table:"):
            table = "file"
        elif line.startswith("Line number statements:"):
            table = None
        elif table == "directory":
            if unit.version < 5:
                if line.startswith(" ") and line.strip():
                    unit.directories[len(unit.directories) + 1] = line.strip()
            elif match := EU_ENTRY.match(line):
                unit.directories[int(match[1])] = match[2]
        elif table == "file":
            if unit.version < 5:
                words = line.split(None, 4)
                if len(words) == 5 and words[0].isdigit():
                    unit.files[int(words[0])] = (words[4], int(words[1]))
            elif match := EU_ENTRY.match(line):
                unit.files[int(match[1])] = (match[2], int(match[3] or 0))


# ---- dwarfdump ----

DWARFDUMP_ROW = re.compile(r'(0x[0-9a-f]+)  \[ *(\d+), *(\d+)\]((?: [A-Z]{2})*)(?: IS=0x[0-9a-f]+)?(?: DI=0x([0-9a-f]+))?(?: uri: "(.*)")?$')
DWARFDUMP_FLAGS = {"NS": "s", "BB": "b", "PE": "p", "EB": "e", "ET": "E"}


def dwarfdump(output):
    file = ""
    for line in output.splitlines():
        if match := DWARFDUMP_ROW.match(line.rstrip()):
            file = match[6] if match[6] is not None else file
            letters = {DWARFDUMP_FLAGS.get(word, "") for word in match[4].split()}
            flags = "".join(letter for letter in "sbpeE" if letter in letters)
            yield Row(int(match[1], 16), file, int(match[2]), int(match[3]), int(match[5] or "0", 16), flags)


# ---- The programs ----


@dataclasses.dataclass
class Reader:
    name: str
    command: list
    rows: typing.Callable  # of what it prints
    order: str = "program"  # of the rows of a unit: "address", or "none" where ties are not to be told
    shows: typing.Callable = lambda row: row  # what it shows of a row
    few: bool = False  # is asked in make check, too
    most: int = 500_000  # rows of an object that it is asked of: some take minutes for more


def libdw():
    """The program beside this file."""
    source = os.path.join(HERE, "libdw.c")
    return built("libdw", f"gcc -O2 -o $out {source} -ldw", [source])


def readers():
    return [
        *(
            Reader(f"llvm-dwarfdump-{version}", [f"/usr/lib/llvm-{version}/bin/llvm-dwarfdump", "--debug-line"], llvm, few=version == 22, most=500_000 if version < 22 else 10_000_000)
            for version in (14, 16, 19, 22)
        ),
        Reader("readelf-decodedline", ["readelf", "-W", "--debug-dump=decodedline"], readelf_decoded, shows=readelf_shows, few=True),
        Reader("readelf-rawline", ["readelf", "--debug-dump=rawline"], readelf_raw),
        Reader("objdump-decodedline", ["objdump", "-W", "--dwarf=decodedline"], readelf_decoded, shows=readelf_shows),
        Reader("eu-readelf-decodedline", ["eu-readelf", "--debug-dump=decodedline"], eu_decoded, order="none", most=100_000),
        Reader("eu-readelf-line", ["eu-readelf", "--debug-dump=line"], eu_raw, few=True, most=100_000),
        Reader("libdw", [libdw()], tabs, order="address", few=True, most=10_000_000),
        Reader("dwarfdump", ["dwarfdump", "-l"], dwarfdump),
    ]
