"""Rows of line tables, decoded here, from nothing but the bytes of a section: DWARF 4 and 5. And what a module's text says about the places of its lines.

No part of dloc, and none of what other tests read tables with, has a hand in it."""

import bisect
import re
import struct

END = None  # no place: behind a sequence


class Bytes:
    """Numbers out of a section."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little")

    def leb(self, signed=False):
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def text(self):
        end = self.data.index(b"\0", self.at)
        begin, self.at = self.at, end + 1
        return self.data[begin:end].decode(errors="surrogateescape")


def entries(reader, wide, strings):
    """The directories or files of a header of DWARF 5: dictionaries by the code of the content."""
    formats = [(reader.leb(), reader.leb()) for _ in range(reader.number(1))]
    return [{code: field(reader, form, wide, strings) for code, form in formats} for _ in range(reader.leb())]


def field(reader, form, wide, strings):
    if form == 0x08:
        return reader.text()
    if form in (0x1F, 0x0E):  # line_strp, strp
        return Bytes(strings[form], reader.number(8 if wide else 4)).text()
    if form == 0x1E:
        reader.at += 16
        return None
    return reader.leb() if form == 0x0F else reader.number({0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8}[form])


def units(data, strings):
    """For each unit its sequences: rows of (address, path, line, column), the last with a path of None."""
    reader = Bytes(data)
    while reader.at < len(data):
        length = reader.number(4)
        wide = length == 0xFFFFFFFF
        if wide:
            length = reader.number(8)
        yield unit(Bytes(data[: reader.at + length], reader.at), wide, strings)
        reader.at += length


def unit(reader, wide, strings):
    version = reader.number(2)
    if version == 5:
        reader.number(2)
    program = reader.number(8 if wide else 4) + reader.at
    step = reader.number(1)
    if version > 3:
        reader.number(1)
    reader.number(1)
    base, span, first = int.from_bytes(reader.data[reader.at : reader.at + 1], "little", signed=True), reader.data[reader.at + 1], reader.data[reader.at + 2]
    reader.at += 3
    lengths = [0, *(reader.number(1) for _ in range(first - 1))]
    if version == 5:
        folders = [entry[1] for entry in entries(reader, wide, strings)]
        files = [(entry[1], entry.get(2, 0)) for entry in entries(reader, wide, strings)]
    else:
        folders, files = [""], [("", 0)]
        while reader.data[reader.at]:
            folders.append(reader.text())
        reader.at += 1
        while reader.data[reader.at]:
            files.append((reader.text(), reader.leb()))
            reader.leb(), reader.leb()
        reader.at += 1
    paths = [name if name.startswith(("/", ".debug_txt.")) or not folders[folder] else f"{folders[folder]}/{name}" for name, folder in files]
    reader.at = program
    return sequences(reader, step, base, span, first, lengths, paths)


def sequences(reader, step, base, span, first, lengths, paths):
    found, rows = [], []
    address, file, line, column = 0, 1, 1, 0

    def row(path):
        rows.append((address, path, line, column))

    while reader.at < len(reader.data):
        code = reader.number(1)
        if code >= first:
            address += (code - first) // span * step
            line += base + (code - first) % span
            row(paths[file])
        elif code == 0:
            length = reader.leb()
            end, extended = reader.at + length, reader.number(1)
            if extended == 1:
                row(END)
                found.append(rows)
                rows = []
                address, file, line, column = 0, 1, 1, 0
            elif extended == 2:
                address = reader.number(length - 1)
            reader.at = end
        elif code == 1:
            row(paths[file])
        elif code == 2:
            address += reader.leb() * step
        elif code == 3:
            line += reader.leb(signed=True)
        elif code == 4:
            file = reader.leb()
        elif code == 5:
            column = reader.leb()
        elif code == 8:
            address += (255 - first) // span * step
        elif code == 9:
            address += reader.number(2)
        else:
            for _ in range(lengths[code]):
                reader.leb()
    return found


class Rows:
    """What an address has: that of the last row at or before it, of sequences that begin in code."""

    def __init__(self, data, strings, is_code):
        places = {}
        for sequence in (sequence for each in units(data, strings) for sequence in each):
            if is_code(sequence[0][0]):
                for address, *place in sequence[:-1]:
                    places[address] = tuple(place)
                places.setdefault(sequence[-1][0], END)
        self.addresses = sorted(places)
        self.places = [places[address] for address in self.addresses]

    def at(self, address):
        index = bisect.bisect_right(self.addresses, address)
        return self.places[index - 1] if index else END


class Module:
    """Where in the source the instructions of a module's lines are, by the module's own metadata."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.nodes = dict(re.findall(r"^(!\d+) = (?:distinct )?(!.*)$", text, re.M))
        self.known = {}

    def place(self, line):
        """(name of the file, line, column) of an instruction; None where it has none."""
        match = re.search(r", !dbg (!\d+)", line)
        if not match:
            return None
        if match[1] not in self.known:
            location = self.nodes[match[1]]
            if not location.startswith("!DILocation("):
                return None  # of a global
            number, column = (int(found[1]) if (found := re.search(rf"\b{name}: (\d+)", location)) else 0 for name in ("line", "column"))
            self.known[match[1]] = (self.file(re.search(r"scope: (!\d+)", location)[1]), number, column)
        return self.known[match[1]]

    def file(self, scope):
        node = self.nodes[scope]
        name, folder = re.match(r'!DIFile\(filename: "(.*?)", directory: "(.*?)"', self.nodes[re.search(r"file: (!\d+)", node)[1]]).groups()
        return name if name.startswith("/") else f"{folder}/{name}"

    def lines_of(self, text):
        """The module's lines that a text has, which is a part of it in order: a line for each of the text."""
        found, at = [], 0
        for line in text.split("\n"):
            while at < len(self.lines) and self.lines[at] != line:
                at += 1
            if at == len(self.lines):
                raise ValueError(f"the module has no line {line!r} there")
            found.append(self.lines[at])
            at += 1
        return [self.ends(found, number) for number in range(len(found))]

    @staticmethod
    def ends(lines, number):
        """A switch, an invoke or a landingpad goes on for lines, and its location stands at its end."""
        if lines[number].endswith("["):
            return next(line for line in lines[number:] if line.lstrip().startswith("]"))
        while number + 1 < len(lines) and lines[number + 1].startswith(" " * 8):
            number += 1
        return lines[number]


def relocations(data, strings, symbols, sections):
    """Of a section of 64 bits: (offset, type, addend, what it names)."""
    names = []
    for name, info, _, section, value, _ in struct.iter_unpack("<IBBHQQ", symbols):
        text = Bytes(strings, name).text()
        text = "" if text.startswith(".L") else text  # labels of the compiler's own are counted, and the passes of text begin to count anew
        names.append((text or (sections[section] if section < len(sections) else section), value, info & 15))
    return [(offset, info & 0xFFFFFFFF, addend, names[info >> 32]) for offset, info, addend in struct.iter_unpack("<QQq", data)]
