"""The records that a stock LLVM writes for locations with layers (op encode); see witnesses.py.

The adapter for LLVM makes a module in which each layer of a composite is an instruction behind that of its primary. Behind a layer's instruction stands a call with its kind, a string, so
that LLVM numbers the kinds as well. llvm-bcanalyzer shows the record of each instruction, and the strings. A layer's record is that of its instruction with the number of the kind behind it;
that it has no abbreviation follows, as LLVM's has seven values. Records that repeat a location are not asked."""
import json
import os
import re
import subprocess
from typing import Any

DLOC = os.environ.get("DLOC", "build/dloc")
Vector = dict[str, Any]
OTHERS = {"STRINGS", "INDEX_OFFSET", "INDEX", "NAME", "NAMED_NODE", "KIND", "GLOBAL_DECL_ATTACHMENT"}  # records of metadata that are no nodes
Record = dict[str, Any]


def call(release: int, tool: str, *arguments: str) -> str:
    return subprocess.run([f"/usr/lib/llvm-{release}/bin/{tool}", *arguments], capture_output=True, text=True, errors="replace", timeout=20, check=True).stdout


def parts_of(vector: Vector, instruction: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    """An instruction as locations, each with its kind."""
    name = instruction.get("dbg")
    node = vector["nodes"][name] if name else {}
    if node.get("node") != "composite":
        return [(name, None)]
    return [(node["primary"], None), *((layer["location"], layer["kind"]) for layer in node["layers"])]


def stand_in(vector: Vector, release: int, folder: str) -> str:
    """The module of the adapter for LLVM. It tells the module when the answer is different, so that a wrong one is expected."""
    functions = [{**function, "instructions": [{"dbg": name} if name else {} for instruction in function["instructions"] for name, _ in parts_of(vector, instruction)]}
                 for function in vector["module"]["functions"]]
    question = {"id": "encode.0", "note": vector["note"], "nodes": {name: node for name, node in vector["nodes"].items() if node["node"] != "composite"}, "module": {"functions": functions},
                "op": "encode", "args": ["records"], "expect": {"outcome": "ok", "value": {"functions": [{"records": []} for _ in functions]}}, "clauses": vector["clauses"], "level": vector["level"],
                "since": f"llvm-{release}", "needs": ["encode", *(["atoms"] if "atoms" in vector["needs"] else [])]}
    path, told = os.path.join(folder, "encode.jsonl"), os.path.join(folder, "encode.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(question) + "\n")
    subprocess.run([DLOC, "run", "--quiet", "--json", "-o", told, "--impl", "llvm", "--llvm", f"/usr/lib/llvm-{release}/bin", path], check=False, capture_output=True)
    with open(told, encoding="utf-8") as file:
        return next(str(line["module"]) for line in map(json.loads, file) if "module" in line)


def with_kinds(text: str, kinds: list[str | None]) -> str:
    """The module with a call behind each instruction that stands for a layer."""
    waiting = iter(kinds)
    lines = []
    for line in text.splitlines():
        lines.append(line)
        if re.match(r"  %i\d+ = add ", line):
            kind = next(waiting)
            lines += [f"  call void @dloc.kind(metadata !{json.dumps(kind)})"] if kind is not None else []
    if list(waiting):
        raise ValueError("instructions are missing")
    return "\n".join([*lines, "declare void @dloc.kind(metadata)\n"])


def shown(text: str) -> list[tuple[list[Record], dict[str, int]]]:
    """The records of the instructions of each function, and the numbers of strings, from 1."""
    functions: list[tuple[list[Record], dict[str, int]]] = []
    outer: dict[str, int] = {}
    count = of_module = 0
    strings = outer
    inside = ""
    for line in map(str.strip, text.splitlines()):
        found = re.match(r"<(/?)(\w+)((?: \w+=\d+)*)", line)
        if line.startswith("<FUNCTION_BLOCK "):
            strings = dict(outer)
            functions.append(([], strings))
            count = of_module
        elif line.startswith("<METADATA_BLOCK "):
            inside = "metadata"
        elif line == "</METADATA_BLOCK>":
            inside = ""
            of_module = of_module if functions else count
        elif inside and (string := re.fullmatch(r"'(.*)'", line)):
            count += 1
            strings[string[1]] = count
        elif inside and found and not found[1] and found[2] not in OTHERS:
            count += 1
        elif functions and found and found[2] in ("DEBUG_LOC", "DEBUG_LOC_AGAIN"):
            values = dict(re.findall(r"(\w+)=(\d+)", found[3]))
            functions[-1][0].append({found[2]: [int(part) for key, part in values.items() if key.startswith("op")], **({"abbreviated": True} if "abbrevid" in values else {})})
    return functions


def same(wanted: Record, record: Record, kind: str | None, strings: dict[str, int]) -> bool:
    wanted = {key: list(map(int, part)) if isinstance(part, list) else part for key, part in wanted.items()}
    if kind is None:
        return wanted == record
    return "DEBUG_LOC" in record and wanted == {"DEBUG_LOC": [*record["DEBUG_LOC"], strings[kind]]}


def read_encode(vector: Vector, release: int, folder: str) -> bool:
    value = vector["expect"].get("value", {})
    if "layers" not in vector["needs"] or vector["args"] != ["records"] or set(value) != {"functions"} or vector["module"].get("named"):
        return False
    try:
        functions = [[parts_of(vector, instruction) for instruction in function["instructions"]] for function in vector["module"]["functions"]]
        if any(name is None for function in functions for parts in function for name, _ in parts):
            return False
        text = with_kinds(stand_in(vector, release, folder), [kind for function in functions for parts in function for _, kind in parts])
        path = os.path.join(folder, "encode")
        with open(path + ".ll", "w", encoding="utf-8") as file:
            file.write(text)
        call(release, "llvm-as", "-disable-verify", "-o", path + ".bc", path + ".ll")
        told = shown(call(release, "llvm-bcanalyzer", "--dump", path + ".bc"))
        for parts_list, wanted, (records, strings) in zip(functions, value["functions"], told, strict=True):
            if set(wanted) != {"records"} or [len(parts) for parts in parts_list] != [len(some) for some in wanted["records"]]:
                return False
            pairs = zip([kind for parts in parts_list for _, kind in parts], sum(wanted["records"], []), records, strict=True)
            if not all(same(want, record, kind, strings) for kind, want, record in pairs):
                return False
        return True
    except (ValueError, KeyError, StopIteration, OSError, subprocess.CalledProcessError):
        return False
