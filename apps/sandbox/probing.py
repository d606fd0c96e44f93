"""Whether a sandbox works here: found out by letting a program run in it that tries to get out."""

import json
import os
import secrets
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from apps.sandbox.errors import Unavailable
from apps.sandbox.worker import Start

_SECONDS = 20.0
_TRIES = """
import json, os, socket, sys
held = {}
def attempt(name, act):
    try:
        act()
        held[name] = False
    except OSError:
        held[name] = True
canary = %(canary)r
attempt("files", lambda: open(canary))
attempt("folders", lambda: os.listdir(os.path.dirname(canary)))
attempt("writing", lambda: open(canary + "-2", "w"))
attempt("network", lambda: socket.socket())
attempt("processes", lambda: os.fork())
attempt("signals", lambda: os.kill(%(parent)d, 0))
held["environment"] = %(secret)r not in str(os.environ)
with open("made.txt", "w") as file:
    file.write("42")
print(json.dumps(held))
"""


def check(start: Start) -> None:
    """Run the program; return if every wall held and the file that it may make was made. Raises Unavailable."""
    secret = secrets.token_hex(8)
    with tempfile.TemporaryDirectory(prefix="handraise-probe-") as folder:
        canary = Path(folder) / "canary"
        canary.write_text(secret, encoding="ascii")
        code = _TRIES % {"canary": str(canary), "parent": os.getpid(), "secret": secret}
        result = run_once(start, {"code": code, "seconds": _SECONDS, "files_to": str(Path(folder) / "files")})
        _judge(result, (Path(folder) / "files" / "made.txt").exists())


def _judge(result: dict[str, Any], has_made_file: bool) -> None:
    try:
        held = json.loads(result["stdout"])
    except ValueError:
        raise Unavailable("a program in it does not run") from None
    if open_walls := sorted(name for name, has_held in held.items() if not has_held):
        raise Unavailable(f"these walls do not hold: {', '.join(open_walls)}")
    if not has_made_file:
        raise Unavailable("a program in it cannot make a file")


def run_once(start: Start, job: dict[str, Any]) -> dict[str, Any]:
    """Run one job and wait for it, without an event loop; return its result. Raises Unavailable."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = start(theirs)
        try:
            return _converse(ours, job)
        except (OSError, ValueError, KeyError):
            raise Unavailable("it does not start") from None
        finally:
            ours.close()
            _see_off(process)


def _converse(channel: socket.socket, job: dict[str, Any]) -> dict[str, Any]:
    channel.settimeout(_SECONDS)
    with channel.makefile("rb") as lines:
        if not json.loads(lines.readline()).get("ready"):
            raise ValueError
        channel.sendall(json.dumps({"job": job}).encode() + b"\n")
        result: dict[str, Any] = json.loads(lines.readline())["result"]
    return result


def _see_off(process: "subprocess.Popen[bytes]") -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
        return
    process.kill()
    process.wait()
