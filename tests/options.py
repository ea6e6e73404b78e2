#!/usr/bin/env python3
"""usage: tests/options.py

The options of all commands agree with tools/shell/options.def: each command shows only options of that table, each with the table's argument, and no row is
without a command. `--json` is a flag of every command that has it. An option that writes replaces no file of
another kind. And every command that runs tools of LLVM takes their folder from DLOC_LLVM.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DLOC = os.environ.get("DLOC", str(ROOT / "build/dloc"))
VECTORS = "vectors/merge/line.yaml"
LAYERS = "tests/lit/Inputs/layers.ll"
WRITERS = (  # FILE is a file of vectors
    (f"run --impl model --quiet --json -o FILE {VECTORS}", 2),
    (f"run --impl model --quiet --junit FILE {VECTORS}", 2),
    (f"run --impl model --quiet --tap FILE {VECTORS}", 2),
    ("laws --scope 1 --only merge.kept --json -o FILE", 2),
    ("spec --html FILE SPEC.md vectors", 2),
    (f"hide --table FILE {LAYERS}", 2),
    (f"print {LAYERS} -o FILE", 2),
)
TOOLS = (  # commands that run tools of LLVM, and what they say of a folder without any
    f"assemble {LAYERS} -o OUT",
    f"browse {DLOC}",
    "mlir tests/producers/programs/inlining.mlir --pipeline @a",
    "flang tests/producers/programs/dot.f90",
    f"hide --table OUT {LAYERS.replace('.ll', '.bc')}",
    f"reveal --fast --table OUT {LAYERS.replace('.ll', '.bc')}",
    "laws --scope 1 --impl llvm --only merge.kept",
    "fuzz --impl llvm --op merge --cases 3",
    f"run --impl llvm {VECTORS}",
    f"run --impl dropin {VECTORS}",
)
failures = []


def check(holds: bool, what: str) -> None:
    if not holds:
        failures.append(what)


def dloc(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([DLOC, *words], cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False)


def commands(*before: str) -> list[tuple[str, ...]]:
    """Each command, and each family of commands."""
    text = dloc(*before, "--help").stdout
    if before and "FAMILY" not in text and "ACTION" not in text:
        return [before]
    names = re.findall(r"^  ([a-z][\w-]*) +\S", text.partition("\noptions:\n")[0], re.M)
    below = [found for name in names for found in commands(*before, name)]
    return below + [before] * ("ACTION" in text)


table = dict(re.findall(r'^OPTION\("([^"]+)", (NULL|"[^"]+")', (ROOT / "tools/shell/options.def").read_text(), re.M))
check(sorted(table) == list(table), "the rows are in the order of their names")
seen: dict[str, set[str]] = {name: set() for name in table}
for command in commands():
    said = dloc(*command, "--help")
    name = " ".join(command)
    check(said.returncode == 0 and "\noptions:\n" in said.stdout, f"dloc {name} --help: {said.stderr or 'no options'}")
    for option, argument in re.findall(r"^  --?([\w-]+)(?: (\S+))? {1,}\S", said.stdout.partition("\noptions:\n")[2].partition("\n\n")[0], re.M):
        wanted = table.get(option, "").strip('"')
        check(option in table, f"dloc {name} --{option} has no row")
        check(wanted == "NULL" or argument == wanted, f"dloc {name} --{option}: the argument is {argument}, in the table {wanted}")
        seen.setdefault(option, set()).add(name)
for option, users in seen.items():
    check(bool(users), f"no command has --{option}")
check(table.get("json") == "NULL" and len(seen["json"]) >= 20, "--json is a flag of many commands")

with tempfile.TemporaryDirectory() as folder:
    kept = Path(folder, "mine.yaml")
    for words, status in WRITERS:
        kept.write_bytes((ROOT / VECTORS).read_bytes())
        done = dloc(*(str(kept) if word == "FILE" else word for word in words.split()))
        check(done.returncode == status and "stays as it is" in done.stderr, f"dloc {words}: exit status {done.returncode}: {done.stderr}")
        check(kept.read_bytes() == (ROOT / VECTORS).read_bytes(), f"dloc {words} has overwritten vectors")
    out = Path(folder, "out")
    dloc("hide", "--table", str(out), LAYERS, "-o", os.devnull)
    for words in TOOLS:
        given = str(out) if "reveal" in words else str(Path(folder, "none"))
        done = dloc(*(given if word == "OUT" else word for word in words.split()), DLOC_LLVM="/nowhere/bin")
        check(done.returncode == 2 and "/nowhere/bin" in done.stderr, f"DLOC_LLVM and dloc {words}: {done.stderr}")
    done = dloc("run", "--impl", "model", "--json", str(kept))  # the operand is read, and stays
    check(done.returncode == 0 and kept.read_bytes() == (ROOT / VECTORS).read_bytes() and '"merge.line.differ"' in done.stdout, "run --json FILE reads FILE")

print("\n".join(failures) or f"options: {len(table)} names in {len(set().union(*seen.values()))} commands agree")
sys.exit(bool(failures))
