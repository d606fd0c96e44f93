"""Programs in the sandbox: what comes of them, what is kept of them, and that nothing of them stays."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from apps.sandbox.code import CodePool, Interpreter
from apps.sandbox.errors import Unavailable, WorkerFailed
from apps.sandbox.pool import SparePool
from apps.sandbox.worker import Limits, spawn
from tests.sandbox.confined import Way, sandbox
from tests.sandbox.processes import descendants, scratch_folders, wait_until_gone, wait_until_removed
from tests.support.project import PROJECT

FONTS = PROJECT / ".bin" / "fonts.py"
STAYS = "open('made.txt', 'w').write('made')\nwhile True: pass"


async def test_what_a_program_prints_and_its_exit_code_come_back(pool: CodePool) -> None:
    finished = await pool.run("import sys\nprint('π')\nprint('no', file=sys.stderr)\nsys.exit(3)", seconds=10)
    assert (finished.reason, finished.exit_code, finished.stdout, finished.stderr) == ("", 3, "π\n", "no\n")


async def test_a_traceback_shows_the_lines_of_the_program_and_no_other(pool: CodePool) -> None:
    finished = await pool.run("x = 0\nprint(1 / x)\n", seconds=10)
    assert finished.exit_code == 1
    assert finished.stderr.startswith(
        'Traceback (most recent call last):\n  File "<code>", line 2, in <module>\n    print(1 / x)\n'
    )
    assert finished.stderr.count("File ") == 1


async def test_each_program_is_a_process_of_its_own_and_remembers_nothing(pool: CodePool) -> None:
    await pool.run("import builtins; builtins.kept = 1; open('kept.txt', 'w').close()", seconds=10)
    finished = await pool.run("import builtins, os; print(hasattr(builtins, 'kept'), os.listdir('.'))", seconds=10)
    assert finished.stdout == "False []\n"


async def test_what_threads_and_exit_handlers_print_at_the_end_is_not_lost(pool: CodePool) -> None:
    code = (
        "import atexit, threading\natexit.register(print, 'last')\nthreading.Timer(0.1, print, ['late']).start()\nprint('first')"
    )
    assert (await pool.run(code, seconds=10)).stdout == "first\nlate\nlast\n"


async def test_long_output_keeps_its_beginning_and_its_end(pool: CodePool) -> None:
    finished = await pool.run("for n in range(20000): print(n)", seconds=10)
    assert finished.stdout.startswith("0\n1\n")
    assert finished.stdout.endswith("19998\n19999\n")
    assert "characters left out" in finished.stdout
    assert len(finished.stdout) < 21_000


async def test_sympy_numpy_and_matplotlib_are_there(way: Way, tmp_path: Path) -> None:
    pool = CodePool(sandbox(way))
    code = (
        "import numpy, sympy\nimport matplotlib.pyplot as plot\nx = sympy.Symbol('x')\n"
        "print(sympy.solve(x**2 - 2, x), numpy.eye(2).trace())\nplot.plot([1, 4, 9])\nplot.savefig('plot.png')\n"
    )
    finished = await pool.run(code, seconds=60, files_to=tmp_path / "files")
    await pool.close()
    assert (finished.exit_code, finished.stdout) == (0, "[-sqrt(2), sqrt(2)] 2.0\n"), finished
    assert (tmp_path / "files" / "plot.png").read_bytes().startswith(b"\x89PNG")


def made_for_matplotlib(folder: Path) -> Sequence[str]:
    """Let install's own program make its files."""
    subprocess.run([settings.SANDBOX_PYTHON, str(FONTS)], env={"MPLCONFIGDIR": str(folder)}, check=True, timeout=120)
    return [str(path) for path in folder.iterdir() if path.is_file()]


@pytest.mark.chinese
@pytest.mark.landlock
async def test_chinese_in_a_plot_is_written_not_boxed(tmp_path: Path) -> None:
    pool = CodePool(replace(sandbox(Way("landlock", "self")), seeds=made_for_matplotlib(tmp_path)))
    code = (
        "import warnings\nimport matplotlib.pyplot as plot\nwarnings.simplefilter('error')\n"
        "plot.bar(['底', '高'], [6, 4])\nplot.title('面积 Area')\nplot.savefig('plot.png')\n"
    )
    finished = await pool.run(code, seconds=60)
    await pool.close()
    assert (finished.exit_code, finished.stderr) == (0, "")


