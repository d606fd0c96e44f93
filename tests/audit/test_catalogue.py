"""Every kind is declared once, and nothing but codes, counts, flags and positions fits in."""

from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from apps.audit.catalogue import KINDS, UndeclaredFact, check, describe
from apps.audit.fields import FIELDS, as_code, is_code
from apps.audit.models import AuditRecord

COLUMNS = {field.name for field in AuditRecord._meta.get_fields()}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_each_kind_uses_declared_fields_and_fits_its_column(name: str) -> None:
    kind = KINDS[name]
    assert kind.fields <= FIELDS.keys()
    assert kind.personal <= kind.fields | COLUMNS
    assert len(name) <= 30


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_kind_has_a_sentence_for_people(language: str) -> None:
    with translation.override(language):
        assert all(describe(name, {}) and "%" not in describe(name, {}) for name in KINDS)


def test_a_sentence_names_its_facts() -> None:
    assert describe("run_failed", {"code": "context_too_long"}) == "The run failed (context_too_long)."


@pytest.mark.parametrize("text", ["token sk-test-1234567890", "只在周一", "two words", "x" * 81, "line\nbreak"])
def test_h75_free_text_is_no_fact_and_is_not_quoted_by_the_refusal(text: str) -> None:
    with pytest.raises(UndeclaredFact) as refusal:
        check("interaction_answered", {"mode": text})
    assert text not in str(refusal.value)


@pytest.mark.parametrize("value", [1.5, None, {"a": 1}, ["two words"], [[True]], b"x"])
@pytest.mark.parametrize("name", sorted(FIELDS))
def test_no_field_takes_a_float_a_mapping_or_words(name: str, value: Any) -> None:
    assert not FIELDS[name](value)


@given(st.text())
def test_a_made_up_name_becomes_a_code(text: str) -> None:
    assert is_code(as_code(text))
