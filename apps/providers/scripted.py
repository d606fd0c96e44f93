"""A model that replays a script, in the process and at once: for tests, demonstrations and benchmarks.

A script is a list of steps, a file of scripts a JSON object of named scripts. A conversation picks its script by a tag
``[[NAME#KEY]]`` in a user message; the last tag counts, KEY is any word that makes the conversation unique. A user
message without any tag before it begins the script named ``default``. The first step whose calls have not all been
answered in any request of KEY is played, so a request that is repeated gets the same step with the same call ids; a
step without calls is played once all earlier ones are answered. Fields of a step, all optional:

- ``text``; ``calls``: ``[{"id", "name", "arguments": {…} or "raw text", "raw_id"?}]``, ids sent as ``KEY-id`` unless raw
- ``finish``: ``length`` for a truncated turn; ``extras``: the provider's own fields of the message
- ``chunk``: characters a piece (12); ``delay``: seconds between pieces
- ``expect``: texts that must occur in the request, else the answer says ``EXPECTATION FAILED``
- ``sequence``: variants; the n-th request that plays this step gets the n-th, the last one repeats
- ``fault``: ``{"kind": "status", "status", "times"}`` raises ModelError; ``{"kind": "cut", "times"}`` starts over
"""

import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from apps.agent.messages import Turn
from apps.agent.model import ModelRequest, StartOver, TextDelta
from apps.common.text import clean_stored, compact_json
from apps.providers.openai_compatible.calls import CallAssembler
from apps.providers.openai_compatible.failures import failure_of_status, model_error
from apps.providers.openai_compatible.history import check_history

Step = Mapping[str, Any]
Scenarios = Mapping[str, Sequence[Step]]

_TAG = re.compile(r"\[\[([\w.-]+)#([\w.-]+)\]\]")
DEFAULT_CHUNK = 12
DEFAULT_SCENARIO = "default"


class ScriptError(ValueError):
    """A file holds no script; the text says why."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a conversation stands: its key, the script's name, the step's number, the step with its variant chosen."""

    key: str
    scenario: str
    index: int
    step: Step


class Scripts:
    """Scripts and how far each conversation has come in them. Safe to use from several threads.

    `scenarios` may grow while conversations run.
    """

    def __init__(self, scenarios: Scenarios) -> None:
        self.scenarios = dict(scenarios)
        self._answered: defaultdict[str, set[str]] = defaultdict(set)
        self._played: Counter[tuple[str, int]] = Counter()
        self._faults: Counter[tuple[str, int]] = Counter()
        self._lock = Lock()

    def scene(self, messages: Sequence[Mapping[str, Any]]) -> Scene:
        """Return what to play for a request's messages; each asking counts for `sequence`."""
        name, key = _tag(messages)
        steps = self.scenarios.get(name)
        if steps is None:
            return Scene(key, name, 0, {"text": f"There is no script named {name}."})
        with self._lock:
            index = _first_open(steps, key, self._seen(key, messages))
            step: Step = steps[index] if index < len(steps) else {"text": "The script is over."}
            if variants := step.get("sequence"):
                step = {**step, **variants[min(self._played[key, index], len(variants) - 1)]}
                self._played[key, index] += 1
        return Scene(key, name, index, _expected(step, messages))

    def fault(self, scene: Scene) -> Mapping[str, Any]:
        """Return the step's fault if it is still to happen, and count it; else an empty mapping."""
        fault = scene.step.get("fault") or {}
        with self._lock:
            self._faults[scene.key, scene.index] += 1
            return fault if self._faults[scene.key, scene.index] <= fault.get("times", 1) else {}

    def _seen(self, key: str, messages: Sequence[Mapping[str, Any]]) -> set[str]:
        if not key:
            # Without a key conversations cannot be told apart: only what follows the last user message counts.
            last = max((n for n, message in enumerate(messages) if message["role"] == "user"), default=0)
            return {message.get("tool_call_id", "") for message in messages[last:] if message["role"] == "tool"}
        seen = self._answered[key]
        seen.update(message.get("tool_call_id", "") for message in messages if message["role"] == "tool")
        return seen


