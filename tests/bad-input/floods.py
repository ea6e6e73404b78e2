"""Floods: each subcommand reads every kind of file that it takes with many of something in it, whose keys are alike. A cost that grows faster than the input
shows a table that an input can fill badly, or a search through a list.

The keys collide under the hashes that people know, as far as such keys can be made; those of dloc's own have a secret. Costs are compared within one run of the
test, those of many with those of few: there is no limit in seconds."""

import contextlib
import functools
import os
import shutil
import struct
import subprocess

import every
import process
from big import HEAD, write
from layers import ROWS as LAYER_ROWS
from layers import named, section
from lines import ADDRESS, DEBUG, END, OLD, elf, table
from process import Run, small_stack

FEW, TIMES = 2_000, 8
MANY = FEW * TIMES
TIMES_MORE = 4  # what many do too cheaply to be judged is tried with as many times more
SAMPLE = 200  # many of something, where costs are not measured
MOST = 3  # linear within that factor
TRIES = 4
SHORT = 0.06  # seconds; less, and less than a script needs to start, many may cost, whatever few do: a search through a list for each costs more
LLVM = ("assemble", "mlir --llvm", "flang")  # most of their cost is that of LLVM, whose own may be quadratic


# ---- Keys ---------------------------------------------------------------------------------------------------------------------


def colliding(pair):
    """Keys of one length, in which each bit of the number is one of two texts with equal hashes: of hash * factor + byte, whatever stands before and behind."""
    return lambda n: "".join(pair[n >> bit & 1] for bit in range(20))


# The texts of the pairs collide by the factors 31 and 33; the last keys differ in a few digits behind much that is equal.
KEYS = [colliding(("an", "c0")), colliding(("ar", "c0")), lambda n: f"alike{'alike' * 8}{n:08}"]


def each(count, key, form):
    """form(number, key) for each."""
    for start in range(0, count, 1000):
        yield "".join(form(n, key(n)) for n in range(start, min(count, start + 1000)))


# ---- Modules ------------------------------------------------------------------------------------------------------------------

TOP = 100  # the first number that a flood uses
BODY = "define void @f() !dbg !4 {\n"
RETURN = " ret void, !dbg !6\n}\n"
USE = "define void @f() !dbg !4 {\n ret void, !dbg !100\n}\n"


def instructions(form):
    """A function with an instruction for each key, and what stands behind it."""
    return lambda count, key: [HEAD, BODY, each(count, key, lambda n, k: f" store volatile i32 {n}, ptr null, !dbg !{TOP + 3 * n}\n"), RETURN, each(count, key, form)]


def listed(name, form, step=1, more=""):
    """Named metadata with an operand for each key."""
    return lambda count, key: [
        HEAD, f"!{name} = !{{!{TOP}", each(count - 1, key, lambda n, k: f", !{TOP + step * (n + 1)}"), "}\n", more, each(count, key, form),
    ]  # fmt: skip


def tuple_of(start, operand, end="}\n", more=""):
    """A node with an operand for each key."""
    return lambda count, key: [HEAD, USE, f"!{TOP} = {start}", each(count, key, operand), end, more]


def layer_of(n, key):
    return f', !{{!"{key}", !7}}'


def layer(n, key):
    return f'!{TOP + 3 * n} = !{{!6, !{{!"{key}", !7}}}}\n'


