"""How far a planned run has come, read from the messages: the standing plan, its current step, what came of proposals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.providers.builtin.conversation import checkpoint_in, json_object, last_words

PLAN, FINISH, REPLAN = "solve_plan", "solve_finish_step", "solve_replan"
SOLVE_TOOLS = frozenset((PLAN, FINISH, REPLAN))
_CLOSED = frozenset(("cancelled", "expired", "aborted"))


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of the plan.

    `goals` maps the ids of all steps that were ever accepted to their goals; empty: no plan stands. `current` is the id of
    the step at work; empty: none is open. `rejections` counts rejected plans, `is_closed`: the card of one was closed.
    `is_refused`: a tool takes no plan or no result. `has_replanned`: a replan was tried since the last step was finished.
    """

    goals: Mapping[str, str]
    current: str = ""
    rejections: int = 0
    is_closed: bool = False
    is_refused: bool = False
    has_replanned: bool = False


def read_progress(messages: Sequence[Mapping[str, Any]]) -> Progress:
    """Read the messages from the last one that the user wrote on."""
    start = last_words(messages)
    progress = Progress({})
    for tool, content in () if start is None else _events(messages[start + 1 :]):
        progress = _after(progress, tool, content)
    return progress


def _events(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the checkpoints (under an empty name) and the results of the solve tools, in order."""
    names: dict[str, str] = {}
    for message in messages:
        if checkpoint := checkpoint_in(message):
            yield "", checkpoint
        names |= {call["id"]: call["function"]["name"] for call in message.get("tool_calls") or ()}
        if message["role"] == "tool" and names.get(message["tool_call_id"]) in SOLVE_TOOLS:
            yield names[message["tool_call_id"]], json_object(message["content"])


def _after(progress: Progress, tool: str, content: Mapping[str, Any]) -> Progress:
    """Return the progress after a checkpoint or a result."""
    if not tool:
        goals, current = _goals(content), str(content["current"])
        return replace(progress, goals=goals, current=current if current in goals else "")
    status = content.get("status")
    if status in ("planned", "replanned"):
        goals = {**progress.goals, **_goals(content)}
        return replace(progress, goals=goals, current=content["next"]["id"], has_replanned=tool == REPLAN)
    if status == "step_done":
        return replace(progress, current=(content.get("next") or {}).get("id", ""), has_replanned=False)
    if tool == REPLAN:
        return replace(progress, has_replanned=True)
    if status == "plan_rejected":
        return replace(progress, rejections=progress.rejections + 1)
    is_closed = status in _CLOSED
    return replace(progress, is_closed=is_closed, is_refused=not is_closed)


def _goals(content: Mapping[str, Any]) -> dict[str, str]:
    return {str(step["id"]): str(step["goal"]) for step in content["steps"]}
