#!/usr/bin/env python3
"""usage: tests/lines/test-cubins.py few|all

NVIDIA's extended line map: a cubin written by hand, and those that ptxas makes, if it is there. Contexts lead where spec/lines.md 16 says; under libdw's
alternatives they lead where libdw says, which is another kernel's row wherever a cubin has two."""

import json
import os
import re
import shutil
import subprocess
import tempfile

from objects import HERE, dloc

from common import Results, run  # in tests/real, which objects.py makes known

FOLDER = os.path.join(HERE, "cubin")
LIBDW = ["--choice", "nvidia.context.base=sorted", "--choice", "nvidia.context.order=any"]
ROW = re.compile(r" +\d+  (?P<address>[0-9a-f]{16}) +(?P<line>\d+) +\d+ [^,]*, in (?P<function>[^ ]*)(?: from [^ ]*:(?P<caller>\d+))?(?:, end|;|$)")
PTXAS = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")


def lines(path, *options):
    status, output, errors = run([dloc(), "lines", "--nvidia", *options, path])
    if status != 0:
        raise subprocess.SubprocessError(f"dloc lines --nvidia: exit status {status}: {errors.strip()[:300]}")
    return output.decode(), errors


def inlined(text):
    """(address, line, function, line of the call site) of each inlined row."""
    found = (ROW.match(line) for line in text.splitlines())
    return [(int(m["address"], 16), int(m["line"]), m["function"], int(m["caller"] or 0)) for m in found if m]


def by_libdw(program, path):
    _, output, _ = run([program, path])
    fields = (line.split("\t") for line in output.decode().splitlines())
    return [(int(address, 16), int(line), function, int(caller)) for address, line, function, caller in fields]


def by_hand(folder):
    """kernels.s with the machine and the type of a cubin."""
    path = os.path.join(folder, "kernels.cubin")
    source = os.path.join(FOLDER, "kernels.s")
    subprocess.run(["/usr/lib/llvm-22/bin/llvm-mc", "-triple=x86_64", "-filetype=obj", source, "-o", path], check=True)
    with open(path, "r+b") as file:
        file.seek(16)
        file.write((2).to_bytes(2, "little") + (190).to_bytes(2, "little"))  # ET_EXEC, EM_CUDA
    return path


EXPECTED = [
    (16, 30, "outer", 11), (16, 40, "inner", 30),  # kernel first
    (8, 41, "inner", 50), (48, 41, "inner", 50),  # second
    (0, 1, "other", 5), (32, 1, "other", 5),  # third: the row that ends it is inlined as well
]  # fmt: skip
PTX = [
    ("first", 0, "PTX 2: add.f32 %f1, %f2, %f3;"), ("first", 16, "PTX 4: "), ("second", 0, "PTX 3: .entry second()"), ("third", 0, "PTX 1: .entry third()"),
]  # fmt: skip


STACKS = {  # of kernels.s: function and line of each frame
    "first+0": [("first", 10)], "first+10": [("inner", 40), ("outer", 30), ("first", 11)], "first+0x2f": [("inner", 40), ("outer", 30), ("first", 11)],
    "first+30": [("first", 12)], "first+40": [("", 0)], "second+8": [("inner", 41), ("second", 50)], "third+1f": [("other", 1), ("third", 5)],
}  # fmt: skip
REFUSED = {"fourth+0": "no kernel of that name", "50": "KERNEL+OFFSET"}


def check_stacks(results, path):
    status, output, errors = run([dloc(), "symbolize", "--no-demangle", "--no-layers", "--tsv", path, *STACKS])
    results.check("kernels.s: symbolize", None if status == 0 else f"exit status {status}: {errors[:300]}")
    for address, why in REFUSED.items():
        refused, _, text = run([dloc(), "symbolize", path, address])
        results.check(f"kernels.s: {address} is refused", None if refused == 2 and why in text else f"exit status {refused}: {text[:300]}")
    found, frames = [], (line.split("\t") for line in output.decode().splitlines())
    for _, number, function, _, line, _, _ in frames:
        if number == "0":
            found.append([])
        found[-1].append((function, int(line)))
    for (address, expected), answer in zip(STACKS.items(), found):
        results.check(f"kernels.s: stack at {address}", None if answer == expected else f"{answer}")


