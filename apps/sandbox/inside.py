"""The process in which the code runs. Its text is handed to an interpreter of its own (``python -c``), so no file of the
product is in sight. Standard library only.

1. Limit memory, files, processor time; import the libraries ahead; confine itself to a few folders (Landlock).
2. Say that it is ready, and hand over the folder that it may write to.
3. Allow itself only the system calls of the filter (seccomp), take one job, close the channel, run the code, end.
"""

import atexit
import ctypes
import importlib
import json
import linecache
import os
import resource
import shutil
import signal
import socket
import sys
import threading
import traceback
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

_NAME = "<code>"
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 1, 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF, _PATH_BENEATH = 444, 445, 446, 1
_LIBC = ctypes.CDLL(None, use_errno=True)

# The rights of Landlock, by bit: execute, write, read, list, remove (2), make (7), refer, truncate, ioctl.
_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}
_READ, _WRITE, _LIST, _TRUNCATE = 1 << 2, 1 << 1, 1 << 3, 1 << 14
_OF_FILES = 1 | _WRITE | _READ | _TRUNCATE
_CHANGE = _READ | _LIST | _WRITE | _TRUNCATE | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13  # no links, devices, sockets


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def checked(result: int) -> int:
    """Return what a call returned. Raises OSError: a wall that cannot be put up must not be missing silently."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def limit(memory_bytes: int, file_bytes: int, cpu_seconds: int) -> None:
    """Lower the limits of this process for good. The time is a net, should nobody be left to kill it."""
    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    for kind, amount in limits.items():
        resource.setrlimit(kind, (amount, amount))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that grows too long is an error, not the end
    os.nice(5)


def import_ahead(modules: list[str], seeds: list[str]) -> None:
    """Import what most code wants, so that it does not wait for it. `seeds` are files made ahead for matplotlib."""
    os.makedirs(os.environ["MPLCONFIGDIR"], exist_ok=True)
    os.makedirs(os.environ["TMPDIR"], exist_ok=True)
    for seed in seeds:
        shutil.copy(seed, os.environ["MPLCONFIGDIR"])
    with silence():
        for module in modules:
            with suppress(ImportError):  # an interpreter without it still runs everything else
                importlib.import_module(module)


@contextmanager
def silence() -> Iterator[None]:
    """Let nothing that libraries say while they are imported come before what the code says."""
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open("/dev/null", os.O_WRONLY)
    try:
        for output in (1, 2):
            os.dup2(nowhere, output)
        yield
        sys.stdout.flush()
    finally:
        for output, original in zip((1, 2), kept, strict=True):
            os.dup2(original, output)
        for each in (*kept, nowhere):
            os.close(each)


def restrict_files(readable: list[str], writable: list[str]) -> None:
    """Let nothing be opened from now on but these files and folders and what is in them (Landlock)."""
    version = checked(_LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1))
    handled = (1 << _RIGHTS_BY_VERSION.get(version, 16)) - 1
    rules = _Ruleset(handled, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    ruleset = checked(_LIBC.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(ctypes.sizeof(rules)), 0))
    for paths, rights in ((readable, _READ | _LIST), (writable, _CHANGE)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    checked(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    checked(_LIBC.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    folder = os.open(path, os.O_PATH)
    rule = _PathBeneath(rights if os.path.isdir(path) else rights & _OF_FILES, folder)
    checked(_LIBC.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0))
    os.close(folder)


def drop_privileges() -> None:
    """Give up every capability of root, and die with whoever started this process."""
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    checked(_LIBC.capset(header, none))
    checked(_LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))


def restrict_calls(program: bytes) -> None:
    """Allow only the system calls that the filter allows (seccomp)."""
    filters = _Program(len(program) // 8, program)
    checked(_LIBC.prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(filters), 0, 0))


def read_line(descriptor: int) -> Any:
    """Read one line of JSON. The end instead of it means that nobody wants this process any more."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            os._exit(0)
        line += piece
    return json.loads(line)


def run(code: str) -> int:
    """Run the code as a program of its own; return its exit code. A traceback shows its own lines only."""
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    linecache.cache[_NAME] = (len(code), None, code.splitlines(keepends=True), _NAME)
    sys.argv = [_NAME]
    try:
        exec(compile(code, _NAME, "exec"), module.__dict__)
    except SystemExit as leaving:
        return _exit_code(leaving.code)
    except BaseException as error:
        # The edge of the sandbox: whatever the code raises is shown to the model as Python would.
        frames = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, frames)
        return 1
    return 0


def _exit_code(code: Any) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)  # noqa: T201
    return 1


def leave(code: int) -> NoReturn:
    """End at once: taking down large libraries in order would take longer than most programs."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # the code may have closed or replaced it
            stream.flush()
    os._exit(code)


def main(descriptor: int) -> NoReturn:
    """Put up the walls, take the job, run it."""
    channel = socket.socket(fileno=descriptor)
    plan = read_line(descriptor)
    limit(plan["memory_bytes"], plan["file_bytes"], plan["cpu_seconds"])
    sys.dont_write_bytecode = True
    sys.path += plan["packages"]
    import_ahead(plan["modules"], plan["seeds"])
    restrict_files(plan["readable"], plan["writable"])
    drop_privileges()
    folder = os.open(plan["folder"], os.O_RDONLY | os.O_DIRECTORY)
    socket.send_fds(channel, [b"ready\n"], [folder])
    os.close(folder)
    restrict_calls(bytes.fromhex(plan["calls"]))
    code = read_line(descriptor)["code"]
    channel.close()
    sys.path.insert(0, os.getcwd())
    leave(run(code))


if __name__ == "__main__":
    main(int(sys.argv[1]))
