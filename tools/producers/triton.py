"""`dloc triton`: the files that Triton's compiler leaves of a kernel, as one layered module or one page."""

import json
import os
import re
import subprocess
import sys
import tempfile

from program import FINE, UNUSABLE, VIOLATION, Command, error, fail, read_file, run

TEXTS = ("ttir", "ttgir")
EXTENSIONS = (*TEXTS, "llir", "ptx", "json")
# The function of a kernel in each file.
HEADS = {"ttir": r"tt\.func\b[^@\n]*@", "ttgir": r"tt\.func\b[^@\n]*@", "llir": r"define\b[^@\n]*@", "ptx": r"\.entry\s+"}


def kernel_of(folder: str, wanted: str | None) -> str:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".ptx"))
    except OSError as failure:
        fail(f"cannot read {folder}: {failure.strerror}")
    kernels = [name.removesuffix(".ptx") for name in names]
    if wanted is not None:
        return wanted
    if len(kernels) > 1:
        fail(f"{folder} has several kernels, {', '.join(kernels[:9])}: --kernel NAME")
    return kernels[0] if kernels else fail(f"{folder} has no file .ptx of a kernel")


class Dump:
    """The five files of a kernel, each there and of that kernel."""

    def __init__(self, folder: str, kernel: str) -> None:
        self.kernel = kernel
        self.paths = {extension: os.path.join(folder, f"{kernel}.{extension}") for extension in EXTENSIONS}
        for path in self.paths.values():
            if not os.path.isfile(path):
                fail(f"{path} is no file; Triton leaves {kernel} as {', '.join('.' + extension for extension in EXTENSIONS)}")
        name = self.name()
        for extension, head in HEADS.items():
            if not re.search(head + re.escape(name) + r"\b", read_file(self.paths[extension])):
                error(f"{self.paths[extension]} has no kernel {name}, which {self.paths['json']} is about")
                sys.exit(VIOLATION)

    def name(self) -> str:
        path = self.paths["json"]
        try:
            name = json.loads(read_file(path)).get("name")
        except (ValueError, AttributeError, RecursionError) as failure:
            fail(f"{path} is no JSON object: {failure}")
        return name if isinstance(name, str) and name else fail(f"{path} does not tell the name of a kernel")

    def names_lines_of(self, extension: str) -> bool:
        """Whether LLVM IR is located in that text, by USE_IR_LOC."""
        return re.search(rf'DIFile\(filename: "[^"]*\b{re.escape(self.kernel)}\.{extension}"', read_file(self.paths["llir"])) is not None


def become(arguments: list[str], output: int | None = None) -> int:
    """The exit status of another command, which has said why."""
    child = subprocess.run(arguments, stdout=output, check=False)
    return child.returncode if child.returncode >= 0 else UNUSABLE


def annotate(command: Command, folder: str, dump: Dump, exact: Dump | None) -> str:
    """The module with its own lines as the layer llir, and the ops of each text. Its path."""
    rules = ["--profile", command.options.profile, *(word for choice in command.options.choice for word in ("--choice", choice))]
    module = os.path.join(folder, "1.ll")
    steps = [[dump.paths["llir"], "--layer", "llir", "--file", f"{dump.kernel}.llir"]]
    located = [text for text in TEXTS if exact and exact.names_lines_of(text)]
    if exact and not located:
        fail(f"{exact.paths['llir']} has no place in {' or '.join(f'{exact.kernel}.{text}' for text in TEXTS)}: was it made with USE_IR_LOC?")
    for text in TEXTS:
        # A text of an earlier stage than the one that LLVM IR names is found by the Python source.
        by_lines = exact is not None and TEXTS.index(text) >= TEXTS.index(located[0])
        words = ["--located", exact.paths["llir"]] if exact and by_lines else []
        path = (exact if exact and by_lines else dump).paths[text]
        steps.append([module, "--layer", text, "--file", f"{dump.kernel}.{text}", "--dump", path, "--counts", *rules, *words])
    for number, step in enumerate(steps):
        written = os.path.join(folder, f"{number + 2}.ll")
        status = become([command.program, "annotate", *step[1:], "--embed", "-o", written, module if number else step[0]])
        if status != FINE:
            sys.exit(status)
        module = written
    return module


def main(command: Command) -> int:
    options, folder = command.options, command.operands[0]
    dump = Dump(folder, kernel_of(folder, options.kernel))
    exact = Dump(options.located, dump.kernel) if options.located else None
    with tempfile.TemporaryDirectory(prefix="dloc.") as temporary:
        module = os.path.join(temporary, f"{dump.kernel}.ll")
        os.rename(annotate(command, temporary, dump, exact), module)
        if options.ll:
            with open(module, "rb") as file:
                command.write(options.o or "-", file.read())
            return FINE
        words = [word for name in (folder, *getattr(options, "source-dir")) for word in ("--source-dir", name)]
        words += ["--samples", options.samples] if options.samples else []
        page = [command.program, "browse", (exact or dump).paths["ptx"], "--layered", module, *words]
        return become(page, getattr(options, "descriptor", None))


run(main)
