"""Several tabs, the stream, and sessions that end while a page is open."""

import sqlite3
import time

from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.conftest import Ask, NewContext, answer_of, request_id, start, tag
from tests.support.server import PASSWORD, ServerProcess


def test_every_tab_shows_the_same_receipt_within_two_seconds_h58(
    ask: Ask, context: BrowserContext, new_context: NewContext
) -> None:
    tab = ask("single")
    request = request_id(tab)
    others = [context.new_page(), new_context().new_page()]
    for other in others:
        other.goto(tab.url)
        expect(other.locator("#connection")).to_have_attribute("data-state", "live")
    tab.get_by_label("Wait", exact=True).check()
    tab.get_by_role("button", name="Continue").click()
    for other in others:
        expect(other.locator(f"#q-{request} .is-chosen")).to_contain_text("Wait", timeout=2000)
        expect(other.locator("#card")).to_have_count(0, timeout=2000)


def test_the_slower_tab_is_told_what_won(ask: Ask, new_context: NewContext, database: sqlite3.Connection) -> None:
    tab = ask("text")
    request = request_id(tab)
    other = new_context().new_page()
    other.route("**/live/**", lambda route: route.abort())
    other.goto(tab.url)
    other.locator("#card [data-text]").fill("my late words")
    tab.locator("#card [data-text]").fill("first")
    tab.keyboard.press("Enter")
    expect(tab.locator(".run-completed")).to_be_visible()
    other.locator("#card [data-text]").press("Enter")
    expect(other.locator("#notice")).to_contain_text("in the web interface: first")
    expect(other.locator("#kept-text")).to_have_value("my late words")
    assert answer_of(database, request)["customInput"] == "first"


def test_stopping_in_one_tab_closes_the_card_in_the_other_h26(ask: Ask, new_context: NewContext) -> None:
    tab = ask("questions")
    other = new_context().new_page()
    other.goto(tab.url)
    tab.get_by_text("Careful").click()
    other.get_by_role("button", name="Stop").first.click()
    for each in (tab, other):
        expect(each.locator("#card")).to_have_count(0, timeout=2000)
        expect(each.locator(".run-cancelled")).to_contain_text("Stopped by you")
    other.locator("#message").fill(f"something new {tag('end')}")
    other.keyboard.press("Enter")
    expect(tab.locator(".run-completed")).to_be_visible()


