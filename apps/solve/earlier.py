"""How later runs see an earlier deep_solve run: what the user wrote, the checkpoint, and the final text."""

from collections.abc import Sequence

from apps.agent import folding
from apps.agent.capabilities import Limits
from apps.agent.folding import Message, user
from apps.agent.messages import Entry, UserMessage
from apps.agent.state import RunState
from apps.agent.tools import Toolbox
from apps.chat.transcript import EarlierRun, register_renderer
from apps.solve.capability import DeepSolve
from apps.solve.checkpoint import checkpoint

_NO_LIMIT = 2**63


def render(run: EarlierRun, entries: Sequence[Entry]) -> list[Message]:
    """Return the messages of an earlier run. One that came to no end is shown as its own requests saw it."""
    state = _state(run).add_all(entries)
    if not run.is_completed or state.turn is None:
        return state.messages[1:]
    said = [user(entry.text) for entry in entries if isinstance(entry, UserMessage)]
    return [*said, *_checkpoint(state), folding.assistant(state.turn)]


def _state(run: EarlierRun) -> RunState:
    capability = DeepSolve()
    return RunState(
        capability=capability,
        toolbox=Toolbox({tool.name: tool for tool in capability.tools()}),
        system="",
        limits=Limits(context_chars=_NO_LIMIT),
        language=run.language,
        memory=capability.remember(run.config),
    )


def _checkpoint(state: RunState) -> list[Message]:
    """Return the checkpoint; none if the run neither planned nor learned anything."""
    text = checkpoint(state, with_last_turn=True)
    return [user(text)] if state.memory.standing or '"toolCallId"' in text else []


register_renderer(DeepSolve.name, render)
