"""Files that cannot be read, output that cannot be written, descriptors that are closed."""

import json
import os
import shutil
import signal

from big import HEAD, location, module
from common import ROOT
from process import DLOC, Run
from small import VECTOR, leftovers, said

READERS = {
    "verify": [],
    "print": [],
    "merge": ["!10", "!11"],
    "inline": [],
    "source": [],
    "check": [],
    "fmt": [],
    "lint": [],
    "list": [],
    "run": ["--impl", "model"],
    "report": [],
}
OF_MODULES = ("verify", "print", "merge", "inline", "source")
SETPRIV = shutil.which("setpriv")
UNSHARE = shutil.which("unshare")
NOBODY = "65534"
SOURCES = "!llvm.intermediate_level_source = !{!20}\n!20 = !{!\"TileIR\", !1, !\"" + "x" * 300_000 + "\"}\n"


def good_inputs(folder):
    """A module and a file of vectors, larger than any buffer."""
    ll, yaml = os.path.join(folder, "good.ll"), os.path.join(folder, "good.yaml")
    with open(ll, "w", encoding="utf-8") as file:
        file.write(module("!10", "!11") + location(10, 1, 4, None, False) + location(11, 1, 4, 6, False) + SOURCES)
        file.writelines(f"define void @f{i}() {{\n ret void\n}}\n" for i in range(3000))
    with open(yaml, "w", encoding="utf-8") as file:
        file.write("---\n".join(VECTOR.replace("a.b", f"a.b{i}") for i in range(500)))
    return ll, yaml


def good_run(folder):
    """The JSON lines of a run, larger than any buffer."""
    path = os.path.join(folder, "good.json")
    result = {"clauses": ["merge.line"], "level": "must", "op": "merge", "outcome": "ok", "verdict": "known", "known": "why",
              "digest": "", "expected": "outcome: ok\n", "actual": "outcome: ok\n" + "x" * 300}
    totals = {"vectors": 500, "not-applicable": 0, "unreadable": 0, "layers-lost-as-expected": 0, "restarts": 0,
              "stale": [], "faults": [], "fault-count": 0}
    lines = [{"implementation": "i", "version": "1", "profile": "rfc", "choices": []}]
    lines += [{"id": f"a.b{i}", **result} for i in range(500)] + [totals]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def good_for(command, ll, yaml, run):
    return ll if command in OF_MODULES else run if command == "report" else yaml


def arguments(command, path):
    return [command, path, *READERS[command]]


def unreadable(folder):
    ll, yaml = good_inputs(folder)
    run_path = good_run(folder)
    for command in READERS:
        good = good_for(command, ll, yaml, run_path)
        paths = {
            "a missing file": os.path.join(folder, "missing"),
            "a missing folder": os.path.join(folder, "missing", "file"),
            "a file as folder": os.path.join(good, "file"),
            "an empty name": "",
            "a long name": "a" * 3000,
            "a name for a terminal": "\x1b[2J\x9b",
            "a file that breaks off": "/proc/self/mem",
        }
        if command in OF_MODULES:
            paths["a folder"] = folder
        for name, path in paths.items():
            run = Run(arguments(command, path), folder)
            problem = run.complaint((2,), single=True) or said(run, "cannot read" if path else None)
            if not problem and command not in ("check", "run") and run.output(1):
                problem = f"there is output: {run.output(100)!r}"
            yield f"{name}: {command}", problem
        for name, closed in (("stdin closed", (0,)), ("stdin and stdout closed", (0, 1)), ("all closed", (0, 1, 2))):
            run = Run(arguments(command, "-"), folder, closed=closed)
            if 2 in closed:
                yield f"{name}: {command}", None if run.status == 2 else f"status {run.status}"
            else:
                yield f"{name}: {command}", run.complaint((2,))
        run = Run(arguments(command, good), folder, closed=(0,))
        yield f"stdin closed, but not needed: {command}", run.complaint((0, 1) if command == "lint" else (0,))
    for command in ("symbolize", "symbolize --perf"):
        run = Run([*command.split(), os.path.join(ROOT, "tests/fuzz/corpus-layers/merged")], folder, stdin=folder)
        yield f"a folder as stdin: {command}", run.complaint((2,), single=True) or said(run, "cannot read")
    for command in ("verify", "check"):
        good = ll if command == "verify" else yaml
        run = Run([command, good, os.path.join(folder, "missing"), good], folder)
        yield f"a missing file between others: {command}", run.complaint((2,), single=True) or said(run, "cannot read")
    empty = os.path.join(folder, "empty")
    loop = os.path.join(folder, "loop")
    os.mkdir(empty)
    os.mkdir(loop)
    for name in "again", "once more":
        os.symlink(".", os.path.join(loop, name))
    shutil.copy(yaml, os.path.join(loop, "a.yaml"))
    deep = os.path.join(folder, "deep")
    for _ in range(200):
        deep = os.path.join(deep, "d")
    os.makedirs(deep)
    for command in ("check", "fmt", "lint", "list", "run"):
        folders = {"an empty folder": empty, "a folder in itself": loop, "deep folders": os.path.join(folder, "deep")}
        for name, path in folders.items():
            yield f"{name}: {command}", Run(arguments(command, path), folder).complaint()
    yield from unreadable_for_others(folder, ll, yaml)


