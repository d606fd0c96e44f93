"""The list of problems: at least 50 right, not one wrong."""

import pytest

from apps.providers.builtin.deciding import Solved, decide
from tests.providers.builtin.problems import CHINESE, PROBLEMS, Problem


async def outcome_of(problem: Problem, compute) -> str:
    """Return the result as the list writes it, or the kind of refusal in brackets."""
    decision = await decide(problem.text, frozenset(problem.choices), compute)
    if not isinstance(decision, Solved):
        return f"[{type(decision).__name__}]"
    parts = "; ".join(part["plain"] for part in decision.outcome["parts"])
    assert decision.outcome["checks"], f"nothing was verified: {problem.text}"
    return parts or decision.outcome["words"]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.text)
async def test_a_result_is_right_and_verified_or_not_given(problem, compute):
    found = await outcome_of(problem, compute)
    assert found == problem.result or found.startswith("[")


async def test_at_least_fifty_problems_are_right_and_a_third_is_chinese(compute):
    right = [problem for problem in PROBLEMS if await outcome_of(problem, compute) == problem.result]
    assert len(PROBLEMS) >= 60
    assert len(CHINESE) * 3 >= len(PROBLEMS)
    assert len(right) == len(PROBLEMS)
