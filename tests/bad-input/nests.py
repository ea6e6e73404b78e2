"""Nests: each subcommand reads every kind of file that it takes, nested to a depth that any recursion over it would spend the stack of."""

import os
import struct

import every
from big import FIRST, HEAD, MILLION, functions, location, numbered, write
from lines import DEBUG, OLD, elf
from process import Run, small_stack

FEW, MANY = 20_000, 100_000  # frames of 16 bytes, the least that there are, are more than the stack of small_stack
LAST = FIRST + 3  # a chain begins here: !11 and !12 are locations


def chain(form, tips=lambda last: (4, 4, last), more=lambda last: ""):
    """A module: !11 and !12 in scopes, inlined at the last node; the nodes of a chain, each of which refers to the one before."""

    def made(count):
        last = LAST + count - 1
        one, other, inlined = tips(last)
        yield HEAD + functions("!11", "!12") + location(11, 20, one, inlined, False) + location(12, 21, other, inlined, False) + more(last)
        yield numbered(lambda n: form(n, n - 1 if n > LAST else None), LAST, count)

    return made


def brackets(prefix, opening, middle, closing, suffix=""):
    return lambda count: [prefix, (opening, count), middle, (closing, count), suffix]


def uses(last):
    return f"!llvm.a = !{{!{last}}}\n"


NOWHERE = lambda last: (4, 4, None)  # noqa: E731
MODULES = {
    "tuples": brackets("!0 = ", "!{", "", "}", "\n!llvm.a = !{!0}\n"),
    "nodes in nodes": brackets("!0 = ", "!DIDerivedType(tag: DW_TAG_typedef, baseType: ", "null", ")", "\n!llvm.a = !{!0}\n"),
    "expressions": brackets("!0 = !{", "!DIExpression(", "", ")", "}\n!llvm.a = !{!0}\n"),
    "locations in locations": brackets(HEAD + functions("!11", "!12") + "!12 = !{}\n!11 = ", "!DILocation(line: 1, scope: !4, inlinedAt: ", "!6", ")", "\n"),
    "inlinedAt": chain(lambda n, before: location(n, 2, 4, before)),
    "composites": chain(
        lambda n, before: f'!{n} = !{{!{before or 6}, !{{!"k{n % 3}", !{before or 6}}}}}\n',
        NOWHERE,
        lambda last: uses(last) + f"define void @h() !dbg !4 {{\n ret void, !dbg !{last}\n}}\n",
    ),
    "layers in lists": chain(
        lambda n, before: f'!{n} = !DILocation(line: {n}, scope: !4{f", irlayers: !DILayerLocList(!DILayerLoc(kind: {chr(34)}k{chr(34)}, loc: !{before}))" if before else ""})\n',
        NOWHERE,
        lambda last: uses(last) + f"define void @h() !dbg !4 {{\n ret void, !dbg !{last}\n}}\n",
    ),
    "scopes": chain(
        lambda n, before: f"!{n} = distinct !DILexicalBlock(scope: !{before or 4}, file: !1, line: {n % 9})\n",
        lambda last: (last, last - 1, None),
    ),
    "scopes of files": chain(
        lambda n, before: f"!{n} = !DILexicalBlockFile(scope: !{before or 4}, file: !1, discriminator: {n % 5})\n",
        lambda last: (last, last - 1, None),
    ),
    "types": chain(lambda n, before: f"!{n} = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !{before or 3}, size: 64)\n", NOWHERE, uses),
    "types of functions": brackets("define void @f(", "{ ", "i32", " }", " %a) {\n ret void\n}\n"),
    "constants": brackets("@g = global ", "[1 x ", "i8", "]", " zeroinitializer\n"),
}


def bitcode(inner):
    """Blocks in blocks: a header of 8 bytes each, with the words behind it, and an end of 4."""

    def made(count):
        data = bytearray(b"BC\xc0\xde")
        for i in range(count):
            width = 2 if i == 0 else 4
            # ENTER_SUBBLOCK, the block's id as vbr8, the new width 4 as vbr4, aligned
            data += struct.pack("<II", 1 | (8 if i == 0 else inner) << width | 4 << (width + 8), min(0xFFFFFFFF, 3 * (count - 1 - i) + 1))
        return bytes(data + b"\0\0\0\0" * count)

    return made


def dies(count):
    """DIEs in DIEs: inlined subroutines, without attributes."""
    abbreviations = b"\1\x11\1\0\0" + b"\2\x1d\1\0\0" + b"\0"
    body = b"\1" + b"\2" * count + b"\0" * (count + 1)
    unit = struct.pack("<IHIB", 7 + len(body), 4, 0, 8) + body
    return elf([(".debug_line", DEBUG, OLD, 0, 0, 0), (".debug_info", DEBUG, unit, 0, 0, 0), (".debug_abbrev", DEBUG, abbreviations, 0, 0, 0)])


