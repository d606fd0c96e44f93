"""Evidence without a word of anybody's text: for auditors, who check what happened and not what was said."""

import json
from collections.abc import Mapping
from typing import Any

from apps.events.catalogue import KINDS
from apps.events.frames import frame, wire_json
from apps.runs.capabilities import all_capabilities
from apps.runs.delegating import Delegate
from apps.runs.sealing import sealed
from apps.toolkit.tools import NAMES

Json = dict[str, Any]

_SESSION = ("title", "tools")
_MESSAGE = ("text", "extras")
_CALL = ("arguments", "extras")
_RESULT = ("content", "details", "salt")
_ARTIFACT = ("name", "sha256")
"""The digest too: a short content could be found by trying."""
_INTERACTION = (*KINDS["user_input_required"].personal, "repairs", "asked", "submission", "salt")
_RECEIPT = ("title", "answer", "answeredBy")
_SOURCE = ("name", "sha256")


def own_tools() -> frozenset[str]:
    """Return the names of the tools that there are. Any other name was made up by a model or sent by a person: it is text."""
    of_capabilities = (tool.name for capability in all_capabilities() for tool in capability.tools())
    return NAMES.union(of_capabilities, [Delegate.name])


def masked_event(kind: str, data: Mapping[str, Any]) -> Json:
    """Return what an event holds, with null for every text."""
    made_up = ("name",) if data.get("name") not in own_tools() and "name" in data else ()
    return _without(data, (*KINDS[kind].personal, *made_up))


def masked(evidence: Mapping[str, Any]) -> Json:
    """Return the evidence with null for every text, and a seal of its own; ids, states, times, chain and verdict stay."""
    document = {
        **evidence,
        "masked": True,
        "session": _without(evidence["session"], _SESSION),
        "runs": [_without(run, ("errorMessage", "config")) for run in evidence["runs"]],
        "messages": [_without(message, _MESSAGE) for message in evidence["messages"]],
        "toolCalls": [_call(call) for call in evidence["toolCalls"]],
        "artifacts": [_without(each, _ARTIFACT) for each in evidence["artifacts"]],
        "interactions": [_interaction(each) for each in evidence["interactions"]],
        "sources": [_without(each, _SOURCE) for each in evidence["sources"]],
        "stream": [_frame(each) for each in evidence["stream"]],
    }
    return sealed(document)


def _without(whole: Mapping[str, Any], keys: tuple[str, ...]) -> Json:
    return {key: None if key in keys else value for key, value in whole.items()}


def _call(call: Json) -> Json:
    result = call["result"]
    made_up = () if call["name"] in own_tools() else ("name",)
    return _without(call, (*_CALL, *made_up)) | {"result": result and _without(result, _RESULT)}


def _interaction(each: Json) -> Json:
    receipt = each["receipt"]
    return _without(each, _INTERACTION) | {"receipt": receipt and _without(receipt, _RECEIPT)}


def _frame(sent: str) -> str:
    """Return an event as it is sent, with null for what its kind declares to be personal."""
    head, _newline, line = sent.partition("\ndata: ")
    number, kind = (part.partition(": ")[2] for part in head.splitlines()[:2])
    return frame(kind, wire_json(masked_event(kind, json.loads(line))), int(number)).decode()