class ScriptedModel:
    """Implements `apps.agent.model.Model` by replaying scripts.

    With `keep_requests`, `requests` holds every request as it was when it was made, oldest first.
    """

    name = "scripted"

    def __init__(self, scenarios: Scenarios, *, keep_requests: bool = False) -> None:
        self.scripts = Scripts(scenarios)
        self._keep_requests = keep_requests
        self.requests: list[ModelRequest] = []

    @classmethod
    def from_file(cls, path: Path) -> "ScriptedModel":
        """Read the scripts of a JSON file; raise ScriptError if it holds none."""
        return cls(read_scenarios(path))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | StartOver | Turn]:
        """Yield the step's text in pieces, then its turn. Raises ModelError for a scripted fault, and BrokenHistory."""
        check_history(request.messages)
        if self._keep_requests:
            # A copy: the loop's list of messages grows in place.
            self.requests.append(replace(request, messages=list(request.messages)))
        scene = self.scripts.scene(request.messages)
        fault = self.scripts.fault(scene)
        if fault.get("kind") == "status":
            raise model_error(failure_of_status(fault["status"]).code, request.language)
        pieces = _pieces(scene.step)
        if fault.get("kind") == "cut":
            for piece in pieces[: max(1, len(pieces) // 2)]:
                yield TextDelta(piece)
            yield StartOver()
        for piece in pieces:
            yield TextDelta(piece)
            if delay := scene.step.get("delay"):
                await asyncio.sleep(delay)
        yield _turn(scene, [tool["function"]["name"] for tool in request.tools])


def read_scenarios(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Read a JSON file of named scripts; a plain list of steps is the default script. Raises ScriptError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise ScriptError("the file cannot be read.") from None
    except ValueError:
        raise ScriptError("the file holds no JSON.") from None
    scenarios = {DEFAULT_SCENARIO: content} if isinstance(content, list) else content
    if not isinstance(scenarios, dict) or not all(_is_script(steps) for steps in scenarios.values()):
        raise ScriptError("a script is a list of steps, and a file an object of scripts.")
    return scenarios


def scripted_calls(scene: Scene) -> list[dict[str, Any]]:
    """Return the step's calls as ``{"id", "name", "arguments"}`` with the ids and the text that are sent."""
    return [
        {"id": _call_id(scene.key, call), "name": call["name"], "arguments": _arguments(call.get("arguments", {}))}
        for call in scene.step.get("calls") or ()
    ]


def _tag(messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the name and key of the last tag."""
    for message in reversed(messages):
        if message["role"] == "user" and (found := _TAG.findall(str(message.get("content") or ""))):
            name, key = found[-1]
            return name, key
    return DEFAULT_SCENARIO, ""


def _first_open(steps: Sequence[Step], key: str, seen: set[str]) -> int:
    for index, step in enumerate(steps):
        calls = step.get("calls")
        if not calls or any(_call_id(key, call) not in seen for call in calls):
            return index
    return len(steps)


def _call_id(key: str, call: Mapping[str, Any]) -> str:
    return call["id"] if call.get("raw_id") or not key else f"{key}-{call['id']}"


def _arguments(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else compact_json(arguments)


def _expected(step: Step, messages: Sequence[Mapping[str, Any]]) -> Step:
    """Return the step, or the complaint that the request lacks what the step expects of it."""
    wanted = step.get("expect")
    if not wanted:
        return step
    everything = json.dumps(messages, ensure_ascii=False)
    missing = [text for text in wanted if text not in everything]
    return {"text": f"EXPECTATION FAILED: {missing}"} if missing else step


def _pieces(step: Step) -> list[str]:
    text, size = clean_stored(step.get("text") or ""), step.get("chunk", DEFAULT_CHUNK)
    return [text[start : start + size] for start in range(0, len(text), size)]


def _turn(scene: Scene, known_names: Collection[str]) -> Turn:
    step, calls = scene.step, CallAssembler(known_names)
    calls.add_whole(
        [{"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}} for call in scripted_calls(scene)]
    )
    return Turn(
        text=clean_stored(step.get("text") or ""),
        calls=calls.calls(),
        finish="length" if step.get("finish") == "length" else "stop",
        extras=step.get("extras", {}),
        input_tokens=11,
        output_tokens=7,
    )


def _is_script(steps: object) -> bool:
    return isinstance(steps, list) and all(isinstance(step, dict) for step in steps)
