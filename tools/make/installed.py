#!/usr/bin/env python3
"""usage: tools/make/installed.py ROOT

Behind the copies of `make install` into ROOT (DESTDIR and PREFIX): links of the installed documents lead to installed files. A link to a file that only the
source tree has becomes its text, and a picture goes. README.md says so in its first lines, and its commands are those of the installed program.
"""

import os
import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
ROOT = Path(sys.argv[1])
DOCUMENTS = ROOT / "share/doc/dloc"
DATA = ROOT / "share/dloc"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
NOTE = """
*This is the README of the source tree, as `make install` puts it beside the program: commands of `make`, and files below `tests`, `tools` and `build`,
need that tree. The specification and the vectors are in {data}.*
"""


def installed(source: Path) -> Path | None:
    """Where a file of the source tree is."""
    name = source.relative_to(SOURCE) if source.is_relative_to(SOURCE) else None
    if name is None:
        return None
    places = [DATA / name, DOCUMENTS / name, DOCUMENTS / name.name]
    if name.parts and name.parts[0] == "model":
        places = [ROOT / "include/dloc" / name.name]
    return next((place for place in places if place.exists()), None)


def adapt(document: Path, source: Path) -> str:
    def link(match: re.Match[str]) -> str:
        picture, text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        name, mark, anchor = target.partition("#")
        if (document.parent / name).exists():
            return match[0]
        place = installed(Path(os.path.normpath(source.parent / name)))
        if place is None:
            return "" if picture else text
        return f"{picture}[{text}]({os.path.relpath(place, document.parent)}{mark}{anchor})"

    return LINK.sub(link, document.read_text(encoding="utf-8"))


def main() -> None:
    sources = {document: SOURCE / document.relative_to(DATA) for document in DATA.rglob("*.md")}
    for document in DOCUMENTS.rglob("*.md"):
        name = document.relative_to(DOCUMENTS)
        sources[document] = next(path for path in (SOURCE / name, SOURCE / "conformance" / name) if path.exists())
    for document, source in sources.items():
        text = adapt(document, source)
        if document == DOCUMENTS / "README.md":
            title, _, rest = text.partition("\n")
            text = title + "\n" + NOTE.format(data=os.path.relpath(DATA, document.parent)) + rest.replace("build/dloc ", "dloc ")
        document.write_text(text, encoding="utf-8")


main()
