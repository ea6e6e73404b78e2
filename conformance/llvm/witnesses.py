#!/usr/bin/env python3
"""usage: conformance/llvm/witnesses.py [all]

Programs of others that answer a question of a vector, and the vectors that they confirm. Each shows the whole value of the vector's `expect`:
- NAME:dwarfdump, llvm-dwarfdump, gets the bytes of a line table (op units) or its instructions (lines), and shows headers, rows, directories, files and what is wrong with them;
- NAME:symbolizer, llvm-symbolizer, gets DIEs and rows as an executable (op stack), as addr2line and eu-addr2line do, or tables of layers (layer_lookup, layer-lines, layer-sections, select): witness_layers.py;
- NAME:strip, opt, gets two texts of a function (op code), takes debug info and names away, and prints the instructions;
- NAME:library, LLVM's functions, get locations (ops merge, equal, copy, print and discriminator): witness_locations.py;
- NAME:bcanalyzer, llvm-bcanalyzer, shows records of bitcode for instructions (op encode): witness_bitcode.py;
- NAME:dis, llvm-dis, gets records of bitcode (op decode): witness_records.py;
- NAME:mlir, mlir-opt and mlir-translate, get texts of MLIR (op mlir): witness_mlir.py;
- NAME:llc, llc and llvm-symbolizer, get locations as instructions (ops hide, reveal, emit, convert, project and equal): witness_hidden.py;
- NAME:llc gets layers as instructions (op source): witness_sources.py;
- NAME:projection and NAME:marks, opt, get vectors without layers (ops merge, and inline, hoist, outline and strip): witness_projection.py;
- libdw and libdwarf get tables with opcodes of their own (ops lines, contexts, cubin and two-level): witness_tables.py;
- readelf and libdwarf print whole tables (op units): witness_dumps.py;
- NAME:mc, llvm-mc, and as get rows as .loc directives (op program): witness_assembler.py.
NAME is llvm-14, llvm-19 or llvm-22; a program that is not here is not asked.

Alone, it says what is wrong with the claims of vectors/CONFIRMED, and then changes some confirmed expectations, or all of them, a little: each witness has to disagree.
Ends with exit status 1 when something is wrong. Environment: DLOC (default build/dloc)."""
import concurrent.futures
import copy
import functools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

from line_programs import object_of, unit
from line_tests import STACKS, UNITS
from witness_assembler import read_gnu_program, read_program
from witness_bitcode import read_encode
from witness_dumps import read_operations, read_prototype, read_readelf
from witness_hidden import read_convert, read_emit, read_hide, read_position, read_primary, read_project, read_reveal
from witness_layers import read_layer_lines, read_layer_sections, read_lookup, read_select
from witness_locations import is_here, read_locations
from witness_mlir import read_mlir
from witness_projection import QUESTIONS, agreed, asked
from witness_records import read_decode
from witness_sources import read_source
from witness_tables import Libdw, complaints, read_contexts, read_cubin, read_nvidia, read_two_level, same_complaints, whole, written

DLOC = os.environ.get("DLOC", "build/dloc")
RELEASES = (14, 19, 22)
Vector = dict[str, Any]
Reader = Callable[[Vector, str], bool]
FRAME = ("function", "file", "line", "column", "discriminator")


# Fields of a unit that llvm-dwarfdump does not show.
UNSEEN = {"actuals", "functions"}


def has_headers(units: list[dict[str, Any]], text: str, size: int) -> bool:
    """Are offset, end, version, sizes and place of the program of each unit what llvm-dwarfdump shows of it? A unit that is not read, whose program is where it ends, reaches
    to the next one, and it may show no version of it."""
    shown: dict[int, dict[str, int | None]] = {}
    for part in re.split(r"^debug_line\[", text, flags=re.MULTILINE)[1:]:
        numbers = {key: int(number, 0) for key, number in re.findall(r"^ *(\w+): (0x[0-9a-f]+|\d+)$", part, re.MULTILINE)}
        offset, wide, version = int(part.split("]")[0], 16), "format: DWARF64" in part, numbers.get("version", 0)
        start = offset + (12 if wide else 4)
        shown[offset] = {"offset": offset, "end": min(start + numbers.get("total_length", 0), size), "version": version,
                         "program": min(start + 2 + (2 if version >= 5 else 0) + (8 if wide else 4) + numbers.get("prologue_length", 0), size),
                         "address_size": numbers.get("address_size"), "segment_selector_size": numbers.get("seg_select_size"), "offset_size": 8 if wide else 4}
    for told, following in zip(units, [*(told["offset"] for told in units[1:]), size]):
        unread = told["program"] == told["end"] and not {"rows", "files", "directories"} & set(told)
        mine: dict[str, int | None] = {"version": 0, **shown.pop(told["offset"], {})}
        mine.update({"end": following, "program": following} if unread else {})
        if told["end"] != following or ("offset" not in mine and not unread) or any(told.get(key, mine[key]) != mine[key] for key in mine):
            return False
    return not shown


