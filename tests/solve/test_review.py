"""Plan review: nothing but an approval starts a step; every other way out of the card is no approval."""

import json
from typing import Any

import pytest

from apps.audit.models import AuditRecord
from apps.chat.models import Run, ToolResult
from apps.interactions.answers import InvalidAnswer
from apps.interactions.models import Interaction
from apps.interactions.submissions import MalformedBody
from apps.runs import segments, services
from apps.runs.errors import AlreadyResolved, Expired, StaleRevision
from apps.runs.settings_store import change_settings
from apps.solve.models import SolvePlan, SolveStep
from tests.factories.accounts import UserFactory
from tests.runs.conftest import ask
from tests.solve.conftest import SOLVED, SolveDesk, finish, made, plan, replan


def nothing_started(desk: SolveDesk) -> None:
    """Check that no step was ever started and the model was not called again."""
    assert not SolvePlan.objects.filter(status__in=("active", "done")).exists()
    assert not SolveStep.objects.exclude(number=None).exists()
    assert not [plan for plan in desk.plans() if plan["status"] in ("active", "done")]
    assert len(desk.model.requests) == 1


def test_the_first_plan_is_put_to_the_user(solver: SolveDesk) -> None:
    solver.asked()
    card = next(event.data for event in solver.events() if event.kind == "user_input_required")
    assert (card["kind"], card["mode"], card["planRevision"]) == ("plan_review", "plan_review", 1)
    assert card["title"]
    assert card["detail"] == "Think.\n\n1. Factor\n2. Verify"
    assert card["intent"] == {"kind": "plan-review", "approve": card["options"][0]["label"]}
    assert len(card["options"]) == 2
    assert solver.plans() == [
        {
            "version": 1, "status": "proposed", "analysis": "Think.", "replansUsed": 0, "replansMax": 2,
            "steps": [
                {"id": "1", "goal": "Factor", "status": "open", "summary": ""},
                {"id": "2", "goal": "Verify", "status": "open", "summary": ""},
            ],
        }
    ]  # fmt: skip
    nothing_started(solver)


def test_an_approval_gives_the_normal_result_and_the_steps_their_ids(solver: SolveDesk) -> None:
    run = solver.asked()
    solver.decide("approve")
    assert solver.drive(run).status == Run.Status.COMPLETED
    assert run.outcome == "finished"
    body = solver.result("p")
    assert (body["status"], body["decision"], body["next"]["id"]) == ("planned", "approve", "S1")
    assert [plan["status"] for plan in solver.plans()] == ["proposed", "active", "active", "done"]
    assert [plan["version"] for plan in solver.plans()] == [1, 1, 1, 1]
    kinds = set(AuditRecord.objects.values_list("kind", flat=True))
    assert {"plan_presented", "plan_approved", "interaction_answered"} <= kinds


def test_later_plans_are_not_reviewed_under_first(transactional_db: None) -> None:
    script = [SOLVED[0], {"calls": [replan("r", "C")]}, {"calls": [finish("f", "S3")]}, {"text": "Done."}]
    desk = SolveDesk(UserFactory(), script)
    run = desk.asked()
    desk.decide("approve")
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert Interaction.objects.count() == 1


def test_an_edited_plan_is_the_plan_and_what_was_proposed_stays_on_record(solver: SolveDesk) -> None:
    run = solver.asked()
    solver.decide("approve_with_edits", plan=[{"goal": "Guess"}, {"goal": ""}, {"goal": "Check it"}])
    solver.drive(run)
    body = solver.result("p")
    assert (body["status"], body["decision"]) == ("planned", "approve_with_edits")
    assert [(step["id"], step["goal"]) for step in body["steps"]] == [("S1", "Guess"), ("S2", "Check it")]
    first, replaced, second = solver.plans()[:3]
    assert (first["status"], replaced["status"], second["status"]) == ("proposed", "replaced", "active")
    assert [step["goal"] for step in replaced["steps"]] == ["Factor", "Verify"]
    assert (replaced["version"], second["version"]) == (1, 2)
    assert AuditRecord.objects.get(kind="plan_edited").summary["own_text"] == [13]


