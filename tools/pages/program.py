"""What scripts share that are a command of their own: what the program gives them, what they ask it, what they say."""

import contextlib
import errno
import fcntl
import glob
import io
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
from typing import IO, NoReturn

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
    print(f"dloc: {text.translate(ACTING)}", file=sys.stderr)


def fail(text: str) -> NoReturn:
    error(text)
    sys.exit(UNUSABLE)


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
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(content)
            return
        with contextlib.suppress(FileNotFoundError):
            os.close(os.open(path, os.O_WRONLY | os.O_CLOEXEC))  # what may not be written is not replaced
        replace_file(os.path.realpath(path), content)
    except OSError as failure:
        raise OSError(failure.errno, failure.strerror, path) from failure


MARK = 0o1600  # in the mode of a temporary file; conformance/run/temporary.c does the same, and says why


def lock(file: IO[bytes]) -> bool:
    """Where nobody can lock, nobody removes what is there."""
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as failure:
        return failure.errno not in (errno.EAGAIN, errno.EACCES)
    return os.fstat(file.fileno()).st_nlink > 0


def create_beside(path: str) -> IO[bytes]:
    """Who takes it for abandoned before it is locked removes it; then there is another one."""
    for _ in range(100):
        file = open(f"{path}.dloc-{secrets.token_hex(3)}", "xb", opener=lambda name, flags: os.open(name, flags, MARK))
        if lock(file):
            return file
        file.close()
    raise OSError(errno.EAGAIN, "others remove its temporary files")


def replace_file(path: str, content: bytes) -> None:
    folder, base = os.path.split(path)
    base = os.path.join(folder, base if len(os.fsencode(base)) + len(".dloc-XXXXXX") <= 255 else "")
    remove_abandoned(base)
    with create_beside(base) as file:
        try:
            file.write(content)
            file.flush()
            mode = take_over(file.fileno(), path)
            marked = os.fstat(file.fileno()).st_mode & MARK == MARK
            if marked:
                os.fchmod(file.fileno(), mode | MARK)
            os.replace(file.name, path)
            if marked:
                os.fchmod(file.fileno(), mode)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(file.name)


def take_over(descriptor: int, path: str) -> int:
    """The file gets the owner and the group of what it replaces; its mode, with less rights where they cannot be kept."""
    mask = os.umask(0)
    os.umask(mask)
    try:
        replaced = os.stat(path)
    except OSError as failure:
        return 0o666 & ~mask if failure.errno == errno.ENOENT else 0o600
    same = False
    with contextlib.suppress(OSError):
        os.fchown(descriptor, -1 if os.geteuid() else replaced.st_uid, replaced.st_gid)
        same = "system.posix_acl_access" not in os.listxattr(path)
    return replaced.st_mode & (0o777 if same else 0o707)


def remove_abandoned(path: str) -> None:
    """What a program left that is gone is marked, and has no lock."""
    for name in glob.glob(f"{glob.escape(path)}.dloc-??????", include_hidden=True):
        with contextlib.suppress(OSError), open(os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "r+b", 0) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found = os.fstat(file.fileno())
            ours = found.st_uid == os.geteuid() or os.geteuid() == 0
            if ours and stat.S_ISREG(found.st_mode) and found.st_mode & MARK == MARK and os.path.samestat(found, os.lstat(name)):
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
    sys.stderr = Messages(sys.stderr.detach(), encoding="utf-8", errors="backslashreplace", line_buffering=True)
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
