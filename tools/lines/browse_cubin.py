"""`dloc browse` of a cubin: SASS where nvdisasm is there, else the bytes of instructions; the source by NVIDIA's line map, the layer PTX by its second one."""

import os
import re
import shutil
import struct
import subprocess
from collections import Counter

from browse_ptx import Own, ask
from program import Command, diagnose, fail, read_file

MACHINE = 190  # EM_CUDA
NO_BITS = 8  # SHT_NOBITS
MOST_CODE = 1_000_000  # instructions
SIZE = 16  # bytes of an instruction, since sm_70
SECONDS = 120  # for the disassembler
SECTION = re.compile(r"\s*\.section\s+\.text\.([^\s,]+),")
INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+([^/]*?)\s*;.*")
SAMPLE = re.compile(r"\s*(?:(\S+)\+)?(?:0[xX])?([0-9a-fA-F]{1,8})(?:\s+([0-9]{1,15}))?\s*")


def is_cubin(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(20)
    except OSError:
        return False  # told by who reads it
    return len(head) == 20 and head[:6] == b"\x7fELF\x02\x01" and struct.unpack_from("<H", head, 18)[0] == MACHINE


def words_of(instruction: bytes) -> str:
    return " ".join(f"{int.from_bytes(instruction[i : i + 8], 'little'):016x}" for i in range(0, len(instruction), 8))


def sections(path: str) -> dict[str, bytes]:
    """The content of each section, the first of a name."""
    with open(path, "rb") as file:
        image = file.read()
    found: dict[str, bytes] = {}
    taken = 0
    try:
        (at,), (count, names) = struct.unpack_from("<Q", image, 40), struct.unpack_from("<2H", image, 60)
        headers = [struct.unpack_from("<2I4Q", image, at + 64 * i) for i in range(count)]
        for name, kind, _, _, offset, size in headers:
            start = headers[names][4] + name
            text = image[start : image.index(b"\0", start)].decode(errors="replace")
            taken += size if kind != NO_BITS else 0
            if taken > len(image):
                fail(f"{path}: its sections have more bytes than the file")
            found.setdefault(text, image[offset : offset + size] if kind != NO_BITS else b"")
    except (struct.error, IndexError, ValueError):
        fail(f"{path}: its table of sections cannot be read")
    return found


class Cubin(Own):
    """Each kernel begins at 0; here at a round address of its own, as the page tells code by its address."""

    def __init__(self, command: Command) -> None:
        super().__init__()
        path = command.operands[0]
        content = sections(path)
        kernels = {name.removeprefix(".text."): code for name, code in content.items() if name.startswith(".text.")}
        if not kernels:
            fail(f"{path}: there is no kernel")
        self.step = SIZE
        while self.step < max(map(len, kernels.values())):
            self.step *= 16
        self.bases = {name: i * self.step for i, name in enumerate(kernels)}
        self.texts = {name: text.replace(b"\0", b"\n").replace(b"\t", b" ").decode(errors="replace") for name, text in content.items() if name.startswith(".nv_debug_ptx_txt")}
        if len(kernels) > 1:
            self.notes.append("Each kernel begins at 0. Here they begin at " + ", ".join(f"{base:#x} ({name})" for name, base in self.bases.items()) + ".")
        if sum(map(len, kernels.values())) > SIZE * MOST_CODE:
            fail(f"{path} has more than {MOST_CODE:,} instructions")
        sass = self.disassemble(path)
        for name, code in kernels.items():
            bytewise = [(at, words_of(code[at : at + SIZE])) for at in range(0, len(code), SIZE)]
            self.code.append((name, [(self.bases[name] + at, text) for at, text in sass.get(name, bytewise)]))
        self.read_known(command)
        self.code = [(self.name_of(name, code), code) for name, code in self.code]

    def disassemble(self, path: str) -> dict[str, list[tuple[int, str]]]:
        """The output of nvdisasm, by kernels."""
        tool = shutil.which("nvdisasm") or shutil.which(os.path.join(os.environ.get("CUDA_HOME", ""), "bin", "nvdisasm"))
        found: dict[str, list[tuple[int, str]]] = {}
        if not tool:
            self.notes.append("There is no nvdisasm in PATH or CUDA_HOME/bin: instructions are shown as their bytes.")
            return found
        try:
            done = subprocess.run([tool, "-c", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            fail(f"{tool} -c {path} takes more than {SECONDS} s")
        except OSError as failure:
            fail(f"cannot run {tool}: {failure.strerror}")
        if done.returncode:
            fail(f"{tool} cannot disassemble {path}: {done.stderr.strip()[:1000]}")
        kernel = ""
        for line in done.stdout.splitlines():
            section, instruction = SECTION.match(line), INSTRUCTION.fullmatch(line)
            kernel = section[1] if section else kernel
            if instruction:
                found.setdefault(kernel, []).append((int(instruction[1], 16), " ".join(instruction[2].split())))
        return found

    def read_known(self, command: Command) -> None:
        """By `dloc symbolize`, a question for each instruction."""
        addresses = [(name, at) for name, code in self.code for at, _ in code]
        questions = "".join(f"{name}+{at - self.bases[name]:x}\n" for name, at in addresses)
        for answer in ask(command, text=questions, least=0):
            if answer.get("kernel") in self.bases:
                self.known[self.bases[answer["kernel"]] + int(answer["address"], 16)] = (self.stacks.of(answer["frames"]), answer.get("layers", []))
        if not self.known:
            self.notes.append("Nothing is known of the code: nvcc -lineinfo, or ptxas --generate-line-info, makes the tables.")

    def name_of(self, kernel: str, code: list[tuple[int, str]]) -> str:
        """For people, as `dloc symbolize` says it."""
        stacks = (self.known.get(at, (None, []))[0] for at, _ in code)
        return next((str(stack["outermost"]["function"]) for stack in stacks if stack and "function" in stack["outermost"]), kernel)

    def shown(self, address: int) -> str:
        return hex(address)

    def read_rows(self, path: str) -> tuple[Counter[int], bool]:
        """Samples: KERNEL+ADDRESS [COUNT], or the address alone where there is one kernel."""
        counts: Counter[int] = Counter()
        wrong = False
        for number, line in enumerate(read_file(path).splitlines(), 1):
            match = SAMPLE.fullmatch(line)
            kernel = (match[1] or (next(iter(self.bases)) if len(self.bases) == 1 else "")) if match else ""
            if match and kernel in self.bases:
                counts[self.bases[kernel] + int(match[2], 16)] += int(match[3] or 1)
            elif line.strip() and not line.lstrip().startswith("#"):
                diagnose(path, "expected 'KERNEL+ADDRESS [COUNT]', of a kernel of the file, in hexadecimal and decimal", "samples.format", number, line[:100])
                wrong = True
        return counts, wrong
