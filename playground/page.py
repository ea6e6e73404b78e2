#!/usr/bin/env python3
"""usage: playground/page.py DLOC PLAYGROUND.wasm PLAYGROUND.html

Puts the page together: its files, the command as WebAssembly, the tables of SPEC.md, all vectors, the examples. One file that asks for no other."""

import base64
import gzip
import json
import os
import re
import subprocess
import sys
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(FOLDER)
SYNTAX = "tools/pages/syntax"  # shared with the page of `dloc browse`
PAGE = (SYNTAX, *(f"playground/page/{name}" for name in ("module", "graph", "vector", "share", "engine", "app")))
WORKER = ("playground/page/wasi", "playground/page/worker")
# The tour: title, file of playground/examples, what is merged (nothing: the first two locations), a profile, whose form the module gets; the tab, and what is seen there.
EXAMPLES: tuple[tuple[str, str, list[str], str, str, str], ...] = (
    ("a kernel in TileIR and MLIR", "kernel.ll", ["!28", "!29"], "rfc", "merge",
     "Each instruction has a place in the Python source, and behind it places in TileIR and MLIR: two layers. Here a pass makes one store of two. The primary and each layer"
     " are merged by themselves; Why names the clauses."),
    ("a call is inlined", "kernel.ll", [], "rfc", "inline", "The layers of the callee stay, and the call's become what they are inlined at."),
    ("what a back end writes", "kernel.ll", [], "rfc", "lines", "Directives of the line tables: one for the source, one for each layer, and the texts of the layers."),
    ("the same with lists of layers", "kernel.ll", [], "llvm-24", "merge", "LLVM's main branch keeps layers in a list that the location has, not in a tuple."),
    ("what verify finds", "mistakes.ll", [], "rfc", "merge", "Below the module: what LLVM would say of it. Soft is what costs the module its debug information; anything else ends the compiler."),
)


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def script(names: tuple[str, ...]) -> str:
    """Modules as one script: what they import from each other stands there already."""
    text = "".join(read(f"{name}.js") for name in names)
    return re.sub(r"^import .*;\n|^export (?=\w)|^//.*\n", "", text, flags=re.MULTILINE)


def packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def collect(dloc: str) -> dict[str, Any]:
    tables = json.loads(output(dloc, "spec", "--json"))
    vectors = [json.loads(line)["vector"] for line in output(dloc, "list", "--json", "vectors").splitlines()]
    examples = []
    for name, file, picks, profile, tab, told in EXAMPLES:
        path = f"playground/examples/{file}"
        text = output(dloc, "convert", "--to", "irlayers", path) if profile == "llvm-24" else read(path)
        examples.append({"name": name, "text": text, "picks": picks, "profile": profile, "tab": tab, "told": told})
    return {
        "clauses": {each["clause"]: each["statement"] for each in tables["clauses"]},
        "choices": {each["choice"]: {key: each[key] for key in ("question", "alternatives", "profiles")} for each in tables["choices"]},
        "profiles": {each["profile"]: each["about"] for each in tables["profiles"]},
        "vectors": [{key: value for key, value in vector.items() if key not in ("digest", "kills")} for vector in vectors],
        "examples": examples,
    }


def main(dloc: str, wasm: str, output: str) -> None:
    with open(wasm, "rb") as file:
        binary = file.read()
    parts = {"wasm": packed(binary), "data": packed(json.dumps(collect(os.path.abspath(dloc)), separators=(",", ":")).encode()), "worker": script(WORKER)}
    # `</` could end the script.
    text = "window.PARTS=" + json.dumps(parts).replace("</", "<\\/") + ";\n" + script(PAGE)
    page = read("playground/page/index.html").replace("@style@", read(f"{SYNTAX}.css") + read("playground/page/style.css")).replace("@script@", text)
    with open(output, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