def test_h81_a_rejection_reaches_the_model_with_its_words_and_costs_nothing(transactional_db: None) -> None:
    script = [{"calls": [plan("p1", "A", "B")]}, {"calls": [plan("p2", "A", "B1", "B2")]}, {"text": "Done."}]
    desk = SolveDesk(UserFactory(), script)
    run = desk.asked()
    desk.decide("reject", feedback="split step 2")
    desk.drive(run)
    body = desk.result("p1")
    assert (body["status"], body["decision"], body["feedback"]) == ("plan_rejected", "reject", "split step 2")
    assert body["instruction"]
    card = desk.card()
    assert card.payload["planRevision"] == 2
    assert "- B\n+ B1\n+ B2" in card.payload["description"]
    desk.decide("approve", card)
    desk.drive(run)
    (standing,) = SolvePlan.objects.filter(status="active")
    assert (standing.version, standing.replans_used) == (2, 0)
    assert [step.number for step in standing.steps.all()] == [1, 2, 3]
    assert AuditRecord.objects.get(kind="plan_rejected").summary["own_text"] == [12]


def test_a_plan_is_rejected_five_times_and_revised_and_then_no_more(transactional_db: None) -> None:
    script = [{"calls": [plan(f"p{n}", f"Try {n}")]} for n in range(8)] + [{"text": "Then without."}]
    desk = SolveDesk(UserFactory(), script, {"max_rounds": 30})
    run = desk.asked()
    for _ in range(6):
        desk.decide("reject", feedback="no")
        desk.drive(run)
    assert (run.status, run.outcome) == (Run.Status.COMPLETED, "finished_without_plan")
    assert Interaction.objects.count() == 6
    assert {ToolResult.objects.get(call__call_id=f"k-p{n}").code for n in (6, 7)} == {"PLAN_LIMIT"}


def test_the_same_plan_again_after_a_rejection_is_no_new_card(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), [{"calls": [plan("p1")]}, {"calls": [plan("p2")]}, {"text": "Well."}])
    run = desk.asked()
    desk.decide("reject", feedback="otherwise, please")
    desk.drive(run)
    repeated = ToolResult.objects.get(call__call_id="k-p2")
    assert repeated.code == "ASK_REPEATED"
    assert "otherwise, please" in repeated.content
    assert Interaction.objects.count() == 1


# --- every way out of the card but an approval ------------------------------------------------------------


def test_h79_closing_the_card_ends_the_run(solver: SolveDesk) -> None:
    run = solver.asked()
    solver.submit({"cancelled": True})
    run.refresh_from_db()
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "cancelled_card")
    body = solver.result("p")
    assert (body["status"], body["code"]) == ("cancelled", "PLAN_NOT_APPROVED")
    assert solver.plans()[-1]["status"] == "rejected"
    nothing_started(solver)


def test_h79_an_abort_is_no_approval(solver: SolveDesk) -> None:
    run = solver.asked()
    services.abort(solver.user, solver.session)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "user")
    assert solver.result("p")["status"] == "aborted"
    assert solver.result("p")["code"] == "PLAN_NOT_APPROVED"
    nothing_started(solver)


def test_h79_an_expiry_is_no_approval(solver: SolveDesk) -> None:
    run = solver.asked()
    card = solver.card()
    Interaction.objects.update(expires_at=card.created_at)
    with pytest.raises(Expired):
        solver.decide("approve", card)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "timeout")
    assert solver.result("p")["status"] == "expired"
    nothing_started(solver)


def test_h79_a_lost_session_finds_its_card_again(solver: SolveDesk) -> None:
    solver.asked()
    nothing_started(solver)
    assert services.interaction_of(solver.user, solver.card().public_id).status == "pending"


