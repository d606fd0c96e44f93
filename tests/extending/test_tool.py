"""A run that uses the tool of the page."""

import json
from typing import Any

import pytest

from apps.chat.models import Run, ToolCall, ToolResult
from apps.runs.capabilities import capability_named, mounted
from apps.runs.erasing import erase_session
from tests.extending.conftest import count
from tests.support.runs import DONE, asks
from tests.web.conftest import Say

pytestmark = pytest.mark.django_db


def test_a_run_uses_it_and_its_result_is_stored(days_between: Any, say: Say) -> None:
    run = say(asks(count()), DONE).run
    result = ToolResult.objects.get(call__run=run)
    assert (run.status, json.loads(result.content)) == (Run.Status.COMPLETED, {"status": "done", "days": 41})


@pytest.mark.parametrize("day", ["2026-02-30", "soon", 7, None])
def test_a_day_that_is_none_is_refused_by_its_field_and_the_run_goes_on(days_between: Any, say: Say, day: object) -> None:
    run = say(asks(count(last=day)), DONE).run
    content = json.loads(ToolResult.objects.get(call__run=run).content)
    assert (run.status, content["code"], content["field"]) == (Run.Status.COMPLETED, "BAD_ARGUMENT", "last")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_capability_offers_it_with_every_property_described(days_between: Any, language: str) -> None:
    for name in ("chat", "deep_solve"):
        schema = mounted(capability_named(name), {}).tools["days_between"].schema(language)
        assert all(each["description"] for each in (schema, *schema["parameters"]["properties"].values()))


def test_its_words_differ_between_the_languages(days_between: Any) -> None:
    assert all(words["en"] != words["zh"] for words in days_between.WORDS.values())


def test_an_erasure_leaves_its_name_and_none_of_its_words(days_between: Any, say: Say) -> None:
    session = say(asks(count()), DONE).session
    erase_session(session)
    call = ToolCall.objects.select_related("result").get(run__session=session)
    assert (call.name, call.arguments, "41" in call.result.content) == ("days_between", "{}", False)
