#!/usr/bin/env python3
"""usage: help.py DLOC VERSION DIRECTORY

Writes what `make install` installs beside the command, made from `dloc --help`, `dloc COMMAND --help` and the tables of names:

    man1/dloc.1, man1/dloc-COMMAND.1   manual pages
    dloc                               completion for bash
    _dloc                              completion for zsh
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
import tables  # beside this file

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    "DLOC_VECTORS": "The folder of the vectors, for commands that are given none. By default it is the folder vectors here, or the installed one.",
    "DLOC_PAGES": "The folder of the scripts that write reports and pages, when it is not beside the program.",
    "DLOC_LLVM": "What `--llvm` names by default in all commands: the folder of LLVM's tools, or of the LLVM under test; the drop-in replacements of clang, opt and llc start those.",
    "DLOC_COLOR": "What `--color` says, for all commands: always or never.",
    "NO_COLOR": "When it is set, diagnostics have no colours.",
}


@dataclass
class Option:
    name: str  # with its dashes
    argument: str
    help: str


@dataclass
class Command:
    name: str  # "merge", "gen lit"
    summary: str
    synopsis: list[str]
    about: str
    options: list[Option]
    examples: list[str]
    families: list["Command"] = field(default_factory=list)


# ---- Reading


def ask(program: str, *arguments: str) -> str:
    return subprocess.run([program, *arguments, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout


def read_rows(text: str) -> list[tuple[str, str]]:
    """The lines `  NAME  SUMMARY` of a help."""
    return re.findall(r"^  ([a-z][\w-]*) +(\S.*)$", text, re.M)


def read_command(program: str, name: str, summary: str) -> Command:
    text = ask(program, *name.split())
    head, _, rest = text.partition("\noptions:\n")
    options, _, examples = rest.partition("\nexample:\n")
    options = options.partition("\nprofiles:\n")[0]  # dloc.1 lists them
    usage, _, about = head.partition("\n\n")
    found = [Option(*match) for match in re.findall(r"^  (-[\w-]+)(?: (\S+))? +(.*)$", options, re.M)]
    if len(found) != len(options.splitlines()) or not about or not examples:
        sys.exit(f"help.py: cannot read the help of dloc {name}")
    command = Command(name, summary, re.sub(r"^(usage: | {7})", "", usage, flags=re.M).splitlines(), about.strip("\n"), found, examples.splitlines())
    if "FAMILY" in usage:
        command.families = [read_command(program, f"{name} {family}", told) for family, told in read_rows(about)]
    return command


@dataclass
class Names:
    """The argument of an option, by the option's name."""

    profile: list[str]
    choice: list[str]  # NAME=ALTERNATIVE
    clause: list[str]
    law: list[str]
    op: list[str]
    explained: list[str]  # whatever `dloc explain` tells of


def read_names() -> Names:
    spec = tables.read(ROOT / "SPEC.md")
    ops = re.findall(r"^OP\(\w+, ([\w-]+)", (ROOT / "conformance/ops/ops.def").read_text(), re.M)
    laws = re.findall(r'^LAW\(\w+, "([\w.-]+)"', (ROOT / "conformance/experiments/laws/laws.def").read_text(), re.M)
    alternatives = [f"{choice.name}={name}" for choice in spec.choices.values() for name in choice.alternatives]
    profiles, clauses = list(spec.profiles), list(spec.clauses)
    explained = [*clauses, *spec.choices, *alternatives, *spec.reasons, *laws, *profiles, *ops]
    return Names(profiles, alternatives, clauses, laws, ops, sorted(set(explained)))


def values_of(option: Option, names: Names) -> list[str] | None:
    """The words that may follow an option; none: whatever; None: a file."""
    known: list[str] | None = getattr(names, re.sub(r"^(vs|no)-", "", option.name.lstrip("-")), None)
    if known is not None and option.argument in ("NAME", "NAME=ALTERNATIVE", "OP", "ANCHOR"):
        return known
    if re.search(r"FILE|DIR|PATH|MODULE|\.json|PAGE|TABLE", option.argument):
        return None
    return [word for word in option.argument.split("|") if word.islower() or word.isdigit()]


# ---- Manual pages


