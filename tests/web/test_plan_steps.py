"""The plan card of deep_solve without scripts: its steps as fields, what changed, and that nothing typed is lost."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.interactions.models import Interaction
from apps.solve.models import SolvePlan
from tests.solve.conftest import plan
from tests.support.runs import DONE, run_to_rest, scripted
from tests.web.conftest import address, page_of, result_of
from tests.web.solving import begin

FIRST = {"calls": [plan("p1", "Factor", "Verify")]}


@pytest.fixture
def card(user: User) -> Interaction:
    """Return the open card of a plan with two steps."""
    run = begin(user, FIRST, DONE)
    return Interaction.objects.get(run=run)


def act(browser: Client, card: Interaction, door: str, goals: list[str], **fields: str) -> Any:
    body = {"revision": str(card.payload["planRevision"]), "goals": "1", "goal": goals}
    return browser.post(address(card, door), body | fields)


def fields(page: str) -> list[str]:
    """Return the goals in the fields of the card, in order."""
    shown = page.split('id="plan-fields"')[1].split("</ol>")[0]
    return re.findall(r'name="goal"[^>]*>([^<]*)</textarea>', shown)


def is_open(page: str) -> bool:
    return re.search(r'id="plan-edit"[^>]* open', page) is not None


def test_each_step_is_a_field_with_buttons(browser: Client, card: Interaction) -> None:
    page = page_of(browser, card)
    assert fields(page) == ["Factor", "Verify"]
    assert not is_open(page)
    for value in ("up:0", "down:1", "remove:0", "add"):
        assert f'name="arrange" value="{value}"' in page


@pytest.mark.parametrize(
    ("arrange", "after"),
    [
        ("add", ["A", "B", "C", ""]),
        ("up:2", ["A", "C", "B"]),
        ("up:0", ["A", "B", "C"]),
        ("down:0", ["B", "A", "C"]),
        ("down:2", ["A", "B", "C"]),
        ("remove:1", ["A", "C"]),
        ("remove:7", ["A", "B", "C"]),
        ("up:-1", ["A", "B", "C"]),
        ("nonsense", ["A", "B", "C"]),
    ],
)
def test_steps_are_arranged_without_scripts(browser: Client, card: Interaction, arrange: str, after: list[str]) -> None:
    answer = act(browser, card, "arrange", ["A", "B", "C"], arrange=arrange, feedback="half a")
    assert (answer.status_code, answer["Location"][-10:]) == (303, "#plan-edit")
    page = page_of(browser, card)
    assert fields(page) == after
    assert is_open(page)
    assert ">half a</textarea>" in page


def test_no_thirteenth_step_is_added(browser: Client, card: Interaction) -> None:
    act(browser, card, "arrange", ["x"] * 12, arrange="add")
    page = page_of(browser, card)
    assert len(fields(page)) == 12
    assert re.search(r'value="add"[^>]* disabled', page)


def test_the_last_step_stays(browser: Client, card: Interaction) -> None:
    act(browser, card, "arrange", ["Only"], arrange="remove:0")
    assert fields(page_of(browser, card)) == ["Only"]


def test_an_edited_plan_is_approved_and_stands(browser: Client, card: Interaction) -> None:
    answer = act(browser, card, "answer", ["Verify", "", "Factor again"], decision="approve_with_edits")
    assert answer.status_code == 303
    assert result_of(card)["decision"] == "approve_with_edits"
    standing = SolvePlan.objects.get(status="active")
    assert [step.goal for step in standing.steps.all()] == ["Verify", "Factor again"]
    receipt = page_of(browser, card).split("Approved as edited:")[1].split("</div>")[0]
    assert receipt.index("Verify") < receipt.index("Factor again")


def test_steps_that_were_not_changed_are_approved_as_they_were_proposed(browser: Client, card: Interaction) -> None:
    act(browser, card, "answer", ["Factor", "Verify"], decision="approve_with_edits")
    assert result_of(card)["decision"] == "approve"
    assert SolvePlan.objects.get(status="active").version == 1


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        (["x"] * 13, "A plan has 12 steps at most."),
        (["A", "y" * 501], "This is longer than 500 characters."),
        ([" ", "\u200b"], "Send the edited plan."),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused_beside_its_field(
    browser: Client, card: Interaction, goals: list[str], words: str
) -> None:
    answer = act(browser, card, "answer", goals, decision="approve_with_edits", feedback="kept")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page.split('id="card-errors"')[1].split("</div>")[0]
    assert words in page.split('id="plan-edit"')[1]
    assert is_open(page)
    assert ">kept</textarea>" in page
    card.refresh_from_db()
    assert card.status == Interaction.Status.PENDING


@pytest.mark.parametrize("decision", ["approve", "approve_with_edits", "reject"])
def test_a_stale_revision_is_refused_and_nothing_typed_is_lost(browser: Client, card: Interaction, decision: str) -> None:
    answer = act(browser, card, "answer", ["Mine", "Yours"], decision=decision, revision="7", feedback="kept")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert fields(page) == ["Mine", "Yours"]
    assert ">kept</textarea>" in page
    assert not SolvePlan.objects.filter(status="active").exists()


def test_a_lost_session_finds_its_plan_again_and_no_step_has_started_h79(browser: Client, card: Interaction, user: User) -> None:
    browser.logout()
    assert act(browser, card, "answer", ["Factor", "Verify"], decision="approve").status_code == 401
    browser.force_login(user)
    assert fields(page_of(browser, card)) == ["Factor", "Verify"]
    assert not SolvePlan.objects.filter(status="active").exists()


def test_reply_in_chat_brings_the_edited_steps_along_and_stays_in_deep_solve(browser: Client, card: Interaction) -> None:
    composer = act(browser, card, "reply", ["Guess", "Verify"], feedback="so?").content.decode().split('id="composer"')[1]
    assert ">so?\n\n1. Guess\n2. Verify</textarea>" in composer
    assert re.search(r'name="capability" value="deep_solve" checked', composer)


def test_a_revision_says_in_words_what_changed(browser: Client, card: Interaction) -> None:
    act(browser, card, "answer", ["Factor", "Verify"], decision="reject", feedback="check it, too")
    card.run.refresh_from_db()
    run_to_rest(card.run, scripted(FIRST, {"calls": [plan("p2", "Verify", "Check", "Factor")]}, DONE))
    page = browser.get(f"/s/{card.session.public_id}/").content.decode()
    assert fields(page) == ["Verify", "Check", "Factor"]
    changes = page.split('id="plan-changes-title"')[1].split("</section>")[0]
    found = re.findall(r'plan-change-word">(\w+)</span><(?:del|ins|span)>([^<]*)<', changes)
    assert ("Added", "Check") in found
    assert {kind for kind, text in found if text in ("Factor", "Verify")} == {"Moved"}


def test_formulas_in_what_changed_are_drawn_and_other_signs_shown_as_they_are(browser: Client, card: Interaction) -> None:
    act(browser, card, "answer", ["Factor", "Verify"], decision="reject", feedback="with the formula")
    card.run.refresh_from_db()
    run_to_rest(card.run, scripted(FIRST, {"calls": [plan("p2", "Factor", "Solve $x^2$ with *2*<b>")]}, DONE))
    page = browser.get(f"/s/{card.session.public_id}/").content.decode()
    changes = page.split('id="plan-changes-title"')[1].split("</section>")[0]
    assert '<ins>Solve <span class="math" data-tex="x^2">x²</span> with *2*&lt;b&gt;</ins>' in changes


def test_the_same_steps_again_are_called_the_same(user: User, browser: Client) -> None:
    run = begin(user, {"calls": [plan("p1", "Factor")]}, DONE)
    Interaction.objects.filter(run=run).update(payload=Interaction.objects.get(run=run).payload | {"description": "Same."})
    assert "it is the same plan again" in page_of(browser, Interaction.objects.get(run=run))
