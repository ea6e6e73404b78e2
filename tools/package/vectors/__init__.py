"""The golden vectors of dloc, and the tables of its specification. Each call gives objects of its own."""

import json
from importlib.resources import files
from typing import Any

__all__ = ["schema", "tables", "vectors"]


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def vectors() -> list[dict[str, Any]]:
    """All vectors, in the order of the suite."""
    return [json.loads(line) for line in _read("vectors.jsonl").split("\n") if line]


def tables() -> dict[str, Any]:
    """Clauses, choices, profiles, ops, reasons and laws."""
    read: dict[str, Any] = json.loads(_read("tables.json"))
    return read


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a `vector`, of the lines of the adapter `protocol`, or of the `tables`."""
    read: dict[str, Any] = json.loads(_read(f"{name}.schema.json"))
    return read
