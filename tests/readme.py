#!/usr/bin/env python3
"""usage: tests/readme.py [--help-examples] [FILE...]      (without either: README.md PRODUCERS.md)

Runs the commands of the files' ```console blocks in a folder like the repository, since they may write files, and compares what they print with what the block shows: `$ command` lines, each
followed by its output (both streams), in which a line `...` stands for any lines. After a backslash a command goes on in the next line. Skips the
commands that set up, test or install everything. With --help-examples, runs the examples that each `dloc COMMAND --help` shows: none may be bad usage.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
NOT_HERE = re.compile(r"(git clone|cd |\.ci/|make (check|conformance|asan|fuzz|bench|install|setup|clean|demo|cost)\b)")

NOT_INSTALLED = b"Debian has it in the package"  # a producer's tools, which the tests of make check do without


def examples(text):
    """(line number, command, expected lines) for each command."""
    found, inside, goes_on = [], False, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside and line.strip() == "```console"
        elif inside and goes_on:
            found[-1][1] += "\n" + line.removeprefix("> ")
            goes_on = line.endswith("\\")
        elif inside and line.startswith("$ "):
            found.append([number, line[2:], []])
            goes_on = line.endswith("\\")
        elif inside and found:
            found[-1][2].append(line)
    return found


def matches(expected, actual):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def run(command, folder):
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def help_examples():
    """(command, example) for each line under `example:` in the commands' help."""
    dloc = os.path.join(BUILD, "dloc")
    commands = re.findall(r"^  (\w+)  ", subprocess.check_output([dloc, "--help"], text=True), re.M)
    for command in commands:
        text = subprocess.check_output([dloc, command, "--help"], text=True)
        for example in text.partition("\nexample:\n")[2].splitlines():
            yield command, example.strip()


def run_help_examples(folder):
    """How many passed and failed."""
    passed = failed = 0
    os.environ["PATH"] = BUILD + os.pathsep + os.environ["PATH"]
    for command, example in help_examples():
        done = run(example, folder)
        if NOT_INSTALLED in done.stdout:
            continue
        if done.returncode in (0, 1):
            passed += 1
            continue
        failed += 1
        print(f"dloc {command} --help: $ {example}\n  exit status {done.returncode}: {done.stdout[-400:].decode()}")
    return passed, failed


def run_file(name, folder):
    """How many of its commands passed, failed and were skipped."""
    passed = failed = skipped = 0
    with open(os.path.join(ROOT, name)) as file:
        found = examples(file.read())
    for number, command, expected in found:
        if NOT_HERE.match(command):
            skipped += 1
            continue
        if re.search(r"build/(report|spec)\.html", command):
            print(f"{name}:{number}: `make conformance` writes this page")
            failed += 1
            continue
        done = run(re.sub(r"(?<![\w.])/tmp/", f"{folder}/tmp/", command), folder)  # /tmp/NAME may be another user's
        if NOT_INSTALLED in done.stdout:
            skipped += 1
            continue
        actual = done.stdout.decode(errors="replace").replace(f"{folder}/tmp/", "/tmp/").splitlines()
        if matches(expected, actual):
            passed += 1
            continue
        failed += 1
        print(f"{name}:{number}: $ {command}\n  is said to print:")
        print("".join(f"    {line}\n" for line in expected) + f"  and printed, with exit status {done.returncode}:")
        print("".join(f"    {line}\n" for line in actual))
    if not found:
        failed = 1
        print(f"{name}: no ```console block")
    return passed, failed, skipped


def main():
    words = sys.argv[1:] or ["README.md", "PRODUCERS.md"]
    shutil.rmtree(os.path.join(BUILD, "try"), ignore_errors=True)  # its copies of read-only sources are read-only
    os.makedirs(os.path.join(BUILD, "try"))
    with tempfile.TemporaryDirectory() as folder:
        for name in {*os.listdir(ROOT)} - {"build"}:
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        os.symlink(BUILD, os.path.join(folder, "build"))
        os.mkdir(os.path.join(folder, "tmp"))
        counts = [(*run_help_examples(folder), 0) if word == "--help-examples" else run_file(word, folder) for word in words]
    passed, failed, skipped = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)


main()
