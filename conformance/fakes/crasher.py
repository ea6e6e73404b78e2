"""Dies of a signal at each vector whose id contains the first argument (at every one without). The second names the signal."""
import os
import signal
import sys

from fake import first_operand, serve


def answer(message):
    if len(sys.argv) < 2 or sys.argv[1] in message["vector"]["id"]:
        print("about to crash", file=sys.stderr, flush=True)
        os.kill(os.getpid(), getattr(signal, sys.argv[2]) if len(sys.argv) > 2 else signal.SIGSEGV)
    return first_operand(message)


serve(answer)
