#!/usr/bin/env python3
"""usage: tests/builds/run.py [few] [--llvm N] [NAME...]

Real programs, from Debian's source packages, built three times in one folder by what their own build system does: by clang, and by tools/drop-in/clang, which is named in
one variable, in both modes. Then, for all objects, programs and libraries that both made:
- all sections are the same, byte for byte, and relocations name the same symbols: code, data, line table and DIEs of the source (with DLOC_MODE=fast all that is
  no debug information);
- each row of a layer stands for an instruction of the module that clang has before its passes, at the very place, by the module's own metadata, that the
  source's table gives to the address: file, line and column;
- the program's own tests pass, where it has some.
decode.py reads the tables. few: two small ones; no name: all. Prints a row of PRODUCERS.md's table for each. Environment: DLOC (default build/dloc)."""

import argparse
import collections
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests", "real"), os.path.join(ROOT, "tests", "linkers"), os.path.join(ROOT, "tests", "bad-input"), HERE]
sys.dont_write_bytecode = True
from common import DLOC, JOBS, fetch  # noqa: E402
from decode import Module, Rows, relocations  # noqa: E402
from dropins import OURS, sections  # noqa: E402

DROP_IN = os.path.join(ROOT, "tools", "drop-in")
KIND = "llvm"
LIMIT = 3000
Program = collections.namedtuple("Program", "package system language build test")
CMAKE = "cmake -S . -B made -DCMAKE_BUILD_TYPE=RelWithDebInfo {} >log && make -s -C made -j$JOBS >log"
CTEST = "cd made && ctest >log"
AUTOTOOLS = "./configure --disable-shared CFLAGS='-g -O2' {} >log 2>&1 && make -s -j$JOBS >log 2>&1"
BY_NAME = 'export PATH="$(dirname "$CC"):$PATH" CC=clang'  # for those that keep, or name a folder after, the command that compiles them
PROGRAMS = {
    "cjson": Program("cjson", "CMake", "C", CMAKE.format("-DENABLE_CJSON_TEST=ON"), CTEST),
    "tinyxml2": Program("tinyxml2", "CMake", "C++", CMAKE.format("-Dtinyxml2_BUILD_TESTING=ON"), CTEST),
    "leveldb": Program("leveldb", "CMake", "C++", CMAKE.format("-DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF"),
                       "$CC -g -O2 -Iinclude db/c_test.c made/libleveldb.a -lstdc++ -lpthread -o c_test && ./c_test >log 2>&1"),
    "zstd": Program("libzstd", "make", "C", BY_NAME + " && make -s -j$JOBS -C programs zstd CC=clang CFLAGS='-g -O3' HAVE_LZMA=0 HAVE_LZ4=0 HAVE_ZLIB=0 >log 2>&1",
                    "programs/zstd -q -19 -T1 programs/zstd -o z && programs/zstd -q -d z -o back && cmp back programs/zstd && programs/zstd -b1e5i0 programs/zstd >log 2>&1"),
    "yaml-cpp": Program("yaml-cpp", "CMake", "C++", CMAKE.format("-DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=ON"), "printf 'a: [1, 2]\\n' | made/util/parse >log"),
    "pkgconf": Program("pkgconf", "autotools", "C", AUTOTOOLS.format(""), "./pkgconf --version >log"),
    "xz": Program("xz-utils", "autotools", "C", AUTOTOOLS.format("--disable-doc"), "make -s check >log 2>&1"),
    "jsoncpp": Program("libjsoncpp", "meson", "C++", "meson setup made --buildtype=debugoptimized -Ddefault_library=static >log && ninja -C made -j$JOBS >log", "meson test -C made >log"),
    "btop": Program("btop", "make", "C++20", "make -s CXX=\"$CXX\" THREADS=1 OPTFLAGS='-O2 -g' STRIP= QUIET=true >log 2>&1", "bin/btop --version >log"),
    "bzip2": Program("bzip2", "make", "C", "make -s CC=\"$CC\" CFLAGS='-g -O2 -D_FILE_OFFSET_BITS=64' libbz2.a bzip2 bzip2recover >log", "make -s test CC=\"$CC\" >log"),
    "vim": Program("vim", "autotools", "C", BY_NAME + " && ./configure --with-features=huge --enable-gui=no --without-x CFLAGS='-g -O2' >log 2>&1 && make -s -C src -j$JOBS vim >log 2>&1", BY_NAME + " && make -s -C src unittests >log 2>&1"),
    "smallvec": Program("librust-smallvec-dev", "rustc", "Rust", f"export RUSTFLAGS='--test --edition 2018 --cap-lints allow src/lib.rs -g -O -C codegen-units=1'"
                        " && rustc $RUSTFLAGS -C no-prepopulate-passes --emit=llvm-ir -o made.ll && $CC -O2 -g -fPIC -Wno-override-module -c made.ll -o made.o"
                        f" && CC=cc DLOC_OBJECT=made.o rustc $RUSTFLAGS -C linker={DROP_IN}/rust-linker -C linker-flavor=gcc -o made", "./made >log"),
}  # fmt: skip
NEVER, DEBUG = re.compile("(?!)"), re.compile(r"(\.rela)?\.debug_")
FEW = ["bzip2", "tinyxml2"]
KEEP = """#!/bin/sh
# As dloc: keeps the module as clang made it.
[ "$1" != annotate ] || cp "${{10}}" "$STORE/$(printf %s "$(realpath "$DLOC_OUTPUT")" | md5sum | cut -c1-32).ll" || exit
exec {dloc} "$@"
"""
TIMED = """#!/bin/bash
exec 3>&2
TIMEFORMAT='%U %S'
{{ time {dloc} "$@" 2>&3; }} 2>>{times}
"""


