"""A finished conversation with all tools reads well: picture, figure, files, a table, a link to what was cited."""

import sqlite3

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext, tag
from tests.browser.test_attachments import PAPER
from tests.browser.test_looks import overflow

pytestmark = pytest.mark.landlock


@pytest.fixture
def address(api: httpx.Client, database: sqlite3.Connection, page: Page) -> str:
    """Live through the conversation; return its address. Its last words cite the attachment, whose id no script knows."""
    session = api.post("/api/sessions", json={}).json()["sessionId"]
    api.patch(f"/api/sessions/{session}", json={"tools": {"exec": "ask"}, "title": "The area of a triangle"})
    attached = api.post(f"/api/sessions/{session}/sources", files={"file": ("geometry.md", PAPER)}).json()["results"]
    source = attached[0]["sourceId"]
    api.post("/api/chat", json={"message": f"Area? {tag('toolkit')}", "sessionId": session, "sources": [source]})
    page.goto(f"/s/{session}/")
    page.get_by_role("button", name="Allow once").wait_for()
    for card in api.get("/api/interactions/pending", params={"sessionId": session}).json()["pending"]:
        api.post("/api/chat/continue", json={"sessionId": session, "requestId": card["id"], "decision": "approve"})
    expect(page.locator(".run-completed")).to_be_visible()
    database.execute("UPDATE chat_message SET text = replace(text, 'src_0#', ?) WHERE text LIKE '%src_0#%'", (f"{source}#",))
    return f"/s/{session}/"


WINDOWS = {
    "wide": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}


def test_a_conversation_with_all_tools_reads_well_on_a_desk_and_on_a_phone(address: str, new_context: NewContext) -> None:
    for window in WINDOWS.values():
        tab = new_context(**window).new_page()
        tab.goto(address)
        plot = tab.get_by_role("img", name="Picture: area.png")
        assert plot.evaluate("image => image.decode().then(() => image.naturalWidth)") == 660
        expect(tab.get_by_role("img", name="Geometric figure")).to_be_visible()
        expect(tab.locator(".file-name")).to_have_text(["area.png", "Report.pdf", "areas.csv"])
        expect(tab.locator(".row-agent").last.get_by_role("columnheader")).to_have_text(["base", "height", "area"])
        assert tab.locator(".row-agent td").first.evaluate("(each) => getComputedStyle(each).textAlign") == "right"
        assert overflow(tab) == 0
        tab.get_by_role("link", name="geometry.md, part 2").click()
        expect(tab.locator("#part-2")).to_contain_text("The valve is blue.")
