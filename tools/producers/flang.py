"""`dloc flang`: from Fortran to a layered module, by the tools of Flang."""

from lower import Lowering, temporary_folder
from program import VIOLATION, Command, error, run

STAGES = ["hlfir", "fir", "cfg"]
TO_FIR = ["@hlfir", "inline-elementals", "lower-hlfir-ordered-assignments", "lower-hlfir-intrinsics", "bufferize-hlfir", "convert-hlfir-to-fir", "@fir"]
BEFORE_CFG = """cse array-value-copy character-conversion canonicalize simplify-region-lite cse memory-allocation-opt inline simplify-region-lite cse
    fir-polymorphic-op fir-assumed-rank-op stack-reclaim""".split()
TO_CFG = ["cfg-conversion", "@cfg"]
# Flang's own work between the stages; the compiler goes on from the last one, with all of its passes. Those that it takes before cfg-conversion run
# twice then, or in another order: either may move blocks. The first of these ways that makes the same code is taken.
WAYS = [(STAGES, TO_FIR + TO_CFG), (STAGES, TO_FIR + BEFORE_CFG + TO_CFG), (STAGES[:-1], TO_FIR)]


class Flang(Lowering):
    def compile(self, more: list[str], source: str, written: str = "-", output: str = "output") -> None:
        """Run the compiler's front end, with the flags of the user."""
        compiler = "flang-new" if self.release < 20 else "flang"
        self.run(compiler, "-fc1", *more, *self.options.flag, source, "-o", written, output=output)

    def to_module(self, source: str, module: str) -> None:
        self.compile(["-emit-llvm", "-debug-info-kind=standalone"], source, output=module)

    def option(self, step: str) -> str:
        """`@STAGE` takes the text of a stage."""
        stage = step[1:]
        return f"--snapshot-op-locations=filename={self.path(stage)}.mlir tag={stage}" if step.startswith("@") else f"--{step}"

    def lower(self, passes: list[str]) -> None:
        """The program behind these passes, as text: in the syntax that keeps the locations of a block's arguments, by way of bytecode, which keeps
        locations out of the texts of stages."""
        hlfir, bytecode = self.path("compiled.mlir"), self.path("lowered.mlirbc")
        generic = ["-emit-hlfir", "-mmlir", "--mlir-print-debuginfo", "-mmlir", "--mlir-print-op-generic"]
        self.compile(generic, self.source, hlfir)
        self.run("fir-opt", hlfir, *map(self.option, passes), "--emit-bytecode", "-o", bytecode)
        self.run("fir-opt", bytecode, "--mlir-print-debuginfo", "--mlir-print-op-generic", output="lowered.mlir")


def main(command: Command) -> int:
    with temporary_folder() as folder:
        tools, status = Flang(command, folder, "flang-22", "fir-opt"), VIOLATION
        tools.to_module(tools.source, "the lowered module")
        for stages, passes in WAYS:
            if stages != STAGES:
                error("warning: the layer cfg is left out, as it changes the code")
            tools.lower(passes)
            tools.number("lowered.mlir", stages, "numbered.fir")
            tools.to_module(tools.path("numbered.fir"), "the module with numbers")
            status = tools.join("--constants-may-differ", may_fail=passes != TO_FIR)
            if status != VIOLATION:
                break
        return status


run(main)
