#!/usr/bin/env python3
"""usage: tests/lines/test-two-level.py few|all [OBJECT...]

Two-level line tables that `dloc two-level` makes of real programs. At each address the inline stack that the table gives is that of the DIEs, but where
CAUSES says why not; libdwarf's dwarfdump reads the table, when objcopy has put it into the program, as dloc does. Last comes a table of sizes: bytes of the
two-level table beside those of .debug_line and .debug_info."""

import collections
import os
import re
import subprocess
import sys
import tempfile

from objects import CLANG, Missing, built, commands, dloc, large

from common import Results, in_parallel  # in tests/real, which objects.py makes known

COMPILERS = {"gcc": "gcc", "clang14": CLANG % 14, "clang19": CLANG % 19, "clang22": CLANG % 22}
LINKED = "cxx-gcc-bfd cxx-clang22-lld cxx-gc-lld lto-gcc lto-clang22 shared-lld fortran-O2"
CAUSES = ("no row: the DIEs have a function, and the line table no row", "path: the DIEs have the directory of the compilation, which a table of version 2 to 4 does not")


def objects(few):
    """(name, line of shell) of each program."""
    for short, compiler in COMPILERS.items():
        yield f"mail-{short}", f"{compiler} -O2 -g mail.c -o $out"
        if few:
            continue
        yield f"mail-{short}-v4", f"{compiler} -O2 -gdwarf-4 mail.c -o $out"
        yield f"c-{short}-O2", f"{compiler} -O2 -g -Iinc -fPIC -shared c.c -o $out"
    if not few:
        known = dict(commands())
        yield from ((name, known[name]) for name in LINKED.split())
        yield from large()


def call(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=120).stdout


def code(path):
    """Addresses of .text, at most 4096 of them, spread evenly."""
    section = re.search(r" \.text +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", call("readelf", "-SW", path))
    start, size = (int(number, 16) for number in section.groups())
    return range(start, start + size, max(1, size // 4096))


def stacks(path, source, addresses):
    frames = collections.defaultdict(list)
    text = "".join(f"{address:x}\n" for address in addresses)
    for line in call(dloc(), "symbolize", "--no-demangle", "--tsv", "--from", source, path, text=text).splitlines():
        address, _, *frame = line.split("\t")
        frames[int(address, 16)].append(frame)
    return frames


def cause_of(dies, made):
    """Why the two differ, by its number in CAUSES; None: nothing says why."""
    if made == [["", "", "0", "0", "0"]] and dies[0][2] == "0":
        return 0
    same = len(dies) == len(made) and all(a[0] == b[0] and a[2:] == b[2:] and a[1].endswith("/" + b[1]) for a, b in zip(dies, made))
    return 1 if same else None


def in_words(path):
    """The logicals and actuals of one unit: (address, line, column, context, subprogram), (address, logical)."""
    logicals, actuals, rows = [], [], []
    for line in call(dloc(), "lines", "--two-level", "prototype", path).splitlines():
        if line in ("logicals", "actuals"):
            rows = logicals if line == "logicals" else actuals
            continue
        field = line.strip().split("\t")
        if not re.fullmatch("[0-9a-f]{16}", field[1 if rows is logicals else 0] if len(field) > 1 else ""):
            continue
        if rows is logicals:
            rows.append((int(field[1], 16), int(field[3]), int(field[4]), int(field[7]), field[8].partition(" ")[2]))
        else:
            rows.append((int(field[0], 16), int(field[2])))
    return logicals, actuals


def by_libdwarf(path):
    """The same, as dwarfdump prints it."""
    logicals, actuals, rows = [], [], []
    for line in call("dwarfdump", "-l", path).splitlines():
        if "Logicals Table" in line or "Actuals Table" in line:
            rows = logicals if "Logicals" in line else actuals
        if found := re.match(r"\[ *\d+\]  0x([0-9a-f]+) +\[ *(\d+), *(\d+)\](.*)", line):
            context, name = re.search(r"CC=(\d+)", found[4]), re.search(r'SB="([^"]*)"', found[4])
            rows.append((int(found[1], 16), int(found[2]), int(found[3]), int(context[1]) if context else 0, name[1] if name else ""))
        elif found := re.match(r"\[ *\d+\]  0x([0-9a-f]+) +\[ *(\d+)\]", line):
            rows.append((int(found[1], 16), int(found[2])))
    return logicals, actuals


def put_into(path, folder):
    """The program with the table that is made of it in the place of its own."""
    table, program = os.path.join(folder, "line"), os.path.join(folder, "program")
    sizes = dict(line.split("\t") for line in call(dloc(), "two-level", "-o", table, path).splitlines())
    call("objcopy", "--update-section", f".debug_line={table}", path, program)
    return program, {name: int(size) for name, size in sizes.items()}


def tried(item):
    """What one program shows: (name, path or what is missing, differences, causes, problem of dwarfdump, sizes)."""
    try:
        path = built(*item)
    except Missing as missing:
        return item[0], str(missing), None, None, None, None
    addresses = code(path)
    dies, made = stacks(path, "dies", addresses), stacks(path, "made", addresses)
    different = [(address, cause_of(dies[address], made[address])) for address in addresses if dies[address] != made[address]]
    wrong = [f"0x{address:x}: DIEs {dies[address]}, made {made[address]}" for address, cause in different if cause is None]
    causes = collections.Counter(CAUSES[cause] for _, cause in different if cause is not None)
    causes["equal"] = len(addresses) - len(different)
    with tempfile.TemporaryDirectory() as folder:
        program, sizes = put_into(path, folder)
        problem = None
        if item[0].startswith("mail-") and "logicals" in sizes:  # one unit: the offset of its table is 0 before and after
            ours, theirs = in_words(program), by_libdwarf(program)
            problem = None if ours == theirs and ours[0] and ours[1] else f"dloc {ours}, dwarfdump {theirs}"[:600]
    return item[0], path, wrong, causes, problem, sizes


def main():
    few, names = sys.argv[1] == "few", sys.argv[2:]
    results, causes, table = Results(), collections.Counter(), []
    for name, path, wrong, found, problem, sizes in in_parallel(tried, [item for item in objects(few) if not names or item[0] in names]):
        if wrong is None:
            results.skip(f"{name}: {path}"[:200])
            continue
        results.check(f"{name}: stacks", wrong and f"{len(wrong)} addresses: {wrong[0]}"[:600] or None)
        results.check(f"{name}: any stack is compared", None if found["equal"] else "none is equal")
        results.check(f"{name}: a table was made", None if sizes.get("logicals") else "there is none")
        if name.startswith("mail-"):
            results.check(f"{name}: dwarfdump", problem)
        causes.update(found)
        table.append((name, sizes))
    for cause, count in causes.items():
        print(f"{count:8} addresses: {cause}")
    print(f"{'program':18} {'rows':>8} {'logicals':>8} {'actuals':>8} {'two-level':>10} {'.debug_line':>11} {'.debug_info':>11}")
    for name, sizes in table:
        print(f"{name:18}" + "".join(f" {sizes.get(key, 0):>{width}}" for key, width in (("rows", 8), ("logicals", 8), ("actuals", 8), ("two-level", 10), (".debug_line", 11), (".debug_info", 11))))
    results.finish()


main()
