"""Files that go with a message: chosen, sent, listed, removed; and citations that lead into them."""

import sqlite3

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import Ask, NewContext, tag

PAPER = b"# One\n\nThe pump is green.\n\n# Two\n\nThe valve is blue.\n"
NOTES = FilePayload(name="notes.md", mimeType="text/markdown", buffer=PAPER)
WRONG = FilePayload(name="wrong.pdf", mimeType="application/pdf", buffer=b"no PDF")


def attach(tab: Page, *files: FilePayload, message: str = "") -> None:
    """Choose files and send them with a message."""
    tab.locator("#files").set_input_files(list(files))
    tab.locator("#message").fill(message or f"and these {tag('end')}")
    tab.locator("#composer").get_by_role("button", name="Send").click()


def test_a_file_goes_with_a_message_and_a_citation_leads_to_its_part(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("end", ".run-completed")
    tab.locator("#files").set_input_files([NOTES])
    expect(tab.locator("#files-chosen")).to_have_text("With the message: notes.md")
    attach(tab, NOTES)
    expect(tab.locator(".run-completed")).to_have_count(2)
    expect(tab.locator(".attachment-name")).to_have_text("notes.md")
    expect(tab.locator("#files-chosen")).to_be_empty()
    assert tab.locator("#files").evaluate("field => field.files.length") == 0
    session = tab.url.rstrip("/").rpartition("/")[2]
    (ident,) = database.execute("SELECT public_id FROM toolkit_source ORDER BY id DESC").fetchone()
    database.execute(
        "UPDATE chat_message SET text = ? WHERE role = 'assistant' AND run_id IN"
        " (SELECT r.id FROM chat_run r JOIN chat_chatsession s ON s.id = r.session_id WHERE s.public_id = ?)",
        (f"Blue [source:{ident}#2], not green [source:src_{'0' * 32}#1].", session),
    )
    tab.reload()
    expect(tab.locator(".row-agent a")).to_have_count(2)
    expect(tab.locator(".row-agent").last).to_contain_text("[source:src_000")
    tab.get_by_role("link", name="notes.md, part 2").last.click()
    expect(tab.locator("#part-2")).to_contain_text("The valve is blue.")
    assert tab.url.endswith(f"/s/{session}/sources/{ident}/#part-2")


def test_a_refused_file_is_named_in_words_and_the_message_stays(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    attach(tab, WRONG, message="half a novel")
    expect(tab.locator("#notice")).to_contain_text("“wrong.pdf” was not attached.")
    expect(tab.locator("#message")).to_have_value("half a novel")
    assert tab.locator("#files").evaluate("field => field.files.length") == 0
    expect(tab.locator("#files-chosen")).to_be_empty()


def test_a_file_is_chosen_and_removed_with_the_keyboard(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    with tab.expect_file_chooser() as chooser:
        tab.locator("#files").press("Enter")
    chooser.value.set_files([NOTES])
    tab.locator("#message").fill(f"and these {tag('end')}")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Remove notes.md").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator(".attachment")).to_have_count(0)
    expect(tab.locator("#connection")).to_have_attribute("data-state", "live")


def test_chosen_files_are_given_up_before_they_are_sent(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.locator("#files").set_input_files([NOTES])
    tab.get_by_role("button", name="Attach nothing").click()
    expect(tab.locator("#files-chosen")).to_be_empty()
    expect(tab.locator("#message")).to_be_focused()
    expect(tab.get_by_role("button", name="Attach nothing")).to_be_hidden()
    assert tab.locator("#files").evaluate("field => field.files.length") == 0


def test_files_are_attached_without_scripts(new_context: NewContext) -> None:
    tab = new_context(java_script_enabled=False).new_page()
    tab.goto("/new/")
    expect(tab.locator("#files")).to_be_visible()
    attach(tab, NOTES, FilePayload(name="more.txt", mimeType="text/plain", buffer=b"More."))
    expect(tab.locator(".attachment-name")).to_have_text(["notes.md", "more.txt"])
    tab.get_by_role("button", name="Remove more.txt").click()
    expect(tab.locator(".attachment-name")).to_have_text(["notes.md"])


def test_in_a_narrow_dark_window_nothing_sticks_out(new_context: NewContext) -> None:
    tab = new_context(viewport={"width": 360, "height": 720}, color_scheme="dark").new_page()
    tab.goto("/new/")
    long = FilePayload(name="a-very-long-name-" * 8 + ".txt", mimeType="text/plain", buffer=b"unbroken" * 400)
    attach(tab, NOTES, long)
    tab.wait_for_url("**/s/*/")
    expect(tab.locator(".attachment")).to_have_count(2)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    tab.locator(".attachment-name").last.click()
    expect(tab.locator("#part-1")).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
