#!/usr/bin/env python3
"""usage: tests/contributing.py [few | SECTION...]

Carries out the steps of CONTRIBUTING.md in a copy of the sources: those for a vector and, but for few, those for an alternative and for a profile, which compile
everything. The ```sh blocks of a section are the steps, and the last one is the check. The check must succeed after all steps, and fail when any one of them is left out.
Ends with a line `N passed, N failed`. Environment: DLOC (default build/dloc).
"""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DLOC = Path(os.environ.get("DLOC", ROOT / "build" / "dloc"))
SOURCES = ("Makefile", "SPEC.md", "spec", "model", "conformance", "tools", "vectors")
SECTIONS = ("A vector", "An alternative", "A profile")
# The program is built for a moment only; optimising it would take longer than running it.
ENVIRONMENT = {**os.environ, "CFLAGS": "-O0", "BUILD": "build"}


def blocks_of(section: str) -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    body = re.search(rf"^## {section}\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"^```sh\n(.*?)^```$", body[1], re.DOTALL | re.MULTILINE) if body else []


def copy_sources(tree: Path) -> None:
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, tree / name)
    subprocess.run(["chmod", "-R", "u+w", tree], check=True)  # the sources may be read-only


def restore(tree: Path) -> None:
    """Undo what steps changed. A file that is put back is new to make."""
    for name in SOURCES:
        changed = [tree / name] if (tree / name).is_file() else (tree / name).rglob("*")
        for path in changed:
            original = ROOT / path.relative_to(tree)
            if path.is_file() and original.is_file() and not filecmp.cmp(path, original):
                shutil.copyfile(original, path)


def run(script: str, tree: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tree,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def try_steps(tree: Path, steps: list[str], check: str, left_out: int | None) -> str:
    """What is wrong, or nothing."""
    restore(tree)
    (tree / "build").mkdir(exist_ok=True)
    if not (tree / "build" / "obj").exists():
        shutil.copy2(DLOC, tree / "build" / "dloc")
        shutil.copytree(DLOC.parent / "share", tree / "build" / "share", dirs_exist_ok=True)
    for number, step in enumerate(steps):
        if number == left_out:
            continue
        done = run(step, tree)
        if done.returncode != 0 and left_out is None:
            return f"step {number + 1} fails: {done.stdout}"
    done = run(check, tree)
    if left_out is None:
        return "" if done.returncode == 0 else f"the check fails: {done.stdout}"
    return "" if done.returncode != 0 else f"the check succeeds without step {left_out + 1}"


def try_section(section: str) -> tuple[int, int]:
    *steps, check = blocks_of(section) or [""]
    if not steps:
        print(f"CONTRIBUTING.md: no steps below '## {section}'")
        return 0, 1
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_sources(tree)
        # From the last step to the first: what earlier ones changed need not be compiled again.
        for left_out in [None, *reversed(range(len(steps)))]:
            wrong = try_steps(tree, steps, check, left_out)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"CONTRIBUTING.md, {section}: {wrong}")
    return passed, failed


def main() -> None:
    chosen = SECTIONS[:1] if sys.argv[1:] == ["few"] else sys.argv[1:] or SECTIONS
    results = [try_section(section) for section in chosen]
    passed, failed = (sum(numbers) for numbers in zip(*results))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
