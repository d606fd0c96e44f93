"""What the audit binds of questions and answers, so that nobody can give an answer another meaning afterwards."""

from collections.abc import Iterator, Mapping
from itertools import batched
from typing import Any

from apps.audit import verdict
from apps.audit.chain import commitment
from apps.audit.models import AuditRecord
from apps.audit.verify import Fault
from apps.common.text import canonical_json
from apps.interactions.approvals import KIND
from apps.interactions.models import Interaction

ROWS_AT_ONCE = 500
_Told = Mapping[tuple[str, str], tuple[int, bytes]]


def asked_words(row: Interaction) -> dict[str, Any]:
    """Return the words of a question as they are stored, of an approval with its call's arguments; empty once erased."""
    words: dict[str, Any] = row.payload
    return words | {"arguments": row.call.arguments} if words and row.kind == KIND else words


def question_digest(row: Interaction) -> str:
    """Return the digest that binds the record of a question to its words, under the salt that lies beside them."""
    return commitment(row.salt, canonical_json(asked_words(row)))


def unbound(session: str | None = None) -> Iterator[Fault]:
    """Name, of each session, the first record of a question or answer whose words are no longer those it is bound to."""
    rows = Interaction.objects.exclude(salt="").select_related("session", "call__result").order_by("pk")
    if session is not None:
        rows = rows.filter(session__public_id=session)
    named: set[str] = set()
    for batch in batched(rows.iterator(chunk_size=ROWS_AT_ONCE), ROWS_AT_ONCE):
        told = _told(batch)
        for row in batch:
            chain = row.session.public_id
            if chain not in named and (number := _first_unbound(row, told)):
                named.add(chain)
                yield Fault("unbound", chain, number)


def _told(rows: tuple[Interaction, ...]) -> _Told:
    """Return what the audit holds of these questions: number and digest by question and kind."""
    kinds = ("interaction_requested", "interaction_answered")
    records = AuditRecord.objects.filter(request__gt="", request__in=[row.public_id for row in rows], kind__in=kinds)
    columns = records.values_list("request", "kind", "number", "digest")
    return {(request, kind): (number, bytes(digest)) for request, kind, number, digest in columns}


def _first_unbound(row: Interaction, told: _Told) -> int:
    for kind, words in (("interaction_requested", _question(row)), ("interaction_answered", _answer(row))):
        number, digest = told.get((row.public_id, kind), (0, b""))
        if digest and words and bytes.fromhex(commitment(row.salt, words)) != digest:
            return number
    return 0


def _question(row: Interaction) -> str:
    return canonical_json(asked_words(row)) if row.payload else ""


def _answer(row: Interaction) -> str:
    """Return what an answer is bound by: the decision on a call that was allowed, else the result that the model received."""
    result = getattr(row.call, "result", None)
    return row.decision or ("" if result is None or result.erased else result.content)


verdict.register(unbound)
