#!/usr/bin/env python3
# usage: tools/make/amalgamate.py VERSION TABLES DIR
#
# Writes the rules (model/, without text, bitcode and objects) as DIR/dloc.c and DIR/dloc.h, for projects that compile them with their own
# sources: `cc -c dloc.c`, and link with -lmd. TABLES is the folder of the tables that are made from the specification.
# Only what dloc.h declares is visible outside of dloc.c.
import re
import sys
from collections import Counter
from pathlib import Path

MODEL = Path(__file__).resolve().parents[2] / "model"
ROOMS = ("nodes", "", "verify")
SOURCES = [path for room in ROOMS for path in sorted((MODEL / room).glob("*.c"))]
OPAQUE = r'/\*.*?\*/|"(?:\\.|[^"\\])*"'  # comments and strings
INCLUDE = re.compile(r'^#include ([<"])(.*)[>"].*\n', re.MULTILINE)
BANNER = """/* {name} - the executable model of multi-level debug locations, dloc {version}, as one file of C11.
 * Made by `make amalgamation`; never edit it. Apache-2.0 WITH LLVM-exception. */
"""
PROLOGUE = """
#ifndef DLOC_VERSION
#define DLOC_VERSION "{version}"
#endif
#if defined(__GNUC__)
#define INTERNAL __attribute__((unused)) static
#else
#define INTERNAL static
#endif
"""


class Amalgamation:
    def __init__(self, tables: Path) -> None:
        self.tables = tables
        self.system: set[str] = set()
        self.included = {MODEL / "nodes/private.h"}  # needed, or not wanted
        headers = [path for room in ROOMS for path in (MODEL / room).glob("*.h") if not path.name.startswith("dloc")]
        names = Counter(name for path in headers + SOURCES for name in own_names(path.read_text(), path.suffix == ".h"))
        self.shared = {name for name, count in names.items() if count > 1}

    def find(self, name: str, user: Path) -> Path:
        for folder in (user.parent, MODEL, self.tables):
            if (folder / name).exists():
                return (folder / name).resolve()
        sys.exit(f"amalgamate.py: {user} includes {name}, which is nowhere")

    def expand(self, path: Path, text: str) -> str:
        """With all that it includes: a header once, a table each time, dloc.h never."""

        def replace(match: re.Match[str]) -> str:
            if match[1] == "<":
                self.system.add(match[2])
                return ""
            found = self.find(match[2], path)
            if found.suffix == ".h":
                if found.name == "dloc.h" or found in self.included:
                    return ""
                self.included.add(found)
                return self.expand(found, internal(found.read_text()))
            return self.expand(found, found.read_text())

        return INCLUDE.sub(replace, text)

    def source(self, path: Path) -> str:
        """A file of rules. Its own functions have names of their own, and its macros end with it."""
        text = path.read_text()
        for name in own_names(text, False) & self.shared:
            text = re.sub(rf"{OPAQUE}|(?<![.>\w]){name}\b", lambda match: f"{path.stem}_{name}" if match[0] == name else match[0], text, flags=re.DOTALL)
        macros = set(re.findall(r"^#define (\w+)", text, re.MULTILINE)) - set(re.findall(r"^#undef (\w+)", text, re.MULTILINE))
        text = re.sub(r"^const (?=[^(\n]*=)", "INTERNAL const ", text, flags=re.MULTILINE)
        ends = "".join(f"#undef {name}\n" for name in sorted(macros))
        return f"\n/* ---- {path.relative_to(MODEL.parent)} ---- */\n\n{self.expand(path, text)}{ends}"


def own_names(text: str, all_functions: bool) -> set[str]:
    """Functions and types that only this file defines, or declares."""
    function = r"^(?!typedef|#)\w[^=;{(]*\b(\w+)\(" if all_functions else r"^static\s[^=;{(]*\b(\w+)\("
    return set(re.findall(function, text, re.MULTILINE)) | set(re.findall(r"^(?:\}|typedef .*) (\w+);", text, re.MULTILINE))


def internal(text: str) -> str:
    """A header whose functions and tables are seen nowhere else."""
    text = re.sub(r"\s+PRIVATE\(\w+\)|^#pragma once\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(static inline|extern) ", lambda match: "INTERNAL inline " if match[1] != "extern" else "INTERNAL ", text, flags=re.MULTILINE)
    return re.sub(r"^(?!typedef|struct|enum|union|INTERNAL|static)(\w[^;{}#/]*\([^;{}]*\);)", r"INTERNAL \1", text, flags=re.MULTILINE)


def main() -> None:
    version, tables, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    made = Amalgamation(tables)
    body = "".join(made.source(path) for path in SOURCES)
    system = "".join(f"#include <{name}>\n" for name in sorted(made.system))
    folder.mkdir(parents=True, exist_ok=True)
    source = BANNER.format(name="dloc.c", version=version) + '#include "dloc.h"\n' + system + PROLOGUE.format(version=version) + body
    (folder / "dloc.c").write_text(source)
    header = MODEL / "dloc.h"
    public = INCLUDE.sub(lambda match: match[0] if match[1] == "<" else made.find(match[2], header).read_text(), header.read_text())
    (folder / "dloc.h").write_text(BANNER.format(name="dloc.h", version=version) + public)


main()
