"""Files in PTX for `dloc emit --check`: what cannot be read, and what is very long or very deep."""

import os

from big import MILLION, numbered, write
from process import Run
from small import said

HEAD = ".version 9.4\n"
BODY = ".func f()\n{\n"
BLOCK = '.file 1 "a"\n.nv_intermediate_source_section {\n.code_block {\n.ir_name: "TileIR"\n.sourceFileName: 1\n'
SIZE = 100_000_000

# name, pieces, exit status, what is said
TEXTS = [
    ("a version", [HEAD], 0, None),
    ("a NUL", [HEAD, "\0"], 2, "text.encoding"),
    ("a NUL in a string", [HEAD, '.file 1 "a\0b"\n'], 0, None),
    ("a letter beyond ASCII", [HEAD, "é\n"], 2, "text.encoding"),
    ("bytes of a program", [HEAD, "\x7fELF\x02\x01"], 2, "text.encoding"),
    ("words", [HEAD, "a b c\n"], 2, "text.syntax"),
    ("a quote that is not closed", [HEAD, '.file 1 "a\n'], 2, "text.truncated"),
    ("a backslash at the end", [HEAD, '.file 1 "a\\'], 2, "text.truncated"),
    ("a comment that is not closed", [HEAD, "/* a"], 2, "text.truncated"),
    ("a function that is not closed", [HEAD, BODY, "ret;\n"], 2, "text.truncated"),
    ("an instruction that is not closed", [HEAD, BODY, "ret\n"], 2, "text.truncated"),
    ("a brace too many", [HEAD, BODY, "ret;\n}\n}\n"], 2, "text.syntax"),
    ("half a place", [HEAD, BODY, ".loc 1 2\nret;\n}\n"], 2, "text.syntax"),
    ("a number of 33 bits", [HEAD, BODY, ".loc 1 4294967296 1\n"], 2, "text.limit"),
    ("a number below 0", [HEAD, BODY, ".loc 1 -1 1\n"], 2, "text.syntax"),
    ("a block that is not closed", [HEAD, BLOCK], 2, "text.truncated"),
    ("a block of something", [HEAD, BLOCK, ".a: 1\n"], 2, "text.syntax"),
    ("a text that is not closed", [HEAD, BLOCK, ".source_begin\na\n"], 1, "ptx.text.pair"),
    ("a text in angles that is not closed", [HEAD, BLOCK, ".source: <<< a >> >"], 2, "text.truncated"),
]

BIG = [
    ("a word", [HEAD, ".", ("a", SIZE)], 2, "text.truncated"),
    ("blanks", [HEAD, (" ", SIZE)], 0, None),
    ("a comment of stars", ["/*", ("*", SIZE)], 2, "text.truncated"),
    ("a number", [HEAD, ".file ", ("1", SIZE // 4)], 2, "text.limit"),
    ("a string", [HEAD, '.file 1 "', ("\\1", SIZE // 4), '"\n'], 0, None),
    ("a string that is not closed", [HEAD, '.file 1 "', ("a", SIZE)], 2, "text.truncated"),
    ("an instruction", [HEAD, BODY, ("a ", SIZE // 4), ";\n}\n"], 0, None),
    ("a text", [HEAD, BLOCK, ".source_begin\n", ("a\n", SIZE // 4), ".source_end\n}\n}\n"], 0, None),
    ("a text of end marks", [HEAD, BLOCK, ".source_begin\n", (".source_end\na\n", SIZE // 40), ".source_end\n}\n}\n"], 1, "ptx.text.end"),
    ("a text of half end marks", [HEAD, BLOCK, ".source_begin\n", (".source_end a\n", SIZE // 40)], 1, "ptx.text.pair"),
    ("a text of angles", [HEAD, BLOCK, ".source: <<<", (">> ", SIZE // 4)], 2, "text.truncated"),
    ("braces", [HEAD, BODY, ("{", MILLION), ("}", MILLION), "}\n"], 0, None),
    ("braces that are not closed", [HEAD, BODY, ("{", MILLION)], 2, "text.truncated"),
    ("braces of a section", [HEAD, ".section .a ", ("{", MILLION), ("}", MILLION)], 0, None),
    ("places", [HEAD, BODY, (".loc 1 2 3\nret;\n", MILLION), '}\n.file 1 "a"\n'], 0, None),
    ("files", [HEAD, numbered(lambda n: f'.file {n} "a{n}"\n', 1, MILLION)], 0, None),
    ("unknown files", [HEAD, BODY, numbered(lambda n: f".loc {n} 1 1\nret;\n", 1, MILLION // 20), "}\n"], 1, "ptx.file"),
    ("layers alone", [HEAD, BODY, (".loc_intermediate 1 2 3\nret;\n", MILLION // 20), "}\n"], 1, "ptx.layer.behind"),
    ("layers in one line", [HEAD, BODY, (".loc_intermediate 1 2 3 ", MILLION), "\nret;\n}\n"], 1, "ptx.layer"),
    ("blocks", [BLOCK, "}\n", (".code_block {\n}\n", MILLION // 20), "}\n"], 1, "ptx.block.parts"),
]


def check(folder, texts):
    path = os.path.join(folder, "input.ptx")
    with open(os.path.join(folder, "module.ll"), "w", encoding="utf-8") as file:
        file.write("!llvm.a = !{}\n")
    for name, pieces, status, words in texts:
        size = write(path, pieces)
        for more in ([], ["--against", os.path.join(folder, "module.ll")]):
            run = Run(["emit", "--check", "ptx-9.4", path, *more], folder, limit=60)
            # Functions and texts are not those of the module.
            statuses = (status,) if not more or status else (0, 1)
            problem = run.complaint(statuses, single=status == 2, silent=not more) or run.excess(2 + size / 5e6, (96 << 20) + 6 * size)
            yield f"PTX, {name}{', against a module' if more else ''}", problem or said(run, words)


def small_texts(folder):
    return check(folder, TEXTS)


def big_texts(folder, first):
    return check(folder, BIG[first : first + 1])
