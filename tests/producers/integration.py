"""MLIR's own integration tests, from Debian's source package llvm-toolchain-19: their commands, as pipelines."""

import glob
import os
import re
import shlex
import subprocess

from common import CACHE, llvm, unpack_llvm

INPUTS = os.path.join(CACHE, "mlir-test")
# What the tests of 22 do more than those of 19, as its passes to the LLVM dialect leave more to others.
MORE = {22: ["convert-arith-to-llvm", "convert-ub-to-llvm", "convert-cf-to-llvm", "reconcile-unrealized-casts"]}


def unpack():
    unpack_llvm(INPUTS, "*/mlir/test/Integration/Dialect/*.mlir", 5, "MLIR's integration tests")


def files():
    return sorted(glob.glob("**/*.mlir", root_dir=INPUTS, recursive=True))


def first_command(path):
    """The first RUN line of a lit test, with what DEFINE and REDEFINE lines say in it."""
    defined, text, kind = {}, "", None
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"\s*//\s*(RUN|DEFINE|REDEFINE):\s?(.*)$", line)
            if not match:
                continue
            kind, text = kind or match[1], text + match[2].strip()
            if text.endswith("\\") or (kind == "RUN" and text.endswith("|")):
                text = text.rstrip("\\") + " "
                continue
            for _ in range(10):
                if kind == "RUN":
                    text = re.sub(r"%\{([\w-]+)\}", lambda name: defined.get(name[1], name[0]), text)
            if kind == "RUN":
                return text
            name, value = re.match(r"%\{([\w-]+)\}\s*=\s*(.*)$", text).groups()
            defined[name], text, kind = value, "", None
    return ""


def steps(command, path):
    """The arguments of mlir-opt in each command of the pipe that is one."""
    found = []
    for part in re.split(r"&&|\|", command):
        words = shlex.split(part.replace("%S", os.path.dirname(path)))
        if words and words[0] == "mlir-opt":
            found.append([word for word in words[1:] if word not in ("%s", "-", path)])
    return found


def passes_of(mlir_opt, arguments):
    """The pipeline of options, as mlir-opt tells it: the passes of the module."""
    done = subprocess.run([mlir_opt, "--dump-pass-pipeline", *arguments, "-"], input=b"module {}", capture_output=True, timeout=60)
    match = re.search(rb"^builtin\.module\((.*)\)$", done.stderr, re.M | re.S)
    return split(match[1].decode()) if match else None


def split(text):
    """At the commas that are in no brackets."""
    depth, parts = 0, [""]
    for c in text.replace("\n", " "):
        depth += (c in "({[<") - (c in ")}]>")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def pipeline(version, path):
    """The passes of the test's own lowering, or None when this release has not all of them."""
    passes = []
    for arguments in steps(first_command(path), path):
        more = passes_of(llvm(version, "mlir-opt"), arguments)
        if more is None:
            return None
        passes += more
    return passes + MORE.get(version, []) if passes else None


def lowered(version, path, passes):
    """The module that the tools make of it, or None when they refuse it."""
    text = b""
    for command in (
        ["mlir-opt", path, "--mlir-print-debuginfo", f"--pass-pipeline=builtin.module({','.join(passes)})"],
        ["mlir-opt", "-", "--mlir-print-debuginfo", "--ensure-debug-info-scope-on-llvm-func"],
        ["mlir-translate", "--mlir-to-llvmir", "-"],
    ):
        done = subprocess.run([llvm(version, command[0]), *command[1:]], input=text, capture_output=True, timeout=120)
        if done.returncode:
            return None
        text = done.stdout
    return text
