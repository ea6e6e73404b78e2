#!/usr/bin/env python3
"""usage: tests/linkers/test-links.py few|all

The programs of layered.py through linkers, in many shapes. Of each: every row of each layer's table is where its code is, or where this linker
leads rows of discarded and folded code (links.py); each text is there once; and whatever reads the program's own line table says what it says
without layers."""

import hashlib
import itertools
import os
import shutil
import sys
import tempfile

import layered
from links import INSERT, LINKERS, SHAPES, Failed, addresses, answers, assemble, difference, expected_rows, link, misplaced, read_rows, wrong_texts
from elf import Elf
from common import DLOC, Results, in_parallel

ASKED = "gdb readelf llvm-dwarfdump eu-readelf llvm-symbolizer addr2line eu-addr2line".split()
NAMES = {"own": ".debug_line_{}", "rfc": ".debug_line.{}"}
# Programs that read all of a file's line tables, whoever's they are, and so see those that GNU ld merges; GNU readelf takes .debug_line.X for a
# part of .debug_line wherever it stands.
SEE_MERGED, SEE_PARTS = {"readelf", "llvm-dwarfdump", "eu-readelf"}, {"readelf"}


class Program:
    """An assembled program, and the same without layers."""

    def __init__(self, folder, assembler, dwarf, arch, names):
        self.folder, self.names, self.arch = folder, names, arch
        self.expected = layered.write(folder, arch, dwarf, NAMES[names])
        layered.write(os.path.join(folder, "plain"), arch, dwarf, kinds=())
        self.objects = [assemble(os.path.join(folder, f"{half}.s"), assembler, dwarf, arch) for half in "ab"]
        self.plain = [assemble(os.path.join(folder, "plain", f"{half}.s"), assembler, dwarf, arch) for half in "ab"]
        self.halves = dict(zip("ab", map(Elf, self.objects)))


def findings(program, linker, shape, script):
    """Pairs of what was asked and what is wrong, or None."""
    name = f"{linker.name}-{shape}-{'insert' if script else 'as-is'}"
    out, plain = os.path.join(program.folder, name), os.path.join(program.folder, "plain", name)
    try:
        link(linker, shape, program.objects, out, script)
        link(linker, shape, program.plain, plain)
    except Failed as problem:
        return [("link", str(problem))]
    linked, expected = Elf(out), program.expected
    where = addresses(linker, shape, linked, program.halves, expected["code"])
    merged = program.names == "rfc" and linker.merges and not script
    found = [
        ("labels", misplaced(linked, expected["code"])),
        ("texts", wrong_texts(linked, expected["texts"])),
        ("what is loaded", None if linked.loaded() == Elf(plain).loaded() else "differs from the program without layers"),
    ]
    for kind, section in expected["tables"].items():
        if merged:
            found.append((f"{section} is merged", "it is there" if linked.named(section) else None))
            continue
        wanted = expected_rows(kind, expected, program.halves, where)
        found += [(f"{section}, {reader}", difference(wanted, rows)) for reader, rows in read_rows(out, section, DLOC).items()]
    labels = [instruction["label"] for instruction in expected["code"]]
    differ = SEE_MERGED if merged else SEE_PARTS if program.names == "rfc" else set()
    with_layers, without = answers(out, labels, ASKED), answers(plain, labels, ASKED)
    for asked in ASKED:
        same = with_layers[asked] == without[asked]
        problem = None if same == (asked not in differ) else "is as without layers" if same else "differs from without layers"
        found.append((f"{asked} of the primary", problem))
    return found


def nameless(folder, linkers, assembler):
    """Groups whose signature is the symbol of their section: what is asked of each linker, and what is wrong, or None."""
    texts = layered.write(folder, nameless=True)["texts"]
    objects = [assemble(os.path.join(folder, f"{half}.s"), assembler, 5) for half in "ab"]
    for linker in linkers:
        link(linker, "executable", objects, os.path.join(folder, linker.name))
        problem, left = wrong_texts(Elf(os.path.join(folder, linker.name)), texts), Elf(os.path.join(folder, linker.name)).named(".debug_txt")
        if linker.one_nameless:
            problem = None if len(left) == 1 else f"{len(left)} texts are left, not one"
        yield f"{assembler}, {linker.name}: signatures without name", problem


def empty(folder, linkers):
    """A text of no bytes: what is asked of each linker, and what is wrong, or None."""
    name = ".debug_txt.tileir." + hashlib.md5(b"").hexdigest()
    layered.write(folder)
    with open(os.path.join(folder, "a.s"), "a") as file:
        file.write(f'.section {name},"G",@progbits,{name[1:]},comdat\n')
    objects = [assemble(os.path.join(folder, f"{half}.s"), "llvm-22", 5) for half in "ab"]
    for linker in linkers:
        link(linker, "executable", objects, os.path.join(folder, linker.name))
        there = bool(Elf(os.path.join(folder, linker.name)).named(name))
        yield f"{linker.name}: a text of no bytes", None if there != linker.drops_empty else "is there" if there else "is removed"


def main():
    few, results = sys.argv[1] == "few", Results()
    asked = [linker for linker in LINKERS if not few or linker.name not in ("lld-14", "lld-19")]
    linkers = [linker for linker in asked if shutil.which(linker.command)]
    for linker in asked:
        if linker not in linkers:
            results.skip(f"no {linker.command}")
    with tempfile.TemporaryDirectory() as folder:
        builds = [("llvm-22", 5, "x86_64")] + ([] if few else [("gas", 4, "x86_64"), ("llvm-14", 4, "x86_64"), ("llvm-22", 5, "aarch64")])
        programs = [Program(os.path.join(folder, "-".join(map(str, [*build, names]))), *build, names) for build in builds for names in NAMES]
        with open(os.path.join(folder, "insert.ld"), "w") as script:
            script.write(INSERT)
        cases = [
            (program, linker, shape, script)
            for program, linker, shape in itertools.product(programs, linkers, SHAPES)
            if program.arch in linker.machines and (linker.folded or "icf" not in shape)
            for script in ([(), ("-T", os.path.join(folder, "insert.ld"))] if program.names == "rfc" and linker.merges else [()])
            if not few or shape == "everything" and (program.names == "own" or script)
        ]
        for case, found in zip(cases, in_parallel(lambda case: findings(*case), cases)):
            for asked, problem in found:
                program, linker, shape, script = case
                results.check(f"{os.path.basename(program.folder)}, {linker.name}, {shape}{', insert.ld' if script else ''}: {asked}", problem)
        for assembler in ["llvm-22"] if few else ["gas", "llvm-14", "llvm-22"]:
            for what, problem in nameless(os.path.join(folder, "nameless"), linkers, assembler):
                results.check(what, problem)
        for what, problem in empty(os.path.join(folder, "empty"), linkers):
            results.check(what, problem)
    results.finish()


main()
