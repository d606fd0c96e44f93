"""What a run does next: a closed union of values."""

from dataclasses import dataclass
from typing import Literal

from apps.agent.messages import Note, ToolCall

Outcome = Literal["finished", "finished_with_open_steps", "finished_without_plan", "rounds_exhausted"]


@dataclass(frozen=True, slots=True)
class CallModel:
    """Ask the model for a turn. `note` is stored first; without `tools` none are offered and none would run."""

    tools: bool = True
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class RunTools:
    """Run the working tools of the last turn that have no result yet."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """Take the fingerprints of these calls, which need the user's approval, as they stand now."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Put these calls to the user and pause; nothing is held while waiting."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """End well. `text` is the answer; it is not blank."""

    text: str
    outcome: Outcome = "finished"


@dataclass(frozen=True, slots=True)
class Fail:
    """End badly. `code` is stable; `message` is for people and holds no text of theirs."""

    code: str
    message: str
    retryable: bool = False


Step = CallModel | RunTools | Check | Ask | Finish | Fail
