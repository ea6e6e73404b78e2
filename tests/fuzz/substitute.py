#!/usr/bin/env python3
"""usage: tests/fuzz/substitute.py DIR [COUNT|all [TARGET...]]

Gives each target DIR/fuzz_NAME the inputs of its corpus, and fuzz_vector each vector of the suite, with one place changed: a reference names another
node, a word or byte is one at which something might end, an entry is left out. A target gets about COUNT such inputs (default: all), the same ones
each time. What it does not survive is shown and kept in DIR. Mutators meet such inputs by chance; this meets each.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Callable, Iterable, Iterator
from zlib import crc32

from reached import ROOT, vectors

Change = tuple[int, int, str]  # from, to, by what

VALUES = ["null", "0", "1", "255", "65536", "4294967295", "4294967296", "18446744073709551615", "-1", '""', "x", "true", "[]", "{}"]
NAME = re.compile(r"^  ([\w-]+):", re.M)
SCALAR = re.compile(r"""(?<=: )(?:[^\s,{}\[\]"|>][^\s,{}\[\]]*|"[^"\n]*")|(?<=[\[ ])[^\s,{}\[\]:"|>]+(?=[,\]])""")
ENTRY = re.compile(r"(?<=[{,])\s?[\w.-]+: [^,{}\[\]]+,|\n +[\w.-]+: [^\n]*(?=\n)")
WORD = re.compile(r'"[^"\n]*"|[!#%@.]?\w+|[^\w\s]')
BYTES = ["", "\0", "\1", "\x7f", "\x80", "\xff"]


def of_document(text: str) -> Iterator[Change]:
    """Of a vector what it asks: what it expects is not looked at."""
    asks = re.search(r"^ *(nodes|module|op):", text, re.M)
    start, expects = asks.start() if asks else 0, text.find("\nexpect:")
    end = len(text) if expects < 0 else expects
    nodes = re.search(r"^nodes:\n((?:  .*\n)*)", text, re.M)
    names = NAME.findall(nodes[1]) if nodes else []
    for scalar in SCALAR.finditer(text, start, end):
        for by in names + VALUES if scalar[0] in names else VALUES:
            yield scalar.start(), scalar.end(), by
    for entry in ENTRY.finditer(text, start, end):
        yield entry.start(), entry.end(), ""


def of_text(text: str) -> Iterator[Change]:
    defined = re.findall(r"^([!#]\w+) =", text, re.M)
    for word in WORD.finditer(text):
        values = defined + ["null", "!{}", "i32 0"] if word[0] in defined else VALUES if word[0][0].isalnum() or word[0][0] in '"-' else []
        for by in values + ["", 2 * word[0]]:
            yield word.start(), word.end(), by


def of_bytes(text: str) -> Iterator[Change]:
    for at in range(len(text)):
        for by in BYTES + [chr((ord(text[at]) + 1) % 256), chr((ord(text[at]) - 1) % 256)]:
            yield at, at + 1, by


# What it reads; the others read bytes.
CHANGES: dict[str, Callable[[str], Iterator[Change]]] = {
    **dict.fromkeys(("vector", "answer", "expected"), of_document),
    **dict.fromkeys(("asm", "hidden", "json", "ll", "mlir", "ptx", "samples", "tool_output"), of_text),
}


def changed(text: str, changes: Iterable[Change], one_of: int) -> Iterator[str]:
    salt = crc32(text.encode())  # or all texts would be changed in the same places
    for start, end, by in changes:
        if text[start:end] != by and crc32(f"{start} {end} {by}".encode(), salt) % one_of == 0:
            yield text[:start] + by + text[end:]


def seeds(target: str) -> list[str]:
    corpus = [path.read_text("latin-1") for path in sorted((ROOT / f"tests/fuzz/corpus-{target}").iterdir())]
    return corpus + [text.encode().decode("latin-1") for text in vectors()] if target == "vector" else corpus


def inputs(target: str, most: int | None) -> Iterator[str]:
    changes, texts = CHANGES.get(target, of_bytes), seeds(target)
    one_of = max(1, sum(1 for text in texts for _ in changes(text)) // most) if most else 1
    return (one for text in texts for one in changed(text, changes(text), one_of))


def survives(program: Path, files: list[Path], log: Path) -> bool:
    with open(log, "wb") as output:
        return subprocess.run([program, "-timeout=60", "-rss_limit_mb=2048", *files], stdout=output, stderr=output,
                              env=os.environ | {"LLVM_PROFILE_FILE": "/dev/null"}).returncode == 0


def try_batch(program: Path, texts: list[str]) -> list[str]:
    """What is told of each input that the program does not survive."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        files, log = [Path(scratch, str(number)) for number in range(len(texts))], Path(scratch, "log")
        for file, text in zip(files, texts):
            file.write_bytes(text.encode("latin-1"))
        if survives(program, files, log):
            return found
        told = log.read_text(errors="replace")
        for file in files:
            if not survives(program, [file], log):
                kept = program.with_name(f"{program.name.removeprefix('fuzz_')}-substituted-{crc32(file.read_bytes()):08x}")
                kept.write_bytes(file.read_bytes())
                found.append(f"{kept}:\n{log.read_text(errors='replace')[-2000:]}")
    return found or [f"of {len(texts)} inputs, none by itself:\n{told[-2000:]}"]


def try_target(program: Path, target: str, most: int | None) -> tuple[int, list[str]]:
    every, processors = inputs(target, most), os.cpu_count() or 1
    count, found = 0, []
    with ThreadPoolExecutor(processors) as pool:
        while some := list(islice(every, 400 * 4 * processors)):  # not all at once: they would not fit into memory
            count += len(some)
            batches = [some[start : start + 400] for start in range(0, len(some), 400)]
            found += [told for tellings in pool.map(partial(try_batch, program), batches) for told in tellings]
    return count, found


def main() -> int:
    directory, most = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] != "all" else None
    targets = sys.argv[3:] or sorted(path.name.removeprefix("fuzz_") for path in directory.glob("fuzz_*"))
    failed = 0
    for target in targets:
        count, found = try_target(directory / f"fuzz_{target}", target, most)
        print(f"{'not ok' if found else 'ok'} {target}: {count} inputs with one place changed", *found, sep="\n", flush=True)
        failed += bool(found)
    print(f"{len(targets) - failed} passed, {failed} failed")
    return 1 if failed or not targets else 0


if __name__ == "__main__":
    sys.exit(main())
