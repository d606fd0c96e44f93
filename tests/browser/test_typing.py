"""Nothing typed is lost, nothing is sent by accident."""

import re
import sqlite3

import httpx
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Ask, NewContext, answer_of, let_expire, request_id, sign_in, start, tag

COMPOSING_ENTER = """(field) => {
  const key = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
  field.dispatchEvent(new CompositionEvent("compositionstart", { data: "", bubbles: true }));
  field.value = "にほん";
  field.dispatchEvent(new KeyboardEvent("keydown", { ...key, isComposing: true }));
  field.dispatchEvent(new CompositionEvent("compositionend", { data: "日本", bubbles: true }));
}"""


def posts_to(tab: Page, ending: str) -> list[str]:
    """Collect the POSTs that leave the tab to addresses with this ending."""
    found: list[str] = []
    tab.on(
        "request",
        lambda request: found.append(request.url) if request.method == "POST" and request.url.endswith(ending) else None,
    )
    return found


def test_enter_inside_a_composition_sends_nothing_h66(ask: Ask) -> None:
    tab = ask("text")
    sent, field = posts_to(tab, "/answer/"), tab.locator("#card [data-text]")
    field.focus()
    field.evaluate(COMPOSING_ENTER)
    tab.wait_for_timeout(150)
    assert sent == []
    field.press("Shift+Enter")
    assert sent == []
    field.press("Enter")
    expect(tab.locator(".run-completed")).to_be_visible()
    assert len(sent) == 1


