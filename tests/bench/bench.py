#!/usr/bin/env python3
"""usage: tests/bench/bench.py [--build DIR] [--llvm DIR] [--patched DIR] [--runs N] [--lines]

Measures dloc beside LLVM on this machine, in one run, and prints a table of medians, then the rows that miss their goal. Nothing here fails for being slow.
Times are processor time, so that other work on the machine matters little, except for runs over vectors, which use all processors.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "real"), os.path.join(ROOT, "tests", "lines")]
from modules import build, optimisable, units  # noqa: E402
from objects import built  # noqa: E402

HEAD = """!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
"""


MISSED = []  # rows that miss their goal


def row(what, measured, goal="", met=True):
    line = f"{what:<44} {measured:<52} {goal}"
    print(line, flush=True)
    if not met:
        MISSED.append(line)


def at_least(value, goal, unit=""):
    return f">= {goal:,}{unit}", value >= goal


def at_most(value, goal, unit=""):
    return f"<= {goal:,}{unit}", value <= goal


def measure(command):
    """(seconds of processor time, peak MB, seconds that passed) of one run, whose files are in memory: otherwise who comes first pays for all."""
    for path in filter(os.path.isfile, command):
        with open(path, "rb") as file:
            while file.read(1 << 20):
                pass
    start = time.monotonic()
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, cwd=ROOT, stdout=null, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    passed = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: exit status {process.returncode} of {' '.join(command)}\n{errors.decode()[:2000]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, passed


def medians(runs, *commands):
    """The medians of measure() for each command; they take turns, so that whatever else goes on disturbs them alike."""
    found = [[] for _ in commands]
    for _ in range(runs):
        for results, command in zip(found, commands):
            results.append(measure(command))
    return [tuple(statistics.median(column) for column in zip(*results)) for results in found]


def many_locations(n):
    """A module of one function with n instructions, each with its own location."""
    yield "declare void @g()\ndefine void @f() !dbg !5 {\n"
    for i in range(n):
        yield f"  call void @g(), !dbg !{i + 6}\n"
    yield f"  ret void, !dbg !6\n}}\n{HEAD}"
    for i in range(n):
        yield f"!{i + 6} = !DILocation(line: {i + 1}, column: 1, scope: !5)\n"


def deep_chains(n):
    """A module with two locations, !6 and !7, that are inlined n deep along two different chains."""
    yield f"define void @f() !dbg !5 {{\n  ret void, !dbg !6\n}}\n{HEAD}"
    for i in range(n):
        for side in (6, 7):
            deeper = f", inlinedAt: !{side + 2 * i + 2}" if i + 1 < n else ""
            number, line = side + 2 * i, (n - i) * 10 + side
            yield f"!{number} = distinct !DILocation(line: {line}, column: 1, scope: !5{deeper})\n"


def many_snapshots(n):
    """Text of MLIR with n ops, each of which has a place in two snapshots."""
    yield "func.func @f(%a: f32) {\n"
    for i in range(n):
        yield f"  %v{i} = arith.mulf %a, %a {{fastmath = #arith.fastmath<contract>}} : f32 loc(#op{i})\n"
    yield "  return loc(unknown)\n} loc(unknown)\n"
    for i in range(n):
        yield f'#at{i} = loc("a.py":{i % 5000 + 1}:{i % 70 + 1})\n#linalg{i} = loc("linalg"("linalg.mlir":{i // 3 + 1}:4))\n'
        yield f'#scf{i} = loc("scf"("scf.mlir":{i + 1}:6))\n#op{i} = loc(fused[#at{i}, #linalg{i}, #scf{i}])\n'


def nested_scopes(n):
    """A module with n locations that have a layer, each in a block of its own, which is in the block before."""
    yield "define void @f() !dbg !5 {\n  ret void, !dbg !6\n"
    for i in range(n):
        yield f"  store volatile i32 0, ptr null, !dbg !{4 * i + 9}\n"
    yield f"}}\n{HEAD}!6 = !DILocation(line: 1, scope: !5)\n"
    for i in range(n):
        block = f"!{4 * i + 7}"
        yield f"{block} = distinct !DILexicalBlock(scope: !{4 * i + 3 if i else 5}, file: !1, line: {i + 1})\n!{4 * i + 8} = !DILocation(line: {i + 1}, scope: {block})\n"
        yield f'!{4 * i + 9} = !{{!{4 * i + 8}, !{{!"k", !{4 * i + 10}}}}}\n!{4 * i + 10} = !DILocation(line: {i + 1}, column: 2, scope: {block})\n'


def renamed(line, prefix):
    """A line of .ll with other names for all globals that are none of LLVM's; what stands in quotes is left alone."""
    parts = line.split(b'"')
    parts[::2] = [re.sub(rb"@(?!llvm\.)(?=[A-Za-z_])", b"@" + prefix, part) for part in parts[::2]]
    return b'"'.join(parts)


