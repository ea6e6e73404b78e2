#!/usr/bin/env python3
"""usage: tools/make/terminal.py [--check]

Draws tools/lines/gdb.svg: what a terminal shows while a stock gdb steps through the LLVM IR of examples/collatz.c, which tools/drop-in/clang compiled. The commands
are run, and nothing is changed in what they print but for the name of the folder and what gdb says of threads. --check: is the picture in the repository that of
today? Numbers of metadata do not count. Environment: DLOC_LLVM (default /usr/lib/llvm-22/bin)."""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PICTURE = os.path.join(ROOT, "tools", "lines", "gdb.svg")
SHELL = (
    ("make CC=dloc/tools/drop-in/clang CFLAGS='-g -O1' collatz.o collatz", "make -s CC={tools}/drop-in/clang CFLAGS='-g -O1' collatz.o collatz"),
    ("dloc select collatz --layer llvm -o collatz.llvm", "{build}/dloc select collatz --layer llvm -o collatz.llvm"),
)
SHOWN = "gdb -q collatz.llvm"
GDB = ("tbreak steps", "run", "list 36,39", "next", "next", "next", "next", "next", "backtrace", "info locals")
THREADS = re.compile(r"^(\[Thread debugging using libthread_db enabled\]|Using host libthread_db library .*|warning: .*)\n", re.M)
STYLE = """text { font: 14px "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #d8dee4 }
.command { fill: #7ee787 } .number { fill: #8b949e } .place { fill: #79c0ff }"""
WIDTH, HEIGHT, MARGIN = 8.43, 19, 14


def run(line: str, folder: str) -> str:
    environment = {**os.environ, "DLOC_LLVM": os.environ.get("DLOC_LLVM", "/usr/lib/llvm-22/bin"), "LC_ALL": "C"}
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"terminal.py: {line}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def session() -> list[str]:
    """The lines of the terminal, a command behind its prompt."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(ROOT, "examples", "collatz.c"), folder)
        lines = []
        for shown, command in SHELL:
            lines += [f"$ {shown}", *run(command.format(tools=os.path.join(ROOT, "tools"), build=os.path.join(ROOT, os.environ.get("BUILD", "build"))), folder).splitlines()]
        commands = " ".join(f"-ex '{command}'" for command in ("set width 0", "set debuginfod enabled off", "set trace-commands on", *GDB))
        told = THREADS.sub("", run(f"gdb -nx -batch {commands} collatz.llvm", folder)).replace(folder + "/", "")
    told = re.sub(r"^\+", "(gdb) ", told, flags=re.M)
    return [*lines, f"$ {SHOWN}", *(line.expandtabs(4) for line in told.splitlines() if line)]


def styled(line: str) -> str:
    """Prompts, numbers of lines, and places in a text have colours."""
    prompt = re.match(r"(\$|\(gdb\)) (.*)$", line)
    if prompt:
        return f'{html.escape(prompt[1])} <tspan class="command">{html.escape(prompt[2])}</tspan>'
    number = re.match(r"(\d+)(\s.*)$", line)
    if number:
        return f'<tspan class="number">{number[1]}</tspan>{html.escape(number[2])}'
    return re.sub(r"(collatz\.llvm\.texts/\S+?)(?=:|,|$)", r'<tspan class="place">\1</tspan>', html.escape(line))


def drawn(lines: list[str]) -> str:
    width, height = 2 * MARGIN + int(WIDTH * max(map(len, lines))), 2 * MARGIN + HEIGHT * len(lines)
    texts = "\n".join(f'<text x="{MARGIN}" y="{MARGIN + HEIGHT * (number + 1) - 5}" xml:space="preserve">{styled(line)}</text>' for number, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n<style>{STYLE}</style>\n'
        f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n{texts}\n</svg>\n'
    )


def comparable(picture: str) -> str:
    return re.sub(r"!\d+|0x[0-9a-f]+|width=\"\d+\"|viewBox=\"[^\"]*\"", "", picture)


def main() -> None:
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    picture = drawn(session())
    if sys.argv[1:]:
        with open(PICTURE, encoding="utf-8") as file:
            if comparable(file.read()) != comparable(picture):
                sys.exit(f"{os.path.relpath(PICTURE, ROOT)} is not what gdb shows now: `make gdb-picture` draws it")
    else:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(picture)


main()
