"""Cards of every type, by pointer and by keyboard."""

import sqlite3
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Ask, answer_of, request_id

TYPED: dict[str, tuple[str, dict[str, Any]]] = {
    "text": ("Ada", {"customInput": "Ada"}),
    "number": ("3.5", {"value": 3.5}),
    "date": ("2026-03-01", {"value": "2026-03-01"}),
    "directory": ("a/b/", {"value": "a/b"}),
}


def finished(tab: Page) -> None:
    """Wait for the end of the run."""
    expect(tab.locator(".run-completed")).to_be_visible()


def test_a_single_choice_is_answered_and_leaves_a_receipt(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single")
    request = request_id(tab)
    tab.get_by_text("Implement now").click()
    tab.get_by_role("button", name="Continue").click()
    receipt = tab.locator(f"#q-{request}")
    expect(receipt).to_contain_text("admin in the web interface")
    expect(receipt.locator(".is-chosen")).to_have_text("Chosen:Implement now")
    expect(receipt).to_be_focused()
    finished(tab)
    assert answer_of(database, request)["selections"] == ["implement"]


@pytest.mark.parametrize("mode", ["multiple", "toggle"])
def test_several_choices_are_answered(mode: str, ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask(mode)
    request = request_id(tab)
    tab.get_by_label("Analyse first").check()
    tab.get_by_label("Wait", exact=True).check()
    tab.get_by_role("button", name="Send answer").click()
    finished(tab)
    assert answer_of(database, request)["selections"] == ["safe", "wait"]


@pytest.mark.parametrize("mode", TYPED)
def test_a_typed_answer_is_sent_with_enter(mode: str, ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask(mode)
    request, (text, expected) = request_id(tab), TYPED[mode]
    field = tab.locator("#card [data-text]")
    field.fill(text)
    field.press("Enter")
    finished(tab)
    found = answer_of(database, request)
    assert {key: found[key] for key in expected} == expected


def test_typing_an_own_answer_clears_the_radio_and_choosing_clears_the_text_h3(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single-own")
    request = request_id(tab)
    tab.get_by_label("Wait", exact=True).check()
    own = tab.locator("#card [data-own-text]")
    own.fill("after Friday")
    expect(tab.get_by_label("Wait", exact=True)).not_to_be_checked()
    tab.get_by_label("Analyse first").check()
    expect(own).to_have_value("")
    own.focus()  # as Tab does on its way to the buttons
    expect(own).to_have_value("")
    expect(tab.get_by_label("Analyse first")).to_be_checked()
    own.click()
    expect(own).to_have_value("after Friday")
    expect(tab.get_by_label("Analyse first")).not_to_be_checked()
    assert answer_of(database, request) == {}
    own.press("Enter")
    finished(tab)
    assert answer_of(database, request)["customInput"] == "after Friday"


def test_three_questions_with_pages_review_and_one_answer(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("questions")
    request = request_id(tab)
    tab.get_by_text("Careful").click()
    expect(tab.get_by_role("group", name="Which parts?")).to_be_visible()
    expect(tab.locator(".page-count")).to_have_text("2 of 3")
    tab.get_by_role("button", name="Skip this question").click()
    tab.keyboard.type("src/app")
    tab.keyboard.press("Enter")
    review = tab.locator("#review")
    expect(review).to_contain_text("Careful")
    expect(review).to_contain_text("Skipped")
    review.get_by_role("button", name="Change: Which parts?").click()
    tab.get_by_label("Web", exact=True).check()
    for _page in range(2):
        tab.get_by_role("button", name="Next").click()
    expect(review).to_contain_text("Web")
    tab.get_by_role("button", name="Send answer").click()
    finished(tab)
    assert answer_of(database, request)["answers"] == [
        {"id": "mode", "selected": ["Careful"]},
        {"id": "parts", "selected": ["Web"]},
        {"id": "path", "selected": [], "custom": "src/app"},
    ]
    expect(tab.locator(f"#q-{request}")).to_contain_text("3 of 3")


def test_a_question_left_open_is_named_and_opened_h62(ask: Ask) -> None:
    tab = ask("questions")
    tab.get_by_text("Careful").click()
    expect(tab.locator(".page-count")).to_have_text("2 of 3")
    tab.get_by_role("button", name="Next").click()
    tab.locator("#card [data-text]:visible").fill("src")
    tab.get_by_role("button", name="Next").click()
    tab.get_by_role("button", name="Send answer").click()
    summary = tab.locator("#card-errors")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Which parts? · Answer this question, or skip it.")
    expect(tab.locator("fieldset", has_text="Which parts?")).to_be_visible()
    tab.get_by_role("button", name="Back").click()
    expect(tab.get_by_label("Careful")).to_be_checked()


def test_the_review_names_no_question_as_open_that_was_answered_since(ask: Ask) -> None:
    tab = ask("questions")
    tab.get_by_text("Careful").click()
    expect(tab.locator(".page-count")).to_have_text("2 of 3")
    for _page in range(2):
        tab.get_by_role("button", name="Next").click()
    tab.get_by_role("button", name="Send answer").click()
    summary = tab.locator("#card-errors")
    expect(summary.get_by_role("listitem")).to_have_count(2)
    tab.get_by_label("Web", exact=True).check()
    tab.get_by_role("button", name="Next").click()
    expect(summary.get_by_role("listitem")).to_have_text(["Which folder? · Answer this question, or skip it."])
    tab.get_by_role("button", name="Skip this question").click()
    expect(tab.locator("#review")).to_contain_text("Skipped")
    expect(summary).to_be_hidden()
    tab.get_by_role("button", name="Change: Which parts?").click()
    expect(tab.get_by_role("group", name="Which parts?")).not_to_contain_text("Answer this question")


def test_texts_of_two_questions_never_cross_over_h68(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("texts")
    request = request_id(tab)
    first, second = tab.locator("#card [data-text]").nth(0), tab.locator("#card [data-text]").nth(1)
    first.fill("aaa")
    tab.get_by_role("button", name="Next").click()
    second.fill("bb")
    tab.get_by_role("button", name="Back").click()
    expect(first).to_have_value("aaa")
    tab.get_by_role("button", name="Next").click()
    expect(second).to_have_value("bb")
    second.fill("bbb")
    second.press("Enter")
    tab.get_by_role("button", name="Send answer").click()
    finished(tab)
    assert [answer["custom"] for answer in answer_of(database, request)["answers"]] == ["aaa", "bbb"]


def test_a_card_is_answered_by_keyboard_alone_h70(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single")
    request = request_id(tab)
    tab.locator("#card .card-body").focus()
    tab.keyboard.press("Tab")
    expect(tab.get_by_label("Analyse first")).to_be_focused()
    expect(tab.get_by_label("Analyse first")).not_to_be_checked()
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_label("Implement now")).to_be_checked()
    tab.keyboard.press("3")
    expect(tab.get_by_label("Wait", exact=True)).to_be_checked()
    tab.keyboard.press("Enter")
    finished(tab)
    assert answer_of(database, request)["selections"] == ["wait"]


def test_digits_and_enter_lead_through_several_questions(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("questions")
    request = request_id(tab)
    tab.get_by_label("Fast").focus()
    tab.keyboard.press("2")
    expect(tab.get_by_label("API")).to_be_focused()
    tab.keyboard.press("1")
    tab.keyboard.press("Enter")
    tab.keyboard.type("src")
    tab.keyboard.press("Shift+Enter")
    tab.keyboard.type("lib")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("button", name="Send answer")).to_be_focused()
    tab.keyboard.press("Enter")
    finished(tab)
    answers = answer_of(database, request)["answers"]
    assert [answers[0]["selected"], answers[1]["selected"], answers[2]["custom"]] == [["Careful"], ["API"], "src\nlib"]


def test_escape_never_closes_a_card(ask: Ask) -> None:
    tab = ask("text")
    tab.locator("#card [data-text]").fill("typed")
    for _press in range(3):
        tab.keyboard.press("Escape")
    expect(tab.locator("#card [data-text]")).to_have_value("typed")


def test_the_name_of_the_group_and_the_description_are_read_out_h70(ask: Ask) -> None:
    tab = ask("single")
    group = tab.get_by_role("group", name="How should I go on?")
    expect(group).to_have_accessible_description("This decides which tools may be used.")
    expect(tab.get_by_role("radio", name="Analyse first")).to_have_accessible_description("Read only, then propose")


@pytest.mark.parametrize("mode", ["single", "multiple", "toggle", "text", "number", "date", "directory"])
def test_an_empty_answer_says_why_it_was_not_taken_h62(mode: str, ask: Ask) -> None:
    tab = ask(mode)
    tab.locator("#card .submit-button").click()
    expect(tab.locator("#card-errors")).to_be_focused()
    expect(tab.locator(".field-error")).to_be_visible()
    expect(tab.locator("#card .submit-button")).to_be_enabled()


def test_cancelling_stops_the_run_and_says_so(ask: Ask) -> None:
    tab = ask("single")
    tab.get_by_role("button", name="Cancel and stop").last.click()
    expect(tab.locator(".run-cancelled")).to_contain_text("the question was closed without an answer")
    expect(tab.locator("#message")).to_be_visible()


def test_closing_questions_lets_the_agent_go_on(ask: Ask) -> None:
    tab = ask("questions")
    tab.get_by_role("button", name="Close without answering").first.click()
    finished(tab)
    expect(tab.locator(".receipt-cancelled")).to_contain_text("Closed without an answer")


def test_the_next_of_two_cards_comes_by_itself_h18(ask: Ask) -> None:
    tab = ask("two")
    expect(tab.locator("#card-meta")).to_contain_text("1 of 2 questions")
    tab.get_by_role("link", name="Show the other").click()
    expect(tab.locator("#card legend")).to_contain_text("Second?")
    tab.locator("#card [data-text]").fill("two")
    tab.keyboard.press("Enter")
    expect(tab.locator("#card legend")).to_contain_text("First?")
    expect(tab.locator("#card-meta")).not_to_contain_text("of 2")
    tab.locator("#card [data-text]").fill("one")
    tab.keyboard.press("Enter")
    finished(tab)


def test_a_plan_is_edited_and_approved(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("plan")
    request = request_id(tab)
    tab.get_by_text("Edit the plan").click()
    field = tab.get_by_label("The plan, as Markdown")
    field.fill("1. Read little")
    field.press("Enter")
    field.type("2. Write")
    tab.get_by_role("button", name="Approve with these changes").click()
    finished(tab)
    assert answer_of(database, request)["plan"] == "1. Read little\n2. Write"
    expect(tab.locator(f"#q-{request}")).to_contain_text("Approved as edited:")


def test_a_plan_is_rejected_with_a_reason_by_keyboard(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("plan")
    request = request_id(tab)
    tab.locator("#plan-feedback").fill("split step 2")
    tab.keyboard.press("Control+Enter")
    finished(tab)
    found = answer_of(database, request)
    assert (found["decision"], found["feedback"]) == ("reject", "split step 2")
