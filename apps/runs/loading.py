"""Load a run's rows into the state of the loop."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from apps.agent.capabilities import Limits
from apps.agent.model import ModelRequest
from apps.agent.state import RunState, is_readable
from apps.agent.tools import ToolContext
from apps.chat.models import Message, Run, ToolCall
from apps.chat.transcript import earlier_messages, entries_of
from apps.interactions.models import Interaction
from apps.runs.capabilities import capability_named, mounted
from apps.runs.errors import NotResumable
from apps.runs.storing import Segmented


@dataclass
class Loaded:
    """What one segment works with."""

    state: RunState
    segment: Segmented
    sampling: ModelRequest
    context: ToolContext


def load(run: Run, fence: int) -> Loaded:
    """Load the run (its session selected with it). Raises NotResumable."""
    if not is_readable(run.state_version):
        raise NotResumable("The run was stored by a newer version.")
    state = empty_state(run)
    asked = dict(Interaction.objects.filter(run=run).values_list("call_id", "fingerprint"))
    state.add_all(entries_of(run.pk, asked))
    calls = {row.call_id: row for row in ToolCall.objects.filter(run=run, result__isnull=True)}
    segment = Segmented(run, fence, calls, state.rounds)
    return Loaded(state, segment, _sampling(run), _context(run))


def empty_state(run: Run) -> RunState:
    """Return the state of the run before its first entry: system text, tools, limits and the earlier runs."""
    capability = capability_named(run.capability)
    switches = run.session.tools | run.config.get("tools", {})
    limits = Limits(
        max_rounds=run.config.get("max_rounds", capability.max_rounds),
        context_chars=settings.CONTEXT_CHARS,
    )
    return RunState(
        capability=capability,
        toolbox=mounted(capability, switches),
        system=capability.instructions(run.language),
        earlier=earlier_messages(run, settings.CONTEXT_CHARS),
        limits=limits,
        language=run.language,
        can_ask=run.can_ask,
    )


def _sampling(run: Run) -> ModelRequest:
    capability: Any = capability_named(run.capability)
    return ModelRequest(
        messages=(),
        temperature=run.config.get("temperature", capability.temperature),
        max_tokens=run.config.get("max_tokens", capability.max_tokens),
        language=run.language,
    )


def _context(run: Run) -> ToolContext:
    workspace = settings.DATA_DIR / "workspaces" / run.session.public_id
    return ToolContext(run.session.public_id, run.public_id, run.language, str(workspace))


def rounds_of(run: Run) -> int:
    """Count the rounds that a run has taken."""
    return Message.objects.filter(run=run, role=Message.Role.ASSISTANT).count()
