"""The fields of a form and the body that they stand for."""

from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from apps.common.errors import FieldError
from apps.interactions.answers import InvalidAnswer
from apps.interactions.contract import AskUser, Option, Question, QuestionSet
from apps.interactions.submissions import parse_submission
from apps.web.forms import errors_by_field, raw_body, read_body, read_submission, typed_text
from tests.support.questions import answers_to, ask_users, bodies_for, question_sets, unhurried

SINGLE = AskUser("Which?", "single", options=(Option("Red", id="1"), Option("Blue", id="0")))
PAIR = QuestionSet((Question("a", "A?"), Question("b", "B?", options=(Option("x"), Option("y")))))


def posted(fields: list[tuple[str, str]]) -> QueryDict:
    """Return what Django makes of a form with these fields."""
    return QueryDict(urlencode(fields))


def fields_of(ask: AskUser, body: dict[str, Any]) -> list[tuple[str, str]]:
    """Fill a form in so that it gives this answer."""
    ids = [option.id for option in ask.options]
    chosen = [("choice", str(ids.index(each))) for each in body.get("selections", ())]
    return [*chosen, ("text", body.get("customInput", ""))]


@unhurried
@given(st.data())
def test_a_form_of_ask_user_says_what_was_filled_in(data: st.DataObject) -> None:
    ask = data.draw(ask_users())
    body = data.draw(bodies_for(ask))
    read = read_body(ask, posted(fields_of(ask, body)))
    empty = {"selections": [], "customInput": ""}
    assert empty | read == empty | body


@unhurried
@given(st.data())
def test_a_form_of_questions_says_what_was_filled_in(data: st.DataObject) -> None:
    ask = data.draw(question_sets)
    wanted = {answer["id"]: answer for answer in data.draw(answers_to(ask))}
    fields: list[tuple[str, str]] = []
    for place, question in enumerate(ask.questions):
        labels, answer = [option.label for option in question.options], wanted[question.id]
        fields += [(f"q{place}-choice", str(labels.index(each))) for each in answer["selected"]]
        fields.append((f"q{place}-text", answer.get("custom", "")))
        if not answer["selected"] and "custom" not in answer:
            fields.append((f"q{place}-skip", "1"))
    assert read_body(ask, posted(fields)) == {"answers": [wanted[question.id] for question in ask.questions]}


@given(
    st.lists(st.tuples(st.sampled_from(["choice", "text", "q0-choice", "q0-text", "q0-skip", "q1-choice"]), st.text(max_size=8)))
)
def test_whatever_is_posted_is_a_body_that_can_be_read(fields: list[tuple[str, str]]) -> None:
    form = QueryDict(mutable=True)
    for name, value in fields:
        form.appendlist(name, value.replace("\0", "").encode("utf-8", "replace").decode())
    for ask in (SINGLE, PAIR):
        assert read_submission(read_body(ask, form)) == parse_submission(read_body(ask, form))


def test_a_position_counts_before_an_id_that_looks_like_one() -> None:
    assert read_body(SINGLE, posted([("choice", "0")])) == {"selections": ["1"]}


def test_what_is_no_position_stays_a_value_to_be_checked() -> None:
    assert read_body(SINGLE, posted([("choice", "7")])) == {"selections": ["7"]}
    assert read_body(SINGLE, posted([("choice", "root")])) == {"selections": ["root"]}


def test_a_question_left_out_is_not_in_the_body_and_a_skipped_one_is_empty() -> None:
    assert read_body(PAIR, posted([("q1-skip", "1"), ("q1-choice", "0")])) == {"answers": [{"id": "b", "selected": []}]}


def test_line_ends_of_browsers_become_plain_ones_h54() -> None:
    assert read_body(AskUser("T", "text"), posted([("text", "a\r\nb\revent: x")])) == {"customInput": "a\nb\nevent: x"}


def test_errors_find_their_question() -> None:
    body = {"answers": [{"id": "b", "selected": ["z"]}]}
    wrong = InvalidAnswer("no", errors=[FieldError("answers[0].selected[0]", "not offered")], facts={"missing": ["a"]})
    found = errors_by_field(PAIR, body, wrong)
    assert found == {"q1": ["not offered"], "q0": ["Answer this question, or skip it."]}


def test_an_error_of_no_field_stands_on_the_card() -> None:
    assert errors_by_field(PAIR, {}, InvalidAnswer("as a whole")) == {"card": ["as a whole"]}


def test_the_texts_of_all_questions_are_what_was_typed() -> None:
    body = {"answers": [{"id": "a", "selected": [], "custom": "one"}, {"id": "b", "selected": ["x"]}]}
    assert typed_text(body) == "one"


def test_only_the_form_token_is_left_out_of_the_evidence() -> None:
    form = "text=a%26b&csrfmiddlewaretoken=t&choice=0"
    request = RequestFactory().post("/", form, content_type="application/x-www-form-urlencoded")
    assert raw_body(request) == "text=a%26b&choice=0"
