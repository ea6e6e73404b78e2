"""LLVM 19's own test inputs, from Debian's source package llvm-toolchain-19, unpacked into build/cache."""

import glob
import os
import re
import shutil
import subprocess
import sys

from common import CACHE, fetch

INPUTS = os.path.join(CACHE, "llvm-test")


def unpack():
    if os.path.isdir(INPUTS):
        return
    package = glob.glob(os.path.join(fetch("llvm-toolchain-19"), "*.orig.tar.xz"))[0]
    print("unpacking LLVM's test inputs", file=sys.stderr)
    shutil.rmtree(INPUTS + ".part", ignore_errors=True)
    os.makedirs(INPUTS + ".part")
    wanted = ["--wildcards", "--strip-components=3", "*/llvm/test/*.ll"]
    subprocess.run(["tar", "-xJf", package, "-C", INPUTS + ".part", *wanted], check=True)
    os.rename(INPUTS + ".part", INPUTS)


def files_with_debug_info():
    names = []
    for name in glob.glob("**/*.ll", root_dir=INPUTS, recursive=True):
        with open(os.path.join(INPUTS, name), "rb") as file:
            if re.search(rb"!dbg|!DI[A-Z]|llvm\.dbg\.", file.read()):
                names.append(name)
    return sorted(names)


def spread(names, count):
    """About that many of the names, evenly spread; the same ones every time."""
    return names if count >= len(names) else [names[i * len(names) // count] for i in range(count)]
