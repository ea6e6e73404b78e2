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
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LICENSE = "Apache-2.0 WITH LLVM-exception"
ABOUT = "Golden vectors for multi-level debug locations in LLVM, and the tables of their specification"
README = """# The vectors of dloc {version}

{about}. `vectors()` gives the vectors, `tables()` the clauses, choices, profiles, operations, reason codes and laws,
`schema(name)` the JSON Schema of a `vector`, of the adapter `protocol` or of the `tables`. Which expectation of a vector holds under which profile is
told by [the format]: first the entry under `profiles`, then those under `choices` whose alternative the profile takes, then `expect`.

```js
const {{ vectors, tables }} = require('dloc-vectors');
```

```python
from dloc_vectors import tables, vectors
```

[the format]: FORMAT.md
"""


def shared(version: str, release: Path) -> dict[str, bytes]:
    """The files that each package has."""
    return {
        "LICENSE": (release / "LICENSE").read_bytes(),
        "README.md": README.format(version=version, about=ABOUT).encode(),
        "FORMAT.md": (release / "vectors/README.md").read_bytes(),
        "protocol.schema.json": (release / "conformance/protocol.schema.json").read_bytes(),
        "tables.json": (release / "tables.json").read_bytes(),
        "tables.schema.json": (release / "conformance/tables.schema.json").read_bytes(),
        "vector.schema.json": (release / "vectors/vector.schema.json").read_bytes(),
        "vectors.jsonl": (release / "vectors.jsonl").read_bytes(),
    }


def npm_package(version: str, files: dict[str, bytes]) -> bytes:
    manifest = {
        "name": "dloc-vectors",
        "version": version,
        "description": ABOUT,
        "license": LICENSE,
        "main": "index.js",
        "types": "index.d.ts",
        "engines": {"node": ">=16"},
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
