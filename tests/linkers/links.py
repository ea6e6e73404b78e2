"""What linkers do with the tables and texts of layers: the programs, their options, and what is expected of each."""

import dataclasses
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
for folder in ("real", "lines"):
    sys.path.insert(0, os.path.join(ROOT, "tests", folder))
from common import llvm, run  # noqa: E402
from elf import Elf  # noqa: E402
from readers import llvm as dwarfdump_rows, tabs  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Linker:
    """What was seen of it, and is asked for."""

    name: str
    command: str
    # Where a row leads whose code is a copy that was discarded: to the copy that was kept, if both are of one size (bfd, gold), or to 0.
    kept_copy: bool = False
    # Any other row without code is at 0 and the offset in the section of its code (gold), or at 0.
    adds_offset: bool = False
    # Where a row leads whose code was folded into equal code: to that code (gold), or to 0. None: it folds nothing.
    folded: str | None = None
    # --icf=safe folds what has no table of significant addresses
    safe_folds: bool = False
    # .debug_line.tileir becomes part of .debug_line
    merges: bool = False
    # All groups whose signature is a symbol without name are one (SPEC.md, `section.group`).
    one_nameless: bool = False
    # A text of no bytes is removed.
    drops_empty: bool = False
    machines: tuple = ("x86_64", "aarch64")


LINKERS = [
    Linker("bfd", "ld.bfd", kept_copy=True, merges=True, drops_empty=True, machines=("x86_64",)),
    Linker("gold", "ld.gold", kept_copy=True, adds_offset=True, folded="code", safe_folds=True, machines=("x86_64",)),
    *(Linker(f"lld-{version}", llvm(version, "ld.lld"), folded="0", one_nameless=True) for version in (14, 19, 22)),
    Linker("mold", "ld.mold", folded="0"),
]

SHAPES = {
    "executable": [],
    "pie": ["-pie"],
    "shared": ["-shared"],
    "relocatable": ["-r"],
    "gc": ["--gc-sections"],
    "icf-all": ["--icf=all"],
    "icf-safe": ["--icf=safe"],
    "compressed": ["--compress-debug-sections=zlib"],
    "everything": ["-pie", "--gc-sections", "--icf=all", "--compress-debug-sections=zlib"],
}
# The cure for GNU ld and the RFC's name: a section of its own for each kind.
INSERT = "SECTIONS { .debug_line.tileir 0 : { *(.debug_line.tileir) } .debug_line.mlir 0 : { *(.debug_line.mlir) } } INSERT BEFORE .debug_line;\n"


class Failed(Exception):
    """A program of the toolchain failed."""


def succeed(command, cwd=None):
    status, output, errors = run(command, cwd=cwd, limit=120)
    if status != 0:
        raise Failed(f"{' '.join(command)}: exit status {status}: {errors.strip()[:500]}")
    return output.decode(errors="replace")


def assemble(source, assembler, dwarf, arch="x86_64"):
    """The object beside an assembly text."""
    if assembler == "gas":
        command = ["as", f"--gdwarf-{dwarf}"]
    else:
        command = [llvm(assembler.removeprefix("llvm-"), "llvm-mc"), "-filetype=obj", f"-triple={arch}-linux-gnu", f"-dwarf-version={dwarf}"]
    succeed([*command, source, "-o", source.removesuffix(".s") + ".o"])
    return source.removesuffix(".s") + ".o"


def link(linker, shape, objects, out, extra=()):
    """out, linked; the relocatable shape is linked once more. A linker without --icf ignores it."""
    flags = [flag for flag in SHAPES[shape] if linker.folded or not flag.startswith("--icf")]
    succeed([linker.command, *flags, *(extra if shape != "relocatable" else ()), *objects, "-o", out])
    if shape == "relocatable":
        os.rename(out, out + ".o")
        succeed([linker.command, *extra, out + ".o", "-o", out])


# ---- Which rows are expected ----


def addresses(linker, shape, linked, halves, code):
    """label of a half -> its address in the linked file, what a row says that has a relocation for it: {(half, label): address}."""
    folds = linker.folded and (shape in ("icf-all", "everything") or shape == "icf-safe" and linker.safe_folds)
    kept, found = {}, {}
    for instruction in code:
        half, function, label = instruction["half"], instruction["function"], instruction["label"]
        size = halves[half].symbols[function].size
        first = kept.setdefault(function, (half, size))
        symbol = linked.symbols.get(label)
        if folds and function == "twin_b":
            symbol = linked.symbols[label.replace("twin_b", "twin_a")] if linker.folded == "code" else None
        elif first[0] != half and shape == "relocatable" and not linker.merges:
            symbol = None  # bfd alone writes down what was the kept copy's
        elif first[0] != half and not (linker.kept_copy and first[1] == size) or not symbol:
            symbol = halves[half].symbols[label] if linker.adds_offset else None
        found[half, label] = symbol.value if symbol else 0
    return found


