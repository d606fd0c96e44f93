"""What is found: on our own set, on every database the same, and within the attachments that are looked through."""

import pytest

from apps.chat.models import ChatSession
from apps.runs import services
from apps.toolkit.models import Source
from apps.toolkit.sources.ranking import Candidate, Scope, ranked
from apps.toolkit.sources.selectors import look_for, parts_by_key
from tests.benchmarks.retrieval.corpus import DOCUMENTS, QUERIES
from tests.benchmarks.retrieval.orders import orders_of, orders_without_index, recall
from tests.factories.sources import make_source


@pytest.fixture
def sources(session: ChatSession) -> list[Source]:
    """An attachment for each document of the set, among those of other sessions."""
    others = services.make_session(session.user)
    found = []
    for name, text in DOCUMENTS.items():
        make_source(others, text, name=f"other {name}")
        found.append(make_source(session, text, name=name))
    return found


def texts(query: str, *sources: Source) -> list[str]:
    return [part.text for part in parts_by_key(look_for(query, sources).best(5))]


def test_the_set_is_large_enough_and_a_third_of_its_queries_are_two_chinese_characters() -> None:
    assert min(len(DOCUMENTS), len(QUERIES)) >= 40
    assert 3 * sum(len(query) == 2 for query, _ in QUERIES) >= len(QUERIES)
    assert {wanted for _, wanted in QUERIES} <= set(DOCUMENTS)


def test_nine_of_ten_queries_find_their_document_among_the_best_five(sources: list[Source]) -> None:
    assert recall(orders_of(sources)) >= 0.9


def test_the_index_of_this_database_finds_exactly_what_looking_at_every_part_finds(sources: list[Source]) -> None:
    assert orders_of(sources) == orders_without_index(sources)


@pytest.mark.parametrize("query", ["面积", "积", "ＰＵＭＰ", "straße", "𠮷野", "24", "don't"])
def test_every_script_is_found_by_its_words(session: ChatSession, query: str) -> None:
    source = make_source(session, f"before {query} after", "something else")
    assert texts(query, source)[0] == f"before {query} after"


def test_nothing_of_other_attachments_is_found(session: ChatSession) -> None:
    mine, other = make_source(session, "The pump is green."), make_source(session, "The pump is blue.")
    assert texts("pump", mine) == ["The pump is green."]
    assert texts("pump", mine, other) == ["The pump is green.", "The pump is blue."]
    assert texts("pump") == texts("", mine) == texts("zebra", mine) == []


def test_what_is_typed_into_a_query_is_never_a_command_to_the_database(session: ChatSession) -> None:
    source = make_source(session, "The pump is green.")
    for query in ('pump" OR "x', "pump NEAR(x)", "words:pump", "pump*", "pump & !x", "pump'; --", "{pump}", "pump\\"):
        assert texts(query, source) == ["The pump is green."]


def test_rare_words_say_more_than_frequent_ones_and_short_parts_more_than_long_ones() -> None:
    candidates = [
        Candidate(1, "the", 20),
        Candidate(2, "the zebra", 20),
        Candidate(3, "the", 10),
        Candidate(4, "zebra", 30),
        Candidate(5, "the", 20),
    ]
    assert ranked(["the", "zebra"], candidates, Scope(parts=6, words=120)) == [2, 4, 3, 1, 5]
