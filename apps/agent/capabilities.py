"""Capabilities: a mode that adds tools, prompt, memory and rules to the loop; chosen per run."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.agent.messages import Asked, ToolCall, ToolResult
from apps.agent.tools import AnyTool, Refusal

if TYPE_CHECKING:
    from apps.agent.state import RunState
    from apps.agent.steps import Step


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds one run: rounds before the closing ones, questions, characters of a request."""

    max_rounds: int = 8
    max_asks: int = 20
    context_chars: int = 400_000


class Capability:
    """One mode; what it leaves as it is here makes a plain conversation. `titles` are for people, by language.

    All methods are pure: a run is loaded from its rows and must come out the same.
    """

    name: str
    aliases: Sequence[str] = ()
    titles: Mapping[str, str]
    temperature = 0.7
    max_tokens = 8192
    max_rounds = 8
    owned: Collection[str] = ()
    """Tools without which it would not be this mode: they cannot be switched off."""
    own_settings: Mapping[str, Any] = {}
    """Settings beside temperature, max_tokens and max_rounds, with their defaults."""

    def title(self, language: str) -> str:
        """Return the title for people who read this language ("en", "zh-hans")."""
        return self.titles["zh" if language.startswith("zh") else "en"]

    def tools(self) -> Sequence[AnyTool]:
        """Return the tools that a run of this capability mounts, in the order in which the model sees them."""
        raise NotImplementedError

    def instructions(self, language: str, block: str = "") -> str:
        """Return the system text; `block` takes the place of the packaged block of this capability."""
        raise NotImplementedError

    def remember(self, settings: Mapping[str, Any]) -> Any:
        """Return the memory of a new run with these settings: an immutable value. None: it needs none."""
        return None

    def absorb(self, memory: Any, call: ToolCall, entry: Asked | ToolResult) -> Any:
        """Return the memory after a call of a state tool was put to the user, or has its result."""
        return memory

    def refuses(self, state: "RunState", call: ToolCall) -> Refusal | None:
        """Return why a working tool must not run now, or None."""
        return None

    def before_finish(self, state: "RunState", text: str) -> "Step | None":
        """Return a step to take in place of accepting this final text, or None."""
        return None

    def checkpoint(self, state: "RunState") -> str | None:
        """Return what is to stand for all that came before the last turn, whose calls all have results now.

        None: nothing is folded.
        """
        return None
