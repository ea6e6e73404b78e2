#!/usr/bin/env python3
"""usage: tests/objects/test-edit.py few|all

Relocatable files that are changed, beside what other programs say of them: an object of which nothing is changed stays as it is, byte for byte; one
with a copy of its .debug_line under another name, and texts in COMDAT groups, has the symbols, relocations and groups that it had, the copy tells the
rows of the original, and four linkers link it, with one of each text. Machines of both classes and byte orders, with SHT_REL and SHT_RELA,
compressed sections, more sections than 16 bits count. Environment: BUILD (default build)."""

import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
LLVM = "/usr/lib/llvm-22/bin"
TEXT = b"a text\nof two lines\n"
SOURCE = """
static inline int g(int x) { return x * 3; }
int h(int), f(int);
#ifdef MAIN
int h(int x) { return x - 1; }
int main(void) { return f(1); }
#else
int f(int x) { if (x > 3) return h(g(x)); return g(h(x)); }
int (*pointers[])(int) = {f, h};
#endif
"""
FEW = ["clang-22 -O1", "gcc -O1 -ffunction-sections", "clang-14 --target=i386-linux-gnu", "clang-22 --target=s390x-linux-gnu", "clang-22 -gz"]
ALL = FEW + [
    "clang-14 -O1", "clang-19 -O1 -gdwarf-4", "clang-22 -gdwarf64", "clang-19 -gsplit-dwarf=single", "clang-14 -gz=zlib", "gcc -gz",
    "clang-22 --target=aarch64-linux-gnu", "clang-22 --target=mips64el-linux-gnu", "clang-19 --target=mips-linux-gnu",
    "clang-22 --target=armv7-linux-gnueabi", "clang-22 --target=riscv64-linux-gnu", "clang-22 --target=riscv32-linux-gnu -mno-relax",
    "clang-22 --target=powerpc64-linux-gnu", "clang-22 --target=powerpc-linux-gnu",
]  # fmt: skip
LINKERS = ["bfd", "gold", "lld", "mold"]


def run(*command, **options):
    """What a command prints; it must have nothing to complain of."""
    done = subprocess.run(command, capture_output=True, timeout=120, **options)
    if done.returncode or done.stderr:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode(errors='replace')[:400]}")
    return done.stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def section(path, name):
    out = path + ".section"
    run(f"{LLVM}/llvm-objcopy", f"--dump-section={name}={out}", path, os.devnull)
    return read(out)


def relocations(path):
    """By section; symbols by name."""
    found, name = {}, None
    for line in run(f"{LLVM}/llvm-readobj", "-r", path).decode().splitlines():
        if line.startswith("  Section"):
            name = line.split(") ")[1].split(" {")[0]
            found[name] = []
        elif name and line.startswith("    "):
            found[name].append(line)
    return found


def symbols(path):
    lines = run(f"{LLVM}/llvm-readelf", "-sW", path).decode().splitlines()
    return [line.split(":", 1)[1] for line in lines if ": " in line and not line.startswith("Symbol")]


def signatures(path):
    lines = run(f"{LLVM}/llvm-readelf", "-gW", path).decode().splitlines()
    return [line.split("[")[2].split("]")[0] for line in lines if line.startswith("COMDAT group")]


def rows(path):
    return run(f"{LLVM}/llvm-dwarfdump", "--debug-line", path).decode().split(".debug_line contents:")[1]


