"""A request as one provider takes it: our messages in the chat-completions form, without what it refuses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from apps.agent.model import ModelRequest
from apps.providers.openai_compatible.arguments import INVALID_ARGUMENTS
from apps.providers.openai_compatible.quirks import REASONING_FIELD, Quirks
from apps.providers.openai_compatible.turns import is_reasoning

Message = dict[str, Any]


def request_body(model_name: str, request: ModelRequest, quirks: Quirks, *, streamed: bool) -> dict[str, Any]:
    """Return the JSON body. What the request does not set is not sent; its messages are not changed."""
    body: dict[str, Any] = {"model": model_name, "messages": _messages(request.messages, quirks)}
    if streamed:
        body["stream"] = True
        if quirks.stream_options:
            body["stream_options"] = {"include_usage": True}
    if request.tools and quirks.tools:
        body["tools"] = list(request.tools)
    if request.temperature is not None and quirks.temperature:
        body["temperature"] = request.temperature
    if request.max_tokens is not None and quirks.token_limit:
        body[quirks.token_limit] = request.max_tokens
    return body


def extra_fields(messages: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the names of the providers' own fields that the messages hold."""
    owners: Iterator[Mapping[str, Any]] = (
        owner for message in messages for owner in (message, *(message.get("tool_calls") or ()))
    )
    return {name for owner in owners for name in owner.get("extras") or {} if name != INVALID_ARGUMENTS}


def _messages(messages: Sequence[Message], quirks: Quirks) -> list[Message]:
    sent = [_message(message, quirks) for message in messages]
    return _joined(sent) if quirks.join_users else sent


def _message(message: Message, quirks: Quirks) -> Message:
    content = _content(message.get("content"), quirks)
    match message["role"]:
        case "assistant":
            return _assistant(message, content, quirks)
        case "tool":
            return {"role": "tool", "tool_call_id": message["tool_call_id"], "content": content}
        case role:
            return {"role": role, "content": content}


def _assistant(message: Message, content: Any, quirks: Quirks) -> Message:
    """Reasoning goes back only with the calls that it led to: that is where providers demand it."""
    calls = message.get("tool_calls")
    extras = _allowed(message.get("extras"), quirks)
    if not calls:
        return {**{k: v for k, v in extras.items() if not is_reasoning(k)}, "role": "assistant", "content": content}
    if quirks.blank_reasoning:
        extras.setdefault(REASONING_FIELD, "")
    return {**extras, "role": "assistant", "content": content, "tool_calls": [_call(call, quirks) for call in calls]}


def _call(call: Message, quirks: Quirks) -> Message:
    extras = _allowed(call.get("extras"), quirks)
    function = {**extras.pop("function", {}), "name": call["function"]["name"], "arguments": call["function"]["arguments"]}
    return {"type": "function", **extras, "id": call["id"], "function": function}


def _allowed(extras: Mapping[str, Any] | None, quirks: Quirks) -> dict[str, Any]:
    refused = quirks.refused_fields
    return {name: value for name, value in (extras or {}).items() if name not in refused and name != INVALID_ARGUMENTS}


def _content(content: Any, quirks: Quirks) -> Any:
    """No content is sent as "": some servers refuse null. Parts stay parts unless images are refused."""
    if isinstance(content, list) and not quirks.images:
        return "\n".join(part["text"] if part.get("type") == "text" else "[image left out]" for part in content)
    return content or ""


def _joined(messages: Iterable[Message]) -> list[Message]:
    """Join user messages that follow each other, for providers whose roles must alternate."""
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else {}
        if message["role"] == last.get("role") == "user" and isinstance(message["content"], str):
            joined[-1] = {**last, "content": f"{last['content']}\n\n{message['content']}"}
        else:
            joined.append(message)
    return joined