def has_files(vector: Vector, text: str) -> bool:
    """Have the files the numbers that llvm-dwarfdump shows? A number that it does not show has no name."""
    numbers = [int(number) for number in re.findall(r"^file_names\[ *(\d+)\]:", text, re.MULTILINE)]
    files = [file for unit in vector["expect"]["value"]["units"] for file in unit.get("files", [])]
    paths = {file["number"]: file["path"] for file in files}
    return (numbers == [int(file["number"]) for file in files] and
            vector["expect"]["value"].get("names", []) == [paths.get(int(number), "") for number in vector["args"].get("names", [])])


def read_units(vector: Vector, release: int, folder: str) -> bool:
    value = vector["expect"].get("value", {})
    if vector["expect"]["outcome"] != "ok" or "dialect" in vector["args"]:
        return False
    if any(UNSEEN & set(unit) or any("context" in row or "function" in row for row in unit.get("rows", [])) for unit in value.get("units", [])):
        return False
    if not value.get("units") or UNITS.difference({**vector, "choices": {}}, release, folder):
        return False
    path = os.path.join(folder, "input.o")
    command = [f"/usr/lib/llvm-{release}/bin/llvm-dwarfdump", "--debug-line", path]
    text = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20, check=False).stdout
    return (has_headers(value["units"], text, len(UNITS.bytes_of(vector["args"]["bytes"]))) and has_files(vector, text) and
            ("problems" not in value or same_complaints(release, path, value)))


def read_lines(vector: Vector, release: int, folder: str) -> bool:
    """A program as the only unit of a table. An end_sequence ends a sequence, and so does the end of the program; a problem stands at the instruction of its place."""
    value, program = vector["expect"].get("value", {}), vector["args"]["program"]
    if "dialect" in vector["args"].get("header", {}) or not {"sequences", "problems"} & set(value) or any("isa" in row for row in value["rows"]):
        return False
    try:
        table, starts = unit(vector["args"].get("header", {}), program)
    except (KeyError, struct.error):
        return False
    path = written(folder, object_of({".debug_line": table}))
    text = subprocess.run([f"/usr/lib/llvm-{release}/bin/llvm-dwarfdump", "--debug-line", path], capture_output=True, text=True, errors="replace", timeout=20, check=False).stdout
    rows = UNITS.shown(text)[0]
    wanted = [tuple(whole(row)[key] if key != "op_index" or " OpIndex" in text else None for key in ("address", "line", "column", "file", "discriminator", "op_index", "flags"))
              for row in value["rows"]]
    ends = [0, *(at + 1 for at, row in enumerate(rows) if "E" in row[-1]), len(rows)]
    lengths = [end - start for start, end in zip(ends, ends[1:]) if end > start]
    told = complaints(release, path, [{"end": len(table)}])
    places = {**{start: at for at, start in enumerate(starts)}, len(table): len(program), 0: 0}
    problems = [{"reason": problem["reason"], "at": places.get(problem["at"], -1)} for problem in told or []]
    return (told is not None and rows == wanted and [int(length) for length in value.get("sequences", lengths)] == lengths and
            [{**problem, "at": int(problem["at"])} for problem in value.get("problems", [])] == problems)


def read_stack(vector: Vector, release: int, folder: str) -> bool:
    return stands(vector, STACKS.llvm_symbolizer(release), FRAME, folder)


def by_addr2line(program: str, shows: tuple[str, ...]) -> dict[str, Reader]:
    """A reader that shows some fields of frames: it confirms frames whose other fields are 0."""
    ask = STACKS.TOOLS[program].ask
    return {program: lambda vector, folder: stands(vector, ask, shows, folder)} if shutil.which(program) else {}


