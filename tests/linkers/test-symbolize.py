#!/usr/bin/env python3
"""usage: tests/linkers/test-symbolize.py few|all

The programs of layered.py through linkers, in many shapes, and `dloc symbolize` asked for every instruction of each: its layers, and the lines of their
texts. Programs that are loaded anywhere are asked by the addresses of a process (--base)."""

import json
import os
import sys
import tempfile

import layered
from links import LINKERS, SHAPES, Failed, assemble, link
from elf import Elf
from common import DLOC, Results, in_parallel, run

BASE = 0x555555554000
NAMES = (".debug_line_{}", ".debug_line.{}")


def wanted_layers(instruction, texts):
    """As `dloc symbolize --json` writes them, by kinds: mold has sections in an order of its own."""
    layers = []
    for kind, place in instruction["layers"].items():
        if not place:
            continue
        file, line, column = place
        layer = {"kind": kind, "line": line, "column": column}
        if file in texts:
            layer |= {"file": file, "text": texts[file].split("\n")[line - 1]}
        else:
            layer |= dict(zip(("directory", "file"), os.path.split(file)))
        layers.append(layer)
    return sorted(layers, key=lambda layer: layer["kind"])


def finding(program, linked, base):
    """What is wrong, or None. Of several instructions at one address the first copy was kept. Where gold has folded twin_b into twin_a, the frames are
    those of the last, by `stack.overlap`, and not asked for."""
    symbols, wanted = Elf(linked).symbols, {}
    for instruction in program["code"]:
        symbol = symbols.get(instruction["label"])
        if symbol and symbol.value:
            wanted.setdefault(symbol.value, instruction)
    options = ["--base", hex(base)] if base else []
    status, output, errors = run([DLOC, "symbolize", "--json", *options, linked, *(f"{address + base:x}" for address in wanted)])
    lost = "[lines.string]" in errors  # mold -r loses strings of the primary's table that gas wrote
    if status != 0 or errors and not lost:
        return f"exit status {status}: {errors[:300]}"
    answers = [json.loads(line) for line in output.splitlines()]
    if len(answers) != len(wanted):
        return f"{len(answers)} answers to {len(wanted)} addresses"
    for answer, (address, instruction) in zip(answers, wanted.items()):
        layers = wanted_layers(instruction, program["texts"])
        if int(answer["address"], 16) != address + base or sorted(answer.get("layers", []), key=lambda layer: layer["kind"]) != layers:
            return f"{instruction['label']}: expected {layers}, got {answer}"
        frame = answer["frames"][0]
        if not lost and instruction["function"] != "twin_a" and [frame["file"], frame["line"], frame["column"]] != instruction["source"]:
            return f"{instruction['label']}: expected {instruction['source']}, got {frame}"
    return None


def variants(few):
    """(assembler, version of DWARF, names of tables)"""
    yield "llvm-22", 5, NAMES[0]
    yield "gas", 4, NAMES[1]
    if not few:
        yield from (("llvm-14", 4, NAMES[0]), ("llvm-19", 5, NAMES[1]), ("gas", 5, NAMES[0]))


def main():
    if sys.argv[1:] not in (["few"], ["all"]):
        sys.exit(__doc__)
    few, results = sys.argv[1] == "few", Results()
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for number, (assembler, dwarf, names) in enumerate(variants(few)):
            place = os.path.join(folder, str(number))
            program = layered.write(place, "x86_64", dwarf, names)
            objects = [assemble(os.path.join(place, f"{half}.s"), assembler, dwarf) for half in "ab"]
            shapes = ("pie", "gc") if few else SHAPES
            for linker in LINKERS if not few else [linker for linker in LINKERS if linker.name in ("bfd", "gold", "lld-22", "mold")]:
                for shape in shapes:
                    jobs.append((program, linker, shape, objects, place, f"{assembler}, {names}, {linker.name}, {shape}"))

        def check(job):
            program, linker, shape, objects, place, name = job
            out = os.path.join(place, f"{linker.name}-{shape}")
            try:
                link(linker, shape, objects, out)
            except Failed as problem:
                return name, str(problem)
            return name, finding(program, out, BASE if shape in ("pie", "shared", "everything") else 0)

        for name, problem in in_parallel(check, jobs):
            results.check(name, problem)
    results.finish()


main()
