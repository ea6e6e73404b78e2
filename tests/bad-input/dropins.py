"""tools/drop-in between a build and its compiler: whatever a build system asks, the compiler's own answer, and no file that it did not ask for.

Each line below runs twice in one folder, with the stock compiler and with the drop-in: exit status, both streams and all files must be the same, but for the
sections of layers in objects. A program that reads ELF by itself (`sections`) says what an object has."""

import os
import re
import shutil
import signal
import subprocess
import time

from common import DLOC, ROOT
from surroundings import can_mount


DROP_IN = os.path.join(ROOT, "tools", "drop-in")
LLVM = "/usr/lib/llvm-22/bin"
GIVEN = """define i32 @given(i32 %x) !dbg !3 {
  %y = mul i32 %x, 7, !dbg !4
  ret i32 %y, !dbg !4
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "given.rs", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "given", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!4 = !DILocation(line: 2, scope: !3)
"""
SOURCES = {
    "a.c": '#include "a.h"\nint f(int x) { int unused; return x * TWICE; }\nint main(void) { return f(0); }\n',
    "a.h": "#define TWICE 2\n",
    "b.c": "int g(int x) { return x ? x / 3 : 7; }\n",
    "c.cpp": "#include <vector>\nint sum(const std::vector<int> &v) { int s = 0; for (int x : v) s += x; return s; }\n",
    "d.cpp": "template <class T> concept small = sizeof(T) < 3;\ntemplate <small T> T half(T x) { return x / 2; }\nshort h(short x) { return half(x); }\n",
    "e.c": "", "only.c": "int only = 3;\n", "wrong.c": "int f(void) { return x; }\n", "deep.c": "int k(int n) { char room[4000]; return n ? k(n - 1) + room[n] : 0; }\n",
    "s.s": ".globl s\ns: ret\n", "t.S": '#include "a.h"\n.globl t\nt: ret\n', "text": "int of_text(int x) { return x + 1; }\n", "p.i": "int p(int x) { return x - 1; }\n",
    "args": "-c -g -O2 \"a.c\" -o 'from args.o'\n", "name with $ and \" quote.c": "int q(int x) { return x * x; }\n", "-dash.c": "int dash(int x) { return -x; }\n",
    "given.ll": GIVEN, "broken.ll": GIVEN.replace("type: !5, ", ""), "m.m": "int m(int x) { return x; }\n", "mp.c": "int mp(int *v, int n) { int s = 0;\n#pragma omp parallel for reduction(+:s)\nfor (int i = 0; i < n; i++) s += v[i]; return s; }\n",
}  # fmt: skip
# The line, whether an object gets layers. CC and CXX are the compiler.
CALLS = (
    # probes
    ("$CC", False), ("$CC -v", False), ("$CC -###", False), ("$CC -### -c -g a.c", False), ("$CC --version", False), ("$CC -dumpmachine", False), ("$CC -dumpversion", False),
    ("$CC --help", False), ("$CC -print-prog-name=ld", False), ("$CC -qversion", False), ("$CC -E -dM -x c /dev/null", False), ("$CC -V -g", False), ("$CC -c", False),
    ("$CC -c -g", False), ("$CC -c -g -fno-such-option a.c", False), ("$CC -c -g -Wno-such-warning -Werror a.c", False), ("$CC -c -g missing.c", False), ("$CC -c -g .", False),
    ("$CC -Wl,--version", False), ("$CC -fsyntax-only -g a.c", False), ("$CC -M -g a.c", False), ("$CC -MM a.c -MF a.d", False), ("$CC -o", False), ("$CXX -c -g missing.cpp", False),
    ("cp b.c conftest.c && $CC -c -g conftest.c", False), ("mkdir -p CMakeFiles/CMakeScratch/x && cd CMakeFiles/CMakeScratch/x && $CC -c -g ../../../b.c", False),
    ("$CC -c -g -O2 -Wno-override-module -fno-crash-diagnostics broken.ll 2>&1 | grep -c 'bug report'", False),
    # objects
    ("$CC -c -g a.c", True), ("$CC -c -g -O2 -Wall a.c", True), ("$CC -c -g -Wall -Werror a.c", False), ("$CC -c -g wrong.c", False), ("$CC -c -g -O2 -Wframe-larger-than=100 deep.c", True),
    ("$CC -c -g -O2 -Wframe-larger-than=100 -Werror deep.c", True), ("$CC -c -O2 a.c", False), ("$CC -c -g -g0 a.c", False), ("$CC -c -gline-tables-only -O1 a.c", True),
    ("$CC -c -g -gdwarf-4 -gz a.c", True), ("$CC -c -g3 -O3 -fPIC -ffunction-sections -march=native a.c", True), ("$CC -c -g -O2 -m32 b.c", True), ("$CC -c -ggdb a.c -o made.o", True),
    ("$CC -c -g a.c -omade.o", True), ("mkdir -p x && $CC -c -g a.c -o x/made.o -MD", True), ("$CC -c -g -MD -MP -MT 'one two' -MF x.d a.c", True), ("$CC -c -g -MMD -MQ '$(one)' a.c -o o.o", True),
    ("$CC -c -g -Wp,-MD,w.d a.c", True), ("$CC -c -g -MJ j.json a.c", True), ("$CC -c -g -fcolor-diagnostics -Wall a.c", True), ("$CC -c -g a.c b.c", True), ("$CC -c -g -O2 b.c s.s", True),
    ("$CC -c -g s.s", False), ("$CC -c -g t.S", False), ("$CC -c -g -x c text -o text.o", True), ("$CC -c -g p.i", True), ("$CC -c -g m.m", False), ("$CC -c -g -O2 -Wno-override-module given.ll", True), ("$CC -c -g -xc - -o in.o <text", False),
    ("$CC @args", True), ("$CC @missing", False), ("$CC -c -g 'name with $ and \" quote.c' -o 'an object'", True), ("$CC -c -g -o dash.o -- -dash.c", False), ("$CC -c -g e.c", False),
    ("$CC -c -g only.c", False), ("$CC -c -g -pipe -O2 -flto b.c", False), ("$CC -c -g -O2 -flto=thin b.c", False), ("$CC -c -g -emit-llvm b.c", False), ("$CC -S -g b.c", False),
    ("$CC -E -g a.c", False), ("$CC -c -g -save-temps b.c", True), ("$CC -c -g -gsplit-dwarf -O2 b.c", True), ("$CC -c -g -gsplit-dwarf=single b.c", True), ("$CC -c -g -fno-integrated-as b.c", False),
    ("$CC -x c-header -g a.h -o a.h.pch && $CC -c -g -include-pch a.h.pch a.c && rm a.h.pch", True), ("$CC -c -g --coverage b.c", True), ("$CC -c -g -O1 -fsanitize=address,undefined b.c", True),
    ("$CC -c -g -O2 -fstack-usage -fsave-optimization-record b.c", True), ("$CC -c -g --serialize-diagnostics a.dia -Wall a.c", True), ("$CC -c -g -H a.c", True), ("$CC -c -g -v b.c", True),
    ("$CC -c -g -Rpass=inline -O2 a.c", True), ("$CC -c -g -O2 -grecord-command-line b.c", True), ("$CC -c -g -O2 -fopenmp mp.c", True), ("$CC -c -g -O2 -fdebug-info-for-profiling b.c", False),
    ("$CC -c -g -ftime-report b.c 2>/dev/null", True), ("$CC -c -g -ftime-trace b.c && rm b.json", True), ("$CC -c -g a.c -o /dev/null", False), ("$CC -c -g a.c -o missing/a.o", False),
    ("$CC -c -g a.c -o .", False), ("$CC -c -g b.c -o /dev/full", False), ("$CC -c -g b.c -o - | cksum", False), ("$CC -c -g b.c -o /dev/stdout | cksum", False), ("exec 7>>x; echo x >&7; $CC -c -g b.c -o /proc/self/fd/7; cksum x", False),
    ("mkfifo p; cksum <p & $CC -c -g b.c -o p; wait; rm p", False), ("$CC -c -g a.c -o -dash.o", True), ("$CC -c -g b.c >&- 2>&-", True), ("$CC -c -g b.c <&-", True), ("$CXX -c -g -O2 c.cpp", True), ("$CXX -std=c++20 -c -g -O2 d.cpp", True), ("$CC -c -g -O2 c.cpp", True),
    ("$CC -c -g --target=aarch64-linux-gnu b.c", True), ("$CC -c -g --target=x86_64-windows-msvc -mno-incremental-linker-compatible b.c", False), ("$CC -c -g --target=riscv64-linux-gnu -O2 b.c", False),
    ("$CC -c -g -O2 -MD -MT made.o -MF made.d a.c -o made.o", True), ("$CC -c -g -O1 -MMD -MP -MQ 'o$' -MF x.d -o x.o a.c -Wall", True), ("$CC -c -g -o x.o wrong.c -MD -MF x.d -MT y", False), ("$CC -g -c -o x.o a.c -Wall -Werror", False),
    ("$CC -c -g -o made.o a.c -MD", True), ("$CXX -c -g -O2 -Wall c.cpp -o x.o -fdiagnostics-color=always", True), ("$CC -c -g -o x.o -O2 -gsplit-dwarf b.c", True), ("$CC -c -g -o x.o --coverage b.c", True), ("$CC -c -g -fstack-usage -o x.o b.c", True),
    ("$CC -c -g -o missing/x.o b.c", False), ("$CC -c -g -o x.o missing.c", False), ("$CC -c -g -gdwarf-4 b.c -o x.o -Xclang -disable-llvm-passes", True), ("$CC -c -g -o x.o -O1 -fno-such-option b.c", False), ("$CC -c -g given.ll -o x.o -O2", True), ("$CC -c -g -o x.o m.m", False),
    # links
    ("$CC -g a.c b.c -o program && ./program", True), ("$CC -g -O2 -Wall a.c && ./a.out", True), ("$CC -g -fuse-ld=lld a.c b.c -o program && ./program", True), ("$CC -g a.c b.c -Wl,--no-such-option -o program", False),
    ("$CC -g a.c wrong.c -o program", False), ("$CC -g b.c -o program 2>&1 | sed 's/ [^ ]*crt1.o//'", False), ("$CC -g a.c missing.o -lmissing -o program", False), ("$CC -g a.c -o missing/program", False), ("$CC -g -v a.c -o program", False),
    ("$CC -g -save-temps a.c -o program", False), ("$CC -g -MD -MF a.d a.c s.s -DX -I. -L. -o program && ./program", True), ("$CXX -g -O2 -shared -fPIC -gsplit-dwarf c.cpp -o libc.so && rm libc-c.dwo", True), ("$CC -g -flto a.c -o program -fuse-ld=lld", False),
    ("$CC -g -c b.c && $CC -g a.c b.o -o program && rm b.o", True), ("sed 's/-c/b.c/; s/args.o/program/' args >two && $CC @two && rm two", True), ("$CC -g a.c -o /dev/full", False), ("$CC -r -nostdlib -g a.c b.c -o both.o", True), ("$CC -O1 a.c -o program", False), ("$CC -g -c a.c && $CC -g a.o -Wl,--build-id=none -o program && ./program && llvm-strip-22 program", True), ("$CC -shared -fPIC -g b.c -o libb.so", True),
)  # fmt: skip
MODES = ("exact", "fast", "full")
OURS = re.compile(r"(\.rela?)?(\.debug_line_llvm|\.debug_txt\.llvm\..*)$|\.group$|\.(sym|str|shstr)tab$|\.llvm_addrsig$")