def test_h79_a_restart_starts_no_step(solver: SolveDesk) -> None:
    run = solver.asked()
    card = solver.card()
    assert not segments.lost_segments({"worker-test"})
    services.expire_due()
    assert solver.drive(run, owner="worker-after-the-restart").status == Run.Status.WAITING
    assert solver.card() == card
    nothing_started(solver)
    solver.decide("approve", card)
    assert solver.drive(run, owner="worker-after-the-restart").status == Run.Status.COMPLETED


def test_h79_an_expired_plan_of_a_run_that_goes_on_is_not_approved_either(solver: SolveDesk) -> None:
    solver.config = {"on_timeout": "continue"}
    run = solver.asked()
    Interaction.objects.update(expires_at=solver.card().created_at)
    services.expire_due()
    solver.drive(run)
    assert run.status == Run.Status.COMPLETED
    assert run.outcome == "finished_without_plan"
    assert not SolvePlan.objects.filter(status__in=("active", "done")).exists()
    assert not SolveStep.objects.exclude(number=None).exists()
    assert (solver.result("p")["status"], solver.result("p")["code"]) == ("expired", "PLAN_NOT_APPROVED")
    assert {solver.result(call)["code"] for call in ("f1", "f2")} == {"NO_PLAN"}


def test_a_reply_in_the_chat_supersedes_the_run(solver: SolveDesk) -> None:
    run = solver.asked()
    solver.decide("chat", feedback="what about complex roots?")
    run.refresh_from_db()
    card = Interaction.objects.get()
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "superseded")
    assert (card.status, card.reason) == ("cancelled", "reply_in_chat")
    body = solver.result("p")
    assert (body["code"], body["reason"], body["feedback"]) == (
        "PLAN_NOT_APPROVED", "reply_in_chat", "what about complex roots?",
    )  # fmt: skip
    nothing_started(solver)


def test_a_message_in_place_of_a_decision_is_no_approval(solver: SolveDesk) -> None:
    run = solver.asked()
    following = solver.say("yes, approve [[s#k2]]", on_pending="supersede")
    run.refresh_from_db()
    assert run.reason == "superseded"
    nothing_started(solver)
    solver.drive(following)
    assert following.status == Run.Status.WAITING
    sent = solver.model.requests[-1].messages
    assert "PLAN_NOT_APPROVED" in str(sent)


@pytest.mark.parametrize(
    "body",
    [
        {"selections": ["Start"]},
        {"customInput": "approve"},
        {"answers": [{"id": "plan", "selected": ["Start"]}]},
        {"decision": "Start", "planRevision": 1},
        {"decision": "yes", "planRevision": 1},
        {"decision": "approve"},
        {"decision": "approve", "planRevision": 1, "plan": [{"goal": "x"}]},
        {"decision": "approve_with_edits", "planRevision": 1},
        {"decision": "approve_with_edits", "planRevision": 1, "plan": []},
        {"decision": "approve_with_edits", "planRevision": 1, "plan": [{"goal": " "}]},
        {"decision": "approve_with_edits", "planRevision": 1, "plan": "1. x"},
        {"decision": "approve_with_edits", "planRevision": 1, "plan": [{"goal": "x"}] * 13},
        {"decision": "approve_with_edits", "planRevision": 1, "plan": [{"goal": "x" * 501}]},
        {"decision": "approve", "planRevision": 1, "selections": ["Start"]},
        {},
    ],
)
def test_text_and_halves_are_never_read_as_an_approval(solver: SolveDesk, body: dict[str, Any]) -> None:
    solver.asked()
    before = solver.events()
    with pytest.raises(InvalidAnswer) as refused:
        solver.submit(body)
    assert refused.value.errors
    assert solver.events() == before
    nothing_started(solver)


@pytest.mark.parametrize("body", [{"decision": True}, {"decision": ["approve"]}, {"decision": "approve", "planRevision": "1"}])
def test_a_malformed_decision_is_refused(solver: SolveDesk, body: dict[str, Any]) -> None:
    solver.asked()
    with pytest.raises(MalformedBody):
        solver.submit(body)
    nothing_started(solver)


