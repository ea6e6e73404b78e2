"""Where the expectations of vectors come from: which LLVMs confirm them (the file CONFIRMED of a folder of vectors, written
by conformance/llvm/confirm.py)."""

import os
import re
import sys
from typing import Any

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


def add_confirmed(vectors: list[dict[str, Any]], folders: list[str]) -> bool:
    """Give each vector the names of the LLVMs that confirm it as it is; False when no folder has a CONFIRMED."""
    confirmed = [read_confirmed(folder) for folder in folders if os.path.exists(os.path.join(folder, "CONFIRMED"))]
    llvms = {(id, digest): names for entries in confirmed for _, id, digest, names in entries}
    for vector in vectors if confirmed else []:
        vector["confirmed"] = llvms.get((vector["id"], vector["digest"]), "")
    return bool(confirmed)


def confirmation(vector: dict[str, Any]) -> str:
    """`dloc-llvm-22+layers` is the LLVM that this repository patches; every other name is somebody else's code."""
    names = vector["confirmed"].split()
    if not names:
        return "nobody"
    return "the project's own LLVM alone" if all(name.startswith("dloc-") for name in names) else "somebody else's program"


def newest_llvm(confirmed: str) -> int:
    """The release of the newest of somebody else's LLVMs among those that confirm a vector; 0: none does."""
    return max((int(match[1]) for match in re.finditer(r"(?<![^ ])llvm-(\d+)", confirmed)), default=0)
