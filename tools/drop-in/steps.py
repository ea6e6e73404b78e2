"""usage: clang|clang++ clang's options...
       clang|clang++ COMPILER its options...        as CMAKE_C_COMPILER_LAUNCHER, CMAKE_CXX_COMPILER_LAUNCHER

clang of a stock LLVM that gives objects layers: `CC=.../clang make`. A step that makes objects of C, C++ or LLVM IR with -g is run as it is; then the module that
clang has before its passes becomes a layer and goes through clang again as numbers (`dloc annotate --hide`), and the object that is already there gets
the line tables and texts of the layers (`dloc reveal --exact`). So diagnostics, dependency files, exit status and code are those of the compiler alone, and an
object that cannot get layers stays as it is. A module of LLVM IR that has layers keeps them beside this one: clang, which would drop all its locations, gets it without. In a step that also links, the objects get layers before they are linked. Each other step is the compiler alone: links,
-E, -S, -emit-llvm, -flto, no -g, assembler, probes, offloading, standard input, which nobody can read twice.

Environment:
  DLOC_LAYERS   which layers: llvm (default), the module before its passes; llvm-opt, behind them; llvm,llvm-opt
  DLOC_HOOK     a command, run with MODULE OUT as two more arguments: it reads the module, which has the layers above, and writes it with more of them.
                DLOC_SOURCE and DLOC_OUTPUT name what is compiled and the object, DLOC_NAME is the name of the source for outputs (-ffile-prefix-map)
  DLOC_MODE     exact (default); fast compiles once instead of twice: the source's own lines may differ (spec/hidden.md, 17.4); full compiles once more for each layer.
                A step that also links is never fast
  DLOC_VERBOSE  1, or a file that gets the lines: what became of each step, and why
  DLOC_STRICT   1: a step that makes objects with -g and gives one of them no layers fails, and leaves no such object
  DLOC_PROFILE  the rules by which dloc reads and writes layers (default: rfc, for a module with lists llvm-24)
  DLOC_LLVM     the folder of the stock compiler (default: the next one in PATH)
  DLOC          the command dloc (default: the one that was built or installed with this program, then dloc)
  DLOC_TIMEOUT  seconds for each tool that makes layers (default 3600)
"""

from __future__ import annotations

import os
import sys

