"""Handraise as a peer of the pause/resume benchmarks beside this project.

The benchmarks' scripted brain stands where a model would; everything else is the product: services, claims, the
loop, SQLite in WAL with synchronous=FULL, events, audit records and every index.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
ROUNDS = 50
QUESTIONS_A_RUN = 20


def _set_up(folder: str) -> None:
    os.environ["HANDRAISE_DATA_DIR"] = folder
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sys.path.insert(0, str(PROJECT))
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


class Brain:
    """The benchmarks' script as a model: it sees how many tool results the run has so far."""

    name = "brain"

    def __init__(self, probe: Any) -> None:
        self._probe = probe
        self.before_run = 0

    async def stream(self, request: Any) -> AsyncIterator[Any]:
        """Yield the script's next turn."""
        from apps.agent.messages import ToolCall, Turn

        done = sum(message["role"] == "tool" for message in request.messages)
        reply = self._probe.model(done)
        calls = tuple(ToolCall(ident, *_as_ask(name, arguments)) for name, arguments, ident in reply["calls"])
        yield Turn(reply["text"], calls)


def _as_ask(name: str, arguments: dict[str, Any]) -> tuple[str, str]:
    if name != "ask":
        return name, json.dumps(arguments)
    return "ask_user", json.dumps({"title": arguments["question"], "mode": "text"})


class HandraisePeer:
    """The coroutines of the benchmarks' Peer."""

    packages = ("django",)

    def __init__(self, variant: str, folder: str, probe: Any, **_: Any) -> None:
        self.folder, self.probe = folder, probe
        self.sessions: dict[str, str] = {}

    async def setup(self) -> None:
        """Make the database and a user."""
        await asyncio.to_thread(_set_up, self.folder)
        from apps.runs.dispatch.ownership import Owner
        from apps.runs.dispatch.threads import DatabaseThreads

        self.threads, self.owner, self.model = DatabaseThreads(), Owner(), Brain(self.probe)
        self.user = await self.threads(_user, "u1")

    async def start(self, sid: str, user: str, text: str) -> dict[str, Any]:
        """Start a run and drive it to its first rest."""
        from apps.runs import services

        started = await self.threads(services.start_run, self.user, services.NewRun(text, config={"max_rounds": ROUNDS}))
        self.sessions[sid] = started.session.public_id
        return await self._drive(started.run.pk)

    async def _drive(self, run: int) -> dict[str, Any]:
        from apps.runs import segments
        from apps.runs.execution import execute

        claimed = await self.threads(segments.claim, run, self.owner.name)
        assert claimed is not None
        step = await execute(claimed, self.model, self.threads)
        asking = type(step).__name__ == "Ask"
        return {"status": "paused" if asking else "done", "call_id": step.calls[0].id if asking else None}

    async def resume(self, sid: str, answer: str) -> dict[str, Any]:
        """Answer the open question and drive the run to its next rest."""
        run = await self.threads(_answer, self.user, self.sessions[sid], answer)
        return await self._drive(run)

    async def pending(self, user: str) -> list[tuple[str, str]]:
        """List what waits for the user."""
        return await self.threads(_pending, self.user)

    async def waiting(self, sid: str) -> bool:
        """Say whether the session waits for its user."""
        return bool(await self.threads(_pending, self.user))

    async def close(self) -> None:
        """Close the database."""
        self.threads.close()
        self.owner.release()


def _user(name: str) -> Any:
    from apps.accounts.models import User

    return User.objects.get_or_create(username=name)[0]


def _answer(user: Any, session: str, answer: str) -> int:
    from apps.audit.context import Actor, acting
    from apps.interactions.submissions import Submission
    from apps.runs import services

    # A client has the question's id from the event; the bench hands over the answer alone.
    row = _waiting(user, session)
    body = json.dumps({"sessionId": session, "requestId": row.public_id, "customInput": answer})
    with acting(Actor("user", user.public_id), "api"):
        services.answer(user, session, row.public_id, Submission(custom_input=answer), body)
    return row.run_id


def _waiting(user: Any, session: str) -> Any:
    from apps.interactions.models import Interaction

    rows = Interaction.objects.filter(user=user, status="pending", session__public_id=session)
    return rows.only("public_id", "run_id").get()


def _pending(user: Any) -> list[tuple[str, str]]:
    from apps.runs.selectors import pending_of

    return [(row.session.public_id, row.call.call_id) for row in pending_of(user)]


def make(name: str, folder: str, probe: Any, make_other: Callable[..., Any], **options: Any) -> Any:
    """Return this peer for the names that begin with handraise, else the benchmarks' own."""
    family, _, variant = name.partition("-")
    return HandraisePeer(variant, folder, probe) if family == "handraise" else make_other(name, folder, probe, **options)
