"""What scripts share that are a command of their own: what the program gives them, what they ask it, what they say."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace

# The exit statuses of every command.
FINE, VIOLATION, UNUSABLE = range(3)


class Command:
    """`dloc` starts a script as SCRIPT PROGRAM OPTIONS OPERAND...: its own path, and the options as a JSON object."""

    def __init__(self) -> None:
        self.program, options, *self.operands = sys.argv[1:]
        self.options = SimpleNamespace(**json.loads(options))

    def ask(self, *arguments: str) -> subprocess.CompletedProcess:
        """What the program answers, and its exit status. What it has to say goes to stderr."""
        return subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, check=False)


def error(text: str) -> None:
    print(f"dloc: {text}", file=sys.stderr)


def fail(text: str) -> None:
    error(text)
    sys.exit(UNUSABLE)


def diagnose(path: str, message: str, code: str, line: int = 0) -> None:
    """The diagnostic of a file, or of a line of it."""
    print(f"{path}:{f'{line}:1:' if line else ''} error: {message} [{code}]", file=sys.stderr)


def write_file(path: str, content: bytes) -> None:
    """A file appears only when it is complete; `-` is stdout. What is no ordinary file is written to directly."""
    if path == "-":
        sys.stdout.buffer.write(content)
        return
    is_special = os.path.exists(path) and not os.path.isfile(path)
    temporary = path if is_special else f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb" if is_special else "xb") as file:
            file.write(content)
        if not is_special:
            os.replace(temporary, path)
    except OSError as failure:
        if not is_special:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise OSError(failure.errno, failure.strerror, path) from failure


def run(main: Callable[[Command], int]) -> None:
    """End with main's exit status, or as the program does when something cannot be written."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        status = main(Command())
        sys.stdout.flush()
    except OSError as failure:
        error(f"cannot write {failure.filename or 'standard output'}: {failure.strerror}")
        status = UNUSABLE
    sys.stderr.flush()
    os._exit(status)  # what stdout still holds would be tried again
