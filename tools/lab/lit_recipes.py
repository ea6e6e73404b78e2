"""The form of a vector in a test file, and the checks of it. One recipe an op."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lit_graph import Graph, Node, Side, Text, literal

THE_CALL = "call void @g()"


class Case:
    """A vector with what is expected and its nodes: a line of `dloc gen lit --json`."""

    def __init__(self, line: dict[str, Any]):
        self.id: str = line["id"]
        self.line = line
        self.args: Any = line.get("args")
        self.expect: dict[str, Any] = line["expect"]
        self.value: dict[str, Any] = self.expect.get("value", {})
        self.nodes = [Node(node["class"], node["text"], [], node.get("distinct", False)) for node in line["nodes"]]
        for node, given in zip(self.nodes, line["nodes"]):
            node.text = [self.nodes[piece] if isinstance(piece, int) else piece for piece in given["text"]]
            node.operands = [self.nodes[index] for index in given["operands"]]
            node.operands += [other for other in node.references() if other not in node.operands]
            node.subprogram = self.node(given.get("subprogram"))

    def node(self, index: int | None) -> Node | None:
        return None if index is None else self.nodes[index]

    def all(self, indices: list[int | None]) -> list[Node | None]:
        return [self.node(index) for index in indices]

    def each(self, indices: list[int]) -> list[Node]:
        return [self.nodes[index] for index in indices]


@dataclass
class TestFile:
    """The vectors of one file. A recipe writes the input first: what is expected refers to its nodes."""

    graph: Graph
    runs: list[str] = field(default_factory=list)  # RUN lines of single vectors
    body: Text = field(default_factory=list)  # functions with their checks, or parts for split-file
    code: Text = field(default_factory=list)  # of the vector that is being added
    checks: Text = field(default_factory=list)  # the same
    texts: Text = field(default_factory=list)  # checks of texts that stand behind the names of files
    paths: list[str] = field(default_factory=list)  # of files that directives name, in the order of their numbers

    def dbg(self, side: Side, location: Node | None) -> Text:
        return [", !dbg ", self.graph.mark(location, side)] if location else []

    def put_input(self, location: Node | None, instruction: str) -> None:
        self.code += [f"  {instruction}", *self.dbg(Side.INPUT, location), "\n"]

    def put_check(self, directive: str, location: Node | None, instruction: str) -> None:
        self.checks += [f"; {directive:<13} {instruction}", *self.dbg(Side.OUTPUT, location), "\n"]

    def put_sources(self, entries: list[Node]) -> None:
        """The list of sources, as the module has it."""
        listed: Text = []
        for entry in entries:
            listed += [", ", self.graph.mark(entry, Side.INPUT)]
        self.graph.named += ["!llvm.intermediate_level_source = !{", *listed[1:], "}\n"]

    def path_checks(self) -> list[str]:
        """The names of the files that were used, by number."""
        directives = ["CHECK:"] + ["CHECK-NEXT:"] * len(self.paths)
        return [
            f'; {directive} .file [[FILE{i}]] "{literal(path)}"\n'
            for i, (directive, path) in enumerate(zip(directives, self.paths), 1)
        ]

    def put_label(self, name: str, parameters: str, attributes: str = "") -> None:
        self.checks.append(f"; CHECK-LABEL: define void @{name}({parameters}){attributes} {{\n")


# ---- Merge: hoisting makes one call of several ----


def put_branches(file: TestFile, count: int) -> None:
    if count == 2:
        file.code.append("  br i1 %c, label %b0, label %b1\n")
    else:
        others = "".join(f" i32 {i}, label %b{i}" for i in range(1, count))
        file.code.append(f"  switch i32 %s, label %b0 [{others} ]\n")


def put_blocks(file: TestFile, locations: list[Node | None], ends: bool) -> None:
    """One block for each location; it is that of the call in it, or of its end."""
    put_branches(file, len(locations))
    for i, location in enumerate(locations):
        file.code.append(f"b{i}:\n")
        file.put_input(None if ends else location, THE_CALL)
        file.put_input(location if ends else None, "br label %end")
    file.code.append("end:\n")


def put_merge_of_ends(file: TestFile, case: Case, locations: list[Node | None], result: Node | None) -> None:
    """Calls are merged two by two; the ends of more than two blocks all at once. A call behind keeps the branch."""
    file.code.append(f"define void @{case.id}.ends(i1 %c, i32 %s) {{\n")
    file.code.append("  br i1 %c, label %head, label %end\nhead:\n")
    put_blocks(file, locations, ends=True)
    file.code.append("  call void @g()\n  ret void\n}\n")
    file.put_label(f"{case.id}.ends", "i1 %c, i32 %s")
    file.put_check("CHECK:", None, THE_CALL)
    file.put_check("CHECK-NEXT:", result, "br label %end")


def add_merge(file: TestFile, case: Case) -> bool:
    locations, result = case.all(case.args), case.node(case.value["result"])
    if len(locations) < 2:
        return False
    parameter = "i1 %c" if len(locations) == 2 else "i32 %s"
    file.code.append(f"define void @{case.id}({parameter}) {{\n")
    put_blocks(file, locations, ends=False)
    file.code.append("  ret void\n}\n")
    file.put_label(case.id, parameter)
    file.put_check("CHECK:", result, THE_CALL)  # the name of a block may stand before it
    file.checks.append("; CHECK-NEXT:   ret void\n")
    if len(locations) > 2:
        put_merge_of_ends(file, case, locations, result)
    return True


def add_merge_alone(file: TestFile, case: Case) -> bool:
    """A fresh atom group has a number that other merges of the module change."""
    if len(case.args) > 2 or not add_merge(file, case):
        return False
    name = f"%t/{case.id}.ll"
    file.runs.append(f"; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' {name} | FileCheck {name} --match-full-lines\n")
    return True


# ---- Calls one after the other, as they are read back ----


def add_calls(file: TestFile, case: Case, expected: list[Node | None]) -> bool:
    file.code.append(f"define void @{case.id}() {{\n")
    for location in case.all(case.args):
        file.put_input(location, THE_CALL)
    file.code.append("  ret void\n}\n")
    file.put_label(case.id, "")
    for location in expected:
        file.put_check("CHECK-NEXT:", location, THE_CALL)
    file.checks.append("; CHECK-NEXT:   ret void\n")
    return True


def add_roundtrip(file: TestFile, case: Case) -> bool:
    return add_calls(file, case, case.all(case.value["results"]))


def add_identity(file: TestFile, case: Case) -> bool:
    """Locations with lists are equal when they are one node. How many bits of a group are printed is a choice (`irlayers.atom-bits`)."""
    groups = [int(group) for group in re.findall(r"atomGroup: (\d+)", str(case.line["nodes"]))]
    if isinstance(case.args, dict) or None in case.args or any(group >> 60 for group in groups):
        return False
    locations = case.all(case.args)
    return (locations[0] is locations[1]) == case.value["equal"] and add_calls(file, case, locations)


def add_accessor(file: TestFile, case: Case) -> bool:
    """The writer of bitcode takes from a location what the accessors give: it comes back. Distinct locations
    do not."""
    names = [case.value["primary"], *(layer["location"] for layer in case.value["layers"])]
    if any(node and node.distinct and node.class_name == "DILocation" for node in case.all(names)):
        return False
    return add_calls(file, case, [case.node(case.line["location"])])


# ---- Print: the back end shows locations in the short form ----


def add_print(file: TestFile, case: Case) -> bool:
    location = case.node(case.args[0])
    if not location:
        return False
    file.code.append(f"define void @{case.id}() {{\n")
    file.put_input(location, THE_CALL)
    file.code.append("  ret void\n}\n")
    file.checks.append(f"; CHECK-LABEL: Machine code for function {case.id}:\n")
    text = literal(case.value["text"])
    file.checks.append(f"; CHECK: CALL64pcrel32 {{{{.*}}}}debug-location !{{{{[0-9]+}}}}; {text}{{{{$}}}}\n")
    return True


# ---- Inline ----


def make_subprogram() -> Node:
    """For a function whose locations say nothing about it."""
    file = Node("DIFile", ['!DIFile(filename: "f.py", directory: "src")'])
    unit = Node("DICompileUnit", ["distinct !DICompileUnit(language: DW_LANG_C99, file: ", file, ")"], distinct=True)
    head = 'distinct !DISubprogram(name: "f", scope: '
    rest = ", line: 1, type: !DISubroutineType(types: null), spFlags: DISPFlagDefinition, unit: "
    return Node("DISubprogram", [head, file, ", file: ", file, rest, unit, ")"], [file, unit], distinct=True)


@dataclass
class Call:
    """One inlined call."""

    caller: str
    callee: str
    location: Node | None
    body: list[tuple[str, Node | None, Node | None]]  # instructions, with their locations before and after
    records: list[tuple[Node, Node, Node | None]]  # variables, and the same
    has_subprogram: bool
    no_line_tables: bool
    subprogram: Node | None  # that the callee's locations belong to
    loop: Node | None
    expected_loop: Node | None

    @property
    def parameters(self) -> str:
        return "i1 %c" if self.loop else ""


def make_variable(index: int, location: Node) -> Node:
    """In the scope of a location: its first operand."""
    scope = location.primary().operands[0]
    return Node("DILocalVariable", [f'!DILocalVariable(name: "v{index}", scope: ', scope, ")"])


def instruction_text(item: dict[str, Any], index: int) -> str:
    if item.get("instruction") == "pseudo-probe":
        return f"call void @llvm.pseudoprobe(i64 1, i64 {index}, i32 0, i64 -1)"
    return f"call void @g(i32 {index})"


def is_inlined_plainly(args: dict[str, Any]) -> bool:
    """Code that is inlined beside the instructions of the vector must get no location, as that would take a number: the end
    of a loop's entry block may, and what uses an alloca and marks its life does."""
    all_located = not args.get("callee-subprogram", True) or args.get("no-inline-line-tables", False)
    if "loop" in args and (args["loop"] is None or all_located):
        return False
    return all(item.get("instruction", "plain") in ("plain", "pseudo-probe") for item in args["callee"])


