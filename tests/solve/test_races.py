"""Decisions at the same moment: one stands, and only an approval starts a step."""

from functools import partial

from apps.chat.models import Run, ToolResult
from apps.interactions.models import Interaction
from apps.runs import services
from apps.runs.answering import Answered
from apps.runs.errors import AlreadyResolved, Expired
from apps.runs.expiry import expire
from apps.solve.models import SolvePlan
from tests.factories.accounts import UserFactory
from tests.solve.conftest import SolveDesk
from tests.support.racing import at_once


def test_of_many_decisions_at_once_exactly_one_stands(transactional_db: None) -> None:
    for _ in range(4):
        desk = SolveDesk(UserFactory())
        run = desk.asked()
        card = desk.card()
        ways = [
            partial(desk.decide, "approve", card),
            partial(desk.decide, "approve_with_edits", card, plan=[{"goal": "Guess"}]),
            partial(desk.decide, "reject", card, feedback="no"),
            partial(desk.decide, "chat", card),
            partial(desk.submit, {"cancelled": True}, card),
            partial(services.abort, desk.user, desk.session),
        ]
        outcomes = at_once(ways * 2)
        accepted = [outcome for outcome in outcomes if isinstance(outcome, Answered)]
        assert len(accepted) <= 1, outcomes
        assert all(isinstance(o, Answered | AlreadyResolved | services.Aborted) for o in outcomes), outcomes
        card.refresh_from_db()
        assert ToolResult.objects.filter(call__run=run).count() == 1
        approved = card.status == "answered" and desk.result("p")["decision"] != "reject"
        assert SolvePlan.objects.filter(run=run, status="active").exists() == approved
        assert not SolvePlan.objects.filter(run=run, status="proposed").exists()


def test_an_approval_and_an_expiry_at_once_leave_no_approved_plan(transactional_db: None) -> None:
    for _ in range(3):
        desk = SolveDesk(UserFactory())
        run = desk.asked()
        card = desk.card()
        Interaction.objects.filter(pk=card.pk).update(expires_at=card.created_at)
        outcomes = at_once([partial(desk.decide, "approve", card), partial(expire, card.pk), partial(expire, card.pk)])
        assert isinstance(outcomes[0], Expired), outcomes
        run.refresh_from_db()
        assert run.status == Run.Status.CANCELLED
        assert [plan.status for plan in SolvePlan.objects.filter(run=run)] == ["rejected"]