def three_times(name, llvm):
    """The program three times in one module of bitcode, which is kept."""
    module, parts = build(name), []
    bitcode = os.path.join(os.path.dirname(module), f"three-{name}.bc")
    if os.path.exists(bitcode) and os.path.getmtime(bitcode) > os.path.getmtime(module):
        return bitcode
    with tempfile.TemporaryDirectory() as folder:
        for prefix in (b"", b"second.", b"third."):
            parts.append(os.path.join(folder, f"part-{len(parts)}.bc"))
            with open(module, "rb") as text, subprocess.Popen([f"{llvm}/llvm-as", "-o", parts[-1]], stdin=subprocess.PIPE) as assembler:
                assembler.stdin.writelines(renamed(line, prefix) for line in text)
        subprocess.run([f"{llvm}/llvm-link", "-o", os.path.join(folder, "all.bc"), *parts], check=True)
        shutil.copyfile(os.path.join(folder, "all.bc"), bitcode)
    return bitcode


def zero_cost(patched, folder):
    """The cost of the patched LLVM where no location has layers. Each run takes half a minute, so there is one."""
    what = "opt default<O2>, SQLite, no layers"
    opts = [os.path.join(patched, "opt"), "/usr/lib/llvm-19/bin/opt"]
    missing = [opt for opt in opts if not os.access(opt, os.X_OK)]
    if missing:
        row(what, "not measured: there is no " + os.path.relpath(missing[0], ROOT))
        return
    module = optimisable("sqlite-19-O0", folder)
    ours, theirs = medians(1, *([opt, "-passes=default<O2>", module, "-o", os.devnull] for opt in opts))
    row(what + ": time", f"patched {ours[0]:.1f} s, stock {theirs[0]:.1f} s: ratio {ours[0] / theirs[0]:.3f}", *at_most(ours[0] / theirs[0], 1.03))
    row(what + ": peak memory", f"patched {ours[1]:.0f} MB, stock {theirs[1]:.0f} MB: ratio {ours[1] / theirs[1]:.3f}", *at_most(ours[1] / theirs[1], 1.03))


CLANG = "/usr/lib/llvm-22/bin/clang"
PAIRS = 2_000_000


def merging(folder, runs, written):
    """Merging inside the process: random pairs of located instructions of one function, by libdloc and by LLVM."""
    for name, module in (("SQLite", build("sqlite-22-O2")), ("1,000 locations", written("small.ll", many_locations(1000)))):
        commands = {
            "llvm": [os.path.join(folder, "merge-llvm"), module, str(PAIRS), "1"],
            "bare": [os.path.join(folder, "merge"), module, "bare", str(PAIRS), "1"],
            "layers": [os.path.join(folder, "merge"), module, "layers", str(PAIRS), "1"],
        }
        found = {kind: [] for kind in commands}
        for _ in range(runs):
            for kind, command in commands.items():
                found[kind].append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
        if len({(result["located"], result["sum"]) for results in found.values() for result in results}) != 1:
            sys.exit("bench: libdloc and LLVM merge the same locations differently")
        seconds = {kind: statistics.median(result["seconds"] for result in results) for kind, results in found.items()}
        for kind, what, goal in (("bare", "bare", 3), ("layers", "a layer each", 2)):
            ratio = seconds["llvm"] / seconds[kind]
            row(f"merge 2 million pairs, {name}, {what}", f"{seconds[kind]:.2f} s; LLVM, bare {seconds['llvm']:.2f} s: {ratio:.2f} times as fast", *at_least(ratio, goal))