MODULES = {
    "functions": lambda count, key: [HEAD, each(count, key, lambda n, k: f"define void @{k}() {{\n ret void\n}}\n")],
    "functions with a subprogram": lambda count, key: [
        HEAD, each(count, key, lambda n, k: f'define void @{k}() !dbg !{TOP + 2 * n} {{\n ret void, !dbg !{TOP + 2 * n + 1}\n}}\n'),
        each(count, key, lambda n, k: f'!{TOP + 2 * n} = distinct !DISubprogram(name: "{k}", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)\n!{TOP + 2 * n + 1} = !DILocation(line: 1, scope: !{TOP + 2 * n})\n'),
    ],
    "calls": lambda count, key: [HEAD, each(count, key, lambda n, k: f"declare void @{k}()\n"), BODY, each(count, key, lambda n, k: f" call void @{k}(), !dbg !6\n"), RETURN],
    "inlined calls": lambda count, key: [
        HEAD, "define void @g() alwaysinline !dbg !5 {\n ret void, !dbg !7\n}\n", BODY, each(count, key, lambda n, k: f" call void @g(), !dbg !{TOP + n}\n"), RETURN,
        each(count, key, lambda n, k: f"!{TOP + n} = !DILocation(line: {n}, scope: !4)\n"),
    ],
    "inlined functions": lambda count, key: [
        HEAD, each(count, key, lambda n, k: f"define void @{k}() alwaysinline !dbg !{TOP + 2 * n} {{\n ret void, !dbg !{TOP + 2 * n + 1}\n}}\n"),
        BODY, each(count, key, lambda n, k: f" call void @{k}(), !dbg !6\n"), RETURN,
        each(count, key, lambda n, k: f'!{TOP + 2 * n} = distinct !DISubprogram(name: "{k}", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)\n!{TOP + 2 * n + 1} = !DILocation(line: 1, scope: !{TOP + 2 * n})\n'),
    ],
    "globals": lambda count, key: [HEAD, each(count, key, lambda n, k: f"@{k} = global i32 0, !dbg !{TOP}\n"), f"!{TOP} = !{{}}\n"],
    "comdats": lambda count, key: [HEAD, each(count, key, lambda n, k: f"${k} = comdat any\ndefine void @{k}() comdat {{\n ret void\n}}\n")],
    "types": lambda count, key: [HEAD, each(count, key, lambda n, k: f"%{k} = type {{ i32 }}\n@g{n} = global %{k} zeroinitializer\n")],
    "types in types": lambda count, key: [HEAD, each(count, key, lambda n, k: f"%{k} = type {{ i32, ptr }}\n"), "define void @h({ ", each(count, key, lambda n, k: f"%{k}, "), "i32 } %a) {\n ret void\n}\n"],
    "labels": lambda count, key: [HEAD, BODY, " br label %", key(0), "\n", each(count, key, lambda n, k: f"{k}:\n br label %{key(n + 1)}, !dbg !6\n"), key(count), ":\n", RETURN],
    "values": lambda count, key: [HEAD, BODY, each(count, key, lambda n, k: f" %{k} = add i32 1, 1, !dbg !6\n"), RETURN],
    "named metadata": lambda count, key: [HEAD, each(count, key, lambda n, k: f"!{k} = !{{!0}}\n")],
    "parts of named metadata": lambda count, key: [HEAD, each(count, key, lambda n, k: "!llvm.dbg.cu = !{!0}\n")],
    "kinds of attachments": lambda count, key: [HEAD, BODY, " %a = add i32 1, 1, !dbg !6", each(count, key, lambda n, k: f", !{k} !0"), "\n", RETURN],
    "kinds of attachments of instructions": lambda count, key: [HEAD, BODY, each(count, key, lambda n, k: f" %a{n} = add i32 1, 1, !dbg !6, !{k} !0\n"), RETURN],
    "attachments of a function": lambda count, key: [HEAD, "define void @f() !dbg !4", each(count, key, lambda n, k: f" !{k} !0"), " {\n", RETURN],
    "flags": listed("llvm.module.flags", lambda n, k: f'!{TOP + n} = !{{i32 1, !"{k}", i32 3}}\n'),
    "units": listed("llvm.dbg.cu", lambda n, k: f'!{TOP + n} = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "{k}", emissionKind: FullDebug)\n'),
    "strings": listed("a", lambda n, k: f'!{TOP + n} = !{{!"{k}"}}\n'),
    "equal nodes": listed("a", lambda n, k: f'!{TOP + n} = !{{!"{k[:8]}", !0}}\n'),
    "distinct nodes": listed("a", lambda n, k: f'!{TOP + n} = distinct !{{!"{k}"}}\n'),
    "nodes of equal fields": listed("a", lambda n, k: f'!{TOP + n} = !DIDerivedType(tag: DW_TAG_typedef, name: "{k}", baseType: !{TOP + n // 2}, size: 64)\n'),
    "files": listed("a", lambda n, k: f'!{TOP + n} = !DIFile(filename: "{k}", directory: "d")\n'),
    "far numbers": lambda count, key: [HEAD, each(count, key, lambda n, k: f'!{TOP + (n << 16 if n < 60000 else n)} = !{{!"{k}"}}\n')],
    "unknown fields": tuple_of('!DIUnknown(name: "a"', lambda n, k: f", {k}: {n}", ")\n"),
    "unknown fields of a location": tuple_of("!DILocation(line: 1, scope: !4", lambda n, k: f", {k}: {n}", ")\n"),
    "kinds of one location": tuple_of("!{!6", layer_of),
    "layers of one kind": tuple_of("!{!6", lambda n, k: f', !{{!"k", !DILocation(line: {n}, scope: !4)}}'),
    "layers of no kind": tuple_of("!{!6", lambda n, k: ', !{!"", !7}'),
    "layers that are none": tuple_of("!{!6", lambda n, k: f', !"{k}"'),
    "layers that are nodes": tuple_of("!{!6", lambda n, k: f", !{TOP + 1}", more=f"!{TOP + 1} = !{{}}\n"),
    "layers of a list": tuple_of("!DILocation(line: 1, scope: !4, irlayers: !DILayerLocList(", lambda n, k: f'{", " if n else ""}!DILayerLoc(line: {n}, file: !1, kind: "{k}")', "))\n"),
    "layers of a list that are none": tuple_of("!DILocation(line: 1, scope: !4, irlayers: !DILayerLocList(", lambda n, k: f'{", " if n else ""}!"{k}"', "))\n"),
    "kinds of locations": instructions(layer),
    "kinds and files": instructions(lambda n, k: f'!{TOP + 3 * n} = !{{!6, !{{!"{k}", !DILocation(line: 1, scope: !{TOP + 3 * n + 1})}}}}\n!{TOP + 3 * n + 1} = !DILexicalBlockFile(scope: !4, file: !{TOP + 3 * n + 2}, discriminator: 0)\n!{TOP + 3 * n + 2} = !DIFile(filename: "{k}", directory: "d")\n'),
    "files of a kind": instructions(lambda n, k: f'!{TOP + 3 * n} = !{{!6, !{{!"k", !DILocation(line: 1, scope: !{TOP + 3 * n + 1})}}}}\n!{TOP + 3 * n + 1} = !DILexicalBlockFile(scope: !4, file: !{TOP + 3 * n + 2}, discriminator: 0)\n!{TOP + 3 * n + 2} = !DIFile(filename: "{k}", directory: "d")\n'),
    "lines": instructions(lambda n, k: f'!{TOP + 3 * n} = !{{!6, !{{!"k", !DILocation(line: {n}, scope: !4)}}}}\n'),
    "scopes of instructions": instructions(lambda n, k: f"!{TOP + 3 * n} = !DILocation(line: 1, scope: !{TOP + 3 * n + 1})\n!{TOP + 3 * n + 1} = distinct !DILexicalBlock(scope: !4, file: !1, line: {n})\n"),
    "wrong locations": instructions(lambda n, k: f'!{TOP + 3 * n} = !{{!"{k}"}}\n'),
    "sources": listed("llvm.intermediate_level_source", lambda n, k: f'!{TOP + 2 * n} = !{{!"{k}", !{TOP + 2 * n + 1}, !"text {k}"}}\n!{TOP + 2 * n + 1} = !DIFile(filename: "{k}", directory: "d")\n', 2),
    "sources of a kind": listed("llvm.intermediate_level_source", lambda n, k: f'!{TOP + 2 * n} = !{{!"k", !{TOP + 2 * n + 1}, !"text {k}"}}\n!{TOP + 2 * n + 1} = !DIFile(filename: "{k}", directory: "d")\n', 2),
    "sources of a file": listed("llvm.intermediate_level_source", lambda n, k: f'!{TOP + n} = !{{!"{k}", !1, !"text"}}\n'),
    "wrong sources": listed("llvm.intermediate_level_source", lambda n, k: f'!{TOP + n} = !{{!"{k}"}}\n'),
    "kinds of one location, and backwards": lambda count, key: [
        HEAD, USE, f"!{TOP} = !{{!6", each(count, key, layer_of), each(count, lambda n: key(count - 1 - n), layer_of), "}\n",
    ],
    "arguments, and instructions of another function": lambda count, key: [
        HEAD, "define void @f(", each(count, key, lambda n, k: f"i32 %{k}, "), "i32 %b) !dbg !4 {\n", each(count, key, lambda n, k: f" %a{n} = add i32 1, 1, !dbg !7\n"), RETURN,
    ],
    "wrong locations behind arguments": lambda count, key: [
        HEAD, "define void @f(", each(count, key, lambda n, k: f"i32 %{k}, "), "i32 %b) {\n", each(count, key, lambda n, k: f" %a{n} = add i32 1, 1, !dbg !7\n"), RETURN,
    ],
    "named metadata, and wrong units": lambda count, key: [HEAD, each(count, key, lambda n, k: f"!{k} = !{{!0}}\n"), "!llvm.dbg.cu = !{", each(count, key, lambda n, k: "!1, "), "!0}\n"],
    "wrong nodes behind a wide one": lambda count, key: [
        HEAD, "define void @f() !dbg !4 {\n %a = add i32 1, 1, !a !{!0", each(count, key, lambda n, k: ", !0"), f"}}, !dbg !{TOP}\n", RETURN, f"!{TOP} = !{{!6",
        each(count, key, lambda n, k: ', !{!"", !7}'), "}\n",
    ],
    "variables": lambda count, key: [
        HEAD, "define void @f(i32 %x) !dbg !4 {\n", each(count, key, lambda n, k: f"   #dbg_value(i32 %x, !{TOP + n}, !DIExpression(), !6)\n"), RETURN,
        each(count, key, lambda n, k: f'!{TOP + n} = !DILocalVariable(name: "{k}", scope: !4, file: !1, line: 1)\n'),
    ],
    "loops": lambda count, key: [HEAD, BODY, " br label %a, !dbg !6, !llvm.loop !100\na:\n", RETURN, "!100 = distinct !{!100", each(count, key, lambda n, k: f', !DILocation(line: {n}, scope: !4)'), "}\n"],
}


