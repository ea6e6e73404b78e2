"""The answers of a stock LLVM about modules with hidden layers; see witnesses.py.

llc compiles the locations of a vector, an instruction each, and llvm-symbolizer shows the frames of each instruction, with the discriminator of each frame: that is the number of its
layers (ops hide and reveal, numbers in discriminators). The rest is what hiding is for: without the number a location is what it was, and the entry of the number has the layers.
Two instructions are at one source location when these frames are the same and in the same DIEs (op equal, by position)."""
import functools
import json
import os
import re
import subprocess
from collections.abc import Iterable
from typing import Any

from line_programs import program_of, tables_of, unit
from line_tests import UNITS
from witness_layers import ask, integers, read_layer_lines, without_number as without_discriminator

Vector = dict[str, Any]
Nodes = dict[str, dict[str, Any]]
Frames = list[tuple[str, str, int, int, int]]  # function, file, line, column, discriminator; innermost first
STAND_IN, STANDS_FOR_0 = "the subprogram of the primary", 1073741823
REFERENCES = {"scope", "file", "unit", "inlinedAt"}
STRINGS = {"filename", "directory", "checksum", "name", "linkageName", "source", "producer"}
BASE = "/the-folder-of-the-compilation/"
MORE: dict[str, dict[str, Any]] = {"DICompileUnit": {"emissionKind": "FullDebug", "file": f'!DIFile(filename: "u", directory: "{BASE[:-1]}")'}, "DISubprogram": {"type": "!DISubroutineType(types: null)"}}  # what llc wants
CLASSES = {"DIFile", "DICompileUnit", "DISubprogram", "DILexicalBlock", "DILexicalBlockFile", "DILocation"}


class Unasked(Exception):
    """The witness does not ask about this."""


# ---- Modules ----

def subprogram_of(nodes: Nodes, name: str) -> str:
    """Of a location or scope."""
    while nodes[name]["node"] != "DISubprogram":
        name = nodes[name]["scope"]
    return name


def outermost(nodes: Nodes, name: str) -> str:
    while nodes[name].get("inlinedAt"):
        name = nodes[name]["inlinedAt"]
    return subprogram_of(nodes, name)


