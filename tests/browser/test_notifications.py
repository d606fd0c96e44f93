"""What tells of a question to who looks elsewhere: the tab's title, its icon, a notification of the browser."""

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import NewPerson, Person, new_person  # noqa: F401

QUESTION = "How should I go on?"
SHOWN = """
window.asked = 0;
window.shown = [];
window.Notification = class {
  static permission = "PERMISSION";
  static async requestPermission() { window.asked += 1; window.Notification.permission = "granted"; return "granted"; }
  constructor(title, options) { window.shown.push({ title, ...options }); document.body.dataset.told = title; }
  close() {}
};
"""
HIDE = """
Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
document.dispatchEvent(new Event("visibilitychange"));
"""


def open_page(person: Person, permission: str = "granted", where: str = "/inbox/") -> Page:
    """Open a page in a browser that has been asked, or not, and records the notifications that it is to show."""
    tab = person.context.new_page()
    tab.add_init_script(SHOWN.replace("PERMISSION", permission))
    with tab.expect_response("**/api/inbox/events"):
        tab.goto(where)
    return tab


def switch_on(tab: Page) -> None:
    """Ask for notifications on the settings page."""
    tab.goto("/settings/")
    tab.get_by_label("Notify me of questions").check()
    tab.locator("#notifications").get_by_role("button", name="Save").click()
    expect(tab.locator(".saved")).to_be_visible()


def shown(tab: Page) -> list[dict[str, Any]]:
    """Return the notifications that the tab has shown."""
    found: list[dict[str, Any]] = tab.evaluate("window.shown")
    return found


def test_a_hidden_tab_counts_the_questions_in_its_title_and_icon(new_person: NewPerson) -> None:  # noqa: F811
    person = new_person()
    tab = open_page(person)
    tab.evaluate(HIDE)
    person.begin("single")
    expect(tab).to_have_title(re.compile(r"^\(1\) Inbox"))
    icon = tab.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("^data:image/svg.*%3E1%3C"))
    person.begin("single")
    expect(tab).to_have_title(re.compile(r"^\(2\) Inbox"))
    for card in person.pending():
        person.post("/api/chat/continue", sessionId=card["sessionId"], requestId=card["id"], selections=["safe"])
    expect(tab).to_have_title(re.compile("^Inbox"))
    expect(icon).to_have_attribute("href", re.compile(r"/icon.*\.svg$"))


def test_a_question_is_told_where_no_page_is_in_view_without_a_word_of_it(new_person: NewPerson) -> None:  # noqa: F811
    person = new_person()
    settings = person.context.new_page()
    switch_on(settings)
    settings.close()
    tab = open_page(person)
    tab.evaluate(HIDE)
    address = person.begin("single")
    expect(tab.locator("body")).to_have_attribute("data-told", "The agent has a question.")
    (told,) = shown(tab)
    assert told["body"].startswith("Help me")
    assert told["tag"] == address
    assert QUESTION not in json.dumps(told)


def test_nothing_is_told_while_another_page_is_in_view_or_where_it_was_not_asked_for(
    new_person: NewPerson,  # noqa: F811
) -> None:
    person = new_person()
    hidden = open_page(person)
    hidden.evaluate(HIDE)
    person.begin("single")
    expect(hidden).to_have_title(re.compile(r"^\(1\)"))
    in_view = person.context.new_page()
    switch_on(in_view)
    person.begin("single")
    expect(hidden).to_have_title(re.compile(r"^\(2\)"))
    in_view.wait_for_timeout(300)
    assert shown(hidden) == []


def test_permission_is_asked_for_by_a_click_alone(new_person: NewPerson) -> None:  # noqa: F811
    tab = open_page(new_person(), "default", "/settings/")
    state = tab.locator("#notifications-state")
    expect(state).to_have_text("This browser has not been asked yet.")
    assert tab.evaluate("window.asked") == 0
    tab.get_by_label("Notify me of questions").check()
    expect(state).to_have_text("This browser shows notifications.")
    assert tab.evaluate("window.asked") == 1


def test_a_browser_that_blocks_notifications_is_told_where_to_allow_them(new_person: NewPerson) -> None:  # noqa: F811
    tab = open_page(new_person(), "denied", "/settings/")
    expect(tab.locator("#notifications-state")).to_contain_text("blocks notifications")
    expect(tab.get_by_role("button", name="Allow in this browser")).to_be_hidden()


def test_a_run_that_ends_in_another_chat_is_marked_without_a_reload(new_person: NewPerson) -> None:  # noqa: F811
    person = new_person()
    tab = open_page(person, where="/new/")
    address = person.begin("end")
    mark = tab.locator(f'.is-unread[href="{address}"]')
    expect(mark).to_contain_text("New:")
    mark.click()
    expect(tab.locator(".run-completed")).to_be_visible()
    tab.goto("/new/")
    expect(tab.locator(f'.session-link[href="{address}"]')).to_be_visible()
    expect(tab.locator(".is-unread")).to_have_count(0)
