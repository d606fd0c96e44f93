"""What a delegated run does, nested below the call that made it: its tools in order, and how it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.chat.models import Run, ToolCall
from apps.runs.delegated import NAME
from apps.web.words import outcome_words, reason_words, state_words


@dataclass(frozen=True, slots=True)
class Delegated:
    """A delegated run. `calls` are its tools' calls, each with the code of its result if that is an error."""

    run: Run
    calls: Sequence[tuple[str, str]]

    @property
    def words(self) -> str:
        """How it stands, in words."""
        if self.run.status == Run.Status.CANCELLED:
            return reason_words(self.run.reason)
        return (self.run.status == Run.Status.COMPLETED and outcome_words(self.run.outcome)) or state_words(self.run.status)

    @property
    def revision(self) -> str:
        """What changes when it is to be drawn anew."""
        return f"{self.run.status}-{len(self.calls)}"


def delegated_by(calls: Iterable[ToolCall]) -> dict[int, Delegated]:
    """Return the delegated runs by the call that made them, in two queries; in none where nothing was delegated."""
    keys = [call.pk for call in calls if call.name == NAME]
    runs = list(Run.objects.filter(parent_call__in=keys)) if keys else []
    made: dict[int, list[tuple[str, str]]] = {run.pk: [] for run in runs}
    rows = ToolCall.objects.filter(run__in=made).order_by("id").values_list("run", "name", "result__code") if runs else ()
    for run_id, name, code in rows:
        made[run_id].append((name, code or ""))
    return {run.parent_call_id: Delegated(run, made[run.pk]) for run in runs if run.parent_call_id}
