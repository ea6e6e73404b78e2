"""`dloc mlir FILE --pipeline PASSES`: from MLIR to a layered module, by the tools of MLIR."""

import re

from lower import Lowering, temporary_folder
from program import Command, fail, run

# ---- Marks in the pipeline

MODULE = "builtin.module("
NAME = re.compile(r"@([A-Za-z0-9_.-]*)")


def check_mark(name: str, behind: str, parentheses: int) -> None:
    """Marks stand between passes of the module."""
    if not name:
        fail("--pipeline: a stage needs a name: @NAME")
    if parentheses != 1:
        fail(f"--pipeline: @{name} stands in a pipeline of other operations; a stage's text is that of the module")
    if behind and behind[0] not in ",)":
        fail(f"--pipeline: a comma is needed behind the mark @{name}, which has letters, digits and _.-")


def check_stages(stages: list[str], wanted: list[str] | None) -> None:
    for name in wanted or []:
        if name not in stages:
            fail(f"--stages: the pipeline has no mark @{name}")
    if not stages:
        fail("--pipeline: no stage is marked; write @NAME between two passes where a text shall be taken")


def expand(text: str, wanted: list[str] | None, folder: str) -> tuple[str, list[str]]:
    """The pipeline with a snapshot for each mark of a wanted stage, and these stages. Options of passes, in braces, have no marks."""
    text = text.lstrip(" \t\n")
    text = text if text.startswith(MODULE) else f"{MODULE}{text})"
    stages: list[str] = []
    passes, at, braces, parentheses, begins = "", 0, 0, 0, True  # begins: a pass or a mark may stand here
    while at < len(text):
        mark = NAME.match(text, at)
        if mark and begins and not braces:
            name, at = mark[1], mark.end()
            behind = text[at:].lstrip(" \t\n")
            check_mark(name, behind, parentheses)
            if wanted is None or name in wanted:
                if name in stages:
                    fail(f"--pipeline: the stage @{name} is marked twice")
                stages.append(name)
                passes += f"snapshot-op-locations{{filename={folder}/{name}.mlir tag={name}}}"
            elif behind.startswith(","):  # a mark that is not wanted goes with the comma behind it, or before
                at = len(text) - len(behind) + 1
            else:
                passes = passes.rstrip(" \t\n,")
            continue
        braces += (text[at] == "{") - (text[at] == "}")
        parentheses += 0 if braces else (text[at] == "(") - (text[at] == ")")
        if text[at] not in " \t\n":
            begins = not braces and text[at] in ",("
        passes += text[at]
        at += 1
    check_stages(stages, wanted)
    return passes, stages


# ---- Nested modules


def take_module(text: str, name: str) -> str:
    """The text with a nested module, such as `gpu.module @kernels {`, in place of the one around it. MLIR begins the line of an operation's end as
    that of its begin; aliases stand before and behind the whole."""
    head = re.search(rf"^( *).*module @{re.escape(name)} .*$", text, re.M)
    if not head:
        fail(f"--module: the lowered program has no module @{name}")
    close = text.find(f"\n{head[1]}}}", head.end())
    end = text.find("\n}", close) if close >= 0 else -1
    if end < 0:
        fail(f"--module: @{name} is no nested module")
    aliases = re.findall(r"^#.*\n", text[: head.start()], re.M)
    return "".join([*aliases, "module {", text[head.end() : close], text[end:]])


# ---- Lowering


def translate(tools: Lowering, program: str, module: str) -> None:
    """Without subprograms mlir-translate writes no locations."""
    options = ("--ensure-debug-info-scope-on-llvm-func", "--mlir-print-debuginfo")
    tools.run("mlir-opt", "-", *options, source=program, output="scoped.mlir")
    tools.run("mlir-translate", "--mlir-to-llvmir", "-", source="scoped.mlir", output=module)


def main(command: Command) -> int:
    options = command.options
    with temporary_folder() as folder:
        tools = Lowering(command, folder, "mlir-22-tools", "mlir-opt")
        wanted = None if options.stages is None else options.stages.removesuffix(",").split(",") if options.stages else []
        passes, stages = expand(options.pipeline, wanted, folder)
        # Bytecode keeps locations out of the texts of stages (MLIR 19), and those of a block's arguments right.
        bytecode = tools.path("lowered.mlirbc")
        tools.run("mlir-opt", tools.source, f"--pass-pipeline={passes}", "--emit-bytecode", "-o", bytecode)
        tools.run("mlir-opt", bytecode, "--mlir-print-debuginfo", output="lowered.mlir")
        if options.module is not None:
            tools.write("lowered.mlir", take_module(tools.read("lowered.mlir"), options.module))
        tools.number("lowered.mlir", stages, "numbered.mlir")
        tools.filter("primary", stages, "-o", "primary.mlir")
        translate(tools, "primary.mlir", "the lowered module")
        translate(tools, "numbered.mlir", "the module with numbers")
        return tools.join()


run(main)
