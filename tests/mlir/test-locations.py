#!/usr/bin/env python3
"""usage: tests/mlir/test-locations.py [VERSION...]

Chapter 19 of the specification beside MLIR's own tools, 19 and 22 by default:
- the tables of 19.6: how mlir-opt reads locations, and what mlir-translate makes of them;
- vectors/mlir: mlir-opt reads each text and what becomes of it, and rejects what is rejected; it takes the primary for what it takes the location for, when
  each tagged one in it is unknown, but for call sites, which become their callers then; a layer is where mlir-translate puts the location when it has that tag alone;
- of all these locations in one module: what `dloc mlir ids` and `dloc mlir join` give is the same again, one run for each tag;
- `dloc mlir primary` changes nothing more when it runs again, and nothing at all without the tags.
Environment: DLOC (default build/dloc)."""

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import DLOC, ROOT, Results, first_line, llvm, run  # noqa: E402

TAGS = ["linalg", "scf"]
SPLIT = "// -----"
# Vectors about what MLIR 19 does not have: ranges and locations of dialects.
NOT_19 = {"mlir.place.range", "mlir.layer.dialect", "mlir.ids.dialect"}
# Vectors about locations of dialects that no stock tool has begin with this.
NOT_STOCK = "mlir.dialect"
# ensure-debug-info-scope-on-llvm-func of 22 crashes when a callee has no place.
CRASHES = {"mlir.primary.callee-name"}
# Where mlir-translate puts a location, as spec/hidden.md words it.
PLACES = {
    "none": "none",
    "5:2 in the function; the file is the subprogram's": "5:2 f",
    "22: 5:2": "5:2 f",
    "5:0": "5:0 f",
    "line 0": "0:0 f",
    "5:2 in the function": "5:2 f",
    "7:3 in g, inlinedAt 5:2": "7:3 g, 5:2 f",
    "LLVM rejects the module: `location.wrong-subprogram`": None,
}
# Vectors in which a layer is not where mlir-translate puts it, and why.
DIFFERENCES = {
    "mlir.layer.twice.file": "mlir-translate knows no files",
    "mlir.place.fused-file": "mlir-translate knows no files",
    "mlir.layer.twice.file-three": "mlir-translate knows no files",
    "mlir.place.call-site": "mlir-translate takes a callee only in a subprogram",
    "mlir.place.column": "mlir-translate keeps a column at line 0",
    "mlir.place.fused-none": "mlir-translate merges a place with none to none",
    "mlir.place.none": "mlir-translate merges a place with none to none",
}

SCOPES = """#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#type = #llvm.di_subroutine_type<>
#g = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "g", file = #file, subprogramFlags = Definition, type = #type>
"""
SCOPE = """#f{0} = #llvm.di_subprogram<id = distinct[{1}]<>, compileUnit = #unit, scope = #file, name = "f{0}", file = #file, subprogramFlags = Definition, type = #type>
"""
FUNCTION = """llvm.func @f{0}(%a: i32) -> i32 {{
  %0 = llvm.add %a, %a : i32 loc({1})
  llvm.return %0 : i32 loc(unknown)
}} loc(fused<#f{0}>["a.c":1:1])
"""

# ---- Locations: ("file", TEXT), ("unknown",), ("name", NAME, CHILD), ("call", CALLEE, CALLER), ("fused", METADATA, PARTS) ----

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"(?::\d+(?::\d+)?(?: to \d*:\d+)?)?|unknown|callsite\(|fused|at\b|#[\w.]+<.*?>|#[\w.]+|[][(),])')


