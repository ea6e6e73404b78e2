#!/usr/bin/env python3
"""usage: tests/bitcode/old-readers.py [-v]        -v: print what each release makes of each layout

What releases that do not know the extension make of bitcode with layers (SPEC.md, 7.4, and 11.1). old-readers.ll is assembled by LLVM 14, so that
every release can read it, in each alternative of `bitcode.layout` and `bitcode.again`, and read by the llvm-dis, verifier and llc of LLVM
14, 15, 16, 19 and 22. The same of the form irlayers, old-readers-irlayers.ll: a list that two functions use, and one of a function's own, as dloc and
the patched LLVM write them. Ends with a line `N passed, N failed[, N skipped]`. Environment: DLOC, PATCHED_IRLAYERS (default
build/patched-irlayers/bin).
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import DLOC, ROOT, Results, first_line, llvm, run  # noqa: E402

RELEASES = (14, 15, 16, 19, 22)
SOURCE = os.path.join(ROOT, "tests", "bitcode", "old-readers.ll")
LISTS = os.path.join(ROOT, "tests", "bitcode", "old-readers-irlayers.ll")
PATCHED_IRLAYERS = os.environ.get("PATCHED_IRLAYERS", os.path.join(ROOT, "build", "patched-irlayers", "bin"))
VERBOSE = "-v" in sys.argv[1:]

# What an instruction's location is to be, by function and instruction.
PRIMARIES = {
    "one 0": "a.c:2:5", "one 1": "a.c:2:5", "one 2": "a.c:2:5", "one 4": "a.c:3:3",
    "two 0": "a.c:12:5", "two 1": "a.c:13:3",
    "more 0": "a.c:22:5 implicit", "more 1": "a.c:22:5 implicit",
}
# The second DEBUG_LOC of an instruction replaces its location, the third one that; what repeats has the layer's, too.
LAST_LAYER = PRIMARIES | {
    "one 0": "a.tile:100:10", "one 1": "a.tile:100:10", "two 0": "a.mlir:210:4", "more 0": "a.tile:120:10",
}
# Where DEBUG_LOC_AGAIN stands for the primary, an instruction without a layer gets that of the one before it.
LAST_LAYER_STAYS = LAST_LAYER | {"one 2": "a.tile:100:10", "more 1": "a.tile:120:10"}
# isImplicitCode is the fifth of five values, and in a longer record none.
NOT_IMPLICIT = PRIMARIES | {"more 0": "a.c:22:5"}
# So for what repeats it.
NOT_IMPLICIT_STAYS = NOT_IMPLICIT | {"more 1": "a.c:22:5"}


def expected(layout, again, release):
    if layout == "record":
        return LAST_LAYER if again == "whole" else LAST_LAYER_STAYS
    if layout == "operands" and release < 20:
        return NOT_IMPLICIT if again == "whole" else NOT_IMPLICIT_STAYS
    return PRIMARIES


class Problem(Exception):
    pass


def must(command):
    """Exit status 0, and not a word of warning."""
    status, output, errors = run(command)
    if status != 0 or errors:
        raise Problem(f"{os.path.basename(command[0])}: exit status {status}: {first_line(errors)}")
    return output


def assemble(source, release, layout, again, folder):
    bitcode = os.path.join(folder, "layers.bc")
    choices = [f"bitcode.layout={layout}", f"bitcode.again={again}"]
    must([DLOC, "assemble", source, "--llvm", os.path.dirname(llvm(release, "llvm-as")), "-o", bitcode]
         + [word for choice in choices for word in ("--choice", choice)])
    return bitcode


def text_of(bitcode, release, folder):
    text = os.path.join(folder, "text.ll")
    must([llvm(release, "llvm-dis"), bitcode, "-o", text])
    must([llvm(release, "opt"), "-passes=verify", "-disable-output", bitcode])
    return text


LINE = re.compile(r"(\w+ \d+) ([^;,]+); [^;]*?(implicit)? in ", re.MULTILINE)


def found_by(bitcode, release, folder):
    lines = must([DLOC, "print", "--scopes", text_of(bitcode, release, folder)]).decode()
    return {name: place + (" implicit" if implicit else "") for name, place, implicit in LINE.findall(lines)}


def check_locations(results, folder):
    for layout in ("record", "operands", "again"):
        for again in ("whole", "primary"):
            bitcode = assemble(SOURCE, 14, layout, again, folder)
            for release in RELEASES:
                problem = None
                try:
                    found = found_by(bitcode, release, folder)
                    if VERBOSE:
                        print(f"layout={layout} again={again}, LLVM {release}: {found}")
                    if found != expected(layout, again, release):
                        problem = f"{found} is to be {expected(layout, again, release)}"
                except Problem as what:
                    problem = str(what)
                results.check(f"layout={layout} again={again}, LLVM {release}", problem)


def changed(folder, changes, source=SOURCE):
    path = os.path.join(folder, "changed.ll")
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for before, after in changes:
        if before not in text:
            raise Problem(f"{source} has no {before!r}")
        text = text.replace(before, after)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_inlined(results, folder):
    """After inlining a layer's scope is that of another function. Taken for the location, it makes LLVM drop the debug info of the module."""
    source = changed(folder, [("!13 = !DILexicalBlockFile(scope: !10,", "!13 = !DILexicalBlockFile(scope: !30,")])
    for layout in ("record", "operands", "again"):
        bitcode = assemble(source, 14, layout, "whole", folder)
        for release in RELEASES:
            text = os.path.join(folder, "text.ll")
            status, _, errors = run([llvm(release, "llvm-dis"), bitcode, "-o", text])
            with open(text, encoding="utf-8") as file:
                dropped = "!dbg" not in file.read()
            dropped = dropped and "ignoring invalid debug info" in errors
            problem = f"exit status {status}: {first_line(errors)}" if status else None
            if not problem and dropped != (layout == "record"):
                problem = f"debug info dropped: {dropped}: {first_line(errors)}"
            results.check(f"layout={layout}, a layer of another function, LLVM {release}", problem)