def stands(vector: Vector, ask: Callable[[str, int], Any], shows: tuple[str, ...], folder: str) -> bool:
    """Are these the frames of the address?"""
    args = dict(vector["args"])
    if vector["expect"]["outcome"] != "ok" or "frames" not in vector["expect"].get("value", {}) or args.pop("begins_at_0", False) or args.pop("address_size", 8) != 8:
        return False
    if set(args) - {"address", "dies", "rows", "program"} or set(vector["expect"]["value"]) != {"frames"} or any(set(frame) - set(FRAME) for frame in vector["expect"]["value"]["frames"]):
        return False
    args, path = STACKS.numbers(args), os.path.join(folder, "stack")
    with open(path, "wb") as file:
        file.write(STACKS.executable(args))
    wanted = STACKS.expected({**vector, "choices": {}}, {})
    return bool(wanted == ask(path, args["address"]) and not any(getattr(frame, key) for frame in wanted for key in set(FRAME) - set(shows)))


def printed(text: str, release: int) -> tuple[str, list[str]] | None:
    """Head and body of the one function of a module, without debug info, names and numbers of attributes; nothing of a module without one."""
    command = [f"/usr/lib/llvm-{release}/bin/opt", "-S", "-disable-verify", "-passes=strip", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=20, check=False)
    heads = re.findall(r"^define (.*?)(?: #\d+)? \{$", done.stdout, re.MULTILINE)
    if done.returncode or len(heads) > 1:
        return None
    if not heads:
        return "", []
    body = done.stdout.split("{\n", done.stdout[:done.stdout.index("\ndefine ") + 1].count("{\n") + 1)[-1].split("\n}")[0]
    return heads[0], [re.sub(r" #\d+", "", line) for line in body.split("\n") if line.startswith("  ")]


def read_code(vector: Vector, release: int, _: str) -> bool:
    """Modules that LLVM reads, with at most one function and no metadata of their own, so that numbers of nodes are no matter."""
    base, made = (printed(vector["args"][side], release) for side in ("base", "made"))
    if vector["expect"]["outcome"] != "ok" or "constants" in vector["args"] or base is None or made is None:
        return False
    if base == made:
        return bool(vector["expect"].get("value") == {"same": True})
    if base[0] != made[0] and base[1] and made[1]:
        return bool(vector["expect"].get("value") == {"same": False, "base": None, "made": None})
    first = next((at for at, (one, other) in enumerate(zip(base[1], made[1])) if one != other), min(len(base[1]), len(made[1])))
    places = (first if first < len(lines) else None for lines in (base[1], made[1]))
    return bool(vector["expect"].get("value") == dict(zip(("same", "base", "made"), (False, *places))))


def each(releases: tuple[int, ...], program: str, tool: str, read: Callable[[Vector, int, str], bool]) -> dict[str, Reader]:
    """A reader for each release of LLVM that has the tool here."""
    return {f"llvm-{release}:{program}": lambda vector, folder, release=release: read(vector, release, folder)  # type: ignore[misc]
            for release in releases if os.path.exists(f"/usr/lib/llvm-{release}/bin/{tool}")}


def by_libdw(read: Callable[[Vector, str, Libdw], bool]) -> dict[str, Reader]:
    """A reader that has the library, if it is here."""
    try:
        libdw = Libdw()
    except (OSError, AttributeError):
        return {}
    return {"libdw": lambda vector, folder: read(vector, folder, libdw)}


def if_here(tool: str, name: str, read: Reader) -> dict[str, Reader]:
    """A reader that has a program on PATH."""
    return {name: read} if shutil.which(tool) else {}


READERS: dict[str, dict[str, Reader]] = {
    "units": {**each(RELEASES, "dwarfdump", "llvm-dwarfdump", read_units), **if_here("readelf", "readelf", read_readelf), **if_here("dwarfdump", "libdwarf", read_prototype)},
    "program": {**each(RELEASES, "mc", "llvm-mc", read_program), **if_here("as", "as", read_gnu_program)},
    "stack": {**each(RELEASES, "symbolizer", "llvm-symbolizer", read_stack), **by_addr2line("addr2line", ("function", "file", "line")),
              **by_addr2line("eu-addr2line", ("function", "file", "line", "column"))},
    "code": each(RELEASES, "strip", "opt", read_code),
    "mlir": each((19, 22), "mlir", "mlir-translate", read_mlir),
    "layer_lookup": each(RELEASES, "symbolizer", "llvm-symbolizer", read_lookup),
    "select": each(RELEASES, "symbolizer", "llvm-symbolizer", read_select),
    "layer-sections": each(RELEASES, "symbolizer", "llvm-symbolizer", read_layer_sections),
    "layer-lines": {**each(RELEASES, "symbolizer", "llvm-symbolizer", read_layer_lines), **each(RELEASES, "llc", "llc", read_primary)},
    "convert": each(RELEASES, "llc", "llc", read_convert),
    "project": each(RELEASES, "llc", "llc", read_project),
    "hide": each(RELEASES, "llc", "llc", read_hide),
    "reveal": each(RELEASES, "llc", "llc", read_reveal),
    "equal": each(RELEASES, "llc", "llc", read_position),
    "emit": each((22,), "llc", "llc", read_emit),
    "source": each((22,), "llc", "llc", read_source),
    "encode": each((22,), "bcanalyzer", "llvm-bcanalyzer", read_encode),
    "decode": each((22,), "dis", "llvm-dis", read_decode),
    "lines": {**each(RELEASES, "dwarfdump", "llvm-dwarfdump", read_lines), **by_libdw(read_nvidia)},
    "contexts": by_libdw(read_contexts),
    "cubin": by_libdw(read_cubin),
    "two-level": if_here("dwarfdump", "libdwarf", lambda vector, folder: read_two_level(vector, folder) or read_operations(vector, folder)),
}

