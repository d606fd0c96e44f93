"""Whether texts that are kept elsewhere are still those that records are bound to."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import batched
from typing import NamedTuple

from apps.audit.chain import commitment
from apps.audit.models import AuditRecord
from apps.audit.verify import Fault

ROWS_AT_ONCE = 500


class Bound(NamedTuple):
    """A text with its salt, the chain that speaks of it, and what finds its record there.

    Of what was erased there is no text any more; its record is there still. A row that is not there is named by who looks
    from the records to the rows.
    """

    chain: str
    key: Hashable
    salt: str
    text: str | None
    is_there: bool = True


Told = Mapping[Hashable, tuple[int, bytes]]
"""What the audit holds: number and digest of a record, by key."""


def unbound(texts: Iterable[Bound], told: Callable[[Sequence[Bound]], Told]) -> Iterator[Fault]:
    """Name, of each chain, the first record whose text is no longer the one that it is bound to, or that is not there."""
    named: set[str] = set()
    erasures = _Erasures()
    for batch in batched(texts, ROWS_AT_ONCE):
        records = told(batch)
        for each in batch:
            if each.chain not in named and (fault := _fault(each, records, erasures)):
                named.add(each.chain)
                yield fault


def _fault(bound: Bound, records: Told, erasures: "_Erasures") -> Fault | None:
    if bound.key not in records:
        return Fault("untold", bound.chain)
    number, digest = records[bound.key]
    if not bound.is_there:
        return None
    if bound.text is None:
        return None if bound.chain in erasures.chains else Fault("untold_erasure", bound.chain, number)
    return None if _fits(bound.salt, bound.text, digest) else Fault("unbound", bound.chain, number)


class _Erasures:
    """The chains that tell of an erasure."""

    @cached_property
    def chains(self) -> frozenset[str]:
        return frozenset(AuditRecord.objects.filter(kind="data_erased").values_list("session", flat=True).iterator())


def _fits(salt: str, text: str, digest: bytes) -> bool:
    try:
        return not digest or commitment(salt, text) == digest.hex()
    except ValueError:
        return False  # whoever alters a text may have put anything into the place of its salt
