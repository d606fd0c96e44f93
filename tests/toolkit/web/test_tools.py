"""web_fetch and web_search as a run has them: when they are there, that they ask first, what they give."""

import asyncio
import json
from typing import Any

import pytest

from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import ToolContext
from apps.chat.models import Run
from apps.runs.capabilities import capability_named, mounted
from apps.toolkit.web.searching import Searcher
from apps.toolkit.web.web_fetch import WebFetch
from apps.toolkit.web.web_search import WebSearch
from apps.toolkit.web.words import WORDS
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.toolkit.web.local import answer, fetcher, serving

CONTEXT = ToolContext("sess_x", "run_x")
HITS = [
    {"title": "Triangle", "url": "https://triangle.example/", "content": "Three\u202e corners."},
    {"title": "Script", "url": "javascript:alert(1)", "content": ""},
    "no hit",
    {"title": None, "url": "http://other.example/", "content": None},
    {"title": "Third", "url": "http://third.example/", "content": "x" * 9999},
]


def names(settings: Any, **given: object) -> set[str]:
    for name, value in given.items():
        setattr(settings, name, value)
    return {*mounted(capability_named("chat"), {}).tools} & {"web_fetch", "web_search"}


def call(**arguments: object) -> ToolCall:
    return ToolCall("c1", "web", json.dumps(arguments))


def content(result: ToolResult) -> dict[str, Any]:
    return dict(json.loads(result.content))


def test_they_are_there_only_where_the_settings_say_so(settings) -> None:
    assert names(settings) == set()
    assert names(settings, SEARCH_URL="http://127.0.0.1:8888") == set()
    assert names(settings, WEB_TOOLS=True) == {"web_fetch", "web_search"}
    assert names(settings, SEARCH_URL="") == {"web_fetch"}


@pytest.mark.django_db(transaction=True)
def test_nothing_is_fetched_before_the_user_has_allowed_it(settings) -> None:
    settings.WEB_TOOLS = True
    wanted = {"id": "c1", "name": "web_fetch", "arguments": {"url": "http://192.0.2.1/"}}
    desk = Desk(UserFactory(), [{"calls": [wanted]}, DONE])
    run = desk.drive(desk.say())
    assert run.status == Run.Status.WAITING
    assert (desk.card().kind, desk.card().payload["title"]) == ("approval", "web_fetch")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("tool", [WebFetch(), WebSearch(Searcher("http://127.0.0.1"))])
def test_every_property_of_a_schema_is_described(tool: WebFetch | WebSearch, language: str) -> None:
    schema = tool.schema(language)
    assert all(each["description"] for each in (schema, *schema["parameters"]["properties"].values()))


async def test_a_page_is_a_result() -> None:
    async with serving({"/a": answer(b"Three corners.", type="text/plain")}) as local:
        result = await WebFetch(fetcher(local)).run(call(url="http://start.example/a"), CONTEXT)
    page = {"status": "done", "url": "http://start.example/a", "title": "", "text": "Three corners.", "is_cut": False}
    assert content(result) == page


@pytest.mark.parametrize(
    ("url", "code"), [("http://127.0.0.1/", "WEB_REFUSED"), ("file:///etc/passwd", "BAD_ARGUMENT"), ("", "BAD_ARGUMENT")]
)
def test_a_page_that_is_not_fetched_is_a_refusal_that_says_why(url: str, code: str) -> None:
    result = asyncio.run(WebFetch().run(call(url=url), CONTEXT))
    assert (result.is_error, content(result)["code"], content(result)["field"]) == (True, code, "url")


async def test_a_search_gives_pages_only_and_is_reached_without_the_guard() -> None:
    body = json.dumps({"results": HITS}).encode()
    async with serving({"/s/search?q=a%26b&format=json": answer(body, type="application/json")}) as local:
        tool = WebSearch(Searcher(f"http://127.0.0.1:{local.port}/s"))
        results = content(await tool.run(call(query="a&b"), CONTEXT))["results"]
        assert len(content(await tool.run(call(query="a&b", limit=0), CONTEXT))["results"]) == 1
    assert results[:2] == [
        {"title": "Triangle", "url": "https://triangle.example/", "words": "Three corners."},
        {"title": "", "url": "http://other.example/", "words": ""},
    ]
    assert len(results[2]["words"]) == 500


@pytest.mark.parametrize(
    "sent",
    [
        answer(b"<html>", type="text/html"),
        answer(b"{", type="application/json"),
        answer(b"[]", type="application/json"),
        answer(b'{"results": ' + b"[" * 20_000, type="application/json"),
        answer(b"", status="429 Too Many Requests"),
        answer(b"", "Location: http://192.0.2.1/", status="302 Found"),
    ],
)
async def test_a_search_service_that_fails_is_a_refusal(sent: bytes) -> None:
    async with serving({"/search?q=x&format=json": sent}) as local:
        result = await WebSearch(Searcher(f"http://127.0.0.1:{local.port}")).run(call(query="x"), CONTEXT)
    assert content(result)["code"] == "WEB_FAILED"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({}, "query"), ({"query": " "}, "query"), ({"query": "x" * 501}, "query"), ({"limit": "few"}, "limit")],
)
def test_what_cannot_be_searched_is_refused_by_its_field(arguments: dict[str, object], field: str) -> None:
    sent = arguments if field == "query" else {"query": "x"} | arguments
    result = asyncio.run(WebSearch(Searcher("http://127.0.0.1")).run(call(**sent), CONTEXT))
    assert (content(result)["code"], content(result)["field"]) == ("BAD_ARGUMENT", field)


def test_all_words_are_there_in_both_languages() -> None:
    assert all(words.keys() == {"en", "zh"} and all(words.values()) for words in WORDS.values())