def unreadable_for_others(folder, ll, yaml):
    """Permission denied: as nobody when this is root."""
    root = os.geteuid() == 0
    if root and not SETPRIV:
        yield "permissions", "skip: no setpriv, and this is root"
        return
    copy = os.path.join(folder, "dloc")
    shutil.copy(DLOC, copy)
    shutil.copytree(os.path.join(os.path.dirname(DLOC), "share"), os.path.join(folder, "share"))
    for path in (os.path.dirname(folder), folder):
        os.chmod(path, 0o755)
    for path in (ll, yaml):
        os.chmod(path, 0o644)
    drop = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", copy]

    def start(*given, **keywords):
        if root:
            return Run([*drop, *given], folder, program=SETPRIV, **keywords)
        return Run(list(given), folder, **keywords)

    if start("verify", ll).status != 0:
        yield "permissions", "skip: cannot run as nobody"
        return
    if not root:
        os.chmod(folder, 0o555)
    with open(yaml, "rb") as file:
        before = file.read().replace(b"level:", b"level:  ")  # not canonical
    with open(yaml, "wb") as file:
        file.write(before)
    runs = [(f"a folder that cannot be written: {name}", start(*given)) for name, given in {
        "print -o": ["print", ll, "-o", os.path.join(folder, "out.ll")],
        "source --extract": ["source", ll, "--extract", "0", "-o", os.path.join(folder, "out.txt")],
        "fmt": ["fmt", yaml],
        "run --junit": ["run", "--impl", "model", yaml, "--quiet", "--junit", os.path.join(folder, "out.xml")],
    }.items()]
    os.chmod(folder, 0o755)
    for name, run in runs:
        yield name, run.complaint((2,), single=True) or said(run, "cannot write")
    with open(yaml, "rb") as file:
        yield "a folder that cannot be written: fmt leaves the file", None if file.read() == before else "it has changed"
    run_path = good_run(folder)
    for path in (ll, yaml, run_path):
        os.chmod(path, 0)
    for command in READERS:
        run = start(*arguments(command, good_for(command, ll, yaml, run_path)))
        yield f"permission denied: {command}", run.complaint((2,), single=True) or said(run, "ermission denied")