def roff(text: str) -> str:
    """Text without markup, each line protected; what stands between backquotes is bold."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    text = re.sub(r"`([^`\n]*)`", r"\\fB\1\\fR", text).replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def example(lines: list[str]) -> str:
    body = "\n".join(roff(re.sub(r"^  ", "", line)) for line in lines)
    return f".EX\n{body}\n.EE\n"


def paragraphs(about: str) -> str:
    """Blocks of text; what is indented stays as it is."""
    made = []
    for block in about.split("\n\n"):
        for part in re.findall(r"(?:^  .*\n?)+|(?:^(?!  ).+\n?)+", block.strip("\n"), re.M):
            lines = part.rstrip("\n").splitlines()
            made.append(example(lines) if part.startswith("  ") else f".PP\n{roff(part.rstrip())}\n")
    return "".join(made).removeprefix(".PP\n")


def option_rows(options: list[Option]) -> str:
    rows = (f'.TP\n\\fB{roff(o.name)}\\fR{" " + italic(o.argument) if o.argument else ""}\n{roff(o.help)}\n' for o in options)
    return "".join(rows)


def italic(word: str) -> str:
    return f"\\fI{roff(word)}\\fR"


def synopsis_rows(lines: list[str]) -> str:
    bold = (re.sub(r"\b(dloc( [a-z-]+)*)", r"\\fB\1\\fR", roff(line), count=1) for line in lines)
    return ".SH SYNOPSIS\n" + "\n.br\n".join(bold) + "\n"


def head(page: str, date: str, version: str, summary: str) -> str:
    return f'.TH {page.upper()} 1 "{date}" "dloc {version}" "dloc"\n.SH NAME\n{roff(page)} \\- {roff(summary)}\n'


def command_page(command: Command, date: str, version: str) -> str:
    page = "dloc-" + command.name.replace(" ", "-")
    about, _, status = command.about.partition("Exit status: ")
    status, _, more = status.partition("\n\n")
    return (
        head(page, date, version, command.summary)
        + synopsis_rows(command.synopsis)
        + ".SH DESCRIPTION\n" + paragraphs(f"{about}\n\n{more}")
        + f".SH OPTIONS\n{option_rows(command.options)}"
        + (f".SH EXIT STATUS\n{roff(status.rstrip())}\n" if status else "")
        + f".SH EXAMPLES\nIn the repository of dloc:\n.PP\n{example(command.examples)}"
        + ".SH SEE ALSO\n.BR dloc (1)\n"
    )


def main_page(text: str, commands: list[Command], names: Names, date: str, version: str) -> str:
    usage, about, *_ = text.split("\n\n")
    status = re.search(r"^Exit status: (.*)", text, re.M)
    below = {name: f".SS {roff(heading)}\n" for heading, name in re.findall(r"^(\S.*):\n  ([\w-]+)", text, re.M)}
    rows = "".join(f"{below.get(c.name, '')}.TP\n.BR dloc\\-{roff(c.name)} (1)\n{roff(c.summary)}\n" for c in commands)
    variables = "".join(f".TP\n.B {name}\n{roff(told)}\n" for name, told in ENVIRONMENT.items())
    return (
        head("dloc", date, version, "executable model of multi-level debug locations in LLVM")
        + synopsis_rows([usage.removeprefix("usage: ")])
        + f".SH DESCRIPTION\n{roff(about)}\n"
        + f".SH COMMANDS\n{rows}"
        + f".SH PROFILES\nThe rules of \\fB\\-\\-profile\\fR are those of one of these:\n{roff(', '.join(names.profile))}.\n"
        + f".SH EXIT STATUS\n{roff(status[1] if status else '')}\n"
        + f".SH ENVIRONMENT\n{variables}"
    )


# ---- Completion. The rest is data; the functions that use it stand above.

BASH = r"""# Completion of dloc for bash, made by tools/make/help.py.

