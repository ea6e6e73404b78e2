#!/usr/bin/env python3
"""usage: tests/bitcode/assemble.py [GROUP...]        groups: few lists small programs llvm-tests (default: few lists)

Bitcode that `dloc assemble` makes, with the assemblers of LLVM 14, 15, 16, 19 and 22, in every layout, read back:
- our reader finds in every instruction what is in the text (of modules with debug intrinsics, in the text that the patched LLVM makes of it)
- the patched llvm-dis finds the same, in the RFC's layout; every instruction, attachment and node is what it was
- the records are those that the patched llvm-as writes, whatever numbers metadata has
- an index of metadata names the records that it should
A module with a DILayerLoc is of the form irlayers: its layouts are the alternatives of `bitcode.irlayers.abbreviation`, and the patched LLVM is
that of this form.
  few         modules with layers of tests/lit and conformance/llvm/test, by LLVM 14, 19 and 22
  lists       every module with a DILayerLoc, by LLVM 22: numbers, records and abbreviations are those of `dloc encode`, and what
              stock llvm-dis 19 and 22 make of it is what they make of the patched LLVM's bitcode
  small       these and those of the vectors, by every release
  programs    SQLite and Lua with two layers in each instruction
  llvm-tests  LLVM's own test inputs that have debug info, with a layer
Ends with a line `N passed, N failed[, N skipped]`. Environment: DLOC, PATCHED_LLVM (default build/patched-llvm/bin), PATCHED_IRLAYERS (default
build/patched-irlayers/bin).
"""

import collections
import glob
import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import CACHE, DLOC, ROOT, Results, difference, first_line, in_parallel, run  # noqa: E402

RELEASES = ("14", "15", "16", "19", "22")
PATCHED_RELEASE = 22
FIRST_WITH_RECORDS = 19


def patched(variable, name):
    return os.path.abspath(os.environ.get(variable, os.path.join(ROOT, "build", name, "bin")))


# binaries: of the LLVM that knows it; layouts: with dloc's options, the first is what that LLVM writes.
Form = collections.namedtuple("Form", "binaries layouts")
TUPLES = Form(patched("PATCHED_LLVM", "patched-llvm"), {layout: ["--choice", f"bitcode.layout={layout}"] for layout in ("record", "operands", "again")})
LISTS = Form(
    patched("PATCHED_IRLAYERS", "patched-irlayers"),
    {layout: ["--profile", "pr215666", "--choice", f"bitcode.irlayers.abbreviation={layout}"] for layout in ("two", "wide")},
)
LIMIT = 300
NUMBER = re.compile(rb"!\d+ ?|, bit \d+")
ONE_OPERAND = re.compile(rb"^!\d+ = (?:distinct )?!\{![0-9]+\}$", re.MULTILINE)
SOURCE_NAME = re.compile(rb"^(?:; ModuleID|source_filename) = .*$", re.MULTILINE)


class Problem(Exception):
    pass


def must(command, statuses=(0,)):
    status, output, errors = run(command, limit=LIMIT)
    if status not in statuses:
        raise Problem(f"{' '.join(map(os.path.basename, command))}: exit status {status}: {first_line(errors)}")
    return output


def tool(release, name):
    """release: or a form, for the LLVM that knows it."""
    return os.path.join(release.binaries if isinstance(release, Form) else f"/usr/lib/llvm-{release}/bin", name)


def form_of(source):
    with open(source, "rb") as file:
        return LISTS if b"!DILayerLoc(" in file.read() else TUPLES


def same(what, ours, theirs):
    if ours == theirs:
        return
    for left, right in zip(ours.splitlines(), theirs.splitlines()):
        if left != right:
            raise Problem(f"{what}: {left[:300]!r} is to be {right[:300]!r}")
    raise Problem(f"{what}: {len(ours.splitlines())} lines are to be {len(theirs.splitlines())}")


def locations(path):
    return must([DLOC, "print", "--scopes", path])


