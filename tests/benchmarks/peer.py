"""Handraise as a peer of the pause/resume benchmarks beside this project (run_peers.py puts it there).

The benchmarks' scripted brain stands where a model would; everything else is the product: services, claims, the loop,
SQLite in WAL with synchronous=FULL, events, audit records and every index.
"""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from functools import cache
from typing import Any

MAX_ROUNDS = 50
QUESTIONS_A_RUN = 20
NEXT_RUN = "That was a run's share of questions; the next run goes on."


def set_up(folder: str) -> None:
    """Configure Django on a data folder and make its tables."""
    os.environ["HANDRAISE_DATA_DIR"] = folder
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    # The benchmark counts results in the request, so earlier runs must not be left out of a long one.
    os.environ["HANDRAISE_CONTEXT_CHARS"] = "100000000"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    connection.close()


class Brain:
    """The benchmarks' script as a model: it sees how many tool results there are so far."""

    name = "brain"

    def __init__(self, probe: Any, questions_a_run: int) -> None:
        self._probe, self._questions_a_run = probe, questions_a_run

    async def stream(self, request: Any) -> AsyncGenerator[Any]:
        """Yield the script's next turn; end a run that has put its share of questions."""
        from apps.agent.messages import ToolCall, Turn

        roles = [message["role"] for message in request.messages]
        if roles[::-1].index("user") >= 2 * self._questions_a_run:
            yield Turn(NEXT_RUN)
            return
        reply = self._probe.model(roles.count("tool"))
        calls = tuple(ToolCall(ident, *_as_tool(name, arguments)) for name, arguments, ident in reply["calls"])
        yield Turn(reply["text"], calls)


def _as_tool(name: str, arguments: dict[str, Any]) -> tuple[str, str]:
    if name != "ask":
        return name, json.dumps(arguments)
    return "ask_user", json.dumps({"title": arguments["question"], "mode": "text"})


class HandraisePeer:
    """The coroutines of the benchmarks' Peer."""

    packages = ("django",)

    def __init__(self, variant: str, folder: str, probe: Any, **_: Any) -> None:
        self.folder, self.probe = folder, probe
        self.sessions: dict[str, str] = {}
        self.users: dict[str, Any] = {}

    async def setup(self) -> None:
        """Make the database."""
        await asyncio.to_thread(set_up, self.folder)
        from apps.runs.dispatch.ownership import Owner
        from apps.runs.dispatch.threads import DatabaseThreads

        self.threads, self.owner, self.model = DatabaseThreads(), Owner(), Brain(self.probe, QUESTIONS_A_RUN)

    async def start(self, sid: str, user: str, text: str) -> dict[str, Any]:
        """Start a run and drive it to its first rest."""
        if user not in self.users:
            self.users[user] = await self.threads(_user, user)
        run = await self.threads(_start, self.users[user], "", text)
        self.sessions[sid] = run.session.public_id
        return await self._drive(run)

    async def resume(self, sid: str, answer: str) -> dict[str, Any]:
        """Answer the open question and drive the run to its next rest."""
        return await self._drive(await self.threads(_answer, self.sessions.get(sid, sid), answer))

    async def _drive(self, run: Any) -> dict[str, Any]:
        from apps.runs import segments
        from apps.runs.execution import execute

        claimed = await self.threads(segments.claim, run.pk, self.owner.name)
        assert claimed is not None
        step: Any = await execute(claimed, self.model, self.threads)
        if type(step).__name__ == "Ask":
            return {"status": "paused", "call_id": step.calls[0].id}
        if step.text == NEXT_RUN:
            return await self._drive(await self.threads(_start_next, claimed.run.session))
        return {"status": "done", "call_id": None}

    async def pending(self, user: str) -> list[tuple[str, str]]:
        """List what waits for the user: the query of the inbox and the API."""
        return await self.threads(_pending, user)

    async def waiting(self, sid: str) -> bool:
        """Say whether the session waits for its user."""
        return await self.threads(_waits, self.sessions[sid])

    async def chat(self, text: str) -> None:
        """Run the pure loop once, without storage."""
        await self.loop(text)

    async def loop(self, text: str) -> None:
        """Run the pure loop without storage, with its own limits out of the way."""
        from apps.agent.capabilities import Limits
        from apps.agent.messages import UserMessage
        from apps.agent.state import RunState
        from apps.agent.tools import Toolbox
        from tests.support.loop import Counting, PlainCapability, play

        noop = Counting("noop", idempotent=True)
        limits = Limits(max_rounds=10_000, context_chars=10**9)
        state = RunState(PlainCapability(noop), Toolbox({"noop": noop}), "Be plain.", limits=limits)
        await play(state.add_all([UserMessage(text)]), Brain(self.probe, 10**9), _Nothing())  # type: ignore[arg-type]

    async def close(self) -> None:
        """Close the database."""
        self.threads.close()
        self.owner.release()


class _Nothing:
    """A journal that keeps nothing."""

    async def commit(self, entries: Any, following: Any) -> None:
        """Keep nothing."""

    def begin_text(self, prefix: str) -> None:
        """Show nothing."""

    more_text = begin_text

    def restart_text(self) -> None:
        """Show nothing."""

    def new_call_id(self) -> str:
        """Return a fresh id."""
        from apps.common.ids import new_id

        return new_id("call")


def _user(name: str) -> Any:
    from apps.accounts.models import User

    return User.objects.get_or_create(username=name)[0]


def _start_next(session: Any) -> Any:
    return _start(session.user, session.public_id, "go on")


def _start(user: Any, session: str, text: str) -> Any:
    from apps.runs import services

    new = services.NewRun(text, session_id=session, config={"max_rounds": MAX_ROUNDS})
    return services.start_run(user, new).run


def _answer(session: str, answer: str) -> Any:
    from apps.audit.context import Actor, acting
    from apps.interactions.submissions import Submission
    from apps.runs import services

    # A client has the question's id from the event; the benchmark hands over the answer alone.
    row = _open_of_session().first(session=session)
    body = json.dumps({"sessionId": session, "requestId": row.public_id, "customInput": answer})
    with acting(Actor("user", row.user.public_id), "api"):
        return services.answer(row.user, session, row.public_id, Submission(custom_input=answer), body).interaction.run


@cache
def _open_of_session() -> Any:
    from django.db.models import CharField

    from apps.common.prepared import Prepared, bound
    from apps.interactions.models import Interaction

    of_session = {"session__public_id": bound("session", CharField()), "status": "pending"}
    return Prepared(lambda: Interaction.objects.filter(**of_session).select_related("user"))


def _open(session: str) -> Any:
    from apps.interactions.models import Interaction

    return Interaction.objects.filter(session__public_id=session, status="pending")


def _waits(session: str) -> bool:
    return bool(_open(session).exists())


def _pending(user: str) -> list[tuple[str, str]]:
    from apps.accounts.models import User
    from apps.runs.selectors import pending_of

    rows = pending_of(User.objects.get(username=user))
    return [(row.session.public_id, row.call.call_id) for row in rows]
