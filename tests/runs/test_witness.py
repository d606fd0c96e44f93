"""What records tell of is there, and is as they tell it: rows altered or removed by hand are named."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.accounts.tokens import make_token
from apps.audit.context import acting
from apps.audit.models import AuditRecord
from apps.audit.verdict import audit_faults
from apps.audit.verify import Fault
from apps.chat.models import ChatSession, ToolResult
from apps.common.clock import wire_time
from apps.interactions.models import Interaction
from apps.runs import services
from apps.runs.records import chain_keys, evidence_of
from tests.factories.accounts import UserFactory
from tests.factories.chat import answer, let_expire, make_card
from tests.runs.test_evidence import check
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted
from tests.support.triggers import without_triggers


@pytest.fixture
def user(db: None) -> User:
    """Whose session it is."""
    return UserFactory.create(username="ada")


@pytest.fixture
def card(user: User) -> Interaction:
    """A question that was answered, with a token."""
    model = scripted(asks(ask_user()), DONE)
    with acting(actor_of(make_token(user, "laptop")[0]), "api"):
        card = make_card(user, model)
        answer(card)
    run_to_rest(card.run, model)
    return Interaction.objects.select_related("session__user", "call").get(pk=card.pk)


def record_of(card: Interaction, kind: str) -> AuditRecord:
    return AuditRecord.objects.get(kind=kind, request=card.public_id)


def checked(session: ChatSession) -> list[str]:
    return check(json.loads(json.dumps(evidence_of(session))), chain_keys(session.public_id))


def forge(sql: str, *values: Any) -> None:
    """Do what somebody with the database does; SQLite looks at keys when a transaction ends, which this one never does."""
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_the_record_of_an_end_holds_what_the_row_says(card: Interaction) -> None:
    told = record_of(card, "interaction_answered").summary
    assert (told["closed_at"], told["closed_by"], told["closed_through"]) == (
        wire_time(card.resolved_at), card.user.public_id, "api",
    )  # fmt: skip
    assert audit_faults() == []
    assert checked(card.session) == []


def other(card: Interaction) -> dict[str, dict[str, Any]]:
    return {
        "who": {"resolved_by": UserFactory.create(username="bob")},
        "nobody": {"resolved_by": None},
        "door": {"channel": "web"},
        "when": {"resolved_at": card.resolved_at + timedelta(microseconds=1)},
        "end": {"status": "cancelled"},
    }


@pytest.mark.parametrize("what", ["who", "nobody", "door", "when", "end"])
def test_an_end_that_was_altered_is_noticed(what: str, card: Interaction) -> None:
    Interaction.objects.filter(pk=card.pk).update(**other(card)[what])
    told = record_of(card, "interaction_answered")
    assert audit_faults() == audit_faults(card.session.public_id) == [Fault("end", card.session.public_id, told.number)]
    assert checked(card.session)[0] == f"end of {card.public_id}"


@pytest.mark.parametrize("other", [{"kind": "questions"}, {"mode": "form"}])
def test_a_question_of_another_kind_is_noticed(other: dict[str, str], card: Interaction) -> None:
    Interaction.objects.filter(pk=card.pk).update(**other)
    told = record_of(card, "interaction_requested")
    assert audit_faults() == [Fault("asked", card.session.public_id, told.number)]


def test_another_reason_of_an_end_is_noticed(card: Interaction, user: User) -> None:
    closed = make_card(user, scripted(asks(ask_user()), DONE))
    services.abort(user, closed.session.public_id)
    assert audit_faults() == []
    Interaction.objects.filter(pk__in=(card.pk, closed.pk)).update(reason="reply_in_chat")
    told = {record_of(card, "interaction_answered"), record_of(closed, "interaction_aborted")}
    assert set(audit_faults()) == {Fault("end", record.session, record.number) for record in told}


def test_a_question_that_was_opened_again_is_noticed(card: Interaction) -> None:
    Interaction.objects.filter(pk=card.pk).update(status="pending")
    assert [fault.problem for fault in audit_faults()] == ["end"]
    assert checked(card.session) == [f"end of {card.public_id}"]


def test_to_say_of_an_expired_question_that_somebody_closed_it_is_noticed(user: User) -> None:
    card = make_card(user, scripted(asks(ask_user()), DONE))
    let_expire(card)
    services.expire_due()
    assert audit_faults() == []
    assert checked(card.session) == []
    Interaction.objects.filter(pk=card.pk).update(resolved_by=user, channel="web")
    assert [fault.problem for fault in audit_faults()] == ["end"]
    assert checked(card.session) == [f"end of {card.public_id}"]


def test_the_door_of_a_question_that_was_closed_with_its_run_is_noticed(user: User) -> None:
    card = make_card(user, scripted(asks(ask_user()), DONE))
    services.abort(user, card.session.public_id)
    assert audit_faults() == []
    assert checked(card.session) == []
    Interaction.objects.filter(pk=card.pk).update(channel="cli")
    assert [fault.problem for fault in audit_faults()] == ["end"]


def test_an_owner_who_was_altered_is_noticed(card: Interaction) -> None:
    bob = UserFactory.create(username="bob")
    ChatSession.objects.filter(pk=card.session.pk).update(user=bob)
    assert audit_faults() == [Fault("owner", card.session.public_id, 1)]
    card.session.refresh_from_db()
    assert checked(card.session) == ["owner of the session"]


def test_a_question_that_was_given_to_another_is_noticed(card: Interaction) -> None:
    Interaction.objects.filter(pk=card.pk).update(user=UserFactory.create(username="bob"))
    told = record_of(card, "interaction_requested")
    assert audit_faults() == [Fault("owner", card.session.public_id, told.number)]


def test_records_of_the_time_before_are_believed_as_far_as_they_tell(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("answering", "closing"):
        monkeypatch.setattr(f"apps.runs.{module}.end_of", lambda row: {})
    card = make_card(user, scripted(asks(ask_user()), DONE))
    with acting(actor_of(user), "web"):
        answer(card)
    row = Interaction.objects.get(pk=card.pk)
    assert audit_faults() == []
    assert checked(card.session) == []
    for alteration in (other(row)["door"] | {"channel": "cli"}, {"resolved_by": UserFactory.create(username="eve")}):
        Interaction.objects.filter(pk=card.pk).update(resolved_by=user, channel="web")
        Interaction.objects.filter(pk=card.pk).update(**alteration)
        assert [fault.problem for fault in audit_faults()] == ["end"]


def test_a_question_that_was_removed_is_noticed_and_what_is_left_is_handed_out(card: Interaction) -> None:
    forge("DELETE FROM interactions_interaction WHERE id = %s", card.pk)
    told = record_of(card, "interaction_requested")
    assert audit_faults() == audit_faults(card.session.public_id) == [Fault("gone", card.session.public_id, told.number)]
    assert checked(card.session) == [f"no row: {card.public_id}"]
    evidence = evidence_of(card.session)
    assert evidence["verdict"]["faults"] == [str(Fault("gone", card.session.public_id, told.number))]
    assert sum('"missing":true' in frame for frame in evidence["stream"]) == 2


def test_a_result_that_was_removed_is_noticed_and_what_is_left_is_handed_out(card: Interaction) -> None:
    forge("DELETE FROM chat_toolresult WHERE call_id = %s", card.call.pk)
    told = AuditRecord.objects.get(kind="tool_result_written", run=card.run.public_id)
    assert audit_faults() == [Fault("gone", card.session.public_id, told.number)]
    assert "erased" not in evidence_of(card.session)["interactions"][0]["receipt"]
    assert checked(card.session) == [f"no row: result of {card.call.call_id}"]


def test_a_session_that_was_removed_without_a_record_is_noticed_and_one_that_was_deleted_is_no_fault(card: Interaction) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SAVEPOINT before")
        ChatSession.objects.filter(pk=card.session.pk).delete()
        assert [fault.problem for fault in audit_faults()] == ["gone"]
        cursor.execute("ROLLBACK TO SAVEPOINT before")
    services.delete_session(card.user, card.session.public_id)
    assert audit_faults() == []


def test_rows_are_looked_up_a_batch_at_a_time(
    card: Interaction, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    from apps.interactions.witness import belied

    with django_assert_num_queries(4):
        assert list(belied()) == []
    for _more in range(3):
        answer(make_card(card.user, scripted(asks(ask_user()), DONE)))
    with django_assert_num_queries(4):
        assert list(belied()) == []
    monkeypatch.setattr("apps.interactions.witness.ROWS_AT_ONCE", 1)
    ToolResult.objects.filter(call=card.call).delete()
    assert [fault.problem for fault in belied()] == ["gone"]
