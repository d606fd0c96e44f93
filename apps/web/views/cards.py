"""What can be done with a card: answer, close, keep open, reply in chat, keep a draft."""

from collections.abc import Callable

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.chat.models import ChatSession
from apps.common.clock import database_now
from apps.common.errors import HandraiseError
from apps.interactions.events import is_answer_erased
from apps.interactions.models import Interaction
from apps.interactions.submissions import MalformedBody, Submission
from apps.runs import services
from apps.runs.errors import AlreadyResolved, Expired, InteractionNotFound, NoExpiry, NotResumable, StaleRevision, WrongSession
from apps.web.cards import ask_of, card_of
from apps.web.chats import Dock, dock_of, erased_in
from apps.web.drawing import chat_page, news
from apps.web.forms import Body, TooLarge, check_size, errors_by_field, raw_body, read_body, read_submission
from apps.web.plans import arranged, handed_in, typed_into
from apps.web.receipts import receipt_of
from apps.web.requests import PersonRequest, View, see_other, signed_in, words_gone
from apps.web.words import spell_duration

MORE_TIME_SECONDS = 24 * 3600

STATUS: dict[type[HandraiseError], int] = {
    AlreadyResolved: 409,
    NotResumable: 409,
    NoExpiry: 409,
    StaleRevision: 409,
    Expired: 410,
    WrongSession: 403,
    TooLarge: 413,
    MalformedBody: 400,
}


def of_session(view: Callable[..., HttpResponse]) -> View:
    """Hand the view its session and interaction, both the caller's; a stranger's are unknown."""

    def found(request: PersonRequest, session_id: str, request_id: str) -> HttpResponse:
        session = services.session_of(request.user, session_id)
        return view(request, session, services.interaction_of(request.user, request_id))

    return require_POST(signed_in(found))


@of_session
def answer(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    """Hand in what was filled in."""
    body = _body(request, row)
    try:
        _submit(request, session, row, read_submission(handed_in(ask_of(row), row.call, body)))
    except HandraiseError as refusal:
        return _refused(request, session, row, body, refusal)
    return _closed(request, session, row)


@of_session
def close(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    """Close the card without an answer."""
    try:
        _submit(request, session, row, Submission(cancelled=True))
    except HandraiseError as refusal:
        return _refused(request, session, row, _body(request, row), refusal)
    return _closed(request, session, row)


@of_session
def extend(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    """Keep the card open for longer; what is filled in stays."""
    body = _body(request, row)
    try:
        services.save_draft(request.user, row.public_id, check_size(body))
        services.extend(request.user, row.public_id, _seconds_left(row) + MORE_TIME_SECONDS)
    except HandraiseError as refusal:
        return _refused(request, session, row, body, refusal)
    if request.htmx:
        return news(request, session)
    return see_other(f"/s/{session.public_id}/?card={row.public_id}", "card")


def _seconds_left(row: Interaction) -> int:
    return max(int((row.expires_at - database_now()).total_seconds()), 0) if row.expires_at else 0


@of_session
def reply(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    """Bring what was typed into the message field; sending it there closes the card. (Scripts do this by themselves.)"""
    body = _body(request, row)
    try:
        services.save_draft(request.user, row.public_id, check_size(body))
    except HandraiseError as refusal:
        return _refused(request, session, row, body, refusal)
    return chat_page(request, session, face="composer", is_reply=True, typed=typed_into(ask_of(row), row.call, body))


@of_session
def arrange(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    """Move, remove or add a step of the plan that is being edited. (Scripts do this by themselves.)"""
    body = arranged(_body(request, row), request.POST.get("arrange", ""))
    try:
        services.save_draft(request.user, row.public_id, check_size(body))
    except HandraiseError as refusal:
        return _refused(request, session, row, body, refusal)
    return see_other(f"/s/{session.public_id}/?card={row.public_id}", "plan-edit")


@of_session
def draft(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    """Keep what is filled in so far, on any device; it is never an answer."""
    try:
        services.save_draft(request.user, row.public_id, check_size(_body(request, row)))
    except (AlreadyResolved, Expired, TooLarge) as refusal:
        return HttpResponse(status=STATUS[type(refusal)])
    return HttpResponse(status=204)


@require_safe
@signed_in
def question(request: PersonRequest, request_id: str) -> HttpResponse:
    """Lead to the card if it is open, else show its receipt."""
    row = services.interaction_of(request.user, request_id)
    is_open = row.status == Interaction.Status.PENDING and (row.expires_at is None or row.expires_at > database_now())
    if is_open:
        return HttpResponseRedirect(f"/s/{row.session.public_id}/?card={row.public_id}#card")
    return render(request, "question.html", {"receipt": receipt_of(row), "session": row.session, "erased": _erased(row)})


@require_safe
@signed_in
def words(request: PersonRequest, request_id: str) -> HttpResponse:
    """Say to the page of a question whether its words are still there."""
    row = services.interaction_of(request.user, request_id)
    return words_gone(request, _erased(row)) or HttpResponse(status=204)


def _erased(row: Interaction) -> int:
    """Return a number that changes when the chat's words are erased, or the answer alone."""
    return erased_in(row.session) + is_answer_erased(row)


def _body(request: PersonRequest, row: Interaction) -> Body:
    ask = ask_of(row)
    return read_body(ask, request.POST) if ask else {}


def _submit(request: PersonRequest, session: ChatSession, row: Interaction, submission: Submission) -> None:
    services.answer(request.user, session.public_id, row.public_id, submission, raw_body(request))


def _closed(request: PersonRequest, session: ChatSession, row: Interaction) -> HttpResponse:
    if request.htmx:
        return news(request, session, focused=f"q-{row.public_id}")
    return see_other(f"/s/{session.public_id}/", f"q-{row.public_id}")


def _refused(request: PersonRequest, session: ChatSession, row: Interaction, body: Body, refusal: HandraiseError) -> HttpResponse:
    """Answer a refusal: the same card with its messages while it is open, else what became of it and what was typed."""
    if isinstance(refusal, InteractionNotFound):
        raise refusal
    status, ask = STATUS.get(type(refusal), 422), ask_of(row)
    draw = news if request.htmx else chat_page
    if status in (409, 410) and not isinstance(refusal, NotResumable | NoExpiry | StaleRevision):
        return draw(request, session, status=status, notice=_too_late(request, row), kept=typed_into(ask, row.call, body))
    errors = errors_by_field(ask, body, refusal) if ask else {"card": [refusal.message]}
    dock: Dock = dock_of(request.user, session, row.public_id, card_of(row, body, errors))
    return draw(request, session, status=status, dock=dock, redraw=True)


def _too_late(request: PersonRequest, row: Interaction) -> str:
    receipt = receipt_of(services.interaction_of(request.user, row.public_id))
    if receipt.face == "expired":
        return _("This question has expired. Your answer was not handed in.")
    if receipt.is_answered:
        ago = spell_duration(database_now() - (receipt.closed_at or database_now()))
        words = {"ago": ago, "where": receipt.channel, "what": receipt.in_short}
        return _("Already answered %(ago)s ago %(where)s: %(what)s") % words
    return _("This question is closed already: %(how)s.") % {"how": receipt.words}