class Parser:
    def __init__(self, text):
        self.text, self.at = text, 0

    def take(self):
        match = TOKEN.match(self.text, self.at)
        self.at = match.end()
        return match[1]

    def peek(self, char):
        return self.text[self.at : self.at + 1] == char

    def metadata(self):
        begin, depth = self.at, 0
        while True:
            char = self.text[self.at]
            depth += (char == "<") - (char == ">" and self.text[self.at - 1] != "-")
            self.at += 1
            if not depth:
                return self.text[begin : self.at]

    def location(self):
        token = self.take()
        if token == "callsite(":
            callee = self.location()
            self.take()
            caller = self.location()
            self.take()
            return "call", callee, caller
        if token == "fused":
            metadata, parts = self.metadata() if self.peek("<") else "", []
            while self.take() != "]":
                parts.append(self.location())
            return "fused", metadata, parts
        if token[0] == '"' and token[-1] == '"':
            child = None
            if self.peek("("):
                self.take()
                child = self.location()
                self.take()
            return "name", token, child
        return ("unknown",) if token == "unknown" else ("file", token)


def parse(text):
    return Parser(text).location()


def show(location):
    match location:
        case "name", name, None:
            return name
        case "name", name, child:
            return f"{name}({show(child)})"
        case "call", callee, caller:
            return f"callsite({show(callee)} at {show(caller)})"
        case "fused", metadata, parts:
            return f"fused{metadata}[{', '.join(map(show, parts))}]"
    return location[-1]


def is_tagged(location, tags=TAGS):
    return location[0] == "name" and location[2] is not None and location[1].strip('"') in tags


def without_tags(location):
    """Each tagged location is unknown."""
    match location:
        case "name", name, child if child:
            return ("unknown",) if is_tagged(location) else ("name", name, without_tags(child))
        case "call", callee, caller:
            kept = without_tags(callee)
            return without_tags(caller) if kept == ("unknown",) else ("call", kept, without_tags(caller))
        case "fused", metadata, parts:
            return "fused", metadata, [without_tags(part) for part in parts]
    return location


def of_tag(location, tag):
    """What says where the tag is; None: nothing does."""
    match location:
        case "name", _, child if child:
            return child if is_tagged(location, [tag]) else None if is_tagged(location) else of_tag(child, tag)
        case "call", callee, caller:
            return of_tag(caller if callee == ("unknown",) else callee, tag)
        case "fused", _, parts:
            found = [part for part in (of_tag(part, tag) for part in parts) if part]
            return ("fused", "", found) if found else None
    return None


# ---- Tools ----


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def read(version, folder, texts):
    """By text, the locations of its operations as mlir-opt writes them; None: it rejects one of them."""
    path = write(folder, "read.mlir", f"\n{SPLIT}\n".join(texts))
    options = ["--allow-unregistered-dialect", "--split-input-file", "--mlir-print-debuginfo", "--mlir-print-local-scope"]
    status, out, _ = run([llvm(version, "mlir-opt"), path, *options], limit=60)
    operation = re.compile(r'^\s*(?:"\w+"\(\)(?: .*)? : \(\) -> \(\)|return|}) loc\((.*)\)$', re.M)
    return None if status else [operation.findall(part)[:-1] for part in out.decode().split(f"{SPLIT}\n")]


def translate(version, folder, module):
    """The .ll of a module; None: it is rejected."""
    status, out, _ = run([llvm(version, "mlir-translate"), "--mlir-to-llvmir", write(folder, "module.mlir", module)], limit=60)
    return None if status else out.decode()


def module_of(locations):
    scopes = [SCOPE.format(i, i + 2) for i in range(len(locations))]
    return SCOPES + "".join(scopes) + "".join(FUNCTION.format(i, text) for i, text in enumerate(locations))


def places(ll):
    """Where the addition of each function is: `LINE:COLUMN FUNCTION, ...` from the innermost, or none."""
    nodes = dict(re.findall(r"^(!\d+) = (.*)$", ll, re.M))

    def place(node):
        scope, line, column = (re.search(rf"{key}: (!?\d+)", nodes[node]) for key in ("scope", "line", "column"))
        name = re.search(r'name: "(.)', nodes[scope[1]])[1]
        outer = re.search(r"inlinedAt: (!\d+)", nodes[node])
        return f"{line[1]}:{column[1] if column else 0} {name}" + (f", {place(outer[1])}" if outer else "")

    found = re.findall(r"@f\d+\(.*\n.* add .*?(?:!dbg (!\d+))?$", ll, re.M)
    return [place(node) if node else "none" for node in found]


