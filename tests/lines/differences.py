"""Where other readers show something else than dloc, and why."""

import collections
import dataclasses
import fnmatch
import typing

from objects import inputs


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
    folder = inputs() + "/"
    return changed(rows, lambda row: "/" in row.file.removeprefix(folder), file=lambda row: row.file.removeprefix(folder))


def last_byte(rows, _):
    return changed(rows, lambda row: "E" in row.flags, address=lambda row: row.address - 1)


def forced_ends(shift):
    def change(rows, theirs):
        """A row for each of a few units: theirs ends a sequence, ours does not."""
        ends = collections.Counter(row for row in theirs if "E" in row.flags) - collections.Counter(rows)
        extra = [row._replace(address=row.address + shift, flags=row.flags[:-1]) for row in ends.elements()][:3]
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


def ends_at_epilogue(rows, _):
    return changed(rows, lambda row: "e" in row.flags and "E" not in row.flags, flags=lambda row: row.flags + "E")


def file_zero(rows, theirs):
    """The rows of a sequence before it sets the file: those that begin it and have one file."""
    result, first = [], None
    for row, other in zip(rows, theirs):
        first = first or row.file
        unset = row.file == first and other.file in (f"{inputs()}/c.c", f"{inputs()}/<artificial>")
        result.append(row._replace(file=other.file) if unset else row)
        first = None if "E" in row.flags else first if unset else "/"
    return result + rows[len(result) :]


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
    Difference("libdw", "cxx-* lto-gcc", "it makes the last row of a unit, by address, the end of a sequence, where sequences overlap", forced_ends(0)),
    Difference("eu-readelf-decodedline", "cxx-* lto-gcc", "it does so, too", forced_ends(1)),
    Difference("eu-readelf-line", "gcc-itself-*", "it does so, too, with the address of a symbol", end_at_zero),
    Difference("dwarfdump", "*", "it prints ET, the end of a sequence, for DW_LNS_set_epilogue_begin, too", ends_at_epilogue),
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
]