def make_call(case: Case, args: dict[str, Any], value: dict[str, Any], callee: dict[str, Any], names: tuple[str, str]) -> Call:
    locations = [item.get("location") for item in args["callee"]]
    texts = [instruction_text(item, i) for i, item in enumerate(args["callee"])]
    records = case.each(args.get("records", []))
    variables = [make_variable(i, location) for i, location in enumerate(records)]
    return Call(
        *names,
        location=case.node(args.get("call")),
        body=list(zip(texts, case.all(locations), case.all(value["results"]))),
        records=list(zip(variables, records, case.all(value.get("records", [])))),
        has_subprogram=args.get("callee-subprogram", True),
        no_line_tables=args.get("no-inline-line-tables", False),
        subprogram=case.node(callee["subprogram"]),
        loop=case.node(args.get("loop")),
        expected_loop=case.node(value.get("loop")),
    )


def record_text(file: TestFile, side: Side, index: int, variable: Node, location: Node) -> Text:
    """`#dbg_value(i32 N, !V, !DIExpression(), !L)`"""
    marks = file.graph.mark(variable, side), file.graph.mark(location, side)
    return [f"#dbg_value(i32 {index}, ", marks[0], ", !DIExpression(), ", marks[1], ")\n"]


def put_caller(file: TestFile, call: Call) -> None:
    attributes = ' "no-inline-line-tables"' if call.no_line_tables else ""
    file.code.append(f"define void @{call.caller}({call.parameters}){attributes} {{\n")
    file.put_input(call.location, f"call void @{call.callee}({call.parameters})")
    file.code.append("  ret void\n}\n")


