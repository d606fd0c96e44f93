"""Searches: the administrator's own SearXNG, whose address is a setting and no model's choice, so it may be anywhere."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlencode

import httpcore

from apps.common.text import clean_shown
from apps.toolkit.web.faults import WebFault
from apps.toolkit.web.requesting import get

MOST_WORDS = 500
"""Characters of the words that are shown of one hit."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search."""

    title: str
    url: str
    words: str


class Searcher:
    """Asks a SearXNG at one address."""

    def __init__(self, address: str, backend: httpcore.AsyncNetworkBackend | None = None) -> None:
        self._address, self._backend = address, backend or httpcore.AnyIOBackend()

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Return the first hits. Raises WebFault."""
        answer = await get(
            f"{self._address}/search?{urlencode({'q': query, 'format': 'json'})}", self._backend, {"application/json"}
        )
        if answer.status != 200:
            raise WebFault("bad_status", status=answer.status)
        # Up to two MiB: not on the event loop.
        return await asyncio.to_thread(lambda: list(islice(_hits(answer.body), limit)))


def _hits(body: bytes) -> Iterator[Hit]:
    """Yield what of an answer is a hit. Raises WebFault."""
    try:
        listed = json.loads(body)["results"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise WebFault("bad_results") from None
    for each in listed if isinstance(listed, list) else ():
        if hit := _hit(each):
            yield hit


def _hit(given: Any) -> Hit | None:
    """Return a hit if it is a page of the web."""
    if not isinstance(given, dict):
        return None
    title, url, words = (clean_shown(str(given.get(key) or "")) for key in ("title", "url", "content"))
    return (
        Hit(title[:MOST_WORDS], url, words[:MOST_WORDS]) if url.startswith(("http://", "https://")) and len(url) <= 2000 else None
    )
