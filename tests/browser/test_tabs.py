"""Several tabs, the stream, and sessions that end while a page is open."""

import re
import sqlite3
import time
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.browser.conftest import Ask, NewContext, answer_of, request_id, sign_in, start, tag
from tests.support.server import ServerProcess


def test_every_tab_shows_the_same_receipt_h58(ask: Ask, context: BrowserContext, new_context: NewContext) -> None:
    tab = ask("single")
    request = request_id(tab)
    others = [context.new_page(), new_context().new_page()]
    for other in others:
        other.goto(tab.url)
        expect(other.locator("#connection")).to_have_attribute("data-state", "live")
    tab.get_by_label("Wait", exact=True).check()
    tab.get_by_role("button", name="Continue").click()
    for other in others:
        expect(other.locator(f"#q-{request} .is-chosen")).to_contain_text("Wait")
        expect(other.locator("#card")).to_have_count(0)


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
        expect(each.locator("#card")).to_have_count(0)
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
    tab = ask("number")
    tab.on("request", lambda each: streams.append(each) if "/api/sessions/" in each.url else None)
    for _refusal in range(10):
        tab.locator("#card .submit-button").click()
        expect(tab.locator("#card-errors")).to_be_focused()
        tab.locator("#card-errors").evaluate("(each) => each.blur()")
    assert streams == []
    for _navigation in range(3):
        tab.reload()
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live")
    assert len(streams) == 3


class Streams:
    """The event streams that a browser holds open."""

    def __init__(self, context: BrowserContext) -> None:
        self.open: set[Request] = set()
        context.on("request", lambda each: self.open.add(each) if "/events" in each.url else None)
        for end in ("requestfinished", "requestfailed"):
            context.on(end, lambda each: self.open.discard(each))  # type: ignore[call-overload]


def test_eight_tabs_in_view_leave_room_for_an_answer_h65(ask: Ask, new_context: NewContext) -> None:
    context = new_context()
    streams, tab = Streams(context), ask("single", tab=context.new_page())
    others = [context.new_page() for _tab in range(7)]
    for other in others:
        other.goto(tab.url)
        expect(other.locator("#connection")).to_have_attribute("data-state", "live")
    assert 1 <= len(streams.open) <= 4
    held = set(streams.open)
    tab.get_by_label("Wait", exact=True).check()
    with tab.expect_response("**/answer/") as answered:
        tab.get_by_role("button", name="Continue").click()
    answered.value.finished()
    assert answered.value.ok
    assert held <= streams.open  # no stream had to end before the answer could be sent
    for each in (tab, *others):
        expect(each.locator(".receipt-answered .is-chosen")).to_contain_text("Wait")


def test_a_tab_without_a_stream_takes_the_place_of_one_that_closes(ask: Ask, new_context: NewContext) -> None:
    context = new_context()
    streams, tab = Streams(context), ask("end", ".run-completed", tab=context.new_page())
    others = [context.new_page() for _tab in range(3)]
    for other in others:
        other.goto(tab.url)
        expect(other.locator("#connection")).to_have_attribute("data-state", "live")
    held = [each for each in streams.open if "/sessions/" in each.url]
    assert len(held) == 3
    tab.close()
    with context.expect_event("request", lambda each: "/events" in each.url and "/sessions/" in each.url):
        pass


def test_an_answer_that_news_overtake_is_not_called_unsent_and_draws_nothing_old(ask: Ask) -> None:
    tab = ask("then-slow")

    def slowly(route: Route) -> None:
        answer = route.fetch()
        expect(tab.locator(".run-completed")).to_be_visible()
        expect(tab.locator("#card")).to_have_count(0)
        route.fulfill(response=answer)

    tab.route("**/answer/", slowly)
    tab.locator("#card [data-text]").fill("all of it")
    with tab.expect_response("**/answer/"):
        tab.keyboard.press("Enter")
    expect(tab.locator("#session-state")).to_have_attribute("data-state", "completed")
    expect(tab.locator(".run-completed")).to_be_visible()
    expect(tab.locator(".receipt-answered")).to_contain_text("all of it")
    expect(tab.locator("#kept-text")).to_have_count(0)


def test_news_that_were_asked_for_before_another_card_was_chosen_draw_nothing_of_the_first(ask: Ask) -> None:
    tab = ask("two")
    held: list[Route] = []
    tab.route("**/live/**", lambda route: held.append(route), times=1)
    with tab.expect_request("**/live/**"):
        tab.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    tab.get_by_role("link", name="Show the other").click()
    expect(tab.locator("#card legend")).to_contain_text("Second?")
    with tab.expect_response(lambda answer: answer.request == held[0].request):
        held[0].continue_()
    with tab.expect_response("**/live/**") as again:
        pass
    again.value.finished()
    expect(tab.locator("#card-meta")).to_contain_text("2 of 2 questions")
    expect(tab.locator("#card legend")).to_contain_text("Second?")


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


