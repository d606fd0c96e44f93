"""The worker's own process: ``python child.py ROOT MODULE SOCKET PARENT MEMORY FILES``. Standard library only.

It limits itself, imports MODULE, says that it is ready, and then answers one JSON line with one JSON line by calling
the module's ``run(job)``. It ends with its parent, whatever the parent dies of.
"""

import ctypes
import importlib
import json
import os
import queue
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_PR_SET_PDEATHSIG = 1


def lower_limit(kind: int, amount: int) -> None:
    """Lower one limit of this process for good. macOS refuses some of them: there they are best effort."""
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (amount, amount))


def limit_process(memory_bytes: int, open_files: int) -> None:
    """Allow so much memory and so many files, and no core dump."""
    lower_limit(resource.RLIMIT_AS, memory_bytes)
    lower_limit(resource.RLIMIT_NOFILE, open_files)
    lower_limit(resource.RLIMIT_CORE, 0)


def load(module: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Import the module; from then on not one byte can be written to a file.

    Until then Python may keep what it compiles, if the server's own may: SymPy takes seconds to compile anew.
    """
    run: Callable[[dict[str, Any]], dict[str, Any]] = importlib.import_module(module).run
    sys.dont_write_bytecode = True
    lower_limit(resource.RLIMIT_FSIZE, 0)
    return run


def allow_processor_time(seconds: float) -> None:
    """Give the next job so many seconds of processor time: a net below the parent's clock, should the parent hang."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime + seconds) + 2, hard))


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends (Linux; elsewhere the closed socket has to do)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have died before the line above.
    if os.getppid() != parent:
        os._exit(0)


def read_lines(channel: socket.socket, lines: "queue.SimpleQueue[bytes]") -> None:
    """Pass on each line that arrives. A closed channel means that the parent is gone: end, even in mid-job."""
    with suppress(OSError), channel.makefile("rb") as stream:
        for line in stream:
            lines.put(line)
    os._exit(0)


def answer(run: Callable[[dict[str, Any]], dict[str, Any]], job: dict[str, Any]) -> dict[str, Any]:
    """Run one job; what it raises becomes a failure with a name and without a text, which could quote the job."""
    try:
        return {"result": run(job)}
    except MemoryError:
        return {"failure": "memory"}
    except Exception as error:
        # The worker's edge: SymPy raises whatever it meets, and the next job must not suffer for it.
        return {"failure": "raised", "kind": type(error).__name__}


def serve(channel: socket.socket, run: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer jobs, one after the other, until memory has run out once: such a heap is not used again."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=read_lines, args=(channel, lines), daemon=True).start()
    channel.sendall(b'{"ready":true}\n')
    while True:
        order = json.loads(lines.get())
        allow_processor_time(order["seconds"])
        reply = answer(run, order["job"])
        channel.sendall(json.dumps(reply, ensure_ascii=False).encode() + b"\n")
        if reply.get("failure") == "memory":
            return


def main() -> None:
    """Set up the process, load the module, serve."""
    root, module, descriptor, parent, memory_bytes, open_files = sys.argv[1:]
    die_with(int(parent))
    limit_process(int(memory_bytes), int(open_files))
    channel = socket.socket(fileno=int(descriptor))
    sys.path.append(root)
    serve(channel, load(module))


if __name__ == "__main__":
    main()
