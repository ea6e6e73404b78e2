#!/usr/bin/env python3
"""usage: layered.py [--arch x86_64|aarch64] [--dwarf 4|5] [--table .debug_line_{}] [--functions N] FOLDER

Writes a.s and b.s, two halves of a program with line tables of the layers tileir and mlir, and expected.json, what a reader should find in them.
The tables are data directives, so that they rest on no other tool: gas and llvm-mc assemble them. In the program are functions in .text, in
sections of their own, in COMDAT groups of both halves (one with a longer copy in b), without any use, and two of equal code; texts of one half,
and one that both have; a file without a text.

expected.json: "tables", the section of each kind; "texts", the content of each section of a text; "code", for each instruction with a label its
half, function, label (a local symbol), bytes, place in the source and places of the layers, null where there is none."""

import argparse
import dataclasses
import hashlib
import json
import os

KINDS = ("tileir", "mlir")
FOLDER = "/src"
SOURCE = "kernel.py"


@dataclasses.dataclass
class Function:
    name: str
    halves: str = "a"
    section: str = ".text"
    calls: tuple = ()
    twin: str = ""  # the function whose code it repeats
    alive: bool = True
    longer: str = ""  # the half whose copy has one instruction more


def functions(more):
    """_start calls what is alive, then ends the program with status 0."""
    several = [Function(f"more_{number}", halves="ab"[number % 2], section=f".text.more_{number}") for number in range(more)]
    some = [
        Function("plain"),
        Function("alone", section=".text.alone"),
        Function("both", halves="ab", section=".text.both"),
        Function("uneven", halves="ab", section=".text.uneven", longer="b"),
        Function("twin_a", section=".text.twin_a"),
        Function("twin_b", halves="b", section=".text.twin_b", twin="twin_a"),
        Function("second", halves="b"),
        Function("unused_a", section=".text.unused_a", alive=False),
        Function("unused_b", halves="b", section=".text.unused_b", alive=False),
        Function("unused_both", halves="ab", section=".text.unused_both", alive=False),
        *several,
    ]
    return [Function("_start", calls=tuple(function.name for function in some if function.alive)), *some]


class Machine:
    """The instructions, all of one size but calls and the end of the program, that the code is made of."""

    def __init__(self, arch):
        self.x86 = arch == "x86_64"
        self.unit = 1 if self.x86 else 4

    def marked(self, number):
        """An instruction that names a number, and its bytes."""
        if self.x86:
            return f"movl $0x4c{number:06x}, %eax", b"\xb8" + (0x4C000000 + number).to_bytes(4, "little")
        return f"movz w0, #{number}", (0x52800000 | number << 5).to_bytes(4, "little")

    def call(self, name):
        return f"call {name}" if self.x86 else f"bl {name}"

    def back(self, name):
        if name != "_start":
            return ["ret"]
        return ["movl $60, %eax", "xorl %edi, %edi", "syscall"] if self.x86 else ["movz x8, #93", "movz x0, #0", "svc #0"]


@dataclasses.dataclass
class Instruction:
    half: str
    function: str
    label: str
    bytes: str
    source: list
    layers: dict  # kind -> [file, line, column] or None


def text_of(half, kind):
    """Both halves have the text "shared" of the first kind."""
    lines = [f"// {kind}, {half}", f"module @{half} {{", *(f'  %{line} = "{kind}.op{line}"() : () -> i32' for line in range(3, 60)), "}"]
    return "\n".join(lines) + "\n"


def section_of(half, kind):
    return f".debug_txt.{kind}.{hashlib.md5(text_of(half, kind).encode()).hexdigest()}"