def test_a_sign_out_in_another_tab_is_shown_at_once_and_the_text_stays(new_context: NewContext) -> None:
    context = new_context(storage_state=None)
    tab, elsewhere = context.new_page(), context.new_page()
    sign_in(tab)
    start(tab, "text")
    tab.locator("#card [data-text]").fill("my words")
    elsewhere.goto("/inbox/")
    elsewhere.get_by_role("button", name="Sign out").click()
    expect(tab.locator("#connection")).to_have_text("Signed out", use_inner_text=True)
    expect(tab.locator("#notice")).to_contain_text("You are signed out. What you typed stays here.")
    expect(tab.locator("#card [data-text]")).to_have_value("my words")


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


def test_a_chat_that_was_deleted_elsewhere_says_so_takes_no_message_and_asks_no_more(ask: Ask, api: httpx.Client) -> None:
    tab = ask("text")
    tab.locator("#card [data-text]").fill("my words")
    api.delete(f"/api/sessions/{tab.locator('#main').get_attribute('data-session')}")
    expect(tab.locator("#connection")).to_have_text("Deleted", use_inner_text=True)
    expect(tab.locator("#notice")).to_contain_text("This chat was deleted.")
    expect(tab.get_by_label("What you had typed", exact=True)).to_have_value("my words")
    for gone in ("#card", "#composer", ".stop-button", ".waiting a"):
        expect(tab.locator(gone)).to_be_hidden()
    asked: list[str] = []
    tab.on("request", lambda each: asked.append(each.url))
    hide(tab, True)
    hide(tab, False)
    tab.evaluate("dispatchEvent(new Event('online'))")
    expect(tab.locator("#connection")).to_have_text("Deleted", use_inner_text=True)
    assert [each for each in asked if "/api/sessions/" in each or "/live/" in each] == []


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
    expect(inbox).to_have_title(f"({before + 1}) Inbox · Handraise")
    expect(inbox.locator(".list-row")).to_have_count(before + 1)
    tab.get_by_label("Wait", exact=True).check()
    tab.get_by_role("button", name="Continue").click()
    expect(inbox.locator(".list-row")).to_have_count(before)


@pytest.mark.parametrize("loads", [10, pytest.param(100, marks=pytest.mark.full)])
def test_the_stream_opens_at_every_load(loads: int, ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    for _load in range(loads):
        tab.reload(wait_until="commit")
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live")


def test_a_chat_that_was_renamed_in_another_tab_has_its_new_title_when_one_comes_back(ask: Ask, api: httpx.Client) -> None:
    tab = ask("end", ".run-completed")
    hide(tab, True)
    api.patch(f"/api/sessions/{tab.locator('#main').get_attribute('data-session')}", json={"title": "Trains to Lyon"})
    hide(tab, False)
    expect(tab.locator("#session-title")).to_have_text("Trains to Lyon")
    expect(tab).to_have_title("Trains to Lyon · Handraise")


# --- the list of chats at the side ------------------------------------------------------------------


def is_in_view(tab: Page) -> bool:
    """Say whether the list at the side shows the chat that is open."""
    return bool(
        tab.evaluate(
            """() => {
              const [list, row] = ["#sidebar-list", "#sidebar-list [aria-current]"].map((each) => document.querySelector(each));
              const [frame, box] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
              return box.top >= frame.top && box.bottom <= frame.bottom;
            }"""
        )
    )


def test_the_open_chat_is_in_view_at_the_side_and_stays_there_when_the_list_is_drawn_anew(
    page: Page, api: httpx.Client, nothing_waits: None
) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    begun = [api.post("/api/chat", json={"message": f"Help me {tag('text')}"}).json()["sessionId"] for _chat in range(9)]
    page.goto(f"/s/{begun[0]}/")
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "9")
    assert is_in_view(page)
    api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "10")
    assert is_in_view(page)
    start(page, "text")
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "11")
    assert is_in_view(page)


def asked_meanwhile(api: httpx.Client) -> Callable[[Route], None]:
    """Hold a request back until one more question waits."""

    def hold(route: Route) -> None:
        before = waiting_now(api)
        api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
        for _look in range(200):
            if waiting_now(api) > before:
                break
            time.sleep(0.05)
        route.continue_()

    return hold


def waiting_now(api: httpx.Client) -> int:
    return len(api.get("/api/interactions/pending").json()["pending"])


def test_a_question_asked_before_the_stream_of_the_lists_is_open_is_shown(
    page: Page, api: httpx.Client, nothing_waits: None
) -> None:
    page.route("**/api/inbox/events", asked_meanwhile(api))
    page.goto("/new/")
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "1")
    expect(page).to_have_title(re.compile(r"^\(1\) "))


def test_a_question_asked_before_a_later_tab_listens_is_shown_there(page: Page, api: httpx.Client, nothing_waits: None) -> None:
    with page.expect_response("**/api/inbox/events"):
        page.goto("/new/")
    later = page.context.new_page()
    later.route("**/inbox*.js", asked_meanwhile(api))
    later.goto("/new/")
    expect(later.locator("#sidebar-list")).to_have_attribute("data-waiting", "1")
    expect(later).to_have_title(re.compile(r"^\(1\) "))
