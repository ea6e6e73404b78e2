"""usage: browse_text.py FOLDER: writes texts, and for each a file in PTX with an instruction for each of its lines."""

import os
import sys

TEXTS = {
    "a.c": r"""/* a { comment
 * of two lines */
static int
foo(int a,
    char c)
{
  char *s = "{\"{", d = '{'; // {
#ifdef A
  if (a) {
#else
  if (c)
  {
#endif
    for (int i = 0; i < 3; i++)
    {
      a += i;
    }
  } else if (c == 3) {
    a = 2;
  } else {
    a = 3;
  }
  do {
    a--;
  } while (a > 0);
#define BRACE {
}
int b[] = {1, 2};
""",
    "a.mlir": """module {
  func.func @f(%a: i32,
               %b: i32)
      attributes {llvm.emit_c_interface, x = "{"} { // {
    scf.if %c {
      "x.y"() : () -> ()
    } else {
      "x.z"() : () -> ()
    }
    return
  }
}
""",
    "a.ll": """source_filename = "a.c"
declare { i32, i32 } @g()
define i32 @f(i32 %x) {
  %y = call { i32, i32 } @g()
  ret i32 %x
}
!0 = !{}
""",
    "a.ptx.txt": """.version 8.4
.target sm_80
.visible .entry k(
  .param .u64 p // {
)
{
  .loc 1 2 3
  ld.param.u64 %rd1, [p];
  {
    ret;
  }
}
""",
    "a.py": """def f(
    x,
):
    for i in x:
        y(i)

    if x:
        z()
    return 1
""",
    "a.f90": """subroutine f(n)
  do i = 1, n
    x(i) = i
  end do
end subroutine
""",
    "deep.c": "{\n" * 20000 + "}\n" * 20000,
    "open.c": "{ (\n#if A\n/\n" * 10000,
}

for name, text in TEXTS.items():
    with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
        file.write(text)
    lines = text.count("\n")
    with open(os.path.join(sys.argv[1], (name if name[0] != "a" else name[2:]) + ".ptx"), "w", encoding="utf-8") as file:
        file.write(f'.version 8.4\n.target sm_80\n.visible .entry f()\n{{\n.file 1 "{name}"\n')
        file.writelines(f".loc 1 {line} 0\nret;\n" for line in range(1, lines + 1))
        file.write("}\n")
