"""`dloc run --confine LIMITS`: the words that start an implementation within limits. util-linux (prlimit, unshare, setpriv) does it.

Reads LIMITS as a line of JSON. Writes a line with a warning, or an empty one, and the words, a line each; or one line that says what is wrong.
A NUL byte ends the answer.
"""

import json
import os
import re
import resource
import subprocess
import sys

PROBE_SECONDS = 10
MOST = 1 << 30

# name: the option of prlimit, the resource, the unit of a value in bytes or things, the value by default
LIMITS = {
    "memory": ("--as=", resource.RLIMIT_AS, 1 << 20, 4096),
    "files": ("--nofile=", resource.RLIMIT_NOFILE, 1, 256),
    "processes": ("--nproc=", resource.RLIMIT_NPROC, 1, 1024),
    "size": ("--fsize=", resource.RLIMIT_FSIZE, 1 << 20, 1024),
}
USAGE = "it is `default`, or some of memory=MB,files=N,processes=N,size=MB,network=yes|no"

# A command can have these namespaces of its own. In one of PIDs all processes end with the first.
NET, PID = 1, 2
MISSING = {
    0: "the kernel permits no namespaces here: the network can be used, and processes that detach themselves remain",
    NET: "the kernel permits no namespace of processes here: those that detach themselves remain",
    PID: "the kernel permits no namespace of networks here: the network can be used",
}

# The first process of a namespace is a shell, not the command: a signal whose action is the default does nothing to it,
# also that of abort(), and it must reap orphans. The command writes to the stderr of dloc, the shell to none.
FIRST = 'exec 9>&2 2>/dev/null; ("$@" 2>&9 9>&-); exit $?'


class Wrong(Exception):
    """The limits are wrong, or cannot be kept; for people."""


def read_limits(text: str) -> tuple[dict[str, int], bool]:
    """The value of each limit, and whether the network may be used."""
    values, network = {name: default for name, (_, _, _, default) in LIMITS.items()}, False
    for part in [] if text == "default" else text.split(","):
        name, _, given = part.partition("=")
        if name == "network" and given in ("yes", "no"):
            network = given == "yes"
        elif name in LIMITS and re.fullmatch("[0-9]{1,12}", given) and 0 < int(given) <= MOST:
            values[name] = int(given)
        else:
            raise Wrong(USAGE)
    return values, network


def namespaces(own: int, users: bool) -> list[str]:
    """A namespace of users permits the others to all, but root could not read the files of others in it. Root without
    one loses its rights to raise limits and to enter other namespaces."""
    words = ["unshare", *["--user"] * users] if own else []
    words += ["--net"] * bool(own & NET) + ["--pid", "--fork", "--kill-child"] * bool(own & PID)
    words += [] if users else ["setpriv", "--bounding-set=-sys_resource,-sys_admin"]
    return words + ["sh", "-c", FIRST, "sh"] * bool(own & PID)


def limits(values: dict[str, int]) -> list[str]:
    """None is above that of dloc itself: only root may raise it."""
    words = ["prlimit", "--core=0"]
    for name, (option, number, unit, _) in LIMITS.items():
        most = resource.getrlimit(number)[1]
        value = values[name] * unit
        words.append(f"{option}{value if most == resource.RLIM_INFINITY else min(value, most)}")
    return [*words, "--"]


def runs(words: list[str]) -> bool:
    """Whether `true` runs behind them."""
    try:
        null = subprocess.DEVNULL
        return subprocess.run([*words, "true"], stdin=null, stdout=null, stderr=null, timeout=PROBE_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def confine(text: str) -> tuple[str, list[str]]:
    """A warning, which may be empty, and the words."""
    values, network = read_limits(text)
    wanted = PID if network else PID | NET
    for own in [own for own in (PID | NET, PID, NET, 0) if own & wanted == own]:
        for users in (False, True) if os.geteuid() == 0 else (True,):
            words = namespaces(own, users) + limits(values)
            if runs(words):
                return MISSING[own | (wanted ^ (PID | NET))] if own != wanted else "", words
    raise Wrong("prlimit, of util-linux, is not here, or not even `true` runs within these limits")


def main() -> None:
    for line in sys.stdin:
        try:
            warning, words = confine(json.loads(line))
            print(warning, *words, sep="\n")
        except Wrong as wrong:
            print(wrong)
        print(end="\0", flush=True)


if __name__ == "__main__":
    main()
