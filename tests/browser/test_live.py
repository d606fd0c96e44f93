"""What a page that stands open says of itself: its connection, the time that is left, what has just happened."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Ask, Complaints, NewContext, let_expire, tag
from tests.browser.test_timeline import HEAR

STREAM = re.compile(r"/api/sessions/[^/]+/events")
MOVING = """() => [...document.querySelectorAll("*")].filter((each) => {
  const style = getComputedStyle(each);
  return style.animationName !== "none" || style.transitionDuration !== "0s" || style.scrollBehavior !== "auto";
}).map((each) => each.outerHTML.slice(0, 80))"""


def state(tab: Page) -> str | None:
    """Return the state of the connection that the page shows."""
    return tab.locator("#connection").get_attribute("data-state")


def test_a_card_and_the_ends_of_runs_are_said_in_the_one_polite_region(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.evaluate(HEAR)
    assert tab.locator("[aria-live=polite]").evaluate_all("(all) => all.map((each) => each.id)") == ["announcer"]
    # A log would read out every row; what matters is said in the region.
    expect(tab.get_by_role("log", name="Messages")).to_have_attribute("aria-live", "off")
    for script, said in (("text", "The agent has a question."), ("broken", "The run has failed.")):
        tab.locator("#message").fill(f"and now this {tag(script)}")
        tab.keyboard.press("Enter")
        expect(tab.locator("#announcer")).to_have_text(said)
        if script == "text":
            tab.get_by_role("button", name="Stop").first.click()
            expect(tab.locator("#announcer")).to_have_text("The run was stopped.")
            expect(tab.locator("#composer-actions .primary")).to_be_visible()
    assert tab.evaluate("window.said") == ["The agent has a question.", "The run was stopped.", "The run has failed."]


def test_the_time_left_is_counted_by_the_servers_clock_and_ends_by_itself(ask: Ask, database) -> None:  # type: ignore[no-untyped-def]
    tab = ask("text")
    tab.clock.install(time=0)  # a device whose clock stands in 1970
    let_expire(database, tab, 150)
    left = tab.locator("[data-countdown]")
    expect(left).to_have_text("Expires in 2 minutes")
    expect(tab.locator(".card-until")).to_contain_text(re.compile(r"\d:\d\d [AP]M"))
    tab.clock.fast_forward(100_000)
    expect(left).to_have_text(re.compile(r"Expires in (4\d|50) seconds"))


def test_keep_open_gives_a_day_more_without_leaving_the_page(ask: Ask, database) -> None:  # type: ignore[no-untyped-def]
    tab = ask("text")
    let_expire(database, tab, 150)
    tab.locator("#card [data-text]").fill("half an answer")
    tab.get_by_role("button", name="Keep open").click()
    expect(tab.locator("[data-countdown]")).to_have_text("Expires in 1 day")
    expect(tab.locator("#card [data-text]")).to_have_value("half an answer")


@contextmanager
def streams(tab: Page, handler: Callable[[Route], object]) -> Iterator[None]:
    """Let a handler have what pages ask of the session's stream; the browser is shared with other tests."""
    tab.context.route(STREAM, handler)
    try:
        yield
    finally:
        tab.context.unroute(STREAM)


def test_a_stream_that_breaks_off_is_shown_as_such_and_goes_on_where_it_was(ask: Ask, api: httpx.Client) -> None:
    tab = ask("end", ".run-completed")
    with streams(tab, lambda route: route.abort()):
        tab.context.set_offline(True)
        expect(tab.locator("#connection")).to_have_text(re.compile("Offline since"), use_inner_text=True)
        tab.context.set_offline(False)
        expect(tab.locator("#connection")).to_have_text("Reconnecting", use_inner_text=True)
    session = str(tab.locator("#main").get_attribute("data-session"))
    api.post("/api/chat", json={"message": f"one more {tag('text')}", "sessionId": session})
    expect(tab.locator("#card")).to_be_visible()
    expect(tab.locator("#connection")).to_have_text("Live", use_inner_text=True)


def test_a_stream_that_hangs_is_opened_anew(ask: Ask) -> None:
    tab, hanging = ask("text"), list[Route]()
    with streams(tab, lambda route: hanging.append(route) if not hanging else route.continue_()):
        tab.reload()
        expect(tab.locator("#card")).to_be_visible()  # it stands in the page; no stream is needed for it
        assert state(tab) == "idle"
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live")
    assert len(hanging) == 1


@pytest.mark.parametrize("lacks", ["id", "toolCallId", "title", "mode"])
def test_a_question_that_lacks_what_it_needs_is_left_out_and_logged(lacks: str, ask: Ask, complaints: Complaints) -> None:
    whole = {"id": "ask_1", "toolCallId": "c1", "title": "?", "mode": "text"}
    event = json.dumps({key: value for key, value in whole.items() if key != lacks})
    body = f"id: 1\nevent: user_input_required\ndata: {event}\n\n"
    tab = ask("end", ".run-completed")
    with streams(tab, lambda route: route.fulfill(content_type="text/event-stream", body=body)):
        with tab.expect_console_message(lambda each: "was left out" in each.text):
            tab.reload()
        expect(tab.locator("#announcer")).not_to_have_text("The agent has a question.")
        expect(tab.locator("#card")).to_have_count(0)
    assert all(each.endswith(": A question without id, call, title or mode was left out.") for each in complaints)
    complaints.clear()


def test_nothing_moves_for_whom_motion_is_too_much(ask: Ask, new_context: NewContext) -> None:
    tab = ask("single", tab=new_context(reduced_motion="reduce").new_page())
    assert tab.evaluate(MOVING) == []
    usual = ask("single")
    assert usual.evaluate(MOVING) != []


def test_the_row_of_a_question_leads_to_its_card(ask: Ask) -> None:
    tab = ask("single")
    tab.get_by_role("link", name="Go to the question").click()
    expect(tab.locator("#card :focus, #card:focus, .card-body:focus")).to_have_count(1)
    expect(tab.locator("#card")).to_be_in_viewport()
