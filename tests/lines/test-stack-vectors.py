#!/usr/bin/env python3
"""usage: tests/lines/test-stack-vectors.py few|all [ID...]

The vectors of vectors/stack as executables: their DIEs and rows as bytes, and the address asked of llvm-symbolizer, addr2line and eu-addr2line; of a program
also gdb, and dloc in files of all forms. Each is
held to the alternatives of spec/choices.md, chapter 9, that are said to be its own. DIFFERENT lists where it shows something else, and why: a difference that is
not listed fails, and so does one that is listed and does not occur."""

import collections
import dataclasses
import fnmatch
import functools
import itertools
import json
import os
import re
import struct
import sys
import tempfile
import typing

import frames
from objects import ROOT, dloc

from common import Results, in_parallel, run  # in tests/real, which objects.py makes known

TAGS = {"compile_unit": 0x11, "subprogram": 0x2E, "inlined_subroutine": 0x1D, "lexical_block": 0x0B, "namespace": 0x39}


def uleb(number):
    result = bytearray()
    while True:
        result.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(result)


def sleb(number):
    result = bytearray()
    while not -64 <= number < 64:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*result, number & 0x7F])


# ---- Sections ----


class Dies:
    """.debug_info, .debug_abbrev, .debug_ranges and .debug_aranges of a list of DIEs; version 4. A DIE stands in the one that `in` names."""

    def __init__(self, dies):
        self.dies, self.abbrevs, self.ranges, self.aranges = dies, b"", b"", b""
        self.info, self.offsets, self.references = b"", {}, []
        for first, end in self.units():
            self.add_unit(first, end)
        for at, number in self.references:
            self.info = self.info[:at] + struct.pack("<I", self.offsets[number]) + self.info[at + 4 :]
        self.abbrevs += b"\0"

    def units(self):
        starts = [i for i, die in enumerate(self.dies) if die["tag"] == "compile_unit" or i == 0]
        return zip(starts, [*starts[1:], len(self.dies)])

    def children(self, parent, first, end):
        return [i for i in range(first, end) if self.dies[i].get("in", -1) == parent and self.dies[i]["tag"] != "compile_unit"]

    def covered(self, die):
        if "low_pc" in die and "high_pc" in die:
            return [(die["low_pc"], die["high_pc"])]
        if "low_pc" in die and "high_offset" in die:
            return [(die["low_pc"], die["low_pc"] + die["high_offset"])]
        return die.get("ranges", [])

    def add_unit(self, first, end):
        start = len(self.info)
        unit = self.dies[first] if self.dies[first]["tag"] == "compile_unit" else {"tag": "compile_unit"}
        self.info += struct.pack("<IHIB", 0, 4, 0, 8)
        self.add(first if unit is self.dies[first] else None, unit, [i for i in self.children(-1, first, end)], first, end, True)
        self.info = self.info[:start] + struct.pack("<I", len(self.info) - start - 4) + self.info[start + 4 :]
        of = self.covered(unit) or [one for die in self.dies[first:end] if die["tag"] == "subprogram" for one in self.covered(die)]
        pairs = b"".join(struct.pack("<QQ", low, high - low) for low, high in of if low < high < 1 << 64)
        body = struct.pack("<HIBB4x", 2, start, 8, 0) + pairs + bytes(16)
        self.aranges += struct.pack("<I", len(body)) + body

    def add(self, number, die, children, first, end, unit=False):
        attributes = [(0x10, 0x17, struct.pack("<I", 0)), (0x1B, 0x08, b"/\0"), (0x03, 0x08, b"unit\0")] if unit else []
        self.offsets[number] = len(self.info)
        for key, name in (("name", 0x03), ("linkage_name", 0x6E)):
            if key in die:
                attributes.append((name, 0x08, die[key].encode() + b"\0"))
        for key, name, form in (("low_pc", 0x11, 0x01), ("high_pc", 0x12, 0x01), ("high_offset", 0x12, 0x07)):
            if key in die:
                attributes.append((name, form, struct.pack("<Q", die[key])))
        if "ranges" in die:
            attributes.append((0x55, 0x17, struct.pack("<I", len(self.ranges))))
            self.ranges += struct.pack("<QQ", (1 << 64) - 1, 0) + b"".join(struct.pack("<QQ", *pair) for pair in die["ranges"]) + bytes(16)
        for key, name in (("call_file", 0x58), ("call_line", 0x59), ("call_column", 0x57), ("call_discriminator", 0x2136)):
            if key in die:
                attributes.append((name, 0x0F, uleb(die[key])))
        for key, name in (("abstract_origin", 0x31), ("specification", 0x47)):
            if key in die:
                attributes.append((name, 0x10, die[key]))  # by its place in the section
        code = uleb(len(self.offsets))
        self.abbrevs += code + uleb(TAGS[die["tag"]]) + bytes([bool(children)])
        self.abbrevs += b"".join(uleb(name) + uleb(form) for name, form, _ in attributes) + b"\0\0"
        self.info += code
        for _, form, value in attributes:
            if form == 0x10:
                self.references.append((len(self.info), value))
                value = bytes(4)
            self.info += value
        for child in children:
            self.add(child, self.dies[child], self.children(child, first, end), first, end)
        if children:
            self.info += b"\0"


