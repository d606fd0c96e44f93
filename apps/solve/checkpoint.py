"""The checkpoint: what the model keeps before it of all that is folded away."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from apps.agent.messages import ToolCall
from apps.agent.state import RunState
from apps.agent.tools import Refusal
from apps.common.text import compact_json
from apps.interactions.contract import Question
from apps.interactions.intake import take_in_ask_user, take_in_plan, take_in_questions
from apps.solve.memory import FINISH, SOLVE_TOOLS
from apps.solve.plan import PlanState, Step
from apps.solve.words import say

Json = dict[str, Any]


def is_due(state: RunState) -> bool:
    """Say whether a step was finished in the last turn, whose calls all have results."""
    calls = state.turn.calls if state.turn else ()
    return any(call.name == FINISH and not state.results[call.id].is_error for call in calls)


def checkpoint(state: RunState, *, with_last_turn: bool = False) -> str:
    """Return a sentence and one JSON object: analysis, steps, current step, replans left, and what the user answered.

    The last turn stays before the model, so its own answers come into the next checkpoint, unless `with_last_turn`.
    """
    kept = () if with_last_turn or state.turn is None else state.turn.calls
    answers = _answers(state, {call.id for call in kept})
    content = plan_json(state.memory) | {"answers": list(answers)}
    return f"{say('checkpoint', state.language)}\n{compact_json(content)}"


def plan_json(memory: PlanState) -> Json:
    """Return the plan as a checkpoint holds it: every step that has an id, of earlier versions too."""
    plan, current = memory.standing, memory.current
    return {
        "analysis": plan.analysis if plan else "",
        "steps": [_step(step, current) for step in memory.steps()],
        "current": current.id if current else None,
        "replansLeft": memory.replans_left,
    }


def _step(step: Step, current: Step | None) -> Json:
    status = "current" if current and step.id == current.id else step.status
    return {"id": step.id, "goal": step.goal, "status": status, "summary": step.summary}


def _answers(state: RunState, left_out: set[str]) -> Iterator[Json]:
    """Yield every question of the run that was answered, once, in the order of asking."""
    for call in state.calls.values():
        result = state.results.get(call.id)
        if result is not None and not result.is_error and call.id not in left_out and call.name in _READERS:
            yield from _READERS[call.name](call, json.loads(result.content), state.language)


def _answered(call: ToolCall, answer: Json, language: str) -> Iterator[Json]:
    if answer["status"] == "answered":
        yield {"toolCallId": call.id, "question": _QUESTIONS[call.name](call, language), "answer": answer}


def _feedback(call: ToolCall, answer: Json, language: str) -> Iterator[Json]:
    """Yield what the user said to a plan; the plan itself is in the checkpoint."""
    if answer.get("feedback"):
        said = {"decision": answer["decision"], "feedback": answer["feedback"]}
        yield {"toolCallId": call.id, "question": say("checkpoint.plan", language), "answer": said}


def _of_ask_user(call: ToolCall, language: str) -> str:
    taken = take_in_ask_user(call, language)
    return "" if isinstance(taken, Refusal) else taken.ask.title


def _of_questions(call: ToolCall, language: str) -> str:
    taken = take_in_questions(call, language)
    return "" if isinstance(taken, Refusal) else _lines(taken.ask.questions)


def _of_plan(call: ToolCall, language: str) -> str:
    taken = take_in_plan(call, language)
    return "" if isinstance(taken, Refusal) else taken.ask.questions[0].question


_QUESTIONS: Mapping[str, Callable[[ToolCall, str], str]] = {
    "ask_user": _of_ask_user,
    "ask_user_question": _of_questions,
    "present_plan": _of_plan,
}
"""How a call's question reads; several questions each on a line with their ids."""

_READERS: Mapping[str, Callable[[ToolCall, Json, str], Iterator[Json]]] = {
    **dict.fromkeys(_QUESTIONS, _answered),
    **dict.fromkeys(SOLVE_TOOLS, _feedback),
}


def _lines(questions: Sequence[Question]) -> str:
    if len(questions) == 1:
        return questions[0].question
    return "\n".join(f"{question.id}: {question.question}" for question in questions)
