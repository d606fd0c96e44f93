"""Holes that first versions of such sandboxes had: each is pinned here by a test that names it."""

import asyncio
import os
import resource
import signal
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from apps.sandbox.code import CodePool, Sandbox
from tests.sandbox.confined import Way, sandbox
from tests.sandbox.processes import descendants

SECRET = "canary-of-the-environment"


async def test_hole_the_launchers_environment_is_empty_so_none_can_be_read_through_proc(
    pool: CodePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", SECRET)
    running = asyncio.create_task(pool.run("import time; print('up', flush=True); time.sleep(1.5)", seconds=10))
    await asyncio.sleep(1)
    environments = [Path(f"/proc/{pid}/environ").read_bytes() for pid in descendants(os.getpid())]
    assert len(environments) >= 2
    assert not [each for each in environments if SECRET.encode() in each]
    finished = await running
    assert finished.stdout == "up\n"


async def test_hole_there_is_no_shared_memory_to_fill(pool: CodePool) -> None:
    finished = await pool.run("open('/dev/shm/fill', 'wb').write(bytes(1 << 20))", seconds=10)
    assert finished.exit_code == 1
    assert "FileNotFoundError" in finished.stderr or "PermissionError" in finished.stderr
    assert not Path("/dev/shm/fill").exists()


async def test_hole_many_files_that_are_small_enough_one_by_one_are_stopped_together(pool: CodePool) -> None:
    finished = await pool.run("for n in range(60): open(f'{n}.txt', 'wb').write(bytes(10 << 20))", seconds=20)
    assert finished.reason == "disk" or "No space left" in finished.stderr


async def test_hole_what_lies_on_the_disk_is_counted_although_less_was_written_than_may_be(pool: CodePool) -> None:
    program = "import signal\nfor n in range(8): open(f'{n}.txt', 'wb').write(bytes(10 << 20))\nsignal.pause()"
    assert pool.sandbox.allowance.written_bytes > 80 << 20
    finished = await pool.run(program, seconds=10)
    assert finished.reason == "disk" or "No space left" in finished.stderr


async def test_hole_what_is_written_over_and_over_is_counted_although_little_lies_on_the_disk(pool: CodePool) -> None:
    finished = await pool.run("while True: open('one.txt', 'wb').write(bytes(10 << 20))", seconds=20)
    assert finished.reason == "disk"


async def test_hole_limits_priority_and_processors_of_the_server_stay_as_they_are(pool: CodePool) -> None:
    def seen() -> object:
        return resource.getrlimit(resource.RLIMIT_NOFILE), os.getpriority(os.PRIO_PROCESS, 0), os.sched_getaffinity(0)

    before, pid = seen(), os.getpid()
    tries = (
        f"os.setpriority(os.PRIO_PROCESS, {pid}, 19)",
        f"os.sched_setaffinity({pid}, {{0}})",
        f"resource.prlimit({pid}, resource.RLIMIT_NOFILE, (9, 9))",
        "libc.shmget(7, 4096, 0o1666) == -1 and held()",
        f"libc.sigqueue({pid}, 9, None) == -1 and held()",
    )
    attempts = "".join(f"try: {each}\nexcept (PermissionError, ProcessLookupError): print('held')\n" for each in tries)
    setup = "import ctypes, os, resource\nlibc = ctypes.CDLL(None)\ndef held(): raise PermissionError\n"
    finished = await pool.run(setup + attempts, seconds=10)
    assert finished.stdout == "held\n" * len(tries), finished
    assert seen() == before


async def test_hole_no_process_is_started_even_by_root_but_threads_are(pool: CodePool) -> None:
    code = (
        "import os, threading\n"
        "thread = threading.Thread(target=print, args=('a thread',))\nthread.start()\nthread.join()\n"
        "try: os.fork()\nexcept PermissionError: print('no process')\n"
    )
    assert (await pool.run(code, seconds=10)).stdout == "a thread\nno process\n"


async def test_hole_packages_that_lie_below_the_temporary_folder_are_in_sight(way: Way) -> None:
    with tempfile.TemporaryDirectory() as packages:
        (Path(packages) / "lies_below_tmp.py").write_text("answer = 42\n")
        found = sandbox(way).interpreter
        own = replace(found, packages=[packages], readable=[*found.readable, packages])
        pool = CodePool(Sandbox(way.kind, own, modules=()))
        finished = await pool.run("import lies_below_tmp; print(lies_below_tmp.answer)", seconds=10)
        await pool.close()
    assert (finished.stdout, finished.stderr) == ("42\n", "")


async def test_hole_what_libraries_say_on_stderr_is_neither_shown_nor_taken_for_a_message(way: Way) -> None:
    noisy = CodePool(replace(sandbox(way), modules=("this", "antigravity_is_not_there")))
    finished = await noisy.run("import sys; sys.stderr.write('{\"ready\": false}\\n'); print(1)", seconds=10)
    await noisy.close()
    assert (finished.exit_code, finished.stdout, finished.stderr) == (0, "1\n", '{"ready": false}\n')


async def test_hole_calls_of_another_architecture_kill(pool: CodePool) -> None:
    finished = await pool.run("import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 39); print('got')", seconds=10)
    assert (finished.exit_code, finished.stdout) == (128 + signal.SIGSYS, "")
