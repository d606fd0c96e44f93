"""Capabilities: a mode that adds tools, prompt and rules to the loop; chosen per run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from apps.agent.tools import AnyTool

if TYPE_CHECKING:
    from apps.agent.state import RunState
    from apps.agent.steps import Step


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds one run: rounds before the closing ones, questions, characters of a request."""

    max_rounds: int = 8
    max_asks: int = 20
    context_chars: int = 400_000


class Capability(Protocol):
    """One mode. `titles` are for people, by language."""

    name: str
    titles: Mapping[str, str]
    max_rounds: int
    temperature: float

    def tools(self) -> Sequence[AnyTool]:
        """Return the tools that a run of this capability mounts, in the order in which the model sees them."""
        ...

    def instructions(self, language: str) -> str:
        """Return the system text."""
        ...

    def before_finish(self, state: "RunState", text: str) -> "Step | None":
        """Return a step to take in place of accepting this final text, or None."""
        ...
