"""Line tables as bytes: programs of the vectors assembled, units around them, and ELF files that readers take them from."""
import re
import struct
from typing import Any

Header = dict[str, Any]
LENGTHS = (0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)
# Standard opcodes of the two forms of two-level tables stand behind those of DWARF; the prototype uses 13 twice.
STANDARD = {"copy": 1, "advance_pc": 2, "advance_line": 3, "set_file": 4, "set_column": 5, "negate_stmt": 6, "set_basic_block": 7, "const_add_pc": 8, "set_prologue_end": 10,
            "set_epilogue_begin": 11, "set_isa": 12, "set_subprogram": 13, "set_address_from_logical": 13, "relative_inlined_call": 14, "pop_context": 15}
EXTENDED = {"end_sequence": 1, "set_discriminator": 4, "GNU_set_discriminator": 0x80, "NVIDIA_inlined_call": 0x90, "NVIDIA_set_function_name": 0x91}
SIGNED_FIRST = {"advance_line", "set_address_from_logical", "relative_inlined_call"}


def uleb(number: int) -> bytes:
    result = bytearray()
    while True:
        result.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(result)


def sleb(number: int) -> bytes:
    result = bytearray()
    while not -64 <= number < 64:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*result, number & 0x7F])


def extended(body: bytes) -> bytes:
    return b"\0" + uleb(len(body)) + body


def instruction(text: str) -> bytes:
    """The bytes of one instruction; KeyError when its word is none of these."""
    word, *operands = text.split()
    if word == "special":
        return bytes([int(operands[0], 0)])
    if word == "set_address":
        return extended(b"\2" + struct.pack("<Q", int(operands[0], 0)))
    if word == "fixed_advance_pc":
        return b"\x09" + struct.pack("<H", int(operands[0], 0))
    if word in ("unknown_extended", "unknown_standard"):
        return extended(bytes([int(operands[0], 0)])) if word == "unknown_extended" else bytes([int(operands[0], 0)])
    numbers = b"".join(sleb(int(text, 0)) if at == 0 and word in SIGNED_FIRST else uleb(int(text, 0)) for at, text in enumerate(operands))
    return extended(bytes([EXTENDED[word]]) + numbers) if word in EXTENDED else bytes([STANDARD[word]]) + numbers


def fields(header: Header, opcode_base: int, more: bytes = b"") -> bytes:
    """From minimum_instruction_length to the lengths of the opcodes."""
    lengths = [*LENGTHS, *more][:opcode_base - 1]
    return struct.pack("<BBBbBB", int(header.get("minimum_instruction_length", 1)), int(header.get("maximum_operations", 1)), header.get("default_is_stmt", True) is not False,
                       int(header.get("line_base", -5)), int(header.get("line_range", 14)), opcode_base) + bytes(header.get("opcode_lengths", lengths))


NUMBERED = b"\0" + b"".join(b"%d\0\0\0\0" % number for number in range(1, 10)) + b"\0"  # no directories, and files that are named by their numbers


def unit(header: Header, program: list[str], tables: bytes = NUMBERED) -> tuple[bytes, list[int]]:
    """A unit of version 2 to 4 with tables of directories and files, and where each instruction of the program begins."""
    version = int(header.get("version", 4))
    if not 2 <= version <= 4:
        raise KeyError(version)
    head = fields(header, int(header.get("opcode_base", 13)))
    head = (head if version >= 4 else head[:1] + head[2:]) + tables
    starts, code = [], b""
    for text in program:
        starts.append(10 + len(head) + len(code))
        code += instruction(text)
    body = struct.pack("<HI", version, len(head)) + head + code
    return struct.pack("<I", len(body)) + body, starts


def tables_of(directories: list[str], files: list[dict[str, Any]]) -> bytes:
    """The tables of versions 2 to 4."""
    return (b"".join(name.encode() + b"\0" for name in directories) + b"\0" +
            b"".join(file["name"].encode() + b"\0" + uleb(int(file.get("directory", 0))) + b"\0\0" for file in files) + b"\0")


def unit_of_entries(program: list[str], formats: bytes, entries: list[bytes]) -> bytes:
    """A unit of version 5 with one directory, whose files, of numbers from 0, have these formats and entries."""
    head = fields({}, 13) + b"\1\1\x08\1/\0" + formats + uleb(len(entries)) + b"".join(entries)
    body = struct.pack("<HBBI", 5, 8, 0, len(head)) + head + b"".join(map(instruction, program))
    return struct.pack("<I", len(body)) + body