def sections(data):
    """[(name, content)] of an ELF file of 64 or 32 bits, little endian; nothing of another file."""
    if data[:4] != b"\x7fELF" or data[5] != 1:
        return []
    wide = data[4] == 2

    def number(at, size):
        return int.from_bytes(data[at : at + size], "little")

    table, size, count, names = (number(0x28, 8), number(0x3A, 2), number(0x3C, 2), number(0x3E, 2)) if wide else (number(0x20, 4), number(0x2E, 2), number(0x30, 2), number(0x32, 2))
    word, place = (8, 0x18) if wide else (4, 0x10)
    rows = [table + size * index for index in range(count)]
    strings = number(rows[names] + place, word)
    found = []
    for row in rows:
        begin = strings + number(row, 4)
        offset, length = number(row + place, word), number(row + place + word, word)
        found.append((data[begin : data.index(b"\0", begin)].decode(errors="replace"), b"" if number(row + 4, 4) == 8 else data[offset : offset + length]))
    return found


def without_layers(data, mode):
    """An object by its sections, without those that hold numbers of sections and symbols: adding some changes these. Fast compilation may change tables of
    debug information, which point to one another."""
    found = sections(data)
    numbers = re.compile(r"\.rela?\.|\.note\.gnu\.build-id$")  # a build-id is a hash of the whole program
    return [(name, len(content) if numbers.match(name) else content) for name, content in found if not OURS.match(name) and not (mode == "fast" and ".debug_" in name)] if found else data


