"""Where the expectations of vectors come from: which LLVMs confirm them (the file CONFIRMED of a folder of vectors, written
by conformance/llvm/confirm)."""

import os
import re
import sys

from program import UNUSABLE, diagnose, read_file


def read_confirmed(folder: str) -> list[tuple[int, str, str, str]]:
    """The lines `ID DIGEST LLVM...`: number, id, digest, names of LLVMs."""
    path = os.path.join(folder, "CONFIRMED")
    entries = []
    for number, line in enumerate(read_file(path).splitlines(), 1):
        match = re.fullmatch(r"([^ ]+) ([^ ]{32}) (.+)", line)
        if not match:
            diagnose(path, "the line is no id, digest and names of LLVMs", "vector.evidence", number)
            sys.exit(UNUSABLE)
        entries.append((number, match[1], match[2], match[3]))
    return entries
