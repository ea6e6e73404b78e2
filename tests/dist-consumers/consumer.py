"""A consumer of the wheel: its vectors are those of the release, they and the tables are valid, and the profiles take alternatives that there are."""

import json
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # of the resolver that older versions have
import dloc_vectors
import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    assert dloc_vectors.vectors() == [json.loads(line) for line in file]

schemas = [dloc_vectors.schema(name) for name in ("vector", "protocol", "tables")]
store = {schema["$id"]: schema for schema in schemas}
tables = dloc_vectors.tables()
jsonschema.Draft202012Validator(schemas[2]).validate(tables)
for vector in dloc_vectors.vectors()[:100]:
    jsonschema.Draft202012Validator(schemas[0]).validate(vector)
reply = {"$ref": schemas[1]["$id"] + "#/$defs/reply"}
resolver = jsonschema.RefResolver(schemas[1]["$id"], schemas[1], store=store)
jsonschema.Draft202012Validator(reply, resolver=resolver).validate({"seq": 1, "outcome": "reject", "reason": "shape.no-layers"})

profiles = {line["profile"] for line in tables["profiles"]}
for choice in tables["choices"]:
    assert choice["profiles"].keys() == profiles and set(choice["profiles"].values()) <= choice["alternatives"].keys(), choice
