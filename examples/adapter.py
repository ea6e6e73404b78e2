#!/usr/bin/env python3
"""An adapter without any library (conformance/PROTOCOL.md): prints and compares bare locations, and merges those of one scope.
   dloc run --impl 'python3 examples/adapter.py' vectors
What it cannot do it skips. Nothing here knows what a vector expects."""
import json
import sys


def same(nodes, a):
    """Equal for two nodes exactly when they are one: a distinct node's name, a uniqued node's content."""
    node = nodes.get(a) if isinstance(a, str) else None
    return a if not node or node.get("distinct") else repr({k: same(nodes, v) for k, v in sorted(node.items()) if v})


def text(nodes, location):
    scope = nodes[location["scope"]]
    column = ":%d" % location["column"] if location.get("column") else ""
    site = " @[ " + text(nodes, nodes[location["inlinedAt"]]) + " ]" if location.get("inlinedAt") else ""
    return nodes[scope["file"]]["filename"] + ":%d" % location.get("line", 0) + column + site


def merge(nodes, a, b):
    if a is None or b is None or same(nodes, a) == same(nodes, b):
        return {"result": a and b and a}
    x, y = nodes[a], nodes[b]
    if (set(x) | set(y)) - {"node", "distinct", "line", "column", "scope"} or same(nodes, x["scope"]) != same(nodes, y["scope"]):
        return None
    line = x.get("line", 0) if x.get("line", 0) == y.get("line", 0) else 0
    column = x.get("column", 0) if x.get("line", 0) == y.get("line", 0) and x.get("column", 0) == y.get("column", 0) else 0
    return {"result": "r", "nodes": {"r": {"node": "DILocation", "line": line, "column": column, "scope": x["scope"]}}}


def value_of(vector):
    nodes, args = vector.get("nodes", {}), vector.get("args")
    if vector["op"] == "print" and args[0] and "file" in nodes[nodes[args[0]]["scope"]]:
        return {"text": text(nodes, nodes[args[0]])}
    if vector["op"] == "equal" and isinstance(args, list):
        return {"equal": same(nodes, args[0]) == same(nodes, args[1])}
    return merge(nodes, *args) if vector["op"] == "merge" and len(args) == 2 else None


for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "start":
        reply = {"started": 1, "implementation": "adapter.py", "version": "1", "capabilities": ["merge", "equal", "print"]}
    elif message["command"] == "run":
        value = value_of(message["vector"])
        reply = {"seq": message["seq"], "outcome": "ok", "value": value} if value else \
            {"seq": message["seq"], "outcome": "skipped", "reason": "not done by this example"}
    elif message["command"] == "flush":
        reply = {"flushed": message["seq"]}
    else:
        break
    print(json.dumps(reply), flush=True)
