#!/usr/bin/env python3
"""An adapter for dloc run, in Python without any library (conformance/PROTOCOL.md): prints, compares, and merges locations of one scope.
   dloc run --impl 'python3 conformance/adapters/example.py' vectors
What it cannot do it skips; nothing here looks at what a vector expects."""
import json
import sys

class Skip(Exception):
    pass

def same_as(nodes, name):
    """A key that two nodes share exactly when they are one: a distinct node's is its name, a uniqued one's its content."""
    node = nodes.get(name) if isinstance(name, str) else None
    if node is None or node.get("distinct") and node["node"] != "composite":
        return name
    return str([(k, [same_as(nodes, x) if isinstance(x, str) else (x["kind"], same_as(nodes, x["location"])) for x in v]
                 if isinstance(v, list) else same_as(nodes, v)) for k, v in sorted(node.items()) if v and k != "distinct"])

def shown(nodes, name):
    node = nodes[name]
    if node["node"] == "composite":
        return ", ".join([shown(nodes, node["primary"])] + [l["kind"] + ": " + shown(nodes, l["location"]) for l in node["layers"]])
    if node["node"] != "DILocation" or not nodes[node["scope"]].get("file"):
        raise Skip("prints only locations with a file")
    column = ":%d" % node["column"] if node.get("column") else ""
    site = " @[ " + shown(nodes, node["inlinedAt"]) + " ]" if node.get("inlinedAt") else ""
    return nodes[nodes[node["scope"]]["file"]]["filename"] + ":%d" % node.get("line", 0) + column + site

def merged(nodes, a, b):
    if a is None or b is None or same_as(nodes, a) == same_as(nodes, b):
        return a if b else None
    x, y = nodes[a], nodes[b]
    if set(x) | set(y) > {"node", "distinct", "line", "column", "scope"} or same_as(nodes, x["scope"]) != same_as(nodes, y["scope"]):
        raise Skip("merges only plain locations of one scope")
    line = x.get("line", 0) if x.get("line", 0) == y.get("line", 0) else 0
    column = x.get("column", 0) if x.get("line", 0) == y.get("line", 0) and x.get("column", 0) == y.get("column", 0) else 0
    nodes["merged"] = {"node": "DILocation", "line": line, "column": column, "scope": x["scope"]}
    return "merged"

def answer(vector):
    nodes, args = dict(vector.get("nodes", {})), vector["args"]
    if vector["op"] == "print" and args[0] is not None:
        return {"text": shown(nodes, args[0])}
    if vector["op"] == "equal":
        return {"equal": same_as(nodes, args[0]) == same_as(nodes, args[1])}
    if vector["op"] == "merge" and len(args) == 2 and not any(a and nodes[a]["node"] == "composite" for a in args):
        return {"result": merged(nodes, *args), "nodes": {"merged": nodes["merged"]} if "merged" in nodes else {}}
    raise Skip("not done by this example")

def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["command"] == "start":
            reply = {"started": 1, "implementation": "example.py", "version": "1", "capabilities": ["merge", "equal", "print", "layers"]}
        elif message["command"] == "run":
            reply = {"seq": message["seq"]}
            try:
                reply.update(outcome="ok", value=answer(message["vector"]))
            except Skip as why:
                reply.update(outcome="skipped", reason=str(why))
        elif message["command"] == "flush":
            reply = {"flushed": message["seq"]}
        else:
            return
        print(json.dumps(reply), flush=message["command"] != "run")

main()
