"""Every subcommand where the system refuses: memory, descriptors, time, folders for temporary files. hostile.c is preloaded into dloc.
DLOC_ALLOCATIONS=all: every allocation of every row fails in turn, which takes hours."""

import contextlib
import itertools
import os
import shutil
import subprocess
import sys

import every
import process
from process import DLOC, Run

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile.c")
EACH = 1000  # allocations, each of which fails in turn; of a row that has more, or starts other programs, it is a sample
SAMPLE = 12
STARTING = ("flang", "mlir --llvm", "browse")
CHANGING = ("flang",)  # its output is another one each time
OLD = b"old"
WORDS = 1000  # bytes that a message has room in
# What libraries and python3 say before dloc can, or of want of memory that something cannot be read.
OTHERS = ("libdw: Cannot allocate memory", "Fatal Python error", "python3: error while loading shared libraries")


def preload(folder):
    """The library; None without a compiler, or with a sanitizer, whose allocator it would take the place of."""
    if process.SANITIZED or not shutil.which("cc"):
        return None
    path = os.path.join(folder, "hostile.so")
    subprocess.run(["cc", "-O1", "-w", "-shared", "-fPIC", "-o", path, SOURCE], check=True)
    return path


@contextlib.contextmanager
def environment(**values):
    before = dict(os.environ)
    os.environ.update({name: str(value) for name, value in values.items()})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def start(folder, row, files, limit=None, **streams):
    """A run of a row; its standard output, without how long it took; what it has written over an old file; files left behind."""
    place = os.path.dirname(files["OUT"])
    shutil.rmtree(place, ignore_errors=True)
    os.mkdir(place)
    for name in ("OUT", "TABLE"):
        with open(files[name], "wb") as file:
            file.write(OLD)
    given, stdin = every.arguments(row, files)
    if limit:
        given, streams["program"] = ["-c", f'{limit}; exec "$@"', "sh", DLOC, *given], "/bin/sh"
    run = Run(given, folder, stdin or os.devnull, limit=60, **streams)
    with open(files["OUT"], "rb") as out, open(files["TABLE"], "rb") as table:
        written = out.read(), table.read()
    left = {path.name for path in os.scandir(place) if path.is_file() or os.listdir(path)}  # an empty folder that was asked for may stay
    left -= {os.path.basename(files[name]) for name in ("OUT", "TABLE")}
    return run, (b"" if streams.get("stdout") else every.timeless(run.output()), *written), left


def wrong(found, sound, row):
    """Where something is refused, a run does all as ever, or says what it lacks and leaves files as they were."""
    (run, outcome, left), (sound_run, sound_outcome, made) = found, sound
    if left - (made if run.status == sound_run.status else set()):
        return f"leaves {', '.join(sorted(left))}"
    same = outcome == sound_outcome or row.startswith(CHANGING)
    if run.status == sound_run.status and same:
        return None
    if run.status in (1, 2) and any(words in run.words() for words in OTHERS):
        return None
    if run.status != 2:
        return f"status {run.status} instead of {sound_run.status} or 2, output {'as ever' if same else 'changed'}: {run.shown()}"
    if not run.stderr:
        return "status 2 without a message"
    return unfit(outcome, sound_outcome) or run.complaint((2,))


def unfit(outcome, sound_outcome):
    """Files are the old ones or the new ones, and all of one kind."""
    pairs = [(now, new) for now, new in zip(outcome[1:], sound_outcome[1:]) if new != OLD]
    if any(now not in (OLD, new) for now, new in pairs):
        return "half a file is written"
    return "one file is the old one, another one is new" if len({now == OLD for now, _ in pairs}) == 2 else None


