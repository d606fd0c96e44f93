"""Keys: the list of them, the one that sends, and those that can be switched off."""

import json
import sqlite3
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Ask, NewContext, answer_of, request_id
from tests.browser.test_axe import assert_accessible
from tests.browser.test_looks import PHONE, overflow
from tests.browser.test_typing import COMPOSING_ENTER, posts_to

Prefer = Callable[..., None]
DIALOG = "#keys-dialog"
COMPOSING_CTRL_ENTER = """(field) => field.dispatchEvent(
  new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true, cancelable: true }))"""


@pytest.fixture
def prefer(database: sqlite3.Connection) -> Iterator[Prefer]:
    """Let the person have chosen these settings, for this test."""

    def choose(**chosen: object) -> None:
        database.execute("UPDATE accounts_user SET preferences = ? WHERE username = 'admin'", (json.dumps(chosen),))

    yield choose
    choose()


# --- the list -------------------------------------------------------------------------------------
def test_the_question_mark_opens_the_list_and_escape_gives_the_focus_back(page: Page) -> None:
    page.goto("/inbox/")
    link = page.get_by_role("link", name="New chat")
    link.focus()
    page.keyboard.press("?")
    expect(page.locator(DIALOG)).to_be_visible()
    expect(page.locator(DIALOG).get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#keys-dialog') !== null")
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_be_hidden()
    expect(link).to_be_focused()


def test_a_question_mark_in_a_text_is_a_question_mark(ask: Ask) -> None:
    tab = ask("single-own")
    own = tab.locator("#card [data-own-text]")
    own.press("?")
    expect(own).to_have_value("?")
    expect(tab.locator(DIALOG)).to_have_count(0)
    tab.get_by_label("Wait", exact=True).focus()
    tab.keyboard.press("?")
    expect(tab.locator(DIALOG)).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator("#card")).to_be_visible()


def test_the_list_is_reached_without_a_keyboard_and_fits_a_phone(new_context: NewContext) -> None:
    tab = new_context(**PHONE, bypass_csp=True, reduced_motion="reduce").new_page()
    tab.goto("/inbox/")
    tab.get_by_role("button", name="Chats").click()
    tab.get_by_role("link", name="Keys").click()
    dialog = tab.locator(DIALOG)
    expect(dialog).to_be_visible()
    assert overflow(tab) == 0
    assert dialog.evaluate("(each) => each.scrollWidth - each.clientWidth") == 0
    assert_accessible(tab)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_the_list_is_a_page_without_scripts_and_speaks_chinese_h72(new_context: NewContext) -> None:
    tab = new_context(java_script_enabled=False, locale="zh-CN").new_page()
    tab.goto("/inbox/")
    tab.get_by_role("link", name="按键").click()
    expect(tab.locator(".keys")).to_contain_text("换行")
    assert "sends" not in tab.locator("main").inner_text()


# --- switched off ---------------------------------------------------------------------------------
def test_single_keys_can_be_switched_off(ask: Ask, prefer: Prefer) -> None:
    prefer(shortcuts=False)
    tab = ask("single")
    expect(tab.locator("#card .option-digit").first).to_be_hidden()
    tab.get_by_label("Analyse first").focus()
    tab.keyboard.press("3")
    tab.keyboard.press("?")
    tab.wait_for_timeout(200)
    assert tab.locator("#card input:checked").count() == 0
    expect(tab.locator(DIALOG)).to_have_count(0)
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_label("Implement now")).to_be_checked()


def test_a_choice_can_be_kept_from_leading_on(ask: Ask, prefer: Prefer) -> None:
    prefer(goes_on=False)
    tab = ask("questions")
    count, careful = tab.locator(".page-count"), tab.get_by_label("Careful")
    tab.get_by_text("Careful").click()
    tab.get_by_label("Fast").focus()
    tab.keyboard.press("2")
    tab.wait_for_timeout(400)
    expect(count).to_have_text("1 of 3")
    tab.get_by_label("Fast").focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_label("Fast")).to_be_checked()
    expect(count).to_have_text("1 of 3")
    tab.keyboard.press("Enter")
    expect(count).to_have_text("2 of 3")
    expect(careful).not_to_be_checked()


# --- the key that sends ---------------------------------------------------------------------------
def test_ctrl_enter_sends_messages_and_enter_begins_a_line(ask: Ask, prefer: Prefer) -> None:
    prefer(send_key="ctrl_enter")
    tab = ask("end", ".run-completed")
    sent, field = posts_to(tab, "/send/"), tab.locator("#message")
    expect(tab.locator(".composer-hint")).to_contain_text("Ctrl+Enter sends, Enter begins a new line.")
    field.fill("one [[end#ctrl]]")
    field.press("Enter")
    field.press_sequentially("two")
    expect(field).to_have_value("one [[end#ctrl]]\ntwo")
    assert sent == []
    field.press("Control+Enter")
    expect(tab.locator(".row-person").last).to_contain_text("two")
    assert len(sent) == 1


def test_ctrl_enter_hands_in_texts_and_enter_begins_a_line_h66(ask: Ask, prefer: Prefer, database: sqlite3.Connection) -> None:
    prefer(send_key="ctrl_enter")
    tab = ask("text")
    sent, field, request = posts_to(tab, "/answer/"), tab.locator("#card [data-text]"), request_id(tab)
    field.fill("Ada")
    field.press("Enter")
    field.press_sequentially("Lovelace")
    field.evaluate(
        "(each) => each.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, isComposing: true }))"
    )
    assert sent == []
    field.press("Control+Enter")
    expect(tab.locator(".run-completed")).to_be_visible()
    assert answer_of(database, request)["customInput"] == "Ada\nLovelace"


def test_ctrl_enter_hands_in_a_field_of_one_line_and_enter_does_not(ask: Ask, prefer: Prefer) -> None:
    prefer(send_key="ctrl_enter")
    tab = ask("number")
    sent, field = posts_to(tab, "/answer/"), tab.locator("#card [data-text]")
    field.fill("3")
    field.press("Enter")
    field.press("Shift+Enter")
    tab.wait_for_timeout(200)
    assert sent == []
    field.press("Control+Enter")
    expect(tab.locator(".run-completed")).to_be_visible()


def test_shift_enter_never_hands_in_a_field_of_one_line(ask: Ask) -> None:
    tab = ask("number")
    sent, field = posts_to(tab, "/answer/"), tab.locator("#card [data-text]")
    field.fill("3")
    field.press("Shift+Enter")
    field.evaluate(COMPOSING_ENTER)
    tab.wait_for_timeout(200)
    assert sent == []
