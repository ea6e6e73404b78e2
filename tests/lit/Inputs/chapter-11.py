#!/usr/bin/env python3
"""usage: chapter-11.py THREAD.md N [!NODE]

Prints a module with the example of section 11.N of spec/thread.md: its metadata, and its instructions at the start of @f. With a NODE that is the location of @f's
first instruction.
"""

import re
import sys

MODULE = """\
define i32 @f(i32 %x) !dbg !8 {{
{instructions}  %y = add i32 %x, 1, !dbg {first}
  ret i32 %y, !dbg !7
}}

define i32 @g(i32 %x) !dbg !9 {{
  ret i32 %x, !dbg !10
}}

!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!1}}
!llvm.intermediate_level_source = !{{!6}}
!0 = distinct !DICompileUnit(language: DW_LANG_Python, file: !2, emissionKind: FullDebug)
!1 = !{{i32 2, !"Debug Info Version", i32 3}}
!2 = !DIFile(filename: "source.py", directory: "/src")
!3 = !DIFile(filename: "k.tile", directory: "/src")
!4 = !DILexicalBlockFile(scope: !8, file: !3, discriminator: 0)
!5 = !DILexicalBlockFile(scope: !9, file: !3, discriminator: 0)
!6 = !{{!"TileIR", !3, !"entry @k() {{}}"}}
!7 = !DILocation(line: 1, scope: !8)
!8 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!9 = distinct !DISubprogram(name: "g", scope: !2, file: !2, line: 10, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 10, scope: !9)
!11 = !DISubroutineType(types: !{{}})
{metadata}"""


def main(spec: str, number: str, first: str = "!7") -> None:
    with open(spec, encoding="utf-8") as file:
        text = file.read()
    section = re.search(rf"^### 11\.{number} .*?^```llvm\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if not section:
        sys.exit(f"no example in section 11.{number}")
    lines = section[1].splitlines(keepends=True)
    if len(lines) > 8:
        sys.exit(f"section 11.{number} has an example of more than eight lines")
    instructions = "".join(line for line in lines if line.startswith(" "))
    print(MODULE.format(instructions=instructions, first=first, metadata="".join(line for line in lines if line.startswith("!"))), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
