"""`dloc browse` of a file in PTX: an instruction is at its line, the source is what `.loc` says, layers what `.loc_intermediate` says."""

import csv
import os
import re
from collections import Counter
from typing import Any

from program import Command, diagnose, read_file

Frame = dict[str, Any]

INLINED = re.compile(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)")
COMMENT = re.compile(r" @\[ (.*?):(\d+)(?::(\d+))?(?= @\[| \])")


def is_ptx(path: str) -> bool:
    """By its name, as a page is made of a file that has one."""
    return path.endswith(".ptx")


class Ptx:
    """What `dloc emit --json` says of the file. A layer holds as long as its `.loc`."""

    def __init__(self, command: Command) -> None:
        path = command.operands[0]
        items = command.told_json("emit", "--json", path)
        self.lines = read_file(path).split("\n")
        self.code: list[tuple[str, list[tuple[int, str]]]] = []  # functions: name, instructions by line
        self.known: dict[int, tuple[list[Frame], list[dict[str, Any]]]] = {}
        self.files = {item["number"]: item.get("text", "") for item in items if item["item"] == "file"}
        self.by_name = {os.path.basename(name): name for name in self.files.values()}
        self.kinds: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.read_texts(items)
        self.read_code(items)

    def read_texts(self, items: list[dict[str, Any]]) -> None:
        kind, number = "", 0
        for item in items:
            if item["item"] == "ir_name":
                kind = item.get("text", "")
            elif item["item"] == "source_file":
                number = item["number"]
            elif item["item"] == "source":
                self.kinds[number] = kind
                self.texts[self.files.get(number, "")] = item.get("text", "")

    def read_code(self, items: list[dict[str, Any]]) -> None:
        frames: list[Frame] = []
        layers: list[dict[str, Any]] = []
        callers: dict[tuple[int, ...], list[Frame]] = {}  # of the function: a `.loc` and the frames that it had last
        name = ""
        for item in items:
            at = item["at"]
            if item["item"] == "function":
                name, frames, layers, callers = item.get("text", ""), [], [], {}
                self.code.append((name, []))
            elif item["item"] == "loc":
                frames, layers = self.frames(name, item, callers), []
            elif item["item"] == "loc_intermediate":
                file = item["number"]
                kind = self.kinds.get(file, "intermediate")
                layers = [*layers, {"kind": kind, "file": self.files.get(file, "?"), "line": item["line"], "column": item["column"]}]
            elif item["item"] == "instruction":
                code = self.code[-1][1]
                if not code or code[-1][0] != at:  # one of several in a line stands for them
                    code.append((at, " ".join(self.lines[at - 1].split("//")[0].split())))
                self.known[at] = (frames, [layer for layer in layers if layer["line"]])

    def frames(self, function: str, item: dict[str, Any], callers: dict[tuple[int, ...], list[Frame]]) -> list[Frame]:
        """Of a `.loc`, innermost first. Who called stands behind `inlined_at`, or in the comment of LLVM, which has names without folders."""
        key = (item["number"], item["line"], item["column"])
        frame = {"file": self.files.get(item["number"], "?"), "line": item["line"], "column": item["column"]}
        text = self.lines[item["at"] - 1]
        match = INLINED.search(text)
        if match:
            caller = (int(match[1]), int(match[2]), int(match[3]))
            place = {"file": self.files.get(caller[0], "?"), "line": caller[1], "column": caller[2], "function": function}
            rest = callers.get(caller, [place])
        else:
            found = COMMENT.findall(text)
            rest = [{"file": self.by_name.get(name, name), "line": int(line), "column": int(column or 0)} for name, line, column in found]
        frames = [frame, *rest]
        frames[-1]["function"] = function
        callers[key] = frames
        return frames

    def answers(self, addresses: list[int]) -> dict[int, tuple[list[Frame], list[dict[str, Any]]]]:
        return {address: self.known[address] for address in addresses}


def read_rows(path: str) -> tuple[Counter[int], bool]:
    """Samples by line of PTX, as CSV: LINE,SAMPLES; and whether a row is wrong. A first row may name the columns: `line` or `#`, and one with `samples` in its name."""
    counts: Counter[int] = Counter()
    columns, wrong = (0, 1), False
    lines = read_file(path).splitlines()
    for number, row in enumerate(csv.reader(lines), 1):
        cells = [cell.strip() for cell in row]
        names = [cell.lower() for cell in cells]
        if number == 1 and any("sample" in name for name in names):
            line = next((i for i, name in enumerate(names) if name in ("#", "line")), 0)
            columns = line, next(i for i, name in enumerate(names) if "sample" in name)
        elif len(cells) > max(columns) and all(re.fullmatch(r"[0-9]{1,15}", cells[i]) for i in columns):
            counts[int(cells[columns[0]])] += int(cells[columns[1]])
        elif any(cells) and not cells[0].startswith("#"):
            diagnose(path, "expected 'LINE,SAMPLES', in decimal", "samples.format", number, lines[number - 1][:100])
            wrong = True
    return counts, wrong