def expected_rows(kind, expected, halves, where):
    """(address, file, line, column) of each row in the order of layered.py, whose every third row of a sequence has a relocation."""
    rows, before, address = [], None, 0
    for instruction in expected["code"]:
        half, label = instruction["half"], instruction["label"]
        elf = halves[half]
        symbol, function = elf.symbols[label], elf.symbols[instruction["function"]]
        if before is None or (before.half, before.section) != (half, symbol.section):
            rows += [before.end(address)] if before else []
            before, number = None, 0
        if number % 3 == 0:
            address = where[half, label]
        else:
            address += symbol.value - before.value
        file, line, column = instruction["layers"][kind] or (None, 0, 0)
        rows.append((address, file, line, column))
        number += 1
        before = Before(half, symbol.section, symbol.value, function.value + function.size)
    return rows + [before.end(address)]


@dataclasses.dataclass
class Before:
    """Of the row before: its half, section, offset there, and the end of its function."""

    half: str
    section: int
    value: int
    ends: int

    def end(self, address):
        return (address + self.ends - self.value, None, None, None)


def seen(rows):
    """Rows of a reader as those of expected_rows: no file where the line is 0."""
    places = ((row, (row.file, row.line, row.column) if row.line else (None, 0, 0)) for row in rows)
    return [(row.address, None, None, None) if "E" in row.flags else (row.address, *place) for row, place in places]


def read_rows(path, section, dloc):
    """{reader: rows} of a section: dloc's, and those of llvm-dwarfdump, which reads it under the name of the program's own."""
    output = succeed([dloc, "lines", "--tsv", "--section", section, path])
    renamed = path + ".renamed"
    succeed([llvm(22, "llvm-objcopy"), "--rename-section", ".debug_line=.primary", "--rename-section", f"{section}=.debug_line", path, renamed])
    try:
        dump = succeed([llvm(22, "llvm-dwarfdump"), "--debug-line", renamed])
    finally:
        os.unlink(renamed)
    return {"dloc": seen(tabs(output)), "llvm-dwarfdump": seen(dwarfdump_rows(dump))}


def difference(wanted, found):
    for number, (ours, theirs) in enumerate(zip(wanted, found)):
        if ours != theirs:
            return f"row {number + 1} is {theirs}, not {ours}"
    return None if len(wanted) == len(found) else f"{len(found)} rows, not {len(wanted)}"


def wrong_texts(elf, texts):
    """What is wrong with the sections of texts, or None: each is there once, with its text, whose MD5 is in its name."""
    found = [(section.name, section.data) for section in elf.named(".debug_txt")]
    if sorted(name for name, _ in found) != sorted(texts):
        return f"sections of texts {sorted(name for name, _ in found)}, not {sorted(texts)}"
    for name, data in found:
        if data.decode() != texts[name] or not name.endswith("." + hashlib.md5(data).hexdigest()):
            return f"{name} has another text"
    return None


def misplaced(linked, code):
    """The first label that is not where its instruction is, or None."""
    for instruction in code:
        symbol, wanted = linked.symbols.get(instruction["label"]), bytes.fromhex(instruction["bytes"])
        if symbol and linked.bytes_at(symbol.value, len(wanted)) != wanted:
            return f"{instruction['label']} is not at its instruction"
    return None


# ---- What other programs say of the primary ----


# What does not count of eu-readelf's: where the section is in the file; which symbol is at 0 (lld 19 and 22 keep those of groups under -r).
EU_ASIDE = re.compile(rb"DWARF section \[ *\d+\] '.debug_line' at offset 0x[0-9a-f]+:| \b0+(?: <[^>]*>)?$", re.MULTILINE)


def questions(path, labels):
    """{program: command} of what reads the program's own line table of a file."""
    symbols = Elf(path).symbols
    where = [hex(symbols[label].value) for label in labels if label in symbols]
    return {
        "gdb": ["gdb", "-nx", "-batch", *(word for address in where for word in ("-ex", f"info line *{address}"))],
        "readelf": ["readelf", "-W", "--debug-dump=decodedline"],
        "llvm-dwarfdump": [llvm(22, "llvm-dwarfdump"), "--debug-line"],
        "eu-readelf": ["eu-readelf", "--debug-dump=decodedline"],
        "llvm-symbolizer": [llvm(22, "llvm-symbolizer"), "--verbose", *where, "--obj"],
        "addr2line": ["addr2line", "-f", *where, "-e"],
        "eu-addr2line": ["eu-addr2line", "-f", *where, "-e"],
    }


def answers(path, labels, programs):
    """{program: what it says}; the file is named alike in each folder."""
    folder, name = os.path.split(path)
    found = {}
    for program, command in questions(path, labels).items():
        if program in programs:
            status, output, errors = run([*command, name] if program != "llvm-symbolizer" else [*command[:-1], f"--obj={name}"], cwd=folder)
            found[program] = (status, EU_ASIDE.sub(b"", output).rstrip(), errors.replace(folder + "/", ""))
    return found
