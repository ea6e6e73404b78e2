#!/usr/bin/env python3
"""usage: tools/package/vectors/packages.py VERSION RELEASE DIRECTORY

Makes packages for other languages of an unpacked release (tools/make/dist):

    DIRECTORY/dloc-vectors-VERSION.tgz                        for npm
    DIRECTORY/dloc_vectors-VERSION-py3-none-any.whl           for pip

The same release gives the same bytes.
"""

import base64
import gzip
import hashlib
import io
import json
import re
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LICENSE = "Apache-2.0 WITH LLVM-exception"
ABOUT = "Golden vectors for multi-level debug locations in LLVM, and the tables of their specification"
README = """# The vectors of dloc {version}

{about}. `vectors()` gives the vectors, `tables()` the clauses, choices, profiles, operations, reason codes and laws,
`schema(name)` the JSON Schema of a `vector`, of the adapter `protocol` or of the `tables`. [FORMAT.md](FORMAT.md) says what a vector is.

`expectation(vector, profile)` is what a vector expects under a built-in profile; nothing, where it is not for that profile. `same(vector, answer, profile)` tells whether
an answer is that. An answer is what [PROTOCOL.md](PROTOCOL.md) has: `outcome`, and `value` or `reason`. Names of nodes do not count, sharing does. Nobody is held to vectors of
the level `record`. [ADAPTERS.md](ADAPTERS.md) leads to a run by `dloc run`, which tells more: where graphs differ, and which choices an implementation follows.

With pytest, where `answer` of your module `mine` takes a vector and returns an answer, or None:

```python
import pytest
from dloc_vectors import expectation, same, vectors
from mine import answer

CASES = [vector for vector in vectors() if vector["level"] != "record" and expectation(vector, "rfc")]

@pytest.mark.parametrize("vector", CASES, ids=lambda vector: vector["id"])
def test_vector(vector):
    given = answer(vector) or pytest.skip("not done")
    assert same(vector, given, "rfc"), f"expected {{expectation(vector, 'rfc')}}"
```

With node:test:

```js
const test = require('node:test');
const assert = require('node:assert');
const {{ expectation, same, vectors }} = require('dloc-vectors');
const {{ answer }} = require('./mine.js');

for (const vector of vectors().filter(({{ level }}) => level !== 'record').filter((vector) => expectation(vector, 'rfc')))
  test(vector.id, (t) => {{
    const given = answer(vector);
    if (given) assert(same(vector, given, 'rfc'), JSON.stringify(expectation(vector, 'rfc')));
    else t.skip('not done');
  }});
```
"""
# Documents of the release by their names here, and where their links lead here; None: the link becomes its text.
DOCUMENTS = {"FORMAT.md": "vectors/README.md", "CHANGES.md": "vectors/CHANGES.md", "PROTOCOL.md": "conformance/PROTOCOL.md", "ADAPTERS.md": "conformance/ADAPTERS.md"}
LINKS = {"README.md": "FORMAT.md", "../vectors/README.md": "FORMAT.md", "../examples/adapter.py": "adapter.py"}
HERE_TOO = {*DOCUMENTS, "TOGETHER", "vector.schema.json", "protocol.schema.json", "tables.schema.json"}
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def document(text: str) -> bytes:
    def link(match: re.Match[str]) -> str:
        name, target, anchor = match.groups()
        place = LINKS.get(target, target)
        return f"[{name}]({place}{anchor or ''})" if place in HERE_TOO or place == "adapter.py" else name

    return LINK.sub(link, text).replace("spec/choices.md, chapter 10", "`reasons` in tables.json").encode()


def shared(version: str, release: Path) -> dict[str, bytes]:
    """The files that each package has."""
    return {
        "LICENSE": (release / "LICENSE").read_bytes(),
        "README.md": README.format(version=version, about=ABOUT).encode(),
        "TOGETHER": (release / "vectors/TOGETHER").read_bytes(),
        "adapter.py": (HERE.parents[2] / "examples/adapter.py").read_bytes(),
        "protocol.schema.json": (release / "conformance/protocol.schema.json").read_bytes(),
        "tables.json": (release / "tables.json").read_bytes(),
        "tables.schema.json": (release / "conformance/tables.schema.json").read_bytes(),
        "vector.schema.json": (release / "vectors/vector.schema.json").read_bytes(),
        "vectors.jsonl": (release / "vectors.jsonl").read_bytes(),
    } | {name: document((release / path).read_text(encoding="utf-8")) for name, path in DOCUMENTS.items()}


def npm_package(version: str, files: dict[str, bytes]) -> bytes:
    manifest = {
        "name": "dloc-vectors",
        "version": version,
        "description": ABOUT,
        "license": LICENSE,
        "main": "index.js",
        "types": "index.d.ts",
        "engines": {"node": ">=18"},
    }
    own = {name: (HERE / name).read_bytes() for name in ("index.js", "index.d.ts")}
    own["package.json"] = json.dumps(manifest, indent=2).encode() + b"\n"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in sorted((files | own).items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(archive.getvalue(), 9, mtime=0)


def wheel(version: str, files: dict[str, bytes]) -> bytes:
    info = f"dloc_vectors-{version}.dist-info"
    metadata = (
        f"Metadata-Version: 2.1\nName: dloc-vectors\nVersion: {version}\nSummary: {ABOUT}\nLicense: {LICENSE}\n"
        "Requires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n"
    )
    content = {f"dloc_vectors/{name}": text for name, text in files.items() if name != "LICENSE"}
    content["dloc_vectors/__init__.py"] = (HERE / "__init__.py").read_bytes()
    content["dloc_vectors/py.typed"] = b""
    content = dict(sorted(content.items()))  # what describes the package stands at the end
    content[f"{info}/LICENSE"] = files["LICENSE"]
    content[f"{info}/METADATA"] = metadata.encode() + files["README.md"]
    content[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: dloc\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = []
    for name, text in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("=")
        record.append(f"{name},sha256={digest},{len(text)}\n")
    content[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zip_file:
        for name, text in content.items():
            entry = zipfile.ZipInfo(name)  # of 1980, as long as nothing else is said
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            zip_file.writestr(entry, text)
    return archive.getvalue()


def main(version: str, release: str, directory: str) -> None:
    files = shared(version, Path(release))
    into = Path(directory)
    (into / f"dloc-vectors-{version}.tgz").write_bytes(npm_package(version, files))
    (into / f"dloc_vectors-{version}-py3-none-any.whl").write_bytes(wheel(version, files))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
