"""Events are numbered without gaps, in the order of their commits."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from pytest_django import DjangoAssertNumQueries

from apps.events.catalogue import UndeclaredKind, WrongData
from apps.events.live import RunningText
from apps.events.log import NewEvent, NoStream, append, delete_stream, open_stream
from apps.events.models import Event, PartialText, Stream
from apps.events.partial import write_first

PAUSED = NewEvent("run_paused", run=1, facts={"pending": ["ask_1"]})


def numbers(session: int) -> list[int]:
    return list(Event.objects.filter(session=session).order_by("seq").values_list("seq", flat=True))


def test_the_first_number_of_each_append_follows_the_last_of_the_one_before(session: int) -> None:
    with transaction.atomic():
        assert append(session, [PAUSED, PAUSED]) == 1
        assert append(session, [PAUSED]) == 3
    assert numbers(session) == [1, 2, 3]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_leaves_no_gap() -> None:
    open_stream(7, "sess_7")
    with transaction.atomic():
        append(7, [PAUSED])
        transaction.set_rollback(True)
    with transaction.atomic():
        append(7, [PAUSED])
    assert numbers(7) == [1]


@pytest.mark.django_db(transaction=True)
def test_events_are_refused_outside_of_a_transaction() -> None:
    open_stream(7, "sess_7")
    with pytest.raises(TransactionManagementError):
        append(7, [PAUSED])


@pytest.mark.parametrize("kind", ["run_stared", "message_delta", "message_snapshot", ""])
def test_a_kind_that_is_not_declared_as_stored_is_refused(session: int, kind: str) -> None:
    with pytest.raises(UndeclaredKind):
        append(session, [PAUSED, NewEvent(kind)])
    assert numbers(session) == []


def test_facts_without_a_declared_key_are_refused_before_anything_is_written(session: int) -> None:
    with pytest.raises(WrongData, match="pending"):
        append(session, [NewEvent("run_paused", run=1)])
    assert Stream.objects.get(pk=session).last_seq == 0


def test_a_session_without_a_stream_takes_no_event(db: None) -> None:
    with pytest.raises(NoStream):
        append(8, [PAUSED])


def test_times_never_go_back_even_if_the_clock_does(session: int) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=1)
    Stream.objects.filter(pk=session).update(last_at=ahead)
    append(session, [PAUSED])
    assert Event.objects.get(session=session).at == ahead


def test_any_number_of_events_costs_one_update_and_one_insert(
    session: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        append(session, [PAUSED] * 30)


def test_a_deleted_stream_leaves_nothing(session: int) -> None:
    append(session, [PAUSED])
    write_first(session, RunningText(1, "msg_1", "so far"))
    delete_stream(session)
    assert not any(model.objects.exists() for model in (Stream, Event, PartialText))


@pytest.mark.django_db(transaction=True)
def test_writers_of_one_session_get_dense_numbers_in_the_order_of_their_commits() -> None:
    open_stream(7, "sess_7")

    def write(_: int) -> None:
        try:
            for _ in range(8):
                with transaction.atomic():
                    append(7, [PAUSED, PAUSED])
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    assert numbers(7) == list(range(1, 97))
    times = list(Event.objects.order_by("seq").values_list("at", flat=True))
    assert times == sorted(times)
