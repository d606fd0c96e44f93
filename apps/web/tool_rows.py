"""Which row draws a call of a tool: the tool's own, where it has one."""

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
