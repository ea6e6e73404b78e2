"""usage: text.py

What `dloc run` and `dloc report` tell people of a run. As a script it prints that of `dloc run`, from the lines of stdin (README.md).
"""

import collections
import itertools
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

from difference import difference, shortened
from runs import MARKS, Run, count_marks, read_input
from shown import show_output

WIDTH = 120
COLUMNS = (11, 9, 7, 7, 10)  # of the table of clauses: one for each mark
MOST_CLAUSES, MOST_REASONS = 12, 16
MOST_LINES, MOST_ERRORS = 40, 10  # of an input, and of stderr
LEVELS = ("must", "should", "may")  # that are held to the profile

# LLVM writes such lines to stderr at any crash (conformance/run/process.c): advice, frames of its handler, frames without a name.
BOILERPLATE = re.compile(r"PLEASE submit a bug report|Stack dump| llvm::sys::|SignalHandler|#.* 0x[0-9a-f]* \(")


def plural(count: int, words: str = "|s") -> str:
    """The first word of one, the second of any other number."""
    return words.split("|")[count != 1]


def tell_counts(texts: Iterable[str], indent: str) -> None:
    """Each text with how often it was met, in the order met."""
    for text, count in itertools.islice(collections.Counter(texts).items(), MOST_REASONS):
        print(f"{indent}{count}: {text}")


# ---- What it follows


def deviates(finding: dict[str, str]) -> bool:
    """Whether the answers follow another alternative than the profile takes."""
    return "profile" in finding and finding["profile"] not in finding["alternatives"].split("|")


def follows(run: Run) -> Iterator[str]:
    """The choices where the answers agree with another alternative than the profile's, which stands in brackets; last those
    of which some answers follow one and some another, unless a difference explains that: that of the last witness."""
    different = {result.id for result in run.all if result.verdict == "different"}
    for mixed in (False, True):
        for finding in run.findings.values():
            explained = mixed and different.intersection(finding["witnesses"][-1:])
            if deviates(finding) and (finding["follows"] == "mixed") == mixed and not explained:
                yield f"{finding['choice']}={finding['alternatives']} ({finding['profile']})"


def tell_findings(run: Run) -> None:
    line = "  it follows, against the profile:"
    found = list(follows(run))
    for number, words in enumerate(found):
        if number and len(line) + 1 + len(words) > WIDTH:
            print(line)
            line = "   "
        line += f" {words}"
    if found:
        print(line)
    if others := sum(not deviates(finding) for finding in run.findings.values()):
        print(f"  it follows the profile in {others} choice{plural(others)} (--fingerprint lists them)")


def tell_crashes(run: Run) -> None:
    """They come first: most other differences may be due to them."""
    words = [result.actual.removeprefix("crash: ") for result in run.all if result.outcome == "crash" and result.verdict == "different" and result.actual]
    if not words:
        return
    print("it crashed:")
    tell_counts(words, "  ")
    if run.totals["restarts"]:
        print("  (`dloc smoke` with its command names the rule of the protocol that it breaks)")
    print()


# ---- The results that differ: by clause, then one by one


