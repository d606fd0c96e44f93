"""Prepared queries and statements give what the ORM gives."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection
from django.db.models import BigIntegerField, CharField
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run
from apps.common.prepared import ByKeys, Prepared, bound
from apps.common.rows import Condition, delete, insert, update
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db


def a_run(user: User | None = None) -> Run:
    session = ChatSession.objects.create(user=user or UserFactory())
    return Run.objects.create(session=session, config={"max_rounds": 3})


def test_a_prepared_query_gives_instances_with_what_was_selected_along() -> None:
    run = a_run()
    query = Prepared(lambda: Run.objects.select_related("session__user").filter(pk=bound("run", BigIntegerField())))
    with CaptureQueriesContext(connection) as queries:
        (found,) = query(run=run.pk)
        assert found == run
        assert found.config == {"max_rounds": 3}
        assert found.session.user.username == run.session.user.username
    assert len(queries) == 1


def test_a_prepared_query_is_compiled_once_and_takes_other_values() -> None:
    first, second = a_run(), a_run()
    query = Prepared(lambda: Run.objects.filter(public_id=bound("id", CharField())).values_list("pk", flat=True))
    assert query(id=first.public_id) == [first.pk]
    assert query(id=second.public_id) == [second.pk]
    assert query(id="run_none") == []
    assert query.first(id="run_none") is None


def test_a_prepared_query_converts_columns_as_the_orm_does() -> None:
    run = a_run()
    query = Prepared(lambda: Run.objects.filter(pk=bound("run", BigIntegerField())).values_list("config", "created_at"))
    assert query(run=run.pk) == [tuple(Run.objects.values_list("config", "created_at").get(pk=run.pk))]


@pytest.mark.parametrize("count", [0, 1, 2, 8, 9, 100, 101])
def test_rows_by_their_keys_are_those_of_in_bulk_whatever_the_number(count: int) -> None:
    User.objects.bulk_create(UserFactory.build_batch(count))
    keys = list(User.objects.values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as queries:
        assert ByKeys(User.objects.all)([*keys, *keys, 0]) == User.objects.in_bulk(keys)
    assert len(queries) <= (count + 1) // 100 + 2


def test_inserted_rows_are_those_of_the_orm_and_get_their_keys() -> None:
    run, now = a_run(), datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
    rows = insert([Message(run=run, role="note", text=text, extras={"n": 1}, created_at=now) for text in ("α", "b")])
    stored = list(Message.objects.order_by("id"))
    assert stored == list(rows)
    assert [(m.text, m.extras, m.created_at) for m in stored] == [("α", {"n": 1}, now), ("b", {"n": 1}, now)]


def test_an_insert_meets_the_constraints() -> None:
    run = a_run()
    with pytest.raises(IntegrityError):
        insert([Run(session=run.session)])


def test_inserting_nothing_asks_nothing(django_assert_num_queries: object) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert list(insert([])) == []
    assert len(queries) == 0


def test_a_guarded_update_counts_the_rows_it_changed() -> None:
    run = a_run()
    where = {"id": run.pk}
    assert update(Run, where, {"status": "running"}, if_status=("queued",)) == 1
    assert update(Run, where, {"status": "running"}, if_status=("queued",)) == 0
    assert update(Run, where, {"outcome": "x"}, also=Condition("fence = %s", [7])) == 0
    run.refresh_from_db()
    assert run.status == "running"


def test_a_delete_removes_what_matches() -> None:
    run = a_run()
    delete(Run, {"id": run.pk})
    assert not Run.objects.exists()
