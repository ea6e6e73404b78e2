"""The fakes share this: the protocol, spoken correctly. Each fake gives it the one thing that it does wrong."""
import json
import sys


def serve(answer, started=None):
    """answer(message) gives the reply to a run: an object, a list of lines, or None for no answer at all."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["command"] == "stop":
            return
        if message["command"] == "start":
            reply = {"started": 1, "implementation": "fake", "version": "0",
                     "capabilities": ["merge", "equal", "print", "verify", "inline", "layers", "atoms", "records"]}
            reply.update(started or {})
        elif message["command"] == "flush":
            reply = {"flushed": message["seq"]}
        else:
            reply = answer(message)
        for item in reply if isinstance(reply, list) else [] if reply is None else [reply]:
            print(item if isinstance(item, str) else json.dumps(item))
        sys.stdout.flush()


def skipped(message):
    return {"seq": message["seq"], "outcome": "skipped", "reason": "a fake"}


def first_operand(message):
    """An answer that is well-formed, and right only by chance."""
    vector = message["vector"]
    value = {"merge": {"result": (vector.get("args") or [None])[0]} if vector["op"] == "merge" else None,
             "equal": {"equal": True}, "print": {"text": "a.py:1:1"}}.get(vector["op"])
    if value is None:
        return skipped(message)
    return {"seq": message["seq"], "outcome": "ok", "value": value}
