#!/usr/bin/env python3
"""usage: tests/real/llvm-tests.py [PREFIX|1/N]      only files whose name starts with PREFIX, or every N-th one

Every .ll file with debug info among LLVM 19's own test inputs:
  print   `dloc print` writes what llvm-as accepts and in which llvm-dis shows the same module, and so the same locations;
  verify  `dloc verify --profile llvm-19` accepts it exactly where llvm-as does, as far as debug locations are concerned.
The inputs come from Debian's source package llvm-toolchain-19; these, and LLVM's view of them, are kept in build/cache.
"""

import json
import os
import re
import sys
import tempfile

from common import CACHE, DLOC, HANG, Results, difference, first_line, in_parallel, llvm, run, sha256
from inputs import INPUTS, files_with_debug_info, unpack

REFERENCE = os.path.join(CACHE, "llvm-test-19.json")
LIMIT = 30

# What llvm-as says when it objects to a debug location or to what a location hangs on: scopes, subprograms, units.
ABOUT_LOCATIONS = re.compile(
    r"""^(invalid\ !dbg\ metadata\ attachment
    |DILocation's\ scope\ must\ be\ a\ DILocalScope
    |location\ requires\ a\ valid\ scope
    |scope\ points\ into\ the\ type\ hierarchy
    |inlined-at\ should\ be\ a\ location
    |!dbg\ attachment\ points\ at\ wrong\ subprogram\ for\ function
    |DILocation\ not\ allowed\ within\ this\ metadata\ node
    |invalid\ local\ scope
    |cannot\ have\ column\ info\ without\ line\ info
    |inlinable\ function\ call\ in\ a\ function\ with\ debug\ info\ must\ have\ a\ !dbg\ location
    |DISubprogram\ attached\ to\ more\ than\ one\ function
    |function\ !dbg\ attachment\ must\ be\ a\ subprogram
    |function\ must\ have\ a\ single\ !dbg\ attachment
    |function\ definition\ may\ only\ have\ a\ distinct\ !dbg\ attachment
    |function\ declaration\ may\ only\ have\ a\ unique\ !dbg\ attachment
    |subprogram\ definitions\ must\ have\ a\ compile\ unit
    |DICompileUnit\ not\ listed\ in\ llvm\.dbg\.cu
    |invalid\ \#dbg\ record\ DILocation
    |mismatched\ subprogram\ between\ .*
    |llvm\.dbg\.\w+\ intrinsic\ requires\ a\ !dbg\ attachment
    |warning:\ ignoring\ debug\ info\ with\ an\ invalid\ version.*)$""",
    re.X | re.M,
)
# A parse error's text and the line it is in, where that is a location, a local scope or a subprogram (its flags apart).
PARSE_ERROR_OF_LOCATION = re.compile(
    r": error: (?!invalid debug info flag)(.*)\n.*!(DILocation|DILexicalBlock|DILexicalBlockFile|DISubprogram)\("
)


def assemble_all(names, folder, batch=50):
    """{name: (status, errors, text)}: what llvm-as says of each file in folder, and what llvm-dis then shows.

    llvm-dis takes many files at a time, and then the names of equal types may depend on the company."""
    with tempfile.TemporaryDirectory(dir=CACHE) as bitcode:

        def stem(name):  # the same in every run: it shows in the text of some modules
            return os.path.join(bitcode, sha256(name.encode())[:20])

        def assemble(name):
            status, _, errors = run([llvm(19, "llvm-as"), "-o", stem(name) + ".bc", name], folder, LIMIT)
            return name, status, errors

        def disassemble(names):
            files = [os.path.basename(stem(name)) + ".bc" for name in names]
            run([llvm(19, "llvm-dis"), *files], bitcode, LIMIT + len(files))

        outcomes = in_parallel(assemble, names)
        good = [name for name, status, _ in outcomes if status == 0]
        in_parallel(disassemble, [good[i : i + batch] for i in range(0, len(good), batch)])
        result = {}
        for name, status, errors in outcomes:
            text = None
            if status == 0:
                with open(stem(name) + ".ll", "rb") as file:
                    text = file.read().partition(b"\n")[2]  # the first line names the file
            result[name] = status, errors, text
        return result


def reference(names):
    """{name: [status, errors, digest of text]} of the original files, from the cache if it was made from the same list."""
    try:
        with open(REFERENCE) as file:
            known = json.load(file)
        if all(name in known for name in names):
            return known
    except (OSError, ValueError):
        pass
    print("asking llvm-as 19 about its own test inputs", file=sys.stderr)
    found = assemble_all(names, INPUTS)
    known = {name: [status, errors, text and sha256(text)] for name, (status, errors, text) in found.items()}
    with open(REFERENCE + ".part", "w") as file:
        json.dump(known, file)
    os.rename(REFERENCE + ".part", REFERENCE)
    return known


def crashed(status):
    return status == HANG and f"runs for more than {LIMIT} s" or status not in (0, 1, 2) and f"exit status {status}"


def check_print(names, known, results, folder):
    def print_again(name):
        output = os.path.join(folder, name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        return name, *run([DLOC, "print", name, "-o", output], INPUTS, LIMIT)

    printed = []
    for name, status, _, errors in in_parallel(print_again, names):
        if crashed(status):
            results.check(f"print {name}", crashed(status))
        elif known[name][0] != 0:
            results.skip("print: not a module for llvm-as either")
        elif status != 0:
            results.check(f"print {name}", f"exit status {status}: {first_line(errors)}")
        else:
            printed.append(name)
    suspects = []
    for name, (status, errors, text) in assemble_all(printed, folder).items():
        if status != 0:
            results.check(f"print {name}", f"llvm-as does not accept what was printed: {first_line(errors)}")
        elif sha256(text) == known[name][2]:
            results.check(f"print {name}", None)
        else:
            suspects.append(name)
    before, after = assemble_all(suspects, INPUTS, 1), assemble_all(suspects, folder, 1)
    for name in suspects:
        results.check(f"print {name}", difference(before[name][2], after[name][2]))


def check_verify(names, known, results):
    def verify(name):
        return name, *run([DLOC, "verify", "--profile", "llvm-19", name], INPUTS, LIMIT)

    for name, status, _, errors in in_parallel(verify, names):
        expected, messages, _ = known[name]
        about = ABOUT_LOCATIONS.search(messages) or PARSE_ERROR_OF_LOCATION.search(messages)
        problem = crashed(status)
        if problem:
            pass
        elif expected == 0 and "warning: ignoring" not in messages:
            problem = status != 0 and f"llvm-as accepts, dloc does not: {first_line(errors)}"
        elif about:
            problem = status == 0 and f"dloc accepts, llvm-as does not: {about[1]}"
        elif ": error: " in messages:
            results.skip("verify: llvm-as objects to the text of something else than a location or scope")
            continue
        else:
            results.skip("verify: llvm-as objects to a type, an expression or a variable only")
            continue
        results.check(f"verify {name}", problem)


def main():
    os.makedirs(CACHE, exist_ok=True)
    unpack()
    names, which = files_with_debug_info(), "".join(sys.argv[1:2])
    every = re.fullmatch(r"1/([1-9]\d*)", which)
    names = names[:: int(every[1])] if every else [name for name in names if name.startswith(which)]
    known = reference(names)
    results = Results()
    if not names:
        results.check("inputs", "no file with debug info found")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        check_print(names, known, results, folder)
    check_verify(names, known, results)
    results.finish()


main()
