"""usage: runners.py FOLDER      (FOLDER: where npm has installed the package)

The runners in the README of both packages work as they stand there: of an implementation that does merges and is wrong about one, one test fails. No link of a
document in a package is dead.
"""

import re
import subprocess
import sys
from pathlib import Path

import dloc_vectors

FOLDER = Path(sys.argv[1])
ONE = "merge.line.differ"
PYTHON = f"""
from dloc_vectors import expectation

def answer(vector):
    if vector["id"] == "{ONE}":
        return {{"outcome": "ok", "value": {{"result": None}}}}
    return expectation(vector, "rfc") if vector["op"] == "merge" else None
"""
JAVASCRIPT = f"""
const {{ expectation }} = require('dloc-vectors');
exports.answer = (vector) =>
  vector.id === '{ONE}' ? {{ outcome: 'ok', value: {{ result: null }} }} : vector.op === 'merge' ? expectation(vector, 'rfc') : null;
"""
wheel, package = Path(dloc_vectors.__file__).parent, FOLDER / "node_modules/dloc-vectors"
merges = sum(vector["op"] == "merge" and vector["level"] != "record" and bool(dloc_vectors.expectation(vector, "rfc")) for vector in dloc_vectors.vectors())


def runner(folder: Path, language: str) -> str:
    [text] = re.findall(rf"^```{language}\n(.*?)^```", (folder / "README.md").read_text(), re.M | re.S)
    assert len(text.splitlines()) <= 12, language
    return text


(FOLDER / "mine.py").write_text(PYTHON)
(FOLDER / "test_dloc.py").write_text(runner(wheel, "python"))
(FOLDER / "mine.js").write_text(JAVASCRIPT)
(FOLDER / "dloc.test.js").write_text(runner(package, "js"))
told = subprocess.run(["/usr/bin/python3", "-m", "pytest", "-q", "test_dloc.py"], cwd=FOLDER, capture_output=True, text=True, check=False).stdout
assert re.search(rf"^1 failed, {merges - 1} passed, \d+ skipped", told, re.M) and f"test_vector[{ONE}]" in told, told[-2000:]
told = subprocess.run(["node", "--test", "dloc.test.js"], cwd=FOLDER, capture_output=True, text=True, check=False).stdout
assert re.search(r"^. fail 1$", told, re.M) and re.search(rf"^. pass {merges - 1}$", told, re.M), told[-2000:]
for folder in (wheel, package):
    for page in folder.glob("*.md"):
        for target in re.findall(r"\]\(([^)\s#:]+)", page.read_text()):
            assert (folder / target).exists(), f"{page}: {target}"
