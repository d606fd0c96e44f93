"""Show a session in the terminal: pieces of text while they come, everything else as it is stored, in that order."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.common.text import clean_shown
from apps.events import live
from apps.events.frames import wire_json
from apps.events.hints import session_topic, subscribe, text_topic
from apps.events.read import WireEvent, read_events
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.terminal import Terminal

PAUSE_SECONDS = 0.05
ENDS = frozenset({"run_completed", "run_failed", "run_cancelled"})


@dataclass
class _Begun:
    """A message of which the beginning has been shown."""

    id: str = ""
    generation: int = 0
    length: int = 0


class Shown:
    """What of a session has been shown."""

    def __init__(self, terminal: Terminal, session: int, seq: int = 0) -> None:
        """`session` is a key; what follows event number `seq` is shown."""
        self._terminal, self._session, self._seq = terminal, session, seq
        self._begun = _Begun()
        self._own = ""
        self._delegated: set[str] = set()

    def catch_up(self) -> None:
        """Show what has been stored since the last time."""
        while events := read_events(self._session, self._seq):
            self._show_all(events)

    async def follow(self, threads: DatabaseThreads) -> None:
        """Show what is new, as it comes, until cancelled; then `catch_up` shows the rest."""
        news = asyncio.Event()
        topics = (session_topic(self._session), text_topic(self._session))
        subscriptions = [subscribe(topic, lambda hint: news.set()) for topic in topics]
        try:
            while True:
                await news.wait()
                news.clear()
                await self._show_news(threads)
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            for subscription in subscriptions:
                subscription.cancel()

    async def _show_news(self, threads: DatabaseThreads) -> None:
        running = live.current(self._session)
        while events := await threads(read_events, self._session, self._seq):
            self._show_all(events)
        # A round that has begun while we read may follow events that are not shown yet: its own hint comes next.
        if running is not None and running is live.current(self._session):
            self._show_running(running)

    def _show_running(self, running: live.RunningText) -> None:
        if (running.message_id, running.generation) != (self._begun.id, self._begun.generation):
            self._end_line()
            self._begun = _Begun(running.message_id, running.generation)
        self._more(running.text)

    def _show_all(self, events: list[WireEvent]) -> None:
        for event in events:
            self._seq = event.seq
            if not self._is_delegated(event):
                self._show(event)

    def _is_delegated(self, event: WireEvent) -> bool:
        """Say whether the event is of a delegated run: one that began while another was at work."""
        run = str(event.data["runId"])
        if event.kind == "run_started":
            if self._own:
                self._delegated.add(run)
            else:
                self._own = run
        elif event.kind in ENDS and run == self._own:
            self._own = ""
        return run in self._delegated

    def _show(self, event: WireEvent) -> None:
        if event.kind == "message":
            self._show_message(event)
        elif event.kind == "plan_updated" and event.data["plan"]:
            self._terminal.say(_in_one_line(event.data["plan"]))
        elif event.kind == "tool_result" and event.data["isError"]:
            code = json.loads(event.data["content"] or "{}").get("code", "")
            self._terminal.say(f"· {event.data['name']}: {code}")
        elif event.kind == "run_failed":
            self._terminal.say(f"! {event.data['message']}")
        elif event.kind == "run_cancelled":
            self._terminal.say(_("Stopped."))

    def _show_message(self, event: WireEvent) -> None:
        if event.data["messageId"] != self._begun.id:
            self._end_line()
        self._more(event.data["text"] or "")
        self._end_line()

    def _more(self, text: str) -> None:
        shown = clean_shown(text)
        self._terminal.piece(shown[self._begun.length :])
        self._begun.length = len(shown)

    def _end_line(self) -> None:
        if self._begun.length:
            self._terminal.piece("\n")
        self._begun = _Begun()


_MARKS = {"open": "○", "current": "▸", "done": "✓", "failed": "✗", "dropped": "–"}


def _in_one_line(plan: Mapping[str, Any]) -> str:
    """Return how far a plan has come."""
    steps = "  ".join(f"{step['id']} {_MARKS[step['status']]}" for step in plan["steps"])
    name = _("Plan %(version)d") % plan
    return f"· {name}: {steps}"


class EventLines(Shown):
    """Writes the stored events of a session as NDJSON: one object a line, its type first."""

    def _show_running(self, running: live.RunningText) -> None:
        """Leave out what is not stored."""

    def _is_delegated(self, event: WireEvent) -> bool:
        """Say no of every event: all are written."""
        return False

    def _show(self, event: WireEvent) -> None:
        self._terminal.piece(wire_json({"type": event.kind, **event.data}) + "\n")
