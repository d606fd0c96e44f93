"""Each refusal has a stable code, words without secrets, and a rule whether to ask again."""

import email.utils
import time

import pytest

from apps.agent.model import ModelError
from apps.providers.openai_compatible.failures import WORDS, failure_of_status, model_error, seconds_to_wait


@pytest.mark.parametrize(
    ("status", "words", "code", "again"),
    [
        (400, "", "model_refused_request", False),
        (400, "this model's maximum context length is 8192 tokens", "model_context_too_long", False),
        (401, "", "model_denied", False),
        (402, "", "model_quota_spent", False),
        (403, "", "model_denied", False),
        (404, "", "model_not_found", False),
        (408, "", "model_unavailable", True),
        (413, "", "model_context_too_long", False),
        (422, "", "model_refused_request", False),
        (429, "", "model_rate_limited", True),
        (429, '{"code":"insufficient_quota"}', "model_quota_spent", False),
        (500, "", "model_unavailable", True),
        (501, "", "model_refused_request", False),
        (503, "", "model_unavailable", True),
        (529, "", "model_unavailable", True),
    ],
)
def test_status_decides(status: int, words: str, code: str, again: bool) -> None:
    failure = failure_of_status(status, words)
    assert (failure.code, failure.again) == (code, again)


def test_wait_longer_than_a_minute_is_not_waited() -> None:
    assert failure_of_status(429, "", 60).again
    assert not failure_of_status(429, "", 61).again


@pytest.mark.parametrize(("value", "seconds"), [("0", 0), ("2.5", 2.5), ("-3", 0), ("soon", None), ("inf", None), ("", None)])
def test_retry_after_in_seconds(value: str, seconds: float | None) -> None:
    assert seconds_to_wait({"retry-after": value}) == seconds


def test_retry_after_as_a_date() -> None:
    seconds = seconds_to_wait({"retry-after": email.utils.formatdate(time.time() + 30, usegmt=True)})
    assert seconds is not None
    assert 25 < seconds <= 30
    assert seconds_to_wait({"retry-after": email.utils.formatdate(time.time() - 30, usegmt=True)}) == 0


@pytest.mark.parametrize("code", sorted(WORDS))
def test_every_code_has_words_in_both_languages(code: str) -> None:
    english, chinese = model_error(code, "en"), model_error(code, "zh")
    assert isinstance(english, ModelError)
    assert english.message.isascii()
    assert not chinese.message.isascii()
    assert english.code == chinese.code == code
    assert english.retryable == chinese.retryable
