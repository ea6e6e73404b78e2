"""usage: chapter-17.py HIDDEN.MD DLOC

Hides the module of the example that begins chapter 17 of spec/hidden.md, and prints what the example has and `dloc hide` does not write.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

MODULE = """\
define i32 @f(i32 %x) !dbg !8 {{
{instructions}
  ret i32 %a, !dbg !31
}}
!llvm.dbg.cu = !{{!2}}
!llvm.module.flags = !{{!5}}
!2 = distinct !DICompileUnit(language: DW_LANG_Python, file: !3, emissionKind: FullDebug)
!3 = !DIFile(filename: "source.py", directory: "/src")
!4 = !DIFile(filename: "k.tile", directory: "/src")
!5 = !{{i32 2, !"Debug Info Version", i32 3}}
!8 = distinct !DISubprogram(name: "f", file: !3, line: 1, type: !9, unit: !2, spFlags: DISPFlagDefinition)
!9 = !DISubroutineType(types: !{{}})
!15 = !DILexicalBlockFile(scope: !8, file: !4, discriminator: 0)
!31 = !DILocation(line: 3, column: 3, scope: !8)
{metadata}
"""


def main(spec: str, dloc: str) -> None:
    example = re.search(r"^## 17 .*?^```llvm\n(.*?)^```$", Path(spec).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert example, "chapter 17 has no example"
    before, *after = (part.splitlines() for part in re.sub(" +;.*", "", example[1]).split("\n\n"))
    with tempfile.TemporaryDirectory() as folder:
        module = MODULE.format(instructions=before[0], metadata="\n".join(before[1:]))
        command = [dloc, "hide", "--first", "4670", "--table", f"{folder}/table.ll", "-"]
        hidden = subprocess.run(command, input=module, capture_output=True, check=True, text=True).stdout
        written = [hidden.splitlines(), Path(folder, "table.ll").read_text(encoding="utf-8").splitlines()]
    for part, lines in zip(after, written, strict=True):
        print("".join(f"missing: {line}\n" for line in part if line not in lines), end=f"{len(part)} lines\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