def check_by_hand(results, folder, libdw):
    path = by_hand(folder)
    text, errors = lines(path)
    results.check("kernels.s: no warning", errors.strip() or None)
    results.check("kernels.s: call sites", None if inlined(text) == EXPECTED else f"{inlined(text)}")
    kernels = dict(zip(re.findall(r"^kernel (\w+):", text, re.M), text.split("\n\n")))
    for kernel, address, expected in PTX:
        row = next((row for row in kernels.get(kernel, "").splitlines() if f"  {address:016x} " in row), "")
        results.check(f"kernels.s: PTX of {kernel}+{address}", None if row.endswith(expected) else row)
        done = run([dloc(), "symbolize", "--tsv", path, f"{kernel}+{address:x}"])[1].decode()
        layer = next((line.split("\t") for line in done.splitlines() if "\tlayer PTX\t" in line), [""] * 7)
        results.check(f"kernels.s: layer PTX of {kernel}+{address}", None if expected == f"PTX {layer[4]}: {layer[2]}" else done)
    check_stacks(results, path)
    same_as_libdw(results, "kernels.s", path, libdw)
    wrong = sorted(by_libdw(libdw, path)) != sorted(EXPECTED)
    results.check("kernels.s: libdw takes rows of another kernel", None if wrong else "it does not any more: see nvidia.context.sorted")


def same_as_libdw(results, name, path, libdw):
    text, _ = lines(path, *LIBDW)
    ours, theirs = sorted(inlined(text)), sorted(by_libdw(libdw, path))
    results.check(f"{name}: as libdw under its alternatives", None if ours == theirs else f"dloc {ours}; libdw {theirs}")


def directives(path):
    """(line, function, line of the call site) of each .loc with one."""
    with open(path) as file:
        found = re.findall(r"\.loc \d+ (\d+) \d+, function_name \$(\w+), inlined_at \d+ (\d+)", file.read())
    return {(int(line), function, int(caller)) for line, function, caller in found}


def page_fault(page):
    """All instructions of both kernels have a place in the source and one in PTX, but for those behind the end of a function."""
    names = [pane["name"] for pane in page["panes"]]
    code = [entry for function in page["functions"] for entry in function["code"]]
    known = [entry for entry in code if entry[3] is not None and entry[4]]
    right = names == ["source", "PTX"] and [function["name"] for function in page["functions"]] == ["first", "second"] and 2 * len(known) > len(code)
    inlined = any(page["stacks"][entry[3]][2] is not None for entry in known)
    return None if right and inlined else f"panes {names}, {len(known)} of {len(code)} instructions known, inlined: {inlined}"


def check_ptxas(results, folder, libdw):
    source = os.path.join(FOLDER, "inlined.ptx")
    for name, options in (("executable", []), ("relocatable", ["-c"]), ("not optimised", ["-O0"])):
        path = os.path.join(folder, name.replace(" ", "-") + ".cubin")
        done = run([PTXAS, "-arch=sm_80", *options, source, "-o", path])
        if done[0]:
            results.skip(f"ptxas {name}: {done[2].strip()[:200]}")
            continue
        text, errors = lines(path)
        results.check(f"ptxas, {name}: no warning", errors.strip() or None)
        found = {row[1:] for row in inlined(text)}
        results.check(f"ptxas, {name}: call sites", None if found == directives(source) else f"{found}")
        kernels = set(re.findall(r"^kernel (\w+):", text, re.M))
        results.check(f"ptxas, {name}: kernels", None if kernels == {"first", "second"} else f"{kernels}")
        with_text = re.findall(r"; PTX \d+: ", text)
        results.check(f"ptxas, {name}: layer PTX", None if with_text and "PTX 0" not in text else text)
        if name == "executable":
            status, page, told = run([dloc(), "browse", "--json", path])
            wrong = page_fault(json.loads(page)) if status == 0 else told
            results.check(f"ptxas, {name}: its page", wrong)
        if name != "relocatable":  # libdw reads .debug_str as it stands there, without relocations
            same_as_libdw(results, f"ptxas, {name}", path, libdw)


def main():
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        libdw = os.path.join(folder, "libdw")
        built = run(["cc", "-o", libdw, os.path.join(FOLDER, "libdw.c"), "-ldw"])
        if built[0]:
            results.check("libdw.c", built[2])
        else:
            check_by_hand(results, folder, libdw)
            if PTXAS:
                check_ptxas(results, folder, libdw)
            else:
                results.skip("ptxas is not here")
    results.finish()


main()
