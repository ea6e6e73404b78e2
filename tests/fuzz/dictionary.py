#!/usr/bin/env python3
"""usage: tests/fuzz/dictionary.py TARGET

Prints words for libFuzzer's option -dict: the texts in the sources of the readers that the target gives inputs (tests/fuzz/readers), and the names in the
tables beside them. Sentences, which are messages, are left out.
"""

import ast
import re
import sys

from reached import ROOT, readers


def words(target: str) -> set[bytes]:
    found = set()
    for _, sources, targets in readers():
        if target not in targets:
            continue
        for path in {*sources, *(table for source in sources for table in source.parent.glob("*.def")), ROOT / "model/nodes/classes.def"}:
            text = re.sub(r"^#include.*", "", path.read_text(), flags=re.M)
            found |= {ast.literal_eval("b" + text) for text in re.findall(r'(?<![#\w])"(?:\\.|[^"\\\n])+"', text) if text.isascii()}
            if path.suffix == ".def":
                found |= {word.encode() for word in re.findall(r"\b[A-Za-z]\w*[a-z]\w*", re.sub(r"/\*.*?\*/", "", text, flags=re.S))}
    return {word for word in found if 0 < len(word) <= 32 and b"%" not in word and word.count(b" ") < 2}


for word in sorted(words(sys.argv[1])):
    print('"' + "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02x}" for byte in word) + '"')
