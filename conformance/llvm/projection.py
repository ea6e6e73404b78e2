#!/usr/bin/env python3
"""usage: conformance/llvm/projection.py BIN [--inputs N] [--report FILE] [--only PIPELINE]... [--big] [--full]

A law that needs no model of any pass. M is a module with layers, P a pipeline of the patched LLVM in BIN: one channel of P(M) is P(M with that
channel as its only location), except where a clause of SPEC.md says otherwise; channels.py lists these and checks what they entail.

M: N (200) of LLVM's own test inputs, half with debug info of their own, half with what -passes=debugify gives them; for single passes those of their
own folder, and for those that change discriminators also in units for profiling; Lua and SQLite. `dloc annotate` gives each instruction two layers, PLACE and ORIGIN; in "Lua alternating" every second PLACE has
another name. P: the pipelines O1 to O3, and the passes that merge, move, clone or make instructions; llvm-as must read P(M) without a warning. Prints
a table, one line for each P, with the number of composites that P made or moved (touched), which must not be 0; with --report, to FILE also every difference. known-gaps.txt must list every difference that no clause explains, with the pass that makes it; a listed difference
that no longer occurs is a failure.

Usually SQLite goes through O2 and always-inline, and each pass runs over N/25 inputs, those whose merges are known over Lua too. With --big SQLite goes
through every pipeline and pass, and Lua too; with --full every pass runs over all inputs of its folder and the N. Together they take more than an
hour. Ends with `N passed, N failed`: a check is one channel of one module through one pipeline. BUILD: where dloc is, by default `build`.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, NoReturn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "tests", "real")]
os.environ.setdefault("DLOC", os.path.abspath(os.path.join(HERE, "..", "..", os.environ.get("BUILD", "build"), "dloc")))
import channels  # noqa: E402
import passes  # noqa: E402
from channels import EQUAL, EXCEPTIONS, FAULT, NUMBER, ORIGIN, PLACE, Function, Module  # noqa: E402
from common import CACHE, DLOC, JOBS, canonical, first_line, run  # noqa: E402
from inputs import INPUTS, files_with_debug_info, spread, unpack  # noqa: E402
from modules import optimisable  # noqa: E402

KNOWN = os.path.join(HERE, "known-gaps.txt")
LIMIT, LIMIT_BIG = 20, 300
PIPELINES = ("default<O2>", "default<O3>", "default<O1>", "always-inline")
OF_BIG = ("default<O2>", "always-inline")  # through which SQLite goes in any case
# Each pass and the folder below test/Transforms whose inputs are for it. The first ones are those whose merges are known.
PASSES = [entry.split(":") for entry in """
    simplifycfg<hoist-common-insts>:SimplifyCFG simplifycfg<sink-common-insts>:SimplifyCFG gvn-sink:GVNSink simplifycfg:SimplifyCFG
    mem2reg:Mem2Reg instcombine<no-verify-fixpoint>:InstCombine mldst-motion:MergedLoadStoreMotion loop-mssa(licm):LICM gvn-hoist:GVNHoist early-cse:EarlyCSE gvn:GVN
    newgvn:NewGVN sink:Sink adce:ADCE
    sroa:SROA cgscc(inline):Inline argpromotion:ArgumentPromotion jump-threading:JumpThreading loop-rotate:LoopRotate loop-unroll:LoopUnroll
    loop-vectorize:LoopVectorize slp-vectorizer:SLPVectorizer tailcallelim:TailCallElim dse:DeadStoreElimination memcpyopt:MemCpyOpt
    reassociate:Reassociate correlated-propagation:CorrelatedValuePropagation deadargelim:DeadArgElim ipsccp:SCCP add-discriminators:AddDiscriminators
    hotcoldsplit:HotColdSplit partial-inliner:PartialInlining iroutliner:IROutliner mergefunc:MergeFunc simple-loop-unswitch<nontrivial>:SimpleLoopUnswitch
    indvars:IndVarSimplify loop-idiom:LoopIdiom loop-simplify:LoopSimplify loop-distribute:LoopDistribute loop-unroll-and-jam:LoopUnrollAndJam
    loop-fusion:LoopFusion loop-interchange:LoopInterchange constraint-elimination:ConstraintElimination speculative-execution:SpeculativeExecution
    vector-combine:VectorCombine callsite-splitting:CallSiteSplitting div-rem-pairs:DivRemPairs consthoist:ConstantHoisting
    lower-switch:LowerSwitch structurizecfg:StructurizeCFG globalopt:GlobalOpt ipsccp<func-spec>:FunctionSpecialization
    aggressive-instcombine:AggressiveInstCombine mergeicmps:MergeICmps dfa-jump-threading:DFAJumpThreading loop-reduce:LoopStrengthReduce
    coro-early,coro-split,coro-cleanup:Coroutines scalarizer:Scalarizer strip-nonlinetable-debuginfo:Util
