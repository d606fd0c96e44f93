"""Phones, long words, languages."""

import sqlite3

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Ask, NewContext, let_expire, tag

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
PAGES = ["/new/", "/inbox/", "/settings/", "/settings/password/", "/sessions/", "/nowhere/"]


def overflow(tab: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_every_option_and_button_is_within_reach_on_a_phone_h69(ask: Ask, new_context: NewContext) -> None:
    tab = ask("long", tab=new_context(**PHONE).new_page())
    for height in (640, 320):
        tab.set_viewport_size({"width": 360, "height": height})
        assert overflow(tab) == 0
        for target in (*tab.locator("#card .option").all(), *tab.locator("#card .card-actions button:visible").all()):
            target.scroll_into_view_if_needed()
            expect(target).to_be_in_viewport()
    tab.set_viewport_size({"width": 360, "height": 640})
    tab.locator("#card .option").nth(10).click()
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".receipt-answered")).to_be_visible()


def test_the_head_of_a_tall_card_covers_nothing_on_a_phone(ask: Ask, new_context: NewContext) -> None:
    tab = ask("long", tab=new_context(**PHONE).new_page())
    between = """(card) => card.querySelector(".card-body").getBoundingClientRect().top
      - card.querySelector(".card-meta").getBoundingClientRect().bottom"""
    assert tab.locator("#card").evaluate(between) > -1  # links in it reach past its line


def test_a_figure_fits_a_phone_and_its_lines_stand_out_in_the_dark(ask: Ask, new_context: NewContext) -> None:
    tab = ask("figure", ".run-completed", tab=new_context(**PHONE, color_scheme="dark").new_page())
    box = tab.get_by_role("img", name="Geometric figure").bounding_box()
    assert overflow(tab) == 0
    assert box
    assert 200 < box["width"] <= 360
    assert tab.locator(".figure-circle").evaluate("(each) => getComputedStyle(each).stroke") == "rgb(126, 216, 202)"
    assert tab.locator(".figure-polygon").evaluate("(each) => getComputedStyle(each).fill") == "rgb(23, 50, 47)"


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_long_labels_are_shown_whole_h71(width: int, ask: Ask, new_context: NewContext) -> None:
    tab = ask("long", tab=new_context(viewport={"width": width, "height": 800}).new_page())
    assert overflow(tab) == 0
    for label in tab.locator("#card .option label:not(.visually-hidden)").all():
        is_whole = "(each) => each.scrollWidth <= each.clientWidth && getComputedStyle(each).textOverflow === 'clip'"
        assert label.evaluate(is_whole)


def test_every_page_fits_a_small_phone(new_context: NewContext) -> None:
    tab = new_context(viewport={"width": 320, "height": 640}).new_page()
    for where in PAGES:
        tab.goto(where)
        assert (where, overflow(tab)) == (where, 0)


def test_all_of_the_question_whether_to_delete_begins_at_one_edge(ask: Ask) -> None:
    tab = ask("end", ".run-completed")
    tab.goto(f"{tab.url}delete/")
    edges = "(panel) => [...panel.children].map((each) => each.getBoundingClientRect().left)"
    assert len(set(tab.locator(".panel").evaluate(edges))) == 1


def test_the_button_that_copies_an_argument_stays_inside_of_it(ask: Ask, new_context: NewContext) -> None:
    tab = ask("approval", tab=new_context(**PHONE).new_page())
    button, frame = tab.locator(".code-block > .copy-button"), tab.locator(".approval-arguments pre")
    expect(button).to_be_visible()
    inner, outer = button.bounding_box(), frame.bounding_box()
    assert inner
    assert outer
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_the_three_examples_are_equally_high(page: Page) -> None:
    page.goto("/new/")
    heights = {example.evaluate("(each) => each.offsetHeight") for example in page.locator(".example").all()}
    assert page.locator(".example").count() == 3
    assert len(heights) == 1


