#!/usr/bin/env python3
"""usage: conformance/llvm/projection-irlayers.py BIN [PASS...]

The law of `projection` for the form irlayers. M is a module in which every location has two layers: its own place, and its function, so that of two
locations that merge in one function the second survives. P is a pipeline of the patched LLVM in BIN. Instruction by instruction
- the primary of P(M) is that of P(M without layers), but where code moved: line 0 with layers stands for no location (`hoist.list`);
- the functions that P(M) names, on every frame, are those of P(M with functions alone);
- a frame at another line than 0 names one: it is a place of M, and places that merge into one line are of one function.

P: O2 and the passes that merge and move code, or PASS; M: LLVM's own test inputs with debug info, those of the pass's folder first, others of that folder
after -passes=debugify, and Lua if no PASS is named. Prints for each P how many
modules and locations were compared, how many stand for moved code, and how many were merged so that one layer survived; both must occur.
Ends with `N passed, N failed`: a check is one module through one P.
"""

import collections
import glob
import os
import re
import sys
import tempfile
from collections.abc import Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "tests", "real")]
import channels  # noqa: E402
import passes  # noqa: E402
from common import CACHE, first_line, in_parallel, llvm, run  # noqa: E402
from inputs import INPUTS, files_with_debug_info, spread, unpack  # noqa: E402
from modules import optimisable  # noqa: E402

STOCK = llvm(22, "opt")
OF_PASS, LIMIT = 10, 120
NOT_DEBUGIFIED = ("Coroutines", "SampleProfile")  # their inputs are about debug info, or need it as it is
# Each pass, the folder below test/Transforms whose inputs are for it, and whether Lua goes through it.
PIPELINES = {
    "default<O2>": ("", True), "simplifycfg<hoist-common-insts;sink-common-insts>": ("SimplifyCFG", False), "sroa,gvn-hoist": ("GVNHoist", True),
    "sroa,loop-mssa(licm)": ("LICM", True), "mldst-motion": ("MergedLoadStoreMotion", False), "gvn-sink": ("GVNSink", False),
    "speculative-execution": ("SpeculativeExecution", False), "tailcallelim": ("TailCallElim", False), "reassociate": ("Reassociate", False),
    "simple-loop-unswitch<nontrivial>": ("SimpleLoopUnswitch", False), "cgscc(inline)": ("Inline", False), "hotcoldsplit": ("HotColdSplit", False),
    "add-discriminators": ("AddDiscriminators", False), "strip-nonlinetable-debuginfo": ("Util", False),
}  # fmt: skip
OTHERS = {pipeline: (folder, False) for pipeline, folder, _ in passes.laws() if pipeline not in PIPELINES}
PLACE, FUNCTION = "PLACE", "FUNCTION"
LOCATION = re.compile(rb"^(!\d+ = (?:distinct )?!DILocation\(.*scope: !(\d+).*)\)$", re.M)


Frame = tuple[tuple[bytes, bytes], ...]  # layers: line, kind
Frames = tuple[Frame, ...]


class Module(channels.Module):
    """Layers are a list on each frame of a location."""

    def __init__(self, text: bytes) -> None:
        super().__init__(text)
        self.framed: dict[int, tuple[channels.Location, Frames]] = {}

    def frames(self, number: int | None) -> tuple[channels.Location | None, Frames]:
        """(primary, for each frame its layers)"""
        if number is None:
            return None, ()
        if number not in self.framed:
            text = self.definitions[number]
            fields = dict(re.findall(rb"(\w+): !?(\d+)", text))
            at, outer = self.frames(int(fields[b"inlinedAt"])) if b"inlinedAt" in fields else (None, ())
            primary = channels.Location(int(fields.get(b"line", 0)), int(fields.get(b"column", 0)), self.scope(int(fields[b"scope"])), at)
            self.framed[number] = primary, (self.layers(fields.get(b"irlayers")), *outer)
        return self.framed[number]

    def layers(self, number: bytes | None) -> Frame:
        entries = channels.NUMBER.findall(self.definitions[int(number)]) if number else ()
        found = (re.match(rb'!DILayerLoc\(line: (\d+).*kind: "(\w+)"', self.definitions[int(entry[1:])]) for entry in entries)
        return tuple((layer[1], layer[2]) for layer in map(channels.sure, found))


def with_layers(text: bytes, *kinds: str) -> bytes:
    """Every location of the module as opt printed it gets a layer of each kind."""
    module, count = Module(text), 1 + max(map(int, re.findall(rb"^!(\d+) = ", text, re.M)), default=0)

    def subprogram(number: int) -> int:
        block = re.match(rb".*DILexicalBlock(?:File)?\(.*?scope: !(\d+)", module.definitions[number])
        return subprogram(int(block[1])) if block else number

    def listed(match: re.Match[bytes]) -> bytes:
        place = int(channels.sure(re.match(rb"!(\d+)", match[1]))[1])
        lines = {PLACE: place, FUNCTION: subprogram(int(match[2]))}
        layers = ", ".join('!DILayerLoc(line: %d, file: !%d, kind: "%s")' % (lines[kind], count, kind) for kind in kinds)
        return match[1] + b", irlayers: !DILayerLocList(%s))" % layers.encode()

    return LOCATION.sub(listed, text) + b'\n!%d = !DIFile(filename: "soft.mlir", directory: "build")\n' % count


