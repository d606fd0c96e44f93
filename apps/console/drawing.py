"""Small pieces of the lists: links, times, names. Everything that is shown is escaped."""

from datetime import UTC, datetime

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

_PLACES = {
    "session": "chat_chatsession",
    "run": "chat_run",
    "interaction": "interactions_interaction",
    "record": "audit_auditrecord",
    "user": "accounts_user",
}
_SHORT = 13


def address(kind: str, reference: str, page: str = "change") -> str:
    """Return the address of a page of a session, run, interaction, record or user."""
    return reverse(f"admin:{_PLACES[kind]}_{page}", args=(reference,))


def link(kind: str, reference: str, text: str = "") -> SafeString | str:
    """Return a link to such a page; nothing for an empty reference."""
    if not reference:
        return ""
    return format_html('<a href="{}">{}</a>', address(kind, reference), text or reference)


def short(reference: str) -> str:
    """Return the beginning of an id: enough to tell the rows of a list apart."""
    return reference if len(reference) <= _SHORT else f"{reference[:_SHORT]}…"


def short_link(kind: str, reference: str) -> SafeString | str:
    """Return a link that shows only the beginning of the id."""
    return link(kind, reference, short(reference))


def moment(value: datetime | None) -> SafeString | str:
    """Return a moment in UTC, to the millisecond; the element holds it to the microsecond."""
    if value is None:
        return ""
    utc = value.astimezone(UTC)
    shown = f"{utc:%Y-%m-%d %H:%M:%S}.{utc.microsecond // 1000:03d}"
    return format_html('<time datetime="{}">{}</time>', utc.isoformat(), shown)


def status(value: str, words: str) -> SafeString:
    """Return a status in words as a label."""
    return format_html('<span class="code code-{}">{}</span>', value, words)
