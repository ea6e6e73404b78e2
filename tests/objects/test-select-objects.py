#!/usr/bin/env python3
"""usage: tests/objects/test-select-objects.py [all]

`dloc select` of relocatable objects, which tools/drop-in/clang makes of two sources. Linked, and joined by -r, they have the table that `dloc select` gives to the same
link of the objects before, by llvm-dwarfdump: each row, file and directory, each DW_AT_stmt_list, and nothing that --verify minds. So relocations lead where they should, by
lld. gdb lists the text for an object alone, and `--layer source` gives back the object. An object that a linker may shorten is refused. all: other machines and forms. Environment: DLOC (default build/dloc)."""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
sys.dont_write_bytecode = True
from common import DLOC, Results  # noqa: E402

LLVM = "/usr/lib/llvm-22/bin"
SOURCES = {
    "one.c": "static int g(int a) { return a * 3 + 1; }\nint f(int *p, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += g(p[i]);\n  return s;\n}\n"
    "int h(int x) {\n  if (x > 3)\n    return f(&x, 1);\n  return g(x) - 2;\n}\n",
    "two.c": "int f(int *p, int n);\n__attribute__((noinline)) static int k(int a) { return a / 7; }\nint start(int x) { return f(&x, 1) + k(x); }\n",
}
X86, SECTIONS = "x86_64-linux-gnu", "-ffunction-sections"
FEW = [(X86, SECTIONS), ("i386-linux-gnu", SECTIONS)]  # addends that stand in the relocations, and in the section
ALL = [(X86,), (X86, SECTIONS, "-gdwarf-4"), (X86, "-gz"), (X86, "-gsplit-dwarf"), (X86, "-g3", "-fdebug-macro"), (X86, "-fdebug-types-section"), (X86, "-gdwarf64"),
       ("aarch64-linux-gnu", SECTIONS), ("armv7-linux-gnueabihf", SECTIONS), ("riscv64-linux-gnu", "-mno-relax"), ("s390x-linux-gnu", SECTIONS),
       ("mips64el-linux-gnuabi64",), ("powerpc64le-linux-gnu", SECTIONS)]  # fmt: skip


def run(*words, folder, **more):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120, check=False, **more)
    assert done.returncode == 0, f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout[-300:]}{done.stderr[-600:]}"
    return done.stdout


def select(path, layer, out, folder):
    run(DLOC, "select", path, "--layer", layer, "-o", out, "--texts", "texts", folder=folder)


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def said(path, folder):
    """The words of llvm-dwarfdump, without the name of the file."""
    lines = run(f"{LLVM}/llvm-dwarfdump", "--debug-line", path, folder=folder).splitlines()
    lines += [line for line in run(f"{LLVM}/llvm-dwarfdump", "--debug-info", path, folder=folder).splitlines() if "stmt_list" in line]
    run(f"{LLVM}/llvm-dwarfdump", "--verify", path, folder=folder)
    return [line for line in lines if "file format" not in line]


def check(target, *options):
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DLOC": DLOC, "DLOC_LLVM": LLVM}
        for name, text in SOURCES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            run(os.path.join(ROOT, "tools/drop-in/clang"), f"--target={target}", "-O2", "-g", *options, "-c", name, "-o", name + ".o", folder=folder, env=environment)
            select(name + ".o", "llvm", name + ".selected.o", folder)
            select(name + ".selected.o", "source", "back", folder)
            assert read(folder, "back") == read(folder, name + ".o"), "--layer source gives another object"
        rows = 0
        for how in ([], ["-r"]):
            link = [f"{LLVM}/ld.lld", *how, "-e", "0", "-o"]
            run(*link, "linked", *(name + ".o" for name in SOURCES), folder=folder)
            run(*link, "made", *(name + ".selected.o" for name in SOURCES), folder=folder)
            select("linked", "llvm", "expected", folder)
            expected, made = said("expected", folder), said("made", folder)
            assert expected == made, "\n".join(line for line in made if line not in expected)[:600]
            assert any("one.c.ll" in line for line in made), "no text among the files"
            rows = sum(line.startswith("0x") for line in made)
        assert rows > 15, rows
        if target == X86:
            listed = run("gdb", "-nx", "-batch", "-ex", "list h", "one.c.selected.o", folder=folder)
            assert "icmp sgt i32 %4, 3" in listed, listed
    return f"{rows} rows"


def relaxed():
    """An object of RISC-V, whose distances the linker makes, with a table of a layer from one where it does not."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "two.c"), "w", encoding="utf-8") as file:
            file.write(SOURCES["two.c"])
        for name, option in (("fixed", "-mno-relax"), ("relaxed", "-mrelax")):
            run(f"{LLVM}/clang", "--target=riscv64-linux-gnu", "-O2", "-g", option, "-c", "two.c", "-o", name, folder=folder)
        run(f"{LLVM}/llvm-objcopy", "--dump-section", ".debug_line=table", "fixed", folder=folder)
        run(f"{LLVM}/llvm-objcopy", "--add-section", ".debug_line_llvm=table", "relaxed", folder=folder)
        done = subprocess.run([DLOC, "select", "relaxed", "--layer", "llvm", "-o", "out"], cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("[object.relaxed]"), os.path.exists(os.path.join(folder, "out"))) == (1, 1, False), done
    return "refused"


def main():
    results = Results()
    results.attempt("a relaxed object", relaxed)
    for case in FEW + (ALL if "all" in sys.argv[1:] else []):
        results.attempt(" ".join(case), check, *case)
    results.finish()


main()
