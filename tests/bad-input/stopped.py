"""dloc is ended by a signal in the middle: what a run knows is written, files and processes are gone."""

import json
import os
import shutil
import signal
import subprocess
import time

from broken_llvm import REAL, TOOLS, alive, new_mark, orphans, vectors_file
from common import ROOT
from process import DLOC
from small import leftovers

FAKES = os.path.join(ROOT, "conformance", "fakes")
KEPT = ("SIGINT", "SIGTERM", "SIGHUP")  # a run that gets one of these writes what it knows
OTHERS = ("SIGQUIT", "SIGABRT", "SIGSEGV", "SIGUSR1", "SIGXCPU", "SIGKILL")


def await_true(condition):
    for _ in range(1200):
        if condition():
            return True
        time.sleep(0.05)
    return False


def stop(command, name, is_ready, **options):
    """The status of a command that gets the signal once it is ready."""
    # Background jobs of a script ignore SIGINT.
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options)
    ready = await_true(is_ready)
    child.send_signal(getattr(signal, name))
    try:
        status = child.wait(timeout=60)
    except subprocess.TimeoutExpired:
        child.kill()
        status = child.wait()
    return status if ready else "not ready"


def hangs(mark):
    """The adapter has come to the vector that it sleeps at."""
    for number in alive(b"sleep\x00100000"):
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                if f"MARK={mark}".encode() in file.read():
                    return True
        except OSError:
            continue
    return False


def run_problem(folder, path):
    """Of a run that was stopped when seven of eight vectors had an answer; there may have been no time for some."""
    with open(path, encoding="utf-8") as file:
        *lines, totals = map(json.loads, file)
    told = subprocess.run([DLOC, "report", path], cwd=folder, stdout=subprocess.PIPE, check=False)
    if totals.get("partial") is not True or totals["good"] or len(lines) != totals["vectors"] + 1:
        return f"no partial run: {totals}"
    return None if told.returncode == 1 and b"a PARTIAL run: " in told.stdout and b"fault: stopped by" in told.stdout else told.stdout


def runs(folder):
    vectors, run = vectors_file(folder), os.path.join(folder, "run.json")
    for name in KEPT + OTHERS:
        mark = new_mark()
        adapter = f"sleep {mark} & export MARK={mark}; python3 {FAKES}/sleeper.py a.b3; true"
        status = stop([DLOC, "run", "--impl", adapter, "--timeout", "60", "--json", "-o", run, vectors], name, lambda: hangs(mark))
        yield f"{name} in a run", None if status == -getattr(signal, name) else f"status {status}"
        yield f"{name} in a run: processes", orphans(mark.encode())
        yield f"{name} in a run: files", leftovers(folder, {"vectors.yaml", "run.json"} if name in KEPT else {"vectors.yaml"})
        if name in KEPT:
            yield f"{name} in a run: what it knew", run_problem(folder, run)
            os.remove(run)


MOMENTS = (0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6)  # seconds; a run of these takes about half a one


def half_a_file(path):
    """A run is written whole, with its totals, or not at all."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    os.remove(path)
    return None if not lines[-1] and "vectors" in json.loads(lines[-2]) else f"half a file: {lines[-2:]}"


def at_moments(folder, implementation, part, parts):
    """A signal at any moment, to several adapters or to LLVM's tools and their fork servers."""
    mark, vectors, run, places = new_mark(), os.path.join(ROOT, "vectors", "merge", "line.yaml"), os.path.join(folder, "run.json"), os.path.join(folder, "tmp")
    os.mkdir(places)
    tools = os.path.join(folder, "llvm")
    os.makedirs(tools)
    for tool in TOOLS if os.path.exists(f"{REAL}/opt") else ():
        os.symlink(f"{REAL}/{tool}", os.path.join(tools, tool))
    impl = {"adapters": ["--impl", f"sleep {mark} & python3 {FAKES}/echo.py; true"], "llvm": ["--impl", "llvm", "--llvm", tools]}[implementation]
    command = [DLOC, "run", *impl, "--jobs", "4", "--json", "-o", run, vectors]
    for name in ("SIGKILL", *KEPT)[part::parts]:
        for moment in MOMENTS:
            case, wait = f"{name} to {implementation} after {moment} s", lambda: time.sleep(moment) is None
            status = stop(command, name, wait, env={**os.environ, "TMPDIR": places})
            yield case, None if status in (-getattr(signal, name), 0, 1) else f"status {status}"
            yield f"{case}: processes", orphans(mark.encode()) or orphans(tools.encode())
            yield f"{case}: file", half_a_file(run) or leftovers(folder, {"tmp", "llvm"}) or leftovers(places, set())


