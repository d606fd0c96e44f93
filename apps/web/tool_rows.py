"""Which row draws a call of a tool: the tool's own, where it has one; and how a call with a result stands."""

from apps.chat.models import ToolResult

USUAL = "tool"

_registered: dict[str, str] = {}


def register(tool: str, kind: str) -> None:
    """Have `templates/rows/_<kind>.html` draw the calls of this tool. Raises ValueError if it has a row already."""
    if tool in _registered:
        raise ValueError(f"The tool {tool} has a row already.")
    _registered[tool] = kind


def row_kind(tool: str) -> str:
    """Return the kind of the row that draws a call."""
    return _registered.get(tool, USUAL)


_STATES_BY_CODE = {"ABORTED": "cancelled", "OUTCOME_UNKNOWN": "interrupted"}


def state_with(result: ToolResult) -> str:
    """Return how a call stands that has this result: ``done failed cancelled interrupted``."""
    return _STATES_BY_CODE.get(result.code, "failed" if result.is_error else "done")
