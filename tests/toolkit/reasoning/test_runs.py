"""A run that thinks a question through beside its conversation: what the model is asked, what it costs, what ends it."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from apps.agent.model import ModelRequest
from apps.chat.models import ChatSession, Run, ToolResult
from apps.providers.registry import override_model
from apps.runs import segments
from apps.runs.capabilities import capability_named, mounted
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.execution import execute
from apps.runs.selectors import tokens_of
from apps.toolkit.reasoning.words import WORDS
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk

pytestmark = pytest.mark.django_db(transaction=True)
QUERY = "Is 91 prime? [[think#q]]"


def reason(ident: str = "c1", **arguments: object) -> dict[str, object]:
    return {"id": ident, "name": "reason", "arguments": {"query": QUERY} | arguments}


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Somebody at work whose language model asks itself one question."""
    made = Desk(UserFactory(), [{"calls": [reason(context="91 is 90 + 1.")]}, DONE])
    made.model.scripts.scenarios["think"] = [{"text": "No: 7 times 13."}]
    with override_model(made.model):
        yield made


def beside(desk: Desk) -> ModelRequest:
    """Return the request that was no round of the run."""
    (request,) = filter(is_beside, desk.model.requests)
    return request


def is_beside(request: ModelRequest) -> bool:
    return bool(request.messages[0]["content"] == WORDS["system"]["en"])


def content(run: Run) -> dict[str, Any]:
    return dict(json.loads(ToolResult.objects.get(call__run=run).content))


def test_the_model_is_asked_apart_from_the_conversation_and_without_tools(desk: Desk) -> None:
    run = desk.drive(desk.say())
    assert content(run) == {"status": "done", "answer": "No: 7 times 13.", "is_cut": False}
    request = beside(desk)
    assert [message["role"] for message in request.messages] == ["system", "user"]
    assert request.messages[0]["content"] == WORDS["system"]["en"]
    assert request.messages[1]["content"] == f"{QUERY}\n\nContext:\n91 is 90 + 1."
    assert request.tools == ()


def test_its_tokens_are_counted_in_the_usage_of_the_run(desk: Desk) -> None:
    run = desk.drive(desk.say())
    assert desk.kinds().count("usage") == 3
    total = tokens_of(ChatSession.objects.get(public_id=desk.session))
    assert (total.input, total.output) == (3 * 11, 3 * 7)
    assert ToolResult.objects.get(call__run=run).details == {"inputTokens": 11, "outputTokens": 7}


def test_a_delegated_run_can_think_too(desk: Desk) -> None:
    task = {"id": "d1", "name": "delegate", "arguments": {"task": "Do it. [[child#k]]"}}
    desk.model.scripts.scenarios |= {"s": [{"calls": [task]}, DONE], "child": [{"calls": [reason()]}, {"text": "Thought."}]}
    desk.drive(desk.say())
    assert beside(desk).messages[1]["content"] == QUERY


@pytest.mark.parametrize(
    ("step", "said"),
    [({"fault": {"kind": "status", "status": 401}}, "The model did not answer"), ({"text": " "}, "its answer was empty")],
)
def test_a_model_that_fails_is_a_result_and_the_run_goes_on(desk: Desk, step: dict[str, Any], said: str) -> None:
    desk.model.scripts.scenarios["think"] = [step]
    run = desk.drive(desk.say())
    assert run.status == Run.Status.COMPLETED
    assert content(run)["code"] == "REASON_FAILED"
    assert said in content(run)["message"]


def test_an_answer_that_was_cut_says_so(desk: Desk) -> None:
    desk.model.scripts.scenarios["think"] = [{"text": "No: 7", "finish": "length"}]
    assert content(desk.drive(desk.say()))["is_cut"] is True


def test_it_ends_with_its_run(desk: Desk) -> None:
    closed = asyncio.Event()
    whole = desk.model.stream

    async def endless(request: ModelRequest) -> Any:
        if not is_beside(request):
            async for piece in whole(request):
                yield piece
            return
        thinking.set()
        try:
            await asyncio.sleep(3600)
        finally:
            closed.set()

    async def cancelled() -> None:
        threads = DatabaseThreads()
        task = asyncio.create_task(execute(claimed, desk.model, threads))
        await asyncio.wait_for(thinking.wait(), 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        threads.close()

    thinking = asyncio.Event()
    desk.model.stream = endless  # type: ignore[method-assign]
    claimed = segments.claim(desk.say().pk, "worker-test")
    assert claimed is not None
    asyncio.run(cancelled())
    assert closed.is_set()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": 7}, "query"),
        ({"query": "x" * 20_001}, "query"),
        ({"context": ["a"]}, "context"),
        ({"context": "x" * 60_001}, "context"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_its_field(desk: Desk, arguments: dict[str, object], field: str) -> None:
    desk.model.scripts.scenarios["s"] = [{"calls": [reason(**arguments)]}, DONE]
    refused = content(desk.drive(desk.say()))
    assert (refused["code"], refused["field"]) == ("BAD_ARGUMENT", field)


def test_the_built_in_solver_cannot_think_so_it_is_not_offered() -> None:
    assert "reason" not in mounted(capability_named("chat"), {}).tools


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_capability_of_a_language_model_offers_it_described(desk: Desk, language: str) -> None:
    for capability in ("chat", "deep_solve"):
        schema = mounted(capability_named(capability), {}).tools["reason"].schema(language)
        properties = schema["parameters"]["properties"]
        assert list(properties) == ["query", "context"]
        assert all(each["description"] for each in (schema, *properties.values()))


def test_all_words_are_there_in_both_languages() -> None:
    assert all(words.keys() == {"en", "zh"} and all(words.values()) for words in WORDS.values())
