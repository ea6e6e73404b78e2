#!/usr/bin/env python3
"""usage: tests/bitcode/broken.py [all]        (default: every eleventh of the broken files)

Bitcode that is broken in every way that we know: whatever stands in it, dloc ends by itself with exit status 0, 1 or 2, and with 2 it says in one
line at which bit, and a reason code (`verify` adds its usual last line). Memory stays within a bound.
  records    a small module, written here record by record: each record with every length, each value out of every range; of a module of the form
             irlayers those that locate
  blocks     lengths of blocks that lie, wrong abbreviations, deep nesting
  truncated  tests/lit/Inputs/layers.bc, cut off at every third byte
  mutated    the same, and the fuzzer's seeds, with bits flipped, bytes replaced, removed and repeated, by fixed seeds
Ends with a line `N passed, N failed`. Environment: DLOC.
"""

import glob
import os
import random
import re
import resource
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import DLOC, ROOT, Results, in_parallel  # noqa: E402

MAGIC = b"BC\xc0\xde"
COMMANDS = (["verify"], ["verify", "--profile", "pr211390-first"], ["bitcode"], ["print", "--scopes"], ["bitcode", "--records"], ["bitcode", "--json"], ["inline"], ["encode", "--written"])
DIAGNOSTIC = re.compile(rb"<stdin>:(bit \d+:)? error: .* \[[a-z.-]+\]\n(<stdin>: 1 error; .*\n)?")
MEMORY = 512 << 20


