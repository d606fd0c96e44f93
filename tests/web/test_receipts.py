"""A receipt says what became of a question: its face, how many of its questions were answered, and by whom."""

import pytest
from django.test import Client

from apps.chat.models import Run
from apps.common.clock import database_now
from apps.interactions.models import Interaction
from tests.web.conftest import Ask, address, page_of

FACES = [
    ("answered", "Answered"),
    ("cancelled", "Closed without an answer"),
    ("expired", "Expired"),
    ("aborted", "Closed with its run"),
    ("replied", "Replied in chat"),
]


@pytest.mark.parametrize(("status", "words"), FACES)
def test_each_face_has_its_words(status: str, words: str, browser: Client, ask: Ask) -> None:
    row = ask(mode="text")
    reason = "reply_in_chat" if status == "replied" else ""
    kept = "cancelled" if status == "replied" else status
    Interaction.objects.filter(pk=row.pk).update(status=kept, reason=reason, resolved_at=database_now())
    page = page_of(browser, row)
    assert f'class="receipt receipt-{status}"' in page
    assert f"</svg>{words}" in page.partition('class="receipt-face"')[2].partition("</summary>")[0]


def test_it_counts_the_questions_that_got_a_choice_or_own_text(browser: Client, ask_several: Ask) -> None:
    row = ask_several()
    browser.post(address(row), {"q0-choice": "0", "q1-skip": "1", "q2-text": "src"})
    page = page_of(browser, row)
    assert "Answered · 2 of 3" in page
    assert page.count(">Skipped<") == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("running", "goes on"),
        ("completed", "is finished"),
        ("cancelled", "was stopped"),
        ("failed", "has failed"),
    ],
)
def test_it_says_how_the_run_has_gone_on_since(status: str, words: str, browser: Client, ask: Ask) -> None:
    row = ask(mode="text")
    browser.post(address(row), {"text": "blue"})
    Run.objects.filter(pk=row.run_id).update(status=status)
    facts = page_of(browser, row).partition('class="receipt-facts"')[2].partition("</p>")[0]
    assert words in facts
    assert "in the web interface · " in facts
