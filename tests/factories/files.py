"""Files of tools for tests: a row and what it names."""

from apps.chat.models import ToolCall
from apps.common.clock import database_now
from apps.runs.erasing import workspace_of
from apps.toolkit.files.kinds import media_type_of
from apps.toolkit.models import Artifact

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63f8cfc0f01f00050001ff89993d1d0000000049454e44ae426082"
)
"""The smallest PNG."""


def make_artifact(call: ToolCall, name: str = "notes.txt", content: bytes = b"hello", folder: str = "exec/0") -> Artifact:
    """Keep a file as if the call had made it."""
    path = workspace_of(call.run.session.public_id) / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return Artifact.objects.create(
        call=call,
        number=call.artifacts.count(),
        folder=folder,
        name=name,
        media_type=media_type_of(name),
        size=len(content),
        sha256="0" * 64,
        created_at=database_now(),
    )
