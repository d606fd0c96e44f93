"""What a request's messages say: the problem, the choices made on this solver's own cards, a card that was not answered."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.providers.builtin.wording import in_every_language

ASK_TOOL = "ask_user"
_NOTE_MARK = "[note] "
_CHECKPOINT_KEYS = frozenset(("analysis", "steps", "current", "replansLeft", "answers"))


@dataclass(frozen=True, slots=True)
class Conversation:
    """The state of the work, read from the messages alone.

    `text` is the problem as last worded, `chosen` the option ids chosen since, `rephrased` how often it was worded anew.
    `unanswered` is the status of the last card if it brought no answer: expired, cancelled or error.
    """

    text: str
    chosen: frozenset[str] = frozenset()
    rephrased: int = 0
    unanswered: str = ""


def read_conversation(messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """Read the messages from the last one that the user wrote on."""
    start = last_words(messages)
    if start is None:
        return Conversation("")
    said = _first_words(messages[:start], str(messages[start]["content"] or ""))
    later = messages[start + 1 :]
    for card, result in (*_folded_answers(later), *_answers(later)):
        said = _after(said, card, result)
    return said


def last_words(messages: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the place of the last message that a person wrote."""
    return max((place for place, message in enumerate(messages) if _is_from_user(message)), default=None)


def checkpoint_in(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object of the engine's checkpoint; empty: the message is none."""
    content = str(message["content"] or "") if message["role"] == "user" else ""
    start = content.find('{"')
    found = json_object(content[start:]) if start >= 0 else {}
    return found if _is_checkpoint(found) else {}


def _is_checkpoint(found: Mapping[str, Any]) -> bool:
    """Say whether the object has the engine's shape: a person may write any other."""
    if not found.keys() >= _CHECKPOINT_KEYS or not all(isinstance(found[name], list) for name in ("steps", "answers")):
        return False
    are_steps = all(isinstance(step, dict) and step.keys() >= {"id", "goal"} for step in found["steps"])
    return are_steps and all(map(_is_kept_answer, found["answers"]))


def _is_kept_answer(kept: Any) -> bool:
    if not isinstance(kept, dict) or "question" not in kept or not isinstance(kept.get("answer"), dict):
        return False
    return isinstance(kept["answer"].get("selections", []), list)


def result_of(messages: Sequence[Mapping[str, Any]], tool: str, name: str, value: Any) -> dict[str, Any] | None:
    """Return the result of the tool's call with this argument since the user last wrote; None: it was not called so."""
    start = last_words(messages)
    calls: set[str] = set()
    for message in messages[start or 0 :]:
        for call in message.get("tool_calls") or ():
            if call["function"]["name"] == tool and json_object(call["function"]["arguments"]).get(name) == value:
                calls.add(call["id"])
        if message["role"] == "tool" and message["tool_call_id"] in calls:
            return json_object(message["content"])
    return None


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object; anything else is an empty one."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _is_from_user(message: Mapping[str, Any]) -> bool:
    """Say whether a person wrote it: notes and checkpoints of the engine come in role user, too."""
    if message["role"] != "user":
        return False
    return not str(message["content"] or "").startswith(_NOTE_MARK) and not checkpoint_in(message)


def _folded_answers(messages: Iterable[Mapping[str, Any]]) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield what of each card was kept in the checkpoints, with its result; only the question for other words takes text."""
    for message in messages:
        for kept in checkpoint_in(message).get("answers", ()):
            if kept["answer"].get("status") == "answered":
                is_text = kept["question"] in in_every_language("rephrase.title")
                yield {"mode": "text" if is_text else "single"}, kept["answer"]


def _answers(messages: Iterable[Mapping[str, Any]]) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each card of this solver with its result, in order."""
    cards: dict[str, dict[str, Any]] = {}
    for message in messages:
        for call in message.get("tool_calls") or ():
            if call["function"]["name"] == ASK_TOOL:
                cards[call["id"]] = json_object(call["function"]["arguments"])
        if message["role"] == "tool" and message["tool_call_id"] in cards:
            yield cards[message["tool_call_id"]], json_object(message["content"])


def _after(said: Conversation, card: Mapping[str, Any], result: Mapping[str, Any]) -> Conversation:
    """Return the conversation after one more card."""
    if result.get("status") != "answered":
        status = result.get("status")
        return Conversation(said.text, said.chosen, said.rephrased, status if status in ("expired", "cancelled") else "error")
    if card.get("mode") == "text":
        return Conversation(str(result.get("customInput") or ""), frozenset(), said.rephrased + 1)
    selections = {str(selection) for selection in result.get("selections") or ()}
    return Conversation(said.text, said.chosen | selections, said.rephrased)


def _first_words(before: Sequence[Mapping[str, Any]], text: str) -> Conversation:
    """Take a message as the problem; or, if it closed a card by naming one of its options ("complex"), as the answer to that."""
    if not before or before[-1]["role"] != "tool" or json_object(before[-1]["content"]).get("reason") != "reply_in_chat":
        return Conversation(text)
    cards = [card for card, _ in _answers(before)]
    options = (cards[-1].get("options") or ()) if cards else ()
    chosen = next((str(option["id"]) for option in options if _names(option, text)), "")
    earlier = read_conversation(before)
    return Conversation(earlier.text, earlier.chosen | {chosen}, earlier.rephrased) if chosen else Conversation(text)


def _names(option: Mapping[str, Any], text: str) -> bool:
    """Say whether the text is the option's id, the end of it, or its label."""
    ident, label = str(option.get("id", "")), str(option.get("label", ""))
    return text.strip().casefold() in {name.casefold() for name in (ident, ident.partition(":")[2], label) if name}
