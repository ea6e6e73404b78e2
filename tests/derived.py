#!/usr/bin/env python3
"""usage: tests/derived.py

Derivations of vectors/DERIVED. Each is of a vector that there is, names a clause of its own or another derivation that does, and what it names in backticks as
`chapter.rule` is a clause, a choice, a reason or a vector. Vectors that nobody confirms (vectors/CONFIRMED) and that have no derivation may be at most MISSING.
Ends with a line `N passed, N failed`. Environment: DLOC (default build/dloc)."""
import glob
import json
import os
import re
import subprocess
import sys

MISSING = 0  # it never rises again


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    listing = subprocess.run([os.environ.get("DLOC", "build/dloc"), "fmt", "--to", "jsonl", "vectors"], stdout=subprocess.PIPE, check=True).stdout
    vectors = {vector["id"]: vector for vector in map(json.loads, listing.splitlines())}
    spec = "".join(map(read, ["SPEC.md", *sorted(glob.glob("spec/*.md"))]))
    clauses, names = set(re.findall(r"^\*\*`([a-z0-9.-]+)`\*\*", spec, re.M)), set(re.findall(r"`([a-z0-9.-]+)`", spec))
    chapters = {clause.split(".")[0] for clause in clauses}
    confirmed = {words[0] for words in map(str.split, read("vectors/CONFIRMED").splitlines()) if words[1] == vectors.get(words[0], {}).get("digest")}
    derived = dict(line.split(": ", 1) for line in read("vectors/DERIVED").splitlines() if line and not line.startswith("#"))
    wrong = [f"{id}: there is no such vector" for id in derived if id not in vectors]
    for id, text in derived.items():
        quoted = set(re.findall(r"`([a-z0-9.-]+)`", text))
        if not quoted & clauses and not quoted & set(derived):
            wrong.append(f"{id}: the derivation names no clause")
        wrong += [f"{id}: `{name}` is no clause, choice, reason or vector"
                  for name in sorted(quoted - names - set(vectors)) if "." in name and name.split(".")[0] in chapters and name not in text_of(vectors.get(id, {}))]
    missing = [id for id in vectors if id not in confirmed and id not in derived]
    if len(missing) > MISSING:
        wrong.append(f"{len(missing)} vectors are neither confirmed nor derived, more than {MISSING}: {' '.join(missing[:20])} ...")
    print("".join(f"{line}\n" for line in wrong) + f"{len(derived) + 1 - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(len(wrong) > 0)


def text_of(vector):
    """What the vector itself says: names of sections and files may look like those of clauses."""
    return json.dumps(vector)


main()
