"""What the audit binds of tool results: what a model was told stays what it was told."""

from collections.abc import Iterable, Iterator, Sequence

from apps.audit import binding, verdict
from apps.audit.binding import Bound, Told
from apps.audit.chain import as_bytes, commitment
from apps.audit.models import AuditRecord
from apps.audit.verify import Fault
from apps.chat.models import ToolResult

RECORD, ANSWERED = "tool_result_written", "interaction_answered"


def result_digest(row: ToolResult) -> str:
    """Return the digest that binds the record of a result to its content, under the salt that lies beside it."""
    return commitment(row.salt, row.content)


def unbound(session: str | None = None) -> Iterable[Fault]:
    """Name, of each session, the first record of a result whose content is no longer the one it is bound to.

    Of each result there is a record, whatever has become of its content.
    """
    return binding.unbound(_texts(session), _told)


def _texts(session: str | None) -> Iterator[Bound]:
    rows = ToolResult.objects.select_related("call__run__session").order_by("pk")
    if session is not None:
        rows = rows.filter(call__run__session__public_id=session)
    for row in rows.iterator(chunk_size=binding.ROWS_AT_ONCE):
        run = row.call.run
        # By what is erased, not by what has no salt: to take the salt away must hide nothing.
        yield Bound(run.session.public_id, (run.public_id, row.call.call_id), row.salt, None if row.erased else row.content)


def _told(texts: Sequence[Bound]) -> Told:
    runs = {key[0] for _chain, key, *_text in texts if isinstance(key, tuple)}
    # SQLite uses the partial index if the query repeats its condition; one on the kind would lead it through all of a kind.
    rows = AuditRecord.objects.filter(run__gt="", run__in=runs).values_list("kind", "run", "tool_call", "number", "digest")
    records = [(kind, (run, call), number, as_bytes(digest)) for kind, run, call, number, digest in rows]
    # Before results had salts of their own, that of an answer had the answer's digest, which is checked with the answer.
    answers = {(key, digest) for kind, key, _number, digest in records if kind == ANSWERED}
    own = [(key, number, b"" if (key, digest) in answers else digest) for kind, key, number, digest in records if kind == RECORD]
    return {key: (number, digest) for key, number, digest in own}


verdict.register(unbound)
