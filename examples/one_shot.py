#!/usr/bin/env python3
"""An adapter for a program that answers one question and ends, as a shell script does:
   dloc run --impl "python3 examples/one_shot.py merge,equal ./tool" vectors
The first argument says what the program can do (capabilities of conformance/PROTOCOL.md). It gets a vector as JSON on its standard input,
and prints the answer, {"outcome": "ok", "value": ...}; with another exit status than 0 it has crashed."""
import json
import subprocess
import sys

capabilities, command = sys.argv[1].split(","), sys.argv[2:]


def ask(vector):
    done = subprocess.run(command, input=json.dumps(vector), stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return {"outcome": "crash", "reason": f"exit status {done.returncode}"}
    try:
        return dict(json.loads(done.stdout))
    except (ValueError, TypeError):
        return {"outcome": "errored", "reason": f"no answer, but {done.stdout[:200]!r}"}


for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "start":
        reply = {"started": 1, "implementation": command[0], "version": "0", "capabilities": capabilities}
    elif message["command"] == "run":
        reply = {"seq": message["seq"], **ask(message["vector"])}
    elif message["command"] == "flush":
        reply = {"flushed": message["seq"]}
    else:
        break
    print(json.dumps(reply), flush=True)