class Writer:
    """A bitstream, least significant bit first."""

    def __init__(self):
        self.value, self.bits = int.from_bytes(MAGIC, "little"), 32

    def fixed(self, value, width):
        self.value |= (value & ((1 << width) - 1)) << self.bits
        self.bits += width

    def vbr(self, value, width):
        more = 1 << (width - 1)
        while value >= more:
            self.fixed(value & (more - 1) | more, width)
            value >>= width - 1
        self.fixed(value, width)

    def align(self):
        self.bits = (self.bits + 31) & ~31

    def bytes(self):
        self.align()
        return self.value.to_bytes(self.bits // 8, "little")

    def enter(self, block, width, inner=4):
        """The bit of the length, which leave() fills in."""
        self.fixed(1, width)
        self.vbr(block, 8)
        self.vbr(inner, 4)
        self.align()
        self.fixed(0, 32)
        return self.bits - 32

    def leave(self, start, width=4, extra=0):
        self.fixed(0, width)
        self.align()
        self.value |= (((self.bits - start - 32) // 32 + extra) & 0xFFFFFFFF) << start

    def record(self, code, values, width=4):
        self.fixed(3, width)
        self.vbr(code, 6)
        self.vbr(len(values), 6)
        for value in values:
            self.vbr(value, 6)

    def blob(self, code, data):
        """A record of its own abbreviation: a literal code, and a blob."""
        self.fixed(2, 4)
        self.vbr(2, 5)
        self.fixed(1, 1)
        self.vbr(code, 8)
        self.fixed(0, 1)
        self.fixed(5, 3)
        self.fixed(4, 4)
        self.vbr(len(data), 6)
        self.align()
        for byte in data:
            self.fixed(byte, 8)
        self.align()


def text(string):
    return list(string.encode())


# A block is (id, items), a record (code, values): a module with a global, three functions, and every kind of thing that is read.
NAMES = b"variablellvm.dbg.valuecalleebody"
METADATA = [(1, text("TileIR")), (1, text("a.c")), (1, text("dir")), (1, text("Debug Info Version"))]  # 0 to 3
METADATA += [
    (2, [1, 4]),  # 4: i32 3
    (2, [1, 5]),  # 5: i32 2
    (16, [0, 2, 3, 0, 0]),  # 6: DIFile
    (20, [1, 12, 7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),  # 7: DICompileUnit
    (3, [0]),  # 8
    (19, [2, 0, 9, 0]),  # 9: DISubroutineType
    (21, [7, 7, 2, 0, 7, 1, 10, 1, 0, 8, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1]),  # 10: DISubprogram
    (22, [1, 11, 7, 2, 3]),  # 11: DILexicalBlock
    (23, [0, 12, 7, 5]),  # 12: DILexicalBlockFile
    (7, [1, 3, 4, 10, 0, 0, 0, 0]),  # 13: DILocation
    (28, [2, 11, 2, 7, 1, 0, 0, 0, 0, 0]),  # 14: DILocalVariable
    (29, [6, 16, 5]),  # 15: DIExpression
    (3, [6, 4, 5]),  # 16: the version's flag
    (5, [17, 0]),  # 17
    (40, [0, 11, 2, 7, 1]),  # 18: DILabel
    (27, [4, 8, 2, 0, 7, 1, 0, 0, 1, 0, 0, 0, 0]),  # 19: DIGlobalVariable
    (37, [0, 20, 16]),  # 20: DIGlobalVariableExpression
    (4, text("llvm.dbg.cu")),
    (10, [7]),
    (4, text("llvm.module.flags")),
    (10, [16]),
    (36, [0, 0, 20]),
]
BODY = [
    (1, [1]),
    (11, [(1, [1]), (4, [14])]),
    (15, [(7, [0, 8, 1, 11, 14, 1])]),  # 21, the function's own
    (19, [1, 1, 4, 64]),
    (35, [2, 5, 11, 0, 0, 1, 1]),
    (2, [1, 2, 0]),
    (33, []),
    (34, [0, 1 << 15, 3, 8, 4]),
    (35, [3, 5, 12, 22, 0]),
    (35, [101, 3, 13, 0, 0, 0, 0, 1]),
    (61, [13, 14, 15, 4]),
    (65, [13, 18]),
    (34, [0, 1 << 15, 4, 9, 6, 0xFFFFFFFC, 0xFFFFFFFB]),
    (35, [3, 6, 11, 0]),
    (10, []),
    (35, [4, 1, 11, 0]),
    (16, [(11, [0, 10]), (11, [1, 1, 17])]),
]
MODULE = [
    (1, [2]),
    (10, [(3, [1, 0xFFFFFFFF, 0, 2, 3] + text("no-inline-line-tables") + [0])]),
    (9, [(2, [1])]),
    (17, [(1, [7]), (2, []), (7, [32]), (16, []), (21, [0, 0, 1]), (21, [0, 0, 2, 2, 2]), (25, [0]), (21, [0, 0])]),
    (7, [0, 8, 5, 3, 0, 0]),
    (8, [8, 14, 4, 0, 1, 0, 0]),
    (8, [22, 6, 3, 0, 1, 0, 0]),
    (8, [28, 4, 3, 0, 0, 0, 1]),
    (11, [(1, [1]), (4, [6]), (4, [4])]),
    (22, [(6, [0] + text("dbg")), (6, [1] + text("llvm.loop"))]),
    (15, METADATA),
    (12, BODY),
]


# The same in the form irlayers: nothing of a tuple, and a location and its call site with lists.
NAMED = next(i for i, item in enumerate(METADATA) if item[0] == 4)
LAYERS = [
    (50, [0, 3, 7, 6, 0]),  # 21: DILayerLoc
    (51, [1, 22, 22]),  # 22: DILayerLocList
    (7, [1, 3, 4, 10, 0, 0, 0, 0, 23]),  # 23: DILocation
]
LISTED_BODY = [item for item in BODY if item != (35, [101, 3, 13, 0, 0, 0, 0, 1])]
LISTED_BODY[LISTED_BODY.index((35, [3, 5, 12, 22, 0]))] = (35, [3, 5, 12, 24, 0])
LISTED_BODY[LISTED_BODY.index((35, [3, 6, 11, 0]))] = (35, [3, 6, 11, 0, 0, 0, 0, 23])
LISTED = [(15, METADATA[:NAMED] + LAYERS + METADATA[NAMED:]) if item[0] == 15 else (12, LISTED_BODY) if item[0] == 12 else item for item in MODULE]


def is_block(item):
    return any(isinstance(value, tuple) for value in item[1])


def write(writer, items, width):
    for item in items:
        if is_block(item):
            start = writer.enter(item[0], width)
            write(writer, item[1], 4)
            writer.leave(start)
        else:
            writer.record(*item, width)


def file_of(module, names=NAMES):
    writer = Writer()
    write(writer, [(13, [(1, text("LLVM22.1.8")), (2, [0])]), (8, module)], 2)
    start = writer.enter(23, 2)
    writer.blob(1, names)
    writer.leave(start)
    return writer.bytes()


def paths(items, path=()):
    for i, item in enumerate(items):
        if is_block(item):
            yield from paths(item[1], (*path, i))
        else:
            yield (*path, i)


def replaced(items, path, new):
    """The same with `new` items in the place of one."""
    before, item, behind = items[: path[0]], items[path[0]], items[path[0] + 1 :]
    return before + (new if len(path) == 1 else [(item[0], replaced(item[1], path[1:], new))]) + behind


def item_at(items, path):
    return items[path[0]] if len(path) == 1 else item_at(items[path[0]][1], path[1:])


def broken_records(module, codes=None):
    """codes: those of the records to break, all by default."""
    values = (0, 1, 2, 22, 23, 24, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 61, (1 << 64) - 1)
    for path in paths(module):
        code, fields = item_at(module, path)
        if codes and code not in codes:
            continue
        for length in range(len(fields) + 3):
            yield file_of(replaced(module, path, [(code, (fields + [1, 1])[:length])]))
        for at in range(min(len(fields), 12)):
            for value in values:
                yield file_of(replaced(module, path, [(code, [*fields[:at], value, *fields[at + 1 :]])]))
        yield file_of(replaced(module, path, []))
        yield file_of(replaced(module, path, [(code, fields), (code, fields)]))
        for other in (0, 1, 3, 8, 14, 35, 50, 51, 127, 0xFFFFFFFF, 1 << 32):
            yield file_of(replaced(module, path, [(other, fields)]))


def abbreviation(operands, count=None, ids=(4, 4, 4, 4)):
    """A module block with one abbreviation, and what may be records of it."""
    writer = Writer()
    start = writer.enter(8, 2)
    writer.fixed(2, 4)
    writer.vbr(len(operands) if count is None else count, 5)
    for encoding, value in operands:
        writer.fixed(encoding is None, 1)
        if encoding is None:
            writer.vbr(value, 8)
        else:
            writer.fixed(encoding, 3)
            if value is not None:
                writer.vbr(value, 5)
    for id in ids:
        writer.fixed(id, 4)
        writer.fixed(0xAAAAAAAAAAAAAAAA, 64)
    writer.leave(start)
    return writer.bytes()


def broken_blocks():
    for operands in (
        [],
        [(3, None)],
        [(5, None)],
        [(None, 1), (3, None)],
        [(None, 1), (3, None), (None, 7)],
        [(None, 1), (3, None), (3, None)],
        [(None, 1), (3, None), (5, None)],
        [(None, 1), (3, None), (1, 0)],
        [(None, 1), (5, None), (1, 3)],
        [(None, 1), (3, None), (4, None), (1, 1)],
        [(None, 1 << 33), (1, 3)],
        [(1, 64), (1, 64)],
        [(1, 65)],
        [(2, 1)],
        [(2, 33)],
        [(2, 2), (3, None), (2, 2)],
        [(0, None)],
        [(6, None)],
        [(7, None)],
        [(None, 1)] * 128,
        [(None, 1)] * 129,
    ):
        yield abbreviation(operands)
    yield abbreviation([(None, 1)], ids=(5,))
    for count in (1, 127, 1 << 20, 1 << 31, 1 << 62):
        yield abbreviation([(None, 1)], count=count)
    for extra in (-1000, -2, -1, 1, 2, 1 << 20, 0x7FFFFFFF):
        for depth in (1, 2):
            writer = Writer()
            starts = [writer.enter(8, 2)] + [writer.enter(17, 4)] * (depth - 1)
            writer.record(1, [2])
            for start in reversed(starts):
                writer.leave(start, extra=extra if start == starts[-1] else 0)
            yield writer.bytes() + bytes(64)
    for depth in (31, 32, 33, 5000):
        writer = Writer()
        for i in range(depth):
            writer.enter(8, 4 if i else 2)
        data = bytearray(writer.bytes() + bytes(8 * depth))
        for i in range(depth):  # lengths: to the end of the file
            at = 8 + 8 * i
            struct.pack_into("<I", data, at, (len(data) - at - 4) // 4)
        yield bytes(data)
    yield b""
    for magic in (MAGIC, b"\xde\xc0\x17\x0b"):
        for size in range(0, 24):
            yield magic + bytes(size)
            yield magic + b"\xff" * size
    good = file_of(MODULE)
    for offset, size in ((20, len(good)), (20, len(good) + 1), (21, len(good)), (0, 20), (1 << 31, 1 << 31), (0xFFFFFFFF, 2), (20, 0)):
        yield struct.pack("<5I", 0x0B17C0DE, 0, offset, size, 7) + good
    yield good + good
    yield file_of(MODULE + [(12, BODY)])
    yield file_of(MODULE + [(15, METADATA)])
    yield file_of(MODULE[:-1])
    yield file_of(MODULE, b"")


def seeds():
    names = [os.path.join(ROOT, "tests", "lit", "Inputs", "layers.bc")]
    names += sorted(glob.glob(os.path.join(ROOT, "tests", "fuzz", "corpus-bitcode", "*.bc")))
    found = [file_of(MODULE), file_of(LISTED)]
    for name in names:
        with open(name, "rb") as file:
            found.append(file.read())
    return found


def truncated():
    data = seeds()[2]
    for size in range(0, len(data), 3):
        yield data[:size]


def mutated(count):
    chance = random.Random(1)
    files = seeds()
    for _ in range(count):
        data = bytearray(chance.choice(files))
        for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
            at, which = chance.randrange(len(data)), chance.randrange(6)
            if which < 3:
                data[at] ^= 1 << chance.randrange(8)
            elif which == 3:
                data[at] = chance.choice((0, 0xFF, chance.randrange(256)))
            elif which == 4:
                del data[at : at + chance.choice((1, 4, 32))]
            else:
                data[at:at] = data[at : at + chance.choice((1, 4, 32))]
            if not data:
                break
        yield bytes(data)


with open(DLOC, "rb") as binary:
    SANITIZED = b"__asan_init" in binary.read()


def limit_memory():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def problem(data, command):
    try:
        done = subprocess.run(
            [DLOC, *command, "-"], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=20, preexec_fn=limit_memory
        )
    except subprocess.TimeoutExpired:
        return "runs for more than 20 s"
    if done.returncode not in (0, 1, 2):
        return f"exit status {done.returncode}: {done.stderr[-500:].decode(errors='replace')}"
    if done.returncode == 2 and data[:4] == MAGIC and not DIAGNOSTIC.fullmatch(done.stderr):
        return f"no diagnostic: {done.stderr[:300]!r}"
    return None


def main():
    results = Results()
    for module, profile in ((MODULE, "rfc"), (LISTED, "pr215666")):
        command = ["verify", "--profile", profile]
        good = problem(file_of(module), command)
        done = subprocess.run([DLOC, *command, "-"], input=file_of(module), stderr=subprocess.PIPE)
        results.check(f"the module that is not broken, {profile}", good or (done.returncode and done.stderr.decode(errors="replace")))
    jobs = []
    for group in (broken_records(MODULE), broken_records(LISTED, (7, 35, 50, 51)), broken_blocks(), truncated(), mutated(3000)):
        jobs += [(data, COMMANDS[i % len(COMMANDS)]) for i, data in enumerate(group)]
    if sys.argv[1:] != ["all"]:
        jobs = jobs[:: 23 if SANITIZED else 11]

    def one(job):
        found = problem(*job)
        results.check(f"{' '.join(job[1])} < {job[0].hex()[:6000] if found else ''}", found)

    in_parallel(one, jobs)
    results.finish()


main()
