"""Drive runs inside a test's own transaction: the worker's loop runs beside, its database work on the test's thread."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any, cast

from asgiref.sync import async_to_sync, sync_to_async

from apps.agent.model import Model
from apps.chat.models import Run
from apps.providers.scripted import ScriptedModel
from apps.runs import segments
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.execution import execute

DONE = {"text": "All done."}


class _TestThread:
    """Stands for the runner's database threads."""

    async def __call__[**P, T](self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the function on the thread of the test, in its transaction."""
        return await sync_to_async(function)(*args, **kwargs)


def run_to_rest(run: Run, model: Model) -> Run:
    """Claim the queued run and drive it until it rests; return it as it stands then."""
    claimed = segments.claim(run.pk, "worker-test")
    assert claimed is not None, f"the run is {run.status}, not queued"
    async_to_sync(_execute)(claimed, model)
    run.refresh_from_db()
    return run


async def _execute(claimed: segments.Claimed, model: Model) -> None:
    async with asyncio.timeout(20):
        await execute(claimed, model, cast(DatabaseThreads, _TestThread()))


def scripted(*steps: dict[str, Any]) -> ScriptedModel:
    """Return a model that plays these steps to every message; without any: one text question, then an end."""
    return ScriptedModel({"default": list(steps) or [asks(ask_user()), DONE]}, keep_requests=True)


def asks(*calls: dict[str, Any]) -> dict[str, Any]:
    """Return a step with these calls."""
    return {"calls": list(calls)}


def ask_user(ident: str = "c1", **arguments: Any) -> dict[str, Any]:
    """Return a call of ask_user: a text question if nothing else is said."""
    return {"id": ident, "name": "ask_user", "arguments": {"title": "Which colour?", "mode": "text"} | arguments}


def ask_questions(ident: str = "c1", questions: Sequence[dict[str, Any]] = ({"id": "q1", "question": "Why?"},)) -> dict[str, Any]:
    """Return a call of ask_user_question."""
    return {"id": ident, "name": "ask_user_question", "arguments": {"questions": list(questions)}}


def raw(**body: Any) -> str:
    """Return a body as it would be received."""
    return json.dumps(body)
