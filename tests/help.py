#!/usr/bin/env python3
"""usage: tests/help.py FOLDER      (FOLDER: where `make install` put share/, such as /usr)

mandoc has nothing to say about the manual pages, and each command has one. Completion is tried in bash and in zsh, at a terminal: what is typed, the tabulator
key, and what stands there then.
"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# What is typed, and what the tabulator makes of it.
CASES = {
    "dloc ver": "dloc ver",  # verify, version
    "dloc veri": "dloc verify",
    "dloc help symb": "dloc help symbolize",
    "dloc verify --prof": "dloc verify --profile",
    "dloc verify --profile pr20": "dloc verify --profile pr205453",
    "dloc merge --choice merge.empty=drop": "dloc merge --choice merge.empty=drop",
    "dloc merge --choice merge.layer.one-sided=d": "dloc merge --choice merge.layer.one-sided=drop",
    "dloc list --clause merge.layer.one-s": "dloc list --clause merge.layer.one-sided",
    "dloc list --op round": "dloc list --op roundtrip",
    "dloc run --impl mo": "dloc run --impl model",
    "dloc gen pair": "dloc gen pairwise",
    "dloc gen lit --cho": "dloc gen lit --choice",
    "dloc verify mod": "dloc verify module.ll",
    "dloc report --html mod": "dloc report --html module.ll",
}
BASH = r"""
PS1='READY> '
bind 'set bell-style none' 'set enable-bracketed-paste off'
bind -x '"\C-x": printf "<%s>\n" "$READLINE_LINE"'
source @share@/bash-completion/completions/dloc
"""
ZSH = r"""
PS1='READY> '
unsetopt beep prompt_cr prompt_sp
unset zle_bracketed_paste
bindkey -e
show() { print -r -- "<$BUFFER>" }
zle -N show
bindkey '^X' show
fpath=(@share@/zsh/site-functions $fpath)
autoload -Uz compinit
compinit -u -D
"""
SHELLS = {"bash": (["bash", "--rcfile", ".zshrc", "-i"], BASH), "zsh": (["zsh", "-d", "-i"], ZSH)}


def type_into(argv, setup, typed, folder):
    """The line that stands there after the tabulator: control-X prints it."""
    Path(folder, ".zshrc").write_text(setup)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.update(TERM="dumb", PATH="/usr/bin:/bin", ZDOTDIR=folder)
        os.execvp(argv[0], argv)
    shown = b""

    def wait_for(pattern):
        nonlocal shown
        while not (found := re.search(pattern, shown)):
            if not select.select([terminal], [], [], 20)[0]:
                sys.exit(f"tests/help.py: {argv[0]} waits after {shown[-200:]}")
            shown += os.read(terminal, 1 << 16)
        return found

    wait_for(rb"READY> ")
    os.write(terminal, typed.encode() + b"\t\x18")
    line = wait_for(rb"<([^\r\n]*)>\r?\n")[1].decode()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    return line


def main():
    share = Path(sys.argv[1]).resolve() / "share"
    failed = []
    pages = sorted((share / "man/man1").glob("dloc*.1"))
    said = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], stdout=subprocess.PIPE, text=True).stdout
    failed += said.splitlines()
    text = subprocess.run([share / "../bin/dloc", "--help"], stdout=subprocess.PIPE, text=True).stdout
    commands = re.findall(r"^  ([a-z-]+)  ", text, re.M)
    failed += [f"{command} has no page" for command in commands if share / f"man/man1/dloc-{command}.1" not in pages]
    passed = len(pages)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "module.ll").touch()
        for shell, (argv, setup) in SHELLS.items():
            for typed, expected in CASES.items():
                line = type_into(argv, setup.replace("@share@", str(share)), typed, folder)
                fine = line.rstrip(" =") == expected
                passed += fine
                if not fine:
                    failed.append(f"{shell}: {typed!r} and tab give {line!r}, not {expected!r}")
    print(*failed, sep="\n", end="\n" if failed else "")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(bool(failed))


main()
