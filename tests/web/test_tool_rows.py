"""The row of a tool says in words how far its call has come, and what it holds."""

import pytest
from django.test import Client
from django.utils import timezone

from apps.chat.models import Run, ToolCall, ToolResult
from tests.support.runs import DONE, asks
from tests.web.conftest import Say

CALL = {"id": "c1", "name": "no_such_tool", "arguments": {"x": "<b>"}}
STATES = [
    ({"is_error": False, "code": ""}, "done", "完成"),
    ({"is_error": True, "code": "TOOL_FAILED"}, "failed", "失败"),
    ({"is_error": True, "code": "ABORTED"}, "cancelled", "已取消"),
    ({"is_error": True, "code": "OUTCOME_UNKNOWN"}, "interrupted", "已中断"),
]


def row(browser: Client, run: Run) -> str:
    """Return the row of the tool in the page of its chat."""
    page = browser.get(f"/s/{run.session.public_id}/").content.decode()
    return page.partition('class="row row-tool"')[2].partition("</summary>")[0]


@pytest.mark.parametrize(("result", "english", "chinese"), STATES)
def test_what_became_of_a_call_is_said_in_words(
    result: dict[str, object], english: str, chinese: str, browser: Client, say: Say
) -> None:
    run = say(asks(CALL), DONE).run
    ToolResult.objects.filter(call__run=run).update(**result)
    assert f'class="tool-state">{english}' in row(browser, run)
    browser.post("/settings/", {"part": "looks", "language": "zh-hans", "theme": "auto"})
    assert f'class="tool-state">{chinese}' in row(browser, run)


def test_a_call_waits_its_turn_and_then_runs(browser: Client, say: Say) -> None:
    run = say(asks(CALL), DONE).run
    ToolResult.objects.filter(call__run=run).delete()
    Run.objects.filter(pk=run.pk).update(status=Run.Status.RUNNING, ended_at=None)
    ToolCall.objects.filter(run=run).update(started_at=None)
    assert 'class="tool-state">queued' in row(browser, run)
    ToolCall.objects.filter(run=run).update(started_at=timezone.now())
    assert 'class="tool-state">running' in row(browser, run)
