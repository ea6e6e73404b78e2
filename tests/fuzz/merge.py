#!/usr/bin/env python3
"""usage: tests/fuzz/merge.py DIR TARGET [PATH...]

Adds inputs to the seeds of DIR/fuzz_TARGET, tests/fuzz/corpus-TARGET: of those in PATHs (what fuzzing kept, build/cache/fuzz/TARGET) as few and as
small ones as reach all lines of the readers (tests/fuzz/readers) that the seeds do not reach and one of these does.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from reached import ROOT, Run, readers, replay, seeds

Lines = set[tuple[Path, int]]


def of(run: Run, sources: list[Path]) -> Lines:
    return {(path, line) for path in sources if path in run for line, count in run[path].counts.items() if count}


def candidates(program: Path, given: list[Path], paths: list[Path], scratch: Path) -> list[Path]:
    """By edges of code, which the target can tell at once, so that few are looked at line by line."""
    known, found = scratch / "known", scratch / "found"
    for folder in (known, found):
        folder.mkdir()
    for number, path in enumerate(given):
        (known / str(number)).symlink_to(path)
    for number, path in enumerate(sorted({path for top in paths for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()})):
        (found / str(number)).symlink_to(path.resolve())
    (merged := scratch / "merged").mkdir()
    done = subprocess.run([program, "-merge=1", "-use_counters=0", "-max_len=65536", f"-artifact_prefix={program}-", merged, known, found], cwd=ROOT,
                          env={"LLVM_PROFILE_FILE": "/dev/null"}, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode or "ERROR: " in done.stderr:
        raise SystemExit(f"{program.name} fails:\n" + "\n".join(re.findall(r".*(?:ERROR: |Test unit written).*", done.stderr)))
    old = {path.read_bytes() for path in given}
    return [path for path in merged.iterdir() if path.read_bytes() not in old]


def main() -> int:
    directory, target = Path(sys.argv[1]).resolve(), sys.argv[2]
    program, corpus = directory / f"fuzz_{target}", ROOT / f"tests/fuzz/corpus-{target}"
    paths = [Path(path) for path in sys.argv[3:]] or [ROOT / "build/cache/fuzz" / target]
    rows = [row for row in readers() if target in row[2]]
    sources = sorted({source for row in rows for source in row[1]})
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        reached: Lines = set()
        for other in sorted({other for row in rows for other in row[2]}):
            given = seeds(other, scratch / "vectors")
            reached |= of(replay(directory / f"fuzz_{other}", given, scratch, sources), sources) if given else set()
        left = {path: of(replay(program, [path], scratch, sources), sources) - reached
                for path in candidates(program, seeds(target, scratch / "vectors"), paths, scratch)}
        while any(left.values()):
            best = max(left, key=lambda path: len(left[path]) / (100 + path.stat().st_size))
            content, new = best.read_bytes(), left[best]
            corpus.mkdir(exist_ok=True)
            (corpus / hashlib.sha1(content).hexdigest()[:12]).write_bytes(content)
            print(f"{len(content)} bytes: {len(new)} lines more")
            left = {path: lines - new for path, lines in left.items()}
    return 0


if __name__ == "__main__":
    sys.exit(main())
