"""`rag` and `read_source`: find passages in the session's attachments, and read one on."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from apps.agent.asking import refused
from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import compact_json
from apps.interactions.arguments import Reader, Unusable
from apps.toolkit.models import Source, SourcePart
from apps.toolkit.sources.selectors import Found, look_for, parts_by_key, parts_from
from apps.toolkit.sources.terms import terms_of_query
from apps.toolkit.sources.words import say

PASSAGES = 5
READ_CHARACTERS = 12_000
"""So much text `read_source` returns at once."""
MAX_QUERY = 2_000
_AT_ONCE = 50


class _SourceTool:
    """A tool over the attachments of the session that its run belongs to, and of no other."""

    name: str
    required: Sequence[str]
    effect: Effect = "read"
    idempotent = True

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        parameters = {
            "type": "object",
            "properties": self.properties(language),
            "required": list(self.required),
            "additionalProperties": False,
        }
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    def properties(self, language: str) -> dict[str, Any]:
        """Return the schema of each argument."""
        raise NotImplementedError

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Read the arguments and do the work; what is wrong with them is a result that says so."""
        try:
            content = await self.work(_Call(call, context), context)
        except Unusable as unusable:
            return refused(call, Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field))
        return ToolResult(call.id, compact_json(content))

    async def work(self, call: "_Call", context: ToolContext) -> dict[str, Any]:
        """Return the content of the result. Raises Unusable."""
        raise NotImplementedError


class Rag(_SourceTool):
    """Finds passages."""

    name = "rag"
    required = ("query",)

    def properties(self, language: str) -> dict[str, Any]:
        """Return the schema of each argument."""
        ids = {"type": "string", "description": say("rag.source_id", language)}
        return {
            "query": {"type": "string", "description": say("rag.query", language)},
            "source_ids": {"type": "array", "items": ids, "description": say("rag.source_ids", language)},
        }

    async def work(self, call: "_Call", context: ToolContext) -> dict[str, Any]:
        """Rank beside the event loop and the threads of the database: a large attachment takes a while."""
        query = call.query()
        found: Found = await context.in_database(lambda: look_for(query, call.sources()))
        best = await asyncio.to_thread(found.best, PASSAGES)
        parts = await context.in_database(parts_by_key, best)
        content: dict[str, Any] = {"status": "done", "results": [_of_source(part.source) | _part(part) for part in parts]}
        return content if parts else content | {"message": say("nothing_found", context.language)}


class ReadSource(_SourceTool):
    """Reads on from a part."""

    name = "read_source"
    required = ("source_id",)

    def properties(self, language: str) -> dict[str, Any]:
        """Return the schema of each argument."""
        return {
            "source_id": {"type": "string", "description": say("read_source.source_id", language)},
            "part": {"type": "integer", "description": say("read_source.part", language)},
        }

    async def work(self, call: "_Call", context: ToolContext) -> dict[str, Any]:
        """Return as many parts as fit."""
        content: dict[str, Any] = await context.in_database(_read_on, call)
        return content


def _read_on(call: "_Call") -> dict[str, Any]:
    source = call.source()
    first, size = call.part(source), 0
    parts: list[SourcePart] = []
    for part in parts_from(source, first)[:_AT_ONCE]:
        size += len(part.text)
        if parts and size > READ_CHARACTERS:
            break
        parts.append(part)
    following = first + len(parts)
    is_over = following > source.part_count
    known = {"status": "done", **_of_source(source), "parts_in_all": source.part_count}
    return known | {"parts": [_part(part) for part in parts], "next_part": None if is_over else following}


def _of_source(source: Source) -> dict[str, Any]:
    return {"source_id": source.public_id, "name": source.name}


def _part(part: SourcePart) -> dict[str, Any]:
    page = {} if part.page is None else {"page": part.page}
    heading = {"heading": part.heading} if part.heading else {}
    return {"part": part.number, **page, **heading, "text": part.text}


class _Call:
    """The arguments of a call, read one by one. Those that name sources are read where the database is."""

    def __init__(self, call: ToolCall, context: ToolContext) -> None:
        self._language, self._session_id = context.language, context.session_id
        self._source: Mapping[str, Any] = Reader(context.language).arguments(call, "form.object")

    def query(self) -> str:
        """Return the query. Raises Unusable if it holds no word."""
        query = self._source.get("query")
        if not isinstance(query, str) or not terms_of_query(query[:MAX_QUERY]):
            raise self._unusable("bad_query", "query")
        return query[:MAX_QUERY]

    def sources(self) -> list[Source]:
        """Return the sources that are named, or all. Raises Unusable."""
        known, wanted = self._known(), self._source.get("source_ids")
        if isinstance(wanted, str):
            wanted = [wanted]
        if wanted in (None, []):
            return list(known.values())
        if not isinstance(wanted, list):
            raise self._unusable("bad_source_ids", "source_ids", example=compact_json(list(known)[:1]))
        return [self._one(known, each, "source_ids") for each in dict.fromkeys(map(str, wanted))]

    def source(self) -> Source:
        """Return the source that is named. Raises Unusable."""
        return self._one(self._known(), self._source.get("source_id"), "source_id")

    def part(self, source: Source) -> int:
        """Return the number of the part to begin with. Raises Unusable."""
        given = self._source.get("part")
        number = int(float(str(given))) if _is_whole(given) else given
        if number is None:
            return 1
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= source.part_count:
            raise self._unusable("bad_part", "part", parts=source.part_count)
        return number

    def _known(self) -> dict[str, Source]:
        own = Source.objects.filter(session__public_id=self._session_id, part_count__gt=0).order_by("id")
        return {source.public_id: source for source in own}

    def _one(self, known: Mapping[str, Source], wanted: Any, field: str) -> Source:
        if not isinstance(wanted, str) or wanted not in known:
            names = ", ".join(known) or say("none", self._language)
            raise self._unusable("no_source", field, known=names)
        return known[wanted]

    def _unusable(self, key: str, field: str, **parts: object) -> Unusable:
        return Unusable(Refusal("BAD_ARGUMENT", say(key, self._language, **parts), field))


def _is_whole(given: Any) -> bool:
    """Say whether this is a whole number, written in whatever way models write one."""
    is_number = isinstance(given, float) and given.is_integer()
    is_text = isinstance(given, str) and given.strip().isascii() and given.strip().isdecimal() and len(given) < 9
    return is_number or is_text
