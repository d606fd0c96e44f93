"""The plan panel: how far a run of deep_solve has come, as the page says it, at every moment of its life."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import Run
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.runs import services
from apps.solve.models import SolvePlan, SolveStep
from tests.solve.conftest import finish, plan, replan
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted
from tests.web.conftest import HTMX, Say
from tests.web.solving import begin

THREE = {"calls": [plan("p", "Factor", "Solve", "Verify")]}
FAILS = {"outcome": "failed"}


def page_of(browser: Client, run: Run) -> str:
    return browser.get(f"/s/{run.session.public_id}/").content.decode()


def panel_of(browser: Client, run: Run) -> str:
    """Return the text of the panel, without its tags."""
    panel = page_of(browser, run).split('id="plan-slot"')[1].split('<div class="chat-scroll"')[0]
    return " ".join(re.sub(r"<[^>]*>", " ", panel.partition(">")[2]).split())


def states(browser: Client, run: Run) -> list[str]:
    panel = page_of(browser, run).split('id="plan-slot"')[1].split('<div class="chat-scroll"')[0]
    return re.findall(r"plan-step plan-step-(\w+)", panel)


def test_a_chat_has_no_panel(browser: Client, say: Say) -> None:
    assert panel_of(browser, say(DONE).run) == ""


def test_a_proposed_plan_waits_for_its_user(browser: Client, user: User) -> None:
    run = begin(user, THREE)
    assert "The plan waits for your decision." in panel_of(browser, run)
    assert states(browser, run) == []


def test_the_steps_stand_as_done_current_and_open(browser: Client, user: User) -> None:
    run = begin(user, THREE, {"calls": [finish("f1", "S1", "x = 2")]}, asks(ask_user()), plan_review="off")
    words = panel_of(browser, run)
    assert states(browser, run) == ["done", "current", "open"]
    assert "1 of 3 replans 0/2" in words
    assert "x = 2" in words
    assert "S2 · at work" in words
    assert "Waiting for your answer." in words


def test_a_queued_run_works_on_its_step(browser: Client, user: User) -> None:
    run = begin(user, THREE, asks(ask_user()), plan_review="off")
    services.answer(user, run.session.public_id, Interaction.objects.get().public_id, Submission(custom_input="blue"), "{}")
    assert "Working on S1." in panel_of(browser, run)


def test_a_failed_step_is_not_counted_as_done_h83(browser: Client, user: User) -> None:
    steps = [finish("f1", "S1"), finish("f2", "S2", "no tool", **FAILS), finish("f3", "S3")]
    run = begin(user, THREE, *({"calls": [step]} for step in steps), {"text": "Sorry."}, plan_review="off")
    words = panel_of(browser, run)
    assert run.outcome == "finished"
    assert "2 of 3 1 failed" in words
    assert "All steps are finished. 1 step failed." in words
    assert states(browser, run) == ["done", "failed", "done"]


def test_after_a_replan_finished_steps_stay_and_the_dropped_ones_are_named(browser: Client, user: User) -> None:
    script = [{"calls": [finish("f1", "S1")]}, {"calls": [replan("r", "Otherwise")]}, {"calls": [finish("f4", "S4")]}, DONE]
    run = begin(user, THREE, *script, plan_review="off")
    words = panel_of(browser, run)
    assert "2 of 2 replans 1/2" in words
    assert "All steps are done." in words
    assert "2 steps dropped by a replan" in words
    assert states(browser, run) == ["done", "done", "dropped", "dropped"]


@pytest.mark.parametrize(
    ("script", "config", "outcome", "words"),
    [
        ([DONE, DONE], {}, "finished_without_plan", "Ended without a plan."),
        (
            [THREE, DONE],
            {"plan_review": "off"},
            "finished_with_open_steps",
            "The answer came before all steps were finished. 3 steps were left open.",
        ),
        (
            [THREE, *({"calls": [finish(f"f{n}", "S9", f"{n}")]} for n in range(9))],
            {"plan_review": "off", "max_rounds": 2},
            "rounds_exhausted",
            "The rounds of this run were used up. 3 steps were left open.",
        ),
    ],
)
def test_the_outcome_is_said_in_words(
    browser: Client, user: User, script: list[dict[str, Any]], config: dict[str, Any], outcome: str, words: str
) -> None:
    run = begin(user, *script, **config)
    assert run.outcome == outcome
    assert words in panel_of(browser, run)
    assert "current" not in states(browser, run)


def test_a_failed_run_says_so(browser: Client, user: User) -> None:
    run = begin(user, THREE, {"fault": {"kind": "status", "status": 401, "times": 9}}, plan_review="off")
    assert run.status == Run.Status.FAILED
    assert "The run has failed. 3 steps were left open." in panel_of(browser, run)


def test_a_closed_plan_was_not_approved_h79(browser: Client, user: User) -> None:
    run = begin(user, THREE)
    services.abort(user, run.session.public_id)
    assert "The plan was not approved; no step was started." in panel_of(browser, run)


def test_a_rejected_plan_is_being_revised(browser: Client, user: User) -> None:
    run = begin(user, THREE)
    rejection = Submission(decision="reject", plan_revision=1)
    services.answer(user, run.session.public_id, Interaction.objects.get().public_id, rejection, "{}")
    assert "You rejected the plan; it is being revised." in panel_of(browser, run)


def test_an_edited_plan_is_shown_once(browser: Client, user: User) -> None:
    run = begin(user, THREE)
    edited = Submission(decision="approve_with_edits", plan_revision=1, plan=("Guess", "Check"))
    services.answer(user, run.session.public_id, Interaction.objects.get().public_id, edited, "{}")
    run.refresh_from_db()
    run_to_rest(run, scripted(THREE, {"calls": [finish("f1", "S1"), finish("f2", "S2")]}, DONE))
    assert states(browser, run) == ["done", "done"]


def test_erased_words_are_said_to_be_erased(browser: Client, user: User) -> None:
    run = begin(user, THREE, {"calls": [finish("f1", "S1", "secret")]}, asks(ask_user()), plan_review="off")
    SolvePlan.objects.update(erased=True, analysis="")
    SolveStep.objects.update(goal="", summary="")
    assert panel_of(browser, run).count("The words of this step were erased.") == 3


def test_a_script_gets_the_panel_with_the_news(browser: Client, user: User) -> None:
    run = begin(user, THREE, asks(ask_user()), plan_review="off")
    news = browser.get(f"/s/{run.session.public_id}/live/?tail={run.public_id}", headers=HTMX).content.decode()
    panel = news.split('hx-target="#plan-slot"')[1].split("</hx-partial>")[0]
    assert 'id="plan-slot" data-revision="run_' in panel
    assert "0 of 3" in panel


def test_the_words_of_a_model_are_only_text_h88(browser: Client, user: User) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    run = begin(user, {"calls": [plan("p", hostile)]}, {"calls": [finish("f", "S1", hostile)]}, DONE, plan_review="off")
    assert "<img" not in page_of(browser, run)


def test_the_number_of_queries_does_not_grow_with_steps_and_versions(browser: Client, user: User) -> None:
    def queries(run: Run) -> int:
        with CaptureQueriesContext(connection) as found:
            page_of(browser, run)
        return len(found)

    few = begin(user, {"calls": [plan("p", "A")]}, asks(ask_user()), plan_review="off")
    many_steps = [{"calls": [finish("f", "S1")]}, {"calls": [replan("r", "C", "D")]}, {"calls": [replan("r2", "E")]}]
    many = begin(user, {"calls": [plan("p", *"ABCDEFGHIJ")]}, *many_steps, asks(ask_user()), plan_review="off")
    queries(few)
    queries(many)
    assert queries(many) == queries(few)
