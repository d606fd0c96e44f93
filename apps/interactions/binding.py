"""What the audit binds of a question: its words, so that nobody can give an answer another meaning afterwards."""

from typing import Any

from apps.audit.chain import commitment
from apps.common.text import canonical_json
from apps.interactions.approvals import KIND
from apps.interactions.models import Interaction


def asked_words(row: Interaction) -> dict[str, Any]:
    """Return the words of a question as they are stored, of an approval with its call's arguments; empty once erased."""
    words: dict[str, Any] = row.payload
    return words | {"arguments": row.call.arguments} if words and row.kind == KIND else words


def question_digest(row: Interaction) -> str:
    """Return the digest that binds the record of a question to its words, under the salt that lies beside them."""
    return commitment(row.salt, canonical_json(asked_words(row)))
