"""Every type of card by keyboard alone: from a page that was just opened to the answer."""

import sqlite3
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Ask, answer_of, request_id, tag

KEYS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "text": (["Ada"], {"customInput": "Ada"}),
    "number": (["-2.5"], {"value": -2.5}),
    "date": (["03032026"], {"value": "2026-03-03"}),
    "directory": (["a/b"], {"value": "a/b"}),
}
MOST = 80
"""Stops on a page at most."""


def tab_to(tab: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    for _stop in range(MOST):
        if target.evaluate("(each) => each === document.activeElement"):
            return
        tab.keyboard.press("Tab")
    raise AssertionError(f"not reached by keyboard: {target}")


def finished(tab: Page) -> None:
    """Wait for the end of the run."""
    expect(tab.locator(".run-completed")).to_be_visible()


@pytest.mark.parametrize("mode", KEYS)
def test_a_card_with_a_field_is_typed_and_sent(mode: str, ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask(mode)
    request, (texts, expected) = request_id(tab), KEYS[mode]
    tab_to(tab, tab.locator("#card [data-text]"))
    for text in texts:
        tab.keyboard.type(text)
    tab.keyboard.press("Enter")
    finished(tab)
    found = answer_of(database, request)
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("mode", ["multiple", "toggle"])
def test_a_card_with_boxes_is_ticked_with_space(mode: str, ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask(mode)
    request = request_id(tab)
    tab_to(tab, tab.get_by_label("Analyse first"))
    tab.keyboard.press("Space")
    tab_to(tab, tab.get_by_label("Wait", exact=True))
    tab.keyboard.press("Space")
    tab_to(tab, tab.locator("#card .submit-button"))
    tab.keyboard.press("Enter")
    finished(tab)
    assert answer_of(database, request)["selections"] == ["safe", "wait"]


def test_a_single_choice_is_made_with_arrows_and_sent(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single")
    request = request_id(tab)
    tab_to(tab, tab.get_by_label("Analyse first"))
    tab.keyboard.press("ArrowDown")
    tab_to(tab, tab.locator("#card .submit-button"))
    tab.keyboard.press("Space")
    finished(tab)
    assert answer_of(database, request)["selections"] == ["implement"]


def test_a_card_that_comes_to_a_page_where_nothing_has_the_focus_is_one_key_away(ask: Ask, api: httpx.Client) -> None:
    tab = ask("end", ".run-completed")
    assert tab.evaluate("document.activeElement === document.body")
    session = tab.locator("#main").get_attribute("data-session")
    api.post("/api/chat", json={"sessionId": session, "message": f"And {tag('single')}"})
    expect(tab.locator("#card")).to_be_visible()
    tab.keyboard.press("Tab")
    expect(tab.locator("#card input[type=radio]").first).to_be_focused()


def test_own_text_of_a_single_choice_is_reached_and_sent(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single-own")
    request = request_id(tab)
    tab_to(tab, tab.locator("#card [data-own-text]"))
    tab.keyboard.type("after Friday")
    tab.keyboard.press("Enter")
    finished(tab)
    assert answer_of(database, request)["customInput"] == "after Friday"


def test_own_text_stands_beside_ticks(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("multiple")
    request = request_id(tab)
    tab_to(tab, tab.get_by_label("Analyse first"))
    tab.keyboard.press("Space")
    tab_to(tab, tab.locator("#card [data-own-text]"))
    tab.keyboard.type("and tell me")
    tab.keyboard.press("Enter")
    finished(tab)
    found = answer_of(database, request)
    assert (found["selections"], found["customInput"]) == (["safe"], "and tell me")


def test_several_questions_are_paged_through_changed_and_sent(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("questions")
    request = request_id(tab)
    tab_to(tab, tab.get_by_label("Fast"))
    tab.keyboard.press("Space")
    tab_to(tab, tab.locator("[data-act=next]"))
    tab.keyboard.press("Enter")
    expect(tab.get_by_label("API")).to_be_focused()
    tab_to(tab, tab.locator("[data-act=skip]"))
    tab.keyboard.press("Enter")
    tab.keyboard.type("src")
    tab.keyboard.press("Enter")
    expect(tab.locator("#card .submit-button")).to_be_focused()
    change = tab.get_by_role("button", name="Change: Which parts?")
    for _stop in range(MOST):
        tab.keyboard.press("Shift+Tab")
        if change.evaluate("(each) => each === document.activeElement"):
            break
    tab.keyboard.press("Enter")
    expect(tab.get_by_label("API")).to_be_focused()
    tab.keyboard.press("2")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    expect(tab.locator("#card .submit-button")).to_be_focused()
    tab.keyboard.press("Enter")
    finished(tab)
    answers = answer_of(database, request)["answers"]
    assert [answers[0]["selected"], answers[1]["selected"], answers[2]["custom"]] == [["Fast"], ["Web"], "src"]


def test_a_plan_is_approved(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("plan")
    request = request_id(tab)
    tab_to(tab, tab.get_by_role("button", name="Go", exact=True))
    tab.keyboard.press("Enter")
    finished(tab)
    assert answer_of(database, request)["decision"] == "approve"


def test_a_call_is_allowed(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("approval")
    request = request_id(tab)
    tab_to(tab, tab.get_by_role("button", name="Allow once"))
    tab.keyboard.press("Enter")
    finished(tab)
    assert answer_of(database, request) == {"status": "sent"}


def test_a_card_is_closed_with_its_cross(ask: Ask) -> None:
    tab = ask("text")
    tab_to(tab, tab.locator(".card-close"))
    tab.keyboard.press("Enter")
    expect(tab.locator(".run-cancelled")).to_be_visible()


def test_the_other_of_two_cards_is_shown_and_a_card_is_kept_open(ask: Ask) -> None:
    tab = ask("two")
    tab_to(tab, tab.get_by_role("link", name="Show the other"))
    tab.keyboard.press("Enter")
    expect(tab.locator("#card legend")).to_contain_text("Second?")
    before = tab.locator("[data-expires]").get_attribute("data-expires")
    tab_to(tab, tab.get_by_role("button", name="Keep open"))
    tab.keyboard.press("Enter")
    expect(tab.locator("[data-expires]")).not_to_have_attribute("data-expires", str(before))


def test_a_reply_in_chat_is_begun_and_sent(ask: Ask) -> None:
    tab = ask("text")
    tab_to(tab, tab.get_by_role("button", name="Reply in chat"))
    tab.keyboard.press("Enter")
    expect(tab.locator("#message")).to_be_focused()
    tab.keyboard.type("what do you mean?")
    tab.keyboard.press("Enter")
    expect(tab.locator(".row-person").last).to_contain_text("what do you mean?")