def printers(folder):
    """Commands that write results to stdout, much and little."""
    ll, yaml = good_inputs(folder)
    bad = os.path.join(folder, "bad.ll")
    with open(bad, "w", encoding="utf-8") as file:
        file.write("!0 = !{!1}\n")
    return {
        "print": ["print", ll],
        "print --locations": ["print", "--locations", ll],
        "print -o -": ["print", ll, "-o", "-"],
        "merge": ["merge", ll, "!10", "!11"],
        "merge --explain": ["merge", ll, "!10", "!11", "--explain"],
        "inline": ["inline", ll],
        "source": ["source", ll],
        "source --extract": ["source", ll, "--extract", "0"],
        "verify --json": ["verify", "--json", bad],
        "merge --json": ["merge", "--json", ll, "!10", "!11"],
        "source --json": ["source", "--json", ll],
        "check --json": ["check", "--json", yaml],
        "lint --json": ["lint", "--json", yaml],
        "list --json": ["list", "--json", yaml],
        "check": ["check", yaml],
        "list": ["list", yaml],
        "fmt": ["fmt", "-"],
        "run": ["run", "--impl", "model", yaml],
        "gen": ["gen", "merge", "--count", "200"],
        "report": ["report", good_run(folder)],
        "report --html -": ["report", "--quiet", "--html", "-", "--vectors", yaml, good_run(folder)],
        "--help": ["--help"],
        "verify --help": ["verify", "--help"],
        "--version": ["--version"],
    }, yaml


def unwritable(folder):
    commands, yaml = printers(folder)
    for name, given in commands.items():
        stdin = yaml if name == "fmt" else os.devnull
        run = Run(given, folder, stdin, stdout="/dev/full")
        yield f"a full disk: {name}", run.complaint((2,), single=True) or said(run, "No space left on device")
        reader, writer = os.pipe()
        os.close(reader)
        run = Run(given, folder, stdin, stdout=writer)
        os.close(writer)
        yield f"a closed pipe: {name}", None if run.status == -signal.SIGPIPE and not run.stderr else run.shown()
        run = Run(given, folder, stdin, closed=(1,))
        yield f"stdout closed: {name}", run.complaint((2,), single=True)
        run = Run(given, folder, stdin, closed=(2,))
        yield f"stderr closed: {name}", None if run.status in (0, 1) else f"status {run.status}"
        run = Run(given, folder, stdin, stdout="/dev/full", stderr="/dev/full")
        yield f"a full disk for both: {name}", None if run.status == 2 else f"status {run.status}"
    for name in ("verify", "lint"):  # they write nothing
        run = Run([name, commands["print"][1] if name == "verify" else yaml], folder, stdout="/dev/full")
        yield f"a full disk, but nothing to write: {name}", run.complaint((0, 1), silent=False)


def writers(folder, ll, yaml, target):
    """Commands that write files: name, arguments, the file that is written, how many bytes it was before."""
    return {
        "print -o": ["print", ll, "-o", target],
        "source --extract": ["source", ll, "--extract", "0", "-o", target],
        "run --junit": ["run", "--impl", "model", yaml, "--quiet", "--junit", target],
        "run --json": ["run", "--impl", "model", yaml, "--quiet", "--json", "-o", target],
        "report --html": ["report", "--quiet", "--html", target, "--vectors", yaml, good_run(folder)],
        "report --junit": ["report", "--quiet", "--junit", target, good_run(folder)],
        "report --tap": ["report", "--quiet", "--tap", target, good_run(folder)],
        "fmt": ["fmt", target],
    }


