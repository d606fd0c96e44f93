"""The pool of workers: jobs get results, and no job outlives its limits, its caller or its server."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apps.sandbox.errors import JobFailed, OutOfMemory, SandboxError, TimedOut, WorkerFailed
from apps.sandbox.pool import WorkerPool
from apps.sandbox.worker import Limits

JOBS = "tests.sandbox.jobs"


def is_running(pid: int) -> bool:
    """Say whether the process lives; one that is only waiting to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < deadline, "the worker lives on"
        time.sleep(0.01)


def test_importing_and_making_a_pool_starts_nothing():
    pool = WorkerPool(JOBS)
    assert pool._of_loop == {}


async def test_a_healthy_worker_is_used_again():
    pool = WorkerPool(JOBS)
    first = await pool.compute({"do": "echo", "text": "π ≥ 3"}, seconds=10)
    second = await pool.compute({"do": "echo"}, seconds=10)
    assert first["text"] == "π ≥ 3"
    assert (second["pid"], second["count"]) == (first["pid"], 2)


async def test_at_most_two_workers_run_at_once_and_all_jobs_are_done():
    pool = WorkerPool(JOBS)
    replies = await asyncio.gather(*(pool.compute({"do": "echo", "text": str(n), "seconds": 0.02}, seconds=10) for n in range(8)))
    assert [reply["text"] for reply in replies] == [str(n) for n in range(8)]
    assert len({reply["pid"] for reply in replies}) <= 2


async def test_a_job_without_end_is_killed_and_the_next_one_gets_a_new_worker():
    pool = WorkerPool(JOBS)
    before = await pool.compute({"do": "echo"}, seconds=10)
    with pytest.raises(TimedOut):
        await pool.compute({"do": "spin"}, seconds=0.2)
    after = await pool.compute({"do": "echo"}, seconds=10)
    assert after["pid"] != before["pid"]
    wait_until_gone(before["pid"])


async def test_a_job_that_wants_four_gigabytes_is_refused_them():
    pool = WorkerPool(JOBS)
    with pytest.raises(OutOfMemory):
        await pool.compute({"do": "hog"}, seconds=10)
    assert (await pool.compute({"do": "echo"}, seconds=10))["count"] == 1


async def test_an_exception_in_a_job_names_its_kind_but_quotes_nothing():
    pool = WorkerPool(JOBS)
    with pytest.raises(JobFailed) as caught:
        await pool.compute({"do": "raise", "text": "hunter2"}, seconds=10)
    assert caught.value.kind == "LookupError"
    assert "hunter2" not in str(caught.value)
    assert (await pool.compute({"do": "echo"}, seconds=10))["count"] == 2


async def test_a_worker_that_dies_is_reported_and_replaced():
    pool = WorkerPool(JOBS)
    with pytest.raises(WorkerFailed):
        await pool.compute({"do": "die"}, seconds=10)
    assert (await pool.compute({"do": "echo"}, seconds=10))["count"] == 1


async def test_a_worker_killed_while_idle_is_not_used():
    pool = WorkerPool(JOBS)
    first = await pool.compute({"do": "echo"}, seconds=10)
    os.kill(first["pid"], signal.SIGKILL)
    wait_until_gone(first["pid"])
    assert (await pool.compute({"do": "echo"}, seconds=10))["pid"] != first["pid"]


async def test_a_module_that_cannot_be_imported_is_a_worker_failure():
    with pytest.raises(WorkerFailed):
        await WorkerPool("tests.sandbox.missing").compute({}, seconds=10)


async def test_a_worker_is_replaced_after_its_number_of_jobs():
    pool = WorkerPool(JOBS, limits=Limits(jobs=2))
    pids = [(await pool.compute({"do": "echo"}, seconds=10))["pid"] for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


async def test_cancelling_the_caller_kills_the_job():
    pool = WorkerPool(JOBS)
    pid = (await pool.compute({"do": "echo"}, seconds=10))["pid"]
    task = asyncio.create_task(pool.compute({"do": "spin"}, seconds=60))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    wait_until_gone(pid)


async def test_closing_ends_the_workers_and_a_later_job_starts_anew():
    pool = WorkerPool(JOBS)
    pid = (await pool.compute({"do": "echo"}, seconds=10))["pid"]
    await pool.close()
    wait_until_gone(pid)
    assert (await pool.compute({"do": "echo"}, seconds=10))["pid"] != pid


def test_nothing_is_left_when_the_loop_ends_and_the_pool_serves_the_next_loop():
    pool = WorkerPool(JOBS)
    first = asyncio.run(pool.compute({"do": "echo"}, seconds=10))
    assert pool._of_loop == {}
    second = asyncio.run(pool.compute({"do": "echo"}, seconds=10))
    assert first["pid"] != second["pid"]
    wait_until_gone(second["pid"])


async def test_the_worker_sees_no_secret_no_django_and_no_descriptor_of_the_server(monkeypatch):
    monkeypatch.setenv("HANDRAISE_MODEL_API_KEY", "sk-secret")
    seen = await WorkerPool(JOBS).compute({"do": "look"}, seconds=10)
    assert set(seen["environment"]) <= {"PYTHONHASHSEED", "LC_ALL", "LC_CTYPE"}
    assert not [name for name in seen["modules"] if name.partition(".")[0] in ("django", "config")]
    assert seen["descriptors"] == 4  # three of /dev/null and the channel
    assert seen["group"]
    assert seen["core"] == 0


async def test_the_worker_cannot_write_a_file(tmp_path):
    with pytest.raises(SandboxError):
        await WorkerPool(JOBS).compute({"do": "write", "path": str(tmp_path / "out")}, seconds=10)
    assert not (tmp_path / "out").exists() or (tmp_path / "out").read_text() == ""


@pytest.mark.parametrize("busy", [False, True])
def test_kill_9_of_the_server_leaves_no_worker(busy):
    program = f"""
import asyncio
from apps.sandbox.pool import WorkerPool
async def main():
    pool = WorkerPool({JOBS!r})
    print((await pool.compute({{"do": "echo"}}, seconds=10))["pid"], flush=True)
    await (pool.compute({{"do": "spin"}}, seconds=60) if {busy} else asyncio.sleep(60))
asyncio.run(main())
"""
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    with server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        time.sleep(0.1)
        assert is_running(pid)
        server.kill()
    wait_until_gone(pid)
