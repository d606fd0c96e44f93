"""Values, keys and commitments."""

import hmac
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.audit.chain import Row, commitment, facts, new_salt, own_value
from apps.audit.keys import UnknownAuditKey, chain_key, signing_key_id

ROW = Row("sess_1", 2, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "run_paused", "agent", "", "system", "run_1", "", "", "",
          {"pending": 1}, b"", "req_1", b"\x01" * 32, "")  # fmt: skip
OTHER: dict[str, Any] = {
    "session": "sess_2", "number": 3, "at": datetime(2026, 1, 2, 3, 4, 5, 1, tzinfo=UTC), "kind": "run_failed",
    "actor_kind": "user", "actor_id": "user_1", "channel": "web", "run": "run_2", "request": "ask_1", "tool_call": "c",
    "result": "r", "summary": {"pending": 2}, "digest": b"d", "http_request": "req_2", "previous": b"",
}  # fmt: skip


@pytest.fixture
def row() -> Row:
    return ROW._replace(key_id=signing_key_id())


@pytest.mark.parametrize("column", sorted(OTHER))
def test_a_change_in_any_column_changes_the_value(row: Row, column: str) -> None:
    assert own_value(row._replace(**{column: OTHER[column]})) != own_value(row)


def test_the_facts_and_the_chain_s_key_are_enough_to_check_a_record(row: Row) -> None:
    text = json.dumps(facts(row), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hmac.new(chain_key("sess_1", row.key_id), text.encode(), "sha256").digest() == own_value(row)


def test_each_chain_has_a_key_of_its_own() -> None:
    assert chain_key("sess_1", signing_key_id()) != chain_key("sess_2", signing_key_id())


def test_an_old_key_after_the_new_one_still_checks(settings: Any, row: Row) -> None:
    value, settings.AUDIT_KEY = own_value(row), f"new-key, {settings.AUDIT_KEY}"
    assert own_value(row) == value
    assert signing_key_id() != row.key_id


def test_a_key_that_is_not_here_is_named_by_its_id(settings: Any, row: Row) -> None:
    settings.AUDIT_KEY = "another"
    with pytest.raises(UnknownAuditKey, match=row.key_id):
        own_value(row)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_commitment_binds_text_and_salt(text: str) -> None:
    salt = new_salt()
    assert commitment(salt, text) == commitment(salt, text) != commitment(new_salt(), text)
    assert commitment(salt, text) != commitment(salt, text + " ")