def functions_of(frames: Frames) -> Frames:
    return tuple(tuple(layer for layer in frame if layer[1] == FUNCTION.encode()) for frame in frames)


def lines_of(location: channels.Location | None) -> Iterator[int]:
    while location:
        yield location.line
        location = location.inlined_at


def compare(texts: list[bytes], counts: collections.Counter[str]) -> str | None:
    """The first thing that is wrong, or None."""
    modules = [Module(text) for text in texts]
    functions = [[instruction for _, instructions, _ in module.functions() for instruction in instructions] for module in modules]
    if len(set(map(len, functions))) != 1:
        return "instructions differ"
    for both, bare, alone in zip(*functions):
        if not channels.same_text(both.text, bare.text) or not channels.same_text(both.text, alone.text):
            return f"instructions differ: {both.text.strip().decode()}"
        primary, frames = modules[0].frames(both.location)
        expected, named = modules[1].frames(bare.location)[0], modules[2].frames(alone.location)[1]
        kinds = {kind for frame in frames for _, kind in frame}
        moved = expected is None and primary is not None and primary.line == 0 and kinds
        if primary != expected and not moved:
            return f"primary differs: {both.text.strip().decode()}"
        if functions_of(frames) != functions_of(named):
            return f"layers differ: {both.text.strip().decode()}"
        if any(line and not named for line, named in zip(lines_of(primary), functions_of(frames))):
            return f"layers are gone: {both.text.strip().decode()}"
        counts["located"] += primary is not None
        counts["moved"] += bool(moved)
        counts["merged"] += any([kind for _, kind in frame] == [FUNCTION.encode()] for frame in frames)
    return None


def examine(binaries: str, pipeline: str, path: str, debugify: bool = False) -> tuple[str | None, collections.Counter[str]]:
    """(outcome, counts)"""
    counts: collections.Counter[str] = collections.Counter()
    opt = os.path.join(binaries, "opt")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:

        def through(tool: str, passes: str, text: bytes) -> tuple[int | str, bytes, str]:
            file = os.path.join(folder, "module.ll")
            with open(file, "wb") as output:
                output.write(text)
            return run([tool, "-S", "-passes=" + passes, file], folder, LIMIT)

        with open(path, "rb") as file:
            status, plain, _ = through(STOCK, "debugify" if debugify else "verify", file.read())
        if status != 0 or not LOCATION.search(plain):
            return "left out", counts
        texts = [plain if not kinds else with_layers(plain, *kinds) for kinds in ((PLACE, FUNCTION), (), (FUNCTION,))]
        if through(STOCK, pipeline, plain)[0] != 0:
            return "left out", counts
        results = []
        for text in texts:
            status, result, errors = through(opt, pipeline, text)
            if status != 0 or "ignoring invalid debug info" in errors:
                return f"exit status {status}: {first_line(errors)}", counts
            results.append(result)
        return compare(results, counts), counts


def main() -> bool:
    known = PIPELINES | OTHERS
    unknown = set(sys.argv[2:]) - set(known)
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or unknown:
        sys.exit(__doc__)
    binaries = os.path.abspath(sys.argv[1])
    unpack()
    located, passed, failed = files_with_debug_info(), 0, 0
    total: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        lua = ("Lua", optimisable("lua-22-O0", folder), False)
        for pipeline in sys.argv[2:] or PIPELINES:
            path, program = known[pipeline]
            own = glob.glob(f"Transforms/{path}/**/*.ll", root_dir=INPUTS, recursive=True) if path and path not in NOT_DEBUGIFIED else []
            names = spread([name for name in located if name.startswith(f"Transforms/{path}/")], OF_PASS) + spread(located, 2 * OF_PASS)
            jobs = [lua] * (program and not sys.argv[2:]) + [(name, os.path.join(INPUTS, name), False) for name in names]
            jobs += [(name, os.path.join(INPUTS, name), True) for name in spread(sorted(set(own) - set(located)), OF_PASS)]
            counts: collections.Counter[str] = collections.Counter()
            for (name, *_), (outcome, found) in zip(jobs, in_parallel(lambda job: examine(binaries, pipeline, *job[1:]), jobs)):
                counts += found
                if outcome == "left out":
                    continue
                counts["modules"] += 1
                passed, failed = passed + (outcome is None), failed + (outcome is not None)
                if outcome:
                    print(f"FAILED {pipeline} {name}: {outcome}", flush=True)
            print("%-50s" % pipeline + "".join("%8d %s" % (counts[what], what) for what in ("modules", "located", "moved", "merged")), flush=True)
            total += counts
    if not sys.argv[2:] and not (total["moved"] and total["merged"]):
        failed += 1
        print("FAILED: nothing moved, or nothing merged")
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
