"""Checking names the first record that is not as it was written."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.audit.triggers import remove_triggers
from apps.audit.verify import Fault, verify_chains
from apps.audit.write import Entry, record
from tests.support.triggers import without_triggers

A, B = "sess_" + "a" * 32, "sess_" + "b" * 32
RECORDS, HEADS = "audit_auditrecord", "audit_auditchain"


@pytest.fixture(autouse=True)
def chains(db: None) -> None:
    """Five records in each of two sessions, one without a session."""
    for session in (A, B):
        record([Entry("run_started", session), Entry("run_paused", session)])
        record([Entry("run_resumed", session), Entry("run_paused", session), Entry("run_cancelled", session)])
    record([Entry("sign_in")])


def tamper(*statements: str) -> None:
    with without_triggers(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def swapped(one: int, other: int) -> list[str]:
    where = f"session = '{A}' AND number ="
    moves = [(one, 99), (other, one), (99, other)]
    return [f"UPDATE {RECORDS} SET number = {new} WHERE {where} {old}" for old, new in moves]


IN_A = f"session = '{A}'"
TAMPERINGS: list[tuple[str, list[str], Fault]] = [
    ("a column", [f"UPDATE {RECORDS} SET kind = 'run_failed' WHERE {IN_A} AND number = 3"], Fault("altered", A, 3)),
    ("the summary", [f"UPDATE {RECORDS} SET summary = '{{\"pending\": 2}}' WHERE {IN_A} AND number = 2"], Fault("altered", A, 2)),
    ("the actor", [f"UPDATE {RECORDS} SET actor_id = 'user_2' WHERE {IN_A} AND number = 1"], Fault("altered", A, 1)),
    ("one removed", [f"DELETE FROM {RECORDS} WHERE {IN_A} AND number = 2"], Fault("missing", A, 2)),
    ("the first removed", [f"DELETE FROM {RECORDS} WHERE {IN_A} AND number = 1"], Fault("missing", A, 1)),
    ("removed, rest moved up", [f"DELETE FROM {RECORDS} WHERE {IN_A} AND number = 4",
                                f"UPDATE {RECORDS} SET number = 4 WHERE {IN_A} AND number = 5"], Fault("reordered", A, 4)),
    ("two exchanged", swapped(2, 3), Fault("reordered", A, 2)),
    ("the end cut", [f"DELETE FROM {RECORDS} WHERE {IN_A} AND number > 3"], Fault("cut", A, 4)),
    ("all removed", [f"DELETE FROM {RECORDS} WHERE {IN_A}"], Fault("cut", A, 1)),
    ("the end cut, head moved", [f"DELETE FROM {RECORDS} WHERE {IN_A} AND number = 5",
                                 f"UPDATE {HEADS} SET number = 4 WHERE {IN_A}"], Fault("head_altered", A, 4)),
    ("head put back", [f"UPDATE {HEADS} SET number = 3 WHERE {IN_A}"], Fault("beyond_head", A, 4)),
    ("head removed", [f"DELETE FROM {HEADS} WHERE {IN_A}"], Fault("no_head", A, 1)),
    ("records given to another session", [f"UPDATE {RECORDS} SET session = 'sess_c' WHERE {IN_A}",
                                          f"UPDATE {HEADS} SET session = 'sess_c' WHERE {IN_A}"], Fault("altered", "sess_c", 1)),
    ("another key named", [f"UPDATE {RECORDS} SET key_id = 'ffffffff' WHERE {IN_A} AND number = 1"], Fault("unknown_key", A, 1)),
    ("a value that is text", [f"UPDATE {RECORDS} SET value = 'text' WHERE {IN_A} AND number = 2"], Fault("altered", A, 2)),
    ("a digest that is text", [f"UPDATE {RECORDS} SET digest = 'text' WHERE {IN_A} AND number = 2"], Fault("altered", A, 2)),
    ("a head that is text", [f"UPDATE {HEADS} SET value = 'text' WHERE {IN_A}"], Fault("head_altered", A, 5)),
    ("installation", [f"UPDATE {RECORDS} SET channel = 'api' WHERE session = ''"], Fault("altered", "installation", 1)),
]  # fmt: skip


def test_untouched_chains_are_sound() -> None:
    assert verify_chains() == []


@pytest.mark.parametrize(("statements", "fault"), [case[1:] for case in TAMPERINGS], ids=[case[0] for case in TAMPERINGS])
def test_the_first_bad_record_is_named(statements: list[str], fault: Fault) -> None:
    tamper(*statements)
    assert verify_chains() == [fault]


def test_each_bad_chain_is_named_once() -> None:
    tamper(f"UPDATE {RECORDS} SET kind = 'run_failed' WHERE number > 1")
    assert [(fault.chain, fault.number) for fault in verify_chains()] == [(A, 2), (B, 2)]


def test_one_chain_can_be_checked_alone() -> None:
    tamper(f"DELETE FROM {RECORDS} WHERE {IN_A} AND number = 2")
    assert verify_chains(B) == []
    assert verify_chains(A) == [Fault("missing", A, 2)]


def test_a_dropped_trigger_is_noticed() -> None:
    remove_triggers()
    faults = verify_chains()
    assert {fault.problem for fault in faults} == {"no_trigger"}
    assert "audit_auditrecord_no_update" in {fault.trigger for fault in faults}


def test_a_deleted_session_leaves_a_chain_that_can_be_checked() -> None:
    record([Entry("session_deleted", A)])
    assert verify_chains(A) == []


@pytest.fixture
def audit_verify() -> Callable[..., str]:
    """Run the command as a process would, without its process."""

    def run(*arguments: str) -> str:
        output = io.StringIO()
        call_command("audit_verify", *arguments, stdout=output, skip_checks=True)
        return output.getvalue()

    return run


def test_the_command_says_that_all_is_well(audit_verify: Callable[..., str]) -> None:
    assert "sound" in audit_verify()
    assert "sound" in audit_verify("--session", "installation")


def test_the_command_fails_and_names_the_record(audit_verify: Callable[..., str]) -> None:
    tamper(f"UPDATE {RECORDS} SET kind = 'run_failed' WHERE {IN_A} AND number = 3")
    with pytest.raises(CommandError, match=f"altered: {A} record 3") as failure:
        audit_verify("--session", A)
    assert failure.value.returncode == 1


def test_the_command_gives_no_verdict_on_a_chain_that_there_is_not(audit_verify: Callable[..., str]) -> None:
    with pytest.raises(CommandError, match="no chain of this name: sess_mistyped"):
        audit_verify("--session", "sess_mistyped")


def test_a_session_without_records_has_nothing_wrong(audit_verify: Callable[..., Any]) -> None:
    assert verify_chains("sess_unknown") == []
