#!/usr/bin/env python3
"""usage: tests/bench/bench.py [--build DIR] [--llvm DIR] [--patched DIR] [--runs N] [--lines]

Measures dloc beside LLVM on this machine, in one run, and prints a table of medians. Nothing here fails for being slow.
Times are processor time, so that other work on the machine matters little, except for the run against LLVM.
"""

import argparse
import json
import os
import re
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


def measure(command):
    """(seconds of processor time, peak MB, seconds that passed) of one run."""
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


def renamed(line, prefix):
    """A line of .ll with other names for all globals that are none of LLVM's; what stands in quotes is left alone."""
    parts = line.split(b'"')
    parts[::2] = [re.sub(rb"@(?!llvm\.)(?=[A-Za-z_])", b"@" + prefix, part) for part in parts[::2]]
    return b'"'.join(parts)


def three_times(name, llvm, folder):
    """The program three times in one module of bitcode."""
    parts = []
    for prefix in (b"", b"second.", b"third."):
        parts.append(os.path.join(folder, f"part-{len(parts)}.bc"))
        with open(build(name), "rb") as module, subprocess.Popen([f"{llvm}/llvm-as", "-o", parts[-1]], stdin=subprocess.PIPE) as assembler:
            assembler.stdin.writelines(renamed(line, prefix) for line in module)
    bitcode = os.path.join(folder, f"three-{name}.bc")
    subprocess.run([f"{llvm}/llvm-link", "-o", bitcode, *parts], check=True)
    return bitcode


def zero_cost(patched, folder, runs, row):
    """What the patched LLVM costs where no location has layers. Each run takes half a minute, so there are three at most."""
    what = "opt default<O2>, SQLite, no layers"
    opts = [os.path.join(patched, "opt"), "/usr/lib/llvm-19/bin/opt"]
    missing = [opt for opt in opts if not os.access(opt, os.X_OK)]
    if missing:
        row(what, "not measured: there is no " + os.path.relpath(missing[0], ROOT))
        return
    module = optimisable("sqlite-19-O0", folder)
    ours, theirs = medians(min(runs, 3), *([opt, "-passes=default<O2>", module, "-o", os.devnull] for opt in opts))
    row(what + ": time", f"patched {ours[0]:.1f} s, stock {theirs[0]:.1f} s: ratio {ours[0] / theirs[0]:.3f}", "about 1")
    row(what + ": peak memory", f"patched {ours[1]:.0f} MB, stock {theirs[1]:.0f} MB: ratio {ours[1] / theirs[1]:.3f}", "about 1")


CLANG = "/usr/lib/llvm-22/bin/clang"
PAIRS = 2_000_000


def merging(folder, runs, row):
    """Merging inside the process: random pairs of located instructions of one function, by libdloc and by LLVM."""
    module, pairs = build("sqlite-22-O2"), [str(PAIRS), "1"]
    commands = {
        "llvm": [os.path.join(folder, "merge-llvm"), module, *pairs],
        "bare": [os.path.join(folder, "merge"), module, "bare", *pairs],
        "layers": [os.path.join(folder, "merge"), module, "layers", *pairs],
    }
    found = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
    if len({(result["located"], result["sum"]) for results in found.values() for result in results}) != 1:
        sys.exit("bench: libdloc and LLVM merge the same locations differently")
    seconds = {name: statistics.median(result["seconds"] for result in results) for name, results in found.items()}
    for name, what, wanted in (("bare", "bare", ">= 3"), ("layers", "one layer each", ">= 1")):
        row(
            f"merge 2 million pairs, {what}",
            f"{seconds[name]:.2f} s; LLVM, bare {seconds['llvm']:.2f} s: {seconds['llvm'] / seconds[name]:.2f} times as fast",
            wanted,
        )