def put_callee(file: TestFile, call: Call) -> None:
    graph, code = file.graph, file.code
    code.append(f"define internal void @{call.callee}({call.parameters}) alwaysinline")
    if call.has_subprogram:
        code += [" !dbg ", graph.mark(call.subprogram or make_subprogram(), Side.INPUT)]
    code.append(" {\n")
    for i, (variable, place, _) in enumerate(call.records):
        code += ["    ", *record_text(file, Side.INPUT, i, variable, place)]
    for text, location, _ in call.body:
        file.put_input(location, text)
    if call.loop:
        code.append("  br label %loop\nloop:\n  br i1 %c, label %loop, label %out, !llvm.loop ")
        code += [graph.mark(call.loop, Side.INPUT), "\nout:\n"]
    code.append("  ret void\n}\n")


def check_caller(file: TestFile, call: Call) -> None:
    file.put_label(call.caller, call.parameters, " #{{[0-9]+}}" if call.no_line_tables else "")
    for i, (variable, _, location) in enumerate(call.records):
        if location:
            file.checks += ["; CHECK-NEXT:     ", *record_text(file, Side.OUTPUT, i, variable, location)]
    for text, _, location in call.body:
        file.put_check("CHECK-NEXT:", location, text)
    if call.expected_loop:
        file.checks.append("; CHECK:        br i1 %c, label %{{.*}}, label %{{.*}}, !llvm.loop ")
        file.checks += [file.graph.mark(call.expected_loop, Side.OUTPUT), "\n; CHECK:        ret void\n"]
    else:
        file.checks.append("; CHECK-NEXT:   ret void\n")


