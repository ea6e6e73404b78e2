"""Wants what its arguments name, memory, files, size, processes or network, and answers only if it gets all of it."""
import mmap
import socket
import subprocess
import sys
import tempfile

from fake import first_operand, serve

wants = {
    "memory": lambda: mmap.mmap(-1, 1 << 30),  # taken, but not touched: that takes seconds on some machines
    "files": lambda: [open("/dev/null") for _ in range(100)],
    "size": lambda: tempfile.TemporaryFile(buffering=0).write(bytes(1 << 24)) == 1 << 24 or sys.exit("size"),
    "processes": lambda: [child.wait() for child in [subprocess.Popen(["sleep", "1"]) for _ in range(20)]],
    "network": lambda: socket.create_server(("127.0.0.1", 0)) and socket.create_connection(("127.0.0.1", 1), 1),
}
for name in sys.argv[1:]:
    try:
        wants[name]()
    except ConnectionRefusedError:  # there is a network
        pass
    except (MemoryError, OSError) as problem:
        sys.exit(f"{name}: {problem}")
serve(first_operand)