def line_inputs():
    """(what, path, rounds): ten units of a million rows, and of a tenth, as memory is linear in rows; a program of gcc; a library of many small objects of clang, whose functions have sections."""
    synth = os.path.join(ROOT, "tests", "bench", "synth_lines.py")
    lld = "/usr/lib/llvm-22/bin/ld.lld"
    for name, rows in (("synth", 10**6), ("synth-tenth", 10**5)):
        assemble = f"python3 {synth} $tmp 10 {rows} && for i in $tmp/*.s; do as --gdwarf-5 $i -o $i.o && rm $i; done"
        yield "synthetic, 10 units", built(name, f"{assemble} && {lld} -e 0 $tmp/*.o -o $out", [synth]), 10**6 // rows
    folder, sources, flags = units("sqlite")
    each = f"printf '%s\\n' {' '.join(sources)} | xargs -P{os.cpu_count()} -I@ {{}} -w -fPIC {' '.join(flags)} -c @ -o $tmp/@.o"
    for what, compiler in (("SQLite, gcc -O2", "gcc -O2 -g"), ("SQLite, clang -O2, small", f"{CLANG} -O2 -g -ffunction-sections -fdata-sections")):
        yield what, built("bench-sqlite", f"cd {folder} && {each.format(compiler)} && {lld} -shared -z muldefs $tmp/*.o -o $out"), 10


def decoding(folder, runs, row):
    """Every row of a line table kept: libdloc, LLVM, libdw and libdwarf, each in a process of its own that times only this."""
    programs = {"dloc": "lines", "LLVM": "lines-llvm", "libdw": "lines-libdw", "libdwarf": "lines-libdwarf"}
    for what, path, rounds in line_inputs():
        found = {name: [] for name in programs}
        for _ in range(runs):
            for name, program in programs.items():
                # libdwarf is slow, and its time hardly varies
                command = [os.path.join(folder, program), path, str(rounds if name != "libdwarf" else 1)]
                if name != "libdwarf" or not found[name]:
                    found[name].append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
        speed = {name: statistics.median(result["rows"] / result["seconds"] for result in results) / 1e6 for name, results in found.items()}
        rows, best = found["dloc"][0]["rows"], max(speed[name] for name in programs if name != "dloc")
        others = ", ".join(f"{name} {speed[name]:.1f}" for name in programs if name != "dloc")
        row(f"line table, {what}: {rows:,} rows", f"{speed['dloc']:.1f} M rows/s; {others}: {speed['dloc'] / best:.1f} times as fast", ">= 50, or >= 3")
        if rows >= 10**6:  # of fewer, what the allocator keeps is most
            memory = {name: max(result["kib"] for result in results) * 1024 / rows for name, results in found.items()}
            row("line table, bytes of memory a row", "; ".join(f"{name} {size:.0f}" for name, size in memory.items()), "about 24")


