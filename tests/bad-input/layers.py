"""Line tables and texts of layers for `dloc symbolize`: files cut off, sections that lie, and very large ones. What is wrong is told, the rest shown."""

import hashlib
import os
import struct
import zlib

from lines import ABS64, ADDRESS, DEBUG, END, MILLION, OLD, RELOCATIONS, SYMBOLS, elf, table
from process import Run
from small import said

TEXT = b"module {\n  %0 = load\n}\n"
ROWS = ADDRESS + b"\3\1\1" + b"\2\4\3\1\1" + b"\2\4" + END  # lines 2 and 3 at 0 and 4, up to 8
FILE = b"\0%s\0\0\0\0\0"


def named(text=TEXT, kind="k"):
    return f".debug_txt.{kind}.{hashlib.md5(text).hexdigest()}"


NAME = named()
TABLE = table(ROWS, files=FILE % NAME.encode())
SHOWN = f"k: {NAME}:2:0"


def section(name, data):
    return name, DEBUG, data, 0, 0, 0


GOOD = [section(".debug_line", OLD), section(".debug_line_k", TABLE), section(NAME, TEXT)]
CHANGED = GOOD[:2] + [section(NAME, TEXT.replace(b"load", b"leap"))]
MERGED = [section(".debug_line", OLD + TABLE), GOOD[2]]


def symbolize(folder, data, name, statuses=(0, 1), words=None, shown=None, limits=(3, 256 << 20)):
    path = os.path.join(folder, "input.o")
    with open(path, "wb") as file:
        file.write(data)
    run = Run(["symbolize", path, "0", "4", "7", "8"], folder, limit=60)
    with open(run.stdout, errors="replace") as file:
        missing = f"does not show {shown!r}" if shown and shown not in file.read() else None
    excess = run.excess(limits[0] + len(data) / 5e6, limits[1] + 40 * len(data))
    yield f"layers, {name}", run.complaint(statuses, silent=False) or excess or said(run, words) or missing


# name, sections, exit status, what it says, what is shown
CASES = [
    ("a good file", GOOD, 0, None, "    %0 = load"),
    ("a text that was changed", CHANGED, 1, "[layer-lookup.text.hash]", SHOWN),
    ("a text with one behind it", GOOD[:2] + [section(NAME, TEXT + b"x")], 1, "[layer-lookup.text.hash]", SHOWN),
    ("a table without text", GOOD[:2], 0, "[layer-lookup.text.missing]", SHOWN),
    ("a text without table", GOOD[::2], 0, "[layer-lookup.text.unused]", "??:0:0"),
    ("a text without lines", GOOD[:1] + [section(".debug_line_k", table(ROWS, files=FILE % named(b"").encode())), section(named(b""), b"")], 0, "[layer-lookup.text.beyond]", "k: .debug_txt"),
    ("two units for one address", GOOD[:1] + [section(".debug_line_k", TABLE + table(ADDRESS + b"\3\2\1\2\x08" + END, files=FILE % NAME.encode())), GOOD[2]], 0, None, SHOWN),
    ("a text twice", GOOD + [GOOD[2]], 0, "[layer-lookup.text.unused]", SHOWN),
    ("a broken table and a good one", [section(".debug_line_j", TABLE[:-3] + b"\xff\xff\xff"), *GOOD], (0, 1), None, SHOWN),
    ("a table of no bytes", [section(".debug_line_j", b""), *GOOD], 0, None, SHOWN),
    ("a table of text", [section(".debug_line_j", TEXT), *GOOD], 1, "error", SHOWN),
    ("a version that is not known", [section(".debug_line_j", TABLE[:4] + b"\x63" + TABLE[5:]), *GOOD], 1, "[lines.version]", SHOWN),
    ("a kind without name", [section(".debug_line_", TABLE), *GOOD], 0, None, SHOWN),
    ("control characters in a kind", [section(".debug_line_\x1b[2J", TABLE), *GOOD], 0, None, "\\1B[2J: "),
    ("a text whose name has no hash", GOOD + [section(".debug_txt.k", TEXT)], 0, "[layer-lookup.text.unused]", SHOWN),
    ("merged into the primary's table", MERGED, 0, None, SHOWN),
    ("100 kinds", GOOD + [section(f".debug_line_k{i}", TABLE) for i in range(100)], 0, "[layer-lookup.kinds.many]", SHOWN),
]