def layers_at(half, function, step):
    """By turns both layers, one of them, none; files by turns as well. Function 0 begins without layers."""
    tile_file = section_of("shared" if step % 3 == 2 else half, "tileir")
    mlir_file = f"{FOLDER}/{half}.mlir" if step % 4 == 3 else section_of(half, "mlir")
    tile = [tile_file, 3 + (function * 7 + step * 5) % 56, 1 + step] if (function + step) % 4 else None
    return {"tileir": tile, "mlir": [mlir_file, 3 + (function * 3 + step // 2) % 56, 0] if (function + step) % 5 else None}


class Half:
    """One of the two objects: its lines of assembly text."""

    def __init__(self, name, options, program):
        self.name, self.options, self.machine, self.lines, self.code, self.spans = name, options, Machine(options.arch), [], [], {}
        self.functions = [function for function in program if name in function.halves]
        self.numbers = {function.name: number for number, function in enumerate(program)}

    def put(self, *lines):
        self.lines += lines

    def function(self, function):
        name, group = function.name, f"G\",@progbits,{function.name},comdat" if len(function.halves) > 1 else '",@progbits'
        number = self.numbers[name]
        self.put(f'.section {function.section},"ax{group}', f".globl {name}" if len(function.halves) == 1 else f".weak {name}")
        self.put(*([] if name == "_start" else [f".hidden {name}"]), f".type {name},@function", f"{name}:")
        if function.section not in self.spans:
            self.put(f".Lbegin{function.section}:")
        self.spans.setdefault(function.section, []).append(name)
        marks = self.numbers[function.twin or name] * 16
        half = "shared" if len(function.halves) > 1 else self.name  # the copies of a group have equal layers
        for step in range((9 if name == "_start" else 5 + self.numbers[function.twin or name] % 4) + (self.name == function.longer)):
            line, column, label = number * 10 + step + 1, step + 2, f"{name}_{step}"
            text, code = self.machine.marked(marks + step)
            self.put(f".loc 1 {line} {column}", f"{label}:", f".L{label}:", f"  {text}")
            self.code.append(Instruction(self.name, name, label, code.hex(), [f"{FOLDER}/{SOURCE}", line, column], layers_at(half, number, step)))
        calls = [self.machine.call(called) for called in function.calls]
        self.put(*(f"  {line}" for line in calls + self.machine.back(name)), f".Lend.{name}:", f".size {name}, .-{name}")

    def entries(self, kind):
        """The files of the kind's table, in order of use."""
        places = [instruction.layers[kind] for instruction in self.code]
        return list(dict.fromkeys(place[0] for place in places if place))

    def table(self, kind):
        """A line table of a unit: each row is an address and a place; the place of no layer has line 0."""
        five, files = self.options.dwarf == 5, self.entries(kind)
        first = 0 if five else 1
        self.put(f'.section {self.options.table.format(kind)},"",@progbits', f".4byte .Lend_{kind}-.Lbegin_{kind}")
        self.put(f".Lbegin_{kind}: .2byte {self.options.dwarf}", *([".byte 8, 0"] if five else []))
        self.put(f".4byte .Lprogram_{kind}-.Lheader_{kind}", f".Lheader_{kind}: .byte {self.machine.unit}, 1, 1, 0xfb, 14, 13")
        self.put(".byte 0,1,1,1,1,0,0,0,1,0,0,1")
        names = [(os.path.basename(file), 1) if file.startswith("/") else (file, 0) for file in files]
        if five:  # directory 0 is empty, as a section has none; a file has a path, a directory, and the MD5 of its text
            self.put(".byte 1, 1, 8, 2", '.asciz ""', f'.asciz "{FOLDER}"', f".byte 3, 1, 8, 2, 11, 5, 30, {len(files)}")
            for name, directory in names:
                md5 = bytes.fromhex(name[-32:]) if not directory else hashlib.md5(name.encode()).digest()
                self.put(f'.asciz "{name}"', f".byte {directory}", ".byte " + ",".join(map(str, md5)))
        else:
            self.put(f'.asciz "{FOLDER}"', ".byte 0", *(f'.asciz "{name}"\n.byte {directory}, 0, 0' for name, directory in names), ".byte 0")
        self.put(f".Lprogram_{kind}:")
        for section, within in self.spans.items():
            self.sequence(kind, files, first, section, [instruction for instruction in self.code if instruction.function in within])
        self.put(f".Lend_{kind}:")

    def sequence(self, kind, files, first, section, code):
        """Every third row sets its address by a relocation, the others count on from the row before."""
        before = None
        for number, instruction in enumerate(code):
            place = instruction.layers[kind]
            if number % 3 == 0:
                self.put(".byte 0, 9, 2", f".8byte .L{instruction.label}")
            else:
                self.put(f".byte 9\n.2byte .L{instruction.label}-.L{code[number - 1].label}")
            file, line, column = (files.index(place[0]) + first, place[1], place[2]) if place else (first, 0, 0)
            old_file, old_line, old_column = before or (1, 1, 0)
            self.put(*([f".byte 4\n.uleb128 {file}"] if file != old_file else []), *([f".byte 5\n.uleb128 {column}"] if column != old_column else []))
            self.put(*([f".byte 3\n.sleb128 {line - old_line}"] if line != old_line else []), ".byte 1")
            before = (file, line, column)
        last = code[-1]
        self.put(f".byte 9\n.2byte .Lend.{last.function}-.L{last.label}", ".byte 0, 1, 1")

    def information(self):
        """A unit of DWARF with a subprogram for each function, ranges and aranges."""
        five, spans = self.options.dwarf == 5, [(f".Lbegin{section}", f".Lend.{within[-1]}") for section, within in self.spans.items()]
        self.put('.section .debug_abbrev,"",@progbits', ".byte 1,0x11,1, 0x03,0x08, 0x1b,0x08, 0x10,0x17, 0x11,0x01, 0x55,0x17, 0,0")
        self.put(".byte 2,0x2e,0, 0x03,0x08, 0x3a,0x0b, 0x3b,0x05, 0x11,0x01, 0x12,0x06, 0x3f,0x19, 0,0, 0")
        self.put('.section .debug_info,"",@progbits', ".Lunit: .4byte .Lunit_end-.Lunit_begin", f".Lunit_begin: .2byte {self.options.dwarf}")
        self.put(".byte 1, 8\n.4byte .debug_abbrev" if five else ".4byte .debug_abbrev\n.byte 8")
        self.put(".byte 1", f'.asciz "{SOURCE}"\n.asciz "{FOLDER}"', ".4byte .debug_line\n.8byte 0\n.4byte .Lranges")
        for function in self.functions:
            name = function.name
            self.put(f'.byte 2\n.asciz "{name}"\n.byte 1\n.2byte {self.numbers[name] * 10}', f".8byte .L{name}_0\n.4byte .Lend.{name}-.L{name}_0")
        self.put(".byte 0", ".Lunit_end:")
        if five:
            self.put('.section .debug_rnglists,"",@progbits', ".4byte .Lranges_end-.Lranges_begin")
            self.put(".Lranges_begin: .2byte 5\n.byte 8, 0\n.4byte 0", ".Lranges:")
            self.put(*(f".byte 7\n.8byte {begin}\n.uleb128 {end}-{begin}" for begin, end in spans), ".byte 0", ".Lranges_end:")
        else:
            self.put('.section .debug_ranges,"",@progbits', ".Lranges:", *(f".8byte {begin}, {end}" for begin, end in spans), ".8byte 0, 0")
        self.put('.section .debug_aranges,"",@progbits', f".4byte {12 + 16 * len(spans) + 16}", ".2byte 2\n.4byte .Lunit\n.byte 8, 0\n.4byte 0")
        self.put(*(f".8byte {begin}, {end}-{begin}" for begin, end in spans), ".8byte 0, 0")

    def write(self):
        self.put(f'.file 0 "{FOLDER}" "{SOURCE}"' if self.options.dwarf == 5 else "", f'.file 1 "{FOLDER}/{SOURCE}"')
        for function in self.functions:
            self.function(function)
        self.information()
        self.put('.section .debug_line,"",@progbits')
        for kind in self.options.kinds:
            self.table(kind)
        texts = {}
        for kind in self.options.kinds:
            used = self.entries(kind)
            for half in (self.name, "shared"):
                if section_of(half, kind) in used:
                    texts[section_of(half, kind)] = text = text_of(half, kind)
                    signature = section_of(half, kind)[0 if self.options.nameless else 1 :]
                    self.put(f'.section {section_of(half, kind)},"G",@progbits,{signature},comdat')
                    self.put(*(f".ascii {json.dumps(line)}" for line in text.splitlines(keepends=True)))
        self.put('.section .note.GNU-stack,"",@progbits')
        return texts


def write(folder, arch="x86_64", dwarf=5, table=".debug_line_{}", more=0, kinds=KINDS, nameless=False):
    """a.s, b.s and expected.json in the folder; what expected.json has. nameless: signatures of groups are called like the section, whose symbol an
    assembler takes for them then, and it has no name."""
    options, texts, code = argparse.Namespace(arch=arch, dwarf=dwarf, table=table, kinds=kinds, nameless=nameless), {}, []
    os.makedirs(folder, exist_ok=True)
    for name in "ab":
        half = Half(name, options, functions(more))
        texts.update(half.write())
        code += [dataclasses.asdict(instruction) for instruction in half.code]
        with open(os.path.join(folder, f"{name}.s"), "w") as file:
            file.write("\n".join(line for line in half.lines if line) + "\n")
    expected = {"tables": {kind: table.format(kind) for kind in kinds}, "texts": texts, "code": code}
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file, indent=1)
    return expected


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][len("usage: ") :])
    parser.add_argument("--arch", choices=("x86_64", "aarch64"), default="x86_64")
    parser.add_argument("--dwarf", type=int, choices=(4, 5), default=5)
    parser.add_argument("--table", default=".debug_line_{}")
    parser.add_argument("--functions", type=int, default=0, help="so many more functions")
    parser.add_argument("folder")
    options = parser.parse_args()
    write(options.folder, options.arch, options.dwarf, options.table, options.functions)


if __name__ == "__main__":
    main()
