"""Objects for `dloc lines`: tables cut off at every byte, headers with any field out of range, sections that lie, and very large tables."""

import os
import struct
import zlib

from process import SANITIZED, Run
from small import said

X86_64, ABS64 = 62, 1
DEBUG, STRINGS, SYMBOLS, RELOCATIONS = 1, 3, 2, 4


def elf(sections, kind=1):
    """An ELF file of (name, type, bytes, link, info, entry size)."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name, *_ in sections) + b".names\0"
    sections = [*sections, (".names", STRINGS, names, 0, 0, 0)]
    body, headers = b"", b"\0" * 64
    for name, type_, data, link, info, entry in sections:
        at = names.index(b"\0" + name.encode() + b"\0") + 1
        headers += struct.pack("<IIQQQQIIQQ", at, type_, 0, 0, 64 + len(body), len(data), link, info, 1, entry)
        body += data
    ident = b"\x7fELF\2\1\1" + b"\0" * 9
    header = struct.pack("<HHIQQQIHHHHHH", kind, X86_64, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, len(sections) + 1, len(sections))
    return ident + header + body + headers


def table(program, version=4, files=b"\0a.c\0\0\0\0\0"):
    rest = b"\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1" + files
    body = struct.pack("<HI", version, len(rest)) + rest + program
    if version == 5:
        body = struct.pack("<HBBI", version, 8, 0, len(rest)) + rest + program
    return struct.pack("<I", len(body)) + body


ADDRESS = b"\0\x09\2" + b"\0" * 8
END = b"\0\1\1"
OLD = table(ADDRESS + b"\x4b\2\4\5\x81\1\3\x7f\1" + END)
NEW = table(ADDRESS + b"\4\0\x4b" + END, 5, b"\1\1\x08\1/d\0\2\1\x08\2\x0b\1a.c\0\0")


def lines_of(folder, data, name, statuses=(0, 1), words=None, options=("--tsv",), limits=(3, 256 << 20)):
    path = os.path.join(folder, "input.o")
    with open(path, "wb") as file:
        file.write(data)
    run = Run(["lines", *options, path], folder, limit=60)
    excess = run.excess(limits[0] + len(data) / 5e6, limits[1] + 40 * len(data))
    yield f"lines, {name}", run.complaint(statuses, silent=False) or excess or said(run, words)


def damaged(data):
    for size in range(len(data)):
        yield f"{size} of {len(data)} bytes", data[:size]
    for at in range(len(data)):
        for byte in (0x80, 0xFF):
            yield f"byte {at} is {byte}", data[:at] + bytes([byte]) + data[at + 1 :]


def tables(folder, part, parts):
    cases = [(f"version {v}, {name}", data) for v, whole in ((4, OLD), (5, NEW)) for name, data in damaged(whole)]
    for name, data in cases[part::parts]:
        options = ("--json",) if len(name) % 3 == 0 else ("--raw",) if len(name) % 3 == 1 else ("--tsv",)
        yield from lines_of(folder, elf([(".debug_line", DEBUG, data, 0, 0, 0)]), name, options=options)


def objects(folder):
    """Each byte of a relocatable object's headers, and what relocations may say."""
    entry = struct.pack("<QQq", OLD.index(ADDRESS) + 3, 1 << 32 | ABS64, 4096)
    symbol = b"\0" * 24 + struct.pack("<IBBHQQ", 0, 3, 0, 1, 0, 0)

    def file(entries):
        return elf([(".debug_line", DEBUG, OLD, 0, 0, 0), (".rela.debug_line", RELOCATIONS, entries, 3, 1, 24), (".symtab", SYMBOLS, symbol, 4, 1, 24)])

    for name, offset, info, words in (
        ("beyond the section", 1 << 40, 1 << 32 | ABS64, "relocations that cannot be applied"),
        ("at its last byte", len(OLD) - 1, 1 << 32 | ABS64, "relocations that cannot be applied"),
        ("of an unknown type", 40, 1 << 32 | 255, "relocations that cannot be applied"),
        ("by an unknown symbol", 40, 1 << 60 | ABS64, None),
    ):
        yield from lines_of(folder, file(struct.pack("<QQq", offset, info, 0)), f"a relocation {name}", words=words)
    good = file(entry)
    start = good.index(b"\0" * 64, 64)
    for at in [*range(4, 64, 2), *range(start + 64, len(good), 3)]:
        data = good[:at] + b"\xff" + good[at + 1 :]
        yield from lines_of(folder, data, f"byte {at} of an object is 255", (0, 1, 2))
    for size in range(0, len(good), 31):
        yield from lines_of(folder, good[:size], f"{size} bytes of an object", (0, 1, 2))
    compressed = struct.pack("<IIQQ", 1, 0, 1 << 60, 1) + b"x\x9c"
    data = bytearray(elf([(".debug_line", DEBUG, compressed, 0, 0, 0)]))
    header = data.index(struct.pack("<IIQ", 1, DEBUG, 0))
    data[header + 8 : header + 16] = struct.pack("<Q", 0x800)
    yield from lines_of(folder, bytes(data), "2^60 bytes in 26", (2,), "object.compressed")
    zeros = zlib.compress(bytes(1 << 25))
    bomb = bytearray(elf([(".debug_line", DEBUG, struct.pack("<IIQQ", 1, 0, 1 << 25, 1) + zeros, 0, 0, 0)]))
    header = bomb.index(struct.pack("<IIQ", 1, DEBUG, 0))
    bomb[header + 8 : header + 16] = struct.pack("<Q", 0x800)
    yield from lines_of(folder, bytes(bomb), "32 MB in 32 kB", (2,), "256 times")
    bomb = elf([(".zdebug_line", DEBUG, b"ZLIB" + struct.pack(">Q", 1 << 25) + zeros, 0, 0, 0)])
    yield from lines_of(folder, bomb, "32 MB in 32 kB, as GNU writes it", (2,), "256 times")
    megabyte = b"ZLIB" + struct.pack(">Q", 1 << 20) + zlib.compress(bytes(1 << 20))
    sections = [(".zdebug_str", DEBUG, megabyte, 0, 0, 0)] + [(".zdebug_str", DEBUG, b"", 0, 0, 0)] * 1000
    shared = bytearray(elf([*sections, (".debug_line", DEBUG, OLD, 0, 0, 0), (".debug_info", DEBUG, bytes(12), 0, 0, 0)]))
    headers = struct.unpack_from("<Q", shared, 40)[0]
    for i in range(2, 1002):
        shared[headers + 64 * i + 24 : headers + 64 * i + 40] = shared[headers + 64 + 24 : headers + 64 + 40]
    yield from lines_of(folder, bytes(shared), "1 GB in 65 kB, of sections with the same bytes", (2,), "256 times", ("--two-level", "prototype"))


