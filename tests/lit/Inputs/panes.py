"""usage: panes.py JSON: the layers of the page that `dloc browse --json` describes, and for each instruction where it is in the source and in each layer."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = json.load(file)
names = [pane["name"] for pane in page["panes"]]
print(*names[1:])
for function in page["functions"]:
    for _, text, _, stack, layers in function["code"]:
        places = []
        while stack is not None:
            _, place, stack = page["stacks"][stack]
            places += [place] if place is not None else []
        places += layers
        print(text, *(f"{names[page['places'][place][0]]}:{page['places'][place][2]}" for place in places))
