"""Search by ids and by names of users, and by nothing else: what a word stands for, and what that narrows a list to."""

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q

from apps.accounts.models import ApiToken, User
from apps.audit.models import AuditChain, AuditRecord
from apps.chat.models import ChatSession, Run
from apps.common.text import is_storable
from apps.console.paging import WINDOW, Narrowing
from apps.interactions.models import Interaction

NOTHING = Narrowing(Q(pk__in=[]), leads=9)
BY_ID = 8
BY_PERSON = 7
SESSIONS_AT_ONCE = 500
"""Sessions of a user that a list is led through by their keys; with more, the list is walked by time."""


def users_named(word: str) -> list[User]:
    """Return the users whom a word may mean: by public id or name; else those whose names begin with it, up to 20."""
    if not is_storable(word):
        return []
    exact = list(User.objects.filter(Q(public_id=word) | Q(username=word))[:1])
    return exact or list(User.objects.filter(username__istartswith=word).order_by("username")[:20])


def by_id_or_person(word: str, ids: dict[str, Callable[[str], Q]], of_users: Callable[[list[User]], Narrowing]) -> Narrowing:
    """Return what a word narrows a list to. `ids` says by the prefix of an id what it narrows to."""
    if not is_storable(word):
        return NOTHING
    condition = ids.get(word.partition("_")[0]) if "_" in word else None
    if condition is not None and len(word) <= 40:
        return Narrowing(condition(word), BY_ID)
    users = users_named(word)
    return of_users(users) if users else NOTHING


def sessions_found(word: str) -> Narrowing:
    """Search sessions: by the id of a session, a run or an interaction, and by user."""
    ids: dict[str, Callable[[str], Q]] = {
        "sess": lambda ident: Q(public_id=ident),
        "run": lambda ident: Q(pk__in=Run.objects.filter(public_id=ident).values("session")),
        "ask": lambda ident: Q(pk__in=Interaction.objects.filter(public_id=ident).values("session")),
    }
    return by_id_or_person(word, ids, _asked)


def runs_found(word: str) -> Narrowing:
    """Search runs: by the id of a run, a session or an interaction, and by user."""
    ids: dict[str, Callable[[str], Q]] = {
        "run": lambda ident: Q(public_id=ident),
        "sess": lambda ident: Q(session__in=_keys(ChatSession.objects.filter(public_id=ident))),
        "ask": lambda ident: Q(pk__in=Interaction.objects.filter(public_id=ident).values("run")),
    }
    return by_id_or_person(word, ids, _runs_of)


def interactions_found(word: str) -> Narrowing:
    """Search interactions: by the id of an interaction, a run or a session, and by user."""
    ids: dict[str, Callable[[str], Q]] = {
        "ask": lambda ident: Q(public_id=ident),
        "run": lambda ident: Q(run__in=_keys(Run.objects.filter(public_id=ident))),
        "sess": lambda ident: Q(session__in=_keys(ChatSession.objects.filter(public_id=ident))),
    }
    return by_id_or_person(word, ids, _asked)


def records_found(word: str) -> Narrowing:
    """Search audit records: by the id of a session, run, interaction, user or token, and by user.

    The records of a user are those of the user's sessions, and what the user and the user's tokens did anywhere.
    """
    ids: dict[str, Callable[[str], Q]] = {
        "sess": lambda ident: Q(session=ident),
        "run": lambda ident: Q(run__gt="", run=ident),
        "ask": lambda ident: Q(request__gt="", request=ident),
        "token": lambda ident: Q(actor_id__gt="", actor_id=ident),
    }
    if word == "installation":
        return Narrowing(Q(session=""), BY_ID)
    return by_id_or_person(word, ids, _records_of)


def _keys(rows: object) -> list[int]:
    return list(rows.values_list("pk", flat=True))  # type: ignore[attr-defined]


def _asked(users: list[User]) -> Narrowing:
    """Narrow to rows with one of the users. One leads through an index; of several the rows are met by walking back."""
    return Narrowing(Q(user=users[0]), BY_PERSON) if len(users) == 1 else Narrowing(Q(user__in=users))


def _runs_of(users: list[User]) -> Narrowing:
    keys = list(ChatSession.objects.filter(user__in=users).values_list("pk", flat=True)[: SESSIONS_AT_ONCE + 1])
    if len(keys) > SESSIONS_AT_ONCE:
        return Narrowing(Q(session__user__in=users))
    return Narrowing(Q(session__in=keys), BY_PERSON)


def _records_of(users: list[User]) -> Narrowing:
    """Lead through the users' chains and acts as long as they are few; many are soon met by walking back in time."""
    tokens = ApiToken.objects.filter(user__in=users).values_list("public_id", flat=True)
    did = Q(actor_id__gt="", actor_id__in=[*(user.public_id for user in users), *tokens])
    theirs = ChatSession.objects.filter(user__in=users)
    sessions = list(theirs.values_list("public_id", flat=True)[: SESSIONS_AT_ONCE + 1])
    lengths = AuditChain.objects.filter(session__in=sessions).values_list("number", flat=True)
    acts = AuditRecord.objects.filter(did).values("pk")[:WINDOW].count()
    if len(sessions) > SESSIONS_AT_ONCE or sum(lengths) + acts >= WINDOW:
        return Narrowing(did | Q(Exists(theirs.filter(public_id=OuterRef("session")))))
    return Narrowing(did | Q(session__in=sessions), BY_PERSON)
