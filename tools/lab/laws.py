"""`dloc laws`: what becomes of the laws. `dloc laws --facts` tries them.

`--each-mutant`: can each law that holds fail? Some mistake of the model must break it. Each mistake is tried in a process of
its own: it may crash, loop or eat memory.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from program import FINE, VIOLATION, Command, fail, run
from runs import read_sections

# Of one process: seconds of processor time, and KiB.
LIMITED = ["sh", "-c", 'ulimit -c 0; ulimit -t 20; ulimit -d 1048576; exec "$@"', "sh"]

Facts = dict[str, Any]  # a line of `dloc laws --facts`
COUNTS = ("--facts", "--json")  # questions and witnesses are empty


def same_options(command: Command) -> list[str]:
    return [word for word in command.words if word not in ("--each-mutant", "--all-profiles", "--repairs")]


@dataclass
class Law:
    name: str
    clauses: list[str]
    tried: int = 0  # inputs, by the model as it is
    broken: int = 0
    breakers: list[dict[str, Any]] = field(default_factory=list)  # mutants

    @property
    def without(self) -> str | None:
        """Why there is nothing to break."""
        return "broken without any" if self.broken else None if self.tried else "NO INPUT"

    @property
    def can_fail(self) -> bool:
        return bool(self.breakers or self.broken)

    def relation(self, mutant: dict[str, Any]) -> int:
        """2: the mutant is of a clause that the law comes from; 1: of its family."""
        family = mutant["clause"].split(".")[0] + "."
        return 2 if mutant["clause"] in self.clauses else int(any(name.startswith(family) for name in self.clauses))

    def row(self) -> str:
        count = len(self.breakers) or "-"
        told = max(self.breakers, key=self.relation)["mutant"] if self.breakers else self.without or "NO MUTANT BREAKS IT"
        return f"{self.name:28} {count:>7}  {told}\n"


def try_laws(command: Command, laws: list[Law], scope: int, *more: str) -> subprocess.CompletedProcess[bytes]:
    names = [word for law in laws for word in ("--only", law.name)]
    words = [*same_options(command), "--scope", str(scope), *names, *COUNTS, *more]
    return subprocess.run([*LIMITED, command.program, "laws", *words], stdout=subprocess.PIPE, check=False)


def results_of(tried: subprocess.CompletedProcess[bytes]) -> dict[str, dict[str, Any]]:
    """By law. A mutant that crashes, or refuses what is valid, tells nothing of a law."""
    return {} if tried.returncode else {result["law"]: result for result in json.loads(tried.stdout)["laws"]}


def find_breakers(command: Command, laws: list[Law], scope: int, mutants: list[dict[str, Any]]) -> None:
    """At the first scope all of them; at a larger one, which takes its time, one for each law is enough: likely ones first."""
    if scope > 1:
        mutants = sorted(mutants, key=lambda mutant: -max((law.relation(mutant) for law in laws), default=0))

    def broken_by(mutant: dict[str, Any]) -> list[Law]:
        left = [law for law in laws if scope == 1 or not law.breakers]
        results = results_of(try_laws(command, left, scope, "--mutant", mutant["mutant"])) if left else {}
        return [law for law in left if results.get(law.name, {}).get("broken")]

    with ThreadPoolExecutor(command.options.jobs) as crew:
        for mutant, broken in zip(mutants, crew.map(broken_by, mutants) if scope == 1 else map(broken_by, mutants)):
            for law in broken:
                law.breakers.append(mutant)


def widen(command: Command, laws: list[Law], scope: int, mutants: list[dict[str, Any]]) -> None:
    tried = try_laws(command, laws, scope)
    if tried.returncode != FINE:
        sys.exit(tried.returncode)
    for law in laws:
        result = results_of(tried)[law.name]
        law.tried, law.broken = result["tried"], result["broken"]
    find_breakers(command, [law for law in laws if not law.without], scope, mutants)


def try_mutants(command: Command) -> int:
    tables = dict(read_sections(command.told("spec", "--facts")))
    chosen = command.options.only
    laws = [Law(line["law"], line["clauses"]) for line in tables["laws"] if not chosen or line["law"] in chosen]
    mutants = tables["mutants"]
    for scope in range(1, command.options.scope + 1):
        left = [law for law in laws if scope == 1 or not law.breakers and not law.broken]
        if left:
            widen(command, left, scope, mutants)
    sys.stdout.write(f"{'law':28} {'mutants':>7}  such as\n" + "".join(law.row() for law in laws))
    return FINE if all(law.can_fail for law in laws) else VIOLATION


# ---- One profile


def told_name(facts: Facts) -> str:
    return f"{facts['profile']}{' (changed)' * facts['changed']}"


def deviations(facts: Facts) -> list[str]:
    """A shard may well have no input that breaks a broken law, nor those that an implementation tells about."""
    texts = {True: "is broken and was expected to hold", False: "holds and was expected to be broken"}
    return [
        f"{told_name(facts)}: {law['law']} {texts[bool(law['broken'])]}\n"
        for law in facts["laws"]
        if bool(law["broken"]) != ("known" in law) and (law["broken"] or facts["shards"] == 1 and "untold" not in law)
    ]


def as_json(facts: Facts) -> bytes:
    public = {key: facts[key] for key in ("profile", "scope", "shard", "shards")}
    laws = [{key: part for key, part in law.items() if key not in ("questions", "witness")} for law in facts["laws"]]
    return json.dumps(public | {"laws": laws}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def tell_law(law: dict[str, Any]) -> str:
    head = f"{law['law']:28} {law['tried']:>10}  "
    if not law["broken"]:
        return head + ("holds\n" if law["tried"] else "left out\n" if "untold" in law else "-\n")
    known = f": {law['known']}" if "known" in law else ""
    return f"{head}BROKEN by {law['broken']}{known}\n    {law['statement']}\n{law['questions']}"


def tell_left_out(laws: list[dict[str, Any]]) -> str:
    left = [law for law in laws if "untold" in law]
    count, inputs = sum(not law["tried"] for law in left), sum(law["untold"] for law in left if law["tried"])
    return f"\nleft out: {count} law{'s' if count != 1 else ''}" + (f", and of others {inputs} inputs\n" if inputs else "\n")


def tell(options: SimpleNamespace, facts: Facts) -> str:
    who = "{implementation} {version}, profile ".format(**facts) if options.impl else ""
    by = f", by the mutant {options.mutant}" if options.mutant else ""
    head = f"{who}{told_name(facts)}, inputs up to size {facts['size']}{by}\n\n{'law':28} {'inputs':>10}\n"
    return head + "".join(map(tell_law, facts["laws"])) + (tell_left_out(facts["laws"]) if options.impl else "")


def try_one(command: Command) -> int:
    options = command.options
    [facts] = command.told_json("laws", "--facts", *command.words)
    if options.json:
        command.write(options.o or "-", as_json(facts))
    if options.witnesses:
        sys.stdout.write("---\n".join(law["witness"] for law in facts["laws"] if law.get("witness")))
    if options.witnesses or (options.json and options.o in (None, "-")):
        return FINE
    wrong = deviations(facts)
    sys.stdout.writelines([tell(options, facts), *wrong])
    return VIOLATION if wrong else FINE


# ---- Every profile


def try_profiles(command: Command) -> int:
    choices = dict(read_sections(command.told("spec", "--facts")))["choices"]
    columns, to = [], (command.options.o or "-") if command.options.json else None
    for profile in choices[0]["profiles"]:
        columns += command.told_json("laws", *same_options(command), "--profile", profile, *COUNTS)
    if to:
        command.write(to, b"".join(map(as_json, columns)))
    if to == "-":
        return FINE
    rows = [["law", *(column["profile"] for column in columns)]]
    for laws in zip(*(column["laws"] for column in columns)):
        rows.append([laws[0]["law"], *(law["broken"] or ("holds" if law["tried"] else "-") for law in laws)])
    wrong = [text for column in columns for text in deviations(column)]
    sys.stdout.writelines(f"{name:28}" + "".join(f" {cell:>11}" for cell in cells) + "\n" for name, *cells in rows)
    sys.stdout.writelines(wrong)
    return VIOLATION if wrong else FINE


# ---- Every change of a choice


def try_repairs(command: Command) -> int:
    choices = dict(read_sections(command.told("spec", "--facts")))["choices"]

    def results(*change: str) -> Facts:
        return command.told_json("laws", *same_options(command), *change, *COUNTS)[0]

    first = results()
    if command.options.json:
        command.write(command.options.o or "-", as_json(first))
    for choice, alternative in ((choice, alternative) for choice in choices for alternative in choice["alternatives"]):
        change = f"{choice['choice']}={alternative}"
        changed = any(f"{choice['choice']}=" in word for word in command.words)
        if alternative == choice["profiles"][command.options.profile or "rfc"] and not changed:
            continue
        for before, after in zip(first["laws"], results("--choice", change)["laws"]):
            if bool(before["broken"]) != bool(after["broken"]):
                print(f"--choice {change} {'breaks' if after['broken'] else 'repairs'} {after['law']}")
    return FINE


def print_list(command: Command) -> int:
    for line in dict(read_sections(command.told("spec", "--facts")))["laws"]:
        print(line["law"], " ".join(line["clauses"]), line["statement"], sep="\t")
    return FINE


def check_options(options: SimpleNamespace) -> None:
    if options.impl and (options.all_profiles or options.repairs or options.each_mutant or options.mutant or options.list):
        fail("--impl takes none of --all-profiles, --list, --mutant, --each-mutant and --repairs")
    if options.all_profiles and (options.witnesses or options.repairs):
        fail(f"{'--witnesses' if options.witnesses else '--repairs'} is for one profile")
    if options.each_mutant and (options.all_profiles or options.repairs or options.mutant or options.json or options.witnesses):
        fail("--each-mutant takes none of --all-profiles, --json, --mutant, --repairs and --witnesses")
    if options.mutant and (options.all_profiles or options.repairs):
        fail("--mutant takes none of --all-profiles and --repairs")


def main(command: Command) -> int:
    options = command.options
    options.all_profiles, options.each_mutant = vars(options)["all-profiles"], vars(options)["each-mutant"]
    check_options(options)
    modes = (
        (options.list, print_list),
        (options.each_mutant, try_mutants),
        (options.all_profiles, try_profiles),
        (options.repairs and not options.witnesses, try_repairs),
    )
    return next((mode for is_asked, mode in modes if is_asked), try_one)(command)


run(main)
