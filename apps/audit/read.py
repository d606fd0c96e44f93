"""Read a chain as it is shown to whoever checks it: the signed facts of each record, with its value."""

from collections.abc import Iterator
from typing import Any

from apps.audit.chain import Row, as_bytes, facts
from apps.audit.models import AuditRecord

_ROWS_A_CHUNK = 500


def trail(session: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a session's chain, first to last, under the names of the wire ("": the installation's).

    `value` is the HMAC-SHA256, under `apps.audit.keys.chain_key`, of the canonical JSON of everything else.
    """
    columns = AuditRecord.objects.filter(session=session).order_by("number").values_list(*Row._fields)
    for row in map(Row._make, columns.iterator(chunk_size=_ROWS_A_CHUNK)):
        yield facts(row) | {"value": as_bytes(row.value).hex()}
