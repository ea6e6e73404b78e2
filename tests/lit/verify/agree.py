#!/usr/bin/env python3
"""usage: agree.py CASES FOLDER [NAME]...

For each module of CASES (see its head), `dloc verify` finds what the case says, under every profile. Where the release that a profile is named
after is installed, its llvm-as accepts the same modules and words its first complaint alike."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys

PROFILES = ["rfc", "pr205453", "llvm-22", "llvm-19", "llvm-14"]
NUMBER = re.compile(r"!(\d+) = ")


def read_cases(path):
    """[(name, {profile: expected}, hangs, lines)] and the common definitions by number."""
    cases, common, lines = [], {}, None
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith(";") or not line:
            continue
        if line.startswith("== "):
            name, expected, others = re.fullmatch(r"== ([a-z0-9-]+): (\S+)(.*)", line).groups()
            table = dict.fromkeys(PROFILES, expected)
            named = dict(word.split("=") for word in others.split() if "=" in word)
            for profile in PROFILES[2:]:
                table[profile] = named.get("llvm", expected)
            table.update((p, r) for p, r in named.items() if p != "llvm")
            lines = []
            cases.append((name, table, "[hangs]" in others, lines))
        elif lines is None:
            common[NUMBER.match(line).group(1)] = line
        else:
            lines.append(line)
    return cases, common


def module(lines, common):
    """The case's lines, then what of the common ones it does not define itself. `!name =` alone leaves out that list."""
    own = {match.group(1) for match in map(NUMBER.match, lines) if match}
    text = [line for line in lines if not line.endswith(" =")]
    for name, operand in (("llvm.dbg.cu", "!1"), ("llvm.module.flags", "!3")):
        if not any(line.startswith(f"!{name} =") for line in lines):
            text.append(f"!{name} = !{{{operand}}}")
    return "\n".join(text + [line for number, line in common.items() if number not in own]) + "\n"


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True)
    return done.returncode, done.stdout, done.stderr


def ask_dloc(profile, paths):
    """{path: (reason, its text)} of the first violation of each file that has one."""
    status, output, errors = run(["dloc", "verify", "--json", "--profile", profile, *paths])
    if status not in (0, 1) or errors:
        sys.exit(f"dloc verify --profile {profile}: exit status {status}\n{errors}")
    first = {}
    for line in output.splitlines():
        violation = json.loads(line)
        text = violation.get("text", violation["message"])  # while reading, the message is LLVM's
        first.setdefault(violation["file"], (violation["reason"], text))
    return first


def ask_llvm(version, path):
    """The first complaint of llvm-as, without the names of files, places and intrinsics; "" when it has none."""
    status, _, errors = run([f"/usr/lib/llvm-{version}/bin/llvm-as", "-o", os.devnull, path])
    if status == 0 and not errors:
        return ""
    lines = [line for line in errors.splitlines() if not re.search(r"does not verify as correct|input module is broken", line)]
    # An old LLVM prints the function, whose type has blanks, before the complaint.
    lines = [line for line in lines if not re.match(r"void \(|ptr @|  |!\d|label %|i32 ", line)]
    first = re.sub(r"^(.*: error|warning): ", "", lines[0])
    return re.sub(r" \(\d+\) in .*", "", first)


def same_words(ours, theirs):
    """llvm.dbg.value and the like stand in for the records that dloc speaks of."""
    plain = re.sub(r"llvm\.dbg\.\w+ (intrinsic )?", "#dbg record ", theirs)
    plain = plain.replace("variable and !dbg attachment", "variable and DILocation")
    plain = plain.replace("one of 'language' or 'sourceLanguageName', required for !DICompileUnit", "required field 'language'")
    plain = plain.replace("#dbg record requires", "debug intrinsic requires").replace("#dbg record label", "#dbg_label label")
    return ours in (theirs, plain) or ours.replace("DILocalVariable, DILabel or DIImportedEntity", "DILocalVariable or DILabel") == theirs


def check(name, expected, found, theirs):
    """What is wrong with one case under one profile; theirs is None where llvm-as was not asked."""
    reason, message = found
    if reason != expected:
        return [f"{name}: expected {expected}, found {reason}"]
    if theirs is not None and not same_words(message, theirs):
        return [f"{name}: dloc says '{message}', llvm-as '{theirs}'"]
    return []


def check_all(cases, paths, profile):
    found = ask_dloc(profile, list(paths.values()))
    version = profile.removeprefix("llvm-")
    installed = version != profile and os.path.exists(f"/usr/lib/llvm-{version}/bin/llvm-as")
    asked = [name for name, _, hangs, _ in cases if installed and not hangs]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        theirs = dict(zip(asked, pool.map(lambda name: ask_llvm(version, paths[name]), asked)))
    for name, expected, _, _ in cases:
        ours = found.get(paths[name], ("ok", ""))
        yield from check(f"{profile}: {name}", expected[profile], ours, theirs.get(name))


def main():
    source, folder, *wanted = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    cases, common = read_cases(source)
    cases = [case for case in cases if not wanted or case[0] in wanted]
    paths = {}
    for name, _, _, lines in cases:
        paths[name] = os.path.join(folder, name + ".ll")
        with open(paths[name], "w") as file:
            file.write(module(lines, common))
    failures = [failure for profile in PROFILES for failure in check_all(cases, paths, profile)]
    print("\n".join(failures + [f"{len(cases)} cases, {len(failures)} failures"]))
    sys.exit(1 if failures or not cases else 0)


main()
