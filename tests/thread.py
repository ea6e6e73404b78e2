#!/usr/bin/env python3
"""usage: tests/thread.py

spec/thread.md, the chapter on LLVM's main branch: each case is run by main's opt, and by the patched LLVM that follows PR 215666; what `dloc print` tells of
the results is what the chapter says. Ends with a line `N passed, N failed[, N skipped]`: skipped where one of the two is not there. Environment: DLOC.
"""

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "real"))
from common import DLOC, ROOT, Results, first_line, llvm, run  # noqa: E402

TOOLS = {"LLVM 24": os.path.dirname(llvm(24, "opt")), "PR 215666": os.path.join(ROOT, "build", "patched-irlayers", "bin")}
NONE = "no location"


def cases() -> Iterator[tuple[str, str, list[str], dict[str, list[str]]]]:
    """Title, module, options of opt, and the lines that each gives."""
    with open(os.path.join(ROOT, "spec", "thread.md"), encoding="utf-8") as file:
        chapter = file.read().split("\n## ")[1]
    common, *sections = chapter.split("\n### ")
    [nodes] = re.findall(r"```llvm\n(.*?)```", common, re.S)
    for section in sections:
        module, command = re.search(r"```llvm\n(.*?)```", section, re.S), re.search(r"^`opt (.*)`$", section, re.M)
        if module and command:
            [told] = re.findall(r"```\n(.*?)```", section[command.end():], re.S)
            outcomes = {name: [line.strip() for line in lines.splitlines()] for name, lines in re.findall(r"^(\S.*):\n((?:  .*\n)*)", told, re.M)}
            yield section.partition("\n")[0], module[1] + nodes, shlex.split(command[1]), outcomes


def try_case(folder: str, tools: str, module: str, options: list[str], wanted: list[str]) -> None:
    source, result = os.path.join(folder, "m.ll"), os.path.join(folder, "o.ll")
    with open(source, "w", encoding="utf-8") as file:
        file.write(module)
    status, _, errors = run([os.path.join(tools, "opt"), *options, source, "-o", result])
    assert status == 0 and not errors, f"exit status {status}: {first_line(errors)}"
    status, output, errors = run([DLOC, "print", "--locations", result])
    assert status == 0, first_line(errors)
    told = [line for line in output.decode().splitlines() if line.startswith("f ")] or [NONE]
    assert told == wanted, f"it gives {told}, not {wanted}"


def main() -> None:
    results, found = Results(), list(cases())
    assert found, "spec/thread.md has no case"
    with tempfile.TemporaryDirectory() as folder:
        for title, module, options, outcomes in found:
            results.check(title, "" if list(outcomes) == list(TOOLS) else "it does not say what both give")
            for name, wanted in outcomes.items():
                if os.access(os.path.join(TOOLS[name], "opt"), os.X_OK):
                    results.attempt(f"{title}, {name}", try_case, folder, TOOLS[name], module, options, wanted)
                else:
                    results.skip(f"there is no {name}")
    results.finish()


if __name__ == "__main__":
    main()