# The values of an option are words, or where there are none, files.
_dloc() {
    local line=${COMP_LINE:0:COMP_POINT} command='' word='' previous='' words options='' values='' operands=''
    read -ra words <<<"$line"
    [[ $line == *[[:blank:]] ]] && words+=('')
    word=${words[-1]} command=${words[1]-}
    COMPREPLY=()
    if ((${#words[@]} > 2)); then
        previous=${words[-2]}
        [[ $word == --*=* ]] && previous=${word%%=*} word=${word#*=}
        _dloc_command "$command" "${words[2]}"
        [[ $previous == -* ]] && _dloc_values "$command $previous"
        if [[ $values ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
        elif [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        elif [[ $operands ]] && [[ $previous != -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
        fi
    else
        _dloc_command '' ''
        mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
    fi
    # Readline takes what stands before an equals sign for another word.
    if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*=}"}"}")
    fi
}
complete -o default -F _dloc dloc

"""


def bash_case(subject: str, rows: dict[str, str]) -> str:
    merged: dict[str, list[str]] = {}
    for pattern, action in rows.items():
        merged.setdefault(action, []).append(pattern)
    body = "".join(f"    {' | '.join(patterns)}) {action} ;;\n" for action, patterns in merged.items())
    return f"    case {subject} in\n{body}    esac\n"


def every(commands: list[Command]) -> list[Command]:
    return [found for command in commands for found in (command, *command.families)]


def operands_of(command: Command, names: Names) -> list[str]:
    if command.families:
        return [family.name.split()[1] for family in command.families]
    return names.explained if command.name == "explain" else []


def bash(commands: list[Command], names: Names) -> str:
    plain = ["help", "version"]
    options = {f"'{c.name}'*" if " " in c.name else f"'{c.name} '*": c for c in sorted(every(commands), key=lambda c: -c.name.count(" "))}
    first = " ".join([*(c.name for c in commands), *plain, "--help", "--version"])
    taken = {f"'{c.name.split()[0]} {o.name}'": values_of(o, names) for c in every(commands) for o in c.options if o.argument}
    known = {name: f"values='{' '.join(words)}'" for name, words in taken.items() if words}
    rows = {"' '": f"operands='{first}'", "'help '*": f"operands='{' '.join(c.name for c in commands)}'"}
    for pattern, command in options.items():
        told = f"options='{' '.join(o.name for o in command.options)}'"
        rows[pattern] = told + (f" operands='{' '.join(words)}'" if (words := operands_of(command, names)) else "")
    return BASH + "_dloc_command() {\n" + bash_case('"$1 $2"', rows) + "}\n\n_dloc_values() {\n" + bash_case('"$1"', known) + "}\n"


ZSH = r"""#compdef dloc
# Completion of dloc for zsh, made by tools/make/help.py.

%s
_dloc() {
    local -a commands families
    local command
    commands=(
%s
    )
    if ((CURRENT == 2)); then
        _describe -t commands command commands
        return
    fi
    shift words
    ((CURRENT--))
    command=$words[1]
%s}

_dloc "$@"
"""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_action(words: list[str] | None, names: Names) -> str:
    """The completion of one of these words: a table has a function."""
    table = [f"_dloc_{table}" for table, known in vars(names).items() if known is words]
    return table[0] if table else "_files" if words is None else f"({' '.join(words)})" if words else " "


def zsh_option(option: Option, names: Names) -> str:
    told = re.sub(r"([\[\]:\\])", r"\\\1", option.help)
    many = "*" if "may be repeated" in option.help else ""
    if not option.argument:
        return quoted(f"{many}{option.name}[{told}]")
    words = values_of(option, names)
    action = zsh_action(words, names)
    sign = "=" if option.name.startswith("--") else "+"
    return quoted(f"{many}{option.name}{sign}[{told}]:{option.argument.replace(':', ' ')}:{action}")


def zsh_arguments(command: Command, names: Names) -> str:
    words = operands_of(command, names)
    operands = f"'*:name:{zsh_action(words or None, names)}'"
    return " \\\n            ".join(["_arguments", *(zsh_option(o, names) for o in command.options), operands])


def zsh_families(command: Command, names: Names) -> str:
    rows = " ".join(quoted(f"{c.name.split()[1]}:{c.summary}") for c in command.families)
    cases = "".join(f"        {c.name.split()[1]}) {zsh_arguments(c, names)} ;;\n" for c in command.families)
    return f"""if ((CURRENT == 2)); then
            families=({rows})
            _describe -t families family families
            return
        fi
        shift words
        ((CURRENT--))
        case $words[1] in
{cases}        esac"""


def zsh(commands: list[Command], names: Names) -> str:
    described = [quoted(f"{c.name}:{c.summary}") for c in commands] + ["'help:tell about a command'", "'version:print the version'"]
    cases = ["    help) _describe -t commands command commands ;;\n"]
    for command in commands:
        body = zsh_families(command, names) if command.families else zsh_arguments(command, names)
        cases.append(f"    {command.name}) {body} ;;\n")
    functions = "".join(f"_dloc_{table}() {{ compadd -- {' '.join(words)} }}\n" for table, words in vars(names).items())
    return ZSH % (functions, "\n".join(f"        {row}" for row in described), "    case $command in\n" + "".join(cases) + "    esac\n")


def main(program: str, version: str, directory: str) -> None:
    folder = Path(directory)
    (folder / "man1").mkdir(parents=True, exist_ok=True)
    text, names = ask(program), read_names()
    commands = [read_command(program, name, summary) for name, summary in read_rows(text)]
    date = re.findall(r"^## \d.*, (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[0]  # of the last release
    for command in every(commands):
        (folder / f"man1/dloc-{command.name.replace(' ', '-')}.1").write_text(command_page(command, date, version))
    (folder / "man1/dloc.1").write_text(main_page(text, commands, names, date, version))
    (folder / "dloc").write_text(bash(commands, names))
    (folder / "_dloc").write_text(zsh(commands, names))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
