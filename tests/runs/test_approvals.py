"""Approvals: a tool whose policy is `ask` starts when its user has allowed this very call, and not before."""

import json
from typing import Any

import pytest

from apps.audit.models import AuditRecord
from apps.chat.models import Run, ToolCall, ToolResult
from apps.common.clock import database_now
from apps.interactions.answers import InvalidAnswer
from apps.interactions.approvals import named_arguments
from apps.interactions.events import card as card_of
from apps.interactions.events import receipt
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.runs import services
from apps.runs.erasing import erase_session, workspace_of
from apps.runs.errors import Expired
from apps.runs.records import chain_keys, evidence_of
from apps.runs.settings_store import change_settings
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk, ask
from tests.runs.test_evidence import check
from tests.support.tools import Sending, mounted_in_chat, send

APPROVE, DENY = Submission(decision="approve"), Submission(decision="deny", feedback="Not today.")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that sends."""
    return mounted_in_chat(Sending(), monkeypatch)


@pytest.fixture
def desk(transactional_db: None, tool: Sending) -> Desk:
    """A user whose model sends something and then is done."""
    return Desk(UserFactory(), [{"calls": [send()]}, DONE])


def told(run: Run) -> tuple[bool, str, str]:
    """Return whether the one call's result is an error, its code and its reason."""
    result = ToolResult.objects.get(call__run=run)
    return result.is_error, result.code, content(run)["reason"]


def content(run: Run, ident: str = "s1") -> dict[str, Any]:
    """Return the result of a call as the model reads it."""
    return dict(json.loads(ToolResult.objects.get(call__run=run, call__call_id__endswith=ident).content))


def test_a_call_waits_for_its_user_and_the_tool_has_not_started(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    (card,) = [event.data for event in desk.events() if event.kind == "user_input_required"]
    assert (card["kind"], card["mode"], card["title"]) == ("approval", "approval", "send")
    assert json.loads(card["detail"]) == {"text": "hello"}
    assert tool.sent == []
    assert not ToolResult.objects.filter(call__run=run).exists()


def test_an_allowed_call_runs_once_and_its_result_is_the_tools_own(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), APPROVE)
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == ["hello"]
    assert content(run) == {"status": "sent"}
    kinds = desk.kinds()
    tail = ["user_input_resolved", "run_resumed", "tool_result", "message", "usage", "run_completed"]
    assert kinds[kinds.index("user_input_resolved") :] == tail


def test_what_is_said_to_an_allowed_call_reaches_the_model_once(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(desk.card(), Submission(decision="approve", feedback="But be {quick}."))
    desk.drive(run)
    texts = [message["content"] for message in desk.model.requests[-1].messages if message["role"] == "user"]
    assert [text for text in texts if "But be {quick}." in text] == texts[-1:]


def test_a_denied_call_gets_the_users_words_and_the_run_goes_on(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), DENY)
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == []
    assert told(run) == (True, "APPROVAL_DENIED", "user")
    assert (content(run)["status"], content(run)["feedback"]) == ("denied", "Not today.")


def test_closing_the_card_allows_nothing_and_the_run_goes_on(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), Submission(cancelled=True))
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert (told(run), tool.sent) == ((True, "APPROVAL_DENIED", "closed"), [])


@pytest.mark.parametrize("on_timeout", ["stop", "continue"])
def test_an_expiry_allows_nothing_and_the_run_goes_on_whatever_its_config_says(
    desk: Desk, tool: Sending, on_timeout: str
) -> None:
    desk.config = {"on_timeout": on_timeout}
    run = desk.asked()
    Interaction.objects.update(expires_at=desk.card().created_at)
    with pytest.raises(Expired):
        desk.answer(desk.card(), APPROVE)
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert (told(run), tool.sent) == ((True, "APPROVAL_DENIED", "timeout"), [])


