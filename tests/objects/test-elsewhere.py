#!/usr/bin/env python3
"""usage: tests/objects/test-elsewhere.py

Debugging information that stands in another file, or in another form: split DWARF, .dwp, files of debug links and build IDs, dwz, zstd. dloc reads what libdw and
libelf read, and answers as it does for the program of one file; otherwise it names the file that is missing. `dloc reveal` refuses what it would leave half done.
The drop-in builds the programs, in DWARF 4 and 5. Environment: DLOC (default build/dloc)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
sys.dont_write_bytecode = True
from common import DLOC, Results  # noqa: E402

LLVM = "/usr/lib/llvm-22/bin"
CLANG = os.path.join(ROOT, "tools", "drop-in", "clang")
PROGRAM = {
    "one.c": "struct pair { int x, y; };\nstatic inline int sum(struct pair p) { return p.x * 3 + p.y; }\nint use(struct pair p, int n) {\n"
    "  int s = 0;\n  for (int i = 0; i < n; i++)\n    s ^= sum((struct pair){p.x + s, i});\n  return s;\n}\n",
    "two.c": "struct pair { int x, y; };\nint use(struct pair p, int n);\nint main(int count, char **words) {\n  struct pair p = {count, words != 0};\n  return use(p, 4) < 0;\n}\n",
}


def run(*words, status=0, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == status, f"{words}: exit status {done.returncode}, not {status}: {done.stdout[-300:]}{done.stderr[-600:]}"
    return done


def tool(name, *words, **more):
    return run(os.path.join(LLVM, name), *words, **more)


class Programs:
    """A program of two units in a folder; each check makes what it needs of it."""

    def __init__(self, version):
        self.version, self.folder = version, tempfile.mkdtemp(prefix="dloc-elsewhere-")
        for name, text in PROGRAM.items():
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        self.whole = self.build("whole")
        symbols = [words for words in map(str.split, tool("llvm-nm", "-S", self.whole).stdout.splitlines()) if words[-1] in ("use", "main")]
        self.addresses = [hex(at) for start, size, *_ in symbols for at in range(int(start, 16), int(start, 16) + int(size, 16))]
        self.answer = self.ask(self.whole)[0]
        assert "sum" in self.answer and "llvm: " in self.answer, self.answer[:300]

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, *options, compiler=CLANG, link=("-Wl,--build-id",), mode="exact"):
        """Every program has the same code at the same addresses."""
        objects = []
        for unit in PROGRAM:
            objects.append(self.path(f"{name}-{unit[:-2]}.o"))
            environment = {**os.environ, "DLOC": DLOC, "DLOC_LLVM": LLVM, "DLOC_MODE": mode}
            run(compiler, f"-gdwarf-{self.version}", "-O1", *options, "-c", unit, "-o", objects[-1], cwd=self.folder, env=environment)
        tool("clang", *objects, "-fuse-ld=lld", *link, "-o", self.path(name), cwd=self.folder)
        return self.path(name)

    def ask(self, program, *statuses):
        done = subprocess.run([DLOC, "symbolize", program, *self.addresses], capture_output=True, text=True, check=False)
        assert done.returncode in (statuses or (0,)), f"exit status {done.returncode}: {done.stderr}"
        text = re.sub(r"!\d+", "", done.stdout)  # other options make another text with other numbers of metadata
        return text, done.stderr

    def copy(self, name):
        return shutil.copy(self.whole, self.path(name))


# ---- Checks --------------------------------------------------------------------------------------------------------------------


def split(p):
    """.dwo files are the compiler's own, and read. Without one, it is named, and the lines and layers stay; so with a .dwp."""
    names = [f"split-{unit[:-2]}.dwo" for unit in PROGRAM]
    p.build("alone", "-gsplit-dwarf", compiler=os.path.join(LLVM, "clang"))
    alone = {name: open(p.path(name.replace("split", "alone")), "rb").read() for name in names}
    program = p.build("split", "-gsplit-dwarf")
    for name, content in alone.items():
        mine = open(p.path(name), "rb").read().replace(b"split-", b"alone-")
        same = [re.sub(rb"DWO_id = \w+|dwo_id\s+\(\w+\)", b"", tool("llvm-dwarfdump", "-", input=each.decode("latin-1"), encoding="latin-1").stdout.encode()) for each in (mine, content)]
        assert same[0] == same[1], f"{name} is not clang's"
    assert p.ask(program) == (p.answer, ""), "split"
    p.build("fast", "-gsplit-dwarf", mode="fast")
    numbers = re.findall(r"(?:discriminator|call_line)\s+\((\w+)\)", "".join(tool("llvm-dwarfdump", p.path(f"fast-{unit[:-2]}.dwo")).stdout for unit in PROGRAM))
    assert numbers and all(int(number, 0) < 100 for number in numbers), f"DLOC_MODE=fast leaves numbers in the .dwo file: {numbers}"
    tool("llvm-dwp", "-e", program, "-o", program + ".dwp", cwd=p.folder)
    for name in names:
        os.rename(p.path(name), p.path(name + ".away"))
    told, errors = p.ask(program)
    assert all(f"a file with DIEs is not there: {p.path(name)} (and {program}.dwp is not read) [stack.split]" in errors for name in names), errors
    os.remove(program + ".dwp")
    errors = p.ask(program)[1]
    assert all(f"a file with DIEs is not there: {p.path(name)} [stack.split]" in errors for name in names), errors
    layers = [[line for line in text.splitlines() if line.startswith("llvm: ")] for text in (told, p.answer)]
    assert layers[0] == layers[1] and "one.c:6" in told and "sum" not in told, told[:300]
    run(DLOC, "select", program, "--layer", "llvm", "-o", program + ".llvm")
    for name in names:
        os.rename(p.path(name + ".away"), p.path(name))
    tool("llvm-dwarfdump", "--verify", "--debug-line", program + ".llvm")


