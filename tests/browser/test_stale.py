"""What a page shows must not stay behind: after refusals, without a stream, in a browser that forbids or hangs."""

import re

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Ask, NewContext, let_expire, tag
from tests.browser.test_live import STREAM
from tests.browser.test_tabs import hide

TAKE_ALL_PLACES = """() => {
  for (const place of [0, 1, 2]) navigator.locks.request(`handraise-stream-${place}`, () => new Promise(() => {}));
}"""
RECORD = """() => {
  const mark = document.getElementById("connection");
  window.states = [];
  new MutationObserver(() => window.states.push(mark.dataset.state)).observe(mark, { attributes: true });
}"""
SHOWN_FOR_A_MOMENT = """() => {
  for (const isHidden of [true, false, true]) {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }
}"""
FORBIDDEN = """Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("no", "SecurityError"); } });"""
FIRST_STREAM_IS_DEAF = """(() => {
  const Real = EventSource;
  let streams = 0;
  window.EventSource = class {
    static CLOSED = 2;
    constructor(url) {
      if (!url.includes("/api/sessions/")) return new Real(url);
      document.documentElement.dataset.streams = streams += 1;
      if (streams > 1) return new Real(url);
      setTimeout(() => this.onopen());
    }
    addEventListener() {}
    close() {}
  };
})()"""
FULL = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };"""


def test_a_window_without_a_stream_is_not_called_offline_when_one_comes_back(ask: Ask, new_context: NewContext) -> None:
    context = new_context()
    other = context.new_page()
    other.goto("/settings/")
    other.evaluate(TAKE_ALL_PLACES)
    tab = ask("end", ".run-completed", tab=context.new_page())
    tab.evaluate(RECORD)
    hide(tab, True)
    with tab.expect_response("**/live/**"):
        hide(tab, False)
    with tab.expect_response("**/live/**"):
        pass
    assert "offline" not in tab.evaluate("window.states")


def test_a_window_whose_stream_was_refused_takes_a_place_that_becomes_free(ask: Ask, new_context: NewContext) -> None:
    context = new_context()
    other, tab = context.new_page(), context.new_page()
    other.goto("/settings/")

    def refuse(route: Route) -> None:
        other.evaluate(TAKE_ALL_PLACES)
        route.fulfill(status=503)

    tab.route(STREAM, refuse, times=1)
    ask("end", ".run-completed", tab=tab)  # by now it looks without a stream
    with tab.expect_request(STREAM):
        other.close()


def test_a_service_that_cannot_tell_what_became_of_a_card_is_asked_ever_more_rarely(ask: Ask, database) -> None:  # type: ignore[no-untyped-def]
    tab, asked = ask("text"), list[str]()
    tab.clock.install()
    let_expire(database, tab, 60)
    expect(tab.locator("[data-countdown]")).to_have_text(re.compile("second|minute"))

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=500)

    tab.route("**/live/**", refuse)
    tab.clock.fast_forward(61_000)
    for _second in range(32):
        tab.clock.run_for(1000)
        tab.wait_for_timeout(30)
    assert 3 <= len(asked) <= 12


def test_a_deleted_chat_is_not_asked_what_became_of_its_card(ask: Ask, api: httpx.Client, database) -> None:  # type: ignore[no-untyped-def]
    tab, asked = ask("text"), list[str]()
    tab.clock.install()
    let_expire(database, tab, 60)
    api.delete(f"/api/sessions/{tab.locator('#main').get_attribute('data-session')}")
    expect(tab.locator("#connection")).to_have_text("Deleted", use_inner_text=True)
    tab.on("request", lambda each: asked.append(each.url))
    tab.clock.run_for(70_000)
    tab.wait_for_timeout(100)
    assert [each for each in asked if "/live/" in each] == []


def test_a_list_that_could_not_be_drawn_is_drawn_a_little_later(page: Page, api: httpx.Client, nothing_waits: None) -> None:
    page.goto("/new/")
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "0")
    page.route("**/sidebar/**", lambda route: route.fulfill(status=500), times=1)
    with page.expect_response(lambda answer: "/sidebar/" in answer.url and answer.status == 500):
        api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "1")


def test_the_stream_of_the_lists_is_opened_anew_when_the_network_is_back(page: Page) -> None:
    with page.expect_response("**/api/inbox/events"):
        page.goto("/new/")
    with page.expect_response("**/api/inbox/events"):
        page.evaluate("dispatchEvent(new Event('online'))")


def test_a_stream_of_the_lists_that_hangs_is_opened_anew(page: Page, api: httpx.Client, nothing_waits: None) -> None:
    hanging = list[Route]()
    page.route("**/api/inbox/events", lambda route: hanging.append(route) if not hanging else route.continue_())
    page.goto("/new/")
    api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "1")
    assert len(hanging) == 1


@pytest.mark.parametrize("script", [FORBIDDEN, FULL])
def test_a_browser_that_keeps_nothing_for_a_tab_sends_messages_all_the_same(script: str, ask: Ask, page: Page) -> None:
    page.add_init_script(script)
    tab = ask("end", ".run-completed")
    tab.locator("#message").fill(f"and now this {tag('end')}")
    tab.locator("#message").press("Enter")
    expect(tab.locator(".run-completed")).to_have_count(2)
    expect(tab.locator("#message")).to_have_value("")


def test_a_tab_that_was_in_view_for_a_moment_alone_holds_no_notification_back(page: Page) -> None:
    page.goto("/new/")
    page.evaluate(SHOWN_FOR_A_MOMENT)
    assert page.evaluate("document.hidden")
    page.wait_for_timeout(200)
    held = page.evaluate("async () => (await navigator.locks.query()).held.map(({ name }) => name)")
    assert "handraise-in-view" not in held


def test_a_text_whose_end_was_missed_while_hidden_is_taken_away(ask: Ask) -> None:
    body = 'event: message_delta\ndata: {"messageId": "msg_1", "text": "half of it"}\n\n'
    tab = ask("end", ".run-completed")
    tab.route(STREAM, lambda route: route.fulfill(content_type="text/event-stream", body=body), times=1)
    hide(tab, True)
    hide(tab, False)
    expect(tab.locator(".is-streaming")).to_have_text("half of it")
    hide(tab, True)
    hide(tab, False)
    expect(tab.locator(".is-streaming")).to_have_count(0)


def test_a_copy_button_has_its_own_words_again_however_often_it_is_clicked(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = tab.locator("[data-act=copy]").last
    button.click()
    expect(button).to_have_text("Copied")
    button.click()
    tab.wait_for_timeout(1000)
    expect(button).to_have_text("Copy the message")


def test_a_hidden_tab_goes_on_to_count_what_it_heard_whatever_is_drawn(
    page: Page, api: httpx.Client, nothing_waits: None
) -> None:
    page.goto("/new/")
    page.wait_for_timeout(300)
    hide(page, True)
    api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    page.evaluate("document.dispatchEvent(new CustomEvent('handraise:drawn'))")
    expect(page).to_have_title(re.compile(r"^\(1\) "), timeout=1000)
    hide(page, False)
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "1")


def test_an_icon_that_could_not_be_had_is_tried_again(page: Page, api: httpx.Client, nothing_waits: None) -> None:
    page.goto("/new/")
    page.route("**/icon*.svg", lambda route: route.fulfill(status=429, body="Too many"), times=1)
    icon = page.locator("link[rel=icon]")
    with page.expect_response(lambda answer: answer.status == 429):
        api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
    expect(page.locator("#sidebar-list")).to_have_attribute("data-waiting", "1")
    page.evaluate("document.dispatchEvent(new CustomEvent('handraise:drawn'))")
    expect(icon).to_have_attribute("href", re.compile("^data:image/svg.*%3E1%3C"))


def test_a_stream_that_says_nothing_of_what_has_changed_is_opened_anew(ask: Ask, api: httpx.Client) -> None:
    tab = ask("text")
    tab.add_init_script(FIRST_STREAM_IS_DEAF)
    tab.clock.install()
    tab.reload()
    expect(tab.locator("#connection")).to_have_attribute("data-state", "live")
    api.post("/api/chat/abort", json={"sessionId": tab.locator("#main").get_attribute("data-session")})
    tab.clock.run_for(45_000)
    expect(tab.locator(".run-cancelled")).to_be_visible()
    expect(tab.locator("html")).to_have_attribute("data-streams", "2")
    expect(tab.locator("#connection")).to_have_attribute("data-state", "live")


# --- the focus --------------------------------------------------------------------------------------


def test_a_list_that_is_drawn_anew_keeps_the_focus(ask: Ask, api: httpx.Client) -> None:
    tab = ask("end", ".run-completed")
    link = tab.locator("#sidebar-list [aria-current]")
    link.focus()
    waiting = int(str(tab.locator("#sidebar-list").get_attribute("data-waiting")))
    api.post("/api/chat", json={"message": f"Help me {tag('text')}"})
    expect(tab.locator("#sidebar-list")).to_have_attribute("data-waiting", str(waiting + 1))
    expect(link).to_be_focused()


def test_keep_open_keeps_the_focus(ask: Ask, database) -> None:  # type: ignore[no-untyped-def]
    tab = ask("text")
    let_expire(database, tab, 150)
    tab.get_by_role("button", name="Keep open").press("Enter")
    expect(tab.locator("[data-countdown]")).to_have_text("Expires in 1 day")
    expect(tab.get_by_role("button", name="Keep open")).to_be_focused()
