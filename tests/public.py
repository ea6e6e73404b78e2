#!/usr/bin/env python3
"""usage: tests/public.py

Asks that each public function is called outside model/: by the conformance run, the command, the playground or an example; and that the generator of
calls, tests/fuzz/api, calls it, too. Environment: BUILD (default build). Exit status 1 when one is not and has no reason below, or when one that has a
reason is called after all.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / os.environ.get("BUILD", "build")

# The users who need them all the same.
REASONS = {
    "dloc_emit_layers": "a code generator that writes the primary directive itself writes the layers' directives; libdloc-objects does so for PTX",
    "dloc_lexical_block": "a producer makes the scope of a block",
    "dloc_layer_find": "a consumer asks for the layer of one kind",
    "dloc_line_table_unit_at": "a reader of rows asks for the unit of a row, which has the row's files",
    "dloc_module_change_locations": "a pass gives the locations of a module others, as the library's own passes do",
}


def symbols(kind, *files):
    """The names that nm prints of a kind: `U` for those that a file asks for."""
    command = ["nm", "-P", *map(str, files)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0] for line in lines if re.match(rf"\S+ {kind}\b", line)}


def main():
    public = set()
    for library in BUILD.glob("libdloc*.so"):
        public |= {name for name in symbols("T", "-D", library) if not name.startswith("dloc_private_")}
    objects = [path for room in ("conformance", "tools") for path in (BUILD / "obj" / room).rglob("*.o")]
    called = symbols("U", *(path for path in objects if (ROOT / path.relative_to(BUILD / "obj")).with_suffix(".c").exists()))
    for source in [*(ROOT / "playground").rglob("*.c"), *(ROOT / "examples").rglob("*.c")]:
        called |= set(re.findall(r"\bdloc_\w+", source.read_text()))
    wrong = [f"{name}: nobody outside model/ calls it" for name in sorted(public - called - set(REASONS))]
    generator = "".join(path.read_text() for path in (ROOT / "tests/fuzz/api").glob("*.c"))
    wrong += [f"{name}: tests/fuzz/api does not call it" for name in sorted(public - set(re.findall(r"\bdloc_\w+", generator)))]
    wrong += [f"{name}: its reason is out of date" for name in sorted(set(REASONS) - (public - called))]
    print("\n".join(wrong + [f"{len(public) - len(wrong)} passed, {len(wrong)} failed"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
