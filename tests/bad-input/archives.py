"""Archives of all forms, sound and broken, in the place of each file that a row reads: no command reads members, and each says so. None opens a file that a
thin archive names."""

import os

import every
from process import Run
from small import said

BINARY = {"BITCODE", "OBJECT", "EXECUTABLE", "CUBIN"}
OTHERWISE = {"browse": "is no ELF file", "bitcode": "is no bitcode"}


def member(name, content, size=None, end=b"`\n"):
    """A member with its header; size: what that says."""
    size = len(content) if size is None else size
    return b"%-16s%-12d%-6d%-6d%-8s%-10s%s" % (name, 0, 0, 0, b"644", str(size).encode(), end) + content + b"\n" * (len(content) % 2)


def archives(inner, fifo):
    """Name and bytes. fifo: whoever opens it waits."""
    sound, thin, names = b"!<arch>\n", b"!<thin>\n", fifo.encode() + b"/\n"
    one = sound + member(b"a.o/", inner)
    return {
        "an empty archive": sound,
        "an archive of GNU": sound + member(b"/", b"\0\0\0\1\0\0\0\x44f\0") + member(b"//", b"a-very-long-name.o/\n") + member(b"/0", inner),
        "an archive of BSD": sound + member(b"__.SYMDEF", b"\0" * 8) + member(b"#1/4", b"a.o\0" + inner),
        "an archive of COFF": sound + member(b"/", b"\0\0\0\0") + member(b"/", b"\0" * 8) + member(b"a.o/", inner),
        "a thin archive": thin + member(b"//", names) + member(b"/0", b"", 64),
        "a thin archive of /etc/passwd": thin + member(b"//", b"/etc/passwd/\n") + member(b"/0", b"", 64),
        "a thin archive of itself": thin + member(b"//", b"input/\n") + member(b"/0", b"", 64),
        "nested archives": sound + member(b"a.a/", one),
        "an archive that ends in a header": one[:40],
        "an archive that ends in a member": one[:100],
        "a member of a size that lies": sound + member(b"a.o/", inner, 9999999999),
        "a member of a negative size": sound + member(b"a.o/", inner, -1),
        "a member whose size is no number": sound + member(b"a.o/", inner).replace(b"%-10d" % len(inner), b"0x7fffffff", 1),
        "a member without its mark": sound + member(b"a.o/", inner, end=b"??"),
        "a member of no bytes": sound + member(b"a.o/", b""),
        "a name beyond the table of names": sound + member(b"//", b"a/\n") + member(b"/99999999999", inner),
        "a name of BSD longer than its member": sound + member(b"#1/99999999", inner),
        "a table of symbols that lies": sound + member(b"/", b"\xff" * 8) + member(b"a.o/", inner),
        "an odd member without padding": sound + member(b"a.o/", b"x")[:-1] + member(b"b.o/", inner),
    }


def complaint(run, row):
    wanted = next((words for command, words in OTHERWISE.items() if row.startswith(command)), "archive: ")
    return run.complaint((2,)) or said(run, wanted)


def in_each_place(folder, part, parts):
    files, path, fifo = every.sound(folder), os.path.join(folder, "input"), os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    with open(files["OBJECT"], "rb") as file:
        made = archives(file.read(), fifo)
    places = [(row, kind) for row in every.ROWS for kind in sorted(every.kinds(row) & BINARY)]
    for row, kind in places[part::parts]:
        for name, content in made.items():
            with open(path, "wb") as file:
                file.write(content)
            words, stdin = every.arguments(row, files | {kind: path})
            yield f"{name} as {kind}: {row}", complaint(Run(words, folder, stdin=stdin or os.devnull), row)
