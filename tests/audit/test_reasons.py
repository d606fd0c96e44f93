"""Reasons of the staff: kept beside the record, which commits to them; and how long data are kept."""

import pytest

from apps.audit.chain import commitment
from apps.audit.context import Actor
from apps.audit.models import Reason
from apps.audit.reasons import ReasonMissing, keep_reason, reason_of
from apps.audit.retention import DEFAULT_DAYS, InvalidRetention, retention_days, set_retention

ACTOR = Actor("user", "user_1")
pytestmark = pytest.mark.django_db


def test_a_reason_is_found_by_the_digest_that_the_record_holds() -> None:
    kept = keep_reason("  Asked by\0 the user. ", ACTOR, "sess_1")
    row = Reason.objects.get()
    assert (row.text, row.session, row.actor_id) == ("Asked by the user.", "sess_1", "user_1")
    assert kept == (commitment(row.salt, row.text), len(row.text))
    assert reason_of(bytes.fromhex(kept.digest)) == "Asked by the user."


def test_the_same_words_have_another_digest_each_time() -> None:
    assert keep_reason("Asked.", ACTOR) != keep_reason("Asked.", ACTOR)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b\u2060", "\0", "x" * 2001])
def test_nothing_is_no_reason(text: str) -> None:
    with pytest.raises(ReasonMissing) as refusal:
        keep_reason(text, ACTOR)
    assert refusal.value.errors[0].field == "reason"
    assert not Reason.objects.exists()


def test_an_erased_reason_reads_as_none() -> None:
    kept = keep_reason("Asked.", ACTOR)
    Reason.objects.all().delete()
    assert reason_of(bytes.fromhex(kept.digest)) == ""


def test_days_are_the_defaults_until_they_are_set() -> None:
    assert retention_days() == dict(DEFAULT_DAYS)
    set_retention("answers", 90)
    set_retention("answers", 91)
    assert retention_days()["answers"] == 91


@pytest.mark.parametrize(("category", "days"), [("records", 1), ("drafts", -1), ("drafts", 36501), ("drafts", True)])
def test_what_cannot_be_kept_so_is_refused(category: str, days: int) -> None:
    with pytest.raises(InvalidRetention):
        set_retention(category, days)