def line_inputs():
    """(what, path, rounds): ten units of a million rows, and of a tenth, as memory is linear in rows; a program of gcc; a library of many small objects of clang, whose functions have sections."""
    synth = os.path.join(ROOT, "tests", "bench", "synth_lines.py")
    lld = "/usr/lib/llvm-22/bin/ld.lld"
    for name, rows in (("synth", 10**6), ("synth-tenth", 10**5)):
        assemble = f"python3 {synth} $tmp 10 {rows} && for i in $tmp/*.s; do as --gdwarf-5 $i -o $i.o && rm $i; done"
        yield f"synthetic, 10 units of {'a million' if rows == 10**6 else '100,000'} rows", built(name, f"{assemble} && {lld} -e 0 $tmp/*.o -o $out", [synth]), 10**6 // rows
    folder, sources, flags = units("sqlite")
    each = f"printf '%s\\n' {' '.join(sources)} | xargs -P{os.cpu_count()} -I@ {{}} -w -fPIC {' '.join(flags)} -c @ -o $tmp/@.o"
    for what, compiler in (("SQLite, gcc -O2", "gcc -O2 -g"), ("SQLite, clang -O2, small", f"{CLANG} -O2 -g -ffunction-sections -fdata-sections")):
        yield what, built("bench-sqlite", f"cd {folder} && {each.format(compiler)} && {lld} -shared -z muldefs $tmp/*.o -o $out"), 10


def decoding(folder, runs):
    """Every row of a line table kept: libdloc, LLVM, libdw and libdwarf, each in a process of its own that times only this."""
    programs = {"dloc": "lines", "LLVM": "lines-llvm", "libdw": "lines-libdw", "libdwarf": "lines-libdwarf"}
    for what, path, rounds in line_inputs():
        found = {name: [] for name in programs}
        for _ in range(runs):
            for name, program in programs.items():
                # libdwarf is slow, and its time hardly varies; of ten million rows it takes as long as all others
                command = [os.path.join(folder, program), path, str(rounds if name != "libdwarf" else 1)]
                if name != "libdwarf" or not (found[name] or what.startswith("synthetic, 10 units of a million")):
                    found[name].append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
        speed = {name: statistics.median(result["rows"] / result["seconds"] for result in results) / 1e6 for name, results in found.items() if results}
        rows, best = found["dloc"][0]["rows"], max(speed[name] for name in speed if name != "dloc")
        others = ", ".join(f"{name} {speed[name]:.1f}" for name in speed if name != "dloc")
        ratio = speed["dloc"] / best
        row(f"line table, {what}: {rows:,}", f"{speed['dloc']:.1f} M rows/s; {others}: {ratio:.1f} times as fast", ">= 50 M rows/s, or >= 3", speed["dloc"] >= 50 or ratio >= 3)
        if rows >= 10**6:  # of fewer, what the allocator keeps is most
            memory = {name: max(result["kib"] for result in results) * 1024 / rows for name, results in found.items() if results}
            row("line table, bytes of memory a row", "; ".join(f"{name} {size:.0f}" for name, size in memory.items()), *at_most(memory["dloc"], 26))


