"""`dloc triton`: the files that Triton's compiler leaves of a kernel, as one layered module or one page."""

import json
import os
import re
import subprocess
import sys
import tempfile

from program import FINE, UNUSABLE, VIOLATION, Command, error, fail, read_file, run, status_of

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


class Layers:
    """A module in a temporary folder, which gets one layer after the other."""

    def __init__(self, command: Command, folder: str, module: str) -> None:
        self.command, self.folder, self.module = command, folder, module
        self.rules = ["--profile", command.options.profile, *(word for choice in command.options.choice for word in ("--choice", choice))]

    def step(self, action: str, *words: str, may_speak: bool = True) -> None:
        written = os.path.join(self.folder, f"{os.path.basename(self.module)}.ll")
        errors = None if may_speak else subprocess.PIPE
        done = subprocess.run([self.command.program, action, *words, "-o", written, self.module], stderr=errors, check=False)
        if done.stderr:
            os.write(2, done.stderr)
        if done.returncode != FINE or done.stderr:
            sys.exit(done.returncode if done.returncode > 0 else VIOLATION if done.returncode == 0 else UNUSABLE)
        self.module = written

    def add_own(self, kernel: str) -> None:
        self.step("annotate", "--layer", "llir", "--file", f"{kernel}.llir", "--embed")

    def add(self, dump: Dump, text: str) -> None:
        self.step("annotate", "--layer", text, "--file", f"{dump.kernel}.{text}", "--dump", dump.paths[text], "--embed", "--counts", *self.rules)


def make_module(command: Command, folder: str, dump: Dump, located: Dump | None) -> str:
    """The path of the LLVM IR with its own lines as the layer llir, and the ops of each text behind it."""
    layers = Layers(command, folder, dump.paths["llir"])
    named = [text for text in TEXTS if located and located.names_lines_of(text)]
    if located and not named:
        fail(f"{located.paths['llir']} has no place in {' or '.join(f'{located.kernel}.{text}' for text in TEXTS)}: was it made with USE_IR_LOC?")
    texts = [*reversed(TEXTS)]
    if located:
        # The module that names lines of a text gets the layers of it and of later stages, and hands them to the one that names the Python source.
        other = Layers(command, folder, located.paths["llir"])
        other.add_own(dump.kernel)
        while named[0] in texts:
            other.add(located, texts.pop(0))
        table = os.path.join(folder, "table")
        other.step("hide", "--table", table)
        base, layers.module = layers.module, other.module
        layers.step("reveal", "--table", table, "--exact", base, may_speak=False)
    else:
        layers.add_own(dump.kernel)
    for text in texts:
        layers.add(dump, text)
    return layers.module


def main(command: Command) -> int:
    options, folder = command.options, command.operands[0]
    dump = Dump(folder, kernel_of(folder, options.kernel))
    located = Dump(options.located, dump.kernel) if options.located else None
    with tempfile.TemporaryDirectory(prefix="dloc.") as temporary:
        module = os.path.join(temporary, f"{dump.kernel}.ll")
        os.rename(make_module(command, temporary, dump, located), module)
        if options.ll:
            with open(module, "rb") as file:
                command.write(options.o or "-", file.read())
            return FINE
        words = [word for name in (folder, *getattr(options, "source-dir")) for word in ("--source-dir", name)]
        words += ["--samples", options.samples] if options.samples else []
        page = [command.program, "browse", (located or dump).paths["ptx"], "--layered", module, *words]
        status = subprocess.run(page, stdout=options.descriptors.get(options.o), check=False).returncode
        return status_of(status)


run(main)
