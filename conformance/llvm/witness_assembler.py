"""The line programs that the assemblers of LLVM and GNU write (op program); see witnesses.py.

Rows become .loc directives, and what lies between them bytes without a meaning. llvm-mc or as writes the program, and llvm-dwarfdump or readelf shows its instructions. A section begins at
0, and the rows of a vector at the first address. as writes a row for an instruction, so that it gets a nop where there is room. With instructions that a linker may shorten, distances are no constants, and llvm-mc writes fixed_advance_pc for RISC-V: what the vectors call fixed.
The end of a sequence has the registers of the row before it, as no directive says otherwise."""
import os
import re
import subprocess
from typing import Any

Vector = dict[str, Any]
Row = dict[str, Any]
FLAGS = (("b", "basic_block"), ("p", "prologue_end"), ("e", "epilogue_begin"))
RELAXED = 4  # bytes of an instruction that a linker may shorten
INSTRUCTION = re.compile(r"^0x[0-9a-f]+: ([0-9a-f]{2}) (?:DW_LN[SE]_(\w+)|address \+= \d+, +line \+= (-?\d+))(?: \((?:addr \+= )?(?:(0x[0-9a-f]+)|(-?\d+)))?", re.MULTILINE)


def directives(rows: list[Row], fixed: bool, gnu: bool = False) -> str:
    """Assembly of one sequence, for llvm-mc in a section whose content nobody writes."""
    text = [f'.file {number} "{number}"' for number in range(1, max(int(row.get("file", 1)) for row in rows) + 1)]
    text.append(".text" if fixed or gnu else '.section .t,"aw",@nobits')
    for row, after in zip(rows, rows[1:]):
        words = [word for letter, word in FLAGS if letter in row["flags"]] + [f"is_stmt {int('s' in row['flags'])}"]
        words += [f"{word} {row[word]}" for word in ("isa", "discriminator") if word in row]
        between = int(after["address"]) - int(row["address"])
        text.append(f".loc {row.get('file', 1)} {row['line']} {row.get('column', 0)} {' '.join(words)}")
        if gnu:
            text += ["nop", f".skip {between - 1}"] if between else []
        else:
            text.append('.ascii ""')
            text += ["lui a0,%hi(there)", f".skip {between - RELAXED}"] if fixed and between >= RELAXED else [f".skip {between}"]
    return "\n".join(text) + "\n"


def instructions(text: str, base: int) -> list[str]:
    """The program that llvm-dwarfdump shows. It shows the line that advance_line reaches."""
    program, line = [], 1
    for opcode, word, step, wide, number in INSTRUCTION.findall(text):
        operand = int(wide, 16) if wide else int(number) if number else None
        if not word:
            line += int(step)
            program.append(f"special {int(opcode, 16)}")
        elif word == "advance_line":
            assert operand is not None
            program.append(f"advance_line {operand - line}")
            line = operand
        elif word == "set_address":
            program.append(f"set_address {base + (operand or 0)}")
        else:
            program.append(word if operand is None or word in ("const_add_pc", "negate_stmt") else f"{word} {operand}")
    return program


# Patterns of the instructions that readelf prints, and their words; an operand stands behind its word.
GNU_WORDS = [(re.compile(pattern), word) for pattern, word in (
    (r"Extended opcode 1: ", "end_sequence"), (r"Extended opcode 2: set Address to (\S+)", "set_address"), (r"Extended opcode 4: set Discriminator to (\d+)", "set_discriminator"),
    (r"Special opcode (\d+):", "special"), (r"Copy", "copy"), (r"Advance PC by constant ", "const_add_pc"), (r"Advance PC by fixed size amount (\d+) ", "fixed_advance_pc"),
    (r"Advance PC by (\d+) ", "advance_pc"), (r"Advance Line by (-?\d+) ", "advance_line"), (r"Set column to (\d+)", "set_column"), (r"Set File Name to entry (\d+)", "set_file"),
    (r"Set ISA to (\d+)", "set_isa"), (r"Set is_stmt to ", "negate_stmt"), (r"Set basic block", "set_basic_block"), (r"Set prologue_end", "set_prologue_end"),
    (r"Set epilogue_begin", "set_epilogue_begin"))]
OPCODE_BASE = 13


def gnu_instructions(text: str, base: int) -> list[str]:
    """The program that readelf shows. It counts special opcodes from opcode_base."""
    program = []
    for line in re.findall(r"^  \[0x[0-9a-f]+\]  (.*)$", text, re.MULTILINE):
        match, word = next(((match, word) for pattern, word in GNU_WORDS if (match := pattern.match(line))), (None, line))
        operand = match[1] if match and match.re.groups else None
        program.append(word if operand is None else f"{word} {int(operand, 0) + {'set_address': base, 'special': OPCODE_BASE}.get(word, 0)}")
    return program


def sequence(vector: Vector) -> list[Row] | None:
    """The rows of a vector of one sequence, whose header is what assemblers write."""
    args, rows = vector["args"], vector["args"]["rows"]
    if set(args) - {"header", "rows", "fixed"} or set(args.get("header", {})) - {"version"} or set(vector["expect"].get("value", {})) != {"program"}:
        return None
    addresses = [int(row["address"]) for row in rows]
    if len(rows) < 2 or ["E" in row["flags"] for row in rows] != [False] * (len(rows) - 1) + [True] or addresses != sorted(addresses) or any("op_index" in row for row in rows):
        return None
    return list(rows)


def output(command: list[str], text: str = "") -> str | None:
    done = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=20, check=False)
    return None if done.returncode else done.stdout


def version(vector: Vector) -> int:
    return int(vector["args"].get("header", {}).get("version", 4))


def read_program(vector: Vector, release: int, folder: str) -> bool:
    """By llvm-mc."""
    rows = sequence(vector)
    if rows is None:
        return False
    fixed = vector["args"].get("fixed", False)
    path, binaries = os.path.join(folder, "program.o"), f"/usr/lib/llvm-{release}/bin"
    target = ["-triple=riscv64", "-mattr=+relax"] if fixed else ["-triple=x86_64"]
    if output([f"{binaries}/llvm-mc", *target, f"-dwarf-version={version(vector)}", "-filetype=obj", "-o", path], directives(rows, fixed)) is None:
        return False
    shown = output([f"{binaries}/llvm-dwarfdump", "--debug-line", "-v", path]) or ""
    return bool(instructions(shown, int(rows[0]["address"])) == vector["expect"]["value"]["program"])


def read_gnu_program(vector: Vector, folder: str) -> bool:
    """By as, for x86-64. A section of many bytes is not asked for."""
    rows = sequence(vector)
    if rows is None or "fixed" in vector["args"] or int(rows[-1]["address"]) - int(rows[0]["address"]) > 1 << 20:
        return False
    path = os.path.join(folder, "program.o")
    if output(["as", "--64", f"-gdwarf-{version(vector)}", "-o", path, "-"], directives(rows, False, True)) is None:
        return False
    return bool(gnu_instructions(output(["readelf", "--debug-dump=rawline", path]) or "", int(rows[0]["address"])) == vector["expect"]["value"]["program"])
