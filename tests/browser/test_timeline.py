"""The conversation as it grows."""

import httpx
from playwright.sync_api import APIResponse, BrowserContext, Dialog, Page, Route, expect

from tests.browser.conftest import Ask, NewContext, start, tag
from tests.browser.scripts import HOSTILE

HEAR = """() => {
  window.said = [];
  const heard = (records) => window.said.push(...records.flatMap((each) => [...each.addedNodes].map((node) => node.data)));
  new MutationObserver(heard).observe(document.getElementById("announcer"), { childList: true });
}"""


def test_text_is_shown_as_it_is_written_and_stays_in_its_place(page: Page) -> None:
    start(page, "slow")
    growing = page.locator(".is-streaming")
    expect(growing).to_contain_text("One two three")
    row_id = growing.get_attribute("id")
    expect(page.locator(".run-completed")).to_be_visible()
    expect(page.locator(f"#{row_id}")).to_have_count(1)
    expect(page.locator(f"#{row_id} .prose p")).to_contain_text("nine ten.")
    expect(page.locator(".is-streaming")).to_have_count(0)


def test_an_answer_that_is_written_before_its_message_is_drawn_stands_below_it(ask: Ask) -> None:
    tab, held = ask("end", ".run-completed"), list[tuple[Route, APIResponse]]()
    tab.route("**/send/", lambda route: held.append((route, route.fetch())))
    tab.locator("#message").fill(f"and now this {tag('slow')}")
    tab.keyboard.press("Enter")
    expect(tab.locator(".is-streaming")).to_be_visible()
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(tab.locator(".run-completed")).to_have_count(2)
    rows = tab.locator("#timeline > .row").evaluate_all("(all) => all.slice(-3).map((row) => row.classList[1])")
    assert rows == ["row-person", "row-agent", "row-run"]


def test_a_message_is_sent_without_leaving_the_page(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.evaluate("window.isTheSamePage = true")
    tab.locator("#message").fill(f"and now this {tag('end')}")
    tab.keyboard.press("Enter")
    expect(tab.locator(".run-completed")).to_have_count(2)
    expect(tab.locator("#message")).to_have_value("")
    assert tab.evaluate("window.isTheSamePage")


def test_a_formula_is_drawn_and_what_is_copied_is_its_source(ask: Ask, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = ask("math", ".katex")
    expect(tab.locator(".math")).to_have_attribute("data-source", "x = \\pm i")
    tab.get_by_role("button", name="Copy the message").click()
    expect(tab.get_by_role("button", name="Copied")).to_be_visible()
    assert tab.evaluate("navigator.clipboard.readText()").startswith("All done: $x = \\pm i$.")
    tab.get_by_role("button", name="Copy", exact=True).click()
    expect(tab.get_by_role("button", name="Copied")).to_have_count(2)
    assert tab.evaluate("navigator.clipboard.readText()") == "print(1)\n"


def test_a_formula_can_be_read_without_scripts(ask: Ask, new_context: NewContext) -> None:
    tab = new_context(java_script_enabled=False).new_page()
    tab.goto(ask("math", ".katex").url)
    expect(tab.locator(".row-agent")).to_contain_text("All done: x = ± i.")


def test_a_failed_run_says_why_and_whether_trying_again_makes_sense(ask: Ask) -> None:
    tab = ask("broken", ".run-error")
    expect(tab.locator(".run-error")).to_contain_text("refused the key")
    expect(tab.get_by_role("button", name="Try again")).to_have_count(0)
    tab = ask("flaky", ".run-error")
    tab.get_by_role("button", name="Try again").click()
    expect(tab.locator(".row-agent")).to_contain_text("Now it works.")


def test_a_tool_call_is_a_row_that_opens(ask: Ask) -> None:
    tab = ask("tool", ".run-completed")
    tab.locator(".tool > summary").click()
    expect(tab.locator(".tool-texts")).to_contain_text('"x": 1')


def test_stop_ends_a_run_at_work(page: Page) -> None:
    start(page, "endless")
    expect(page.locator(".is-streaming")).to_contain_text("One")
    page.get_by_role("button", name="Stop").first.click()
    expect(page.locator(".run-cancelled")).to_contain_text("Stopped by you")
    expect(page.locator(".row-agent")).to_contain_text("Stopped here.")
    expect(page.locator("#composer button.primary")).to_be_enabled()


def test_a_reader_in_the_past_is_not_pulled_to_the_end(ask: Ask, api: httpx.Client) -> None:
    tab = ask("end", ".run-completed")
    tab.set_viewport_size({"width": 900, "height": 520})
    tab.locator("#message").fill("line\n" * 30 + tag("end"))
    tab.locator("#composer button.primary").click()
    expect(tab.locator(".run-completed")).to_have_count(2)
    scroller = tab.locator("#scroller")
    expect(scroller).to_have_js_property("scrollTop", scroller.evaluate("(each) => each.scrollHeight - each.clientHeight"))
    scroller.evaluate("(each) => { each.scrollTop = 0; }")
    tab.wait_for_timeout(100)
    session_id = str(tab.locator("#main").get_attribute("data-session"))
    api.post("/api/chat", json={"message": f"one more {tag('end')}", "sessionId": session_id})
    expect(tab.get_by_role("button", name="Newest message")).to_be_visible()
    assert scroller.evaluate("(each) => each.scrollTop") < 50
    tab.get_by_role("button", name="Newest message").click()
    expect(tab.locator(".run-completed").last).to_be_in_viewport()


def test_hostile_words_run_nothing_anywhere_h88(ask: Ask) -> None:
    tab = ask("hostile")
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    tab.on("dialog", note)
    tab.locator("#card [data-own-text]").fill(HOSTILE)
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".plan-text")).to_contain_text("<img src=x onerror=alert(1)>")
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".run-completed")).to_be_visible()
    tab.reload()
    expect(tab.locator(".row-agent").last).to_contain_text("<img src=x onerror=alert(1)>")
    assert dialogs == []
    expect(tab.locator(".receipt-text").first).to_have_text(HOSTILE)
    assert tab.locator("main img, main [onerror], main [onload], main a[href^='javascript']").count() == 0


def test_a_nested_tool_that_is_open_stays_open_while_the_delegated_run_goes_on(page: Page) -> None:
    start(page, "gives-work")
    page.locator(".row-tool > .tool > summary").click()
    nested = page.locator(".tool-nested > li > .tool")
    nested.first.locator("summary").click()
    expect(nested.first).to_contain_text("Arguments")
    expect(nested).to_have_count(3)
    expect(nested.first).to_have_attribute("open", "")
    expect(nested.first).to_contain_text("done")


def test_the_end_of_a_delegated_run_is_not_announced_as_the_answer(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.evaluate(HEAR)
    tab.locator("#message").fill(f"and now this {tag('delegates')}")
    tab.keyboard.press("Enter")
    expect(tab.locator(".row-tool")).to_contain_text("delegate")
    tab.locator("#card [data-text]").fill("all of it")
    tab.keyboard.press("Enter")
    expect(tab.locator("#announcer")).to_have_text("The agent has answered.")
    assert tab.evaluate("window.said") == ["The agent has a question.", "The agent has answered."]
