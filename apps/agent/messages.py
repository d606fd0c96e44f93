"""What a run consists of: the entries of a transcript, oldest first. Stored form and history are in state.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from apps.agent.tools import AskRequest


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model made. `arguments` is JSON text: as received if valid, else repaired.

    `extras` are the provider's own fields of the call, kept as they came.
    """

    id: str
    name: str
    arguments: str
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A file that a tool made for the user: its public id, the call's folder in the workspace, its path in there."""

    id: str
    folder: str
    name: str
    media_type: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The one result of a call. `content` is one JSON text, serialised once; `details` never reaches the model.

    The tokens are those of the model that the tool itself asked; they are stored with the turn of the call.
    `files` are kept as rows of their own with the result; of a stored result they are not read again.
    """

    call_id: str
    content: str
    is_error: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)
    code: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    files: tuple[MadeFile, ...] = ()


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A nudge, reminder or directive of the engine: role user to the model, a note to people."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One response of the model. `extras` are the provider's own fields of the message (reasoning and the like)."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: Literal["stop", "length"] = "stop"
    extras: Mapping[str, Any] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Started:
    """A working tool was started: from here on its effect may exist."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question was put to the user. `request` is there only while it is being made."""

    call_id: str
    fingerprint: str
    request: "AskRequest | None" = None


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """The user was asked to allow a call as it stood then. `request` is there only while it is being made."""

    call_id: str
    fingerprint: str
    request: "AskRequest | None" = None


@dataclass(frozen=True, slots=True)
class Approved:
    """The user has allowed a call as it stood then; `feedback` is what they said to it."""

    call_id: str
    fingerprint: str
    feedback: str = ""


Entry = UserMessage | Note | Turn | ToolResult | Started | Asked | ApprovalAsked | Approved