def unit_of_texts(program: list[str], texts: list[str]) -> bytes:
    """A unit of version 5 whose files, of numbers from 1, embed these texts."""
    return unit_of_entries(program, b"\2\1\x08" + uleb(0x2001) + b"\x08", [b"/%d\0" % number + text.encode() + b"\0" for number, text in enumerate(["", *texts])])


def unit_of_files(program: list[str], names: list[str]) -> bytes:
    """A unit of version 5 with these files, of numbers from 0."""
    return unit_of_entries(program, b"\1\1\x08", [name.encode() + b"\0" for name in names])


def program_of(rows: list[dict[str, Any]]) -> list[str]:
    """A program that makes these rows, which have an address each."""
    program, line, stmt = [], 1, True
    for row in rows:
        program += [f"set_address {row['address']}", f"set_file {row.get('file', 1)}", f"set_column {row.get('column', 0)}", f"advance_line {int(row['line']) - line}"]
        program += [f"set_discriminator {row['discriminator']}"] if "discriminator" in row else []
        program += ["negate_stmt"] if ("s" in row["flags"]) != stmt else []
        program += [word for letter, word in (("b", "set_basic_block"), ("p", "set_prologue_end"), ("e", "set_epilogue_begin")) if letter in row["flags"]]
        program.append("end_sequence" if "E" in row["flags"] else "copy")
        line, stmt = (1, True) if "E" in row["flags"] else (int(row["line"]), "s" in row["flags"])
    return program


def prototype(header: Header, logicals: list[str], actuals: list[str] | None, functions: list[str]) -> bytes:
    """A unit of version 0xf006, `two-level.header.prototype`, with files /1 to /9."""
    head = fields(header, 16, b"\1\2\0") + b"\0\0" + b"\0\xff\xff\x7f\x7f"
    tables = b"\1\1\x08\1/\0" + b"\1\1\x08\x09" + b"".join(b"/%d\0" % number for number in range(1, 10)) + b"\1\6\x08" + uleb(len(functions)) + b"".join(name.encode() + b"\0" for name in functions)
    at = len(head) + 8 + len(tables)
    code = b"".join(map(instruction, logicals))
    body = struct.pack("<HI", 0xF006, at) + head + struct.pack("<II", at, at + len(code) if actuals is not None else 0) + tables + code + b"".join(map(instruction, actuals or []))
    return struct.pack("<I", len(body)) + body


def bytes_of(parts: list[str]) -> bytes:
    """Two hexadecimal digits a byte, or text between single quotes."""
    return b"".join(quoted.encode() if not pair else bytes([int(pair, 16)]) for quoted, pair in re.findall(r"'([^']*)'|([0-9a-f]{2})", " ".join(parts)))


def object_of(sections: dict[str, bytes], machine: int = 62, kind: int = 1) -> bytes:
    """An ELF file with these sections, a relocatable one or, of kind 2, an executable."""
    sections = {**sections, ".shstrtab": b""}
    names, body, heads = b"\0", b"", [bytes(64)]
    places = {}
    for name in sections:
        places[name] = len(names)
        names += name.encode() + b"\0"
    for name, content in {**sections, ".shstrtab": names}.items():
        heads.append(struct.pack("<IIQQQQIIQQ", places[name], 3 if name == ".shstrtab" else 1, 0, 0, 64 + len(body), len(content), 0, 0, 1, 0))
        body += content
    header = struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, len(heads), len(heads) - 1)
    return b"\x7fELF\2\1\1" + bytes(9) + header + body + b"".join(heads)


def compile_unit(low: int = 0, high: int = (1 << 64) - 1) -> dict[str, bytes]:
    """.debug_info of one unit in the folder / with these addresses, whose line table begins at 0."""
    body = struct.pack("<HIB", 4, 0, 8) + b"\1" + struct.pack("<I", 0) + b"u\0/\0" + struct.pack("<QQ", low, high)
    return {".debug_info": struct.pack("<I", len(body)) + body, ".debug_abbrev": bytes([1, 0x11, 0, 0x10, 0x17, 3, 8, 0x1B, 8, 0x11, 1, 0x12, 1, 0, 0, 0])}