# ---- Objects ------------------------------------------------------------------------------------------------------------------


def line_files(count, key):
    files = b"\0" + b"".join(key(n).encode() + b"\0\0\0\0" for n in range(count)) + b"\0"
    rows = b"".join(b"\4" + uleb(n + 1) + b"\x4b" for n in range(count))
    return table(ADDRESS + rows + END, files=files)


def uleb(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def debug(lines, *more):
    return elf([(".debug_line", DEBUG, lines, 0, 0, 0), *more])


def inlined(count, form):
    """Subroutines that are inlined: a DIE each."""
    abbreviations = b"\1\x11\1\x10\x17\0\0" + b"\2\x1d\0\x11\1\x12\6\x59\x0f\0\0" + b"\0"
    body = b"\1\0\0\0\0" + b"".join(b"\2" + struct.pack("<QI", *form(n)) + uleb(n) for n in range(count)) + b"\0"
    unit = struct.pack("<IHIB", 7 + len(body), 4, 0, 8) + body
    return debug(OLD, (".debug_info", DEBUG, unit, 0, 0, 0), (".debug_abbrev", DEBUG, abbreviations, 0, 0, 0))


def overlapping(folder, count, key):
    """Sequences that are all over the same code, whose stack changes as many times: the table of two levels would have the square of that."""
    start, range_ = 0x1000, b"\x11\1\x12\6"
    abbreviations = b"\1\x11\1\x10\x17" + range_ + b"\0\0" + b"\2\x2e\1" + range_ + b"\0\0" + b"\3\x1d\0" + range_ + b"\x59\x0f\0\0" + b"\0"
    whole = struct.pack("<QI", start, 2 * count)
    inside = b"".join(b"\3" + struct.pack("<QI", start + 2 * n, 1) + uleb(n + 1) for n in range(count))
    body = b"\1\0\0\0\0" + whole + b"\2" + whole + inside + b"\0\0"
    unit = struct.pack("<IHIB", 7 + len(body), 4, 0, 8) + body
    lines = table((b"\0\x09\2" + struct.pack("<Q", start) + b"\1\2" + uleb(2 * count) + END) * count)
    path = os.path.join(folder, "flood")
    with open(path, "wb") as to:
        to.write(debug(lines, (".debug_info", DEBUG, unit, 0, 0, 0), (".debug_abbrev", DEBUG, abbreviations, 0, 0, 0)))
    convert("EXECUTABLE", path)
    return {"EXECUTABLE": path}


def selectable(primary, layer):
    """A linked file with a layer."""

    def made(folder, count, key):
        path = os.path.join(folder, "flood")
        with open(path, "wb") as to:
            to.write(elf([section(".debug_line", primary(count)), section(".debug_line_k", layer(count, key))], kind=2))
        return {"EXECUTABLE": path, "DIRECTORY": os.path.join(folder, "texts")}

    return made


def sequence(rows, start=0x1000):
    return b"\0\x09\2" + struct.pack("<Q", start) + rows + END


SELECT = "select --layer k --texts DIRECTORY EXECUTABLE -o OUT"


def abbreviations(count, key):
    table_ = b"".join(uleb(n + 1) + b"\x34\0\x03\x08\0\0" for n in range(count)) + b"\0"
    body = b"".join(uleb(n + 1) + key(n).encode() + b"\0" for n in range(count)) + b"\0"
    unit = struct.pack("<IHIB", 7 + len(body), 4, 0, 8) + body
    return debug(OLD, (".debug_info", DEBUG, unit, 0, 0, 0), (".debug_abbrev", DEBUG, table_, 0, 0, 0))


def units(count, key):
    unit = struct.pack("<IHIB", 13, 4, 0, 8) + b"\1\0\0\0\0\0"
    return debug(OLD, (".debug_info", DEBUG, unit * count, 0, 0, 0), (".debug_abbrev", DEBUG, b"\1\x11\0\x10\x17\0\0\0", 0, 0, 0))


def symbols(count, key, form):
    names = b"\0" + b"".join(key(n).encode() + b"\0" for n in range(count))
    size = len(key(0)) + 1
    entries = b"\0" * 24 + b"".join(struct.pack("<IBBHQQ", 1 + n * size, 0x12, 0, 1, *form(n)) for n in range(count))
    return elf([(".text", DEBUG, b"\x90" * 16, 0, 0, 0), (".debug_line", DEBUG, OLD, 0, 0, 0), (".symtab", 2, entries, 4, 1, 24), (".strtab", 3, names, 0, 0, 0)])


def relocations(count, key, offset):
    entries = b"".join(struct.pack("<QQq", offset(n), 1 << 32 | 1, n) for n in range(count))
    symbol = b"\0" * 24 + struct.pack("<IBBHQQ", 0, 3, 0, 1, 0, 0)
    lines = table((ADDRESS + b"\x4b" + END) * count)
    return elf([(".debug_line", DEBUG, lines, 0, 0, 0), (".rela.debug_line", 4, entries, 3, 1, 24), (".symtab", 2, symbol, 6, 1, 24)])


def row_of_kind(n, k):
    return table(LAYER_ROWS, files=b"\0" + f".debug_txt.{k}.x".encode() + b"\0\0\0\0\0")


OBJECTS = {
    "files": lambda count, key: debug(line_files(count, key)),
    "directories": lambda count, key: debug(table(ADDRESS + b"\x4b" + END, files=b"".join(key(n).encode() + b"\0" for n in range(count)) + b"\0a.c\0\1\0\0\0")),
    "rows at one address": lambda count, key: debug(table(ADDRESS + b"\3\1\1" * count + b"\2\x10" + END)),
    "sequences at one address": lambda count, key: debug(table((ADDRESS + b"\3\1\1\2\x10" + END) * count)),
    "discriminators": lambda count, key: debug(table(ADDRESS + b"".join(b"\0" + uleb(1 + len(uleb(62 + 128 * n))) + b"\4" + uleb(62 + 128 * n) + b"\x4b" for n in range(count)) + END)),
    "line tables": lambda count, key: debug(OLD * count),
    "line tables that break off": lambda count, key: debug(b"\0\0\0\0" * count),
    "sections": lambda count, key: debug(OLD, *((f".{key(n)}", DEBUG, b"", 0, 0, 0) for n in range(min(count, 60000)))),
    "kinds of layers": lambda count, key: debug(OLD, *(section(f".debug_line_{key(n)}", row_of_kind(n, key(n))) for n in range(min(count, 30000)))),
    "merged kinds of layers": lambda count, key: debug(OLD + b"".join(row_of_kind(n, key(n)) for n in range(count))),
    "texts": lambda count, key: debug(OLD, section(".debug_line_k", table(LAYER_ROWS, files=b"\0" + b"".join(named(key(n).encode()).encode() + b"\0\0\0\0" for n in range(count)) + b"\0")), *(section(named(key(n).encode()), key(n).encode()) for n in range(count))),
    "texts of one name": lambda count, key: debug(OLD, section(".debug_line_k", table(LAYER_ROWS, files=b"\0" + named(b"a").encode() + b"\0\0\0\0\0")), *(section(named(b"a"), b"a") for n in range(count))),
    "inlined at one address": lambda count, key: inlined(count, lambda n: (0, 16)),
    "inlined one behind another": lambda count, key: inlined(count, lambda n: (n, 1)),
    "abbreviations": abbreviations,
    "units": units,
    "symbols": lambda count, key: symbols(count, key, lambda n: (n % 16, 1)),
    "symbols at one address": lambda count, key: symbols(count, key, lambda n: (0, 16)),
    "relocations": lambda count, key: relocations(count, key, lambda n: 40 + n * 15),
    "relocations of one place": lambda count, key: relocations(count, key, lambda n: 40),
}

# ---- Texts --------------------------------------------------------------------------------------------------------------------

VECTOR = """id: merge.line.a{n}
clauses: [merge.line]
level: must
since: rfc
needs: [merge]
op: merge
args: [null, null]
expect: {expect}
"""
OK = "{outcome: ok, value: {result: %s}}"
PART = """id: merge.line.a
clauses: [merge.line{clauses}]
level: must
since: rfc
needs: [merge{needs}]
{more}op: merge
args: [null, null]
expect: {{outcome: ok, value: {{result: null}}}}
"""


OUTLINED = """id: outline.scope.a
clauses: [outline.scope]
level: must
since: rfc
needs: [outline]
op: outline
expect: {outcome: reject, reason: operand.not-debug-loc}
nodes:
  file: {node: DIFile, filename: a.c, directory: d}
  unit: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: file}
  f: {node: DISubprogram, distinct: true, name: f, scope: file, file: file, line: 1, spFlags: DISPFlagDefinition, unit: unit}
  g: {node: DISubprogram, distinct: true, name: g, scope: file, file: file, line: 1, spFlags: DISPFlagDefinition, unit: unit}
"""


def part(field, form, more=""):
    """One vector with a list or map of many."""

    def made(count, key):
        before, behind = PART.format(**{"clauses": "", "needs": "", "more": more, field: "@"}).split("@")
        yield before
        yield from each(count, key, form)
        yield behind

    return made


RUN_HEAD = '{"implementation": "a", "version": "1", "command": "c", "profile": "rfc", "choices": [%s]}\n'
RESULT = (
    '{{"id": "{id}", "clauses": ["{clause}"], "level": "must", "op": "{op}", "outcome": "ok", "verdict": "different", "basis": "derived", "path": "a.yaml", "line": 1, '
    '"digest": "{n:032}", "expected": "a\\n", "actual": "b\\n"{more}}}\n'
)
TOTALS = (
    '{{"vectors": {n}, "as-expected": 0, "different": {n}, "known": 0, "skipped": 0, "not-judged": 0, "by-model": 0, "not-applicable": 0, "unreadable": 0, '
    '"layers-lost-as-expected": 0, "restarts": 0, "outcomes": {{"ok": {n}, "reject": 0, "degraded": 0, "skipped": 0, "errored": 0, "crash": 0, "hang": 0, "nondet": 0}}, '
    '"stale": [{stale}], "faults": [], "fault-count": 0, "good": false}}\n'
)


def results(**fields):
    def result(n, key):
        told = {"id": f"merge.line.{key}", "clause": "merge.line", "op": "merge", "more": "", **{field: form(key) for field, form in fields.items()}}
        return RESULT.format(n=n, **told)

    return lambda count, key: [RUN_HEAD % "", each(count, key, result), TOTALS.format(n=count, stale="")]


def pairs(count, key):
    return ["{", each(count, key, lambda n, k: f'"{k}": {n}, '), '"a": 1}\n']


VECTORS = {
    "vectors": lambda count, key: [each(count, key, lambda n, k: "---\n" + VECTOR.format(n=f".{k}", expect=OK % "null"))],
    "vectors of one id": lambda count, key: [each(count, key, lambda n, k: "---\n" + VECTOR.format(n="", expect=OK % "null"))],
    "vectors that differ": lambda count, key: [each(count, key, lambda n, k: "---\n" + VECTOR.format(n=n, expect="{outcome: reject, reason: operand.not-debug-loc}"))],
    "keys": pairs,
    "equal keys": lambda count, key: ["{", each(count, key, lambda n, k: f'"a": {n}, '), '"b": 1}\n'],
    "keys of a vector": part("more", lambda n, k: f"{k}: {n}\n"),
    "nodes": part("more", lambda n, k: ("" if n else "nodes:\n") + f"  {k}: {{node: DIFile, filename: {k}, directory: d}}\n"),
    "equal nodes": part("more", lambda n, k: ("" if n else "nodes:\n") + f"  {k}: {{node: tuple, operands: []}}\n"),
    "fields of a node": part("more", lambda n, k: ("" if n else "nodes:\n  a:\n    node: DIUnknown\n") + f"    {k}: {n}\n"),
    "operands": lambda count, key: [
        "nodes:\n  a:\n    node: tuple\n    operands:\n", each(count, key, lambda n, k: f"    - {k}\n"),
        each(count, key, lambda n, k: f"  {k}: {{node: tuple, distinct: true, operands: []}}\n"), VECTOR.format(n="", expect=OK % "a").replace("null, null", "a, a"),
    ],
    "nested blocks, outlined": lambda count, key: [
        OUTLINED, each(count, key, lambda n, k: f"  {k}: {{node: DILexicalBlock, distinct: true, scope: {key(n - 1) if n else 'f'}, file: file, line: {n + 1}}}\n"),
        each(count, key, lambda n, k: f"  l{n}: {{node: DILocation, line: {n + 1}, scope: {k}}}\n"), "args: {locations: [l0", each(count - 1, key, lambda n, k: f", l{n + 1}"), "], function: g}\n",
    ],
    "clauses": part("clauses", lambda n, k: ", merge.line"),
    "unknown clauses": part("clauses", lambda n, k: f", merge.{k}"),
    "needs": part("needs", lambda n, k: ", merge"),
    "unknown needs": part("needs", lambda n, k: f", {k}"),
    "kills": part("more", lambda n, k: ("" if n else "kills:\n") + "- merge.line.first\n"),
    "unknown kills": part("more", lambda n, k: ("" if n else "kills:\n") + f"- merge.{k}\n"),
    "unknown choices": part("more", lambda n, k: ("" if n else "choices:\n") + f"  {k}: {{drop: {{outcome: reject}}}}\n"),
    "unknown alternatives": part("more", lambda n, k: ("" if n else "choices:\n  merge.empty:\n") + f"    {k}: {{outcome: reject}}\n"),
}

START = '{"started": 1, "implementation": "a", "version": "1", "capabilities": ["merge"]}'
MLIR = {
    "aliases": lambda count, key: [each(count, key, lambda n, k: f"f loc(#{k})\n"), each(count, key, lambda n, k: f'#{k} = loc("t"("s":{n}:1))\n')],
    "aliases of aliases": lambda count, key: [each(count, key, lambda n, k: f"f loc(#{k})\n#{k} = loc(#{key(n + 1)})\n"), f"#{key(count)} = loc(unknown)\n"],
    "aliases twice": lambda count, key: [each(count, key, lambda n, k: f'#a = loc("t"("s":{n}:1))\n')],
    "missing aliases": lambda count, key: [each(count, key, lambda n, k: f"f loc(#{k})\n")],
    "other aliases": lambda count, key: [each(count, key, lambda n, k: f"#{k} = i32\n")],
    "files": lambda count, key: [each(count, key, lambda n, k: f'f loc("{k}":1:1)\n')],
    "files of a tag": lambda count, key: [each(count, key, lambda n, k: f'f loc(fused["a":1:1, "t"("{k}":1:1)])\n')],
    "names": lambda count, key: [each(count, key, lambda n, k: f'f loc("{k}"("a":1:1))\n')],
    "tags of one location": lambda count, key: ['f loc(fused["a":1:1', each(count, key, lambda n, k: f',"{k}"("s":1:1)'), "])\n"],
    "one tag of one location": lambda count, key: ['f loc(fused["a":1:1', each(count, key, lambda n, k: f',"t"("s":{n}:1)'), "])\n"],
    "equal locations": lambda count, key: [each(count, key, lambda n, k: 'f loc(fused["a":1:1, "t"("s":1:1)])\n')],
    "metadata": lambda count, key: [each(count, key, lambda n, k: f'f loc(fused<"{k}">["a":1:1])\n')],
    "call sites": lambda count, key: [each(count, key, lambda n, k: f'f loc(callsite("a":{n}:1 at "{k}":1:1))\n')],
}

FLOODS = {
    "MODULE": MODULES,
    "HIDDEN": {name: MODULES[name] for name in ("kinds of one location", "layers of one kind", "layers of a list", "kinds of locations", "kinds and files", "files of a kind", "lines", "sources")},
    "BITCODE": MODULES,
    "OBJECT": OBJECTS,
    "EXECUTABLE": OBJECTS,
    "PTX": {
        "labels": lambda count, key: [".version 9.4\n.func f()\n{\n", each(count, key, lambda n, k: f"{k}:\n bra {k};\n"), "}\n"],
        "functions": lambda count, key: [".version 9.4\n", each(count, key, lambda n, k: f".func {k}()\n{{\n ret;\n}}\n")],
        "equal functions": lambda count, key: [".version 9.4\n", each(count, key, lambda n, k: ".func f()\n{\n ret;\n}\n")],
        "files": lambda count, key: [".version 9.4\n", each(count, key, lambda n, k: f'.file {n + 1} "{k}"\n'), ".func f()\n{\n", each(count, key, lambda n, k: f".loc {n + 1} 1 1\nret;\n"), "}\n"],
        "files of one number": lambda count, key: [".version 9.4\n", each(count, key, lambda n, k: f'.file 1 "{k}"\n')],
        "unknown files": lambda count, key: [".version 9.4\n.func f()\n{\n", each(count, key, lambda n, k: f".loc {n + 1} 1 1\nret;\n"), "}\n"],
        "layers": lambda count, key: ['.version 9.4\n.file 1 "a"\n.func f()\n{\n.loc 1 1 1\n', each(count, key, lambda n, k: f".loc_intermediate 1 {n} 1\n"), "ret;\n}\n"],
        "texts": lambda count, key: [".version 9.4\n", each(count, key, lambda n, k: f'.file {n + 1} "{k}"\n'), ".nv_intermediate_source_section {\n", each(count, key, lambda n, k: f'.code_block {{\n.ir_name: "{k}"\n.sourceFileName: {n + 1}\n.source: "a"\n}}\n'), "}\n"],
        "inlined": lambda count, key: ['.version 9.4\n.file 1 "a"\n.func f()\n{\n', each(count, key, lambda n, k: f"{k}:\n.loc 1 1 1, function_name {k}, inlined_at 1 {n} 1\nret;\n"), "}\n"],
        "chain of inlined calls": lambda count, key: ['.version 9.4\n.file 1 "a"\n.func f()\n{\n.loc 1 1 1\n', each(count, key, lambda n, k: f"{k}:\n.loc 1 {n + 2} 1, function_name {k}, inlined_at 1 {n + 1} 1\nret;\n"), "}\n"],
        "sections": lambda count, key: [".version 9.4\n", each(count, key, lambda n, k: f".section .{k} {{\n.b8 1\n}}\n")],
    },
    "ASSEMBLER": {
        "labels": lambda count, key: [each(count, key, lambda n, k: f"{k}:\n .long {k}\n")],
        "files": lambda count, key: [each(count, key, lambda n, k: f' .file {n + 1} "{k}"\n'), "f:\n", each(count, key, lambda n, k: f" .loc {n + 1} 1 1 discriminator {62 + 128 * n}\n nop\n")],
        "files of one number": lambda count, key: [each(count, key, lambda n, k: f' .file 1 "{k}"\n'), " .loc 1 1 1\n nop\n"],
        "sections": lambda count, key: [each(count, key, lambda n, k: f' .section .{k},"ax",@progbits\n{k}:\n .loc 1 1 1 discriminator {62 + 128 * n}\n nop\n')],
        "sections of one name": lambda count, key: [' .file 1 "a.c"\n', each(count, key, lambda n, k: f' .section .text.{n % 2},"ax",@progbits\n .loc 1 1 1 discriminator {62 + 128 * n}\n nop\n')],
        "symbols": lambda count, key: [each(count, key, lambda n, k: f" .set {k}, {n}\n .globl {k}\n")],
        "macros": lambda count, key: [each(count, key, lambda n, k: f" .macro {k}\n .endm\n {k}\n")],
        "locations at one place": lambda count, key: [' .file 1 "a.c"\n', each(count, key, lambda n, k: f" .loc 1 {n} 1 discriminator {62 + 128 * (n % 6)}\n"), " nop\n"],
        "locations": lambda count, key: [' .file 1 "a.c"\n', each(count, key, lambda n, k: f" .loc 1 {n} 1 discriminator {62 + 128 * (n % 6)}\n nop\n")],
    },
    "MLIR": MLIR,
    "SNAPSHOTS": {name: MLIR[name] for name in ("files of a tag", "tags of one location", "one tag of one location", "equal locations")},
    "VECTORS": VECTORS,
    "RUN": {
        "results": results(),
        "results of one id": results(id=lambda key: "merge.line.a"),
        "clauses": results(clause=lambda key: f"merge.{key}"),
        "families": results(clause=lambda key: f"{key}.line"),
        "operations": results(op=lambda key: key),
        "operations through others": results(op=lambda key: key, more=lambda key: f', "through": "{key}x"'),
        "known failures": results(more=lambda key: f', "known": "{key}"'),
        "clauses of one result": lambda count, key: [
            RUN_HEAD % "", RESULT.format(n=1, id="a.b", clause='merge.line"' + "".join(f', "{key(n)}"' for n in range(count)) + ', "a', op="merge", more=""),
            TOTALS.format(n=1, stale=""),
        ],
        "keys": lambda count, key: [RUN_HEAD % "", '{"id": "a.b", ', each(count, key, lambda n, k: f'"{k}": 1, '), '"level": "must"}\n'],
        "choices": lambda count, key: [RUN_HEAD % ", ".join(f'"{key(n)}=a"' for n in range(count)), TOTALS.format(n=0, stale="")],
        "heads": lambda count, key: [each(count, key, lambda n, k: RUN_HEAD % "")],
    },
    "ADAPTER": {
        "keys": pairs,
        "nodes": lambda count, key: ['{"id": 1, "outcome": "ok", "value": {"result": "a", "nodes": {"a": {"node": "tuple", "operands": []}', each(count, key, lambda n, k: f', "{k}": {{"node": "tuple", "operands": ["a"]}}'), "}}}\n"],
        "chain of nodes": lambda count, key: ['{"id": 1, "outcome": "ok", "value": {"result": "', key(0), '", "nodes": {', each(count, key, lambda n, k: f'"{k}": {{"node": "tuple", "operands": ["{key(n + 1)}"]}}, '), f'"{key(count)}": {{"node": "tuple", "operands": []}}', "}}}\n"],
    },
    "SPEC": {
        "clauses": lambda count, key: [each(count, key, lambda n, k: f"**`merge.{k}`** *(must, rfc)*\nA text.\n\n")],
        "headings": lambda count, key: [each(count, key, lambda n, k: f"## {n} {k}\n\n")],
        "links": lambda count, key: [each(count, key, lambda n, k: f"[{k}](#{k})\n")],
        "table": lambda count, key: ["| a | b |\n|---|---|\n", each(count, key, lambda n, k: f"| `{k}` | b |\n")],
    },
    "SAMPLES": {
        "one address": lambda count, key: [each(count, key, lambda n, k: "0x401000 1\n")],
        "addresses": lambda count, key: [each(count, key, lambda n, k: f"0x{0x400000 + n:x} 1\n")],
        "far addresses": lambda count, key: [each(count, key, lambda n, k: f"0x{n << 32:x} 1\n")],
        "words": lambda count, key: [each(count, key, lambda n, k: f"{k}\n")],
        "objects": lambda count, key: [each(count, key, lambda n, k: f"x 1 1.0: 1 cycles: {n:x} f+0x0 (/{k})\n")],
        "parentheses": lambda count, key: ["x 1 1.0: 1 cycles: 1 f (", each(count, key, lambda n, k: "()"), ")\n"],
        "objects of valgrind": lambda count, key: ["creator: callgrind-1\npositions: instr line\n", each(count, key, lambda n, k: f"ob=({n}) {k}\n0x{n:x} 1 1\n")],
    },
}


# ---- Several files, and files that are of no kind of every.py ---------------------------------------------------------------------


def file(folder, name, pieces):
    path = os.path.join(folder, name)
    write(path, pieces)
    return path


def vectors_of(folder, name, count, key):
    path = file(folder, "flood.yaml", VECTORS[name](count, key))
    convert("VECTORS", path)
    return path


def failures(folder, count, key):
    """Vectors that fail, and the list of them, the last one first."""
    entries = each(count, lambda n: count - 1 - n, lambda n, number: f"merge.line.a{number}: a reason\n")
    return {"VECTORS": vectors_of(folder, "vectors that differ", count, key), "LIST": file(folder, "list", entries)}


def joined(endings):
    """What `dloc hide --full` writes; .o: and what LLVM makes of it."""

    def made(folder, count, key):
        directory, path = os.path.join(folder, "full"), file(folder, "flood.ll", MODULES["files of a kind"](count, key))
        Run(["hide", path, "--full", directory], folder, limit=60)
        for name in os.listdir(directory) if endings else []:
            if name.endswith(".ll"):
                options = ["-filetype=obj", "-mtriple=x86_64-unknown-linux-gnu", "-o", os.path.join(directory, name[:-3] + ".o")]
                subprocess.run([f"{every.LLVM}/llc", os.path.join(directory, name), *options], check=True)
        return {"DIRECTORY": directory}

    return made


def module_and_folder(name):
    return lambda folder, count, key: {"MODULE": file(folder, "flood.ll", MODULES[name](count, key)), "DIRECTORY": os.path.join(folder, "made")}


def nest(hidden):
    """Layered locations, each in a block of its own, and each block in the one before it."""

    def made(folder, count, key):
        nodes = instructions(
            lambda n, k: f'!{TOP + 3 * n} = !{{!{TOP + 3 * n + 2}, !{{!"k", !DILocation(line: 1, scope: !{TOP + 3 * n + 1})}}}}\n'
            f"!{TOP + 3 * n + 1} = distinct !DILexicalBlock(scope: !{TOP + 3 * n - 2 if n else 4}, file: !1, line: {n})\n"
            f"!{TOP + 3 * n + 2} = !DILocation(line: {n}, scope: !{TOP + 3 * n + 1})\n"
        )
        path = file(folder, "nest.ll", nodes(count, key))
        if not hidden:
            return {"MODULE": path}
        convert("HIDDEN", path)
        return {"HIDDEN": path + ".table", "PLAIN": path}

    return made


SEVERAL = {
    "sequences that lie in each other": ("two-level EXECUTABLE", overlapping),
    "files of a layer that is selected": (SELECT, selectable(
        lambda count: table(sequence(b"\1\2" + uleb(4 * count))),
        lambda count, key: table(sequence(b"".join(b"\4" + uleb(n + 1) + b"\x4b" for n in range(count))), files=b"\0" + b"".join(key(n).encode() + b"\0\0\0\0" for n in range(count)) + b"\0"),
    )),
    "sequences over a layer that is selected": (SELECT, selectable(lambda count: table(sequence(b"\1\2" + uleb(4 * count)) * count), lambda count, key: table(sequence(b"\x4b" * count)))),
    "units over a layer that is selected": (SELECT, selectable(lambda count: table(sequence(b"\1\2\4")) * count, lambda count, key: table(sequence(b"\x4b" * count)))),
    "dropped functions of a layer that is selected": (SELECT, selectable(
        lambda count: table(sequence(b"\1\2\x40", 0) * count + sequence(b"\1\2\4")), lambda count, key: table(sequence(b"\x4b" * 16, 0) * count + sequence(b"\1\2\4")),
    )),
    "nested scopes, hidden": ("hide MODULE --table TABLE -o OUT", nest(False)),
    "nested scopes, converted": ("convert --to irlayers --lossy MODULE -o OUT", nest(False)),
    "nested scopes, revealed": ("reveal --fast --table HIDDEN PLAIN -o OUT", nest(True)),
    "nested scopes, stripped": ("apply strip MODULE !100 !103 keep=line-tables", nest(False)),
    "failures that are listed": ("run --impl model --quiet --expect-failures LIST VECTORS", failures),
    "failures that are listed again": ("run --impl model --quiet --update-expected LIST VECTORS", failures),
    "equal nodes of a vector": (f"run --impl llvm --llvm {every.LLVM} VECTORS", lambda folder, count, key: {"VECTORS": vectors_of(folder, "operands", count, key)}),
    "texts, each a file": ("source --extract all -o DIRECTORY MODULE", module_and_folder("sources")),
    "files of a kind, hidden": ("hide MODULE --full DIRECTORY", module_and_folder("files of a kind")),
    "files of a kind, revealed": ("reveal --full DIRECTORY -o OUT", joined(False)),
    "files of a kind, revealed in an object": ("reveal --full DIRECTORY -o OUT", joined(True)),
}


# ---- Output that grows as the square of the input -----------------------------------------------------------------------------------------------


def calls(count, key):
    """A long function that is called as often as it has instructions."""
    yield HEAD
    yield "define void @g() alwaysinline !dbg !5 {\n"
    yield from each(count, key, lambda n, k: f" store volatile i32 {n}, ptr null, !dbg !7\n")
    yield " ret void, !dbg !7\n}\n" + BODY
    yield from each(count, key, lambda n, k: " call void @g(), !dbg !6\n")
    yield RETURN


def chained(count, key):
    """Instructions that are all at the end of one chain of call sites."""
    yield HEAD + BODY
    yield from each(count, key, lambda n, k: f" store volatile i32 {n}, ptr null, !dbg !{TOP + count}\n")
    yield f"{RETURN}!{TOP} = distinct !DILocation(line: 1, scope: !4)\n"
    yield from each(count, key, lambda n, k: f"!{TOP + 1 + n} = distinct !DILocation(line: {n + 1}, scope: !5, inlinedAt: !{TOP + n})\n")


def turns(count, key):
    """Instructions that take turns in two locations with many kinds."""
    yield HEAD + BODY
    yield from each(count, key, lambda n, k: f" store volatile i32 {n}, ptr null, !dbg !{TOP + n % 2}\n")
    yield RETURN
    for side in (0, 1):
        yield f"!{TOP + side} = !{{!6"
        yield from each(count, key, lambda n, k: f', !{{!"{k}", !DILocation(line: {n + 1 + side}, scope: !{TOP + 2})}}')
        yield "}\n"
    yield f'!{TOP + 2} = !DILexicalBlockFile(scope: !4, file: !{TOP + 3}, discriminator: 0)\n!{TOP + 3} = !DIFile(filename: "k", directory: "d")\n'


def module_of(pieces):
    return lambda folder, count, key: {"MODULE": file(folder, "flood.ll", pieces(count, key))}


def compiled(kind, filetype):
    """The same by llc, of a module that is hidden."""

    def made(folder, count, key):
        path = file(folder, "flood.ll", turns(count, key))
        convert("HIDDEN", path)
        subprocess.run([f"{every.LLVM}/llc", "-O0", f"-filetype={filetype}", "-mtriple=x86_64-unknown-linux-gnu", path, "-o", path + ".out"], check=True)
        return {kind: path + ".out", "HIDDEN": path + ".table"}

    return made


# The row, what makes its files, and how many bytes of memory each byte of output may have: a row of a table has 24, and one or two in an object.
WIDE = {
    "calls of a long function": ("inline MODULE", module_of(calls), 0),
    "calls of a long function, as JSON": ("inline --json MODULE", module_of(calls), 0),
    "kinds of each instruction": ("emit MODULE", module_of(turns), 0),
    "records of each instruction": ("encode MODULE", module_of(turns), 0),
    "chains of call sites": ("print --locations --scopes MODULE", module_of(chained), 0),
    "rows of each kind, in a text": ("reveal --fast --table HIDDEN ASSEMBLER -o OUT", compiled("ASSEMBLER", "asm"), 0.75),
    "rows of each kind": ("reveal --fast --table HIDDEN OBJECT -o OUT", compiled("OBJECT", "obj"), 30),
}
WIDE_FEW, WIDE_TIMES = 400, 4
ALWAYS = 32 << 20  # bytes of memory that any run may have


# ---- The test -----------------------------------------------------------------------------------------------------------------


def convert(kind, path):
    """What another program makes of a flood, so that it is one of that kind."""
    if kind == "BITCODE":
        subprocess.run([f"{every.LLVM}/llvm-as", "-disable-verify", path, "-o", path], stderr=subprocess.DEVNULL)
    elif kind == "HIDDEN":
        Run(["hide", path, "--first", "1", "--table", path + ".table", "-o", path], os.path.dirname(path), limit=60)
    elif kind == "SNAPSHOTS":
        Run(["mlir", "ids", path, "--tag", "t", "--table", path + ".table", "-o", path], os.path.dirname(path), limit=60)
    elif kind == "VECTORS":
        Run(["fmt", path], os.path.dirname(path), limit=60)
    elif kind == "EXECUTABLE":
        with open(path, "r+b") as file:
            file.seek(16)
            file.write(struct.pack("<H", 2))


def flooded(kind, flood, folder, count, key):
    """The files of a flood, by their kinds."""
    path = os.path.join(folder, every.SOUND[kind][0] if kind in every.SOUND else "flood")
    made = flood(count, key)
    if isinstance(made, bytes):
        with open(path, "wb") as file:
            file.write(made)
    else:
        write(path, made)
    convert(kind, path)
    if kind == "ADAPTER":
        return {kind: f"read a; echo '{START}'; read a; cat {path}; read a"}
    if kind == "HIDDEN":
        return {kind: path + ".table", "PLAIN": path}
    return {kind: path + ".table" if kind == "SNAPSHOTS" else path}


def grows(times, base, few, many):
    """What is wrong with the cost of many."""
    more, less = many.seconds - base.seconds, few.seconds - base.seconds
    too_much = more > SHORT + 2 * base.seconds and more > MOST * times * less
    return f"{times} times as many cost {more:.3f} s instead of {less:.3f} s" if too_much else None


def is_suspect(base, few, many):
    """Whether a cost too small to be judged may grow as the square, so that it can be judged with more."""
    more, less = many.seconds - base.seconds, few.seconds - base.seconds
    return more > (SHORT + 2 * base.seconds) / TIMES_MORE**2 and more > 2 * TIMES * less


def read(folder, row, files):
    """A run that reads the files, and what is wrong with it whatever it cost."""
    given, stdin = every.arguments(row, files)
    with small_stack():
        run = Run(given, folder, stdin or os.devnull, limit=120)
    told = run.status == 1 and not run.stderr  # by an exit status, or by what was asked for
    return run, None if told else run.complaint(silent=False)


def check(folder, row, floods):
    """floods: the files of one, of few, of many, and of more, which are made when they are asked for."""
    runs = []
    for make in floods[:3]:
        run, problem = read(folder, row, make())
        if problem:
            return problem
        runs.append(run)
    problem = grows(TIMES, *runs)
    if problem or not is_suspect(*runs):
        return problem
    run, problem = read(folder, row, floods[3]())
    return problem or grows(TIMES_MORE, runs[0], runs[2], run)


def tried(folder, row, floods):
    """What is wrong each time."""
    for _ in range(TRIES):
        problem = check(folder, row, floods)
        if not problem:
            break
    return problem


def cases():
    """Each flood: its name, the rows that read it, and what makes its files."""
    for kind in FLOODS:
        rows = [row for row in every.ROWS if kind in every.kinds(row) and not row.startswith(LLVM)]
        yield from ((name, rows, functools.partial(flooded, kind, flood)) for name, flood in FLOODS[kind].items())
    yield from ((name, [row], made) for name, (row, made) in SEVERAL.items())


@contextlib.contextmanager
def files_of(folder, sound, number, made, counts):
    """For each count, what makes the files of a flood once, which go at the end."""
    folders = [os.path.join(folder, f"flood-{count}") for count in counts]

    @functools.cache
    def make(where, count):
        os.makedirs(where)
        return {**sound, **made(where, count, KEYS[number % len(KEYS)])}

    yield [functools.partial(make, where, count) for where, count in zip(folders, counts)]
    for where in folders:
        shutil.rmtree(where, ignore_errors=True)


def floods(folder, part, parts):
    """A part of the floods, each with every row that reads it."""
    sound = every.sound(folder)
    for number, (name, rows, made) in list(enumerate(cases()))[part::parts]:
        with files_of(folder, sound, number, made, (1, FEW, MANY, MANY * TIMES_MORE)) as files:
            for row in rows:
                yield f"a flood of {name}: {row}", tried(folder, row, files)


def size_of(row, files, run):
    """Bytes of input and output."""
    return sum(os.path.getsize(path) for path in [run.stdout, *(files[kind] for kind in every.kinds(row)), files["OUT"]] if os.path.exists(path))


def check_wide(folder, row, share, floods):
    """Cost that is more than that of reading the input and writing the output."""
    runs, sizes = [], []
    for make in floods:
        files = make()
        run, problem = read(folder, row, files)
        if problem:
            return problem
        runs.append(run)
        sizes.append(size_of(row, files, run))
    if sizes[2] < (WIDE_TIMES**2 / 2) * sizes[1]:
        return f"{sizes[2]} bytes of input and output: not the square of {sizes[1]}"
    allowed = ALWAYS + int(share * sizes[2])
    if runs[2].bytes > allowed:
        return f"{runs[2].bytes} bytes of memory for {sizes[2]} bytes of input and output: more than {allowed}"
    return grows(sizes[2] / sizes[1], *runs)


def wide(folder, index):
    """Output that is the square of the input: cost is that of both, and nobody keeps the output."""
    name, (row, made, share) = list(WIDE.items())[index]
    counts = (1, WIDE_FEW) if process.SANITIZED else (1, WIDE_FEW, WIDE_FEW * WIDE_TIMES)
    with files_of(folder, every.sound(folder), index, made, counts) as files:
        tries = 1 if process.SANITIZED else TRIES
        for _ in range(tries):
            problem = read(folder, row, files[1]())[1] if process.SANITIZED else check_wide(folder, row, share, files)
            if not problem:
                break
    yield f"a wide flood of {name}: {row}", problem


def sample(folder, thin):
    """Some small floods, each with one of its rows: they end, and say what they must. Nothing is measured."""
    sound = every.sound(folder)
    for number, (name, rows, made) in list(enumerate(cases()))[::thin]:
        row = rows[number % len(rows)]
        with files_of(folder, sound, number, made, (SAMPLE,)) as (make,):
            yield f"a small flood of {name}: {row}", read(folder, row, make())[1]
