"""Delegated runs: a budget and tools of their own, nobody to ask, found again after a crash, stopped with their parent."""

import json
from typing import Any

import pytest

from apps.chat.models import Run, ToolResult
from apps.interactions.models import Interaction
from apps.providers.scripted import ScriptedModel
from apps.runs import recovery, segments, services
from apps.runs.capabilities import Chat
from apps.runs.delegating import Task, take_child
from apps.runs.loading import Loaded, load
from apps.runs.settings_store import change_settings
from apps.runs.showing import Shown
from apps.toolkit.tools import OVER_SOURCES, work_tools
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk, ask, ask_questions
from tests.support.loop import Counting
from tests.support.terminals import TypedTerminal
from tests.support.tools import Sending, send

pytestmark = pytest.mark.django_db(transaction=True)
WORK = {"id": "w", "name": "count", "arguments": {}}


def give_away(ident: str = "d1", key: str = "c", **arguments: Any) -> dict[str, Any]:
    """Return a script's call of delegate; the task names the script of the delegated run."""
    return {"id": ident, "name": "delegate", "arguments": {"task": f"Do it. [[child#{key}]]"} | arguments}


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Mount a tool that works, and one that asks first."""
    made, own_tools = Counting(), Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*own_tools(chat), made, Sending()))
    return made


def desk_with(child: list[dict[str, Any]], parent: list[dict[str, Any]] | None = None) -> Desk:
    """Return a desk whose model gives a task away, and what the delegated run plays."""
    desk = Desk(UserFactory())
    desk.model = ScriptedModel({"s": parent or [{"calls": [give_away()]}, DONE], "child": child}, keep_requests=True)
    return desk


def result(run: Run, ident: str = "d1") -> dict[str, Any]:
    """Return the result of a call as the model reads it."""
    return dict(json.loads(ToolResult.objects.get(call__run=run, call__call_id__endswith=ident).content))


def requests_of_child(desk: Desk) -> list[Any]:
    return [request for request in desk.model.requests if "[[child" in str(request.messages[1]["content"])]


def test_the_final_text_of_a_delegated_run_is_the_result_of_its_call(counting: Counting) -> None:
    desk = desk_with([{"calls": [WORK]}, {"text": "It is 42."}])
    run = desk.drive(desk.say())
    assert run.status == Run.Status.COMPLETED
    assert result(run) == {"status": "done", "answer": "It is 42.", "outcome": "finished", "open_questions": []}
    child = Run.objects.get(parent_call__run=run)
    assert (child.status, len(counting.runs)) == (Run.Status.COMPLETED, 1)


def test_a_delegated_run_sees_its_task_and_nothing_of_the_conversation(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    desk.drive(desk.say())
    (request,) = requests_of_child(desk)
    assert [message["role"] for message in request.messages] == ["system", "user"]
    assert "hello" not in str(request.messages)


def test_h23_no_tool_that_asks_is_in_the_schema_of_a_delegated_run(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    desk.drive(desk.say())
    (request,) = requests_of_child(desk)
    offered = [tool["function"]["name"] for tool in request.tools]
    assert offered == ["count", *(tool.name for tool in work_tools() if tool.name not in OVER_SOURCES)]


@pytest.mark.parametrize("call", [ask("q"), ask_questions("q", "Which?"), send("q")])
def test_h23_a_delegated_run_that_asks_is_told_so_at_once_and_no_card_is_made(counting: Counting, call: dict[str, Any]) -> None:
    desk = desk_with([{"calls": [call]}, {"text": "I could not ask."}])
    run = desk.drive(desk.say())
    child = Run.objects.get(parent_call__run=run)
    assert ToolResult.objects.get(call__run=child).code == "DELEGATED_CALLER"
    assert not Interaction.objects.exists()
    assert "user_input_required" not in desk.kinds()
    assert result(run)["open_questions"] == ["May send be used?" if call["name"] == "send" else "Which?"]


def test_h23_the_parent_can_still_ask(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}], [{"calls": [give_away()]}, {"calls": [ask("q")]}, DONE])
    assert desk.drive(desk.say()).status == Run.Status.WAITING
    assert desk.card().kind == "ask_user"


def test_a_tool_that_the_user_wants_to_be_asked_for_is_kept_from_delegated_runs(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    change_settings(desk.user, {"tools": {"count": "ask"}})
    desk.drive(desk.say())
    assert "count" not in [tool["function"]["name"] for tool in requests_of_child(desk)[0].tools]


def test_only_the_tools_that_were_named_are_given_away_and_unknown_ones_are_refused(counting: Counting) -> None:
    parent = [{"calls": [give_away(tools=[])]}, {"calls": [give_away("d2", tools=["send"])]}, DONE]
    desk = desk_with([{"text": "Done."}], parent)
    run = desk.drive(desk.say())
    assert [len(request.tools) for request in requests_of_child(desk)] == [0]
    assert (result(run, "d2")["code"], result(run, "d2")["field"]) == ("BAD_ARGUMENT", "tools")


def test_a_delegated_run_cannot_delegate(counting: Counting) -> None:
    desk = desk_with([{"calls": [give_away("x")]}, {"text": "Done."}])
    run = desk.drive(desk.say())
    assert ToolResult.objects.get(call__run__parent_call__run=run).code == "UNKNOWN_TOOL"


def test_several_delegated_runs_of_a_turn_have_their_own_results(counting: Counting) -> None:
    parent = [{"calls": [give_away("d1", "c1"), give_away("d2", "c2")]}, DONE]
    desk = desk_with([{"calls": [WORK]}, {"text": "Done."}], parent)
    run = desk.drive(desk.say())
    assert [result(run, ident)["answer"] for ident in ("d1", "d2")] == ["Done.", "Done."]
    assert Run.objects.filter(parent_call__run=run).count() == 2


def test_its_rounds_are_bounded_and_by_those_of_its_parent(counting: Counting) -> None:
    desk = desk_with([{"calls": [WORK | {"id": f"w{n}"}]} for n in range(40)])
    desk.config = {"max_rounds": 3}
    run = desk.drive(desk.say())
    assert result(run)["outcome"] == "rounds_exhausted"
    assert len(requests_of_child(desk)) <= 3 + 4


def test_after_a_crash_the_same_delegated_run_goes_on(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    run = desk.say()
    claimed = segments.claim(run.pk, "worker-that-dies")
    assert claimed is not None
    crash_in_delegated_run(desk, claimed)
    child = Run.objects.get(parent_call__run=run)
    segments.requeue(claimed.run.segments.get())
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert list(Run.objects.filter(parent_call__run=run)) == [child]
    assert result(run)["answer"] == "Done."


def crash_in_delegated_run(desk: Desk, claimed: segments.Claimed) -> None:
    """Store the turn that gives the task away, make its run, and die."""
    from apps.agent.messages import ToolCall, Turn
    from apps.agent.steps import RunTools
    from apps.chat.models import new_message_id
    from apps.runs.storing import Segmented, store

    arguments = json.dumps(give_away()["arguments"])
    turn = Turn("", (ToolCall("k-d1", "delegate", arguments),))
    store(Segmented(claimed.run, claimed.fence), [turn], RunTools(turn.calls), new_message_id())
    take_child(claimed.run, claimed.fence, "k-d1", Task("Do it. [[child#c]]", None))


def test_it_ends_with_its_parent(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    run = desk.say()
    claimed = segments.claim(run.pk, "worker")
    assert claimed is not None
    crash_in_delegated_run(desk, claimed)
    services.abort(desk.user, desk.session)
    child = Run.objects.get(parent_call__run=run)
    assert (child.status, child.reason) == (Run.Status.CANCELLED, "user")
    desk.say("next")


def test_a_delegated_run_that_fails_is_an_error_of_its_call_and_the_parent_goes_on(counting: Counting) -> None:
    desk = desk_with([{"text": "Never said.", "fault": {"kind": "status", "status": 401, "times": 9}}])
    run = desk.drive(desk.say())
    assert run.status == Run.Status.COMPLETED
    assert result(run)["code"] == "DELEGATE_FAILED"


def test_it_fails_with_a_parent_that_lost_its_worker_too_often(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    run = desk.say()
    claimed = segments.claim(run.pk, "worker")
    assert claimed is not None
    crash_in_delegated_run(desk, claimed)
    Run.objects.filter(pk=run.pk).update(attempts=segments.MAX_ATTEMPTS)
    segments.requeue(run.segments.get())
    assert set(Run.objects.values_list("status", "error_code")) == {(Run.Status.FAILED, "worker_lost")}
    assert desk.kinds().count("run_failed") == 2


def test_an_operator_ends_it_with_its_parent_and_cannot_queue_it_by_itself(counting: Counting) -> None:
    desk = desk_with([{"text": "Done."}])
    run = desk.say()
    claimed = segments.claim(run.pk, "worker")
    assert claimed is not None
    crash_in_delegated_run(desk, claimed)
    child = Run.objects.get(parent_call__run=run)
    with pytest.raises(recovery.NotRecoverable):
        recovery.requeue_run(child.public_id, "It hangs.")
    recovery.fail_run(run.public_id, "It hangs.")
    assert set(Run.objects.values_list("status", flat=True)) == {Run.Status.FAILED}
    with pytest.raises(recovery.NotRecoverable):
        recovery.requeue_run(child.public_id, "It hangs.")


def test_a_fault_of_ours_ends_it_and_is_told_to_its_parent(counting: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_or_fail(run: Run, fence: int) -> Loaded:
        if run.parent_call_id is not None:
            raise ZeroDivisionError
        return load(run, fence)

    monkeypatch.setattr("apps.runs.execution.load", load_or_fail)
    run = (desk := desk_with([{"text": "Done."}])).drive(desk.say())
    assert (run.status, result(run)["code"]) == (Run.Status.COMPLETED, "TOOL_FAILED")
    assert Run.objects.get(parent_call__run=run).status == Run.Status.FAILED


def test_the_terminal_shows_the_words_of_the_parent_alone(counting: Counting) -> None:
    run = (desk := desk_with([{"text": "Said by the helper."}])).drive(desk.say())
    terminal = TypedTerminal([])
    Shown(terminal, run.session_id).catch_up()
    assert "All done." in terminal.written
    assert "helper" not in terminal.written
