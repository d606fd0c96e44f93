"""What the audit binds of questions and answers, so that nobody can give an answer another meaning afterwards."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from apps.audit import binding, verdict
from apps.audit.binding import Bound, Told
from apps.audit.chain import as_bytes, commitment
from apps.audit.models import AuditRecord
from apps.audit.verify import Fault
from apps.common.text import canonical_json
from apps.interactions.approvals import KIND
from apps.interactions.events import is_answer_erased, is_result_gone
from apps.interactions.models import Interaction

_REQUESTED = "interaction_requested"


def asked_words(row: Interaction) -> dict[str, Any]:
    """Return the words of a question as they are stored, of an approval with its call's arguments; empty once erased."""
    words: dict[str, Any] = row.payload
    return words | {"arguments": row.call.arguments} if words and row.kind == KIND else words


def question_digest(row: Interaction) -> str:
    """Return the digest that binds the record of a question to its words, under the salt that lies beside them."""
    return commitment(row.salt, canonical_json(asked_words(row)))


def unbound(session: str | None = None) -> Iterable[Fault]:
    """Name, of each session, the first record of a question or answer whose words are no longer those it is bound to.

    Of each question there is a record, and one of how it ended: whoever cuts the trail would have to cut these as well.
    """
    return binding.unbound(_texts(session), _told)


def _texts(session: str | None) -> Iterator[Bound]:
    rows = Interaction.objects.select_related("session", "call__result").order_by("pk")
    if session is not None:
        rows = rows.filter(session__public_id=session)
    for row in rows.iterator(chunk_size=binding.ROWS_AT_ONCE):
        chain, has_words = row.session.public_id, bool(row.payload) and not _is_let_go(row)
        asked = canonical_json(asked_words(row)) if has_words else None
        yield Bound(chain, (row.public_id, _REQUESTED), row.salt, asked)
        if row.status != Interaction.Status.PENDING:
            answer = None if _is_let_go(row) else _answer(row)
            yield Bound(chain, (row.public_id, f"interaction_{row.status}"), row.salt, answer, not is_result_gone(row))


def _told(texts: Sequence[Bound]) -> Told:
    asked = {key[0] for _chain, key, *_text in texts if isinstance(key, tuple)}
    # SQLite uses the partial index if the query repeats its condition; one on the kind would lead it through all of a kind.
    records = AuditRecord.objects.filter(request__gt="", request__in=asked).values_list("request", "kind", "number", "digest")
    return {(request, kind): (number, as_bytes(digest)) for request, kind, number, digest in records}


def _is_let_go(row: Interaction) -> bool:
    """Say whether the salt has gone with an answer that was erased. Where there is no erasure, a missing salt hides nothing."""
    return not row.salt and is_answer_erased(row)


def _answer(row: Interaction) -> str | None:
    """Return what an answer is bound by: the decision on a call that was allowed, else the result that the model received."""
    result = getattr(row.call, "result", None)
    return row.decision or (None if result is None or result.erased else result.content)


verdict.register(unbound)
