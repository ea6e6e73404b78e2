"""Inputs of an extreme size or depth: each must be handled in linear time and memory, without recursion."""

import itertools
import os

from process import Run, small_stack

MILLION = 1_000_000
PART = 250_000  # enough for any recursion to run out of stack
LINE = 200_000_000

HEAD = """!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILocation(line: 3, scope: !4)
!7 = !DILocation(line: 4, scope: !5)
"""
FIRST = 10  # the first number that HEAD leaves free


def functions(*locations, callee="!7"):
    """@f with an instruction at each location, and at the first one a call of @g."""
    body = "".join(f"  %a{i} = add i32 1, 1, !dbg {location}\n" for i, location in enumerate(locations))
    return (
        f"define void @g() alwaysinline !dbg !5 {{\n  %a = add i32 1, 1, !dbg {callee}\n  ret void, !dbg !7\n}}\n"
        f"define void @f() !dbg !4 {{\n{body}  call void @g(), !dbg {locations[0]}\n  ret void, !dbg !6\n}}\n"
    )


def module(*locations, callee="!7"):
    return HEAD + functions(*locations, callee=callee)


def repeated(text, count):
    """A long text in pieces, to keep this process small."""
    piece = 1 + (1 << 16) // max(1, len(text))
    for _ in range(count // piece):
        yield text * piece
    yield text * (count % piece)


def numbered(form, first, count, backwards=False):
    """Lines made by form(number): a million of them, in pieces."""
    numbers = range(first, first + count)
    for start in range(0, count, 1000):
        piece = numbers[count - start - 1000 : count - start][::-1] if backwards else numbers[start : start + 1000]
        yield "".join(map(form, piece))


# ---- One long line: name, pieces, then what each command must return --------------------------------------------------------


def lines():
    size = LINE
    yield "a comment", ["; ", ("a", size), "\n"], {"verify": 0, "source": 0}
    yield "a word", [("a", size)], {"verify": 2}
    yield "blanks", [(" ", size)], {"verify": 0}
    yield "an unclosed string", ['!0 = !{!"', ("a", size)], {"verify": 2, "inline": 2}
    yield "a string", ['!0 = !{!"', ("a", size), '"}\n'], {"verify": 0, "print": 0}
    yield "operands", ["!0 = !{null", (", null", size // 40), "}\n"], {"verify": 0}
    yield "named operands", ["!0 = !{}\n!a = !{!0", (",!0", size // 40), "}\n"], {"verify": 0}
    yield "an instruction", ["define void @f() {\n %a = add i32 1, ", ("a", size // 4), "\n ret void\n}\n"], {"verify": 0, "print": 0}
    yield "a number", ["!", ("1", size // 4), " = !{}\n"], {"verify": 2}
    yield "backslashes", ['!0 = !{!"', ("\\", size // 4), '"}\n'], {"verify": 0}
    yield "quotes", [('"', size // 4)], {"verify": 2}
    yield "a name", ["define void @", ("a", size // 4), "() {\n ret void\n}\n"], {"verify": 0}
    yield "a function", ["define void @f() {", (" add i32 1, 1", MILLION), " ret void }"], {"verify": 0}
    yield "references", ["@g = global i32 0", (", !a !0", MILLION), "\n!0 = !{}\n"], {"verify": 0}


def yaml_lines():
    size = LINE
    yield "a comment", ["# ", ("a", size), "\n"], {"check": 1}
    yield "a word", ["id: ", ("a", size), "\n"], {"check": 1}
    yield "blanks", ["id:", (" ", size // 4), "a\n"], {"check": 1}
    yield "an unclosed string", ['id: "', ("a", size // 4)], {"check": 1, "lint": 1}
    yield "a key", [("a", size // 4), ": 1\n"], {"check": 1}
    yield "items", ["a: [a", (", a", size // 200), "]\n"], {"check": 1, "list": 1}
    yield "keys", ["a: {a0: 1", (", a: 1", size // 200), "}\n"], {"check": 1}
    yield "colons", [(":", size // 40)], {"check": 1}
    yield "quotes", ['a: "', ('""', size // 40), "\n"], {"check": 1}


def write(path, pieces):
    """Pieces: texts, (text, count), or iterators over texts."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        for piece in pieces:
            if isinstance(piece, str):
                file.write(piece)
            else:
                file.writelines(repeated(*piece) if isinstance(piece, tuple) else piece)
    return os.path.getsize(path)


def limits(size, command):
    """Seconds of processor time and bytes of memory for an input of that size, generous for slow machines. A YAML list of single
    letters is the worst that there is."""
    factor = 1 if command.split()[0] in ("verify", "print", "merge", "inline", "source") else 4
    return 2 + factor * size / 20e6, (96 << 20) + 14 * factor * size


def same_bytes(one, other):
    with open(one, "rb") as left, open(other, "rb") as right:
        while True:
            piece = left.read(1 << 20)
            if piece != right.read(1 << 20):
                return False
            if not piece:
                return True


def check_command(folder, path, size, command, expected):
    """command: a name, or a name and operands."""
    name, *operands = command.split()
    by_stdin = name == "fmt"
    run = Run([name, "-" if by_stdin else path, *operands], folder, path if by_stdin else os.devnull, limit=60)
    statuses = expected if isinstance(expected, tuple) else (expected,)
    problem = run.complaint(statuses, single=expected == 2 or name in ("merge", "inline")) or run.excess(*limits(size, command))
    if problem:
        return problem
    if name == "merge" and run.status == 0 and not run.output(100).startswith((b"!dbg !0\n!0 = ", b"none\n")):
        return f"no result: {run.output(100)!r}"
    if command == "print" and run.status == 0 and not same_bytes(path, run.stdout):
        again = os.path.join(folder, "printed.ll")
        os.rename(run.stdout, again)
        second = Run(["print", again], folder, limit=60)
        problem = second.complaint((0,)) or second.excess(*limits(size, command))
        if not problem and not same_bytes(again, second.stdout):
            problem = "what was printed prints differently"
        os.unlink(again)
    return problem


def long_line(folder, kind, index):
    path = os.path.join(folder, "input")
    name, pieces, commands = next(itertools.islice(lines() if kind == "module" else yaml_lines(), index, None))
    size = write(path, pieces)
    for command, expected in commands.items():
        yield f"a {kind} that is one line, {name}: {command}", check_command(folder, path, size, command, expected)


# ---- Deep ---------------------------------------------------------------------------------------------------------------------

GOOD = {"verify": 0, "print": 0, "print --locations": 0, "merge !10 !11": 0, "inline": 0, "source": 0}
SOME = {"verify": 0, "merge !10 !11": 0}
OTHERS = {"verify": 0, "inline": 0}
BAD = {"verify": 2, "print": 2, "inline": 2}


def nested(opening, middle, closing, prefix="", suffix="\n", count=MILLION):
    """Two inputs: one that is closed, one that is not."""
    return [prefix, (opening, count), middle, (closing, count), suffix], [prefix, (opening, count)]


def location(number, line, scope, inlined_at=None, distinct=True):
    tail = "" if inlined_at is None else f", inlinedAt: !{inlined_at}"
    return f"!{number} = {'distinct ' if distinct else ''}!DILocation(line: {line}, column: 1, scope: !{scope}{tail})\n"


def tips(last, **keywords):
    """Two locations inlined at the end of a chain: !10 and !11 are to be merged."""
    return module("!10", "!11", **keywords) + location(10, 20, 5, last, False) + location(11, 21, 5, last, False)


def scoped(one, other):
    """Locations !10 and !11 in these scopes."""
    return module("!10", "!11") + location(10, 20, one, None, False) + location(11, 21, other, None, False)


def annotated(last):
    """A node that the functions' subprograms refer to, and so every location."""
    return scoped(4, 4).replace("line: 1, type: !3, spFlags", f"line: 1, type: !3, annotations: !{last}, spFlags")


def deep():
    """name, pieces, what each command must return."""
    last, part = FIRST + 2 + MILLION - 1, FIRST + 2 + PART - 1
    brackets = {
        "tuples": ("!{", "", "}", "!0 = "),
        "tuples of two": ("!{null, ", "null", "}", "!0 = "),
        "tuples in an instruction": ("!{", "", "}", "define void @f() {\n ret void, !a "),
        "nodes": ("!DIDerivedType(tag: DW_TAG_typedef, baseType: ", "null", ")", "!0 = "),
        "locations": ("!DILocation(line: 1, scope: ", "!4", ")", HEAD + "!10 = "),
        "expressions": ("!DIExpression(", "", ")", "!0 = "),
        "parentheses": ("(", "", ")", "define void @f() {\n %a = add i32 1, "),
        "braces": ("{ ", "i32", " }", "define void @f() {\n %a = alloca "),
        "types": ("{ ", "i32", " }", "%t = type "),
        "arrays": ("[1 x ", "i8", "]", "@g = global "),
        "vectors": ("<", "", ">", "define void @f() {\n %a = add "),
        "constants": ("!{i32 ptrtoint (ptr ", "null", " to i32)}", "!0 = "),
    }
    for name, (opening, middle, closing, prefix) in brackets.items():
        suffix = "\n ret void\n}\n" if prefix.startswith("define") and "ret void," not in prefix else "\n"
        suffix = "\n}\n" if "ret void," in prefix else suffix
        closed, unclosed = nested(opening, middle, closing, prefix, suffix)
        # LLVM reads these recursively and dies; only that we accept or refuse is asked for.
        free = name in ("locations", "vectors", "constants")
        once = {"print": 0} if name in ("tuples", "nodes", "expressions", "parentheses") else {"verify": (0, 1, 2) if free else 0}
        yield f"{name}, closed", closed, once
        yield f"{name}, not closed", unclosed, BAD if name in ("tuples", "parentheses") else {"verify": 2}
    chain = lambda n: location(n, 2 + n % 7, 4, n - 1 if n > FIRST + 2 else None)
    yield "inlinedAt chain", [tips(last), numbered(chain, FIRST + 2, MILLION)], GOOD
    yield "inlinedAt chain, backwards", [tips(part), numbered(chain, FIRST + 2, PART, True)], SOME
    # Two chains of half the length that have nothing in common but the subprograms, so that every frame is compared.
    second = lambda n: location(n, 2 + n % 5, 4, n - 2 if n > FIRST + 3 else None)
    yield "two inlinedAt chains", [
        module("!10", "!11") + location(10, 20, 5, part - 1, False) + location(11, 21, 5, part, False),
        numbered(second, FIRST + 2, PART),
    ], {"merge !10 !11": 0}
    uniqued = lambda n: location(n, 2, 4, n - 1 if n > FIRST + 2 else None, False)
    yield "inlinedAt chain of uniqued nodes, backwards", [tips(part), numbered(uniqued, FIRST + 2, PART, True)], OTHERS
    callee = lambda n: location(n, 2, 5, n - 1 if n > FIRST + 2 else None)
    yield "inlinedAt chain in a callee", [
        module("!10", "!11", callee=f"!{part}") + location(10, 20, 4, None, False) + location(11, 21, 4, None, False),
        numbered(callee, FIRST + 2, PART),
    ], OTHERS
    block = lambda n: f"!{n} = distinct !DILexicalBlock(scope: !{n - 1 if n > FIRST + 2 else 4}, file: !1, line: {n % 9})\n"
    yield "nested blocks", [scoped(last, last - 1), numbered(block, FIRST + 2, MILLION)], SOME
    yield "nested blocks, backwards", [scoped(part, part - 1), numbered(block, FIRST + 2, PART, True)], OTHERS
    type_ = lambda n: f"!{n} = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !{n - 1 if n > FIRST + 2 else 3}, size: 64)\n"
    pair = lambda n: f"!{n} = !{{!{n - 1 if n > FIRST + 2 else 3}, null}}\n"
    yield "tuples linked by name", [annotated(last), numbered(pair, FIRST + 2, MILLION)], SOME
    yield "tuples linked by name, backwards", [annotated(part), numbered(pair, FIRST + 2, PART, True)], OTHERS
    yield "types linked by name", [annotated(part), numbered(type_, FIRST + 2, PART, True)], OTHERS


def cycle(form, length):
    """length nodes from FIRST + 2 on, each of which refers to the one before, and the first to the last."""
    first = FIRST + 2
    return numbered(lambda n: form(n, n - 1 if n > first else first + length - 1), first, length)


def cycles():
    inlined = lambda n, before: location(n, 2, 4, before)
    uniqued = lambda n, before: location(n, 2, 4, before, False)
    block = lambda n, before: f"!{n} = distinct !DILexicalBlock(scope: !{before}, file: !1, line: 2)\n"
    pair = lambda n, before: f"!{n} = !{{!{before}, null}}\n"
    violation = {"verify": 1, "print": 0, "print --locations": (0, 1), "merge !10 !11": 1, "inline": 1, "source": 0}
    scopes = {**violation, "inline": 0}  # inlining does not look at scopes
    for length in (1, 2, PART // 2):
        last = FIRST + 2 + length - 1
        yield f"cycle of {length} inlinedAt", [tips(last), cycle(inlined, length)], violation
        yield f"cycle of {length} inlinedAt of uniqued nodes", [tips(last), cycle(uniqued, length)], violation
        yield f"cycle of {length} scopes", [scoped(last, last), cycle(block, length)], scopes
        yield f"cycle of {length} tuples", [annotated(last), cycle(pair, length)], GOOD
    # Many roads into one cycle: each is walked once.
    tail = lambda n: location(n, n, 5, FIRST + 2 if n % 2 else n - 1, False)
    into = tips(FIRST + 3) + "".join(inlined(n, 25 - n) for n in (FIRST + 2, FIRST + 3))
    yield "locations that lead into a cycle", [into, numbered(tail, FIRST + 4, PART)], violation


def layered(count):
    """Instructions with a layer each, whose file is embedded: four nodes each."""
    def nodes(n):
        return (
            f'!{4 * n} = !DIFile(filename: "f{n}", directory: "d")\n!{4 * n + 1} = !{{!"k", !{4 * n}, !"t"}}\n'
            f"!{4 * n + 2} = !DILexicalBlockFile(scope: !4, file: !{4 * n}, discriminator: 0)\n"
            f'!{4 * n + 3} = !{{!6, !{{!"k", !DILocation(line: 1, scope: !{4 * n + 2})}}}}\n'
        )
    yield HEAD
    yield "!llvm.intermediate_level_source = !{!13"
    yield numbered(lambda n: f", !{4 * n + 1}", 4, count - 1)
    yield "}\ndefine void @f() !dbg !4 {\n"
    yield numbered(lambda n: f"  %a{n} = add i32 1, 1, !dbg !{4 * n + 3}\n", 3, count)
    yield "  ret void, !dbg !6\n}\n"
    yield numbered(nodes, 3, count)


def many():
    """Much of something, where each must not cost a walk over all."""
    count = 100_000
    wrong = lambda n: f"!{n} = distinct !{{}}\n"
    use = lambda n: f"  %a{n} = add i32 1, 1, !dbg !{n}\n"
    body = [HEAD, "define void @f() !dbg !4 {\n", numbered(use, FIRST, count), "  ret void, !dbg !6\n}\n"]
    yield "many violations", [*body, numbered(wrong, FIRST, count)], {"verify": 1}
    inlined = lambda n: location(n, 2, 4, n - 1 if n > FIRST else None)
    yield "each location of an inlinedAt chain", [
        HEAD, "define void @f() !dbg !4 {\n", numbered(use, FIRST, count), "  ret void, !dbg !6\n}\n", numbered(inlined, FIRST, count),
    ], {"hide --table /dev/null": 0}
    yield "many uses of one wrong node", [
        HEAD, "define void @f() !dbg !4 {\n", ("  %a = add i32 1, 1, !dbg !{}\n", count), "  ret void, !dbg !6\n}\n",
    ], {"verify": 1}
    block = lambda n: f"!{n} = distinct !DILexicalBlock(scope: !4, file: !1, column: 1)\n"
    yield "many wrong attachments of one instruction", [
        HEAD, "define void @f() !dbg !4 {\n  %a = add i32 1, 1", numbered(lambda n: f", !a{n} !{n}", FIRST, count // 5), "\n  ret void, !dbg !6\n}\n",
        numbered(block, FIRST, count // 5),
    ], {"verify": 1}
    yield "a wrong list in many parts", [
        HEAD, numbered(lambda n: f"!llvm.dbg.cu = !{{!{n}}}\n", FIRST, count // 5), numbered(wrong, FIRST, count // 5),
    ], {"verify": 1}
    yield "many fields", ["!0 = !DIExpression(0", (", 1", MILLION), ")\n"], {"verify": (0, 1), "print": (0, 1)}
    repeated_field = numbered(lambda n: f", line: {n}", 1, MILLION // 5)
    yield "a field repeated", ["!0 = !DILocation(scope: !1", repeated_field, ")\n"], {"verify": 1}
    unknown = numbered(lambda n: f", a{n}: {n}", 1, MILLION // 10)
    yield "many unknown fields", ["!0 = !DIBasicType(name: \"a\"", unknown, ")\n"], {"verify": (0, 1), "print": (0, 1)}
    layer = numbered(lambda n: f', !{{!"k{n}", !6}}', 1, count)
    yield "many layers", [module("!10", "!11"), "!11 = !{!6, !{!\"k1\", !6}}\n!10 = !{!6", layer, "}\n"], {
        "verify": (0, 1), "print": 0, "print --locations": 0, "merge !10 !11": 0, "merge !10 !10": 0, "inline": 0,
    }
    entries = numbered(lambda n: f'!{n} = !{{!"k{n}", !1, !"text {n}"}}\n', FIRST, count)
    names = ["!llvm.intermediate_level_source = !{!10", numbered(lambda n: f", !{n}", FIRST + 1, count - 1), "}\n"]
    yield "many sources", [HEAD, *names, entries], {"verify": (0, 1), "source": 0}
    yield "many sources, many layers", layered(count // 4), {"verify": 0, "source": 0}
    yield "many kinds of metadata and sources", [
        HEAD, numbered(lambda n: f"!n{n} = !{{!0}}\n", 0, count // 2),
        "!llvm.intermediate_level_source = !{!10", numbered(lambda n: f", !{n}", FIRST + 1, count // 2 - 1), "}\n",
        numbered(lambda n: f'!{n} = !{{!"k{n}", !1, !"text {n}"}}\n', FIRST, count // 2),
    ], {"verify": (0, 1), "source": 0}
    yield "many functions of one name", [("define void @f() {\n ret void\n}\n", count)], {"verify": 1}
    yield "many functions", [numbered(lambda n: f"declare void @f{n}()\n", 0, MILLION // 5)], {"verify": 0}
    yield "many calls of nobody", [
        "define void @f() {\n", numbered(lambda n: f" call void @n{n}()\n", 0, MILLION // 5), " ret void\n}\n",
    ], {"verify": (0, 1)}
    yield "many groups", [numbered(lambda n: f"attributes #{n} = {{ cold }}\n", 0, MILLION // 5)], {"verify": 0}
    yield "far numbers", [numbered(lambda n: f"!{n * 16000} = !{{!{n * 16000}}}\n", 0, MILLION // 4)], {"verify": 0, "print": 0}


def yaml_deep():
    for name, opening, closing in (
        ("lists", "[", "]"),
        ("maps", "{a: ", "}"),
        ("maps as keys", "{", "}"),
        ("block lists", "- ", ""),
        ("block maps as keys", "? ", ""),
        ("lists of two", "[a, ", "]"),
    ):
        closed, unclosed = nested(opening, "a", closing)
        yield f"{name}, closed", closed, {"check": 1, "lint": 1}
        yield f"{name}, not closed", unclosed, {"check": 1, "fmt": 1, "list": 1}
    yield "indented maps", [numbered(lambda n: " " * n + "a:\n", 0, 4000)], {"check": 1}
    yield "indented lists", [numbered(lambda n: " " * n + "-\n", 0, 4000)], {"check": 1}


def yaml_many():
    head = "---\nclauses: [merge.line]\nlevel: must\nsince: rfc\nneeds: [merge]\n"
    tail = "op: merge\nargs: [null, null]\nexpect: {outcome: ok, value: {result: null}}\n"
    good = lambda n: f"{head}id: a.b{n}\nnodes:\n  file: {{node: DIFile, filename: a, directory: b}}\n{tail}"
    count = 10_000
    yield "many vectors", [numbered(good, 0, count)], {"check": 0, "list": 0, "fmt": 0, "run --impl model": 0}
    yield "many documents that are no vectors", [("---\nid: 1\n", 5 * count)], {"check": 1, "lint": 1, "list": 1}
    yield "many empty documents", [("---\n", MILLION)], {"check": (0, 1), "list": (0, 1)}
    yield "many vectors of one id", [(good(0), count)], {"lint": 1, "check": (0, 1), "list": (0, 1)}
    wrong = lambda n: good(n).replace("args: [null, null]", "args: [nobody]")
    yield "many vectors with an error", [numbered(wrong, 0, count)], {"check": 1, "lint": 1}
    false = lambda n: good(n).replace("result: null", "result: file")
    yield "many vectors that differ", [numbered(false, 0, count)], {"check": 1, "run --impl model": 1}
    nodes = numbered(lambda n: f"  n{n}: {{node: tuple, operands: [n{n // 2}]}}\n", 0, MILLION // 10)
    yield "many nodes", [f"{head}id: a.b\nnodes:\n", nodes, tail], {"check": 0, "fmt": 0}
    chain = numbered(lambda n: f"  n{n}: {{node: tuple, operands: [n{n + 1}]}}\n", 0, MILLION // 10)
    yield "nodes linked in a chain", [f"{head}id: a.b\nnodes:\n", chain, f"  n{MILLION // 10}: {{node: tuple, operands: []}}\n", tail], {
        "check": 0, "fmt": 0, "run --impl model": 0,
    }


SETS = {"deep": deep, "cycles": cycles, "many": many, "yaml deep": yaml_deep, "yaml many": yaml_many}


def extreme(folder, kind, index):
    path = os.path.join(folder, "input")
    name, pieces, commands = next(itertools.islice(SETS[kind](), index, None))
    size = write(path, pieces)
    for command, expected in commands.items():
        with small_stack():
            complaint = check_command(folder, path, size, command, expected)
        yield f"{kind}: {name}: {command}", complaint


def count(generator):
    return sum(1 for _ in generator())