def add_inline(file: TestFile, case: Case) -> bool:
    one = isinstance(case.args, dict)
    all_args = [case.args] if one else case.args
    values = [case.value] if one else case.value["calls"]
    callees = case.line.get("callees")
    if callees is None or not all(is_inlined_plainly(args) for args in all_args):
        return False
    calls = []
    for i, (args, value, callee) in enumerate(zip(all_args, values, callees)):
        numbered = f"{case.id}.{i}", f"{case.id}.callee{callee['call']}"
        calls.append(make_call(case, args, value, callee, (case.id, f"{case.id}.callee") if one else numbered))
    for i, call in enumerate(calls):
        put_caller(file, call)
        if callees[i]["call"] == i:
            put_callee(file, call)
    for call in calls:
        check_caller(file, call)
    return True


# ---- Line directives, as llc writes them for NVPTX ----
#
# An instruction is an inline assembly statement: a comment that names the vector and counts. The directives before it
# are its own.


def assembler_name(case: Case) -> str:
    """The assembler's names have neither dots nor dashes."""
    return re.sub("[.-]", "_", case.id)


def put_statement(file: TestFile, case: Case, marker: object, location: Node | None) -> None:
    file.put_input(location, f'call void asm sideeffect "// {case.id} {marker}", ""()')


def make_before(subprogram: Node) -> Node:
    """A location that no directive of the vector has, in a file of its own."""
    file = Node("DIFile", ['!DIFile(filename: "before.py", directory: "")'])
    text: list[str | Node] = ["!DILexicalBlockFile(scope: ", subprogram, ", file: ", file, ", discriminator: 0)"]
    scope = Node("DILexicalBlockFile", text, [file, subprogram])
    return Node("DILocation", ["!DILocation(line: 65535, column: 1, scope: ", scope, ")"])


def put_function(file: TestFile, case: Case) -> None:
    locations = case.all(case.args)
    known = [location.subprogram for location in locations if location and location.subprogram]
    subprogram = known[0] if known else make_subprogram()
    file.code += [f"define void @{assembler_name(case)}() !dbg ", file.graph.mark(subprogram, Side.INPUT), " {\n"]
    put_statement(file, case, "before", make_before(subprogram))
    for i, location in enumerate(locations):
        put_statement(file, case, i, location)
    file.code.append("  ret void\n}\n")


def path_variable(file: TestFile, path: str) -> str:
    """A path stands for the number that the assembler gives it, in the order in which directives use them."""
    if path in file.paths:
        return f"[[FILE{file.paths.index(path) + 1}]]"
    file.paths.append(path)
    return f"[[FILE{len(file.paths)}:[0-9]+]]"


def put_directive(file: TestFile, check: str, directive: dict[str, Any], end: str) -> None:
    path = path_variable(file, directive["file"])
    file.checks.append(f"; {check} {path} {directive['line']} {directive['column']}{end}\n")


def put_start_checks(file: TestFile, case: Case) -> None:
    file.checks.append(f"; CHECK-LABEL: .visible .func {assembler_name(case)}(\n")
    put_directive(file, "CHECK: .loc", {"file": "before.py", "line": 65535, "column": 1}, " // {{.*}}")
    file.checks.append(f"; CHECK: // {case.id} before{{{{$}}}}\n")


def put_marker_check(file: TestFile, case: Case, index: int) -> None:
    """Up to the instruction nothing else is written."""
    file.checks.append(f"; CHECK-NOT: .loc\n; CHECK: // {case.id} {index}{{{{$}}}}\n")


