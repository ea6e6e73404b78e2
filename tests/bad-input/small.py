"""Small inputs, each wrong in one way: what is said, and the exit status."""

import os

from big import HEAD, location, module
from process import Run, small_stack

BAD_LL = [
    # name, text, status of verify, what the diagnostic says
    ("an empty module", "", 0, None),
    ("a module of a line end", "\n", 0, None),
    ("a module without a line end", "declare void @f()", 0, None),
    ("carriage returns", HEAD.replace("\n", "\r\n"), 0, None),
    ("a byte order mark", "\ufeff!0 = !{}\n", 2, "text.encoding"),
    ("a NUL byte", "!0 = !{}\n\0", 2, "text.encoding"),
    ("a NUL byte in a comment", "; a\0b\n", 2, "text.encoding"),
    ("a NUL byte in a string", '!0 = !{!"a\0b"}\n', 2, "text.encoding"),
    ("invalid UTF-8 in a string", b'!0 = !{!"\xff\xfe\xc3"}\n', 0, None),
    ("invalid UTF-8 in a comment", b"; \xff\n", 0, None),
    ("invalid UTF-8 in a name", b"define void @\xff() {\n ret void\n}\n", 2, "text."),
    ("invalid UTF-8 in a quoted name", b'define void @"\xff"() {\n ret void\n}\n', 0, None),
    ("a NUL in the name of a global", '@a = global i32 0\n@"a\\00" = global i32 0\n', 2, "input.ll:2:1: error: NUL character is not allowed in names [text.encoding]"),
    ("a NUL in the name of a function", 'define void @"\\00f"() {\n ret void\n}\n', 2, "input.ll:1:13: error: NUL character is not allowed in names [text.encoding]"),
    ("a NUL in the name of a type", '%"a\\00b" = type { i32 }\n', 2, "input.ll:1:1: error: NUL"),
    ("a NUL in the name of a comdat", '$"a\\00b" = comdat any\n', 2, "input.ll:1:1: error: NUL"),
    ("a NUL in the name of a parameter", 'define void @f(i32 %"a\\00") {\n ret void\n}\n', 2, "input.ll:1:20: error: NUL"),
    ("a NUL in the name of a value", 'define void @f() {\n %"a\\00" = alloca i32\n ret void\n}\n', 2, "input.ll:2:2: error: NUL"),
    ("a NUL in the name of a block", 'define void @f() {\n"a\\00":\n ret void\n}\n', 2, "input.ll:2:1: error: NUL"),
    ("a NUL in a name behind constants", '@a = global [2 x i8] c"\\00\\00" ; @"\\00\n@"b\\00" = global i32 0\n', 2, "input.ll:2:1: error: NUL"),
    ("a NUL in a name of metadata, a section, a constant", '!a\\00b = !{}\n@"a" = global [1 x i8] c"\\00", section "a\\00"\n!1 = !{!"\\00"}\n', 0, None),
    ("a backslash and digits in a name", '@"a\\\\00" = global i32 0 ; @"\\00"\n', 0, None),
    ("UTF-16", "!0 = !{}\n".encode("utf-16"), 2, "text.encoding"),
    ("bitcode", b"BC\xc0\xde5\x14\0\0\5\0\0\0", 2, "bitcode."),
    ("an undefined node", "!0 = !{!1}\n", 1, "undefined metadata '!1' [text.undefined]"),
    ("an undefined !dbg", "define void @f() {\n ret void, !dbg !7\n}\n", 1, "undefined metadata '!7' [text.undefined]"),
    ("an undefined node in named metadata", "!a = !{!3}\n", 1, "undefined metadata '!3' [text.undefined]"),
    ("an undefined scope", "!0 = !DILocation(line: 1, scope: !1)\n", 1, "undefined metadata '!1' [text.undefined]"),
    ("an undefined !dbg of a function", "define void @f() !dbg !1 {\n ret void\n}\n", 1, "'!1' [text.undefined]"),
    ("an undefined !dbg of a global", "@g = global i32 0, !dbg !1\n", 1, "'!1' [text.undefined]"),
    ("an undefined node in a record", "define void @f() {\n #dbg_value(i32 1, !1, !2, !3)\n ret void\n}\n", 1, "text.undefined"),
    ("a node defined twice", "!0 = !{}\n!0 = !{}\n", 1, "text.redefined"),
    ("a node defined twice, used before", '!1 = !{!0}\n!0 = !{}\n!0 = !{!"a"}\n', 1, "text.redefined"),
    ("a function defined twice", "define void @f() {\n ret void\n}\n" * 2, 1, "text.function-redefined"),
    ("a function declared and defined", "declare void @f()\ndefine void @f() {\n ret void\n}\n", 1, "text.function-redefined"),
    ("the greatest number of a node", "!4294967295 = !{}\n", 0, None),
    ("the greatest number, used before", "!0 = !{!4294967295}\n!4294967295 = !{}\n", 0, None),
    ("a number of 33 bits", "!4294967296 = !{}\n", 2, "text.limit"),
    ("a number of 65 bits", "!18446744073709551616 = !{}\n", 2, "text.limit"),
    ("a number of 400 digits", f"!{'9' * 400} = !{{}}\n", 2, "text.limit"),
    ("a use of 33 bits", "!0 = !{!4294967296}\n", 2, "text.limit"),
    ("a negative number, which is a name", "!-1 = !{}\n", 0, None),
    ("a use of a negative number", "!0 = !{!-1}\n", 2, "text.syntax"),
    ("an attribute group of 33 bits", "attributes #4294967296 = { cold }\n", 2, "text.limit"),
    ("the greatest line", HEAD + location(10, 4294967295, 4), 0, None),
    ("a line of 33 bits", HEAD + location(10, 4294967296, 4), 1, "field.too-large"),
    ("a line of 400 digits", HEAD + location(10, "9" * 400, 4), 1, "field.too-large"),
    ("a negative line", HEAD + location(10, -1, 4), 1, "field.not-unsigned"),
    ("the greatest column", HEAD + "!10 = !DILocation(line: 1, column: 65535, scope: !4)\n", 0, None),
    ("a column of 17 bits", HEAD + "!10 = !DILocation(line: 1, column: 65536, scope: !4)\n", 1, "field.too-large"),
    ("an atom of 65 bits", HEAD + "!10 = !DILocation(line: 1, scope: !4, atomGroup: 18446744073709551616)\n", 1, "field.too-large"),
    ("a rank of 9 bits", HEAD + "!10 = !DILocation(line: 1, scope: !4, atomGroup: 1, atomRank: 256)\n", 1, "field.too-large"),
    ("a location without scope", "!0 = !DILocation(line: 1)\n", 1, "field.missing"),
    ("a location with two scopes", HEAD + "!10 = !DILocation(line: 1, scope: !4, scope: !4)\n", 1, "field.repeated"),
    ("a location with scope null", "!0 = !DILocation(line: 1, scope: null)\n", 1, "field.null"),
    ("a location with a foreign field", HEAD + "!10 = !DILocation(line: 1, scope: !4, name: \"a\")\n", 1, "field.unknown"),
    ("a location that is its own scope", module("!10") + location(10, 1, 10), 1, "location.scope-not-local"),
    ("a scope that is its own scope", module("!11") + "!10 = distinct !DILexicalBlock(scope: !10, file: !1, line: 1)\n" + location(11, 1, 10), 1, "scope.cycle"),
    ("a location inlined at itself", module("!10") + location(10, 1, 4, 10), 1, "location.inlined-at-cycle"),
    ("a layer inlined at itself", module("!10") + "!10 = !{!6, !{!\"k\", !11}}\n" + location(11, 1, 4, 11), 1, "[location.inlined-at-cycle]"),
    ("a !dbg that contains itself", module("!10") + "!10 = distinct !{!10, !10}\n", 1, "shape."),
    ("a layer that contains its tuple", module("!10") + "!10 = distinct !{!6, !11}\n!11 = distinct !{!\"k\", !10}\n", 1, "shape.layer-not-location"),
    ("a string that is not closed", '!0 = !{!"a}\n', 2, "text.truncated"),
    ("a function that is not closed", "define void @f() {\n ret void\n", 2, "text."),
    ("a bracket too many", "!0 = !{}}\n", 2, "text.syntax"),
    ("a wrong bracket", "!0 = !{)\n", 2, "text."),
    ("an unknown class", "!0 = !DIThing(a: 1)\n", (0, 1), None),
    ("half a record", "define void @f() {\n #dbg_value(i32 1, !0\n}\n!0 = !{}\n", 2, "text."),
    ("an empty record", "define void @f() {\n #dbg_value()\n ret void\n}\n", (1, 2), "error"),
]

