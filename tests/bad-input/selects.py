"""Programs for `dloc select`: each byte of one that is sound, and every end of it; sections that lie. If a layer is selected, `--layer source` gives back just the
program that there was, whatever it was."""

import os
import struct

from layers import NAME, TEXT, section
from lines import END, elf, table
from process import Run
from small import said

AT = b"\0\x09\2" + struct.pack("<Q", 0x1000)
FILE = b"\0%s\0\0\0\0\0"
PRIMARY = table(AT + b"\1\2\4\x4b\2\4" + END)
SECOND = table(AT + b"\1\2\4" + END, files=b"\0b.c\0\0\0\0\0")
LAYER = table(AT + b"\3\1\1\2\4\3\1\1\2\4" + END, files=FILE % NAME.encode())
STMT_LIST = b"\1\x11\0\x10\x17\0\0\2\x41\0\x10\x17\0\0\0"  # a unit, and a unit of types, that have nothing else


def info(offset):
    return struct.pack("<IHIBBI", 13, 4, 0, 8, 1, offset) + b"\0"


def types(offset):
    return struct.pack("<IHIBQIBI", 25, 4, 0, 8, 7, 23, 2, offset) + b"\0"


def macro(offset, entries=b"\1\1A 1\0\3\0\1\5\2\1\0\0\0\4\0"):
    return struct.pack("<HBI", 4, 2, offset) + entries


SECOND_AT = len(PRIMARY)


def program(primary=PRIMARY + SECOND, layer=LAYER, die=info(SECOND_AT), type_=types(SECOND_AT), macros=macro(0) + macro(SECOND_AT)):
    """A linked file with everything that leads into .debug_line."""
    return elf([section(".debug_line", primary), section(".debug_line_k", layer), section(NAME, TEXT), section(".debug_info", die), section(".debug_abbrev", STMT_LIST),
                section(".debug_types", type_), section(".debug_macro", macros)], kind=2)  # fmt: skip


def read(path):
    with open(path, "rb") as file:
        return file.read()


def select(folder, data, name, statuses=(0, 1, 2), words=None, kind="k", limits=(3, 256 << 20)):
    path, out, back = (os.path.join(folder, part) for part in ("input", "output", "back"))
    for each in (out, back):
        if os.path.exists(each):
            os.remove(each)
    with open(path, "wb") as file:
        file.write(data)
    run = Run(["select", path, "--layer", kind, "-o", out, "--texts", os.path.join(folder, "texts")], folder, limit=60)
    wrong = run.complaint(statuses, silent=False) or run.excess(limits[0], limits[1] + 40 * len(data)) or said(run, words)
    if not wrong and os.path.exists(out) != (run.status == 0):
        wrong = f"exit status {run.status}, and {'an' if os.path.exists(out) else 'no'} output"
    if not wrong and run.status == 0 and kind != "source" and b".dloc_select" not in data:
        again = Run(["select", out, "--layer", "source", "-o", back], folder, limit=60)
        wrong = again.complaint((0,)) or (None if read(back) == data else "--layer source gives back another file")
    yield f"select, {name}", wrong


REFUSED = "[object.select]"
# name, the file, exit status, what it says
CASES = [
    ("a good file", program(), 0, None),
    ("a unit of an unknown version", program(primary=PRIMARY[:4] + b"\x63" + PRIMARY[5:] + SECOND), 1, "version that is not known here"),
    ("a DIE that leads to no unit", program(die=info(SECOND_AT + 1)), 1, REFUSED),
    ("a DIE that leads beyond all units", program(die=info(0xFFFFFFFF)), 1, REFUSED),
    ("a type that leads to no unit", program(type_=types(SECOND_AT - 1)), 1, REFUSED),
    ("half a unit of types", program(type_=types(0)[:-4]), 1, REFUSED),
    ("macros that lead to no unit", program(macros=macro(0) + macro(1)), 1, REFUSED),
    ("macros that do not end", program(macros=macro(0)[:-1]), 1, REFUSED),
    ("an unknown macro entry", program(macros=macro(0, b"\x0d\0")), 1, REFUSED),
    ("macros with entries of their own", program(macros=b"\4\0\6\0\0\0\0\0\0"), 1, REFUSED),
    ("macros of other units without an offset", program(macros=macro(0) + b"\4\0\0\1\1B\0\0"), 0, None),
    ("no such layer", program(layer=b""), (0, 1), None),
    ("sections twice", elf([section(".debug_line", PRIMARY), section(".debug_line", PRIMARY), section(".debug_line_k", LAYER), section(NAME, TEXT)], kind=2), 1, REFUSED),
    ("a relocatable object", elf([section(".debug_line", PRIMARY), section(".debug_line_k", LAYER), section(NAME, TEXT)]), 0, None),
    ("no table of its own", elf([section(".debug_line_k", LAYER), section(NAME, TEXT)], kind=2), 1, "[object.lines]"),
]


def selected(folder):
    """The good file, with the layer as its own table."""
    for _ in select(folder, program(), "a file"):
        pass
    return read(os.path.join(folder, "output"))


def small_cases(folder):
    for name, data, status, words in CASES:
        yield from select(folder, data, name, status if isinstance(status, tuple) else (status,), words)
    moved = selected(folder)
    lines = Run(["lines", "--tsv", os.path.join(folder, "output")], folder)
    rows = [line.split(b"\t")[:3] for line in lines.output().splitlines()]
    path = os.path.join(folder, "texts", NAME[len(".debug_txt.") :]).encode()
    expected = [(0x1000, 2), (0x1004, 3), (0x1008, 0), (0x100C, 0), (0x1000, 2), (0x1004, 2)]  # the layer ends at 0x1008, the second unit at 0x1004
    expected = [[b"%016x" % address, path, b"%d" % line] for address, line in expected]
    yield "select, the rows of a good file", None if rows == expected else f"rows {rows}"
    at = moved.index(struct.pack("<HBI", 4, 2, 0), len(program()))  # .debug_macro behind the old file
    second = struct.unpack_from("<I", moved, at + len(macro(0)) + 3)[0]
    led = [struct.pack("<IHIBB", 13, 4, 0, 8, 1) + struct.pack("<I", second), struct.pack("<IHIBQIBI", 25, 4, 0, 8, 7, 23, 2, second)]
    wrong = second <= SECOND_AT or any(moved.find(each, len(program())) < 0 for each in led)
    yield "select, DIEs, types and macros lead to the second unit of the new table", f"offset {second}" if wrong else None


def damaged(folder, part, parts):
    """Files cut off anywhere, and with any byte changed; the same when a layer was selected before."""
    whole, moved = program(), selected(folder)
    cases = [(f"{size} bytes of a file", whole[:size], "k") for size in range(0, len(whole), 7)]
    cases += [(f"byte {at} of a file is {byte}", whole[:at] + bytes([byte]) + whole[at + 1 :], "k") for at in range(16, len(whole)) for byte in ((0x80, 0xFF, 0)[at % 3],)]
    cases += [(f"{size} bytes of a selected file", moved[:size], "source") for size in range(len(whole), len(moved), 7)]
    back = moved.rindex(struct.pack("<Q", len(whole)))
    places = [*range(16, 64), *range(back, back + 24), *range(len(moved) - 10 * 64, len(moved))]
    cases += [(f"byte {at} of a selected file is {byte}", moved[:at] + bytes([byte]) + moved[at + 1 :], "source") for at in places for byte in (0x80, 0xFF)]
    for name, data, kind in cases[part::parts]:
        yield from select(folder, data, name, kind=kind)