@pytest.mark.parametrize("decision", ["approve", "approve_with_edits", "reject", "chat"])
def test_a_decision_on_another_revision_is_refused(solver: SolveDesk, decision: str) -> None:
    solver.asked()
    more = {"plan": [{"goal": "x"}]} if decision == "approve_with_edits" else {}
    with pytest.raises(StaleRevision) as refused:
        solver.decide(decision, planRevision=2, **more)
    assert refused.value.facts["planRevision"] == 1
    assert AuditRecord.objects.get(kind="submission_refused").summary["reason"] == "stale_revision"
    nothing_started(solver)


def test_a_second_decision_is_told_what_was_recorded(solver: SolveDesk) -> None:
    solver.asked()
    card = solver.card()
    solver.decide("reject", card, feedback="no")
    with pytest.raises(AlreadyResolved) as refused:
        solver.decide("approve", card)
    assert refused.value.facts["receipt"]["answer"]["decision"] == "reject"
    assert ToolResult.objects.count() == 1


def test_h80_no_switch_of_user_session_or_run_answers_a_review(solver: SolveDesk) -> None:
    tools = {"solve_plan": False, "ask_user": False, "present_plan": False}
    solver.session = services.make_session(solver.user).public_id
    services.change_session(solver.user, solver.session, {"tools": tools})
    solver.config = {"tools": tools, "enforcement": "advisory", "on_timeout": "continue", "ask_lifetime": 0}
    assert solver.drive(solver.say()).status == Run.Status.WAITING
    nothing_started(solver)


def test_h80_no_setting_of_capabilities_answers_a_review(solver: SolveDesk) -> None:
    lenient = {
        "enforcement": "advisory",
        "max_replans": 0,
        "max_rounds": 1,
        "prompt": {"en": "Never ask. Every plan is approved."},
    }
    for owner in (None, solver.user):
        change_settings(owner, {"solve": lenient, "chat": {"max_rounds": 1}})
    assert solver.drive(solver.say()).status == Run.Status.WAITING
    nothing_started(solver)


# --- what else is in the turn -----------------------------------------------------------------------------


def test_calls_that_need_the_plan_wait_for_no_approval_and_asks_open_as_usual(transactional_db: None) -> None:
    turn = {"calls": [ask("q"), plan("p"), finish("f", "S1")]}
    desk = SolveDesk(UserFactory(), [turn, {"text": "Well."}])
    desk.asked()
    assert [i.kind for i in Interaction.objects.order_by("id")] == ["ask_user", "plan_review"]
    refused = ToolResult.objects.get()
    assert (refused.call.call_id, refused.code) == ("k-f", "PLAN_NOT_APPROVED")
    assert json.loads(refused.content)["status"] == "error"


def test_every_plan_is_reviewed_under_every_and_a_rejected_replan_leaves_the_old_plan(transactional_db: None) -> None:
    script = [
        {"calls": [plan("p", "A", "B")]}, {"calls": [finish("f1", "S1", "one")]}, {"calls": [replan("r", "C")]},
        {"calls": [finish("f2", "S2", "two")]}, {"text": "Done."},
    ]  # fmt: skip
    desk = SolveDesk(UserFactory(), script, {"plan_review": "every"})
    run = desk.asked()
    desk.decide("approve")
    desk.drive(run)
    assert desk.card().payload["planRevision"] == 2
    assert "- B\n+ C" in desk.card().payload["description"]
    assert [plan["status"] for plan in desk.plans()][-1] == "proposed"
    desk.decide("reject", feedback="stay")
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert (run.outcome, SolvePlan.objects.get(version=1).status) == ("finished", "done")
    assert SolvePlan.objects.get(version=2).status == "rejected"


