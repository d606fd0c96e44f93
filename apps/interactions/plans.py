"""Plans before the user: the card of one, what changed in it, and the tool by which any capability shows one."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, Literal, Protocol, runtime_checkable

from apps.agent.messages import ToolCall, ToolResult
from apps.agent.state import RunState
from apps.agent.tools import AskRequest, Refusal
from apps.common.text import canonical_json
from apps.interactions import results
from apps.interactions.answers import PlanAnswer
from apps.interactions.contract import QuestionSet, present_plan_parameters
from apps.interactions.guidance import say
from apps.interactions.intake import take_in_plan
from apps.interactions.payload import PLAN_MODE, stored_payload

MAX_DIFFERENCES = 4_000
"""Characters of the differences on a card: they are a help, the plan itself is shown whole."""


@runtime_checkable
class PlanTool(Protocol):
    """A tool whose calls put a plan before the user."""

    name: str

    def decided(self, call: ToolCall, state: RunState, ask: QuestionSet, answer: PlanAnswer) -> ToolResult:
        """Return the result of a plan that was decided on. Raises InvalidAnswer if an edited plan cannot be used."""
        ...


class PresentPlanTool:
    """`present_plan`: a plan of any capability. Closing it, or letting it expire, ends the run and is no approval."""

    name = "present_plan"
    comes_first = False
    asks = True

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        description = say("present_plan", language)
        return {"name": self.name, "description": description, "parameters": present_plan_parameters(language)}

    def apply(self, call: ToolCall, state: RunState) -> AskRequest | Refusal:
        """Take in what the model sent; the revision counts the plans that this tool has shown in the run."""
        taken = take_in_plan(call, state.language)
        if isinstance(taken, Refusal):
            return taken
        shown = [state.calls[ask.call_id] for ask in state.asks if state.calls[ask.call_id].name == self.name]
        ask = replace(taken.ask, plan_revision=len(shown) + 1)
        before = take_in_plan(shown[-1], state.language) if shown else None
        if before is not None and not isinstance(before, Refusal):
            changes = differences(before.ask.detail.splitlines(), ask.detail.splitlines(), state.language)
            ask = replace(ask, description=changes)
        return plan_request(ask, taken.repairs)

    def decided(self, call: ToolCall, state: RunState, ask: QuestionSet, answer: PlanAnswer) -> ToolResult:
        """Return the decision and the plan that stands."""
        if answer.plan is not None and not isinstance(answer.plan, str):
            answer = replace(answer, plan="\n".join(answer.plan))
        return results.answered(ask, call.id, answer)


def plan_request(ask: QuestionSet, repairs: Sequence[str] = ()) -> AskRequest:
    """Return the request for a question with an intent: the plan card, or the question flow if it is not fit for one."""
    fingerprint = hashlib.sha256(canonical_json(["plan", ask.questions[0].question, ask.detail]).encode()).hexdigest()
    if not ask.is_plan_card:
        return AskRequest("questions", "form", stored_payload(ask), repairs, fingerprint, "continue", cancel_stops=False)
    return AskRequest("plan_review", PLAN_MODE, stored_payload(ask), repairs, fingerprint, "stop", cancel_stops=True)


def differences(before: Sequence[str], after: Sequence[str], language: str) -> str:
    """Return as Markdown which lines went and which came; long differences are cut, and end with an ellipsis."""
    lines = list(_changed_lines(before, after))
    if not lines:
        return say("plan.no_changes", language)
    text = "\n".join(lines)
    if len(text) > MAX_DIFFERENCES:
        text = text[:MAX_DIFFERENCES].rsplit("\n", 1)[0] + "\n…"
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{say('plan.changes', language)}\n\n{fence}diff\n{text}\n{fence}"


Change = Literal["removed", "added"]
_MARKS: Mapping[str, Change] = {"- ": "removed", "+ ": "added"}
_FENCED = re.compile(r"^(`{3,})diff\n(.*)\n\1\Z", re.MULTILINE | re.DOTALL)


def read_differences(text: str) -> list[tuple[Change, str]]:
    """Return the lines that `differences` wrote, each with what became of it; none: the plans are the same."""
    found = _FENCED.search(text)
    lines = found[2].split("\n") if found else []
    return [(_MARKS[line[:2]], line[2:]) for line in lines if line[:2] in _MARKS]


def _changed_lines(before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    found: list[str] = []
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            found += [f"- {line}" for line in before[i:j]]
            found += [f"+ {line}" for line in after[k:m]]
    return found
