"""Evidence without a word of anybody's text: for auditors, who check what happened and not what was said."""

import json
from collections.abc import Mapping
from typing import Any

from apps.events.catalogue import KINDS
from apps.events.frames import frame, wire_json

Json = dict[str, Any]

_MESSAGE = ("text", "extras")
_CALL = ("arguments", "extras")
_RESULT = ("content", "details")
_INTERACTION = (*KINDS["user_input_required"].personal, "repairs", "submission", "salt")
_RECEIPT = ("title", "answer", "answeredBy")


def masked(evidence: Mapping[str, Any]) -> Json:
    """Return the evidence with null for every text; ids, states, times, chain, anchors and verdict stay."""
    return {
        **evidence,
        "masked": True,
        "session": _without(evidence["session"], ("title",)),
        "runs": [_without(run, ("errorMessage", "config")) for run in evidence["runs"]],
        "messages": [_without(message, _MESSAGE) for message in evidence["messages"]],
        "toolCalls": [_call(call) for call in evidence["toolCalls"]],
        "interactions": [_interaction(each) for each in evidence["interactions"]],
        "stream": [_frame(each) for each in evidence["stream"]],
    }


def _without(whole: Mapping[str, Any], keys: tuple[str, ...]) -> Json:
    return {key: None if key in keys else value for key, value in whole.items()}


def _call(call: Json) -> Json:
    result = call["result"]
    return _without(call, _CALL) | {"result": result and _without(result, _RESULT)}


def _interaction(each: Json) -> Json:
    receipt = each["receipt"]
    return _without(each, _INTERACTION) | {"receipt": receipt and _without(receipt, _RECEIPT)}


def _frame(sent: str) -> str:
    """Return an event as it is sent, with null for what its kind declares to be personal."""
    head, _newline, line = sent.partition("\ndata: ")
    number, kind = (part.partition(": ")[2] for part in head.splitlines()[:2])
    data = _without(json.loads(line), KINDS[kind].personal)
    return frame(kind, wire_json(data), int(number)).decode()
