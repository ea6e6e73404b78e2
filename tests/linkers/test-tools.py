#!/usr/bin/env python3
"""usage: tests/linkers/test-tools.py few|all

What tools that change linked files and objects leave of the tables and texts of layers: OPERATIONS pins it, losses too. Where they are kept, every
row and text is as before; where the program's own line table is kept, gdb and others say of it what they said before."""

import dataclasses
import itertools
import os
import shutil
import sys
import tempfile

import layered
from links import LINKERS, addresses, answers, assemble, difference, expected_rows, link, read_rows, seen, succeed, wrong_texts
from elf import NOBITS, Elf
from common import DLOC, Results, llvm, run
from readers import tabs


@dataclasses.dataclass
class Operation:
    name: str
    command: str  # of shell; $in is linked, $out what is looked at, $debug a file beside it
    out: str  # kept, gone, empty (sections without content), or refused
    debug: str = ""  # the same of $debug


OBJCOPY, STRIP = llvm(22, "llvm-objcopy"), llvm(22, "llvm-strip")
OPERATIONS = [
    Operation("strip -g", "strip -g -o $out $in", "gone"),
    Operation("strip -s", "strip -s -o $out $in", "gone"),
    Operation("llvm-strip -g", f"{STRIP} -g -o $out $in", "gone"),
    Operation("llvm-strip", f"{STRIP} -o $out $in", "gone"),
    Operation("objcopy --strip-debug", "objcopy --strip-debug $in $out", "gone"),
    Operation("llvm-objcopy --strip-debug", f"{OBJCOPY} --strip-debug $in $out", "gone"),
    Operation("objcopy, as it is", "objcopy $in $out", "kept"),
    Operation("llvm-objcopy, as it is", f"{OBJCOPY} $in $out", "kept"),
    Operation("objcopy, split", "objcopy --only-keep-debug $in $debug && objcopy --strip-debug --add-gnu-debuglink=$debug $in $out", "gone", "kept"),
    Operation(
        "llvm-objcopy, split",
        f"{OBJCOPY} --only-keep-debug $in $debug && {OBJCOPY} --strip-debug --add-gnu-debuglink=$debug $in $out",
        "gone",
        "kept",
    ),
    Operation("objcopy, compress", "objcopy --compress-debug-sections=zlib $in $out", "kept"),
    Operation("llvm-objcopy, compress", f"{OBJCOPY} --compress-debug-sections=zlib $in $out", "kept"),
    Operation("objcopy, decompress", "objcopy --compress-debug-sections=zlib $in $tmp && objcopy --decompress-debug-sections $tmp $out", "kept"),
    Operation(
        "llvm-objcopy, decompress",
        f"{OBJCOPY} --compress-debug-sections=zlib $in $tmp && {OBJCOPY} --decompress-debug-sections $tmp $out",
        "kept",
    ),
    Operation("eu-elfcompress", "eu-elfcompress -q -t zlib -o $out $in", "kept"),
    Operation("eu-elfcompress, back", "eu-elfcompress -q -t zlib -o $tmp $in && eu-elfcompress -q -t none -o $out $tmp", "kept"),
    Operation("eu-strip -f", "eu-strip -f $debug -o $out $in", "gone", "kept"),
    # elfutils has a list of names of sections for debugging: the rest stays behind, in a file that has nothing else to read it by
    Operation("eu-strip -g -f", "eu-strip -g -f $debug -o $out $in", "kept", "empty"),
    Operation("dwz", "dwz -o $out $in", "refused"),
]
READERS = "gdb llvm-dwarfdump llvm-symbolizer addr2line eu-addr2line".split()


def state(path, tables, texts, rows):
    """What is left in the file, in the words of OPERATIONS, or what is wrong with it."""
    elf = Elf(path)
    left = [section for section in elf.sections if section.name in tables.values() or section.name.startswith(".debug_txt")]
    if not left:
        return "gone"
    if all(section.kind == NOBITS for section in left):
        return "empty"
    wrong = wrong_texts(elf, texts)
    for section in tables.values():
        wrong = wrong or difference(rows[section], seen(tabs(succeed([DLOC, "lines", "--tsv", "--section", section, path]))))
    return wrong or "kept"


