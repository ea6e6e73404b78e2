"""Gives another answer each time it is asked the same. With `lost`: gives none to every third question."""
import collections
import sys

from fake import first_operand, serve

asked = collections.Counter()
count = 0


def answer(message):
    global count
    count += 1
    if "lost" in sys.argv:
        return None if count % 3 == 0 else first_operand(message)
    identifier = message["vector"]["id"]
    asked[identifier] += 1
    if message["vector"]["op"] == "print":
        return {"seq": message["seq"], "outcome": "ok", "value": {"text": "a.py:%d" % asked[identifier]}}
    if asked[identifier] % 2:
        return first_operand(message)
    return {"seq": message["seq"], "outcome": "ok", "value": {"equal": False} if message["vector"]["op"] == "equal" else {"result": None}}


serve(answer)
