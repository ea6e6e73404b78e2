"""usage: browse.py EXPECTED SYMBOLS JSON: whether the page's JSON says of each instruction what the linkers' generator wrote, and has its texts."""

import json
import sys

expected, page = (json.load(open(path, encoding="utf-8")) for path in (sys.argv[1], sys.argv[3]))
addresses = {name: int(address, 16) for address, _, name in map(str.split, open(sys.argv[2], encoding="utf-8"))}
names = [pane["name"] for pane in page["panes"]]
code = {int(address, 16): [function["name"], *rest] for function in page["functions"] for address, *rest in function["code"]}


def place_of(number):
    pane, file, line, column = page["places"][number]
    return names[pane], [page["panes"][pane]["files"][file]["path"], line, column]


met = set()
for instruction in expected["code"]:
    address = addresses.get(instruction["label"])
    if address not in code or address in met:  # one copy of a COMDAT function is gone
        continue
    met.add(address)
    name, _, samples, stack, layers = code[address]
    wanted = {kind: place for kind, place in instruction["layers"].items() if place}
    assert dict(map(place_of, layers)) == wanted, (instruction, layers)
    function, place, caller = page["stacks"][stack]
    assert caller is None
    assert function == name == instruction["function"], instruction
    assert place_of(place) == ("source", instruction["source"]), instruction
for pane in page["panes"][1:]:
    for file in pane["files"]:
        lines = expected["texts"].get(file["path"], "").splitlines()
        if lines:
            assert file["lines"] == [[1, lines]] and file["count"] == len(lines) and "problem" not in file, file["path"]
        else:
            assert file["problem"].startswith("This file is not there"), file
print(f"{len(met)} instructions, {page['samples']} samples, panes {' '.join(names)}")
