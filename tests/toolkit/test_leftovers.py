"""Files that no row names are cleared away: those of calls that were cut, and of no others."""

import asyncio
import json
import os
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from apps.chat.models import ChatSession, Run, ToolCall, ToolResult
from apps.providers.scripted import ScriptedModel
from apps.runs import segments, services
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.erasing import workspace_of
from apps.runs.execution import execute
from apps.runs.nightly import tidy
from apps.toolkit.files import exec as files_of_exec
from apps.toolkit.files.made import folder_of
from apps.toolkit.models import Artifact
from apps.toolkit.sources.files import path_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.toolkit.scripts import make
from tests.toolkit.sources.papers import File, attached

pytestmark = pytest.mark.django_db(transaction=True)
Keep = Callable[..., Any]


@pytest.fixture
def desk() -> Desk:
    """A user whose model makes a file, and then is done."""
    return Desk(UserFactory(), [{"calls": [make()]}, DONE])


def files(desk: Desk) -> list[str]:
    """Return the names of the files in the workspace."""
    return [path.name for path in workspace_of(desk.session).rglob("*") if path.is_file()]


def keeping(monkeypatch: pytest.MonkeyPatch, around: Callable[[Keep], Any]) -> None:
    """Let the tool put its file into the workspace as `around` says, which is given what does it."""
    whole = files_of_exec._kept

    def kept(*args: Any) -> Any:
        try:
            return around(lambda: whole(*args))
        finally:
            connection.close()  # the thread's own

    monkeypatch.setattr(files_of_exec, "_kept", kept)


def test_a_file_that_is_written_while_its_run_is_aborted_goes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, aborted = threading.Event(), threading.Event()

    def slowly(keep: Keep) -> Any:
        begun.set()
        aborted.wait(20)
        return keep()

    keeping(monkeypatch, slowly)
    claimed = segments.claim(desk.say().pk, "worker-test")
    assert claimed is not None
    asyncio.run(_aborted_under_way(claimed, desk, begun, aborted))
    assert files(desk) == []


async def _aborted_under_way(claimed: segments.Claimed, desk: Desk, begun: threading.Event, aborted: threading.Event) -> None:
    threads = DatabaseThreads()
    task = asyncio.create_task(execute(claimed, desk.model, threads))
    await asyncio.to_thread(begun.wait, 20)
    await threads(services.abort, desk.user, desk.session)
    task.cancel()  # as the hint of the abort does
    asyncio.get_running_loop().call_later(0.3, aborted.set)
    await asyncio.gather(task, return_exceptions=True)
    threads.close()


def test_a_file_whose_result_comes_after_the_abort_goes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(keep: Keep) -> Any:
        kept = keep()
        services.abort(desk.user, desk.session)
        return kept

    keeping(monkeypatch, too_late)
    run = desk.drive(desk.say())
    assert (run.status, files(desk), Artifact.objects.count()) == (Run.Status.CANCELLED, [], 0)


def test_a_tool_that_was_at_work_is_not_said_to_have_never_begun(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    keeping(monkeypatch, lambda keep: services.abort(desk.user, desk.session))
    desk.drive(desk.say())
    assert json.loads(ToolResult.objects.get().content)["message"] == "The run was stopped before this tool was done."


def test_a_worker_that_goes_leaves_the_file_of_a_call_that_will_be_done_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(keep: Keep) -> Any:
        kept = keep()
        Run.objects.update(fence=7)
        return kept

    with monkeypatch.context() as patch:
        keeping(patch, lost)
        run = desk.drive(desk.say())
    assert (run.status, files(desk)) == (Run.Status.RUNNING, ["notes.txt"])


def left(desk: Desk, status: str) -> str:
    """Leave the file of a call of a new run that has come to this state; return its name."""
    desk.model = ScriptedModel({"s": [{"calls": [make("shell")]}, DONE]})
    run = desk.drive(desk.say(f"hello [[s#{status}]]"))
    call = ToolCall.objects.get(run=run)
    Run.objects.filter(pk=run.pk).update(status=status)
    if status != Run.Status.CANCELLED:
        call.result.delete()
    folder = workspace_of(desk.session) / folder_of("exec", run.public_id, call.call_id)
    folder.mkdir(parents=True)
    (folder / f"{status}.txt").write_text("left")
    return f"{status}.txt"


def test_over_night_leftovers_of_a_kill_go_and_named_files_stay(desk: Desk) -> None:
    desk.drive(desk.say())
    left(desk, "cancelled")
    tidy()
    assert files(desk) == ["notes.txt"]


@pytest.mark.parametrize("status", ["running", "failed"])
def test_over_night_the_files_of_calls_that_may_go_on_stay(desk: Desk, status: str) -> None:
    name = left(desk, status)
    tidy()
    assert files(desk) == [name]


def test_the_file_of_a_failed_run_goes_once_nobody_can_try_it_again(desk: Desk) -> None:
    left(desk, "failed")
    desk.model = ScriptedModel({"s": [DONE]})
    desk.drive(desk.say())
    tidy()
    assert files(desk) == []


def test_over_night_attached_files_without_a_row_go_but_not_those_that_are_at_work(desk: Desk) -> None:
    desk.drive(desk.say())
    (kept,) = attached(ChatSession.objects.get(public_id=desk.session), File("kept.txt", "Some words."))
    folder = path_of(desk.session, kept.public_id).parent
    for name in ("src_lost", "src_at_work", kept.public_id):
        (folder / name).touch()
    for name in ("src_lost", kept.public_id):
        os.utime(folder / name, (0, 0))
    tidy()
    assert sorted(files(desk)) == sorted(["notes.txt", "src_at_work", kept.public_id])
