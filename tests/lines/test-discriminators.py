#!/usr/bin/env python3
"""usage: tests/lines/test-discriminators.py few|all

Discriminators of real functions. Blocks, lines and successors of what clang makes of C go to the model as vectors of the op `paths`, and its answers are
compared with what LLVM's pass add-discriminators wrote, instruction by instruction: under the profile of that LLVM they are the same. Under `rfc`, the
documents' rules, they differ; the output says in how many instructions, and how many are left with each choice of LLVM's more. few: one LLVM, one
file; all: three LLVMs and the sources of the model.

Then objects of gcc and clang: what `dloc lines --discriminators` says of blocks and is_stmt is what the rows of `--tsv` give."""

import collections
import glob
import json
import os
import random
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
from common import BUILD, DLOC, Results, llvm, run  # noqa: E402

CHOICES = ["block=every", "calls=each", "intrinsic=skip", "line-0=line", "file=name"]  # LLVM's, below discriminator.assign
LABEL = re.compile(r'("[^"]*"|[-a-zA-Z$._0-9]+):')
LOCATION = re.compile(r"(\S+) (\d+) [^;]*; (\d+):(\d+)(?: atom \d+ rank \d+)? in (?:distinct )?(?:(DISubprogram) \S+|DILexicalBlock(File)?) (\S+) (\S+) (?:line|discriminator) (\d+)")
MEMORY = re.compile(r"@llvm\.mem(cpy|move|set)\.")


class Failed(Exception):
    pass


def tool(command):
    status, output, errors = run(command)
    if status:
        raise Failed(f"{' '.join(command)}: exit status {status}: {errors.strip()[:300]}")
    return output.decode()


def base(discriminator):
    """The base discriminator: SPEC.md, `discriminator.encoding`."""
    low = discriminator >> 1 & 31
    return 0 if discriminator & 1 else low | (discriminator >> 7 & 127) << 5 if discriminator & 64 else low


def locations(module):
    """Function and number of an instruction to line, column, file, its name, discriminator; as dloc reads the module."""
    found = {}
    for line in tool([DLOC, "print", "--locations", "--scopes", module]).splitlines():
        match = LOCATION.match(line)
        if not match:
            raise Failed(f"not understood: {line}")
        function, number, row, column, _, block_file, directory, name, last = match.groups()
        found[function, int(number)] = (int(row), int(column), f"{directory}/{name}", name, int(last) if block_file else 0)
    return found


def functions(path):
    """Name and blocks of each function: [label, [text of an instruction or record]]."""
    name = None
    with open(path) as file:
        for line in file:
            if line.startswith("define "):
                name, blocks = re.search(r"@([-\w.$]+)\(", line)[1], [["", []]]
            elif name and line.startswith("}"):
                yield name, blocks
                name = None
            elif name and (label := LABEL.match(line)):
                blocks.append([label[1], []])
            elif name and re.match(r"  [^ ]|    #dbg_", line) and not line.startswith("  ]"):
                blocks[-1][1].append(line.strip())
            elif name and line.strip():
                blocks[-1][1][-1] += " " + line.strip()  # the cases of a switch


def kind(text):
    if not re.search(r"\b(call|invoke)\b[^\"]*[@%]", text):
        return "plain"
    return "call" if "@llvm." not in text else "plain" if MEMORY.search(text) else "intrinsic"


def described(name, blocks, located, numbers):
    """The args of a vector, and the numbers of the instructions among these and records."""
    places, count, args, kept = {label: i for i, (label, _) in enumerate(blocks)}, -1, [], []
    for _, texts in blocks:
        instructions = []
        for text in texts:
            count += 1
            if text.startswith("#dbg_"):
                continue
            kept.append(count)
            place = located.get((name, count))
            line, column, path, file = place[:4] if place else (None, 0, "", "")
            files = {"file": numbers.setdefault(path, len(numbers) + 1), "name": numbers.setdefault(file, len(numbers) + 1)} if place else {}
            instructions.append({"line": line, "column": column, **files, "kind": kind(text)})
        labels = re.findall(r'label %("[^"]*"|[-\w.$]+)', texts[-1]) if texts else []
        args.append({"instructions": instructions, "successors": [places[label] for label in labels]})
    return {"blocks": args}, kept


def vector(name, since, args, lists):
    return {
        "id": name, "clauses": ["discriminator.assign.block"], "level": "record", "since": since, "needs": ["paths"], "note": "A function to compare.",
        "op": "paths", "args": args, "expect": {"outcome": "ok", "value": {"discriminators": lists}},
    }  # fmt: skip


