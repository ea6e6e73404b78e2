"""The answers of a stock LLVM to questions without layers; see witnesses.py. The adapter for LLVM asks it, by new vectors that have no layers.

NAME:projection (op merge): of each kind, and of the primaries, a vector whose locations are the layers of the kind, and empty where there is none. Each has to give that part of the
result, or land in a file of none of the layers, where `merge.layer.foreign-file` has no result. Kinds are in one order in all of the vector's locations, so that the result can have no other.
NAME:marks (the ops of PASSES): each set of layers is a mark, a number in a block file below the scope of its location, which LLVM keeps with the location. Each result has the mark of the
layers that the vector expects."""
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

DLOC = os.environ.get("DLOC", "build/dloc")
Vector = dict[str, Any]
Nodes = dict[str, dict[str, Any]]
PASSES = {"inline", "hoist", "outline", "strip"}
FIRST_MARK = 1000


class Unfit(Exception):
    """A vector that is not asked so."""


def content(nodes: Nodes, name: str, open_: tuple[str, ...] = ()) -> Any:
    """A node without its name and those of its uniqued nodes."""
    node = nodes[name]
    if node.get("distinct") or name in open_:
        return name

    def of(value: Any) -> Any:
        if isinstance(value, str) and value in nodes:
            return content(nodes, value, (*open_, name))
        if isinstance(value, dict):
            return tuple((key, of(part)) for key, part in sorted(value.items()))
        return tuple(map(of, value)) if isinstance(value, list) else value
    return tuple((key, of(value)) for key, value in sorted(node.items()))


def file_of(nodes: Nodes, scope: str) -> str:
    while "file" not in nodes[scope]:
        scope = nodes[scope]["scope"]
    return str(nodes[scope]["file"])


# ---- Marks ----

def marked(vector: Vector) -> Iterator[Vector]:
    """The vector with marks in place of layers. Key instructions go with atoms."""
    old, new = vector.get("nodes", {}), vector["expect"].get("value", {}).get("nodes", {})
    nodes = {**old, **new}
    made: Nodes = {}
    marks: dict[Any, int] = {}
    atoms = any("atomGroup" in node for node in nodes.values())
    for name, node in nodes.items():
        layers: Any = None
        plain = node
        if "irlayers" in node:
            layers = content(nodes, node["irlayers"])
            plain = {key: part for key, part in node.items() if key != "irlayers"}
        elif node["node"] == "composite":
            layers = tuple((layer["kind"], content(nodes, layer["location"])) for layer in node["layers"])
            plain = {**nodes[node["primary"]], **({"distinct": True} if node.get("distinct") else {})}
            if nodes[node["primary"]].get("distinct"):
                raise Unfit("identity of the primary")
        elif node["node"] in ("DILayerLoc", "DILayerLocList"):
            continue
        elif node["node"] == "DISubprogram" and atoms:
            plain = {**node, "keyInstructions": True}
        made[name] = plain
        if layers is not None:
            number = marks.setdefault(layers, FIRST_MARK + len(marks))
            made[name] = {**plain, "scope": f"mark-{name}"}
            made[f"mark-{name}"] = {"node": "DILexicalBlockFile", "scope": plain["scope"], "file": file_of(nodes, plain["scope"]), "discriminator": number}
    if not marks:
        raise Unfit("no layers")
    yield {**vector, "nodes": {name: node for name, node in made.items() if name.removeprefix("mark-") in old},
           "expect": {"outcome": "ok", "value": {**vector["expect"]["value"], "nodes": {name: node for name, node in made.items() if name.removeprefix("mark-") not in old}}}}


# ---- Projections ----

def kinds(nodes: Nodes, name: str | None) -> list[str]:
    node = nodes[name] if name else {"node": "DILocation"}
    if node["node"] not in ("DILocation", "composite") or "irlayers" in node:
        raise Unfit("another form")
    found = [layer["kind"] for layer in node.get("layers", [])]
    if len(set(found)) < len(found):
        raise Unfit("a kind that repeats")
    return found


def projected(nodes: Nodes, name: str | None, kind: str | None) -> str | None:
    """The layer of a kind, or of None the primary."""
    if name is None or nodes[name]["node"] != "composite":
        return name if kind is None else None
    return str(nodes[name]["primary"]) if kind is None else {layer["kind"]: layer["location"] for layer in nodes[name]["layers"]}.get(kind)


