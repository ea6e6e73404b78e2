"""What tests of revealed objects ask of files, by programs that are not dloc: rows of line tables by llvm-dwarfdump, layers from the text of a table."""

import bisect
import hashlib
import re
import subprocess

LLVM = "/usr/lib/llvm-22/bin"


def run(*command, **options):
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, timeout=600, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode(errors='replace')[:600]}")
    return done.stdout.decode(errors="surrogateescape")


class Rows:
    """The rows of a section: what an address has, by the last row at or before it."""

    def __init__(self, path, section=".debug_line"):
        if section != ".debug_line":
            swapped = f"{path}{section}"
            run(f"{LLVM}/llvm-objcopy", "--rename-section=.debug_line=.old", f"--rename-section={section}=.debug_line", path, swapped)
            path = swapped
        self.first_files = []  # of each unit
        places = {}
        directories, files, version, names = {}, {}, 0, None
        for line in run(f"{LLVM}/llvm-dwarfdump", "--debug-line", path).splitlines():
            if line.startswith("0x"):
                word = line.split()
                address = int(word[0], 16)
                if "end_sequence" in word:
                    places.setdefault(address, None)
                else:
                    places[address] = (self.path_of(files, directories, int(word[3]), version), int(word[1]), int(word[2]), int(word[5]))
            elif line.startswith("debug_line["):
                directories, files = {}, {}
            elif match := re.match(r" +version: (\d+)", line):
                version = int(match[1])
            elif match := re.match(r'include_directories\[ *(\d+)\] = "(.*)"', line):
                directories[int(match[1])] = match[2]
            elif match := re.match(r"file_names\[ *(\d+)\]", line):
                names = int(match[1])
            elif match := re.match(r' +name: "(.*)"', line):
                files[names] = [match[1], 0]
                if len(files) == 1:
                    self.first_files.append(match[1])
            elif match := re.match(r" +dir_index: (\d+)", line):
                files[names][1] = int(match[1])
        self.addresses = sorted(places)
        self.places = [places[address] for address in self.addresses]

    @staticmethod
    def path_of(files, directories, number, version):
        name, directory = files.get(number, ("", 0))
        if name.startswith(("/", ".debug_txt.")) or (version < 5 and directory == 0):
            return name
        return directories.get(directory, "") + "/" + name

    def row(self, address):
        """Where the last row at or before it is."""
        return self.addresses[max(bisect.bisect_right(self.addresses, address) - 1, 0)]

    def at(self, address):
        """(path, line, column, discriminator), or None."""
        i = bisect.bisect_right(self.addresses, address)
        return self.places[i - 1] if i else None


class Table:
    """What the numbers of a table stand for: for each kind (path, line, column)."""

    def __init__(self, paths):
        self.layers = {}
        for path in paths:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                self.read(file.read())

    def read(self, text):
        nodes = dict(re.findall(r"^(!\d+) = (?:distinct )?(.*)$", text, re.M))
        named = dict(re.findall(r"^!([a-z._]+) = !\{(.*)\}$", text, re.M))
        first, *step = map(int, re.findall(r"i32 (\d+)", nodes[re.findall(r"!\d+", named["dloc.hidden.table"])[0]]))
        texts = {}
        for entry in re.findall(r"!\d+", named.get("llvm.intermediate_level_source", "")):
            kind, file, content = re.match(r'!\{!"(.*?)", (!\d+), !"(.*)"\}$', nodes[entry], re.S).groups()
            if content:
                texts[kind, file] = f".debug_txt.{kind.lower()}.{hashlib.md5(unescaped(content)).hexdigest()}"
        for number, node in enumerate(re.findall(r"!\d+", named["dloc.hidden.layers"])):
            self.layers[first + number * (step[0] if step else 1)] = dict(self.layer(nodes, texts, layer) for layer in re.findall(r"!\d+", nodes[node])[1:])

    @staticmethod
    def layer(nodes, texts, layer):
        kind, location = re.match(r'!\{!"(.*?)", (!\d+)\}', nodes[layer]).groups()
        fields = dict(re.findall(r"(\w+): (!?\d+)", nodes[location]))
        file = re.search(r"file: (!\d+)", nodes[fields["scope"]])[1]
        name, directory = re.match(r'!DIFile\(filename: "(.*?)", directory: "(.*?)"', nodes[file]).groups()
        path = texts.get((kind, file)) or (name if name.startswith("/") else f"{directory}/{name}")
        return kind, (path, int(fields["line"]), int(fields.get("column", 0)))


def unescaped(text):
    """The bytes of a string of LLVM's assembly."""
    text = text.encode(errors="surrogateescape")
    return re.sub(rb"\\(\\|[0-9A-Fa-f]{2})", lambda match: b"\\" if match[1] == b"\\" else bytes([int(match[1], 16)]), text)


def instructions(path, padding=True):
    """The address of each instruction."""
    text = run(f"{LLVM}/llvm-objdump", "-d", "--no-show-raw-insn", path)
    found = re.findall(r"^ *([0-9a-f]+):\s*(.*)$", text, re.M)
    return [int(address, 16) for address, word in found if padding or not re.match(r"(cs )?nop|int3|xchgw\s+%ax, %ax|udf|<unknown>|data16", word)]