def over_headers():
    """A section whose bytes are the section headers: a relocation of it makes the section of names as large as it likes."""
    names, count = 5, 6
    entry = struct.pack("<QQq", 64 * names + 32, 1 << 32 | ABS64, 0x550000004900)
    symbol = b"\0" * 24 + struct.pack("<IBBHQQ", 0, 3, 0, 1, 0, 0)
    data = bytearray(
        elf([section(".debug_line", OLD), section(".debug_str", b"x" * 64 * count), (".rela.debug_str", RELOCATIONS, entry, 4, 2, 24), (".symtab", SYMBOLS, symbol, names, 1, 24)])
    )
    headers = struct.unpack_from("<Q", data, 40)[0]
    struct.pack_into("<Q", data, headers + 64 * 2 + 24, headers)
    return bytes(data)


def small_cases(folder):
    yield from symbolize(folder, over_headers(), "a section over the section headers, with a relocation", (0, 1), shown="??:0:0")
    for name, sections, status, words, shown in CASES:
        yield from symbolize(folder, elf(sections), name, status if isinstance(status, tuple) else (status,), words, shown)
    whole = elf(GOOD)
    lying = bytearray(whole)
    header = whole.index(struct.pack("<QQ", 64 + len(OLD), len(TABLE)))
    lying[header + 8 : header + 16] = struct.pack("<Q", 1 << 40)
    yield from symbolize(folder, bytes(lying), "a table that lies beyond the file", (1, 2), "error")
    compressed = bytearray(elf([section(".debug_line_j", struct.pack("<IIQQ", 1, 0, 1 << 60, 1) + b"x\x9c"), *GOOD]))
    at = compressed.index(struct.pack("<IIQ", 1, DEBUG, 0))
    compressed[at + 8 : at + 16] = struct.pack("<Q", 0x800)
    packed = b"ZLIB" + struct.pack(">Q", len(TABLE)) + zlib.compress(TABLE)
    many = [section(f".zdebug_line_k{'k' * 400}{i}", packed) for i in range(60)]
    yield from symbolize(folder, elf(GOOD + many), "60 compressed tables", (0,), None, f"kk59: {NAME}:2:0")
    yield from symbolize(folder, bytes(compressed), "a table of 2^60 bytes in 26", (0, 1), "[object.compressed]", SHOWN)


def damaged(folder, part, parts):
    """Files cut off anywhere; tables cut off, and with any byte changed."""
    whole = elf(GOOD)
    sizes = [f for f in range(0, len(whole), 5)]
    cases = [(f"{size} bytes of a file", whole[:size], (0, 1, 2)) for size in sizes]
    for size in range(len(TABLE)):
        cases.append((f"{size} bytes of a table", elf([GOOD[0], section(".debug_line_k", TABLE[:size]), GOOD[2]]), (0, 1)))
        for byte in (0x80, 0xFF) if size % 2 else (0,):
            data = TABLE[:size] + bytes([byte]) + TABLE[size + 1 :]
            cases.append((f"byte {size} of a table is {byte}", elf([GOOD[0], section(".debug_line_k", data), GOOD[2]]), (0, 1)))
    for name, data, statuses in cases[part::parts]:
        yield from symbolize(folder, data, name, statuses)


def many_texts(count):
    names = [named(str(number).encode()) for number in range(count)]
    files = b"\0" + b"".join(name.encode() + b"\0\0\0\0" for name in names) + b"\0"
    return elf([GOOD[0], section(".debug_line_k", table(ROWS, files=files)), *(section(name, str(i).encode()) for i, name in enumerate(names))])


# name, the file, exit status; made when they are needed.
LARGE = [
    ("a text of many lines", lambda: elf([*GOOD[:1], section(".debug_line_k", table(ROWS, files=FILE % named(b"\n" * 8 * MILLION).encode())), section(named(b"\n" * 8 * MILLION), b"\n" * 8 * MILLION)]), (0,)),
    ("files without text", lambda: elf([*GOOD[:1], section(".debug_line_k", table(ROWS, files=b"\0" + (NAME.encode() + b"\0\0\0\0") * (MILLION // 10) + b"\0"))]), (0,)),
    ("texts", lambda: many_texts(4000), (0,)),
    ("sequences over each other", lambda: elf([*GOOD[:1], section(".debug_line_k", table((ADDRESS + b"\3\1\1\2\x10" + END) * (MILLION // 4), files=FILE % NAME.encode())), GOOD[2]]), (0,)),
    ("merged units", lambda: elf([section(".debug_line", OLD + TABLE * (MILLION // 20)), GOOD[2]]), (0,)),
    ("merged units, each of a kind", lambda: elf([section(".debug_line", OLD + b"".join(table(ROWS, files=FILE % f".debug_txt.k{i}.x".encode()) for i in range(MILLION // 50)))]), (0,)),
]


def large(folder, index):
    name, data, statuses = LARGE[index]
    yield from symbolize(folder, data(), name, statuses, limits=(4, 256 << 20))
