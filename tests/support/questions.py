"""Questions for tests: calls as models send them, and hypothesis strategies of questions, answers and garbage."""

import json
from typing import Any, overload

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from apps.agent.messages import ToolCall
from apps.common.text import clean_shown, is_blank
from apps.interactions.answers import Answer, AskUserAnswer, Cancelled, QuestionsAnswer, validate
from apps.interactions.contract import MODES, OPTION_MODES, Ask, AskUser, Option, Question, QuestionSet
from apps.interactions.submissions import parse_submission

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Settings for properties: a loaded machine is no failure."""

SAFE = {"id": "safe", "label": "Analyse first", "description": "Read only, then propose", "recommended": True}
IMPLEMENT = {"id": "implement", "label": "Implement now", "description": "Starts changing the workspace"}


def call(name: str, arguments: Any, **extras: Any) -> ToolCall:
    """Return a call; arguments that are no text are written as JSON."""
    return ToolCall("c1", name, arguments if isinstance(arguments, str) else json.dumps(arguments), extras)


@overload
def answer(ask: AskUser, **body: Any) -> AskUserAnswer: ...
@overload
def answer(ask: QuestionSet, **body: Any) -> QuestionsAnswer: ...
def answer(ask: Ask, **body: Any) -> Answer:
    """Hand a body in, and return the answer."""
    given = validate(ask, parse_submission(body))
    assert not isinstance(given, Cancelled)
    return given


# --- texts ----------------------------------------------------------------------------------------
words = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=12).filter(
    lambda text: clean_shown(text) == text and not is_blank(text)
)
"""Shown texts that intake leaves as they are."""

own_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=20).map(lambda tail: f"x{tail}")
"""What people write, with odd characters, never blank."""

# --- garbage --------------------------------------------------------------------------------------
_KEYS = [
    "title",
    "mode",
    "options",
    "allowCustom",
    "submitLabel",
    "description",
    "questions",
    "question",
    "header",
    "multi_select",
]
_keys = st.sampled_from([*_KEYS, "id", "label", "recommended", "intent", "detail"]) | st.text(max_size=5)
_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from([*MODES, "true", "[]", "{}", "[null]", '[{"label":"A"}]', '{"question":"Q?"}', " ", "\u200b"])
)
json_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=5), max_leaves=25
)
"""Any JSON, made of the keys and values that ask tools know."""

_flags = st.booleans() | st.sampled_from(["true", "False", None])
_near_option = st.fixed_dictionaries(
    {"label": words | _scalars},
    optional={"id": words | _scalars, "description": words, "recommended": _flags, "value": words},
)
_option_lists = st.lists(_near_option | words | st.none(), max_size=5)
_near_options = _option_lists | _option_lists.map(json.dumps)
_near_ask_user = st.fixed_dictionaries(
    {"title": words, "mode": st.sampled_from(MODES)},
    optional={"options": _near_options, "allowCustom": _flags, "description": words, "submitLabel": words, "extra": json_values},
)
_near_question = st.fixed_dictionaries(
    {"question": words},
    optional={"id": words | _scalars, "header": words, "options": _near_options, "multi_select": _flags, "extra": json_values},
)
_near_set = st.lists(_near_question | _near_question.map(json.dumps), max_size=9).map(lambda listed: {"questions": listed})


def _spoilt(near: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda good, key, bad: good | {key: bad}, near, _keys, json_values)


near_misses = _near_ask_user | _near_question | _near_set | _spoilt(_near_ask_user) | _spoilt(_near_question)
"""Arguments that are right or nearly right."""

garbage_arguments = (
    near_misses.map(json.dumps) | json_values.map(json.dumps) | near_misses.map(json.dumps).map(json.dumps) | st.text(max_size=40)
)
"""Argument texts: nearly right ones, garbage, JSON inside JSON, no JSON at all."""


# --- questions ------------------------------------------------------------------------------------
def _options(with_ids: bool) -> st.SearchStrategy[tuple[Option, ...]]:
    ids = words if with_ids else st.just("")
    option = st.builds(Option, label=words, id=ids, description=st.just("") | words, recommended=st.booleans())
    own = (lambda o: o.id) if with_ids else (lambda o: o.label)
    return st.lists(option, min_size=1, max_size=5, unique_by=own).map(tuple)


@st.composite
def ask_users(draw: st.DrawFn) -> AskUser:
    """A question of `ask_user` in any mode."""
    mode = draw(st.sampled_from(MODES))
    chooses = mode in OPTION_MODES
    return AskUser(
        title=draw(words),
        mode=mode,
        description=draw(st.just("") | words),
        options=draw(_options(with_ids=True)) if chooses else (),
        allow_custom=chooses and draw(st.booleans()),
        submit_label=draw(st.just("") | words),
    )


questions = st.builds(
    Question,
    id=words,
    question=words,
    header=st.just("") | words,
    options=st.just(()) | _options(with_ids=False),
    multi_select=st.booleans(),
)
question_sets = st.lists(questions, min_size=1, max_size=4, unique_by=lambda q: q.id).map(lambda qs: QuestionSet(tuple(qs)))

# --- answers --------------------------------------------------------------------------------------
_TYPED = {
    "text": own_texts,
    "number": st.integers(-(10**30), 10**30).map(str) | st.floats(allow_nan=False, allow_infinity=False).map(repr),
    "date": st.dates().map(lambda day: day.isoformat()),
    "directory": st.lists(st.sampled_from(["a", "b c", "%2e", "ü"]), min_size=1, max_size=4).map("/".join),
}


@st.composite
def bodies_for(draw: st.DrawFn, ask: AskUser) -> dict[str, Any]:
    """A body that answers the question."""
    if ask.mode not in OPTION_MODES:
        return {"customInput": draw(_TYPED[ask.mode])}
    most = 1 if ask.mode == "single" else len(ask.options)
    own = draw(own_texts | st.just("")) if ask.allow_custom else ""
    none_needed = bool(own)
    most = 0 if own and ask.mode == "single" else most
    ids = st.sampled_from([option.id for option in ask.options])
    chosen = draw(st.lists(ids, unique=True, min_size=0 if none_needed else 1, max_size=most)) if most else []
    return {"selections": chosen, "customInput": own}


@st.composite
def answers_to(draw: st.DrawFn, ask: QuestionSet) -> list[dict[str, Any]]:
    """Answers to every question, in any order, some of them skipped."""
    return draw(st.permutations([draw(_answer_to(question)) for question in ask.questions]))


@st.composite
def _answer_to(draw: st.DrawFn, question: Question) -> dict[str, Any]:
    labels = [option.label for option in question.options]
    most = len(labels) if question.multi_select else min(1, len(labels))
    chosen = draw(st.lists(st.sampled_from(labels), unique=True, max_size=most)) if labels else []
    custom = draw(st.none() | own_texts)
    return {"id": question.id, "selected": chosen} | ({} if custom is None else {"custom": custom})
