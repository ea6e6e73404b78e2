#!/usr/bin/env python3
"""usage: tests/places.py

`make install`, `uninstall`, `clean` with names of folders that people have: blanks, quotes, `$`, `;`, a leading `-`, nothing, `/`, relative ones; and a checkout with blanks.
Whatever happens, files around the place stay as they are. What is refused is refused before anything is written. What is installed is readable by all and writable by its
owner alone, whatever the umask is, and `uninstall` leaves what was there before. Ends with `N passed, N failed`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
results = {True: 0, False: 0}


def check(what: str, fine: bool, said: str = "") -> None:
    results[fine] += 1
    if not fine:
        print(f"FAILED {what}\n{said}")


def make(*arguments: str, folder: str = ROOT, umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "BUILD", "PREFIX", "LIBDIR", "DESTDIR")}
    return subprocess.run(["make", "-s", "--no-print-directory", *arguments], cwd=folder, env=environment, umask=umask, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)


def contents(folder: str) -> dict[str, str | None]:
    """{path: text}; of a folder None."""
    found: dict[str, str | None] = {}
    for where, folders, files in os.walk(folder):
        found |= {os.path.join(where, name): None for name in folders}
        for name in files:
            path = os.path.join(where, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                found[path] = os.readlink(path) if os.path.islink(path) else file.read()
    return found


def in_scratch(test: Callable[[str], None]) -> None:
    """With sentinels that a recipe without quotes would take for its own."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("My", "Programs", "share/dloc", "My/share/dloc", "a", "b", "bin"):
            os.makedirs(os.path.join(scratch, name), exist_ok=True)
            with open(os.path.join(scratch, name, "sentinel"), "w", encoding="utf-8") as file:
                file.write(name)
        test(scratch)


def bad_modes(folder: str) -> list[str]:
    """Files that others than the owner can write, or cannot read."""
    found = []
    for where, folders, files in os.walk(folder):
        for path in (os.path.join(where, name) for name in folders + files):
            mode = os.lstat(path).st_mode & 0o777
            wanted = (0o755,) if os.path.isdir(path) else (0o644, 0o755)
            if not os.path.islink(path) and mode not in wanted:
                found.append(f"{mode:o} {path}")
    return found


def installs(prefix: str, umask: int = 0o022, staged: str = "") -> None:
    """There and back: all that was there before is there, and nothing else."""

    def test(scratch: str) -> None:
        settings = [f"PREFIX={scratch if not staged else ''}{prefix}"] + ([f"DESTDIR={scratch}/{staged}"] if staged else [])
        root = os.path.join(scratch, staged.replace("$$", "$")) + prefix if staged else scratch + prefix
        before = contents(scratch)
        done = make("install", *settings, umask=umask)
        after = contents(scratch)
        what = f"{settings}, umask {umask:o}"
        check(f"install {what}", done.returncode == 0 and before.items() <= after.items(), done.stdout)
        check(f"the program of {what}", subprocess.run([root + "/bin/dloc", "run", "--impl", "model", "--quiet", root + "/share/dloc/vectors/equal"], check=False).returncode == 0)
        new = {path for path in after if path not in before}
        wrong = [line for line in bad_modes(root) if line.split(" ", 1)[1] in new]
        check(f"modes of {what}", not wrong, "\n".join(wrong[:5]))
        if not staged:
            environment = dict(os.environ, PKG_CONFIG_PATH=root + "/lib/pkgconfig")
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", "dloc"], env=environment, stdout=subprocess.PIPE, text=True, check=False).stdout
            compiled = subprocess.run(["sh", "-c", f'eval "cc examples/merge.c -o \\"$1/program\\" {flags.strip()}"', "sh", root], cwd=ROOT, check=False)
            check(f"pkg-config of {what}", bool(flags) and compiled.returncode == 0, flags)
            if compiled.returncode == 0:
                os.unlink(root + "/program")
        again = make("install", *settings, umask=umask)
        changed = {path for path, _ in set(contents(scratch).items()) ^ set(after.items())}
        check(f"install again {what}", again.returncode == 0 and not changed, again.stdout + "\n".join(changed))
        gone = make("uninstall", *settings)
        check(f"uninstall {what}", gone.returncode == 0 and contents(scratch) == before, gone.stdout + "\n".join(contents(scratch).keys() ^ before.keys()))

    in_scratch(test)


def refuses(target: str, *settings: str) -> None:
    def test(scratch: str) -> None:
        before = contents(scratch)
        done = make(target, *(setting.replace("SCRATCH", scratch) for setting in settings))
        check(f"{target} {settings} is refused", done.returncode != 0 and contents(scratch) == before and bool(done.stdout.strip()), done.stdout)

    in_scratch(test)


def builds_in(name: str) -> None:
    """A checkout of this name, with what was built here."""

    def test(scratch: str) -> None:
        tree = os.path.join(scratch, name)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.split(b"\0")
        for path in filter(None, map(os.fsdecode, files)):
            if os.path.lexists(os.path.join(ROOT, path)):
                os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
                shutil.copy2(os.path.join(ROOT, path), os.path.join(tree, path), follow_symlinks=False)
        before = contents(scratch)
        built = make("build/libdloc.so", folder=tree)
        check(f"build in {name}", built.returncode == 0 and os.path.exists(os.path.join(tree, "build/libdloc.so")), built.stdout)
        cleaned = make("clean", folder=tree)
        changed = {path for path in contents(scratch).keys() ^ before.keys() if not re.search(r"/build$|__pycache__", path)}
        check(f"clean in {name}", cleaned.returncode == 0 and not changed, cleaned.stdout + "\n".join(changed))

    in_scratch(test)


def keeps_old_files() -> None:
    """A file of an older installation goes if this one does not write it. A record that names files elsewhere is not believed."""

    def test(scratch: str) -> None:
        root = scratch + "/p"
        make("install", f"PREFIX={root}")
        record = root + "/share/dloc/installed.txt"
        stale, foreign, before = root + "/bin/old-dloc", scratch + "/My/sentinel", contents(scratch + "/My")
        with open(stale, "w", encoding="utf-8") as file:
            file.write("old")
        with open(record, "a", encoding="utf-8") as file:
            file.write(f"{stale}\n{foreign}\n{root}/bin/../../My/sentinel\n/\n")
        again = make("install", f"PREFIX={root}")
        check("a file of an older installation goes", again.returncode == 0 and not os.path.exists(stale) and contents(scratch + "/My") == before, again.stdout)

    in_scratch(test)


def main() -> int:
    make("all", "build/help/dloc")
    installs("/My Programs")
    installs("/-x")
    installs("/p", umask=0o077)
    installs("/p", umask=0)
    installs("/usr", umask=0o077, staged="My $$HOME;'quoted\"")
    for prefix in ("", "relative", "SCRATCH/it's", 'SCRATCH/"a"', "SCRATCH/a;b", "SCRATCH/a`b`", "-x", "SCRATCH/a\\b"):
        refuses("install", f"PREFIX={prefix}")
        refuses("uninstall", f"PREFIX={prefix}")
    refuses("uninstall", "PREFIX=SCRATCH/My")
    for build in ("", "SCRATCH/My Programs", "SCRATCH/a'b", "SCRATCH/a;b", "SCRATCH/a$$b", "-x", "/", ".", "..", "SCRATCH", "tests", os.path.dirname(ROOT)):
        for target in ("all", "clean", "distclean"):
            refuses(target, f"BUILD={build}")
    builds_in("My Checkout")
    keeps_old_files()
    print(f"{results[True]} passed, {results[False]} failed")
    return results[False] != 0


if __name__ == "__main__":
    sys.exit(main())
