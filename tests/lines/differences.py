"""Where other readers show something else than dloc, and why."""

import collections
import dataclasses
import fnmatch
import re
import typing

from objects import ROOT, inputs


@dataclasses.dataclass(frozen=True)
class Difference:
    readers: str  # patterns
    objects: str
    cause: str
    change: typing.Callable | None = None  # makes of dloc's rows those that the reader shows; None: what it shows is no line table

    def applies(self, reader, name):
        return all(
            any(fnmatch.fnmatch(one, pattern) for pattern in patterns.split()) for one, patterns in ((reader, self.readers), (name, self.objects))
        )


def changed(rows, when, **fields):
    """The rows for which a condition holds, with other fields, each a function of the row."""
    return [row._replace(**{name: make(row) for name, make in fields.items()}) if when(row) else row for row in rows]


def in_folder(rows, _):
    return changed(rows, lambda row: row.file and row.file[0] != "/", file=lambda row: f"{inputs()}/{row.file}")


def name_in_folder(rows, _):
    return changed(rows, lambda row: row.file and "/" not in row.file, file=lambda row: f"{inputs()}/{row.file}")


def relative(rows, _):
    # a cache below ROOT is no folder of ROOT's own sources
    folders = re.compile(f"({inputs()}|{ROOT}(?!/build/cache)|/.*/unpacked/sqlite3/tsrc)/(?=.*/)")
    return changed(rows, lambda row: folders.match(row.file), file=lambda row: folders.sub("", row.file, 1))


def last_byte(rows, _):
    return changed(rows, lambda row: "E" in row.flags, address=lambda row: row.address - 1)


def forced_ends(shift):
    def change(rows, theirs):
        """Rows that end a sequence in theirs, and stand in ours without that."""
        ends = collections.Counter(row for row in theirs if "E" in row.flags) - collections.Counter(rows)
        extra = [row._replace(address=row.address + shift, flags=row.flags[:-1]) for row in ends.elements()]
        return [row._replace(address=row.address - shift, flags=row.flags + "E") if row in extra and not extra.remove(row) else row for row in rows]

    return change


def behind_end(rows, theirs):
    """A row at the address where its sequence ends stands at the start of some section."""
    result, end = [], None
    for row in reversed(rows):
        end = row.address if "E" in row.flags else end
        moved = row._replace(address=0)
        result.append(moved if row.address == end and "E" not in row.flags and moved in theirs else row)
    return result[::-1]


def end_at_zero(rows, theirs):
    return [row._replace(address=0) if "E" in row.flags and i < len(theirs) and theirs[i].address == 0 else row for i, row in enumerate(rows)]


def ends_at_epilogue(rows, theirs):
    return [
        row._replace(flags=row.flags + "E") if "e" in row.flags and "E" not in row.flags and "E" in other.flags else row
        for row, other in zip(rows, theirs)
    ] + rows[len(theirs) :]


def file_zero(rows, theirs):
    """The rows of a sequence before it sets the file: those that begin it and have one file."""
    result, start = [], None
    for row, other in zip(rows, theirs):
        start = start or (row.file, other.file)
        unset = (row.file, other.file) == start
        result.append(row._replace(file=other.file) if unset else row)
        start = None if "E" in row.flags else start if unset else ("", "")
    return result + rows[len(result) :]


def defined_file(rows, _):
    return changed(rows, lambda row: row.file == "/first/three.x", file=lambda row: "")


def advance_of_32_bits(rows, _):
    return changed(rows, lambda row: row.address >> 32 == 0x100, address=lambda row: row.address & 0xFFFFFFFF)


def generated(rows, _):
    return changed(rows, lambda row: row.file and row.file[0] != "/", file=lambda row: "./" + row.file)


def clang(machines):
    return " ".join("clang22-" + machine for machine in machines.split())


