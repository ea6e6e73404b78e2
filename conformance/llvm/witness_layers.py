"""The answers of llvm-symbolizer about line tables of layers; see witnesses.py.

A table of a layer is a line table: each unit of it becomes the .debug_line of an executable, and llvm-symbolizer shows line, column and file at an address. For a text it shows the
line of source, from a table of version 5 that embeds the text.
Tables that are made of hidden numbers (op layer-lines): it shows the number at each address of the vector's rows; the table of the module says what layers the number has; and at
the same addresses it shows the places of these layers in the tables that the vector expects, and the primaries of before. A row is expected where the place is another one."""
import json
import os
import re
import subprocess
from collections.abc import Iterator
from typing import Any, Literal, cast

from line_programs import bytes_of, compile_unit, object_of, program_of, tables_of, unit, unit_of_files, unit_of_texts
from line_tests import UNITS

Vector = dict[str, Any]
Row = dict[str, Any]
TEXT = ".debug_txt."


def ask(release: int, folder: str, line: bytes, addresses: list[int], *options: str) -> list[dict[str, Any]]:
    """The answer of llvm-symbolizer for each address of a table."""
    path = os.path.join(folder, "layers")
    with open(path, "wb") as file:
        file.write(object_of({**compile_unit(), ".debug_line": line}, kind=2))
    command = [f"/usr/lib/llvm-{release}/bin/llvm-symbolizer", "--output-style=JSON", f"--obj={path}", *options, *map(hex, addresses)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    return [answer["Symbol"][0] for text in done.stdout.splitlines() for answer in json.loads(text)] if addresses else []


def integers(row: Row) -> Row:
    return {key: part if key == "flags" else int(part) for key, part in row.items()}


# ---- Looking up an address ----

def text_of(sections: list[dict[str, Any]], kind: str, file: str) -> str | None:
    """The text that a file of a layer is: a section of its name, or of its name behind the kind's."""
    found = [section["text"] for section in sections if "text" in section and section["name"] in (file, f"{TEXT}{kind}.{file}")]
    return found[0] if len(found) == 1 else None


def kind_of(section: dict[str, Any]) -> str | None:
    """The kind of a table; None: it is another section."""
    name = section["name"]
    return name[12:] if "units" in section and name.startswith((".debug_line.", ".debug_line_")) else None


def kind_of_merged(part: dict[str, Any]) -> str | None:
    """The kind of a unit of .debug_line that no DIE claims: that of its first file that is a text."""
    names = [re.fullmatch(r"\.debug_txt\.(.+)\.[0-9a-f]{32}", file["name"]) for file in part["files"]]
    return next((name[1] for name in names if name), None) if not part.get("claimed") else None


def layers_at(vector: Vector, release: int, folder: str) -> Iterator[dict[str, Any]]:
    """The layer that each unit of a table has at the address, if it has one."""
    sections, address = vector["args"]["sections"], int(vector["args"]["address"])
    own = [(kind, part) for section in sections if (kind := kind_of(section)) is not None for part in section["units"]]
    merged = [(kind, part) for section in sections if section["name"] == ".debug_line" for part in section["units"] if (kind := kind_of_merged(part))]
    for kind, part in [*own, *merged]:
        program, directories = part.get("program") or program_of(list(map(integers, part["rows"]))), part.get("directories", [])
        found = ask(release, folder, unit({}, program, tables_of(directories, part["files"]))[0], [address])[0]
        if not found["Line"]:
            continue
        layer = {"kind": kind, "line": found["Line"], **({"column": found["Column"]} if found["Column"] else {})}
        name = next((file["name"] for file in part["files"] if found["FileName"].endswith(f"/{file['name']}")), "")
        text = text_of(sections, str(kind), name)
        directory = found["FileName"][:-len(name) - 1] if name and text is None else ""
        if text is not None:
            table = unit_of_texts(program, [text_of(sections, str(kind), file["name"]) or "" for file in part["files"]])
            source = ask(release, folder, table, [address], "--print-source-context-lines=1")[0].get("Source", "")
            layer["source"] = source.removeprefix(f"{found['Line']} >: ").removesuffix("\n")
        yield {**layer, **({"file": name} if name else {}), **({"directory": directory} if directory else {})}


def read_lookup(vector: Vector, release: int, folder: str) -> bool:
    """Tables with a section each. Several units that have a layer of one kind are not confirmed."""
    args, value = vector["args"], vector["expect"].get("value", {})
    if set(value) != {"layers"} or set(args) != {"address", "sections"}:
        return False
    if not any(kind_of(section) or any(map(kind_of_merged, section.get("units", []))) for section in args["sections"]):
        return False
    found = list(layers_at(vector, release, folder))
    texts = ("kind", "file", "directory", "source")
    if any("name" in layer for layer in value["layers"]):
        return False  # nobody but dloc knows names of texts
    wanted = [{key: part if key in texts else int(part) for key, part in layer.items()} for layer in value["layers"]]
    return len({layer["kind"] for layer in found}) == len(found) and found == wanted


# ---- Tables that are made of hidden numbers ----

STANDS_FOR_0 = 1073741823


def file_of(nodes: dict[str, Any], scope: dict[str, Any]) -> str | None:
    """The file of the nearest scope that has one."""
    while "file" not in scope:
        if "scope" not in scope:
            return None
        scope = nodes[scope["scope"]]
    return str(scope["file"])


def places(nodes: dict[str, Any], entry: str) -> dict[str, Row] | None:
    """The place of the first layer of each kind of an entry: file, line, column. A layer without file is none. None: an entry has another form."""
    node = nodes[entry]
    found: list[tuple[str, str | None, dict[str, Any]]] = []
    if node["node"] == "composite":
        found = [(layer["kind"], file_of(nodes, nodes[layer["location"]]), nodes[layer["location"]]) for layer in node["layers"]]
    elif "irlayers" in node:
        layers = [nodes[name] for name in nodes[node["irlayers"]]["operands"]]
        found = [(layer["kind"], layer["file"], layer) for layer in layers if "kind" in layer]
    elif node["node"] != "DILocation":
        return None
    result: dict[str, Row] = {}
    for kind, file, location in found:
        if file:
            result.setdefault(kind, {"file": file, "line": int(location.get("line", 0)), "column": int(location.get("column", 0))})
    return result


def path_of(node: dict[str, Any]) -> str:
    """A file of the module, its directory joined unless that is the one it is compiled in."""
    directory = node.get("directory", "")
    return str(node["filename"]) if directory in ("", ".") else f"{directory}/{node['filename']}"


# Clauses about what no address tells: flags of rows, and rows that stay or go.
UNTOLD = {f"layer-lines.{clause}" for clause in ("registers", "primary.redundant", "primary.prologue", "primary.back", "primary.line-0")}


def hidden_table(vector: Vector) -> tuple[int, list[dict[str, Row] | None], list[str]] | None:
    """The first number of a table in discriminators, the places of its entries, and their names."""
    named = vector.get("module", {}).get("named", {})
    if len(named.get("dloc.hidden.table", [])) != 1:
        return None
    head = vector["nodes"][named["dloc.hidden.table"][0]]["operands"]
    entries = named.get("dloc.hidden.layers", [])
    if len(head) != 3 or head[0] != {"string": "discriminator"}:
        return None
    return int(head[1]["constant"].split()[1]), [places(vector["nodes"], entry) for entry in entries], entries


def without_number(row: Row) -> Row:
    return {key: part for key, part in row.items() if key != "discriminator"}


def changes(rows: list[Row], wanted: list[Row | None], flag: str) -> list[Row]:
    """Rows of a layer: of each sequence that has it, one where it begins, one where the place is another, and the end. Without layer the line is 0."""
    result: list[Row] = []
    sequence: list[tuple[Row, Row | None]] = []
    for row, place in zip(rows, wanted):
        sequence = [one for one in sequence if one[0]["address"] != row["address"]] + [(row, place)]
        if "E" not in row["flags"]:
            continue
        if any(here for _, here in sequence[:-1]):
            last: Row = {}
            file = next(here["file"] for _, here in sequence if here)
            for one, here in sequence[:-1]:
                file = here["file"] if here else file
                now = here or {"file": file, "line": 0, "column": 0}
                if now != last:
                    result.append({"address": one["address"], **now, "flags": flag})
                last = now
            result.append({"address": row["address"], **last, "flags": flag + "E"})
        sequence = []
    return result


def joined(*parts: str) -> str:
    """A path of its parts, of which an absolute one drops those before it."""
    return os.path.join(*parts)


def read_full(vector: Vector, release: int, folder: str) -> bool:
    """Layers that have an object each (`--full`): llvm-symbolizer shows the line of the kind's object at the place that an address has there, if its file is one of the kind's layers."""
    args, value, table = vector["args"], vector["expect"].get("value", {}), hidden_table(vector)
    if set(args) != {"rows", "full"} or not {"primary", "kinds"} >= set(value) >= {"primary"} or table is None or None in table[1]:
        return False
    rows, nodes = list(map(integers, args["rows"])), vector["nodes"]
    if list(map(integers, value["primary"])) != rows or any("discriminator" in row for row in rows) or sum("E" in row["flags"] for row in rows) != 1:
        return False
    made = []
    for part in args["full"]:
        base, known = part.get("directory", ""), {entry[part["kind"]]["file"] for entry in table[1] if entry and part["kind"] in entry}
        lines = list(map(integers, part["rows"]))
        there = {function["at"] + row["address"] - function["from"] for row in lines for function in ({key: int(number) for key, number in one.items()} for one in part["functions"])}
        ends = {int(one["at"]) + int(one["size"]) for one in part["functions"]}
        addresses = sorted({row["address"] for row in rows} | {at for at in there | ends if rows[0]["address"] < at < rows[-1]["address"]})
        wanted: list[Row | None] = []
        for at in addresses:
            inside = [one for one in part["functions"] if int(one["at"]) <= at < int(one["at"]) + int(one["size"])]
            files = [{"name": str(number)} for number in range(len(part["files"]))]
            shown = ask(release, folder, unit({}, program_of(lines), tables_of([], files))[0], [at - int(inside[0]["at"]) + int(inside[0]["from"])])[0] if inside else {"Line": 0}
            file = part["files"][int(shown["FileName"].strip("/"))] if shown["Line"] else {"name": ""}
            paths = {joined(base, file.get("directory", ""), file["name"]), joined(file.get("directory", ""), file["name"])}
            same = [node for node in known if joined(nodes[node].get("directory", ""), nodes[node]["filename"]) in paths]
            wanted.append({"file": same[0], "line": shown["Line"], "column": shown["Column"]} if same else None)
        code = [{"address": at, "flags": "sE" if at == addresses[-1] else "s"} for at in addresses]
        found = changes(code, wanted, "s")
        order = list(dict.fromkeys(row["file"] for row in found))
        if found:
            made.append((part["kind"], [nodes[file]["filename"] for file in order], [{**row, "file": order.index(row["file"]) + 1} for row in found]))
    return made == [(kind["kind"], [file["name"] for file in kind["files"]], list(map(with_defaults, kind["rows"]))) for kind in value.get("kinds", [])]


def with_defaults(row: Row) -> Row:
    return {"file": 1, "column": 0, **integers(row)}


def read_layer_lines(vector: Vector, release: int, folder: str) -> bool:
    """Of tables whose primary loses its numbers and nothing else. The flags of a layer's rows are default_is_stmt."""
    args, value, table = vector["args"], vector["expect"].get("value", {}), hidden_table(vector)
    if vector["clauses"][0] in UNTOLD:
        return False
    if "full" in args:
        return read_full(vector, release, folder)
    if set(args) - {"header", "rows"} or not {"primary", "kinds"} >= set(value) >= {"primary"} or table is None or None in table[1]:
        return False
    header, rows = args.get("header", {}), list(map(integers, args["rows"]))
    if set(header) - {"default_is_stmt", "version"} or header.get("version", 4) not in (4, 5) or list(map(integers, value["primary"])) != list(map(without_number, rows)):
        return False
    lowest = 1 if header.get("version", 4) == 4 else 0  # number of a file
    first, entries = table[0], [entry or {} for entry in table[1]]
    addresses = [row["address"] for row in rows]
    made = unit({}, program_of(rows))[0]
    numbers = [answer.get("Discriminator", 0) - first for answer in ask(release, folder, made, addresses)]
    before, after = (ask(release, folder, unit({}, program_of(some))[0], addresses) for some in (rows, list(map(integers, value["primary"]))))
    if [{**answer, "Discriminator": 0} for answer in before] != after or any(number >= len(entries) for number in numbers) or any("discriminator" in row and row["discriminator"] < first for row in rows):
        return False
    flag = "" if header.get("default_is_stmt") is False else "s"
    kinds = value.get("kinds", [])
    for kind in kinds:
        wanted = [entries[number].get(kind["kind"]) if number >= 0 else None for number in numbers]
        found = changes(rows, [here if here and here["line"] else None for here in wanted], flag)
        order = list(dict.fromkeys(row["file"] for row in found))
        files = [file["name"] for file in kind["files"]]
        paths = [path_of(vector["nodes"][file]) for file in order]
        listed = [with_defaults(row) for row in kind["rows"]]
        if files != paths or any(set(file) != {"name"} for file in kind["files"]) or [{**row, "file": order.index(row["file"]) + lowest} for row in found] != listed:
            return False
        shown = ask(release, folder, unit({}, program_of(listed), tables_of([], kind["files"]))[0] if lowest else unit_of_files(program_of(listed), files), addresses)
        if [(answer["Line"], answer["Column"], answer["FileName"].lstrip("/") if answer["Line"] else "") for answer in shown] != [
                (here["line"], here["column"], path_of(vector["nodes"][here["file"]]).lstrip("/")) if here and here["line"] and "E" not in row["flags"] else (0, 0, "")
                for row, here in zip(rows, wanted)]:
            return False
    missing = {kind for number in numbers if number >= 0 for kind, here in entries[number].items() if here["line"]} - {kind["kind"] for kind in kinds}
    return not missing and [kind["kind"] for kind in kinds] == list(dict.fromkeys(kind for number in numbers if number >= 0 for kind, here in entries[number].items() if here["line"]))


# ---- The sections of an object ----

def decoded(release: int, folder: str, table: bytes, args: dict[str, Any]) -> tuple[list[Row], list[str], list[tuple[int, int]]]:
    """A table of one unit, as llvm-dwarfdump shows it: rows, whose files count from 1, the paths of files, and the operand of each DW_LNE_set_address: where it stands, and what it is."""
    path = os.path.join(folder, "sections")
    with open(path, "wb") as file:
        file.write(UNITS.elf({**args, "bytes": [table.hex()]}))
    command = [f"/usr/lib/llvm-{release}/bin/llvm-dwarfdump", "--debug-line", path]
    text, details = (subprocess.run([*command, *options], capture_output=True, text=True, timeout=20, check=True).stdout for options in ((), ("-v",)))
    shown, directories, files = UNITS.shown(text)
    numbers = [int(number) for number in re.findall(r"^file_names\[ *(\d+)\]:", text, re.MULTILINE)]
    first = 0 if numbers[:1] == [0] else 1
    folders = [*([] if first == 0 else [""]), *directories]
    paths = ["/".join(filter(None, (folders[file.get("dir_index", 0)], file["name"]))) for file in files]
    rows = [{"address": address, "line": line, "column": column, "file": number + 1 - first, "discriminator": discriminator, "flags": flags}
            for address, line, column, number, discriminator, _, flags in shown]
    operands = [(int(at, 16) + 3, int(address, 16)) for at, address in re.findall(r"^(0x[0-9a-f]+): 00 DW_LNE_set_address \((0x[0-9a-f]+)\)", details, re.MULTILINE)]
    return [{key: part for key, part in row.items() if part or key not in ("column", "discriminator")} for row in rows], paths, operands


def relocated(section: dict[str, Any], old: list[tuple[int, int]], new: list[tuple[int, int]]) -> bool:
    """Has each operand of a new table the relocation of one of the old table, and more in its addend by what it is more?"""
    was = dict(old)
    found = [(int(one["at"]), was.get(int(one["from"]), -1) + int(one["added"])) for one in section.get("addresses", [])]
    return found == new


class Unit:
    """A unit with the places of its parts: the bytes before its fields, and its program."""

    def __init__(self, content: bytes, at: int, order: Literal["little", "big"]) -> None:
        self.size = 8 if content[at:at + 4] == b"\xff\xff\xff\xff" else 4
        lead = 12 if self.size == 8 else 4
        self.at, self.end = at, at + lead + int.from_bytes(content[at + lead - self.size:at + lead], order)
        self.content = content[at:self.end]
        self.version = int.from_bytes(self.content[lead:lead + 2], order)
        self.fields = lead + 2 + (2 if self.version == 5 else 0) + self.size
        self.program = self.fields + int.from_bytes(self.content[self.fields - self.size:self.fields], order)
        self.whole = len(self.content) == self.end - at
        self.header = self.content[lead:self.program]


def bytes_in(text: str) -> bytes:
    """The bytes of hexadecimal digits; none of another text."""
    return bytes.fromhex(text) if re.fullmatch("([0-9a-f]{2})*", text) else b""


def split(content: bytes, order: Literal["little", "big"]) -> list[Unit] | None:
    """The units of a table; None: it does not end with one."""
    units: list[Unit] = []
    while (at := units[-1].end if units else 0) < len(content):
        units.append(Unit(content, at, order))
    return units if all(unit.whole for unit in units) else None


def within(addresses: list[dict[str, Any]], key: str, unit: Unit, **starts: int) -> list[dict[str, Any]]:
    """The relocations whose place is in a unit, counted from the starts of theirs."""
    return [{**{name: int(number) for name, number in one.items()}, **{name: int(one[name]) - start for name, start in starts.items()}}
            for one in addresses if unit.at <= int(one[key]) < unit.end]


def read_layer_sections(vector: Vector, release: int, folder: str) -> bool:
    """A .debug_line whose headers stay, unit by unit. A unit without numbers stays whole; of another one the rows before and afterwards and those of the layers' tables, as llvm-dwarfdump
    shows them, are what read_layer_lines asks for."""
    args, value = vector["args"], vector["expect"].get("value", {})
    if set(args) - {"bytes", "line_str", "big_endian"} or set(value) - {"primary", "sections"} or vector["expect"]["outcome"] != "ok":
        return False
    sections, primary, order = value.get("sections", []), value["primary"], cast(Literal["little", "big"], "big" if args.get("big_endian") else "little")
    if any(set(section) != {"name", "bytes", "addresses"} for section in sections) or primary["name"] != ".debug_line":
        return False
    old, new = split(bytes_of(args["bytes"]), order), split(bytes_in(primary["bytes"]), order)
    tables = [split(bytes_in(section["bytes"]), order) for section in sections]
    if not old or not new or len(old) != len(new) or None in tables:
        return False
    pieces, used = [], [0] * len(sections)
    for before, after in zip(old, new):
        whole = before.content == after.content
        pieces.append({"from": before.at, "to": after.at, "size": len(before.content) if whole else before.program})
        if whole:
            if not unnumbered(vector, release, folder, before):
                return False
            continue
        own = []
        for number, (section, units) in enumerate(zip(sections, tables)):
            made = units[used[number]] if units and used[number] < len(units) else None
            if made and (addresses := within(section["addresses"], "at", made)) and before.at <= addresses[0]["from"] < before.end:
                own.append((section["name"], made, within(section["addresses"], "at", made, at=made.at, **{"from": before.at})))
                used[number] += 1
        if not has_layers(vector, release, folder, before, after, within(primary["addresses"], "from", before, at=after.at, **{"from": before.at}), own):
            return False
    return primary["pieces"] == pieces and used == [len(units or []) for units in tables] and len(primary.get("addresses", [])) == sum(
        len(within(primary["addresses"], "from", before)) for before, after in zip(old, new) if before.content != after.content)


def unnumbered(vector: Vector, release: int, folder: str, unit: Unit) -> bool:
    """Has no row of a unit a number of the table? A unit of another version has no rows."""
    table = hidden_table(vector)
    rows = decoded(release, folder, unit.content, vector["args"])[0]
    return table is not None and all(row.get("discriminator", 0) < table[0] for row in rows)


def has_layers(vector: Vector, release: int, folder: str, old: Unit, new: Unit, addresses: list[dict[str, Any]], sections: list[tuple[str, Unit, list[dict[str, Any]]]]) -> bool:
    """Are these the primary's unit and those of the layers?"""
    rows, _, operands = decoded(release, folder, old.content, vector["args"])
    primary, _, moved = decoded(release, folder, new.content, vector["args"])
    kinds = {kind.lower(): kind for entry in (hidden_table(vector) or (0, [], []))[1] for kind in entry or {}}
    tables = []
    for name, unit_, places_of in sections:
        made, files, there = decoded(release, folder, unit_.content, vector["args"])
        kind = kinds.get(name.removeprefix(".debug_line."))
        if kind is None or not relocated({"addresses": places_of}, operands, there) or not encodes(unit_, made, old):
            return False
        tables.append({"kind": kind, "files": [{"name": name} for name in files], "rows": made})
    law = {**vector, "args": {"rows": rows}, "expect": {"outcome": "ok", "value": {"primary": primary, **({"kinds": tables} if tables else {})}}}
    return new.header == old.header and relocated({"addresses": addresses}, operands, moved) and bool(rows) and read_layer_lines(law, release, folder)


def encodes(table: Unit, rows: list[Row], old: Unit) -> bool:
    """Has a table the form, the version and the fields of the primary's, and rows?"""
    return bool(rows) and (table.size, table.version) == (old.size, old.version) and table.content[table.fields:table.fields + 6] == old.content[old.fields:old.fields + 6]


# ---- A layer as the lines of a program ----

def read_select(vector: Vector, release: int, folder: str) -> bool:
    """A sequence whose addresses get the places that llvm-symbolizer shows in the layer's table. A row begins where the place is another one and where a function begins, with is_stmt if
    it has a line; llvm-symbolizer shows the same places in the expected table. There are no rows where no address has a line."""
    args, value = vector["args"], vector["expect"].get("value", {})
    if set(value) != {"rows"} or any(set(row) - {"address", "line", "column", "file", "flags"} for row in [*args["rows"], *args["layer"], *value["rows"]]):
        return False
    rows, layer, wanted = (list(map(integers, some)) for some in (args["rows"], args["layer"], value["rows"]))
    if "E" not in rows[-1]["flags"] or any("p" in row["flags"] for row in rows):
        return False
    first, end, functions = rows[0]["address"], rows[-1]["address"], [int(at) for at in args.get("functions", [])]
    addresses = sorted({first, *(at for at in [*functions, *(row["address"] for row in [*rows, *layer])] if first < at < end)})
    before, after = (ask(release, folder, unit({}, program_of(some))[0], addresses) for some in (layer, wanted))
    places, after_places = ([(answer["Line"], answer["Column"], int(answer["FileName"].strip("/") or 1)) for answer in answers] for answers in (before, after))
    made: list[Row] = []
    for at, (line, column, number) in zip(addresses, places):
        if not made or at in functions or (line, column, number) != (made[-1]["line"], made[-1]["column"], made[-1]["file"]):
            made.append({"address": at, "line": line, "column": column, "file": number, "flags": "s" if line else ""})
    made = [*made, {**made[-1], "address": end, "flags": made[-1]["flags"] + "E"}] if any(line for line, _, _ in places) else []
    return [{"column": 0, "file": 1, **row} for row in wanted] == made and places == after_places