class Differences:
    def __init__(self, run: Run, clauses: dict[str, dict[str, str]], most: int):
        self.run, self.clauses, self.most = run, clauses, most
        self.all = [result for result in run.all if result.verdict == "different"]
        ops = {result.op for result in self.all}
        # May come of the same fault as what differs of the op through which it was observed.
        self.folded = [result for result in self.all if result.through in ops]
        self.alone = [result for result in self.all if result.through not in ops]

    def tell(self) -> None:
        if not self.all:
            return
        self.tell_clauses()
        print("differences by level: " + ", ".join(f"{level} {sum(result.level == level for result in self.all)}" for level in LEVELS))
        for result in self.alone[: self.most]:
            self.tell_one(result)
        if len(self.alone) > self.most:
            print(f"\n  ... and {len(self.alone) - self.most} more")
        self.tell_folded()
        print()

    def tell_clauses(self) -> None:
        """"30 different in 7 clauses: emit.repeat 13 of 13, equal.levels 7 of 10 *": the cause is mostly in the first ones."""
        judged = collections.Counter(result.clauses[0] for result in self.run.all if result.verdict != "not-judged")
        different = collections.Counter(result.clauses[0] for result in self.all)
        alone = {result.clauses[0] for result in self.alone}
        names = sorted(different, key=lambda name: (name not in alone, -different[name], name))
        told = [f"{name} {different[name]} of {judged[name]}{'' if name in alone else ' *'}" for name in names[:MOST_CLAUSES]]
        if len(names) > MOST_CLAUSES:
            told.append(f"and {len(names) - MOST_CLAUSES} more")
        print(f"{len(self.all)} different in {len(names)} clause{plural(len(names))}: {', '.join(told)}")
        if len(alone) < len(names):
            print("  * observed through another operation, which differs, too: perhaps one fault")

    def tell_folded(self) -> None:
        if self.folded[: self.most]:
            print("\nobserved through another operation, which differs, too; perhaps one fault:")
        for result in self.folded[: self.most]:
            print(f"  {place_of(result)} ({result.op}, through {result.through})")
        if len(self.folded) > self.most:
            print(f"  ... and {len(self.folded) - self.most} more")

    def tell_one(self, result: SimpleNamespace) -> None:
        note = "" if result.note is None else f": {result.note}"
        by_model = "  (expected by the model)" if result.basis == "model" else ""
        print(f"\n{place_of(result)} ({result.clauses[0]}; {result.level}){note}{by_model}")
        self.tell_clause(result)
        if result.listed is not None:
            print(f"    expected to fail with: {result.listed}; it is: {result.answer}")
        tell_answers(result)
        if (result.errors or "").count("\n") > 1:
            tell_block("stderr", result.errors, MOST_ERRORS)
        if result.module is not None:
            tell_block("input", result.module, MOST_LINES)
        self.tell_reproduction(result)

    def tell_clause(self, result: SimpleNamespace) -> None:
        """The purpose of the vector, and where to look in LLVM. A record may name a clause that this dloc does not know."""
        clause = self.clauses.get(result.clauses[0])
        hidden = self.run.head["implementation"].startswith("dloc hide")
        if clause:
            print(f"    {clause['clause']} ({result.level}, {clause['origin']}): {clause['statement']}")
            where = ", which sees no layers (dloc hide carries them: spec/hidden.md, 17.3)" if hidden else ""
            print(f"    in LLVM{where}: {clause['place']}")

    def tell_reproduction(self, result: SimpleNamespace) -> None:
        if result.asked is not None:
            through = "" if result.through is None else f", as the operation {result.through}"
            print(f"    observed with: {result.asked}{through}")
        if "command" in self.run.head:
            path = f" {shlex.quote(result.path)}" if result.path is not None else ""
            print(f"    reproduce: {self.run.head['command']} --only {result.id} --keep kept{path}")


def place_of(result: SimpleNamespace) -> str:
    line = f":{result.line}" if result.line else ""
    return ("" if result.path is None else f"{result.path}{line}: ") + f"{result.id}"


def tell_block(label: str, text: str | None, most: int) -> None:
    """Several lines, each indented, of stderr without what LLVM writes at any crash; dots stand for the rest."""
    whole = "(not kept)" if text is None else text
    lines = whole.removesuffix("\n").split("\n") if whole else []
    before = " " if len(lines) == 1 else "\n      "
    shown = [line for line in lines if label != "stderr" or not BOILERPLATE.search(line)]
    rest = ["..."] if len(shown) > most else []
    print(f"    {label}:" + "".join(before + line for line in shown[:most] + rest))


def tell_answers(result: SimpleNamespace) -> None:
    """The lines that differ if both are graphs, otherwise both."""
    first, second = ("first", "second") if result.outcome == "nondet" else ("expected", "actual")
    if "\n" in (result.expected or "") and "\n" in (result.actual or ""):
        print(f"    - {first}, + {second}:")
        for line in shortened(list(difference(result.expected, result.actual))):
            print(f"    {line[0]} {line[1:]}")
        return
    tell_block(first, result.expected, sys.maxsize)
    tell_block(second, result.actual, sys.maxsize)


# ---- All of them


def tell_families(run: Run) -> None:
    families: dict[str, list[SimpleNamespace]] = {}
    for result in run.all:
        families.setdefault(result.clauses[0].split(".")[0], []).append(result)
    if families:
        print(f"  {'clauses':12} as expected different   known skipped not judged")
    for name, results in families.items():
        counts = dict(count_marks(results))
        print(f"  {name:12}" + "".join(f" {counts.get(mark, 0):{width}}" for mark, width in zip(MARKS.values(), COLUMNS)))


def tell_outcomes(run: Run) -> None:
    print("  outcomes: " + (", ".join(f"{count} {name}" for name, count in run.totals["outcomes"].items() if count) or "none"))


def tell_reasons(run: Run, outcome: str) -> None:
    """Why vectors have that outcome, each reason once."""
    tell_counts((result.actual or "no reason given" for result in run.all if result.outcome == outcome), "    ")


