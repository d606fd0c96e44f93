"""By which terms a text is found."""

import pytest

from apps.toolkit.sources.terms import MAX_QUERY_TERMS, terms_of_query, terms_of_text


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Pump, 24 months", ["the", "pump", "24", "months"]),
        ("don't x_1 a-b", ["don", "t", "x", "1", "a", "b"]),
        ("ＰＵＭＰ Straße", ["pump", "strasse"]),
        ("面积", ["面", "积", "面积"]),
        ("求导数 of f", ["求", "导", "数", "求导", "导数", "of", "f"]),
        ("a面b", ["a", "面", "b"]),
        ("…—!", []),
    ],
)
def test_words_of_a_text_are_lower_case_and_unspaced_scripts_are_pairs_and_single_characters(text: str, terms: list[str]) -> None:
    assert terms_of_text(text) == terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [("面积", ["面积"]), ("面", ["面"]), ("三角形", ["三角", "角形"]), ("pump Pump", ["pump"]), ("?", [])],
)
def test_a_query_looks_for_pairs_where_there_are_two_characters(query: str, terms: list[str]) -> None:
    assert terms_of_query(query) == terms


def test_a_query_looks_for_so_many_terms_and_no_more() -> None:
    assert len(terms_of_query(" ".join(map(str, range(1000))))) == MAX_QUERY_TERMS


def test_no_term_holds_what_an_index_would_split() -> None:
    everything = " ".join(map(chr, [*range(0x20, 0xD800), *range(0x20000, 0x20100)]))
    assert all(char.isalnum() or not char.isascii() for term in terms_of_text(everything) for char in term)