def looking_up(folder, runs, row):
    """Rows and frames of random addresses, by libdloc and by libdwfl; of the inputs in which libdwfl finds them, which needs .debug_aranges."""
    for what, path, _ in [*line_inputs()][0:3:2]:
        found = {}
        for _ in range(runs):
            for line in subprocess.run([os.path.join(folder, "stacks"), path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
                name, count, _, _, seconds, _ = line.split("\t")
                found.setdefault(name, []).append(int(count) / float(seconds))
        speed = {name: statistics.median(results) for name, results in found.items()}
        for part, wanted in (("rows", ">= 2"), ("stacks", ">= 2")):
            ours, theirs = speed[f"dloc-{part}"], speed[f"libdwfl-{part}"]
            row(f"lookups of {part}, {what}", f"{ours:,.0f}/s; libdwfl {theirs:,.0f}/s: {ours / theirs:.1f} times as fast", wanted)


def symbolizing(folder, dloc, llvm, runs, row):
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
        row(f"symbolize, {what}", f"{library:,.0f}/s; llvm-symbolizer {theirs:,.0f}/s: {library / theirs:.1f} times as fast", ">= 10")
        row("  by the command", f"{ours:,.0f}/s: {ours / theirs:.1f} times as fast")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--patched", default=os.path.join(ROOT, "build", "patched-llvm", "bin"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--lines", action="store_true", help="only the rows about line tables")
    arguments = parser.parse_args()
    dloc, runs = os.path.abspath(os.path.join(arguments.build, "dloc")), arguments.runs

    def row(what, measured, wanted=""):
        print(f"{what:<44} {measured:<52} {wanted}", flush=True)

    benches = os.path.join(arguments.build, "bench")
    if not arguments.lines:
        merging(benches, runs, row)
    decoding(benches, runs, row)
    looking_up(benches, runs, row)
    symbolizing(benches, dloc, arguments.llvm, runs, row)
    if arguments.lines:
        return
    for name in ("sqlite-22-O0", "sqlite-22-O2"):
        module = build(name)
        ours, theirs = medians(runs, [dloc, "verify", module], [f"{arguments.llvm}/llvm-as", "-o", os.devnull, module])
        size = os.path.getsize(module) / 1e6
        row(f"verify {name}, {size:.0f} MB: time", f"{ours[0]:.2f} s; llvm-as {theirs[0]:.2f} s: {theirs[0] / ours[0]:.1f} times as fast", ">= 8")
        row(f"verify {name}, {size:.0f} MB: peak memory", f"{ours[1]:.0f} MB; llvm-as {theirs[1]:.0f} MB: ratio {ours[1] / theirs[1]:.2f}", "<= 0.25")

    with tempfile.TemporaryDirectory() as folder:
        one = os.path.join(folder, "sqlite-22-O0.bc")
        subprocess.run([f"{arguments.llvm}/llvm-as", "-o", one, build("sqlite-22-O0")], check=True)
        for bitcode in (one, three_times("sqlite-22-O2", arguments.llvm, folder)):
            ours, dis, dump = medians(
                runs,
                [dloc, "bitcode", "--summary", bitcode],
                [f"{arguments.llvm}/llvm-dis", "-o", os.devnull, bitcode],
                [f"{arguments.llvm}/llvm-bcanalyzer", "-dump", bitcode],
            )
            what = f"locate all of {os.path.basename(bitcode)}, {os.path.getsize(bitcode) / 1e6:.0f} MB"
            row(what, f"{ours[0] * 1000:.0f} ms; llvm-dis {dis[0]:.2f} s: {dis[0] / ours[0]:.1f} times as fast", ">= 20")
            row(what, f"llvm-bcanalyzer -dump {dump[0]:.2f} s: {dump[0] / ours[0]:.1f} times as fast", ">= 10")

        def generated(count):
            path = os.path.join(folder, f"merge-{count}.yaml")
            with open(path, "wb") as file:
                subprocess.run([dloc, "gen", "merge", "--count", str(count)], stdout=file, check=True)
            return path

        def written(name, parts):
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.writelines(parts)
            return path

        zero_cost(arguments.patched, folder, runs, row)

        vectors = generated(10000)
        row("check of 10,000 merge vectors", f"{medians(runs, [dloc, 'check', vectors])[0][0]:.2f} s", "< 1 s")
        seconds = medians(runs, [dloc, "run", "--impl", "llvm", "--llvm", arguments.llvm, vectors])[0][2]
        row("run of 10,000 merge vectors against LLVM", f"{seconds:.2f} s: {10000 / seconds:,.0f} vectors/s", ">= 10,000/s")

        def linearity(what, sizes, command):
            times = [medians(runs, command(size))[0][0] for size in sizes]
            steps = "; ".join(f"{size:,}: {seconds * 1000:.1f} ms" for size, seconds in zip(sizes, times))
            row(what, steps, f"x{times[1] / times[0]:.1f}, x{times[2] / times[1]:.1f} (linear: about x10)")

        snapshots = written("snapshots.mlir", many_snapshots(38000))
        tags, size = [snapshots, "--tag", "linalg", "--tag", "scf"], os.path.getsize(snapshots) / 1e6
        texts = medians(runs, [dloc, "mlir", "primary", *tags], [dloc, "mlir", "ids", *tags, "--table", os.path.join(folder, "table")])
        for what, (seconds, peak, _) in zip(("primary", "ids"), texts):
            row(f"mlir {what}, {size:.0f} MB", f"{seconds:.2f} s, {peak:.0f} MB", "< 1 s for 10 MB")

        linearity("verify, n locations", (10**4, 10**5, 10**6), lambda n: [dloc, "verify", written(f"l{n}.ll", many_locations(n))])
        linearity("verify, inlined n deep", (10**4, 10**5, 10**6), lambda n: [dloc, "verify", written(f"d{n}.ll", deep_chains(n))])
        linearity("merge, inlined n deep", (10**4, 10**5, 10**6), lambda n: [dloc, "merge", written(f"d{n}.ll", deep_chains(n)), "!6", "!7"])
        linearity("check, n merge vectors", (10**3, 10**4, 10**5), lambda n: [dloc, "check", generated(n)])


if __name__ == "__main__":
    main()
