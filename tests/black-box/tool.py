#!/usr/bin/env -S python3 -IS
"""Under the name of one of LLVM's tools: runs that tool of the LLVM in $WRAPPED, and words what it says otherwise, as another implementation of layers may.

Changed is what the RFC leaves free: the verifier's words about layers and texts, the names of files in messages, numbers and order of metadata nodes,
numbers and order of files, blanks and comments in directives. The text that LLVM has without layers stays, apart from blanks and numbers.
WRAPPED_TEXTS=draft: embedded texts stand in the form of PR 205453; none: there are none."""
import os
import re
import subprocess
import sys

STRING = r'"(?:\\.|[^"\\])*"'


def keep_strings(pattern, replace, text):
    """Replace a pattern outside of quoted strings."""
    return re.sub(f"({STRING})|{pattern}", lambda match: match[1] or replace(match), text)


def message(line):
    line = re.sub(r"!dbg (tuple|layer)\b.*", "invalid !dbg metadata attachment", line)
    line = re.sub(r"(incorrect|invalid) .*llvm\.intermediate_level_source.*", "this embedded text is not well formed", line)
    line = re.sub(r"(layer location|location in !llvm\.loop|intermediate-loc|intermediate DILocation)\b.*", "bad layer", line)
    line = re.sub(r"(irlayers|layer kind|layer file|DILayerLocList|DILayerLocList entry) must be .*", "bad list of layers", line)
    line = re.sub(r"debug-location !(\d+)", lambda match: f"debug-location !{int(match[1]) + 1000}", line)
    return line.replace("<stdin>", "input.ll")


def module(text):
    """Nodes have other numbers and stand in another order."""
    last = max([0, *map(int, re.findall(r"^!(\d+) = ", text, re.M))])
    text = keep_strings(r"!(\d+)\b", lambda match: f"!{last - int(match[2])}", text)
    lines = text.split("\n")
    nodes = [line for line in lines if re.match(r"!\d+ = ", line)]
    return "\n".join([line for line in lines if not re.match(r"!\d+ = ", line)] + nodes[::-1] + [""])


def directives(text):
    """Files have other numbers and stand in another order; other blanks, and a comment behind each directive."""
    number = lambda given: str(1000 - int(given))
    text = re.sub(r"^(\t\.loc\t|\t\.loc_intermediate\t|\t\.file\t|[ \t]*\.sourceFileName: )(\d+)", lambda match: match[1] + number(match[2]), text,
                  flags=re.M)
    text = re.sub(r"^\t\.loc_intermediate\t(\d+) (\d+) (\d+).*", r"    .loc_intermediate  \1\t\2  \3 // a layer", text, flags=re.M)
    text = re.sub(r"^\t\.loc\t(\d+) (\d+) (\d+)", r"  .loc \1  \2\t\3", text, flags=re.M)
    text = re.sub(r"^\t\.file\t(\d+) ", r"  .file \1  ", text, flags=re.M)
    begin = re.search(r"^([ \t]*)\.ir_name", text, re.M)
    if begin:  # texts may have such a line, too, but not with the same blanks
        text = re.sub(rf"^{begin[1]}\.source_(begin|end)$", r"  .source_\1", text, flags=re.M)
    text = re.sub(r"^[ \t]*\.(ir_name|sourceFileName): ", r"  .\1:  ", text, flags=re.M)
    if os.environ.get("WRAPPED_TEXTS") == "none":
        text = re.sub(r"\.nv_intermediate_source_section \{.*^\}$", "", text, flags=re.M | re.S)
    if os.environ.get("WRAPPED_TEXTS") == "draft":
        text = re.sub(r"^  \.source_begin\n(.*?)\n  \.source_end\n\t\}", "  .source: <<< \\1 >>>\n\t}", text, flags=re.M | re.S)
    lines = text.split("\n")
    files = [line for line in lines if line.startswith("  .file ")]
    return "\n".join(files.pop() if line.startswith("  .file ") else line for line in lines)


def output(text):
    if text.startswith(b"; ModuleID"):
        return module(text.decode("latin-1")).encode("latin-1")
    return directives(text.decode("latin-1")).encode("latin-1") if text.startswith(b"//\n") else text


def main():
    program = os.path.join(os.environ["WRAPPED"], os.path.basename(sys.argv[0]))
    done = subprocess.run([program, *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False)
    sys.stdout.buffer.write(output(done.stdout))
    sys.stdout.flush()
    sys.stderr.buffer.write("".join(map(message, done.stderr.decode("latin-1").splitlines(True))).encode("latin-1"))
    sys.stderr.flush()
    if done.returncode < 0:
        os.kill(os.getpid(), -done.returncode)
    sys.exit(done.returncode)


main()