def coded(program, order="<", size=8):
    """The bytes of a program whose instructions are texts."""
    found = b""
    for name, _, operand in (text.partition(" ") for text in program):
        value = int(operand or "0", 0)
        if name == "set_address":
            found += bytes([0, 1 + size, 2]) + (value % (1 << 8 * size)).to_bytes(size, "little" if order == "<" else "big")
        else:
            code = {"copy": b"\1", "advance_pc": b"\2", "advance_line": b"\3", "end_sequence": b"\0\1\1"}[name]
            found += code + (sleb(value) if name == "advance_line" else uleb(value) if operand else b"")
    return found


def lines(rows, program=b""):
    """A table of version 4 with files /1 to /9."""
    line = 1
    for row in rows:
        program += b"\0\x09\x02" + struct.pack("<Q", row["address"])
        program += b"\x04" + uleb(row.get("file", 1)) + b"\x03" + sleb(row["line"] - line) + b"\x05" + uleb(row.get("column", 0))
        if "discriminator" in row:
            program += b"\0" + uleb(1 + len(uleb(row["discriminator"]))) + b"\x04" + uleb(row["discriminator"])
        ends = row["flags"].endswith("E")
        program += b"\0\x01\x01" if ends else b"\x01"
        line = 1 if ends else row["line"]
    files = b"".join(b"%d\0\0\0\0" % number for number in range(1, 10)) + b"\0"
    fields = struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 13) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0" + files
    body = struct.pack("<HI", 4, len(fields)) + fields + program
    return struct.pack("<I", len(body)) + body


def executable(args):
    """An ELF file whose .text has the addresses below 2^33, and no bytes."""
    dies = Dies(args.get("dies") or [{"tag": "compile_unit", "low_pc": 0, "high_pc": (1 << 64) - 1}])
    contents = {
        ".debug_info": dies.info,
        ".debug_abbrev": dies.abbrevs,
        ".debug_ranges": dies.ranges,
        ".debug_aranges": dies.aranges,
        ".debug_line": lines(args.get("rows", []), coded(args.get("program", []))),
    }
    names, at = b"\0.text\0.shstrtab\0", 64 + 56
    headers, body = [bytes(64), struct.pack("<IIQQQQIIQQ", 1, 8, 6, 0, at, 1 << 33, 0, 0, 16, 0)], b""
    for name, content in contents.items():
        headers.append(struct.pack("<IIQQQQIIQQ", len(names), 1, 0, 0, at, len(content), 0, 0, 1, 0))
        names += name.encode() + b"\0"
        body += content
        at += len(content)
    headers.append(struct.pack("<IIQQQQIIQQ", 7, 3, 0, 0, at, len(names), 0, 0, 1, 0))
    body += names
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    header = ident + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 64, at + len(names), 0, 64, 56, 1, 64, len(headers), len(headers) - 1)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 120, 0, 0, 0, 1 << 33, 1)
    return header + segment + body + b"".join(headers)


