"""`manage.py process_runs`: a worker beside the server."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.runs.commands.conftest import Install
from tests.support.server import ServerProcess, wait_until

pytestmark = pytest.mark.journey
QUEUE_A_RUN = """
from apps.accounts.models import User
from apps.runs.services import NewRun, start_run
start_run(User.objects.get(username="ada"), NewRun("hello"))
"""
STATUS = "from apps.chat.models import Run; print(Run.objects.get().status)"


def test_it_drives_what_others_have_queued_and_stops_when_told(install: Install) -> None:
    installation = install({"default": [{"text": "All done."}]})
    worker = installation.popen("process_runs", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert installation.manage("shell", "-v0", "-c", QUEUE_A_RUN).returncode == 0
        wait_until(lambda: installation.manage("shell", "-v0", "-c", STATUS).stdout == "completed\n", 30)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(5) == 0
    finally:
        worker.kill()
        said, _ = worker.communicate()
    assert said == b"This process drives runs. Stop it with Ctrl-C.\n"


def test_without_tables_it_says_what_to_do(tmp_path: Path) -> None:
    ended = ServerProcess(tmp_path / "server").manage("process_runs")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "CommandError: The database is not up to date: start manage.py serve once, or run manage.py migrate.\n"
    )
