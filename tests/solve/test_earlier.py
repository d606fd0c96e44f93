"""What later runs see of an earlier deep_solve run."""

from typing import Any

from apps.chat.models import Run
from apps.chat.transcript import earlier_messages
from apps.runs import services
from tests.factories.accounts import UserFactory
from tests.runs.conftest import ask
from tests.solve.conftest import SolveDesk, finish, plan
from tests.solve.test_folding import checkpoints
from tests.support.loop import history_problem

ASKED: list[dict[str, Any]] = [
    {"calls": [plan("p", "Fix the domain", "Solve")]},
    {"calls": [ask("q", title="Which domain?")]},
    {"calls": [finish("f1", "S1", "domain fixed")]},
    {"calls": [finish("f2", "S2", "x = 2")]},
    {"text": "x is 2."},
]


def seen_by_the_next(run: Run) -> list[dict[str, Any]]:
    """Return what a run after this one would see of it."""
    (messages,) = earlier_messages(Run(session=run.session, pk=run.pk + 1), 10**6)
    return messages


def test_of_a_finished_run_the_question_the_checkpoint_and_the_answer_are_seen(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), ASKED, {"plan_review": "off"})
    run = desk.asked()
    desk.answer()
    assert desk.drive(run).outcome == "finished"
    seen = seen_by_the_next(run)
    assert [message["role"] for message in seen] == ["user", "user", "assistant"]
    assert seen[0]["content"].startswith("solve it")
    assert seen[2]["content"] == "x is 2."
    (held,) = checkpoints(seen)
    assert [(step["id"], step["status"], step["summary"]) for step in held["steps"]] == [
        ("S1", "done", "domain fixed"), ("S2", "done", "x = 2"),
    ]  # fmt: skip
    assert held["answers"][0]["question"] == "Which domain?"
    assert held["answers"][0]["answer"]["customInput"] == "blue"


def test_a_run_without_a_plan_is_seen_as_question_and_answer(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), [{"text": "Just so."}])
    run = desk.drive(desk.say())
    assert [message["role"] for message in seen_by_the_next(run)] == ["user", "assistant"]


def test_a_run_that_was_superseded_is_seen_with_the_result_of_its_card(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), ASKED)
    run = desk.asked()
    services.abort(desk.user, desk.session)
    run.refresh_from_db()
    seen = seen_by_the_next(run)
    assert [message["role"] for message in seen] == ["user", "assistant", "tool"]
    assert "PLAN_NOT_APPROVED" in seen[2]["content"]


def test_a_run_cut_after_a_step_is_seen_folded_as_its_own_requests_saw_it(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), [ASKED[0], ASKED[2], ASKED[1], ASKED[4]], {"plan_review": "off"})
    run = desk.asked()
    services.abort(desk.user, desk.session)
    run.refresh_from_db()
    seen = seen_by_the_next(run)
    assert history_problem(seen) == ""
    assert len(checkpoints(seen)) == 1
    assert seen[-1]["role"] == "tool"
    assert "aborted" in seen[-1]["content"]


def test_a_later_chat_reads_the_solved_problem(transactional_db: None) -> None:
    desk = SolveDesk(UserFactory(), ASKED, {"plan_review": "off"})
    run = desk.asked()
    desk.answer()
    desk.drive(run)
    desk.config = {}
    desk.model.scripts.scenarios["t"] = [{"text": "As I said."}]
    desk.drive(desk.say("and now? [[t#k2]]", capability="chat"))
    sent = desk.model.requests[-1].messages
    assert [m["role"] for m in sent] == ["system", "user", "user", "assistant", "user"]
    assert sent[3]["content"] == "x is 2."
