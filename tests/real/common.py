"""Shared by the tests on real input: running tools under a time limit, comparing modules, counting results."""

import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, NoReturn, TypeVar

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
# Downloads outlive what is built, so folders within build share them. A build folder elsewhere has its own.
CACHE = os.path.join(ROOT if BUILD.startswith(ROOT + os.sep) else BUILD, "build" if BUILD.startswith(ROOT + os.sep) else "", "cache")
DLOC = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
JOBS = os.cpu_count() or 2
HANG = "hang"
Item = TypeVar("Item")
Result = TypeVar("Result")

signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary folders are removed


NEWER = {"23": "23", "24": "main"}  # what conformance/llvm/fetch calls them


def llvm(version: int | str, tool: str) -> str:
    newer = NEWER.get(str(version))
    return os.path.join(ROOT, "build", f"llvm-{newer}", "bin", tool) if newer else f"/usr/lib/llvm-{version}/bin/{tool}"


def why_missing(version: int | str) -> str | None:
    """The command that gets an LLVM that is not there."""
    if os.access(llvm(version, "opt"), os.X_OK):
        return None
    return f"there is no LLVM {version}; 'make llvm-{NEWER.get(str(version), version)}' gets it"


def fetch(package: str) -> str:
    """The folder of a Debian source package, downloaded unless it is in the cache."""
    folder = os.path.join(CACHE, "source", package)
    if subprocess.run([os.path.join(ROOT, "tests", "real", "fetch-source"), package, folder]).returncode:
        sys.exit(2)
    return folder


def unpack_llvm(folder: str, wanted: str, strip: int, what: str) -> None:
    """A part of LLVM 19's source in a folder, without the first directories of its paths; done once."""
    if os.path.isdir(folder):
        return
    package = glob.glob(os.path.join(fetch("llvm-toolchain-19"), "*.orig.tar.xz"))[0]
    print("unpacking", what, file=sys.stderr)
    shutil.rmtree(folder + ".part", ignore_errors=True)
    os.makedirs(folder + ".part")
    subprocess.run(["tar", "-xJf", package, "-C", folder + ".part", "--wildcards", f"--strip-components={strip}", wanted], check=True)
    os.rename(folder + ".part", folder)


def run(command: Sequence[str], cwd: str = ROOT, limit: float = 60, stdout: int | IO[Any] = subprocess.PIPE) -> tuple[int | str, bytes, str]:
    """(exit status or HANG, output, errors). A negative status is the signal that ended the process."""
    try:
        done = subprocess.run(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return HANG, b"", ""
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(function, items))


def first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0][:300]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


TOKEN = re.compile(rb'"[^"]*"|!\d+')
DEFINITION = re.compile(rb"(!\d+) = ")


def canonical(text: bytes) -> list[bytes]:
    """The module's text with metadata renumbered in the order of first use, so that numbering does not matter."""
    body, definitions = [], {}
    for line in text.splitlines():
        match = DEFINITION.match(line)
        if match:
            definitions[match[1]] = line[match.end() :]
        else:
            body.append(line)
    order: dict[bytes, int] = {}

    def rename(match: re.Match[bytes]) -> bytes:
        token = match[0]
        return token if token[:1] == b'"' else b"!%d" % order.setdefault(token, len(order))

    lines = [TOKEN.sub(rename, line) for line in body]
    defined = 0
    while defined < len(order):
        for token in list(order)[defined:]:
            lines.append(b"!%d = " % order[token] + TOKEN.sub(rename, definitions.pop(token, b"undefined")))
            defined += 1
    lines += sorted(b"unused " + TOKEN.sub(b"!?", line) for line in definitions.values())
    return lines


def difference(before: bytes, after: bytes) -> str | None:
    """None if two modules are equal up to the numbering of metadata, else a text that shows the first difference."""
    if before == after:
        return None
    lines, others = canonical(before), canonical(after)
    for left, right in zip(lines, others):
        if left != right:
            return f"\n    - {left.decode(errors='replace')[:300]}\n    + {right.decode(errors='replace')[:300]}"
    return None if len(lines) == len(others) else f"{len(lines)} lines became {len(others)}"


class Skip(Exception):
    """Why a check cannot be made here."""


class Results:
    """Counts, prints the first failures, and ends with the line that tests/run reads."""

    SHOWN = 100

    def __init__(self) -> None:
        if not os.access(DLOC, os.X_OK):
            sys.exit(f"there is no {DLOC}; run `make` first")
        self.passed = 0
        self.failures: list[str] = []
        self.skipped: dict[str, int] = {}

    def check(self, name: str, problem: object) -> None:
        if problem:
            self.failures.append(f"{name}: {problem}")
        else:
            self.passed += 1

    def skip(self, reason: str) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def attempt(self, name: str, check: Callable[..., object], *arguments: object) -> None:
        """A check raises what is wrong; what it returns is told."""
        try:
            told = check(*arguments)
        except Skip as reason:
            self.skip(str(reason))
        except (AssertionError, OSError) as problem:
            self.check(name, str(problem) or "it fails")
        else:
            self.check(name, None)
            if told:
                print(f"{name}: {told}")

    def finish(self) -> NoReturn:
        for failure in self.failures[: self.SHOWN]:
            print("FAILED", failure)
        if len(self.failures) > self.SHOWN:
            print(f"... and {len(self.failures) - self.SHOWN} more")
        for reason, count in sorted(self.skipped.items()):
            print(f"skipped {count}: {reason}")
        total = f"{self.passed} passed, {len(self.failures)} failed"
        print(total + (f", {sum(self.skipped.values())} skipped" if self.skipped else ""))
        sys.exit(1 if self.failures else 0)