def lost_implementation(folder):
    """An adapter that starts once, and dies."""
    vectors, run, flag = vectors_file(folder), os.path.join(folder, "run.json"), os.path.join(folder, "flag")
    adapter = f"test -e {flag} && exit 7; touch {flag}; exec python3 {FAKES}/crasher.py a.b3"
    child = subprocess.run([DLOC, "run", "--jobs", "1", "--impl", adapter, "--json", "-o", run, vectors],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    with open(run, encoding="utf-8") as file:
        totals = json.loads(file.readlines()[-1])
    fine = child.returncode == 2 and b"dloc: the adapter did not start: exit status 7" in child.stderr and b"a PARTIAL run: 3 vectors" in child.stdout
    yield "a lost adapter", None if fine and totals["partial"] is True else (child.returncode, child.stdout, child.stderr)


def detached(folder):
    """With --confine no process remains, also none that left the group of its parent, or wants to outlive it."""
    mark, vectors = new_mark(), vectors_file(folder)
    adapter = f"setsid sleep {mark} >/dev/null 2>&1 & sleep 0.3; python3 {FAKES}/echo.py"
    child = subprocess.run([DLOC, "run", "--impl", adapter, "--confine", "default", "--quiet", vectors], stderr=subprocess.PIPE, check=False)
    left = orphans(mark.encode())
    permitted = b"detach themselves remain" not in child.stderr
    yield "a detached process", left if permitted else "skip: the kernel permits no namespaces"
    program = f"import ctypes, os; os.setpgid(0, 0); ctypes.CDLL(None).prctl(1, 0); os.execlp('sleep', 'sleep', '{mark}')"
    command = [DLOC, "run", "--impl", f'exec python3 -c "{program}"', "--timeout", "60", "--confine", "default", vectors]
    for name in ("SIGTERM", "SIGKILL") if permitted else ():
        status = stop(command, name, lambda: alive(f"sleep\0{mark}".encode()))
        yield f"{name} and an adapter that escapes", None if status == -getattr(signal, name) else f"status {status}"
        yield f"{name} and an adapter that escapes: processes", orphans(mark.encode())


def bomb(folder):
    """With --confine an adapter has so many processes at most, and when it ends they do; of root's the kernel counts none."""
    mark, vectors, root = new_mark(), vectors_file(folder), os.geteuid() == 0
    user, most = 60_000 + os.getpid() % 5000, 40 if root else 40 + len(alive(b""))
    for path in (folder, os.path.dirname(folder)):
        os.chmod(path, 0o755)
    drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if root else []
    command = [*drop, DLOC, "run", "--impl", f"MARK={mark} exec python3 -B {FAKES}/greedy.py bomb {mark}", "--timeout", "2", "--confine", f"processes={most}", vectors]
    if drop and subprocess.run([*drop, DLOC, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        yield "a fork bomb", "skip: nobody else may run dloc here"
        return
    child, seen = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE), 0
    while child.poll() is None:
        seen = max(seen, len(alive(mark.encode())))
        time.sleep(0.05)
    words = child.stderr.read().decode()
    yield "a fork bomb", None if 5 < seen <= most + 5 and child.returncode == 2 and "no answer within the time limit" in words else (seen, child.returncode, words)
    yield "a fork bomb: processes", orphans(mark.encode())


def outputs(folder):
    """A file that is being written: nothing of it remains."""
    vectors, pages = vectors_file(folder), os.path.join(folder, "pages")
    started = os.path.join(pages, "started")
    command = [DLOC, "run", "--impl", "model", "--quiet", "--junit", os.path.join(folder, "out.xml"), vectors]
    os.makedirs(os.path.join(pages, "suite"))
    shutil.copy(os.path.join(ROOT, "tools", "__main__.py"), pages)
    with open(os.path.join(pages, "suite", "junit.py"), "w", encoding="utf-8") as file:
        file.write(f"import time\nopen({started!r}, 'w').close()\ntime.sleep(1000)\n")
    for name in ("SIGQUIT", "SIGSEGV", "SIGALRM", "SIGKILL"):
        status = stop(command, name, lambda: os.path.exists(started) and time.sleep(0.1) is None, env={**os.environ, "DLOC_PAGES": pages})
        yield f"{name} while a file is written", None if status == -getattr(signal, name) else f"status {status}"
        yield f"{name} while a file is written: files", leftovers(folder, {"vectors.yaml", "pages"})
        os.remove(started)