from shared import HERE, Guard, NoLayers, Stopped, TimeOut, become, copy, dloc_command, fail, find, heed_signals, is_drop_in, is_layered, leave, lose, own_descriptor, run, say, stock_tool, time_limit, with_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# Without regular expressions, whose module takes half as long to import as Python to start.
COMPILERS = ("clang", "clang++", "cc", "gcc", "c++", "g++", "ccache", "sccache", "distcc", "icecc")
PROBES = ("/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch", "/meson-private/")  # and conftest.c, as autoconf calls it
LAYERS = ("llvm", "llvm-opt")
MODES = ("exact", "fast", "full")
SOURCES = (".c", ".i", ".ii", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ll", ".bc")
LANGUAGES = ("c", "c++", "cpp-output", "c++-cpp-output", "ir")
# With these the compiler tells of itself, or makes more than one file on the way: they need the compiler itself, and so DLOC_MODE=fast is exact.
TELLING = ("-MJ", "-save-temps", "--save-temps", "-serialize-diagnostics", "--serialize-diagnostics", "-ftime-", "-fproc-stat-report", "-print-stats", "-Rpass", "-frecord-", "-grecord-",
           "-fsave-optimization-record")  # fmt: skip
# Options of `clang -cc1` that write other files, or to the terminal; True: another word follows.
OF_FRONT = {"-dependency-file": True, "-MT": True, "-MQ": True, "-MP": False, "-MG": False, "-sys-header-deps": False, "-module-file-deps": False, "-header-include-file": True,
            "-serialize-diagnostic-file": True, "-diagnostic-log-file": True, "-dependency-dot": True, "-module-dependency-dir": True, "-H": False}  # fmt: skip
OF_BACK = {"-opt-record-file": True, "-opt-record-passes": True, "-opt-record-format": True, "-stack-usage-file": True, "-split-dwarf-output": True}
OF_ANY = {"-ftime-report": False, "-print-stats": False, "-v": False}
PAIRS = ("-target-feature", "-mllvm", "-load", "-main-file-name", "-D", "-U", "-I", "-include", "-dwarf-debug-flags", "-record-command-line")  # their values may look like options
# With these clang prints its module before the first pass into a folder, and compiles on. LLVM 22 has all of them; what a later release does not know would end the compilation.
DUMP = ("-print-before-pass-number=1", "-print-module-scope", "-preserve-ll-uselistorder", "-ir-dump-directory=")
# A user's options of this kind would clash with ours, and others keep the command or name files in the module.
NO_DUMP = ("-print-before", "-print-after", "-print-module", "-print-changed", "-ir-dump", "-preserve-ll", "-fembed", "-coverage-notes", "-disable-llvm-passes", "-fcrash-diagnostics")
# With these one run of the compiler makes the module and logs what it runs, by its own CC_PRINT_OPTIONS, if no name of another file comes from -o.
LOG = "CC_PRINT_OPTIONS"
NOT_AT_ONCE = ("@", "-x", "--", "-o", "-Xclang", "-Wp,", "-gsplit-dwarf", "-fprofile-arcs", "-ftest-coverage", "-fstack-usage", "-M", "-S", "-E", "-fsyntax-only", "-emit", "-flto", "-fno-integrated")
NAMED = ("-MD", "-MMD", "-MP", "-MT", "-MQ", "-MF")  # fine, if -MT or -MQ, and -MF are there
ROOM = 1 << 30  # a module takes less
STARTS_OF_ANY = ("-fmodule-output", "-ftime-trace", "-ftime-report=", "-stats-file", "-Rpass")
NO_ELF = ("windows", "win32", "cygwin", "uefi", "darwin", "macos", "ios", "tvos", "watchos", "xros", "driverkit", "wasm", "aix", "nvptx", "spirv", "dxil")
DIALECTS_OF_OFFLOADING = ("-fopenmp-is-target-device", "-fopenmp-is-device", "-fembed-offload-object", "-fcuda-is-device")


class NotWanted(NoLayers):
    """Nobody asked for debugging information."""


def has_any(text: str, parts: tuple[str, ...]) -> bool:
    return any(part in text for part in parts)


def is_compiler(word: str) -> bool:
    """TARGET-NAME-VERSION."""
    name = os.path.basename(word)
    stem, _, version = name.rpartition("-")
    return (name if version.strip("0123456789.") or not version else stem).rpartition("-")[2] in COMPILERS


def compiler_and_options(words: list[str]) -> tuple[list[str], list[str]]:
    """As a launcher this program is called with a compiler, which may be this program, too."""
    name, command = os.path.basename(sys.argv[0]), []
    while words and is_compiler(words[0]):
        if is_drop_in(words[0]):
            name = os.path.basename(words[0])
        else:
            found = find(words[0], os.environ.get("PATH") or "")
            if not found:
                break
            command.append(found)
        words = words[1:]
    return command or [stock_tool(name)], words


def reason_to_pass(options: list[str]) -> str | None:
    """A reason that does not depend on what the compiler makes of the options: that is what its jobs say."""
    if not any(option in ("-c", "-x", "-") or option[:1] == "@" or option.endswith(SOURCES) for option in options):
        return "it is no step that makes objects"
    if any(os.path.basename(option).startswith("conftest.") for option in options) or has_any(f"{os.getcwd()}/ {options[-1]}", PROBES):
        return "it is a probe of a build system"
    return None


def commands(text: str) -> list[list[str]]:
    """As clang shows them: a line for each, and each word in quotes, with a backslash before quotes, backslashes and dollars in it. Names may have ends of lines."""
    backslash, quote = "\ud800", "\ud801"  # no decoded text has them
    rest, found = "\n" + text.replace("\\\\", backslash).replace('\\"', quote).replace("\\$", "$"), []
    while rest := rest.partition('\n "')[2]:
        words: list[str] = []
        while not words or rest[:2] == ' "':
            word, _, rest = rest[2 if words else 0 :].partition('"')
            words.append(word.replace(backslash, "\\").replace(quote, '"'))
        found.append(words)
    return found


def without(options: list[str], dropped: dict[str, bool], starts: tuple[str, ...] = ()) -> list[str]:
    kept, words = [], iter(options)
    for word in words:
        if word in dropped:
            if dropped[word]:
                next(words, None)
        elif word in PAIRS:
            kept += [word, *(value for value in [next(words, None)] if value is not None)]
        elif not starts or not word.startswith(starts):
            kept.append(word)
    return kept


class Job:
    """One call of `clang -cc1` that makes an object."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.source, self.output, self.language = words[-1], self.value("-o"), self.value("-x")
        self.name = self.output  # in messages
        self.has_layers = False  # the module that is compiled

    def value(self, option: str) -> str:
        return self.words[self.words.index(option) + 1] if option in self.words[:-1] else ""

    def judge(self) -> None:
        kind = next((word.partition("=")[2] for word in self.words if word.startswith("-debug-info-kind=")), "line-directives-only")
        if self.language not in LANGUAGES:
            raise NoLayers(f"the language is {self.language or 'unknown'}")
        if self.language == "ir" and os.path.isfile(self.source):
            with open(self.source, "rb") as file:
                self.has_layers = is_layered(file.read())
        if kind == "line-directives-only" and not self.has_layers:
            raise NotWanted("no -g")
        if has_any(self.value("-triple"), NO_ELF):
            raise NoLayers("its objects are no ELF files")
        for word in self.words:
            if word in DIALECTS_OF_OFFLOADING:
                raise NoLayers("it is for offloading")
            if word.startswith("-flto") or word == "-ffat-lto-objects":
                raise NoLayers(word)
        if self.source == "-" or not os.path.isfile(self.source):
            raise NoLayers("its input is no file")
        if own_descriptor(self.output) is not None or (os.path.exists(self.output) and not os.path.isfile(self.output)):
            raise NoLayers("its output is no file")
        if os.path.exists(self.output) and not os.access(self.output, os.W_OK):
            raise NoLayers("its output may not be written")

    def front(self, output: str, passes: bool) -> list[str]:
        """The module, before or behind its passes."""
        return [*self.as_module(), *([] if passes else ["-disable-llvm-passes"]), "-o", output, "-x", self.language, self.source]

    def between(self, module: str, output: str) -> list[str]:
        """The passes over a module."""
        return [*self.as_module(), "-o", output, "-x", "ir", module]

    def back(self, module: str, output: str, passes: bool) -> list[str]:
        """The object of a module."""
        return [*self.bare(), *([] if passes else ["-disable-llvm-passes"]), "-o", output, "-x", "ir", module]

    def bare(self) -> list[str]:
        return without(self.words[:-1], {"-o": True, "-x": True})

    def as_module(self) -> list[str]:
        return [*("-emit-llvm" if word == "-emit-obj" else word for word in self.bare()), "-emit-llvm-uselists"]  # their order decides what some passes do

    def quiet(self, guard: Guard) -> Job:
        """The same job, which writes to the folder alone."""
        words = without(self.words, OF_FRONT | OF_BACK | OF_ANY, (*STARTS_OF_ANY, "--compress-debug-sections"))  # libelf may not know how to undo it
        if "-split-dwarf-output" in self.words:
            words[2:2] = ["-split-dwarf-output", guard.path("hidden.dwo")]
        notes = guard.path("notes.gcno")
        words = [f"-coverage-notes-file={notes}" if word.startswith("-coverage-notes-file=") else word for word in words]
        if "-coverage-notes-file" in words:
            words[words.index("-coverage-notes-file") + 1] = notes
        return Job(words)

    def for_front(self) -> Job:
        return Job(without(self.words, OF_BACK, STARTS_OF_ANY))

    def for_back(self) -> Job:
        return Job(without(self.words, OF_FRONT, STARTS_OF_ANY))


def steps_of(command: list[str], options: list[str]) -> tuple[list[list[str]], int]:
    """The jobs that the compiler says it would run, and its release. -save-temps would show the steps of a job singly."""
    files = {option: True for option in ("-MJ", "--serialize-diagnostics", "-serialize-diagnostics")}  # it writes or removes them
    asked = without(options, files, ("-save-temps", "--save-temps", "-MJ", "--serialize-diagnostics="))
    told, nothing = os.memfd_create("jobs"), os.open(os.devnull, os.O_RDWR)
    run([*command, "-###", *asked], streams=(nothing, nothing, told))
    os.lseek(told, 0, os.SEEK_SET)
    with open(told, "rb") as file:
        text = file.read().decode(errors="surrogateescape")
    os.close(nothing)
    release = text.partition("clang version ")[2].partition(".")[0] if "Apple" not in text.partition("\n")[0] else ""
    return commands(text), int(release) if release.isdigit() else 0


class Layers:
    """The layers of one object."""

    def __init__(self, job: Job, guard: Guard) -> None:
        self.job, self.quiet, self.guard, self.dloc = job, job.quiet(guard), guard, dloc_command()
        self.kinds = kinds_wanted()
        self.before = "llvm" in self.kinds  # whether the first module is that before the passes
        os.environ["DLOC_SOURCE"], os.environ["DLOC_OUTPUT"] = job.source, job.output

    def ask(self, command: str, *arguments: str, statuses: tuple[int, ...] = (0,)) -> None:
        self.start(*with_rules(command, *arguments), statuses=statuses)

    def start(self, *command: str, statuses: tuple[int, ...] = (0,)) -> None:
        messages = os.open(self.guard.path("messages"), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            status = run(command, self.guard, time_limit(), (0, messages, messages))
            if status not in statuses:
                said = os.pread(messages, 2000, 0).decode(errors="replace").strip()
                if "unknown profile" in said:
                    fail(f"DLOC_PROFILE: {said}")
                raise NoLayers(f"{os.path.basename(command[0])} {command[1]}: exit status {status}: {said}")
        except TimeOut:
            raise NoLayers(f"{command[0]} took more than {time_limit():g} seconds") from None
        except OSError as error:
            raise NoLayers(f"cannot run {command[0]}: {error.strerror}") from None
        finally:
            os.close(messages)

    def annotate(self, module: str, kind: str, *more: str) -> None:
        """The text is called like the source, as no other file has that name: as the unit calls it, which obeys what the user wants of names in outputs."""
        suffix = ".ll" if kind == "llvm" else ".opt.ll"
        self.ask("annotate", "--layer", kind, "--embed", "--functions", "--file", self.job.source, "--unit-file", suffix, module, *more)

    def name_for_outputs(self, layered: str) -> str:
        """The compiler's name of the source stands before the suffix of the layer's file."""
        names = self.guard.path("names")
        with open(names, "w+b") as file:
            run([self.dloc, "source", layered], self.guard, time_limit(), (0, file.fileno(), 2))
            file.seek(0)
            told = os.fsdecode(file.readline()).rstrip("\n").rpartition("\t")[2]
        return told.removesuffix(".ll").removesuffix(".opt")

    def hidden(self, module: str) -> tuple[str, bool]:
        """The plain module, and whether it has its passes still before it."""
        layered, plain, table = (self.guard.path(name) for name in ("layered.ll", "plain.ll", "table"))
        hook, passes = os.environ.get("DLOC_HOOK"), "llvm-opt" not in self.kinds
        for kind in self.kinds:
            if kind != self.kinds[0]:
                passed, module = self.guard.path("passed.ll"), layered
                self.start(*self.quiet.between(plain, passed))
                self.ask("reveal", "--fast", "--table", table, passed, "-o", module)
            if kind == self.kinds[-1] and (hook or mode_wanted() == "full"):
                self.annotate(module, kind, "-o", layered)
            else:
                self.annotate(module, kind, "--hide", table, "-o", plain)
        if hook:
            import shlex

            more = self.guard.path("more.ll")
            os.environ["DLOC_NAME"] = self.name_for_outputs(layered)
            self.start(*shlex.split(hook), layered, more)
            layered = more
        if mode_wanted() == "full":
            self.ask("hide", "--full", self.guard.path("full"), layered)
        elif hook:
            self.ask("hide", "--table", table, layered, "-o", plain)
        return plain, passes

    def exact(self, dumped: str | None = None) -> None:
        """The object is there, and gets the layers of another one."""
        module = self.guard.path("module.ll")
        if self.job.has_layers:
            module = self.job.source
            if not self.before:
                raise NoLayers("llvm-opt alone is no layer of a module that has layers")
        elif not dumped or not copy(dumped, module, b"; *** IR Dump Before "):
            self.start(*self.quiet.front(module, not self.before))
        plain, passes = self.hidden(module)
        if mode_wanted() == "full":
            folder = self.guard.path("full")
            for name in [name for name in os.listdir(folder) if name.endswith(".ll") and name != "primary.ll"]:
                self.start(*self.quiet.back(os.path.join(folder, name), os.path.join(folder, name[:-2] + "o"), passes))
            copy(self.job.output, os.path.join(folder, "primary.o"))
            self.ask("reveal", "--full", folder, "-o", self.job.output, statuses=(0, 1))
        else:
            self.start(*self.quiet.back(plain, self.guard.path("hidden.o"), passes))
            self.ask("reveal", "--exact", self.job.output, "--table", self.guard.path("table"), self.guard.path("hidden.o"), "-o", self.job.output)

    def fast(self, command: list[str], is_made: bool) -> int:
        """The object is made of the hidden module, or else of the module without layers. The compiler tells its errors itself."""
        module, hidden = self.guard.path("module.ll"), self.guard.path("hidden.o")
        if not is_made and told(self.guard, in_colour(self.job.for_front().front(module, not self.before), command)):
            return compile_after_all(command, self.job.output, self.guard)
        back, plain, passes, spoken = self.job.for_back(), "", self.before, False
        try:
            plain, passes = self.hidden(module)
            if told(self.guard, back.back(plain, hidden, passes)):
                return compile_after_all(command, self.job.output, self.guard)
            spoken = True
            split = self.job.value("-split-dwarf-output")
            if split and split != self.job.output:
                self.ask("reveal", "--fast", "--table", self.guard.path("table"), split, "-o", split)
            self.ask("reveal", "--fast", "--table", self.guard.path("table"), hidden, "-o", self.job.output)
            tell(self.job)
            return 0
        except NoLayers as reason:
            lose(self.job.name, reason)
        again = self.job.quiet(self.guard) if spoken else back
        if told(self.guard, again.back(module, self.job.output, self.before)):
            return compile_after_all(command, self.job.output, self.guard)
        return 0


def alone(command: list[str], guard: Guard | None = None) -> NoReturn:
    """This program becomes the compiler."""
    if guard:
        guard.close()
    become(command)


def compile_after_all(command: list[str], output: str, guard: Guard) -> int:
    """A step of ours has failed: the compiler tells why it does, too; or it does not, as it needs no room for our files."""
    guard.expect(output)
    status = run(command, guard)
    if not status:
        lose(output, "the module cannot be made or compiled apart from the object")
    guard.keep(output)
    return status


def in_colour(front: list[str], command: list[str]) -> list[str]:
    """Its messages go into a file first, which is no terminal."""
    wanted = os.isatty(2) and not any("color" in option for option in command)
    return [*front[:2], "-fcolor-diagnostics", *front[2:]] if wanted else front


def told(guard: Guard, command: list[str]) -> int:
    """Its messages reach the user, unless it fails."""
    said = os.open(guard.path("said"), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    status = run(command, guard, streams=(0, 1, said))
    os.lseek(said, 0, os.SEEK_SET)
    while not status and (data := os.read(said, 65536)):
        os.write(2, data)
    os.close(said)
    return status


def kinds_wanted() -> list[str]:
    kinds = (os.environ.get("DLOC_LAYERS") or "llvm").split(",")
    if not set(kinds) <= set(LAYERS):
        fail(f"DLOC_LAYERS={','.join(kinds)}: layers are {', '.join(LAYERS)}; DLOC_HOOK adds others")
    return sorted(set(kinds))


def mode_wanted() -> str:
    mode = os.environ.get("DLOC_MODE") or "exact"
    return mode if mode in MODES else fail(f"DLOC_MODE={mode}: modes are {', '.join(MODES)}")


class Dump:
    """The module that the compiler prints while it makes the object, which saves a run of its front end."""

    def __init__(self, guard: Guard) -> None:
        self.folder = guard.path("dump")

    def options(self) -> list[str]:
        return [word for option in DUMP for word in ("-mllvm", option + self.folder if option[-1] == "=" else option)]

    def has_room(self, size: int = ROOM) -> bool:
        """A compiler that cannot print ends with an error."""
        import resource

        disk = os.statvfs(os.path.dirname(self.folder))
        return disk.f_bavail * disk.f_frsize >= size and disk.f_favail != 0 and resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY

    def module(self) -> str | None:
        names = os.listdir(self.folder) if os.path.isdir(self.folder) else []
        return os.path.join(self.folder, names[0]) if len(names) == 1 else None


def dumps(command: list[str], options: list[str], job: Job, release: int) -> bool:
    """A launcher may keep objects by their commands, which would have a folder of ours in them."""
    is_clang = len(command) == 1 and os.path.basename(os.path.realpath(command[0])).startswith("clang")
    return is_clang and release == 22 and "llvm" in kinds_wanted() and "-fcrash-diagnostics" not in " ".join(options) and not any(has_any(word, NO_DUMP) for word in job.words)


def tell(job: Job) -> None:
    """The object says whether it has layers; each has its text in a section."""
    with open(job.output, "rb") as file:
        say(job.name, "layers" if b".debug_txt." in file.read() else "no layers: no code of it has a location")


def add_layers(job: Job, guard: Guard, module: str | None = None) -> None:
    try:
        Layers(job, guard).exact(module)
        tell(job)
    except (NoLayers, OSError, ValueError) as reason:
        lose(job.name, reason)


def without_layers(options: list[str], jobs: list[Job], guard: Guard) -> list[str]:
    """For modules that have layers the compiler gets these without them. A module that dloc cannot read is as it is."""
    for number, job in enumerate(jobs):
        primary = guard.path(f"primary{number}.ll")
        if job.has_layers and not run(with_rules("project", "--primary", job.source, "-o", primary), guard, time_limit()):
            options = [primary if option == job.source else option for option in options]
    return options


def compile_exactly(command: list[str], options: list[str], jobs: list[Job], dumped: bool) -> int:
    """The compiler alone, and then layers. An object that waits for them goes with this program."""
    guard = Guard()
    try:
        dump = Dump(guard)
        dumped = dumped and dump.has_room()
        for job in jobs:
            guard.expect(job.output)
        options = without_layers(options, jobs, guard)
        status = run([*command, *(dump.options() if dumped else []), *options], guard)
        if dumped and status not in (0, 1) and not dump.has_room(1 << 20):
            status = run([*command, *options], guard)
        for job in jobs:
            if not status:
                add_layers(job, guard, dump.module())
                guard.empty()
            guard.keep(job.output)
        return status
    finally:
        guard.close()


LINKING = "DLOC_LINKING"  # the file that tells this program, as a linker, of the objects


def compile_and_link(command: list[str], options: list[str], jobs: list[Job], linker: list[str]) -> int:
    """The compiler starts this program as its linker, which gives the objects layers and becomes the real one."""
    import json

    places = [linker.index(job.output) - 1 for job in jobs]
    guard = Guard()
    try:
        with open(guard.path("jobs"), "w", encoding="ascii") as file:
            json.dump([os.path.basename(sys.argv[0]), linker[0], [(job.words, job.has_layers) for job in jobs], places], file)
        os.environ[LINKING] = file.name
        options = without_layers(options, jobs, guard)
        return run([*command, f"--ld-path={HERE}/compiler", *options], guard)
    finally:
        guard.close()


def link() -> NoReturn:
    """As the linker of a compiler: the objects of these jobs stand at these places."""
    import json

    words, guard = sys.argv[1:], None
    with open(os.environ.pop(LINKING), encoding="ascii") as file:
        sys.argv[0], linker, jobs, places = json.load(file)
    heed_signals()
    try:
        try:
            guard = Guard()
            for (of_job, has_layers), place in zip(jobs, places):
                job = Job(of_job)
                job.has_layers = has_layers
                job.name, job.output = job.source, words[place]
                add_layers(job, guard)
                guard.empty()
        except OSError as reason:
            lose(" ".join(words), reason)
        finally:
            if guard:
                guard.close()
    except Stopped as stopped:
        leave(-stopped.number)
    become([linker, *words])


def compile_fast(command: list[str], options: list[str], job: Job | None) -> int:
    """Without a job, the compiler tells it while it makes the module."""
    whole, guard = [*command, *options], Guard()
    try:
        is_made = job is None
        if job is None:
            status, job = job_at_once(command, options, guard)
            if not status and not job:
                say(" ".join(options), "passed on: no object of it gets layers")
            if status:
                return compile_after_all(whole, options[options.index("-o") + 1], guard)
            if not job:
                alone(whole, guard)
        return Layers(job, guard).fast(whole, is_made)
    finally:
        guard.close()


def is_at_once(command: list[str], options: list[str]) -> bool:
    """Whether a run of the compiler can make the module and tell the job."""
    allowed = ("-o", *(NAMED if "-MF" in options and {"-MT", "-MQ"} & set(options) else ()))
    return (
        len(command) == 1
        and "-c" in options
        and LOG not in os.environ
        and options.count("-o") == 1
        and options[-1] != "-o"
        and sum(option.endswith(SOURCES) for option in options) == 1
        and not any(option.endswith((".ll", ".bc")) for option in options)
        and not any(option.startswith(NOT_AT_ONCE) and option not in allowed for option in options)
        and not has_any(" ".join(options), NO_DUMP)
    )


def job_at_once(command: list[str], options: list[str], guard: Guard) -> tuple[int, Job | None]:
    """The module is made, if the status is 0 and there is a job."""
    module, log = guard.path("module.ll"), guard.path("log")
    flags = ["-emit-llvm", "-emit-llvm-uselists", *(["-disable-llvm-passes"] if "llvm" in kinds_wanted() else [])]
    at = options.index("-o") + 1
    os.environ |= {LOG: "1", f"{LOG}_FILE": log}
    try:
        status = told(guard, in_colour([*command, *options[:at], module, *options[at + 1 :], *(word for flag in flags for word in ("-Xclang", flag))], options))
    finally:
        del os.environ[LOG], os.environ[f"{LOG}_FILE"]
    if status:
        return status, None
    with open(log, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        steps = commands(file.read())
    words = [word for word in steps[0] if word not in flags] if len(steps) == 1 else []
    jobs = fitting([Job([options[at] if word == module else word for word in words])] if words[1:2] == ["-cc1"] and "-emit-obj" in words else [])
    return 0, jobs[0] if jobs else None


def fitting(jobs: list[Job]) -> list[Job]:
    found = []
    for job in jobs:
        try:
            job.judge()
            found.append(job)
        except NotWanted as reason:
            say(job.name, f"passed on: {reason}")
        except NoLayers as reason:
            lose(job.name, reason)
    return found


def linker_of(steps: list[list[str]], jobs: list[Job]) -> list[str] | None:
    """The one other program that takes all that they make."""
    others = [words for words in steps if words[1:2] not in (["-cc1"], ["-cc1as"])]
    return others[0] if jobs and len(others) == 1 and all(job.output in others[0] for job in jobs) else None


def why_no_object(steps: list[list[str]]) -> str | None:
    """Why clang makes no object of a module with debugging information, which becomes an object later or by another program."""
    for job in (Job(words) for words in steps if words[1:2] == ["-cc1"] and any(word.startswith("-debug-info-kind=") for word in words)):
        if "-emit-llvm-bc" in job.words and any(word.startswith("-flto") for word in job.words):
            return next(word for word in job.words if word.startswith("-flto"))
        if "-S" in job.words and any(job.output in words for words in steps if words[1:2] != ["-cc1"]):
            return "its assembler is another program"
    return None


def step(command: list[str], options: list[str], mode: str) -> int:
    """The exit status."""
    reason = reason_to_pass(options)
    tells = any(option in ("-v", "-H") or option.startswith(TELLING) for option in options)
    if not reason and mode == "fast" and not tells and is_at_once(command, options):
        return compile_fast(command, options, None)
    steps, release = ([], 0) if reason else steps_of(command, options)
    jobs = fitting([Job(words) for words in steps if words[1:2] == ["-cc1"] and "-emit-obj" in words])
    linker = linker_of(steps, jobs)
    lost = None
    if jobs and tells and linker:
        lost = "it tells how it links"
    elif not jobs and not reason:
        lost = why_no_object(steps)
        reason = lost or "no object of it gets layers"
    if reason or lost:
        if lost:
            lose(" ".join(options), lost)
        else:
            say(" ".join(options), f"passed on: {reason}")
        alone([*command, *options])
    is_simple = len(steps) == 1 and not tells and not jobs[0].has_layers
    if linker:
        return compile_and_link(command, options, jobs, linker)
    if mode == "fast" and is_simple:
        return compile_fast(command, options, jobs[0])
    return compile_exactly(command, options, jobs, is_simple and dumps(command, options, jobs[0], release))


def main() -> NoReturn:
    if LINKING in os.environ:
        link()
    command, options = compiler_and_options(sys.argv[1:])
    kinds_wanted()
    mode = mode_wanted()
    heed_signals()
    try:
        leave(step(command, options, mode))
    except Stopped as stopped:
        leave(-stopped.number)
    except (OSError, ValueError) as failure:  # the compiler may not need what this program lacks
        lose(" ".join(options), failure)
        alone([*command, *options])
