"""Sleeps for ever at each vector whose id contains the argument, together with a child that holds the pipes open."""
import subprocess
import sys

from fake import first_operand, serve


def answer(message):
    if len(sys.argv) < 2 or sys.argv[1] in message["vector"]["id"]:
        subprocess.run(["sleep", "100000"])
    return first_operand(message)


serve(answer)