def test_switching_chats_shows_each_its_own_card_h57(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    idle = tab.url
    ask("single")
    waiting, request = tab.url, request_id(tab)
    tab.goto(idle)
    expect(tab.locator("#card")).to_have_count(0)
    tab.locator(f'#sidebar a[href="{waiting.split("#")[0].removeprefix(tab.url.split("/s/")[0])}"]').click()
    expect(tab.locator("#card")).to_have_attribute("data-request", request)


def test_one_stream_a_tab_however_often_the_card_is_drawn_h65(ask: Ask) -> None:
    streams: list[Request] = []
    ended: list[Request] = []
    tab = ask("number")
    tab.on("request", lambda each: streams.append(each) if "/api/sessions/" in each.url else None)
    tab.on("requestfinished", lambda each: ended.append(each) if "/api/sessions/" in each.url else None)
    for _refusal in range(10):
        tab.locator("#card .submit-button").click()
        expect(tab.locator("#card-errors")).to_be_focused()
        tab.locator("#card-errors").evaluate("(each) => each.blur()")
    assert streams == []
    for _navigation in range(3):
        tab.reload()
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live")
    assert len(streams) == 3


def test_eight_tabs_of_one_session_do_not_hold_up_an_answer_h65(ask: Ask, context: BrowserContext) -> None:
    tab = ask("single")
    for _tab in range(7):
        other = context.new_page()
        other.goto(tab.url)
        other.evaluate(
            "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))"
        )
    tab.bring_to_front()
    tab.get_by_label("Wait", exact=True).check()
    began = time.monotonic()
    tab.get_by_role("button", name="Continue").click()
    expect(tab.locator(".receipt-answered")).to_be_visible()
    assert time.monotonic() - began < 3


def test_a_hidden_tab_lets_its_stream_go_and_catches_up_when_shown(ask: Ask, new_context: NewContext) -> None:
    tab = ask("single")
    request = request_id(tab)
    hide(tab, True)
    other = new_context().new_page()
    other.goto(tab.url)
    other.get_by_label("Wait", exact=True).check()
    other.get_by_role("button", name="Continue").click()
    expect(other.locator(".run-completed")).to_be_visible()
    expect(tab.locator("#card")).to_have_count(1)
    hide(tab, False)
    expect(tab.locator(f"#q-{request} .is-chosen")).to_contain_text("Wait")


def hide(tab: Page, is_hidden: bool) -> None:
    """Hide or show a tab, as far as its scripts can tell."""
    tab.evaluate(
        """(isHidden) => {
          Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_after_a_sign_out_elsewhere_the_page_says_so_and_keeps_the_text_h63(
    server: ServerProcess, new_context: NewContext, database: sqlite3.Connection
) -> None:
    context = new_context(storage_state=None)
    tab = context.new_page()
    sign_in(tab)
    start(tab, "text")
    tab.locator("#card [data-text]").fill("my words")
    request, elsewhere = request_id(tab), context.new_page()
    elsewhere.goto("/inbox/")
    elsewhere.get_by_role("button", name="Sign out").click()
    tab.locator("#card [data-text]").press("Enter")
    expect(tab.locator("#notice")).to_contain_text("Sign in in a new tab")
    assert tab.locator("html html, #card html, h1").count() == 1
    expect(tab.locator("#card [data-text]")).to_have_value("my words")
    assert answer_of(database, request) == {}
    sign_in(elsewhere)
    tab.locator("#card [data-text]").press("Enter")
    expect(tab.locator("#notice")).to_contain_text("changed in another tab")
    tab.get_by_role("button", name="Try again").click()
    expect(tab.locator("#notice")).to_be_empty()
    tab.locator("#card [data-text]").press("Enter")
    expect(tab.locator(".receipt-answered")).to_contain_text("my words")


def sign_in(tab: Page) -> None:
    """Sign in with the password."""
    tab.goto("/sign-in/")
    tab.get_by_label("Name").fill("admin")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(lambda url: "sign-in" not in url)


def test_a_signed_out_stream_is_shown_as_such(new_context: NewContext) -> None:
    context = new_context(storage_state=None)
    tab = context.new_page()
    sign_in(tab)
    start(tab, "single")
    expect(tab.locator("#card")).to_be_visible()
    context.clear_cookies()
    hide(tab, True)
    hide(tab, False)
    expect(tab.locator("#connection")).to_have_attribute("data-state", "signed-out")
    expect(tab.locator("#card")).to_be_visible()


def test_offline_is_shown_and_what_was_typed_stays(ask: Ask, context: BrowserContext) -> None:
    tab = ask("text")
    tab.locator("#card [data-text]").fill("typed before")
    context.set_offline(True)
    tab.locator("#card [data-text]").press("Enter")
    expect(tab.locator("#notice")).to_contain_text("cannot be reached")
    expect(tab.locator("#connection")).to_have_attribute("data-state", "offline")
    expect(tab.locator("#card [data-text]")).to_have_value("typed before")
    context.set_offline(False)
    tab.locator("#card [data-text]").press("Enter")
    expect(tab.locator(".run-completed")).to_be_visible()


def test_the_count_stands_in_the_title_of_every_tab(ask: Ask, context: BrowserContext) -> None:
    inbox = context.new_page()
    inbox.goto("/inbox/")
    before = inbox.locator(".list-row").count()
    tab = ask("single")
    expect(inbox).to_have_title(f"({before + 1}) Inbox · Handraise", timeout=2000)
    expect(inbox.locator(".list-row")).to_have_count(before + 1)
    tab.get_by_label("Wait", exact=True).check()
    tab.get_by_role("button", name="Continue").click()
    expect(inbox.locator(".list-row")).to_have_count(before)


def test_the_stream_opens_at_every_load(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    for _load in range(12):
        tab.reload()
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live", timeout=3000)
