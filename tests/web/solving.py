"""Runs of deep_solve for the pages."""

from typing import Any

from apps.accounts.models import User
from apps.chat.models import Run
from apps.runs import services
from apps.runs.starting import NewRun
from tests.support.runs import run_to_rest, scripted


def begin(user: User, *steps: dict[str, Any], message: str = "Solve it [[default#k]]", session: str = "", **config: Any) -> Run:
    """Send a message in deep_solve and let the model play these steps until the run rests."""
    new = NewRun(message, session_id=session, capability="deep_solve", config=config or None)
    return run_to_rest(services.start_run(user, new).run, scripted(*steps))