def test_enter_inside_a_composition_sends_no_message_h66(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    sent, field = posts_to(tab, "/send/"), tab.locator("#message")
    field.focus()
    field.evaluate(COMPOSING_ENTER)
    tab.wait_for_timeout(150)
    assert sent == []


def test_a_double_click_is_one_answer_h59(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single")
    sent, request = posts_to(tab, "/answer/"), request_id(tab)

    def slowly(route: Route) -> None:
        tab.wait_for_timeout(500)
        route.continue_()

    tab.route("**/answer/", slowly)
    tab.get_by_label("Wait", exact=True).check()
    tab.get_by_role("button", name="Continue").dblclick()
    tab.keyboard.press("Enter")
    expect(tab.locator(".run-completed")).to_be_visible()
    assert len(sent) == 1
    assert answer_of(database, request)["selections"] == ["wait"]


def test_a_card_that_arrives_while_one_types_takes_neither_focus_nor_text_h67(page: Page) -> None:
    start(page, "slow-ask")
    field = page.locator("#message")
    field.click()
    page.keyboard.type("1 more thing", delay=60)
    expect(page.locator(".card-strip")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("1 more thing")
    expect(page.locator("#announcer")).to_have_text("The agent has a question.")
    assert page.locator("#card input:checked").count() == 0
    page.get_by_role("link", name="Show the question").click()
    expect(page.locator("#card")).to_be_visible()
    expect(field).to_have_value("1 more thing")


def test_events_leave_the_field_that_is_edited_alone_h60(ask: Ask, new_context: NewContext, database: sqlite3.Connection) -> None:
    tab = ask("two")
    field = tab.locator("#card [data-text]")
    field.fill("half a sent")
    field.evaluate("(each) => each.setSelectionRange(4, 4)")
    other = new_context().new_page()
    other.goto(tab.url)
    for _time in range(4):
        other.get_by_role("button", name="Keep open").click()
        other.wait_for_timeout(120)
    other.get_by_role("link", name="Show the other").click()
    expect(other.locator("#card legend")).to_contain_text("Second?")
    other.locator("#card [data-text]").fill("two")
    other.keyboard.press("Enter")
    expect(tab.locator("#card-meta")).not_to_contain_text("of 2")
    expect(field).to_have_value("half a sent")
    expect(field).to_be_focused()
    assert field.evaluate("(each) => each.selectionStart") == 4


def test_number_and_date_keep_their_focus_through_refusals_h64(ask: Ask, api: httpx.Client) -> None:
    for mode in ("number", "date"):
        tab = ask(mode)
        for _refusal in range(2):
            tab.locator("#card [data-text]").press("Enter")
            expect(tab.locator("#card-errors")).to_be_focused()
            tab.locator("#card-errors a").click()
            expect(tab.locator("#card [data-text]")).to_be_focused()
        before = str(tab.locator("[data-expires]").get_attribute("data-expires"))
        api.post(f"/api/interactions/{request_id(tab)}/extend", json={"seconds": 900_000})
        expect(tab.locator("[data-expires]")).not_to_have_attribute("data-expires", before)
        tab.locator("#card [data-text]").fill("3" if mode == "number" else "2026-03-01")
        tab.locator("#card [data-text]").press("Enter")
        expect(tab.locator(".run-completed")).to_be_visible()


def test_a_refused_number_stays_in_its_field_h61(ask: Ask) -> None:
    tab = ask("number")
    tab.locator("#card [data-text]").fill("3,2")
    tab.keyboard.press("Enter")
    expect(tab.locator(".field-error")).to_contain_text("Write a plain number")
    expect(tab.locator("#card [data-text]")).to_have_value("3,2")


def test_an_expired_card_turns_into_its_receipt_and_the_text_stays_h19(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("text")
    let_expire(database, tab, 2.5)
    request = request_id(tab)
    tab.locator("#card [data-text]").fill("a long and careful text")
    expect(tab.locator(f"#q-{request} .receipt-expired")).to_be_visible()
    expect(tab.locator("#card")).to_have_count(0)
    expect(tab.locator("#kept-text")).to_have_value("a long and careful text")
    assert answer_of(database, request)["status"] == "expired"
    tab.get_by_role("button", name="Send it as a message").click()
    expect(tab.locator(".row-person").last).to_contain_text("a long and careful text")


def test_what_was_chosen_on_an_expired_card_is_shown_and_not_sent_h21(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("questions")
    let_expire(database, tab, 3.5)
    request = request_id(tab)
    tab.get_by_text("Careful").click()
    tab.get_by_label("API").check()
    tab.get_by_role("button", name="Next").click()
    tab.locator("#card [data-text]:visible").fill("half a pa")
    expect(tab.locator("#kept-text")).to_have_value(
        "How should I go on?\nCareful\n\nWhich parts?\nAPI\n\nWhich folder?\nhalf a pa"
    )
    assert answer_of(database, request)["code"] == "ASK_EXPIRED"


def test_reply_in_chat_moves_the_text_and_closes_the_card_with_the_message_h25(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("single-own")
    request = request_id(tab)
    tab.locator("#card [data-own-text]").fill("only the tests")
    tab.get_by_role("button", name="Reply in chat").click()
    message = tab.locator("#message")
    expect(message).to_be_focused()
    expect(message).to_have_value("only the tests")
    expect(tab.locator("#reply-note")).to_be_visible()
    message.press("Enter")
    expect(tab.locator(".row-person").last).to_contain_text("only the tests")
    expect(tab.locator(f"#q-{request}")).to_contain_text("Replied in chat")
    assert answer_of(database, request)["reason"] == "reply_in_chat"
    expect(tab.locator("#card")).to_have_count(0)
    expect(tab.locator("#kept-text")).to_have_count(0)


def test_an_ordinary_message_never_closes_a_question_by_itself_h32(page: Page, database: sqlite3.Connection) -> None:
    start(page, "slow-ask")
    page.locator("#message").fill("what is the time?")
    expect(page.locator(".card-strip")).to_be_visible()
    page.locator("#message").press("Enter")
    expect(page.locator("#notice")).to_contain_text("A question is open in this session.")
    expect(page.locator("#message")).to_have_value("what is the time?")
    page.get_by_role("button", name="Send all the same and close the question").click()
    expect(page.locator(".row-person").last).to_contain_text("what is the time?")


def test_a_draft_is_there_after_a_reload_and_on_another_device(ask: Ask, new_context: NewContext) -> None:
    tab = ask("questions")
    tab.get_by_text("Careful").click()
    tab.get_by_label("Web").check()
    tab.get_by_role("button", name="Next").click()
    tab.locator("#card [data-text]:visible").fill("src/ap")
    expect(tab.locator("#draft-state")).to_be_visible()
    other = new_context(viewport={"width": 360, "height": 740}).new_page()
    other.goto(tab.url)
    tab.reload()
    for each in (tab, other):
        expect(each.get_by_label("Careful")).to_be_checked()
        each.get_by_role("button", name="Next").click()
        expect(each.get_by_label("Web")).to_be_checked()
        each.get_by_role("button", name="Next").click()
        expect(each.locator("#card [data-text]:visible")).to_have_value("src/ap")


def test_what_was_typed_a_moment_before_the_other_card_is_shown_is_there_again(ask: Ask) -> None:
    tab = ask("two")
    text, switch = tab.locator("#card [data-text]"), tab.get_by_role("link", name="Show the other")
    text.fill("half an answer")
    switch.click()
    expect(tab.locator("#card legend")).to_contain_text("Second?")
    expect(text).to_have_value("")
    switch.click()
    expect(tab.locator("#card legend")).to_contain_text("First?")
    expect(text).to_have_value("half an answer")


def test_a_card_survives_a_hard_reload_and_a_new_browser_h56(ask: Ask, new_context: NewContext) -> None:
    tab = ask("single")
    other = new_context(java_script_enabled=False).new_page()
    other.goto(tab.url)
    expect(other.locator("#card legend")).to_contain_text("How should I go on?")
    tab.reload()
    expect(tab.locator("#card legend")).to_contain_text("How should I go on?")


def test_a_message_outlives_a_reload_until_it_is_sent(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    field = tab.locator("#message")
    field.fill("half a message")
    tab.reload()
    expect(field).to_have_value("half a message")
    field.fill(f"a whole message {tag('end')}")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(tab.locator(".run-completed")).to_have_count(2)
    tab.reload()
    expect(field).to_have_value("")


def test_what_is_typed_while_a_message_is_on_its_way_stays(ask: Ask) -> None:
    tab, held = ask("end", ".run-completed"), list[Route]()
    field = tab.locator("#message")
    tab.route("**/send/", lambda route: held.append(route))
    field.fill(f"the first {tag('end')}")
    field.press("Enter")
    field.press_sequentially(" and the second")
    tab.wait_for_timeout(100)
    held[0].continue_()
    expect(tab.locator(".run-completed")).to_have_count(2)
    expect(field).to_have_value("and the second")
    tab.reload()
    expect(field).to_have_value("and the second")


def test_a_first_message_outlives_a_reload_until_its_chat_begins(page: Page) -> None:
    page.goto("/new/")
    field = page.locator("#message")
    field.fill(f"a first message {tag('end')}")
    page.reload()
    expect(field).to_have_value(re.compile("a first message"))
    field.press("Enter")
    page.wait_for_url("**/s/*/")
    page.goto("/new/")
    expect(field).to_have_value("")


def test_a_message_that_is_being_written_goes_with_its_user(new_context: NewContext) -> None:
    page = new_context(storage_state=None).new_page()  # a sign-in of its own: it ends with the test
    sign_in(page)
    page.goto("/new/")
    page.locator("#message").fill("mine alone")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/**")
    assert page.evaluate("sessionStorage.length") == 0
