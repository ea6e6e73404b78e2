"""addr2line and its kin: what they print as frames."""

import collections
import re
import subprocess

Frame = collections.namedtuple("Frame", "function path line column")


def ask(command, addresses):
    done = subprocess.run(command, input="".join(f"0x{address:x}\n" for address in addresses).encode(), capture_output=True, timeout=120)
    return done.stdout.decode(errors="replace")


def place(text):
    """path:line[:column], with ? for what is not known."""
    text = re.sub(r" \(discriminator \d+\)$", "", text)
    path, line, column = (re.match(r"(.*?):(\d+|\?)(?::(\d+))?$", text) or re.match(r"(.*)()()$", text)).groups()
    number = lambda word: int(word) if word and word != "?" else 0
    return "" if path == "??" else path, number(line), number(column)


def pairs(lines):
    """Lines of functions and places, one behind the other."""
    known = lambda function: "" if function == "??" else re.sub(r" inlined .*in .*$", "", function)
    return [Frame(known(function), *place(where)) for function, where in zip(lines[::2], lines[1::2])]


def addr2line(program):
    def asked(path, addresses):
        frames, lines = {}, []
        for line in ask([program, "-a", "-f", "-i", "-e", path], addresses).splitlines():
            if re.fullmatch(r"0x[0-9a-f]+", line):
                lines = frames[int(line, 16)] = []
            else:
                lines.append(line)
        return {address: pairs(lines) for address, lines in frames.items()}

    return asked
