"""What happens at the same moment: one winner, whatever the database."""

import asyncio
import json
import threading
from datetime import timedelta
from functools import partial

import pytest

from apps.chat.models import Run, ToolResult
from apps.common.clock import database_now
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.runs import segments, services
from apps.runs.answering import Answered
from apps.runs.errors import AlreadyResolved, RunActive
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk, _execute, ask
from tests.support.racing import at_once
from tests.support.tools import Sending, mounted_in_chat, send

RACERS = 20


@pytest.mark.parametrize("rounds", [5, pytest.param(50, marks=pytest.mark.full)])
def test_h15_of_twenty_simultaneous_answers_exactly_one_wins(transactional_db: None, rounds: int) -> None:
    for _ in range(rounds):
        desk = Desk(UserFactory())
        run = desk.asked()
        card = desk.card()
        tries = [partial(desk.answer, card, Submission(custom_input=f"answer {n}")) for n in range(RACERS)]
        outcomes = at_once(tries)
        won = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, Answered)]
        assert len(won) == 1, outcomes
        for loser in outcomes[: won[0]] + outcomes[won[0] + 1 :]:
            assert isinstance(loser, AlreadyResolved), loser
            assert loser.facts["receipt"]["answer"]["customInput"] == f"answer {won[0]}"
        assert json.loads(ToolResult.objects.get(call__run=run).content)["customInput"] == f"answer {won[0]}"
        desk.drive(run)
        assert len(desk.model.requests) == 2


def test_an_answer_and_a_cancellation_at_once_leave_one_result(transactional_db: None) -> None:
    for _ in range(5):
        desk = Desk(UserFactory())
        run = desk.asked()
        card = desk.card()
        at_once([partial(desk.answer, card), partial(desk.answer, card, Submission(cancelled=True))])
        run.refresh_from_db()
        card.refresh_from_db()
        assert (run.status, card.status) in {(Run.Status.QUEUED, "answered"), (Run.Status.CANCELLED, "cancelled")}
        assert ToolResult.objects.filter(call__run=run).count() == 1


def test_answers_to_two_questions_of_a_turn_at_once_resume_the_run_once(transactional_db: None) -> None:
    for _ in range(5):
        desk = Desk(UserFactory(), [{"calls": [ask("r1", title="1?"), ask("r2", title="2?")]}, DONE])
        run = desk.asked()
        cards = list(Interaction.objects.filter(run=run).select_related("call", "session"))
        outcomes = at_once([partial(desk.answer, card) for card in cards])
        assert sorted(o.is_last for o in outcomes) == [False, True], outcomes
        assert desk.drive(run).status == Run.Status.COMPLETED


def test_of_many_messages_at_once_one_starts_a_run(transactional_db: None) -> None:
    desk = Desk(UserFactory())
    desk.session = services.make_session(desk.user).public_id
    outcomes = at_once([partial(desk.say, f"hello {n}") for n in range(8)])
    assert sum(isinstance(o, Run) for o in outcomes) == 1, outcomes
    assert all(isinstance(o, Run | RunActive) for o in outcomes), outcomes


def test_of_many_workers_one_claims_a_run(transactional_db: None) -> None:
    desk = Desk(UserFactory())
    run = desk.say()
    outcomes = at_once([partial(segments.claim, run.pk, f"worker-{n}") for n in range(8)])
    assert sum(isinstance(o, segments.Claimed) for o in outcomes) == 1, outcomes


def test_an_expiry_and_an_answer_at_once_leave_one_result(transactional_db: None) -> None:
    from apps.runs.expiry import expire

    desk = Desk(UserFactory())
    run = desk.asked()
    card = desk.card()
    Interaction.objects.update(expires_at=card.created_at)
    at_once([partial(desk.answer, card), partial(expire, card.pk), partial(expire, card.pk)])
    run.refresh_from_db()
    assert run.status == Run.Status.CANCELLED
    assert ToolResult.objects.count() == 1


