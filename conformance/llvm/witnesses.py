#!/usr/bin/env python3
"""usage: conformance/llvm/witnesses.py

Programs of others that read what a vector is about, and the vectors that they confirm. Each gets the vector's input as a file and shows the whole value of its `expect`:
- NAME:dwarfdump, llvm-dwarfdump, gets the bytes of a line table (op units) and shows headers, rows, directories and files;
- NAME:symbolizer, llvm-symbolizer, gets DIEs and rows as an executable (op stack) and shows the frames of an address;
- NAME:strip, opt, gets two texts of a function (op code), takes debug info and names away, and prints the instructions;
- NAME:mlir, mlir-opt and mlir-translate, get texts of MLIR (op mlir): witness_mlir.py.
NAME is llvm-14, llvm-19 or llvm-22; a NAME that is not here is not asked. A witness of problems and of diagnostics is none: vectors that expect some are left to derivations.

Alone, it says what is wrong with the claims of vectors/CONFIRMED, and then changes each confirmed expectation a little: its witness has to disagree.
Ends with exit status 1 when something is wrong. Environment: DLOC (default build/dloc)."""
import copy
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from witness_mlir import read_mlir

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DLOC = os.environ.get("DLOC", "build/dloc")
RELEASES = (14, 19, 22)
Vector = dict[str, Any]
FRAME = ("function", "file", "line", "column", "discriminator")


def test(name: str) -> ModuleType:
    """tests/lines/NAME.py, which makes the files and reads the tools' output."""
    sys.path.insert(0, os.path.join(ROOT, "tests", "lines"))
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), os.path.join(ROOT, "tests", "lines", f"{name}.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


UNITS, STACKS = test("test-units"), test("test-stack-vectors")
# What llvm-dwarfdump does not show of a unit.
UNSEEN = {"actuals", "functions"}


def has_headers(units: list[dict[str, Any]], text: str) -> bool:
    """Are offset, end, version, sizes and place of the program of each unit what llvm-dwarfdump shows of it?"""
    shown = []
    for part in re.split(r"^debug_line\[", text, flags=re.MULTILINE)[1:]:
        numbers = {key: int(number, 0) for key, number in re.findall(r"^ *(\w+): (0x[0-9a-f]+|\d+)$", part, re.MULTILINE)}
        offset, wide, version = int(part.split("]")[0], 16), "format: DWARF64" in part, numbers.get("version", 0)
        start = offset + (12 if wide else 4)
        shown.append({"offset": offset, "end": start + numbers.get("total_length", 0), "version": version,
                      "program": start + 2 + (2 if version >= 5 else 0) + (8 if wide else 4) + numbers.get("prologue_length", 0),
                      "address_size": numbers.get("address_size"), "segment_selector_size": numbers.get("seg_select_size"), "offset_size": 8 if wide else 4})
    return len(shown) == len(units) and all(unit.get(key, mine[key]) == mine[key] for unit, mine in zip(units, shown) for key in mine)


def read_units(vector: Vector, release: int, folder: str) -> bool:
    value = vector["expect"].get("value", {})
    if vector["expect"]["outcome"] != "ok" or "problems" in value or "dialect" in vector["args"] or "names" in vector["args"]:
        return False
    if any(UNSEEN & set(unit) or any("context" in row or "function" in row for row in unit.get("rows", [])) for unit in value.get("units", [])):
        return False
    if not value.get("units") or UNITS.difference({**vector, "choices": {}}, release, folder):
        return False
    command = [f"/usr/lib/llvm-{release}/bin/llvm-dwarfdump", "--debug-line", os.path.join(folder, "input.o")]
    return has_headers(value["units"], subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20, check=False).stdout)


def read_stack(vector: Vector, release: int, folder: str) -> bool:
    args = dict(vector["args"])
    if vector["expect"]["outcome"] != "ok" or "frames" not in vector["expect"].get("value", {}) or args.pop("begins_at_0", False) or args.pop("address_size", 8) != 8:
        return False
    if set(args) - {"address", "dies", "rows"} or set(vector["expect"]["value"]) != {"frames"} or any(set(frame) - set(FRAME) for frame in vector["expect"]["value"]["frames"]):
        return False
    args, path = STACKS.numbers(args), os.path.join(folder, "stack")
    with open(path, "wb") as file:
        file.write(STACKS.executable(args))
    return bool(STACKS.expected({**vector, "choices": {}}, {}) == STACKS.llvm_symbolizer(release)(path, args["address"]))


def printed(text: str, release: int) -> tuple[str, list[str]] | None:
    """Head and body of the one function of a module, without debug info, names and numbers of attributes."""
    command = [f"/usr/lib/llvm-{release}/bin/opt", "-S", "-passes=strip", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=20, check=False)
    heads = re.findall(r"^define (.*?)(?: #\d+)? \{$", done.stdout, re.MULTILINE)
    if done.returncode or len(heads) != 1:
        return None
    body = done.stdout.split("{\n", done.stdout[:done.stdout.index("\ndefine ") + 1].count("{\n") + 1)[-1].split("\n}")[0]
    return heads[0], [re.sub(r" #\d+", "", line) for line in body.split("\n") if line.startswith("  ")]


def read_code(vector: Vector, release: int, _: str) -> bool:
    """Modules that LLVM reads, with one function and no metadata of its own, so that numbers of nodes are no matter."""
    base, made = (printed(vector["args"][side], release) for side in ("base", "made"))
    if vector["expect"]["outcome"] != "ok" or "constants" in vector["args"] or base is None or made is None:
        return False
    if base == made:
        return bool(vector["expect"].get("value") == {"same": True})
    if base[0] != made[0]:
        return bool(vector["expect"].get("value") == {"same": False, "base": None, "made": None})
    first = next((at for at, (one, other) in enumerate(zip(base[1], made[1])) if one != other), min(len(base[1]), len(made[1])))
    places = (first if first < len(lines) else None for lines in (base[1], made[1]))
    return bool(vector["expect"].get("value") == dict(zip(("same", "base", "made"), (False, *places))))


