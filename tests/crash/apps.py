"""Put the crash point and the marking tool into the product, from outside."""

import itertools
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any, Literal

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import ToolContext

_count = itertools.count(1)
_lock = threading.Lock()


class Mark:
    """A tool with an effect that can be counted from outside: one line in a file for each time that it worked."""

    name = "mark"
    effect: Literal["write"] = "write"
    within_workspace = True
    idempotent = False

    def schema(self, language: str) -> dict[str, Any]:
        """Return a schema without parameters."""
        return {"name": self.name, "description": "Leaves a mark.", "parameters": {"type": "object", "properties": {}}}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Leave the mark; then die, if that is the point."""
        with (settings.DATA_DIR / "marks").open("a") as file:
            file.write(call.id + "\n")
        if os.environ.get("HANDRAISE_CRASH") == "in-tool":
            _die()
        return ToolResult(call.id, json.dumps({"status": "marked"}))


class CrashConfig(AppConfig):
    """Wraps the one place through which every transaction is committed."""

    name = "tests.crash"
    label = "crash"

    def ready(self) -> None:
        """Mount the tool and set the crash point."""
        from apps.runs.capabilities import Chat

        own_tools = Chat.tools
        Chat.tools = lambda chat: (*own_tools(chat), Mark())  # type: ignore[method-assign]
        point = os.environ.get("HANDRAISE_CRASH", "")
        if ":" in point:
            number, side = point.split(":")
            _set_crash_point(int(number), side)


def _set_crash_point(number: int, side: str) -> None:
    commit = BaseDatabaseWrapper.commit

    def counted(wrapper: BaseDatabaseWrapper) -> None:
        with _lock:
            is_point = (settings.DATA_DIR / "armed").exists() and next(_count) == number
            if is_point and side == "before":
                _die()
            commit(wrapper)
            if is_point:
                _die()

    BaseDatabaseWrapper.commit = counted  # type: ignore[method-assign]


def _die() -> None:
    Path(settings.DATA_DIR / "crashed").touch()
    os.kill(os.getpid(), signal.SIGKILL)