def field(key: str, value: Any, numbers: dict[str, int]) -> str:
    if key in REFERENCES and value not in MORE["DICompileUnit"].values():
        return "null" if value is None else f"!{numbers[value]}"
    text = {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    return json.dumps(text) if key in STRINGS else text


def module(nodes: Nodes, locations: list[str]) -> tuple[str, list[tuple[str, int]]]:
    """A module with an instruction of one byte for each location, and where each stands: its function, and how many bytes behind its start."""
    numbers: dict[str, int] = {}
    waiting = list(locations)
    while waiting:
        name = waiting.pop(0)
        if name in numbers:
            continue
        if nodes[name]["node"] not in CLASSES:
            raise Unasked(name)
        numbers[name] = len(numbers)
        waiting += [value for key, value in nodes[name].items() if key in REFERENCES and value is not None]
    functions: dict[str, list[int]] = {}
    places = []
    for name in locations:
        code = functions.setdefault(outermost(nodes, name), [])
        places.append((f"f{numbers[outermost(nodes, name)]}", len(code)))
        code.append(numbers[name])
    atoms = any("atomGroup" in nodes[name] for name in numbers)
    text = ['target triple = "x86_64-unknown-linux-gnu"\n']
    for subprogram, code in functions.items():
        body = "".join(f'  call void asm sideeffect "nop", ""(), !dbg !{number}\n' for number in code)
        text.append(f"define void @f{numbers[subprogram]}() nounwind !dbg !{numbers[subprogram]} {{\n{body}  ret void\n}}\n")
    for name, number in numbers.items():
        node = nodes[name]
        parts = {**({"keyInstructions": True} if atoms and node["node"] == "DISubprogram" else {}), **{key: value for key, value in node.items() if key not in ("node", "distinct")}, **(MORE.get(node["node"]) or {})}
        fields = ", ".join(f"{key}: {field(key, value, numbers)}" for key, value in parts.items())
        text.append(f"!{number} = {'distinct ' if node.get('distinct') else ''}!{node['node']}({fields})\n")
    units = ", ".join(f"!{number}" for name, number in numbers.items() if nodes[name]["node"] == "DICompileUnit")
    text.append(f'!llvm.dbg.cu = !{{{units}}}\n!llvm.module.flags = !{{!{len(numbers)}}}\n!{len(numbers)} = !{{i32 2, !"Debug Info Version", i32 3}}\n')
    return "".join(text), places


def call(release: int, tool: str, *options: str, text: str | None = None) -> str:
    done = subprocess.run([f"/usr/lib/llvm-{release}/bin/{tool}", *options], input=text, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise Unasked(done.stderr)
    return done.stdout


@functools.lru_cache(1)
def compiled(release: int, folder: str, text: str) -> tuple[str, dict[str, int]]:
    """An object of the module, and where its functions begin."""
    path = os.path.join(folder, "hidden.o")
    call(release, "llc", "-O0", "-filetype=obj", "-o", path, "-", text=text)
    return path, {name: int(at, 16) for at, name in re.findall(r"^([0-9a-f]+) T (\w+)$", call(release, "llvm-nm", path), re.MULTILINE)}


def frames_of(release: int, folder: str, nodes: Nodes, locations: Iterable[str]) -> list[Frames]:
    """The frames of each location."""
    wanted = list(locations)
    if not wanted:
        return []
    text, places = module(nodes, wanted)
    path, starts = compiled(release, folder, text)
    shown = call(release, "llvm-symbolizer", "--output-style=JSON", f"--obj={path}", *(hex(starts[function] + at) for function, at in places))
    answers = [answer for line in shown.splitlines() for answer in as_list(json.loads(line))]
    return [[(symbol["FunctionName"], symbol["FileName"], symbol["Line"], symbol["Column"], symbol["Discriminator"]) for symbol in answer["Symbol"]] for answer in answers]


def read_position(vector: Vector, release: int, folder: str) -> bool:
    """Are two instructions at one source location? They are when they have the same frames, in the same DIEs."""
    args, value, nodes = vector["args"], vector["expect"].get("value", {}), all_nodes(vector)
    if not isinstance(args, dict) or args.get("by") != "position" or set(args) != {"by", "locations"} or set(value) != {"equal"} or None in args["locations"]:
        return False
    try:
        locations = [bare(nodes, name) for name in args["locations"]]
        frames = frames_of(release, folder, nodes, locations)
        text, places = module(nodes, locations)
        path, starts = compiled(release, folder, text)
        dies = [re.findall(r"^(0x[0-9a-f]+): +DW_TAG", call(release, "llvm-dwarfdump", f"--lookup={hex(starts[function] + at)}", path), re.MULTILINE) for function, at in places]
    except (Unasked, KeyError):
        return False
    return bool((frames[0] == frames[1] and dies[0] == dies[1]) == value["equal"] and all(dies))


def as_list(answers: Any) -> list[Any]:
    """Answers are one a line, or all of them in one list."""
    return answers if isinstance(answers, list) else [answers]


# ---- Locations and their layers ----

def content(nodes: Nodes, name: str, others: dict[str, str], open_: tuple[str, ...] = ()) -> Any:
    """A node without its name and those of its uniqued nodes; a node that stands for another is that one."""
    name = others.get(name, name)
    node = nodes[name]
    if node.get("distinct") or name in open_:
        return name

    def of(value: Any) -> Any:
        if isinstance(value, str) and value in nodes:
            return content(nodes, value, others, (*open_, name))
        if isinstance(value, dict):
            return tuple((key, of(part)) for key, part in sorted(value.items()))
        return tuple(map(of, value)) if isinstance(value, list) else value
    return tuple((key, of(value)) for key, value in sorted(node.items()) if value not in (0, "0", None))


def bare(nodes: Nodes, name: str) -> str:
    """The location without layers; of the form irlayers, a new node without lists on its chain."""
    node = nodes[name]
    if node["node"] == "composite":
        return str(node["primary"])
    if node["node"] != "DILocation":
        raise Unasked(name)
    made = {key: value for key, value in node.items() if key != "irlayers"}
    if "inlinedAt" in made and made["inlinedAt"]:
        made["inlinedAt"] = bare(nodes, made["inlinedAt"])
    if made == node:
        return name
    nodes[f"{name}-bare"] = made
    return f"{name}-bare"


def chain(nodes: Nodes, name: str) -> list[str]:
    """The locations of a location's frames, innermost first. A composite is the first itself."""
    found = [name]
    at = nodes[name]["primary"] if nodes[name]["node"] == "composite" else name
    while at := nodes[at].get("inlinedAt"):
        found.append(at)
    return found


def layers(nodes: Nodes, name: str, others: dict[str, str]) -> Any:
    """The layers of one frame; None: it has none."""
    node = nodes[name]
    if node["node"] == "composite":
        return ("distinct" if node.get("distinct") else "", tuple((layer["kind"], content(nodes, layer["location"], others)) for layer in node["layers"]))
    return content(nodes, node["irlayers"], others) if "irlayers" in node else None


def head(nodes: Nodes, name: str) -> str:
    return subprogram_of(nodes, nodes[name]["primary"] if nodes[name]["node"] == "composite" else name)


def without_number(nodes: Nodes, name: str, numbered: list[bool]) -> Any:
    """The content of a location whose frames that have numbers lose the block files of these."""
    node = dict(nodes[name])
    if numbered[0]:
        block = nodes[node["scope"]]
        if block["node"] != "DILexicalBlockFile":
            raise Unasked(name)
        node["scope"] = block["scope"]
    node["line"] = 0 if int(node.get("line", 0)) == STANDS_FOR_0 else node.get("line", 0)
    outer = node.pop("inlinedAt", None)
    distinct = node.pop("distinct", False)
    rest = without_number(nodes, outer, numbered[1:]) if outer else None
    return (bool(distinct), {**node, "line": int(node.get("line", 0)), "column": int(node.get("column", 0)), "scope": content(nodes, node["scope"], {})}, rest)


def as_frames(frames: Frames) -> list[tuple[str, str, int, int]]:
    return [(function, file, 0 if line == STANDS_FOR_0 else line, column) for function, file, line, column, _ in frames]


def same_primary(nodes: Nodes, numbered: str, frames: Frames, plain: str, plain_frames: Frames) -> bool:
    """Is a location with numbers, which LLVM shows so, the other one but for them?"""
    return (as_frames(frames) == as_frames(plain_frames) and
            without_number(nodes, numbered, [bool(frame[4]) for frame in frames]) == without_number(nodes, plain, [False] * len(frames)))


def all_nodes(vector: Vector) -> Nodes:
    return {**vector.get("nodes", {}), **vector["expect"].get("value", {}).get("nodes", {})}


def read_hide(vector: Vector, release: int, folder: str) -> bool:
    args, value, nodes = vector["args"], vector["expect"].get("value", {}), all_nodes(vector)
    columns = args.get("in") == "column" and set(args) == {"in", "locations"}
    if not columns and set(args) - {"locations", "records", "first", "step"} or set(value) - {"results", "records", "layers", "nodes"} or "layers" not in value or "module" in vector:
        return False
    try:
        return (hides_columns if columns else hides)(nodes, args, value, release, folder)
    except (Unasked, KeyError, IndexError, ValueError):
        return False


def hides(nodes: Nodes, args: dict[str, Any], value: dict[str, Any], release: int, folder: str) -> bool:
    first, step = int(args.get("first", 1)), int(args.get("step", 1))
    pairs = [(one, other) for one, other in zip([*args["locations"], *args.get("records", [])], [*value["results"], *value.get("records", [])], strict=True) if one or other]
    if any(None in pair for pair in pairs):
        return False
    plain = [bare(nodes, one) for one, _ in pairs]
    frames = frames_of(release, folder, nodes, [*(other for _, other in pairs), *plain])
    entries: list[Any] = []
    for (one, other), shown, primary, before in zip(pairs, frames, plain, frames[len(pairs):]):
        if not same_primary(nodes, other, shown, primary, before):
            return False
        for frame, place, was in zip(chain(nodes, one), shown, before, strict=True):
            others = {name: head(nodes, frame) for name, node in nodes.items() if node.get("name") == STAND_IN and node["file"] == nodes[head(nodes, frame)]["file"]}
            own, number = layers(nodes, frame, {}), place[4]
            if (own is not None or was[4] != 0) != (number != 0):
                return False
            if not number:
                continue
            index, rest = divmod(number - first, step)
            known = [at for at, entry in enumerate(value["layers"]) if is_entry(nodes, entry, was[4]) and layers(nodes, entry, others) == own]
            if rest or index not in known or index > len(entries):
                return False
            entries += [index] if index == len(entries) else []
    return len(entries) == len(value["layers"]) and (bool(entries) or bool(pairs))


def is_entry(nodes: Nodes, name: str, discriminator: int) -> bool:
    """Is it a location of line 0 in the stand-in, below a block file for the discriminator that the location had?"""
    node = nodes[nodes[name].get("primary", name)]
    scope = nodes[node["scope"]]
    if discriminator:
        if scope["node"] != "DILexicalBlockFile" or int(scope["discriminator"]) != discriminator or scope["file"] != nodes[scope["scope"]]["file"]:
            return False
        scope = nodes[scope["scope"]]
    return (node["node"] == "DILocation" and set(node) <= {"node", "line", "scope", "irlayers", "distinct"} and int(node.get("line", 0)) == 0 and
            scope == {"node": "DISubprogram", "distinct": True, "name": STAND_IN, "file": scope.get("file")})


def read_reveal(vector: Vector, release: int, folder: str) -> bool:
    """Locations with numbers in discriminators, or in lines, after a pass; problems are numbers that nothing hidden has."""
    args, value, nodes = vector["args"], vector["expect"].get("value", {}), all_nodes(vector)
    if set(args) == {"hidden", "kinds", "onto"} and set(args["onto"]) == {"locations"} and set(value) <= {"results", "nodes"} and "results" in value:
        try:
            return reveals_kinds(nodes, args, value, release, folder)
        except (Unasked, KeyError, IndexError, ValueError):
            return False
    if set(args) - {"hidden", "locations", "onto"} or "locations" not in args or set(value) - {"results", "nodes", "problems"} or "results" not in value or "module" in vector:
        return False
    if set(args) == {"hidden", "locations"} and all(set(hidden) == {"locations", "in"} for hidden in args["hidden"]) and len(args["hidden"]) == 1:
        try:
            return reveals_columns(nodes, args, value, release, folder)
        except (Unasked, KeyError, IndexError, ValueError):
            return False
    if any(set(hidden) - {"locations", "first", "step", "lines"} for hidden in args["hidden"]) or set(args.get("onto", {})) - {"locations", "strict", "subprogram"}:
        return False
    try:
        return reveals(nodes, args, value, release, folder)
    except (Unasked, KeyError, IndexError, ValueError):
        return False


def numbers_of(nodes: Nodes, modules: list[dict[str, Any]]) -> dict[int, str]:
    """The frame whose layers each number of hidden modules stands for."""
    found: dict[int, str] = {}
    for hidden in modules:
        met: list[Any] = []
        for location in (name for name in hidden["locations"] if name):
            if int(nodes[nodes[bare(nodes, location)]["scope"]].get("discriminator", 0)):
                raise Unasked(location)
            for frame in chain(nodes, location):
                own = layers(nodes, frame, {})
                if own is not None and own not in met:
                    met.append(own)
                    found[int(hidden.get("first", 1)) + (len(met) - 1) * int(hidden.get("step", 1))] = frame
    return found


def sharing(nodes: Nodes, locations: list[str]) -> list[list[int]]:
    """The first location that has each frame, by depth: some frames are one node."""
    chains = [chain(nodes, name) for name in locations]
    return [[next(at for at, other in enumerate(chains) if frame in other) for frame in frames] for frames in chains]


def wanted_layers(nodes: Nodes, number: int, numbers: dict[int, str], base: str, depth: int) -> Any:
    """The layers of a frame that has a number: they are where the code is now. Layers that the base has stay; a tuple has those of the innermost frame alone."""
    own = layers(nodes, chain(nodes, base)[depth], {})
    if own is not None or number not in numbers:
        return own
    entry = numbers[number]
    if nodes[entry]["node"] == "composite" and depth:
        return None
    return layers(nodes, entry, {head(nodes, entry): head(nodes, base)} if head(nodes, entry) != head(nodes, base) else {})


def reveals(nodes: Nodes, args: dict[str, Any], value: dict[str, Any], release: int, folder: str) -> bool:
    """Each result is a location with numbers without them, or one of the module that gets the layers, with the layers of the numbers that LLVM shows."""
    results, numbered, in_lines = value["results"], args["locations"], any(hidden.get("lines") for hidden in args["hidden"])
    onto = args.get("onto", {}).get("locations")
    bases, numbers = onto or numbered, numbers_of(nodes, args["hidden"])
    if [one is None for one in bases] != [one is None for one in results]:
        return False
    at = [index for index, result in enumerate(results) if result is not None]
    plain, before = [bare(nodes, results[index]) for index in at], [bare(nodes, bases[index]) for index in at]
    asked = list(dict.fromkeys(name for name in numbered if name is not None))
    frames = frames_of(release, folder, nodes, [*plain, *before, *asked])
    told = dict(zip(asked, frames[2 * len(at):]))
    problems = []
    for index, primary, base, shown, old in zip(at, plain, before, frames, frames[len(at):]):
        its = [0 if in_lines and frame[3] else frame[2 if in_lines else 4] for frame in told.get(numbered[index], [])]
        unknown = [number for number in its if number and number not in numbers]
        problems += [{"reason": "reveal.number", "at": index} for _ in unknown]
        kept = onto or unknown
        same = shown == old and without_number(nodes, primary, [False] * len(shown)) == without_number(nodes, base, [False] * len(old))
        if not (same if kept else same_primary(nodes, base, old, primary, shown)):
            return False
        for depth, frame in enumerate(chain(nodes, results[index])):
            if layers(nodes, frame, {}) != wanted_layers(nodes, its[depth] if depth < len(its) else 0, numbers, bases[index], depth):
                return False
    return (sharing(nodes, [results[index] for index in at]) == sharing(nodes, [bases[index] for index in at]) and bool(asked) and
            problems == [{**problem, "at": int(problem["at"])} for problem in value.get("problems", [])])


# ---- Numbers in columns ----

def in_column(nodes: Nodes, name: str, column: int) -> Any:
    """The content of a location with another column."""
    node = {**nodes[name], "column": column}
    nodes[f"{name}-{column}"] = node
    return without_number(nodes, f"{name}-{column}", [False] * len(chain(nodes, name)))


def single(frames: Frames) -> tuple[str, int, int]:
    """File, line and column of a location that is not inlined, has a line and no discriminator."""
    if len(frames) != 1 or not frames[0][2] or frames[0][4]:
        raise Unasked("a chain, line 0 or a discriminator")
    return frames[0][1:4]


def hides_columns(nodes: Nodes, args: dict[str, Any], value: dict[str, Any], release: int, folder: str) -> bool:
    """Each result has a number in its column, as LLVM shows it: the entries of its line and file count from 1."""
    pairs = list(zip(args["locations"], value["results"], strict=True))
    plain = [bare(nodes, one) for one, _ in pairs]
    frames = list(map(single, frames_of(release, folder, nodes, [*plain, *(other for _, other in pairs)])))
    entries: list[tuple[tuple[str, int, int], Any]] = []
    for (one, other), primary, before, after in zip(pairs, plain, frames, frames[len(pairs):]):
        own = layers(nodes, one, {})
        if own is None and before[2] == 0:
            if one != other:
                return False
            continue
        if (before, own) not in entries:
            entries.append((before, own))
        number = [entry for entry in entries if entry[0][:2] == before[:2]].index((before, own)) + 1
        if after != (*before[:2], number) or in_column(nodes, primary, number) != without_number(nodes, other, [False]):
            return False
    return bool(entries) and len(entries) == len(value["layers"]) and all(
        is_column_entry(nodes, name, place, own, head(nodes, pairs[0][0])) for name, (place, own) in zip(value["layers"], entries))


def is_column_entry(nodes: Nodes, name: str, place: tuple[str, int, int], own: Any, subprogram: str) -> bool:
    """Has an entry the place of the primary, in a block file of the stand-in, and its layers?"""
    node = nodes[nodes[name].get("primary", name)]
    scope = nodes[node["scope"]]
    stand_in = nodes[scope["scope"]]
    file = nodes[scope["file"]]
    return (set(node) == {"node", "line", "column", "scope"} and scope["node"] == "DILexicalBlockFile" and int(scope["discriminator"]) == 0 and
            stand_in == {"node": "DISubprogram", "distinct": True, "name": STAND_IN, "file": nodes[subprogram]["file"]} and
            (BASE + f"{file['directory']}/{file['filename']}", int(node["line"]), int(node["column"])) == (BASE + place[0].removeprefix(BASE), *place[1:]) and
            layers(nodes, name, {scope["scope"]: subprogram}) == own)


def reveals_columns(nodes: Nodes, args: dict[str, Any], value: dict[str, Any], release: int, folder: str) -> bool:
    """A column that is a number of its line and file becomes the column of the entry, with the layers of the entry."""
    hidden = [name for part in args["hidden"] for name in part["locations"]]
    plain, results = [bare(nodes, name) for name in hidden], value["results"]
    frames = list(map(single, frames_of(release, folder, nodes, [*plain, *args["locations"]])))
    entries = list(dict.fromkeys((place, layers(nodes, name, {})) for name, place in zip(hidden, frames) if place[2] or layers(nodes, name, {})))
    problems = []
    for at, (name, result, place) in enumerate(zip(args["locations"], results, frames[len(hidden):], strict=True)):
        same = [entry for entry in entries if entry[0][:2] == place[:2]]
        if place[2] > len(same):
            problems.append({"reason": "reveal.number", "at": at})
        column, own = (same[place[2] - 1][0][2], same[place[2] - 1][1]) if 0 < place[2] <= len(same) else (place[2], None)
        if layers(nodes, result, {}) != own or without_number(nodes, bare(nodes, result), [False]) != in_column(nodes, name, column):
            return False
    return problems == [{**problem, "at": int(problem["at"])} for problem in value.get("problems", [])] and bool(entries)


# ---- Places of layers ----

Place = tuple[str, str, int, int]  # kind, file, line, column


def written_place(nodes: Nodes, kind: str, file: str, node: dict[str, Any]) -> Place:
    """The place that fields say."""
    folder = nodes[file].get("directory", "")
    return (kind, f"{folder}/{nodes[file]['filename']}" if folder else nodes[file]["filename"], int(node.get("line", 0)), int(node.get("column", 0)))


def shown_places(nodes: Nodes, layers_: list[tuple[str, str]], release: int, folder: str) -> list[Place]:
    """The places of kinds' locations, as LLVM shows them. A location with a chain or a discriminator is more than a place."""
    frames = frames_of(release, folder, nodes, [location for _, location in layers_])
    if any(len(found) != 1 or found[0][4] for found in frames):
        raise Unasked("a chain")
    return [(kind, found[0][1].removeprefix(BASE), *found[0][2:4]) for (kind, _), found in zip(layers_, frames)]


def places_of(nodes: Nodes, name: str, release: int, folder: str) -> list[Place]:
    """The places of a location's layers: fields of a list, or what LLVM shows of a tuple's locations, which stand in the primary's subprogram."""
    node = nodes[name]
    if node["node"] == "composite":
        pairs = [(layer["kind"], layer["location"]) for layer in node["layers"]]
        if node.get("distinct") or any(nodes[location].get("distinct") or subprogram_of(nodes, location) != head(nodes, name) for _, location in pairs):
            raise Unasked(name)
        if any(set(nodes[location]) - {"node", "line", "column", "scope"} or nodes[nodes[location]["scope"]]["node"] not in ("DILexicalBlockFile", "DISubprogram") for _, location in pairs):
            raise Unasked(name)
        return shown_places(nodes, pairs, release, folder)
    if nodes[node.get("irlayers", name)]["node"] not in ("DILayerLocList", "DILocation"):
        raise Unasked(name)
    entries = [nodes[entry] for entry in nodes[node["irlayers"]]["operands"]] if "irlayers" in node else []
    if any(set(entry) - {"node", "line", "column", "file", "kind"} or entry["node"] != "DILayerLoc" for entry in entries) or "distinct" in nodes[node.get("irlayers", name)] and entries:
        raise Unasked(name)
    return [written_place(nodes, entry["kind"], entry["file"], entry) for entry in entries]


def same_bare(nodes: Nodes, one: str, other: str, release: int, folder: str) -> bool:
    """Are two locations without layers one, to LLVM and in their parts?"""
    first, second = bare(nodes, one), bare(nodes, other)
    frames = frames_of(release, folder, nodes, [first, second])
    plain = [False] * len(frames[0])
    return frames[0] == frames[1] and without_number(nodes, first, plain) == without_number(nodes, second, plain)


def read_convert(vector: Vector, release: int, folder: str) -> bool:
    """Locations that change their form and keep their texts: primaries stay, and so does each layer's place, which LLVM shows of a tuple."""
    args, value, nodes = vector["args"], vector["expect"].get("value", {}), all_nodes(vector)
    if set(args) != {"to", "locations"} or set(value) - {"results", "nodes"} or "results" not in value or "module" in vector:
        return False
    form = "irlayers" if args["to"] == "irlayers" else "layers"
    try:
        pairs = [(one, other) for one, other in zip(args["locations"], value["results"], strict=True) if one or other]
        for one, other in pairs:
            before, after = (places_of(nodes, name, release, folder) for name in (one, other))
            if before != after or bool(after) != (form in nodes[other]) or not after and one != other or not same_bare(nodes, one, other, release, folder):
                return False
        return bool(pairs) and sharing(nodes, [one for one, _ in pairs]) == sharing(nodes, [other for _, other in pairs])
    except (Unasked, KeyError, IndexError, ValueError):
        return False


def read_project(vector: Vector, release: int, folder: str) -> bool:
    """Instructions that get a layer's place: LLVM shows it. Without kind they have their primaries."""
    args, value, nodes = vector["args"], vector["expect"].get("value", {}), all_nodes(vector)
    if set(args) - {"locations", "subprogram", "kind"} or set(value) - {"results", "nodes"} or "results" not in value:
        return False
    try:
        for one, other in zip(args["locations"], value["results"], strict=True):
            if "kind" not in args:
                if (one is None) != (other is None) or other and ("irlayers" in nodes[other] or not same_bare(nodes, one, other, release, folder)):
                    return False
                continue
            found = [place for place in places_of(nodes, one, release, folder) if place[0] == args["kind"]] if one else []
            if found != (shown_places(nodes, [(args["kind"], other)], release, folder) if other else []) or other and subprogram_of(nodes, other) != head(nodes, one):
                return False
        return any(value["results"])
    except (Unasked, KeyError, IndexError, ValueError):
        return False


def reveals_kinds(nodes: Nodes, args: dict[str, Any], value: dict[str, Any], release: int, folder: str) -> bool:
    """Locations get a layer for each kind's module: the place of a block file without discriminator in a file in which the kind has layers, as LLVM shows it."""
    files: dict[str, set[str]] = {}
    for hidden in args["hidden"]:
        for name in (name for name in hidden["locations"] if name):
            for kind, path, *_ in places_of(nodes, name, release, folder):
                files.setdefault(kind, set()).add(path)
    bases, results = args["onto"]["locations"], value["results"]
    for at, (base, result) in enumerate(zip(bases, results, strict=True)):
        if base is None or result is None:
            raise Unasked("no location")
        wanted = places_of(nodes, base, release, folder)
        for part in args["kinds"]:
            name = part["locations"][at]
            scope = nodes[nodes[name]["scope"]] if name else {}
            if scope.get("node") != "DILexicalBlockFile":
                continue
            shown = frames_of(release, folder, nodes, [name])[0][0]
            path = shown[1].removeprefix(BASE)
            if not shown[4] and path in files.get(part["kind"], set()):
                wanted.append((part["kind"], path, *shown[2:4]))
        if places_of(nodes, result, release, folder) != wanted or not same_bare(nodes, base, result, release, folder):
            return False
    return bool(bases)


# ---- Primaries of a line table ----

FIRST_LINE = 77777  # of the function, and of the byte before the rows


def compiled_rows(rows: list[dict[str, Any]], release: int, folder: str) -> list[dict[str, Any]]:
    """The rows that llc writes for one sequence: an instruction for each row of the vector, which reaches to the next row. Another one stands before them, as the rows of a function's
    start are not asked for."""
    if any(set(row) - {"address", "line", "column", "discriminator", "flags"} for row in rows) or [("E" in row["flags"]) for row in rows] != [False] * (len(rows) - 1) + [True]:
        raise Unasked("a row of another kind")
    head = (f'!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n!1 = !DIFile(filename: "a.py", directory: "src")\n'
            f'!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: {FIRST_LINE}, spFlags: DISPFlagDefinition, unit: !0, type: !DISubroutineType(types: null))\n'
            f'!3 = !{{i32 2, !"Debug Info Version", i32 3}}\n!4 = !DILocation(line: {FIRST_LINE}, scope: !2)\n!llvm.dbg.cu = !{{!0}}\n!llvm.module.flags = !{{!3}}\n')
    body, nodes = '  call void asm sideeffect "nop", ""(), !dbg !4\n', ""
    for at, (row, following) in enumerate(zip(rows, rows[1:])):
        scope = "!2"
        if "discriminator" in row:
            scope = f"!{5 + 2 * at}"
            nodes += f"{scope} = !DILexicalBlockFile(scope: !2, file: !1, discriminator: {row['discriminator']})\n"
        nodes += f"!{6 + 2 * at} = !DILocation(line: {row['line']}, column: {row.get('column', 0)}, scope: {scope})\n"
        if following["address"] > row["address"]:
            body += f'  call void asm sideeffect "nop\\0A.skip {following["address"] - row["address"] - 1}", ""(), !dbg !{6 + 2 * at}\n'
    path = os.path.join(folder, "primary.o")
    text = f'target triple = "x86_64-unknown-linux-gnu"\ndefine void @f() nounwind !dbg !2 {{\n{body}  unreachable\n}}\n{head}{nodes}'
    call(release, "llc", "-O0", "-filetype=obj", "-o", path, "-", text=text)
    found = UNITS.shown(call(release, "llvm-dwarfdump", "--debug-line", path))[0]
    return [{"address": address - 1 + rows[0]["address"], "line": line, "column": column, "discriminator": discriminator, "flags": flags}
            for address, line, column, _, discriminator, _, flags in found if line != FIRST_LINE]


def padded(row: dict[str, Any]) -> dict[str, Any]:
    return {"column": 0, "discriminator": 0, **row}


def read_primary(vector: Vector, release: int, folder: str) -> bool:
    """A table with numbers that llc writes, too, and the primary's table: llc writes it for the same code without numbers, and with line 0 in place of the line that stands for it. The
    tables of layers are those that read_layer_lines asks for."""
    args, value = vector["args"], vector["expect"].get("value", {})
    if set(args) != {"rows"} or not {"primary", "kinds"} >= set(value) >= {"primary"}:
        return False
    rows, primary = list(map(integers, args["rows"])), list(map(integers, value["primary"]))
    law = {**vector, "clauses": ["layer-lines.change"], "expect": {"outcome": "ok", "value": {**value, "primary": list(map(without_discriminator, rows))}}}
    try:
        made: list[dict[str, Any]] = []
        wanted: list[dict[str, Any]] = []
        start = 0
        for end in (at + 1 for at, row in enumerate(rows) if "E" in row["flags"]):
            sequence = rows[start:end]
            if compiled_rows(sequence, release, folder) != list(map(padded, sequence)):
                return False
            made += compiled_rows([{**without_discriminator(row), "line": 0 if row["line"] == STANDS_FOR_0 else row["line"]} for row in sequence], release, folder)
            start = end
        wanted = list(map(padded, primary))
    except (Unasked, KeyError, IndexError):
        return False
    return start == len(rows) and made == wanted and read_layer_lines(law, release, folder)


# ---- Directives of layers ----

def read_emit(vector: Vector, release: int, folder: str) -> bool:
    """The directives of a function of tuples, without texts: a row each, in a table of the primaries and in one of each kind. At each instruction llvm-symbolizer shows in them what LLVM
    makes of its location and of its layers, and line 0 of a kind that it does not have any more. Nothing is written that changes nothing."""
    args, value, nodes = vector["args"], vector["expect"].get("value", {}), all_nodes(vector)
    if not isinstance(args, list) or set(value) != {"instructions"} or "module" in vector:
        return False
    try:
        return follows(nodes, args, value["instructions"], release, folder)
    except (Unasked, KeyError, IndexError, ValueError):
        return False


def layers_of(nodes: Nodes, name: str) -> dict[str | None, str]:
    """Location by kind."""
    if nodes[name]["node"] not in ("composite", "DILocation") or "irlayers" in nodes[name]:
        raise Unasked(name)
    found = {layer["kind"]: layer["location"] for layer in nodes[name].get("layers", [])}
    if len(found) != len(nodes[name].get("layers", [])):
        raise Unasked(name)
    return found


def follows(nodes: Nodes, locations: list[str | None], instructions: list[dict[str, Any]], release: int, folder: str) -> bool:
    named = [name for name in locations if name]
    parts: dict[str, dict[str | None, str]] = {name: {None: bare(nodes, name), **layers_of(nodes, name)} for name in named}
    asked = list(dict.fromkeys(location for found in parts.values() for location in found.values()))
    place = {location: (frames[0][1].removeprefix(BASE), *frames[0][2:4]) for location, frames in zip(asked, frames_of(release, folder, nodes, asked))}
    tables: dict[str | None, list[dict[str, Any]]] = {}
    last: dict[str | None, tuple[str, int, int]] = {}
    shown: dict[str | None, list[tuple[int, tuple[str, int, int]]]] = {}
    for at, (name, told) in enumerate(zip(locations, instructions, strict=True)):
        if name is None:
            if told:
                return False
            continue
        wanted: dict[str | None, tuple[str, int, int]] = {kind: place[location] for kind, location in parts[name].items()}
        ending = [kind for kind in last if kind is not None and kind not in wanted and last[kind][1]]
        if bool(told) != (bool(ending) or any(last.get(kind) != here for kind, here in wanted.items())) or bool(told) != ("primary" in told):
            return False
        order: list[str | None] = [*parts[name], *ending]
        directives = zip(order, [told["primary"], *told.get("layers", [])], strict=True) if told else []
        for kind, directive in directives:
            tables.setdefault(kind, []).append({"address": at, "flags": "s", **directive})
        last.update({kind: (last[kind][0], 0, 0) for kind in ending})
        last.update(wanted)
        for kind, here in last.items():
            shown.setdefault(kind, []).append((at, here))
    for kind, rows in tables.items():
        files = list(dict.fromkeys(row["file"] for row in rows))
        table = unit({}, program_of([{**row, "file": files.index(row["file"]) + 1} for row in rows] + [{"address": len(locations), "line": 1, "flags": "sE"}]),
                     tables_of([], [{"name": f"/{file}"} for file in files]))[0]
        answers = ask(release, folder, table, [at for at, _ in shown[kind]])
        if [(answer["FileName"].removeprefix("/"), answer["Line"], answer["Column"]) for answer in answers] != [here for _, here in shown[kind]]:
            return False
    return bool(len(tables) > 1 and set(tables) == set(shown))
