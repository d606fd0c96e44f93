"""Anchors: not even the end of a chain can be taken back, once a day has passed over it."""

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, connection, transaction

from apps.audit import anchors
from apps.audit.anchors import anchor_faults, anchors_of, make_anchor
from apps.audit.models import Anchor, AnchoredHead, AuditChain, AuditRecord, HistoryIsNeverEdited
from apps.audit.verdict import audit_faults
from apps.audit.verify import Fault, verify_chains
from apps.audit.write import Entry, record
from apps.common.clock import database_now
from tests.support.triggers import without_triggers

A, B = "sess_" + "a" * 32, "sess_" + "b" * 32


@pytest.fixture(autouse=True)
def chains(db: None) -> None:
    """Two sessions with three records each."""
    for session in (A, B):
        record([Entry("run_started", session), Entry("run_paused", session), Entry("run_resumed", session)])


Clock = Callable[[int], None]


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return what moves the clock of the anchors so many days ahead."""

    def move(days: int) -> None:
        monkeypatch.setattr(anchors, "database_now", lambda: database_now() + timedelta(days=days))

    return move


def tamper(*statements: str) -> None:
    with without_triggers(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def made() -> Anchor:
    """Make the anchor of the day."""
    anchor = make_anchor()
    assert anchor is not None
    return anchor


def test_an_anchor_holds_the_heads_of_all_chains() -> None:
    anchor = made()
    assert anchor.heads == 2
    held = AnchoredHead.objects.order_by("session").values_list("session", "number")
    assert list(held) == [(A, 3), (B, 3)]
    assert audit_faults() == []


def test_a_day_has_one_anchor() -> None:
    made()
    record([Entry("run_paused", A)])
    assert make_anchor() is None
    assert Anchor.objects.count() == 1


def test_the_next_day_holds_what_has_moved_since(day: Clock) -> None:
    made()
    record([Entry("run_paused", A)])
    day(1)
    assert made().heads == 2  # A, and the chain "installation", in which the first anchor stands
    assert anchors_of(A)[-1]["number"] == 4
    assert len(anchors_of(B)) == 1
    assert audit_faults() == []


def test_each_anchor_is_signed_over_the_one_before(day: Clock) -> None:
    first = made()
    day(1)
    second = made()
    assert bytes(second.previous) == bytes(first.value)
    assert bytes(first.previous) == b""


def test_an_anchor_is_told_to_the_log_and_to_the_chain_installation(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        anchor = made()
    value = bytes(anchor.value).hex()
    assert value in caplog.text
    told = AuditRecord.objects.get(kind="audit_anchored")
    assert (told.session, bytes(told.digest).hex(), told.summary) == ("", value, {"records": 2})


# A cut whose head was put back looks sound from inside: this is what anchors are for.
_HEAD_BACK = (
    f"UPDATE audit_auditchain SET number = 2, value = (SELECT value FROM audit_auditrecord WHERE session = '{A}' AND number = 2) "
    f"WHERE session = '{A}'"
)
CUT = [f"DELETE FROM audit_auditrecord WHERE session = '{A}' AND number = 3", _HEAD_BACK]


def test_a_cut_end_with_the_head_put_back_is_noticed_by_the_anchor_alone() -> None:
    made()
    tamper(*CUT)
    assert verify_chains() == []
    assert audit_faults() == [Fault("not_as_anchored", A, 3)]
    assert audit_faults(A) == [Fault("not_as_anchored", A, 3)]
    assert audit_faults(B) == []


def test_a_chain_written_anew_after_its_anchor_is_noticed() -> None:
    made()
    tamper(*CUT)
    record([Entry("run_cancelled", A)])
    assert verify_chains() == []
    assert audit_faults() == [Fault("not_as_anchored", A, 3)]


TAMPERINGS: list[tuple[str, list[str], str]] = [
    ("a value", ["UPDATE audit_anchor SET value = previous"], "anchor_altered"),
    ("a count", ["UPDATE audit_anchor SET heads = 1"], "anchor_altered"),
    ("a head removed", [f"DELETE FROM audit_anchoredhead WHERE session = '{A}'"], "anchor_altered"),
    ("a head changed", [f"UPDATE audit_anchoredhead SET number = 2 WHERE session = '{A}'"], "anchor_altered"),
    ("another key named", ["UPDATE audit_anchor SET key_id = 'ffffffff'"], "anchor_altered"),
    ("the anchor removed", ["DELETE FROM audit_anchor", "DELETE FROM audit_anchoredhead"], "anchor_missing"),
]


@pytest.mark.parametrize(("statements", "problem"), [case[1:] for case in TAMPERINGS], ids=[case[0] for case in TAMPERINGS])
def test_an_altered_or_removed_anchor_is_noticed(statements: list[str], problem: str) -> None:
    anchor = made()
    tamper(*statements)
    faults = audit_faults()
    assert (faults[0].problem, faults[0].chain) == (problem, f"anchor {anchor.day}")
    assert str(faults[0]).endswith(f"anchor {anchor.day}")


def test_of_the_anchors_of_two_days_the_altered_one_is_named(day: Clock) -> None:
    made()
    day(1)
    second = made()
    tamper(f"UPDATE audit_anchor SET heads = 7 WHERE day = '{second.day}'")
    assert anchor_faults() == [Fault("anchor_altered", f"anchor {second.day}")]


def test_a_chain_with_a_fault_of_its_own_is_named_once() -> None:
    made()
    tamper(f"DELETE FROM audit_auditrecord WHERE session = '{A}' AND number = 3")
    assert audit_faults() == [Fault("cut", A, 3)]


def test_an_anchor_that_was_cut_by_a_kill_is_finished_by_the_next_call(monkeypatch: pytest.MonkeyPatch, day: Clock) -> None:
    def killed(*args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(anchors, "_signed", killed)
        with pytest.raises(KeyboardInterrupt):
            make_anchor()
    assert (AnchoredHead.objects.count(), Anchor.objects.count()) == (2, 0)
    began = AnchoredHead.objects.first()
    record([Entry("run_paused", A)])
    day(1)
    finished = made()
    assert began
    assert finished.day == began.day
    assert made().day > finished.day
    assert audit_faults() == []
    assert [held["number"] for held in anchors_of(A)] == [3, 4]


def test_chains_are_read_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors, "HEADS_AT_ONCE", 3)
    for number in range(10):
        record([Entry("run_started", f"sess_{number:032x}")])
    assert made().heads == 12
    assert audit_faults() == []


def test_old_anchors_are_checked_with_the_old_key(settings: Any) -> None:
    old = settings.AUDIT_KEY
    made()
    settings.AUDIT_KEY = f"another-key,{old}"
    assert audit_faults() == []
    settings.AUDIT_KEY = "another-key"
    assert any(fault.problem == "anchor_altered" for fault in audit_faults())


STATEMENTS = [
    "UPDATE audit_anchor SET heads = 0",
    "DELETE FROM audit_anchor",
    "UPDATE audit_anchoredhead SET number = 9",
    "DELETE FROM audit_anchoredhead",
]
IN_DIALECT = {
    "sqlite": [f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}" for table in ("audit_anchor", "audit_anchoredhead")],
    "postgresql": ["TRUNCATE audit_anchor", "TRUNCATE audit_anchoredhead"],
}


def test_h73_the_database_refuses_to_change_or_remove_anchors() -> None:
    made()
    for statement in STATEMENTS + IN_DIALECT[connection.vendor]:
        with pytest.raises(Error, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    for rows in (Anchor.objects, AnchoredHead.objects):
        with pytest.raises(HistoryIsNeverEdited):
            rows.all().delete()


def test_the_command_names_what_an_anchor_holds_and_the_chain_does_not() -> None:
    made()
    tamper(*CUT)
    with pytest.raises(CommandError, match=f"not there as it was anchored: {A} record 3"):
        call_command("audit_verify", stdout=io.StringIO(), skip_checks=True)


def test_a_chain_that_does_not_move_costs_no_row(day: Clock) -> None:
    made()
    for days in (1, 2, 3):
        day(days)
        made()
    assert len(anchors_of(A)) == 1
    assert AuditChain.objects.count() == 3