def records(path):
    """What the records say, without their places and the numbers of metadata."""
    return NUMBER.sub(b"", must([DLOC, "bitcode", path]))


def repeated(lines):
    """The same with what `again` stands for. `!{!1}` and `!1` are written alike, and the patched LLVM takes them for two locations."""
    last, result = [], []
    for line in lines.splitlines():
        number, form = line.split()[:2]
        if form == b"location":
            last = []
        if form in (b"location", b"layer"):
            last.append(line.split(b" ", 4)[4])
            result.append(line)
        elif form == b"again":
            result += [b"  " + number + (b" layer " if i else b" location ") + text for i, text in enumerate(last)]
        else:
            result.append(line)
    return b"\n".join(result)


def check_records(bitcode, reference, source):
    ours, theirs = records(bitcode), records(reference)
    with open(source, "rb") as file:
        if ONE_OPERAND.search(file.read()):
            ours, theirs = repeated(ours), repeated(theirs)
    same("records", ours, theirs)


INDEX_OFFSET, INDEX, MODULE_METADATA = 38, 39, (15, 2)


def check_index(bitcode):
    """INDEX_OFFSET says how far behind it INDEX stands, which says how far each record stands behind the one before."""
    lines = map(json.loads, must([DLOC, "bitcode", "--records", "--json", bitcode]).splitlines())
    found = [line for line in lines if (line["block"], line["depth"]) == MODULE_METADATA]
    at = next((i for i, line in enumerate(found) if line["code"] == INDEX_OFFSET), None)
    if at is None:
        return
    index = next(line for line in found if line["code"] == INDEX)
    low, high = found[at]["values"]
    place = found[at + 1]["bit"]
    same("the index's place", str(place + low + (high << 32)).encode(), str(index["bit"]).encode())
    places = {line["bit"] for line in found}
    for distance in index["values"]:
        place += distance
        if place not in places:
            raise Problem(f"the index: there is no record at bit {place}")


def check_text(bitcode, expected, form):
    """The patched LLVM's text of our bitcode, and of its own."""
    with tempfile.NamedTemporaryFile(suffix=".ll") as ours, tempfile.NamedTemporaryFile(suffix=".ll") as theirs:
        must([tool(form, "llvm-dis"), bitcode, "-o", ours.name])
        must([tool(form, "llvm-dis"), expected, "-o", theirs.name])
        texts = [SOURCE_NAME.sub(b"", file.read()) for file in (ours, theirs)]
        different = difference(*reversed(texts))
        if different:
            raise Problem(f"llvm-dis: {different}")


def check_one(source, release, layout, text, reference, folder):
    """One module, assembled with one release's tools. text: the module as our reader should find it; reference: the patched LLVM's bitcode."""
    form = form_of(source)
    bitcode = os.path.join(folder, f"{release}-{layout}.bc")
    is_written = layout == next(iter(form.layouts))
    must([DLOC, "assemble", source, "--llvm", os.path.dirname(tool(release, "")), *form.layouts[layout], "-o", bitcode])
    same("locations", locations(bitcode), locations(text))
    check_index(bitcode)
    if is_written and int(release) <= PATCHED_RELEASE:
        with tempfile.NamedTemporaryFile(suffix=".ll") as theirs:
            must([tool(form, "llvm-dis"), bitcode, "-o", theirs.name])
            same("llvm-dis's locations", locations(theirs.name), locations(reference))
    if is_written and int(release) == PATCHED_RELEASE:
        check_records(bitcode, reference, source)
        check_text(bitcode, reference, form)


LISTED = re.compile(rb", irlayers: !\d+")
LAYER = re.compile(rb"^(!\d+) = (?:distinct )?!DILayerLoc(?:List)?\(.*\)$", re.MULTILINE)


def without_layers(source):
    """The module as a stock LLVM can read it; None if dloc cannot."""
    if form_of(source) == LISTS:
        with open(source, "rb") as file:
            return LAYER.sub(rb"\1 = !{}", LISTED.sub(b"", file.read()))
    status, text, _ = run([DLOC, "project", "--primary", source], limit=LIMIT)
    return text if status == 0 else None


