"""What the record of a question's end holds of the row: who closed it, through which door, and when."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.models import User
from apps.common.clock import wire_time
from apps.interactions.models import Interaction


def end_of(row: Interaction) -> dict[str, str]:
    """Return the facts of a closed question that its record repeats; those that are empty are left out.

    The record's own actor, door and time are not enough: a token stands for its user, a question that is closed with
    its run has nobody, and the chain reads its clock later.
    """
    closer: User | None = row.resolved_by
    told = {
        "closed_at": wire_time(row.resolved_at) or "",
        "closed_by": closer.public_id if closer else "",
        "closed_through": row.channel,
    }
    return {name: value for name, value in told.items() if value}


def is_asked_as_told(row: Interaction, summary: Mapping[str, Any]) -> bool:
    """Say whether a question is of the kind and the mode of which a record tells."""
    return all(summary.get(name, now) == now for name, now in (("kind", row.kind), ("mode", row.mode)))


def has_ended_as_told(row: Interaction, summary: Mapping[str, Any], actor: tuple[str, str], channel: str) -> bool:
    """Say whether a row's end is the one that its record tells of.

    A record of the time before these facts stood in it is believed as far as its actor and its door say something.
    """
    now = end_of(row)
    if row.reason != summary.get("reason", row.reason if row.status == Interaction.Status.EXPIRED else ""):
        return False
    if "closed_at" in summary:
        return {name: value for name, value in summary.items() if name.startswith("closed_")} == now
    kind, ident = actor
    if kind not in ("user", "token"):
        return True
    is_other = kind == "user" and now.get("closed_by", ident) != ident
    return not is_other and now.get("closed_through", channel) == channel
