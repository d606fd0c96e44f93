"""The keys of the chains: one secret of the installation, one derived key for each chain."""

import hmac
import re
from functools import lru_cache

from django.conf import settings

INSTALLATION = "installation"


class UnknownAuditKey(LookupError):
    """A record names a key that this installation does not hold: add the old key after the present one."""


@lru_cache(maxsize=8)
def _keys(configured: str) -> dict[str, bytes]:
    """Return the keys of a configured text by their ids, the signing one first."""
    secrets = [part.encode() for part in re.split(r"[\s,]+", configured) if part]
    return {hmac.digest(secret, b"handraise audit key id", "sha256").hex()[:8]: secret for secret in secrets}


def signing_key_id() -> str:
    """Return the id of the key that signs new records: the first of AUDIT_KEY.

    Old keys may follow it, separated by commas or white space; they only check what they once signed.
    """
    return next(iter(_keys(settings.AUDIT_KEY)))


def chain_key(session: str, key_id: str) -> bytes:
    """Return the key of one chain (32 bytes): enough to check that chain, and no other.

    Its holder could forge that chain as well. Raises UnknownAuditKey.
    """
    secret = _keys(settings.AUDIT_KEY).get(key_id)
    if secret is None:
        raise UnknownAuditKey(key_id)
    return hmac.digest(secret, (session or INSTALLATION).encode(), "sha256")