LIBDW = "libdw eu-readelf-decodedline"
DIFFERENCES = [
    Difference("dwarfdump", "*-v[234] rust", "versions 2 to 4 have no directory of the compilation in the table; it takes DW_AT_comp_dir", in_folder),
    Difference(
        LIBDW,
        "*-v[234] rust",
        "versions 2 to 4 have no directory of the compilation in the table; it takes DW_AT_comp_dir for directory 0, not for relative directories",
        name_in_folder,
    ),
    Difference(LIBDW, "*", "in version 5 it does not join a relative directory with directory 0, against DWARF 5, 6.2.4", relative),
    Difference(LIBDW, "gcc-*", "libdwfl puts sections of an object behind one another, so the end of one is the start of the next", behind_end),
    Difference("eu-readelf-decodedline", "*", "it prints the last byte of a sequence, not the first behind it", last_byte),
    Difference(LIBDW + " dwarfdump", "go", "the name of a file without directory stands in DW_AT_comp_dir, which is `.`", generated),
    Difference("libdw", "cxx-* lto-gcc dloc", "it makes the last row of a unit, by address, the end of a sequence; ends stand before other rows of their address", forced_ends(0)),
    Difference("eu-readelf-decodedline", "cxx-* lto-gcc dloc", "it does so, too", forced_ends(1)),
    Difference("eu-readelf-line", "gcc-itself-*", "it does so, too, with the address of a symbol", end_at_zero),
    Difference("dwarfdump", "*", "it prints ET, the end of a sequence, for DW_LNS_set_epilogue_begin, too, where a special opcode makes the row", ends_at_epilogue),
    Difference("dwarfdump", "*", "in version 5 it lets a sequence start with file 0, against DWARF 5, table 6.4", file_zero),
    Difference("readelf-rawline", "clang22-source", "it prints embedded source between the fields of a file"),
    Difference("dwarfdump", "cxx-gcc-dwz", "it prints a table again for each unit that refers to it"),
    Difference("llvm-dwarfdump-16 llvm-dwarfdump-19 llvm-dwarfdump-22", "gcc-zdebug", "from version 16 on LLVM reads no .zdebug sections"),
    Difference(
        "objdump-decodedline",
        clang("aarch64 aarch64_be riscv64 riscv64-fixed riscv32 powerpc64 powerpc64le s390x mips64 sparcv9 loongarch64 hexagon m68k avr"),
        "binutils for x86 apply no relocations of other machines",
    ),
    Difference("readelf-*", clang("loongarch64 hexagon"), "binutils 2.40 do not know all of their relocations"),
    Difference("llvm-dwarfdump-14 llvm-dwarfdump-16", clang("loongarch64"), "LLVM before 17 does not know all of its relocations"),
    Difference("eu-readelf-* libdw", clang("mips mips64 loongarch64 hexagon avr"), "elfutils 0.188 do not know these machines"),
    Difference("llvm-dwarfdump-*", clang("m68k"), "LLVM does not know R_68K_32 in sections of DWARF"),
    Difference("dwarfdump", clang("riscv64 riscv64-fixed riscv32 sparcv9 loongarch64 m68k avr"), "libdwarf 20210528 applies no relocations of these machines"),
    # inputs/*.s
    Difference("libdw eu-readelf-decodedline dwarfdump", "directories", "it reads no table with a file whose directory is not there"),
    Difference("llvm-dwarfdump-*", "few-opcodes", "it takes 8 for DW_LNS_const_add_pc where opcode_base makes it a special opcode"),
    Difference("llvm-dwarfdump-*", "opcodes", "a file of DW_LNE_define_file is not in what it prints of the tables", defined_file),
    Difference("dwarfdump", "numbers", "it prints rows of a file that is not there as errors"),
    Difference("dwarfdump", "opcodes", "it reads no program with opcodes that it does not know"),
    Difference("dwarfdump", "tables", "it takes no DW_FORM_strp for a path"),
    Difference("eu-readelf-* libdw", "padded", "it takes the length of an extended opcode for a byte"),
    Difference("readelf-* objdump-decodedline dwarfdump", "sequences", "it takes what stands between the tables and the program for opcodes"),
    Difference("llvm-dwarfdump-14 llvm-dwarfdump-16", "vliw", "LLVM before 17 has no op_index"),
    Difference("readelf-rawline", "vliw", "its DW_LNS_const_add_pc has no op_index"),
    Difference("dwarfdump", "vliw", "its DW_LNS_advance_pc has no op_index"),
    Difference(LIBDW + " eu-readelf-line", "wide", "it keeps 32 bits of the operand of DW_LNS_advance_pc", advance_of_32_bits),
]
