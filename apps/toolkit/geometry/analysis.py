"""`geogebra_analysis`: compute a figure from commands; its parts go to the model as words, to the page as a drawing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.agent.asking import refused
from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import clean_shown, compact_json, is_blank
from apps.interactions.arguments import Reader, Unusable, parsed
from apps.sandbox.errors import SandboxError
from apps.sandbox.pool import WorkerPool
from apps.toolkit.geometry.words import kinds, say

MOST_LINES = 60
SECONDS = 15
"""Time limit of one figure."""
_POOL = WorkerPool("apps.toolkit.geometry.worker", size=1)


@dataclass(frozen=True, slots=True)
class Figure:
    """What a call asks for: lines, and whether an image was named."""

    lines: tuple[str, ...]
    has_image: bool


class GeogebraAnalysis:
    """Computes figures. Doing it twice gives the same and reaches nothing."""

    name = "geogebra_analysis"
    effect: Effect = "compute"
    idempotent = True

    def __init__(self, pool: WorkerPool = _POOL) -> None:
        self._pool = pool

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        commands = {
            "type": "array",
            "description": say("commands", language, limit=MOST_LINES),
            "items": {"type": "string", "description": say("command", language)},
        }
        properties = {"commands": commands, "image": {"type": "string", "description": say("image", language)}}
        parameters = {
            "type": "object",
            "properties": properties,
            "required": ["commands"],
            "additionalProperties": False,
        }
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Compute the figure, or say which line is wrong and how."""
        figure = read(call, context.language)
        if isinstance(figure, Refusal):
            return refused(call, figure)
        try:
            computed = await self._pool.compute({"lines": figure.lines}, seconds=SECONDS)
        except SandboxError:
            return refused(call, Refusal("GEOMETRY_FAILED", say("failed", context.language)))
        if "fault" in computed:
            return refused(call, _at_line(computed, context.language))
        return _result(call, computed["things"], figure, context.language)


def read(call: ToolCall, language: str) -> Figure | Refusal:
    """Read a call; one text with several lines is as good as a list."""
    reader = Reader(language)
    try:
        source = reader.arguments(call, "form.object")
    except Unusable as unusable:
        return Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field)
    has_image = bool(source.get("image"))
    lines = _lines(source.get("commands"))
    if lines is None:
        return Refusal("BAD_ARGUMENT", say("not_lines", language), "commands")
    if not lines:
        return _without_lines(has_image, language)
    if len(lines) > MOST_LINES:
        return Refusal("BAD_ARGUMENT", say("many_lines", language, count=len(lines), limit=MOST_LINES), "commands")
    return Figure(lines, has_image)


def _lines(given: Any) -> tuple[str, ...] | None:
    """Return the lines that are not blank; None: these are no lines. A list may come as its JSON text."""
    decoded = parsed(given) if isinstance(given, str) else given
    is_one_text = isinstance(given, str) and not isinstance(decoded, list)
    listed = [given] if is_one_text else decoded or []
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return None
    return tuple(line for each in listed for line in clean_shown(each).splitlines() if not is_blank(line))


def _without_lines(has_image: bool, language: str) -> Refusal:
    if has_image:
        return Refusal("IMAGE_NOT_READ", say("image_not_read", language), "image")
    return Refusal("BAD_ARGUMENT", say("nothing_given", language), "commands")


def _at_line(computed: Mapping[str, Any], language: str) -> Refusal:
    """Say in words what is wrong, and with which line."""
    parts = dict(computed["parts"])
    if isinstance(parts.get("given"), list):
        forms = [f"{parts['name']}({kinds(form, language)})" for form in parts["forms"]]
        parts |= {"given": kinds(parts["given"], language), "forms": say("or", language).join(forms)}
    elif "given" in parts:
        parts["given"] = say(f"kind.{parts['given']}", language)
    fault = say(computed["fault"], language, **parts)
    message = say("at_line", language, line=computed["line"], fault=fault) if computed["line"] else fault
    return Refusal("BAD_COMMAND", message, "commands")


def _result(call: ToolCall, things: list[dict[str, Any]], figure: Figure, language: str) -> ToolResult:
    objects = [
        {key: thing[key] for key in ("name", "type", "exact", "value")}
        | {"text": say(f"told.{thing['type']}", language, name=thing["name"], **thing["facts"])}
        for thing in things
    ]
    shapes = [{"kind": thing["type"], "name": thing["name"], **thing["shape"]} for thing in things if thing["shape"]]
    content: dict[str, Any] = {"status": "done", "objects": objects}
    if shapes:
        content["figure"] = say("shown", language)
    if figure.has_image:
        content["image"] = say("image_not_read", language)
    return ToolResult(call.id, compact_json(content), details={"figure": shapes} if shapes else {})
