"""`dloc gen merge`: merges over a small scope at random, as questions in JSON Lines; the program writes them with the
model's answers. Two functions in two files, nested blocks with and without file, blocks of other files, chains of
inlinedAt up to depth 3, lines and columns from 0 to 2, implicit code, 2 to 4 locations, some empty. Every case is one
that LLVM's hoisting can be asked about. The program leaves out nodes that nothing refers to.
"""

import contextlib
import json
import subprocess
from typing import Any

from program import Command, run, status_of

SCOPES, CALLS, LAYERS = 8, 4, 4
WORD = (1 << 64) - 1


class Dice:
    """splitmix64, as in conformance/experiments/world/random.h: the same everywhere."""

    def __init__(self, seed: int):
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = z = self.state + 0x9E3779B97F4A7C15 & WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        return (z ^ z >> 31) % limit

    def one_in(self, chances: int) -> bool:
        return self.below(chances) == 0


class Case:
    """The order of the draws decides what a seed gives."""

    def __init__(self, dice: Dice, layers: bool):
        self.dice = dice
        self.scopes: dict[str, bool] = {}  # in f, rather than in g?
        self.nodes: dict[str, dict[str, Any]] = {
            "a": {"node": "DIFile", "filename": "a.c", "directory": "src"},
            "b": {"node": "DIFile", "filename": "b.c", "directory": "src"},
            "u": {"node": "DICompileUnit", "distinct": True, "language": "DW_LANG_C99", "file": "a"},
            "t": {"node": "DISubroutineType", "types": None},
        }
        self.draw_scopes()
        places = self.draw_calls()
        self.args = self.draw_locations(places)
        if layers:
            self.draw_layers()
        self.nodes |= places
        self.layered = self.draw_composites() if layers else set()

    def draw_scopes(self) -> None:
        for name in "f", "g":
            file = "b" if name == "g" and self.dice.one_in(3) else "a"
            line = 1 + self.dice.below(2)
            subprogram = {"node": "DISubprogram", "distinct": True, "name": name, "scope": file, "file": file, "line": line}
            self.nodes[name] = subprogram | {"type": "t", "spFlags": "DISPFlagDefinition", "unit": "u"}
            self.scopes[name] = name == "f"
        for number in range(1, self.dice.below(SCOPES - 1) + 1):
            self.draw_block(f"s{number}")

    def draw_block(self, name: str) -> None:
        of_file = self.dice.one_in(3)
        parent = list(self.scopes)[self.dice.below(len(self.scopes))]
        file = "b" if self.dice.one_in(4) else "a"
        if of_file:
            discriminator = 2 * self.dice.below(3)
            block = {"node": "DILexicalBlockFile", "discriminator": discriminator, "distinct": self.dice.one_in(6), "file": file}
        else:
            fileless = self.dice.one_in(8)
            line = self.dice.below(3)
            column = self.dice.below(3) if line else 0  # line 0 with a column is a violation
            block = {"node": "DILexicalBlock", "line": line, "column": column, "distinct": not self.dice.one_in(4)}
            block["file"] = None if fileless else file
        self.nodes[name] = without_defaults(block | {"scope": parent})
        self.scopes[name] = self.scopes[parent]

    def draw_place(self, call: int | None) -> dict[str, Any]:
        """A location in f, or in either function when it was inlined at a call."""
        line, column = self.dice.below(3), self.dice.below(3)
        while True:
            scope = list(self.scopes)[self.dice.below(len(self.scopes))]
            if call is not None or self.scopes[scope]:
                break
        inlined_at = None if call is None else f"c{call + 1}"
        return {"node": "DILocation", "line": line, "column": column, "scope": scope, "inlinedAt": inlined_at}

    def draw_calls(self) -> dict[str, dict[str, Any]]:
        """The first half stand in f, the others are inlined at one of these."""
        calls = {}
        for number in range(CALLS):
            place = self.draw_place(None if number < CALLS // 2 else self.dice.below(CALLS // 2))
            calls[f"c{number + 1}"] = without_defaults(place | {"distinct": not self.dice.one_in(4)})
        return calls

    def draw_location(self) -> dict[str, Any]:
        depth = self.dice.below(4)
        call = None if depth < 2 else (0 if depth == 2 else CALLS // 2) + self.dice.below(CALLS // 2)
        place = self.draw_place(call)
        implicit = self.dice.one_in(4)
        return without_defaults(place | {"isImplicitCode": implicit, "distinct": self.dice.one_in(16)})

    def draw_locations(self, places: dict[str, dict[str, Any]]) -> list[int | None]:
        """The args: the number of a location, or None for empty, but not all of them."""
        throw = self.dice.below(16)
        args: list[int | None] = []
        for number in range(1, (2 if throw < 13 else 3 if throw < 15 else 4) + 1):
            places[f"x{number}"] = self.draw_location()
            empty = self.dice.one_in(16)
            repeated = not empty and number > 1 and self.dice.one_in(16)
            args.append(None if empty else args[-1] if repeated else number)
        return args if any(args) else [1, *args[1:]]

    def draw_layers(self) -> None:
        """Layers stand in files of their own, below f or g."""
        for name, filename in ("k", "k.tile"), ("m", "m.tile"):
            self.nodes[name] = {"node": "DIFile", "filename": filename, "directory": "."}
        for name, scope, file in ("l1", "f", "k"), ("l2", "f", "m"), ("l3", "g", "k"):
            self.nodes[name] = {"node": "DILexicalBlockFile", "scope": scope, "file": file, "discriminator": 0}
        for number in range(1, LAYERS + 1):
            line, column, block = (self.dice.below(3) for _ in range(3))
            self.nodes[f"t{number}"] = {"node": "DILocation", "line": line, "column": column, "scope": f"l{block + 1}"}

    def draw_composites(self) -> set[int]:
        """The numbers of the locations that have layers."""
        layered = set()
        for number in range(1, len(self.args) + 1):
            count, kind = self.dice.below(3), self.dice.below(2)
            kinds = ("TileIR", "MLIR") if kind == 0 else ("MLIR", "TileIR")
            layers = [{"kind": kind, "location": f"t{self.dice.below(LAYERS) + 1}"} for kind in kinds]
            if count:
                self.nodes[f"y{number}"] = {"node": "composite", "primary": f"x{number}", "layers": layers[:count]}
                layered.add(number)
        return layered

    def question(self, identity: str, since: str) -> dict[str, Any]:
        args = [arg and f"{'y' if arg in self.layered else 'x'}{arg}" for arg in self.args]
        needs = ["merge", "layers"] if self.layered & set(self.args) else ["merge"]
        head = {"id": identity, "clauses": ["merge.n-way"], "level": "must", "since": since, "needs": needs}
        expect = {"outcome": "ok", "value": {"result": None}}
        return head | {"nodes": self.nodes, "op": "merge", "args": args, "expect": expect}


def without_defaults(node: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in node.items() if value is not None and value is not False}


def main(command: Command) -> int:
    options, since, name = command.options, "llvm-22", "gen"
    if options.layers:
        since, name = "rfc", "gen-layers"
    words = ["--seed", str(options.seed), "--count", str(options.count), *["--layers"] * options.layers]
    answers = subprocess.Popen([command.program, "gen", "merge", "--answers", *words], stdin=subprocess.PIPE, text=True)
    dice = Dice(options.seed)
    with contextlib.suppress(BrokenPipeError), answers as child:  # it says itself why it ended
        assert child.stdin
        for number in range(1, options.count + 1):
            case = Case(dice, options.layers)
            child.stdin.write(json.dumps(case.question(f"merge.{name}.s{options.seed}.{number:06}", since)) + "\n")
    return status_of(answers.returncode)


run(main)
