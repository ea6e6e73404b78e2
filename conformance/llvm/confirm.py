#!/usr/bin/env python3
"""usage: conformance/llvm/confirm.py [--check] LLVM|RUN.json...

Which expectations of the vectors does an LLVM confirm? LLVM is a bin directory, RUN.json what `dloc run --impl llvm --json` wrote. An LLVM confirms a
vector when it gave, under its own profile, what the vector's `expect` says. Agreement with an entry for another profile or alternative does not count.

An LLVM without layers (LLVM, not RUN.json) is also asked channel by channel: the primaries of two composites, and the two layers of each kind, as bare
locations. When each merges to what the vector expects of that channel, NAME:channels confirms the vector.

The programs of witnesses.py, which read line tables, stacks, code and MLIR, are asked as well, unless every argument is a RUN.json.

Writes vectors/CONFIRMED: lines `ID DIGEST LLVM...`. Keeps what other LLVMs confirmed of vectors that have not changed.
--check: says where vectors/CONFIRMED claims what these LLVMs do not confirm, and then ends with exit status 1.
Environment: DLOC (default build/dloc)."""
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from witnesses import witnesses

DLOC = os.environ.get("DLOC", "build/dloc")
LIST = "vectors/CONFIRMED"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def read_run(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return lines(file.read())


def run(*arguments: str) -> list[dict[str, Any]]:
    """The lines of a run. Differences are not judged here, so its exit status is of no interest."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        subprocess.run([DLOC, "run", "--quiet", "--json", "-o", path, *arguments], check=False)
        return read_run(path)


def results(run_lines: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in run_lines if "verdict" in line}


def read_vectors() -> dict[str, dict[str, Any]]:
    listing = subprocess.run([DLOC, "fmt", "--to", "jsonl", "vectors"], check=True, capture_output=True, text=True)
    return {vector["id"]: vector for vector in lines(listing.stdout)}


def expectations(vectors: dict[str, dict[str, Any]]) -> dict[str, tuple[str, str | None]]:
    """Each vector's `expect`, as the canonical text that runs have, and its digest."""
    def base(vector: dict[str, Any]) -> tuple[str, ...]:
        return (vector["since"], *(f"{choice}={taken}" for choice, taken in vector.get("with", {}).items()))

    model = {of: results(run("--impl", "model", "--profile", of[0], *(f"--choice={taken}" for taken in of[1:]), "vectors"))
             for of in sorted({base(vector) for vector in vectors.values()})}
    return {id: (vector["digest"], model[base(vector)][id]["expected"]) for id, vector in vectors.items()}


def channels_of(composite: dict[str, Any]) -> dict[str | None, str]:
    """Locations by kind, that of the primary under None; none of what is no composite, or has a kind twice."""
    layers = composite.get("layers", []) if composite.get("node") == "composite" else []
    by_kind = {layer["kind"]: layer["location"] for layer in layers}
    return {None: composite["primary"], **by_kind} if layers and len(by_kind) == len(layers) else {}


def channel_vectors(vector: dict[str, Any]) -> list[dict[str, Any]]:
    """A merge of two composites as merges of bare locations, one for each channel of both in which they differ."""
    value = vector["expect"].get("value", {})
    if vector["op"] != "merge" or len(vector["args"]) != 2 or None in [*vector["args"], value.get("result")]:
        return []
    nodes = {**vector["nodes"], **value.get("nodes", {})}
    first, second, result = (channels_of(nodes[name]) for name in [*vector["args"], value["result"]])
    bare = {name: node for name, node in vector["nodes"].items() if node["node"] != "composite"}
    new = {name: node for name, node in value.get("nodes", {}).items() if node["node"] != "composite"}
    return [{**vector, "id": f"{vector['id']}.{number}", "needs": ["merge"], "choices": {}, "profiles": {}, "nodes": bare,
             "args": [first[kind], second[kind]], "expect": {"outcome": "ok", "value": {"result": result[kind], "nodes": new}}}
            for number, kind in enumerate(first) if kind in second and kind in result and first[kind] != second[kind]]


def confirmed_by_channels(folder: str, vectors: dict[str, dict[str, Any]]) -> set[str]:
    """The vectors all of whose channels this LLVM merges as expected."""
    asked = {id: channel_vectors(vector) for id, vector in vectors.items()}
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for channel in sum(asked.values(), []):
            file.write(json.dumps({key: part for key, part in channel.items() if part != {} and key not in ("digest", "kills")}) +
                       "\n")
        file.flush()
        told = results(run("--impl", "llvm", "--llvm", folder, file.name))
    good = {id for id, result in told.items() if result["verdict"] == "as-expected" and result["outcome"] == "ok"}
    return {id for id, channels in asked.items() if channels and all(channel["id"] in good for channel in channels)}


def is_own(folder: str) -> bool:
    """The LLVM that this repository patches, with its switch for faults."""
    with open(os.path.join(folder, "llvm-as"), "rb") as file:
        return b"DLOC_FAULT" in file.read()


def name_of(argument: str, first_line: dict[str, Any]) -> str:
    """LLVM 22.1.8 with layers: llvm-22+layers; dloc-llvm-22+layers if it is the project's own. With irlayers: llvm-19+irlayers."""
    version, own = first_line["version"], os.path.isdir(argument) and is_own(argument)
    found = re.match(r"(\d+)(?:.* with (\w+))?", version)
    release, form = found.groups() if found else sys.exit(f"{argument}: version {version}")
    return f"{'dloc-' if own else ''}llvm-{release}" + (f"+{form}" if form else "")


def read_list() -> dict[str, tuple[str, set[str]]]:
    if not os.path.exists(LIST):
        return {}
    with open(LIST, encoding="ascii") as file:
        return {id: (digest, set(names)) for id, digest, *names in map(str.split, file)}


def write_list(confirmed: dict[str, tuple[str, set[str]]]) -> None:
    with open(LIST + ".new", "w", encoding="ascii") as file:
        for id in sorted(confirmed):
            digest, names = confirmed[id]
            file.write(" ".join([id, digest, *sorted(names)]) + "\n")
    os.rename(LIST + ".new", LIST)


def is_confirmed(result: dict[str, Any], digest: str, expected: str | None) -> bool:
    return (result["verdict"] == "as-expected" and result["outcome"] != "skipped" and result["digest"] == digest and
            result.get("expected") == expected)


def confirmations(argument: str, vectors: dict[str, dict[str, Any]], expected: dict[str, tuple[str, str | None]]) -> Iterator[tuple[str, Iterable[str], set[str]]]:
    """Names of an LLVM, each with the vectors that were asked and those that it confirms."""
    folder = os.path.isdir(argument)
    run_lines = run("--impl", "llvm", "--llvm", argument, "vectors") if folder else read_run(argument)
    name, told = name_of(argument, run_lines[0]), results(run_lines)
    yield name, told, {id for id in told if id in expected and is_confirmed(told[id], *expected[id])}
    if folder and "+" not in name:
        yield name + ":channels", vectors, confirmed_by_channels(argument, vectors)


def main(arguments: list[str]) -> None:
    if "--help" in arguments or "-h" in arguments:
        print(__doc__)
        sys.exit()
    check = arguments[:1] == ["--check"]
    for argument in arguments[check:]:
        if not os.path.exists(argument):
            sys.exit(f"conformance/llvm/confirm.py: {argument} is neither a folder nor a run; --help says more")
    if not arguments[check:]:
        sys.exit(__doc__)
    vectors = read_vectors()
    expected = expectations(vectors)
    recorded = {id: names for id, (digest, names) in read_list().items() if expected.get(id, "-")[0] == digest}
    now = {id: set(recorded.get(id, ())) for id in expected}
    wrong = 0
    everybody = [confirmations(argument, vectors, expected) for argument in arguments[check:]]
    if any(map(os.path.isdir, arguments[check:])):
        everybody.append(witnesses(vectors))
    for somebody in everybody:
        for name, asked, confirmed in somebody:
            for id in sorted(set(asked) & set(expected)):
                if name in now[id] and id not in confirmed:
                    print(f"{id}: {LIST} says that {name} confirms it")
                    wrong += 1
                (now[id].add if id in confirmed else now[id].discard)(name)
    listed = {id: (expected[id][0], names) for id, names in now.items() if names}
    others = sum(any(not name.startswith("dloc-") for name in names) for names in now.values())
    print(f"{len(expected)} vectors: {others} confirmed by somebody else's program, {len(listed) - others} by the project's own alone, "
          f"{len(expected) - len(listed)} by none")
    if check:
        sys.exit(wrong > 0)
    write_list(listed)


main(sys.argv[1:])
