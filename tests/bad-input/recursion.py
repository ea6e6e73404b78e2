#!/usr/bin/env python3
"""usage: tests/bad-input/recursion.py

No recursion over input: cut at the calls in BOUNDED below, the graph of calls has no cycle. A call by pointer may reach each function of
that type whose address is taken. A cycle that is left fails, and so does a row that is not needed, or whose bound is not in its place.
clang compiles each source to LLVM's IR; CLANG names one that writes typed pointers. Ends with a line `N passed, N failed`.
"""

import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ.get("BUILD", "build")
CLANG = os.environ.get("CLANG", "clang")
ROOMS = ("model", "conformance", "tools")
INCLUDES = ["-Imodel", f"-I{BUILD}/gen", "-Iconformance", "-Itools"]

# Calls that close a cycle: "caller -> callee", each function with its file when it is static. Bound: a word in the file of one of the two, mostly a
# constant, or "file:word" of another one, or NOT with the reason why the cycle never happens.
NOT = None
BOUNDED = [
    ("VALUE_DEPTH", "the reader of documents goes no deeper; what the program makes is shallow", [
        "value_write.c:put_flow -> value_write.c:put_flow",
        "value_write.c:least_width -> value_write.c:least_width",
        "value_write.c:holds_block -> value_write.c:holds_block",
        "value_write.c:put_entry -> value_write.c:put_block",
        "value_write.c:put_item -> value_write.c:put_block",
        "value_lines.c:set_lines -> value_lines.c:set_lines",
        "canonical.c:order_list -> canonical.c:order",
        "canonical.c:order_map -> canonical.c:order",
        "format.c:last_line -> format.c:last_line",
        "shrink.c:try_references_of -> shrink.c:try_references_of",
        "shrink.c:try_edits -> shrink.c:try_edits",
        "shrink.c:cost_of -> shrink.c:cost_of",
        "minimum.c:rename_in -> minimum.c:rename_in",
        "vectors.c:names_reason -> vectors.c:names_reason",
    ]),
    ("value_read.c:VALUE_DEPTH", "what it reads was read as a document before", [
        "explain.c:spell_value -> explain.c:spell_value",
    ]),
    ("names", "a node of a scene is entered once, and the scenes of `dloc fuzz` have some tens of them", [
        "minimum.c:rename_reference -> minimum.c:rename_in",
    ]),
    ("TYPE_LIST", "the types of operations are data of the program; a type in itself would have an endless schema, which tests/schema.py makes", [
        "read.c:read_list -> term_read",
        "read.c:read_map -> term_read",
        "read.c:read_named -> term_read",
        "term_build -> term_build",
        "term_operands -> term_operands",
        "canonical_text.c:print -> canonical_text.c:print",
        "describe.c:describe_items -> describe.c:describe",
        "describe.c:describe_map -> describe.c:describe",
        "schema.c:of_list -> schema_of_type",
        "schema.c:of_map -> schema_of_type",
        "schema_of_type -> schema_of_type",
    ]),
    ("SUITE_DEPTH", "folders in folders", ["suite.c:walk_name -> suite.c:walk"]),
    ("DEPTH", "locations of MLIR in each other", [
        "read.c:read_part -> read.c:read_location",
    ]),
    ("read.c:DEPTH", "locations of MLIR that were read", ["locations.c:print_parts -> mlir_print"]),
    ("stream.c:BLOCK_DEPTH_LIMIT", "blocks of bitcode in each other", [
        "open.c:take_module_entry -> open.c:read_module_block",
        "rewrite.c:rewrite_nested -> rewrite.c:rewrite_block",
    ]),
    ("bits.h:WINDOW_BITS", "a number of more bits than that is read as two", [
        "stream.c:cursor_fixed -> stream.c:cursor_fixed",
        "write_bits.c:cursor_fixed -> write_bits.c:cursor_fixed",
    ]),
    ("TRIAL_OPERANDS", "operands of a law", ["search.c:walk_operands -> search.c:walk_operands", "laws.c:any_empty -> laws.c:any_empty"]),
    ("PARTS", "parts of a shape", ["world.c:add_recipes -> world.c:add_recipes"]),
    ("in_place", "a node that is written inside another one has references to all others", ["write.c:write_reference -> write.c:write_in_place"]),
    ("DLOC_KIND_TUPLE", "what is below that has no operands", ["write.c:write_reference -> dloc_print_node"]),
    ("NESTED", "a node that is shown has its operands in it, and so on, for a few levels", ["diagnose.c:print_reference -> dloc_print_node"]),
    ("survivors_known", "marking what survives checks nothing, and happens once", ["report.c:severity_of -> verify.c:mark_all_survivors"]),
    # By pointer only: it never happens.
    (NOT, "what this one reads elsewhere is a number", ["read_metadata.c:visit_reference -> reader_elsewhere"]),
    (NOT, "what indexes metadata asks for none", ["metadata.c:index_block -> stream_each_entry"]),
    (NOT, "what gathers bytes passes them on to another sink", [
        "write.c:gather -> write.c:gather",
        "write.c:pass_on -> write.c:gather",
    ]),
    (NOT, "what tells of problems tells somebody else", [
        "layers.c:tell -> layers.c:tell",
        "layers.c:tell -> dies.c:stack_problem",
        "dies.c:problem -> dies.c:stack_problem",
        "emit_check.c:on_difference -> layers.c:tell",
        "emit_check.c:on_difference -> dies.c:stack_problem",
        "emit_check.c:on_difference -> emit_check.c:on_difference",
    ]),
    (NOT, "what a subcommand consists of is no subcommand", ["tool_gen -> tool_gen", "tool_mlir -> tool_gen", "tool_mlir -> tool_mlir"]),
]

