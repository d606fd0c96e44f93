"""The list of sessions at the side, and the page of all of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.timezone import localdate

from apps.accounts.models import User
from apps.chat.models import ChatSession
from apps.interactions.models import Interaction
from apps.runs.selectors import sessions_of, with_state

LISTED = 20
PAGE = 50


@dataclass(frozen=True, slots=True)
class Sidebar:
    """Sessions in four groups; `waiting` counts the questions.

    `has_more` says that the page of all has more, `has_more_waiting` that the inbox has.
    """

    needs_you: Sequence[ChatSession]
    has_more_waiting: bool
    running: Sequence[ChatSession]
    today: Sequence[ChatSession]
    earlier: Sequence[ChatSession]
    waiting: int
    has_more: bool


def sidebar_of(user: User) -> Sidebar:
    """Return the sidebar: three queries, however many sessions there are."""
    # The newest questions, as the list shows them: a chat that has just asked must not vanish. The inbox begins with the oldest.
    newest_first = Interaction.objects.filter(user=user).open_now().order_by("-id")
    pending = list(newest_first.values_list("session_id", flat=True)[:1000])
    waiting = list(dict.fromkeys(pending))  # a session may have several questions
    needs_you = list(sessions_of(user).filter(pk__in=waiting[:LISTED]))
    others = list(with_state(sessions_of(user).filter(archived=False).exclude(pk__in=waiting))[: LISTED + 1])
    groups = _grouped(others[:LISTED])
    return Sidebar(
        needs_you=needs_you,
        has_more_waiting=len(waiting) > LISTED,
        running=groups["running"],
        today=groups["today"],
        earlier=groups["earlier"],
        waiting=len(pending),
        has_more=len(others) > LISTED,
    )


def _grouped(sessions: Sequence[ChatSession]) -> dict[str, list[ChatSession]]:
    today, groups = localdate(), defaultdict[str, list[ChatSession]](list)
    for session in sessions:
        idle = "today" if localdate(session.updated_at) == today else "earlier"
        groups["running" if getattr(session, "is_running", False) else idle].append(session)
    return groups


def found_sessions(user: User, words: str, archived: bool) -> QuerySet[ChatSession]:
    """Return the sessions whose title holds the words; archived ones or the others."""
    sessions = with_state(sessions_of(user).filter(archived=archived))
    return sessions.filter(title__icontains=words) if words else sessions