def vectors(before, after, since):
    located, assigned, numbers = locations(before), locations(after), {}
    if sorted(located) != sorted(assigned):
        raise Failed("the pass changed which instructions have locations")
    for name, blocks in functions(before):
        args, kept = described(name, blocks, located, numbers)
        flat = [base(assigned[name, i][4]) if (name, i) in assigned else 0 for i in kept]
        expected = iter(flat)
        lists = [[next(expected) for _ in block["instructions"]] for block in args["blocks"]]
        yield flat, vector(f"paths.{re.sub('[^a-z0-9]', '-', name.lower())}", since, args, lists)


def random_vector(name, draw):
    """Blocks of a few lines, files and columns, with whatever may stand in them."""
    count, blocks = draw.randint(1, 8), []
    for _ in range(count):
        successors = [draw.randrange(count) for _ in range(draw.choice([0, 1, 1, 2, 2, 2, 3]))]
        instructions = [
            {
                "line": draw.choice([0, None, 1, 1, 1, 2, 2, 3]),
                "column": draw.randint(0, 2),
                "file": draw.choice([1, 1, 1, 2]),
                "name": draw.choice([1, 1, 1, 2]),
                "kind": draw.choice(["plain", "plain", "call", "call", "intrinsic"]),
            }
            for _ in range(draw.randint(len(successors) > 1, 5))
        ]
        if len(successors) > 1:
            instructions[-1]["kind"] = "plain"
        blocks.append({"instructions": instructions, "successors": successors})
    return vector(name, "rfc", {"blocks": blocks}, [[0] * len(block["instructions"]) for block in blocks])


def answers(path, options, folder, implementation=("model",)):
    """Discriminators, a list for each vector."""
    out = os.path.join(folder, "answers")
    status, _, errors = run([DLOC, "run", "--impl", *implementation, "--quiet", "--json", "-o", out, *options, path])
    if status not in (0, 1):
        raise Failed(f"dloc run: exit status {status}: {errors.strip()[:300]}")
    with open(out) as file:
        records = [json.loads(line) for line in file]
    return [[int(word) for word in re.findall(r"^\d+$", record["actual"], re.M)] for record in records if "actual" in record]


def compared(version, source, options, folder, counts):
    """What is wrong, or None."""
    before, after, suite = (os.path.join(folder, name) for name in ("before.ll", "after.ll", "functions.jsonl"))
    profile = f"llvm-{version}"
    tool([llvm(version, "clang"), "-S", "-emit-llvm", "-g", "-std=gnu11", "-w", "-D_GNU_SOURCE", *options, source, "-o", before,
          f"-I{ROOT}/model", f"-I{BUILD}/gen"])
    tool([llvm(version, "opt"), "-S", "-passes=add-discriminators", before, "-o", after])
    made = list(vectors(before, after, profile))
    with open(suite, "w") as file:
        file.writelines(json.dumps(vector) + "\n" for _, vector in made)
    theirs = [flat for flat, _ in made]
    ours = answers(suite, ["--profile", profile], folder)
    wrong = [vector["id"] for (flat, vector), answer in zip(made, ours) if flat != answer]
    steps = [[f"--choice=discriminator.assign.{choice}" for choice in CHOICES[:i]] for i in range(len(CHOICES) + 1)]
    for i, step in enumerate(steps):
        documents = answers(suite, ["--profile", "rfc", *step], folder)
        counts[i] += sum(a != b for flat, answer in zip(theirs, documents) for a, b in zip(flat, answer))
    counts[-1] += sum(map(len, theirs))
    if len(ours) != len(theirs):
        return f"{len(theirs)} functions, {len(ours)} answers"
    return f"{profile} differs in {len(wrong)} of {len(made)} functions: {', '.join(wrong[:5])}" if wrong else None


def at_random(version, count, folder):
    """What is wrong, or None: random functions, by the model and by the pass."""
    draw, suite, profile = random.Random(version), os.path.join(folder, "random.jsonl"), ["--profile", f"llvm-{version}"]
    with open(suite, "w") as file:
        file.writelines(json.dumps(random_vector(f"paths.random.{i}", draw)) + "\n" for i in range(count))
    ours = answers(suite, profile, folder)
    theirs = answers(suite, profile, folder, ["llvm", "--llvm", os.path.dirname(llvm(version, "opt"))])
    wrong = [str(i) for i, (a, b) in enumerate(zip(ours, theirs)) if a != b]
    if len(ours) != count or len(theirs) != count or not any(map(any, ours)):
        return f"{len(ours)} and {len(theirs)} answers"
    return f"{len(wrong)} differ: {', '.join(wrong[:9])}" if wrong else None


