"""The objects whose line tables are compared: made from tests/lines/inputs by many compilers and linkers, kept in build/cache/lines."""

import functools
import glob
import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
from common import CACHE as DOWNLOADS  # noqa: E402
from common import in_parallel  # noqa: E402
from modules import build  # noqa: E402

CACHE = os.path.join(os.path.realpath(DOWNLOADS), "lines")


class Missing(Exception):
    """A program that an object needs is not there."""


@functools.cache
def inputs():
    """A copy of tests/lines/inputs whose path is the same for every checkout, as compilers write it down."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(HERE, "inputs", "**"), recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                digest.update(path[len(HERE) :].encode() + b"\0" + file.read())
    folder = os.path.join(CACHE, "inputs-" + digest.hexdigest()[:16])
    if not os.path.isdir(folder):
        part = f"{folder}.{os.getpid()}"
        shutil.copytree(os.path.join(HERE, "inputs"), part)
        try:
            os.rename(part, folder)
        except OSError:  # another run was faster
            shutil.rmtree(part)
    return folder


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


@functools.cache
def program(word):
    """What tells a program from another one of the same name."""
    path = shutil.which(word)
    return path and f"{os.path.realpath(path)} {os.stat(path).st_size} {int(os.stat(path).st_mtime)}"


def built(name, command, sources=()):
    """The file that a line of shell makes, in the folder of the inputs: $out is the file, $tmp a folder that is removed. It is taken from the cache
    when the line, the inputs and sources and the programs named in it are those of before."""
    key = "\n".join([command, inputs(), *(program(word) or "" for word in command.split()), *(digest(source) for source in sources)])
    out = os.path.join(CACHE, f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}")
    if os.path.exists(out):
        return out
    tmp = f"{out}.{os.getpid()}"
    os.makedirs(tmp)
    environment = {**os.environ, "LC_ALL": "C", "GOCACHE": os.path.join(CACHE, "go"), "GO111MODULE": "off", "tmp": tmp, "out": f"{tmp}/out"}
    try:
        done = subprocess.run(
            ["bash", "-ec", command], cwd=inputs(), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600
        )
        if done.returncode == 127:
            raise Missing(done.stdout.decode().strip().splitlines()[-1])
        if done.returncode:
            raise subprocess.SubprocessError(f"{command}: {done.stdout.decode(errors='replace')[:2000]}")
        os.rename(f"{tmp}/out", out)
    finally:
        shutil.rmtree(tmp)
    return out


CLANG = "/usr/lib/llvm-%s/bin/clang"
LLD = "/usr/lib/llvm-22/bin/ld.lld"


def commands():
    """(name, line of shell) of every object, beside those of inputs/*.s."""
    for compiler, short in (("gcc", "gcc"), (CLANG % 14, "clang14"), (CLANG % 19, "clang19"), (CLANG % 22, "clang22")):
        for level in ("O0", "O2"):
            for version in (2, 3, 4, 5):
                yield f"{short}-{level}-v{version}", f"{compiler} -{level} -gdwarf-{version} -Iinc -c c.c -o $out"
    for version in (2, 3, 4, 5):
        yield f"gcc-strict-v{version}", f"gcc -O2 -gdwarf-{version} -gstrict-dwarf -Iinc -c c.c -o $out"
        yield f"gcc-itself-v{version}", f"gcc -O2 -gdwarf-{version} -gno-as-loc-support -Iinc -c c.c -o $out"
    c = {
        "sections": "-ffunction-sections",
        "profiling": "-fdebug-info-for-profiling",
        "dwarf64": "-gdwarf64",
        "tables": "-gline-tables-only",
        "source": "-gdwarf-5 -gembed-source",
        "zlib": "-gz=zlib",
        "split": "-gsplit-dwarf -gdwarf-5",
    }
    for name, flags in c.items():
        yield f"clang22-{name}", f"{CLANG % 22} -O2 -g {flags} -Iinc -c c.c -o $out"
    for name in ("sections", "dwarf64", "zlib", "split"):
        yield f"gcc-{name}", f"gcc -O2 -g {c[name]} -Iinc -c c.c -o $out"
    yield "gcc-zdebug", "gcc -O2 -g -gz=zlib-gnu -Iinc -c c.c -o $out"
    yield "gcc-split-dwo", "gcc -O2 -g -gsplit-dwarf -gdwarf-5 -Iinc -c c.c -o $tmp/c.o && mv $tmp/c.dwo $out"
    yield "gcc-no-columns", "gcc -O2 -g -gno-column-info -Iinc -c c.c -o $out"
    yield "gcc-m32", "gcc -O2 -g -m32 -Iinc -c c.c -o $out"
    for target in "i386 aarch64 aarch64_be armv7 riscv64 riscv32 powerpc64 powerpc64le s390x mips mips64 sparcv9 hexagon loongarch64 m68k avr".split():
        yield f"clang22-{target}", f"{CLANG % 22} --target={target}-linux-gnu -O2 -g -Iinc -c c.c -o $out"
    yield "clang22-riscv64-fixed", f"{CLANG % 22} --target=riscv64-linux-gnu -mno-relax -O2 -g -Iinc -c c.c -o $out"
    # C++ with inlining and COMDAT groups: two units of one source
    both = "{0} {1} -DCXX_MAIN=main -DCXX_OTHER=one -c cxx.cc -o $tmp/a.o && {0} {1} -DCXX_MAIN=two -DCXX_OTHER=other -c cxx.cc -o $tmp/b.o"
    gcc, clang = both.format("g++", "-O2 -g"), both.format(CLANG % 22 + "++", "-O2 -g")
    yield "cxx-gcc-O0", "g++ -O0 -g -DCXX_MAIN=main -DCXX_OTHER=other -c cxx.cc -o $out"
    yield "cxx-gcc-O2", "g++ -O2 -g -DCXX_MAIN=main -DCXX_OTHER=other -c cxx.cc -o $out"
    yield "cxx-clang22-O2", f"{CLANG % 22}++ -O2 -g -DCXX_MAIN=main -DCXX_OTHER=other -c cxx.cc -o $out"
    for linker, ld in (("bfd", "ld.bfd"), ("gold", "ld.gold"), ("lld", LLD), ("mold", "ld.mold")):
        link = f"&& {ld} --version && {CLANG % 22}++ -fuse-ld={linker} $tmp/a.o $tmp/b.o -o $out"
        yield f"cxx-gcc-{linker}", f"{gcc} {link}"
        yield f"cxx-clang22-{linker}", f"{clang} {link}"
        yield f"cxx-gc-{linker}", both.format("g++", "-O2 -g -ffunction-sections") + f"{link} -Wl,--gc-sections -Wl,--compress-debug-sections=zlib"
        yield f"shared-{linker}", f"gcc -O2 -g -fPIC -Iinc -c c.c -o $tmp/c.o && {ld} --version && {CLANG % 22} -fuse-ld={linker} -shared $tmp/c.o -o $out"
    yield "cxx-gcc-relocatable", f"{gcc} && ld -r $tmp/a.o $tmp/b.o -o $out"
    yield "cxx-gcc-dwz", f"{gcc} && g++ $tmp/a.o $tmp/b.o -o $tmp/out && dwz $tmp/out"
    yield "cxx-types", "g++ -O2 -g -fdebug-types-section -DCXX_MAIN=main -DCXX_OTHER=other -c cxx.cc -o $out"
    yield "lto-gcc", both.format("g++", "-O2 -g -flto") + " && g++ -flto -O2 $tmp/a.o $tmp/b.o -o $out"
    yield "lto-clang22", both.format(CLANG % 22 + "++", "-O2 -g -flto") + f" && {CLANG % 22}++ -flto -fuse-ld=lld $tmp/a.o $tmp/b.o -o $out"
    # other languages
    for level in ("O0", "O2"):
        yield f"fortran-{level}", f"gfortran -{level} -g fortran.f90 -J$tmp -o $out"
    yield "go", "go build -o $out go.go"
    yield "rust", "(rustc --version || exit 127) && rustc -g -O --crate-type=rlib --emit=obj rust.rs -o $out"


def large():
    """A program of 164,000 rows, and six of it in one."""
    sqlite = f"/usr/lib/llvm-22/bin/llc -O1 -filetype=obj --relocation-model=pic {build('sqlite-22-O2')} -o"
    yield "sqlite", f"{sqlite} $out"
    yield "large", f"{LLD} --version >$tmp/v && {sqlite} $tmp/s.o && {LLD} -shared -Bsymbolic -z muldefs {'$tmp/s.o ' * 6} -o $out"


def dloc():
    return os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))


FEW = "gcc-O0-v5 gcc-O2-v2 gcc-O2-v4 gcc-O2-v5 clang14-O2-v2 clang14-O2-v3 clang22-profiling clang22-dwarf64 clang22-s390x gcc-zdebug gcc-zlib cxx-gcc-lld cxx-gc-bfd lto-gcc".split()


def objects(few):
    """name -> path, or what keeps it from being made."""

    def one(item):
        try:
            return item[0], built(*item)
        except (Missing, subprocess.SubprocessError) as error:
            return item[0], error

    hand = [
        (os.path.basename(path)[:-2], f"as {os.path.basename(path)} -o $out") for path in sorted(glob.glob(os.path.join(inputs(), "*.s")))
    ]
    if few:
        return dict(in_parallel(one, [*(item for item in commands() if item[0] in FEW), *hand]))
    return {**dict(in_parallel(one, [*large(), *commands(), *hand])), "dloc": dloc()}
