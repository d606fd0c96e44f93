"""`web_search`: the first hits of a search service."""

from typing import Any

from apps.agent.asking import refused
from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import compact_json
from apps.interactions.arguments import Reader, Unusable
from apps.toolkit.web.faults import WebFault
from apps.toolkit.web.searching import Searcher
from apps.toolkit.web.words import SEARCH, say

MOST_HITS, USUAL_HITS, LONGEST = 10, 5, 500


class WebSearch:
    """Searches. What is searched for leaves the machine, so its user is asked first; a second time changes nothing."""

    name = SEARCH
    effect: Effect = "outside"
    idempotent = True

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        limits = {"limit": MOST_HITS, "default": USUAL_HITS}
        properties = {
            "query": {"type": "string", "description": say("web_search.query", language)},
            "limit": {"type": "integer", "description": say("web_search.limit", language, **limits)},
        }
        parameters = {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Search; no hit is a result, too."""
        reader = Reader(context.language)
        try:
            source = reader.arguments(call, "form.object")
            query = reader.required_text(source, "query", "query", LONGEST)
        except Unusable as unusable:
            return refused(call, Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field))
        limit = _limit(source.get("limit"))
        if limit is None:
            return refused(call, Refusal("BAD_ARGUMENT", say("bad_limit", context.language), "limit"))
        try:
            hits = await self._searcher.search(query, limit)
        except WebFault as fault:
            return refused(call, Refusal(fault.code, say(fault.key, context.language, **fault.parts)))
        results = [{"title": hit.title, "url": hit.url, "words": hit.words} for hit in hits]
        return ToolResult(call.id, compact_json({"status": "done", "results": results}))


def _limit(given: Any) -> int | None:
    """Return the limit, brought into its range; None: it is no whole number."""
    if given is None:
        return USUAL_HITS
    text = str(given)
    is_whole = not isinstance(given, bool) and text.lstrip("-").isascii() and text.lstrip("-").isdecimal() and len(text) < 20
    return min(max(int(text), 1), MOST_HITS) if is_whole else None
