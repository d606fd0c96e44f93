"""What each query of the set finds, with the index and without."""

from collections.abc import Mapping, Sequence

from apps.toolkit.models import Source
from apps.toolkit.sources.ranking import Candidate, Scope, ranked
from apps.toolkit.sources.selectors import look_for, parts_by_key
from apps.toolkit.sources.terms import terms_of_query
from tests.benchmarks.retrieval.corpus import QUERIES

BEST = 5
Orders = Mapping[str, Sequence[str]]


def orders_of(sources: Sequence[Source]) -> Orders:
    """Return for each query the names of what is found, the best first."""
    return {query: [part.source.name for part in parts_by_key(look_for(query, sources).best(BEST))] for query, _ in QUERIES}


def orders_without_index(sources: Sequence[Source]) -> Orders:
    """Return the same, found by looking at every part: what any index must come to."""
    parts = [part for source in sources for part in source.parts.all()]
    names = {part.pk: part.source.name for part in parts}
    scope = Scope(len(parts), sum(part.word_count for part in parts))
    orders = {}
    for query, _ in QUERIES:
        terms = terms_of_query(query)
        holding = [Candidate(p.pk, p.words, p.word_count) for p in parts if set(terms) & set(p.words.split(" "))]
        orders[query] = [names[key] for key in ranked(terms, holding, scope)[:BEST]]
    return orders


def recall(orders: Orders) -> float:
    """Return the share of queries whose document is among the best."""
    return sum(wanted in orders[query] for query, wanted in QUERIES) / len(QUERIES)
