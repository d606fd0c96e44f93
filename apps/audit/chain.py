"""How a record is signed: canonical JSON of its facts and the previous value, under the key of its chain."""

import hmac
import secrets
from datetime import datetime
from typing import Any, NamedTuple

from apps.audit.keys import chain_key
from apps.common.clock import wire_time
from apps.common.text import canonical_json


class Row(NamedTuple):
    """The columns of one record, in the order in which they are written and read."""

    session: str
    number: int
    at: datetime
    kind: str
    actor_kind: str
    actor_id: str
    channel: str
    run: str
    request: str
    tool_call: str
    result: str
    summary: dict[str, Any]
    digest: bytes
    http_request: str
    previous: bytes
    key_id: str
    value: bytes = b""


def as_bytes(kept: Any) -> bytes:
    """Return what a column of bytes holds. SQLite keeps whatever a forger puts there: text and numbers too."""
    return bytes(kept) if isinstance(kept, bytes | memoryview) else str(kept or "").encode()


def facts(row: Row) -> dict[str, Any]:
    """Return what is signed, under the names of the wire: with `value` beside it anybody can check it."""
    return {
        "sessionId": row.session,
        "number": row.number,
        "at": wire_time(row.at),
        "kind": row.kind,
        "actor": {"kind": row.actor_kind, "id": row.actor_id},
        "channel": row.channel,
        "runId": row.run,
        "requestId": row.request,
        "toolCallId": row.tool_call,
        "resultId": row.result,
        "summary": row.summary,
        "digest": as_bytes(row.digest).hex(),
        "httpRequestId": row.http_request,
        "previous": as_bytes(row.previous).hex(),
        "keyId": row.key_id,
    }


def own_value(row: Row) -> bytes:
    """Compute the value of a record (32 bytes). Raises UnknownAuditKey."""
    return hmac.digest(chain_key(row.session, row.key_id), canonical_json(facts(row)).encode(), "sha256")


def new_salt() -> str:
    """Return a salt (32 hex digits) to keep beside a text and to erase with it."""
    return secrets.token_hex(16)


def commitment(salt: str, text: str) -> str:
    """Return the digest (64 hex digits) that binds a record to a text without telling anything about it."""
    return hmac.digest(bytes.fromhex(salt), text.encode(), "sha256").hex()