""".split()]
# After sroa there is something for them to do in a program: registers instead of memory.
AFTER_SROA = ["sroa," + name for name, _ in PASSES[:13]]
# Passes over modules, over a program whose functions are nobody else's.
OF_MODULES = "partial-inliner ipsccp<func-spec> globalopt deadargelim argpromotion hotcoldsplit mergefunc".split()
OF_MODULES = ["internalize,sroa," + name for name in OF_MODULES]
# Without these options a pass finds nothing worth its while in most inputs.
OPTIONS = {
    "loop-vectorize": ["-force-vector-width=4"],
    "slp-vectorizer": ["-slp-threshold=-99"],
    "partial-inliner": ["-skip-partial-inlining-cost-analysis"],
    "ipsccp<func-spec>": ["-force-specialization"],
    "hotcoldsplit": ["-hotcoldsplit-threshold=-1"],
    "internalize": ["-internalize-public-api-list=main"],
    "consthoist": ["-consthoist-gep"],
    "iroutliner": ["-ir-outlining-no-cost"],
    "loop-distribute": ["-enable-loop-distribute"],
}
# speculative-execution drops the location of all that it hoists (`hoist.layers`); no input has a function that always-inline must inline, and default<O2> inlines
TOUCH_NOTHING = ("speculative-execution", "always-inline")
PROFILING = re.compile(rb"(emissionKind: (?:Full|LineTables)\w*)(?!.*debugInfoForProfiling)")
NOT_DEBUGIFIED = ("Coroutines",)  # stock LLVM 19 corrupts its memory when it splits what debugify made


# ---- Modules -------------------------------------------------------------------------------------------------------------------------------------


class Source:
    """One module, and the pipelines that it goes through."""

    def __init__(self, name: str, path: str, debugify: bool = False, profiling: bool = False) -> None:
        self.name, self.path, self.debugify, self.profiling = name, path, debugify, profiling
        self.pipelines: list[str] = []
        self.alternating = name.endswith("alternating")
        self.size = os.path.getsize(path)
        self.small = self.size < 1 << 20
        self.limit = LIMIT if path.startswith(INPUTS) else LIMIT_BIG


Input = tuple[str, bool]  # one of LLVM's own; whether debugify locates it
Composite = tuple[str, bytes, bytes, "channels.Location | None", tuple[tuple[str, "channels.Location | None"], ...]]
Culprits = dict[tuple[str, str], str]
Outcome = tuple[str, "Comparison | None", str, Culprits]


class Failed(Exception):
    """A tool did not do what it was asked to."""


class Unfit(Exception):
    """A module about which the law says nothing: LLVM does not accept it, or nothing in it has a location."""


def rewrite(path: str, change: Callable[[bytes], bytes]) -> None:
    with open(path, "rb") as file:
        text = change(file.read())
    with open(path, "wb") as file:
        file.write(text)


class Tools:
    def __init__(self, binaries: str, folder: str) -> None:
        self.opt, self.assembler, self.folder = os.path.join(binaries, "opt"), os.path.join(binaries, "llvm-as"), folder

    def must(self, command: list[str], limit: int) -> bytes:
        status, output, errors = run(command, self.folder, limit)
        if status != 0 or "ignoring invalid debug info" in errors:
            raise Failed("invalid debug info" if status == 0 else f"exit status {status} of {os.path.basename(command[0])}: {first_line(errors)}")
        return output

    def passes(self, pipeline: str, path: str, limit: int, *options: str) -> bytes:
        forced = [option for name, given in OPTIONS.items() if name in pipeline.split(",") for option in given]
        return self.must([self.opt, "-S", "-passes=" + pipeline, path, *forced, *options], limit)

    def may(self, *arguments: Any) -> bytes:
        try:
            return self.passes(*arguments)
        except Failed as reason:
            raise Unfit(str(reason))

    def prepare(self, source: Source) -> tuple[str, str, str]:
        """The files of M, of M with its primary alone, and with its layer alone."""
        plain, place, both, primary, layer = (os.path.join(self.folder, name + ".ll") for name in ("plain", "place", "both", "primary", "layer"))
        with open(plain, "wb") as file:
            text = self.may("debugify" if source.debugify else "verify", source.path, source.limit)
            file.write(PROFILING.sub(rb"\1, debugInfoForProfiling: true", text) if source.profiling else text)
        self.must([DLOC, "annotate", "--layer", PLACE, "--loops", "--file", "module.ll", plain, "-o", place], source.limit)
        self.must([DLOC, "annotate", "--layer", ORIGIN, "--loops", "--by-function", "--file", "functions", place, "-o", both], source.limit)
        if os.path.getsize(both) == os.path.getsize(plain):
            raise Unfit("no location")
        if source.alternating:
            rewrite(both, channels.alternate)
        self.must([DLOC, "project", "--primary", both, "-o", primary], source.limit)
        self.must([DLOC, "project", "--layer", PLACE, both, "-o", layer], source.limit)
        return both, primary, layer

    def assemble(self, text: bytes, alone: bytes, limit: int) -> None:
        """llvm-as is stricter than opt, which accepts a unit that the module does not list. An error that the primary alone has, too, is not about layers."""
        status, _, errors = run([self.assembler, self.written("result.ll", text), "-o", os.devnull], self.folder, limit)
        if errors and not run([self.assembler, self.written("alone.ll", alone), "-o", os.devnull], self.folder, limit)[2]:
            raise Failed(f"llvm-as, exit status {status}: {first_line(errors)}")

    def written(self, name: str, text: bytes) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(text)
        return path

    def read_again(self, text: bytes, project: bool = False) -> bytes:
        """The text as LLVM prints it when it has read it, or of what `dloc project` makes of it."""
        result, primary = self.written("result.ll", text), os.path.join(self.folder, "result-primary.ll")
        if project:
            self.must([DLOC, "project", "--primary", result, "-o", primary], LIMIT)
        return self.passes("verify", primary if project else result, LIMIT)


# ---- Comparing -------------------------------------------------------------------------------------------------------------------------------------


class Comparison:
    """The verdicts on instructions: how often there is each, and the first places of each that is no clause."""

    def __init__(self) -> None:
        self.instructions = self.touched = 0
        self.verdicts: dict[str, collections.Counter[str]] = {"primary": collections.Counter(), "layer": collections.Counter()}
        self.places: dict[tuple[str, str], list[tuple[str, str]]] = {}

    def add(self, channel: str, verdict: str, function: str, text: bytes = b"") -> None:
        self.verdicts[channel][verdict] += 1
        if verdict.startswith(FAULT):
            self.places.setdefault((channel, verdict), []).append((function, text.strip().decode(errors="replace")[:100]))

    def faults(self, channel: str) -> dict[str, int]:
        return {verdict[1:]: count for verdict, count in self.verdicts[channel].items() if verdict.startswith(FAULT)}


def composites(module: Module) -> Iterator[Composite]:
    """How often each instruction with layers stands in each block."""
    for name, instructions, _ in module.functions():
        block = b""
        for text, location in instructions:
            if location is None:
                block = text.partition(b":")[0] if text[:1].strip() else block
            elif module.content(location)[1]:
                primary, layers = module.content(location)
                yield name, block, NUMBER.sub(b"!", text), primary, tuple(layers.items())


def compare_function(found: Comparison, modules: list[Module], name: str, functions: Sequence[Function], recursive: bool, alternating: bool) -> None:
    both, primary_alone, layer_alone = (instructions for _, instructions, _ in functions)
    for channel, alone in (("primary", primary_alone), ("layer", layer_alone)):
        if len(both) != len(alone) or not all(channels.same_text(one.text, other.text) for one, other in zip(both, alone)):
            found.add(channel, FAULT + "instructions differ", name)
            return
    verdicts = set()
    for one, first, second in zip(both, primary_alone, layer_alone):
        found.instructions += 1
        if one.location is None and first.location is None and second.location is None:
            continue
        (primary, layers), first_alone = modules[0].content(one.location), modules[1].content(first.location)[0]
        verdict = channels.judge_primary(primary, layers, first_alone)
        verdicts.add(verdict)
        found.add("primary", verdict, name, one.text)
        second_alone = modules[2].content(second.location)[0]
        found.add("layer", channels.judge_layer(primary, layers, second_alone, first_alone, recursive, alternating), name, one.text)
    of_records = channels.judge_records(channels.missing_records(modules[0], modules[1], functions[0][2], functions[1][2]), verdicts)
    if of_records:
        found.add("primary", of_records, name)


def compare(texts: list[bytes], recursive: set[str], alternating: bool = False) -> Comparison:
    """Compares the three modules that P made; recursive: the functions of M that call themselves."""
    found = Comparison()
    modules = [Module(text) for text in texts]
    functions = [list(module.functions()) for module in modules]
    if len({tuple(name for name, _, _ in each) for each in functions}) != 1:
        found.add("primary", FAULT + "functions differ", "")
        return found
    for together in zip(*functions):
        compare_function(found, modules, together[0][0], together, together[0][0] in recursive, alternating)
    return found


def same_module(one: bytes, other: bytes) -> bool:
    """The first line names the file."""
    return canonical(one.partition(b"\n")[2]) == canonical(other.partition(b"\n")[2])


def through(tools: Tools, pipeline: str, files: Iterable[str], limit: int, *options: str) -> list[bytes]:
    return [tools.passes(pipeline, path, limit, *options) for path in files]


def culprits(tools: Tools, pipeline: str, files: tuple[str, str, str], recursive: set[str]) -> Culprits:
    """{(channel, verdict): pass}: after which pass of the pipeline each difference is there for the first time."""
    _, _, errors = run([tools.opt, "-passes=" + pipeline, files[0], "-disable-output", "-opt-bisect-limit=-1"], tools.folder, LIMIT)
    names = re.findall(r"BISECT: running pass \(\d+\) (.*)", errors)

    def there(count: int) -> set[tuple[str, str]]:
        return set(compare(through(tools, pipeline, files, LIMIT, f"-opt-bisect-limit={count}"), recursive).places)

    result = {}
    for what in there(len(names)):
        low, high = 0, len(names)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if what in there(middle) else (middle, high)
        result[what] = names[high - 1] if names else "?"
    return result


def failed(reason: str) -> Comparison:
    """Of dloc, or of LLVM where it did not fail with the primary alone."""
    found = Comparison()
    for channel in found.verdicts:
        found.add(channel, FAULT + "a tool failed", reason)
    return found


def varies(tools: Tools, pipeline: str, path: str, limit: int, before: bytes) -> bool:
    """Passes that depend on addresses, such as newgvn of stock LLVM, make something else of the same module in another run."""
    return any(tools.passes(pipeline, path, limit) != before for _ in range(6))


def examine_pipeline(tools: Tools, source: Source, pipeline: str, files: tuple[str, str, str], recursive: set[str], before: collections.Counter[Composite]) -> Outcome:
    """(pipeline, what was found or None, why nothing, {difference: the pass that makes it})"""
    try:
        alone = tools.may(pipeline, files[1], source.limit)
        texts = [tools.passes(pipeline, files[0], source.limit), alone, tools.passes(pipeline, files[2], source.limit)]
        found = compare(texts, recursive, source.alternating)
        found.touched = (collections.Counter(composites(Module(texts[0]))) - before).total()
        tools.assemble(texts[0], texts[1], source.limit)
        if source.small and set(found.verdicts["primary"]) <= {EQUAL} and not same_module(tools.read_again(texts[0], True), tools.read_again(texts[1])):
            found.add("primary", FAULT + "the rest of the module differs", "")
        if found.places and varies(tools, pipeline, files[1], source.limit, alone):
            return pipeline, None, "what the passes make of it varies", {}
        return pipeline, found, "", culprits(tools, pipeline, files, recursive) if found.places and source.small else {}
    except Unfit as reason:
        return pipeline, None, str(reason), {}
    except Failed as reason:
        return pipeline, failed(str(reason)), "", {}


def examine(binaries: str, source: Source) -> tuple[Source, list[Outcome]]:
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        tools = Tools(binaries, folder)
        try:
            files = tools.prepare(source)
        except Unfit as reason:
            return source, [(pipeline, None, str(reason), {}) for pipeline in source.pipelines]
        except Failed as reason:
            return source, [(pipeline, failed(str(reason)), "", {}) for pipeline in source.pipelines]
        try:
            module = Module(tools.passes("verify", files[0], source.limit))
        except Failed as reason:
            return source, [(pipeline, failed(str(reason)), "", {}) for pipeline in source.pipelines]
        before, recursive = collections.Counter(composites(module)), module.recursive()
        return source, [examine_pipeline(tools, source, pipeline, files, recursive, before) for pipeline in source.pipelines]


# ---- What is run -----------------------------------------------------------------------------------------------------------------------------------


def of_llvm(own: list[str], count: int) -> list[Input]:
    """Half of them with debug info of their own."""
    every = [name for name in in_folder("*") if name not in set(own) and name.split("/")[1] not in NOT_DEBUGIFIED]
    own = [name for name in own if name.startswith(("Transforms/", "DebugInfo/Generic/", "DebugInfo/X86/"))]
    return [(name, False) for name in spread(own, count // 2)] + [(name, True) for name in spread(every, count - count // 2)]


def in_folder(folder: str) -> list[str]:
    return sorted(os.path.normpath(name) for name in glob.glob(f"Transforms/{folder}/**/*.ll", root_dir=INPUTS, recursive=True))


def of_folder(own: list[str], folder: str, count: int) -> list[Input]:
    """As many as there are with debug info of their own, up to half."""
    names = in_folder(folder)
    located = [name for name in names if name in set(own)]
    others = [name for name in names if name not in set(own)]
    some = spread(located, count // 2)
    if folder in NOT_DEBUGIFIED:
        return [(name, False) for name in spread(located, count)]
    return [(name, False) for name in some] + [(name, True) for name in spread(others, count - len(some))]


def sources_of(arguments: argparse.Namespace, folder: str) -> list[Source]:
    own = files_with_debug_info()
    sources: dict[tuple[str, bool], Source] = {}
    programs: dict[str, str] = {}

    def add(pipeline: str, name: str, path: str, debugify: bool = False, profiling: bool = False) -> None:
        if not arguments.only or pipeline in arguments.only:
            name += " for profiling" * profiling
            sources.setdefault((name, debugify), Source(name, path, debugify, profiling)).pipelines.append(pipeline)

    def add_inputs(pipeline: str, names: Iterable[Input], profiling: bool = False) -> None:
        for name, debugify in names:
            add(pipeline, name, os.path.join(INPUTS, name), debugify, profiling)

    def add_program(pipeline: str, name: str, suffix: str = "") -> None:
        if not arguments.only or pipeline in arguments.only:
            add(pipeline, name + suffix, programs.get(name) or programs.setdefault(name, optimisable(name.lower() + "-22-O0", folder)))

    small = of_llvm(own, arguments.inputs)
    for pipeline in PIPELINES:
        add_program(pipeline, "Lua")
        if arguments.big or pipeline in OF_BIG:
            add_program(pipeline, "SQLite")
        add_inputs(pipeline, small)
    for pipeline in AFTER_SROA:
        add_program(pipeline, "Lua")
        if arguments.big:
            add_program(pipeline, "SQLite")
    for pipeline in OF_MODULES:
        add_program(pipeline, "Lua")
    for pipeline in AFTER_SROA[:2]:
        add_program(pipeline, "Lua", " alternating")
    for pipeline, path in PASSES:
        if arguments.big:
            add_program(pipeline, "Lua")
            add_program(pipeline, "SQLite")
        add_inputs(pipeline, set(of_folder(own, path, 10**6) + small) if arguments.full else of_folder(own, path, arguments.inputs // 25))
    for pipeline, path, profiling in passes.laws():
        if profiling or (arguments.only and [pipeline, path] not in PASSES):
            add_inputs(pipeline, of_folder(own, path, arguments.inputs // 25), profiling)
    return sorted(sources.values(), key=lambda source: -source.size * len(source.pipelines))  # the longest first


# ---- The report ------------------------------------------------------------------------------------------------------------------------------------


def read_known() -> dict[tuple[str, ...], bool]:
    """{(pipeline, module, channel, difference): met}; behind the colon stands what the reader wants to know."""
    with open(KNOWN) as file:
        lines = [line.split(": ")[0].split(None, 3) for line in file if line.strip() and not line.startswith("#")]
    return {tuple(line): False for line in lines}


class Report:
    CLAUSES = tuple(EXCEPTIONS)

    def __init__(self, pipelines: list[str], known: dict[tuple[str, ...], bool], details: IO[str] | None) -> None:
        self.known, self.details = known, details
        self.tried: set[tuple[str, ...]] = set()
        self.rows: dict[str, collections.Counter[Any]] = {pipeline: collections.Counter() for pipeline in pipelines}
        self.passed = self.failed = 0
        self.unfit: collections.Counter[str] = collections.Counter()

    def add(self, name: str, pipeline: str, found: Comparison | None, reason: str, culprit: Culprits) -> None:
        row = self.rows[pipeline]
        if found is None:
            self.unfit[reason.partition(":")[0]] += 1
            self.detail(f"left out: {pipeline} {name}: {reason}")
            return
        row["modules"] += 1
        self.tried.add((pipeline, name))
        row["instructions"] += found.instructions
        row["touched"] += found.touched
        for channel, verdicts in found.verdicts.items():
            for verdict, count in verdicts.items():
                if not verdict.startswith(FAULT):
                    row[channel, verdict] += count
            self.judge((pipeline, name, channel), row, found, culprit)

    def judge(self, where: tuple[str, str, str], row: collections.Counter[Any], found: Comparison, culprit: Culprits) -> None:
        channel = where[2]
        unknown = False
        for verdict, count in found.faults(channel).items():
            key = (*where, f"{verdict}, {count} times")
            listed = key in self.known
            row["gap" if listed else "fault"] += count
            unknown |= not listed
            if listed:
                self.known[key] = True
            places = found.places[channel, FAULT + verdict]
            by = culprit.get((channel, FAULT + verdict), "by some pass")
            text = f"{'known' if listed else 'FAILED'}: {' '.join(key)}: {by}"
            self.detail(text + "".join(f"\n    {function}: {place}" for function, place in places[:20]))
            if not listed:
                print(text + "".join(f"\n    {function}: {place}" for function, place in places[:3]), flush=True)
        self.passed, self.failed = self.passed + (not unknown), self.failed + unknown

    def enough(self) -> None:
        """The law has to have been tried on nearly all that was to be tried, and each exception has to occur: it is no permission."""
        for clause in EXCEPTIONS:
            if not any(row["layer", clause] for row in self.rows.values()):
                self.failed += 1
                print(f"FAILED: {clause} was never met")
        tried, left_out = sum(row["modules"] for row in self.rows.values()), sum(self.unfit.values())
        if left_out * 10 > tried:
            self.failed += 1
            print(f"FAILED: {left_out} modules were left out, {tried} tried")

    def touched(self) -> None:
        """A pass that did nothing to layers was not tried."""
        for pipeline, row in self.rows.items():
            if not row["touched"] and pipeline not in TOUCH_NOTHING:
                self.failed += 1
                print(f"FAILED: {pipeline} did nothing to layers")

    def detail(self, text: str) -> None:
        if self.details:
            print(text, file=self.details)

    def stale(self) -> None:
        for key, met in self.known.items():
            if key[:2] in self.tried and not met:
                self.failed += 1
                print("FAILED: known-gaps.txt lists what does not occur: " + " ".join(key))

    def table(self) -> Iterator[list[Any]]:
        heads = ["pipeline", "modules", "instructions", "located", "touched", "equal", "primary:empty"]
        heads += [*self.CLAUSES, "gaps", "faults"]
        yield heads
        for pipeline, row in self.rows.items():
            located = sum(count for key, count in row.items() if key[0] == "layer")
            clauses = [row["layer", clause] for clause in self.CLAUSES]
            counts = [row["modules"], row["instructions"], located, row["touched"], row["layer", EQUAL], row["primary", "merge.empty.composite"]]
            yield [pipeline, *counts, *clauses, row["gap"], row["fault"]]

    def print_table(self, file: IO[str]) -> None:
        rows = [[str(cell) for cell in row] for row in self.table()]
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))), file=file)


def parse_arguments() -> argparse.Namespace:
    usage, _, description = __doc__.partition(": ")[2].partition("\n")
    parser = argparse.ArgumentParser(usage=usage, description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", metavar="BIN")
    parser.add_argument("--inputs", type=int, default=200, metavar="N")
    parser.add_argument("--report", metavar="FILE")
    parser.add_argument("--only", action="append", metavar="PIPELINE")
    parser.add_argument("--big", action="store_true")
    parser.add_argument("--full", action="store_true")
    arguments = parser.parse_args()
    arguments.binaries = os.path.abspath(arguments.binaries)
    for tool in (os.path.join(arguments.binaries, "opt"), DLOC):
        if not os.access(tool, os.X_OK):
            print(f"projection: there is no {tool}", file=sys.stderr)
            sys.exit(2)
    return arguments


def work(item: tuple[str, Source]) -> tuple[Source, list[Outcome]]:
    return examine(*item)


def main() -> NoReturn:
    arguments = parse_arguments()
    unpack()
    details = open(arguments.report, "w") if arguments.report else None
    profiled = [law[0] for law in passes.laws() if law[2]]
    report = Report(arguments.only or [*PIPELINES, *AFTER_SROA, *OF_MODULES, *(pipeline for pipeline, _ in PASSES), *profiled], read_known(), details)
    # Not a multiprocessing.Pool: it ends its workers by SIGTERM, and hangs when one of them handles the signal.
    with tempfile.TemporaryDirectory(dir=CACHE) as folder, concurrent.futures.ProcessPoolExecutor(JOBS) as pool:
        for source, outcomes in pool.map(work, [(arguments.binaries, source) for source in sources_of(arguments, folder)]):
            for outcome in outcomes:
                report.add(source.name, *outcome)
    report.stale()
    report.touched()
    if not arguments.only:
        report.enough()
    for file in filter(None, (sys.stdout, details)):
        report.print_table(file)
        for clause, why in EXCEPTIONS.items():
            print(f"{clause}: {why}", file=file)
        for reason, count in sorted(report.unfit.items()):
            print(f"left out {count}: {reason}", file=file)
    print(f"{report.passed} passed, {report.failed} failed")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
