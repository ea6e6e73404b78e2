"""Shared by scripts that are a command of their own: the program's input to them, their questions, their messages."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from shown import ACTING, show_output

# The exit statuses of every command.
FINE, VIOLATION, UNUSABLE = range(3)


class Command:
    """`dloc` starts a script as SCRIPT PROGRAM OPTIONS OPERAND...: its own path, and the options as a JSON object."""

    def __init__(self) -> None:
        self.program, options, *self.words = sys.argv[1:]  # words: operands as they stand, or of `dloc laws` all its words
        self.operands = [f"./{name}" if name[0:1] == "-" and name != "-" else name for name in self.words]  # what stood behind `--`
        self.options = SimpleNamespace(**json.loads(options))
        self.status = FINE  # the worst of what a script has met

    def ask(self, *arguments: str, quiet: bool = False) -> tuple[int, list[bytes]]:
        """The program's exit status, and the lines that it writes. Its messages go to stderr, unless quiet."""
        errors = subprocess.DEVNULL if quiet else None
        child = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=errors, check=False)
        return (child.returncode if child.returncode >= 0 else UNUSABLE), child.stdout.splitlines(keepends=True)

    def ask_json(self, *arguments: str, quiet: bool = False) -> tuple[int, list[dict[str, Any]]]:
        status, lines = self.ask(*arguments, quiet=quiet)
        return status, [json.loads(line) for line in lines if line.endswith(b"\n")]  # one that ran out of memory cuts a line

    def told(self, *arguments: str) -> list[bytes]:
        """The lines of a subcommand that has to succeed. If it does not, it has said why, and this one ends as it did."""
        status, lines = self.ask(*arguments)
        if status != FINE:
            sys.exit(status)
        return lines

    def told_json(self, *arguments: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.told(*arguments)]

    def write(self, path: str, content: bytes) -> None:
        """The file of an option; `-` is stdout. The program has opened it, and puts it in its place when this script has ended."""
        if path == "-":
            sys.stdout.buffer.write(content)
            return
        try:
            with open(self.options.descriptors[path], "wb") as file:
                file.write(content)
        except OSError as failure:
            raise OSError(failure.errno, failure.strerror, path) from failure


class Messages(io.TextIOWrapper):
    """Standard error: a message that cannot be written is lost, and the exit status stays."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


def error(text: str) -> None:
    print(f"dloc: {text.translate(ACTING | {10: '?'})}", file=sys.stderr)


def fail(text: str) -> NoReturn:
    error(text)
    sys.exit(UNUSABLE)


SHOWN = 120  # columns of a line that a diagnostic shows
diagnoses_json = False  # set by a command with --json


def coloured() -> bool:
    """As tools/shell/diagnose.c decides it for the diagnostics of C."""
    if said := os.environ.get("DLOC_COLOR"):
        return said == "always"
    return not os.environ.get("NO_COLOR") and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def diagnose(path: str, message: str, code: str, line: int = 0, text: str | None = None) -> None:
    """The diagnostic of a file, or of a line of it, whose text is shown."""
    if diagnoses_json:
        place = {"line": line, "column": 1} if line else {}
        print(json.dumps({"file": path, **place, "severity": "error", "reason": code, "message": message}, separators=(",", ":")))
        return
    bold, red, green, plain = ("\033[1m", "\033[1;31m", "\033[1;32m", "\033[0m") if coloured() else [""] * 4
    path, message = path.translate(ACTING), message.translate(ACTING)
    where = f"{path}:{f'{line}:1:' if line else ''}"
    print(f"{bold}{where}{plain} {red}error:{plain} {bold}{message} [{code}]{plain}", file=sys.stderr)
    if text is not None:
        shown = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
        print(f"{shown.translate(ACTING)}\n{green}^{plain}", file=sys.stderr)


# ---- Files

FILE_LIMIT = 1 << 30  # bytes


def standard(name: str) -> str:
    """The file or folder of that name here, or else the one installed beside the tools."""
    installed = str(Path(__file__).parents[2] / name)
    return installed if os.path.exists(installed) and not os.path.exists(name) else name


def standard_vectors() -> str:
    return os.environ.get("DLOC_VECTORS") or standard("vectors")


def read_bytes(path: str) -> bytes:
    """`-` is stdin. A device can be endless."""
    chosen = os.environ.get("DLOC_INPUT_LIMIT", "")
    limit = min(int(chosen) if chosen.isdecimal() and int(chosen) else FILE_LIMIT, FILE_LIMIT)
    try:
        with open(sys.stdin.fileno() if path == "-" else path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as failure:
        fail(f"cannot read {path}: {failure.strerror}")
    if len(data) > limit:
        fail(f"cannot read {path}: it has more than {limit} bytes (DLOC_INPUT_LIMIT)")
    return data


def read_file(path: str) -> str:
    return read_bytes(path).decode(errors="replace")


def read_reasons(path: str, code: str) -> Iterator[tuple[int, str, str]]:
    """Of a list of lines `ID: REASON` the number, the id and the reason; a line that begins with # is a comment."""
    known = set()
    for number, line in enumerate(read_file(path).split("\n"), 1):
        match = re.fullmatch(r"\s*([a-z0-9.-]+)\s*:\s*(.*\S)\s*", line)
        if match and match[1] not in known:
            known.add(match[1])
            yield number, match[1], match[2]
        elif line.strip() and not line.lstrip().startswith("#"):
            diagnose(path, "this id is listed already" if match else "expected 'ID: REASON'", code, number)
            sys.exit(UNUSABLE)


def status_of(child: int) -> int:
    """Of this program, when a child writes its output. Nobody may read that on."""
    return child if child >= 0 or child == -signal.SIGPIPE else UNUSABLE


class Stopped(BaseException):
    """A signal has come: children end."""


def stop(number: int, frame: object) -> NoReturn:
    raise Stopped(number)


def run(main: Callable[[Command], int]) -> None:
    """End with main's exit status, which is minus the number of a signal that ended a child in its place, or as the program does when something cannot be written."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    show_output()
    assert isinstance(sys.stderr, io.TextIOWrapper)
    sys.stderr = Messages(sys.stderr.detach(), encoding="utf-8", errors="backslashreplace", line_buffering=True)
    status: int | str | None = UNUSABLE
    try:
        status = main(Command())
        sys.stdout.flush()
    except Stopped as stopped:
        status = -stopped.args[0]
    except BrokenPipeError:
        status = -signal.SIGPIPE
    except OSError as failure:
        error(f"cannot write {failure.filename or 'standard output'}: {failure.strerror}")
    except SystemExit as end:
        status = end.code
        if isinstance(status, str):  # what is missing
            error(f"{os.path.basename(sys.argv[0])}: {status}")
    sys.stderr.flush()
    if isinstance(status, int) and status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status if isinstance(status, int) else UNUSABLE)  # what stdout still holds would be tried again
