"""The answers of LLVM 22's own functions about locations (ops merge, equal, copy, print and discriminator); see witnesses.py.

locations.cpp, which is built when LLVM's headers are here, reads a module that names each location, and asks within its process. A composite is asked about channel by channel when it is
printed or merged, as witness_projection.py does, and has a mark in place of its layers when it is copied. When it is compared, its layers are call sites, one inlined into the next, so that
LLVM compares their fields, their order and which of them are distinct."""
import functools
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

from witness_hidden import CLASSES, MORE, REFERENCES, field
from witness_projection import Unfit, marked, projections

Vector = dict[str, Any]
Nodes = dict[str, dict[str, Any]]
Question = tuple[list[str], list[str | None], str]  # words, locations, the answer wanted
LLVM = "/usr/lib/llvm-22"
HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = threading.Lock()
FOLDER = tempfile.TemporaryDirectory(prefix="dloc-witness-")


def is_here() -> bool:
    """LLVM's headers, and the library."""
    found = os.path.exists(f"{LLVM}/include/llvm/IR/DebugLoc.h")
    if not found:
        print("llvm-22-dev is not here: its functions are asked nothing (.ci/setup bench)", file=sys.stderr)
    return found


@functools.lru_cache(None)
def built() -> str:
    path = os.path.join(FOLDER.name, "locations")
    flags = [subprocess.run([f"{LLVM}/bin/llvm-config", *what], capture_output=True, text=True, check=True).stdout.split() for what in (["--cxxflags"], ["--ldflags", "--libs"])]
    subprocess.run(["g++", *flags[0], "-o", path, os.path.join(HERE, "locations.cpp"), *flags[1]], check=True)
    return path


def module(nodes: Nodes, locations: list[str]) -> str:
    """The nodes of the locations, each location with its name."""
    numbers: dict[str, int] = {}
    waiting = list(locations)
    while waiting:
        name = waiting.pop(0)
        if name not in numbers and nodes[name]["node"] not in CLASSES:
            raise Unfit(name)
        if name not in numbers:
            numbers[name] = len(numbers)
            waiting += [part for key, part in nodes[name].items() if key in REFERENCES and part is not None]
    text = [f'!llvm.module.flags = !{{!{len(numbers)}}}\n!{len(numbers)} = !{{i32 2, !"Debug Info Version", i32 3}}\n']
    for name, number in numbers.items():
        node = nodes[name]
        parts = {key: part for key, part in {**(MORE.get(node["node"]) or {}), **node}.items() if key not in ("node", "distinct")}
        fields = ", ".join(f"{key}: {field(key, part, numbers)}" for key, part in parts.items())
        text.append(f"!{number} = {'distinct ' if node.get('distinct') else ''}!{node['node']}({fields})\n")
    text += [f"!{name} = !{{!{numbers[name]}}}\n" for name in dict.fromkeys(locations)]
    return "".join(text)


class Chains:
    """A vector's nodes with layers as call sites."""

    def __init__(self, nodes: Nodes, by_node: bool) -> None:
        self.nodes, self.by_node, self.names = nodes, by_node, {}  # type: Nodes, bool, dict[tuple[Any, ...], str]
        self.made: Nodes = {}
        for name, node in nodes.items():
            if "irlayers" in node:
                self.made[name] = {**{key: part for key, part in node.items() if key != "irlayers"}, "inlinedAt": self.of_list(node["irlayers"], node)}
            elif node["node"] == "composite":
                self.made[name] = self.of_composite(node)
            elif node["node"] in CLASSES:
                self.made[name] = node

    def site(self, key: tuple[Any, ...], location: dict[str, Any], after: str | None) -> str:
        """One call site for a key."""
        name = self.names.setdefault((*key, after), f"site-{len(self.names)}")
        self.made[name] = {"node": "DILocation", **location, **({"inlinedAt": after} if after else {})}
        return name

    def block(self, scope: str, file: str) -> str:
        name = f"{scope}-in-{file}"
        self.made[name] = {"node": "DILexicalBlockFile", "scope": scope, "file": file, "discriminator": 0}
        return name

    def kind(self, scope: str, kind: str) -> str:
        name = f"kind-{self.names.setdefault(('kind', kind), str(len(self.names)))}"
        self.made[name] = {"node": "DIFile", "filename": kind, "directory": "kind"}
        return self.block(scope, name)

    def of_list(self, name: str, location: dict[str, Any]) -> str:
        after = location.get("inlinedAt")
        scope = location["scope"]
        for layer in reversed(self.nodes[name].get("operands", [])):
            node = self.nodes[layer]
            after = self.site((layer, scope), {**{key: node[key] for key in ("distinct", "line", "column") if key in node}, "scope": self.kind(self.block(scope, node["file"]), node["kind"])}, after)
        return self.site((name, scope), {"line": 0, "scope": scope, **({"distinct": True} if self.nodes[name].get("distinct") else {})}, after)

    def of_composite(self, composite: dict[str, Any]) -> dict[str, Any]:
        """Whether the tuple is distinct is no matter (`equal.identity`)."""
        primary = self.nodes[composite["primary"]]
        after = composite["primary"] if self.by_node else primary.get("inlinedAt")
        for layer in reversed(composite["layers"]):
            node = self.nodes[layer["location"]]
            if "inlinedAt" in node or "irlayers" in node:
                raise Unfit("a layer with a call site")
            after = self.site((layer["location"], layer["kind"]), {**node, "scope": self.kind(node["scope"], layer["kind"])}, after)
        return {**{key: part for key, part in primary.items() if key != "distinct"}, **({"inlinedAt": after} if after else {})}


