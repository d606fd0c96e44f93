"""No tool blocks the event loop: a thousand times the work is done elsewhere, and nobody waits for it there."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from apps.agent.messages import ToolCall, Turn
from apps.agent.tools import Tool, ToolContext
from apps.runs import services
from apps.runs.dispatch.threads import DatabaseThreads
from apps.sandbox.code import KINDS
from apps.toolkit.code_execution import CodeExecution
from apps.toolkit.files.exec import Exec
from apps.toolkit.geometry.analysis import GeogebraAnalysis
from apps.toolkit.reasoning.reason import Reason
from apps.toolkit.sandboxes import code_pool
from apps.toolkit.sources.tools import Rag, ReadSource
from apps.toolkit.tools import NAMES
from apps.toolkit.web.searching import Searcher
from apps.toolkit.web.web_fetch import WebFetch
from apps.toolkit.web.web_search import WebSearch
from tests.factories.accounts import UserFactory
from tests.support.loop_steps import watched
from tests.toolkit.sources.papers import File, attached
from tests.toolkit.web.local import answer, fetcher, serving

MOST_CALLS = 3_000
"""Of functions, between two looks at what is ready: a few milliseconds of work."""
PARAGRAPH = "The warranty of pump number {} lasts {} months. " + "Words that nobody asks for. " * 20
HITS = [{"title": f"Hit {n}", "url": f"http://hit{n}.example/", "content": "Three corners."} for n in range(10_000)]
ANSWERS = {
    "/small": answer(b"<p>Three corners.</p>"),
    "/large": answer(b"<article>" + b"<p>Three <b>corners</b> and a word.</p>" * 10_000 + b"</article>"),
    "/search?q=small&format=json": answer(json.dumps({"results": HITS[:10]}).encode(), type="application/json"),
    "/search?q=large&format=json": answer(json.dumps({"results": HITS}).encode(), type="application/json"),
}

type Arguments = dict[str, Any]
type Work = tuple[Tool, Arguments, Arguments]
"""A tool, a small call of it and a large one."""


@asynccontextmanager
async def plain(work: Callable[[], Work]) -> AsyncIterator[Work]:
    """Yield work that needs nobody else."""
    yield work()


def computing() -> Work:
    """A program that says a word, and one that fills what it may print and leaves twenty files."""
    pool = code_pool()
    assert pool is not None
    large = "print('x' * 900_000)\nfor n in range(20): open(f'{n}.txt', 'w').write('y' * 100_000)"
    return CodeExecution(pool), {"language": "python", "code": "print(1)"}, {"language": "python", "code": large}


def drawing() -> Work:
    """One point, and the most lines that a figure may have."""
    points = [f"P{n} = ({n}, {n * n})" for n in range(30)]
    circles = [f"c{n} = Circle(P{n}, {n + 1})" for n in range(30)]
    return GeogebraAnalysis(), {"commands": points[:1]}, {"commands": points + circles}


def writing() -> Work:
    """A table of one row, and one of ten thousand."""
    row, name = [1, "two", None], {"kind": "xlsx", "name": "table"}
    return Exec(), {**name, "content": [row]}, {**name, "content": [row] * 10_000}


def reasoning() -> Work:
    """A question of a word, and one of as many characters as it may have."""

    async def consult(system: str, question: str) -> Turn:
        return Turn(question)

    return Reason(consult), {"query": "Why?"}, {"query": "Why? " * 4_000, "context": "Because. " * 6_000}


@asynccontextmanager
async def fetching() -> AsyncIterator[Work]:
    """Yield a page of one paragraph, and one of ten thousand."""
    async with serving(ANSWERS) as local:
        yield WebFetch(fetcher(local)), *({"url": f"http://page.example/{size}"} for size in ("small", "large"))


@asynccontextmanager
async def searching() -> AsyncIterator[Work]:
    """Yield a search with ten hits, and one with ten thousand."""
    async with serving(ANSWERS) as local:
        yield WebSearch(Searcher(f"http://127.0.0.1:{local.port}")), {"query": "small"}, {"query": "large"}


WORK: dict[str, Callable[[], AbstractAsyncContextManager[Work]]] = {
    "code_execution": lambda: plain(computing),
    "geogebra_analysis": lambda: plain(drawing),
    "exec": lambda: plain(writing),
    "reason": lambda: plain(reasoning),
    "web_fetch": fetching,
    "web_search": searching,
}


async def seen_of(work: AbstractAsyncContextManager[Work], context: ToolContext) -> None:
    """Do the small work, so that workers have started, and the large one; compare what they do on the loop."""
    async with work as (tool, small, large):
        for number, arguments in enumerate((small, small, large)):
            call = ToolCall(f"c{number}", tool.name, json.dumps(arguments))
            steps, result = await watched(tool.run(call, context))
            assert not result.is_error, result.content
            assert steps.waited == set()
            assert 0 < steps.longest < MOST_CALLS


def test_every_work_tool_stands_here() -> None:
    assert {*WORK, Rag.name, ReadSource.name} == NAMES


@pytest.mark.landlock
@pytest.mark.parametrize("name", WORK)
def test_large_work_is_not_done_on_the_event_loop(name: str, tmp_path: Path, settings: Any) -> None:
    settings.SANDBOX = KINDS[-1]
    asyncio.run(seen_of(WORK[name](), ToolContext("sess_1", "run_1", "en", str(tmp_path))))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", [Rag.name, ReadSource.name])
def test_a_large_attachment_is_not_searched_or_read_on_the_event_loop(name: str) -> None:
    session, threads = services.make_session(UserFactory()), DatabaseThreads()
    text = "\n\n".join(PARAGRAPH.format(n, n % 60) for n in range(1_000))
    small, large = attached(session, File("small.txt", "The warranty lasts 24 months."), File("large.txt", text))
    work: dict[str, Work] = {
        Rag.name: (Rag(), *({"query": "warranty", "source_ids": [each.public_id]} for each in (small, large))),
        ReadSource.name: (ReadSource(), *({"source_id": each.public_id} for each in (small, large))),
    }
    try:
        context = ToolContext(session.public_id, "run_1", in_database=threads)
        asyncio.run(seen_of(plain(lambda: work[name]), context))
    finally:
        threads.close()


@pytest.mark.parametrize(("blocks", "waited"), [(lambda: Path("/").stat(), {"posix.stat"}), (lambda: abs(1), set())])
def test_a_tool_that_did_it_on_the_loop_would_be_seen(blocks: Callable[[], object], waited: set[str]) -> None:
    async def run() -> None:
        for _ in range(MOST_CALLS):
            blocks()

    steps, _result = asyncio.run(watched(run()))
    assert steps.longest >= MOST_CALLS
    assert steps.waited == waited
