"""LLVM 19's own test inputs, from Debian's source package llvm-toolchain-19, unpacked into build/cache."""

import glob
import os
import re

from common import CACHE, unpack_llvm

INPUTS = os.path.join(CACHE, "llvm-test")


def unpack() -> None:
    unpack_llvm(INPUTS, "*/llvm/test/*.ll", 3, "LLVM's test inputs")


def files_with_debug_info() -> list[str]:
    names = []
    for name in glob.glob("**/*.ll", root_dir=INPUTS, recursive=True):
        with open(os.path.join(INPUTS, name), "rb") as file:
            if re.search(rb"!dbg|!DI[A-Z]|llvm\.dbg\.", file.read()):
                names.append(name)
    return sorted(names)


def spread(names: list[str], count: int) -> list[str]:
    """About that many of the names, evenly spread; the same ones every time."""
    return names if count >= len(names) else [names[i * len(names) // count] for i in range(count)]