def accepts(release, source):
    """Whether a release reads the module, with its debug info, when the layers are taken out; without a word."""
    text = without_layers(source)
    if text is None:
        return False
    with tempfile.NamedTemporaryFile(suffix=".ll") as file:
        file.write(text)
        file.flush()
        status, _, errors = run([tool(release, "llvm-as"), file.name, "-o", os.devnull], limit=LIMIT)
    return status == 0 and not errors


def is_upgraded(source, release):
    """Whether a release makes other instructions of the module: of those that it knows from the past only."""
    with tempfile.NamedTemporaryFile(suffix=".ll") as before, tempfile.NamedTemporaryFile(suffix=".ll") as after:
        before.write(without_layers(source))
        before.flush()
        must([tool(release, "opt"), "-S", before.name, "-o", after.name])
        counts = [len(must([DLOC, "print", "--locations", file.name]).splitlines()) for file in (before, after)]
    return counts[0] != counts[1]


def check(source, name, releases, results, layouts=None):
    form = form_of(source)
    if not os.path.exists(tool(form, "llvm-as")):
        results.skip("no patched LLVM that knows the form; 'make patched-llvm' builds it")
        return
    with tempfile.TemporaryDirectory() as folder:
        reference, text = os.path.join(folder, "patched.bc"), os.path.join(folder, "patched.ll")
        status, _, errors = run([tool(form, "llvm-as"), source, "-o", reference], limit=LIMIT)
        if status != 0 or errors:
            results.skip("the patched LLVM does not accept it")
            return
        must([tool(form, "llvm-dis"), reference, "-o", text])
        with open(text, "rb") as file:
            has_records = b"#dbg_" in file.read()
        for release in releases:
            if has_records and int(release) < FIRST_WITH_RECORDS:
                results.skip(f"LLVM {release} has calls where the patched LLVM writes records")
                continue
            if not accepts(release, source):
                results.skip(f"LLVM {release} does not accept it without layers")
                continue
            for layout in layouts or form.layouts:
                problem = None
                try:
                    check_one(source, release, layout, text, reference, folder)
                except Problem as found:
                    problem = str(found)
                    if "[bitcode.other-module]" in problem and is_upgraded(source, release):
                        results.skip(f"LLVM {release} makes other instructions of it")
                        continue
                results.check(f"{name}, LLVM {release}, {layout}", problem)


def check_all(patterns, releases, results):
    found = {path for pattern in patterns for path in glob.glob(os.path.join(ROOT, pattern), recursive=True)}
    in_parallel(lambda path: check(path, os.path.relpath(path, ROOT), releases, results), sorted(found))


def few(results):
    check_all(("tests/lit/Inputs/*.ll", "conformance/llvm/test/*.ll", "conformance/llvm/test/irlayers/*.ll"), ("14", "19", "22"), results)


SPLIT = re.compile(r"^;--- (\S+)\n", re.MULTILINE)
LOCAL_VALUE = re.compile(rb"^  \d+ ptr inttoptr .*\n", re.MULTILINE)  # numbered, but no metadata of the text


