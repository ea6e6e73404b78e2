"""opt as an LLVM would be that does what $KNOWS says: of modules it takes what it knows, of passes it fakes what is in the output.

lines: two locations of one line merge to that line; implicit: their isImplicitCode stays; tuples, irlayers: forms of layers that are read; alone: also without
a text or a checksum; hoist: layers stay where code moves; types: no subprogram is read without one."""
import os
import re
import sys

KNOWS = os.environ["KNOWS"].split()
VERSION = "LLVM version 99.0.0git"


def wrong(module):
    """What it says of the module; None: it takes it."""
    tuple_of_layers, layers = any(f"\n{node} = !{{" in module for node in re.findall(r"!dbg (!\d+)", module)), "DILayerLoc" in module
    text = "intermediate_level_source" in module or "checksum" in module
    if "types" in KNOWS and "DISubprogram(spFlags: 0)" in module:
        return "error: missing required field 'type'"
    if tuple_of_layers and "tuples" not in KNOWS:
        return "invalid !dbg metadata attachment"
    if layers and "irlayers" not in KNOWS:
        return "error: invalid field 'irlayers'"
    return "error: no text" if (tuple_of_layers or layers) and not (text or "alone" in KNOWS) else None


if "--version" in sys.argv:
    print(VERSION)
    sys.exit()
module = sys.stdin.read()
if wrong(module):
    sys.exit(wrong(module))
if "simplifycfg" in str(sys.argv) and "line: 7" in module:
    code = "isImplicitCode: true" if "implicit" in KNOWS else ""
    module = f"!DILocation(line: {7 if 'lines' in KNOWS else 0}, scope: !3, {code})"
if "licm" in str(sys.argv):
    module = "!DILocation(line: 0, scope: !3, irlayers: !5)" if "hoist" in KNOWS else ""
print(module)