def joined(p):
    """A .dwp has units of several modules, and reveal one table."""
    tool("clang", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "one.c", "-o", "one.ll", cwd=p.folder)
    run(DLOC, "annotate", "--layer", "LLVM", "--embed", p.path("one.ll"), "-o", p.path("layered.ll"))
    run(DLOC, "hide", p.path("layered.ll"), "--table", p.path("table"), "-o", p.path("hidden.ll"))
    tool("llc", "-filetype=obj", "-split-dwarf-file=h.dwo", "-split-dwarf-output=h.dwo", "hidden.ll", "-o", "hidden.o", cwd=p.folder)
    tool("llvm-dwp", "h.dwo", "-o", "h.dwp", cwd=p.folder)
    errors = run(DLOC, "reveal", "--fast", p.path("hidden.o"), "--table", p.path("table"), "-o", p.path("out.o")).stderr
    assert "its .dwo file has numbers, too: reveal that file as well" in errors, errors
    run(DLOC, "reveal", "--fast", p.path("h.dwo"), "--table", p.path("table"), "-o", p.path("out.dwo"))
    errors = run(DLOC, "reveal", "--fast", p.path("h.dwp"), "--table", p.path("table"), "-o", p.path("out.dwp"), status=2).stderr
    assert "reveal each .dwo" in errors and not os.path.exists(p.path("out.dwp")), errors


def linked_to(p):
    """The file of a debug link, or of a build ID, is named, and answers when it is asked itself."""
    stripped, debug = p.copy("stripped"), p.path("whole.debug")
    run("objcopy", "--only-keep-debug", p.whole, debug)
    run("strip", "-g", stripped)
    identity = re.search(r"Build ID: (\w\w)(\w+)", run("readelf", "-n", stripped).stdout)
    for name, status in ((f"/usr/lib/debug/.build-id/{identity[1]}/{identity[2]}.debug, if", 2), ("whole.debug\n", 2)):
        words = "debugging information of this file is elsewhere: ask " + name
        assert words in p.ask(stripped, status)[1], p.ask(stripped, status)
        assert words in run(DLOC, "select", stripped, "--layer", "llvm", "-o", p.path("out"), status=1).stderr
        assert words in run(DLOC, "lines", stripped).stderr
        run("objcopy", f"--add-gnu-debuglink={debug}", stripped)
    bare = p.build("bare", compiler=os.path.join(LLVM, "clang"))
    assert "is elsewhere" not in run(DLOC, "select", bare, "--layer", "llvm", "-o", p.path("out"), status=1).stderr, "it is here"
    assert p.ask(debug) == (p.answer, ""), "the file of debugging information"


def shared(p):
    """dwz's file for several programs is read where libdw finds it, and named where not. dwz refuses programs with layers."""
    refused = run("dwz", p.copy("refused"), status=1 if p.version else 0).stderr
    assert "Unknown debugging section" in refused and open(p.path("refused"), "rb").read() == open(p.whole, "rb").read(), refused
    if p.version == 5:
        return  # dwz 0.15 does not know what clang writes
    for name, link in (("relative.debug", ()), (p.path("absolute.debug"), ("-M", p.path("absolute.debug")))):
        programs = [p.build(f"dwz{number}", f"-DN={number}", compiler=os.path.join(LLVM, "clang"), link=()) for number in (1, 2)]
        before = p.ask(programs[0])[0]
        run("dwz", "-m", name, *link, *programs, cwd=p.folder)
        assert os.path.exists(p.path(name)), "dwz shared nothing"
        after, errors = p.ask(programs[0], *(0,) if link else (0, 1))
        assert (after == before and not errors) if link else f"a file with DIEs is not there: {name} [stack.split]" in errors, (after[:300], errors)


def compressed(p):
    """zlib is read; zstd, too, where libelf knows it. Otherwise the section is named."""
    built = p.build("built", "-gz=zstd", "-gpubnames", "-g3")
    assert "ZSTD" in tool("llvm-readelf", "-t", p.path("built-one.o")).stdout, "clang compresses nothing"
    assert p.ask(built) == (p.answer, ""), "an object that clang compresses gets its layers"
    for method in ("zlib", "zstd"):
        program = p.path(method)
        tool("llvm-objcopy", f"--compress-debug-sections={method}", p.whole, program)
        told, errors = p.ask(program, 0, *[2] * (method == "zstd"))
        refused = re.search(r"section \.\S+: this libelf cannot decompress it; if it is zstd, .* \[object\.compressed\]", errors)
        assert (told, errors) == (p.answer, "") or (method == "zstd" and refused), (told[:300], errors)
        tool("llvm-objcopy", "--decompress-debug-sections", program, program)
        assert p.ask(program) == (p.answer, ""), method


def main():
    results = Results()
    for version in (4, 5):
        p = Programs(version)
        for check in (split, joined, linked_to, shared, compressed):
            results.attempt(f"DWARF {version}, {check.__name__}", check, p)
        shutil.rmtree(p.folder)
    results.finish()


main()
