"""What makes a round fast or slow: queries, commits, indexes; the same at ten rows and at thousands."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run, ToolCall
from apps.common.clock import database_now
from apps.interactions.models import Interaction
from apps.runs import segments
from apps.runs.selectors import pending_count, pending_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import Desk, ask

EMPTY = {
    "title": "Which?", "mode": "text", "description": "", "options": [], "allowCustom": False, "submitLabel": "",
    "questions": [], "detail": "", "intent": None, "planRevision": None,
}  # fmt: skip


def paused_sessions(count: int, user: User) -> None:
    """Make paused sessions as rows, as a waiting run is nothing else."""
    now = database_now()
    sessions = ChatSession.objects.bulk_create([ChatSession(user=user) for _ in range(count)])
    runs = Run.objects.bulk_create([Run(session=s, status="waiting") for s in sessions])
    messages = Message.objects.bulk_create([Message(run=r, role="assistant", created_at=now) for r in runs])
    calls = ToolCall.objects.bulk_create(
        [ToolCall(run=m.run, message=m, call_id="c", key="c", name="ask_user", arguments="{}") for m in messages]
    )
    Interaction.objects.bulk_create(
        [
            Interaction(
                call=c, run=c.run, session=c.run.session, user=user, kind="ask_user", mode="text", payload=EMPTY,
                on_timeout="stop", cancel_stops=True, created_at=now,
            )
            for c in calls
        ]
    )  # fmt: skip


def statements_of_a_round(desk: Desk) -> tuple[int, int]:
    """Answer, claim and drive to the next card; return the statements of the answer and of the claim."""
    run = desk.asked()
    card = desk.card()
    with CaptureQueriesContext(connection) as answered:
        desk.answer(card)
    with CaptureQueriesContext(connection) as claimed:
        segments.claim(run.pk, "w")
    return len(answered), len(claimed)


def test_an_answer_costs_the_same_beside_thousands_of_paused_sessions(transactional_db: None) -> None:
    few = statements_of_a_round(Desk(UserFactory()))
    paused_sessions(2000, UserFactory())
    assert statements_of_a_round(Desk(UserFactory())) == few
    answer, claim = few  # PostgreSQL asks its own clock, which is a statement more
    assert answer <= 15
    assert claim <= 12


def commits(queries: CaptureQueriesContext) -> int:
    return sum(q["sql"].startswith("BEGIN") for q in queries)


def test_a_question_round_is_three_durable_commits(transactional_db: None) -> None:
    if connection.vendor != "sqlite":
        return  # the sizes of house.md count SQLite's syncs, one a commit
    desk = Desk(UserFactory(), [{"calls": [ask(f"c{n}", title=f"{n}?")]} for n in range(3)])
    run = desk.asked()
    card = desk.card()
    with CaptureQueriesContext(connection) as answered:
        desk.answer(card)
    with CaptureQueriesContext(connection) as claimed:
        taken = segments.claim(run.pk, "w")
    assert taken is not None
    turns = commits_of_execution(taken, desk)
    assert (commits(answered), commits(claimed), turns) == (1, 1, 1)


def commits_of_execution(claimed: segments.Claimed, desk: Desk) -> int:
    import asyncio

    from apps.runs.dispatch.threads import DatabaseThreads
    from apps.runs.execution import execute

    counted = 0

    async def run() -> None:
        nonlocal counted
        threads = DatabaseThreads()

        async def counting(function: object, *args: object, **kwargs: object) -> object:
            def call() -> object:
                nonlocal counted
                with CaptureQueriesContext(connection) as queries:
                    result = function(*args, **kwargs)  # type: ignore[operator]
                counted += commits(queries)
                return result

            return await threads(call)

        await execute(claimed, desk.model, counting)  # type: ignore[arg-type]
        threads.close()

    asyncio.run(run())
    return counted


@pytest.mark.django_db
def test_the_pending_list_of_one_user_reads_its_own_index_and_nothing_else() -> None:
    user = UserFactory()
    paused_sessions(300, UserFactory())
    paused_sessions(3, user)
    with CaptureQueriesContext(connection) as queries:
        assert len(list(pending_of(user))) == 3
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        assert pending_count(user.pk) == 3
    assert len(queries) == 1
    if connection.vendor == "sqlite":
        plan = pending_of(user).explain()
        assert "interaction_waits_for_user" in plan
        assert "SCAN" not in plan


@pytest.mark.django_db
def test_due_and_queued_rows_are_found_by_partial_indexes() -> None:
    if connection.vendor != "sqlite":
        return  # PostgreSQL's planner scans a table of a few rows, rightly
    assert "interaction_due" in Interaction.objects.due().explain()
    assert "run_queued" in Run.objects.filter(status="queued").order_by("id").explain()
    from apps.chat.models import Segment

    assert "segment_open_lease" in Segment.objects.filter(ended_at__isnull=True, lease_until__lt=database_now()).explain()