def add_equal(file: TestFile, case: Case) -> bool:
    """Of two instructions in a row, the second has directives unless it is where the first is."""
    if isinstance(case.args, dict) or None in case.args:
        return False
    put_function(file, case)
    put_start_checks(file, case)
    file.checks.append(f"; CHECK: .loc\n; CHECK: // {case.id} 0{{{{$}}}}\n")
    if case.value["equal"]:
        put_marker_check(file, case, 1)
    else:
        file.checks.append(f"; CHECK: .loc\n; CHECK: // {case.id} 1{{{{$}}}}\n")
    return True


IN_QUOTES = re.compile(r"[ !#-\[\]-~]*")
LINES = re.compile(r"[ -~\n]*")


def directives_of(instruction: dict[str, Any]) -> list[dict[str, Any]]:
    primary = [instruction["primary"]] if "primary" in instruction else []
    return [*primary, *instruction.get("layers", [])]


def add_emit(file: TestFile, case: Case) -> bool:
    if "order" in case.value:
        return False
    instructions = case.value["instructions"]
    if not all(IN_QUOTES.fullmatch(one["file"]) for item in instructions for one in directives_of(item)):
        return False
    put_function(file, case)
    put_start_checks(file, case)
    for i, instruction in enumerate(instructions):
        check = "CHECK:"
        if "primary" in instruction:
            put_directive(file, "CHECK: .loc", instruction["primary"], " // {{.*}}")
            check = "CHECK-NEXT:"
        for layer in instruction.get("layers", []):
            put_directive(file, f"{check} .loc_intermediate", layer, "{{$}}")
            check = "CHECK-NEXT:"
        put_marker_check(file, case, i)
    return True


# ---- Emit, with embedded texts: a module of its own ----


def put_text(file: TestFile, given: dict[str, Any], checks: Text) -> None:
    path = path_variable(file, given["file"])
    checks.append(
        "; CHECK-NEXT: .code_block {\n"
        f'; CHECK-NEXT: .ir_name: "{literal(given["kind"])}"{{{{$}}}}\n'
        f"; CHECK-NEXT: .sourceFileName: {path}{{{{$}}}}\n"
        "; CHECK-NEXT: .source_begin\n"
    )
    for line in given["text"].split("\n"):
        checks.append(f"; CHECK-NEXT: {{{{^}}}}{literal(line)}{{{{$}}}}\n" if line else "; CHECK-EMPTY:\n")
    checks.append("; CHECK-NEXT: .source_end\n; CHECK-NEXT: }\n")


def add_emit_texts(file: TestFile, case: Case) -> bool:
    texts = case.value.get("texts", [])
    if not all(LINES.fullmatch(one["text"]) and IN_QUOTES.fullmatch(one["kind"]) for one in texts):
        return False
    if not add_emit(file, case):
        return False
    if "sources" in case.line:
        file.put_sources(case.each(case.line["sources"]))
    if texts:
        file.texts.append("; CHECK: .nv_intermediate_source_section {\n")
        for text in texts:
            put_text(file, text, file.texts)
        file.texts.append("; CHECK-NEXT: {{^}}}\n")
    else:
        file.texts.append("; CHECK-NOT: .nv_intermediate_source_section\n")
    name = f"%t/{case.id}.ll"
    file.runs.append(f"; RUN: llc -mtriple=nvptx64-nvidia-cuda {name} -o - | FileCheck {name}\n")
    return True


# ---- Verify: each vector is a module of its own ----


def add_verify(file: TestFile, case: Case) -> bool:
    module, expect, name = case.line["module"], case.expect, f"%t/{case.id}.ll"
    file.code.append(module)
    if expect["outcome"] == "ok":
        file.runs.append(f"; RUN: llvm-as {name} -o /dev/null 2>&1 | count 0\n")
        return True
    # Having read a module with debug info, LLVM aborts when it is broken; without, or without what it strips, the tool says so and fails.
    aborts = expect["severity"] == "hard" and "raised" not in expect and re.search(r"^!llvm\.module\.flags = !\{!", module, re.MULTILINE)
    soft = expect["severity"] == "soft"
    prefix = "" if soft else "not --crash " if aborts else "not "
    file.runs.append(f"; RUN: {prefix}llvm-as {name} -o /dev/null 2>&1 | FileCheck {name}\n")
    file.checks.append(f"; CHECK: {literal(expect['message'])}\n")
    if soft and expect["reason"] != "module.version":
        file.checks.append("; CHECK: warning: ignoring invalid debug info\n")
    return True


