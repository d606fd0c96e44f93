"""Why a request gave no turn: stable codes, words for people, and whether to ask again."""

import email.utils
import math
import re
import time
from collections.abc import Mapping
from typing import Any

from apps.agent.model import ModelError
from apps.common.text import compact_json

WORDS: dict[str, dict[str, str]] = {
    "model_unavailable": {
        "en": "The model server cannot be reached or reports an error of its own. Try again in a moment.",
        "zh": "模型服务器无法连接或自身出错。请稍后重试。",
    },
    "model_timeout": {
        "en": "The model server did not answer in time. Try again in a moment.",
        "zh": "模型服务器未能及时响应。请稍后重试。",
    },
    "model_rate_limited": {
        "en": "The model server takes no more requests for now. Try again later.",
        "zh": "模型服务器暂时不再接受请求。请稍后重试。",
    },
    "model_interrupted": {
        "en": "The model's answer broke off every time. Try again in a moment.",
        "zh": "模型的回答每次都中途断开。请稍后重试。",
    },
    "model_protocol": {
        "en": "The model server's answer is not a chat completion. An administrator should check its address.",
        "zh": "模型服务器返回的不是聊天补全。请管理员检查其地址。",
    },
    "model_quota_spent": {
        "en": "The account at the model's provider has no quota left. An administrator must raise it.",
        "zh": "模型服务商账户的额度已用完。请管理员提升额度。",
    },
    "model_denied": {
        "en": "The model server refused the key. An administrator must set another one.",
        "zh": "模型服务器拒绝了密钥。请管理员更换密钥。",
    },
    "model_not_found": {
        "en": "The model server knows no such model or address. An administrator must correct the settings.",
        "zh": "模型服务器上没有该模型或地址。请管理员更正设置。",
    },
    "model_context_too_long": {
        "en": "This conversation is longer than the model can read. Begin a new one.",
        "zh": "本次对话已超出模型可读取的长度。请新建对话。",
    },
    "model_refused_request": {
        "en": "The model server refused the request as malformed. An administrator can see which model is set.",
        "zh": "模型服务器认为请求格式有误而拒绝。请管理员检查所设置的模型。",
    },
}
NOT_RETRYABLE = {"model_denied", "model_not_found", "model_context_too_long", "model_refused_request"}
LONGEST_WAIT_SECONDS = 60.0

_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|insufficient (balance|credits|funds)")
_TOO_LONG = re.compile(r"context_length_exceeded|maximum context|context (length|window|size)|prompt is too long|too many tokens")
_MEANT_STATUS = [
    (429, re.compile(r"rate.?limit|too many requests|quota")),
    (401, re.compile(r"authentication|invalid.api.key|permission")),
    (400, re.compile(r"invalid_request|bad.?request|context_length|unsupported")),
]


class Failure(Exception):
    """One try gave no turn.

    `again`: the same request may be sent again by itself. `wait_seconds`: the server said how long to wait.
    `refusal`: the lower-case words of a refused request, only for recognising what was refused; never shown or logged.
    `empty`: the answer had nothing in it at all.
    """

    def __init__(
        self, code: str, *, again: bool = True, wait_seconds: float | None = None, refusal: str = "", empty: bool = False
    ) -> None:
        super().__init__(code)
        self.code, self.again, self.wait_seconds, self.refusal, self.empty = code, again, wait_seconds, refusal, empty


def model_error(code: str, language: str) -> ModelError:
    """Return the error that ends a request, in words that hold no key, address or answer's text."""
    return ModelError(code, WORDS[code]["zh" if language == "zh" else "en"], retryable=code not in NOT_RETRYABLE)


def failure_of_status(status: int, words: str = "", wait_seconds: float | None = None) -> Failure:
    """Judge a refusal by its HTTP status and its lower-case words."""
    if status == 402 or (status == 429 and _QUOTA.search(words)):
        return Failure("model_quota_spent", again=False)
    if status == 429:
        return Failure("model_rate_limited", again=_is_short(wait_seconds), wait_seconds=wait_seconds)
    if status in (408, 409, 425) or (status >= 500 and status != 501):
        return Failure("model_unavailable", again=_is_short(wait_seconds), wait_seconds=wait_seconds)
    if status in (401, 403):
        # A refusal of one feature also comes as 403: an account that must be verified before it may stream.
        return Failure("model_denied", again=False, refusal=words if status == 403 else "")
    if status == 413 or _TOO_LONG.search(words):
        return Failure("model_context_too_long", again=False)
    return Failure("model_not_found" if status == 404 else "model_refused_request", again=False, refusal=words)


def failure_in_stream(frame: Mapping[str, Any]) -> Failure:
    """Judge an error that came inside an answer with status 200."""
    error = frame.get("error") or frame
    words = words_of(error)
    code = str(error.get("code", "")) if isinstance(error, dict) else ""
    if code.isdecimal() and 400 <= int(code) < 600:
        return failure_of_status(int(code), words)
    return failure_of_status(next((status for status, meant in _MEANT_STATUS if meant.search(words)), 500), words)


def words_of(body: object) -> str:
    """Return an error body as lower-case text, bounded."""
    try:
        text = body if isinstance(body, str) else compact_json(body)
    except (TypeError, ValueError):
        return ""
    return text[:4000].lower()


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After: seconds or a date. None: not given or unreadable; a date that is past is 0."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        moment = email.utils.parsedate_tz(value)
        if moment is None:
            return None
        seconds = email.utils.mktime_tz(moment) - time.time()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _is_short(wait_seconds: float | None) -> bool:
    return wait_seconds is None or wait_seconds <= LONGEST_WAIT_SECONDS
