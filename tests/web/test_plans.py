"""Plan cards without scripts: approve, edit, reject, reply."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.chat.models import Run
from apps.interactions.models import Interaction
from tests.support.runs import DONE, asks
from tests.web.conftest import HTMX, Say, address, page_of, result_of

PLAN = {"title": "Shall I go on like this?", "plan": "1. Read **all**\n2. Write", "approveLabel": "Go ahead", "rejectLabel": "No"}


@pytest.fixture
def plan(say: Say) -> Interaction:
    """Return an open plan card."""
    started = say(asks({"id": "p1", "name": "present_plan", "arguments": PLAN}), DONE)
    return Interaction.objects.get(run=started.run)


def decide(browser: Client, row: Interaction, decision: str, **fields: str) -> Any:
    return browser.post(address(row), {"decision": decision, "revision": str(row.payload["planRevision"])} | fields)


def test_a_plan_is_shown_with_its_buttons(browser: Client, plan: Interaction) -> None:
    page = page_of(browser, plan)
    assert "Plan waiting for you" in page
    assert "<strong>all</strong>" in page
    assert re.search(r'name="decision" value="approve"[^>]*>Go ahead</button>', page)
    assert 'name="decision" value="reject">No</button>' in page


def test_enter_presses_nothing_that_decides(browser: Client, plan: Interaction) -> None:
    form = page_of(browser, plan).split('id="card-form"')[1].split("</form>")[0]
    assert not re.search(r'<input(?! type="hidden")', form)


def test_a_plan_is_approved_as_it_stands_even_if_the_text_to_edit_was_sent_along(browser: Client, plan: Interaction) -> None:
    assert decide(browser, plan, "approve", plan="something else").status_code == 303
    result = result_of(plan)
    assert (result["decision"], result["plan"]) == ("approve", PLAN["plan"])
    assert "Go ahead" in page_of(browser, plan).split('class="is-chosen"')[1].split("</li>")[0]


def test_a_plan_is_approved_with_changes(browser: Client, plan: Interaction) -> None:
    decide(browser, plan, "approve_with_edits", plan="1. Read little\r\n2. Write")
    assert result_of(plan)["plan"] == "1. Read little\n2. Write"
    page = page_of(browser, plan)
    assert "Approved as edited:" in page
    assert "Read little" in page


def test_a_plan_is_rejected_with_what_should_be_different_h81(browser: Client, plan: Interaction) -> None:
    decide(browser, plan, "reject", feedback="split step 2")
    result = result_of(plan)
    assert (result["decision"], result["feedback"], result["plan"]) == ("reject", "split step 2", None)
    assert "split step 2" in page_of(browser, plan)


def test_nothing_but_a_decision_decides_h79(browser: Client, plan: Interaction) -> None:
    for fields in ({}, {"feedback": "yes, approve"}, {"decision": "yes"}, {"choice": "0"}):
        answer = browser.post(address(plan), fields, headers=HTMX)
        assert answer.status_code == 422
        assert "card-errors" in answer.content.decode()
    plan.refresh_from_db()
    assert plan.status == Interaction.Status.PENDING


def test_another_revision_than_the_shown_one_is_refused(browser: Client, plan: Interaction) -> None:
    answer = browser.post(address(plan), {"decision": "approve", "revision": "7", "feedback": "kept"})
    assert answer.status_code == 409
    assert "The plan that you saw is not the one of this card." in answer.content.decode()
    assert ">kept</textarea>" in answer.content.decode()


def test_closing_a_plan_stops_the_run(browser: Client, plan: Interaction) -> None:
    assert "Cancel and stop" in page_of(browser, plan)
    browser.post(address(plan, "close"), {"feedback": "x"})
    plan.run.refresh_from_db()
    assert plan.run.status == Run.Status.CANCELLED


def test_a_plan_in_which_nothing_was_changed_is_approved_as_it_stands(browser: Client, plan: Interaction) -> None:
    assert decide(browser, plan, "approve_with_edits", plan=PLAN["plan"].replace("\n", "\r\n")).status_code == 303
    assert result_of(plan)["decision"] == "approve"


def test_what_was_typed_into_a_plan_that_was_closed_meanwhile_is_kept(browser: Client, plan: Interaction) -> None:
    decide(browser, plan, "reject", feedback="first")
    late = decide(browser, plan, "approve_with_edits", plan="1. Mine", feedback="and this")
    assert late.status_code == 409
    kept = late.content.decode().split('id="kept-text"')[1].split("</textarea>")[0]
    assert "and this\n\n1. Mine" in kept


def test_what_was_typed_into_a_plan_is_shown_to_who_was_signed_out(plan: Interaction) -> None:
    answer = Client().post(address(plan), {"decision": "reject", "feedback": "split step 2", "goal": ["Fold", "Cut"]})
    assert answer.status_code == 401
    assert "split step 2\n\nFold\n\nCut" in answer.content.decode()


def test_a_draft_of_a_plan_is_restored(browser: Client, plan: Interaction) -> None:
    browser.post(address(plan, "draft"), {"feedback": "half a", "decision": "approve_with_edits", "plan": "1. Mine"})
    page = page_of(browser, plan)
    assert ">half a</textarea>" in page
    assert ">1. Mine</textarea>" in page


def test_reply_in_chat_brings_the_feedback_along(browser: Client, plan: Interaction) -> None:
    page = browser.post(address(plan, "reply"), {"feedback": "why step 2?", "plan": PLAN["plan"]}).content.decode()
    assert ">why step 2?</textarea>" in page.split('id="composer"')[1]
