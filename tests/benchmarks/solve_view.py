"""How large the model's view of a long solve gets, and what the loop costs a round.

    python -m tests.benchmarks.solve_view

Twelve steps, a tool with 20 kB of output in each. Prints one JSON line: characters of the largest request, of the
largest just after a fold, of the same run if nothing were folded, and microseconds of the loop a round.
"""

import asyncio
import json
import time
from typing import Any

from apps.agent.loop import drive
from apps.agent.messages import ToolCall, ToolResult, Turn
from apps.agent.model import ModelRequest
from apps.agent.tools import ToolContext
from apps.solve.capability import DeepSolve
from tests.support.loop import Counting, MemoryJournal, PlayedModel, call
from tests.support.solving import finish, plan, solving

STEPS, OUTPUT = 12, 20_000


class Verbose(Counting):
    """A tool with much to say."""

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Return the output."""
        return ToolResult(call.id, json.dumps({"status": "ok", "text": "x" * OUTPUT}))


def turns() -> list[Turn]:
    """Return what the model does: plan, then for each step a tool and its end, then the answer."""
    numbers = range(1, STEPS + 1)
    work = [[Turn("", (call(f"t{n}", n=n),)), Turn("", (finish(f"f{n}", f"S{n}", "result " * 60),))] for n in numbers]
    begin = Turn("", (plan("p", *(f"Establish part {n} of the whole" for n in numbers)),))
    return [begin, *(turn for pair in work for turn in pair), Turn("The answer.")]


def measure() -> dict[str, Any]:
    """Run it once."""
    state, model = solving(Verbose()), PlayedModel(*turns())
    state.view.messages[0]["content"] = DeepSolve().instructions("en")
    began = time.perf_counter()
    asyncio.run(drive(state, MemoryJournal(), model, ModelRequest(()), ToolContext("s", "r")))
    spent = time.perf_counter() - began
    sizes = [len(json.dumps(request.messages)) for request in model.requests]
    return {
        "benchmark": "solve_view",
        "rounds": len(sizes),
        "largest_request": max(sizes),
        "largest_after_a_fold": max(sizes[1::2]),
        "unfolded": STEPS * OUTPUT + sizes[0],
        "microseconds_a_round": round(spent / len(sizes) * 1e6),
    }


if __name__ == "__main__":
    print(json.dumps(measure()))
