"""`dloc run --impl llvm` and `dloc assemble` without a working LLVM: one diagnostic, or an outcome, in bounded time, and no orphans."""

import os
import secrets
import signal
import subprocess
import time

from process import DLOC, Run
from common import ROOT
from small import VECTOR, said

REAL = "/usr/lib/llvm-22/bin"
LAYERS = os.path.join(ROOT, "tests", "lit", "Inputs", "layers.ll")
TOOLS = ("opt", "llvm-as", "llc", "llvm-dis")
FINE = 'case "$*" in *--version*) echo "LLVM version 22.1.0"; exit 0;; esac\n'

# name, script ({sleep} stands for a sleep that is recognised), the statuses that are right, what is said
ALWAYS = [
    ("hangs", "{sleep}", (2,), "no answer within"),
    ("hangs in a child", "{sleep} & wait", (2,), "no answer within"),
    ("hangs and ignores signals", "trap '' TERM INT HUP PIPE; while :; do {sleep}; done", (2,), "no answer within"),
    ("leaves a child behind", FINE + "{sleep} >/dev/null 2>&1 </dev/null & exit 0", (1, 2), None),
    ("leaves a child behind that holds the pipes", "{sleep} & exit 0", (1, 2), None),
    ("crashes", "kill -SEGV $$", (2,), "signal 11"),
    ("is killed", "kill -KILL $$", (2,), "signal 9"),
    ("fails", "exit 1", (2,), "exit status 1"),
    ("fails with many words", "yes 'error: \\001 no such thing' | head -c 3000000 >&2; exit 1", (2,), "exit status 1"),
    ("fails with bytes", "printf '\\377\\033[2J\\200\\n' >&2; exit 1", (2,), "exit status 1"),
    ("prints garbage", "yes garbage | head -c 1000000", (2,), "version"),
    ("prints without end", "yes", (2,), None),
    ("prints bytes", "head -c 100000 /dev/zero", (2,), "version"),
    ("prints nothing", "exit 0", (2,), "version"),
    ("does not read", "exec <&-; " + FINE + "exit 0", (1, 2), None),
    ("has an absurd version", 'echo "LLVM version 99999999999999999999.1"', (2,), None),
    ("has a version of bytes", "printf 'LLVM version \\377\\377'", (2,), None),
    ("knows its version and hangs", FINE + "{sleep}", (1, 2), None),
    ("knows its version and crashes", FINE + "kill -SEGV $$", (1, 2), None),
    ("knows its version and prints garbage", FINE + "cat >/dev/null; yes garbage | head -c 1000000", (1, 2), None),
    ("knows its version and prints without end", FINE + "cat >/dev/null; yes", (1, 2), None),
    ("knows its version and prints nothing", FINE + "cat >/dev/null", (1, 2), None),
    ("knows its version and echoes", FINE + "exec cat", (1, 2), None),
    ("knows its version and fails", FINE + "cat >/dev/null; echo 'error: no' >&2; exit 1", (1, 2), None),
]
# A real LLVM that does this when it meets the fourth vector, and what the report says.
AT_ONE = [
    ("hangs", "{sleep}", "outcomes: 7 ok, 1 hang"),
    ("crashes", "kill -SEGV $$", "outcomes: 7 ok, 1 crash"),
    ("prints garbage", "yes garbage | head -c 100000", "errored"),
    ("prints nothing", "exit 0", "errored"),
    ("stops half-way", '{real} "$@" <"$input" | head -c 700', "errored"),
]


def alive(mark):
    """Processes whose command line has this text."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                if entry.isdigit() and mark in file.read():
                    found.append(int(entry))
        except OSError:
            continue
    return found


def orphans(mark):
    """What is still running a moment later; it is ended, as this test started it."""
    for _ in range(20):
        found = alive(mark)
        if not found:
            return None
        time.sleep(0.05)
    for number in found:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return f"{len(found)} processes are left"


def fill(directory, script, mark):
    """Tools that are this script."""
    os.makedirs(directory, exist_ok=True)
    for tool in TOOLS:
        path = os.path.join(directory, tool)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script.replace("{sleep}", f"sleep {mark}").replace("{real}", f"{REAL}/{tool}") + "\n")
        os.chmod(path, 0o755)


def new_mark():
    """A number of seconds that no other process sleeps."""
    return f"1000.{secrets.randbelow(10**12):012d}"


def vectors_file(folder):
    path = os.path.join(folder, "vectors.yaml")
    nodes = """  unit: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: file}
  f: {node: DISubprogram, distinct: true, name: f, scope: file, file: file, line: 1, spFlags: DISPFlagDefinition, unit: unit}
  a: {node: DILocation, line: 2, column: 5, scope: f}
