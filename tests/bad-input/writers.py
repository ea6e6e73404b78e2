"""The drop-ins have `dloc` write their outputs, so all follow the same rules. A new file gets the rights of the old one, or some of them; pipes, devices and open files
are written to; and nobody needs to read to the end."""

import os
import re
import shutil
import signal
import struct
import subprocess

import every
from common import DLOC, ROOT
from process import Run
from surroundings import NOBODY, SETPRIV

LLVM = "/usr/lib/llvm-22/bin"
HEAD, TAIL, SECRET = b"what was here\n", b"what comes\n", b"a secret\n"
# Each program, and what it writes. The compiler itself makes the object of clang before it is replaced.
PROGRAMS = {
    "dloc": "$DLOC print a.ll -o OUT", "opt": "$TOOLS/opt -S -O1 a.ll -o OUT", "llc": "$TOOLS/llc -filetype=obj -mtriple=x86_64 a.ll -o OUT",
    "clang": "$TOOLS/clang -c -g a.c -o OUT", "clang, fast": "DLOC_MODE=fast $TOOLS/clang -c -g a.c -o OUT",
}  # fmt: skip


class Place:
    """A folder that nobody (the user) may write to, with copies of what he runs."""

    def __init__(self, folder):
        self.folder, tools, program = os.path.join(folder, "place"), os.path.join(folder, "tools", "drop-in"), os.path.join(folder, "dloc")
        shutil.copytree(os.path.join(ROOT, "tools", "drop-in"), tools, symlinks=True)
        shutil.copy(DLOC, program)
        os.mkdir(self.folder)
        for path in (os.path.dirname(folder), folder):
            os.chmod(path, 0o755)
        os.chmod(self.folder, 0o777)
        shutil.copyfile(os.path.join(ROOT, "tests/lit/Inputs/layers.ll"), os.path.join(self.folder, "a.ll"))
        with open(os.path.join(self.folder, "a.c"), "w", encoding="utf-8") as file:
            file.write("int f(int x) { return x / 3; }\n")
        self.given = set(os.listdir(self.folder))
        self.out = os.path.join(self.folder, "out")
        self.environment = {**os.environ, "TOOLS": tools, "DLOC": program, "DLOC_LLVM": LLVM, "DLOC_VERBOSE": os.path.join(folder, "log"), "TMPDIR": "/tmp", "LC_ALL": "C"}

    def clear(self):
        for name in set(os.listdir(self.folder)) - self.given:
            os.unlink(os.path.join(self.folder, name))

    def old(self, mode, owner=0, group=0, content=b""):
        self.clear()
        with open(self.out, "wb") as file:
            file.write(content)
        os.chown(self.out, owner, group)
        os.chmod(self.out, mode)

    def run(self, line, nobody=False):
        before = [SETPRIV, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if nobody else []
        return subprocess.run([*before, "bash", "-c", line], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    def rights(self):
        status = os.stat(self.out)
        return status.st_mode & 0o7777, status.st_uid, status.st_gid

    def problem(self, done, wanted, others=()):
        left = set(os.listdir(self.folder)) - self.given - {"out", *others}
        if done.returncode or left:
            return f"status {done.returncode}, {done.stderr[:300]!r}, {left} is left"
        found = self.rights()
        return None if found == wanted else "mode {:o}, owner {}:{}".format(*found)


def listed():
    """A list of names (ACL), by which one more user may read."""
    rows = ((1, 6, -1), (2, 4, 12345), (4, 4, -1), (16, 6, -1), (32, 0, -1))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows)


def rules(folder, few=False):
    if os.geteuid() != 0 or not SETPRIV:
        yield "rights of what is replaced", "skip: this is not root, or there is no setpriv"
        return
    place, nobody = Place(folder), int(NOBODY)
    victim = os.path.join(folder, "victim")
    for name, line in list(PROGRAMS.items())[:: 2 if few else 1]:
        line = line.replace("OUT", "out")
        for mode, wanted in ((0o600, 0o600), (0o660, 0o660), (0o4777, 0o777), (0o2755, 0o755)):
            place.old(mode, 1, nobody)
            if name != "clang":  # there the compiler's own object is what is replaced
                yield f"{name}: root replaces mode {mode:o} of another owner", place.problem(place.run(line), (wanted, 1, nobody))
        for mode, wanted in ((0o660, 0o600), (0o664, 0o604)):
            place.old(mode, nobody, 0)
            if name != "clang":
                yield f"{name}: mode {mode:o} of another group", place.problem(place.run(line, nobody=True), (wanted, nobody, nobody))
        place.old(0o444, 0, 0, HEAD)
        done = place.run(line, nobody=True)
        with open(place.out, "rb") as file:
            same = file.read() == HEAD and place.rights() == (0o444, 0, 0)
        yield f"{name}: a file that may not be written", None if done.returncode and any(words in done.stderr for words in (b"ermission denied", b"not permitted")) and same else f"status {done.returncode}, {done.stderr[:300]!r}, {'' if same else 'replaced'}"
        place.old(0o640, 0, 0)
        try:
            os.setxattr(place.out, "system.posix_acl_access", listed())
        except OSError:
            yield f"{name}: a list of names", "skip: the file system has none"
        else:
            done = place.run(line)
            mode = place.rights()[0]
            yield f"{name}: a list of names", None if name == "clang" or (done.returncode == 0 and not mode & 0o070) else f"status {done.returncode}, mode {mode:o}"
        for planted in ("ln -s ../victim", "touch"):
            place.clear()
            with open(victim, "wb") as file:
                file.write(SECRET)
            os.chmod(victim, 0o600)
            done = place.run(f"umask 022; {planted} out.dloc-$$; exec env {line}")
            others = [entry for entry in os.listdir(place.folder) if entry.startswith("out.dloc-")]
            with open(victim, "rb") as file:
                problem = None if len(others) == 1 and file.read() == SECRET and not os.path.islink(place.out) else "what lay there was written or taken"
            yield f"{name}: a planted name: {planted}", problem or place.problem(done, (0o644, 0, 0), others)
        place.clear()
        long = "x" * 250 + ".o"
        done = place.run(line.replace("out", long))
        yield f"{name}: a long name", None if done.returncode == 0 and set(os.listdir(place.folder)) == place.given | {long} else f"status {done.returncode}, {done.stderr[:300]!r}"
        place.clear()
    for name in ("dloc", "opt", "clang"):
        yield f"{name}: never more rights", while_it_is_written(place, PROGRAMS[name].replace("OUT", "out").replace("DLOC_MODE=fast ", ""))


def while_it_is_written(place, line):
    """The new file, as long as its bytes come: nobody else can read it."""
    if not shutil.which("strace"):
        return "skip: no strace"
    place.old(0o644)
    done = place.run(f"umask 0; strace -f -o trace -e trace=open,openat {line}; status=$?; cat trace; rm trace; exit $status")
    made = re.findall(rb'AT_FDCWD, "([^"]*)", [A-Z_|]*(?:O_TMPFILE|O_EXCL)[A-Z_|]*, (0[0-7]*)', done.stdout)
    beside = [(name, mode) for name, mode in made if os.path.realpath(os.path.join(place.folder, os.path.dirname(os.fsdecode(name)) if b".dloc-" in name else os.fsdecode(name))) == place.folder]
    return None if done.returncode == 0 and beside and all(mode == b"0600" for _, mode in beside) else f"status {done.returncode}, {made}, {done.stderr[-200:]!r}"


# Where the output goes, and the shell's line: HEAD was there, or is written before, and TAIL behind.
STREAMS = {
    "a pipe": "{ $RUN; } | cat >log", "a log": "cp head log; { $RUN; cat tail; } >>log", "an open file": "{ cat head; $RUN; cat tail; } >log",
    "a named pipe": "mkfifo p; cat p >log & $RUN; status=$?; wait; rm p; (exit $status)", "another descriptor": "cp head log; { $RUN && cat tail >&7; } 7>>log",
}  # fmt: skip
PLACES = {"a pipe": ("-", "/dev/stdout", "/dev/fd/1"), "a log": ("-", "/dev/stdout", "/proc/self/fd/1"), "an open file": ("-", "/dev/stdout", "link"), "a named pipe": ("p",), "another descriptor": ("/dev/fd/7",)}


def streams(folder, few=False):
    """The drop-ins of LLVM's tools, and `dloc`. clang's own object is never replaced there: tests of dropins.py compare it with the compiler alone."""
    place = Place(folder)
    for name, text in (("head", HEAD), ("tail", TAIL)):
        with open(os.path.join(place.folder, name), "wb") as file:
            file.write(text)
    os.symlink("/dev/stdout", os.path.join(place.folder, "link"))
    place.given |= {"head", "tail", "link"}
    for name in ("dloc", "opt") if few else ("dloc", "opt", "llc"):
        place.clear()
        alone = place.run(PROGRAMS[name].replace("OUT", "alone"))
        with open(os.path.join(place.folder, "alone"), "rb") as file:
            wanted = file.read()
        for kind, line in STREAMS.items():
            for output in PLACES[kind]:
                place.clear()
                place.environment["RUN"] = ""
                done = place.run("set -o pipefail; " + line.replace("$RUN", PROGRAMS[name].replace("OUT", output)))
                with open(os.path.join(place.folder, "log"), "rb") as file:
                    found = file.read()
                framed = HEAD + wanted + TAIL if "head" in line else wanted
                problem = None if found == framed else f"{len(found)} bytes instead of {len(framed)}; begins {found[:30]!r}, ends {found[-30:]!r}"
                yield f"{name} to {kind}: {output}", problem or (None if alone.returncode == done.returncode == 0 and not done.stderr else f"status {done.returncode}, {done.stderr[:300]!r}")
        place.clear()
        reader, writer = os.pipe()
        os.close(reader)
        closed = subprocess.run(["bash", "-c", "exec " + PROGRAMS[name].replace("OUT", "-")], cwd=place.folder, env=place.environment, stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        yield f"{name} to a closed pipe", None if closed.returncode == -signal.SIGPIPE and not closed.stderr else f"status {closed.returncode}, {closed.stderr[:300]!r}"
        done = place.run(f"{PROGRAMS[name].replace('OUT', '/dev/fd/' + ('5' if name == 'dloc' else '4'))}")
        yield f"{name} to a descriptor that nobody gave it", None if done.returncode and done.stderr.count(b"\n") == 1 and b"cannot write /dev/fd/" in done.stderr else f"status {done.returncode}, {done.stderr[:300]!r}"


def every_output(folder):
    """Each row that writes a file: to a descriptor with something behind it."""
    files = every.sound(folder)
    log, alone = os.path.join(folder, "log"), files["OUT"]
    for row in every.ROWS:
        if "OUT" not in row.split() or "OUT." in row or row.startswith(every.UNUSABLE):
            continue
        given, stdin = every.arguments(row, files)
        Run(given, folder, stdin or os.devnull, limit=60)
        wanted = os.path.getsize(alone) if os.path.exists(alone) else 0
        for path in (alone, log):
            if os.path.exists(path):
                os.unlink(path)
        given, stdin = every.arguments(row, {**files, "OUT": "/dev/fd/7"})
        script = 'exec 7>"$0"; echo before >&7; "$@"; status=$?; echo behind >&7; exit $status'
        run = Run(["-c", script, log, DLOC, *given], folder, stdin or os.devnull, limit=60, program="/bin/sh")
        with open(log, "rb") as file:
            text = file.read()
        whole = text.startswith(b"before\n") and text.endswith(b"behind\n") and (not wanted or len(text) > len("before\nbehind\n"))
        yield f"to a descriptor: {row}", None if whole and run.status in (0, 1) else f"{len(text)} bytes, of {wanted}: {run.shown()}"


def every_pipe(folder):
    """Each row that writes to stdout: to somebody who reads nothing. It ends as others do, without a word; who ignores the signal is told."""
    files, tried = every.sound(folder), 0
    for row in every.ROWS:
        given, stdin = every.arguments(row, files)
        sound = Run(given, folder, stdin or os.devnull, limit=60)
        if not sound.output(1):
            continue
        reader, writer = os.pipe()
        os.close(reader)
        run = Run(given, folder, stdin or os.devnull, stdout=writer, limit=60)
        ignored = Run(["-c", 'trap "" PIPE; exec "$@"', "sh", DLOC, *given], folder, stdin or os.devnull, stdout=writer, limit=60, program="/bin/sh")
        os.close(writer)
        tried += 1
        yield f"a closed pipe: {row}", None if run.status == -signal.SIGPIPE and not set(run.headlines()) - set(sound.headlines()) else run.shown()
        yield f"a closed pipe, ignored: {row}", None if ignored.status == -signal.SIGPIPE or (ignored.status == 2 and "cannot write standard output" in ignored.words()) else ignored.shown()
    yield "rows that print", None if tried > 30 else f"{tried}"
