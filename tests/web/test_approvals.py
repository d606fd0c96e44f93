"""The card of a call that waits to be allowed, without scripts: the exact call, two buttons, a receipt for ever."""

from collections.abc import Callable

import pytest
from django.test import Client

from apps.chat.models import Run
from apps.interactions.models import Interaction
from tests.support.runs import DONE, asks, run_to_rest, scripted
from tests.support.tools import Sending, mounted_in_chat, send
from tests.web.conftest import HTMX, Say

pytestmark = pytest.mark.django_db
Guard = Callable[..., Interaction]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that sends."""
    return mounted_in_chat(Sending(), monkeypatch)


@pytest.fixture
def guard(say: Say, tool: Sending) -> Guard:
    """Return a function that lets the agent call the tool, and returns the card that waits."""

    def put(text: str = "hello", **arguments: str) -> Interaction:
        started = say(asks(send(text=text, **arguments)), DONE)
        return Interaction.objects.get(run=started.run)

    return put


def page(browser: Client, card: Interaction) -> str:
    """Return the session's page."""
    return browser.get(f"/s/{card.session.public_id}/").content.decode()


def decide(browser: Client, card: Interaction, decision: str, feedback: str = "", **headers: str) -> int:
    """Press a button of the card; return the status."""
    address = f"/s/{card.session.public_id}/q/{card.public_id}/answer/"
    return browser.post(address, {"decision": decision, "feedback": feedback}, headers=headers).status_code


def test_the_card_shows_tool_and_exact_arguments_and_both_ways_out(browser: Client, guard: Guard) -> None:
    html = page(browser, guard("two\nlines <b>", file="no.txt"))
    assert "Allow send?" in html
    assert "<dt>text</dt>" in html
    assert "two\nlines &lt;b&gt;" in html
    assert "there is no such file" in html
    assert 'name="decision" value="approve"' in html
    assert 'name="decision" value="deny"' in html


def test_arguments_of_very_many_levels_are_shown_as_one_text_on_the_card_and_in_the_timeline(
    browser: Client, say: Say, tool: Sending
) -> None:
    deep = "[" * 3000 + "]" * 3000
    started = say(asks({"id": "s1", "name": "send", "arguments": f'{{"x":{deep}}}'}), DONE)
    card = Interaction.objects.get(run=started.run)
    assert deep in page(browser, card)
    decide(browser, card, "deny")
    assert "[" * 3000 in page(browser, card)


def test_what_cannot_be_seen_in_an_argument_is_shown_as_an_escape(browser: Client, guard: Guard) -> None:
    html = page(browser, guard("safe\u202egpj.exe\u200b"))
    assert "safe\\u202egpj.exe\\u200b" in html
    assert "\u202e" not in html


def test_allowing_leads_to_a_receipt_and_the_tools_own_row(browser: Client, guard: Guard, tool: Sending) -> None:
    card = guard()
    assert decide(browser, card, "approve") == 303
    run_to_rest(Run.objects.get(), scripted(asks(send()), DONE))
    html = page(browser, card)
    assert tool.sent == ["hello"]
    assert "Allowed" in html
    assert 'class="tool tool-done"' in html


def test_denying_keeps_the_words_on_the_receipt_and_nothing_ran(browser: Client, guard: Guard, tool: Sending) -> None:
    card = guard()
    assert decide(browser, card, "deny", "Never that.") == 303
    run_to_rest(Run.objects.get(), scripted(asks(send()), DONE))
    html = page(browser, card)
    assert tool.sent == []
    assert "Not allowed" in html
    assert "Never that." in html
    assert 'class="tool tool-' not in html


def test_of_long_arguments_the_card_shows_all_the_receipt_the_beginning_and_its_own_page_all(
    browser: Client, guard: Guard, tool: Sending
) -> None:
    card = guard("a" * 5000 + "the end", note="b" * 5000)
    assert "the end" in page(browser, card)
    decide(browser, card, "deny")
    html = page(browser, card)
    assert (html.count("a" * 4096), "the end" in html, "b" * 100 in html) == (1, False, False)
    assert f'<a href="/q/{card.public_id}/">Show the whole call</a>' in html
    whole = browser.get(f"/q/{card.public_id}/").content.decode()
    assert ("the end" in whole, "b" * 5000 in whole, "Show the whole call" in whole) == (True, True, False)


def test_neither_button_is_refused_and_the_words_stay(browser: Client, guard: Guard) -> None:
    card = guard()
    address = f"/s/{card.session.public_id}/q/{card.public_id}/answer/"
    refused = browser.post(address, {"feedback": "hm"})
    assert refused.status_code == 422
    assert ">hm</textarea>" in refused.content.decode()
    card.refresh_from_db()
    assert card.status == "pending"


def test_closing_the_card_allows_nothing_and_the_agent_goes_on(browser: Client, guard: Guard, tool: Sending) -> None:
    card = guard()
    browser.post(f"/s/{card.session.public_id}/q/{card.public_id}/close/")
    run = run_to_rest(Run.objects.get(), scripted(asks(send()), DONE))
    assert (run.status, tool.sent) == (Run.Status.COMPLETED, [])
    assert "Closed without an answer" in page(browser, card)


def test_a_second_click_gets_the_receipt_of_the_first(browser: Client, guard: Guard) -> None:
    card = guard()
    decide(browser, card, "approve")
    address = f"/s/{card.session.public_id}/q/{card.public_id}/answer/"
    late = browser.post(address, {"decision": "deny"}, headers=HTMX)
    assert late.status_code == 409
    assert "Allow once" in late.content.decode()


def test_the_card_speaks_chinese(browser: Client, guard: Guard) -> None:
    card = guard()
    html = browser.get(f"/s/{card.session.public_id}/", headers={"Accept-Language": "zh-hans"}).content.decode()
    for words in ("允许 send 吗？", "允许一次", "拒绝", "它会在本应用之外产生影响"):
        assert words in html


def test_a_call_that_is_asked_for_anew_keeps_the_receipt_of_the_first_time(browser: Client, guard: Guard, tool: Sending) -> None:
    first = guard()
    decide(browser, first, "approve")
    tool.about = "Sends to everybody."
    run_to_rest(Run.objects.get(), scripted(asks(send()), DONE))
    html = page(browser, first)
    assert f'id="q-{first.public_id}"' in html
    assert "What you allowed is not what would run now" in html
    assert tool.sent == []
