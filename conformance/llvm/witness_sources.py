"""The files that a stock LLVM lists with their texts (op source, of lists of layers); see witnesses.py.

Each layer is an instruction in a block file of its file, in the order of the instructions, of their call sites and of each list. llc writes a directive for each file when it first needs
it: directory, name, MD5 and text. Kinds are those of the first layer with such a file. The script has to know the names of texts that llc does not show: another checksum than MD5,
and the MD5 of directory and name where there is no checksum."""
import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

Vector = dict[str, Any]
Nodes = dict[str, dict[str, Any]]
FILE = re.compile(r'^\t\.file\t(\d+) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"(?: md5 0x([0-9a-f]{32}))?(?: source "((?:[^"\\]|\\.)*)")?$', re.MULTILINE)
HEAD = """target triple = "x86_64-unknown-linux-gnu"
!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 2, !"Dwarf Version", i32 5}
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "the unit", directory: "of all")
"""


def layers_of(nodes: Nodes, name: str | None) -> Iterator[dict[str, Any]]:
    """Of an instruction's location, and of its call sites behind it."""
    while name is not None:
        location = nodes[name]
        yield from (nodes[layer] for layer in (nodes[location["irlayers"]]["operands"] if "irlayers" in location else []))
        name = location.get("inlinedAt")


def file_text(file: dict[str, Any]) -> str:
    parts = [f"{key}: {part if key == 'checksumkind' else json.dumps(part)}" for key, part in file.items() if key not in ("node", "distinct")]
    return f"{'distinct ' if file.get('distinct') else ''}!DIFile({', '.join(parts)})"


def module(nodes: Nodes, functions: list[list[dict[str, Any]]]) -> str:
    """A function for each list of layers, with an instruction for each layer."""
    text = [HEAD]
    count = 4
    files: dict[str, int] = {}
    for number, layers in enumerate(functions):
        function, body = count, ""
        text.append(f'!{function} = distinct !DISubprogram(name: "f{number}", file: !3, line: 1, type: !DISubroutineType(types: null), spFlags: DISPFlagDefinition, unit: !2)\n')
        count += 1
        for layer in layers:
            if layer["file"] not in files:
                files[layer["file"]] = count
                text.append(f"!{count} = {file_text(nodes[layer['file']])}\n")
                count += 1
            text.append(f"!{count} = !DILexicalBlockFile(scope: !{function}, file: !{files[layer['file']]}, discriminator: 0)\n"
                        f"!{count + 1} = !DILocation(line: {layer.get('line', 0)}, column: {layer.get('column', 0)}, scope: !{count})\n")
            body += f'  call void asm sideeffect "nop", ""(), !dbg !{count + 1}\n'
            count += 2
        text.append(f"define void @f{number}() nounwind !dbg !{function} {{\n{body}  ret void\n}}\n")
    return "".join(text)


def digest(file: dict[str, Any], shown: re.Match[str]) -> str:
    if file.get("checksumkind") == "CSK_MD5":
        return str(shown[4])
    return str(file["checksum"]) if "checksum" in file else hashlib.md5(f"{shown[2]}{shown[3]}".encode()).hexdigest()


def read_source(vector: Vector, release: int, _: str) -> bool:
    nodes, args = vector.get("nodes", {}), vector["args"]
    if vector["expect"]["outcome"] != "ok" or "irlayers" not in vector["needs"] or vector["module"].get("named"):
        return False
    functions = [[layer for instruction in function["instructions"] for layer in layers_of(nodes, instruction.get("dbg"))] for function in vector["module"]["functions"]]
    if not any(functions):
        return False
    command = [f"/usr/lib/llvm-{release}/bin/llc", "-o", "-", "-"]
    done = subprocess.run(command, input=module(nodes, functions), capture_output=True, text=True, timeout=20, check=False)
    entries = []
    for shown in FILE.finditer(done.stdout):
        named = [layer for layer in sum(functions, []) if (nodes[layer["file"]].get("directory", ""), nodes[layer["file"]]["filename"]) == (shown[2], shown[3])]
        if named and shown[5] is not None:
            file = named[0]["file"]
            entries.append({"kind": named[0]["kind"], "file": file, "text": shown[5], "md5": digest(nodes[file], shown)})
    if done.returncode or len({entry["file"] for entry in entries}) < len(entries):
        return False
    if args == {"list": True}:
        return bool(vector["expect"]["value"] == {"entries": entries})
    found = [number for number, entry in enumerate(entries, 1) if entry["file"] == args.get("find")]
    return bool(found) and int(vector["expect"]["value"]["entry"] or 0) == found[0]
