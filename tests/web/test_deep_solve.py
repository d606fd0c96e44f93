"""deep_solve from the composer: the switch, what it remembers, and texts that were not taken as the answer."""

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.chat.models import Run
from tests.solve.conftest import finish, plan
from tests.support.runs import DONE, run_to_rest, scripted
from tests.web.conftest import HTMX, Say
from tests.web.solving import begin


def is_on(page: str) -> bool:
    """Say whether the switch of the composer is on."""
    switch = re.search(r'<input type="checkbox" role="switch"[^>]*name="capability" value="deep_solve"( checked)?', page)
    assert switch is not None
    return switch[1] is not None


def page_of(browser: Client, run: Run) -> str:
    return browser.get(f"/s/{run.session.public_id}/").content.decode()


@pytest.mark.parametrize("field", ["message", "example"])
def test_a_new_chat_begins_in_deep_solve(browser: Client, field: str) -> None:
    assert not is_on(browser.get("/new/").content.decode())
    browser.post("/new/", {field: "solve x^2=4", "capability": "deep_solve"})
    run = Run.objects.get()
    assert run.capability == "deep_solve"
    assert is_on(page_of(browser, run))


def test_without_the_switch_a_chat_is_a_chat(browser: Client) -> None:
    browser.post("/new/", {"message": "solve x^2=4"})
    assert Run.objects.get().capability == "chat"
    assert not is_on(page_of(browser, Run.objects.get()))


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_session_remembers_how_the_last_message_was_sent(browser: Client, say: Say, headers: dict[str, str]) -> None:
    first = say(DONE).run
    address = f"/s/{first.session.public_id}/send/"
    browser.post(address, {"message": "more", "capability": "deep_solve"}, headers=headers)
    run = Run.objects.latest("id")
    assert run.capability == "deep_solve"
    assert is_on(page_of(browser, run))
    run_to_rest(run, scripted(DONE))
    browser.post(address, {"message": "and more"}, headers=headers)
    assert not is_on(page_of(browser, Run.objects.latest("id")))


def test_a_refused_message_keeps_the_switch(browser: Client, say: Say) -> None:
    assert is_on(browser.post("/new/", {"message": " ", "capability": "deep_solve"}).content.decode())
    session = say(DONE).session.public_id
    assert is_on(browser.post(f"/s/{session}/send/", {"message": " ", "capability": "deep_solve"}).content.decode())


def test_an_unknown_capability_is_refused_in_words(browser: Client) -> None:
    answer = browser.post("/new/", {"message": "x", "capability": "root"})
    assert answer.status_code == 422
    assert not Run.objects.exists()


# --- texts that were not taken ----------------------------------------------------------------------------


def rows(page: str, kind: str) -> list[str]:
    """Return the rows of a kind in the timeline."""
    timeline = page.split('id="timeline"')[1].split("</ol>")[0]
    return [row for row in re.findall(r"<li .*?</li>", timeline, re.DOTALL) if f'class="row row-{kind}' in row]


def test_an_answer_that_is_repeated_after_the_reminder_stands_once_h82(browser: Client, user: User) -> None:
    run = begin(user, {"text": "Direct answer."})
    page = page_of(browser, run)
    assert run.outcome == "finished_without_plan"
    assert page.split('id="timeline"')[1].count("Direct answer.") == 1
    assert len(rows(page, "agent")) == 1
    assert "The agent was reminded of its plan." in page


def test_an_answer_sent_back_twice_and_then_given_again_stands_once_h82(browser: Client, user: User) -> None:
    run = begin(user, {"calls": [plan("p", "A")]}, {"text": "Early."}, plan_review="off")
    assert run.outcome == "finished_with_open_steps"
    assert page_of(browser, run).split('id="timeline"')[1].count("Early.") == 1


def test_a_text_that_was_sent_back_is_folded_away_and_no_answer(browser: Client, user: User) -> None:
    turns = [{"text": "Draft."}, {"calls": [plan("p", "A")]}, {"calls": [finish("f", "S1")]}, {"text": "The answer."}]
    run = begin(user, {"sequence": turns}, plan_review="off")
    page = page_of(browser, run)
    assert ["The answer." in row for row in rows(page, "agent")] == [True]
    (draft,) = rows(page, "note row-sent-back")
    assert "<details" in draft
    assert "Draft." in draft


def test_a_text_that_was_cut_and_went_on_stands_once(browser: Client, say: Say) -> None:
    started = say({"sequence": [{"text": "One two ", "finish": "length"}, {"text": "three."}]})
    page = page_of(browser, started.run)
    assert len(rows(page, "agent")) == 1
    assert page.split('id="timeline"')[1].count("One two") == 1
    assert "One two three." in page
