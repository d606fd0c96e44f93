"""Scripts are off: every page and every card by links and forms alone."""

import sqlite3
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext, answer_of, let_expire, request_id, sign_in, tag
from tests.support.server import wait_until

TYPED: dict[str, tuple[str, dict[str, Any]]] = {
    "text": ("Ada", {"customInput": "Ada"}),
    "number": ("3.5", {"value": 3.5}),
    "date": ("2026-03-01", {"value": "2026-03-01"}),
    "directory": ("a/b/", {"value": "a/b"}),
}


@pytest.fixture
def plain(new_context: NewContext, nothing_waits: None) -> Page:
    """Return a tab whose scripts are off."""
    return new_context(java_script_enabled=False).new_page()


def open_chat(tab: Page, api: httpx.Client, script: str) -> str:
    """Begin a chat in which the model plays a script, wait until it rests, open it; return its id."""
    begun = api.post("/api/chat", json={"message": f"Help me {tag(script)}"}).json()
    where = f"/api/sessions/{begun['sessionId']}"
    wait_until(lambda: api.get(where).json()["status"] not in ("queued", "running"), 30)
    tab.goto(f"/s/{begun['sessionId']}/")
    return str(begun["sessionId"])


def send(tab: Page, button: str = "Send answer") -> None:
    """Press a button of the card."""
    tab.locator("#card").get_by_role("button", name=button).last.click()


def finished(tab: Page) -> None:
    """Wait for the end of the run, with the page that a reader would load again."""
    for _look in range(100):
        if tab.locator(".run-completed").count():
            return
        tab.wait_for_timeout(100)
        tab.reload()
    raise AssertionError(tab.locator("main").inner_text())


@pytest.mark.parametrize("mode", TYPED)
def test_a_field_is_filled_in_and_sent(mode: str, plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, mode)
    request, (text, expected) = request_id(plain), TYPED[mode]
    plain.locator("#card [data-text]").fill(text)
    send(plain)
    finished(plain)
    found = answer_of(database, request)
    assert {key: found[key] for key in expected} == expected
    expect(plain.locator(f"#q-{request} .receipt-answered")).to_be_visible()


def test_enter_in_a_field_sends_the_answer_and_closes_nothing(
    plain: Page, api: httpx.Client, database: sqlite3.Connection
) -> None:
    open_chat(plain, api, "number")
    request = request_id(plain)
    plain.locator("#card [data-text]").fill("7")
    plain.locator("#card [data-text]").press("Enter")
    finished(plain)
    assert answer_of(database, request)["status"] == "answered"


@pytest.mark.full
@pytest.mark.parametrize("mode", ["multiple", "toggle"])
def test_boxes_are_ticked_and_sent(mode: str, plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, mode)
    request = request_id(plain)
    plain.get_by_label("Analyse first").check()
    plain.get_by_label("Wait", exact=True).check()
    send(plain)
    finished(plain)
    assert answer_of(database, request)["selections"] == ["safe", "wait"]


@pytest.mark.full
def test_one_option_is_chosen_and_sent(plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "single")
    request = request_id(plain)
    plain.get_by_label("Implement now").check()
    send(plain, "Continue")
    finished(plain)
    assert answer_of(database, request)["selections"] == ["implement"]


@pytest.mark.full
def test_own_text_is_chosen_and_sent(plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "single-own")
    request = request_id(plain)
    plain.locator("#card [data-own-choice]").check()
    plain.locator("#card [data-own-text]").fill("after Friday")
    send(plain)
    finished(plain)
    assert answer_of(database, request)["customInput"] == "after Friday"


def test_several_questions_stand_on_one_page(plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "questions")
    request = request_id(plain)
    plain.get_by_label("Careful").check()
    plain.locator("[data-skip]").nth(1).check()
    send(plain)
    expect(plain.locator("#card-errors")).to_contain_text("Which folder? · Answer this question, or skip it.")
    expect(plain.get_by_label("Careful")).to_be_checked()
    plain.locator("#card [data-text]").fill("src")
    send(plain)
    finished(plain)
    answers = answer_of(database, request)["answers"]
    assert [answers[0]["selected"], answers[1]["selected"], answers[2]["custom"]] == [["Careful"], [], "src"]


@pytest.mark.full
def test_a_single_question_is_skipped_by_its_button(plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "question")
    request = request_id(plain)
    send(plain, "Skip this question")
    finished(plain)
    assert answer_of(database, request)["answers"] == [{"id": "mode", "selected": []}]


@pytest.mark.parametrize(("button", "decision"), [("Go", "approve"), ("No", "reject")])
def test_a_plan_is_decided(button: str, decision: str, plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "plan")
    request = request_id(plain)
    plain.locator("#plan-feedback").fill("because")
    send(plain, button)
    finished(plain)
    assert answer_of(database, request)["decision"] == decision


@pytest.mark.parametrize(("button", "code"), [("Allow once", None), ("Deny", "APPROVAL_DENIED")])
def test_a_call_is_decided(button: str, code: str | None, plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "approval")
    request = request_id(plain)
    send(plain, button)
    finished(plain)
    assert answer_of(database, request).get("code") == code


def test_a_refused_answer_stays_in_its_field(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "number")
    plain.locator("#card [data-text]").fill("3,2")
    send(plain)
    expect(plain.locator(".field-error")).to_contain_text("Write a plain number")
    expect(plain.locator("#card [data-text]")).to_have_value("3,2")