def of_bare(vector: Vector) -> Iterator[Question]:
    """The questions of a vector whose locations are bare."""
    op, args, value = vector["op"], vector["args"], vector["expect"]["value"]
    if op == "merge":
        yield ["merge"], args, value["result"] or "-"
    elif op == "equal" and isinstance(args, list) and len(args) == 2 and set(value) <= {"equal", "nodes"}:
        yield ["node"], args, str(value["equal"]).lower()
    elif op == "equal" and isinstance(args, dict) and args.get("by") in ("position", "layers") and set(value) <= {"equal", "nodes"}:
        yield ["same"], args["locations"], str(value["equal"]).lower()
    elif op == "copy" and args.get("by") == "primary" and set(value) <= {"results", "nodes"} and len(args["locations"]) == len(value["results"]):
        yield from ((["primary"], [name], result or "-") for name, result in zip(args["locations"], value["results"]))
    elif op == "discriminator" and set(args) == {"duplication", "location"} and set(value) <= {"result", "nodes"}:
        yield [str(args["duplication"])], [args["location"]], value["result"] or "-"
    else:
        raise Unfit(op)


def printed(vector: Vector) -> Iterator[Question]:
    """A composite's text is that of its primary, and of each kind with the layer's text behind it."""
    nodes, name, rest = vector["nodes"], vector["args"][0], vector["expect"]["value"]["text"]
    if name is None or nodes[name]["node"] != "composite" or set(vector["expect"]["value"]) != {"text"}:
        raise Unfit("print")
    parts = rest.split(", ")
    layers = nodes[name]["layers"]
    heads = ["", *(f"{layer['kind']}: " for layer in layers)]
    if len(parts) != len(heads) or not all(part.startswith(head) for part, head in zip(parts, heads)):
        raise Unfit("other parts")
    for part, head, location in zip(parts, heads, [nodes[name]["primary"], *(layer["location"] for layer in layers)]):
        yield ["print"], [location], part[len(head):]


def questions(vector: Vector) -> list[tuple[Vector, list[Question]]]:
    if vector["op"] == "print":
        return [(vector, list(printed(vector)))]
    if not {"layers", "irlayers"} & set(vector["needs"]):
        return [(vector, list(of_bare(vector)))]
    if vector["op"] == "equal" and (by := vector["args"].get("by") if isinstance(vector["args"], dict) else "node") in ("node", "layers") and "equal.identity" not in vector.get("with", {}):
        return [(chained, list(of_bare(chained))) for chained in [{**vector, "nodes": Chains(vector.get("nodes", {}), by == "node").made}]]
    if vector["op"] == "equal":
        raise Unfit("only layers are call sites")
    return [(part, list(of_bare(part))) for part in (projections if vector["op"] == "merge" else marked)(vector)]


def agrees(vector: Vector, question: Question, folder: str) -> bool:
    words, locations, wanted = question
    names = [name for name in locations if name is not None]
    path = os.path.join(folder, "locations.ll")
    with open(path, "w", encoding="utf-8") as file:
        file.write(module(vector.get("nodes", {}), names))
    with BUILD:
        program = built()
    done = subprocess.run([program, path, *words, *(name or "-" for name in locations)], capture_output=True, text=True, timeout=20, check=False)
    return done.returncode == 0 and done.stdout == f"{wanted}\n"


def read_locations(vector: Vector, release: int, folder: str) -> bool:
    if vector["expect"]["outcome"] != "ok":
        return False
    try:
        asked = questions(vector)
        return bool(asked) and all(bool(some) and all(agrees(part, question, folder) for question in some) for part, some in asked)
    except (Unfit, KeyError, TypeError):
        return False
