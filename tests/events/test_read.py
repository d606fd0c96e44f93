"""Stored events are read as they are sent: the same bytes every time, from any cursor."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.events.log import NewEvent, append, delete_stream, open_stream
from apps.events.read import read_events, read_page

MESSAGE = NewEvent("message", run=3, subject=5)
RESUMED = NewEvent("run_resumed", run=3, facts={"segment": 2})


def test_an_event_carries_the_common_keys_then_those_of_its_kind(session: int) -> None:
    append(session, [MESSAGE])
    (event,) = read_events(session, 0)
    assert list(event.data) == ["sessionId", "seq", "at", "runId", "messageId", "role", "text", "final"]
    assert (event.data["sessionId"], event.data["seq"], event.data["runId"]) == ("sess_7", 1, "run_3")
    assert json.loads(event.data_json) == event.data


def test_an_event_without_a_run_says_null(session: int) -> None:
    append(session, [NewEvent("run_resumed", facts={"segment": 1})])
    assert read_events(session, 0)[0].data["runId"] is None


def test_h47_a_cursor_gets_exactly_what_follows_it(session: int) -> None:
    append(session, [MESSAGE, RESUMED] * 3 + [MESSAGE])
    assert [event.seq for event in read_events(session, 4)] == [5, 6, 7]
    assert [event.seq for event in read_events(session, 4, limit=2)] == [5, 6]
    assert read_events(session, 7) == []


@pytest.mark.parametrize("beyond", [3, 999999, 2**63, 10**18 - 1])
def test_a_cursor_beyond_the_last_event_is_moved_back_to_it(session: int, beyond: int) -> None:
    append(session, [MESSAGE, RESUMED])
    page = read_page(session, beyond)
    assert page is not None
    assert (page.cursor, page.last_seq, list(page.events)) == (2, 2, [])


def test_a_replay_gives_the_same_bytes(session: int) -> None:
    append(session, [MESSAGE, RESUMED, MESSAGE])
    first, second = ([event.frame for event in read_events(session, 0)] for _ in range(2))
    assert first == second


def test_h86_a_cursor_of_another_session_opens_nothing_of_it(session: int) -> None:
    open_stream(8, "sess_8")
    append(session, [MESSAGE] * 5)
    append(8, [RESUMED] * 2)
    assert read_events(8, 4) == []
    assert {event.data["sessionId"] for event in read_events(8, 0)} == {"sess_8"}


def test_a_deleted_session_has_no_page(session: int) -> None:
    delete_stream(session)
    assert read_page(session, 0) is None
    assert read_events(session, 0) == []


def test_the_number_of_queries_does_not_grow_with_the_page(session: int) -> None:
    append(session, [MESSAGE, RESUMED])
    with CaptureQueriesContext(connection) as few:
        read_page(session, 0)
    append(session, [MESSAGE, RESUMED] * 49)
    with CaptureQueriesContext(connection) as many:
        assert len(read_page(session, 0).events) == 100
    assert len(few) == len(many) == 2


def test_a_reader_at_the_end_costs_one_query(session: int) -> None:
    append(session, [MESSAGE])
    with CaptureQueriesContext(connection) as queries:
        read_page(session, 1)
    assert len(queries) == 1


def test_a_page_is_found_by_the_index_on_its_numbers(session: int) -> None:
    append(session, [MESSAGE])
    with CaptureQueriesContext(connection) as queries:
        read_page(session, 0)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # it would read a table of one row whole
        explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{explain} {queries[1]['sql']}")
        plan = str(cursor.fetchall())
    assert "event_number" in plan or "sqlite_autoindex_events_event" in plan
