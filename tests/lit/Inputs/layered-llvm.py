#!/usr/bin/env -S python3 -IS
"""Under the name of one of LLVM's tools: a stock LLVM, the one in $STOCK, that seems to know layers. It gives a module with layers back as it is. Its
verifier has one rule more, $RULE, whose message comes before all debug info of the module is dropped. Or it does not know layers, and it $RULE, hangs or
crashes, where one of the functions @merge.* is simplified. half-way: it writes no layers in bitcode and in what llc makes."""
import os
import re
import subprocess
import sys

STOCK_WORDS = "invalid !dbg metadata attachment"
FIELD = re.compile(r"DILayerLoc\((line: \d+), (.*), (file: !\d+)\)")


def layers(text):
    """The places of the layers of tuples."""
    numbers = re.findall(r'!\{!"[^"]*", !(\d+)\}', text)
    places = dict(re.findall(r"^!(\d+) = !DILocation\((.*)\)$", text, re.M))
    return [places[number] for number in numbers if number in places]


def scope(text, place):
    found = re.search(r"scope: !(\d+)", place)
    return re.search(rf"^!{found[1]} = (.*)$", text, re.M)[1]


# What each rule says of a module; None: nothing.
RULES = {
    "column": lambda text: any("column" not in place for place in layers(text)) and "a layer needs a column",
    "block-file": lambda text: any("DILexicalBlockFile" not in scope(text, place) for place in layers(text)) and "a layer needs a DILexicalBlockFile",
    "text": lambda text: '!""}' in text and "an empty text",
    "kind": lambda text: not re.search('!"(TileIR|MLIR|LLVM)"', text) and "unknown kind of layer",
    "stock-words": lambda text: any("column" not in place for place in layers(text)) and STOCK_WORDS,
    "all": lambda text: "a layer needs a brother",
    "probes": lambda text: "line: 65535" in text and STOCK_WORDS,
    "half-way": lambda text: None,
    "list-order": lambda text: None,
    "list-column": lambda text: any("column" not in fields for _, fields, _ in FIELD.findall(text)) and "a DILayerLoc needs a column",
}


def main():
    tool = os.path.join(os.environ["STOCK"], os.path.basename(sys.argv[0]))
    text = "" if "--version" in sys.argv else sys.stdin.buffer.read().decode("latin-1")
    rule = os.environ["RULE"]
    if rule in ("hangs", "crashes") and "@merge." in text and "simplifycfg" in str(sys.argv):
        while rule == "hangs":
            pass
        os.abort()
    if rule not in RULES or not ("irlayers:" in text if rule.startswith("list") else layers(text)):
        done = subprocess.run([tool, *sys.argv[1:]], input=text.encode("latin-1"), check=False)
        sys.exit(done.returncode)
    message = RULES[rule](text)
    if rule == "half-way" and os.path.basename(sys.argv[0]) in ("llvm-dis", "llc"):
        text = "; no layers\n"
    if message:
        print(f"{message}\nwarning: ignoring invalid debug info in <stdin>", file=sys.stderr)
        text = "; without debug info\n"
    sys.stdout.write(FIELD.sub(r"DILayerLoc(\3, \1, \2)", text))


main()
