"""Says of each vector what the vectors of a JSON Lines file expect, whatever the profile."""
import json
import sys

from fake import serve

with open(sys.argv[1]) as lines:
    vectors = {vector["id"]: vector["expect"] for vector in map(json.loads, lines)}

serve(lambda message: {"seq": message["seq"], **vectors[message["vector"]["id"]]})
