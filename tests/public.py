#!/usr/bin/env python3
"""usage: tests/public.py

Asks that each public function is called outside model/: by the conformance run, the command, the playground or an example. Environment: BUILD
(default build). Exit status 1 when one is not and has no reason below, or when one that has a reason is called after all.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / os.environ.get("BUILD", "build")

# Who needs them all the same.
REASONS = {
    "dloc_emit_layers": "a code generator that writes the primary directive itself; the columns of PTX do",
    "dloc_lexical_block": "a producer whose scopes are blocks",
    "dloc_layer_find": "a consumer who wants the layer of one kind",
    "dloc_line_table_unit_at": "a reader of rows: a row's files are those of its unit",
    "dloc_module_change_locations": "a pass that gives locations others, as the library's own do",
    "dloc_module_function_attachment": "a reader of modules, who has to see each place that holds metadata",
    "dloc_module_global_attachment": "the same",
    "dloc_module_global_attachment_count": "the same",
    "dloc_module_metadata_operand": "the same",
    "dloc_module_metadata_operand_count": "the same",
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
    called = symbols("U", *(BUILD / "obj/conformance").rglob("*.o"), *(BUILD / "obj/tools").rglob("*.o"))
    for source in [*(ROOT / "playground").rglob("*.c"), *(ROOT / "examples").rglob("*.c")]:
        called |= set(re.findall(r"\bdloc_\w+", source.read_text()))
    wrong = [f"{name}: nobody outside model/ calls it" for name in sorted(public - called - set(REASONS))]
    wrong += [f"{name}: its reason is out of date" for name in sorted(set(REASONS) - (public - called))]
    print("\n".join(wrong + [f"{len(public) - len(wrong)} passed, {len(wrong)} failed"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