if is_here():
    for op in ("merge", "equal", "copy", "print", "discriminator"):
        READERS[op] = {**READERS.get(op, {}), **each((22,), "library", "llvm-config", read_locations)}


# Witnesses that are asked about many vectors at once.
MANY: dict[str, Callable[[list[Vector]], list[bool]]] = {
    f"llvm-{release}:{how}": functools.partial(agreed, how, release) for release in RELEASES for how in QUESTIONS if os.path.exists(f"/usr/lib/llvm-{release}/bin/opt")}


def confirmed_of(name: str, vectors: list[Vector], folder: str) -> list[bool]:
    """Of each vector: does this witness confirm it?"""
    if name in MANY:
        return MANY[name](vectors)

    def one(vector: Vector) -> bool:
        own = os.path.join(folder, str(threading.get_ident()))
        os.makedirs(own, exist_ok=True)
        return READERS[vector["op"]][name](vector, own)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, vectors))


def witnesses(vectors: dict[str, Vector]) -> Iterator[tuple[str, list[str], set[str]]]:
    """Each witness, the vectors that it was asked about, and those that it confirms."""
    asked_about = {name: [id for id, vector in vectors.items() if name in READERS.get(vector["op"], {})] for readers in READERS.values() for name in readers}
    asked_about.update({name: [id for id, vector in vectors.items() if asked(name.split(":")[1], vector)] for name in MANY})
    with tempfile.TemporaryDirectory(prefix="dloc-witness-") as folder:
        for name, ids in asked_about.items():
            good = confirmed_of(name, [vectors[id] for id in ids], folder)
            yield name, list(vectors), {id for id, is_good in zip(ids, good) if is_good}


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
    elif value is not None:
        yield not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else changed_text(value)


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
        for number, told in enumerate(value["units"]):
            for i, row in enumerate(told.get("rows", [])):
                for key in set(row) - {"op_index"}:
                    changed = copy.deepcopy(value)
                    changed["units"][number]["rows"][i][key] = "" if key == "flags" else int(row[key]) + 1
                    changes.append(changed)
            for key in {"offset", "end", "version", "program", "address_size"} & set(told):
                changed = copy.deepcopy(value)
                changed["units"][number][key] += 1
                changes.append(changed)
            for key in {"rows", "files", "directories"} & set(told):
                changed = copy.deepcopy(value)
                changed["units"][number][key].pop()
                changes.append(changed)
        changes += [{**value, key: part} for key in {"problems", "names"} & set(value) for part in changed_parts(value[key])]
    yield from ({**vector, "expect": {**vector["expect"], "value": changed}} for changed in changes)


def few(vectors: list[Vector]) -> list[Vector]:
    """Eight of them, or all of them on demand."""
    return vectors if sys.argv[1:] == ["all"] else vectors[::max(1, len(vectors) // 8)]


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
        some = sorted(confirmed)[::1 if sys.argv[1:] == ["all"] or not name.startswith("llvm") else 8]
        others = [(id, vector) for id in some for vector in few(list(falsified(vectors[id])))]
        with tempfile.TemporaryDirectory(prefix="dloc-witness-") as folder:
            for (id, vector), agrees in zip(others, confirmed_of(name, [vector for _, vector in others], folder)):
                changed += 1
                if agrees:
                    print(f"{id}: {name} does not notice that {json.dumps(vector['expect']['value'])} is not what was expected")
                    wrong += 1
    print(f"{changed} expectations changed, {wrong} errors")
    sys.exit(wrong > 0 or changed == 0)


if __name__ == "__main__":
    main()
