"""A file that takes another one's place: links, rights, long names; programs that are killed, or wait, between any two calls; two that write the same file."""

import itertools
import os
import re
import signal
import subprocess

import every
import hostile
from process import DLOC, Run
from small import leftovers
from surroundings import NOBODY, SETPRIV

OLD = b"old"
MODE = 0o640


class Place:
    """A folder with one file, which is written again and again, and what is written."""

    def __init__(self, folder):
        self.folder, self.module = os.path.join(folder, "place"), every.sound(folder)["MODULE"]
        self.out, content = os.path.join(self.folder, "out.ll"), os.path.join(folder, "content")
        self.preloaded = hostile.preload(folder)
        os.mkdir(self.folder)
        assert Run(["print", self.module, "-o", content], folder).status == 0
        with open(content, "rb") as file:
            self.new = file.read()

    def old(self):
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        with open(self.out, "wb") as file:
            file.write(OLD)
        os.chmod(self.out, MODE)

    def start(self, name, n, named=False):
        """dloc writes the file, and gets the signal before its n-th call. named: no file can be without a name."""
        extra = {f"HOSTILE_{name[3:]}": str(n)} if n else {}
        extra |= {"HOSTILE_NAMED": "1"} if named else {}
        extra |= {"LD_PRELOAD": self.preloaded} if extra else {}
        return subprocess.Popen([DLOC, "print", self.module, "-o", self.out], env={**os.environ, **extra}, stderr=subprocess.PIPE)

    def problem(self, *, complete):
        with open(self.out, "rb") as file:
            content = file.read()
        mode = os.stat(self.out).st_mode & (0o7777 if complete else 0o777)
        if content != self.new and (complete or content != OLD):
            return f"{len(content)} bytes, neither the old file nor the new one"
        return None if mode == MODE else f"mode {mode:o}"


def killed(folder, named=False):
    """A file without a name leaves nothing behind, but before the two calls between its name and its place, which close and move it; one with a name
    stays if it is killed."""
    place = Place(folder)
    if not place.preloaded:
        yield "killed between two calls", "skip: nothing can be preloaded"
        return
    left, found = 0, None
    for n in itertools.count(1):
        place.old()
        child = place.start("SIGKILL", n, named)
        child.communicate()
        found = place.problem(complete=child.returncode == 0)
        if child.returncode == 0 or found:
            break
        others = [name for name in os.listdir(place.folder) if name != "out.ll"]
        left += len(others) == 1
        found = others[1:] and f"{others} are left"
        for name in others:
            os.unlink(os.path.join(place.folder, name))
        if found:
            break
        cleaner = place.start("SIGKILL", 0, named)
        said_so = cleaner.communicate()[1]
        found = (said_so if cleaner.returncode else None) or place.problem(complete=True) or leftovers(place.folder, {"out.ll"})
        if found:
            break
    how = "named: " * named
    yield f"{how}killed between two calls", found and f"before call {n}: {found}"
    yield f"{how}killed programs that leave a file", None if left == 2 or (left > 2 and named) else f"{left} of them"


def await_stop(child):
    """Whether it waits; otherwise it has ended."""
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        return True
    child.returncode = os.waitstatus_to_exitcode(status)
    return False


def end(child):
    if child.returncode is None:
        child.send_signal(signal.SIGCONT)
    _, errors = child.communicate()
    return f"status {child.returncode}: {errors}" if child.returncode else None


def together(folder):
    """One waits before a call of its own while the other one comes to another call; then both go on."""
    place = Place(folder)
    if not place.preloaded:
        yield "two that write a file", "skip: nothing can be preloaded"
        return
    found, pairs = None, 0
    for a in itertools.count(1):
        stopped = True
        for b in itertools.count(1, 2):
            place.old()
            first = place.start("SIGSTOP", a)
            stopped = await_stop(first)
            second = place.start("SIGSTOP", b)
            both = await_stop(second)
            pairs += stopped and both
            found = end(first) or end(second) or place.problem(complete=True) or leftovers(place.folder, {"out.ll"})
            if found or not stopped or not both:
                break
        if found or not stopped:
            break
    yield "two that write a file", (found and f"before calls {a} and {b}: {found}") or (None if pairs > 10 else f"{pairs} pairs")


def places(folder):
    place = Place(folder)
    elsewhere, link, dangling = (os.path.join(folder, name) for name in ("elsewhere", "link", "dangling"))
    os.mkdir(elsewhere)
    place.old()
    for name, target in ((link, "place/out.ll"), (dangling, "elsewhere/new")):
        if not os.path.islink(name):
            os.symlink(target, name)
    os.path.exists(os.path.join(elsewhere, "new")) and os.unlink(os.path.join(elsewhere, "new"))
    for name, path in ((link, place.out), (dangling, os.path.join(elsewhere, "new"))):
        place.out = name
        problem = end(place.start("SIGKILL", 0))
        place.out = os.path.join(place.folder, "out.ll")
        with open(path, "rb") as file:
            problem = problem or (None if file.read() == place.new else "not written")
        yield "through a link", problem or (None if os.path.islink(name) else "the link is gone")
    for size in (243, 244, 255):
        place.out = os.path.join(elsewhere, "x" * size)
        yield f"a name of {size} bytes", end(place.start("SIGKILL", 0))
        os.unlink(place.out)
        place.out = os.path.join(place.folder, "out.ll")
    yield from rights(place, folder)


def rights(place, folder):
    """As nobody, who may replace the file, but cannot give one to its group, or may not write it."""
    if os.geteuid() != 0 or not SETPRIV:
        yield "rights of what is replaced", "skip: this is not root, or there is no setpriv"
        return
    out, copy = place.out, os.path.join(folder, "dloc")
    with open(DLOC, "rb") as program, open(copy, "wb") as file:
        file.write(program.read())
    for path in (os.path.dirname(folder), folder, copy):
        os.chmod(path, 0o755)
    os.chmod(place.module, 0o644)
    os.chmod(place.folder, 0o777)
    command = [copy, "print", place.module, "-o", out]
    for mode, wanted in ((0o660, 0o600), (0o664, 0o604), (0o444, None)):
        place.old()
        os.chown(out, int(NOBODY), 0)
        os.chmod(out, mode)
        run = Run([f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command], folder, program=SETPRIV)
        found = os.stat(out).st_mode & 0o7777
        if wanted is None:
            problem = None if run.status and re.search("ermission denied", run.words()) and found == mode else run.shown()
        else:
            problem = run.complaint((0,)) or (None if found == wanted else f"mode {found:o}")
        yield f"mode {mode:o} of another group", problem
    place.old()
    os.chown(out, int(NOBODY), int(NOBODY))
    run = Run(command[1:], folder, program=command[0])
    status = os.stat(out)
    kept = (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (int(NOBODY), int(NOBODY), MODE)
    yield "root keeps the owner", run.complaint((0,)) or (None if kept else f"{status}")
