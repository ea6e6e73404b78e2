"""`dloc report`: what runs found; as text, JUnit, TAP, a badge or one page, and against earlier runs."""

from badge import badge
from changes import tell_changes
from junit import junit
from program import FINE, VIOLATION, Command, fail, run, standard_vectors
from run_file import read_run
from runs import NEWLY_FAILING, Run, read_sections
from shown import ACTING
from tap import tap
from text import tell_run


def check_options(command: Command) -> None:
    options = command.options
    if len(options.before) > len(command.operands):
        fail("more --before than runs: the first one is the earlier run of the first RUN.json, and so on")
    if (options.tap or options.badge) and len(command.operands) > 1:
        fail("--tap and --badge take one run")
    if options.vectors and not options.html:
        fail("--vectors is for --html")
    if (options.cost or options.spec or options.playground) and not options.html:
        fail("--cost, --spec and --playground are for --html")


def write_page(command: Command, runs: list[Run]) -> None:
    from report_page import make_page  # which needs more than Python

    options = command.options
    folders = options.vectors or [standard_vectors()]
    vectors = command.told_json("report", "--facts", "--", *folders)
    addresses = {"cost": options.cost or "", "spec": options.spec or "", "playground": options.playground or ""}
    command.write(options.html, make_page(runs, dict(read_sections(command.told("spec", "--facts"))), vectors, folders, addresses))


def write_text(command: Command, path: str, text: str) -> None:
    command.write(path, text.translate(ACTING).encode())


def write_files(command: Command, runs: list[Run]) -> None:
    options = command.options
    if options.html:
        write_page(command, runs)
    if options.junit:
        write_text(command, options.junit, junit(runs))
    if options.tap:
        write_text(command, options.tap, tap(runs[0]))
    if options.badge:
        write_text(command, options.badge, badge(runs[0]))


def tell(command: Command, runs: list[Run]) -> None:
    clauses = dict(read_sections(command.told("spec", "--facts")))["clauses"]
    for number, told in enumerate(runs):
        if number:
            print()
        if told.earlier:
            tell_changes(told, told.earlier)
        else:
            tell_run(told, clauses, command.options.most)


def is_bad(of: Run) -> bool:
    return any(kind == NEWLY_FAILING for kind, _ in of.changes) if of.earlier else not of.totals["good"]


def main(command: Command) -> int:
    check_options(command)
    runs = [read_run(path) for path in command.operands]
    earlier = [read_run(path) for path in command.options.before]
    for now, before in zip(runs, earlier):
        now.compare_with(before)
    write_files(command, runs)
    if not command.options.quiet:
        tell(command, runs)
    return VIOLATION if any(map(is_bad, runs)) else FINE


run(main)
