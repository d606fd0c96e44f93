"""Doubles for tests of the pure loop: a model that plays turns, a journal in memory, tools that count."""

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from apps.agent.capabilities import Capability, Limits
from apps.agent.loop import drive
from apps.agent.messages import ApprovalAsked, Asked, Entry, ToolCall, ToolResult, Turn, UserMessage
from apps.agent.model import ModelError, ModelRequest, StartOver, TextDelta
from apps.agent.state import RunState
from apps.agent.steps import Step
from apps.agent.tools import AskRequest, Refusal, Toolbox, ToolContext


def call(ident: str, name: str = "count", **arguments: Any) -> ToolCall:
    """Return a tool call."""
    return ToolCall(ident, name, json.dumps(arguments))


class PlayedModel:
    """Plays turns in order; the last one repeats. Keeps a copy of every request."""

    name = "played"

    def __init__(self, *turns: Turn | ModelError | Callable[[ModelRequest], Turn]) -> None:
        self.turns = turns
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | StartOver | Turn]:
        """Yield the next turn."""
        played = self.turns[min(len(self.requests), len(self.turns) - 1)]
        self.requests.append(ModelRequest(list(request.messages), tuple(request.tools), language=request.language))
        if isinstance(played, ModelError):
            raise played
        turn = played if isinstance(played, Turn) else played(request)
        yield TextDelta(turn.text)
        yield turn


@dataclass
class Counting:
    """A tool that counts how often it worked."""

    name: str = "count"
    effect: Literal["write", "outside"] = "write"
    within_workspace: bool = True
    idempotent: bool = False
    runs: list[str] = field(default_factory=list)

    def schema(self, language: str) -> dict[str, Any]:
        """Return a schema without parameters."""
        return {"name": self.name, "description": "Counts.", "parameters": {"type": "object", "properties": {}}}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Count."""
        self.runs.append(call.id)
        return ToolResult(call.id, '{"status":"ok"}')


class Asking:
    """An ask tool whose question is its arguments; the argument ``bad`` is refused."""

    name = "ask"
    asks: Literal[True] = True

    def schema(self, language: str) -> dict[str, Any]:
        """Return a schema without parameters."""
        return {"name": self.name, "description": "Asks.", "parameters": {"type": "object", "properties": {}}}

    def prepare(self, call: ToolCall, language: str) -> AskRequest | Refusal:
        """Open whatever is asked."""
        if "bad" in call.arguments:
            return Refusal("BAD_QUESTION", "This cannot be asked.")
        return AskRequest("ask_user", "text", {"title": call.arguments}, fingerprint=call.arguments)


class PlainCapability(Capability):
    """A capability with the given tools."""

    name = "plain"
    titles = {"en": "Plain", "zh": "普通"}

    def __init__(self, *tools: Any) -> None:
        self._tools = tools

    def tools(self) -> Sequence[Any]:
        """Return the tools."""
        return self._tools

    def instructions(self, language: str, block: str = "") -> str:
        """Return a system text."""
        return "Be plain."


@dataclass
class MemoryJournal:
    """Keeps what was committed, as the database would."""

    commits: list[tuple[list[Entry], Step]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    made: int = 0

    async def commit(self, entries: Sequence[Entry], following: Step) -> None:
        """Keep a commit."""
        self.commits.append((list(entries), following))

    def begin_text(self, prefix: str) -> None:
        """Begin a text."""
        self.texts.append(prefix)

    def more_text(self, text: str) -> None:
        """Grow the text."""
        self.texts[-1] += text

    def restart_text(self) -> None:
        """Start over."""
        self.texts[-1] = ""

    def new_call_id(self) -> str:
        """Return a fresh id."""
        self.made += 1
        return f"made-{self.made}"

    @property
    def entries(self) -> list[Entry]:
        """Return everything that was committed, in order."""
        return [entry for entries, _ in self.commits for entry in entries]


def state_of(*tools: Any, said: Iterable[Entry] = (), **parts: Any) -> RunState:
    """Return the state of a run whose user said hello, and what was stored after that."""
    capability = PlainCapability(*tools)
    box = Toolbox({tool.name: tool for tool in tools})
    limits = parts.pop("limits", Limits())
    state = RunState(capability=capability, toolbox=box, system="Be plain.", limits=limits, **parts)
    return state.add_all([UserMessage("hello"), *said])


async def play(state: RunState, model: PlayedModel, journal: MemoryJournal | None = None) -> Step:
    """Drive the state to its next rest."""
    return await drive(state, journal or MemoryJournal(), model, ModelRequest(()), ToolContext("s", "r"))


def answer_all(state: RunState, text: str = "yes") -> None:
    """Answer every open ask of the last turn, as the coordinator does."""
    for each in state.unanswered():
        state.add(ToolResult(each.id, json.dumps({"status": "answered", "customInput": text})))


def reloaded(state: RunState, journal: MemoryJournal, *tools: Any, **parts: Any) -> RunState:
    """Return a fresh state that has read nothing but what was committed."""
    read = [type(e)(e.call_id, e.fingerprint) if isinstance(e, Asked | ApprovalAsked) else e for e in journal.entries]
    return state_of(*tools, said=read, **parts)


def history_problem(messages: Sequence[dict[str, Any]]) -> str:
    """Return what a hosted model would refuse: a call not answered once, adjacent and in order."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if not waiting or message["tool_call_id"] != waiting.pop(0):
                return f"a result out of place: {message['tool_call_id']}"
            continue
        if waiting:
            return f"calls without a result: {waiting}"
        waiting = [c["id"] for c in message.get("tool_calls", ())]
        if len(set(waiting)) != len(waiting):
            return "the same call id twice"
    return f"calls without a result: {waiting}" if waiting else ""
