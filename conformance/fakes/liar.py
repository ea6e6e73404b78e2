"""Claims that everything went well, with values that are wrong."""
from fake import serve


def answer(message):
    op = message["vector"]["op"]
    value = {"equal": {"equal": False}, "print": {"text": "nowhere:1:1"}}.get(op)
    if op == "merge":
        value = {"result": "x", "nodes": {"x": {"node": "DILocation", "line": 4711, "scope": "y"},
                                          "y": {"node": "DISubprogram", "distinct": True, "name": "liar"}}}
    reply = {"seq": message["seq"], "outcome": "ok"}
    if op == "verify":
        return {**reply, "outcome": "reject", "reason": "shape.no-operands"}
    if value is None:
        return {**reply, "outcome": "degraded", "reason": "a lie"}
    return {**reply, "value": value}


serve(answer)
