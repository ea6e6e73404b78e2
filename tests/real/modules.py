"""Real programs as modules: SQLite, Lua, zstd and small ones of this project in C++20, MLIR and Fortran, compiled by several versions of LLVM, every
unit linked into one .ll file."""

import contextlib
import fcntl
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from common import CACHE, ROOT, fetch, in_parallel, llvm
from collections.abc import Iterator

MODULES = os.path.join(CACHE, "big")
SQLITE_FLAGS = """-I. -I.. -I../ext/rtree -DSQLITE_CORE -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS5
    -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_SESSION -DSQLITE_ENABLE_PREUPDATE_HOOK -DSQLITE_ENABLE_RBU
    -DSQLITE_ENABLE_DBSTAT_VTAB""".split()
SQLITE_NOT_UNITS = ("tclsqlite", "geopoly", "userauth", "fts1", "fts2", "os_win", "mutex_w32")
LUA_NOT_UNITS = ("luac",)
ZSTD_UNITS = ("common", "compress", "decompress", "dictBuilder")
OURS = {"main": "real/main.ll", "coroutines": "real/*.cpp", "mlir": "producers/programs/[imn]*.mlir", "flang": "producers/programs/product.f90"}
LOWER = """builtin.module(inline, convert-linalg-to-loops, convert-scf-to-cf, expand-strided-metadata, lower-affine, convert-arith-to-llvm,
    finalize-memref-to-llvm, convert-func-to-llvm, convert-cf-to-llvm, reconcile-unrealized-casts)"""
TARGETS = {"aarch64": ["--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include"]}


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Suites run side by side, and make what is not in the cache."""
    os.makedirs(CACHE, exist_ok=True)
    with open(os.path.join(CACHE, name + ".lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def unpacked(package: str, archive: str) -> str:
    """The folder with the package's sources."""
    folder = os.path.join(CACHE, "unpacked", package)
    with alone(package):
        if os.path.isdir(folder):
            return folder
        archive = glob.glob(os.path.join(fetch(package), archive))[0]
        shutil.rmtree(folder + ".part", ignore_errors=True)
        os.makedirs(folder + ".part")
        subprocess.run(["tar", "-xf", archive, "-C", folder + ".part", "--strip-components=1"], check=True)
        if package == "sqlite3":
            configure = "./configure --disable-tcl --disable-readline && make .target_source shell.c"
            subprocess.run(configure, shell=True, cwd=folder + ".part", check=True, stdout=subprocess.DEVNULL)
            shutil.copy(f"{folder}.part/shell.c", f"{folder}.part/tsrc")
        os.rename(folder + ".part", folder)
    return folder


def units(program: str) -> tuple[str, list[str], list[str]]:
    """(folder, units, flags) of a program."""
    left_out: tuple[str, ...]
    if program in OURS:
        folder = os.path.join(ROOT, "tests")
        return folder, sorted(glob.glob(OURS[program], root_dir=folder)), ["-std=c++20"]
    if program == "zstd":
        folder = unpacked("libzstd", "*.orig.tar.xz") + "/lib"
        return folder, sorted(unit for part in ZSTD_UNITS for unit in glob.glob(part + "/*.c", root_dir=folder)), ["-DZSTD_DISABLE_ASM"]
    if program == "sqlite":
        folder, flags, left_out = unpacked("sqlite3", "*.orig.tar.xz") + "/tsrc", SQLITE_FLAGS, SQLITE_NOT_UNITS
    else:
        folder, flags, left_out = unpacked("lua5.4", "*.orig.tar.gz") + "/src", ["-DLUA_USE_POSIX"], LUA_NOT_UNITS
    return folder, [unit for unit in sorted(glob.glob("*.c", root_dir=folder)) if not unit.startswith(left_out)], flags


def build(name: str) -> str:
    """The path of a module such as sqlite-22-O0, or sqlite-22-O0-aarch64 for another machine, built unless it is in the cache."""
    path = os.path.join(MODULES, name + ".ll")
    with alone(name):
        if not os.path.exists(path):
            compile_program(name, path)
    return path


def lower_mlir(version: str, source: str, output: str) -> None:
    """MLIR's tools lower it; each operation has the place where it stands in the source."""
    text = ["--mlir-print-debuginfo", "-o", output + ".mlir"]
    subprocess.run([llvm(version, "mlir-opt"), source, f"--pass-pipeline={LOWER}", *text], check=True)
    subprocess.run([llvm(version, "mlir-opt"), output + ".mlir", "--ensure-debug-info-scope-on-llvm-func", *text], check=True)
    subprocess.run([llvm(version, "mlir-translate"), "--mlir-to-llvmir", output + ".mlir", "-o", output], check=True)


def compile_unit(name: str, flags: list[str], folder: str, unit: str, output: str) -> None:
    """The name of the unit tells its language."""
    _, version, level, *_ = name.split("-")
    if unit.endswith(".mlir"):
        lower_mlir(version, os.path.join(folder, unit), output)
        if level != "O0":
            subprocess.run([llvm(version, "opt"), f"-passes=default<{level}>", "-S", output, "-o", output], check=True)
        return
    command = [llvm(version, "clang"), "-" + level, "-g", "-w", "-S", "-emit-llvm", *flags]
    if unit.endswith(".ll"):
        command = [llvm(version, "opt"), "-S"]
    if unit.endswith(".f90"):
        command = [llvm(version, "flang"), "-fc1", "-emit-llvm", "-debug-info-kind=standalone", "-" + level]
    subprocess.run([*command, unit, "-o", output], cwd=folder, check=True)


def compile_program(name: str, path: str) -> None:
    os.makedirs(MODULES, exist_ok=True)
    print(f"compiling {name}", file=sys.stderr)
    program, version, _, *target = name.split("-")
    folder, sources, flags = units(program)
    flags = flags + [flag for machine in target for flag in TARGETS[machine]]
    with tempfile.TemporaryDirectory(dir=CACHE) as objects:
        parts = [f"{objects}/{unit.replace('/', '-')}.ll" for unit in sources]
        in_parallel(lambda pair: compile_unit(name, flags, folder, *pair), zip(sources, parts))
        subprocess.run([llvm(version, "llvm-link"), "-S", "-o", path + ".part", *parts], check=True)
    os.rename(path + ".part", path)


def optimisable(name: str, folder: str) -> str:
    """A copy in folder of an unoptimised module, without the attributes by which clang -O0 forbids optimising it."""
    path = os.path.join(folder, name + ".ll")
    with open(build(name), "rb") as module, open(path, "wb") as copy:
        for line in module:
            copy.write(re.sub(rb" (noinline|optnone)\b", b"", line) if line.startswith(b"attributes #") else line)
    return path
