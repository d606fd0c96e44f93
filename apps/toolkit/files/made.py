"""What a tool tells about the files that it made: to the coordinator, which keeps them, and to the model."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from apps.agent.messages import MadeFile, ToolResult
from apps.toolkit.files.kinds import media_type_of
from apps.toolkit.files.places import digest_of, folder_of_call
from apps.toolkit.models.artifact import Artifact, new_artifact_id

FOLDERS: Mapping[str, str] = {"code_execution": "code", "exec": "exec"}
"""The tools whose calls may have files, with the folder of the workspace in which each call has one of its own."""


def folder_of(tool: str, run_id: str, call_id: str) -> str:
    """Return the folder of a call's files in the workspace."""
    return folder_of_call(FOLDERS[tool], run_id, call_id)


def address_of(artifact_id: str) -> str:
    """Return the address that the file is fetched from."""
    return f"/api/artifacts/{artifact_id}"


def made_files(workspace: Path, folder: str, listed: Sequence[Mapping[str, Any]]) -> tuple[MadeFile, ...]:
    """Describe files that lie in a call's folder, given by name and size. Reads them: not for the event loop.

    Raises FileNotFoundError if one of them is gone already.
    """
    return tuple(_made(workspace, folder, each["name"], each["size"]) for each in listed)


def _made(workspace: Path, folder: str, name: str, size: int) -> MadeFile:
    digest = digest_of(workspace, f"{folder}/{name}")
    return MadeFile(new_artifact_id(), folder, name, media_type_of(name), size, digest)


def told(files: Sequence[MadeFile]) -> list[dict[str, Any]]:
    """Return what the model is told of them."""
    return [{"name": file.name, "size": file.size, "id": file.id, "url": address_of(file.id)} for file in files]


def artifacts_of(call_row: int, result: ToolResult, now: datetime) -> list[Artifact]:
    """Return the unsaved rows of a result's files."""
    return [_row(call_row, number, file, now) for number, file in enumerate(result.files)]


def _row(call_row: int, number: int, file: MadeFile, now: datetime) -> Artifact:
    return Artifact(
        public_id=file.id,
        call_id=call_row,
        number=number,
        folder=file.folder,
        name=file.name,
        media_type=file.media_type,
        size=file.size,
        sha256=file.sha256,
        created_at=now,
    )
