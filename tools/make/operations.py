#!/usr/bin/env python3
"""usage: operations.py FILE

Writes the words of vectors/README.md for each operation as a table for C: OPERATION(id, args, value), in the order of conformance/ops/ops.def.
An operation without a row in the table of README, or the other way round, ends the program with a message and exit status 1; nothing is written then.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import tables  # beside this file

ROOT = Path(__file__).resolve().parents[2]
README, OPERATIONS = "vectors/README.md", "conformance/ops/ops.def"
HEAD = "| op | args | value |\n|---|---|---|\n"


def main(path: str) -> None:
    known = dict(re.findall(r"^OP\((\w+), (\w+),", (ROOT / OPERATIONS).read_text(encoding="utf-8"), re.M))
    rows = (ROOT / README).read_text(encoding="utf-8").split(HEAD)[1].split("\n\n")[0].splitlines()
    found = {name.replace("-", "_"): cells for line in rows for name, *cells in re.findall(r"^\| `([\w-]+)` \| (.+) \| (.+) \|$", line)}
    if len(found) != len(rows) or list(known.values()) != list(found):
        differing = set(known.values()) ^ set(found)
        sys.exit(f"{README}: error: the table of operations is not a row for each of {OPERATIONS}, in their order: {', '.join(sorted(differing)) or 'a row'}")
    text = f"/* Made from {README} by tools/make/operations.py: change that instead. */\n"
    text += "".join(tables.row("OPERATION", op, *map(tables.quoted, found[name])) + "\n" for op, name in known.items())
    Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    main(*sys.argv[1:])
