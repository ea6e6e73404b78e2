"""ELF files of 64 bits, little endian: sections, decompressed, and symbols; as little as the tests beside this file ask for."""

import dataclasses
import struct
import zlib

NOBITS, COMPRESSED, ALLOC = 8, 0x800, 2


@dataclasses.dataclass
class Section:
    name: str
    kind: int
    flags: int
    address: int
    data: bytes  # decompressed; of NOBITS none


@dataclasses.dataclass
class Symbol:
    value: int
    size: int
    section: int


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path} is no ELF file of 64 bits")
        offset, size, count, names = struct.unpack_from("<Q", data, 0x28) + struct.unpack_from("<HHH", data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * number) for number in range(count)]
        contents = [b"" if header[1] == NOBITS else data[header[4] : header[4] + header[5]] for header in headers]
        self.machine = struct.unpack_from("<H", data, 0x12)[0]
        self.sections = []
        for header, content in zip(headers, contents):
            if header[2] & COMPRESSED:
                content = zlib.decompress(content[24:])
            self.sections.append(Section(text(contents[names], header[0]), header[1], header[2], header[3], content))
        self.symbols = {}  # those that are defined, by name
        for header, content in zip(headers, contents):
            if header[1] == 2:
                for name, _, _, section, value, length in struct.iter_unpack("<IBBHQQ", content):
                    if section:
                        self.symbols[text(contents[header[6]], name)] = Symbol(value, length, section)

    def named(self, prefix):
        """The sections whose name begins so."""
        return [section for section in self.sections if section.name.startswith(prefix)]

    def bytes_at(self, address, size):
        """What is loaded at the address."""
        for section in self.sections:
            if section.flags & ALLOC and section.address <= address < section.address + len(section.data):
                return section.data[address - section.address :][:size]
        return b""

    def loaded(self):
        """What a program has of the file, without the note that names a build."""
        return [(section.name, section.address, section.data) for section in self.sections if section.flags & ALLOC and section.kind != 7]


def text(table, offset):
    return table[offset : table.index(b"\0", offset)].decode()
