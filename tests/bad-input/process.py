"""Starting dloc under limits, and what every run of it must satisfy whatever the input."""

import contextlib
import os
import re
import resource
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from common import DLOC, HANG  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SANITIZED = False  # set by main: with sanitizers there is no point in measuring time and memory
MEMORY = 6 << 30  # bytes of address space
DIAGNOSTIC = re.compile(r"(?:dloc: |.+?: (?:error|warning): )")
HEADLINE = re.compile(r"(?:dloc: |[^\n]*?: error: )")
SANITIZER = re.compile(r"runtime error:|(?:Address|Leak|UndefinedBehavior)Sanitizer")


def prepare(sanitized):
    """In each worker: what its children inherit."""
    global SANITIZED
    SANITIZED = sanitized
    os.environ["ASAN_OPTIONS"] = "detect_leaks=1:exitcode=99:abort_on_error=0:allocator_may_return_null=1:handle_segv=0"
    os.environ["UBSAN_OPTIONS"] = "exitcode=99:print_stacktrace=1"
    signal.signal(signal.SIGALRM, on_alarm)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


@contextlib.contextmanager
def small_stack():
    """Programs that are started meanwhile have a quarter of a megabyte, which recursion over input spends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


class Alarm(Exception):
    pass


def on_alarm(number, frame):
    raise Alarm


class Run:
    """A program that has ended. status: its exit status, minus the number of a signal, or HANG."""

    def __init__(self, arguments, folder, stdin=os.devnull, stdout=None, stderr=None, limit=20, closed=(), program=DLOC):
        self.arguments = arguments
        self.folder = folder
        paths = {0: stdin, 1: stdout or os.path.join(folder, "stdout"), 2: stderr or os.path.join(folder, "stderr")}
        actions = []
        for descriptor, path in paths.items():
            flags = os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            if descriptor in closed:
                actions.append((os.POSIX_SPAWN_CLOSE, descriptor))
            elif isinstance(path, int):
                actions.append((os.POSIX_SPAWN_DUP2, path, descriptor))
            else:
                actions.append((os.POSIX_SPAWN_OPEN, descriptor, path, flags, 0o644))
        start = time.monotonic()
        pid = os.posix_spawn(
            program,
            [program, *arguments],
            os.environ,
            file_actions=actions,
            setpgroup=0,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            _, status, usage = os.wait4(pid, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.status = os.waitstatus_to_exitcode(status)
        except Alarm:
            os.killpg(pid, signal.SIGKILL)
            _, _, usage = os.wait4(pid, 0)
            self.status = HANG
        self.elapsed = time.monotonic() - start
        self.seconds = usage.ru_utime + usage.ru_stime
        # Until it is dloc the child has the memory of this process, so that no less can be seen.
        seen, own = usage.ru_maxrss, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.bytes = seen * 1024 if seen > own else 0
        self.stdout = paths[1]
        self.stderr = b""
        if 2 not in closed and not isinstance(paths[2], int):
            with open(paths[2], "rb") as file:
                self.stderr = file.read(1 << 22)

    def output(self, size=-1):
        with open(self.stdout, "rb") as file:
            return file.read(size)

    def words(self):
        return self.stderr.decode(errors="replace")

    def headlines(self):
        return [line for line in self.words().split("\n") if HEADLINE.match(line)]

    def shown(self):
        """Status and the beginning of stderr, for the message about a failure."""
        return f"status {self.status}, stderr: {self.words()[:600]!r}"

    def complaint(self, statuses=(0, 1, 2), single=False, silent=True):
        """What is wrong with any run; None when nothing is. single: one diagnostic; silent: none when all is fine."""
        if self.status == HANG:
            return f"hangs: no end after {self.elapsed:.0f} s"
        if self.status < 0 or SANITIZER.search(self.words()):
            return "crashes: " + self.shown()
        if self.status not in statuses:
            return f"status {self.status} instead of {' or '.join(map(str, statuses))}: {self.words()[:600]!r}"
        try:
            words = self.stderr.decode()
        except UnicodeDecodeError:
            return f"writes invalid UTF-8: {self.stderr[:600]!r}"
        if re.search("[\0-\x08\x0b-\x1f\x7f]", words):
            return f"writes control characters: {words[:600]!r}"
        if self.status == 0:
            return f"status 0, and a message: {words[:600]!r}" if words and silent else None
        if "unknown command" in words:
            return words.strip()
        if self.arguments[0] == "run" and self.status == 1 and not words and self.output(1):
            return None  # a report of differences
        if not DIAGNOSTIC.match(words):
            return "no diagnostic: " + self.shown()
        if single and len(self.headlines()) != 1:
            return f"{len(self.headlines())} diagnostics instead of one: {words[:600]!r}"
        if len(words) > 4000 and single:
            return f"a diagnostic of {len(words)} bytes: {words[:600]!r}"
        return None

    def excess(self, seconds, size):
        """What is wrong with time (of processor) and memory."""
        if SANITIZED or self.status == HANG:
            return None
        if self.seconds > seconds:
            return f"takes {self.seconds:.1f} s, more than {seconds:.1f} s"
        if self.bytes > size:
            return f"takes {self.bytes >> 20} MiB, more than {size >> 20} MiB"
        return None
