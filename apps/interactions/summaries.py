"""What the audit may hold of an answer: positions, counts and lengths. Ids and labels are text too."""

from collections.abc import Sequence
from typing import Any

from apps.interactions.answers import Answer, AskUserAnswer, PlanAnswer
from apps.interactions.approvals import ApprovalAnswer
from apps.interactions.contract import AnyAsk, AskUser, QuestionSet


def summary_of(ask: AnyAsk, answer: Answer) -> dict[str, Any]:
    """Return ``positions`` of the chosen options (from 0, a list for each question), lengths of own text, skips."""
    if isinstance(answer, ApprovalAnswer):
        return {"decision": answer.decision, "own_text": [len(answer.feedback)], "skipped": 0}
    if isinstance(answer, PlanAnswer):
        plan = "".join(answer.plan or "")
        return {"decision": answer.decision, "own_text": [len(answer.feedback), len(plan)], "skipped": 0}
    if isinstance(ask, AskUser):
        assert isinstance(answer, AskUserAnswer)
        offered = [option.id for option in ask.options]
        return {"positions": [_positions(offered, answer.selections)], "own_text": [len(answer.custom_input)], "skipped": 0}
    assert isinstance(ask, QuestionSet)
    assert not isinstance(answer, AskUserAnswer)
    labels = [[option.label for option in question.options] for question in ask.questions]
    return {
        "positions": [_positions(o, a.selected) for o, a in zip(labels, answer.answers, strict=True)],
        "own_text": [len(a.custom or "") for a in answer.answers],
        "skipped": sum(not a.selected and a.custom is None for a in answer.answers),
    }


def _positions(offered: Sequence[str], chosen: Sequence[str]) -> list[int]:
    return [offered.index(value) for value in chosen]
