"""The work tools that every capability mounts: those that work here and now."""

from collections.abc import Iterator, Sequence

from django.conf import settings

from apps.agent.tools import Tool
from apps.chat.models import ChatSession
from apps.providers.registry import has_language_model
from apps.toolkit.code_execution import CodeExecution
from apps.toolkit.files.exec import Exec
from apps.toolkit.geometry.analysis import GeogebraAnalysis
from apps.toolkit.reasoning.reason import Reason
from apps.toolkit.sandboxes import code_pool
from apps.toolkit.sources.selectors import sources_of
from apps.toolkit.sources.tools import Rag, ReadSource
from apps.toolkit.web.words import FETCH, SEARCH

OVER_SOURCES = frozenset({Rag.name, ReadSource.name})
NAMES = frozenset({CodeExecution.name, GeogebraAnalysis.name, Reason.name, Exec.name, FETCH, SEARCH}) | OVER_SOURCES
"""Of all work tools, those that do not work here and now as well."""


def work_tools() -> Sequence[Tool]:
    """Return them in the order in which the model sees them, those among them that a session may have no use for."""
    return list(_work_tools())


def _work_tools() -> Iterator[Tool]:
    if pool := code_pool():
        yield CodeExecution(pool)
    yield GeogebraAnalysis()
    yield Exec()
    yield from (Rag(), ReadSource())
    if has_language_model():
        yield Reason()
    if settings.WEB_TOOLS:
        yield from _web_tools()


def _web_tools() -> Iterator[Tool]:
    # What talks to the web takes a while to import, and most installations never do.
    from apps.toolkit.web.searching import Searcher
    from apps.toolkit.web.web_fetch import WebFetch
    from apps.toolkit.web.web_search import WebSearch

    yield WebFetch()
    if settings.SEARCH_URL:
        yield WebSearch(Searcher(settings.SEARCH_URL))


def useless_in(session: ChatSession | None) -> frozenset[str]:
    """Return the names of the work tools that have nothing to work on in this session. None: one that has not begun."""
    can_read = session is not None and any(source.part_count for source in sources_of(session))
    return frozenset() if can_read else OVER_SOURCES
