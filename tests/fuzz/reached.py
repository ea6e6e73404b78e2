"""Which lines of the readers (tests/fuzz/readers) inputs reach, of targets that are built with clang's coverage.

Lines that no input can reach do not count: those that report that memory ran out (DLOC_NO_MEMORY, memory_exhausted), and those of functions
that a target cannot call, as their names stand in no function that it can call. Nor do lines that are a closing brace.
"""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
NOTHING = re.compile(r"\bDLOC_NO_MEMORY;|\bmemory_exhausted\(\);|^ *}$")


@dataclass
class Part:
    """A function, or what stands in none of a file."""

    names: list[str]  # of a static function, with its file before it
    lines: range
    words: set[str]  # that stand in it, and these with the file before them
    called: bool


@dataclass
class File:
    """A source under a target: how often its lines ran, and its functions."""

    path: Path
    text: list[str]
    counts: dict[int, int] = field(default_factory=dict)
    functions: list[Part] = field(default_factory=list)

    def words(self, text: str) -> set[str]:
        return {name for word in re.findall(r"\w+", text) for name in (word, f"{self.path}:{word}")}

    def name(self, told: str) -> str:
        return f"{self.path}:{told.split(':')[1]}" if ":" in told else told

    def add(self, line: int, told: str) -> None:
        end = next(i for i in range(line, len(self.text) + 1) if self.text[i - 1].startswith("}") or self.text[i - 1].endswith("; }"))
        while line > 1 and self.text[line - 2].endswith(","):  # the parameters begin above
            line -= 1
        self.functions.append(Part([self.name(told)], range(line, end + 1), self.words("\n".join(self.text[line - 1 : end])), False))

    def outside(self) -> Part:
        """It is there once a function of the file is called, or one of its variables is named elsewhere."""
        inside = {line for function in self.functions for line in function.lines}
        text = "\n".join(text for line, text in enumerate(self.text, 1) if line not in inside)
        names = re.findall(r"^(?!static)\w.*?\b(\w+)(?:\[\w*\])* = ", text, re.M) + [name for part in self.functions for name in part.names]
        return Part(names, range(0), self.words(text), any(part.called for part in self.functions))


Run = dict[Path, File]


def readers() -> Iterator[tuple[str, list[Path], list[str]]]:
    for line in (ROOT / "tests/fuzz/readers").read_text().splitlines():
        if not line.startswith("#"):
            name, sources, targets = (part.strip() for part in line.split("|"))
            folder, files = sources.split(":")
            sources = [ROOT / folder / f"{file}.c" for file in files.split()]
            if missing := [str(source.relative_to(ROOT)) for source in sources if not source.exists()]:
                raise SystemExit(f"tests/fuzz/readers: {name}: no {' '.join(missing)}")
            yield name, sources, targets.split()


def vectors() -> list[str]:
    """Each vector of the suite."""
    files = [path.read_text() for path in sorted((ROOT / "vectors").rglob("*.yaml"))]
    return [text for file in files for text in re.split(r"^---.*\n", file, flags=re.M)]


def split_vectors(folder: Path) -> Path:
    """A file for each vector."""
    folder.mkdir(exist_ok=True)
    for number, text in enumerate(vectors()):
        (folder / f"{number}.yaml").write_text(text)
    return folder


def seeds(target: str, scratch: Path) -> list[Path]:
    """Those of the repository alone, so that everybody has the same figures."""
    folders = [ROOT / f"tests/fuzz/corpus-{target}"]
    if target == "vector":
        folders.append(split_vectors(scratch))
    return sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file())


def replay(program: Path, files: list[Path], scratch: Path, sources: list[Path] | None = None) -> Run:
    """How often the files make each line run; of some sources alone, which is faster."""
    raw, profile, log = scratch / "profraw", scratch / "profdata", scratch / f"{program.name}.log"
    with open(log, "wb") as output:
        if not files or subprocess.run([program, *files], cwd=ROOT, stdout=output, stderr=output, env=os.environ | {"LLVM_PROFILE_FILE": str(raw)}).returncode:
            raise SystemExit(f"{program.name} fails ({log})" if files else f"{program.name} has no seeds")
    subprocess.run(["llvm-profdata-14", "merge", "-o", profile, raw], check=True)
    told = subprocess.run(["llvm-cov-14", "export", "-format=lcov", f"-instr-profile={profile}", program, *(sources or [])], check=True,
                          capture_output=True, text=True, cwd=ROOT).stdout
    return parse(told)


def parse(told: str) -> Run:
    run: Run = {}
    for line in told.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            path = (ROOT / rest).resolve()  # of what a target includes, too
            file = run.setdefault(path, File(path, path.read_text().splitlines()))
        elif kind == "FN" and not file.text[int(rest.split(",")[0]) - 1].startswith("#"):
            file.add(int(rest.split(",")[0]), rest.split(",")[1])
        elif kind == "FNDA":
            count, name = rest.split(",")
            for function in file.functions:
                function.called |= function.names == [file.name(name)] and count != "0"
        elif kind == "DA":
            number, count = rest.split(",")[:2]
            file.counts[int(number)] = int(count)
    return run


def leave_out(run: Run) -> None:
    """Forget the lines of functions that cannot be called."""
    parts = [part for file in run.values() for part in file.functions] + [file.outside() for file in run.values() if file.path.suffix == ".c"]
    called = set().union(*(part.words for part in parts if part.called))
    while new := [part for part in parts if not part.called and not called.isdisjoint(part.names)]:
        for part in new:
            part.called = True
            called |= part.words
    for file in run.values():
        for line in {line for function in file.functions if not function.called for line in function.lines}:
            file.counts.pop(line, None)


def measure(source: Path, runs: list[Run]) -> tuple[int, list[int]]:
    """The number of lines that count, and those that were not run."""
    files = [run[source] for run in runs if source in run]
    counts = {line for file in files for line in file.counts if not NOTHING.search(file.text[line - 1])}
    return len(counts), sorted(line for line in counts if not any(file.counts.get(line) for file in files))