NAME = r'@("[^"]+"|[-\w.$]+)'
DEFINED = re.compile(rf"define (?:internal )?.*?{NAME}\(")
CALLED = re.compile(rf" (?:call|invoke) .*?(?:{NAME}|%\w+)\(")
MENTIONED = re.compile(NAME)
ATTRIBUTE = re.compile(r"\b(?:noundef|zeroext|signext|nonnull|noalias|nocapture|readonly|internal|dso_local|call|define|tail|notail|musttail|"
                       r"(?:align|dereferenceable|byval|sret|captures)(?: \d+|\([^()]*\)))\s*|%(?!struct|union)[\w.]+|\s")


def sources():
    for room in ROOMS:
        for folder, _, names in os.walk(room):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".c"))


def ir(source, folder):
    """LLVM's IR of a source."""
    path = os.path.join(folder, source.replace("/", "_") + ".ll")
    version = '-DDLOC_VERSION="0"'
    subprocess.run([CLANG, "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O0", "-w", *INCLUDES, version, "-S", "-emit-llvm", "-o", path, source], check=True)
    with open(path, encoding="utf-8") as file:
        return source, file.read()


def signature(line, end):
    """The types of a function or of a call by pointer: the return type and those of the parameters, as far as all say them alike."""
    before, depth, i = line[:end], 0, end
    while True:
        depth += {"(": 1, ")": -1}.get(line[i], 0)
        i += 1
        if depth == 0:
            break
    words = ATTRIBUTE.sub("", re.sub(NAME, "", before.split("=")[-1])) + ATTRIBUTE.sub("", line[end:i])
    return words


class Calls:
    def __init__(self):
        self.of = collections.defaultdict(set)  # function -> functions that it calls
        self.by_pointer = collections.defaultdict(set)  # function -> signatures
        self.signatures = {}
        self.files = {}  # of functions
        self.taken = set()

    def add(self, source, text):
        local = set(re.findall(rf"^define internal .*?{NAME}\(", text, re.M))
        full = lambda name: f"{source}:{name}" if name in local else name
        function = None
        for line in text.split("\n"):
            if line.startswith("define "):
                match = DEFINED.match(line)
                function = full(match.group(1))
                self.files[function] = source
                self.signatures[function] = signature(line, match.end() - 1)
            elif line.startswith("}"):
                function = None
            elif line.startswith("@") and "=" in line:
                self.taken.update(full(name) for name in MENTIONED.findall(line.split("=", 1)[1]))
            elif function:
                rest = line
                match = CALLED.search(line)
                if match and match.group(1):
                    self.of[function].add(full(match.group(1)))
                elif match:
                    self.by_pointer[function].add(signature(line, match.end() - 1))
                if match:
                    rest = line[match.end() :]
                self.taken.update(full(name) for name in MENTIONED.findall(rest))

    def resolve(self):
        reached = collections.defaultdict(set)
        for name in self.taken & set(self.signatures):
            reached[self.signatures[name]].add(name)
        for function, types in self.by_pointer.items():
            for type_ in types:
                self.of[function] |= reached[type_]


def cycles(calls):
    """Tarjan's algorithm, with a stack of its own."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in list(calls):
        if root in index:
            continue
        work = [(root, iter(calls[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on_stack.add(to)
                    work.append((to, iter(calls.get(to, ()))))
                    break
                if to in on_stack:
                    low[node] = min(low[node], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set()
                    while node not in part:
                        part.add(stack.pop())
                    on_stack -= part
                    if len(part) > 1 or node in calls.get(node, ()):
                        found.append(part)
    return found


def short(name):
    return name.rsplit("/", 1)[-1]


def closes(calls, caller, callee):
    """Whether the callee, called again, would come back to the caller."""
    work = [name for name in calls if short(name) == callee]
    seen = set(work)
    while work:
        found = calls.get(work.pop(), set()) - seen
        seen |= found
        work += found
    return caller in map(short, seen)


def main():
    os.chdir(ROOT)
    calls = Calls()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, text in pool.map(lambda source: ir(source, folder), sorted(sources())):
            calls.add(source, text)
    calls.resolve()
    cut = {call: bound for bound, _, rows in BOUNDED for call in rows}
    words = collections.defaultdict(set)  # of files of that name
    for source in subprocess.run(["git", "ls-files", "*.c", "*.h"], capture_output=True, text=True, check=True).stdout.split():
        with open(source, encoding="utf-8") as file:
            words[os.path.basename(source)].update(re.findall(r"\w+", file.read()))
    files = {short(function): os.path.basename(source) for function, source in calls.files.items()}
    problems = []
    for call, bound in cut.items():
        file, _, word = (bound or "").rpartition(":")
        places = [file] if file else [files.get(function) for function in call.split(" -> ")]
        if bound is not NOT and not any(word in words[place] for place in places):
            problems.append(f"{call}: its bound, {bound}, is not in {' or '.join(map(str, dict.fromkeys(places)))}")
    every = {f"{short(caller)} -> {short(callee)}" for caller, callees in calls.of.items() for callee in callees}
    problems += [f"no such call: {call}" for call in cut if call not in every]
    left = {caller: {to for to in callees if f"{short(caller)} -> {short(to)}" not in cut} for caller, callees in calls.of.items()}
    problems += [f"no cycle without it: {call}" for call in cut if call in every and not closes(left, *call.split(" -> "))]
    for cycle in cycles(left):
        inside = [f"{short(one)} -> {short(to)}" for one in sorted(cycle) for to in sorted(left.get(one, set()) & cycle)]
        problems.append("a cycle of calls: " + ", ".join(inside))
    print("\n".join(problems))
    print(f"{len(cut)} passed, {len(problems)} failed")
    sys.exit(bool(problems))


main()
