"""Load a run's rows into the state of the loop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import BigIntegerField

from apps.agent.approvals import Policy
from apps.agent.capabilities import Capability, Limits
from apps.agent.model import ModelRequest
from apps.agent.state import RunState, is_readable
from apps.agent.tools import Toolbox, ToolContext
from apps.chat.models import Run
from apps.chat.transcript import AskedRow, earlier_messages, read_run
from apps.common.prepared import Prepared, bound
from apps.interactions.approvals import KIND
from apps.interactions.models import Interaction
from apps.runs.capabilities import capability_named
from apps.runs.delegated import say, tools_of_child
from apps.runs.erasing import workspace_of
from apps.runs.errors import NotResumable
from apps.runs.policies import toolbox_for
from apps.runs.settings_store import prompt_of
from apps.runs.storing import Segmented
from apps.toolkit.sources.prompting import about_sources

_ASKED = Prepared(
    lambda: (
        Interaction.objects.filter(run=bound("run", BigIntegerField()))
        # A decision that retention took before its call was started is none: the call is put to its user anew.
        .exclude(kind=KIND, status=Interaction.Status.ANSWERED, decision="", call__result=None)
        .order_by("id")
        .values_list("call_id", "fingerprint", "kind", "decision")
    )
)


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
    read = read_run(run.pk, _asked(run))
    state.add_all(read.entries)
    segment = Segmented(run, fence, read.unanswered, state.rounds, state=state, memory=state.memory)
    return Loaded(state, segment, _sampling(run), _context(run))


def load_state(run: Run) -> RunState:
    """Load the state alone, without the earlier runs, to decide something; nothing is driven by it."""
    return _empty_state(run, ()).add_all(read_run(run.pk, _asked(run)).entries)


def _asked(run: Run) -> Iterator[AskedRow]:
    for call, fingerprint, kind, decision in _ASKED(run=run.pk):
        yield AskedRow(call, fingerprint, kind == KIND, decision)


def empty_state(run: Run) -> RunState:
    """Return the state of the run before its first entry: system text, tools, limits and the earlier runs.

    A delegated run knows nothing of the earlier ones.
    """
    return _empty_state(run, () if run.parent_call_id else earlier_messages(run, settings.CONTEXT_CHARS))


def _empty_state(run: Run, earlier: Sequence[Sequence[dict[str, Any]]]) -> RunState:
    capability = capability_named(run.capability)
    toolbox, policies = _tools(run)
    limits = Limits(
        max_rounds=run.config.get("max_rounds", capability.max_rounds),
        context_chars=settings.CONTEXT_CHARS,
    )
    return RunState(
        capability=capability,
        toolbox=toolbox,
        policies=policies,
        system=_system_text(run, capability),
        earlier=earlier,
        limits=limits,
        language=run.language,
        can_ask=run.can_ask,
        memory=capability.remember(run.config),
    )


def _tools(run: Run) -> tuple[Toolbox, dict[str, Policy]]:
    if run.parent_call is None:
        switches = run.config.get("tools", {})
        return toolbox_for(run.session.user_id, capability_named(run.capability), run.session, switches)
    parent = run.parent_call.run
    parent.session = run.session
    toolbox, policies = _tools(parent)
    return tools_of_child(toolbox, policies, run.config.get("only")), policies


def _system_text(run: Run, capability: Capability) -> str:
    """Return the system text, and below it the attachments that there are now."""
    own = say("system", run.language) if run.parent_call_id else capability.instructions(run.language, prompt_of(run))
    sources = about_sources(run.session, run.config.get("sources", ()), run.language)
    return f"{own}\n\n{sources}" if sources else own


def _sampling(run: Run) -> ModelRequest:
    capability = capability_named(run.capability)
    return ModelRequest(
        messages=(),
        temperature=run.config.get("temperature", capability.temperature),
        max_tokens=run.config.get("max_tokens", capability.max_tokens),
        language=run.language,
    )


def _context(run: Run) -> ToolContext:
    workspace = workspace_of(run.session.public_id)
    # Here alone: a tool that outlives an erasure finds no folder to write to.
    workspace.mkdir(mode=0o700, parents=True, exist_ok=True)
    return ToolContext(run.session.public_id, run.public_id, run.language, str(workspace))
