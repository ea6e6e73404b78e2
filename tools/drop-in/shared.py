"""The drop-ins share this: the stock tool and dloc, running them, output that is whole, a folder that does not stay, and what they say of steps without layers.

A build starts a drop-in for each of its steps, so nothing is imported here that takes long to import.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Sequence
    from typing import NoReturn
else:
    import _signal as signal  # as it is: signal makes enumerations of it, which takes as long as Python to start

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
for standard in (0, 1, 2):  # no file of this program takes the place of one that is closed; a program that it starts has it closed, too
    try:
        os.fstat(standard)
    except OSError:
        os.open(os.devnull, os.O_RDWR)
HERE = os.path.dirname(os.path.realpath(__file__))


def fail(message: str, status: int = 2) -> NoReturn:
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(status)


class NoLayers(Exception):
    """Why a step, or an object of it, gets none."""


def in_a_line(text: str) -> str:
    return "".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else f"\\x{ord(c):02x}" for c in text)


def say(what: str, why: str) -> None:
    wanted = os.environ.get("DLOC_VERBOSE") or "0"
    if wanted == "0":
        return
    line = in_a_line(f"{os.path.basename(sys.argv[0])}: {what}: {why}") + "\n"
    try:
        if wanted == "1":
            sys.stderr.write(line)
        else:
            with open(wanted, "a", encoding="utf-8", errors="surrogateescape") as file:
                file.write(line)
    except OSError:
        pass


def lose(what: str, why: object) -> None:
    """Each loss of layers comes here. DLOC_STRICT makes it an error, and an error leaves no object, as `make` would take that for done."""
    say(what, f"no layers: {why}")
    if os.environ.get("DLOC_STRICT", "0") not in ("", "0"):
        fail(in_a_line(f"{what} gets no layers: {why} (DLOC_STRICT)"), 1)


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


def with_rules(command: str, *arguments: str) -> list[str]:
    """A command of dloc with the profile that the user wants: what hides or projects layers is the same under each."""
    profile = os.environ.get("DLOC_PROFILE")
    return [dloc_command(), command, *(["--profile", profile] if profile and command in ("annotate", "reveal") else []), *arguments]


def is_layered(module: bytes) -> bool:
    """Whether a text has what looks like a pair of kind and layer, or a list of layers; a pair of anything else costs time, as the table has no layers then."""
    import re

    return re.search(rb'!\{\s*!"(?:[^"\\]|\\.)*"\s*,\s*(?:distinct\s+)?!(?:\d+\s*\}|DILocation\()|irlayers:', module) is not None


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream:  # it may have been closed
            stream.flush()


def restore_signals() -> None:
    """Their actions become those that this program was started with."""
    for number in (*IGNORED_BY_PYTHON, *SIGNALS):
        if number in IGNORED_BY_PYTHON or signal.getsignal(number) == on_signal:
            signal.signal(number, signal.SIG_DFL)


def become(command: Sequence[str]) -> NoReturn:
    restore_signals()
    flush()
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

    The process reads from a pipe, which closes when this program ends: a group of processes that may still run, and outputs that
    may not stay as the compiler made them. It exists before anything that it removes.
    """

    def __init__(self) -> None:
        where = os.environ.get("TMPDIR") or "/tmp"
        where = where if where[0] == "/" else os.path.join(os.getcwd(), where)  # no tool takes it for an option
        self.folder = os.path.join(where, f"dloc-{os.getpid()}-{os.urandom(4).hex()}")
        reader, self.writer = os.pipe()
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # until all of this is there
        try:
            self.process = os.fork()
            if self.process == 0:
                try:
                    self.watch(reader)
                finally:
                    os._exit(0)
            try:
                os.mkdir(self.folder, 0o700)
            except OSError:
                self.close()
                raise
        finally:
            os.close(reader)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def tell(self, kind: str, what: str) -> None:
        try:
            os.write(self.writer, os.fsencode(kind + what) + b"\0")
        except OSError:  # somebody ended it
            pass

    def expect(self, output: str) -> None:
        """If this program ends before it keeps the output, a new one is removed. An old one stays."""
        self.tell("o", f"{identity(output)}:{output}")

    def keep(self, output: str) -> None:
        self.tell("k", output)

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
        group, outputs = 0, {}
        for word in os.fsdecode(told).split("\0"):
            kind, what = word[:1], word[1:]
            if kind == "g":
                group = int(what)
            elif kind == "o":
                old, _, path = what.partition(":")
                outputs[path] = old
            elif kind == "k":
                outputs.pop(what, None)
        end_group(group)  # first, as it may still write
        for path in [path for path, old in outputs.items() if identity(path) not in ("", old)] + [self.folder]:
            remove(path)

    def empty(self) -> None:
        remove(self.folder)
        os.mkdir(self.folder, 0o700)

    def close(self) -> None:
        if self.process:
            os.close(self.writer)
            os.waitpid(self.process, 0)
            self.process = 0