Reader = Callable[[Vector, str], bool]


def each(releases: tuple[int, ...], program: str, tool: str, read: Callable[[Vector, int, str], bool]) -> dict[str, Reader]:
    """A reader for each release of LLVM that has the tool here."""
    return {f"llvm-{release}:{program}": lambda vector, folder, release=release: read(vector, release, folder)  # type: ignore[misc]
            for release in releases if os.path.exists(f"/usr/lib/llvm-{release}/bin/{tool}")}


READERS: dict[str, dict[str, Reader]] = {
    "units": each(RELEASES, "dwarfdump", "llvm-dwarfdump", read_units),
    "stack": each(RELEASES, "symbolizer", "llvm-symbolizer", read_stack),
    "code": each(RELEASES, "strip", "opt", read_code),
    "mlir": each((19, 22), "mlir", "mlir-translate", read_mlir),
}


def is_confirmed(vector: Vector, name: str, folder: str) -> bool:
    return READERS[vector["op"]][name](vector, folder)


def witnesses(vectors: dict[str, Vector]) -> Iterator[tuple[str, list[str], set[str]]]:
    """Each witness, the vectors that it was asked about, and those that it confirms."""
    with tempfile.TemporaryDirectory(prefix="dloc-witness-") as folder:
        for op, readers in READERS.items():
            asked = [id for id, vector in vectors.items() if vector["op"] == op]
            for name in readers:
                yield name, asked, {id for id in asked if is_confirmed(vectors[id], name, folder)}


def changed_text(text: str) -> str:
    """Another word, or a text of MLIR with another location or one more operation."""
    if "() : (" not in text:
        return f"{text}x"
    other = text.replace("loc(unknown", 'loc("x":1:1', 1).replace(":1:", ":9:", 1)
    return other if other != text else text + '"x"() : () -> ()\n'


def changed_parts(value: Any) -> Iterator[Any]:
    """The value with one part changed, whichever it is: a number, a word, an item that is missing."""
    if isinstance(value, dict):
        yield from ({**value, key: other} for key, part in value.items() for other in changed_parts(part))
    elif isinstance(value, list):
        yield from ([*value[:at], other, *value[at + 1:]] for at, part in enumerate(value) for other in changed_parts(part))
        yield from ([*value[:at], *value[at + 1:]] for at in range(len(value)))
    else:
        yield value + 1 if isinstance(value, int) else changed_text(value)


def falsified(vector: Vector) -> Iterator[Vector]:
    """The vector with one thing in its value changed: a number, a word, an answer, an item that is missing."""
    if vector["expect"]["outcome"] == "reject":
        return
    value = vector["expect"]["value"]
    changes: list[dict[str, Any]]
    if vector["op"] == "code":
        changes = [{**value, "same": not value["same"]}] + ([{**value, "base": (value["base"] or 0) + 1}] if "base" in value else [])
    elif vector["op"] == "stack":
        frames = value["frames"]
        changes = [{"frames": [*frames[:i], {**frame, key: f"{frame[key]}x" if key == "function" else int(frame[key]) + 1}, *frames[i + 1:]]}
                   for i, frame in enumerate(frames) for key in frame if key in FRAME] + [{"frames": [*frames, {"function": "x"}]}]
    elif vector["op"] != "units":
        changes = list(changed_parts(value))
    else:
        changes = []
        for number, unit in enumerate(value["units"]):
            for i, row in enumerate(unit.get("rows", [])):
                for key in set(row) - {"op_index"}:
                    changed = copy.deepcopy(value)
                    changed["units"][number]["rows"][i][key] = "" if key == "flags" else int(row[key]) + 1
                    changes.append(changed)
            for key in {"offset", "end", "version", "program", "address_size"} & set(unit):
                changed = copy.deepcopy(value)
                changed["units"][number][key] += 1
                changes.append(changed)
            for key in {"rows", "files", "directories"} & set(unit):
                changed = copy.deepcopy(value)
                changed["units"][number][key].pop()
                changes.append(changed)
    yield from ({**vector, "expect": {**vector["expect"], "value": changed}} for changed in changes)


def main() -> None:
    listing = subprocess.run([DLOC, "fmt", "--to", "jsonl", "vectors"], check=True, capture_output=True, text=True)
    vectors = {vector["id"]: vector for vector in map(json.loads, listing.stdout.splitlines())}
    with open(os.path.join("vectors", "CONFIRMED"), encoding="ascii") as file:
        recorded = {id: (digest, set(names)) for id, digest, *names in map(str.split, file)}
    wrong = changed = 0
    for name, _, confirmed in witnesses(vectors):
        claimed = {id for id, (digest, names) in recorded.items() if name in names and digest == vectors[id]["digest"]}
        for id in sorted(claimed - confirmed):
            print(f"{id}: vectors/CONFIRMED says that {name} confirms it")
            wrong += 1
        with tempfile.TemporaryDirectory(prefix="dloc-witness-") as folder:
            for id in sorted(confirmed)[::8 if name.endswith((":dwarfdump", ":symbolizer")) and name.startswith("llvm") else 1]:
                for vector in falsified(vectors[id]):
                    changed += 1
                    if is_confirmed(vector, name, folder):
                        print(f"{id}: {name} does not notice that {json.dumps(vector['expect']['value'])} is not what was expected")
                        wrong += 1
    print(f"{changed} expectations changed, {wrong} errors")
    sys.exit(wrong > 0 or changed == 0)


if __name__ == "__main__":
    main()