def tried(operation, folder, linked, expected, rows, before):
    """What is wrong with the outcome, or None. The files have the name of the linked one, in a folder of their own."""
    where = os.path.join(folder, operation.name.replace(" ", "-"))
    os.makedirs(where)
    out, debug = os.path.join(where, os.path.basename(linked)), os.path.join(where, "linked.debug")
    command = operation.command.replace("$in", linked).replace("$out", out).replace("$debug", "linked.debug").replace("$tmp", f"{out}.tmp")
    status, _, errors = run(["sh", "-ec", command], cwd=where)
    if operation.out == "refused":
        return None if status and "Unknown debugging section" in errors else f"exit status {status}: {errors[:300]}"
    if status:
        return f"exit status {status}: {errors[:300]}"
    for path, wanted in ((out, operation.out), (debug, operation.debug)):
        found = state(path, expected["tables"], expected["texts"], rows) if wanted else ""
        if found != wanted:
            return f"{os.path.basename(path)}: {found}, not {wanted}"
    if operation.out == "kept" and not operation.debug:
        after = answers(out, [instruction["label"] for instruction in expected["code"]], READERS)
        return next((f"{reader} says something else" for reader in READERS if after[reader] != before[reader]), None)
    if operation.debug == "kept":  # gdb finds it by the name that the stripped file has
        symbols = Elf(linked).symbols
        asked = [f"info line *{symbols[instruction['label']].value}" for instruction in expected["code"] if instruction["label"] in symbols]
        lines = [run(["gdb", "-nx", "-batch", *(word for question in asked for word in ("-ex", question)), path])[1] for path in (linked, out)]
        return None if lines[0] == lines[1] and b"kernel.py" in lines[0] else "gdb does not find the lines"
    return None


def packed(linker, tool, objects, expected):
    """Objects whose sections for debugging a tool compressed, or removed, linked: what is asked, and what is wrong, or None."""
    halves, out = dict(zip("ab", map(Elf, objects))), f"{objects[0]}.{linker.name}"
    link(linker, "executable", [changed(tool, "--compress-debug-sections=zlib", path) for path in objects], out)
    where = addresses(linker, "executable", Elf(out), halves, expected["code"])
    for kind, section in expected["tables"].items():
        for reader, rows in read_rows(out, section, DLOC).items():
            yield f"compressed: {section}, {reader}", difference(expected_rows(kind, expected, halves, where), rows)
    if tool == OBJCOPY:  # makes plain groups of COMDAT groups whose signature is a local symbol, and the linker joins the texts of one name
        copies = [section.name for half in halves.values() for section in half.named(".debug_txt")]
        found = {section.name: section.data.decode() for section in Elf(out).named(".debug_txt")}
        same = found == {name: text * copies.count(name) for name, text in expected["texts"].items()}
        yield "compressed: texts are doubled", None if same else "they are not"
    else:
        yield "compressed: texts", wrong_texts(Elf(out), expected["texts"])
    link(linker, "executable", [changed(tool, "--strip-debug", path) for path in objects], out)
    yield "stripped", "sections are left" if Elf(out).named(".debug_") else None


def changed(tool, option, path):
    out = path + option
    succeed([tool, option, path, out])
    return out


def main():
    few, results = sys.argv[1] == "few", Results()
    with tempfile.TemporaryDirectory() as top:
        for table in [".debug_line_{}"] if few else [".debug_line_{}", ".debug_line.{}"]:
            folder = os.path.join(top, table.format("x"))
            expected = layered.write(folder, table=table)
            objects, linked = [assemble(os.path.join(folder, f"{half}.s"), "llvm-22", 5) for half in "ab"], os.path.join(folder, "linked")
            link(LINKERS[-2], "executable", objects, linked)
            rows = {section: read_rows(linked, section, DLOC)["dloc"] for section in expected["tables"].values()}
            before = answers(linked, [instruction["label"] for instruction in expected["code"]], READERS)
            for operation in OPERATIONS:
                if not few or operation.out == "refused" or operation.debug == "empty":
                    results.check(f"{table}: {operation.name}", tried(operation, folder, linked, expected, rows, before))
            for linker, tool in itertools.product([] if few else LINKERS, ("objcopy", OBJCOPY)):
                if shutil.which(linker.command) and not (linker.merges and table == ".debug_line.{}"):
                    for asked, problem in packed(linker, tool, objects, expected):
                        results.check(f"{linker.name}, {tool}: {asked}", problem)
    results.finish()


main()
