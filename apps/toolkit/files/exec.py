"""`exec`: make one file for the user. It is no shell: it knows a few kinds of files, and runs nothing of the model's."""

import asyncio
import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.agent.asking import refused
from apps.agent.messages import MadeFile, ToolCall, ToolResult
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import compact_json
from apps.sandbox.errors import OutOfMemory, SandboxError, TimedOut
from apps.sandbox.pool import WorkerPool
from apps.sandbox.worker import Limits
from apps.toolkit.files.made import folder_of, made_files, told
from apps.toolkit.files.places import count_folders, write_whole
from apps.toolkit.files.request import ENDINGS, MAX_CONTENT, MAX_NAME, TEXTS, Wanted, read
from apps.toolkit.files.words import say

MAX_FILES = 200
"""Files of one session."""
SECONDS = 30
SHOWN_REPLACED = 20

# The reply holds the file, of 2 MiB at most, in base64.
_LIMITS = Limits(memory_bytes=768 << 20, reply_bytes=4 << 20)
_POOL = WorkerPool("apps.toolkit.files.making.worker", limits=_LIMITS)


class Exec:
    """Makes a file. Doing it twice is harmless: a call has one place, and its file is put there whole."""

    name = "exec"
    effect: Effect = "write"
    within_workspace = True
    idempotent = True

    def __init__(self, pool: WorkerPool = _POOL) -> None:
        self._pool = pool

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        cell = {"type": ["string", "number", "boolean", "null"]}
        row = {"type": "array", "description": say("exec.row", language), "items": cell}
        rows = {"type": "array", "description": say("exec.rows", language), "items": row}
        content = {"description": say("exec.content", language, limit=MAX_CONTENT), "anyOf": [{"type": "string"}, rows]}
        parameters = {
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": list(ENDINGS), "description": say("exec.kind", language)},
                "name": {"type": "string", "description": say("exec.name", language, limit=MAX_NAME)},
                "content": content,
            },
            "required": ["kind", "name", "content"],
            "additionalProperties": False,
        }
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Make the file in a worker process, put it into the workspace, tell where it is."""
        # A large table has a hundred thousand cells to be looked at: not on the event loop.
        wanted = await asyncio.to_thread(read, call, context.language)
        if isinstance(wanted, Refusal):
            return refused(call, wanted)
        workspace, folder = Path(context.workspace), folder_of(self.name, context.run_id, call.id)
        if not await asyncio.to_thread(_has_room, workspace, folder):
            return refused(call, Refusal("TOO_MANY_FILES", say("too_many_files", context.language, limit=MAX_FILES)))
        made = await self._made(wanted, context.language)
        if isinstance(made, Refusal):
            return refused(call, made)
        content: dict[str, Any] = {"status": "done", "kind": wanted.kind}
        if made.replaced:
            content |= {"replaced": made.replaced[:SHOWN_REPLACED], "message": say("replaced", context.language)}
        files = await _to_its_end(_kept, workspace, folder, wanted.name, made.content)
        return ToolResult(call.id, compact_json(content | {"files": told(files)}), files=files)

    async def _made(self, wanted: Wanted, language: str) -> "_Made | Refusal":
        """Have the bytes made, or say why they are not."""
        if wanted.kind in TEXTS and isinstance(wanted.content, str):
            return _Made(wanted.content.encode(), ())
        try:
            made = await self._pool.compute({"kind": wanted.kind, "content": wanted.content}, seconds=SECONDS)
        except (TimedOut, OutOfMemory):
            return Refusal("FILE_FAILED", say("too_slow", language), "content")
        except SandboxError:
            return Refusal("FILE_FAILED", say("failed", language), "content")
        if "unfit" in made:
            return Refusal("BAD_ARGUMENT", say(made["unfit"], language, **made["parts"]), "content")
        return _Made(base64.b64decode(made["file"]), made["replaced"])


@dataclass(frozen=True, slots=True)
class _Made:
    """The bytes of a file, and the characters that it cannot show."""

    content: bytes
    replaced: Sequence[str]


async def _to_its_end[**P, T](function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in a thread. A caller who is cancelled waits for it: what it wrote can then be cleared away."""
    work = asyncio.ensure_future(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        # Gathered, not awaited: that it failed is of no interest any more, and nobody is to be told so.
        await asyncio.gather(work, return_exceptions=True)
        raise


def _has_room(workspace: Path, folder: str) -> bool:
    """Say whether the session may have one more file; a call that is run again has its place already."""
    place = workspace / folder
    return place.exists() or count_folders(place.parent) < MAX_FILES


def _kept(workspace: Path, folder: str, name: str, content: bytes) -> tuple[MadeFile, ...]:
    write_whole(workspace, folder, name, content)
    return made_files(workspace, folder, [{"name": name, "size": len(content)}])
