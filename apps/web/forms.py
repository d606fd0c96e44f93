"""The fields of a card as a form sends them, and the body on the wire that they stand for.

A question's fields are `choice` (positions of the options from 0; `own`: the own text), `text`, and, on a card of
several questions, `skip`; there each name begins with the question's position: ``q0-choice``. A plan has `decision`,
`feedback`, `revision`, and the edited plan: a field `goal` for each step if `goals` is set, else `plan` (Markdown); a call
that waits to be allowed has `decision` and `feedback`. Drafts are kept as the same body, so every door reads them.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote_plus

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from apps.common.errors import FieldError, HandraiseError
from apps.common.text import compact_json, is_blank
from apps.interactions.contract import OPTION_MODES, AnyAsk, Approval, AskUser, Question
from apps.interactions.submissions import Submission, parse_submission

MAX_BODY_BYTES = 64 * 1024
OWN = "own"
EDITED = "approve_with_edits"
DEFAULT_CAPABILITY = "chat"
Body = dict[str, Any]


class TooLarge(HandraiseError):
    """What was typed is longer than a submission may be."""

    code = "too_large"


def read_body(ask: AnyAsk, form: QueryDict) -> Body:
    """Return the body on the wire; a question that is neither answered nor skipped is left out."""
    if isinstance(ask, AskUser):
        return _ask_user_body(ask, form)
    if isinstance(ask, Approval):
        return {"decision": form.get("decision", ""), "feedback": _text(form, "feedback")}
    if ask.is_plan_card:
        return _plan_body(form)
    answers = [_answer(question, form, f"q{place}-") for place, question in enumerate(ask.questions)]
    return {"answers": [answer for answer in answers if answer is not None]}


def capability_in(form: QueryDict) -> str:
    """Return the capability that a message is sent with: the switch of the composer sends one, or nothing."""
    return form.get("capability") or DEFAULT_CAPABILITY


def check_size(body: Body) -> Body:
    """Return the body. Raises TooLarge."""
    if len(compact_json(body).encode("utf-8", "surrogatepass")) > MAX_BODY_BYTES:
        raise TooLarge(_("This is too long to be sent. Shorten it."))
    return body


def read_submission(body: Body) -> Submission:
    """Return the submission of a body. Raises TooLarge, MalformedBody."""
    return parse_submission(check_size(body))


def raw_body(request: HttpRequest) -> str:
    """Return the body as it was received, without the token against forged requests: it is kept as evidence."""
    if request.content_type != "application/x-www-form-urlencoded":
        return ""
    pairs = request.body.decode("utf-8", "replace").replace("\0", "").split("&")
    return "&".join(pair for pair in pairs if unquote_plus(pair.partition("=")[0]) != "csrfmiddlewaretoken")


def errors_by_field(ask: AnyAsk, body: Body, refusal: HandraiseError) -> dict[str, list[str]]:
    """Return the messages of a refusal by the field that they belong to: ``""`` of ask_user, ``q0`` and on of questions,
    ``plan`` or its step, ``plan0`` and on, of a plan.

    What belongs to no field stands under ``card``.
    """
    found: dict[str, list[str]] = {}
    for error in refusal.errors:
        found.setdefault(_field_of(ask, body, error), []).append(error.message)
    for ident in refusal.facts.get("missing", ()):
        wish = _("Answer this question, or skip it.")
        found.setdefault(_key_of(ask, ident), []).append(wish)
    if refusal.facts.get("missing"):
        found.pop("card", None)
    return found or {"card": [refusal.message]}


def typed_text(body: Body) -> str:
    """Return everything that was typed into the card, the texts of several questions one below the other."""
    answers = [each.get("custom") for each in body.get("answers", ())]
    texts = [body.get("customInput"), body.get("feedback"), *answers]
    return "\n\n".join(text for text in texts if text and not is_blank(text))


def _ask_user_body(ask: AskUser, form: QueryDict) -> Body:
    text = _text(form, "text")
    if ask.mode not in OPTION_MODES:
        return {"customInput": text}
    chosen = _chosen([option.id for option in ask.options], form.getlist("choice"))
    return {"selections": chosen} | ({"customInput": text} if ask.allow_custom or text else {})


def _plan_body(form: QueryDict) -> Body:
    """Return the decision on a plan and the plan as it was edited; an empty step counts only as long as nothing is decided."""
    revision, decision = form.get("revision", ""), form.get("decision", "")
    goals = [_lines(goal) for goal in form.getlist("goal")]
    return {
        "decision": decision,
        "feedback": _text(form, "feedback"),
        "planRevision": int(revision) if revision.isascii() and revision.isdecimal() and len(revision) < 9 else None,
        "plan": [{"goal": goal} for goal in goals if not (decision and is_blank(goal))]
        if form.get("goals")
        else _text(form, "plan"),
    }


def _answer(question: Question, form: QueryDict, prefix: str) -> Body | None:
    """Return one answer. Skipping is explicit and wins: without a script a chosen radio cannot be taken back."""
    if form.get(f"{prefix}skip"):
        return {"id": question.id, "selected": []}
    chosen = _chosen([option.label for option in question.options], form.getlist(f"{prefix}choice"))
    text = _text(form, f"{prefix}text")
    if not chosen and is_blank(text):
        return None
    return {"id": question.id, "selected": chosen} | ({} if is_blank(text) else {"custom": text})


def _chosen(values: Sequence[str], posted: Sequence[str]) -> list[str]:
    """Return the values at the posted positions; what is no position stays as it is, to be checked as a value."""
    return [_at(values, each) for each in posted if each != OWN]


def _at(values: Sequence[str], posted: str) -> str:
    is_position = posted.isascii() and posted.isdecimal() and len(posted) <= 3 and int(posted) < len(values)
    return values[int(posted)] if is_position else posted


def _text(form: QueryDict, name: str) -> str:
    return _lines(form.get(name, ""))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _field_of(ask: AnyAsk, body: Body, error: FieldError) -> str:
    if isinstance(ask, AskUser):
        return ""
    head, _bracket, rest = error.field.partition("[")
    place = rest.partition("]")[0]
    if head == "plan":
        return head + place
    answers: Sequence[Mapping[str, Any]] = body.get("answers", ())
    if head != "answers" or not place.isdecimal() or int(place) >= len(answers):
        return "card"
    return _key_of(ask, answers[int(place)]["id"])


def _key_of(ask: AnyAsk, ident: str) -> str:
    if isinstance(ask, AskUser):
        return ""
    if isinstance(ask, Approval):
        return "card"
    return next((f"q{place}" for place, question in enumerate(ask.questions) if question.id == ident), "card")
