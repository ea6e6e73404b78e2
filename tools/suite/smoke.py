"""`dloc smoke`: a conversation with an adapter that tells its author what is wrong with it. What a line means is the
program's to say: `dloc smoke --interpret`.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from program import FINE, UNUSABLE, VIOLATION, Command, fail, run

# What an adapter keeps to; the chapter "Rules" of PROTOCOL.md has the same sentences.
RULES = {
    "started.first": 'The first line answers `start`: an object with `"started": 1`, within the time limit.',
    "started.name": "`implementation` names the implementation; it is a text that is not empty.",
    "started.capabilities": "`capabilities` is a list of ops and needs of `vectors/README.md`.",
    "started.profile": "`profile` is absent, null, or a built-in profile's name.",
    "line.object": "Every line is one JSON object in UTF-8; nothing else is written to standard output.",
    "line.kind": "After the first, a line is an answer, with a `seq`, or a `flushed`; `command` is the runner's word.",
    "answer.seq": "The `seq` of an answer is that of a question that was asked.",
    "answer.once": "Each question is answered once.",
    "answer.outcome": "`outcome` is ok, reject, degraded, skipped, errored, crash or hang.",
    "answer.value": "An ok has the `value` of its op, a reject a `reason` of spec/choices.md, chapter 10; names in a value are those of its own `nodes` or the vector's.",
    "answer.all": "Every question is answered before the `flushed` that follows it.",
    "answer.same": "The same question gets the same answer, whatever was asked before it and beside it.",
    "flush.number": "A `flush` is answered by a `flushed` with its number, also when no question is open.",
    "alive": "Until `stop` an adapter neither ends nor falls silent for longer than the time limit; a crash of its implementation is an answer.",
    "unknown": "A vector that it cannot do, because of its op or its nodes, is answered `skipped` or `errored`.",
    "stop": "After `stop` it writes nothing more and ends, with exit status 0.",
    "input.end": "It also ends when its standard input does.",
}
PER_OP = 6  # vectors asked of an operation
SHOWN = 2  # times that one rule's breach is shown
MOST_DEATHS = 3  # after that many, smoke asks no more
MOST_LINES = 1000  # of one batch
LARGE = 1 << 40  # so that large numbers are met
LINE_LIMIT = 32 << 20  # bytes
SENT = ("id", "needs", "nodes", "module", "op", "args")  # never what is expected
OUTCOMES = ("ok", "reject", "degraded", "skipped", "errored", "crash", "hang")


class Child:
    """The adapter's process, at the head of a group of its own."""

    def __init__(self, command: str, timeout: float):
        self.errors = tempfile.TemporaryFile()
        self.timeout, self.output = timeout, b""
        self.end: str | None = None
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            start_new_session=True,
        )
        assert self.process.stdin and self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def send(self, *lines: dict[str, Any], then_close: bool = False) -> None:
        text = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
        self.send_bytes(text, then_close)

    def send_bytes(self, text: bytes, then_close: bool) -> None:
        """Aside, as the adapter may write before it reads. How it ends tells why it reads no more."""

        def write() -> None:
            with contextlib.suppress(OSError, ValueError):
                self.stdin.write(text)
                self.stdin.flush()
            if then_close:
                with contextlib.suppress(OSError):
                    self.stdin.close()

        threading.Thread(target=write, daemon=True).start()

    def read_line(self) -> bytes | None:
        """The next line; None: it ended, or said nothing within the time limit."""
        deadline, is_open = time.monotonic() + self.timeout, True
        while b"\n" not in self.output:
            exited = self.process.poll() is not None  # what is in the pipe now is all that counts
            if time.monotonic() >= deadline and not exited:
                self.stop("no answer within the time limit")
                return None
            if len(self.output) > LINE_LIMIT:
                self.stop(f"more output than the limit of {LINE_LIMIT} bytes")
                return None
            if not is_open:
                time.sleep(0.005)
            readable = is_open and select.select([self.stdout], [], [], 0 if exited else 0.05)[0]
            read = os.read(self.stdout.fileno(), 1 << 16) if readable else b""
            is_open = is_open and (bool(read) or not readable)
            self.output += read
            if exited and not read:
                self.stop(None)
                return None
        line, _, self.output = self.output.partition(b"\n")
        return line

    def stop(self, why: str | None) -> None:
        """End its whole group. why: what ended it; None: it did so itself."""
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status = self.process.wait()
        self.end = self.end or why or (f"killed by signal {-status}" if status < 0 else f"exit status {status}")

    def describe_end(self) -> str:
        """`exit status 1; its last words: ...`"""
        self.errors.seek(0)
        said = self.errors.read(1 << 16).rstrip(b"\n ").rpartition(b"\n")[2][:199]
        return f"{self.end}" + ("; its last words: " + said.decode(errors="replace") if said else "")


