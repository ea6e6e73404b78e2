#!/usr/bin/env python3
"""usage: tools/make/install.py install|uninstall|parts

Installs what is built in BUILD below PREFIX and LIBDIR, in front of which DESTDIR stands; or removes it. Environment: these four, and VERSION, SOVERSION, LIBS,
OBJECTS_LIBS of the Makefile. `parts` puts into BUILD what the command needs and is not compiled, as an installation has it: a build folder works alone.

share/dloc/installed.txt lists what was installed, and the folders that were made for it (they end with a slash). Nothing else is ever removed: neither by `uninstall`
nor by an installation over an older one. Each file is written beside its place and renamed; it can be read by all, whatever the umask is.

Links of the installed documents lead to installed files. A link to a file that only the source tree has becomes its text, and a picture goes. README.md says so in its
first lines, and its commands are those of the installed program.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

SOURCE = Path(__file__).resolve().parents[2]
ROOMS = "suite lab lines producers pages".split()  # of the scripts that the command runs
HEADERS = "dloc.h dloc_formats.h".split() + [f"objects/{name}" for name in "dloc_lines.h dloc_hidden.h dloc_dwarf.h dloc_symbolizer.h dloc_mlir.h lines/opcodes.def".split()]
TABLES = "clauses choices profiles reasons".split()
DOCUMENTS = "README PRODUCERS CHANGELOG SECURITY BUGS conformance/PROTOCOL conformance/ADAPTERS".split()
PACKAGES = "pkgconfig/dloc.pc pkgconfig/dloc-objects.pc cmake/dloc/dlocConfig.cmake cmake/dloc/dlocConfigVersion.cmake".split()
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
NOTE = """
*This is the README of the source tree, as `make install` puts it beside the program: commands of `make`, and files below `tests`, `tools` and `build`,
need that tree. The specification and the vectors are in {data}.*
"""


def fail(message: str) -> NoReturn:
    print(f"make {sys.argv[1]}: {message}", file=sys.stderr)
    sys.exit(1)


class Installation:
    """Files and links by their paths, without DESTDIR in front."""

    def __init__(self, own: bool) -> None:
        self.build = Path(os.environ["BUILD"])
        self.prefix, self.libdir = (self.build.absolute(),) * 2 if own else (self.folder("PREFIX"), self.folder("LIBDIR"))
        self.destination = "" if own else os.environ.get("DESTDIR", "")
        if "\n" in self.destination:
            fail("DESTDIR has a line end")
        self.data, self.documents = self.prefix / "share/dloc", self.prefix / "share/doc/dloc"
        self.record = self.data / "installed.txt"
        self.files: dict[Path, tuple[bytes, int]] = {}
        self.links: dict[Path, str] = {}
        self.sources: dict[Path, Path] = {}  # of documents

    @staticmethod
    def folder(name: str) -> Path:
        """Installed files name this folder, so some characters cannot be in it."""
        value = os.environ.get(name, "")
        if not value.startswith("/"):
            fail(f"{name} must begin with '/', not be '{value}'")
        wrong = re.search(r"[\0-\x1f\x7f\"'`$\\;,:]", value)
        if wrong:
            fail(f"{name} has the character {wrong[0]!r}, which files of pkg-config and CMake cannot have")
        return Path(os.path.normpath("/" + value.lstrip("/")))

    def place(self, path: Path) -> str:
        return (os.path.join(os.getcwd(), self.destination) if self.destination else "") + str(path)

    # ---- What there is to install ----

    def add(self, path: Path, source: Path) -> None:
        if source.is_symlink():
            self.links[path] = os.readlink(source)
            return
        executable = source.stat().st_mode & 0o100 and source.suffix not in (".so", ".a")
        self.files[path] = (source.read_bytes(), 0o755 if executable else 0o644)
        if source.suffix == ".md":
            self.sources[path] = source

    def add_tree(self, folder: Path, source: Path) -> None:
        for path in sorted(source.rglob("*")):
            if not path.is_dir() and "__pycache__" not in path.parts:
                self.add(folder / path.relative_to(source), path)

    def add_text(self, path: Path, text: str) -> None:
        self.files[path] = (text.encode(), 0o644)

    def add_programs(self) -> None:
        self.add(self.prefix / "bin/dloc", self.build / "dloc")
        number = os.environ["SOVERSION"]
        for library in ("libdloc", "libdloc-objects"):
            self.add(self.libdir / f"{library}.a", self.build / f"{library}.a")
            self.add(self.libdir / f"{library}.so.{number}", self.build / f"{library}.so")
            self.links[self.libdir / f"{library}.so"] = f"{library}.so.{number}"

    def add_packages(self) -> None:
        include = self.prefix / "include/dloc"
        for header in [SOURCE / "model" / name for name in HEADERS] + [self.build / "gen" / f"{name}.def" for name in TABLES]:
            text = re.sub(r'^#include "objects/(?:lines/)?', '#include "', header.read_text(), flags=re.M)
            self.add_text(include / header.name, text)
        values = {name: os.environ[name] for name in ("VERSION", "SOVERSION", "LIBS", "OBJECTS_LIBS")}
        values |= {"PREFIX": str(self.prefix), "LIBDIR": str(self.libdir), "INCLUDE": os.path.relpath(include, self.libdir / "cmake/dloc")}
        for name in PACKAGES:
            text = (SOURCE / "tools/package" / (os.path.basename(name) + ".in")).read_text()
            self.add_text(self.libdir / name, re.sub(r"@(\w+)@", lambda match: values[match[1]], text))

    def add_parts(self) -> None:
        self.add_tree(self.prefix / "libexec/dloc", SOURCE / "tools/drop-in")
        self.add_tree(self.data / "vectors", SOURCE / "vectors")
        self.add_tree(self.data / "spec", SOURCE / "spec")
        scripts = [SOURCE / "tools/__main__.py"] + [path for room in ROOMS for ending in ("py", "html", "css", "js") for path in (SOURCE / "tools" / room).glob(f"*.{ending}")]
        lists = [*(SOURCE / "conformance/llvm").glob("dropin-failures*.txt"), SOURCE / "conformance/llvm/known-failures.txt"]
        for source in [SOURCE / "SPEC.md", *scripts, *lists, *(SOURCE / "conformance").glob("*.schema.json")]:
            self.add(self.data / source.relative_to(SOURCE), source)
        self.add(self.data / "conformance/run.schema.json", SOURCE / "conformance/reports/run.schema.json")

    def add_documents(self) -> None:
        for source in [SOURCE / "LICENSE"] + [SOURCE / f"{name}.md" for name in DOCUMENTS]:
            self.add(self.documents / source.name, source)
        self.add_tree(self.documents / "examples", SOURCE / "examples")
        helps = self.build / "help"
        for page in (helps / "man1").glob("*.1"):
            self.add(self.prefix / "share/man/man1" / page.name, page)
        self.add(self.prefix / "share/bash-completion/completions/dloc", helps / "dloc")
        self.add(self.prefix / "share/zsh/site-functions/_dloc", helps / "_dloc")
        for path, source in self.sources.items():
            self.add_text(path, self.adapt(path, source))

    # ---- Links of documents ----

    def exists(self, path: Path) -> bool:
        return path in self.files or path in self.links or any(path in file.parents for file in self.files)

    def installed(self, source: Path) -> Path | None:
        """Where a file of the source tree is."""
        if not source.is_relative_to(SOURCE):
            return None
        name = source.relative_to(SOURCE)
        places = [self.data / name, self.documents / name, self.documents / name.name]
        if name.parts and name.parts[0] == "model":
            places = [self.prefix / "include/dloc" / name.name]
        return next((place for place in places if self.exists(place)), None)

    def adapt(self, document: Path, source: Path) -> str:
        def link(match: re.Match[str]) -> str:
            picture, text, target = match.groups()
            if re.match(r"[a-z]+:|#", target):
                return match[0]
            name, mark, anchor = target.partition("#")
            if self.exists(Path(os.path.normpath(document.parent / name))):
                return match[0]
            place = self.installed(Path(os.path.normpath(source.parent / name)))
            if place is None:
                return "" if picture else text
            return f"{picture}[{text}]({os.path.relpath(place, document.parent)}{mark}{anchor})"

        text = LINK.sub(link, source.read_text(encoding="utf-8"))
        if document == self.documents / "README.md":
            title, _, rest = text.partition("\n")
            text = title + "\n" + NOTE.format(data=os.path.relpath(self.data, document.parent)) + rest.replace("build/dloc ", "dloc ")
        return text

    # ---- Installing ----

    def recorded(self) -> list[str]:
        """The record of an earlier installation: files below PREFIX or LIBDIR, and folders there or above."""
        try:
            with open(self.place(self.record), encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return []
        ours = {self.prefix, self.libdir}
        above = {*ours, *self.prefix.parents, *self.libdir.parents}
        own = [line for line in lines if os.path.normpath(line) == (line.rstrip("/") or "/")]
        return [line for line in own if ours & set(Path(line).parents) or (line.endswith("/") and Path(line) in above)]

    def make_folders(self) -> list[str]:
        """Those that were not there, as lines of the record."""
        made = []
        for folder in sorted({folder for path in [*self.files, *self.links, self.record] for folder in path.parents}):
            if not os.path.isdir(self.place(folder)):
                os.makedirs(self.place(folder))
                os.chmod(self.place(folder), 0o755)
                made.append(os.path.join(folder, ""))
        return made

    def put(self, path: Path, content: bytes, mode: int) -> None:
        place = self.place(path)
        descriptor, name = tempfile.mkstemp(dir=os.path.dirname(place), prefix=".dloc-")
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                os.fchmod(file.fileno(), mode)
            os.replace(name, place)
        except BaseException:
            os.unlink(name)
            raise

    def link(self, path: Path, target: str) -> None:
        with tempfile.TemporaryDirectory(dir=os.path.dirname(self.place(path)), prefix=".dloc-") as folder:
            os.symlink(target, os.path.join(folder, "link"))
            os.replace(os.path.join(folder, "link"), self.place(path))

    def write_record(self, lines: set[str]) -> None:
        self.put(self.record, "".join(f"{line}\n" for line in sorted(lines)).encode(), 0o644)

    def install(self) -> None:
        self.add_parts()
        self.add_programs()
        self.add_packages()
        self.add_documents()
        self.write()

    def parts(self) -> None:
        self.add_parts()
        self.links[self.prefix / "bin/dloc"] = "../dloc"
        self.write()

    def write(self) -> None:
        before = set(self.recorded())
        folders = set(self.make_folders()) | {line for line in before if line.endswith("/")}
        now = {str(path) for path in [*self.files, *self.links]} | folders
        self.write_record(before | now)  # if it ends half-way, `uninstall` knows what may be there
        for path, (content, mode) in self.files.items():
            self.put(path, content, mode)
        for path, target in self.links.items():
            self.link(path, target)
        self.remove(before - now)
        self.write_record(now)

    # ---- Removing ----

    def remove(self, lines: set[str]) -> None:
        """Files, and folders in which nothing else is."""
        for line in sorted(lines, reverse=True):
            place = self.place(Path(line))
            if not line.endswith("/"):
                if os.path.lexists(place):
                    os.unlink(place)
            elif os.path.isdir(place) and not os.listdir(place):
                os.rmdir(place)

    def uninstall(self) -> None:
        lines = self.recorded()
        if not lines:
            fail(f"there is no {self.place(self.record)}, which lists what was installed")
        os.unlink(self.place(self.record))
        self.remove(set(lines))


def main() -> None:
    if sys.argv[1:] not in (["install"], ["uninstall"], ["parts"]):
        print(__doc__, end="", file=sys.stderr)
        sys.exit(2)
    installation = Installation(own=sys.argv[1] == "parts")
    try:
        getattr(installation, sys.argv[1])()
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")


main()
