"""Files of tools in a browser: a card each, a picture shown, on a small dark screen and without scripts as well."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Ask, NewContext

pytestmark = pytest.mark.landlock
TALL = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="480"/>'


def test_a_file_is_a_card_that_is_downloaded_and_a_picture_is_shown(ask: Ask) -> None:
    tab = ask("files", ".run-completed")
    cards = tab.locator(".file")
    expect(cards).to_have_count(3)
    picture = tab.get_by_role("img", name="Picture: plot.png")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    with tab.expect_download() as download:
        cards.nth(1).get_by_role("link").click()
    assert download.value.suggested_filename.startswith("报告 of a rather long name")
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    expect(cards.last.get_by_role("columnheader", name="值")).to_be_visible()


def test_a_picture_that_comes_late_leaves_the_reader_at_the_end(ask: Ask) -> None:
    tab = ask("files", ".run-completed")
    late: list[Route] = []
    tab.route(str(tab.locator(".file-picture").evaluate("(image) => image.src")), lambda route: late.append(route))
    tab.reload(wait_until="domcontentloaded")
    expect(tab.locator("#connection")).to_have_attribute("data-state", "live")
    late[0].fulfill(content_type="image/svg+xml", body=TALL)
    expect(tab.locator(".file-picture")).to_have_js_property("naturalHeight", 480)
    scroller = tab.locator("#scroller")
    at_end = scroller.evaluate("(each) => each.scrollHeight - each.clientHeight")
    assert at_end > 400
    expect(scroller).to_have_js_property("scrollTop", at_end)


def test_without_scripts_at_360_pixels_in_the_dark_nothing_is_cut(ask: Ask, new_context: NewContext) -> None:
    address = ask("files", ".run-completed").url
    small = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "java_script_enabled": False}
    tab = new_context(**small).new_page()
    tab.goto(address)
    expect(tab.locator(".file img")).to_be_visible()
    for card in tab.locator(".file").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        link = card.get_by_role("link").bounding_box()
        assert link is not None
        assert link["height"] >= 40
