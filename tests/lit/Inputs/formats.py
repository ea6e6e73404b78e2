"""usage: formats.py RUN.json RUN.tap RUN.xml: all three are well-formed, and say the same of every vector."""
import collections
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

KINDS = {"as-expected": "passed", "different": "failed", "layers-lost": "failed", "known": "known", "not-judged": "skipped"}


def from_json(path):
    run, *lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    totals = lines.pop()
    results = [line for line in lines if "id" in line]
    assert run["implementation"] and run["profile"], run
    assert totals["vectors"] == len(results), totals
    for result in results:
        assert result["digest"] and result["clauses"], result
        assert "actual" in result, result
        assert result["verdict"] == "not-judged" or "expected" in result, result
        assert (result["verdict"] == "known") == ("known" in result), result
    counts = collections.Counter(KINDS[result["verdict"]] for result in results)
    assert totals["different"] == counts["failed"] and totals["known"] == counts["known"], totals
    assert totals["good"] == (not counts["failed"] and not totals["stale"] and not totals["fault-count"]), totals
    return {result["id"]: KINDS[result["verdict"]] for result in results}


def from_tap(path):
    text = open(path, encoding="utf-8").read()
    assert text.startswith("TAP version 13\n"), text[:40]
    lines = text.splitlines()
    planned = int(re.match(r"1\.\.(\d+)$", lines[1]).group(1))
    found, inside, number = {}, False, 0
    assert lines[2].startswith("# "), lines[2]
    for line in lines[3:]:
        if inside:
            assert line.startswith("  "), line
            inside = line != "  ..."
        elif line == "  ---":
            inside = True
        else:
            number += 1
            match = re.fullmatch(rf"(not )?ok {number} - (\S+|\(the run\))(?: # (SKIP|TODO) .*)?", line)
            assert match, line
            bad, name, directive = match.groups()
            assert bad or directive != "TODO", line
            assert name not in found, line
            found[name] = {"TODO": "known", "SKIP": "skipped"}.get(directive, "failed" if bad else "passed")
    assert not inside and number == planned, (number, planned)
    if shutil.which("prove"):  # Perl's own harness reads it too
        status = subprocess.run(["prove", "--exec", "cat", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert (status.returncode == 0) == ("failed" not in found.values()), status.stdout
        assert b"Parse errors" not in status.stdout, status.stdout
    return found


def from_junit(path):
    suites = xml.etree.ElementTree.parse(path).getroot()
    assert suites.tag == "testsuites" and len(suites) == 1
    suite, found = suites[0], {}
    for case in suite:
        element = case[0].tag if len(case) else ""
        kind = {"": "passed", "failure": "failed", "error": "failed", "skipped": "skipped"}[element]
        if element == "skipped" and case[0].get("message").startswith("known to fail"):
            kind = "known"
        found[case.get("name")] = kind
    counts = collections.Counter(found.values())
    assert int(suite.get("tests")) == len(suite) == len(found)
    assert int(suite.get("failures")) + int(suite.get("errors")) == counts["failed"]
    assert int(suite.get("skipped")) == counts["skipped"] + counts["known"]
    return found


runs = [from_json(sys.argv[1]), from_tap(sys.argv[2]), from_junit(sys.argv[3])]
for run in runs:
    run.pop("(the run)", None)
assert runs[0] == runs[1] == runs[2], runs
assert runs[0], "no vector"
