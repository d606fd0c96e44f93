"""Records are written in the caller's transaction, numbered and signed in order."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.audit.catalogue import UndeclaredFact, UndeclaredKind
from apps.audit.chain import commitment, new_salt
from apps.audit.context import AGENT, Actor, acting
from apps.audit.models import AuditChain, AuditRecord
from apps.audit.verify import verify_chains
from apps.audit.write import Entry, NotInTransaction, record

SESSION = "sess_" + "5" * 32
USER = Actor("user", "user_" + "1" * 32)


@pytest.mark.django_db
def test_records_of_a_session_get_dense_numbers_in_the_order_given() -> None:
    record([Entry("run_started", SESSION), Entry("run_paused", SESSION)])
    record([Entry("run_resumed", SESSION)])
    kinds = AuditRecord.objects.filter(session=SESSION).order_by("number").values_list("number", "kind")
    assert list(kinds) == [(1, "run_started"), (2, "run_paused"), (3, "run_resumed")]


@pytest.mark.django_db
def test_entries_of_several_sessions_continue_each_its_own_chain() -> None:
    record([Entry("run_started", SESSION), Entry("sign_in"), Entry("run_paused", SESSION), Entry("signed_out")])
    assert list(AuditChain.objects.order_by("session").values_list("session", "number")) == [("", 2), (SESSION, 2)]
    assert verify_chains() == []


@pytest.mark.django_db
def test_every_column_is_kept_as_it_was_given() -> None:
    digest = commitment(new_salt(), "yes")
    record([Entry("interaction_answered", SESSION, "run_1", "ask_1", "call_1", "res_1", {"own_text": [3]}, USER, "api", digest)])
    row = AuditRecord.objects.get()
    assert (row.run, row.request, row.tool_call, row.result) == ("run_1", "ask_1", "call_1", "res_1")
    assert (row.summary, row.actor_kind, row.actor_id, row.channel) == ({"own_text": [3]}, "user", USER.id, "api")
    assert bytes(row.digest).hex() == digest


@pytest.mark.django_db
def test_actor_channel_and_http_request_come_from_the_face_that_said_them() -> None:
    with acting(USER, "web", "req_1"), acting(AGENT, "system"):
        record([Entry("run_paused", SESSION)])
    row = AuditRecord.objects.get()
    assert (row.actor_kind, row.channel, row.http_request) == ("agent", "system", "req_1")


@pytest.mark.django_db
def test_a_record_that_nobody_claims_is_the_system_s() -> None:
    record([Entry("run_requeued", SESSION)])
    assert AuditRecord.objects.get().actor_kind == "system"


@pytest.mark.django_db
def test_an_actor_that_costs_a_query_is_asked_for_once() -> None:
    asked: list[Actor] = []

    def whoever_is_signed_in() -> Actor:
        asked.append(USER)
        return USER

    with acting(whoever_is_signed_in, "web"):
        record([Entry("run_started", SESSION), Entry("run_paused", SESSION)])
    assert len(asked) == 1
    assert set(AuditRecord.objects.values_list("actor_id", flat=True)) == {USER.id}


@pytest.mark.django_db
def test_time_never_goes_back_in_a_chain() -> None:
    future = datetime.now(UTC) + timedelta(hours=1)
    record([Entry("run_started", SESSION)])
    AuditChain.objects.filter(session=SESSION).update(at=future)
    record([Entry("run_paused", SESSION)])
    assert AuditRecord.objects.get(number=2).at == future


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 8, 60])
def test_three_statements_whatever_the_count(count: int) -> None:
    record([Entry("run_started", SESSION)])
    with CaptureQueriesContext(connection) as queries:
        record([Entry("interaction_aborted", SESSION)] * count)
    assert len(queries) == 3


@pytest.mark.django_db
def test_no_entries_no_statement() -> None:
    with CaptureQueriesContext(connection) as queries:
        record([])
    assert len(queries) == 0


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_can_be_written() -> None:
    with pytest.raises(NotInTransaction):
        record([Entry("sign_in")])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [Entry("sign_inn"), Entry("sign_in", summary={"colour": "red"}), Entry("sign_in", summary={"method": 1})]
)
def test_what_the_catalogue_does_not_declare_is_not_written_nor_what_came_with_it(wrong: Entry) -> None:
    with pytest.raises((UndeclaredKind, UndeclaredFact)), transaction.atomic():
        record([Entry("sign_in"), wrong])
    assert not AuditRecord.objects.exists()


@pytest.mark.django_db
def test_a_tool_call_id_is_kept_at_any_length() -> None:
    record([Entry("tool_result_written", SESSION, tool_call="c" * 5000)])
    assert AuditRecord.objects.get().tool_call == "c" * 5000


@pytest.mark.django_db
def test_h85_a_try_with_a_foreign_question_leaves_a_record() -> None:
    with acting(USER, "api"):
        record([Entry("submission_refused", SESSION, request="ask_1", summary={"reason": "foreign"})])
    row = AuditRecord.objects.get()
    assert (row.kind, row.request, row.summary, row.actor_id) == ("submission_refused", "ask_1", {"reason": "foreign"}, USER.id)