class Interpreter:
    """Tells what lines mean."""

    def __init__(self, command: Command):
        arguments = [command.program, "smoke", "--interpret", "--vectors", command.options.vectors]
        self.child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.child.stdin and self.child.stdout
        self.questions, self.answers = self.child.stdin, self.child.stdout

    def ask(self, *words: bytes) -> dict[str, Any]:
        self.questions.write(b" ".join(words) + b"\n")
        self.questions.flush()
        answer: dict[str, Any] = json.loads(self.answers.readline() or sys.exit(UNUSABLE))
        return answer


@dataclass
class Question:
    vector: dict[str, Any]
    answer: dict[str, Any] | None = None  # of the last time

    @property
    def id(self) -> str:
        return str(self.vector["id"])


Asked = dict[int, Question]  # by seq


@dataclass
class World:
    """What does not depend on the adapter."""

    vectors: list[dict[str, Any]]
    needs: list[str]
    profiles: dict[str, dict[str, str]]  # the alternatives that each takes
    interpreter: Interpreter
    timeout: float


class Smoke:
    def __init__(self, world: World, command: str, json_lines: bool):
        self.world, self.command, self.json = world, command, json_lines
        self.child: Child | None = None
        self.name, self.profile = "", "rfc"
        self.capabilities: set[str] = set()
        self.questions: list[Question] = []
        self.breaches = dict.fromkeys(RULES, 0)
        self.deaths = 0
        self.next_seq = 1

    # ---- What is said

    @property
    def wrong(self) -> int:
        return sum(self.breaches.values())

    def breach(self, rule: str, text: str, line: bytes = b"") -> None:
        self.breaches[rule] += 1
        if self.breaches[rule] > SHOWN:
            return
        shown = line[:200].decode(errors="replace") + "..." * (len(line) > 200)
        self.say("WRONG", text, **({"line": shown} if line else {}), rule=f"{rule}: {RULES[rule]}")

    def say(self, verdict: str, text: str, **more: str) -> None:
        if self.json:
            print(json.dumps({"verdict": verdict.lower(), "text": text, **more}))
            return
        text = text.replace("\n", "\\n")
        print(f"{verdict}:".ljust(6), text[:1000] + "..." * (len(text) > 1000))
        for key, told in more.items():
            print(f"  {key}: {told}")

    @contextlib.contextmanager
    def praise(self, text: str) -> Iterator[None]:
        """Unless something was wrong meanwhile."""
        before = self.wrong
        yield
        if before == self.wrong:
            self.say("fine", text)

    @property
    def partner(self) -> Child:
        assert self.child
        return self.child

    def hang_up(self) -> None:
        if self.child:
            self.child.stop(None)
        self.child = None

    # ---- Start

    def check_started(self, line: bytes) -> bool:
        """Whether it can be talked to on."""
        told = self.world.interpreter.ask(b"line", line)
        if told.get("kind") != "started":
            why = ": " + told["wrong"] if "wrong" in told else ""
            self.breach("started.first", "its first line does not answer start" + why, line)
            return False
        holds = told["holds"]
        name, listed, profile = holds.get("implementation"), holds.get("capabilities"), holds.get("profile")
        if str(holds["started"]) != "1":
            self.breach("started.first", "started is not 1, the version of the protocol", line)
        if not name or isinstance(name, (list, dict)):
            self.breach("started.name", "it names no implementation", line)
        if not isinstance(listed, list):
            missing = "missing" if "capabilities" not in holds else "no list"
            self.breach("started.capabilities", "capabilities is " + missing, line)
        for item in listed if isinstance(listed, list) else []:
            if item not in self.world.needs:
                shown = "" if isinstance(item, (list, dict)) else str(item)[:80]
                self.breach("started.capabilities", f"'{shown}' is no op and no need", line)
        if profile is not None and profile not in self.world.profiles:
            self.breach("started.profile", "no built-in profile is named so", line)
        if str(holds["started"]) != "1" or not name or not isinstance(listed, list):
            return False
        self.name = f"{name} {holds.get('version') or ''}"
        self.capabilities = {need for need in self.world.needs if need in listed}
        self.profile = profile if profile in self.world.profiles else "rfc"
        return True

    def call(self, profile: str | None = None) -> bool:
        """Start the adapter and see what it says of itself."""
        self.child = Child(self.command, self.world.timeout)
        self.next_seq = 1
        choices = self.world.profiles[profile or "rfc"]
        self.child.send({"command": "start", "protocol": 1, "profile": profile, "choices": choices})
        line = self.child.read_line()
        if line is not None:
            return self.check_started(line)
        self.breach("started.first", "it did not answer start: " + self.child.describe_end())
        return False

    def call_again(self) -> bool:
        """After its death: start it again, unless it died too often."""
        return self.child is not None or (self.deaths < MOST_DEATHS and self.call())

    # ---- Questions

    def take_answer(self, open_: Asked, asked: Asked, told: dict[str, Any], line: bytes, again: bool) -> None:
        seq = int(told["seq"])
        if seq not in asked:
            self.breach("answer.seq", f"no open question has seq {seq}", line)
            return
        question = asked[seq]
        if open_.pop(seq, None) is None:
            self.breach("answer.once", f"seq {seq} ({question.id}) is answered again", line)
            return
        answer = self.world.interpreter.ask(b"answer", self.profile.encode(), question.id.encode())
        if "wrong" in answer:
            rule = "answer.value" if told["holds"].get("outcome") in OUTCOMES else "answer.outcome"
            self.breach(rule, f"the answer to {question.id} is malformed: {answer['wrong']}", line)
            question.answer = None
            return
        if again and question.answer and not says_same(question.answer, answer):
            self.breach("answer.same", f"{question.id} was answered otherwise before", line)
        question.answer = answer

    def take_line(self, open_: Asked, asked: Asked, line: bytes, flush: int, again: bool) -> bool:
        """One line while questions are open; true at the end of the batch."""
        told = self.world.interpreter.ask(b"line", line)
        if not told["object"]:
            self.breach("line.object", "the line is no JSON object", line)
        elif told.get("kind", "started") == "started":
            self.breach("line.kind", told.get("wrong", "it starts again"), line)
        elif told["kind"] == "answer":
            self.take_answer(open_, asked, told, line, again)
        elif int(told["seq"]) != flush:
            self.breach("flush.number", f"the flush has number {flush}", line)
        else:
            return True
        return False

    def take_end(self, open_: Asked, count: int) -> None:
        self.deaths += 1
        self.partner.stop(None)
        how = "it fell silent" if (self.partner.end or "").startswith("no answer") else "it ended"
        first = next(iter(open_.values()), None)
        where = f"with {len(open_)} of {count} questions open, the first {first.id}" if first else "at a flush"
        rule = "alive" if first or count else "flush.number"
        self.breach(rule, f"{how} {where}: {self.partner.describe_end()}")
        self.hang_up()

    def ask(self, questions: list[Question], again: bool = False) -> None:
        """Ask, flush, and look at every line until `flushed`."""
        count = len(questions)
        far = [LARGE if i >= count // 2 and count > 1 else 0 for i in range(count)]
        asked = {self.next_seq + i + far[i]: question for i, question in enumerate(questions)}
        flush = self.next_seq + count + LARGE
        self.next_seq = flush + 1
        lines = [{"command": "run", "seq": seq, "vector": question_of(item.vector)} for seq, item in asked.items()]
        self.partner.send(*lines, {"command": "flush", "seq": flush})
        open_ = dict(asked)
        for _ in range(MOST_LINES):
            line = self.partner.read_line()
            if line is None:
                break
            if self.take_line(open_, asked, line, flush, again):
                if open_:
                    first = next(iter(open_.values())).id
                    self.breach("answer.all", f"{len(open_)} of {count} questions have no answer, the first {first}")
                return
        self.take_end(open_, count)

    def choose(self) -> None:
        """Some of every operation that it claims, spread over the suite; half with layers where it claims these."""
        groups: dict[tuple[str, bool], list[dict[str, Any]]] = {}
        for vector in self.world.vectors:
            if self.capabilities.issuperset(vector["needs"]):
                groups.setdefault((vector["op"], "layers" in vector["needs"]), []).append(vector)
        chosen = set()
        for group in groups.values():
            wanted = min(len(group), PER_OP // 2)
            numbers = range(len(group))
            chosen |= {group[i]["id"] for i in numbers if i * wanted // len(group) != (i + 1) * wanted // len(group)}
        self.questions = [Question(vector) for vector in self.world.vectors if vector["id"] in chosen]

    def tell_right(self) -> None:
        for op in self.world.needs:
            answers = [question.answer or {} for question in self.questions if question.vector["op"] == op]
            right = [answer["right"] for answer in answers if "right" in answer]
            if right:
                self.say("note", f"{sum(right)} of {len(right)} answers to '{op}' are what profile {self.profile} expects")

    # ---- The conversation

    def talk_start(self) -> None:
        before = self.wrong
        if not self.call():
            self.hang_up()
            return
        if not self.capabilities:
            self.breach("started.capabilities", "it claims nothing that a vector could ask")
        if before == self.wrong:
            does = "".join(" " + need for need in self.world.needs if need in self.capabilities)
            self.say("fine", f"it is {self.name}; it does{does}")

    def talk_flush(self) -> None:
        with self.praise("it answers a flush without questions"):
            self.ask([])

    def talk_each(self) -> None:
        with self.praise(f"it answers {len(self.questions)} vectors, one by one"):
            for question in self.questions:
                if not self.call_again():
                    break
                self.ask([question])

    def talk_all(self) -> None:
        if self.call_again():
            with self.praise("it answers all of them at once, with large numbers, and as before"):
                self.ask(self.questions, again=True)

    def talk_again(self) -> None:
        if self.call_again():
            with self.praise("it answers them again, in the opposite order, and as before"):
                self.ask(self.questions[::-1], again=True)

    def talk_unknown(self) -> None:
        """One vector of each operation that it does not claim."""
        strange: dict[str, Question] = {}
        for vector in self.world.vectors:
            if vector["op"] not in self.capabilities:
                strange.setdefault(vector["op"], Question(vector))
        questions = [strange[op] for op in self.world.needs if op in strange]
        if not questions or not self.call_again():
            return
        with self.praise("it leaves out what it does not claim"):
            self.ask(questions)
            for question in questions:
                outcome = (question.answer or {}).get("outcome")
                if outcome in ("ok", "reject", "degraded"):
                    op = question.vector["op"]
                    self.breach("unknown", f"it claims no '{op}', but answers {question.id} with {outcome}")

    def talk_stop(self) -> None:
        if not self.call_again():
            return
        with self.praise("it ends after stop"):
            self.partner.send({"command": "stop"}, then_close=True)
            while self.breaches["stop"] < SHOWN and (line := self.partner.read_line()) is not None:
                self.breach("stop", "it writes a line after stop", line)
            self.partner.stop(None)
            if self.partner.process.returncode and self.breaches["stop"] < SHOWN:
                self.breach("stop", "after stop: " + self.partner.describe_end())
            self.hang_up()

    def talk_end(self) -> None:
        """With a profile that the user names, a line that is none of the protocol, and an end without stop."""
        if self.deaths >= MOST_DEATHS or not self.call("rfc"):
            return
        with self.praise("it starts with a profile, and ends with its input"):
            self.partner.send_bytes(b"\x01this is no JSON\n", then_close=True)
            for _ in range(100):
                if self.partner.read_line() is None:
                    break
            if (self.partner.end or "no answer").startswith("no answer"):
                self.breach("input.end", "it goes on without input")
            self.hang_up()

    def converse(self) -> int:
        print(json.dumps({"adapter": self.command}) if self.json else self.command)
        self.talk_start()
        if self.child:
            self.choose()
            talks = (self.talk_flush, self.talk_each, self.talk_all, self.talk_again, self.talk_unknown, self.talk_stop)
            for talk in talks:
                if self.child or self.deaths:
                    talk()
            self.talk_end()
        self.hang_up()
        self.tell_right()
        text = f"{self.wrong} time{'s' * (self.wrong != 1)} wrong" if self.wrong else "nothing is wrong with it"
        print(json.dumps({"wrong": self.wrong}) if self.json else text)
        return VIOLATION if self.wrong else FINE


def says_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    keys = {"ok": ("says",), "reject": ("reasons",), "degraded": ("reasons",)}.get(one["outcome"], ())
    return one["outcome"] == other["outcome"] and all(one[key] == other[key] for key in keys)


def question_of(vector: dict[str, Any]) -> dict[str, Any]:
    return {key: vector[key] for key in SENT if key in vector}


def read_world(command: Command) -> World:
    vectors = command.told_json("fmt", "--to", "jsonl", "--", command.options.vectors)
    if not vectors:
        fail(f"there is no vector in {command.options.vectors}")
    for vector in vectors:
        vector.setdefault("needs", [])
    profiles: dict[str, dict[str, str]] = {}
    for line in command.told_json("spec", "--sections"):
        for profile, alternative in line.get("profiles", {}).items():
            profiles.setdefault(profile, {})[line["choice"]] = alternative
    needs = command.told_json("schema")[-1]["needs"]
    return World(vectors, needs, profiles, Interpreter(command), command.options.timeout)


def main(command: Command) -> int:
    if command.options.rules:
        for name, text in RULES.items():
            print(f"- `{name}`: {text}")
        return FINE
    worst, world = FINE, read_world(command)
    for number, adapter in enumerate(command.operands):
        if number and not command.options.json:
            print()
        if adapter in ("model", "llvm"):
            fail(f"{adapter} is a part of dloc and speaks no protocol; give a command")
        smoke = Smoke(world, adapter, command.options.json)
        end_with(smoke)
        try:
            worst = max(worst, smoke.converse())
        finally:
            smoke.hang_up()
    return worst


def end_with(smoke: Smoke) -> None:
    """A signal that ends this program ends the adapter before."""

    def end(number: int, _: object) -> None:
        smoke.hang_up()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


run(main)
