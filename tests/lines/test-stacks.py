#!/usr/bin/env python3
"""usage: tests/lines/test-stacks.py few|all [OBJECT...]

The frames at every address of real programs, by `dloc symbolize` and by llvm-symbolizer, addr2line and eu-addr2line; and the mail to dwarf-discuss that
asks which of three inlined copies an instruction is in, from source to answer. CAUSES lists where another tool shows something else, and why: a
difference that is not listed there fails, and so does one that is listed and does not occur."""

import collections
import dataclasses
import fnmatch
import itertools
import re
import sys
import typing

from frames import Frame, addr2line, ask, pairs
from objects import CLANG, Missing, built, commands, dloc, inputs

from common import Results, in_parallel, run  # in tests/real, which objects.py makes known

COMPILERS = {"gcc": "gcc", "clang14": CLANG % 14, "clang19": CLANG % 19, "clang22": CLANG % 22}
LINKED = "cxx-gcc-bfd cxx-gcc-gold cxx-gcc-lld cxx-gcc-mold cxx-clang22-lld cxx-clang22-bfd cxx-gc-lld cxx-gc-bfd shared-lld shared-bfd lto-gcc lto-clang22 fortran-O0 fortran-O2 go"


def objects(few):
    """(name, line of shell) of each program."""
    for short, compiler in COMPILERS.items():
        if not few or short in ("gcc", "clang22"):
            yield f"mail-{short}", f"{compiler} -O2 -g mail.c -o $out"
    if few:
        return
    for short, compiler in COMPILERS.items():
        for version in (2, 3, 4, 5):
            yield f"mail-{short}-v{version}", f"{compiler} -O2 -gdwarf-{version} mail.c -o $out"
        yield f"c-{short}-O2", f"{compiler} -O2 -g -Iinc -fPIC -shared c.c -o $out"
    yield "mail-tables", f"{CLANG % 22} -O2 -gline-tables-only mail.c -o $out"
    yield "mail-profiling", f"{CLANG % 22} -O2 -g -fdebug-info-for-profiling mail.c -o $out"
    yield "mail-aranges", f"{CLANG % 22} -O2 -g -gdwarf-aranges mail.c -o $out"
    yield "mail-types", "gcc -O2 -g -fdebug-types-section mail.c -o $out"
    yield "mail-compressed", "gcc -O2 -g -gz=zlib mail.c -o $out"
    yield "cxx-icf", f"{CLANG % 22}++ -O2 -g -ffunction-sections -fuse-ld=lld -Wl,--icf=all -DCXX_MAIN=main -DCXX_OTHER=other cxx.cc -o $out"
    yield "cxx-dwz", "g++ -O2 -g -DCXX_MAIN=main -DCXX_OTHER=other cxx.cc -o $tmp/out && dwz $tmp/out"
    known = dict(commands())
    yield from ((name, known[name]) for name in LINKED.split())


# ---- Who is asked ----


def by_dloc(path, addresses, name):
    frames = collections.defaultdict(list)
    for line in ask([dloc(), "symbolize", "--no-demangle", "--tsv", "--choice", f"stack.name={name}", path], addresses).splitlines():
        address, number, function, where, at, column, _ = line.split("\t")
        frames[int(address, 16)].append(Frame(function, where, int(at), int(column)))
    return frames


def llvm_symbolizer(version):
    def asked(path, addresses):
        blocks = ask([f"/usr/lib/llvm-{version}/bin/llvm-symbolizer", "-f=short", f"--obj={path}"], addresses).split("\n\n")
        return {address: pairs(block.splitlines()) for address, block in zip(addresses, blocks)}

    return asked


# name: (how it is asked, the name that it shows, whether it shows columns)
TOOLS = {f"llvm-symbolizer-{version}": (llvm_symbolizer(version), "name", True) for version in (14, 19, 22)}
TOOLS["addr2line"] = (addr2line("addr2line"), "linkage", False)
TOOLS["eu-addr2line"] = (addr2line("eu-addr2line"), "linkage", True)


