"""What one transaction has to tell: its events and its audit records, each written with one bulk insert."""

from typing import Any

from apps.audit.write import Entry, record
from apps.chat.binding import RECORD, result_digest
from apps.chat.models import ChatSession, Run, ToolResult
from apps.events.hints import announce, user_topic
from apps.events.log import NewEvent, append

_FOR_LISTS = ("user_input_", "run_completed", "run_failed", "run_cancelled")
"""What changes the lists of the session's user: questions come and go, runs end."""


class Chronicle:
    """Collect the events and audit records of one transaction of a session; `write` is its last act.

    The order of locks is run, interaction, event counter, audit head: nothing is locked after `write`.
    """

    def __init__(self, session: ChatSession, run: Run | None = None) -> None:
        self.session, self.run = session, run
        self.events: list[NewEvent] = []
        self.records: list[Entry] = []

    def event(self, kind: str, subject: int | None = None, /, **facts: Any) -> None:
        """Add an event; `subject` is the key of the row that owns its text."""
        self.events.append(NewEvent(kind, self.run.pk if self.run else None, subject, facts or None))

    def audit(self, kind: str, /, *, request: str = "", tool_call: str = "", digest: str = "", **summary: Any) -> None:
        """Add an audit record; `summary` holds no text of people."""
        self.records.append(
            Entry(
                kind,
                session=self.session.public_id,
                run=self.run.public_id if self.run else "",
                request=request,
                tool_call=tool_call,
                digest=digest,
                summary=summary,
            )
        )

    def audit_result(self, call_id: str, row: ToolResult, request: str = "") -> None:
        """Add the record of a tool result, which is bound to its content."""
        facts = {"code": row.code} if row.code else {}
        self.audit(RECORD, request=request, tool_call=call_id, digest=result_digest(row), **facts)

    def write(self) -> int:
        """Append everything; return the number of the first event (0: there is none)."""
        first = append(self.session.pk, self.events) if self.events else 0
        if any(event.kind.startswith(_FOR_LISTS) for event in self.events):
            announce(user_topic(self.session.user_id), self.session.public_id)
        if self.records:
            record(self.records)
        return first