def full(folder):
    """A disk that is full in the middle of an output file: the old file stays, nothing else appears."""
    ll, yaml = good_inputs(folder)
    place = os.path.join(folder, "place")
    os.mkdir(place)
    target = os.path.join(place, "out")
    for name, given in writers(folder, ll, yaml, target).items():
        old = b"old" if name != "fmt" else open(yaml, "rb").read()
        for limited in ("a limit of the file size", "a small disk"):
            with open(target, "wb") as file:
                file.write(old)
            if limited == "a small disk":
                if not can_mount(folder):
                    yield f"{limited}: {name}", "skip: cannot mount a tmpfs"
                    continue
                # What is on the disk is gone when the command ends, so it is looked at before.
                size = (len(old) + 4095) // 4096 * 4 + 12
                script = (
                    f'cp "$1/out" "$1/../old" && mount -t tmpfs -o size={size}k none "$1" && cp "$1/../old" "$1/out" || exit 77\n'
                    'place=$1; shift; "$@"; status=$?\n'
                    'cmp -s "$place/out" "$place/../old" || echo "the old file has changed" >&2\n'
                    '[ "$(ls -A "$place")" = out ] || { echo "left behind:"; ls -A "$place"; } >&2\nexit $status'
                )
                run = Run(["-m", "/bin/sh", "-c", script, "sh", place, DLOC, *given], folder, program=UNSHARE)
            else:
                # 8 blocks of 512 or 1024 bytes.
                run = Run(["-c", 'ulimit -f 8; exec "$@"', "sh", DLOC, *given], folder, program="/bin/sh")
            problem = run.complaint((2,), single=True) or said(run, "cannot write")
            if not problem and ("old file has changed" in run.words() or "left behind" in run.words()):
                problem = run.shown()
            with open(target, "rb") as file:
                if not problem and file.read() != old:
                    problem = "the old file has changed"
            yield f"{limited}: {name}", problem or leftovers(place, {"out"})
    for name, given in writers(folder, ll, yaml, target).items():
        if name == "fmt":
            continue
        given = [os.path.join(place, "missing", "out") if argument == target else argument for argument in given]
        run = Run(given, folder)
        yield f"output into a missing folder: {name}", run.complaint((2,), single=True) or said(run, "cannot write")
        given = [place if argument.endswith("missing/out") else argument for argument in given]
        run = Run(given, folder)
        yield f"output over a folder: {name}", run.complaint((2,), single=True) or said(run, "cannot write")
        given = ["/dev/full" if argument == place else argument for argument in given]
        run = Run(given, folder)
        yield f"output into a full device: {name}", run.complaint((2,), single=True) or said(run, "cannot write")
        given = [target if argument == "/dev/full" else argument for argument in given]
        if os.path.exists(target):
            os.unlink(target)  # a file of another kind is not replaced
        run = Run(given, folder)
        yield f"output that can be written: {name}", run.complaint((0,)) or leftovers(place, {"out"})
    yield from extracting(folder)


def extracting(folder):
    """No module can make `dloc source` write outside the folder it is given."""
    names = ["../../escape", "/tmp/escape", "..", ".", "", "a/b", "a\\5Cb", "a\\00b", "a\\0Ab", "CON", "x" * 5000, "-o", "\\C3\\A9"]
    path, out = os.path.join(folder, "names.ll"), os.path.join(folder, "out")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "!llvm.intermediate_level_source = !{" + ", ".join(f"!{20 + i}" for i in range(len(names))) + "}\n")
        for i, name in enumerate(names):
            file.write(f'!{20 + i} = !{{!"k", !DIFile(filename: "{name}", directory: "/"), !"text {i}"}}\n')
    before = set(os.listdir(folder))
    run = Run(["source", path, "--extract", "all", "-o", out], folder)
    yield "hostile file names", run.complaint((0,)) or leftovers(folder, before | {"out"})
    texts = set()
    for name in os.listdir(out):
        with open(os.path.join(out, name), "rb") as file:
            texts.add(file.read())
    wanted = {b"text %d" % i for i in range(len(names))}
    yield "hostile file names: each text", None if texts == wanted else f"{sorted(wanted - texts)} are missing"
    run = Run(["source", path, "--extract", "all", "-o", path], folder)
    yield "extracting into a file", run.complaint((2,))


def can_mount(folder):
    if not UNSHARE:
        return False
    place = os.path.join(folder, "mounted")
    os.makedirs(place, exist_ok=True)
    run = Run(["-m", "/bin/sh", "-c", 'mount -t tmpfs -o size=16k none "$1"', "sh", place], folder, program=UNSHARE)
    os.rmdir(place)
    return run.status == 0
