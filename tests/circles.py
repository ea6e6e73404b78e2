#!/usr/bin/env python3
"""usage: tests/circles.py

References between object files, by nm, and includes. No room refers to a room above it. Neither rooms nor files refer to each other in a circle,
but for what ALLOWED lists; a line of it that is not found any more is wrong, too. Headers are no files here: a circle of includes does not compile.
Ends with a line `N passed, N failed`. Environment: BUILD (default build).
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator, Mapping, TypeVar

ROOT = Path(__file__).resolve().parent.parent
OBJECTS = ROOT / os.environ.get("BUILD", "build") / "obj"
TOPS = ("model", "conformance", "tools")
T = TypeVar("T")
Graph = Mapping[T, set[T]]

# From the lowest to the highest. Rooms of one line may refer to each other, one way. `a/*` is every room below a.
LEVELS = """
model/nodes
model model/verify
model/ll model/bitcode
model/objects model/objects/*
conformance/document
conformance/ops
conformance/vector
conformance/run
conformance/adapters conformance/adapters/* conformance/reports conformance/experiments/*
tools/shell
tools/*
tools
playground playground/*
"""

# Every room may include it. Tables (.def) are data, and refer to nothing.
PUBLIC = "model/dloc.h"

# Circles that are allowed, each with its reason: at most MOST lines.
MOST = 1
ALLOWED = {
    "files in a circle: conformance/ops/{graph,read,term}": "a graph is read by terms, and terms hold graphs",
}  # fmt: skip


def circles(graph: Graph[T]) -> list[frozenset[T]]:
    """The strongly connected components of more than one node."""
    found: list[frozenset[T]] = []
    number: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []

    def visit(node: T) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            group = frozenset(stack[stack.index(node) :])
            del stack[stack.index(node) :]
            found.extend([group] if len(group) > 1 else [])

    for node in graph:
        if node not in number:
            visit(node)
    return found


def references() -> dict[str, set[str]]:
    """For each source file, the files that define the symbols that it needs."""
    defines: dict[str, str] = {}
    objects = sorted(path for top in TOPS for path in (OBJECTS / top).rglob("*.o"))
    objects = [path for path in objects if source(path).exists()]  # not those of files that were moved
    needs: dict[str, set[str]] = {str(source(path).relative_to(ROOT)): set() for path in objects}
    for line in subprocess.check_output(["nm", "-A", "-P", *objects], text=True).splitlines():
        path, symbol, kind, *_ = line.split()
        name = str(source(Path(path.rstrip(":"))).relative_to(ROOT))
        if kind == "U":
            needs[name].add(symbol)
        elif kind.isupper():
            defines[symbol] = name
    return {name: {defines[symbol] for symbol in symbols if symbol in defines} - {name} for name, symbols in needs.items()}


def source(path: Path) -> Path:
    return ROOT / path.relative_to(OBJECTS).with_suffix(".c")


def includes() -> Iterator[tuple[str, str]]:
    for top in (*TOPS, "playground"):
        for path in (ROOT / top).rglob("*.[ch]"):
            for header in re.findall(r'^#include "(.+[.]h)"', path.read_text(), re.M):
                places = [path.parent / header, *(ROOT / folder / header for folder in TOPS)]
                found = next((place for place in places if place.exists()), None)
                if found and str(found.relative_to(ROOT)) != PUBLIC:
                    yield str(path.relative_to(ROOT)), str(found.relative_to(ROOT))


def told(group: frozenset[str]) -> str:
    """`model/verify/{node,scope}`: files without their ending."""
    folders: dict[str, list[str]] = {}
    for name in sorted(group):
        folders.setdefault(os.path.dirname(name), []).append(os.path.basename(name).removesuffix(".c"))
    return " ".join(f"{folder}/{{{','.join(names)}}}" for folder, names in folders.items())


def level_of(room: str) -> int:
    for level, rooms in enumerate(LEVELS.split("\n")):
        if any(room == one or one.endswith("*") and room.startswith(one[:-1]) for one in rooms.split()):
            return level
    raise LookupError(f"{room} has no line in LEVELS")


def main() -> int:
    files = references()
    edges = {(name, other) for name in files for other in files[name]} | set(includes())
    between: dict[tuple[str, str], list[str]] = {}
    for name, other in sorted(edges):
        if os.path.dirname(name) != os.path.dirname(other):
            between.setdefault((os.path.dirname(name), os.path.dirname(other)), []).append(f"{name} -> {other}")
    rooms = {room: {other for one, other in between if one == room} for room, _ in between}
    found = {line for (room, other), lines in between.items() if level_of(other) > level_of(room) for line in map("upwards: ".__add__, lines)}
    found |= {"rooms in a circle: " + " ".join(sorted(group)) for group in circles(rooms)}
    found |= {"files in a circle: " + told(group) for group in circles(files)}
    wrong = sorted(found - set(ALLOWED)) + [f"not found any more: {line}" for line in sorted(set(ALLOWED) - found)]
    sources = {str(path.relative_to(ROOT)) for top in TOPS for path in (ROOT / top).rglob("*.c")}
    elsewhere = {"conformance/run/preloaded.c"}  # a part of the tools that run, not of dloc
    wrong += [f"not compiled: {name}" for name in sorted(sources - set(files) - elsewhere)]
    if len(ALLOWED) > MOST:
        wrong.append(f"ALLOWED has {len(ALLOWED)} lines, {MOST} may be")
    print(*wrong, f"{len(files)} passed, {len(wrong)} failed", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