# --- files ---------------------------------------------------------------------------------------------


async def test_files_are_taken_over_by_type_number_and_size_and_the_others_named(pool: CodePool, tmp_path: Path) -> None:
    code = (
        "import os\nos.mkdir('out')\n"
        "for name in ('a.csv', 'out/b.PNG', '.hidden.txt', 'page.html', 'no_ending', 'new\\nline.txt', 'r\\u202etxt.csv'):\n"
        "    open(name, 'w').write('xy')\n"
    )
    finished = await pool.run(code, seconds=10, files_to=tmp_path / "files")
    assert finished.files == [{"name": "a.csv", "size": 2}, {"name": "out/b.PNG", "size": 2}]
    reasons = {each["name"]: each["reason"] for each in finished.left_out}
    assert reasons.pop("page.html") == reasons.pop("no_ending") == "type"
    assert set(reasons.values()) == {"name"}
    assert sorted(str(path.relative_to(tmp_path / "files")) for path in (tmp_path / "files").rglob("*.*")) == [
        "a.csv",
        "out/b.PNG",
    ]
    assert (tmp_path / "files" / "a.csv").stat().st_mode & 0o777 == 0o600


async def test_more_files_than_may_be_are_left_out(pool: CodePool, tmp_path: Path) -> None:
    finished = await pool.run("for n in range(30): open(f'{n:02}.txt', 'w').write('x')", seconds=10, files_to=tmp_path / "files")
    assert len(finished.files) == len(list((tmp_path / "files").iterdir())) == 20
    assert {each["reason"] for each in finished.left_out} == {"number"}


async def test_files_are_not_taken_over_to_a_place_that_has_gone(pool: CodePool, tmp_path: Path) -> None:
    with pytest.raises(WorkerFailed):
        await pool.run("open('a.csv', 'w').write('x')", seconds=10, files_to=tmp_path / "gone" / "files")
    assert list(tmp_path.iterdir()) == []


# --- nothing stays -------------------------------------------------------------------------------------


async def begin(pool: CodePool, files: Path, seconds: float = 60) -> "tuple[asyncio.Task[object], set[int], set[str]]":
    """Start a program that goes on for ever; return its task, its processes and its folders."""
    processes, folders = descendants(os.getpid()), scratch_folders()
    task = asyncio.create_task(pool.run(STAYS, seconds=seconds, files_to=files))
    await asyncio.sleep(0.8)
    return task, descendants(os.getpid()) - processes, scratch_folders() - folders


async def test_a_program_whose_caller_is_cancelled_leaves_no_process_and_no_file(pool: CodePool, tmp_path: Path) -> None:
    task, processes, folders = await begin(pool, tmp_path / "files")
    task.cancel()
    await asyncio.wait([task])
    assert processes
    await asyncio.to_thread(wait_until_gone, processes)
    await asyncio.to_thread(wait_until_removed, folders)
    assert not (tmp_path / "files").exists()


async def test_a_program_that_runs_too_long_leaves_no_process_and_no_file(pool: CodePool, tmp_path: Path) -> None:
    task, processes, folders = await begin(pool, tmp_path / "files", seconds=1.5)
    assert processes
    assert (await task).reason == "timeout"  # type: ignore[attr-defined]
    await asyncio.to_thread(wait_until_gone, processes)
    await asyncio.to_thread(wait_until_removed, folders)
    assert not (tmp_path / "files").exists()


SERVER = """
import asyncio, sys
from pathlib import Path
import django
django.setup()
from tests.sandbox.confined import Way, code_pool
async def main():
    pool = code_pool(Way(sys.argv[1], "self"))
    await pool.run({code!r}, seconds=60, files_to=Path(sys.argv[2]))
asyncio.run(main())
"""


