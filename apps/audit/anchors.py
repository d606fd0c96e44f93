"""Daily anchors: a signed digest of all chain heads that have moved, so that not even a chain's end can be put back.

An anchor's value goes to the log and into the chain "installation": kept outside, it binds everything before it.
"""

import hashlib
import hmac
import logging
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import batched
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, OuterRef, Subquery

from apps.audit.keys import INSTALLATION, UnknownAuditKey, chain_key, signing_key_id
from apps.audit.models import Anchor, AnchoredHead, AuditChain, AuditRecord
from apps.audit.verify import Fault
from apps.audit.write import Entry, record
from apps.common.clock import database_now, wire_time
from apps.common.text import canonical_json

HEADS_AT_ONCE = 500
# A transaction that was under way while an anchor was made may carry an earlier time.
_OVERLAP = timedelta(hours=1)
_CHAIN_OF_ANCHORS = "anchors"
logger = logging.getLogger(__name__)


class _Head(NamedTuple):
    session: str
    number: int
    value: bytes


def make_anchor() -> Anchor | None:
    """Make the anchor of this day (UTC) unless there is one; return it.

    Heads are kept a few hundred at a time, each batch in a transaction of its own, so that nobody waits long for the
    database; an anchor that was cut by a kill is finished by the next call, under its own day.
    """
    last = Anchor.objects.order_by("day").last()
    day = _unfinished(last) or database_now().astimezone(UTC).date()
    if last is not None and last.day >= day:
        return None
    for heads in batched(_moved(last, day), HEADS_AT_ONCE):
        AnchoredHead.objects.bulk_create([AnchoredHead(day=day, **head._asdict()) for head in heads])
    with transaction.atomic():
        anchor = _signed(day, last)
        anchor.save(force_insert=True)
        record([Entry("audit_anchored", summary={"records": anchor.heads}, digest=bytes(anchor.value).hex())])
    logger.info("audit anchor of %s: %s", day, bytes(anchor.value).hex())
    return anchor


def _unfinished(last: Anchor | None) -> date | None:
    """Return the day of an anchor of which only heads were kept."""
    newest = AnchoredHead.objects.order_by("day").last()
    return newest.day if newest is not None and (last is None or newest.day > last.day) else None


def _moved(last: Anchor | None, day: date) -> Iterator[_Head]:
    """Yield the heads that no anchor holds yet, read without a lock: each row is of one moment.

    A chain that this day's unfinished anchor holds already waits for the next one.
    """
    heads = AuditChain.objects.filter(number__gt=0)
    if last is not None:
        # Its day, not its time: an anchor that was cut and finished later left out what moved in between.
        heads = heads.filter(at__gte=datetime.combine(last.day, time(), UTC) - _OVERLAP)
    rows = heads.order_by("pk").values_list("session", "number", "value").iterator(chunk_size=HEADS_AT_ONCE)
    for batch in batched(rows, HEADS_AT_ONCE):
        held = AnchoredHead.objects.filter(session__in=[session for session, _number, _value in batch])
        newest = {s: (number, on) for s, number, on in held.values_list("session").annotate(Max("number"), Max("day"))}
        for session, number, value in batch:
            anchored, on = newest.get(session, (0, None))
            if number > anchored and on != day:
                yield _Head(session, number, bytes(value))


def _signed(day: date, last: Anchor | None) -> Anchor:
    heads, root = _digest(day)
    anchor = Anchor(
        day=day,
        at=database_now(),
        heads=heads,
        root=root,
        previous=b"" if last is None else bytes(last.value),
        key_id=signing_key_id(),
    )
    anchor.value = _own_value(anchor)
    return anchor


def _digest(day: date) -> tuple[int, bytes]:
    """Return the number and the SHA-256 of a day's heads: a line of canonical JSON for each, by session."""
    rows = AnchoredHead.objects.filter(day=day).order_by("session").values_list("session", "number", "value")
    count, digest = 0, hashlib.sha256()
    for session, number, value in rows.iterator(chunk_size=HEADS_AT_ONCE):
        digest.update(canonical_json([session or INSTALLATION, number, bytes(value).hex()]).encode() + b"\n")
        count += 1
    return count, digest.digest()


def anchor_facts(anchor: Anchor) -> dict[str, Any]:
    """Return what is signed of an anchor."""
    return {
        "day": anchor.day.isoformat(),
        "at": wire_time(anchor.at),
        "heads": anchor.heads,
        "root": bytes(anchor.root).hex(),
        "previous": bytes(anchor.previous).hex(),
        "keyId": anchor.key_id,
    }


def _own_value(anchor: Anchor) -> bytes:
    key = chain_key(_CHAIN_OF_ANCHORS, anchor.key_id)
    return hmac.digest(key, canonical_json(anchor_facts(anchor)).encode(), "sha256")


def anchors_of(session: str) -> list[dict[str, Any]]:
    """Return what the anchors hold of a chain: day, number and value of the record that was its last then."""
    held = AnchoredHead.objects.filter(session=session).order_by("day")
    return [{"day": row.day.isoformat(), "number": row.number, "value": bytes(row.value).hex()} for row in held]


# --- checking -------------------------------------------------------------------------------------


def anchor_faults(session: str | None = None) -> list[Fault]:
    """Check the anchors; return the first fault of each chain that is not as it was anchored ("": the installation's).

    With a session only what the anchors hold of it is looked at.
    """
    own = [] if session is not None else [*_altered_anchors(), *_missing_anchors()]
    return own + list(_not_as_anchored(session))


def _altered_anchors() -> Iterator[Fault]:
    previous = b""
    for anchor in Anchor.objects.order_by("day").iterator(chunk_size=HEADS_AT_ONCE):
        if not _is_sound(anchor, previous):
            yield Fault("anchor_altered", f"anchor {anchor.day}")
        previous = bytes(anchor.value)


def _is_sound(anchor: Anchor, previous: bytes) -> bool:
    try:
        signed = _own_value(anchor) == bytes(anchor.value)
    except UnknownAuditKey:
        return False
    return signed and bytes(anchor.previous) == previous and _digest(anchor.day) == (anchor.heads, bytes(anchor.root))


def _missing_anchors() -> Iterator[Fault]:
    """Yield the anchors that the chain "installation" tells of and that are gone."""
    told = AuditRecord.objects.filter(kind="audit_anchored").order_by("at", "id").values_list("at", "digest")
    there = {bytes(value) for value in Anchor.objects.values_list("value", flat=True)}
    yield from (Fault("anchor_missing", f"anchor {at.date()}") for at, digest in told if bytes(digest) not in there)


def _not_as_anchored(session: str | None) -> Iterator[Fault]:
    record_then = AuditRecord.objects.filter(session=OuterRef("session"), number=OuterRef("number"))
    held = AnchoredHead.objects.order_by("session", "number")
    if session is not None:
        held = held.filter(session=session)
    rows = held.values_list("session", "number", "value", Subquery(record_then.values("value")[:1]))
    return _first_of_each((s, n) for s, n, value, now in rows.iterator(chunk_size=HEADS_AT_ONCE) if not _equal(value, now))


def _equal(value: bytes, now: bytes | None) -> bool:
    return now is not None and bytes(value) == bytes(now)


def _first_of_each(found: Iterable[tuple[str, int]]) -> Iterator[Fault]:
    named = None
    for session, number in found:
        if session != named:
            named = session
            yield Fault("not_as_anchored", session or INSTALLATION, number)