# ---- The tables of 19.6 ----


def facts():
    """(question, locations, answer) for each row of both tables."""
    with open(os.path.join(ROOT, "spec/hidden.md")) as file:
        chapter = file.read().split("### 19.6 ")[1].split("\n## ")[0]
    question = None
    for line in chapter.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| location "):
            question = cells[1]
        elif line.startswith("| `"):
            yield question, re.findall(r"`([^`]+\S)`", cells[0]), cells[1]


def test_facts(results, version, folder):
    for question, locations, answer in facts():
        only_22 = "22" in answer or " to " in locations[0]
        for location in locations:
            label = f"{version}: {location}"
            if location in ("fused<#g>", "#g"):
                continue
            if question.startswith("mlir-opt"):
                got = read(version, folder, [f'"op"() : () -> () loc({location})'])
                expected = location if "the same" in answer else re.findall(r"`(.*)`", answer)[-1] if "`" in answer else None
                expected = '"a.c":5:0' if location == '"a.c":5' else expected or location
                expected = None if only_22 and version == "19" else [[expected]]
            else:
                ll = translate(version, folder, module_of([location]))
                got, expected = ll and places(ll), [PLACES[answer]]
                expected = None if expected == [None] or (only_22 and version == "19") else expected
            compare(results, label, got, expected)


# ---- Vectors ----


def vectors():
    status, out, _ = run([DLOC, "fmt", "--to", "jsonl", "vectors/mlir"])
    return [json.loads(line) for line in out.decode().splitlines()]


def test_primaries(results, version, folder, asked):
    texts, primaries = ([of(v) for v in asked] for of in (lambda v: v["args"]["text"], lambda v: v["expect"]["value"]["primary"]))
    had, have = read(version, folder, texts), read(version, folder, primaries)
    if not had or not have:
        return results.check(f"{version}: the vectors", "mlir-opt does not read them")
    wanted = [f'"op"() : () -> () loc({show(without_tags(parse(text)))})' for locations in had for text in locations]
    wanted = iter(read(version, folder, wanted))
    for v, before, after in zip(asked, had, have):
        expected = [next(wanted)[0] for _ in before]
        compare(results, f"{version}: {v['id']}: primaries", after, expected)


def test_layers(results, version, folder, asked):
    single = [v for v in asked if v["id"] not in CRASHES and v["args"]["text"].count("\n") == 1 and len(v["expect"]["value"]["locations"]) == 1]
    of_vectors = read(version, folder, [v["args"]["text"] for v in single])
    cases = [(v, tag, of_tag(parse(text[0]), tag)) for v, text in zip(single, of_vectors) for tag in TAGS]
    ll = translate(version, folder, module_of([show(at) if at else "unknown" for _, _, at in cases]))
    for (v, tag, at), place in zip(cases, places(ll)):
        layers = [layer for layer in v["expect"]["value"]["locations"][0] if layer["kind"] == tag]
        line, column = map(int, place.split()[0].split(":")) if place != "none" else (None, None)
        told = [(int(layer["line"]), int(layer["column"])) for layer in layers]
        expected = [] if line is None else [(line, column and column + 1 if told == [(line, 0)] else column + 1)]
        expected = told if v["id"] in DIFFERENCES else expected
        compare(results, f"{version}: {v['id']}: {tag}", told, expected)
    return single, of_vectors


