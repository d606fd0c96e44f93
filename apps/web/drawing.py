"""How the parts of the chat page are put together: whole for a browser, in fragments for a script."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from apps.audit.context import Acting, acting, current
from apps.chat.models import ChatSession, Run
from apps.common.clock import database_now
from apps.events.read import last_numbers
from apps.runs.selectors import tokens_of
from apps.runs.services import mark_seen, mark_shown
from apps.toolkit.sources.selectors import sources_of
from apps.web import timeline
from apps.web.cards import Card
from apps.web.chats import Dock, State, dock_of, erased_in, state_of
from apps.web.panel import panel_of
from apps.web.requests import PersonRequest
from apps.web.words import model_words

CHANNEL = "web"


def chat_page(request: PersonRequest, session: ChatSession, *, status: int = 200, **facts: Any) -> HttpResponse:
    """Return the whole page. The number of the last event is read first: what comes after it comes by the stream."""
    last_seq = last_numbers([session.pk]).get(session.pk, 0)
    # The state before the card: a run that pauses in between is drawn as still at work, and such a page looks again by
    # itself without scripts. The other way round it would wait for an answer and have no card.
    before, state = request.GET.get("before", ""), state_of(session)
    dock = facts.pop("dock", None) or dock_of(request.user, session, request.GET.get("card", ""))
    if state.name == Run.Status.WAITING and not dock.card:
        state = state_of(session)  # the card was answered in between
    context = {
        "session": session,
        "last_seq": last_seq,
        "erased": erased_in(session),
        "now": database_now(),
        "state": state,
        "tokens": tokens_of(session),
        "panel": panel_of(state.run),
        "capability": state.capability,
        "dock": dock,
        "face": "card" if dock.card else "composer",
        "timeline": timeline.before(session, before) if before else timeline.latest(session),
        "is_older_page": bool(before),
        "model": model_words(),
        "sources": sources_of(session),
    }
    response = render(request, "chat/chat.html", context | facts, status=status)
    return _seen(_shown(response, dock), session, state)


def news(request: PersonRequest, session: ChatSession, *, status: int = 200, **facts: Any) -> HttpResponse:
    """Return fragments that bring a page up to date; each may come twice. A field that is edited is in none of them."""
    given = request.POST if request.method == "POST" else request.GET
    shown = given.get("shown", "")
    dock = facts.pop("dock", None) or dock_of(request.user, session, shown.removesuffix("-stale"))
    state = state_of(session)
    context = {
        "session": session,
        "now": database_now(),
        "state": state,
        "tokens": tokens_of(session),
        "panel": panel_of(state.run),
        "capability": state.capability,
        "dock": dock,
        "is_same_card": shown == dock.revision and not facts.get("redraw"),
        "timeline": timeline.since(session, given.get("tail", "")),
        "sources": sources_of(session),
    }
    response = render(request, "chat/_news.html", context | facts, status=status)
    return _seen(_shown(response, dock), session, state)


def card_slot(request: PersonRequest, session: ChatSession, dock: Dock) -> HttpResponse:
    """Return the place of the card alone."""
    context = {"session": session, "now": database_now(), "state": state_of(session), "dock": dock}
    return _shown(render(request, "chat/_card_slot.html", context), dock)


def _shown(response: HttpResponse, dock: Dock) -> HttpResponse:
    """Have it recorded, once the answer has been sent, that the card was shown."""
    card = dock.card
    if card is None or CHANNEL in card.row.shown.split():
        return response
    _after(response, _record_shown(card, current()))
    return response


def _record_shown(card: Card, said: Acting) -> Callable[[], None]:
    def record() -> None:
        with acting(said.actor, said.channel, said.http_request):
            mark_shown(card.row, CHANNEL)

    return record


def _seen(response: HttpResponse, session: ChatSession, state: State) -> HttpResponse:
    """Have it remembered, once the answer has been sent, that the user has seen how the last run ended."""
    _after(response, partial(mark_seen, session, state.run))
    return response


def _after(response: HttpResponse, work: Callable[[], None]) -> None:
    """Do some work when the server closes the answer, which is after it was sent."""
    close = response.close

    def close_and_work() -> None:
        close()
        work()

    response.close = close_and_work  # type: ignore[method-assign]