def code(path):
    """The addresses of .text, at most 4096 of them, spread evenly."""
    sections = run(["readelf", "-SW", path])[1].decode()
    start, size = (int(word, 16) for word in re.search(r"\] \.text +PROGBITS +(\w+) \w+ (\w+)", sections).groups())
    return range(start, start + size, max(1, size // 4096))


def compared(path):
    """tool: the addresses at which it shows something else, with what both show."""
    addresses, ours = code(path), {}
    for name in ("name", "linkage"):
        ours[name] = by_dloc(path, addresses, name)
    for tool, (asked, name, columns) in TOOLS.items():
        theirs = asked(path, addresses)
        for address in addresses:
            mine, other = ours[name][address], theirs.get(address, [])
            yield tool, address, mine if columns else [frame._replace(column=0) for frame in mine], other


@dataclasses.dataclass(frozen=True)
class Cause:
    tools: str  # patterns
    objects: str
    says: str
    change: typing.Callable  # of (dloc's frames, the tool's): the frames that the tool shows

    def applies(self, tool, name):
        return all(any(fnmatch.fnmatch(one, pattern) for pattern in of.split()) for one, of in ((tool, self.tools), (name, self.objects)))


def symbol(mine, theirs):
    if len(theirs) != 1 or len(mine) > 1 or (mine and mine[0].line and mine[0].function):
        return mine
    known = (mine or [UNKNOWN])[0]
    return [known._replace(function=theirs[0].function, path=known.path or theirs[0].path)]


def behind_end(mine, theirs):
    return theirs if not mine and len(theirs) == 1 and theirs[0].line else mine


def nothing(mine, theirs):
    return theirs if len(theirs) <= 1 and not any(frame.line for frame in theirs) else mine


def some_frames(mine, theirs):
    """Those that are left without some inlined functions; each is where the next one was called, or where the row is."""
    for kept in itertools.combinations(range(len(mine)), len(theirs)):
        left = [mine[inner + 1]._replace(function=mine[at].function) for inner, at in zip((-1, *kept), kept)]
        if kept and kept[-1] == len(mine) - 1 and left[1:] == theirs[1:] and left[0][1:] == theirs[0][1:]:
            return left
    return mine


def innermost_symbol(mine, theirs):
    return [mine[0]._replace(function=theirs[0].function), *mine[1:]] if mine and theirs else mine


def file_zero(mine, theirs):
    zero = theirs and re.search(r"/(c\.c|<artificial>)$", theirs[0].path)
    return [mine[0]._replace(path=theirs[0].path), *mine[1:]] if mine and zero else mine


def no_frames(mine, theirs):
    return [mine[0]._replace(function=mine[-1].function)] if len(mine) > 1 and len(theirs) == 1 else mine


CAUSES = [
    Cause("eu-addr2line", "*clang* mail-tables mail-profiling cxx-icf go", "it needs .debug_aranges, which clang and Go do not write", nothing),
    Cause("eu-addr2line", "*", "a row at the address of its end_sequence covers what follows, as libdw sorts it behind that", behind_end),
    Cause("eu-addr2line", "lto-gcc", "libdw gives up where the abstract origin of an inlined function is in another unit", no_frames),
    Cause("addr2line eu-addr2line", "*", "where there is no DIE, the name is the symbol table's; addr2line has a file from there, too", symbol),
    Cause("addr2line", "c-clang* lto-gcc", "in version 5 a sequence starts with file 0, against DWARF 5, table 6.4", file_zero),
    Cause("addr2line", "c-clang* cxx-icf cxx-clang* lto-clang*", "DW_FORM_rnglistx is not read, so inlined functions in several pieces are missing", some_frames),
    Cause("addr2line", "cxx-* lto-* go fortran*", "the innermost function has the name of the symbol there, unless it has a linkage name", innermost_symbol),
]
UNKNOWN = Frame("", "", 0, 0)


def explained(tool, name, mine, theirs):
    """(whether the frames are the same but for what is listed, the causes that were needed)."""
    needed, theirs = [], [] if theirs == [UNKNOWN] else theirs
    mine = [] if mine == [UNKNOWN] else mine
    for cause in CAUSES:
        if mine != theirs and cause.applies(tool, name):
            changed = cause.change(mine, theirs)
            needed += [cause] if changed != mine else []
            mine = changed
    return mine == theirs, needed


# ---- The mail ----


def answer_to_the_mail(path):
    """What is wrong with what dloc says of bar's three copies of foo, or None."""
    with open(f"{inputs()}/mail.c") as file:
        lines = [line.strip() for line in file]
    calls = {number for number, line in enumerate(lines, 1) if line == "a += foo(a);"}
    found = collections.defaultdict(set)
    for frames in by_dloc(path, code(path), "name").values():
        if [frame.function for frame in frames] == ["foo", "bar"]:
            found[frames[1].line].add(lines[frames[0].line - 1])
    if set(found) != calls:
        return f"foo is inlined into bar at lines {sorted(found)}, not {sorted(calls)}"
    return next((f"line {line}: {body}" for line, body in found.items() if not body & {"cell = x;", "cell = x + 1;"}), None)


def main():
    few, names = sys.argv[1] == "few", sys.argv[2:]
    results, occurred = Results(), collections.Counter()
    wanted = [item for item in objects(few) if not names or item[0] in names]

    def one(item):
        try:
            path = built(*item)
        except Missing as missing:
            return item[0], str(missing), []
        return item[0], path, [(*found, explained(found[0], item[0], *found[2:])) for found in compared(path)]

    for name, path, findings in in_parallel(one, wanted):
        if not findings:
            results.skip(f"{name}: {path}"[:200])
            continue
        for tool in TOOLS:
            wrong = [found for found in findings if found[0] == tool and not found[4][0]]
            results.check(f"{name}, {tool}", wrong and f"{len(wrong)} addresses: 0x{wrong[0][1]:x}: {wrong[0][3]}; dloc {wrong[0][2]}" or None)
        occurred.update(cause for found in findings for cause in found[4][1])
        if name in {f"mail-{short}" for short in COMPILERS}:
            results.check(f"{name}: the mail", answer_to_the_mail(path))
    for cause in CAUSES:
        print(f"{occurred[cause]:6} times: {cause.tools}: {cause.says}")
        if not (few or names or occurred[cause] or results.skipped):
            results.check(cause.tools, f"listed, and does not occur: {cause.says}")
    results.finish()


main()