def test_the_head_of_a_chat_fits_a_phone(ask: Ask, new_context: NewContext) -> None:
    tab = ask("single", tab=new_context(**PHONE).new_page())
    assert overflow(tab) == 0
    title, pill, stop = (tab.locator(each).bounding_box() for each in (".chat-title", ".chat-head .pill", ".stop-button"))
    assert None not in (title, pill, stop)
    assert title["x"] + title["width"] <= stop["x"]
    assert pill["x"] + pill["width"] <= stop["x"]
    tab.locator(".chat-head .menu > summary").click()
    expect(tab.locator("#menu-tokens")).to_have_text("Tokens of this chat: 11 read, 7 written")


def test_targets_are_large_enough_for_fingers(ask: Ask, new_context: NewContext) -> None:
    tab = ask("questions", tab=new_context(**PHONE).new_page())
    small = tab.evaluate(
        """() => [...document.querySelectorAll("main button:not(.visually-hidden), main a[href], main .option")]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.9)
          .map((each) => `${each.className} ${each.textContent.trim()} ${each.getBoundingClientRect().height}`)"""
    )
    assert small == []


def test_a_long_plan_is_within_reach_on_a_phone_h69(ask: Ask, new_context: NewContext) -> None:
    tab = ask("read-plan", tab=new_context(**PHONE).new_page())
    for height in (640, 320):
        tab.set_viewport_size({"width": 360, "height": height})
        assert overflow(tab) == 0
        for target in (tab.locator("#plan-feedback"), *tab.locator("#card .card-actions button:visible").all()):
            target.scroll_into_view_if_needed()
            expect(target).to_be_in_viewport()


def test_words_in_a_table_stay_whole_on_a_phone(ask: Ask, new_context: NewContext) -> None:
    tab = ask("table", ".run-completed", tab=new_context(**PHONE).new_page())
    heads = tab.get_by_role("columnheader")
    expect(heads).to_have_text(["base", "height", "area", "note"])
    lines = "(each) => { const all = document.createRange(); all.selectNodeContents(each); return all.getClientRects().length; }"
    assert [head.evaluate(lines) for head in heads.all()] == [1, 1, 1, 1]
    assert overflow(tab) == 0


def small_texts(tab: Page) -> list[str]:
    """Return what is written on a page in letters of less than twelve pixels."""
    found: list[str] = tab.evaluate(
        """() => [...document.querySelectorAll("body *")]
          .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
          .filter((each) => each.checkVisibility() && /^([1-9]|1[01])(\\.\\d+)?px$/.test(getComputedStyle(each).fontSize))
          .map((each) => `${each.className} ${each.textContent.trim()}`)"""
    )
    return found


def test_nothing_is_smaller_than_twelve_pixels(ask: Ask, new_context: NewContext) -> None:
    tab = ask("questions", tab=new_context(**PHONE).new_page())
    tab.get_by_role("button", name="Skip this question").click()
    for where in (tab.url, *PAGES):
        tab.goto(where)
        assert (where, small_texts(tab)) == (where, [])


