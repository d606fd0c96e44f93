"""Tools: what a capability mounts, and how the loop calls them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeGuard

from apps.agent.messages import ToolCall, ToolResult

if TYPE_CHECKING:
    from apps.agent.state import RunState

Effect = Literal["read", "compute", "write", "outside"]


async def _here(function: Callable[..., Any], /, *args: Any) -> Any:
    """Call the function as it is."""
    return function(*args)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a tool runs: public ids of session and run, the language ("en" or "zh"), the workspace folder.

    A tool that reads or writes rows has it done by `in_database`, which calls a function where the database may be used.
    """

    session_id: str
    run_id: str
    language: str = "en"
    workspace: str = ""
    in_database: Callable[..., Awaitable[Any]] = _here


class Tool(Protocol):
    """A tool that works; an idempotent one runs again after a crash.

    Its user is asked before it starts if its policy says so (approvals.py). By default that is so for an effect
    `outside`, for `write` unless it declares `within_workspace = True`, and for an effect that is not declared.
    """

    name: str
    effect: Effect
    idempotent: bool

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``; every property described, every array with items."""
        ...

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Do the work. What is raised becomes an isError result TOOL_FAILED without the exception's text."""
        ...


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question that passed intake and may be put to the user.

    `kind` is ask_user, questions, plan_review or approval; `mode` its wire mode; `payload` is JSON (camelCase, the
    keys of contracts.md 7); `repairs` name what intake changed; `fingerprint` is equal for word-for-word equal
    questions; `on_timeout` is what expiry does by default; `cancel_stops` says whether the X ends the run.
    """

    kind: str
    mode: str
    payload: Mapping[str, Any]
    repairs: Sequence[str] = ()
    fingerprint: str = ""
    on_timeout: Literal["stop", "continue"] = "stop"
    cancel_stops: bool = True


@dataclass(frozen=True, slots=True)
class Refusal:
    """An ask that gets no card: the code of contracts.md 5, a text for the model, the wrong argument's name."""

    code: str
    message: str
    field: str = ""


class AskTool(Protocol):
    """A tool that puts something to the user instead of working."""

    name: str
    asks: Literal[True]

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        ...

    def prepare(self, call: ToolCall, language: str) -> AskRequest | Refusal:
        """Take in what the model sent (pure: no database, no clock)."""
        ...


class StateTool(Protocol):
    """A tool whose outcome follows from the run's state alone: no work, no clock, no second effect after a crash.

    It is applied at once, in the transaction of its turn. The state tools of a turn are applied in call order, those
    that come first before the others. An outcome that asks is put to the user with the turn's other asks.
    """

    name: str
    comes_first: bool
    asks: bool
    """Whether its calls count as questions to the user, not as work."""

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        ...

    def apply(self, call: ToolCall, state: "RunState") -> "ToolResult | AskRequest | Refusal":
        """Return what the call comes to (pure: the same state gives the same outcome)."""
        ...


AnyTool = Tool | AskTool | StateTool


# Not isinstance: that compares every member of a protocol, for every tool, in every round.
def is_ask_tool(tool: object) -> TypeGuard[AskTool]:
    """Say whether a tool puts something to the user instead of working."""
    return hasattr(tool, "prepare")


def is_state_tool(tool: object) -> TypeGuard[StateTool]:
    """Say whether a tool's outcome follows from the run's state alone."""
    return hasattr(tool, "apply")


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools that one run has mounted, by name, in the order in which the model sees them.

    Those `unlisted` are in no schema; a call of one is read and refused, for the model may know of it from elsewhere.
    """

    tools: Mapping[str, AnyTool] = field(default_factory=dict)
    unlisted: frozenset[str] = frozenset()

    def schemas(self, language: str) -> list[dict[str, Any]]:
        """Return the schemas as a request carries them."""
        listed = [tool for name, tool in self.tools.items() if name not in self.unlisted]
        return [{"type": "function", "function": tool.schema(language)} for tool in listed]
