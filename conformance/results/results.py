#!/usr/bin/env python3
"""usage: conformance/results/results.py [--builds DIR] [NAME...]
       conformance/results/results.py --check

Runs every implementation that this project can run, or those of the names, against all vectors, and writes a dated summary of each, NAME.json here, and the page
of who does what, README.md. --builds names the folder of patched-llvm and patched-irlayers (default: build). An implementation that is not there keeps its summary.

With --check it runs nothing: it fails when a summary is of other vectors than there are, by their digests, or when the page is not that of the summaries.
Environment: DLOC (default build/dloc).
"""

import argparse
import datetime
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DLOC = os.environ.get("DLOC", str(ROOT / "build/dloc"))
RELEASES = (14, 15, 16, 19, 22)
VERDICTS = {"as-expected": "fine", "different": "different", "layers-lost": "different", "known": "known", "not-judged": "left"}
TITLES = {"llvm": "LLVM {}", "dropin": "hide and reveal on LLVM {}"}
# Releases without a profile of their own: the list of what they do otherwise, and the one that it adds to.
BETWEEN = {
    "llvm-15": ("known-failures-15", "known-failures"),
    "llvm-16": ("known-failures-16", "known-failures"),
    "dropin-15": ("dropin-failures-15", "dropin-failures-14"),
    "dropin-16": ("dropin-failures-16", "dropin-failures-19"),
}
NEWER = {"llvm-main": "LLVM's main branch", "llvm-23": "LLVM 23"}
PATCHED = {"patched-llvm": "LLVM 22 with tuples", "patched-irlayers": "LLVM 22 with lists"}

Summary = dict[str, Any]