def test_a_server_that_is_killed_leaves_no_process_and_no_file(way: Way, tmp_path: Path) -> None:
    before = scratch_folders()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(PROJECT)}
    program = [sys.executable, "-c", SERVER.format(code=STAYS), way.kind, str(tmp_path / "files")]
    server = subprocess.Popen(program, env=environment, start_new_session=True)
    deadline = time.monotonic() + 30
    while len(processes := descendants(server.pid)) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)
    processes, folders = descendants(server.pid), scratch_folders() - before
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()
    wait_until_gone(processes)
    wait_until_removed(folders)
    assert not (tmp_path / "files").exists()


async def test_a_keeper_that_is_killed_takes_its_program_along_and_the_next_one_clears_up(pool: CodePool, tmp_path: Path) -> None:
    task, processes, folders = await begin(pool, tmp_path / "files")
    for pid in processes & set(_children()):
        os.kill(pid, signal.SIGKILL)
    await asyncio.wait([task])
    await asyncio.to_thread(wait_until_gone, processes)
    age(folders)
    await pool.run("print(1)", seconds=10)
    await asyncio.to_thread(wait_until_removed, folders)


def age(folders: Collection[str]) -> None:
    """Make folders look as if they had been left an hour ago."""
    for folder in folders:
        os.utime(Path(tempfile.gettempdir()) / folder, (0, 0))


def _children() -> list[int]:
    own = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return [int(pid) for pid in own.split()]


# --- the one that waits --------------------------------------------------------------------------------


def test_a_sandbox_that_is_not_wanted_any_more_while_it_starts_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # As bubblewrap does until it has set up its child: that one waits for it, and does not die with it.
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\n/bin/sleep 600 &\nexec /bin/sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ours, theirs = socket.socketpair()
    with theirs:
        keeper = sandbox(Way("bubblewrap", "self")).start(theirs)
    while len(processes := descendants(keeper.pid)) < 2:
        time.sleep(0.02)
    ours.close()
    keeper.wait(20)
    wait_until_gone(processes)


async def test_after_a_program_the_next_sandbox_waits_ready_and_not_for_ever(way: Way) -> None:
    before = descendants(os.getpid())
    pool = CodePool(sandbox(way), spare_seconds=1.5)
    await pool.run("print(1)", seconds=10)
    await asyncio.sleep(0.7)
    waiting = descendants(os.getpid()) - before
    assert waiting
    await asyncio.to_thread(wait_until_gone, waiting)
    await pool.close()


async def test_a_sandbox_that_died_while_it_waited_is_replaced(way: Way) -> None:
    pool, before, others = CodePool(sandbox(way), spare_seconds=30), scratch_folders(), set(_children())
    await pool.warm()
    for pid in set(_children()) - others:
        os.kill(pid, signal.SIGKILL)
    await asyncio.sleep(0.2)
    age(scratch_folders() - before)
    assert (await pool.run("print(1)", seconds=10)).stdout == "1\n"
    await pool.close()


# --- whether it works here -----------------------------------------------------------------------------


def test_the_trial_passes_where_the_walls_hold(way: Way) -> None:
    sandbox(way).check()


def test_the_trial_fails_where_bubblewrap_is_there_but_may_not_do_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = tmp_path / "bwrap"
    refusing.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Unavailable):
        sandbox(Way("bubblewrap", "self")).check()


def test_the_trial_fails_where_a_wall_is_missing(way: Way) -> None:
    made = sandbox(way)
    everywhere = replace(made.interpreter, readable=[*made.interpreter.readable, tempfile.gettempdir()])
    with pytest.raises(Unavailable, match="these walls do not hold: files, folders"):
        replace(made, interpreter=everywhere).check()


def test_an_interpreter_that_is_not_there_is_said_so() -> None:
    with pytest.raises(Unavailable, match="its interpreter is not installed"):
        Interpreter.at(Path("/nowhere/python"))


async def test_a_sandbox_that_does_not_come_up_fails_the_job() -> None:
    pool = SparePool(lambda channel: spawn(["false"], channel), Limits(jobs=1), size=1, spare_seconds=0)
    with pytest.raises(WorkerFailed):
        await pool.compute({}, seconds=5)
