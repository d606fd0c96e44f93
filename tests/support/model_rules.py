"""What strict model servers refuse: a validator of requests, in the OpenAI and in the Anthropic form."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.common.text import is_storable

Json = Mapping[str, Any]


def request_problem(body: Json) -> str:
    """Return what a strict server would refuse the request for, in words; "" for a good one."""
    messages = body.get("messages") or ()
    return (
        openai_problem(messages)
        or anthropic_problem(anthropic_form(messages))
        or next(filter(None, (schema_problem(tool) for tool in body.get("tools") or ())), "")
    )


def openai_problem(messages: Sequence[Json]) -> str:
    """Check the chat form: texts, and every call answered once, directly after its message, in call order."""
    expected: list[str] = []
    for position, message in enumerate(messages):
        where = f"messages[{position}]"
        if not isinstance(message.get("content"), str | list):
            return f"{where}: content must be a text"
        if not is_storable(str(message["content"])):
            return f"{where}: content holds NUL or half a character"
        if message["role"] == "tool":
            if not expected or message.get("tool_call_id") != expected.pop(0):
                return f"{where}: this result answers no call, or not the next one"
        elif expected:
            return f"{where}: call {expected[0]} has no result directly after it"
        else:
            expected = [call["id"] for call in message.get("tool_calls") or ()]
            if not all(expected) or len(set(expected)) < len(expected):
                return f"{where}: calls need ids of their own"
    return f"call {expected[0]} has no result" if expected else ""


def anthropic_form(messages: Sequence[Json]) -> list[dict[str, Any]]:
    """Write chat messages as Anthropic does: two roles that take turns, calls and results as blocks of them."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] in ("system", "developer"):
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        if not turns or turns[-1]["role"] != role:
            turns.append({"role": role, "content": []})
        turns[-1]["content"] += _blocks(message)
    return turns


def anthropic_problem(turns: Sequence[Json]) -> str:
    """Check that the turn after calls begins with their results, all of them, before any other block."""
    for position, turn in enumerate(turns):
        calls = [block["id"] for block in turn["content"] if block["type"] == "tool_use"]
        following = turns[position + 1]["content"] if position + 1 < len(turns) else []
        results = [block.get("tool_use_id") for block in following[: len(calls)]]
        if calls and results != calls:
            return f"turn {position}: the next turn must begin with the results of {calls}"
        orphans = [block for block in turn["content"] if block["type"] == "tool_result"] if position == 0 else []
        if orphans:
            return "turn 0: a result without a call"
    return ""


def schema_problem(tool: Json) -> str:
    """Check a tool as strict servers do: every array has items, every property a type, required names exist."""
    function = tool.get("function") or {}
    if tool.get("type") != "function" or not function.get("name"):
        return "a tool is a function with a name"
    return _schema_problem(function.get("parameters") or {}, function["name"])


def _schema_problem(schema: Json, where: str) -> str:
    if not ({"type", "enum", "anyOf", "oneOf", "$ref"} & set(schema)):
        return f"{where}: no type"
    if schema.get("type") == "array" and "items" not in schema:
        return f"{where}: an array without items"
    properties = schema.get("properties", {})
    if unknown := set(schema.get("required", ())) - set(properties):
        return f"{where}: required names nothing: {sorted(unknown)}"
    parts = [(f"{where}.{name}", part) for name, part in properties.items()]
    parts += [(f"{where}[]", schema["items"])] if "items" in schema else []
    parts += [(f"{where}|{n}", part) for kind in ("anyOf", "oneOf") for n, part in enumerate(schema.get(kind, ()))]
    return next(filter(None, (_schema_problem(part, name) for name, part in parts)), "")


def _blocks(message: Json) -> list[dict[str, Any]]:
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}]
    text = [{"type": "text", "text": message["content"]}] if message["content"] else []
    return text + [{"type": "tool_use", "id": call["id"]} for call in message.get("tool_calls") or ()]