def dloc(*words: str) -> str:
    return subprocess.run([DLOC, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def profiles() -> list[str]:
    return [line["profile"] for line in json.loads(dloc("spec", "--json"))["profiles"]]


def implementations(builds: Path) -> Iterator[tuple[str, str, list[str] | None]]:
    """Name, title, and the options of `dloc run`; None: it is not here."""
    for name, title in NEWER.items():
        folder = builds / name / "bin"
        yield name, title, ["--impl", "llvm", "--llvm", str(folder)] if (folder / "opt").exists() else None
    for kind, title in TITLES.items():
        for release in RELEASES:
            folder, name = Path(f"/usr/lib/llvm-{release}/bin"), f"{kind}-{release}"
            yield name, title.format(release), ["--impl", kind, "--llvm", str(folder)] if (folder / "opt").exists() else None
    for name, title in PATCHED.items():
        folder = builds / name / "bin"
        yield name, title, ["--impl", "llvm", "--llvm", str(folder)] if (folder / "opt").exists() else None
    folder = builds / "patched-llvm" / "bin"
    options = ["--impl", "dropin", "--llvm", str(folder)] if (folder / "opt").exists() else None
    yield "dropin-patched-llvm", f"hide and reveal on {PATCHED['patched-llvm']}", options
    for profile in profiles():
        yield f"model-{profile}", f"the model, {profile}", ["--impl", "model", "--profile", profile]


def snapshot(name: str, builds: Path) -> str:
    """The version of the packages that conformance/llvm/fetch unpacked, or nothing."""
    told = builds / "cache" / name / "version"
    return told.read_text(encoding="utf-8").splitlines()[0] if name in NEWER and told.exists() else ""


def digest_of_vectors() -> str:
    return hashlib.md5(dloc("list", "--digests", "vectors").encode()).hexdigest()


# ---- A summary


def list_of(name: str) -> str:
    more, base = (ROOT.joinpath("conformance/llvm", f"{each}.txt").read_text(encoding="utf-8") for each in BETWEEN[name])
    ids = {line.partition(":")[0] for line in more.splitlines()}
    return "".join(line for line in base.splitlines(keepends=True) if line.partition(":")[0] not in ids) + more


def run(name: str, options: list[str]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        told, known = Path(folder, "run.json"), Path(folder, "known.txt")
        if name in BETWEEN:
            known.write_text(list_of(name), encoding="utf-8")
            options = [*options, "--expect-failures", str(known)]
        done = subprocess.run([DLOC, "run", *options, "--quiet", "--json", "-o", str(told), "vectors"], cwd=ROOT, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"results: dloc run {' '.join(options)}: exit status {done.returncode}")
        return [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]


def status(counts: dict[str, Any]) -> str:
    return "different" if counts.get("different") else "known" if counts.get("known") else "fine" if counts.get("fine") else "left"


def summarise(lines: list[dict[str, Any]], digest: str, today: str, package: str, before: Summary) -> Summary:
    """By clause, the first of each vector, how many are fine, different, known to fail or left out, and since when it is so; by choice the alternative that it follows."""
    head, totals = lines[0], lines[-1]
    clauses: dict[str, dict[str, Any]] = {}
    for line in lines:
        if "verdict" in line:
            counts = clauses.setdefault(line["clauses"][0], {})
            counts[VERDICTS[line["verdict"]]] = counts.get(VERDICTS[line["verdict"]], 0) + 1
            if VERDICTS[line["verdict"]] == "different":
                counts.setdefault("vectors", []).append(line["id"])
    choices = {line["choice"]: {"follows": line["alternatives"] if line["follows"] != "mixed" else "mixed", "witness": (line["witnesses"] or [""])[0]}
               for line in lines if "follows" in line}
    for part, same in (("clauses", status), ("choices", lambda entry: entry["follows"])):
        for name, entry in {"clauses": clauses, "choices": choices}[part].items():
            old = before.get(part, {}).get(name)
            entry["since"] = old["since"] if old and same(old) == same(entry) else today
    return {
        "implementation": head["implementation"],
        "version": f"{head['version']} ({package})" if package else head["version"],
        "profile": head["profile"],
        "date": today,
        "vectors": digest,
        "totals": {key: totals[key] for key in ("vectors", "as-expected", "different", "known", "skipped", "not-applicable")},
        "clauses": dict(sorted(clauses.items())),
        "choices": dict(sorted(choices.items())),
    }


def write(path: Path, summary: Summary) -> None:
    """A line for each clause and choice, so that a change of one is a change of a line."""
    parts = []
    for key, part in summary.items():
        lines = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in part.items()] if key in ("clauses", "choices") else []
        parts.append(f"  {json.dumps(key)}: " + ("{\n" + ",\n".join(lines) + "\n  }" if lines else json.dumps(part)))
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


# ---- The page

HEAD = """# Who does what

Each implementation that this project can run was asked every vector. `make results` asks again and writes this page and the summaries beside it, one JSON file for each implementation; CI fails when
the vectors have changed since. *Fine* vectors are as the implementation's profile expects, as where stock LLVM drops the debug information of a module with layers; *known* ones fail as
[known-failures.txt](../llvm/known-failures.txt) and the lists beside it say. LLVM 15 and 16 have no profile of their own, and are held to the nearest one.

## Implementations

| | version | profile | date | fine | different | known | not asked |
|---|---|---|---|---|---|---|---|
"""
CHOICES = """
## Choices

The alternative that each one follows, as its answers show: `a|b`, where none tells these apart; `mixed`, where they follow several; empty, where none tells. The choice leads to a file with a vector that shows it.
An alternative in bold is followed since a later date than the first summary's.

"""
CLAUSES = """
## Clauses

How many vectors of each clause are fine. `2 of 5` means that the others differ; `+3` that so many more are known to fail, or were not asked of it; empty, that none applies. The clause leads to its vectors. A number in bold is so since a
later date than the first summary's.

"""


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def cell(counts: dict[str, Any] | None, first: str) -> str:
    if not counts:
        return ""
    fine, other = counts.get("fine", 0), counts.get("known", 0) + counts.get("left", 0)
    text = f"{fine} of {fine + counts['different']}" if counts.get("different") else str(fine) if fine else ""
    text += f" +{other}" if other else ""
    return f"**{text.strip()}**" if counts["since"] > first else text.strip()


def page(summaries: dict[str, Summary], titles: dict[str, str]) -> str:
    files = {}
    for line in dloc("list", "--json", "vectors").splitlines():
        one = json.loads(line)
        files.setdefault(one["vector"]["clauses"][0], one["file"])
        files[one["vector"]["id"]] = one["file"]
    first = min((entry["since"] for summary in summaries.values() for entry in summary["clauses"].values()), default="")

    def link(name: str, shown: str) -> str:
        return f"[{shown}](../../{files[name]})" if name in files else shown

    made = HEAD
    for name, summary in summaries.items():
        totals = summary["totals"]
        left = totals["skipped"] + totals["not-applicable"]
        made += f"| [{titles[name]}]({name}.json) | {summary['version']} | `{summary['profile']}` | {summary['date']} | {totals['as-expected']} | {totals['different']} | {totals['known']} | {left} |\n"
    shown = {name: summary for name, summary in summaries.items() if not name.startswith("model-")}
    heads = [titles[name].replace("hide and reveal on", "hidden,") for name in shown]
    rows = []
    for choice in sorted({choice for summary in shown.values() for choice in summary["choices"]}):
        entries = [summary["choices"].get(choice) for summary in shown.values()]
        witness = next(entry["witness"] for entry in entries if entry)
        cells = [(f"**{entry['follows']}**" if entry["since"] > first else entry["follows"]).replace("|", "\\|") if entry else "" for entry in entries]
        rows.append([link(witness, f"`{choice}`"), *cells])
    made += CHOICES + table(["choice", *heads], rows)
    rows = []
    for clause in sorted({clause for summary in shown.values() for clause in summary["clauses"]}):
        rows.append([link(clause, f"`{clause}`"), *(cell(summary["clauses"].get(clause), first) for summary in shown.values())])
    return made + CLAUSES + table(["clause", *heads], rows)


def read(names: list[str]) -> dict[str, Summary]:
    return {name: json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")) for name in names if (HERE / f"{name}.json").exists()}


def check(titles: dict[str, str]) -> int:
    digest, summaries = digest_of_vectors(), read(list(titles))
    wrong = [f"{name}.json is missing: `make results` writes it" for name in titles if name not in summaries]
    wrong += [f"{name}.json is of other vectors than there are, of {summary['date']}: `make results`" for name, summary in summaries.items() if summary["vectors"] != digest]
    if not wrong and (HERE / "README.md").read_text(encoding="utf-8") != page(summaries, titles):
        wrong.append("README.md is not that of the summaries: `make results`")
    print("\n".join([*wrong, f"{len(titles) - len(wrong)} passed, {len(wrong)} failed"]))
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--builds", type=Path, default=ROOT / "build")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    known = list(implementations(arguments.builds))
    titles = {name: title for name, title, _ in known}
    if arguments.check:
        return check(titles)
    unknown = set(arguments.names) - set(titles)
    if unknown:
        sys.exit(f"results: no implementation is named {', '.join(sorted(unknown))}; there are {', '.join(titles)}")
    digest, today = digest_of_vectors(), datetime.date.today().isoformat()
    for name, title, options in known:
        if arguments.names and name not in arguments.names:
            continue
        if options is None:
            print(f"{title}: not here", flush=True)
            continue
        print(f"{title} ...", flush=True)
        before = read([name]).get(name, {})
        write(HERE / f"{name}.json", summarise(run(name, options), digest, today, snapshot(name, arguments.builds), before))
    (HERE / "README.md").write_text(page(read(list(titles)), titles), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
