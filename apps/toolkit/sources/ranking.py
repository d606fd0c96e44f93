"""BM25, computed here and not in the database: the same texts come in the same order on every database."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75
"""k1 and b, at their usual values."""


class Candidate(NamedTuple):
    """A part that holds at least one term: its key, its terms with spaces between them, and how many they are."""

    key: int
    words: str
    word_count: int


@dataclass(frozen=True, slots=True)
class Scope:
    """All parts that were looked through, whether they hold a term or not."""

    parts: int
    words: int


def ranked(terms: Sequence[str], candidates: Iterable[Candidate], scope: Scope) -> list[int]:
    """Return the keys of the candidates, the best first; equals in the order of their keys."""
    wanted = set(terms)
    counted = [(each, Counter(word for word in each.words.split(" ") if word in wanted)) for each in candidates]
    holding = Counter(term for _each, counts in counted for term in counts)
    weights = {term: math.log(1 + (scope.parts - count + 0.5) / (count + 0.5)) for term, count in holding.items()}
    average = scope.words / scope.parts if scope.parts else 1.0
    scores = {each.key: _score(terms, counts, weights, each.word_count / average) for each, counts in counted}
    return sorted(scores, key=lambda key: (-scores[key], key))


def _score(terms: Sequence[str], counts: Counter[str], weights: dict[str, float], length: float) -> float:
    """Add up what each term says; always in the order of the query, so that equal sums are equal to the last bit."""
    damping = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
    return sum(weights[term] * counts[term] * (_SATURATION + 1) / (counts[term] + damping) for term in terms if counts[term])
