"""usage: algorithms.py DLOC FOLDER [PROFILE...]

`expectation` and `same` of the wheel agree with dloc on every vector. An adapter that answers what `expectation` gives is as expected wherever a vector applies.
Then each expectation of a graph is changed, in ways that matter and in ways that do not, and `same` must agree with the verdict of `dloc run`. Writes the questions and
verdicts to FOLDER/verdicts.jsonl, for the package of another language.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import dloc_vectors

DLOC, FOLDER = sys.argv[1], Path(sys.argv[2])
PROFILES = sys.argv[3:] or ["rfc", "pr205453", "llvm-14", "llvm-22", "llvm-24", "rfc+ptx"]
ADAPTER = """
import json, sys
answers = json.load(open(sys.argv[1]))
for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "start":
        reply = {"started": 1, "implementation": "replay", "version": "1", "capabilities": answers["capabilities"]}
    elif message["command"] == "run":
        reply = {"seq": message["seq"], **answers["answers"].get(message["vector"]["id"], {"outcome": "skipped", "reason": "not for this profile"})}
    elif message["command"] == "flush":
        reply = {"flushed": message["seq"]}
    else:
        break
    print(json.dumps(reply), flush=True)
"""
VECTORS = {vector["id"]: vector for vector in dloc_vectors.vectors()}
NEEDS = dloc_vectors.schema("vector")["$defs"]["need"]["enum"]


def judge(profile, answers):
    """The verdict of dloc by id."""
    adapter, given, told = FOLDER / "replay.py", FOLDER / "answers.json", FOLDER / "run.json"
    adapter.write_text(ADAPTER)
    given.write_text(json.dumps({"capabilities": NEEDS, "answers": answers}))
    told.unlink(missing_ok=True)
    command = [DLOC, "run", "--impl", f"python3 {adapter} {given}", "--profile", profile, "--quiet", "--json", "-o", told, Path(__file__).resolve().parents[2] / "vectors"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    lines = map(json.loads, told.read_text().splitlines())
    return {line["id"]: line for line in lines if "verdict" in line}


def renamed(value):
    """Other names for the new nodes: nothing that counts."""
    nodes = value.get("nodes", {})
    names = {name: f"{name}-x" for name in nodes}
    swap = lambda content: names.get(content, content) if isinstance(content, str) else content
    def walk(content):
        if isinstance(content, dict):
            return {names.get(key, key) if content is nodes else key: walk(inner) for key, inner in content.items()}
        return [walk(inner) for inner in content] if isinstance(content, list) else swap(content)
    return walk(value)


def spread(value):
    """Each reference to a new node behind the first leads to a copy: of a uniqued node that is nothing, of a distinct one it matters."""
    nodes, met = dict(value.get("nodes", {})), set()
    def reference(name):
        if not isinstance(name, str) or name not in value.get("nodes", {}) or name not in met:
            met.add(name) if isinstance(name, str) else None
            return name
        nodes[f"{name}-copy"] = dict(value["nodes"][name])
        return f"{name}-copy"
    changed = {key: [reference(item) for item in part] if isinstance(part, list) else part for key, part in value.items() if key != "nodes"}
    return changed | ({"nodes": nodes} if nodes else {})


def numbers(value):
    """The first number of a new node is one more."""
    nodes = json.loads(json.dumps(value.get("nodes", {})))
    for node in nodes.values():
        for field in ("line", "column", "discriminator"):
            if isinstance(node.get(field), int):
                node[field] += 1
                return value | {"nodes": nodes}
    return value


def distinct(value):
    """The first new node that is uniqued is distinct."""
    nodes = json.loads(json.dumps(value.get("nodes", {})))
    for node in nodes.values():
        if not node.get("distinct") and node["node"].startswith("DI"):
            node["distinct"] = True
            return value | {"nodes": nodes}
    return value


def reversed_lists(value):
    return {key: part[::-1] if isinstance(part, list) else part for key, part in value.items()}


def zeros(value):
    """Fields are written that have no content anyway."""
    nodes = {name: node | ({"column": node.get("column", 0), "inlinedAt": node.get("inlinedAt")} if node["node"] == "DILocation" else {})
             for name, node in value.get("nodes", {}).items()}
    return value | ({"nodes": nodes} if nodes else {})


failures = []
lines = []
for profile in PROFILES:
    wanted = {id: dloc_vectors.expectation(vector, profile) for id, vector in VECTORS.items()}
    verdicts = judge(profile, {id: wanted[id] for id in wanted if wanted[id]})
    for id, expect in wanted.items():
        line = verdicts.get(id)
        lines.append({"id": id, "profile": profile, "expect": expect})
        told = line["verdict"] if line else None
        if expect and (told != "as-expected" or line["basis"] != "derived") or not expect and told == "as-expected":
            failures.append(f"{profile}: {id}: expectation gives {expect}, dloc says {told} {line}")
        if expect and not dloc_vectors.same(VECTORS[id], expect, profile):
            failures.append(f"{profile}: {id}: an expectation is not the same as itself")

for profile in PROFILES[:2]:
    for change in (renamed, spread, numbers, distinct, reversed_lists, zeros):
        answers = {}
        for id, vector in VECTORS.items():
            expect = dloc_vectors.expectation(vector, profile)
            if expect and "value" in expect and vector["level"] not in ("record", "undefined"):
                answers[id] = expect | {"value": change(expect["value"])}
        told = Counter()
        verdicts = judge(profile, answers)
        for id, answer in answers.items():
            if verdicts[id]["outcome"] == "errored":  # no value of the op, which dloc refuses before it compares
                continue
            is_same = verdicts[id]["verdict"] == "as-expected"
            told[is_same] += 1
            lines.append({"id": id, "profile": profile, "answer": answer, "same": is_same})
            if dloc_vectors.same(VECTORS[id], answer, profile) != is_same:
                failures.append(f"{profile}: {id}: {change.__name__}: same is {not is_same}, dloc says {verdicts[id]['verdict']}: {answer}")
        print(f"{profile}: {change.__name__}: {told[True]} the same, {told[False]} not")
(FOLDER / "verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
print(*failures[:20], sep="\n")
sys.exit(f"{len(failures)} of them" if failures else 0)
