"""Questions answered through the interface of the page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import Run
from apps.interactions.models import Interaction
from apps.runs.interfaces import DuplicateProvider, registered
from tests.extending.conftest import Example
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted
from tests.web.conftest import Say, page_of, result_of

pytestmark = pytest.mark.django_db
NUMBER = ask_user(title="How many?", mode="number")


@pytest.fixture
def pager(example: Example) -> Any:
    """Return the interface."""
    return example("An interface")


def lines(*typed: str) -> Callable[[str], str]:
    """Return what reads one line after the other."""
    left = iter(typed)
    return lambda prompt: next(left)


def answered(pager: Any, say: Say, user: User, *typed: str) -> tuple[Interaction, str]:
    """Have a question put through the pager; return it as it stands then, and what was sent."""
    row, sent = Interaction.objects.get(run=say(asks(NUMBER), DONE).run), []
    pager.page(user, lines(*typed), sent.append)
    row.refresh_from_db()
    return row, "".join(sent)


def test_a_question_is_sent_and_the_line_that_comes_back_is_its_answer(pager: Any, say: Say, user: User) -> None:
    row, sent = answered(pager, say, user, "7")
    assert "How many?" in sent
    assert (row.status, row.channel, row.shown, result_of(row)["value"]) == ("answered", "pager", "pager", 7)
    assert run_to_rest(row.run, scripted(asks(NUMBER), DONE)).status == Run.Status.COMPLETED


def test_what_is_no_answer_is_refused_in_words_and_the_question_put_again(pager: Any, say: Say, user: User) -> None:
    row, sent = answered(pager, say, user, "seven", "7")
    assert "! Write a plain number" in sent
    assert (sent.count("How many?"), result_of(row)["value"]) == (2, 7)


def test_record_and_receipt_name_it(pager: Any, say: Say, user: User, browser: Client) -> None:
    row, _sent = answered(pager, say, user, "7")
    assert "by pager" in page_of(browser, row)
    record = AuditRecord.objects.get(kind="interaction_answered", request=row.public_id)
    assert (record.channel, record.actor_id) == ("pager", user.public_id)


def test_two_of_its_name_cannot_answer_at_once(pager: Any, user: User) -> None:
    with registered("pager"), pytest.raises(DuplicateProvider):
        pager.page(user, lines(), str)
