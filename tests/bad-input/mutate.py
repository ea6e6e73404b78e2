"""Small inputs, truncated at every byte and mutated at random with fixed seeds."""

import os
import random
import re

from process import HERE, Run

MODULE = "module.ll"
VECTORS = "vectors.yaml"
TOKEN = re.compile(rb'"[^"]*"|[!@%#]?[\w.$-]+|\s+|.', re.S)
NUMBERS = [b"-1", b"0", b"65536", b"4294967295", b"4294967296", b"9" * 20, b"9" * 400, b"0x7f", b"1e9", b"08"]
SPLICES = {
    MODULE: [b"!{", b"}", b"(", b")", b"!", b"null", b"distinct ", b'"', b"\\", b"; ", b"!DILocation(", b"!dbg !8", b", ", b"<"],
    VECTORS: [b": ", b"- ", b"---\n", b"...\n", b"{", b"}", b"[", b"]", b"&a ", b"*a", b"!!str ", b"? ", b"|\n", b"'", b'"', b"# "],
}
SPLICE = [
    b"\0", b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\r", b"\r\n", b"\t", b"\x7f", b"\x1b[2J",
]
COMMANDS = {
    MODULE: [
        ["verify"],
        ["print"],
        ["merge", "!9", "!12", "!11"],
        ["inline"],
        ["source"],
        ["print", "--locations"],
        ["merge", "--explain", "!8", "!12"],
        ["source", "--extract", "all"],
        ["verify", "--profile", "llvm-19"],
    ],
    VECTORS: [["check"], ["fmt", "-"], ["lint"], ["list"], ["run", "--impl", "model"]],
}


def seed_of(kind):
    with open(os.path.join(HERE, kind), "rb") as file:
        return file.read()


def change(data, chance, kind):
    """One random change."""
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice([1, 1, 1, 2, 5, 20, 100]))
    which = chance.randrange(9)
    if which == 0 and data:
        at = chance.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    if which == 1:
        return data[:at] + bytes([chance.randrange(256)]) + data[at:]
    if which == 2:
        return data[:at] + data[end:]
    if which == 3:
        return data[:at] + chance.choice(SPLICES[kind] + SPLICE) + data[at:]
    if which == 4:
        to = chance.randrange(len(data) + 1)
        return data[:to] + data[at:end] + data[to:]
    tokens = TOKEN.findall(data)
    if len(tokens) < 2:
        return data
    one, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    if which == 5:
        tokens[one], tokens[other] = tokens[other], tokens[one]
    elif which == 6:
        tokens[one] = tokens[other]
    elif which == 7:
        del tokens[one]
    else:
        numbers = [index for index, token in enumerate(tokens) if token.strip(b"!").isdigit()]
        if numbers:
            at = chance.choice(numbers)
            tokens[at] = tokens[at][: tokens[at].startswith(b"!")] + chance.choice(NUMBERS)
    return b"".join(tokens)


def mutant(kind, number):
    chance = random.Random(f"{kind} {number}")
    data = seed_of(kind)
    for _ in range(chance.choice([1, 1, 2, 3])):
        data = change(data, chance, kind)
    return data


def check_print(folder, verified):
    """A module that can be read can be printed, and what was printed prints back the same; else both commands say the same."""
    path, again = os.path.join(folder, "input"), os.path.join(folder, "printed.ll")
    printed = Run(["print", path], folder)
    problem = printed.complaint(single=True)
    if problem:
        return problem
    if printed.status:
        if printed.output(1):
            return "the output is not empty, though the exit status is not 0"
        if (printed.status, printed.headlines()) != (verified.status, verified.headlines()[:1]):
            return f"print says {printed.shown()}, verify says {verified.shown()}"
        return None
    text = printed.output()
    with open(again, "wb") as file:
        file.write(text)
    second = Run(["print", again], folder)
    problem = second.complaint((0,))
    if not problem and second.output() != text:
        problem = f"what was printed prints differently: {text[:2000]!r}"
    return problem


def check_formatted(folder, checked):
    """What `dloc fmt` writes is canonical, and `dloc check` says the same about it."""
    path, again = os.path.join(folder, "input"), os.path.join(folder, "formatted.yaml")
    first = Run(["fmt", "-"], folder, stdin=path)
    problem = first.complaint()
    if problem or first.status:
        return problem
    text = first.output()
    with open(again, "wb") as file:
        file.write(text)
    second = Run(["fmt", "--check", again], folder)
    return second.complaint((0,)) or Run(["check", again], folder).complaint((checked.status,))


def check_text(folder, kind, name, data, number):
    """The first command and one of the others on a text; yields (name, problem)."""
    path = os.path.join(folder, "input")
    with open(path, "wb") as file:
        file.write(data)
    commands = COMMANDS[kind]
    first = Run([*commands[0], path], folder)
    yield f"{name}: {commands[0][0]}", first.complaint()
    other = commands[1 + number % (len(commands) - 1)]
    if other == ["print"]:
        yield f"{name}: print", check_print(folder, first)
    elif other[0] == "fmt":
        yield f"{name}: fmt", check_formatted(folder, first)
    else:
        run = Run([other[0], path, *other[1:]], folder)
        yield f"{name}: {' '.join(other)}", run.complaint(single=kind == MODULE and other[0] not in ("verify", "source"))


def truncated(folder, kind, start, step):
    data = seed_of(kind)
    for length in range(start, len(data) + 1, step):
        # Each length meets one of the other commands.
        yield from check_text(folder, kind, f"{kind} truncated to {length} bytes", data[:length], length)


def mutated(folder, kind, start, stop):
    for number in range(start, stop):
        yield from check_text(folder, kind, f"{kind}, mutant {number}", mutant(kind, number), number)
