"""Which calls a worker has in hand. Their rows need not say so: only what must not run twice is marked when it starts."""

from collections.abc import Iterator, Mapping, Sequence

from apps.chat.models import ChatSession, Message, Run, ToolCall
from apps.interactions.models import Interaction
from apps.runs.capabilities import all_capabilities
from apps.runs.policies import toolbox_for

Calls = Mapping[int, Sequence[ToolCall]]
Interactions = Mapping[int, Sequence[Interaction]]


def at_work(session: ChatSession, page: Sequence[Message], calls: Calls, interactions: Interactions) -> set[int]:
    """Return the keys of the calls at work, in one query, in none where none is open.

    As the loop has it (apps.agent.machine): what asks nobody runs side by side; then, one by one, what was allowed.
    """
    waiting = list(_without_result(page, calls))
    if not waiting:
        return set()
    policies = _policies(session, waiting[0][0])
    if free := {call.pk for _run, call in waiting if policies.get(call.name) == "never"}:
        return free
    is_allowed = all(_is_allowed(interactions.get(call.pk, ())) for _run, call in waiting)
    return {waiting[0][1].pk} if is_allowed else set()


def _without_result(page: Sequence[Message], calls: Calls) -> Iterator[tuple[Run, ToolCall]]:
    for message in page:
        if message.run.status == Run.Status.RUNNING:
            yield from ((message.run, call) for call in calls.get(message.pk, ()) if not hasattr(call, "result"))


def _policies(session: ChatSession, run: Run) -> Mapping[str, str]:
    """Return which tools of the run ask first; nothing for a capability that this installation does not have any more."""
    capability = next((each for each in all_capabilities() if each.name == run.capability), None)
    if capability is None:
        return {}
    _box, policies = toolbox_for(session.user_id, capability, session, run.config.get("tools", {}))
    return policies


def _is_allowed(interactions: Sequence[Interaction]) -> bool:
    return bool(interactions and interactions[-1].decision)
