#!/usr/bin/env python3
"""usage: tools/make/schemas.py [--check]

Writes what follows from the types of the operations (`dloc schema`): the operations in vectors/vector.schema.json and
conformance/protocol.schema.json. The rest of these files is written by hand and stays.
--check changes nothing, names the files that are not current, and exits with status 1 if there are any.
Environment: DLOC (default build/dloc).
"""
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DLOC = os.environ.get("DLOC", str(ROOT / "build" / "dloc"))
VECTOR = "vectors/vector.schema.json"
PROTOCOL = "conformance/protocol.schema.json"
Json = dict[str, Any]
COLUMNS = 120


def layout(value: object, indent: int = 0, used: int = 0) -> str:
    """JSON in which whatever fits into a line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or used + len(line) <= COLUMNS:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, list):
        items = [inner + layout(item, indent + 2, indent + 3) for item in value]
        return "[\n" + ",\n".join(items) + "\n" + " " * indent + "]"
    items = []
    for key, item in value.items():
        start = f"{inner}{json.dumps(key)}: "
        items.append(start + layout(item, indent + 2, len(start) + 1))
    return "{\n" + ",\n".join(items) + "\n" + " " * indent + "}"


def one_of(schemas: list[Json]) -> object:
    """Any of these; what an op does not have, nothing may stand for."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else False


def name_of(part: str, op: str) -> str:
    return f"{part}-of-{op}"


def definitions(ops: list[Json]) -> Json:
    """`args-of-merge`, `value-of-merge` and so on."""
    return {
        name_of(part, op["op"]): one_of([form[part] for form in op["forms"] if part in form]) for op in ops for part in ("args", "value")
    }


def rules(ops: list[Json], base: str, with_value: bool) -> list[Json]:
    """For each op: which args and what value it has. base: the schema with the definitions."""
    made = []
    for op in ops:
        required = (["args"] if "args" in op["forms"][0] else []) + (["module"] if op["module"] == "whole" else [])
        then: Json = {"properties": {"args": {"$ref": f"{base}#/$defs/{name_of('args', op['op'])}"}}, "required": required}
        if op["module"] == "no":
            then["properties"]["module"] = False
        if with_value:
            value: Json = {"properties": {"value": {"$ref": f"#/$defs/{name_of('value', op['op'])}"}}}
            if "value" in op["forms"][0]:
                value["required"] = ["value"]
            ok = {"properties": {"outcome": {"const": "ok"}}, "required": ["outcome"]}
            then["properties"]["expect"] = {"if": ok, "then": value}
        made.append({"if": {"properties": {"op": {"const": op["op"]}}, "required": ["op"]}, "then": then})
    return made


def vector_schema(schema: Json, ops: list[Json], rest: Json) -> None:
    schema["properties"]["args"] = True
    schema["allOf"] = rules(ops, "", True)
    kept = {name: part for name, part in schema["$defs"].items() if "-of-" not in name}
    kept["op"] = {"enum": [op["op"] for op in ops]}
    kept["need"] = {"enum": rest["needs"]}
    kept["reason"] = {"enum": rest["reasons"]}
    kept["module"] = rest["module"]
    values = [name_of("value", op["op"]) for op in ops if "value" in op["forms"][0]]
    kept["value"] = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in values]}
    schema["$defs"] = kept | definitions(ops)


def protocol_schema(schema: Json, ops: list[Json]) -> None:
    question = schema["$defs"]["question"]
    question["properties"]["args"] = True
    question["allOf"] = rules(ops, Path(VECTOR).name, False)


def generate() -> dict[str, str]:
    """The files as they should be."""
    lines = subprocess.check_output([DLOC, "schema"], text=True).splitlines()
    *ops, rest = map(json.loads, lines)
    vector, protocol = (json.loads((ROOT / path).read_text()) for path in (VECTOR, PROTOCOL))
    vector_schema(vector, ops, rest)
    protocol_schema(protocol, ops)
    return {VECTOR: layout(vector) + "\n", PROTOCOL: layout(protocol) + "\n"}


def main() -> int:
    stale = {path: text for path, text in generate().items() if (ROOT / path).read_text() != text}
    for path, text in stale.items():
        if "--check" in sys.argv[1:]:
            print(f"{path} is not what the types of the operations say; run tools/make/schemas.py", file=sys.stderr)
        else:
            (ROOT / path).write_text(text)
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
