"""Whether texts that are kept elsewhere are still those that records are bound to."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import NamedTuple

from apps.audit.chain import commitment
from apps.audit.verify import Fault

ROWS_AT_ONCE = 500


class Bound(NamedTuple):
    """A text with its salt, the chain that speaks of it, and what finds its record there.

    Of what was erased there is no text any more; its record is there still.
    """

    chain: str
    key: Hashable
    salt: str
    text: str | None


Told = Mapping[Hashable, tuple[int, bytes]]
"""What the audit holds: number and digest of a record, by key."""


def unbound(texts: Iterable[Bound], told: Callable[[Sequence[Bound]], Told]) -> Iterator[Fault]:
    """Name, of each chain, the first record whose text is no longer the one that it is bound to, or that is not there."""
    named: set[str] = set()
    for batch in batched(texts, ROWS_AT_ONCE):
        records = told(batch)
        for each in batch:
            if each.chain in named or _is_told(each, records):
                continue
            named.add(each.chain)
            yield Fault("unbound", each.chain, records[each.key][0]) if each.key in records else Fault("untold", each.chain)


def _is_told(bound: Bound, records: Told) -> bool:
    return bound.key in records and (bound.text is None or _fits(bound.salt, bound.text, records[bound.key][1]))


def _fits(salt: str, text: str, digest: bytes) -> bool:
    try:
        return not digest or commitment(salt, text) == digest.hex()
    except ValueError:
        return False  # whoever alters a text may have put anything into the place of its salt