def without_files(folder, part, parts, few):
    """One call that concerns files fails, or no file gets more than so many bytes: of rows that write files, each such call and some sizes."""
    library, files = preload(folder), prepare(folder)
    if not library:
        yield "a call that fails", "skip: there is no compiler, or a sanitizer"
        return
    reached = os.path.join(folder, "reached")
    rows = [row for row in every.ROWS if {"OUT", "TABLE"} & set(row.split()) and not row.startswith(CHANGING)]
    for row in rows[part::parts]:
        if few and "TABLE" not in row.split():
            continue
        sound = start(folder, row, files)
        sizes = sorted({size for new in sound[1] for size in (WORDS, len(new) - 1) if WORDS <= size < len(new)})
        ways = itertools.chain(({"HOSTILE_SIZE": size} for size in sizes), ({"HOSTILE_REFUSE": at, "HOSTILE_REFUSED": reached} for at in itertools.count(1)))
        problem, failed = None, 0
        for way in ways:
            with environment(LD_PRELOAD=library, **way):
                run, outcome, left = start(folder, row, files)
            failed += run.status == 2
            found = left - (sound[2] if run.status == sound[0].status else set()) or unfit(outcome, sound[1]) or (None if run.status == sound[0].status else run.complaint((2,)))
            problem = problem or found and f"{way}: {found}"
            if "HOSTILE_REFUSE" in way and not os.path.exists(reached):
                break
            if os.path.exists(reached):
                os.unlink(reached)
        yield f"a call or a write that fails: {row}", problem or (None if failed or sound[1][1:] == (OLD, OLD) else "none mattered")


def prepare(folder):
    files = every.sound(folder)
    place = os.path.join(folder, "place")
    files["OUT"], files["TABLE"] = os.path.join(place, "out.ll"), os.path.join(place, "table")
    return files


def without_memory(folder, part, parts, few):
    """One allocation fails: a sample of them, of some rows each one."""
    library, files = preload(folder), prepare(folder)
    if not library:
        yield "an allocation that fails", "skip: there is no compiler, or a sanitizer"
        return
    count = os.path.join(folder, "count")
    for number, row in list(enumerate(every.ROWS))[part::parts]:
        with environment(LD_PRELOAD=library, HOSTILE_COUNT=count):
            sound = start(folder, row, files)
        with open(count, "rb") as file:
            total = int.from_bytes(file.read(), sys.byteorder)
        os.unlink(count)
        if not total:
            continue
        whole = not few and (total <= EACH and not row.startswith(STARTING) or os.environ.get("DLOC_ALLOCATIONS") == "all")
        fails = range(1, total + 1) if whole else sorted({1 + total * (i * 7 + number) // (7 * SAMPLE) % total for i in range(1 if few else SAMPLE)})
        problem, seen = None, 0
        for at in fails:
            with environment(LD_PRELOAD=library, HOSTILE_FAIL=at):
                found = start(folder, row, files)
            seen += found[0].status == 2
            problem = problem or (lambda text: text and f"allocation {at} of {total}: {text}")(wrong(found, sound, row))
        yield f"an allocation that fails: {row}", problem or (None if seen or not whole else "none mattered")


# name, what dloc's environment has, a limit of the shell that starts it, where standard output goes.
SURROUNDINGS = [
    ("calls that are interrupted", {"HOSTILE_EINTR": 3}, None, None),
    ("a clock that goes back", {"HOSTILE_CLOCK": 1}, None, None),
    ("no folder for temporary files", {"TMPDIR": "/nowhere"}, None, None),
    ("4 descriptors", {}, "ulimit -n 4", None),
    ("7 descriptors", {}, "ulimit -n 7", None),
    ("files of 512 bytes at most", {"PYTHONUNBUFFERED": ""}, "ulimit -f 1", None),
    ("files of 512 bytes at most, unbuffered", {"PYTHONUNBUFFERED": "1"}, "ulimit -f 1", None),
    ("a full disk", {}, None, "/dev/full"),
]


def refused(folder, part, parts, few):
    """Each row in each of the surroundings; few: in one of them."""
    library, files = preload(folder), prepare(folder)
    for number, row in list(enumerate(every.ROWS))[part::parts]:
        sound = start(folder, row, files)
        for name, added, limit, stdout in SURROUNDINGS[number % len(SURROUNDINGS) :][:1] if few else SURROUNDINGS:
            preloaded = any(variable.startswith("HOSTILE") for variable in added)
            if preloaded and not library:
                continue
            with environment(**added, **({"LD_PRELOAD": library} if preloaded else {})):
                found = start(folder, row, files, limit, **({"stdout": stdout} if stdout else {}))
            problem = None if stdout else wrong(found, sound, row)
            if stdout and sound[1][0]:  # whoever prints says that it cannot be written
                problem = found[0].complaint((2,))
            yield f"{name}: {row}", problem