@pytest.mark.full
def test_two_cards_are_answered_one_after_the_other(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "two")
    plain.get_by_role("link", name="Show the other").click()
    for question in ("Second?", "First?"):
        expect(plain.locator("#card legend")).to_contain_text(question)
        plain.locator("#card [data-text]").fill("yes")
        send(plain)
    finished(plain)


@pytest.mark.full
@pytest.mark.parametrize(("script", "button"), [("text", "Cancel and stop"), ("questions", "Close without answering")])
def test_a_card_is_closed(script: str, button: str, plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, script)
    request = request_id(plain)
    send(plain, button)
    expect(plain.locator(f"#q-{request} .receipt-cancelled")).to_be_visible()


@pytest.mark.full
def test_a_card_is_kept_open_with_what_was_typed(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "text")
    before = str(plain.locator("[data-expires]").get_attribute("data-expires"))
    plain.locator("#card [data-text]").fill("half a sent")
    send(plain, "Keep open")
    expect(plain.locator("[data-expires]")).not_to_have_attribute("data-expires", before)
    expect(plain.locator("#card [data-text]")).to_have_value("half a sent")


@pytest.mark.full
def test_a_reply_in_chat_takes_the_text_along(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "text")
    request = request_id(plain)
    plain.locator("#card [data-text]").fill("what do you mean?")
    send(plain, "Reply in chat")
    expect(plain.locator("#message")).to_have_value("what do you mean?")
    plain.locator("#composer button[type=submit]").last.click()
    expect(plain.locator(f"#q-{request}")).to_contain_text("Replied in chat")
    expect(plain.locator(".row-person").last).to_contain_text("what do you mean?")


@pytest.mark.full
def test_a_late_answer_is_told_so_and_kept(plain: Page, api: httpx.Client, database: sqlite3.Connection) -> None:
    open_chat(plain, api, "text")
    let_expire(database, plain, 1)
    plain.locator("#card [data-text]").fill("too late")
    plain.wait_for_timeout(1200)
    send(plain)
    expect(plain.locator("#notice")).to_contain_text("This question has expired.")
    expect(plain.locator("#kept-text")).to_have_value("too late")


@pytest.mark.full
def test_a_failed_run_is_tried_again(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "flaky")
    plain.get_by_role("button", name="Try again").click()
    finished(plain)
    expect(plain.locator(".row-agent")).to_contain_text("Now it works.")


@pytest.mark.full
def test_a_waiting_run_is_stopped(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "text")
    plain.get_by_role("button", name="Stop").first.click()
    expect(plain.locator(".run-cancelled")).to_contain_text("Stopped by you")


@pytest.mark.full
def test_a_chat_is_begun_found_renamed_put_away_and_deleted(plain: Page) -> None:
    plain.goto("/")
    plain.get_by_role("link", name="New chat").click()
    plain.locator("#message").fill(f"pineapples {tag('end')}")
    plain.get_by_role("button", name="Send").click()
    finished(plain)
    plain.locator(".menu > summary").click()
    plain.get_by_label("Title").fill("Fruit of the day")
    plain.get_by_role("button", name="Rename").click()
    expect(plain.get_by_role("heading", name="Fruit of the day")).to_be_visible()
    plain.locator(".menu > summary").click()
    plain.get_by_role("button", name="Archive").click()
    plain.get_by_role("link", name="All chats and search").click()
    plain.get_by_label("Search in titles").fill("fruit of")
    plain.get_by_role("button", name="Search").click()
    expect(plain.get_by_text("No current chat is titled")).to_be_visible()
    plain.get_by_role("link", name="1 found in the archive").click()
    plain.locator("main").get_by_role("link", name="Fruit of the day").click()
    plain.locator(".menu > summary").click()
    plain.get_by_role("link", name="Delete…").click()
    plain.get_by_role("button", name="Delete").click()
    plain.goto("/sessions/?q=fruit+of")
    expect(plain.get_by_text("No chat is titled")).to_be_visible()


@pytest.mark.full
def test_the_inbox_leads_to_the_card_and_its_address_to_the_receipt(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "single")
    request = request_id(plain)
    plain.goto("/inbox/")
    plain.locator(f'a[href="/q/{request}/"]').click()
    expect(plain.locator("#card")).to_have_attribute("data-request", request)
    plain.get_by_label("Wait", exact=True).check()
    send(plain, "Continue")
    finished(plain)
    plain.goto(f"/q/{request}/")
    expect(plain.locator(".receipt-answered")).to_contain_text("Wait")


def test_hints_that_need_scripts_are_not_shown(plain: Page, api: httpx.Client) -> None:
    open_chat(plain, api, "single")
    expect(plain.locator(".option-digit").first).to_be_hidden()
    plain.goto("/new/")
    expect(plain.get_by_text("Enter sends")).to_be_hidden()


def test_one_signs_in_changes_the_language_and_signs_out(new_context: NewContext) -> None:
    tab = new_context(java_script_enabled=False, storage_state=None).new_page()
    sign_in(tab)
    tab.goto("/settings/")
    expect(tab.get_by_role("heading", name="Settings")).to_be_visible()
    tab.get_by_role("button", name="Sign out").first.click()
    tab.wait_for_url("**/sign-in/**")
    tab.get_by_role("button", name="简体中文").click()
    expect(tab.locator("html")).to_have_attribute("lang", "zh-hans")
