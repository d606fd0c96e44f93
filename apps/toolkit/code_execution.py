"""`code_execution`: run a Python program in the sandbox; its files are kept in the session's workspace."""

import asyncio
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.agent.asking import refused
from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import clean_stored, compact_json, is_storable
from apps.interactions.arguments import Reader, Unusable
from apps.sandbox.code import CodePool, Finished
from apps.sandbox.errors import SandboxError
from apps.sandbox.scratch import folder_below
from apps.toolkit.files.made import FOLDERS, folder_of, made_files, told
from apps.toolkit.words import say

DEFAULT_SECONDS = 30
MAX_CODE = 100_000
SHOWN_LEFT_OUT = 20
"""So many of the files that were left out are named."""


@dataclass(frozen=True, slots=True)
class Program:
    """A call as it was sent, fit to be run."""

    code: str
    seconds: float


class CodeExecution:
    """Runs code. Doing it twice is harmless: a program reaches nothing but its own folder, which is filled anew."""

    name = "code_execution"
    effect: Effect = "compute"
    idempotent = True

    def __init__(self, pool: CodePool) -> None:
        self._pool = pool

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        limits = {"default": min(DEFAULT_SECONDS, settings.CODE_SECONDS), "limit": settings.CODE_SECONDS}
        properties = {
            "language": {"type": "string", "enum": ["python"], "description": say("code_execution.language", language)},
            "code": {"type": "string", "description": say("code_execution.code", language)},
            "timeout": {"type": "number", "description": say("code_execution.timeout", language, **limits)},
        }
        parameters = {
            "type": "object",
            "properties": properties,
            "required": ["language", "code"],
            "additionalProperties": False,
        }
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Run the program; what it printed and made is the result, also if it failed or was ended."""
        program = read(call, context.language)
        if isinstance(program, Refusal):
            return refused(call, program)
        workspace, folder = Path(context.workspace), folder_of(self.name, context.run_id, call.id)
        await asyncio.to_thread(folder_below, workspace, FOLDERS[self.name])
        try:
            finished = await self._pool.run(program.code, seconds=program.seconds, files_to=workspace / folder)
        except SandboxError:
            return refused(call, Refusal("SANDBOX_FAILED", say("sandbox_failed", context.language)))
        files = await asyncio.to_thread(made_files, workspace, folder, finished.files)
        content = self._content(finished, program, context.language) | {"files": told(files)}
        return ToolResult(call.id, compact_json(content), files=files)

    def _content(self, finished: Finished, program: Program, language: str) -> dict[str, Any]:
        content: dict[str, Any] = {
            "status": "ended" if finished.reason else "done",
            "exit_code": finished.exit_code,
            "stdout": clean_stored(finished.stdout),
            "stderr": clean_stored(finished.stderr),
            "files": [],
            "seconds": finished.seconds,
            "sandbox": self._pool.sandbox.kind,
        }
        if finished.reason:
            message = say(f"ended.{finished.reason}", language, seconds=program.seconds)
            content |= {"reason": finished.reason, "message": message}
        if finished.left_out:
            shown = finished.left_out[:SHOWN_LEFT_OUT]
            content["left_out"] = [f"{each['name']}: {say('left_out.' + each['reason'], language)}" for each in shown]
        return content


def read(call: ToolCall, language: str) -> Program | Refusal:
    """Read a call; numbers out of range are brought into it."""
    reader = Reader(language)
    try:
        source = reader.arguments(call, "form.object")
        code = source.get("code")
        if not isinstance(code, str) or not code.strip():
            raise reader.unusable("blank", "code", form="form.text")
        if len(code) > MAX_CODE:
            raise reader.unusable("too_long", "code", count=len(code), limit=MAX_CODE)
    except Unusable as unusable:
        return Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field)
    if not is_storable(code):
        return Refusal("BAD_ARGUMENT", say("unstorable_code", language), "code")
    if str(source.get("language") or "python").strip().lower() not in ("python", "python3", "py"):
        return Refusal("BAD_ARGUMENT", say("bad_language", language), "language")
    seconds = _seconds(source.get("timeout"))
    return Program(code, seconds) if seconds else Refusal("BAD_ARGUMENT", say("bad_timeout", language), "timeout")


def _seconds(given: Any) -> float:
    """Return the time limit; 0: it cannot be read."""
    if given is None:
        return min(DEFAULT_SECONDS, settings.CODE_SECONDS)
    try:
        seconds = float(given)
    except (TypeError, ValueError, OverflowError):
        return 0
    return min(seconds, settings.CODE_SECONDS) if seconds > 0 and math.isfinite(seconds) else 0
