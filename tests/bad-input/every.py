"""Every subcommand, with the kinds of files that it reads. A subcommand of tools/commands.def that has no row here fails."""

import os
import re
import shutil
import subprocess
import sys

import reveals
from common import ROOT
from process import Run

LLVM = "/usr/lib/llvm-22/bin"

# A word in capitals is a file: one that is read, of a kind below, or OUT and TABLE.
ROWS = [
    "print MODULE",
    "print --locations --scopes MODULE",
    "print BITCODE",
    "verify -W MODULE",
    "verify --json MODULE",
    "verify BITCODE",
    "merge MODULE !11 !12 --explain",
    "inline MODULE",
    "apply hoist MODULE !11 branch=!12",
    "apply strip MODULE !11 !12 keep=line-tables --json",
    "emit MODULE",
    "emit --check ptx-9.4 MODULE",
    "emit --check ptx-9.4 PTX",
    "emit --check ptx-9.4 PTX --against MODULE",
    "bitcode BITCODE",
    "bitcode --records BITCODE",
    "bitcode --json BITCODE",
    f"assemble --llvm {LLVM} MODULE -o OUT",
    "encode MODULE",
    "encode --written BITCODE",
    "source MODULE",
    "source --sections MODULE",
    "source OBJECT",
    "annotate --layer K --all --embed MODULE -o OUT",
    "annotate --layer K --dump MLIR MODULE -o OUT",
    "annotate --layer K --embed MODULE --hide TABLE -o OUT",
    "project --primary MODULE -o OUT",
    "convert --to irlayers --lossy MODULE -o OUT",
    "convert --to tuple --lossy MODULE -o OUT",
    "hide MODULE --table TABLE -o OUT",
    "hide MODULE --table TABLE --exact OUT",
    "reveal --fast --table HIDDEN PLAIN -o OUT",
    "reveal --table HIDDEN PLAIN --exact MODULE -o OUT",
    "reveal --fast --table HIDDEN OBJECT -o OUT",
    "reveal --fast --table HIDDEN ASSEMBLER -o OUT",
    "reveal --fast --table HIDDEN PTX -o OUT",
    "mlir primary --tag t MLIR -o OUT",
    "mlir ids --tag t MLIR --table TABLE -o OUT",
    "mlir join --table SNAPSHOTS MODULE MODULE --layer t=MLIR -o OUT",
    f"mlir --llvm {LLVM} MLIR --pipeline @a,canonicalize -o OUT",
    f"flang --llvm {LLVM} FORTRAN -o OUT",
    "lines --tsv OBJECT",
    "lines --raw OBJECT",
    "lines --json OBJECT",
    "lines --discriminators OBJECT",
    "lines --nvidia OBJECT",
    "lines --two-level prototype OBJECT",
    "symbolize --compare OBJECT 0 4",
    "symbolize --json OBJECT 0 4",
    "symbolize --tsv OBJECT 0 4",
    "symbolize --json EXECUTABLE <SAMPLES",
    "browse --samples SAMPLES OBJECT -o OUT",
    "browse --samples SAMPLES EXECUTABLE -o OUT",
    "browse PTX -o OUT",
    "browse CUBIN -o OUT",
    "browse PTX --layered MODULE -o OUT",
    f"triton {ROOT}/tests/producers/triton/rowsum --ll -o OUT",
    "select --layer tileir --texts OUT.texts EXECUTABLE -o OUT",
    "two-level OBJECT -o OUT",
    "explain --vectors VECTORS merge.line merge.empty merge",
    "check VECTORS",
    "run --impl model --json -o OUT VECTORS",
    "run --impl ADAPTER --timeout 2 VECTORS",
    "report --quiet --html OUT --vectors VECTORS RUN",
    "report --before RUN RUN",
    "smoke ADAPTER --timeout 2 --vectors VECTORS",
    "laws --scope 1 --only merge.primary",
    "lint VECTORS",
    "fmt --check VECTORS",
    "fmt --to jsonl VECTORS",
    "list --json VECTORS",
    "schema",
    "fuzz --impl model --op merge --cases 4",
    "fuzz --impl ADAPTER --timeout 2 --op merge --cases 4",
    "gen merge --count 2",
    "gen random --op merge --count 2",
    "gen lit --json VECTORS",
    "spec --check SPEC VECTORS",
    "spec --json",
    "mutants VECTORS",
]
# Those that even sound files make unusable: they are not of one module, or of no use to the row.
UNUSABLE = ("reveal --fast --table HIDDEN PTX", "mlir --llvm", "browse --samples SAMPLES OBJECT", "mutants")


