"""What one model at one address refuses: learnt from its refusals, remembered as long as the process lives."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

REASONING_FIELD = "reasoning_content"

_UNSUPPORTED = re.compile(
    r"unsupported|not support|n't support|not permitted|not allowed|not available|only .*(allowed|supported)|should not be"
    r"|unknown|unrecogni[sz]ed|unexpected|invalid param|extra (inputs|fields)|additional propert|no endpoints"
    r"|must be verified|requires --"
)
_DEMANDED = re.compile(r"missing|required|must be (passed|provided|included|sent|present)")
_ALTERNATE = re.compile(r"alternat|consecutive (user|messages)|roles must")
_TOOLS = re.compile(r"\btools?\b|tool.choice|tool.use|function.call")
_IMAGES = re.compile(r"\bimages?\b|image_url|multimodal|vision")
_STREAM = re.compile(r"\bstream(ing)?\b")
_TEMPERATURE = re.compile(r"temperature")


@dataclass(frozen=True, slots=True)
class Quirks:
    """How a provider departs from the protocol. The defaults are those of a provider that refuses nothing.

    `refused_fields`: extra fields of messages and calls, reasoning among them, that it does not take back.
    `blank_reasoning`: it demands the reasoning field on every message with calls, of other models' too.
    """

    streaming: bool = True
    stream_options: bool = True
    tools: bool = True
    temperature: bool = True
    images: bool = True
    token_limit: Literal["max_tokens", "max_completion_tokens", ""] = "max_tokens"
    join_users: bool = False
    blank_reasoning: bool = False
    refused_fields: frozenset[str] = frozenset()


def learned(quirks: Quirks, refusal: str, body: Mapping[str, Any], extra_fields: Collection[str]) -> Quirks:
    """Return what a refusal teaches; `quirks` unchanged if it names nothing that was sent.

    `refusal`: lower-case words of the refusal. `body`: what was refused. `extra_fields`: names of the providers' own
    fields in it. One refusal teaches one thing, the most exact first; each can be learnt once, so asking again ends.
    """
    if _DEMANDED.search(refusal) and REASONING_FIELD in refusal and not quirks.blank_reasoning:
        return replace(quirks, blank_reasoning=True, refused_fields=quirks.refused_fields - {REASONING_FIELD})
    if refused := {name for name in extra_fields if _names(refusal, name)}:
        return replace(quirks, refused_fields=quirks.refused_fields | refused)
    if _ALTERNATE.search(refusal):
        return replace(quirks, join_users=True)
    return _without_option(quirks, refusal, body) if _UNSUPPORTED.search(refusal) else quirks


def _names(refusal: str, field: str) -> bool:
    """A reasoning field is named for one reason only; of other fields the refusal must say that they are not wanted."""
    named = re.search(rf"\b{re.escape(field.lower())}\b", refusal)
    return bool(named and ("reasoning" in field.lower() or _UNSUPPORTED.search(refusal)))


def _without_option(quirks: Quirks, refusal: str, body: Mapping[str, Any]) -> Quirks:
    if "stream_options" in body and "stream_options" in refusal:
        return replace(quirks, stream_options=False)
    if quirks.token_limit in body and quirks.token_limit and quirks.token_limit in refusal:
        return replace(quirks, token_limit="max_completion_tokens" if quirks.token_limit == "max_tokens" else "")
    if "temperature" in body and _TEMPERATURE.search(refusal):
        return replace(quirks, temperature=False)
    if quirks.images and _IMAGES.search(refusal) and _has_parts(body):
        return replace(quirks, images=False)
    if "tools" in body and _TOOLS.search(refusal):
        return replace(quirks, tools=False)
    if body.get("stream") and _STREAM.search(refusal):
        return replace(quirks, streaming=False)
    return quirks


def _has_parts(body: Mapping[str, Any]) -> bool:
    return any(isinstance(message.get("content"), list) for message in body["messages"])
