"""Texts from outside have no effect on who reads them."""

import io
import sys

# Characters that a terminal might act on (conformance/document/text.c), as JSON and Python write them.
RANGES = (range(9), range(11, 32), range(0x7F, 0xA0), (0x061C, 0x200E, 0x200F), range(0x2028, 0x202F), range(0x2066, 0x206A))
ACTING = {c: f"\\u{c:04x}" for characters in RANGES for c in characters}


class Shown(io.TextIOWrapper):
    def write(self, text: str) -> int:
        return super().write(text.translate(ACTING))


def show_output() -> None:
    """From now on, what is written to standard output."""
    assert isinstance(sys.stdout, io.TextIOWrapper)
    errors, lines, binary = sys.stdout.errors, sys.stdout.line_buffering, sys.stdout.detach()
    if isinstance(binary, io.RawIOBase):  # PYTHONUNBUFFERED: a write may take a part
        lines, binary = True, io.BufferedWriter(binary)
    sys.stdout = Shown(binary, encoding="utf-8", errors=errors, newline="\n", line_buffering=lines)