VECTOR = """id: a.b
clauses: [merge.line]
level: must
since: rfc
needs: [merge]
nodes:
  file: {node: DIFile, filename: a.c, directory: d}
op: merge
args: [null, null]
expect: {outcome: ok, value: {result: null}}
"""

BAD_YAML = [
    # name, text, status of check, what the diagnostic says
    ("an empty file", "", (0, 1), None),
    ("a comment", "# a\n", (0, 1), None),
    ("a good vector", VECTOR, 0, None),
    ("a byte order mark", "\ufeff" + VECTOR, 1, "yaml.encoding"),
    ("a NUL byte", VECTOR + "\0", 1, "yaml.encoding"),
    ("invalid UTF-8", VECTOR.encode() + b"note: \xff\n", 1, "yaml.encoding"),
    ("a surrogate", VECTOR.encode() + b"note: \xed\xa0\x80\n", 1, "yaml.encoding"),
    ("UTF-16", VECTOR.encode("utf-16"), 1, "yaml.encoding"),
    ("carriage returns", VECTOR.replace("\n", "\r\n"), 1, "yaml.encoding"),
    ("tabs", VECTOR.replace("  file", "\tfile"), 1, "yaml."),
    ("a scalar", "a\n", 1, "error"),
    ("a list", "- a\n", 1, "error"),
    ("an anchor", VECTOR.replace("a.b", "&x a.b"), 1, "yaml."),
    ("an alias", VECTOR.replace("[null, null]", "*x"), 1, "yaml."),
    ("a tag", VECTOR.replace("a.b", "!!str a.b"), 1, "yaml."),
    ("a merge key", VECTOR + "<<: {a: b}\n", 1, "error"),
    ("a billion laughs", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", 1, "yaml."),
    ("a repeated key", VECTOR + "op: merge\n", 1, "error"),
    ("an unknown key", VECTOR + "answer: 42\n", 1, "error"),
    ("no op", VECTOR.replace("op: merge\n", ""), 1, "error"),
    ("an id for a terminal", VECTOR.replace("a.b", '"\\e[2J\\x9b"'), 1, "error"),
    ("an op for a terminal", VECTOR.replace("op: merge", 'op: "\\e[2J\\x9b\\0\\n"'), 1, "error"),
    ("an unknown op", VECTOR.replace("op: merge", "op: mergers"), 1, "error"),
    ("an unknown clause", VECTOR.replace("merge.line", "merge.nothing"), 1, "error"),
    ("an unknown profile", VECTOR.replace("since: rfc", "since: llvm-99"), 1, "error"),
    ("an unknown node", VECTOR.replace("[null, null]", "[a, null]"), 1, "error"),
    ("too few operands", VECTOR.replace("[null, null]", "a"), 1, "error"),
    ("an id with a slash", VECTOR.replace("a.b", "../a"), 1, "error"),
    ("two documents, the second bad", VECTOR + "---\n[\n", 1, "yaml.syntax"),
    ("a line of 33 bits", VECTOR.replace("[null, null]", "[x, x]").replace("op:", "  x: {node: DILocation, line: 4294967296, scope: file}\nop:"), 1, "error"),
    ("an expectation of nothing", VECTOR.replace("{outcome: ok, value: {result: null}}", "{}"), 1, "error"),
    ("an unknown reason", VECTOR.replace("{outcome: ok, value: {result: null}}", "{outcome: reject, reason: none}"), 1, "error"),
    ("a directive", "%YAML 1.1\n---\n" + VECTOR, (0, 1), None),
    ("a foreign version", "%YAML 9.9\n---\n" + VECTOR, 1, "error"),
]

USAGE = [
    # arguments, status, what is said; FILE stands for a good module, VECTORS for a good vector
    ([], 2, None),
    (["--nothing"], 2, "unknown option"),
    (["nothing"], 2, "unknown command"),
    (["\x1b[2J\xff"], 2, "unknown command"),
    (["verify"], 2, None),
    (["verify", "--nothing", "FILE"], 2, None),
    (["verify", "--profile", "FILE"], 2, None),
    (["verify", "FILE", "--profile"], 2, None),
    (["verify", "--profile", "llvm-99", "FILE"], 2, None),
    (["verify", "--choice", "a=b", "FILE"], 2, None),
    (["verify", "--profile", "\x1b[2J", "FILE"], 2, "unknown profile"),
    (["verify", "--choice", "merge.empty=\x1b[2J", "FILE"], 2, "has no alternative"),
    (["verify", "--choice", "merge.rules", "FILE"], 2, None),
    (["verify", "--quiet=yes", "FILE"], 2, None),
    (["print", "FILE", "FILE"], 2, None),
    (["merge", "FILE"], 2, None),
    (["merge", "FILE", "!999"], 2, "there is no metadata node !999"),
    (["merge", "FILE", "!4294967296"], 2, None),
    (["merge", "FILE", "!" + "9" * 4000], 2, None),
    (["merge", "FILE", "8"], 2, None),
    (["merge", "FILE", ""], 2, None),
    (["merge", "FILE", "!6", "!5"], 1, "operand.not-debug-loc"),
    (["inline", "FILE", "--function", "@nobody"], 2, "there is no function @nobody"),
    (["source", "FILE", "--extract", "7"], (1, 2), None),
    (["source", "FILE", "--extract", "-1"], 2, None),
    (["source", "FILE", "--file", "nothing"], 1, None),
    (["source", "FILE", "-o", "x"], 2, None),
    (["explain"], 2, None),
    (["explain", "", "\x1b[2J\xff", "=", "merge.empty=", "a" * 4000], 2, "nothing is named"),
    (["explain", "merge.line", "--vectors", "FILE"], (1, 2), None),
    (["list", "--choice", "=", "VECTORS"], 2, "unknown choice"),
    (["list", "--choice", "merge.empty=", "VECTORS"], 2, "has no alternative"),
    (["list", "--reason", "", "VECTORS"], 2, "no reason is named"),
    (["spec", "--questions", "nothing"], 2, "leaves no choice"),
    (["spec", "--since", "never"], 2, "--since takes rfc"),
    (["source", "FILE", "--json", "--extract", "0"], 2, "--json lists"),
    (["merge", "FILE", "!6", "!5", "--json"], 1, "operand.not-debug-loc"),
    (["check", "--json", "no-such-file"], 2, "cannot read no-such-file"),
    (["check", "--profile", "llvm-99", "VECTORS"], 2, None),
    (["run", "VECTORS"], 2, None),
    (["run", "--impl"], 2, None),
    (["run", "--impl", "model", "--jobs", "0", "VECTORS"], 2, None),
    (["run", "--impl", "model", "--jobs", "99999999999999999999", "VECTORS"], 2, None),
    (["run", "--impl", "model", "--timeout", "x", "VECTORS"], 2, None),
    (["run", "--impl", "model", "--profile", "x", "VECTORS"], 2, None),
    (["run", "--impl", "model", "--expect-failures", "VECTORS", "VECTORS"], 2, None),
    (["run", "--impl", "model", "--update-expected", "VECTORS", "VECTORS"], 2, None),
    (["run", "--impl", "model", "--update-expected", "x", "--expect-failures", "x", "VECTORS"], 2, "--update-expected takes none of"),
    (["run", "--impl", "model", "--only", "no.such", "VECTORS"], 2, "no vector here is named 'no.such'"),
    (["run", "--impl", "model", "--keep", "VECTORS", "VECTORS"], 2, "cannot make the folder"),
    (["run", "--impl", "model", "--fingerprint", "--keep", "x", "VECTORS"], 2, "--fingerprint judges nothing"),
]


SAME = "are the same"
READ = "would overwrite what is read"

OUTPUTS = [
    # arguments, what is said: OUT stands for a file that is not there, LINK for the module by another name
    ("run --impl model --quiet --json -o OUT --junit OUT VECTORS", SAME),
    ("run --impl model --quiet --json --junit - VECTORS", SAME),
    ("run --impl model --quiet --junit VECTORS VECTORS", READ),
    ("run --impl model --update-expected OUT --json -o OUT VECTORS", SAME),
    ("run --impl model --quiet --json -o /dev/null --junit /dev/null VECTORS", None),
    ("report --quiet --html OUT --badge OUT VECTORS", SAME),
    ("report --quiet --html VECTORS VECTORS", READ),
    ("hide --table OUT -o OUT FILE", SAME),
    ("hide --table - FILE", SAME),
    ("hide --table FILE -o OUT FILE", READ),
    ("hide --table LINK -o OUT FILE", READ),
    ("hide --table OUT --exact FILE FILE", READ),
    ("hide --table FILE -o LINK VECTORS", SAME),
    ("two-level -o OUT --strings OUT FILE", SAME),
]


def said(run, text):
    return None if text is None or text in run.words() else f"does not say {text!r}: {run.shown()}"


def as_statuses(status):
    return status if isinstance(status, tuple) else (status,)


def attacks(folder):
    """Files that once made dloc crash, or read what is not theirs."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attack")
    for name in sorted(os.listdir(place)):
        for command in ("print", "verify", "inline", "source", "encode", "encode --written", "project --primary"):
            with small_stack():
                run = Run([*command.split(), os.path.join(place, name)], folder)
            yield f"{name}: {command}", run.complaint() or run.excess(1, 64 << 20)


def modules(folder):
    path = os.path.join(folder, "input.ll")
    for name, text, status, words in BAD_LL:
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        statuses = as_statuses(status)
        verified = Run(["verify", path], folder)
        yield f"{name}: verify", verified.complaint(statuses) or said(verified, words)
        with open(path, "rb") as file:
            by_stdin = Run(["verify", "-"], folder, stdin=path)
        same = by_stdin.words().replace("<stdin>", path) == verified.words() and by_stdin.status == verified.status
        yield f"{name}: verify by stdin", None if same else f"{verified.shown()}, by stdin {by_stdin.shown()}"
        read = verified.status != 2 and not any(code in verified.words() for code in ("[text.", "[field.", "[unknown."))
        for command in ("print", "inline", "source"):
            run = Run([command, path], folder)
            # A module that can be read can be printed; to inline it or to take its sources may fail.
            wanted = (verified.status,) if not read else (0,) if command == "print" else (0, 1)
            problem = run.complaint(wanted, single=True)
            if not problem and run.status and run.output(1):
                problem = "there is output, though the exit status is not 0"
            yield f"{name}: {command}", problem


def vectors(folder):
    path = os.path.join(folder, "input.yaml")
    for name, text, status, words in BAD_YAML:
        data = text if isinstance(text, bytes) else text.encode()
        with open(path, "wb") as file:
            file.write(data)
        statuses = as_statuses(status)
        checked = Run(["check", path], folder)
        yield f"{name}: check", checked.complaint(statuses) or said(checked, words)
        for command in (["lint"], ["list"], ["run", "--impl", "model"]):
            run = Run([*command, path], folder)
            # An empty suite may be refused; lint asks for more than check does.
            problem = run.complaint()
            if not problem and checked.status and words != "error" and run.status == 0:
                problem = "status 0, though check refuses it"
            yield f"{name}: {command[0]}", problem
        run = Run(["fmt", path], folder)
        with open(path, "rb") as file:
            after = file.read()
        problem = run.complaint()
        if not problem and run.status and after != data:
            problem = "the file has been changed, though the exit status is not 0"
        yield f"{name}: fmt", problem or leftovers(folder, {"input.yaml", "stdout", "stderr"})


def leftovers(folder, known):
    """Files that should not be there: what was half written."""
    found = set(os.listdir(folder)) - known
    return f"leaves files behind: {', '.join(sorted(found))}" if found else None


def usage(folder):
    good = {"FILE": os.path.join(folder, "good.ll"), "VECTORS": os.path.join(folder, "good.yaml")}
    with open(good["FILE"], "w", encoding="utf-8") as file:
        file.write(module("!10", "!11") + location(10, 1, 4, None, False) + location(11, 1, 5, 6, False))
    with open(good["VECTORS"], "w", encoding="utf-8") as file:
        file.write(VECTOR)
    yield from outputs(folder, good)
    for arguments, status, words in USAGE:
        run = Run([good.get(argument, argument) for argument in arguments], folder)
        problem = None if not arguments else run.complaint(as_statuses(status))
        if "unknown command" in (problem or "") and words == "unknown command":
            problem = None if run.status == 2 else problem
        if not arguments and run.status != 2:
            problem = run.shown()
        yield f"dloc {' '.join(arguments)[:60]}", problem or said(run, words)
    for command in ("verify", "print", "merge", "inline", "source", "check", "fmt", "lint", "list", "run"):
        run = Run([command, "--help"], folder)
        yield f"dloc {command} --help", run.complaint((0,)) or (None if b"dloc " + command.encode() in run.output() else "no help")


def outputs(folder, good):
    """Nothing is written in the place of what else is written, or of what is read."""
    link, there = os.path.join(folder, "link"), os.path.join(folder, "out")
    os.symlink(good["FILE"], link)
    paths = {**good, "LINK": link, "OUT": there}
    before = {path: open(path, "rb").read() for path in good.values()}
    for row, words in OUTPUTS:
        run = Run([paths.get(word, word) for word in row.split()], folder)
        problem = run.complaint((2,) if words else (0,), single=bool(words)) or said(run, words)
        if before != {path: open(path, "rb").read() for path in good.values()} or os.path.exists(there):
            problem = "writes a file"
        yield f"dloc {row}", problem