def test_arguments_of_tools_are_not_smaller_than_twelve_pixels(ask: Ask, new_context: NewContext) -> None:
    tab = ask("approval", tab=new_context(**PHONE).new_page())
    assert small_texts(tab) == []
    ask("tool", ".run-completed", tab=tab)
    tab.locator(".tool > summary").click()
    expect(tab.locator(".tool-texts")).to_be_visible()
    assert small_texts(tab) == []


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_what_was_typed_into_a_card_that_closed_leaves_its_buttons_in_view(
    size: tuple[int, int], ask: Ask, new_context: NewContext, database: sqlite3.Connection
) -> None:
    tab = ask("text", tab=new_context(viewport={"width": size[0], "height": size[1]}).new_page())
    let_expire(database, tab, 2.5)
    tab.locator("#card [data-text]").fill("one line of many\n" * 12)
    for name in ("Send it as a message", "Dismiss"):
        expect(tab.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_the_inbox_stays_in_view_however_far_the_list_of_chats_is_scrolled(
    ask: Ask, api: httpx.Client, new_context: NewContext
) -> None:
    for _chat in range(6):
        api.post("/api/chat", json={"message": f"Help me {tag('end')}"})
    tab = ask("single", tab=new_context(viewport={"width": 1280, "height": 500}).new_page())
    chats = tab.locator("#sidebar-list")
    assert chats.evaluate("(each) => { each.scrollTop = each.scrollHeight; return each.scrollTop }") > 0
    inbox = chats.get_by_role("link", name="Inbox")
    expect(inbox).to_be_in_viewport(ratio=1)
    assert inbox.evaluate("(each) => getComputedStyle(each).backgroundColor") == "rgb(241, 238, 231)"  # nothing shines through
    expect(tab.locator("#sidebar-list .session-link").first).not_to_be_in_viewport()


def test_a_printed_chat_is_the_conversation_alone(ask: Ask) -> None:
    tab = ask("math", ".run-completed")
    tab.emulate_media(media="print")
    for chrome in ("#sidebar", "#dock", ".connection", ".menu", ".copy-button"):
        expect(tab.locator(chrome).first).to_be_hidden()
    expect(tab.locator(".row-agent")).to_be_visible()
    assert tab.locator("#scroller").evaluate("(each) => each.scrollHeight <= each.clientHeight")


def test_every_control_is_seen_where_colours_are_forced(ask: Ask, new_context: NewContext) -> None:
    tab = ask("single-own", tab=new_context(forced_colors="active").new_page())
    tab.get_by_label("Wait", exact=True).check()
    chosen = tab.locator("#card .option", has=tab.get_by_label("Wait", exact=True))
    assert chosen.evaluate("(each) => getComputedStyle(each).outlineStyle") == "solid"
    assert tab.locator("#card .submit-button").evaluate("(each) => getComputedStyle(each).borderStyle") == "solid"


RING = "(each) => [getComputedStyle(each).outlineStyle, parseFloat(getComputedStyle(each).outlineWidth)]"


@pytest.mark.parametrize("colours", ["none", "active"])
def test_a_card_that_arrives_is_ringed_quietly_and_its_controls_clearly(ask: Ask, new_context: NewContext, colours: str) -> None:
    tab = ask("end", ".run-completed", tab=new_context(**PHONE, forced_colors=colours).new_page())
    tab.locator("#message").fill(f"Help me {tag('single')}")
    tab.keyboard.press("Enter")
    card, first = tab.locator("#card"), tab.locator("#card .option").first
    expect(card.locator(".card-body")).to_be_focused()
    assert card.evaluate(RING) == ["solid", 1]
    tab.keyboard.press("Tab")
    assert first.evaluate(RING) == ["solid", 3]
    assert card.evaluate(RING)[0] == "none"


def test_a_page_in_chinese_holds_no_english_h72(ask: Ask, new_context: NewContext) -> None:
    tab = ask("text", tab=new_context(locale="zh-CN").new_page())
    expect(tab.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(tab.locator("#card")).to_contain_text("智能体的问题")
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".field-error")).to_contain_text("请填写回答")
    chrome = tab.locator("header.chat-head, #sidebar, .card-head, .card-actions, #card-errors")
    words = " ".join(chrome.all_inner_texts())
    for english in ("Question", "Stop", "Send", "Reply", "Expires", "Settings", "Waiting", "Live", "Inbox", "Write"):
        assert english not in words


def test_two_people_read_the_same_card_each_in_the_own_language_h72(
    ask: Ask, new_context: NewContext, database: sqlite3.Connection
) -> None:
    words = {"en-GB": ("Question from the agent", "Expired"), "zh-CN": ("智能体的问题", "已过期")}
    english = ask("text")
    let_expire(database, english, 6)
    tabs = {"en-GB": english, "zh-CN": new_context(locale="zh-CN").new_page()}
    tabs["zh-CN"].goto(english.url)
    for language, tab in tabs.items():
        expect(tab.locator("#card-from")).to_contain_text(words[language][0])
    for language, tab in tabs.items():
        expect(tab.locator(".receipt-face")).to_have_text(words[language][1])


def test_small_controls_are_large_enough_for_a_finger(ask: Ask, new_context: NewContext) -> None:
    tab = ask("figure", ".run-completed", tab=new_context(**PHONE).new_page())
    found = [tab.locator(".copy-button").last.bounding_box()]
    tab.goto("/sessions/")
    found += [chip.bounding_box() for chip in tab.locator(".chip").all()]
    assert all(box and box["height"] >= 44 for box in found)
