"""Text of MLIR for `dloc mlir primary` and `ids`: what cannot be read, and what is very long or very deep."""

import os
import random

from big import MILLION, PART, numbered, write
from common import ROOT
from mutate import MODULE, change
from process import Run, small_stack
from small import said

HEAD = "module {\n"
TAIL = "} loc(unknown)\n"
SIZE = 20_000_000
SEED = "tests/lit/Inputs/locations.mlir"
MUTANTS = 200

# name, pieces, exit status, what is said
TEXTS = [
    ("nothing", [], 0, None),
    ("a NUL", [HEAD, "\0", TAIL], 0, None),
    ("a string that is not closed", [HEAD, '"a\n', TAIL], 2, "text.syntax"),
    ("a string that the text ends in", [HEAD, '"a\\'], 2, "text.truncated"),
    ("brackets that are not closed", [HEAD], 2, "text.truncated"),
    ("a bracket too many", [HEAD, TAIL, ")"], 2, "text.syntax"),
    ("no location", ["loc()"], 2, "text.syntax"),
    ("half a location", ["loc("], 2, "text.truncated"),
    ("a location without file", ["loc(1:2)"], 2, "text.syntax"),
    ("a location without column", ['loc("a":1:)'], 2, "text.syntax"),
    ("half a range", ['loc("a":1:2 to 3)'], 2, "text.syntax"),
    ("a line of 33 bits", ['loc("a":4294967296:1)'], 2, "text.syntax"),
    ("a line below 0", ['loc("a":-1:1)'], 2, "text.syntax"),
    ("half a call site", ['loc(callsite("a":1:1))'], 2, "text.syntax"),
    ("a comma too many", ["loc(fused[unknown,])"], 2, "text.syntax"),
    ("metadata that is not closed", ["loc(fused<{a = [1"], 2, "text.truncated"),
    ("metadata with brackets crossed", ["loc(fused<[(])>[unknown])"], 2, "text.syntax"),
    ("an alias without a name", ["loc(#)"], 2, "text.syntax"),
    ("a missing alias", ["loc(#a)"], 1, "text.undefined"),
    ("a missing alias in a location", ["loc(fused[#a])"], 1, "text.undefined"),
    ("an alias of itself", ["#a = loc(#a)"], 1, "text.undefined"),
    ("an alias twice", ["#a = loc(unknown)\n#a = loc(unknown)"], 1, "text.redefined"),
    ("a cycle of aliases", ["#a = loc(#b)\n#b = loc(#a)"], 1, "text.undefined"),
]

BIG = [
    ("a word", [("a", SIZE)], 0, None),
    ("blanks in a location", ["loc(", (" ", SIZE), "unknown)"], 0, None),
    ("comments in a location", ["loc(", ("// a\n", SIZE // 5), "unknown)"], 0, None),
    ("a string", ['loc("', ("\\1a", SIZE // 4), '")'], 0, None),
    ("a string that is not closed", ['"', ("a", SIZE)], 2, "text.truncated"),
    ("a number", ['loc("a":', ("1", SIZE // 4), ":1)"], 2, "text.syntax"),
    ("brackets", [("(", PART), (")", PART)], 0, None),
    ("brackets in metadata", ["loc(fused<", ("[", PART), ("]", PART), ">[unknown])"], 2, "text.limit"),
    ("500 locations in each other", ["loc(", ('"n"(', 499), "unknown", (")", 499), ")"], 0, None),
    ("locations in each other", ["loc(", ('"n"(', PART), "unknown", (")", PART), ")"], 2, "text.limit"),
    ("call sites in each other", ["loc(", ("callsite(unknown at ", PART), "unknown", (")", PART), ")"], 2, "text.limit"),
    ("parts", ["loc(fused[unknown", (",unknown", PART), "])"], 0, None),
    ("one tag", ['loc(fused[unknown', numbered(lambda n: f',"t"("s":{n}:1)', 1, PART), "])"], 0, None),
    ("locations", [HEAD, numbered(lambda n: f'f loc(fused["a":{n}:1,"t"("s":{n}:1)])\n', 1, MILLION), TAIL], 0, None),
    ("aliases", [HEAD, numbered(lambda n: f"f loc(#l{n})\n", 1, PART), TAIL, numbered(lambda n: f'#l{n}=loc("t"("s":{n}:1))\n', 1, PART)], 0, None),
    ("a chain of aliases", ['#l0=loc("t"("s":1:1))\n', numbered(lambda n: f'#l{n + 1}=loc("n"(#l{n}))\n', 0, PART), f"loc(#l{PART})"], 0, None),
    ("aliases of aliases", ['#l0=loc("t"("s":1:1))\n', numbered(lambda n: f"#l{n + 1}=loc(#l{n})\nf loc(#l{n})\n", 0, PART)], 0, None),
    ("a doubling of aliases", ['#l0=loc("t"("s":1:1))\n', numbered(lambda n: f"#l{n + 1}=loc(fused[#l{n},#l{n}])\n", 0, PART), f"loc(#l{PART})"], 0, None),
    ("missing aliases", [numbered(lambda n: f"loc(#l{n})\n", 1, PART)], 1, "text.undefined"),
]


def filters(folder, path):
    """The commands; what they write goes into the folder."""
    written = os.path.join(folder, "written")
    for more in (["primary"], ["ids", "--table", os.path.join(folder, "table")]):
        yield ["mlir", *more, path, "--tag", "t", "-o", written]


def check(folder, texts):
    path = os.path.join(folder, "input.mlir")
    for name, pieces, status, words in texts:
        size = write(path, pieces)
        for command in filters(folder, path):
            with small_stack():
                run = Run(command, folder, limit=60)
            problem = run.complaint((status,), single=status != 0, silent=False) or run.excess(2 + size / 5e6, (96 << 20) + 17 * size)
            if status and os.path.exists(os.path.join(folder, "written")):
                problem = problem or "something is written"
            yield f"MLIR, {name}, {command[1]}", problem or said(run, words)
            for left in ("written", "table"):
                if os.path.exists(os.path.join(folder, left)):
                    os.unlink(os.path.join(folder, left))


def small_texts(folder):
    return check(folder, TEXTS)


def big_texts(folder, first):
    return check(folder, BIG[first : first + 1])


def damaged(folder, first, step):
    """The seed cut off at every 10th byte, and changed at random: whatever it is then, there is one diagnostic or none."""
    with open(os.path.join(ROOT, SEED), "rb") as file:
        seed = file.read()
    path = os.path.join(folder, "input.mlir")
    for number in range(first, len(seed) // 10 + MUTANTS, step):
        text = seed[: 10 * number] if 10 * number < len(seed) else change(seed, random.Random(number), MODULE)
        with open(path, "wb") as file:
            file.write(text)
        for command in filters(folder, path):
            run = Run(command, folder)
            yield f"MLIR, damaged, {number}, {command[1]}", run.complaint((0, 1, 2), single=run.status != 0, silent=False)
