"""What is done while something is on its way, and what comes of it when that is refused."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from tests.browser.conftest import Ask, let_expire, tag
from tests.browser.test_attachments import NOTES, PAPER

MORE = NOTES | {"name": "more.md", "buffer": PAPER}


def held(tab: Page, address: str) -> list[Route]:
    """Hold the requests to an address back; they stand in the list."""
    found: list[Route] = []
    tab.route(address, lambda route: found.append(route))
    return found


def once_held(tab: Page, routes: list[Route]) -> Route:
    """Return the request that is held back."""
    wait_until(tab, lambda: bool(routes))
    return routes[0]


def wait_until(tab: Page, is_so: Callable[[], bool]) -> None:
    for _look in range(500):
        if is_so():
            return
        tab.wait_for_timeout(20)
    raise AssertionError("it never came")


# --- what was kept of a card that closed ------------------------------------------------------------


def kept(ask: Ask, database) -> Page:  # type: ignore[no-untyped-def]
    tab = ask("text")
    let_expire(database, tab, 2.5)
    tab.locator("#card [data-text]").fill("a long and careful text")
    expect(tab.locator("#kept-text")).to_have_value("a long and careful text")
    return tab


def test_a_kept_text_that_is_refused_as_a_message_stands_in_the_message_field(ask: Ask, database) -> None:  # type: ignore[no-untyped-def]
    tab = kept(ask, database)
    tab.route("**/send/", lambda route: route.fulfill(status=500))
    tab.get_by_role("button", name="Send it as a message").click()
    expect(tab.locator("#notice")).to_contain_text("Nothing was handed in")
    expect(tab.locator("#message")).to_have_value("a long and careful text")


def test_a_kept_text_stays_while_something_else_is_sent(ask: Ask, database) -> None:  # type: ignore[no-untyped-def]
    tab = kept(ask, database)
    expect(tab.locator("#composer-actions .primary")).to_be_visible()
    tab.locator("#message").fill(f"something else {tag('end')}")
    tab.locator("#message").press("Enter")
    expect(tab.locator(".row-person").last).to_contain_text("something else")
    expect(tab.locator("#kept-text")).to_have_value("a long and careful text")


# --- files ------------------------------------------------------------------------------------------


def test_files_that_could_not_be_sent_are_not_called_on_their_way(ask: Ask, context: BrowserContext) -> None:
    tab = ask("end", ".run-completed")
    tab.locator("#files").set_input_files([NOTES])
    tab.locator("#message").fill("with a file")
    tab.route("**/send/", lambda route: route.abort())
    tab.locator("#message").press("Enter")
    expect(tab.locator("#notice")).to_contain_text("cannot be reached")
    expect(tab.locator("#files-chosen")).to_have_text("With the message: notes.md")
    expect(tab.get_by_role("button", name="Attach nothing")).to_be_visible()
    expect(tab.locator("#message")).to_have_value("with a file")


def test_no_file_is_chosen_while_others_are_on_their_way(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    routes = held(tab, "**/send/")
    tab.locator("#files").set_input_files([NOTES])
    tab.locator("#message").fill(f"with a file {tag('end')}")
    tab.locator("#message").press("Enter")
    route = once_held(tab, routes)
    expect(tab.locator("#files")).to_be_disabled()
    route.continue_()
    expect(tab.locator(".attachment-name")).to_have_text(["notes.md"])
    expect(tab.locator("#files")).to_be_enabled()


def test_a_file_that_takes_minutes_to_send_is_not_given_up(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.clock.install()
    tab.reload()
    routes = held(tab, "**/send/")
    tab.locator("#files").set_input_files([NOTES])
    tab.locator("#message").fill(f"with a file {tag('end')}")
    tab.locator("#message").press("Enter")
    route = once_held(tab, routes)
    tab.clock.fast_forward(180_000)
    expect(tab.locator("#files-chosen")).to_have_text("The files are being sent and read…")
    expect(tab.locator("#notice")).to_be_empty()
    route.continue_()
    expect(tab.locator(".attachment-name")).to_have_text(["notes.md"])


# --- a card -----------------------------------------------------------------------------------------


def test_what_is_typed_into_a_card_while_its_answer_is_on_its_way_and_refused_stays(ask: Ask) -> None:
    tab = ask("number")
    routes, field = held(tab, "**/answer/"), tab.locator("#card [data-text]")
    field.fill("3,")
    field.press("Enter")
    route = once_held(tab, routes)
    field.fill("3.5")
    route.continue_()
    expect(tab.locator(".field-error")).to_be_visible()
    expect(field).to_have_value("3.5")


def test_what_is_typed_into_a_card_while_its_answer_is_on_its_way_and_taken_is_kept(ask: Ask) -> None:
    tab = ask("text")
    routes, field = held(tab, "**/answer/"), tab.locator("#card [data-text]")
    field.fill("Ada")
    field.press("Enter")
    route = once_held(tab, routes)
    field.press_sequentially(" and one thing more")
    route.continue_()
    expect(tab.locator(".receipt-answered")).to_contain_text("Ada")
    expect(tab.locator("#kept-text")).to_have_value("and one thing more")


def test_a_draft_is_kept_although_its_answer_was_refused_at_once(ask: Ask) -> None:
    tab = ask("text")
    field = tab.locator("#card [data-text]")
    tab.route("**/answer/", lambda route: route.fulfill(status=500))
    field.fill("my words")
    field.press("Enter")
    expect(tab.locator("#notice")).to_contain_text("Nothing was handed in")
    expect(tab.locator("#draft-state")).to_be_visible()
    tab.reload()
    expect(field).to_have_value("my words")


def test_a_draft_is_kept_although_its_answer_was_wrong(ask: Ask) -> None:
    tab = ask("number")
    field = tab.locator("#card [data-text]")
    field.fill("3,2")
    field.press("Enter")
    expect(tab.locator(".field-error")).to_be_visible()
    expect(tab.locator("#draft-state")).to_be_visible()
    tab.reload()
    expect(field).to_have_value("3,2")


def test_a_draft_that_could_not_be_kept_is_tried_again(ask: Ask) -> None:
    tab = ask("text")
    tab.route("**/draft/", lambda route: route.fulfill(status=429), times=1)
    with tab.expect_response("**/draft/"):
        tab.locator("#card [data-text]").fill("my words")
    expect(tab.locator("#draft-state")).to_be_visible()
    tab.reload()
    expect(tab.locator("#card [data-text]")).to_have_value("my words")


def test_a_slow_draft_does_not_overtake_a_later_one(ask: Ask) -> None:
    tab = ask("text")
    routes: list[Route] = []
    tab.route("**/draft/", lambda route: routes.append(route), times=1)
    answered: list[Response] = []
    tab.on("response", lambda answer: answered.append(answer) if answer.url.endswith("/draft/") else None)
    field = tab.locator("#card [data-text]")
    field.fill("my wo")
    route = once_held(tab, routes)
    field.fill("my words")
    tab.wait_for_timeout(1200)  # as long as it takes until the later one would be sent
    route.continue_()
    wait_until(tab, lambda: len(answered) == 2)
    tab.reload()
    expect(field).to_have_value("my words")


def test_what_was_typed_last_is_kept_when_the_other_card_is_shown(ask: Ask) -> None:
    tab = ask("two")
    tab.locator("#card [data-text]").fill("my words")
    tab.get_by_role("link", name="Show the other").click()
    expect(tab.locator("#card legend")).to_contain_text("Second?")
    tab.get_by_role("link", name="Show the other").click()
    expect(tab.locator("#card legend")).to_contain_text("First?")
    expect(tab.locator("#card [data-text]")).to_have_value("my words")


def test_a_reply_to_one_question_closes_no_other(ask: Ask) -> None:
    tab = ask("two")
    tab.locator("#card [data-text]").fill("rather this")
    tab.get_by_role("button", name="Reply in chat").click()
    expect(tab.locator("#reply-note")).to_be_visible()
    other = tab.context.new_page()
    other.goto(tab.url)
    expect(other.locator("#card legend")).to_contain_text("First?")
    other.locator("#card [data-text]").fill("elsewhere")
    other.keyboard.press("Enter")
    expect(tab.locator("#card legend")).to_contain_text("Second?")
    expect(tab.locator("#reply-note")).to_be_hidden()
    expect(tab.locator("#on-pending")).to_be_disabled()
    expect(tab.locator("#message")).to_have_value("rather this")


def test_an_answer_that_a_server_before_ours_refused_is_said_to_be_refused(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.route("**/send/", lambda route: route.fulfill(status=413, content_type="text/html", body="<h1>Too large</h1>"))
    tab.locator("#message").fill("a message")
    tab.locator("#message").press("Enter")
    expect(tab.locator("#notice")).to_contain_text("Nothing was handed in")
    expect(tab.locator("#message")).to_have_value("a message")
