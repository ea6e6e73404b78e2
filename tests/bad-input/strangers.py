"""What a stranger can do with files and names: names for a terminal, pipes instead of files, a file that shrinks while
it is read, files that look like dloc's own."""

import itertools
import json
import os
import re
import struct
import subprocess

import every
import process
from common import ROOT
from layers import section
from lines import OLD, elf
from process import DLOC, Run
from small import VECTOR

# An end of line, a tab, control sequences of seven and of eight bits, a turn of the direction of writing, a NUL.
EVIL = r"\22\0Ax\09x\1B[2J\9B2J\C2\9Bx\E2\80\AEx\5C\00x"
NAME = EVIL.replace("\\00", "")  # LLVM has no function whose name holds a NUL
ACTS = re.compile(rb"[\0-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
LISTS = ("print --locations", "print --locations --scopes", "verify -W", "inline", "emit", "encode", "source", "source --sections")
LISTS_OF_BITCODE = ("bitcode", "bitcode --summary", "bitcode --records", "encode --written", "print --locations --scopes", "inline")


def evil_module(folder):
    """The sound one, with such names of kinds, files, folders and functions."""
    with open(every.sound(folder)["MODULE"], encoding="utf-8") as file:
        text = file.read()
    for name in ("TileIR", "kernel.tile", "kernel.py", 'name: "scale', 'directory: "src'):
        text = text.replace(name, name + EVIL)
    path = os.path.join(folder, "evil.ll")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("@scale(", f'@"scale{NAME}"('))
    return path


def names_for_terminals(folder):
    """No list shows a name as it stands: it would end lines, move the cursor, or turn what follows."""
    module, bitcode, notes = evil_module(folder), os.path.join(folder, "evil.bc"), os.path.join(folder, "notes.yaml")
    made = Run(["assemble", "--llvm", every.LLVM, module, "-o", bitcode], folder)
    yield "a module with evil names as bitcode", made.complaint((0,))
    with open(notes, "w", encoding="utf-8") as file:
        file.write(VECTOR.replace("level:", 'note: "a\\n\\tb\\e[2J\\u009b\\u202e"\nlevel:'))
    rows = [(row, module) for row in LISTS] + [(row, bitcode) for row in LISTS_OF_BITCODE] + [("list", notes)]
    for row, path in rows:
        run = Run([*row.split(), path], folder)
        output = run.output()
        shown = ACTS.search(output) or (None if is_utf8(output) else b"no UTF-8")
        lines = {line.count(b"\t") for line in output.splitlines()} if row in ("list", "source") else {0}
        problem = run.complaint((0, 1), silent=False) or (f"shows {shown}" if shown else None) or (None if len(lines) == 1 else "tabs in names")
        yield f"names for a terminal: {row}", problem or (None if output or run.stderr else "shows nothing")


ADAPTER = r'''
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["command"] == "start":
        print(json.dumps({"started": 1, "implementation": "EVIL\nall as expected", "version": "EVIL", "capabilities": ["merge"]}), flush=True)
    elif asked["command"] == "run":
        print(json.dumps({"seq": asked["seq"], "outcome": "reject", "reason": "EVIL"}), flush=True)
        print("EVIL", file=sys.stderr)
    elif asked["command"] == "flush":
        print(json.dumps({"flushed": asked["seq"]}), flush=True)
sys.exit("EVIL")
'''.replace("EVIL", r"a\x1b[2J\x9b2J\u202e")
# RUN has an implementation, a version and texts of that kind.
TALKS = (
    "run --impl ADAPTER VECTORS", "run --impl ADAPTER --fingerprint VECTORS", "smoke ADAPTER --timeout 1", "smoke --json ADAPTER --timeout 1",
    "laws --impl ADAPTER --scope 1 --only merge.primary", "fuzz --impl ADAPTER --op merge --cases 4", "report RUN", "report --before RUN RUN",
    "report --quiet --tap - RUN", "report --quiet --junit - RUN", "report --quiet --html - RUN",
)  # fmt: skip