def test_h27_twenty_answers_while_a_worker_writes_meet_no_lock(transactional_db: None) -> None:
    desks = [Desk(UserFactory()) for _ in range(RACERS)]
    for desk in desks:
        desk.asked()
    busy = Desk(UserFactory(), [{"calls": [ask(f"r{n}", title=f"{n}?", mode="wrong")]} for n in range(7)] + [DONE])
    claimed = segments.claim(busy.say().pk, "worker")
    assert claimed is not None
    worker = threading.Thread(target=asyncio.run, args=[_execute(claimed, busy.model)])
    worker.start()
    outcomes = at_once([desk.answer for desk in desks])
    worker.join(60)
    assert [type(o) for o in outcomes] == [Answered] * RACERS, outcomes
    assert ToolResult.objects.filter(is_error=False).count() == RACERS
    assert Run.objects.get(pk=claimed.run.pk).status == Run.Status.COMPLETED


def test_event_numbers_are_dense_and_in_the_order_of_commits(transactional_db: None) -> None:
    desk = Desk(UserFactory(), [{"calls": [ask(f"r{n}", title=f"{n}?") for n in range(8)]}, DONE])
    run = desk.asked()
    cards = list(Interaction.objects.filter(run=run).select_related("call", "session"))
    at_once([partial(desk.answer, card) for card in cards])
    events = desk.events()
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    moments = [e.data["at"] for e in events]
    assert moments == sorted(moments)


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that waits for its user."""
    return mounted_in_chat(Sending(), monkeypatch)


def test_of_allowing_denying_and_closing_at_once_one_wins_and_the_tool_follows_it(transactional_db: None, tool: Sending) -> None:
    for _ in range(5):
        desk = Desk(UserFactory(), [{"calls": [send()]}, DONE])
        run, sent_before = desk.asked(), len(tool.sent)
        card = desk.card()
        decisions = [Submission(decision="approve"), Submission(decision="deny"), Submission(cancelled=True)]
        outcomes = at_once([partial(desk.answer, card, decisions[n % 3]) for n in range(12)])
        won = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, Answered)]
        assert len(won) == 1, outcomes
        assert desk.drive(run).status == Run.Status.COMPLETED
        assert len(tool.sent) - sent_before == (1 if won[0] % 3 == 0 else 0)
        assert ToolResult.objects.filter(call__run=run).count() == 1


def test_an_expiry_and_an_approval_at_once_leave_a_tool_that_never_starts(transactional_db: None, tool: Sending) -> None:
    from apps.runs.expiry import expire

    desk = Desk(UserFactory(), [{"calls": [send()]}, DONE])
    run = desk.asked()
    card = desk.card()
    Interaction.objects.update(expires_at=card.created_at)
    allow = partial(desk.answer, card, Submission(decision="approve"))
    at_once([allow, partial(expire, card.pk), allow, partial(expire, card.pk)])
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == []
    assert json.loads(ToolResult.objects.get().content)["reason"] == "timeout"


def test_allowing_at_the_very_deadline_either_counts_or_is_late_and_never_both(transactional_db: None, tool: Sending) -> None:
    from apps.runs.expiry import expire

    for _ in range(10):
        desk = Desk(UserFactory(), [{"calls": [send()]}, DONE])
        run, sent_before = desk.asked(), len(tool.sent)
        card = desk.card()
        Interaction.objects.filter(pk=card.pk).update(expires_at=database_now() + timedelta(milliseconds=20))
        works = [partial(desk.answer, card, Submission(decision="approve"))] * 3 + [partial(expire, card.pk)] * 3
        allowed = sum(isinstance(outcome, Answered) for outcome in at_once(works))
        while (status := Interaction.objects.values_list("status", flat=True).get(pk=card.pk)) == "pending":
            expire(card.pk)
        desk.drive(run)
        assert (allowed, status) in {(1, "answered"), (0, "expired")}
        assert len(tool.sent) - sent_before == allowed
        assert ToolResult.objects.filter(call__run=run).count() == 1


def test_an_abort_and_an_approval_at_once_leave_one_result_and_an_ended_run(transactional_db: None, tool: Sending) -> None:
    for _ in range(5):
        desk = Desk(UserFactory(), [{"calls": [send()]}, DONE])
        run = desk.asked()
        card = desk.card()
        allow = partial(desk.answer, card, Submission(decision="approve"))
        at_once([allow, partial(services.abort, desk.user, desk.session), allow])
        assert desk.drive(run).status == Run.Status.CANCELLED
        assert ToolResult.objects.filter(call__run=run).count() == 1
    assert tool.sent == []