def check_line_tables(results, folder):
    """The line that a debugger shows for @one's first two instructions."""
    for layout, wanted in (("record", "100 10"), ("operands", "2 5"), ("again", "2 5")):
        bitcode = assemble(SOURCE, 14, layout, "whole", folder)
        for release in RELEASES:
            problem = None
            try:
                lines = must([llvm(release, "llc"), "-mtriple=x86_64-linux", "-O0", bitcode, "-o", "-"]).decode().splitlines()
                before = lines[: next(number for number, line in enumerate(lines) if line.split() == ["nop"])]
                found = " ".join([line for line in before if line.startswith("\t.loc")][-1].split()[2:4])
                problem = None if found == wanted else f"{found} is to be {wanted}"
            except Problem as what:
                problem = str(what)
            results.check(f"layout={layout}, line table, LLVM {release}", problem)


def check_atoms(results, folder):
    """LLVM 22 takes atoms from a record of exactly seven values."""
    atom, keyed = "atomGroup: 3, atomRank: 1", "line: 21, type: !2, keyInstructions: true"
    source = changed(folder, [("isImplicitCode: true", f"isImplicitCode: true, {atom}"), ("line: 21, type: !2", keyed)])
    for layout, kept in (("operands", ["more 1"]), ("again", ["more 0", "more 1"])):
        bitcode = assemble(source, 22, layout, "whole", folder)
        lines = must([DLOC, "print", "--scopes", text_of(bitcode, 22, folder)]).decode().splitlines()
        found = [" ".join(line.split()[:2]) for line in lines if "atom" in line]
        results.check(f"layout={layout}, atoms, LLVM 22", None if found == kept else f"atoms of {found}, not {kept}")


# ---- The form irlayers

# One of the two locations with isImplicitCode has a list, or an operand for one.
LISTED = {"one 0": "a.c:2:5 implicit", "one 1": "a.c:2:5 implicit", "one 2": "a.c:3:5 implicit", "two 0": "a.c:12:5", "two 1": "a.c:13:3"}
BOTH = [("line: 12, column: 5, scope: !20", "line: 12, column: 5, scope: !20, irlayers: !30")]
NO_LIST = [(", irlayers: !30", "")]
CALL_SITE = [("line: 12, column: 5, scope: !20", "line: 12, column: 5, scope: !20, inlinedAt: !22")]