def test_joined(results, version, folder, single, of_vectors):
    """All of these locations as operations of one module."""
    text = "".join(FUNCTION.format(i, locations[0]) for i, locations in enumerate(of_vectors))
    text = write(folder, "all.mlir", re.sub(r"loc\(fused<#f\d+>(.*)\)$", r"loc(fused\1)", text, flags=re.M))
    tags = [option for tag in TAGS for option in ("--tag", tag)]
    table, snapshots = os.path.join(folder, "table"), write(folder, "snapshot", "\n" * 20)
    outputs = []
    for action, more in (("primary", []), ("ids", ["--table", table])):
        status, out, errors = run([DLOC, "mlir", action, text, *tags, *more])
        compare(results, f"{version}: dloc mlir {action}: {first_line(errors)}", status, 0)
        options = ["--ensure-debug-info-scope-on-llvm-func", "--mlir-print-debuginfo"]
        status, out, errors = run([llvm(version, "mlir-opt"), write(folder, "lowered.mlir", out.decode()), *options])
        compare(results, f"{version}: mlir-opt of {action}: {first_line(errors)}", status, 0)
        outputs.append(write(folder, f"{action}.ll", translate(version, folder, out.decode()) or ""))
    layers = [option for tag in TAGS for option in ("--layer", f"{tag}={snapshots}")]
    joined = os.path.join(folder, "joined.ll")
    status, _, errors = run([DLOC, "mlir", "join", *outputs, "--table", table, *layers, "-o", joined])
    compare(results, f"{version}: dloc mlir join: {first_line(errors)}", status, 0)
    status, out, _ = run([DLOC, "print", "--locations", joined])
    told = dict(re.findall(r"^f(\d+) 0 (.*)$", out.decode(), re.M))
    for i, v in enumerate(single):
        got = re.findall(r"(\w+): [^:,]*:(\d+)(?::(\d+))?", told.get(str(i), ""))
        expected = [(layer["kind"], str(layer["line"]), str(layer["column"] or "")) for layer in v["expect"]["value"]["locations"][0]]
        compare(results, f"{version}: {v['id']}: joined", got, expected)


def test_rejected(results, version, folder, rejected):
    for v in rejected:
        compare(results, f"{version}: {v['id']}", read(version, folder, [v["args"]["text"]]), None)


def test_laws(results, folder, asked):
    text = write(folder, "laws.mlir", "".join(v["args"]["text"] for v in asked if "#loc" not in v["args"]["text"]))
    once = write(folder, "once.mlir", run([DLOC, "mlir", "primary", text, "--tag", "linalg", "--tag", "scf"])[1].decode())
    for path, tags in ((once, TAGS), (text, ["none"])):
        status, out, _ = run([DLOC, "mlir", "primary", path, *(option for tag in tags for option in ("--tag", tag))])
        with open(path, "rb") as file:
            compare(results, f"dloc mlir primary with {tags} of {os.path.basename(path)}", (status, out), (0, file.read()))


def compare(results, name, got, expected):
    results.check(name, None if got == expected else f"{got}, expected {expected}")


def main():
    results, all_vectors = Results(), vectors()
    versions = sys.argv[1:] or ["19", "22"]
    with tempfile.TemporaryDirectory() as folder:
        for version in versions:
            asked = [v for v in all_vectors if not (version == "19" and v["id"] in NOT_19) and not v["id"].startswith(NOT_STOCK)]
            of_text = [v for v in asked if "text" in v["args"] and v["expect"]["outcome"] == "ok"]
            test_facts(results, version, folder)
            test_primaries(results, version, folder, of_text)
            test_joined(results, version, folder, *test_layers(results, version, folder, of_text))
            test_rejected(results, version, folder, [v for v in asked if v["expect"]["outcome"] == "reject"])
            numbered = read(version, folder, [v["expect"]["value"]["text"] for v in asked if "ids" in v["args"]])
            results.check(f"{version}: numbers", None if numbered else "mlir-opt does not read them")
        test_laws(results, folder, [v for v in all_vectors if "text" in v["args"] and v["expect"]["outcome"] == "ok"])
    return results.finish()


if __name__ == "__main__":
    sys.exit(main())
