"""Objects for `dloc reveal`: each byte of one that is sound, and every end of it; a table that is none."""

import glob
import os
import re
import struct
import subprocess

from lines import ABS64, ADDRESS, DEBUG, END, RELOCATIONS, SYMBOLS, elf, table
from process import Run
from small import said

MODULE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lit", "Inputs", "layers.ll")
LLVM = "/usr/lib/llvm-22/bin"
LINES = table(ADDRESS + b"\0\2\4\1\x4b\0\2\4\2\x4b\2\4" + END)  # rows with the discriminators 1 and 2


def an_object(values=struct.pack("<I", 0x3FFFFFFF) + b"\1", attributes=b"\x59\x06\xb6\x42\x0b", more=b""):
    entry = struct.pack("<QQq", LINES.index(ADDRESS) + 3, 1 << 32 | ABS64, 0)
    symbol = b"\0" * 24 + struct.pack("<IBBHQQ", 0, 3, 0, 1, 0, 0)
    dies = b"\1" + values + more + b"\0\0"
    die = struct.pack("<IHIB", 7 + len(dies), 4, 0, 8) + dies
    abbreviations = b"\1\x1d\0" + attributes + b"\0\0\0"  # an inlined subroutine with call_line and GNU_discriminator
    return elf([
        (".debug_line", DEBUG, LINES, 0, 0, 0), (".rela.debug_line", RELOCATIONS, entry, 3, 1, 24), (".symtab", SYMBOLS, symbol, 6, 1, 24),
        (".debug_info", DEBUG, die, 0, 0, 0), (".debug_abbrev", DEBUG, abbreviations, 0, 0, 0),
    ])  # fmt: skip


def far_aligned():
    """The fifth section has no bytes, stands at offset 0 and is aligned to 2^28."""
    data = bytearray(an_object())
    at = struct.unpack_from("<Q", data, 40)[0] + 5 * 64
    struct.pack_into("<QQ", data, at + 24, 0, 0)
    struct.pack_into("<Q", data, at + 48, 1 << 28)
    return bytes(data)


def reveal(folder, data, name, table_path, statuses=(0, 1, 2), words=None):
    path, out = os.path.join(folder, "input.o"), os.path.join(folder, "output.o")
    with open(path, "wb") as file:
        file.write(data)
    if os.path.exists(out):
        os.remove(out)
    run = Run(["reveal", "--fast", path, "--table", table_path, "-o", out], folder, limit=60)
    wrong = run.complaint(statuses, silent=False) or run.excess(3, 256 << 20) or said(run, words)
    if not wrong and os.path.exists(out) != (run.status == 0):
        wrong = f"exit status {run.status}, and {'an' if os.path.exists(out) else 'no'} output"
    if not wrong and os.path.exists(out) and os.path.getsize(out) > 1 << 20:
        wrong = f"an output of {os.path.getsize(out)} bytes"
    yield f"reveal, {name}", wrong


OVERLAPPING = "\t.text\nbase:\n\t.fill 1000000,1,0x90\n" + "".join(
    f"\t.type g{i},@function\n\t.globl g{i}\n\t.set g{i}, base\n\t.size g{i}, 1000000\n" for i in range(2000)
)


def overlapping(folder):
    """Functions that are all the same million of bytes: comparing each would read the file a thousand times."""
    with open(os.path.join(os.path.dirname(MODULE), "kernel.ll"), encoding="utf-8") as file:
        text = file.read().replace("nvptx64-nvidia-cuda", "x86_64-linux-gnu").replace('Version", i32 2', 'Version", i32 5')
    module, full = os.path.join(folder, "module.ll"), os.path.join(folder, "full")
    with open(module, "w", encoding="utf-8") as file:
        file.write(text)
    yield "hide --full", Run(["hide", module, "--full", full], folder).complaint((0,))
    for more, status, words in (("", 0, None), (OVERLAPPING, 1, "[object.base]")):
        for name in glob.glob(os.path.join(full, "*.ll")):
            made = subprocess.run([f"{LLVM}/llc", name, "-o", "-"], capture_output=True, text=True, check=True).stdout + more
            subprocess.run([f"{LLVM}/llvm-mc", "-filetype=obj", "-triple=x86_64-linux-gnu", "-o", name[:-3] + ".o"], input=made, text=True, check=True)
        run = Run(["reveal", "--full", full, "-o", os.path.join(folder, "full.o")], folder, limit=60)
        yield f"functions that overlap: {words}", run.complaint((status,), silent=False) or said(run, words)


def damaged(folder, part, parts):
    numbers, good = os.path.join(folder, "table"), an_object()
    Run(["hide", MODULE, "--first", "1", "--table", numbers, "-o", os.path.join(folder, "hidden.ll")], folder, limit=60)
    with open(numbers, encoding="utf-8") as file:  # the objects have the number 1
        table = re.sub(r'i32 62, !"[0-9a-f]*"', 'i32 1, !"0000000000000000"', file.read())
    with open(numbers, "w", encoding="utf-8") as file:
        file.write(table)
    if part == 0:
        yield from reveal(folder, good, "a sound object", numbers, (0,))
        yield from reveal(folder, far_aligned(), "a section that asks for much room", numbers, (0,))
        yield from reveal(folder, an_object(b"\x81" + b"\x80" * 12 + b"\0", b"\xb6\x42\x0f"), "a number of 14 bytes", numbers, (0,))
        much = an_object(b"", b"\x34\x19" * 30000, b"\1" * 300000)
        yield from reveal(folder, much, "entries of one byte with 30,000 values", numbers, (0,), "[stack.unreadable]")
        yield from reveal(folder, good, "a module as table", MODULE, (1, 2))
        yield from reveal(folder, elf([(".text", DEBUG, b"\0", 0, 0, 0)]), "no line table", numbers, (0,))
        yield from reveal(folder, elf([(".debug_line", DEBUG, LINES, 0, 0, 0)], kind=2), "a linked file", numbers, (2,), "object.relocations")
    cases = [(f"byte {at} is {byte}", good[:at] + bytes([byte]) + good[at + 1 :]) for at in range(4, len(good)) for byte in (0xFF,)]
    cases += [(f"{size} bytes", good[:size]) for size in range(0, len(good), 31)]
    for name, data in cases[part::parts]:
        yield from reveal(folder, data, name, numbers)
