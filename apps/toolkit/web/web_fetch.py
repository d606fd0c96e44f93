"""`web_fetch`: the readable text of one public page."""

from typing import Any

from apps.agent.asking import refused
from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import compact_json
from apps.interactions.arguments import Reader, Unusable
from apps.toolkit.web.faults import WebFault
from apps.toolkit.web.fetching import Fetcher
from apps.toolkit.web.locating import LONGEST
from apps.toolkit.web.words import FETCH, say


class WebFetch:
    """Fetches a page. It leaves the machine, so its user is asked first; a second GET changes nothing."""

    name = FETCH
    effect: Effect = "outside"
    idempotent = True

    def __init__(self, fetcher: Fetcher | None = None) -> None:
        self._fetcher = fetcher or Fetcher()

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        properties = {"url": {"type": "string", "description": say("web_fetch.url", language)}}
        parameters = {"type": "object", "properties": properties, "required": ["url"], "additionalProperties": False}
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Fetch the page, or say why there is none."""
        reader = Reader(context.language)
        try:
            url = reader.required_text(reader.arguments(call, "form.object"), "url", "url", LONGEST)
        except Unusable as unusable:
            return refused(call, Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field))
        try:
            page = await self._fetcher.fetch(url)
        except WebFault as fault:
            return refused(call, Refusal(fault.code, say(fault.key, context.language, **fault.parts), "url"))
        content = {"status": "done", "url": page.url, "title": page.title, "text": page.text, "is_cut": page.is_cut}
        return ToolResult(call.id, compact_json(content))
