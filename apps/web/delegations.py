"""What a delegated run does, nested below the call that made it: its tools in order with their texts, and how it stands."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.chat.models import Run, ToolCall
from apps.runs.delegated import NAME
from apps.web.tool_rows import state_with
from apps.web.words import outcome_words, reason_words, state_words


@dataclass(frozen=True, slots=True)
class NestedCall:
    """A call of a delegated run's tool; it asks nobody. `code` is that of its result if this is an error."""

    call: ToolCall
    number: int
    state: str
    content: str = ""
    code: str = ""

    @property
    def message_id(self) -> str:
        """The public id of the message that made it."""
        return self.call.message.public_id


@dataclass(frozen=True, slots=True)
class Delegated:
    """A delegated run and its tools' calls."""

    run: Run
    calls: Sequence[NestedCall]

    @property
    def words(self) -> str:
        """How it stands, in words."""
        if self.run.status == Run.Status.CANCELLED:
            return reason_words(self.run.reason)
        return (self.run.status == Run.Status.COMPLETED and outcome_words(self.run.outcome)) or state_words(self.run.status)

    @property
    def revision(self) -> str:
        """What changes when it is to be drawn anew."""
        return f"{self.run.status}-{len(self.calls)}-{sum(bool(nested.content) for nested in self.calls)}"


def delegated_by(calls: Iterable[ToolCall]) -> dict[int, Delegated]:
    """Return the delegated runs by the call that made them, in two queries; in none where nothing was delegated."""
    keys = [call.pk for call in calls if call.name == NAME]
    runs = {run.pk: run for run in Run.objects.filter(parent_call__in=keys)} if keys else {}
    made: dict[int, list[ToolCall]] = {key: [] for key in runs}
    rows = ToolCall.objects.filter(run__in=made).select_related("result", "message").order_by("id") if runs else ()
    for call in rows:
        made[call.run_id].append(call)
    return {run.parent_call_id: Delegated(run, _nested(run, made[run.pk])) for run in runs.values() if run.parent_call_id}


def _nested(run: Run, calls: Sequence[ToolCall]) -> list[NestedCall]:
    """Return the calls of a run, each with its place in its message."""
    counted: Counter[int] = Counter()
    found = []
    for call in calls:
        found.append(_nested_call(run, call, counted[call.message_id]))
        counted[call.message_id] += 1
    return found


def _nested_call(run: Run, call: ToolCall, number: int) -> NestedCall:
    result = getattr(call, "result", None)
    if result is None:
        # They ask nobody, so a run at work has all of them in hand.
        return NestedCall(call, number, "running" if call.started_at or run.status == Run.Status.RUNNING else "queued")
    return NestedCall(call, number, state_with(result), result.content, result.code)