MILLION = 300_000 if SANITIZED else 1_000_000
# name, the section, exit status; made when they are needed, as memory of this process counts for those that it starts.
LARGE = [
    ("advances", lambda: table(ADDRESS + b"\2\xff\xff\xff\xff\x0f" * MILLION + END), (0,)),
    ("rows", lambda: table(ADDRESS + b"\x4b" * (8 * MILLION) + END), (0,)),
    ("sequences", lambda: table((b"\x4b" + END) * MILLION), (0,)),
    ("unknown opcodes", lambda: table(ADDRESS + b"\0\1\x80" * MILLION + END), (0,)),
    ("lengths of 0", lambda: table(ADDRESS + b"\0\0" * MILLION + END), (0,)),
    ("a number", lambda: table(ADDRESS + b"\2" + b"\x80" * (8 * MILLION) + b"\0" + END), (0,)),
    ("units of no bytes", lambda: b"\0\0\0\0" * (MILLION // 4), (1,)),
    ("files", lambda: table(ADDRESS + END, files=b"\0" + b"a\0\0\0\0" * MILLION + b"\0"), (0,)),
    ("2^32 files", lambda: table(ADDRESS + END, 5, b"\1\1\x08\1/d\0\1\1\x08\xff\xff\xff\xff\x0fa\0"), (1,)),
    ("2^63 files without fields", lambda: table(ADDRESS + END, 5, b"\1\1\x08\1/d\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), (1,)),
    ("files in a long directory", lambda: table(ADDRESS + b"\4\1\x4b\4\2\x4b" * 20 + END, files=b"d" * MILLION + b"\0\0" + b"a\0\1\0\0" * 30 + b"\0"), (0,)),
]


def large(folder, index):
    name, data, statuses = LARGE[index]
    yield from lines_of(folder, elf([(".debug_line", DEBUG, data(), 0, 0, 0)]), name, statuses, limits=(4, 256 << 20))
