"""Whether texts that are kept elsewhere are still those that records are bound to."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import NamedTuple

from apps.audit.chain import commitment
from apps.audit.verify import Fault

ROWS_AT_ONCE = 500


class Bound(NamedTuple):
    """A text with its salt, the chain that speaks of it, and what finds its record there."""

    chain: str
    key: Hashable
    salt: str
    text: str


Told = Mapping[Hashable, tuple[int, bytes]]
"""What the audit holds: number and digest of a record, by key."""


def unbound(texts: Iterable[Bound], told: Callable[[Sequence[Bound]], Told]) -> Iterator[Fault]:
    """Name, of each chain, the first record whose text is no longer the one that it is bound to."""
    named: set[str] = set()
    for batch in batched(texts, ROWS_AT_ONCE):
        records = told(batch)
        for each in batch:
            number, digest = records.get(each.key, (0, b""))
            if each.chain not in named and digest and not _fits(each, digest):
                named.add(each.chain)
                yield Fault("unbound", each.chain, number)


def _fits(bound: Bound, digest: bytes) -> bool:
    try:
        return commitment(bound.salt, bound.text) == digest.hex()
    except ValueError:
        return False  # whoever alters a text may have put anything into the place of its salt
