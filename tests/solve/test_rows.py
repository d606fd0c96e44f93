"""Plans as rows and events: the same as the transcript says, and each event reads the same for ever."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.chat.models import Run
from apps.runs.loading import load_state
from apps.solve.models import SolvePlan, SolveStep
from tests.factories.accounts import UserFactory
from tests.solve.conftest import SOLVED, SolveDesk, finish, plan, replan

REPLANNED: list[dict[str, Any]] = [
    {"calls": [plan("p", "A", "B", "C")]},
    {"calls": [finish("f1", "S1", "one")]},
    {"calls": [finish("f2", "S2", "broke", outcome="failed"), replan("r", "D")]},
    {"calls": [finish("f4", "S4", "four")]},
    {"text": "Done."},
]


def from_rows(run: Run) -> list[Any]:
    """Return the plans of a run as its rows tell them."""
    return [
        (row.version, row.status, [(s.number, s.goal, s.status, s.summary) for s in row.steps.order_by("place")])
        for row in SolvePlan.objects.filter(run=run).order_by("version")
    ]


def from_transcript(run: Run) -> list[Any]:
    """Return the plans of a run as its transcript gives them."""
    return [
        (
            made.version,
            made.status,
            [(int(s.id[1:]) if made.is_accepted else None, s.goal, s.status, s.summary) for s in made.steps],
        )
        for made in load_state(run).memory.plans
    ]


@pytest.mark.parametrize("review", ["off", "first", "every"])
@pytest.mark.parametrize("script", [SOLVED, REPLANNED])
def test_the_rows_say_what_the_transcript_says_at_every_rest(transactional_db: None, script: Any, review: str) -> None:
    desk = SolveDesk(UserFactory(), script, {"plan_review": review})
    run = desk.drive(desk.say())
    while run.status == Run.Status.WAITING:
        assert from_rows(run) == from_transcript(run)
        desk.decide("approve")
        assert from_rows(run) == from_transcript(run)
        desk.drive(run)
    assert run.outcome == "finished"
    assert from_rows(run) == from_transcript(run)


def test_events_follow_each_change_and_read_the_same_ever_after(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), REPLANNED, {"plan_review": "off"})
    desk.drive(desk.say())
    seen = [event.frame for event in desk.events()]
    statuses = [(plan["version"], plan["status"], [s["status"] for s in plan["steps"]]) for plan in desk.plans()]
    assert statuses == [
        (1, "active", ["current", "open", "open"]),
        (1, "active", ["done", "current", "open"]),
        (1, "replaced", ["done", "failed", "dropped"]),
        (2, "active", ["current"]),
        (2, "done", ["done"]),
    ]
    assert [s["summary"] for s in desk.plans()[1]["steps"]] == ["one", "", ""]
    assert [event.frame for event in desk.events()] == seen


def test_events_seen_on_the_way_are_those_of_the_replay(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), SOLVED)
    run = desk.asked()
    before = [event.frame for event in desk.events()]
    desk.decide("approve")
    middle = [event.frame for event in desk.events()]
    desk.drive(run)
    after = [event.frame for event in desk.events()]
    assert after[: len(middle)] == middle
    assert middle[: len(before)] == before


def test_the_order_of_a_turn_with_a_plan_is_that_of_the_contract(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), SOLVED)
    run = desk.asked()
    desk.decide("approve")
    desk.drive(run)
    assert desk.kinds()[:10] == [
        "run_started", "tool_call", "usage", "plan_updated", "user_input_required", "run_paused",
        "user_input_resolved", "tool_result", "plan_updated", "run_resumed",
    ]  # fmt: skip


def test_the_database_forbids_a_second_standing_plan_and_an_id_used_twice(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), [SOLVED[0], {"text": "x"}], {"plan_review": "off"})
    run = desk.drive(desk.say())
    row = SolvePlan.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        SolvePlan.objects.create(run=run, version=2, status="active", replans_used=0, replans_max=2, created_at=row.created_at)
    with pytest.raises(IntegrityError), transaction.atomic():
        SolveStep.objects.create(plan=row, run=run, place=3, number=2, goal="again", status="open")


def test_an_erased_plan_is_read_as_erased(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), SOLVED, {"plan_review": "off"})
    desk.drive(desk.say())
    SolvePlan.objects.update(erased=True, analysis="", reason="")
    erased = [event.data for event in desk.events() if event.kind == "plan_updated"]
    assert all(data["plan"] is None and data["erased"] for data in erased)


def test_a_run_killed_in_any_state_goes_on_with_the_same_plan(transactional_db: None) -> None:
    from apps.runs import segments
    from apps.runs.dispatch.embedded import recover

    desk = SolveDesk(UserFactory(), REPLANNED, {"plan_review": "first"})
    run = desk.asked()
    desk.decide("approve")
    segments.claim(run.pk, "worker-gone")
    run.segments.filter(ended_at=None).update(lease_until=run.created_at)
    recover("worker-me")
    before = from_transcript(run)
    assert desk.drive(run).outcome == "finished"
    assert from_transcript(run)[0][2][0][1] == before[0][2][0][1]
    assert from_rows(run) == from_transcript(run)
    assert len([p for p in desk.plans() if p["status"] == "proposed"]) == 1
