"""Running the tools of MLIR and Flang, and then `dloc mlir`: what the scripts behind `dloc mlir --pipeline` and `dloc flang` share."""

import contextlib
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from program import FINE, UNUSABLE, VIOLATION, Command, error, fail, status_of

OLDEST, NEWEST = 19, 22
MOST_OUTPUT = 1 << 32  # bytes of a file that a tool writes
MOST_SAID = 1000


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """A pass takes the path of its file as an option, where only simple names need no quotes."""
    parent = os.environ.get("TMPDIR") or "/tmp"
    if re.search(r"[^A-Za-z0-9/._+-]", parent):
        fail(f"the tools of MLIR take no path such as '{parent}'; use letters, digits and ./_+-")
    try:
        folder = tempfile.mkdtemp(prefix="dloc.", dir=parent)
    except OSError as failure:
        fail(f"cannot make a folder in {parent}: {failure.strerror}")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def limit_output() -> None:
    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_OUTPUT, resource.RLIM_INFINITY))


def what_it_said(text: str) -> str:
    """The first line that says `error:` behind a place, or `error:` alone; or the first one of all."""
    lines = text.split("\n")
    chosen = next((line for mark in (": error:", "error:") for line in lines if mark in line), lines[0])
    return chosen[:MOST_SAID]


class Lowering:
    """The tools of a release, and the files that go from one to the next. `dloc` runs in their folder, and so it calls them by their names."""

    def __init__(self, command: Command, folder: str, package: str, probe: str) -> None:
        self.command, self.options, self.folder = command, command.options, folder
        self.source, self.package = command.operands[0], package
        if self.source.startswith("-"):
            fail(f"the program must be in a file, whose name does not begin with `-`: {self.source}")
        self.start(probe, ["--version"], None, "version")
        match = re.search(r"version ([^ \n]+)", self.read("version"))
        release = match[1] if match else "?"
        number = re.match(r"\d+", release)
        self.release = int(number[0]) if number else 0
        if not OLDEST <= self.release <= NEWEST:
            fail(
                f"{probe} is of LLVM {release}; the tools of {OLDEST} to {NEWEST} can be used, such as those of the package {package}: --llvm"
            )
        if command.options.v:
            error(f"{self.tool(probe)} is of LLVM {release}")

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def read(self, name: str) -> str:
        try:
            with open(self.path(name), encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except OSError as failure:
            fail(f"cannot read {self.path(name)}: {failure.strerror}")

    def write(self, name: str, text: str) -> None:
        with open(self.path(name), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)

    # ---- Tools

    def tool(self, name: str) -> str:
        return f"{self.options.llvm}/{name}" if self.options.llvm else name

    def start(self, name: str, arguments: Sequence[str], source: str | None, output: str) -> list[str]:
        """Run a tool to its end, with one file as its input and another as its output. Kills the processes that it leaves behind."""
        path, status = self.tool(name), None
        with (
            open(self.path(source) if source else os.devnull, "rb") as stdin,
            open(self.path(output), "wb") as stdout,
            open(self.path("said"), "wb") as stderr,
        ):
            try:
                child = subprocess.Popen(
                    [path, *arguments], stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True, preexec_fn=limit_output
                )
            except OSError as failure:
                self.fail_start(name, failure)
            try:
                status = child.wait(self.options.timeout)
            except subprocess.TimeoutExpired:
                pass
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        if status == 0:
            return [path, *arguments]
        said = what_it_said(self.read("said"))
        if status is None:
            end = "no answer within the time limit"
        elif status == -signal.SIGXFSZ:
            end = "too much output"
        else:
            end = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        fail(f"{path}: {end}{': ' if said else ''}{said}")

    def fail_start(self, name: str, failure: OSError) -> None:
        place = self.options.llvm or "PATH"
        if isinstance(failure, FileNotFoundError):
            fail(f"there is no {name} in {place}; Debian has it in the package {self.package}, in /usr/lib/llvm-{NEWEST}/bin: --llvm")
        fail(f"cannot run {name} of {place}: {failure.strerror}")

    def run(self, name: str, *arguments: str, source: str | None = None, output: str = "output") -> None:
        ran = self.start(name, arguments, source, output)
        if self.options.v:
            error(f"ran {shlex.join(ran)}")

    # ---- The program itself

    def filter(self, action: str, stages: list[str], *options: str) -> None:
        """`dloc mlir ACTION` of the lowered program. A tag that no location has is no news to who marked the stage."""
        tags = [word for stage in stages for word in ("--tag", stage)]
        arguments = [self.command.program, "mlir", action, "the lowered program", *tags, *options]
        child = subprocess.run(arguments, cwd=self.folder, stderr=subprocess.PIPE, check=False)
        if child.returncode != FINE:
            os.write(2, child.stderr)
            raise SystemExit(child.returncode if child.returncode == VIOLATION else UNUSABLE)

    def number(self, lowered: str, stages: list[str], numbered: str) -> None:
        """Make the file with a number for each location. The texts of the stages get their names from that of the source."""
        base = os.path.basename(self.source)
        stem = re.sub(r'[\x00-\x1f\x7f"\\]', "_", re.sub(r"(?<=.)\.[^.]*$", "", base, flags=re.S))
        self.texts = {stage: f"{stem}.{stage}.mlir" for stage in stages}
        self.write("the lowered program", self.read(lowered).replace(f'"{self.folder}/', f'"{stem}.'))
        for stage, text in self.texts.items():
            self.write(text, self.read(f"{stage}.mlir"))
        self.filter("ids", stages, "--first", "1", "--table", "table", "-o", numbered)

    def join(self, *options: str, may_fail: bool = False) -> int:
        """The exit status. The layers go onto `the lowered module`. If it may fail, a difference of code is not shown."""
        words = [word for stage, text in self.texts.items() for word in ("--layer", f"{stage}={text}")]
        words += [word for choice in self.options.choice for word in ("--choice", choice)]
        words += ["--table", "table", "--profile", self.options.profile, *(["--counts"] if self.options.counts else []), *options]
        arguments = [self.command.program, "mlir", "join", *words, "the lowered module", "the module with numbers"]
        errors = subprocess.PIPE if may_fail else None
        child = subprocess.run(
            arguments, cwd=self.folder, stdout=self.options.descriptors.get(self.options.o), stderr=errors, check=False
        )
        if may_fail and child.returncode != VIOLATION:
            os.write(2, child.stderr)
        return status_of(child.returncode)
