"""Approvals: which tools must not start before the user has allowed it, and what exactly was allowed.

A tool whose policy is `ask` waits for its user. What is allowed is one call as it stood on the card: its fingerprint is
that of the tool, its schema, its arguments, and every file that they name, and is taken again when the tool starts.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from apps.agent.messages import ToolCall
from apps.agent.tools import Tool, ToolContext

Policy = Literal["never", "ask"]

_PIECE = 1 << 20


@runtime_checkable
class NamesFiles(Protocol):
    """A tool whose arguments name files."""

    def files(self, call: ToolCall, context: ToolContext) -> Sequence[Path]:
        """Return the files that the call will read, whether they exist or not."""
        ...


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file as it is now: its path, relative to the workspace if it lies there; an empty digest: it cannot be read."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a call would do if it started now: `digest` is equal for equal calls only."""

    digest: str
    files: tuple[NamedFile, ...] = ()


def default_policy(tool: object) -> Policy:
    """Return what holds where nothing was set: what leaves its workspace, or does not say what it does, is asked for."""
    effect = getattr(tool, "effect", None)
    is_harmless = effect in ("read", "compute") or (effect == "write" and getattr(tool, "within_workspace", False))
    return "never" if is_harmless else "ask"


def fingerprint(tool: Tool, call: ToolCall, context: ToolContext) -> Fingerprint:
    """Return the fingerprint of a call. Reads files: not for the event loop."""
    paths = tool.files(call, context) if isinstance(tool, NamesFiles) else ()
    files = tuple(NamedFile(_name(path, context), _sha256(path)) for path in paths)
    # The digest of the schema stands for its version: nobody can forget to count it up.
    whole = [tool.name, tool.schema("en"), _canonical(call), [[file.path, file.sha256] for file in files]]
    return Fingerprint(hashlib.sha256(_text(whole)).hexdigest(), files)


def _canonical(call: ToolCall) -> Any:
    """Return the arguments as a value, so that white space and order say nothing; what is no JSON stays a text."""
    try:
        return {"json": json.loads(call.arguments, strict=False)}
    except (ValueError, RecursionError):
        return {"text": call.arguments}


def _text(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _name(path: Path, context: ToolContext) -> str:
    workspace = Path(context.workspace)
    return path.relative_to(workspace).as_posix() if path.is_relative_to(workspace) else str(path)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError:
        return ""
    return digest.hexdigest()