def identity(path: str) -> str:
    """Another one when a file was replaced or changed."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}"


def lives(group: int) -> bool:
    """Whether one of its processes can still do something: some wait long for a parent to take notice of their end."""
    for number in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat", "rb") as file:
                state, _, its_group = file.read().rpartition(b") ")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state not in b"ZX":
            return True
    return False


def end_group(group: int) -> None:
    """Its processes can clean up; those that do not end are killed. Then none is left that could still write."""
    for number in (signal.SIGTERM, signal.SIGKILL) if group else ():
        try:
            os.killpg(group, number)
        except (ProcessLookupError, PermissionError):
            return
        for _ in range(200):
            if not lives(group):
                return
            time.sleep(0.01)


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


def start(command: Sequence[str], guard: Guard | None, in_group: bool, streams: Sequence[int]) -> int:
    """The process of a program, in a group of its own. OSError. It tells the guard of itself before it becomes the program, so that SIGKILL meets no moment at which nobody knows it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if in_group:
                os.setpgid(0, 0)
                if guard:
                    guard.tell("g", str(os.getpid()))
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # a terminal can stop a group that is not its own, and writes
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            restore_signals()
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            os.execvp(command[0], list(command))
        except OSError as error:
            os.write(writer, b"%d" % error.errno)
        finally:
            os._exit(127)
    os.close(writer)
    with open(reader, "rb") as file:  # it closes when the program starts
        failed = file.read()
    if failed:
        os.waitpid(child, 0)
        raise OSError(int(failed), os.strerror(int(failed)), command[0])
    return child


def run(command: Sequence[str], guard: Guard | None = None, limit: float = 0, streams: Sequence[int] = (0, 1, 2)) -> int:
    """The exit status, or minus the number of a signal. With a guard or a limit the program has a group of its own, and it ends with all that it started: when the
    time is over (TimeOut), or when a signal ends this program (Stopped). streams: what it has as its own."""
    flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # until the program would be ended
    try:
        in_group = guard is not None or limit > 0
        child = start(command, guard, in_group, streams)
    except BaseException:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        raise
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        signal.setitimer(signal.ITIMER_REAL, limit)
        _, status = os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if in_group:
            end_group(child)
        else:
            os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        raise
    finally:
        if guard:
            guard.tell("g", "0")
    return os.waitstatus_to_exitcode(status)


MOST_RESPONSES = 1000  # files; a chain of few that name each other is as many words as anybody likes


def expanded(arguments: Sequence[str]) -> list[str] | None:
    """With the words of response files (@FILE) in their places. LLVM takes what is no such file as a word. None: a file names itself, or there is no end of them."""
    words: list[str] = []
    rest: list[tuple[str, tuple[str, ...]]] = [(argument, ()) for argument in reversed(arguments)]
    read = 0
    while rest:
        argument, inside = rest.pop()
        text = response(argument) if argument[:1] == "@" else None
        if text is None:
            words.append(argument)
            continue
        import shlex

        read += 1
        if argument in inside or read > MOST_RESPONSES:
            return None
        try:
            rest += [(word, (*inside, argument)) for word in reversed(shlex.split(text))]
        except ValueError:  # a quote without an end
            words.append(argument)
    return words


def response(argument: str) -> str | None:
    try:
        with open(argument[1:], encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return None


def copy(made: str, output: str, banner: bytes = b"") -> bool:
    """Without its first line, which must begin like the banner, if there is one. shutil takes long to import."""
    with open(made, "rb") as source:
        if banner and not source.readline().startswith(banner):
            return False
        with open(output, "wb") as stream:
            while data := source.read(1 << 20):
                stream.write(data)
    return True


def own_descriptor(path: str) -> int | None:
    """A path like /dev/stdout or /dev/fd/7 leads to a descriptor; `-` is 1. This program does not replace the file behind it, which others write, too."""
    own, links = os.path.realpath("/proc/self/fd"), 0
    while path != "-" and links < 40:  # as many as Linux follows
        folder, name = os.path.split(path)
        if name.isdecimal() and os.path.realpath(folder) == own:
            return int(name)
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:
            return None
        links += 1
    return 1 if path == "-" else None
