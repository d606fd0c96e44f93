"""The seal of an evidence document: nothing in it can be altered, added or cut by anybody who lacks the key of its chain."""

import hmac
from collections.abc import Mapping
from typing import Any

from apps.audit.keys import chain_key, signing_key_id
from apps.common.text import canonical_json

SEAL = "seal"


def sealed(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with a seal over everything else that stands in it; a seal that it has is replaced."""
    document = {key: value for key, value in evidence.items() if key != SEAL}
    key_id = signing_key_id()
    key = chain_key(document["session"]["sessionId"], key_id)
    value = hmac.digest(key, canonical_json(document).encode(), "sha256").hex()
    return document | {SEAL: {"keyId": key_id, "value": value}}