def projections(vector: Vector) -> Iterator[Vector]:
    value = vector["expect"].get("value", {})
    if "merge.layer.rules" in vector.get("with", {}):
        raise Unfit("rules of another kind")
    nodes = {**vector.get("nodes", {}), **value.get("nodes", {})}
    names = [*vector["args"], value["result"]]
    orders = [kinds(nodes, name) for name in names]
    everything = list(dict.fromkeys(kind for order in orders for kind in order))
    if not everything:
        raise Unfit("no layers")
    for order, other in ((order, other) for order in orders for other in orders):
        if [kind for kind in order if kind in other] != [kind for kind in other if kind in order]:
            raise Unfit("orders differ")
    if any(nodes[name].get("distinct") for name in names if name and nodes[name]["node"] == "composite"):
        raise Unfit("identity of a tuple")
    bare, new = ({name: node for name, node in some.items() if node["node"] != "composite"} for some in (vector.get("nodes", {}), value.get("nodes", {})))
    for kind in [None, *everything]:
        locations = [projected(nodes, name, kind) for name in names]
        yield {**vector, "kind": kind, "nodes": bare, "args": locations[:-1], "expect": {"outcome": "ok", "value": {"result": locations[-1], "nodes": new}}}


QUESTIONS = {"projection": ({"merge"}, projections), "marks": (PASSES, marked)}


def asked(how: str, vector: Vector) -> list[Vector]:
    ops, make = QUESTIONS[how]
    try:
        return list(make(vector)) if vector["op"] in ops and vector["expect"]["outcome"] == "ok" and {"layers", "irlayers"} & set(vector["needs"]) else []
    except (Unfit, KeyError):
        return []


def finished(vector: Vector, id: str, release: int) -> Vector:
    """A vector of the release's own profile."""
    value = {key: part for key, part in vector["expect"]["value"].items() if key != "nodes" or part}
    kept = {key: part for key, part in vector.items() if key not in ("with", "choices", "profiles", "digest", "kills") and part != {}}
    return {**kept, "id": id, "since": f"llvm-{release}", "needs": [need for need in vector["needs"] if need not in ("layers", "irlayers")], "expect": {"outcome": "ok", "value": value}}


def agreed(how: str, release: int, vectors: list[Vector]) -> list[bool]:
    """Does LLVM answer all questions of each vector as they expect?"""
    questions = [[finished(question, f"projection.{at}.{number}", release) for number, question in enumerate(asked(how, vector))] for at, vector in enumerate(vectors)]
    with tempfile.TemporaryDirectory(prefix="dloc-witness-") as folder:
        path, told = os.path.join(folder, "questions.jsonl"), os.path.join(folder, "run.json")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps({key: part for key, part in question.items() if key != 'kind'})}\n" for some in questions for question in some)
        subprocess.run([DLOC, "run", "--quiet", "--json", "-o", told, "--impl", "llvm", "--llvm", f"/usr/lib/llvm-{release}/bin", path], check=False, capture_output=True)
        if not os.path.exists(told):
            return [False] * len(vectors)
        with open(told, encoding="utf-8") as file:
            answers = {line["id"]: line for line in map(json.loads, file) if "verdict" in line}
    return [bool(some) and all(agrees(question, answers.get(question["id"], {})) for question in some) for some in questions]


def agrees(question: Vector, answer: dict[str, Any]) -> bool:
    """Does LLVM answer as expected? Of a kind that goes, it may also answer with a location in a file that none of the layers is in: `merge.layer.foreign-file` drops that."""
    if answer.get("verdict") == "as-expected":
        return bool(answer.get("outcome") == "ok")
    value = question["expect"]["value"]
    if question["op"] != "merge" or value["result"] is not None or None in question["args"] or not question.get("kind") or answer.get("outcome") != "ok":
        return False
    nodes = question["nodes"]
    files = [nodes[file_of(nodes, name)] for name in question["args"]]
    shown = shown_file(answer.get("actual", ""))
    return shown is not None and shown not in [(file["filename"], file.get("directory", "")) for file in files]


NODE = re.compile(r"^!(\d+) = (?:distinct )?!\w+\((.*)\)$", re.MULTILINE)


def shown_file(text: str) -> tuple[str, str] | None:
    """Name and directory of the file of the location that an answer has."""
    parts = {number: dict(re.findall(r'(\w+): ("[^"]*"|[^,]+)', fields)) for number, fields in NODE.findall(text)}
    at = "0" if "\nresult !0\n" in text else ""
    while at in parts and "filename" not in parts[at]:
        at = parts[at].get("file", parts[at].get("scope", "")).removeprefix("!")
    return (parts[at]["filename"].strip('"'), parts[at].get("directory", "").strip('"')) if at in parts else None