# Each ELF class, version of the table, order of bytes, and bytes of an operand of set_address.
FORMS = [(wide, version, order, wide) for wide in (4, 8) for version in (2, 3, 4, 5) for order in "<>"] + [(8, 3, ">", 4), (8, 5, "<", 4)]


def file_of_program(args, wide, version, order, size):
    """An ELF file with a table of a program and no DIEs. Code is where it stands in the vector: from 0 on, an object's, or from 0x100 on."""
    word, packed = {4: "I", 8: "Q"}[wide], lambda format, *values: struct.pack(order + format, *values)
    at_0 = args.get("begins_at_0", False)
    fields = bytes([1] * (2 + (version > 3)) + [0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    fields += b"\1\1\x08\1/\0\1\1\x08\x020\x001\0" if version > 4 else b"\0" + b"1\0\0\0\0\0"
    body = packed("H", version) + bytes([size, 0] if version > 4 else []) + packed("I", len(fields)) + fields + coded(args["program"], order, size)
    table, names = packed("I", len(body)) + body, b"\0.text\0.debug_line\0"
    first = {4: 52, 8: 64}[wide]
    sections = [(1, 8, 6, 0 if at_0 else 0x100, first, 0x1000), (7, 1, 0, 0, first, len(table)), (0, 3, 0, 0, first + len(table), len(names))]
    headers = bytes(sum(struct.calcsize("=" + one) for one in "II" + 4 * word + "II" + 2 * word))
    size_of = len(headers)
    headers += b"".join(packed("II" + 4 * word + "II" + 2 * word, *section, 0, 0, 1, 0) for section in sections)
    ident = b"\x7fELF" + bytes([wide // 4, 1 + (order == ">"), 1]) + bytes(9)
    machine = {"<": {4: 3, 8: 62}, ">": {4: 20, 8: 21}}[order][wide]
    kind = packed("HHI" + 3 * word + "IHHHHHH", 1 if at_0 else 2, machine, 1, 0, 0, first + len(table) + len(names), 0, first, 0, 0, size_of, 4, 3)
    return ident + kind + table + names + headers


def told_by_dloc(path, address):
    done = run([dloc(), "symbolize", "--from", "rows", "--json", path, hex(address)])
    return [frame["line"] for frame in json.loads(done[1])["frames"]]


def check_forms(vector, path):
    """[(form, its lines)] where dloc says something else of the address than the vector."""
    args, wanted = numbers(vector["args"]), [frame.get("line", 0) for frame in vector["expect"]["value"]["frames"]]
    wrong, least = [], args.get("address_size", 8)
    for form in FORMS:
        if form[3] > least or (form[3] < least and (args["address"] >> 32 or ".wrap." in vector["id"] or vector["id"].endswith("rows-8"))):
            continue  # addresses of 4 bytes are others
        with open(path, "wb") as file:
            file.write(file_of_program(args, *form))
        if (told := told_by_dloc(path, args["address"])) != wanted:
            wrong.append((form, told))
    return wrong


# ---- Who is asked, and what it follows ----

Frame = collections.namedtuple("Frame", "function file line column discriminator")


def number(path):
    name = path.lstrip("/")
    return int(name) if name.isdigit() else None


def llvm_symbolizer(version):
    def ask(path, address):
        status, output, errors = run([f"/usr/lib/llvm-{version}/bin/llvm-symbolizer", "--output-style=JSON", "--no-demangle", f"--obj={path}", hex(address)])
        symbols = json.loads(output)[0].get("Symbol", []) if status == 0 and output else []
        found = [Frame(s["FunctionName"], number(s["FileName"]), s["Line"], s["Column"], s["Discriminator"]) for s in symbols]
        return [] if found == [Frame("", None, 0, 0, 0)] else found

    return ask


def binutils(program, columns):
    def ask(path, address):
        found = frames.addr2line(program)(path, [address]).get(address, [])
        found = [Frame(f.function, number(f.path), f.line, f.column if columns else 0, 0) for f in found]
        return [] if found == [Frame("", None, 0, 0, 0)] else found

    return ask


def gdb(path, address):
    """The line alone: what it says of an address that no line has is about one nearby."""
    said = run(["gdb", "-nx", "-batch", "-ex", f"info line *{address:#x}", path])[1].decode()
    found = re.search(r'Line (\d+) of "/?(\d)" starts at address (0x[0-9a-f]+).*? and ends at (0x[0-9a-f]+)', said.replace("\n", " "))
    return [Frame("", int(found[2]), int(found[1]), 0, 0)] if found and int(found[3], 16) <= address < int(found[4], 16) else []


@dataclasses.dataclass(frozen=True)
class Tool:
    ask: typing.Callable
    follows: dict  # alternatives other than the defaults
    shows: tuple
    most: int | None = None  # frames
    programs: bool = False  # asked of vectors with a program alone


TOOLS = {f"llvm-symbolizer-{version}": Tool(llvm_symbolizer(version), {"stack.discarded": "ones"}, Frame._fields) for version in (14, 19, 22)}
TOOLS["addr2line"] = Tool(binutils("addr2line", False), {"stack.overlap": "narrowest", "stack.discarded": "ones"}, ("function", "file", "line"))
# It needs more of a unit than these have to name callers: test-stacks has them.
TOOLS["eu-addr2line"] = Tool(
    binutils("eu-addr2line", True), {"stack.overlap": "first", "stack.nesting": "covered", "stack.discarded": "ones"}, ("function", "file", "line", "column"), 1
)
TOOLS["gdb"] = Tool(gdb, {"stack.discarded": "ones"}, ("file", "line"), programs=True)


# ---- Comparing ----


@functools.cache
def vectors():
    return [json.loads(line) for line in run([dloc(), "fmt", "--to", "jsonl", os.path.join(ROOT, "vectors", "stack")])[1].splitlines()]


def expected(vector, follows):
    """What somebody who follows these alternatives shows; None: the vector tells nothing of two of them together."""
    others = [entry[alternative] for choice, entry in vector.get("choices", {}).items() for alternative in [follows.get(choice)] if alternative in entry]
    if len(others) > 1:
        return None
    return [
        Frame(f.get("function", ""), f.get("file"), f.get("line", 0), f.get("column", 0), f.get("discriminator", 0))
        for f in (others or [vector["expect"]])[0]["value"]["frames"]
    ]


def numbers(value):
    """JSON Lines have numbers of more than 15 digits as texts."""
    if isinstance(value, dict):
        return {key: numbers(item) if key not in ("name", "linkage_name", "tag", "flags", "program") else item for key, item in value.items()}
    return [numbers(item) for item in value] if isinstance(value, list) else int(value)


# (tools, vectors): why
DIFFERENT = {
    ("llvm-* addr2line", "stack.call.file-0 stack.call.beyond"): "a file that the table does not have is not known",
    ("llvm-*", "stack.origin.chain.17"): "it follows any number of references",
    ("addr2line", "stack.origin.chain.16"): "it gives up sooner",
    ("llvm-*", "stack.row.order.after stack.row.order.first"): "it searches rows as if they rose",
    ("addr2line", "stack.row.order.first"): "a sequence begins at its first row",
    ("llvm-* addr2line", "stack.discarded.rows-middle-0 stack.row.piece.first"): "a sequence begins at its first row",
    ("llvm-* addr2line", "stack.row.piece.last"): "a sequence ends at its last row",
    ("llvm-* addr2line eu-addr2line gdb", "stack.row.piece.gap"): "a row before dropped code holds until the row behind it",
    ("addr2line", "stack.row.piece.gap-other"): "a row before dropped code holds until the row behind it",
    ("llvm-*", "stack.row.piece.middle-0"): "it searches rows as if they rose, dropped ones among them",
    ("gdb", "stack.row.piece.behind stack.row.piece.line-0"): "it takes no row from the first dropped one to the end of the sequence",
    ("llvm-* addr2line eu-addr2line gdb", "stack.discarded.rows-advance"): "the greatest address but one tells it nothing",
    ("eu-addr2line", "stack.discarded.rows-wrap"): "no address tells it that code was dropped",
    ("llvm-* addr2line", "stack.row.wrap.before stack.row.wrap.behind stack.row.wrap.end"): "it finds nothing in a sequence that goes on past the greatest address",
    ("eu-addr2line", "stack.row.wrap.before stack.row.wrap.end"): "it finds nothing before the greatest address in a sequence that goes on past it",
    ("addr2line", "stack.range.both.pair"): "DW_AT_ranges counts as well",
    ("llvm-*", "stack.nesting.inlined stack.overlap.siblings stack.overlap.wider-inside stack.overlap.inner-first"): "it supposes that ranges nest as DIEs do",
    ("llvm-* addr2line", "stack.overlap.units"): "of units the first counts",
    ("llvm-*", "stack.overlap.units-wide stack.overlap.sequences"): "of units and sequences the first counts",
    ("eu-addr2line", "stack.overlap.units stack.overlap.units-wide stack.overlap.sequences"): "of units and sequences the last counts",
    ("eu-addr2line", "stack.scope.between.empty-block stack.outermost.namespace stack.unit.ranges.nested"): "it does not look into a DIE without addresses",
    ("eu-addr2line", "stack.unit.origin"): "libdw gives up where the abstract origin of an inlined function is in another unit",
    ("eu-addr2line", "stack.overlap.tail"): "of entries of .debug_aranges that overlap the last one counts",
    ("*", "stack.discarded.rows-ones-less"): "no sequence reaches to the greatest address",
}


def cause(tool, name):
    matching = [key for key in DIFFERENT if any(fnmatch.fnmatch(tool, pattern) for pattern in key[0].split()) and name in key[1].split()]
    return matching[0] if matching else None


def main():
    few, names = sys.argv[1] == "few", sys.argv[2:]
    results, met = Results(), collections.Counter()
    wanted = [vector for i, vector in enumerate(vectors()) if (vector["id"] in names if names else not few or i % 16 == 0)]
    asked = {name: tool for name, tool in TOOLS.items() if not few or name != "llvm-symbolizer-14"}

    with tempfile.TemporaryDirectory() as folder:

        def one(vector):
            args = dict(vector["args"])
            if args.pop("begins_at_0", False) or args.pop("address_size", 8) != 8:
                return []  # no executable is so
            args, path = numbers(args), os.path.join(folder, vector["id"])
            with open(path, "wb") as file:
                file.write(executable(args))
            return [(vector["id"], name, expected(vector, tool.follows), tool.ask(path, args["address"])) for name, tool in asked.items() if "program" in args or not tool.programs]

        def in_forms(vector):
            return vector["id"], check_forms(vector, os.path.join(folder, vector["id"] + ".form"))

        for name, wrong in in_parallel(in_forms, [vector for vector in wanted if "program" in vector["args"]]):
            results.check(f"{name}, dloc, each form of a file", wrong)
        for name, tool, wants, found in itertools.chain.from_iterable(in_parallel(one, wanted)):
            if wants is None:
                continue
            wants, found = ([tuple(getattr(f, field) for field in TOOLS[tool].shows) for f in frames][: TOOLS[tool].most] for frames in (wants, found))
            listed = cause(tool, name)
            if wants != found and listed:
                met[listed] += 1
            else:
                results.check(f"{name}, {tool}", wants != found and f"{found}; the vector {wants}" or (listed and f"listed, and does not occur: {DIFFERENT[listed]}"))
    for key, why in DIFFERENT.items():
        print(f"{met[key]:4} times: {key[0]}: {why}")
    results.finish()


if __name__ == "__main__":
    main()