def blocks_of_rows(text):
    """Discriminators by line with their bytes, and the rows with a discriminator and those with is_stmt, from lines with tabs."""
    lines, rows, stmts = collections.defaultdict(lambda: collections.defaultdict(set)), 0, 0
    table = [line.split("\t") for line in text.splitlines()]
    for (address, file, line, _, discriminator, flags), following in zip(table, table[1:] + [None]):
        if "E" in flags:
            continue
        lines[f"{file}:{line}"][int(discriminator)].update(range(int(address, 16), int(following[0], 16)))
        rows += discriminator != "0"
        stmts += discriminator != "0" and "s" in flags
    return {place: dict(found) for place, found in lines.items() if any(found)}, rows, stmts


def blocks_shown(text):
    """The same from what --discriminators prints."""
    lines, found = {}, None
    *body, summary = text.splitlines()
    for line in body:
        if line.startswith("  "):
            number, addresses = re.match(r"  (\d+)(?: \(LLVM: [^)]*\))?:(.*)", line).groups()
            spans = [tuple(int(end, 16) for end in span.split("-")) for span in re.findall(r"0x\S+", addresses)]
            found[int(number)] = {address for span in spans for address in range(*span)}
        else:
            place, blocks = re.match(r"(.*): (\d+) blocks?; is_stmt in ", line).groups()
            found = lines[place] = {}
    rows, stmts = map(int, re.match(r"(\d+) rows with a discriminator; is_stmt in (\d+) of them", summary).groups())
    return lines, rows, stmts


def shown(compiler, source, folder):
    """What is wrong with what is shown of an object, or None."""
    path = os.path.join(folder, "object.o")
    tool([*compiler, "-g", "-w", "-c", source, "-o", path])
    wanted = blocks_of_rows(tool([DLOC, "lines", "--tsv", path]))
    found = blocks_shown(tool([DLOC, "lines", "--discriminators", path]))
    print(f"{' '.join(compiler)}: {len(found[0])} lines with discriminators, {found[1]} rows, is_stmt in {found[2]}")
    if not found[2] < found[1]:
        return "is_stmt in every row with a discriminator, or no such row"
    return None if found == wanted else f"{found} is not {wanted}"


def main():
    few, results, counts = sys.argv[1] == "few", Results(), [0] * (len(CHOICES) + 2)
    examples = os.path.join(HERE, "discriminators.c")
    unoptimized = ["-O0", "-Xclang", "-disable-O0-optnone"]
    cases = [(22, examples, unoptimized)]
    if not few:
        sources = [examples, *sorted(glob.glob(os.path.join(ROOT, "model", "merge*.c")))]
        cases = [(version, source, options) for version in (14, 19, 22) for source in sources for options in (unoptimized, ["-O1"])]
    for version, source, options in cases:
        what = f"clang {version} {options[0]} {os.path.relpath(source, ROOT)}"
        if not shutil.which(llvm(version, "clang")):
            results.skip(f"{what}: no clang {version}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                results.check(what, compared(version, source, options, folder, counts))
            except Failed as failed:
                results.check(what, str(failed))
    for version in sorted({version for version, _, _ in cases}):
        if shutil.which(llvm(version, "opt")):
            with tempfile.TemporaryDirectory() as folder:
                results.check(f"random functions, LLVM {version}", at_random(version, 100 if few else 1000, folder))
    print(f"{counts[-1]} instructions; discriminators that differ from LLVM's under rfc: {counts[0]}")
    for choice, left in zip(CHOICES, counts[1:]):
        print(f"  and with discriminator.assign.{choice}: {left}")
    if counts[-1]:
        results.check("the documents' rules differ from LLVM's", None if counts[0] else "they do not")
        results.check("the choices are all that differs", f"{counts[-2]} instructions differ" if counts[-2] else None)
    for compiler in (["gcc"], ["clang", "-fdebug-info-for-profiling"]):
        for level in ("-O0", "-O2"):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    results.check(" ".join([*compiler, level]), shown([*compiler, level], examples, folder))
                except Failed as failed:
                    results.check(" ".join([*compiler, level]), str(failed))
    results.finish()


main()