def test_an_abort_closes_the_card_and_the_tool_never_starts(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    services.abort(desk.user, desk.session)
    card = Interaction.objects.get()
    assert (card.status, content(run)["code"], tool.sent) == ("aborted", "ABORTED", [])


def test_a_message_in_place_of_the_decision_allows_nothing(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.say("rather not", on_pending="supersede")
    assert content(run)["code"] == "APPROVAL_DENIED"
    assert (Interaction.objects.get().reason, tool.sent) == ("reply_in_chat", [])


@pytest.mark.parametrize(
    "submission",
    [
        Submission(),
        Submission(decision=""),
        Submission(decision="yes"),
        Submission(decision="approve_with_edits"),
        Submission(feedback="approve"),
        Submission(custom_input="approve", decision="approve"),
        Submission(selections=("approve",)),
    ],
)
def test_only_a_decision_decides_and_everything_else_leaves_the_card_open(desk: Desk, submission: Submission) -> None:
    desk.asked()
    with pytest.raises(InvalidAnswer):
        desk.answer(desk.card(), submission)
    assert desk.card().status == "pending"


def test_two_approvals_of_a_turn_are_open_together_and_run_after_the_last_has_closed(desk: Desk, tool: Sending) -> None:
    two = Desk(desk.user, [{"calls": [send("a", "one"), send("b", "two"), ask("q")]}, DONE])
    run = two.asked()
    first, second, question = Interaction.objects.filter(run=run).order_by("id")
    two.answer(first, APPROVE)
    two.answer(question)
    assert two.drive(run).status == Run.Status.WAITING
    assert tool.sent == []
    two.answer(second, DENY)
    assert two.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == ["one"]
    sent = [message["tool_call_id"] for message in two.model.requests[-1].messages if message["role"] == "tool"]
    assert [ident[-1] for ident in sent] == ["a", "b", "q"]


def test_a_question_cancelled_beside_it_ends_the_turn_and_what_was_allowed_never_starts(desk: Desk, tool: Sending) -> None:
    both = Desk(desk.user, [{"calls": [send("a"), ask("q")]}, DONE])
    run = both.asked()
    call, question = Interaction.objects.filter(run=run).order_by("id")
    both.answer(call, APPROVE)
    both.answer(question, Submission(cancelled=True))
    run.refresh_from_db()
    assert (run.status, tool.sent, content(run, "a")["code"]) == (Run.Status.CANCELLED, [], "ABORTED")


def test_the_same_call_twice_in_a_turn_is_asked_for_once(desk: Desk, tool: Sending) -> None:
    twice = Desk(desk.user, [{"calls": [send("a"), send("b")]}, DONE])
    run = twice.asked()
    assert Interaction.objects.filter(run=run).count() == 1
    assert content(run, "b")["code"] == "DUPLICATE_CALL"


def test_h24_where_nobody_can_answer_the_tool_does_not_start_and_nothing_hangs(desk: Desk, tool: Sending) -> None:
    run = desk.drive(desk.say(can_ask="NO_PROVIDER"))
    assert run.status == Run.Status.COMPLETED
    assert (content(run)["code"], tool.sent) == ("NO_PROVIDER", [])
    assert not Interaction.objects.exists()


def test_a_file_that_changed_since_is_asked_for_anew(desk: Desk, tool: Sending) -> None:
    named = Desk(desk.user, [{"calls": [send(file="a.txt")]}, DONE])
    run = named.drive(named.say())
    file = workspace_of(named.session) / "a.txt"
    file.write_text("harmless")
    named.answer(named.card(), APPROVE)
    assert named.drive(run).status == Run.Status.WAITING
    again = named.card()
    assert (again.payload["files"][0]["path"], tool.sent) == ("a.txt", [])
    assert again.payload["description"]
    named.answer(again, APPROVE)
    assert named.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == ["hello"]
    file.unlink()


def test_a_tool_that_changed_since_is_asked_for_anew(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), APPROVE)
    tool.about = "Sends to everybody."
    assert desk.drive(run).status == Run.Status.WAITING
    desk.answer(desk.card(), DENY)
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == []
    answers = [event.data["answer"] for event in desk.events() if event.kind == "user_input_resolved"]
    assert [answer["decision"] for answer in answers] == ["approve", "deny"]


def test_an_allowed_tool_that_had_started_is_not_run_again(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), APPROVE)
    ToolCall.objects.update(started_at=database_now())
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert (content(run)["code"], tool.sent) == ("OUTCOME_UNKNOWN", [])