def looking_up(folder, runs):
    """Rows and frames of random addresses, by libdloc and by libdwfl; of the inputs in which libdwfl finds them, which needs .debug_aranges."""
    for what, path, _ in [*line_inputs()][0:3:2]:
        found = {}
        for _ in range(runs):
            for line in subprocess.run([os.path.join(folder, "stacks"), path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
                name, count, _, _, seconds, _ = line.split("\t")
                found.setdefault(name, []).append(int(count) / float(seconds))
        speed = {name: statistics.median(results) for name, results in found.items()}
        for part in ("rows", "stacks"):
            ours, theirs = speed[f"dloc-{part}"], speed[f"libdwfl-{part}"]
            row(f"lookups of {part}, {what}", f"{ours:,.0f}/s; libdwfl {theirs:,.0f}/s: {ours / theirs:.1f} times as fast", *at_least(ours / theirs, 2))


def symbolizing(folder, dloc, llvm, runs):
    """Random addresses of a file without layers and of one with two: the library; the command and llvm-symbolizer, asked on standard input."""
    layered, count = os.path.join(ROOT, "tests", "linkers", "layered.py"), 100_000
    command = f"python3 {layered} --functions 3000 $tmp && for i in a b; do {llvm}/llvm-mc -filetype=obj $tmp/$i.s -o $tmp/$i.o; done"
    inputs = [("SQLite, gcc -O2", [*line_inputs()][2][1]), ("two layers", built("layered", f"{command} && {llvm}/ld.lld $tmp/a.o $tmp/b.o -o $out", [layered]))]
    for what, path in inputs:
        run = [os.path.join(folder, "stacks"), path, str(count)]
        library = statistics.median(
            count / float(subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[1].split("\t")[4]) for _ in range(min(runs, 3))
        )
        with tempfile.NamedTemporaryFile() as addresses:
            addresses.write(subprocess.run([*run, "addresses"], check=True, stdout=subprocess.PIPE).stdout)
            addresses.flush()
            shell = [["sh", "-c", f'exec "$@" <{addresses.name}', "sh", *ask] for ask in ([dloc, "symbolize", path], [f"{llvm}/llvm-symbolizer", f"--obj={path}"])]
            ours, theirs = (count / found[0] for found in medians(min(runs, 3), *shell))
        row(f"symbolize, {what}", f"{library:,.0f}/s; llvm-symbolizer {theirs:,.0f}/s: {library / theirs:.1f} times as fast", *at_least(library / theirs, 10))
        row(f"  by the command, {what}", f"{ours:,.0f}/s: {ours / theirs:.1f} times as fast", *at_least(ours / theirs, 5))


def verifying(dloc, llvm, runs):
    for name in ("sqlite-22-O0", "sqlite-22-O2"):
        module = build(name)
        ours, theirs = medians(runs, [dloc, "verify", module], [f"{llvm}/llvm-as", "-o", os.devnull, module])
        size, speed, memory = os.path.getsize(module) / 1e6, theirs[0] / ours[0], ours[1] / theirs[1]
        row(f"verify {name}, {size:.0f} MB: time", f"{ours[0]:.2f} s; llvm-as {theirs[0]:.2f} s: {speed:.1f} times as fast", *at_least(speed, 15))
        row(f"verify {name}, {size:.0f} MB: peak memory", f"{ours[1]:.0f} MB; llvm-as {theirs[1]:.0f} MB: ratio {memory:.2f}", *at_most(memory, 0.2))


def hardening(build_folder, runs):
    """The cost of the flags that SECURITY.md has: both programs take turns."""
    hardened, plain = (os.path.join(build_folder, name) for name in ("dloc", "unhardened/dloc"))
    for what, command in (("verify sqlite-22-O2", ["verify", build("sqlite-22-O2")]), ("check vectors", ["check", "vectors"])):
        ours, theirs = medians(3 * runs, [hardened, *command], [plain, *command])
        row(f"hardened, {what}", f"{ours[0]:.2f} s; not hardened {theirs[0]:.2f} s: ratio {ours[0] / theirs[0]:.3f}", *at_most(ours[0] / theirs[0], 1.05))


def locating(dloc, llvm, runs, folder):
    one = os.path.join(folder, "sqlite-22-O0.bc")
    subprocess.run([f"{llvm}/llvm-as", "-o", one, build("sqlite-22-O0")], check=True)
    for bitcode in (one, three_times("sqlite-22-O2", llvm)):
        ours, dis, dump = medians(
            runs, [dloc, "bitcode", "--summary", bitcode], [f"{llvm}/llvm-dis", "-o", os.devnull, bitcode], [f"{llvm}/llvm-bcanalyzer", "-dump", bitcode]
        )
        what = f"locate all of {os.path.basename(bitcode)}, {os.path.getsize(bitcode) / 1e6:.0f} MB"
        for name, theirs, goal in (("llvm-dis", dis, 20), ("llvm-bcanalyzer -dump", dump, 12)):
            row(what, f"{ours[0] * 1000:.0f} ms; {name} {theirs[0]:.2f} s: {theirs[0] / ours[0]:.1f} times as fast", *at_least(theirs[0] / ours[0], goal))


def asking(folder, dloc, llvm, runs, generated):
    """Vectors: the model, which reads documents most of the time, and a real LLVM."""
    vectors, suite = generated(10000), os.path.join(ROOT, "vectors")
    for what, command, count in (
        ("the model, 10,000 merge vectors", [dloc, "check", vectors], 10000),
        ("the model, the suite", [dloc, "check", suite], sum(1 for _ in subprocess.run([dloc, "list", "--ids", suite], stdout=subprocess.PIPE, check=True).stdout.splitlines())),
    ):
        ours, theirs = medians(runs, command, [os.path.join(folder, "yaml-libyaml"), command[-1]]) if os.path.isfile(command[-1]) else (*medians(runs, command), None)
        speed, least = count / ours[2], f"; libyaml alone reads {count / theirs[0]:,.0f}/s on one" if theirs else ""
        row(what, f"{speed:,.0f} vectors/s, on {os.cpu_count()} processors{least}", *at_least(speed, 50000, "/s"))
    run = [dloc, "run", "--quiet", "--impl", "llvm", "--llvm", llvm]
    speed = 10000 / medians(runs, [*run, vectors])[0][2]
    row("LLVM, 10,000 merge vectors", f"{speed:,.0f} vectors/s", *at_least(speed, 10000, "/s"))
    known = os.path.join(ROOT, "conformance", "llvm", "known-failures.txt")
    seconds = medians(1, [*run, "--expect-failures", known, suite])[0][2]
    row("LLVM, the suite", f"{seconds:.1f} s", *at_most(seconds, 8, " s on two processors"))


def snapshots_read(dloc, runs, written, folder):
    snapshots = written("snapshots.mlir", many_snapshots(38000))
    tags, size = [snapshots, "--tag", "linalg", "--tag", "scf"], os.path.getsize(snapshots) / 1e6
    texts = medians(runs, [dloc, "mlir", "primary", *tags], [dloc, "mlir", "ids", *tags, "--table", os.path.join(folder, "table")])
    for what, (seconds, peak, _) in zip(("primary", "ids"), texts):
        row(f"mlir {what}, {size:.0f} MB", f"{seconds:.2f} s, {peak:.0f} MB", *at_most(seconds / size, 0.1, " s for each MB"))


def linearity(what, sizes, command, runs):
    times = [medians(runs, command(size))[0][0] for size in sizes]
    steps = "; ".join(f"{size:,}: {seconds * 1000:.1f} ms" for size, seconds in zip(sizes, times))
    growth = times[2] / times[1] * sizes[1] / sizes[2]
    row(what, steps, f"linear: {growth:.1f} of that", growth <= 1.5)


def growing(dloc, runs, written, generated, folder):
    sizes, table = (10**4, 10**5, 10**6), os.path.join(folder, "table")
    linearity("verify, n locations", sizes, lambda n: [dloc, "verify", written(f"l{n}.ll", many_locations(n))], runs)
    linearity("verify, inlined n deep", sizes, lambda n: [dloc, "verify", written(f"d{n}.ll", deep_chains(n))], runs)
    linearity("merge, inlined n deep", sizes, lambda n: [dloc, "merge", written(f"d{n}.ll", deep_chains(n)), "!6", "!7"], runs)
    linearity("check, n merge vectors", (10**3, 10**4, 10**5), lambda n: [dloc, "check", generated(n)], 1)
    sizes = (2000, 12000, 72000)
    linearity("hide, n nested scopes", sizes, lambda n: [dloc, "hide", "--table", f"{table}{n}", "-o", os.path.join(folder, f"h{n}.ll"), written(f"s{n}.ll", nested_scopes(n))], runs)
    linearity("reveal, n nested scopes", sizes, lambda n: [dloc, "reveal", "--fast", "--table", f"{table}{n}", os.path.join(folder, f"h{n}.ll")], runs)
    linearity("convert, n nested scopes", sizes, lambda n: [dloc, "convert", "--to", "irlayers", "--lossy", os.path.join(folder, f"s{n}.ll")], runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--patched", default=os.path.join(ROOT, "build", "patched-llvm", "bin"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--lines", action="store_true", help="only the rows about line tables")
    arguments = parser.parse_args()
    dloc, llvm, runs = os.path.abspath(os.path.join(arguments.build, "dloc")), arguments.llvm, arguments.runs
    benches = os.path.join(arguments.build, "bench")
    with tempfile.TemporaryDirectory() as folder:

        def written(name, parts):
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.writelines(parts)
            return path

        def generated(count):
            path = os.path.join(folder, f"merge-{count}.yaml")
            with open(path, "wb") as file:
                subprocess.run([dloc, "gen", "merge", "--count", str(count)], stdout=file, check=True)
            return path

        decoding(benches, runs)
        looking_up(benches, runs)
        symbolizing(benches, dloc, llvm, runs)
        if not arguments.lines:
            merging(benches, runs, written)
            verifying(dloc, llvm, min(runs, 2))
            hardening(os.path.abspath(arguments.build), runs)
            locating(dloc, llvm, min(runs, 2), folder)
            snapshots_read(dloc, runs, written, folder)
            asking(benches, dloc, llvm, runs, generated)
            growing(dloc, 1, written, generated, folder)
            zero_cost(arguments.patched, folder)
    print(f"\n{len(MISSED)} rows miss their goal:" if MISSED else "\nEach row meets its goal.", *MISSED, sep="\n")


if __name__ == "__main__":
    main()