def test_an_approved_replan_takes_from_the_budget_only_then(transactional_db: None) -> None:
    script = [{"calls": [plan("p", "A", "B")]}, {"calls": [replan("r", "C")]}, {"calls": [finish("f", "S3")]}, {"text": "Done."}]
    desk = SolveDesk(UserFactory(), script, {"plan_review": "every"})
    run = desk.asked()
    desk.decide("approve")
    desk.drive(run)
    assert desk.plans()[-1]["replansUsed"] == 0
    desk.decide("approve")
    assert desk.plans()[-2]["status"] == "replaced"
    assert [step["status"] for step in desk.plans()[-2]["steps"]] == ["dropped", "dropped"]
    assert (desk.plans()[-1]["status"], desk.plans()[-1]["replansUsed"]) == ("active", 1)
    assert desk.plans()[-1]["steps"][0]["id"] == "S3"
    assert desk.drive(run).status == Run.Status.COMPLETED


def test_review_off_opens_no_card_and_is_recorded_as_off(solver: SolveDesk) -> None:
    solver.config = {"plan_review": "off"}
    run = solver.drive(solver.say())
    assert (run.status, run.outcome) == (Run.Status.COMPLETED, "finished")
    assert not Interaction.objects.exists()
    kinds = list(AuditRecord.objects.values_list("kind", flat=True))
    assert "plan_approved" not in kinds
    assert AuditRecord.objects.get(kind="plan_presented").summary["review"] == "off"


def test_where_nobody_can_be_asked_no_plan_is_reviewed(solver: SolveDesk) -> None:
    run = solver.drive(solver.say(can_ask="NO_PROVIDER"))
    assert run.status == Run.Status.COMPLETED
    assert run.config["plan_review"] == "off"


# --- present_plan -----------------------------------------------------------------------------------------


def shown(ident: str = "c1", **more: Any) -> dict[str, Any]:
    return made(ident, "present_plan", **({"title": "Move", "plan": "1. Pack\n2. Drive"} | more))


def test_any_capability_may_show_a_plan(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), [{"calls": [shown(approveLabel="Do it")]}, {"text": "Done."}])
    run = desk.drive(desk.say(capability="chat"))
    card = desk.card()
    assert (card.kind, card.payload["title"], card.payload["detail"]) == ("plan_review", "Move", "1. Pack\n2. Drive")
    assert card.payload["intent"]["approve"] == "Do it"
    desk.decide("approve_with_edits", plan="1. Pack everything")
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert desk.result("c1") == {
        "status": "answered", "decision": "approve_with_edits", "feedback": "", "plan": "1. Pack everything",
    }  # fmt: skip
    assert not SolvePlan.objects.exists()


def test_a_rejected_plan_comes_again_as_a_revision_that_shows_what_changed(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), [{"calls": [shown()]}, {"calls": [shown("c2", plan="1. Pack\n2. Fly")]}, {"text": "Done."}])
    run = desk.drive(desk.say(capability="chat"))
    desk.decide("reject", feedback="no car")
    assert desk.result("c1") == {"status": "answered", "decision": "reject", "feedback": "no car", "plan": None}
    desk.drive(run)
    assert desk.card().payload["planRevision"] == 2
    assert "- 2. Drive\n+ 2. Fly" in desk.card().payload["description"]
    desk.decide("approve")
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert desk.result("c2")["plan"] == "1. Pack\n2. Fly"


@pytest.mark.parametrize(("arguments", "code"), [({"plan": " "}, "BAD_INTENT"), ({"title": ""}, "BAD_QUESTION")])
def test_h81_a_plan_without_its_words_is_no_card(transactional_db: None, arguments: dict[str, str], code: str) -> None:
    desk = SolveDesk(UserFactory(), [{"calls": [shown(**arguments)]}, {"text": "Done."}])
    assert desk.drive(desk.say(capability="chat")).status == Run.Status.COMPLETED
    assert ToolResult.objects.get().code == code
    assert not Interaction.objects.exists()
