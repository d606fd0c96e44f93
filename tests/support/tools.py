"""A tool that acts outside: what it sent is kept, so that a test sees whether, and how often, it ran."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import ToolContext
from apps.runs.capabilities import Chat


def send(ident: str = "s1", text: str = "hello", **arguments: Any) -> dict[str, Any]:
    """Return a script's call of the tool that sends."""
    return {"id": ident, "name": "send", "arguments": {"text": text} | arguments}


@dataclass
class Sending:
    """A tool that sends; its argument `file` names a file of the workspace."""

    name: str = "send"
    effect: Literal["outside"] = "outside"
    idempotent: bool = False
    about: str = "Sends."
    sent: list[Any] = field(default_factory=list)
    ran: list[tuple[str, str]] = field(default_factory=list)
    """Which call, and what the tool was then."""

    def schema(self, language: str) -> dict[str, Any]:
        """Return a schema with what is sent, and a file."""
        text = {"type": "string", "description": "What is sent."}
        parameters = {"type": "object", "properties": {"text": text, "file": text}}
        return {"name": self.name, "description": self.about, "parameters": parameters}

    def files(self, call: ToolCall, context: ToolContext) -> Sequence[Path]:
        """Return the file that the call names."""
        named = json.loads(call.arguments).get("file")
        return [Path(context.workspace) / named] if named else []

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Send."""
        self.ran.append((call.id, self.about))
        self.sent.append(json.loads(call.arguments).get("text"))
        return ToolResult(call.id, '{"status":"sent"}')


def mounted_in_chat(tool: Sending, monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Let every chat have the tool, while the test runs."""
    own_tools = Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*own_tools(chat), tool))
    return tool
