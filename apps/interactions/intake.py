"""Intake: what a model sent becomes a question fit to be shown, with its repairs, or a refusal that names the wrong field."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.common.text import clean_shown, compact_json, is_blank
from apps.interactions import contract
from apps.interactions.arguments import Reader, Unusable, parsed
from apps.interactions.contract import Ask, AskUser, Intent, Mode, Option, Question, QuestionSet, display_label
from apps.interactions.guidance import say
from apps.interactions.intents import intent_kind
from apps.interactions.payload import stored_payload


@dataclass(frozen=True, slots=True)
class TakenIn[A: (AskUser, QuestionSet)]:
    """A question that may be put to the user, and what was changed to make it so."""

    ask: A
    repairs: tuple[str, ...] = ()


def take_in_ask_user(call: ToolCall, language: str = "en") -> TakenIn[AskUser] | Refusal:
    """Take in a call of `ask_user`. Whatever the arguments are, nothing is raised."""
    reader = Reader(language)
    try:
        ask = _ask_user(reader, reader.arguments(call, "form.ask_user"))
        _check_size(reader, ask)
    except Unusable as unusable:
        return unusable.refusal
    return TakenIn(ask, tuple(reader.repairs))


def take_in_questions(
    call: ToolCall, language: str = "en", *, detail: str = "", intent: Intent | None = None, plan_revision: int | None = None
) -> TakenIn[QuestionSet] | Refusal:
    """Take in a call of `ask_user_question`. Whatever the arguments are, nothing is raised.

    `detail`, `intent` and `plan_revision` come from product code; the model's keys of these names are dropped.
    """
    reader = Reader(language)
    try:
        ask = replace(
            _question_set(reader, reader.arguments(call, "form.ask_user_question")),
            detail=reader.text({"detail": detail}, "detail", "detail", contract.MAX_DETAIL),
            intent=intent and replace(intent, approve=clean_shown(intent.approve)),
            plan_revision=plan_revision,
        )
        _check_size(reader, ask)
    except Unusable as unusable:
        return unusable.refusal
    return check_intent(ask, language) or TakenIn(ask, tuple(reader.repairs))


def take_in_plan(call: ToolCall, language: str = "en") -> TakenIn[QuestionSet] | Refusal:
    """Take in a call of `present_plan`. Whatever the arguments are, nothing is raised."""
    reader = Reader(language)
    try:
        ask = _plan(reader, reader.arguments(call, "form.present_plan"))
        _check_size(reader, ask)
    except Unusable as unusable:
        return unusable.refusal
    return TakenIn(ask, tuple(reader.repairs))


def check_intent(ask: QuestionSet, language: str = "en") -> Refusal | None:
    """Refuse an intent that the user could not see: without what it approves, or whose label is none of the options."""
    if ask.intent is None:
        return None
    kind = intent_kind(ask.intent.kind)
    if kind is None:
        return Refusal("BAD_INTENT", say("intent_unknown", language), "intent.kind")
    if kind.needs_detail and not ask.detail:
        return Refusal("BAD_INTENT", say("intent_without_detail", language, field="detail"), "detail")
    if not any(ask.intent.approve == option.label for question in ask.questions for option in question.options):
        return Refusal("BAD_INTENT", say("intent_not_offered", language), "intent.approve")
    return None


def _ask_user(reader: Reader, arguments: Mapping[str, Any]) -> AskUser:
    keys = ("title", "description", "mode", "options", "allowCustom", "submitLabel")
    source = reader.known(arguments, keys, "arguments")
    title = reader.required_text(source, "title", "title", contract.MAX_TITLE)
    ask = AskUser(
        title=title,
        mode=_mode(reader, source),
        description=reader.text(source, "description", "description", contract.MAX_DESCRIPTION),
        allow_custom=reader.flag(source, "allowCustom", "allowCustom"),
        submit_label=reader.text(source, "submitLabel", "submitLabel"),
    )
    return _with_choices(reader, ask, source.get("options"))


def _mode(reader: Reader, source: Mapping[str, Any]) -> Mode:
    mode = next((known for known in contract.MODES if known == source.get("mode")), None)
    if mode is None:
        raise reader.unusable("wrong_type" if "mode" in source else "blank", "mode", form="form.mode")
    return mode


def _with_choices(reader: Reader, ask: AskUser, listed: Any) -> AskUser:
    """Bring options and mode together: a typed answer has no options, and choosing needs some."""
    if ask.mode not in contract.OPTION_MODES:
        return _typed(reader, ask, listed)
    options = _options(reader, listed, "options", "form.ask_user.options", _ask_user_option)
    if options:
        _check_ids_differ(reader, options)
        return replace(ask, options=tuple(_with_distinct_labels(reader, options)))
    if not ask.allow_custom:
        raise reader.unusable("no_options", "options", form="form.ask_user.options", mode=ask.mode)
    reader.repaired("mode", "became text, for there are no options")
    return replace(ask, mode="text", allow_custom=False)


def _typed(reader: Reader, ask: AskUser, listed: Any) -> AskUser:
    if listed:
        reader.repaired("options", f"dropped, mode {ask.mode} has none")
    if ask.allow_custom:
        reader.repaired("allowCustom", f"dropped, the field of mode {ask.mode} is the answer")
    return replace(ask, allow_custom=False)


def _question_set(reader: Reader, arguments: Mapping[str, Any]) -> QuestionSet:
    listed = reader.list_of(arguments.get("questions"), "questions", "form.questions")
    if len(listed) > contract.MAX_QUESTIONS:
        raise reader.unusable("too_many", "questions", count=len(listed), limit=contract.MAX_QUESTIONS)
    if listed:
        reader.known(arguments, ("questions",), "arguments")
        questions = [_question(reader, item, f"questions[{number}]") for number, item in enumerate(listed)]
    elif any(arguments.get(key) is not None for key in ("question", "header", "options")):
        questions = [_question(reader, {key: value for key, value in arguments.items() if key != "questions"}, "")]
    else:
        raise reader.unusable("no_questions", "questions", code="EMPTY_QUESTIONS", form="form.questions")
    return QuestionSet(tuple(_with_distinct_ids(reader, questions)))


def _plan(reader: Reader, arguments: Mapping[str, Any]) -> QuestionSet:
    """Read a plan: the title is the one question of its card, the two labels are the options."""
    source = reader.known(arguments, ("title", "plan", "approveLabel", "rejectLabel"), "arguments")
    title = reader.required_text(source, "title", "title", contract.MAX_TITLE)
    detail = reader.text(source, "plan", "plan", contract.MAX_DETAIL)
    if not detail:
        raise reader.unusable("intent_without_detail", "plan", code="BAD_INTENT")
    labels = {
        "approveLabel": reader.text(source, "approveLabel", "approveLabel", contract.MAX_LABEL)
        or say("plan.approve", reader.language),
        "rejectLabel": reader.text(source, "rejectLabel", "rejectLabel", contract.MAX_LABEL)
        or say("plan.reject", reader.language),
    }
    options = tuple(_with_distinct_labels(reader, {place: Option(label) for place, label in labels.items()}))
    return QuestionSet((Question("plan", title, options=options),), detail, Intent(options[0].label))


def _question(reader: Reader, item: Any, path: str) -> Question:
    """Read one question; `path` is empty for the flat form. An id that is not given stays empty here."""
    inner = parsed(item) if isinstance(item, str) else item
    if not isinstance(inner, dict):
        raise reader.unusable("wrong_type", path, form="form.question")
    if inner is not item:
        reader.repaired(path, "decoded")
    source = reader.known(inner, ("id", "question", "header", "options", "multi_select"), path or "arguments")
    under = f"{path}." if path else ""
    options = _options(reader, source.get("options"), f"{under}options", "form.question.options", _question_option)
    return Question(
        id=reader.identifier(source, f"{under}id"),
        question=reader.required_text(source, "question", f"{under}question", contract.MAX_QUESTION),
        header=reader.text(source, "header", f"{under}header", contract.MAX_HEADER),
        options=tuple(
            replace(option, recommended=display_label(option.label)[1]) for option in _with_distinct_labels(reader, options)
        ),
        multi_select=reader.flag(source, "multi_select", f"{under}multi_select"),
    )


type _OptionReader = Callable[[Reader, Any, str], Option]


def _options(reader: Reader, listed: Any, path: str, form: str, read: _OptionReader) -> dict[str, Option]:
    """Return the options by the place in which they were sent; empty ones are dropped."""
    sent = reader.list_of(listed, path, form)
    filled = {f"{path}[{number}]": item for number, item in enumerate(sent) if not _is_empty(item)}
    if len(filled) < len(sent):
        reader.repaired(path, "empty ones dropped")
    if len(filled) > contract.MAX_OPTIONS:
        raise reader.unusable("too_many", path, count=len(filled), limit=contract.MAX_OPTIONS)
    return {place: read(reader, item, place) for place, item in filled.items()}


def _ask_user_option(reader: Reader, item: Any, place: str) -> Option:
    """Read an option with an id. Of id and label one may be missing: the other stands for both."""
    sent = _option_object(reader, item, place, "form.ask_user.option")
    known = reader.known(sent, ("id", "label", "description", "recommended"), place)
    source = reader.with_number_as_text(known, "label", f"{place}.label")
    ident = reader.identifier(source, f"{place}.id")
    label = reader.text(source, "label", f"{place}.label", contract.MAX_LABEL)
    if not ident:
        reader.repaired(f"{place}.id", "made from the label")
    elif not label:
        reader.repaired(f"{place}.label", "made from the id")
        label = reader.text({"label": ident}, "label", f"{place}.label", contract.MAX_LABEL)
    if not label:
        raise reader.unusable("blank", f"{place}.label", form="form.text")
    return Option(
        label=label,
        id=ident or label,
        description=reader.text(source, "description", f"{place}.description", contract.MAX_DESCRIPTION),
        recommended=reader.flag(source, "recommended", f"{place}.recommended"),
    )


def _question_option(reader: Reader, item: Any, place: str) -> Option:
    """Read an option whose label is its value."""
    known = reader.known(_option_object(reader, item, place, "form.question.option"), ("label", "description"), place)
    source = reader.with_number_as_text(known, "label", f"{place}.label")
    return Option(
        label=reader.required_text(source, "label", f"{place}.label", contract.MAX_LABEL),
        description=reader.text(source, "description", f"{place}.description", contract.MAX_DESCRIPTION),
    )


def _option_object(reader: Reader, item: Any, place: str, form: str) -> Mapping[str, Any]:
    inner = parsed(item) if isinstance(item, str) else item
    if isinstance(item, str) and not (isinstance(inner, dict) and inner.keys() & {"id", "label"}):
        reader.repaired(place, "text became an option")
        return {"label": item}
    if isinstance(item, str):
        reader.repaired(place, "decoded")
    if isinstance(inner, int | float) and not isinstance(inner, bool):
        return {"label": inner}
    if not isinstance(inner, dict):
        raise reader.unusable("wrong_type", place, form=form)
    return inner


def _is_empty(item: Any) -> bool:
    """Say whether an option holds nothing: null, blank, or an object of such values."""
    if isinstance(item, dict):
        return all(value is False or value == {} or _is_empty_value(value) for value in item.values())
    return _is_empty_value(item)


def _is_empty_value(value: Any) -> bool:
    return value is None or value == [] or (isinstance(value, str) and is_blank(value))


def _check_ids_differ(reader: Reader, options: Mapping[str, Option]) -> None:
    seen: set[str] = set()
    for place, option in options.items():
        if option.id in seen:
            raise reader.unusable("repeated_id", f"{place}.id")
        seen.add(option.id)


def _with_distinct_labels(reader: Reader, options: Mapping[str, Option]) -> Iterable[Option]:
    """Yield the options; a label that reads like an earlier one gets `` (2)``, or the next number that is free."""
    taken = {_likeness(option.label) for option in options.values()}
    seen: set[str] = set()
    for place, option in options.items():
        label = option.label
        if _likeness(label) in seen:
            label = _next_free(label.rstrip(), " ({})", taken, _likeness)
            reader.repaired(f"{place}.label", "made distinct")
        seen.add(_likeness(label))
        taken.add(_likeness(label))
        yield replace(option, label=label)


def _with_distinct_ids(reader: Reader, questions: list[Question]) -> Iterable[Question]:
    """Yield the questions; a missing id becomes ``q1`` and so on by place, a repeated one gets ``_2``."""
    taken = {question.id for question in questions if question.id}
    seen: set[str] = set()
    for number, question in enumerate(questions, start=1):
        name = question.id or f"q{number}"
        if name in (seen if question.id else taken):
            name = _next_free(name, "_{}", taken)
        if name != question.id:
            reader.repaired(f"questions[{number - 1}].id", "made distinct" if question.id else "made")
        seen.add(name)
        taken.add(name)
        yield replace(question, id=name)


def _next_free(base: str, ending: str, taken: Collection[str], likeness: Callable[[str], str] = str) -> str:
    return next(name for number in count(2) if likeness(name := base + ending.format(number)) not in taken)


def _likeness(label: str) -> str:
    """Return what two labels share that a person would take for the same."""
    return unicodedata.normalize("NFKC", label).casefold().strip()


def _check_size(reader: Reader, ask: Ask) -> None:
    size = len(compact_json(stored_payload(ask)).encode())
    if size > contract.MAX_CARD_BYTES:
        raise reader.unusable("too_large", "arguments", count=size, limit=contract.MAX_CARD_BYTES)
