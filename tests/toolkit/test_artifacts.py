"""The rows of files: written with the result of their call, once; gone with their session."""

import json
from functools import partial

import pytest
from django.db import IntegrityError

from apps.chat.models import ChatSession, Run, ToolCall, ToolResult
from apps.runs import services
from apps.runs.capabilities import capability_named, mounted
from apps.runs.erasing import workspace_of
from apps.toolkit.models import Artifact
from tests.factories.accounts import UserFactory
from tests.factories.files import make_artifact
from tests.runs.conftest import DONE, Desk
from tests.support.racing import at_once
from tests.toolkit.scripts import make

pytestmark = pytest.mark.django_db(transaction=True)


def ran(*calls: dict[str, object]) -> tuple[Desk, Run]:
    """Let a model make these calls in one turn and then be done."""
    desk = Desk(UserFactory(), [{"calls": list(calls)}, DONE])
    return desk, desk.drive(desk.say())


def test_a_run_makes_a_file_without_asking_and_a_row_says_where_it_is() -> None:
    desk, run = ran(make(name="笔记.txt", content="你好"))
    row = Artifact.objects.get(call__run=run)
    assert run.status == Run.Status.COMPLETED
    assert (row.name, row.media_type, row.size, row.number) == ("笔记.txt", "text/plain; charset=utf-8", 6, 0)
    assert (workspace_of(desk.session) / row.path).read_text() == "你好"
    told = json.loads(ToolResult.objects.get(call__run=run).content)["files"]
    assert [file["id"] for file in told] == [row.public_id]


def test_two_calls_with_one_name_make_two_files() -> None:
    _desk, run = ran(make(content="1", ident="f1"), make(content="2", ident="f2"))
    assert len(set(Artifact.objects.filter(call__run=run).values_list("folder", flat=True))) == 2


def test_a_refused_call_makes_no_row() -> None:
    _desk, run = ran(make(name="../x.txt"))
    assert ToolResult.objects.get(call__run=run).code == "BAD_ARGUMENT"
    assert not Artifact.objects.exists()


def test_a_file_whose_result_was_not_kept_is_made_again_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("apps.runs.storing.artifacts_of", lambda *args: 1 / 0)
        desk, run = ran(make())
    [left] = workspace_of(desk.session).rglob("notes.txt")
    assert (run.status, Artifact.objects.count()) == (Run.Status.FAILED, 0)
    desk.drive(services.retry(desk.user, desk.session).run)
    row = Artifact.objects.get(call__run=run)
    assert list(workspace_of(desk.session).rglob("notes.txt")) == [left]
    assert workspace_of(desk.session) / row.path == left


def test_of_many_rows_for_one_file_of_a_call_the_database_takes_one() -> None:
    _desk, run = ran({"id": "x", "name": "unknown", "arguments": {}})
    call = ToolCall.objects.select_related("run__session").get(run=run)
    outcomes = at_once([partial(make_artifact, call)] * 8)
    rows = [each for each in outcomes if isinstance(each, Artifact)]
    assert len({row.number for row in rows}) == len(rows) == Artifact.objects.count()
    assert all(isinstance(each, Artifact | IntegrityError) for each in outcomes), outcomes


def test_a_deleted_session_takes_its_rows_and_files_along() -> None:
    desk, _run = ran(make())
    services.delete_session(desk.user, desk.session)
    assert not Artifact.objects.exists()
    assert not workspace_of(desk.session).exists()


@pytest.mark.parametrize("capability", ["chat", "deep_solve"])
def test_every_capability_offers_it_and_a_session_may_switch_it_off(capability: str) -> None:
    assert "exec" in mounted(capability_named(capability), {}).tools
    assert "exec" not in mounted(capability_named(capability), {"exec": False}).tools


def test_a_run_of_a_session_that_switched_it_off_gets_unknown_tool() -> None:
    desk = Desk(UserFactory(), [{"calls": [make()]}, DONE], config={"tools": {"exec": False}})
    run = desk.drive(desk.say())
    assert ToolResult.objects.get(call__run=run).code == "UNKNOWN_TOOL"
    assert ChatSession.objects.get(public_id=desk.session).runs.count() == 1
