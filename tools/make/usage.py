#!/usr/bin/env python3
"""usage: usage.py DIRECTORY

Writes tools/ROOM/NAME.help, the help of each command, as a header for its C: DIRECTORY/NAME.h has a `tool_usage` of the name NAME_usage. A file has the
synopsis, the operands (`none`, `1`, `1 to 2`, `1 or more`, `any number`), what the command does, and examples:

    usage: dloc print [OPTION...] FILE
    operands: 1

    Read a module (.ll or .bc) and print it back.

    example:
      dloc print tests/lit/Inputs/layers.ll

Any other file ends the program with `FILE: error: TEXT` and exit status 1. A header that would not change stays as it is.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tables import quoted  # beside this file

ROOT = Path(__file__).resolve().parents[2]
FORM = re.compile(r"usage: (?P<synopsis>.*?)\noperands: (?P<operands>[^\n]*)\n\n(?P<about>.*?\n)\nexample:\n(?P<example>(?:  [^\n]+\n)+)", re.S)
OPERANDS = re.compile(r"(?P<none>none)|any number|(?P<least>\d+)(?: to (?P<most>\d+)|(?P<more> or more))?")


def header(path: Path, text: str) -> str:
    match = FORM.fullmatch(text)
    operands = match and OPERANDS.fullmatch(match["operands"])
    if not match or not operands:
        sys.exit(f"{path}: error: {'unknown operands' if match else 'this is no help, of which tools/make/usage.py tells'}")
    least = operands["least"] or "0"
    most = "0" if operands["none"] else operands["most"] or ("-1" if operands["more"] or not operands["least"] else least)
    example = re.sub("^  ", "", match["example"], flags=re.M)
    texts = ",\n    ".join(quoted(part) for part in (match["synopsis"], match["about"], example))
    return (
        f"/* Made from {path} by tools/make/usage.py: change that instead. */\n#pragma once\n\n#include \"shell/tools.h\"\n\n"
        f"static const tool_usage {path.stem}_usage = {{\n    {texts}, {least}, {most}}};\n"
    )


def main(directory: str) -> None:
    Path(directory).mkdir(parents=True, exist_ok=True)
    for path in sorted(ROOT.glob("tools/*/*.help")):
        to, text = Path(directory) / f"{path.stem}.h", header(path.relative_to(ROOT), path.read_text(encoding="utf-8"))
        if not to.exists() or to.read_text(encoding="utf-8") != text:
            to.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1])
