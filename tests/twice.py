#!/usr/bin/env python3
"""usage: tests/twice.py [all]

What the drop-ins build in two folders, with two TMPDIRs, is the same where clang's is: each mode, each set of layers, each option by which a build says how
outputs name its folders; objects, assembler text, and linked programs. No output names a folder that the options map away, nor a temporary file. all: each
mode with each option, each LLVM. Ends with a line `N passed, N failed`. Environment: DLOC (default build/dloc).
"""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CLANG = "/usr/lib/llvm-22/bin/clang"
A = '#include "inc/a.h"\nint twice(int x) { return helper(x) * 2; }\nconst char *where(void) { return __FILE__; }\n'
B = "int twice(int);\nint main(int argc, char **argv) { (void)argv; return twice(argc) == 2 ? 0 : 1; }\n"
# {0} is the folder of a build. Sources are named by absolute paths, as CMake does, or relatively.
ABSOLUTE = {
    "-ffile-prefix-map={0}=/proj": True, "-fdebug-prefix-map={0}=/proj -fmacro-prefix-map={0}=/proj": True, "-ffile-prefix-map={0}/src=src -ffile-prefix-map={0}=/proj": True,
    "-fdebug-prefix-map={0}/src/a.c=/x.c -ffile-prefix-map={0}=/proj": True, "-ffile-prefix-map={0}=/proj -fcoverage-prefix-map={0}=/proj -gz": True,
    "-fdebug-prefix-map={0}/= -fmacro-prefix-map={0}/= -ffile-reproducible": True, "-ffile-prefix-map={0}=/proj -gdwarf-4": True, "-ffile-prefix-map={0}=.": True,
}  # fmt: skip
RELATIVE = {"-ffile-compilation-dir=/proj": True, "-fdebug-compilation-dir=. -fcoverage-compilation-dir=.": True, "-ffile-prefix-map={0}=/proj": True, "-ffile-prefix-map=../src=/s -ffile-compilation-dir=.": True}
LINES = {
    "an object": "{cc} -g -O1 {options} -c {source}/a.c -o a.o",
    "a program in one step": "{cc} -g -O1 {options} {source}/a.c {source}/b.c -o program",
    "a program of objects": "{cc} -g -O1 {options} -c {source}/a.c -o a.o && {cc} -g -O1 {options} -c {source}/b.c -o b.o && {cc} a.o b.o -o program",
}
HOOK = """import os, subprocess, sys
told = subprocess.run([os.environ["DLOC"], "source", sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True).stdout
assert f"\\t{os.environ['DLOC_NAME']}.ll\\n" in told, told
subprocess.run([os.environ["DLOC"], "annotate", "--layer", "mine", "--embed", "--functions", "--unit-file", ".mine", sys.argv[1], "-o", sys.argv[2]], check=True)
"""


def build(folder, line, environment):
    """Runs the command; returns the files of the folder by name."""
    for path, text in {"src/a.c": A, "src/b.c": B, "src/inc/a.h": "static inline int helper(int x) { return x ^ 3; }\n"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "build").mkdir()
    (folder / "tmp").mkdir()
    done = subprocess.run(line, shell=True, cwd=folder / "build", env=os.environ | environment | {"TMPDIR": str(folder / "tmp")}, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    assert done.returncode == 0, f"{line}: {done.stderr.decode(errors='replace')}"
    assert not list((folder / "tmp").iterdir()), "temporary files are left"
    return {path.name: path.read_bytes() for path in (folder / "build").iterdir()}


def difference(scratch, line, options, source, compiler, environment):
    made, folders = [], [scratch / "one", scratch / "another-one"]
    for folder in folders:
        path = str(folder / "src") if source == "absolute" else "../src"
        made.append(build(folder, line.format(cc=compiler, options=options.format(folder), source=path), environment))
        subprocess.run(["rm", "-r", folder], check=True)
    names = sorted(name for name in made[0] if made[0][name] != made[1].get(name))
    told = [f"{name} has the name {word!r}" for name, data in made[0].items() for word in (str(scratch), "/dloc-") if word.encode() in data]
    return (f"{', '.join(names)} differ" if names else "") + ("; " if names and told else "") + ", ".join(told), made[0]


def cases(everything):
    modes = [("exact", "llvm", False), ("fast", "llvm", False), ("full", "llvm", False), ("exact", "llvm,llvm-opt", False), ("fast", "llvm,llvm-opt", False), ("full", "llvm,llvm-opt", False), ("exact", "llvm-opt", False), ("exact", "llvm", True), ("full", "llvm,llvm-opt", True)]
    rows = [(source, option) for source, options in (("absolute", ABSOLUTE), ("relative", RELATIVE)) for option in options]
    pairs = list(itertools.product(rows, LINES, modes))
    return pairs if everything else [(rows[n % len(rows)], list(LINES)[n % len(LINES)], mode) for n, mode in enumerate(modes + modes[:4])]


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        (scratch / "hook.py").write_text(HOOK)
        stock = {}
        for (source, options), what, (mode, layers, hook) in cases("all" in sys.argv):
            if (source, options, what) not in stock:
                stock[source, options, what] = difference(scratch, LINES[what], options, source, CLANG, {})[0]
            environment = {"DLOC_MODE": mode, "DLOC_LAYERS": layers, "DLOC_STRICT": "1", "DLOC": os.environ.get("DLOC", str(ROOT / "build/dloc")), "DLOC_LLVM": os.path.dirname(CLANG)}
            if hook:
                environment["DLOC_HOOK"] = f"{sys.executable} {scratch}/hook.py"
            ours, made = difference(scratch, LINES[what], options, source, ROOT / "tools/drop-in/clang", environment)
            problem = "" if ours == stock[source, options, what] else f"{ours or 'nothing'}; clang: {stock[source, options, what] or 'nothing'}"
            if not problem and not any(b".debug_txt.llvm" in data for data in made.values()):
                problem = "no layers"
            passed, failed = passed + (not problem), failed + bool(problem)
            if problem:
                print(f"FAILED {what}, {source}, {options}, {mode} of {layers}{' with a hook' * hook}: {problem}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
