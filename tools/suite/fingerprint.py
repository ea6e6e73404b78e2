"""usage: fingerprint.py text|witnesses|json

Writes what `dloc run --fingerprint` found: from the lines of stdin, one for each implementation, to stdout. The text is
a table; of one implementation it shows the vectors that told each alternative, of several `witnesses` shows them below.
"""

import json
import sys
from typing import Any
from shown import show_output


def padded(cells: list[str], widths: list[int]) -> str:
    """Nothing is padded behind which nothing stands."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip() + "\n"


def write_table(columns: list[dict[str, Any]], choices: list[str]) -> None:
    names = [f"{column['implementation']} {column['version']}" for column in columns]
    rows = [[choice, *(column[choice]["told"] for column in columns)] for choice in choices]
    widths = [max(len(row[0]) for row in rows)]
    widths += [max(len(name), *(len(row[i]) for row in rows)) for i, name in enumerate(names, 1)]
    alone = len(columns) == 1
    sys.stdout.write(padded(["choice", *names, *["witness"] * alone], [*widths, 0]) + "\n")
    family = choices[0].partition(".")[0]
    for row in rows:
        if row[0].partition(".")[0] != family:
            family = row[0].partition(".")[0]
            print()
        sys.stdout.write(padded([*row, *[", ".join(columns[0][row[0]]["witnesses"])] * alone], [*widths, 0]))


def write_witnesses(columns: list[dict[str, Any]], choices: list[str]) -> None:
    for choice in choices:
        told = [column for column in columns if column[choice]["witnesses"]]
        if told:
            print(f"\n{choice}")
        for column in told:
            found = column[choice]
            name = f"{column['implementation']} {column['version']}"
            print(f"  {name}: {found['told']}: {', '.join(found['witnesses'])}")


def write_json(columns: list[dict[str, Any]], choices: list[str]) -> None:
    print('{"fingerprints": [')
    for number, column in enumerate(columns, 1):
        head = {key: column[key] for key in ("implementation", "version")}
        print(f'  {json.dumps(head)[:-1]}, "choices": {{')
        found = []
        for choice in choices:
            finding = {key: column[choice][key] for key in ("follows", "alternatives", "witnesses")}
            finding["alternatives"] = [name for name in finding["alternatives"].split("|") if name]
            found.append(f"      {json.dumps(choice)}: {json.dumps(finding)}")
        print(",\n".join(found))
        print("    }}" + "," * (number < len(columns)))
    print("]}")


def main() -> None:
    show_output()
    columns = [json.loads(line) for line in sys.stdin.buffer]
    choices = [name for name in columns[0] if name not in ("implementation", "version")]
    if sys.argv[1] == "json":
        write_json(columns, choices)
        return
    write_table(columns, choices)
    if sys.argv[1] == "witnesses" and len(columns) > 1:
        write_witnesses(columns, choices)


main()