VALUES = {
    "lists": lambda count: [("[", count), "1", ("]", count), "\n"],
    "maps": lambda count: [('{"a": ', count), "1", ("}", count), "\n"],
}
START = '{"started": 1, "implementation": "a", "version": "1", "capabilities": ["merge"]}'
DOCUMENT = "id: merge.line.a\nclauses: [merge.line]\nlevel: must\nsince: rfc\nneeds: [merge]\nop: merge\nargs: "

# kind -> name -> pieces, or bytes
NESTS = {
    "MODULE": MODULES,
    "HIDDEN": MODULES,
    "PLAIN": MODULES,
    "BITCODE": {"blocks of modules": bitcode(8), "blocks of functions": bitcode(12), "unknown blocks": bitcode(60)},
    "OBJECT": {"entries": dies},
    "PTX": {"braces": brackets(".version 9.4\n.func f()\n{\n", "{", "ret;", "}", "}\n")},
    "ASSEMBLER": {
        "sections": brackets("", ".pushsection .text\n", "nop\n", ".popsection\n"),
        "conditions": brackets("", ".if 1\n", "nop\n", ".endif\n"),
        "parentheses": brackets(".long ", "(", "1", ")", "\n"),
    },
    "MLIR": {
        "names": brackets("loc(", '"n"(', "unknown", ")", ")\n"),
        "call sites": brackets("loc(", "callsite(unknown at ", "unknown", ")", ")\n"),
        "fused locations": brackets("loc(", "fused[", "unknown", "]", ")\n"),
        "attributes": brackets("loc(fused<", "[", "", "]", ">[unknown])\n"),
        "regions": brackets("", "{", "", "}", " loc(unknown)\n"),
        "aliases": lambda count: ['#l0=loc("t"("s":1:1))\n', numbered(lambda n: f'#l{n + 1}=loc("n"(#l{n}))\n', 0, count), f"loc(#l{count})"],
    },
    "SNAPSHOTS": VALUES,
    "VECTORS": {
        **VALUES,
        "block lists": lambda count: [("- ", count), "a\n"],
        "args": lambda count: [DOCUMENT, *VALUES["lists"](count)],
        "nodes": lambda count: [
            "nodes:\n", numbered(lambda n: f"  n{n}: {{node: tuple, operands: [n{n + 1}]}}\n", 0, count), f"  n{count}: {{node: tuple, operands: []}}\n",
            DOCUMENT, "[n0, n1]\nexpect: {outcome: reject}\n",
        ],
    },
    "RUN": VALUES,
    "ADAPTER": VALUES,
    "SPEC": {"lists": lambda count: [("> ", count), "a\n"], "brackets": lambda count: [("[", count), ("]", count), "\n"]},
    "SAMPLES": {"brackets": lambda count: [("(", count), ("0x", count), "\n"]},
}


def file_of(folder, kind, nest, count):
    """Where the nest of a kind is now; what an adapter is: a shell command that says it after it has started."""
    name = every.SOUND[kind][0] if kind in every.SOUND else "nest." + {"PLAIN": "ll", "OBJECT": "o", "BITCODE": "bc"}.get(kind, kind.lower())
    path = os.path.join(folder, "nest-" + name)
    made = nest(count)
    if isinstance(made, bytes):
        with open(path, "wb") as file:
            file.write(made)
    else:
        write(path, made)
    return f"read a; echo '{START}'; read a; cat {path}; read a" if kind == "ADAPTER" else path


def check(folder, files, kind, name, count, rows):
    path = file_of(folder, kind, NESTS[kind][name], count)
    for row in rows:
        given, stdin = every.arguments(row, {**files, kind: path})
        with small_stack():
            run = Run(given, folder, stdin or os.devnull, limit=120)
        told = run.status == 1 and not run.stderr and run.output(1)  # what is wrong is what was asked for
        yield f"a nest of {count} {name}: {row}", None if told else run.complaint(silent=False)


def nests(folder, part, parts, few):
    """A part of the nests, each with every row that reads it: a million deep with the first row of each subcommand, less with the others; few: still
    less deep, with a sixth of the rows, each nest with others."""
    if part == 0:
        yield "every subcommand has a row", ", ".join(every.missing()) or None
    files = every.sound(folder)
    cases = [(kind, name) for kind in NESTS for name in NESTS[kind]]
    for number, (kind, name) in list(enumerate(cases))[part::parts]:
        rows = [row for row in every.ROWS if kind in every.kinds(row)]
        if few:
            yield from check(folder, files, kind, name, FEW, rows[number % min(6, len(rows)) :: 6])
        else:
            first = set({row.split()[0]: row for row in reversed(rows)}.values())
            yield from check(folder, files, kind, name, MILLION, [row for row in rows if row in first])
            yield from check(folder, files, kind, name, MANY, [row for row in rows if row not in first])
