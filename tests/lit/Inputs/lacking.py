"""An adapter that writes no layers in the place that its argument names, and answers nothing."""
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "start":
        print(json.dumps({"started": 1, "implementation": "lacking", "capabilities": ["roundtrip", "layers"], "lacks": sys.argv[1:]}), flush=True)
    elif message["command"] == "run":
        print(json.dumps({"seq": message["seq"], "outcome": "skipped", "reason": "not asked"}), flush=True)
    elif message["command"] == "flush":
        print(json.dumps({"flushed": message["seq"]}), flush=True)