# ---- Recipes ----

BITCODE_RUNS = "; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s --match-full-lines\n"
NVPTX_REQUIRED = "; REQUIRES: nvptx-registered-target\n"
NVPTX_RUNS = NVPTX_REQUIRED + "; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s\n"


@dataclass(frozen=True)
class Recipe:
    name: str  # in the test file's name: an op's, where that says enough
    runs: str  # lines at the top
    add: Callable[[TestFile, Case], bool]  # write a vector's code and checks; False: the tools cannot be asked
    is_split: bool = False  # each vector is a module of its own, a part for split-file, with a RUN line of its own
    has_nodes: bool = True  # the module's metadata are those of the graph
    declarations: str = ""  # functions that all vectors use
    checks_metadata: bool = False
    checks_paths: bool = False
    own_subprograms: bool = False
    asks_directives: bool = False


MERGE = Recipe(
    name="merge",
    runs="; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s --match-full-lines\n",
    add=add_merge,
    declarations="declare void @g()\n",
    checks_metadata=True,
)
MERGE_ALONE = Recipe(
    name="split",
    runs="; RUN: split-file %s %t\n",
    add=add_merge_alone,
    is_split=True,
    declarations="declare void @g()\n",
    checks_metadata=True,
)
INLINE = Recipe(
    name="inline",
    runs="; RUN: opt -S -passes=always-inline %s | FileCheck %s --match-full-lines\n",
    add=add_inline,
    declarations="declare void @g(i32)\n",
    checks_metadata=True,
    own_subprograms=True,
)
EQUAL = Recipe(name="equal", runs=NVPTX_RUNS, add=add_equal, own_subprograms=True, asks_directives=True)
IDENTITY = Recipe(
    name="equal",
    runs="; RUN: opt -S %s | FileCheck %s --match-full-lines\n",
    add=add_identity,
    declarations="declare void @g()\n",
    checks_metadata=True,
)
PRINT = Recipe(
    name="print",
    runs="; REQUIRES: x86-registered-target\n"
    "; RUN: llc -mtriple=x86_64 -O0 -print-after=finalize-isel %s -o /dev/null 2>&1 | FileCheck %s\n",
    add=add_print,
    declarations="declare void @g()\n",
)
VERIFY = Recipe(name="verify", runs="; RUN: split-file %s %t\n", add=add_verify, is_split=True, has_nodes=False)
ACCESSOR = Recipe(
    name="accessor", runs=BITCODE_RUNS, add=add_accessor, declarations="declare void @g()\n", checks_metadata=True
)
ROUNDTRIP = Recipe(
    name="roundtrip", runs=BITCODE_RUNS, add=add_roundtrip, declarations="declare void @g()\n", checks_metadata=True
)
EMIT_TEXTS = Recipe(
    name="split",
    runs=NVPTX_REQUIRED + "; RUN: split-file %s %t\n",
    add=add_emit_texts,
    is_split=True,
    checks_paths=True,
    own_subprograms=True,
    asks_directives=True,
)
EMIT = Recipe(
    name="emit", runs=NVPTX_RUNS, add=add_emit, checks_paths=True, own_subprograms=True, asks_directives=True
)
# In the order in which the test files of one file of vectors are written.
RECIPES = [MERGE, MERGE_ALONE, INLINE, EQUAL, IDENTITY, PRINT, VERIFY, ACCESSOR, ROUNDTRIP, EMIT_TEXTS, EMIT]


def recipe_for(line: dict[str, Any]) -> Recipe | None:
    """How a vector is shown; None when it cannot be."""
    if line["op"] == "emit" and ("module" in line or "irlayers" in line):
        return EMIT_TEXTS
    if line["op"] == "merge" and "atomGroup" in str(line.get("nodes")):
        return MERGE_ALONE
    if line["op"] == "equal" and "irlayers" in line:
        return IDENTITY
    return next((recipe for recipe in RECIPES if recipe.name == line["op"]), None)