def tell_sentences(run: Run) -> None:
    """They stand for many vectors at once."""
    totals = run.totals
    lost = sum(result.verdict == "layers-lost" for result in run.all)
    every = lost + totals["layers-lost-as-expected"]
    if every:
        name = "{implementation} {version}".format(**run.head)
        expects = "" if lost else " The profile expects that."
        print(
            f"  {name} does not know tuples with layers: given the {every} vector{plural(every)} that {plural(every, 'needs|need')} them, it dropped "
            f"all debug info of the module.{expects}"
        )
    if skipped := totals["skipped"]:
        print(f"  {skipped} vector{plural(skipped, ' was|s were')} skipped: what they need cannot be asked of this implementation, or cannot be observed.")
    tell_reasons(run, "skipped")
    if by_model := totals["by-model"]:
        print(f"  nobody derived what holds for {by_model} vector{plural(by_model)} under the profile: only the model says it.")
    if others := totals["not-applicable"]:
        print(f"  {others} vector{plural(others, ' does|s do')} not apply to the profile.")
    if open_ones := sum(result.mark.kind == "not-judged" and result.expected is not None for result in run.all):
        verb = plural(open_ones, " differs|s differ")
        print(f"  {open_ones} answer{verb} in vectors of level record or undefined, which nothing is held to.")
    if unasked := totals["outcomes"]["not-asked"]:
        print(f"  {unasked} vector{plural(unasked, ' was|s were')} not asked.")
    tell_reasons(run, "not-asked")
    if restarts := totals["restarts"]:
        print(f"  the implementation was started again {restarts} time{plural(restarts)}.")


def tell_limits(run: Run) -> None:
    """A run without differences may be taken for more than it is: the adapter asks for the directives of one target."""
    directives = any(result.op == "emit" and result.verdict == "as-expected" for result in run.all)
    if directives and run.totals["good"] and run.head["implementation"].startswith("LLVM"):
        print("  line directives are those of NVPTX: no other target was asked.")


def tell_known(run: Run) -> None:
    """Why vectors are known to fail, each reason once."""
    if known := run.totals["known"]:
        print(f"  {known} vector{plural(known, ' is|s are')} known to fail:")
    tell_counts((result.known for result in run.all if result.known is not None), "    ")


def tell_faults(run: Run) -> None:
    for fault in run.faults:
        print(f"  fault: {fault}")
    if run.fault_count > len(run.faults):
        print(f"  fault: ... and {run.fault_count - len(run.faults)} more")
    for entry in run.totals["stale"]:
        what = "does not fail" if entry["seen"] else "was not run"
        print(f"  stale: line {entry['line']} of the list of expected failures: {entry['id']} {what}")


def tell_verdict(run: Run, seconds: float) -> None:
    count = len(run.all)
    counts = {
        "known to fail": run.totals["known"],
        "not asked": run.totals["outcomes"]["not-asked"],
        "stale": len(run.totals["stale"]),
        f"fault{plural(run.fault_count)} of the adapter": run.fault_count,
        "unreadable": run.totals["unreadable"],
    }
    how = "a PARTIAL run" if run.partial else "all as expected" if run.totals["good"] else "NOT as expected"
    more = "".join(f", {number} {words}" for words, number in counts.items() if number)
    time = f"; {seconds:.2f} s" if seconds >= 0 else ""
    speed = f", {count / seconds:.0f} vectors/s, most of them run twice" if seconds > 0 and count >= 1000 else ""
    print(f"\n{how}: {count} vectors, {run.totals['different']} different{more}{time}{speed}")


def tell_run(run: Run, clauses: list[dict[str, str]], most: int, seconds: float = -1) -> None:
    """So many differences in full. The time is told unless it is negative."""
    if "doubt" in run.head:
        print(f"ERROR: {run.head['doubt']}")
    print(run.name)
    if "remark" in run.head:
        print(f"  {run.head['remark']}")
    tell_findings(run)
    print()
    tell_crashes(run)
    Differences(run, {line["clause"]: line for line in clauses}, most).tell()
    tell_families(run)
    print()
    tell_outcomes(run)
    tell_sentences(run)
    tell_limits(run)
    tell_known(run)
    tell_faults(run)
    tell_verdict(run, seconds)


def main() -> None:
    show_output()
    sections, run = read_input(sys.stdin.buffer)
    [options] = sections["text"]
    tell_run(run, sections["clauses"], options["most"], options["seconds"])


if __name__ == "__main__":
    main()