def test_the_answer_of_an_event_stays_as_it_was_sent_when_the_tool_has_its_result(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(desk.card(), Submission(decision="approve", feedback="Go on."))
    before = [event.frame for event in desk.events()]
    desk.drive(run)
    assert [event.frame for event in desk.events()][: len(before)] == before
    (resolved,) = [event.data for event in desk.events() if event.kind == "user_input_resolved"]
    assert resolved["answer"] == {"status": "answered", "decision": "approve", "feedback": "Go on."}


def test_every_decision_is_on_record_with_tool_effect_and_reason(transactional_db: None, tool: Sending) -> None:
    for submission in (APPROVE, DENY, Submission(cancelled=True)):
        desk = Desk(UserFactory(), [{"calls": [send()]}, DONE])
        desk.asked()
        desk.answer(desk.card(), submission)
    records = AuditRecord.objects.filter(kind__startswith="approval_").order_by("at", "id")
    facts = {"tool": "send", "effect": "outside", "policy": "ask"}
    assert [(record.kind, record.summary) for record in records] == [
        ("approval_granted", facts),
        ("approval_denied", facts | {"reason": "user", "own_text": [10]}),
        ("approval_denied", facts | {"reason": "closed"}),
    ]


def test_a_setting_that_lets_a_tool_run_answers_no_question_and_no_plan(desk: Desk, tool: Sending) -> None:
    change_settings(None, {"tools": {"send": "never", "ask_user": "never", "present_plan": "never"}})
    plan = {"id": "p", "name": "present_plan", "arguments": {"title": "T", "plan": "Do it."}}
    asking = Desk(desk.user, [{"calls": [ask("q"), plan, send("s")]}, DONE])
    run = asking.asked()
    assert [row.kind for row in Interaction.objects.filter(run=run).order_by("id")] == ["ask_user", "plan_review"]
    assert tool.sent == ["hello"]


def test_the_evidence_binds_each_decision_and_another_program_checks_it(desk: Desk) -> None:
    both = Desk(desk.user, [{"calls": [send("a", "one"), send("b", "two")]}, DONE])
    run = both.asked()
    for card, decision in zip(Interaction.objects.filter(run=run).order_by("id"), (APPROVE, DENY), strict=True):
        both.answer(card, decision)
    both.drive(run)
    evidence = json.loads(json.dumps(evidence_of(run.session)))
    assert check(evidence, chain_keys(run.session.public_id)) == []
    evidence["interactions"][0]["receipt"]["answer"]["decision"] = "deny"
    assert check(evidence, chain_keys(run.session.public_id))[0] == f"answer to {evidence['interactions'][0]['id']}"


def test_arguments_that_were_changed_after_the_decision_are_noticed(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(desk.card(), APPROVE)
    desk.drive(run)
    ToolCall.objects.filter(run=run).update(arguments='{"text": "something else"}')
    card = Interaction.objects.get(run=run)
    assert check(evidence_of(run.session), chain_keys(run.session.public_id)) == [f"question {card.public_id}"]


def test_an_erasure_takes_arguments_and_words_and_leaves_how_it_ended(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(desk.card(), Submission(decision="approve", feedback="Secret words."))
    desk.drive(run)
    erase_session(run.session)
    row = Interaction.objects.get()
    shown = json.dumps([receipt(row), card_of(row)])
    assert (row.status, row.decision, row.submission) == ("answered", "", "")
    assert "Secret" not in shown
    assert "hello" not in shown


@pytest.mark.parametrize("levels", [60, 3000])
def test_arguments_of_very_many_levels_are_put_to_the_user_as_the_text_that_they_are(desk: Desk, levels: int) -> None:
    deep = [{"calls": [{"id": "s1", "name": "send", "arguments": f'{{"x":{"[" * levels}{"]" * levels}}}'}]}, DONE]
    run = Desk(desk.user, deep).asked()
    card = Interaction.objects.get(run=run)
    assert card_of(card)["detail"] == card.call.arguments
    assert named_arguments(card.call.arguments) == []