def answers_for_terminals(folder):
    """What an adapter, or whoever wrote the file of a run, has to say reaches no terminal as it stands."""
    files = every.sound(folder)
    script = os.path.join(folder, "adapter.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(ADAPTER)
    files["ADAPTER"] = f"python3 {script}"
    files["VECTORS"] = os.path.join(ROOT, "vectors", "merge", "line.yaml")
    with open(files["RUN"], encoding="utf-8") as file:
        run = file.read().replace('"implementation": "', r'"implementation": "a\u001b[2J\u009b\u202e\nall as expected').replace('"actual": "', r'"actual": "\u001b')
    with open(files["RUN"], "w", encoding="utf-8") as file:
        file.write(run)
    for row in TALKS:
        words = [files.get(word, word) for word in row.split()]
        run = Run(words, folder, limit=60)
        output = run.output()
        acting = ACTS.search(output.replace(b"\t", b"").replace(b"\n", b""))
        forged = re.search(rb"^all as expected, |^all as expected$", output, re.M)
        failed = None if run.status in (0, 1) else run.shown()
        problem = failed or (f"shows {acting}" if acting else None) or (f"shows {forged}" if forged else None)
        yield f"answers for terminals: {row}", problem or (None if output else "shows nothing")


ODD = (None, True, -1, 1 << 70, 1.5, float("nan"), "", "\0", "\ud800", "\x1b[2J", [], [[]], {}, {"id": 1})


def runs(folder):
    """The file of a run may come from anybody: inputs that fuzzing found, then each member with values that it never has."""
    def problem(path):
        run = Run(["report", "--badge", "/dev/null", "--junit", "/dev/null", "--tap", "/dev/null", path], folder)
        return None if run.status == 1 and not run.words() else run.complaint((0, 2), single=True)

    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runs")
    for name in sorted(os.listdir(place)):
        yield f"a file of a run: {name}", problem(os.path.join(place, name))
    path = os.path.join(folder, "run.json")
    with open(every.sound(folder)["RUN"], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    odd = itertools.cycle(ODD)
    for line in (lines[0], next(line for line in lines if "id" in line), next(line for line in lines if "choice" in line), lines[-1]):
        for key, kept in list(line.items()):
            for line[key] in itertools.islice(odd, 3):
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(json.dumps(each) + "\n" for each in lines)
                yield f"a run whose {key} is {line[key]!r}", problem(path)
            line[key] = kept


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def by_pipe(folder):
    """What was read to see what a file is, is not read again from a pipe."""
    module = every.sound(folder)["MODULE"]
    sound = Run(["source", module], folder).output()
    reader, writer = os.pipe()
    with open(module, "rb") as file:
        os.write(writer, file.read())
    os.close(writer)
    run = Run(["source", "/dev/stdin"], folder, stdin=reader)
    os.close(reader)
    yield "source of a pipe", run.complaint((0,)) or (None if run.output() == sound else f"{run.output()} instead of {sound}")


ENDLESS = ("print FILE", "print - <FILE", "verify FILE", "lines FILE", "reveal --fast --table HIDDEN FILE", "reveal --fast --table FILE PLAIN", "mlir ids --tag t FILE --table TABLE -o OUT", "emit --check ptx-9.4 FILE", "report FILE",
           "browse --samples FILE EXECUTABLE")  # fmt: skip


def endless(folder):
    """What never ends is refused when it has given more than the limit; as many bytes as that are read."""
    files = every.sound(folder)
    size, limit = os.path.getsize(files["MODULE"]), os.environ.get("DLOC_INPUT_LIMIT")
    for row in ENDLESS:
        os.environ["DLOC_INPUT_LIMIT"] = "1000000"
        words, stdin = every.arguments(row, files | {"FILE": "/dev/zero"})
        run = Run(words, folder, stdin=stdin or os.devnull)
        yield f"an endless input: {row}", run.complaint((2,), single=True) or (None if "it has more than 1000000 bytes" in run.words() else run.shown())
    for most, status in ((size, 0), (size - 1, 2)):
        os.environ["DLOC_INPUT_LIMIT"] = str(most)
        reader, writer = os.pipe()
        with open(files["MODULE"], "rb") as file:
            os.write(writer, file.read())
        os.close(writer)
        yield f"a module of {size} bytes, limit {most}", Run(["print", "-"], folder, stdin=reader).complaint((status,))
        yield f"such a file, limit {most}", Run(["print", files["MODULE"]], folder).complaint((0,))  # it is mapped
        os.close(reader)
    del os.environ["DLOC_INPUT_LIMIT"]
    if limit:
        os.environ["DLOC_INPUT_LIMIT"] = limit
    run = Run(["symbolize", files["OBJECT"]], folder, stdin="/dev/zero")
    yield "an endless line", run.complaint((2,)) or (None if "line 1: more than" in run.words() else run.shown())


ONCE = (
    # what is written into a named pipe for FILE; the exit status: where FILE is read more than once it is 2
    ("symbolize --compare FILE 0 4", "OBJECT", (0, 1)), ("symbolize --json FILE <SAMPLES", "EXECUTABLE", (0, 1)),
    ("check FILE", "VECTORS", (0,)), ("check --only no.such FILE", "VECTORS", (2,)),
    ("browse FILE", "EXECUTABLE", "must be a regular file"), ("lint FILE", "VECTORS", "must be a regular file"),
    ("smoke ADAPTER --vectors FILE", "VECTORS", "must be a regular file"),
)  # fmt: skip


def read_once(folder):
    """A named pipe, which gives its bytes once and blocks whoever opens it again."""
    files, pipe = every.sound(folder), os.path.join(folder, "fifo")
    os.mkfifo(pipe)
    for row, kind, wanted in ONCE:
        refused = isinstance(wanted, str)
        plain = None if refused else run_row(row, files | {"FILE": files[kind]}, folder)
        expected = None if refused else (plain.output(), plain.words().replace(files[kind], pipe))
        with subprocess.Popen(["dd", f"if={files[kind]}", f"of={pipe}", "status=none"]) as writer:
            run = run_row(row, files | {"FILE": pipe}, folder)
            writer.kill()
        if refused:
            problem = run.complaint((2,), single=True) or (None if wanted in run.words() else run.shown())
        else:
            same = (run.output(), run.words()) == expected and run.status == plain.status
            problem = run.complaint(wanted, silent=False) or (None if same else f"{run.output()} {run.shown()} instead of {expected}")
        yield f"read once: {row}", problem


def run_row(row, files, folder):
    words, stdin = every.arguments(row, files)
    return Run(words, folder, stdin=stdin or os.devnull, limit=10)


def lookalikes(folder):
    """Names are no reason to remove what is not dloc's, and who replaces a private file keeps it private."""
    module, out = every.sound(folder)["MODULE"], os.path.join(folder, "out.ll")
    own, inside = out + ".dloc-backup", os.path.join(folder, "dloc.backup")
    os.mkdir(inside)
    for path in (own, out, os.path.join(inside, "lock"), os.path.join(inside, "work")):
        with open(path, "w", encoding="utf-8") as file:
            file.write("a user's")
    os.chmod(out, 0o600)
    run = Run(["print", module, "-o", out], folder)
    yield "a user's file, named as a temporary one", run.complaint((0,)) or (None if os.path.exists(own) else "it is gone")
    yield "a private file that is replaced", None if os.stat(out).st_mode & 0o7777 == 0o600 else oct(os.stat(out).st_mode)
    tool = os.path.join(folder, "mlir-opt")
    with open(tool, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho LLVM version 22.1.8\n")
    os.chmod(tool, 0o755)
    os.environ["TMPDIR"] = folder
    Run(["mlir", "--llvm", folder, os.path.join(ROOT, every.SOUND["MLIR"][1]), "--pipeline", "@a,canonicalize"], folder)
    del os.environ["TMPDIR"]
    yield "a user's folder, named as a temporary one", None if len(os.listdir(inside)) == 2 else f"{os.listdir(inside)} is left"


def shrinks(folder):
    """The assembler text is mapped, and made empty while the table is awaited."""
    if process.SANITIZED:
        yield "an input that shrinks", "skip: a sanitizer has that signal"
        return
    files, table, stderr = every.sound(folder), os.path.join(folder, "pipe"), os.path.join(folder, "stderr")
    text, out = os.path.join(folder, "text.s"), os.path.join(folder, "out.s")
    subprocess.run([f"{every.LLVM}/llc", files["PLAIN"], "-o", text], check=True)
    with open(text, "a", encoding="utf-8") as file:
        file.write("# a comment\n" * 10000)
    os.mkfifo(table)
    with open(stderr, "wb") as errors, subprocess.Popen([DLOC, "reveal", "--fast", "--table", table, text, "-o", out], stderr=errors) as child:
        with open(table, "wb") as pipe, open(files["HIDDEN"], "rb") as hidden:
            os.truncate(text, 0)
            pipe.write(hidden.read())
    with open(stderr, encoding="utf-8") as file:
        said = file.read()
    fine = child.returncode == 2 and said == "dloc: an input became shorter while it was read\n"
    left = [name for name in os.listdir(folder) if name.startswith("out.s")]
    yield "an input that shrinks", None if fine and not left else f"status {child.returncode}, {said!r}, leaves {left}"


PROGRAM = "int f(int x) { return x + 1; }\nint g(int x) { return x + 2; }\nint main(void) { return f(1) + g(2); }\n"


def compiled(folder, *options, source="program.c", output="program"):
    with open(os.path.join(folder, source), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    path = os.path.join(folder, output)
    subprocess.run([f"{every.LLVM}/clang", "-g", *options, source, "-o", path], cwd=folder, check=True)
    return path


def programs(folder):
    """What a program names is a stranger's word: files of others, pipes, places that two sections have."""
    home, elsewhere, away = (os.path.join(folder, name) for name in ("home", "elsewhere", "away"))
    for path in (home, elsewhere, away):
        os.mkdir(path)
    secret = os.path.join(elsewhere, "secret.c")
    program = compiled(home, source=secret)
    for name, given, seen in (("of others", [], False), ("that is asked for", ["--source-dir", elsewhere], True)):
        run = Run(["browse", program, "--json", *given], folder)
        there = b"return x + 1" in run.output()
        yield f"the page and a file {name}", run.complaint((0,), silent=False) or (None if there == seen else f"its lines are {'' if there else 'not '}there")
    split = compiled(away, "-gsplit-dwarf", "-c", output="split.o")
    whole = compiled(away, "-gsplit-dwarf", "-O0")
    for name in os.listdir(away):
        if name.endswith(".dwo"):
            os.unlink(os.path.join(away, name))
            os.mkfifo(os.path.join(away, name))
    for command in (["symbolize", whole, "0x1000"], ["two-level", split], ["browse", whole, "--json"]):
        yield f"a pipe in the place of a .dwo file: {command[0]}", Run(command, folder, limit=30).complaint(silent=False)
    pipe, shared = os.path.join(away, "shared"), os.path.join(home, "shared.o")
    os.mkfifo(pipe)
    unit = struct.pack("<IHIB", 16, 4, 0, 8) + b"\1" + struct.pack("<II", 1, 0)  # its name is in the file that dwz made for several programs
    with open(shared, "wb") as file:
        file.write(elf([section(".debug_line", OLD), section(".debug_info", unit), section(".debug_abbrev", b"\1\x11\0\x03\xa1\x3e\x10\x17\0\0\0"), section(".gnu_debugaltlink", pipe.encode() + bytes(21))], kind=2))
    for command in (["symbolize", shared, "0"], ["two-level", shared], ["browse", shared, "--json"]):
        run = Run(command, folder, limit=30)
        named = pipe.encode() in run.stderr or command[0] == "browse"  # there is no code, so the page asks for no address
        yield f"a pipe in the place of a file of dwz: {command[0]}", run.complaint(silent=False) or (None if named else run.shown())
    sections = compiled(home, "-ffunction-sections", "-c", output="sections.o")
    run = Run(["two-level", sections, "-o", os.path.join(folder, "line")], folder)
    yield "two levels of several sections", run.complaint((2,)) or (None if "link it first" in run.words() else run.shown())
    yield "two levels of one section", Run(["two-level", compiled(home, "-c", output="one.o"), "-o", os.path.join(folder, "line")], folder).complaint((0,))
    for name in ("-D.bin", "a\nb: error: forged.o", "short"):
        with open(os.path.join(home, name), "wb") as file:
            file.write(b"\x7fELF")
        child = subprocess.run([DLOC, "browse", "--", name], cwd=home, capture_output=True, timeout=60, check=False)
        told = child.stderr.decode().splitlines()
        bad = child.returncode != 2 or not told or any(not line.startswith("dloc: ") for line in told)
        yield f"the name {name!r}", f"status {child.returncode}, {told}" if bad else None