class Build:
    """A program in its folder: the two builds, and what there is to compare."""

    def __init__(self, name, version):
        self.name, self.program = name, PROGRAMS[name]
        self.folder = os.path.join(ROOT, "build", "builds", name)
        self.source, self.store, self.log = (os.path.join(self.folder, part) for part in ("src", "modules", "log"))
        self.llvm = f"/usr/lib/llvm-{version}/bin"
        self.seconds = {}

    def unpack(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.store)
        if self.program.system == "rustc":
            self.unpack_crate()
            return
        (package,) = [path for path in glob.glob(os.path.join(fetch(self.program.package), "*.orig.tar.*")) if not path.endswith(".asc")]
        pristine = os.path.join(self.folder, "pristine")
        os.makedirs(pristine)
        subprocess.run(["tar", "xf", package, "-C", pristine, "--strip-components=1"], check=True)

    def unpack_crate(self):
        """Debian's binary package has the sources of a crate."""
        subprocess.run(["apt-get", "download", "-q", self.program.package], cwd=self.folder, check=True, capture_output=True)
        (package,) = glob.glob(os.path.join(self.folder, "*.deb"))
        subprocess.run(["dpkg-deb", "-x", package, os.path.join(self.folder, "package")], check=True)
        os.rename(*glob.glob(os.path.join(self.folder, "package/usr/share/cargo/registry/*")), os.path.join(self.folder, "pristine"))

    def script(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def make(self, what, compilers, **more):
        shutil.rmtree(self.source, ignore_errors=True)
        shutil.copytree(os.path.join(self.folder, "pristine"), self.source, symlinks=True)
        path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]  # not the script of a version manager, which takes ten times as long to start
        environment = {**os.environ, "PATH": path, "CC": f"{compilers}/clang", "CXX": f"{compilers}/clang++", "SOURCE_DATE_EPOCH": "0", "JOBS": os.environ.get("JOBS", str(JOBS)), **more}
        before, begin = os.times(), time.monotonic()
        self.run(self.program.build, environment)
        after = os.times()
        self.seconds[what] = (after.children_user - before.children_user + after.children_system - before.children_system, time.monotonic() - begin)
        return environment

    def run(self, line, environment):
        done = subprocess.run(["bash", "-c", line], cwd=self.source, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        if done.returncode:
            log = os.path.join(self.source, "log")
            said = open(log, encoding="utf-8", errors="replace").read()[-1500:] if os.path.exists(log) else ""
            raise AssertionError(f"{line}: exit status {done.returncode}\n{said}{done.stderr.decode(errors='replace')[-1500:]}")

    def both(self):
        self.unpack()
        self.keeping, self.times = self.script("keeping", KEEP.format(dloc=shlex.quote(DLOC))), os.path.join(self.folder, "times")
        self.timed = self.script("timed", TIMED.format(dloc=shlex.quote(DLOC), times=shlex.quote(self.times)))
        self.make("alone", self.llvm)
        self.keep("alone")
        self.make("fast", DROP_IN, DLOC_LLVM=self.llvm, DLOC=self.timed, DLOC_MODE="fast")
        self.keep("fast")
        environment = self.make("layers", DROP_IN, DLOC_LLVM=self.llvm, DLOC=self.keeping, DLOC_VERBOSE=self.log, STORE=self.store)
        self.run(self.program.test, environment)

    def keep(self, name):
        shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
        os.rename(self.source, os.path.join(self.folder, name))

    def seconds_of_dloc(self):
        with open(self.times, encoding="utf-8") as file:
            return sum(float(word) for word in file.read().split())

    def files(self):
        """ELF files that the builds have: the path in each, alone, with layers, and of fast."""
        for folder, _, names in sorted(os.walk(os.path.join(self.folder, "alone"))):
            for name in sorted(names):
                path = os.path.join(folder, name)
                other = os.path.join(self.source, os.path.relpath(path, os.path.join(self.folder, "alone")))
                if os.path.isfile(path) and not os.path.islink(path) and open(path, "rb").read(4) == b"\x7fELF":
                    yield path, other, os.path.join(self.folder, "fast", os.path.relpath(path, os.path.join(self.folder, "alone")))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compared(path, other, but=NEVER):
    """All sections but those of layers; those that hold numbers of symbols by what these name."""
    one, two = ([(name, content) for name, content in sections(read(each)) if not OURS.match(name) and name != ".note.gnu.build-id" and not but.match(name)] for each in (path, other))
    assert [name for name, _ in one] == [name for name, _ in two], f"{other}: other sections"
    tables = [dict(sections(read(each))) for each in (path, other)]
    names = [[name for name, _ in sections(read(each))] for each in (path, other)]
    for (name, content), (_, changed) in zip(one, two):
        if name.startswith(".rela.") and name not in (".rela.dyn", ".rela.plt") and ".symtab" in tables[0]:  # those name symbols of .dynsym, which are the same
            content, changed = (relocations(data, table[".strtab"], table[".symtab"], order) for data, table, order in zip((content, changed), tables, names))
        assert content == changed, f"{other}: section {name} differs"
    return sum(len(content) for name, content in one if name.startswith(".text"))


def code_of(path):
    """Whether an address is in a section of code, of a linked file."""
    text = subprocess.run(["/usr/lib/llvm-22/bin/llvm-readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    spans = []
    for line in text.splitlines():
        words = line.partition("]")[2].split()
        if len(words) > 7 and "X" in words[6]:
            spans.append((int(words[2], 16), int(words[2], 16) + int(words[4], 16)))
    return lambda address: any(begin <= address < end for begin, end in spans)


class Judge:
    """The rows of layers of linked files, beside those of the source and the modules."""

    def __init__(self, store):
        self.store, self.modules, self.texts, self.figures = store, {}, {}, collections.Counter()

    def objects(self, path):
        """A text's module is that of the object which has it."""
        kept = os.path.join(self.store, hashlib.md5(os.path.realpath(path).encode()).hexdigest() + ".ll")
        for name, content in sections(read(path)):
            if name.startswith(f".debug_txt.{KIND}.") and os.path.exists(kept):
                self.texts[name] = (kept, content)

    def lines(self, name):
        if name not in self.modules:
            path, content = self.texts[name]
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                module = Module(file.read())
            text = content.rstrip(b"\0").decode(errors="surrogateescape")
            assert hashlib.md5(content.rstrip(b"\0")).hexdigest() == name.rpartition(".")[2], f"{name}: another text"
            self.modules[name] = [module.place(line) for line in module.lines_of(text.rstrip("\n"))]
        return self.modules[name]

    def judge(self, path):
        found = dict(sections(read(path)))
        if f".debug_line_{KIND}" not in found:
            return
        strings = {0x1F: found.get(".debug_line_str", b""), 0x0E: found.get(".debug_str", b"")}
        is_code = code_of(path)
        source, layer = (Rows(found[name], strings, is_code) for name in (".debug_line", f".debug_line_{KIND}"))
        for address in sorted(set(source.addresses) | set(layer.addresses)):
            place, primary = layer.at(address), source.at(address)
            if primary is None:
                continue
            self.figures["addresses"] += 1
            if place is None or place[1] == 0:
                continue
            self.figures["layered"] += 1
            said = self.lines(place[0])[place[1] - 1]
            if primary[1] == 0 or said and said[1] == 0:  # a function's first row may be its own line
                self.figures["line 0"] += 1
                continue
            right = said and (os.path.basename(said[0]), *said[1:]) == (os.path.basename(primary[0]), *primary[1:])
            if not right and said and said[1] == primary[1] and primary[2] == 0:
                right = True  # places of one line are merged
            self.figures["right" if right else "wrong"] += 1
            if not right and self.figures["wrong"] < 6:
                print(f"{path}: {address:#x}: the source has {primary}, the layer {place}, whose instruction is at {said}")


def report(build, counts, figures, code):
    alone, fast, exact = (build.seconds[what][0] for what in ("alone", "fast", "layers"))
    source = subprocess.run(f"find {shlex.quote(build.folder)}/pristine -name '*.[ch]' -o -name '*.rs' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' | xargs cat | wc -l", shell=True, capture_output=True, text=True).stdout.strip()
    share = 100 * figures["layered"] / max(figures["addresses"], 1)
    program = build.program
    print(f"| {build.name} | {program.system} | {program.language}, {int(source):,} | {counts['objects']} | {counts['linked']} | {code:,} | {figures['addresses']:,}"
          f" | {share:.1f} % | {figures['right']:,} / {figures['wrong']} | {alone:.1f} | {fast / alone:.2f} | {100 * build.seconds_of_dloc() / alone:.1f} % | {exact / alone:.2f} |")  # fmt: skip


def check(name, version):
    build = Build(name, version)
    build.both()
    judge, counts, code, linked = Judge(build.store), collections.Counter(), 0, []
    for path, other, fast in build.files():
        assert os.path.isfile(other) and os.path.isfile(fast), f"{other} or {fast} is not there"
        size = compared(path, other)
        compared(path, fast, DEBUG)
        is_object = read(other)[16] == 1
        counts["objects" if is_object else "linked"] += 1
        if is_object:
            judge.objects(other)
        else:
            code += size
            linked.append(other)
    for path in linked:
        judge.judge(path)
    with open(build.log, encoding="utf-8", errors="replace") as file:
        lost = [line.strip() for line in file if ": no layers: " in line]
    for line in lost:
        print(line[:300])
    figures = judge.figures
    report(build, counts, figures, code)
    assert figures["right"] and not figures["wrong"], f"{figures['wrong']} rows of layers are wrong"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][len("usage: ") :])
    parser.add_argument("--llvm", type=int, default=22)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = FEW if options.names == ["few"] else options.names or list(PROGRAMS)
    failed = 0
    for name in names:
        try:
            check(name, options.llvm)
        except (AssertionError, OSError, subprocess.SubprocessError) as problem:
            failed += 1
            print(f"FAILED {name}: {problem}")
        sys.stdout.flush()
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
