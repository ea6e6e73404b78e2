"""The drop-ins share this: the stock tool and dloc, running them, output that is whole, a folder that does not stay.

A build starts a drop-in for each of its steps, so nothing is imported here that takes long to import.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Sequence
    from typing import Any, NoReturn
else:
    import _signal as signal  # as it is: signal makes enumerations of it, which takes as long as Python to start

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
HERE = os.path.dirname(os.path.realpath(__file__))
TIMED_OUT = 124


def fail(message: str, status: int = 2) -> NoReturn:
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(status)


def is_drop_in(path: str) -> bool:
    return os.path.dirname(os.path.realpath(path)) == HERE


def find(name: str, folders: str) -> str | None:
    """The program of that name in folders like those of PATH: drop-ins do not count."""
    paths = [name] if "/" in name else [os.path.join(folder, name) for folder in folders.split(os.pathsep) if folder]
    return next((path for path in paths if os.access(path, os.X_OK) and os.path.isfile(path) and not is_drop_in(path)), None)


def stock_tool(name: str) -> str:
    folders = os.environ.get("DLOC_LLVM") or os.environ.get("PATH") or ""
    return find(name, folders) or fail(f"no {name} in {folders}")


def dloc_command() -> str:
    top = os.path.dirname(os.path.dirname(HERE))
    beside = [path for path in (os.path.join(top, "bin/dloc"), os.path.join(top, "build/dloc")) if os.path.isfile(path)]
    return os.environ.get("DLOC") or (beside + ["dloc"])[0]


def become(command: Sequence[str]) -> NoReturn:
    for number in (*IGNORED_BY_PYTHON, *SIGNALS):
        if number in IGNORED_BY_PYTHON or signal.getsignal(number) == on_signal:
            signal.signal(number, signal.SIG_DFL)
    sys.stdout.flush()
    try:
        os.execvp(command[0], list(command))
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}", 127 if isinstance(error, FileNotFoundError) else 126)


def leave(status: int) -> NoReturn:
    """With the exit status of a program, or by the signal that ended it: minus its number."""
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status if status >= 0 else 128 - status)


def time_limit() -> float:
    text = os.environ.get("DLOC_TIMEOUT") or "3600"
    try:
        limit = float(text)
    except ValueError:
        limit = 0
    return limit if 0 < limit < 1e9 else fail(f"DLOC_TIMEOUT is no number of seconds: {text}")


class TimeOut(Exception):
    pass


def on_alarm(_number: int, _frame: object) -> NoReturn:
    raise TimeOut


class Stopped(BaseException):
    """A signal asks this program to end."""

    def __init__(self, number: int) -> None:
        self.number = number


def on_signal(number: int, _frame: object) -> NoReturn:
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


def heed_signals() -> None:
    """Where whoever started this program had it ignore one, it still does."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, on_signal)
    signal.signal(signal.SIGALRM, on_alarm)


class Guard:
    """A folder for files of this program, and a process that removes it, whatever ends this program: SIGKILL, too.

    The process reads names of files, and a number of processes that may still run, from a pipe that closes when this program ends.
    """

    def __init__(self) -> None:
        where = os.environ.get("TMPDIR") or "/tmp"
        self.folder = os.path.join(where, f"dloc-{os.getpid()}-{os.urandom(4).hex()}")
        reader, self.writer = os.pipe()
        os.mkdir(self.folder, 0o700)
        self.process = os.fork()
        if self.process == 0:
            try:
                self.watch(reader)
            finally:
                os._exit(0)
        os.close(reader)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def tell(self, kind: str, what: str) -> None:
        os.write(self.writer, os.fsencode(kind + what) + b"\0")

    def watch(self, reader: int) -> None:
        for number in (*SIGNALS, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        os.setsid()
        os.close(self.writer)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        told = b""
        while data := os.read(reader, 65536):
            told += data
        group, files = 0, [self.folder]
        for word in told.split(b"\0"):
            if word[:1] == b"g":
                group = int(word[1:])
            elif word[:1] == b"f":
                files.append(os.fsdecode(word[1:]))
        if group:
            kill_group(group)
        for path in files:
            remove(path)

    def empty(self) -> None:
        remove(self.folder)
        os.mkdir(self.folder, 0o700)

    def close(self) -> None:
        if self.process:
            remove(self.folder)
            os.close(self.writer)
            os.waitpid(self.process, 0)
            self.process = 0


def kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def remove(path: str) -> None:
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            with os.scandir(path) as entries:
                for entry in list(entries):
                    remove(entry.path)
            os.rmdir(path)
        else:
            os.unlink(path)
    except OSError:
        pass


def run(command: Sequence[str], guard: Guard | None = None, limit: float = 0, streams: Sequence[int] = (0, 1, 2)) -> int:
    """The exit status, or minus the number of a signal. With a guard the program has a group of its own, and it ends with all that it started: when the
    time is over (TimeOut), or when a signal ends this program (Stopped). streams: what it has as its own."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    actions = [(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)]
    more: dict[str, Any] = {"setpgroup": 0} if guard else {}
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # until the program would be ended
    try:
        child = os.posix_spawnp(command[0], list(command), os.environ, file_actions=actions, setsigdef=IGNORED_BY_PYTHON, setsigmask=(), **more)
    except OSError:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        raise
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        if guard:
            guard.tell("g", str(child))
        signal.setitimer(signal.ITIMER_REAL, limit)
        _, status = os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if guard:
            kill_group(child)
        else:
            os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        raise
    finally:
        if guard:
            guard.tell("g", "0")
    return os.waitstatus_to_exitcode(status)


def expanded(arguments: Sequence[str], depth: int = 0) -> list[str]:
    """With the words of response files (@FILE) in their places. LLVM takes what is no such file as a word."""
    words: list[str] = []
    for argument in arguments:
        text = response(argument) if argument[:1] == "@" and depth < 20 else None
        if text is None:
            words.append(argument)
        else:
            import shlex

            try:
                words += expanded(shlex.split(text), depth + 1)
            except ValueError:  # a quote without an end
                words.append(argument)
    return words


def response(argument: str) -> str | None:
    try:
        with open(argument[1:], encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return None


def copy(made: str, output: str | int, banner: bytes = b"") -> bool:
    """Without its first line, which must begin like the banner, if there is one. shutil takes long to import."""
    with open(made, "rb") as source:
        if banner and not source.readline().startswith(banner):
            return False
        with open(output, "wb", closefd=output != 1) as stream:
            while data := source.read(1 << 20):
                stream.write(data)
    return True


def put(made: str, output: str, guard: Guard) -> None:
    """Into the output, which is written beside and renamed, so that it is whole or stays what it was. A pipe or a device gets the bytes. OSError."""
    target = os.path.realpath(output)
    if output != "-" and (os.path.isfile(target) or not os.path.exists(target)):
        mode = os.stat(target).st_mode & 0o7777 if os.path.exists(target) else None
        beside = f"{target}.dloc-{os.getpid()}"
        guard.tell("f", beside)
        try:
            copy(made, beside)
            if mode is not None:
                os.chmod(beside, mode)
            os.replace(beside, target)
        except BaseException:
            remove(beside)
            raise
        return
    copy(made, 1 if output == "-" else output)
