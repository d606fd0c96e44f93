"""Idempotency keys: the same POST sent twice has its effect once.

The row is written in the transaction of the effect, so a crash leaves both or neither, and no key is ever stuck.
While the first request is at work, a second one with the same key
- on PostgreSQL fails to take the key's advisory lock, which ends with the first one's transaction, and is told so;
- on SQLite waits for the first one's transaction, as every writer does, and then finds its row.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from apps.accounts.digests import keyed_digest
from apps.accounts.models import IdempotencyKey, User
from apps.common.clock import database_now
from apps.common.errors import HandraiseError

KEPT = timedelta(hours=24)
_VISIBLE_ASCII = re.compile(r"[\x21-\x7e]{1,255}")


class InvalidIdempotencyKey(HandraiseError):
    """The key is empty, too long or not visible ASCII."""

    code = "invalid_idempotency_key"


class IdempotencyMismatch(HandraiseError):
    """The key was used for another body."""

    code = "idempotency_mismatch"


class IdempotencyInProgress(HandraiseError):
    """The first request with this key is still at work."""

    code = "idempotency_in_progress"


@dataclass(frozen=True, slots=True)
class Stored:
    """What the first request did: the HTTP status of its answer, and the ids from which to build it again."""

    status: int
    ids: Mapping[str, Any]


@dataclass(slots=True)
class Slot:
    """The place of one key. Either `stored` is there, or the effect is to be done and then remembered."""

    stored: Stored | None = None
    draft: IdempotencyKey | None = None

    def remember(self, status: int, ids: Mapping[str, Any]) -> None:
        """Keep the answer of the effect just done, in its transaction; without a key do nothing."""
        if self.draft is not None:
            self.draft.status, self.draft.ids = status, dict(ids)
            self.draft.save(force_insert=True)


@contextmanager
def idempotent(user: User, method: str, path: str, key: str | None, body: bytes) -> Iterator[Slot]:
    """Open the transaction of the effect and yield the slot of its key; without a key neither is opened.

    A HandraiseError leaves the block after what was done before it is committed: a refusal may itself record
    something (a late answer commits the expiry), and is not kept under the key. Any other exception undoes everything.

    Raises InvalidIdempotencyKey, IdempotencyMismatch, IdempotencyInProgress.
    """
    if key is None:
        yield Slot()
        return
    if not _VISIBLE_ASCII.fullmatch(key):
        raise InvalidIdempotencyKey(_("An Idempotency-Key has 1 to 255 visible ASCII characters."))
    refusal: HandraiseError | None = None
    with transaction.atomic():
        slot = _claim(user, method, path, key, keyed_digest("idempotency.body", body))
        try:
            yield slot
        except HandraiseError as error:
            refusal = error
    if refusal is not None:
        raise refusal


def _claim(user: User, method: str, path: str, key: str, body_digest: str) -> Slot:
    """Find what the key did, or make ready to remember it."""
    _lock("\0".join((str(user.pk), method, path, key)))
    mine, now = {"user": user, "method": method, "path": path, "key": key}, database_now()
    IdempotencyKey.objects.filter(**mine, created_at__lte=now - KEPT).delete()
    row = IdempotencyKey.objects.filter(**mine).first()
    if row is None:
        return Slot(draft=IdempotencyKey(**mine, body_digest=body_digest, created_at=now))
    if row.body_digest != body_digest:
        raise IdempotencyMismatch(_("This Idempotency-Key was used with another body."))
    return Slot(Stored(row.status, row.ids))


def _lock(name: str) -> None:
    """Take the lock of one key to the end of the transaction, or raise IdempotencyInProgress at once."""
    if connection.vendor != "postgresql":
        return
    number = int(keyed_digest("idempotency.lock", name.encode())[:15], 16)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        if not cursor.fetchone()[0]:
            raise IdempotencyInProgress(_("The first request with this Idempotency-Key is still at work."))


def purge_idempotency_keys() -> int:
    """Remove the keys older than 24 hours; return how many."""
    return IdempotencyKey.objects.filter(created_at__lte=database_now() - KEPT).delete()[0]