def without_implicit(expected, names):
    return {name: place.removesuffix(" implicit") if name in names else place for name, place in expected.items()}


def assemble_lists(source, abbreviation, folder):
    bitcode = os.path.join(folder, "lists.bc")
    choice = f"bitcode.irlayers.abbreviation={abbreviation}"
    must([DLOC, "assemble", source, "--profile", "pr215666", "--choice", choice, "--llvm", os.path.dirname(llvm(14, "llvm-as")), "-o", bitcode])
    return bitcode


def check_read(results, what, bitcode, release, expected, folder, options=()):
    problem = None
    try:
        text = os.path.join(folder, "text.ll")
        must([llvm(release, "llvm-dis"), *options, bitcode, "-o", text])
        lines = must([DLOC, "print", "--scopes", text]).decode()
        found = {name: place + (" implicit" if implicit else "") for name, place, implicit in LINE.findall(lines)}
        if VERBOSE:
            print(f"{what}, LLVM {release}: {found}")
        problem = None if found == expected else f"{found} is to be {expected}"
    except Problem as error:
        problem = str(error)
    results.check(f"{what}, LLVM {release}", problem)


def check_not_read(results, what, bitcode, release, message, folder):
    """message: what llvm-dis says; None: it ends in whatever bad way."""
    status, _, errors = run([llvm(release, "llvm-dis"), bitcode, "-o", os.path.join(folder, "text.ll")])
    if VERBOSE:
        print(f"{what}, LLVM {release}: exit status {status}: {first_line(errors)}")
    fine = status != 0 and (message is None or message in errors)
    results.check(f"{what}, LLVM {release}", None if fine else f"exit status {status}: {first_line(errors)}")


def check_lists(results, folder):
    """LOCATION has too many values for all releases; DEBUG_LOC, of which they skip what they do not know, has not. Records of layers and lists are
    skipped, too, but not counted, so that the numbers behind them are wrong."""
    implicit = ("one 0", "one 1", "one 2")
    wide = assemble_lists(changed(folder, NO_LIST, LISTS), "wide", folder)
    for release in RELEASES:
        check_read(results, "wide, no list", wide, release, without_implicit(LISTED, implicit if release < 20 else ()), folder)
    sites = assemble_lists(changed(folder, NO_LIST + CALL_SITE, LISTS), "wide", folder)
    for release in RELEASES:
        check_not_read(results, "wide, a call site", sites, release, "Invalid record", folder)
    module = assemble_lists(changed(folder, BOTH, LISTS), "two", folder)
    for release in RELEASES:
        check_not_read(results, "two, a list of the module", module, release, None, folder)


def check_own_lists(results, folder):
    """DEBUG_LOC has the list behind an atom; before LLVM 20 a reader takes isImplicitCode from a record of five values only."""
    bitcode = assemble_lists(LISTS, "two", folder)
    for release in RELEASES:
        check_read(results, "two, a list of one function", bitcode, release, without_implicit(LISTED, ("one 0", "one 1") if release < 20 else ()), folder)
    if not os.path.exists(os.path.join(PATCHED_IRLAYERS, "llvm-as")):
        results.skip("no patched LLVM of the form irlayers; 'make patched-llvm' builds it")
        return
    bitcode = os.path.join(folder, "own.bc")
    must([os.path.join(PATCHED_IRLAYERS, "llvm-as"), LISTS, "-o", bitcode])
    check_read(results, "the patched LLVM, a list of one function", bitcode, 22, LISTED, folder)  # no release reads what a later one wrote


def main():
    if not set(sys.argv[1:]) <= {"-v"}:
        sys.exit(__doc__)
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_locations, check_inlined, check_line_tables, check_atoms, check_lists, check_own_lists):
            check(results, folder)
    results.finish()


main()
