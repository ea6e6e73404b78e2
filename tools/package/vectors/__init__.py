"""The golden vectors of dloc, the tables of its specification, and what a runner needs: which expectation holds, and whether an answer is the same."""

import json
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

__all__ = ["expectation", "same", "schema", "tables", "vectors"]


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


# ---- Which expectation: FORMAT.md has the rules

_tables = lru_cache(tables)
_schema = lru_cache(schema)


@lru_cache
def _taken(profile: str) -> dict[str, str]:
    """The alternative that a profile takes of each choice."""
    return {choice["choice"]: choice["profiles"][profile] for choice in _tables()["choices"]}


def _bases(profile: str) -> Iterator[str]:
    """The profile, and each that it is based on."""
    based = {line["profile"]: line.get("base") for line in _tables()["profiles"]}
    name: str | None = profile
    while name:
        yield name
        name = based[name]


def expectation(vector: dict[str, Any], profile: str) -> dict[str, Any] | None:
    """The expectation that holds under a built-in profile; None: the vector is not for that profile."""
    takes, since = _taken(profile), _taken(vector["since"])
    needs, choices, entries = vector.get("needs", []), vector.get("choices", {}), vector.get("profiles", {})
    if any(takes[choice] != alternative for choice, alternative in vector.get("with", {}).items()):
        return None
    tuples = "layers" in needs and takes["shape.tuple"] != "accept" == since["shape.tuple"]
    lists = "irlayers" in needs and takes["metadata.irlayers"] == "unknown" != since["metadata.irlayers"]
    for base in _bases(profile):
        if base in entries and all(takes[choice] == _taken(base)[choice] for choice in choices):
            return entries[base]  # type: ignore[no-any-return]
    for choice, alternatives in choices.items():
        if takes[choice] in alternatives and (choice == "shape.tuple" or not (tuples or lists)):
            return alternatives[takes[choice]]  # type: ignore[no-any-return]
    return None if tuples or lists else vector["expect"]


# ---- Whether an answer is the same: names of nodes do not count, sharing does

_NODE_FIELDS = frozenset(
    "scope file unit inlinedAt type baseType declaration retainedNodes elements enums retainedTypes globals imports macros templateParams thrownTypes"
    " containingType entity var expr extraData annotations types nodes vtableHolder dataLocation associated allocated specification stringLength"
    " stringLengthExpression stringLocationExpression primary".split()
)


class _Graph:
    """The nodes of a vector and of a value; a uniqued node is its content, a distinct one its name."""

    def __init__(self, vector: dict[str, Any], value: dict[str, Any]) -> None:
        self.nodes: dict[str, dict[str, Any]] = vector.get("nodes", {}) | value.get("nodes", {})
        self.numbers: dict[Any, int] = {}
        self.contents: dict[str, Any] = {}

    def identity(self, name: str) -> Any:
        """Equal of two names exactly when they are one node."""
        if name not in self.contents:
            self.contents[name] = name  # of a cycle, and of a distinct node
            node = self.nodes[name]
            if not node.get("distinct") and not node.get("self"):
                self.contents[name] = json.dumps(self.fields(node, self.identity))
        return self.contents[name]

    def number(self, name: str) -> Any:
        """The number of a node in the order of visiting, and where it comes first its fields."""
        identity = self.identity(name)
        if identity in self.numbers:
            return self.numbers[identity]
        self.numbers[identity] = len(self.numbers)
        return [self.numbers[identity], self.fields(self.nodes[name], self.number)]

    def fields(self, node: dict[str, Any], refer: Any) -> list[Any]:
        shown = []
        for field, content in sorted(node.items()):
            if field == "layers":
                content = [[str(layer["kind"]), self.operand(layer["location"], refer, True)] for layer in content]
            elif isinstance(content, list):
                content = [self.operand(item, refer, node["node"] == "tuple") for item in content]
            else:
                content = self.operand(content, refer, self.is_reference(node["node"], field))
            if content not in (None, "0", "", "false") or node["node"] in ("string", "constant"):
                shown.append([field, content])
        return shown

    @staticmethod
    def is_reference(kind: str, field: str) -> bool:
        return (field in _NODE_FIELDS and not (field == "type" and kind.startswith("DIMacro"))) or (field == "discriminator" and kind == "DICompositeType")

    def operand(self, content: Any, refer: Any, is_reference: bool) -> Any:
        if isinstance(content, dict):
            form, inner = next(iter(content.items()))
            return refer(_text(inner)) if form == "name" else {form: _text(inner)}
        return refer(_text(content)) if is_reference and content is not None and _text(content) in self.nodes else _text(content)

    def value(self, content: Any, shape: Any) -> Any:
        """A value by the schema of its operation, which says where names of nodes stand."""
        shape = self.shape(content, shape)
        if shape == "reference":
            return None if content is None else self.number(str(_text(content)))
        if isinstance(content, dict):
            if shape == "wrapped":
                return self.operand(content, self.number, True)
            named = shape.get("properties", {})
            return [[key, self.value(content[key], named.get(key, {}))] for key in sorted(content) if key != "nodes" and content[key] is not False]
        if isinstance(content, list):
            return [self.value(item, shape.get("items", {})) for item in content]
        return _text(content)

    def shape(self, content: Any, shape: Any) -> Any:
        """The alternative that the content has."""
        if name := shape.get("$ref", "").rpartition("/")[2]:
            if name in ("reference", "wrapped"):
                return name if (name == "wrapped") == isinstance(content, dict) else None
            return self.shape(content, _schema("vector")["$defs"][name])
        for one in shape.get("anyOf", []):
            found = self.shape(content, one)
            fits = isinstance(found, str) or (found is not None and _fits(content, found))
            if fits:
                return found
        return shape


def _fits(content: Any, shape: dict[str, Any]) -> bool:
    if isinstance(content, dict):
        return content.keys() <= shape.get("properties", {}).keys() and set(shape.get("required", [])) <= content.keys()
    return ("items" in shape) == isinstance(content, list)


def _text(scalar: Any) -> str | None:
    """A scalar as YAML and JSON both write it: numbers and words need no type."""
    return None if scalar is None else str(scalar).lower() if isinstance(scalar, bool) else str(scalar)


def _canonical(vector: dict[str, Any], value: dict[str, Any]) -> Any:
    return _Graph(vector, value).value(value, {"$ref": f"#/$defs/value-of-{vector['op']}"})


def same(vector: dict[str, Any], answer: dict[str, Any], profile: str | None = None) -> bool:
    """Whether an answer of the protocol is what the vector expects under the profile, by default the one that it is written for."""
    wanted = expectation(vector, profile or vector["since"])
    if wanted is None:
        return False
    if wanted["outcome"] == "reject":
        severity = wanted.get("severity") or next(line["severity"] for line in _tables()["reasons"] if line["reason"] == wanted["reason"])
        return answer["outcome"] in ("reject", "degraded", "refused") and answer.get("reason") == wanted["reason"] and answer.get("severity", severity) == severity
    if answer["outcome"] != "ok" or "value" not in wanted:
        return bool(answer["outcome"] == "ok")
    try:
        return bool(_canonical(vector, answer.get("value", {})) == _canonical(vector, wanted["value"]))
    except (KeyError, AttributeError):  # a value of another shape, or a name that is no node's
        return False