# A sound file of each kind, by the name that it gets: what it is a copy of, or the text, or who makes it of the others.
SOUND = {
    "MODULE": ("sound.ll", "tests/lit/Inputs/layers.ll"),
    "BITCODE": ("sound.bc", "tests/lit/Inputs/layers.bc"),
    "PTX": ("sound.ptx", "tests/lit/Inputs/layers.ptx"),
    "CUBIN": ("sound.cubin", "tests/fuzz/corpus-layers/cubin"),
    "ASSEMBLER": ("sound.s", "tests/lit/Inputs/lines.s"),
    "MLIR": ("sound.mlir", "tests/lit/Inputs/snapshots.mlir"),
    "FORTRAN": ("sound.f90", "tests/producers/programs/dot.f90"),
    "VECTORS": ("sound.yaml", "vectors/merge/line.yaml"),
    "SPEC": ("SPEC.md", "SPEC.md"),
    "EXECUTABLE": ("sound", "tests/fuzz/corpus-layers/merged"),
}
SAMPLES = "0x401000 1\n"


def sound(folder):
    """The files of all kinds in that folder."""
    files = {}
    subprocess.run(["cp", "-r", "--no-preserve=mode", os.path.join(ROOT, "spec"), folder], check=True)
    for kind, (name, source) in SOUND.items():
        files[kind] = shutil.copyfile(os.path.join(ROOT, source), os.path.join(folder, name))
    files["SAMPLES"] = os.path.join(folder, "samples")
    with open(files["SAMPLES"], "w", encoding="utf-8") as file:
        file.write(SAMPLES)
    for kind in ("HIDDEN", "PLAIN", "SNAPSHOTS", "RUN", "OBJECT"):
        files[kind] = os.path.join(folder, "sound." + {"PLAIN": "plain.ll", "OBJECT": "o"}.get(kind, kind.lower()))
    with open(files["OBJECT"], "wb") as file:
        file.write(reveals.an_object())
    adapter = os.path.join(ROOT, "examples", "adapter.py")
    assert os.path.exists(adapter)
    files["ADAPTER"] = f"{sys.executable} {adapter}"
    for made in (
        ["hide", files["MODULE"], "--first", "1", "--table", files["HIDDEN"], "-o", files["PLAIN"]],
        ["mlir", "ids", files["MLIR"], "--tag", "t", "--table", files["SNAPSHOTS"], "-o", os.devnull],
        ["run", "--impl", "model", "--quiet", "--json", "-o", files["RUN"], files["VECTORS"]],
    ):
        assert Run(made, folder, limit=60).status == 0, made
    files["OUT"], files["TABLE"] = os.path.join(folder, "out.ll"), os.path.join(folder, "table")
    return files


def timeless(output):
    """What a run prints, but for how long it took."""
    return re.sub(rb"; [\d.]+ s\n", b"\n", output)


def missing():
    """Subcommands without a row."""
    with open(os.path.join(ROOT, "tools", "commands.def"), encoding="utf-8") as file:
        names = re.findall(r'^COMMAND\("([\w-]+)"', file.read(), re.M)
    return set(names) - {row.split()[0] for row in ROWS}


def kinds(row):
    return set(re.findall(r"\b[A-Z]{3,}\b", row)) - {"OUT", "TABLE"}


def arguments(row, files):
    """The row's words with the names of files; and what is standard input, or None."""
    words = [re.sub(r"\b[A-Z]{3,}\b", lambda match: files[match[0]], word) for word in row.split()]
    stdin = [word[1:] for word in words if word.startswith("<")]
    return [word for word in words if not word.startswith("<")], stdin[0] if stdin else None