def list_modules(folder):
    """Each module with a DILayerLoc, by name: files of tests, and parts of those that split-file splits."""
    for pattern in ("tests/**/*.ll", "conformance/llvm/test/**/*.ll"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            with open(path, encoding="utf-8", errors="replace") as file:
                parts = SPLIT.split(file.read())
            for name, text in [(os.path.relpath(path, ROOT), parts[0]), *zip(parts[1::2], parts[2::2])]:
                if "!DILayerLoc(" in text:
                    target = os.path.join(folder, f"{os.path.basename(path)}-{os.path.basename(name)}")
                    with open(target, "w", encoding="utf-8") as file:
                        file.write(text)
                    yield target, os.path.relpath(path, ROOT) + (f" {name}" if len(parts) > 1 else "")


def outcome(release, bitcode):
    """What a stock llvm-dis makes of bitcode: `read`, `rejected` or `crashed`."""
    status, _, errors = run([tool(release, "llvm-dis"), bitcode, "-o", os.devnull])
    return "read" if status == 0 else "crashed" if status < 0 or status > 128 or "Stack dump" in errors else "rejected"


def check_list_module(path, name, results, counts):
    reference = path + ".patched"
    has_reference = os.path.exists(tool(LISTS, "llvm-as"))
    if has_reference:
        status, _, errors = run([tool(LISTS, "llvm-as"), path, "-o", reference])
        has_reference = status == 0 and not errors
    release, profile = str(PATCHED_RELEASE), "pr215666"
    bitcode = f"{path}-{release}.bc"
    status, _, errors = run([DLOC, "assemble", path, "--llvm", os.path.dirname(tool(release, "")), "--profile", profile, "-o", bitcode])
    if status != 0 or errors:
        results.skip(f"LLVM {release} or dloc does not accept it")
        return
    problem = None
    try:
        written = must([DLOC, "encode", "--profile", profile, "--written", bitcode])
        same("encode", LOCAL_VALUE.sub(b"", written), LOCAL_VALUE.sub(b"", must([DLOC, "encode", "--profile", profile, path])))
        for reader in ("19", "22"):
            counts[release, reader, outcome(reader, bitcode)] += 1
            if has_reference:
                same(f"llvm-dis {reader}", outcome(reader, bitcode).encode(), outcome(reader, reference).encode())
    except Problem as found:
        problem = str(found)
    results.check(f"{name}, LLVM {release}, numbers and readers", problem)


def lists(results):
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        in_parallel(lambda module: check_list_module(*module, results, counts), list(list_modules(folder)))
    print("; ".join(f"by LLVM {by}, llvm-dis {reader}: {count} {what}" for (by, reader, what), count in sorted(counts.items())))
    release = str(PATCHED_RELEASE)
    results.check(f"llvm-dis {release} reads some", None if counts[release, release, "read"] else "it reads none")


def small(results):
    check_all(("tests/**/*.ll", "conformance/llvm/test/**/*.ll"), RELEASES, results)


def annotate(source, kinds, output):
    text = source
    for kind in kinds:
        must([DLOC, "annotate", "--layer", kind, text, "-o", output])
        text = output


def programs(results):
    from modules import build

    with tempfile.TemporaryDirectory() as folder:
        for name in ("lua-19-O0", "sqlite-19-O2"):
            layered = os.path.join(folder, name + ".ll")
            annotate(build(name), ("A", "B"), layered)
            check(layered, name, ("19", "22"), results)
            listed = os.path.join(folder, name + "-lists.ll")
            must([DLOC, "convert", "--to", "irlayers", layered, "-o", listed])
            check(listed, name + ", lists", ("19", "22"), results)


def llvm_tests(results):
    inputs = os.path.join(CACHE, "llvm-test")
    sources = []
    for source in sorted(glob.glob(os.path.join(glob.escape(inputs), "**", "*.ll"), recursive=True)):
        with open(source, "rb") as file:
            if b"!DILocation(" in file.read():
                sources.append(source)
    if not sources:
        results.skip("LLVM's test inputs are not in build/cache; 'tests/real/llvm-tests.py' gets them")

    def one(source):
        with tempfile.TemporaryDirectory() as folder:
            layered = os.path.join(folder, "layered.ll")
            try:
                annotate(source, ("A",), layered)
            except Problem:
                results.skip("no module for `dloc annotate`")
                return
            check(layered, os.path.relpath(source, inputs), ("14", "19", "22"), results, ("record",))

    in_parallel(one, sources)


GROUPS = {"few": few, "lists": lists, "small": small, "programs": programs, "llvm-tests": llvm_tests}


def main():
    wanted = sys.argv[1:] or ["few", "lists"]
    if not set(wanted) <= set(GROUPS):
        sys.exit(__doc__)
    results = Results()
    for group in wanted:
        GROUPS[group](results)
    results.finish()


main()
