"""Wants what its arguments name, and answers only if it gets all of it: memory, files, size, processes, network; limits: to raise one again; namespaces: to enter
the network that descriptor 7 stands for; bomb: ever more processes."""
import ctypes
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile

from fake import first_operand, serve


def enter():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(7, 0):
        raise OSError(ctypes.get_errno(), "setns")


def fork_for_ever():
    while True:
        try:
            os.fork()
        except BlockingIOError:
            signal.pause()


wants = {
    "memory": lambda: mmap.mmap(-1, 1 << 30),  # taken, but not touched: that takes seconds on some machines
    "files": lambda: [open("/dev/null") for _ in range(100)],
    "size": lambda: tempfile.TemporaryFile(buffering=0).write(bytes(1 << 24)) == 1 << 24 or sys.exit("size"),
    "processes": lambda: [child.wait() for child in [subprocess.Popen(["sleep", "1"]) for _ in range(20)]],
    "limits": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
    "namespaces": enter,
    "bomb": fork_for_ever,
    "network": lambda: socket.create_server(("127.0.0.1", 0)) and socket.create_connection(("127.0.0.1", 1), 1),
}
for name in sys.argv[1:]:
    try:
        wants[name]()
    except ConnectionRefusedError:  # there is a network
        pass
    except (MemoryError, OSError, ValueError) as problem:
        sys.exit(f"{name}: {problem}")
serve(first_operand)