class Tests:
    def __init__(self, scratch):
        self.scratch = scratch
        self.passed = self.failed = 0
        self.edited = self.path("edited")
        compiler = [os.environ.get("CC", "gcc"), *os.environ.get("CFLAGS", "").split()]  # the library may need the runtime of a sanitizer
        run(*compiler, "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/model", f"-I{BUILD}/gen", "-o", self.edited,
            f"{ROOT}/tests/objects/edited.c", f"{BUILD}/libdloc-objects.a", f"{BUILD}/libdloc.a", "-lmd", "-ldw", "-lelf")  # fmt: skip

    def path(self, name):
        return os.path.join(self.scratch, name)

    def check(self, name, test, *arguments):
        try:
            test(*arguments)
            self.passed += 1
        except (AssertionError, subprocess.TimeoutExpired) as error:
            print(f"{name}: {error}")
            self.failed += 1

    def compile(self, command, *more):
        out = self.path("in.o")
        run(*command.split(), "-g", "-c", *more, "-x", "c", "-", "-o", out, input=SOURCE.encode(), cwd=self.scratch)
        return out

    def same(self, path, compressed=False):
        run(self.edited, "same", path, self.path("same.o"))
        if compressed:
            run(f"{LLVM}/llvm-objcopy", "--decompress-debug-sections", path, self.path("plain.o"))
            for name in (".debug_info", ".debug_line", ".debug_str"):
                assert section(self.path("same.o"), name) == section(self.path("plain.o"), name), f"{name} differs"
        else:
            assert read(self.path("same.o")) == read(path), "what is not changed is not the same"

    def more(self, path):
        out = self.path("more.o")
        run(self.edited, "more", path, out)
        run(f"{LLVM}/llvm-readobj", "--all", out)
        run("readelf", "-SsrgW", out)
        had, has = relocations(path), relocations(out)
        copied = has.pop(next((name for name in has if name.endswith("_test")), None), [])
        assert has == had, "relocations differ"
        assert copied == next((had[name] for name in had if name.endswith("debug_line")), []), "the copy has other relocations"
        new = [symbol for symbol in symbols(out) if ".debug_txt.test" in symbol]
        assert len(new) == 2 and all(" NOTYPE  LOCAL " in symbol for symbol in new), new
        assert [symbol for symbol in symbols(out) if symbol not in new] == symbols(path), "symbols differ"
        assert signatures(out) == signatures(path) + [".debug_txt.test.11", ".debug_txt.test.22"], signatures(out)
        assert section(out, ".debug_txt.test.22") == TEXT
        if b".llvm_addrsig" in read(path):
            self.significant(path, out)
        swapped = self.path("swapped.o")
        old = ".zdebug_line" if ".zdebug_line" in " ".join(has) else ".debug_line"
        run(f"{LLVM}/llvm-objcopy", f"--rename-section={old}=.old", "--rename-section=.debug_line_test=.debug_line", out, swapped)
        assert rows(swapped) == rows(path), "the copy has other rows"

    def significant(self, path, out):
        """LLVM's table names symbols by number."""
        listed = [run(f"{LLVM}/llvm-readobj", "--addrsig", file).decode().split("Addrsig [")[1] for file in (path, out)]
        names = [[line.split(" (")[0] for line in text.splitlines()] for text in listed]
        assert names[0] == names[1] and "  Sym: f" in names[0], names

    def link(self, linker):
        objects = []
        for number, options in enumerate([["-DMAIN"], []]):
            run(self.edited, "more", self.compile("clang-22 -O1", *options), self.path(f"{number}.o"))
            objects.append(self.path(f"{number}.o"))
        program = self.path("program")
        run("clang-22", f"-fuse-ld={linker}", *objects, "-o", program)
        assert subprocess.run([program], timeout=10).returncode == 0, "it does not run"
        assert section(program, ".debug_txt.test.11") == TEXT, "a text does not stand there once"
        assert section(program, ".debug_line_test") == section(program, ".debug_line"), "addresses differ"

    def many(self):
        """More sections than 16 bits count, and just as many as they do."""
        for count in (65200, 65275, 66000):
            source = "".join(f'.section .s{i},"a"\n.byte 0\n' for i in range(count)) + ".section .last\nlast: .globl last\n.quad last, other\n"
            run(f"{LLVM}/llvm-mc", "-g", "-filetype=obj", "-triple=x86_64-linux-gnu", "-o", self.path("many.o"), input=source.encode(), cwd=self.scratch)
            self.same(self.path("many.o"))
            out = self.path("more.o")
            run(self.edited, "more", self.path("many.o"), out)
            assert signatures(out) == [".debug_txt.test.11", ".debug_txt.test.22"]
            assert relocations(out)[".rela.last"] == relocations(self.path("many.o"))[".rela.last"]
            new = [symbol for symbol in symbols(out) if ".debug_txt.test" in symbol]
            numbers = [line for line in run("readelf", "-SW", out).decode().splitlines() if " GROUP " in line]
            assert [symbol.split()[5] for symbol in new] == [line.split("[")[1].split("]")[0].strip() for line in numbers], new
            run("ld.lld", "-r", out, "-o", self.path("linked.o"))

    def refused(self):
        """Files that cannot be changed are told: one that is linked, one with relocations of another form, one that ends early."""
        run("clang-22", self.compile("clang-22", "-DMAIN", "-Df(x)=h(x)"), "-o", self.path("program"))
        with open(self.path("short.o"), "wb") as file:
            file.write(read(self.compile("clang-22"))[:-70])
        crel = self.compile("clang-22", "-Wa,--crel,--allow-experimental-crel")
        for path, words in ((self.path("program"), "linked"), (self.path("short.o"), "section headers"), (crel, "SHT_CREL")):
            done = subprocess.run([self.edited, "same", path, os.devnull], capture_output=True, text=True, timeout=10)
            assert done.returncode == 2 and words in done.stderr, (path, done)


def main():
    if sys.argv[1:] not in (["few"], ["all"]):
        sys.exit(__doc__)
    every = sys.argv[1] == "all"
    with tempfile.TemporaryDirectory() as scratch:
        tests = Tests(scratch)
        for command in ALL if every else FEW:
            path = tests.compile(command)
            tests.check(f"{command}: same", tests.same, path, "-gz" in command)
            tests.check(f"{command}: more", tests.more, path)
        for linker in LINKERS if every else LINKERS[-1:]:
            tests.check(f"{linker}: link", tests.link, linker)
        if every:
            tests.check("many sections", tests.many)
        tests.check("refused", tests.refused)
        print(f"{tests.passed} passed, {tests.failed} failed")
        return tests.failed > 0


if __name__ == "__main__":
    sys.exit(main())
