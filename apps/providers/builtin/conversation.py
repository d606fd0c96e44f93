"""What a request's messages say: the problem, the choices made on this solver's own cards, a card that was not answered."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ASK_TOOL = "ask_user"
_NOTE_MARK = "[note] "
_CHECKPOINT_KEYS = frozenset(("analysis", "steps"))


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
    start = max((place for place, message in enumerate(messages) if _is_from_user(message)), default=None)
    if start is None:
        return Conversation("")
    said = _first_words(messages[:start], str(messages[start]["content"] or ""))
    for card, result in _answers(messages[start + 1 :]):
        said = _after(said, card, result)
    return said


def _is_from_user(message: Mapping[str, Any]) -> bool:
    """Say whether a person wrote it: notes and checkpoints of the engine come in role user, too."""
    if message["role"] != "user":
        return False
    content = str(message["content"] or "")
    return not content.startswith(_NOTE_MARK) and not _is_checkpoint(content)


def _is_checkpoint(content: str) -> bool:
    start = content.find('{"')
    if start < 0:
        return False
    return _object(content[start:]).keys() >= _CHECKPOINT_KEYS


def _answers(messages: Iterable[Mapping[str, Any]]) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each card of this solver with its result, in order."""
    cards: dict[str, dict[str, Any]] = {}
    for message in messages:
        for call in message.get("tool_calls") or ():
            if call["function"]["name"] == ASK_TOOL:
                cards[call["id"]] = _object(call["function"]["arguments"])
        if message["role"] == "tool" and message["tool_call_id"] in cards:
            yield cards[message["tool_call_id"]], _object(message["content"])


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


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
    if not before or before[-1]["role"] != "tool" or _object(before[-1]["content"]).get("reason") != "reply_in_chat":
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
