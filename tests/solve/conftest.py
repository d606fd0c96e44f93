"""A desk whose runs are deep_solve."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from apps.chat.models import Run
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission, parse_submission
from apps.runs import services
from tests.factories.accounts import UserFactory
from tests.runs.conftest import Desk


def made(ident: str, name: str, **arguments: Any) -> dict[str, Any]:
    """Return a script's call."""
    return {"id": ident, "name": name, "arguments": arguments}


def plan(ident: str = "p", *goals: str) -> dict[str, Any]:
    """Return a script's call of solve_plan."""
    return made(ident, "solve_plan", analysis="Think.", steps=[{"goal": goal} for goal in goals or ("Factor", "Verify")])


def finish(ident: str, step: str, summary: str = "found", **more: Any) -> dict[str, Any]:
    """Return a script's call of solve_finish_step."""
    return made(ident, "solve_finish_step", step_id=step, summary=summary, **more)


def replan(ident: str = "r", *goals: str) -> dict[str, Any]:
    """Return a script's call of solve_replan."""
    return made(ident, "solve_replan", reason="Stuck.", steps=[{"goal": goal} for goal in goals or ("Otherwise",)])


SOLVED: list[dict[str, Any]] = [
    {"calls": [plan()]},
    {"calls": [finish("f1", "S1", "one")]},
    {"calls": [finish("f2", "S2", "two")]},
    {"text": "Done."},
]


@dataclass
class SolveDesk(Desk):
    """One user whose runs are deep_solve; review is on (first) unless the config says otherwise."""

    script: list[dict[str, Any]] = field(default_factory=lambda: list(SOLVED))

    def say(self, text: str = "solve it [[s#k]]", **parts: Any) -> Run:
        """Write a message; the run is queued."""
        return super().say(text, **({"capability": "deep_solve"} | parts))

    def asked(self, text: str = "solve it [[s#k]]") -> Run:
        """Write a message and drive its run to the plan card."""
        return super().asked(text)

    def decide(self, decision: str, card: Interaction | None = None, **body: Any) -> services.Answered:
        """Decide on the open plan card, with its revision unless another is given."""
        card = card or self.card()
        whole = {"decision": decision, "planRevision": card.payload["planRevision"]} | body
        return self.submit(whole, card)

    def submit(self, body: dict[str, Any], card: Interaction | None = None) -> services.Answered:
        """Hand in a body as it stands on the wire."""
        card = card or self.card()
        submission: Submission = parse_submission(body)
        return services.answer(self.user, card.session.public_id, card.public_id, submission, json.dumps(body))

    def plans(self) -> list[dict[str, Any]]:
        """Return the plans of the session's plan_updated events, oldest first."""
        return [event.data["plan"] for event in self.events() if event.kind == "plan_updated"]

    def result(self, call_id: str) -> dict[str, Any]:
        """Return the result of a call as the last request held it, or as its event does."""
        found = [e.data["content"] for e in self.events() if e.kind == "tool_result" and e.data["toolCallId"] == f"k-{call_id}"]
        return dict(json.loads(found[-1]))


@pytest.fixture
def solver(transactional_db: None) -> SolveDesk:
    """A user whose model plans two steps, finishes them and answers."""
    return SolveDesk(UserFactory())
