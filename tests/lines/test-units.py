#!/usr/bin/env python3
"""usage: tests/lines/test-units.py few|all

The vectors of the operation `units` beside llvm-dwarfdump: each one's bytes as .debug_line of an object; rows, directories, names of files,
times, sizes, MD5s and texts are those that the vector expects of who takes LLVM's alternatives. DIFFERENT says where they are not, and why. few: some vectors and
LLVM 22; all: all of them and LLVM 14, 19 and 22. Ends with a line `N passed, N failed`.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DLOC = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
LLVMS = {"lines.extended.mismatch": "length", "lines.set-address.size": "power-of-two", "lines.leb128": "stop"}
FLAGS = ("is_stmt", "basic_block", "prologue_end", "epilogue_begin", "end_sequence")

# Vectors of which LLVMs show something else: the beginning of their names, these LLVMs, and why.
DIFFERENT = {
    "lines.form.unknown": ((14, 19, 22), "it ends with a signal"),
    "lines.file.define": ((14, 19, 22), "it shows the files of the header alone"),
    "lines.entries.empty.directories": ((14, 19, 22), "it reads no files behind them"),
    "lines.content.path.none": ((14, 19, 22), "it wants a name in every entry"),
    "lines.content.path.time-block": ((19, 22), "it shows 9 for the time"),
}


def bytes_of(parts):
    found = b""
    for quoted, pair in re.findall(r"'([^']*)'|([0-9a-f]{2})", " ".join(parts)):
        found += quoted.encode() if not pair else bytes([int(pair, 16)])
    return found


def elf(args):
    """An object with the sections of a vector."""
    order = ">" if args.get("big_endian") else "<"
    sections = [(".debug_line", "bytes"), (".debug_str", "str"), (".debug_line_str", "line_str")]
    contents = [bytes_of(args.get(key, [])) for _, key in sections]
    names = b"\0" + b"".join(name.encode() + b"\0" for name, _ in sections) + b".names\0"
    body, headers = b"", bytes(64)
    for name, data, kind in [*((s[0], c, 1) for s, c in zip(sections, contents)), (".names", names, 3)]:
        headers += struct.pack(order + "IIQQQQIIQQ", names.index(name.encode()), kind, 0, 0, 64 + len(body), len(data), 0, 0, 1, 0)
        body += data
    machine = 21 if order == ">" else 62
    header = struct.pack(order + "HHIQQQIHHHHHH", 1, machine, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, 5, 4)
    return b"\x7fELF\2" + (b"\2" if order == ">" else b"\1") + b"\1" + bytes(9) + header + body + headers


def shown(text):
    """Rows, directories and files of llvm-dwarfdump's output. A file has what LLVM has a line for."""
    rows, directories, files = [], [], []
    has_op_index = " OpIndex" in text
    for line in text.split("\n"):
        if match := re.match(r"0x([0-9a-f]{16}) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)(?: +(\d+))?(.*)", line):
            address, number, column, file, _, discriminator, op_index, flags = match.groups()
            letters = "".join(letter for letter, flag in zip("sbpeE", FLAGS) if flag in flags)
            rows.append((int(address, 16), int(number), int(column), int(file), int(discriminator), int(op_index or 0) if has_op_index else None, letters))
        elif match := re.match(r'include_directories\[ *\d+\] = "(.*)"', line):
            directories.append(match[1].replace("\\\\", "\\"))
        elif match := re.match(r' +name: (?:"(.*)")?', line):
            files.append({"name": (match[1] or "").replace("\\\\", "\\")})
        elif match := re.match(r' +(dir_index|mod_time|length|md5_checksum|source): "?([^"]*)', line):
            key, value = match.groups()
            files[-1][key] = int(value, 16 if value.startswith("0x") else 10) if key in ("dir_index", "mod_time", "length") else value
    return rows, directories, files


def expected(vector, release, has_op_index):
    expectation = vector["expect"]
    for choice, alternative in {**LLVMS, **({"lines.operations": "ignored"} if release == 14 else {})}.items():
        expectation = vector.get("choices", {}).get(choice, {}).get(alternative, expectation)
    rows, directories, files = [], [], []
    for unit in expectation["value"]["units"]:
        directories += unit.get("directories", [])
        files += unit.get("files", [])
        for row in unit.get("rows", []):
            rest = [row.get("column", 0), row.get("file", 1), row.get("discriminator", 0), row.get("op_index", 0) if has_op_index else None]
            rows.append((row["address"], row["line"], *rest, row["flags"]))
    return rows, directories, files


def same_file(file, wanted):
    """LLVM shows the parts of a path, the vector the whole."""
    return (
        wanted["path"].endswith(file["name"])
        and file.get("dir_index", 0) == wanted.get("directory", 0)
        and file.get("mod_time", 0) == wanted.get("time", 0)
        and file.get("length", 0) == wanted.get("size", 0)
        and file.get("md5_checksum", wanted.get("md5")) == wanted.get("md5")
        and file.get("source", wanted.get("source")) == wanted.get("source")
    )


def difference(vector, release, folder):
    path = os.path.join(folder, "input.o")
    with open(path, "wb") as file:
        file.write(elf(vector["args"]))
    tool = f"/usr/lib/llvm-{release}/bin/llvm-dwarfdump"
    done = subprocess.run([tool, "--debug-line", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20, check=False)
    text = done.stdout.decode(errors="replace")
    rows, directories, files = shown(text)
    wanted = expected(vector, release, " OpIndex" in text)
    if rows != wanted[0]:
        return f"rows {rows} instead of {wanted[0]}"
    if directories != wanted[1]:
        return f"directories {directories} instead of {wanted[1]}"
    if len(files) != len(wanted[2]) or not all(map(same_file, files, wanted[2])):
        return f"files {files} instead of {wanted[2]}"
    return None if done.returncode in (0, 1) else f"exit status {done.returncode}"


def main():
    if sys.argv[1:] not in (["few"], ["all"]):
        sys.exit(__doc__)
    few = sys.argv[1] == "few"
    lines = subprocess.run([DLOC, "fmt", "--to", "jsonl", os.path.join(ROOT, "vectors", "lines")], stdout=subprocess.PIPE, check=True)
    vectors = [vector for vector in map(json.loads, lines.stdout.splitlines()) if vector["op"] == "units"]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="dloc-units-") as folder:
        for vector in vectors[:: 8 if few else 1]:
            for release in (22,) if few else (14, 19, 22):
                known = any(vector["id"].startswith(name) and release in which for name, (which, _) in DIFFERENT.items())
                found = difference(vector, release, folder)
                if bool(found) == known:
                    passed += 1
                else:
                    failed += 1
                    print(f"{vector['id']}, LLVM {release}: {found or 'does not differ any more'}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
