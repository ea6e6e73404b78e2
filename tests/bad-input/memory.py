"""Too little memory: whatever cannot be allocated ends dloc with one message, and nothing half-written."""

import os

import process
from process import DLOC, Run
from small import leftovers
from surroundings import good_inputs

OUT_OF_MEMORY = "dloc: out of memory\n"
STEP = 64  # KiB of address space


def commands(folder, target):
    """Of lint, report and laws the part in C alone: Python has its own words for too little memory."""
    ll, yaml = good_inputs(folder)
    layered = ["--layer", "K", "--all"]
    return {
        "verify": ["verify", ll],
        "print": ["print", ll, "-o", target],
        "annotate": ["annotate", *layered, ll, "-o", target],
        "encode": ["encode", ll, "-o", target],
        "source": ["source", ll],
        "check": ["check", yaml],
        "fmt": ["fmt", "--check", yaml],
        "lint": ["lint", "--facts", yaml],
        "list": ["list", yaml],
        "run": ["run", "--impl", "model", "--quiet", "--json", "-o", target, yaml],
        "report": ["report", "--facts", yaml],
        "laws": ["laws", "--scope", "1", "--facts"],
    }


def limited(kilobytes, given, folder):
    return Run(["-c", f'ulimit -v {kilobytes}; exec "$@"', "sh", DLOC, *given], folder, program="/bin/sh")


def least(given, folder, first, fits):
    """The least limit, in steps, with which a run fits; doubling, then halving the distance."""
    step = STEP
    while not fits(limited(first + step, given, folder)):
        step *= 2
    low, high = first, first + step
    while high - low > STEP:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(limited(middle, given, folder)) else (middle, high)
    return high


def short_of_memory(folder):
    if process.SANITIZED:
        yield "too little memory", "skip: sanitizers need more address space than any limit"
        return
    place = os.path.join(folder, "place")
    os.mkdir(place)
    target = os.path.join(place, "out")
    starts = least(["--version"], folder, 2048, lambda run: run.status == 0)
    for name, given in commands(folder, target).items():
        old = b"{old" if "--json" in given else b"old"  # a file of another kind is not replaced
        with open(target, "wb") as file:
            file.write(old)
        enough = least(given, folder, starts, lambda run: run.status in (0, 1))
        problem, seen = None, 0
        for part in range(16):
            with open(target, "wb") as file:
                file.write(old)
            run = limited(starts + (enough - starts) * part // 16, given, folder)
            short = run.status == 2 and run.words().endswith(OUT_OF_MEMORY)
            seen += short
            if not short and run.status not in (0, 1):
                problem = problem or run.shown()
            with open(target, "rb") as file:
                if short and file.read() != old:
                    problem = problem or "the old file has changed"
            problem = problem or leftovers(place, {"out"})
        yield f"too little memory: {name}", problem or (None if seen else "it never ran out of memory")
