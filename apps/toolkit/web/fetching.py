"""Pages: an address and its redirects, each through the same guard, to readable text."""

import re
from dataclasses import dataclass

import httpcore

from apps.common.text import clean_shown
from apps.sandbox.errors import SandboxError
from apps.sandbox.pool import WorkerPool
from apps.toolkit.web.faults import WebFault
from apps.toolkit.web.guarding import GuardedBackend
from apps.toolkit.web.locating import located
from apps.toolkit.web.requesting import Answer, get

MOST_REDIRECTS, READING_SECONDS = 3, 15
_REDIRECTS = (301, 302, 303, 307, 308)
_HTML = frozenset({"text/html", "application/xhtml+xml"})
TYPES = _HTML | {"text/plain", "text/markdown", "text/csv", "application/json", "application/xml", "text/xml"}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_POOL = WorkerPool("apps.toolkit.web.extraction", size=1)


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was read; `url` is where it was found in the end."""

    url: str
    title: str
    text: str
    is_cut: bool


class Fetcher:
    """Fetches pages, each connection through its guard."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend | None = None, pool: WorkerPool = _POOL) -> None:
        self._backend, self._pool = backend or GuardedBackend(), pool

    async def fetch(self, url: str) -> Page:
        """Return the page at an address. Raises WebFault."""
        address = located(url)
        for _ in range(MOST_REDIRECTS + 1):
            answer = await get(address, self._backend, TYPES)
            if answer.status not in _REDIRECTS or "location" not in answer.headers:
                return await self._page(address, answer)
            address = located(answer.headers["location"], address)
        raise WebFault("many_redirects", limit=MOST_REDIRECTS)

    async def _page(self, address: str, answer: Answer) -> Page:
        if not 200 <= answer.status < 300:
            raise WebFault("bad_status", status=answer.status)
        charset = _CHARSET.search(answer.headers.get("content-type", ""))
        job = {
            "body": answer.body.decode("latin-1"),
            "charset": charset[1] if charset else "",
            "is_html": answer.type in _HTML,
        }
        try:
            read = await self._pool.compute(job, seconds=READING_SECONDS)
        except SandboxError:
            raise WebFault("not_read") from None
        return Page(address, clean_shown(read["title"]), clean_shown(read["text"]), read["is_cut"])
