#!/usr/bin/env python3
"""usage: tests/schema.py [few]

The JSON Schemas against what they describe: every vector (few: an eighth of them, others each time), as JSON Lines; a conversation with the example adapter, recorded; reports of
runs; and bad lines of each kind, which must fail. Ends with a line `N passed, N failed`. Environment: DLOC (default build/dloc).
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # of the resolver that older versions have
import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DLOC = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
os.chdir(ROOT)
passed = failed = 0


def load(path):
    with open(path) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


# Schemas refer to each other by their `$id`.
FILES = ("vectors/vector.schema.json", "conformance/protocol.schema.json", "conformance/reports/run.schema.json", "conformance/tables.schema.json", "conformance/output.schema.json")
STORE = {schema["$id"]: schema for schema in map(load, FILES)}
VECTOR, PROTOCOL, RUN, TABLES, OUTPUT = STORE


def validator(base, part):
    resolver = jsonschema.RefResolver(base, STORE[base], store=STORE)
    return jsonschema.Draft202012Validator({"$ref": base + part}, resolver=resolver)


def check(valid, what, document, wanted=True):
    global passed, failed
    error = next(valid.iter_errors(document), None)
    if (error is None) == wanted:
        passed += 1
        return
    failed += 1
    where = "/".join(map(str, error.absolute_path)) + ": " + error.message[:300] if error else "is accepted"
    print(f"{what}: {where}")


# All that follows from the types of the operations is current.
if subprocess.run([sys.executable, "tools/make/schemas.py", "--check"], env={**os.environ, "DLOC": DLOC}).returncode == 0:
    passed += 1
else:
    failed += 1

vector = validator(VECTOR, "#")
command, reply = (validator(PROTOCOL, "#/$defs/" + part) for part in ("command", "reply"))
lines = subprocess.check_output([DLOC, "fmt", "--to", "jsonl", "vectors"], text=True).splitlines()
vectors = {document["id"]: document for document in map(json.loads, lines)}
few = random.sample(sorted(vectors), len(vectors) // 8) if sys.argv[1:] == ["few"] else vectors
for identifier in few:
    check(vector, identifier, vectors[identifier])

# A conversation, recorded between the runner and an adapter.
with tempfile.TemporaryDirectory() as folder:
    told, said = os.path.join(folder, "told"), os.path.join(folder, "said")
    adapter = f"tee {told} | python3 examples/adapter.py | tee {said}"
    subprocess.run([DLOC, "run", "--jobs", "1", "--quiet", "--impl", adapter, "vectors/merge", "vectors/equal", "vectors/print"], check=True)
    for path, part in ((told, command), (said, reply)):
        with open(path) as file:
            recorded = [json.loads(line) for line in file]
        for number, line in enumerate(recorded, 1):
            check(part, f"{os.path.basename(path)}, line {number}", line)
        if len(recorded) < 10:
            failed += 1
            print(f"only {len(recorded)} lines of the conversation were recorded")

# Reports of a good run and of a bad one: each line is of its own kind.
run_line = validator(RUN, "#")
report = []
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run.json")
    for implementation in ("model", "python3 conformance/fakes/liar.py", "python3 conformance/fakes/babbler.py"):
        subprocess.run([DLOC, "run", "--quiet", "--json", "-o", path, "--impl", implementation, "vectors/emit"])
        with open(path) as file:
            report = [json.loads(line) for line in file]
        for number, line in enumerate(report, 1):
            kind = ("run" if number == 1 else "totals" if number == len(report) else "result" if "id" in line else "finding")
            check(validator(RUN, "#/$defs/" + kind), f"{implementation}, line {number}", line)
            check(run_line, f"{implementation}, line {number}", line)

# What commands write with --json: so many lines at least.
LAYERS = "tests/lit/Inputs/layers.ll"
for least, arguments in (
    (5, ["list", "vectors/merge/line.yaml"]),
    (1, ["merge", LAYERS, "!41", "!42"]),
    (1, ["merge", LAYERS, "none", "none"]),
    (1, ["apply", "strip", LAYERS, "!41", "none", "keep=line-tables"]),
    (1, ["apply", "copy", LAYERS, "!41", "function=!20"]),
    (5, ["inline", LAYERS]),
    (2, ["source", LAYERS]),
    (2, ["source", "--sections", LAYERS]),
    (9, ["emit", LAYERS]),
    (2, ["emit", "--check", "ptx-9.4", LAYERS]),
    (1, ["check", "vectors/merge/line.yaml"]),
    (9, ["smoke", "python3 examples/adapter.py"]),
    (3, ["smoke", "python3 conformance/fakes/babbler.py"]),
):
    done = subprocess.run([DLOC, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    written = [json.loads(line) for line in done.stdout.splitlines()]
    for number, line in enumerate(written, 1):
        check(validator(OUTPUT, "#/$defs/" + arguments[0]), f"dloc {' '.join(arguments)} --json, line {number}", line)
    if len(written) < least:
        failed += 1
        print(f"dloc {' '.join(arguments)} --json: {len(written)} lines")

# Each of these has one thing wrong.
merge = vectors["merge.line.differ"]


def without(document, key):
    return {k: v for k, v in document.items() if k != key}


for what, document in {
    "id with a blank": {**merge, "id": "merge line"},
    "no id": without(merge, "id"),
    "no digest": without(merge, "digest"),
    "short digest": {**merge, "digest": "123"},
    "no clauses": {**merge, "clauses": []},
    "unknown level": {**merge, "level": "shall"},
    "unknown need": {**merge, "needs": ["frob"]},
    "unknown op": {**merge, "op": "frob"},
    "unknown field": {**merge, "frob": 1},
    "args of another op": {**merge, "op": "equal", "args": ["a"]},
    "no args": without(merge, "args"),
    "value of another op": {**merge, "expect": {"outcome": "ok", "value": {"equal": True}}},
    "reject without reason": {**merge, "expect": {"outcome": "reject"}},
    "reject for a reason that there is not": {**merge, "expect": {"outcome": "reject", "reason": "bogus.code"}},
    "a reason of an ok": {**merge, "expect": {"outcome": "ok", "value": {"result": None}, "reason": "x"}},
    "unknown outcome": {**merge, "expect": {"outcome": "maybe"}},
    "node of no class": {**merge, "nodes": {"a": {"line": 1}}},
    "unknown class": {**merge, "nodes": {"a": {"node": "frob"}}},
    "composite without layers": {**merge, "nodes": {"a": {"node": "composite", "primary": "p", "layers": []}}},
    "empty choices": {**merge, "choices": {}},
}.items():
    check(vector, "vector: " + what, document, False)

ok = {"seq": 1, "outcome": "ok", "value": {"result": None}}
for what, line in {
    "no seq": without(ok, "seq"),
    "seq a string": {**ok, "seq": "1"},
    "negative seq": {**ok, "seq": -1},
    "unknown outcome": {**ok, "outcome": "fine"},
    "nondet": {"seq": 1, "outcome": "nondet"},
    "unknown field of a value": {**ok, "value": {"frob": 1}},
    "reject without reason": {"seq": 1, "outcome": "reject"},
    "unknown reason": {"seq": 1, "outcome": "reject", "reason": "bogus.code"},
    "unknown reason of several": {"seq": 1, "outcome": "reject", "reason": ["shape.no-layers", "bogus.code"]},
    "no reasons": {"seq": 1, "outcome": "reject", "reason": []},
    "started 2": {"started": 2, "implementation": "x", "capabilities": []},
    "started without name": {"started": 1, "implementation": "", "capabilities": []},
    "started without capabilities": {"started": 1, "implementation": "x"},
    "a command": {"command": "flush", "seq": 1},
    "a list": [ok],
}.items():
    check(reply, "reply: " + what, line, False)
for what, line in {
    "expectation sent": {"command": "run", "seq": 1, "vector": merge},
    "unknown command": {"command": "frob"},
    "an answer": ok,
}.items():
    check(command, "command: " + what, line, False)

result = report[1]
for what, line in {
    "no verdict": without(result, "verdict"),
    "unknown verdict": {**result, "verdict": "fine"},
    "unknown outcome": {**result, "outcome": "fine"},
    "no clauses": {**result, "clauses": []},
    "a short digest": {**result, "digest": "12"},
    "no profile": without(report[0], "profile"),
    "no stale": without(report[-1], "stale"),
    "negative": {**report[-1], "vectors": -1},
}.items():
    check(run_line, "run: " + what, line, False)

# The tables.
tables = json.loads(subprocess.check_output([DLOC, "spec", "--json"]))
valid = validator(TABLES, "#")
check(valid, "tables", tables)
clause, choice = tables["clauses"][0], tables["choices"][0]
for what, document in {
    "no laws": without(tables, "laws"),
    "a clause of no level": {**tables, "clauses": [{**clause, "level": "shall"}]},
    "a choice of one alternative": {**tables, "choices": [{**choice, "alternatives": {"x": "y"}}]},
    "a choice that rfc does not decide": {**tables, "choices": [{**choice, "profiles": {}}]},
    "a reason without text": {**tables, "reasons": [{"reason": "x", "severity": "soft", "text": ""}]},
}.items():
    check(valid, "tables: " + what, document, False)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
