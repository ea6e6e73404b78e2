"""What scripts share that are a command of their own: what the program gives them, what they ask it, what they say."""

import contextlib
import fcntl
import glob
import json
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import NoReturn

from shown import ACTING, show_output

# The exit statuses of every command.
FINE, VIOLATION, UNUSABLE = range(3)


class Command:
    """`dloc` starts a script as SCRIPT PROGRAM OPTIONS OPERAND...: its own path, and the options as a JSON object."""

    def __init__(self) -> None:
        self.program, options, *self.operands = sys.argv[1:]
        self.options = SimpleNamespace(**json.loads(options))

    def ask(self, *arguments: str, quiet: bool = False) -> tuple[int, list[bytes]]:
        """The program's exit status, and the lines that it writes. What it has to say goes to stderr, unless quiet."""
        errors = subprocess.DEVNULL if quiet else None
        child = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=errors, check=False)
        return (child.returncode if child.returncode >= 0 else UNUSABLE), child.stdout.splitlines(keepends=True)

    def ask_json(self, *arguments: str, quiet: bool = False) -> tuple[int, list[dict]]:
        status, lines = self.ask(*arguments, quiet=quiet)
        return status, [json.loads(line) for line in lines if line.endswith(b"\n")]  # one that ran out of memory cuts a line

    def told(self, *arguments: str) -> list[bytes]:
        """The lines of a subcommand that has to succeed. If it does not, it has said why, and this one ends as it did."""
        status, lines = self.ask(*arguments)
        if status != FINE:
            sys.exit(status)
        return lines

    def told_json(self, *arguments: str) -> list[dict]:
        return [json.loads(line) for line in self.told(*arguments)]


def error(text: str) -> None:
    print(f"dloc: {text.translate(ACTING)}", file=sys.stderr)


def fail(text: str) -> NoReturn:
    error(text)
    sys.exit(UNUSABLE)


diagnoses_json = False  # set by a command with --json


def coloured() -> bool:
    """As tools/diagnose.c decides it for the diagnostics of C."""
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
        print(f"{text.translate(ACTING)}\n{green}^{plain}", file=sys.stderr)


# ---- Files

FILE_LIMIT = 1 << 30  # bytes


def read_file(path: str) -> str:
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
    return data.decode(errors="replace")


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


def write_file(path: str, content: bytes) -> None:
    """A file appears only when it is complete; `-` is stdout. What is no ordinary file is written to directly."""
    if path == "-":
        sys.stdout.buffer.write(content)
        return
    is_special = os.path.exists(path) and not os.path.isfile(path)
    temporary = path if is_special else f"{path}.dloc-{secrets.token_hex(3)}"
    try:
        remove_abandoned(path)
        with open(temporary, "wb" if is_special else "xb") as file:
            if not is_special:
                mode = stat.S_IMODE(os.stat(path if os.path.exists(path) else file.fileno()).st_mode) & 0o777
                with contextlib.suppress(OSError):
                    fcntl.lockf(file, fcntl.LOCK_EX)
                    os.fchmod(file.fileno(), MARK)
            file.write(content)
            file.flush()
            if not is_special:
                os.fchmod(file.fileno(), mode)
        if not is_special:
            os.replace(temporary, path)
    except OSError as failure:
        raise OSError(failure.errno, failure.strerror, path) from failure
    finally:
        if not is_special:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


MARK = 0o1600  # the mode of a temporary file


def remove_abandoned(path: str) -> None:
    """What a program left that is gone has that mode and no lock (conformance/run/ending.h)."""
    for name in glob.glob(f"{glob.escape(path)}.dloc-??????"):
        with contextlib.suppress(OSError):
            found = os.lstat(name)
            if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) == MARK and found.st_uid == os.geteuid():
                with open(name, "r+b") as file:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(name)


class Stopped(BaseException):
    """A signal has come: what is temporary goes, and children end."""


def stop(number: int, frame: object) -> NoReturn:
    raise Stopped(number)


def run(main: Callable[[Command], int]) -> None:
    """End with main's exit status, or as the program does when something cannot be written."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    show_output()
    try:
        status = main(Command())
        sys.stdout.flush()
    except Stopped as stopped:
        signal.signal(stopped.args[0], signal.SIG_DFL)
        os.kill(os.getpid(), stopped.args[0])
    except OSError as failure:
        error(f"cannot write {failure.filename or 'standard output'}: {failure.strerror}")
        status = UNUSABLE
    except SystemExit as end:
        status = end.code
        if isinstance(status, str):  # what is missing
            error(f"{os.path.basename(sys.argv[0])}: {status}")
            status = UNUSABLE
    sys.stderr.flush()
    os._exit(status)  # what stdout still holds would be tried again
