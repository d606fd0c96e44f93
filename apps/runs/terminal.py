"""Put questions in a terminal: a card is shown as lines of text, what is typed becomes the body of a submission."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.common.errors import HandraiseError
from apps.common.text import clean_shown, is_blank
from apps.interactions.contract import OPTION_MODES, display_label
from apps.interactions.payload import APPROVAL_MODE, PLAN_MODE

Body = dict[str, Any]
Payload = Mapping[str, Any]
_NUMBERS = re.compile(r"[0-9]+(?:\s*[,，、;\s]\s*[0-9]+)*")


class Terminal:
    """Reads lines from a person and writes lines to them. `read` gets the prompt; it raises EOFError at the end of input."""

    def __init__(self, read: Callable[[str], str], write: Callable[[str], object]) -> None:
        self._read, self._write = read, write

    def read_line(self, prompt: str = "> ") -> str:
        """Return a line. Raises EOFError, and KeyboardInterrupt for Ctrl-C."""
        return self._read(prompt)

    def say(self, text: str = "") -> None:
        """Write text, which may come from the model: control characters would move the cursor or worse."""
        self._write(clean_shown(text) + "\n")

    def piece(self, text: str) -> None:
        """Write a piece of a line that goes on; the caller has cleaned it."""
        self._write(text)

    def refusal(self, error: HandraiseError) -> None:
        """Say why something was refused, field by field where fields are named."""
        for line in dict.fromkeys(found.message for found in error.errors) or [error.message]:
            self.say(f"! {line}")

    def answer(self, card: Payload) -> Body:
        """Show a card and return the body of its submission; Ctrl-C and the end of input cancel it."""
        try:
            if card["mode"] == PLAN_MODE:
                return self._plan(card)
            if card["mode"] == APPROVAL_MODE:
                return self._approval(card)
            return self._questions(card) if card["questions"] else self._ask_user(card)
        except (KeyboardInterrupt, EOFError):
            self.say()
            return {"cancelled": True}

    def _ask_user(self, card: Payload) -> Body:
        self._head(card["title"], card["description"])
        if card["mode"] not in OPTION_MODES:
            self.say(_hint(card["mode"]))
            return {"customInput": self.read_line()}
        self._options(card["options"])
        is_many = card["mode"] != "single"
        self.say(_choice_hint(is_many=is_many, has_own_text=card["allowCustom"]))
        chosen, own_text = self._choice(card["options"], is_many=is_many, has_own_text=card["allowCustom"])
        return {"selections": [option["id"] for option in chosen], "customInput": own_text}

    def _plan(self, card: Payload) -> Body:
        """Show a plan. Only choosing the option that approves does; whatever else is typed is what should be changed."""
        self._head(card["title"], card["description"])
        self.say(f"\n{card['detail']}\n")
        self._options(card["options"])
        self.say(_("Type a number. Whatever else you write rejects the plan and says what to change."))
        line = self.read_line()
        while is_blank(line):
            line = self.read_line()
        chosen = _chosen_of(line, card["options"])
        decided: Body = {"planRevision": card["planRevision"]}
        if chosen is None:
            return decided | {"decision": "reject", "feedback": line}
        if chosen["label"] == card["intent"]["approve"]:
            return decided | {"decision": "approve"}
        self.say(_("What should be changed?"))
        return decided | {"decision": "reject", "feedback": self.read_line()}

    def _approval(self, card: Payload) -> Body:
        """Show a call with its exact arguments. Only the number that allows it does; whatever else is typed denies it."""
        self._head(_("Allow %(tool)s?") % {"tool": card["title"]}, card["description"])
        self.say(card["detail"])
        self.say(f"  1  {_('Allow once')}\n  2  {_('Deny')}")
        self.say(_("Type a number. Whatever else you write denies it and says why."))
        line = self.read_line()
        while is_blank(line):
            line = self.read_line()
        if line.strip() == "1":
            return {"decision": "approve"}
        if line.strip() != "2":
            return {"decision": "deny", "feedback": line}
        self.say(_("Why not? Enter alone gives no reason."))
        return {"decision": "deny", "feedback": self.read_line()}

    def _questions(self, card: Payload) -> Body:
        total = len(card["questions"])
        return {"answers": [self._question(asked, f"{n}/{total}") for n, asked in enumerate(card["questions"], 1)]}

    def _question(self, asked: Payload, place: str) -> Body:
        self._head(f"{place} {asked['header']}".strip(), asked["question"])
        self._options(asked["options"])
        self.say(_question_hint(is_many=asked["multiSelect"]) if asked["options"] else _("Write an answer; Enter alone skips."))
        chosen, own_text = self._choice(asked["options"], is_many=asked["multiSelect"], has_own_text=True, may_skip=True)
        body: Body = {"id": asked["id"], "selected": [option["label"] for option in chosen]}
        return body | ({"custom": own_text} if own_text else {})

    def _head(self, title: str, text: str) -> None:
        self.say(f"\n? {title}")
        if text:
            self.say(f"  {text}")

    def _options(self, options: Sequence[Payload]) -> None:
        for number, option in enumerate(options, 1):
            label, is_marked = display_label(option["label"])
            badge = " (" + _("recommended") + ")" if is_marked or option["recommended"] else ""
            about = f" – {option['description']}" if option["description"] else ""
            self.say(f"  {number}  {label}{badge}{about}")

    def _choice(
        self, options: Sequence[Payload], *, is_many: bool, has_own_text: bool, may_skip: bool = False
    ) -> tuple[list[Payload], str]:
        """Read lines until one is a choice; return the options chosen and the own text."""
        while True:
            try:
                return read_choice(self.read_line(), options, is_many=is_many, has_own_text=has_own_text, may_skip=may_skip)
            except NoChoice as refused:
                self.say(f"! {refused}")


def _chosen_of(line: str, options: Sequence[Payload]) -> Payload | None:
    """Return the option that a line names by its number or its whole label."""
    typed = line.strip()
    by_name = {str(number): option for number, option in enumerate(options, 1)}
    return by_name.get(typed) or next((o for o in options if o["label"].casefold() == typed.casefold()), None)


class NoChoice(ValueError):
    """What was typed is no choice; the text says why."""


def read_choice(
    line: str, options: Sequence[Payload], *, is_many: bool, has_own_text: bool, may_skip: bool = False
) -> tuple[list[Payload], str]:
    """Read numbers of options, or the words of one, or own text (after ``=`` where it could be taken for either).

    Raises NoChoice.
    """
    if is_blank(line):
        if may_skip:
            return [], ""
        raise NoChoice(_("Choose an option."))
    typed, equals, marked_text = line.partition("=")
    if options and equals and (is_blank(typed) or _NUMBERS.fullmatch(typed.strip())):
        return _chosen(typed, options, is_many=is_many), _own_text(marked_text.strip(), has_own_text)
    if options and _NUMBERS.fullmatch(line.strip()):
        return _chosen(line, options, is_many=is_many), ""
    named = _named(line, options, is_whole=has_own_text)
    return ([named], "") if named else ([], _own_text(line, has_own_text))


def _chosen(typed: str, options: Sequence[Payload], *, is_many: bool) -> list[Payload]:
    numbers = list(dict.fromkeys(int(found) for found in re.findall("[0-9]{1,9}", typed)))
    unknown = [number for number in numbers if not 1 <= number <= len(options)]
    if unknown:
        raise NoChoice(_("There is no option %(number)d. Put = before an answer of your own.") % {"number": unknown[0]})
    if len(numbers) > 1 and not is_many:
        raise NoChoice(_("Choose one option only."))
    return [options[number - 1] for number in numbers]


def _own_text(text: str, is_allowed: bool) -> str:
    if not is_allowed:
        raise NoChoice(_("Choose one of the options; this question takes no answer of your own."))
    return text


def _named(line: str, options: Sequence[Payload], *, is_whole: bool) -> Payload | None:
    """Return the option that the line names: by its id or label, or, unless it must be whole, by how only its label begins."""
    typed = line.strip().casefold()
    for option in options:
        if typed in (name.casefold() for name in (option.get("id", ""), option["label"], display_label(option["label"])[0])):
            return option
    begun = [option for option in options if option["label"].casefold().startswith(typed)]
    return begun[0] if len(begun) == 1 and not is_whole else None


def _hint(mode: str) -> str:
    hints = {
        "number": _("Write a number such as 3, -2.5 or 6.02e23."),
        "date": _("Write a day as YYYY-MM-DD."),
        "directory": _("Write a path inside the workspace, relative to it."),
    }
    return hints.get(mode, _("Write an answer."))


def _choice_hint(*, is_many: bool, has_own_text: bool) -> str:
    hint = _("Type the numbers, such as 1, 3.") if is_many else _("Type a number.")
    return hint + " " + _("Or write your own answer.") if has_own_text else hint


def _question_hint(*, is_many: bool) -> str:
    return _choice_hint(is_many=is_many, has_own_text=True) + " " + _("Enter alone skips.")