op:"""
    vector = VECTOR.replace("op:", nodes).replace("[null, null]", "[a, a]").replace("result: null", "result: a")
    with open(path, "w", encoding="utf-8") as file:
        file.write("---\n".join(vector.replace("a.b", f"a.b{i}").replace("line: 2", f"line: 1{i}") for i in range(8)))
    return path


def run_with(folder, directory, path, limit=90):
    return Run(["run", "--impl", "llvm", "--llvm", directory, "--timeout", "3", path], folder, limit=limit)


def judge(run, statuses, words):
    problem = run.complaint(statuses, single=True) or (said(run, words) if run.status == 2 else None)
    if not problem and run.elapsed > 60:
        problem = f"takes {run.elapsed:.0f} s"
    return problem


def no_tools(folder):
    path = vectors_file(folder)
    directory = os.path.join(folder, "llvm")
    yield "LLVM in a missing folder", judge(run_with(folder, directory, path), (2,), directory)
    yield "LLVM in a file", judge(run_with(folder, path, path), (2,), path)
    os.mkdir(directory)
    yield "LLVM in an empty folder", judge(run_with(folder, directory, path), (2,), directory)
    for name, make in {
        "opt is not executable": lambda opt: open(opt, "w").close(),
        "opt is a folder": os.mkdir,
        "opt is a link to nothing": lambda opt: os.symlink("nothing", opt),
        "opt is a link to itself": lambda opt: os.symlink("opt", opt),
        "opt is no program": lambda opt: (open(opt, "w").write("garbage\n"), os.chmod(opt, 0o755)),
        "opt is a program of another machine": lambda opt: (open(opt, "wb").write(b"\x7fELF\2\1\1" + bytes(57)), os.chmod(opt, 0o755)),
        "opt wants a missing interpreter": lambda opt: (open(opt, "w").write("#!/nowhere/sh\n"), os.chmod(opt, 0o755)),
    }.items():
        opt = os.path.join(directory, "opt")
        make(opt)
        yield f"LLVM: {name}", judge(run_with(folder, directory, path), (2,), opt)
        os.rmdir(opt) if os.path.isdir(opt) else os.unlink(opt)
    if os.path.exists(f"{REAL}/opt"):
        os.symlink(f"{REAL}/opt", os.path.join(directory, "opt"))
        yield "LLVM: only opt is there", judge(run_with(folder, directory, path), (0, 1, 2), None)
    else:
        yield "LLVM: only opt is there", "skip: no LLVM 22"


def broken_tool(folder, index):
    name, script, statuses, words = ALWAYS[index]
    path, directory, mark = vectors_file(folder), os.path.join(folder, "llvm"), new_mark()
    fill(directory, script, mark)
    run = run_with(folder, directory, path)
    yield f"LLVM {name}", judge(run, statuses, words)
    output = os.path.join(folder, "layers.bc")
    run = Run(["assemble", LAYERS, "--llvm", directory, "--timeout", "1", "-o", output], folder, limit=60)
    yield f"LLVM {name}: assemble", judge(run, (2,), None) or (os.path.exists(output) and "there is an output") or None
    yield f"LLVM {name}: processes", orphans(mark.encode()) or orphans(directory.encode())


def broken_at_one(folder, index):
    name, script, outcome = AT_ONE[index]
    if not os.path.exists(f"{REAL}/opt"):
        yield f"LLVM {name} at one vector", "skip: no LLVM 22"
        return
    path, directory, mark = vectors_file(folder), os.path.join(folder, "llvm"), new_mark()
    fill(
        directory,
        'case "$*" in *--version*) exec {real} "$@";; esac\n'
        f'input=$(mktemp "{folder}/input.XXXXXX"); cat >"$input"\n'
        f"if grep -q 'line: 13,' \"$input\"; then\n{script}\nelse exec {{real}} \"$@\" <\"$input\"; fi",
        mark,
    )
    run = run_with(folder, directory, path)
    problem = judge(run, (1,), None)
    if not problem and outcome.encode() not in run.output():
        problem = f"the report does not say {outcome!r}: {run.output(1000)!r}"
    yield f"LLVM {name} at one vector", problem
    yield f"LLVM {name} at one vector: processes", orphans(mark.encode()) or orphans(directory.encode())


def interrupted(folder):
    """dloc is ended while a tool hangs: the tool ends as well."""
    path, directory = vectors_file(folder), os.path.join(folder, "llvm")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        mark = new_mark()
        fill(directory, "{sleep} & wait", mark)
        child = subprocess.Popen(
            [DLOC, "run", "--impl", "llvm", "--llvm", directory, "--timeout", "60", path],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # background jobs of a script ignore SIGINT
        )
        for _ in range(200):
            if alive(mark.encode()):
                break
            time.sleep(0.05)
        child.send_signal(number)
        try:
            status = child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            status = child.wait()
        yield f"{number.name} while LLVM hangs", None if status == -number else f"status {status}"
        yield f"{number.name} while LLVM hangs: processes", orphans(mark.encode())