def has_layers(data):
    return any(name == ".debug_line_llvm" and content for name, content in sections(data))


def contents(folder):
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            whole = os.path.join(path, name)
            with open(whole, "rb") as file:
                found[os.path.relpath(whole, folder)] = file.read()
    return found


def lay_out(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in SOURCES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


class Place:
    """A folder for sources and objects, and one for temporary files."""

    def __init__(self, folder):
        self.work, self.tmp, self.log = os.path.join(folder, "work"), os.path.join(folder, "tmp"), os.path.join(folder, "log")
        os.makedirs(self.tmp)
        self.environment = {**os.environ, "TMPDIR": self.tmp, "DLOC": DLOC, "DLOC_LLVM": LLVM, "DLOC_VERBOSE": self.log, "LC_ALL": "C"}

    def compilers(self, how, mode="exact"):
        stock, ours = {"CC": f"{LLVM}/clang", "CXX": f"{LLVM}/clang++"}, {"CC": f"{DROP_IN}/clang", "CXX": f"{DROP_IN}/clang++"}
        if how == "launcher":
            ours = {name: f"{DROP_IN}/clang {path}" for name, path in stock.items()}
        return stock if how == "stock" else {**ours, "DLOC_MODE": mode}

    def run(self, line, how, mode="exact"):
        """(status, output, errors, files)"""
        lay_out(self.work)
        done = subprocess.run(["bash", "-c", line], cwd=self.work, env={**self.environment, **self.compilers(how, mode)}, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr, contents(self.work)


def unlike(stock, ours, layers, mode):
    """The first difference that the drop-in makes; None when all is the same."""
    for name, one, other in zip(("status", "output", "errors"), stock, ours):
        one, other = (re.sub(rb"/[^ \"]*/tmp/[^ \"]*", b"TMP", text) if isinstance(text, bytes) else text for text in (one, other))  # names of clang's own temporary files
        if one != other:
            return f"{name}: {other!r} instead of {one!r}"
    files, made = stock[3], ours[3]
    if set(files) != set(made):
        return f"files {sorted(set(files) ^ set(made))}"
    for name, data in files.items():
        if without_layers(data, mode) != without_layers(made[name], mode):
            return f"{name} differs"
    got = any(has_layers(data) for data in made.values())
    return None if got == layers else f"layers: {got} instead of {layers}"


def calls(folder, part, parts, modes=MODES):
    place = Place(folder)
    for line, layers in CALLS[part::parts]:
        stock = place.run(line, "stock")
        for how, mode in [("drop-in", mode) for mode in modes] + [("launcher", "exact")]:
            problem = unlike(stock, place.run(line, how, mode), layers, mode)
            left = os.listdir(place.tmp)
            yield f"{how}, {mode}: {line}", problem or (f"{left} is left" if left else None)


def sleeping(place, name="dloc"):
    """A dloc that starts a child, says so a moment later, and does not end. By then its caller, on a busy machine too, has told the guard of it."""
    path = os.path.join(place.tmp + "-tools", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nsleep 60 &\nsleep 0.1\necho $! >"$SEEN.part" && mv "$SEEN.part" "$SEEN"\nwait\n')
    os.chmod(path, 0o755)
    return path


def ends(process):
    """Whether a process is no more, within a few seconds."""
    for _ in range(200):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def empty(folder):
    for _ in range(200):
        if not os.listdir(folder):
            return True
        time.sleep(0.02)
    return False


def killed(folder):
    """While layers are made, by each signal: there is no object yet that `make` would take for done; no file and no process is left."""
    place = Place(folder)
    sources = {name: text.encode() for name, text in SOURCES.items()}
    layered = os.path.join(ROOT, "tests", "lit", "Inputs", "layers.ll")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        clang, opt = [f"{DROP_IN}/clang", "-c", "-g", "a.c"], [f"{DROP_IN}/opt", "-S", layered, "-o", "out.ll"]
        for line, mode in ((clang, "exact"), (clang, "fast"), (opt, "exact")):
            lay_out(place.work)
            seen = os.path.join(folder, "seen")
            environment = {**place.environment, "DLOC": sleeping(place), "SEEN": seen, "DLOC_MODE": mode}
            with subprocess.Popen(line, cwd=place.work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
                while not os.path.exists(seen) and child.poll() is None:
                    time.sleep(0.01)
                child.send_signal(number)
            with open(seen, encoding="utf-8") as file:
                process = int(file.read())
            os.remove(seen)
            problem = None if child.returncode == -number else f"status {child.returncode}"
            problem = problem or (None if empty(place.tmp) else f"left: {os.listdir(place.tmp)}")
            files = contents(place.work)
            problem = problem or (None if files == sources else f"files: {[name for name in set(files) | set(sources) if files.get(name) != sources.get(name)]}")
            yield f"{number.name}: {os.path.basename(line[0])}, {mode}", problem or (None if ends(process) else "a process of the tool lives on")


# A compiler that has written its object, or is about to; it waits, and when it is asked to end, it still writes into the folder for its module.
SLOW_CLANG = """#!/bin/bash
case " $* " in *" -### "*) exec {llvm}/clang "$@" ;; esac
for word; do case $word in -ir-dump-directory=*) dump=${{word#*=}} ;; esac; done
trap 'sleep 0.3; mkdir -p "$dump/late"; exit 1' TERM
[ "$WHEN" = before ] || {llvm}/clang "$@"
echo $$ >"$SEEN.part" && mv "$SEEN.part" "$SEEN"
sleep 60 & wait
"""


def ended_in_compiler(folder):
    """While the compiler runs, by each signal: it ends, too, before the folder goes; a new object goes with it, and an old one stays."""
    place = Place(folder)
    tools, seen = place.tmp + "-tools", os.path.join(folder, "seen")
    os.makedirs(tools)
    with open(os.path.join(tools, "clang"), "w", encoding="utf-8") as file:
        file.write(SLOW_CLANG.format(llvm=LLVM))
    os.chmod(file.name, 0o755)
    for number, when in [(number, when) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL) for when in ("before", "behind")]:
        lay_out(place.work)
        with open(os.path.join(place.work, "a.o"), "wb") as file:
            file.write(b"old")
        environment = {**place.environment, "DLOC_LLVM": tools, "SEEN": seen, "WHEN": when}
        with subprocess.Popen([f"{DROP_IN}/clang", "-c", "-g", "a.c"], cwd=place.work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            while not os.path.exists(seen) and child.poll() is None:
                time.sleep(0.01)
            child.send_signal(number)
        with open(seen, encoding="utf-8") as file:
            process = int(file.read())
        os.remove(seen)
        problem = (None if ends(process) else "the compiler runs on") or (None if empty(place.tmp) else f"left: {os.listdir(place.tmp)}")
        found = contents(place.work).get("a.o")
        problem = problem or (None if child.returncode == -number else f"status {child.returncode}")
        yield f"{number.name} {when} the object is made", problem or (None if found == (b"old" if when == "before" else None) else f"a.o: {found and found[:10]}")


def strict(folder, few=False):
    """The log has a line for each loss of layers. DLOC_STRICT makes the loss an error, and leaves no such object. A step that needs no layers loses none."""
    place = Place(folder)
    place.environment |= {"OPT": f"{DROP_IN}/opt", "LLC": f"{DROP_IN}/llc", "A": f"{ROOT}/tests/lit/Inputs/layers.ll"}
    losing = (
        ("DLOC_HOOK=false $CC -c -g a.c", "a.o", 1), ("DLOC_HOOK=false $CC -c -g a.c b.c", "a.o b.o", 2), ("DLOC_HOOK=false $CC -g a.c b.c -o made", "made", 2), ("TMPDIR=$PWD/none $CC -c -g a.c", "a.o", 1),
        ("$CC -c -g -flto b.c", "b.o", 1), ("$CC -c -g -fno-integrated-as b.c", "b.o", 1), ("$CC -c -g -xc - -o in.o <text", "in.o", 1),
        ("$CC -g -v a.c -o made 2>/dev/null", "made", 1), ("TMPDIR=$PWD/none DLOC_MODE=fast $CC -c -g -o a.o a.c", "a.o", 1), ("DLOC_HOOK=false DLOC_MODE=fast $CC -c -g -o a.o a.c", "a.o", 1),
        ("DLOC=/nowhere $CC -c -g a.c", "a.o", 1), ("TMPDIR=$PWD/none $OPT -S $A -o out.ll", "out.ll", 1), ("TMPDIR=$PWD/none $LLC -mtriple=x86_64 -filetype=obj $A -o out.o", "out.o", 1),
        ("DLOC=/nowhere $OPT -S $A -o out.ll 2>/dev/null", "out.ll", 1), ("$LLC -mtriple=riscv64 -mattr=+relax -filetype=obj $A -o out.o", "out.o", 1), ("$CC -c -g --target=x86_64-windows-msvc b.c", "b.o", 1),
    )  # fmt: skip
    keeping = ("$CC -c -g a.c", "$CC -c -O2 a.c", "$CC -g -c a.c && $CC a.o -o program", "$CC -c -g s.s", "cp b.c conftest.c && $CC -c -g conftest.c", "$CC -E -g a.c", "$CC -g a.c b.c -o program", "$OPT -S $A -o out.ll", "$CC --version",
               "$OPT -S given.ll -o out.ll")  # fmt: skip
    for how in ("drop-in", "DLOC_STRICT=1"):
        place.environment["DLOC_STRICT"] = "1" if how == "DLOC_STRICT=1" else "0"
        for line, made, count in losing[:: 3 if few else 1]:
            status, _, errors, files = place.run(f"rm -f {place.log}; {line}", "drop-in")
            with open(place.log, encoding="utf-8") as file:
                rows = [row for row in file if ": no layers: " in row]
            there = [name for name in made.split() if name in files]
            if how == "drop-in":
                problem = None if status == 0 and len(rows) == count and len(there) == len(made.split()) else f"status {status}, {there} there, {errors[-300:]!r}"
            else:
                problem = None if status == 1 and not there and ("2>" in line or b"(DLOC_STRICT)" in errors) else f"status {status}, {there} there, {errors[-300:]!r}"
            yield f"{how}: {line}", problem or (None if rows else "no line in the log") or (None if not os.listdir(place.tmp) else f"{os.listdir(place.tmp)} is left")
        for line in keeping[:: 3 if few else 1]:
            found = place.run(line, "drop-in")
            yield f"{how}: {line}", None if found[0] == 0 else f"status {found[0]}, {found[2][-300:]!r}"


def as_stock(folder, few=False):
    """Where the drop-ins find no folder that they can use: the stock tool's status, its words, and an output, without layers, but with the source's lines; the log says
    so. A strange name of the folder, or one whose files cannot be run, costs nothing."""
    place = Place(folder)
    make = f"cp {ROOT}/tests/lit/Inputs/layers.ll a.ll; mkdir -p no ./-x ./$'end\\nof line'; chmod 555 no; "
    limits = "setpriv --bounding-set=-dac_override,-dac_read_search " if os.geteuid() == 0 else ""
    mounted = "unshare -m bash -c 'mkdir disk; mount -t tmpfs -o {} none disk && TMPDIR=$PWD/disk $RUN && ls -A disk'; status=$?; rmdir disk; exit $status"
    surroundings = {
        "no folder": ("TMPDIR=$PWD/none $RUN", False), "no permission": (f"TMPDIR=$PWD/no {limits} $RUN", False), "a file": ("TMPDIR=$PWD/a.c $RUN", False),
        "an option": ("TMPDIR=-x $RUN && ls ./-x", True), "an end of line": ("TMPDIR=$PWD/$'end\\nof line' $RUN", True),
    } | ({"noexec": (mounted.format("noexec"), True), "a full disk": (mounted.format("size=4k"), False)} if can_mount(folder) else {})  # fmt: skip
    commands = ("$OPT -S a.ll -o out", "$LLC -mtriple=x86_64 -filetype=obj a.ll -o out", "$OPT -S -o out <a.ll", "$CC -c -g a.c -o out", "env DLOC_MODE=fast $CC -c -g -o out a.c", "$CC -g a.c b.c -o out")
    for at, command in enumerate(commands):
        for name, (line, layers) in list(surroundings.items())[at % 3 if few else 0 :: 3 if few else 1]:
            stock, ours = (as_tool(place, make + line.replace("$RUN", command), how) for how in ("stock", "drop-in"))
            data = ours[3].get("out", b"")
            got = any(name in (".debug_line_llvm", ".debug_line_tileir") for name, _ in sections(data)) or b'!{!"TileIR", !' in data
            problem = None if (ours[0], ours[1]) == (stock[0], stock[1]) else f"status {ours[0]} instead of {stock[0]}: {ours[1]!r} {ours[2][-300:]!r}"
            if not stock[0]:
                problem = problem or (None if got == layers else f"layers: {got}") or (None if logged(place) != layers else "the log is wrong")
                problem = problem or (f"says {ours[2][-300:]!r}" if ours[2] not in (b"", stock[2]) else None) or (None if "OPT" not in command or b"!dbg" in data else "no debugging information")
            yield f"TMPDIR: {name}: {command}", problem or (None if not os.listdir(place.tmp) else f"{os.listdir(place.tmp)} is left")
    for command in ("$OPT -S a.ll", "$LLC -mtriple=x86_64 -filetype=obj a.ll -o -", "$OPT -S <a.ll"):  # not even a file in memory can be written
        stock, ours = (as_tool(place, f"{make}(trap '' XFSZ; ulimit -f 0; {command}) | cat; exit ${{PIPESTATUS[0]}}", how) for how in ("stock", "drop-in"))
        yield f"files of no bytes: {command}", None if ours[:2] == stock[:2] else f"status {ours[0]} instead of {stock[0]}: {ours[2][-300:]!r}"
    stock, ours = (as_tool(place, f"{make}chmod 0 a.ll; {limits}$OPT -S a.ll -o out; status=$?; chmod 644 a.ll; exit $status", how) for how in ("stock", "drop-in"))
    yield "a module that nobody may read", None if stock[0] == ours[0] == 1 and b"Traceback" not in ours[2] and b"ermission denied" in ours[2] else f"status {ours[0]} instead of {stock[0]}: {ours[2][-300:]!r}"


def as_tool(place, line, how):
    place.environment |= {"OPT": f"{LLVM if how == 'stock' else DROP_IN}/opt", "LLC": f"{LLVM if how == 'stock' else DROP_IN}/llc"}
    if os.path.exists(place.log):
        os.unlink(place.log)
    return place.run(line, how)


def logged(place):
    if not os.path.exists(place.log):
        return False
    with open(place.log, encoding="utf-8", errors="replace") as file:
        return ": no layers: " in file.read()


def words(folder, few=False):
    """Response files that name themselves, or so many that there is no end: the tool's own message. Names of all kinds in what the compiler says it would run."""
    place = Place(folder)
    make = f"cp {ROOT}/tests/lit/Inputs/layers.ll a.ll; printf '@rb @rb\\n' >rb; for i in 1 2 3 4 5 6 7; do r=@r$((i+1)); echo $r $r $r $r >r$i; done; echo -S >r8; "
    own_name = re.compile(rb"\S*/(opt|llc|clang)(?=:)")
    for command in ("$OPT @rb -S a.ll", "$LLC @rb a.ll", "$CC @rb -c -g a.c", "$OPT @r1 a.ll -o out"):
        stock, ours = (as_tool(place, make + command, how) for how in ("stock", "drop-in"))
        same = stock[0] == ours[0] and own_name.sub(b"", stock[2]) == own_name.sub(b"", ours[2])
        yield f"response files without an end: {command}", None if same else f"status {ours[0]} instead of {stock[0]}: {ours[2][-300:]!r} instead of {stock[2][-300:]!r}"
    lines = ('cp b.c "$NAME.c" && $CC -c -g "$NAME.c"', 'cp b.c "$NAME.c" && $CC -c -g -o "$NAME.o" "$NAME.c"', 'mkdir "$NAME" && TMPDIR="$PWD/$NAME" $CC -g a.c b.c -o out && rmdir "$NAME"')
    for name in ("u\u2028n\x85f\x1cs", '\n "x\t\\$'):
        place.environment["NAME"] = name
        for line in lines:
            for mode in ("exact",) if few else ("exact", "fast"):
                found = place.run(line, "drop-in", mode)
                fine = found[0] == 0 and any(has_layers(data) for data in found[3].values())
                yield f"a name, {mode}: {line}, {name!r}", None if fine else f"status {found[0]}, no layers, {found[2][-300:]!r}"


def timed_out(folder):
    """A tool that takes too long ends, and so does what it started. An object stays without layers."""
    place = Place(folder)
    for line in ("$CC -c -g a.c", f"{DROP_IN}/opt -S {ROOT}/tests/lit/Inputs/layers.ll -o out.ll"):
        seen = os.path.join(folder, "seen")
        place.environment |= {"DLOC": sleeping(place), "SEEN": seen, "DLOC_TIMEOUT": "5"}
        found = place.run(line, "drop-in")
        with open(seen, encoding="utf-8") as file:
            process = int(file.read())
        os.remove(seen)
        problem = None if found[0] == 0 and len(found[3]) > len(SOURCES) else f"status {found[0]}, {found[2]!r}"
        yield f"time is over: {line}", problem or (None if ends(process) else "a process of the tool lives on") or (None if empty(place.tmp) else "a folder is left")


def together(folder):
    """Twenty at once in one folder: each object has its own layers."""
    place = Place(folder)
    lay_out(place.work)
    commands, objects = [], []
    for number in range(20):
        name = f"n{number}.c"
        with open(os.path.join(place.work, name), "w", encoding="utf-8") as file:
            file.write(f"int n{number}(int x) {{ return x * {number + 3}; }}\n")
        objects.append(name[:-1] + "o")
        commands.append(f"$CC -c -g -O1 {name} &")
    subprocess.run(["bash", "-c", "\n".join(commands) + "\nwait"], cwd=place.work, env={**place.environment, **place.compilers("drop-in")}, stdin=subprocess.DEVNULL, timeout=300, check=True)
    for number, name in enumerate(objects):
        with open(os.path.join(place.work, name), "rb") as file:
            texts = [content for section, content in sections(file.read()) if section.startswith(".debug_txt.llvm.")]
        yield f"twenty at once: {name}", None if len(texts) == 1 and b"@n%d(" % number in texts[0] else f"{len(texts)} texts"
    before = set(os.listdir(place.work)) | {"same.o"}
    subprocess.run(["bash", "-c", "$CC -c -g -O1 b.c -o same.o &\n" * 20 + "wait"], cwd=place.work, env={**place.environment, **place.compilers("drop-in")}, stdin=subprocess.DEVNULL, timeout=300, check=True)
    with open(os.path.join(place.work, "same.o"), "rb") as file:
        same = file.read()
    subprocess.run([f"{LLVM}/clang", "-c", "-g", "-O1", "b.c", "-o", "same.o"], cwd=place.work, check=True)
    with open(os.path.join(place.work, "same.o"), "rb") as file:
        alone = file.read()
    yield "twenty at once that make one object", None if without_layers(same, "exact") == without_layers(alone, "exact") and set(os.listdir(place.work)) == before else "another object, or files are left"
    yield "twenty at once: what is left", None if not os.listdir(place.tmp) else str(os.listdir(place.tmp))


def full_disk(folder):
    """A limit of the file size, which the object without layers keeps and that with layers does not: what is there is the compiler's object. Of a
    module whose output has no room with layers the output is the stock tool's."""
    place = Place(folder)
    for mode in ("exact", "fast"):
        stock, ours = (place.run("ulimit -f 4; $CC -c -g b.c", how, mode) for how in ("stock", "drop-in"))
        yield f"a full disk: clang, {mode}", unlike(stock, ours, False, mode) or (None if stock[0] == 0 and not os.listdir(place.tmp) else "the compiler fails itself")
    new = os.path.join(folder, "checkout")
    shutil.copytree(DROP_IN, f"{new}/tools/drop-in", symlinks=True)
    os.mkdir(f"{new}/build")
    found = place.run(f"(ulimit -f 4; {new}/tools/drop-in/clang -c -g b.c); {new}/tools/drop-in/clang -c -g a.c", "drop-in")
    yield "a full disk: the first step of a new build", None if found[0] == 0 and has_layers(found[3]["a.o"]) else f"status {found[0]}, {found[2][-300:]!r}"
    many, plain = (os.path.join(folder, name) for name in ("many.ll", "plain.ll"))
    with open(f"{ROOT}/tests/lit/Inputs/layers.ll", encoding="utf-8") as source, open(many, "w", encoding="utf-8") as file:
        file.write(source.read() + "".join(f"define void @more{i}() {{\n ret void\n}}\n" for i in range(3000)))
    subprocess.run([DLOC, "project", "--primary", many, "-o", plain], check=True)
    needed = len(subprocess.run([f"{LLVM}/opt", "-S", plain], check=True, stdout=subprocess.PIPE).stdout) // 4096 * 4 + 4
    rows = [("a full device", "$OPT -o /dev/full")]
    if can_mount(folder):  # the output does not fit beside the old one, and on the smaller disk not in its place; what is on the disk is gone when the command ends
        inside = "mount -t tmpfs -o size={}k none disk && echo old >disk/out.ll && $OPT -o disk/out.ll; status=$?; cp disk/* .; exit $status"
        rows += [(f"a disk of {size} kB", f"mkdir disk; unshare -m sh -c '{inside.format(size)}'; status=$?; rm -r disk; exit $status") for size in (needed, needed - 4)]
    for name, line in rows:
        place.environment["OPT"] = f"{LLVM}/opt -S {plain}"
        stock = place.run(line, "stock")
        place.environment["OPT"] = f"{DROP_IN}/opt -S {many}"
        ours = place.run(line, "drop-in")
        problem = None if ours[0] == stock[0] and set(ours[3]) == set(stock[3]) else f"status {ours[0]} instead of {stock[0]}, {ours[2][:300]!r}, {sorted(set(ours[3]) ^ set(stock[3]))}"
        yield f"{name}: opt", problem or (None if not os.listdir(place.tmp) else "a folder is left")


def forbidden(folder):
    """No permission for the object, its folder, temporary files or the source, and disks that are full: the compiler's own answer."""
    place = Place(folder)
    limits = "setpriv --bounding-set=-dac_override,-dac_read_search " if os.geteuid() == 0 else ""  # root as one who may not do all
    small = "mkdir disk && unshare -m sh -c 'mount -t tmpfs -o size={} none disk && {}; status=$?; cp disk/*.o . 2>/dev/null; exit $status'; status=$?; rmdir disk; exit $status"
    rows = [
        ("a folder that nobody may write to", "mkdir x && chmod 555 x && $CC -c -g a.c -o x/a.o", False), ("the folder of the source", "chmod 555 .; $CC -c -g a.c; status=$?; chmod 755 .; exit $status", False),
        ("an object that nobody may write to", "echo old >a.o; chmod 444 a.o; $CC -c -g a.c; status=$?; chmod 644 a.o; exit $status", False), ("a source that nobody may read", "chmod 0 a.c; $CC -c -g a.c; status=$?; chmod 644 a.c; exit $status", False),
        ("no folder for temporary files", "TMPDIR=$PWD/none $CC -c -g a.c", False), ("a folder for temporary files that nobody may write to", "mkdir no && chmod 555 no && TMPDIR=$PWD/no $CC -c -g a.c; status=$?; rmdir no; exit $status", False),
    ]  # fmt: skip
    if can_mount(folder):
        rows.append(("a disk with room for the compiler's object", small.format("8k", "$CC -c -g a.c -o disk/a.o"), False))
        rows.append(("a disk without room", small.format("4k", "$CC -c -g a.c -o disk/a.o"), False))
        rows.append(("a full disk for temporary files", small.format("4k", "TMPDIR=$PWD/disk $CC -c -g a.c"), False))
    for name, line, layers in rows:
        line = limits + "bash -c \"$LINE\"" if "mount" not in line else line
        place.environment["LINE"] = rows[[row[0] for row in rows].index(name)][1]
        for mode in ("exact", "fast"):
            stock, ours = (place.run(line, how, mode) for how in ("stock", "drop-in"))
            got = any(has_layers(data) for data in ours[3].values()) if mode == "fast" and "disk" in name else layers  # it needs room for one object alone
            said = b"Traceback" in ours[2] and "a trace of Python"
            yield f"{name}: clang, {mode}", said or unlike(stock, ours, got, mode) or (None if not os.listdir(place.tmp) else f"{os.listdir(place.tmp)} is left")


def given_otherwise(folder):
    """A module that opt and llc find by a response file, a pipe, `--`, or with a name that is a text: what they make has its layers."""
    place = Place(folder)
    place.environment |= {"OPT": f"{DROP_IN}/opt", "LLC": f"{DROP_IN}/llc"}
    evil = "x\"\ndefine void @evil() { ret void }\n;.ll"
    make = f"cat {ROOT}/tests/lit/Inputs/layers.ll >a.ll; cp a.ll ./-b.ll; cp a.ll \"$EVIL\"; grep -v ^source_filename a.ll >unnamed.ll; cp unnamed.ll \"$EVIL\"; {DLOC} project --primary a.ll -o bare.ll; "
    place.environment["EVIL"] = evil
    rows = (
        ("echo '-O2 -S a.ll \"-o\" out.ll' >x.rsp; $OPT @x.rsp", True), ("echo '-S a.ll' >x.rsp; echo '@x.rsp' >y.rsp; $OPT @y.rsp -o out.ll", True),
        ("$OPT -S -O2 <(cat a.ll) -o out.ll", True), ("mkfifo p; cat a.ll >p & $OPT -S p -o out.ll; rm p", True), ("cat a.ll | $OPT -S /dev/stdin -o out.ll", True),
        ("$OPT -S -O2 <(cat bare.ll) -o out.ll", False), ("mkfifo p; cat bare.ll >p & $OPT -S p -o out.ll; rm p", False), ("cat bare.ll | $OPT -S /dev/stdin -o out.ll", False),
        ("$OPT -S -O2 -o out.ll -- a.ll", True), ("$OPT -S -O2 -o out.ll -- -b.ll", True), ("$OPT -S -O2 \"$EVIL\" -o out.ll", True),
        ("$LLC -filetype=obj -mtriple=x86_64 -o out.ll -- a.ll && llvm-objcopy-22 --dump-section=.debug_line_tileir=lines out.ll", None),
    )  # fmt: skip
    for line, layers in rows:
        found = place.run(make + line, "drop-in")
        text = found[3].get("out.ll", b"")
        problem = None if found[0] == 0 and not found[2] else f"status {found[0]}, {found[2][:300]!r}"
        if layers is None:
            problem = problem or (None if found[3].get("lines") else "no layers")
        else:
            problem = problem or (None if (b'!{!"TileIR", !' in text) == layers and b"!dbg" in text else "no layers, or no debug information")
            problem = problem or ("the name is code" if re.search(rb"^define void @evil", text, re.M) else None)
        yield f"given otherwise: {line}", problem or (None if not os.listdir(place.tmp) else "a folder is left")
