"""Ids, times, texts, checks: what every layer leans on."""

from datetime import UTC, datetime

import pytest
from django.core.checks import run_checks
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from apps.common.clock import database_now, wire_time
from apps.common.ids import new_id
from apps.common.text import canonical_json, clean_shown, clean_stored, compact_json, is_blank, is_storable


def test_ids_have_their_prefix_and_128_random_bits() -> None:
    made = {new_id("ask") for _ in range(1000)}
    assert len(made) == 1000
    assert all(len(each) == len("ask_") + 32 for each in made)


def test_times_on_the_wire_are_utc_with_microseconds() -> None:
    assert wire_time(datetime(2026, 3, 1, 1, 2, 3, tzinfo=UTC)) == "2026-03-01T01:02:03.000000Z"
    assert wire_time(None) is None


@pytest.mark.django_db
def test_the_databases_clock_is_in_utc() -> None:
    assert abs((database_now() - datetime.now(UTC)).total_seconds()) < 60


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("Ab\u202ecd\x07ef\u200bgh", "Abcdefgh"),
        ("👩\u200d👩\u200d👦 home", "👩\u200d👩\u200d👦 home"),
        ("a\u200db", "ab"),
        ("B\x00C", "BC"),
        ("one\rtwo\r\nthree\tfour", "one\ntwo\nthree\tfour"),
        ("❤️\u200d🔥", "❤️\u200d🔥"),
    ],
)
def test_hidden_characters_are_removed_and_emoji_stay_whole(given_text: str, shown: str) -> None:
    assert clean_shown(given_text) == shown


@given(st.text())
def test_cleaned_text_is_storable_and_stays_clean(text: str) -> None:
    once = clean_shown(text)
    assert is_storable(once)
    assert clean_shown(once) == once
    assert is_storable(clean_stored(text))


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\u200b", "\u2060\ufeff", "\u3164", "\u0301"])
def test_invisible_text_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "。", "é", "0", "👍", "\u200ba"])
def test_visible_text_is_not_blank(text: str) -> None:
    assert not is_blank(text)


def test_json_is_written_without_escapes_and_refuses_what_is_no_json() -> None:
    assert compact_json({"b": "完了 ✅", "a": 1}) == '{"b":"完了 ✅","a":1}'
    assert canonical_json({"b": 1, "a": 2}) == '{"a":2,"b":1}'
    with pytest.raises(ValueError, match="JSON compliant"):
        compact_json(float("nan"))


@pytest.mark.django_db
def test_a_sqlite_database_that_would_lose_answers_is_refused(settings: object) -> None:
    if connection.vendor != "sqlite":
        assert not [c for c in run_checks(tags=["database"], databases=["default"]) if c.id == "handraise.E001"]
        return
    assert not [c for c in run_checks(tags=["database"], databases=["default"]) if (c.id or "").startswith("handraise.E")]
    options = connection.settings_dict["OPTIONS"]
    options["transaction_mode"] = None
    try:
        found = [c.id for c in run_checks(tags=["database"], databases=["default"])]
    finally:
        options["transaction_mode"] = "IMMEDIATE"
    assert "handraise.E001" in found
