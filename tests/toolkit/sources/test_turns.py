"""Uploads take turns: however many there are, threads are left for everybody else."""

import pytest

from apps.chat.models import ChatSession
from apps.toolkit.models import Source
from apps.toolkit.sources.errors import SourcesBusy, SourceTooLong
from apps.toolkit.sources.turns import AT_WORK, INSIDE, TURNS
from config.handler import THREADS
from tests.toolkit.sources.papers import File, attached

OTHERS = range(-AT_WORK, 0)
NOTES = File("a.txt", "Some words.")


def test_a_user_has_one_upload_at_work(session: ChatSession) -> None:
    with TURNS.of(session.user_id), pytest.raises(SourcesBusy):
        attached(session, NOTES)
    assert not Source.objects.exists()
    attached(session, NOTES)
    assert Source.objects.count() == 1


def test_an_upload_waits_for_a_turn_but_not_for_ever(session: ChatSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.toolkit.sources.turns.WAIT_SECONDS", 0)
    first, second = (TURNS.of(user) for user in OTHERS)
    with first, second, pytest.raises(SourcesBusy):
        attached(session, NOTES)
    assert not Source.objects.exists()
    attached(session, NOTES)


def test_where_enough_wait_nobody_more_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TURNS, "_users", set(range(INSIDE)))
    with pytest.raises(SourcesBusy), TURNS.of(INSIDE):
        pass
    assert THREADS >= 2 * INSIDE


def test_the_files_of_one_upload_have_one_deadline(session: ChatSession, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SOURCE_SECONDS = 30
    clock = iter([0.0, 1.0, 31.0])  # the upload begins, its first file is read, then its second
    monkeypatch.setattr("apps.toolkit.sources.keeping.monotonic", lambda: next(clock))
    with pytest.raises(SourceTooLong) as refused:
        attached(session, NOTES, NOTES)
    assert refused.value.facts == {"file": 1}
