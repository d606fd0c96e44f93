"""Start a run: one user message, in a session that has no other active run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit.context import current
from apps.audit.fields import as_model_name
from apps.chat.models import ChatSession, Message, Run, Segment
from apps.common.clock import database_now
from apps.common.errors import FieldError
from apps.common.prepared import Prepared, bound
from apps.common.rows import insert
from apps.common.text import clean_shown, is_blank, is_storable
from apps.events.hints import QUEUE, announce
from apps.events.log import open_stream
from apps.interactions.models import Interaction
from apps.providers.registry import model_name
from apps.runs.capabilities import capability_named
from apps.runs.chronicle import Chronicle
from apps.runs.closing import SUPERSEDED, end_run
from apps.runs.config import read_config
from apps.runs.errors import InteractionPending, InvalidRequest, NotFound, RunActive
from apps.runs.expiry import expire_run
from apps.runs.segments import LEASE
from apps.runs.settings_store import config_of_run
from apps.toolkit.sources.selectors import sources_of

MAX_MESSAGE = 100_000
TITLE_LENGTH = 60


_ACTIVE = Prepared(
    lambda: Run.objects.filter(
        session=bound("session", BigIntegerField()), status__in=Run.ACTIVE, parent_call__isnull=True
    ).select_for_update()
)


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a face hands over to start a run."""

    message: str
    session_id: str = ""
    capability: str = "chat"
    config: Any = None
    language: str = "en"
    on_pending: Literal["", "supersede"] = ""
    can_ask: str = ""
    sources: Sequence[str] = ()
    """Ids of the session's attachments that the message is about."""
    owner: str = ""
    """The worker that drives the run from its creation on; empty: any."""


@dataclass(frozen=True, slots=True)
class Started:
    """A run that was accepted, and the number of its transaction's first event."""

    session: ChatSession
    run: Run
    first_seq: int


def start_run(user: User, new: NewRun) -> Started:
    """Store the message and queue its run; an open card is superseded if that was said.

    Raises InvalidRequest, NotFound, InteractionPending, RunActive.
    """
    capability = capability_named(new.capability)
    given = read_config(new.config, capability)
    message = _checked_message(new.message)
    try:
        with transaction.atomic():
            session = _session(user, new.session_id, message)
            closed_first = _make_room(session, new.on_pending) if new.session_id else None
            config = config_of_run(user, capability, given, language_of(new), new.can_ask) | _named_sources(session, new)
            run = _create(session, new, capability.name, config)
            return Started(session, run, _tell(session, run, message, closed_first))
    except IntegrityError:
        # Two messages came at the same moment: the constraint let one of them in.
        raise RunActive(_("A run of this session is at work.")) from None


def language_of(new: NewRun) -> str:
    """Return the language of the run's own words: "en" or "zh"."""
    return "zh" if new.language.lower().startswith("zh") else "en"


def _checked_message(text: str) -> str:
    message = text.replace("\r\n", "\n").replace("\r", "\n")
    problem = ""
    if not is_storable(message):
        problem = _("The text holds a character that cannot be stored (NUL, or half of a pair).")
    elif is_blank(message):
        problem = _("Write a message first.")
    elif len(message) > MAX_MESSAGE:
        problem = _("The message is longer than %(limit)d characters.") % {"limit": MAX_MESSAGE}
    if problem:
        raise InvalidRequest(problem, errors=[FieldError("message", problem)])
    return message


def _session(user: User, public_id: str, message: str) -> ChatSession:
    if not public_id:
        return create_session(user, title_of(message))
    session = ChatSession.objects.filter(user=user, public_id=public_id).first()
    if session is None:
        raise NotFound(_("There is no such session."), asked_for=public_id)
    session.user = user
    changes = {"updated_at": database_now(), "archived": False} | ({} if session.title else {"title": title_of(message)})
    ChatSession.objects.filter(pk=session.pk).update(**changes)
    return session


def _named_sources(session: ChatSession, new: NewRun) -> dict[str, Any]:
    """Return what the run's config keeps of the attachments that its message names. Raises InvalidRequest."""
    known = {source.public_id for source in sources_of(session)} if new.sources else set()
    if not known.issuperset(new.sources):
        unknown = _("This chat has no such attachment.")
        raise InvalidRequest(unknown, errors=[FieldError("sources", unknown)])
    return {"sources": list(new.sources)} if new.sources else {}


def create_session(user: User, title: str = "") -> ChatSession:
    """Make a session with its stream of events, inside the caller's transaction."""
    (session,) = insert([ChatSession(user=user, title=title)])
    open_stream(session.pk, session.public_id)
    return session


def title_of(message: str) -> str:
    """Return the first line of a message as a title, clipped at a word."""
    line = clean_shown(message).strip().split("\n", 1)[0].strip()
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,.;:") + "…"


def _make_room(session: ChatSession, on_pending: str) -> Chronicle | None:
    """End what stands in the way of a new run, if that was said; what has expired is ended by its own rule."""
    active: Run | None = _ACTIVE.first(session=session.pk)
    if active is not None:
        active.session = session
    if active is not None and active.status == Run.Status.WAITING and expire_run(active):
        active.refresh_from_db()
    if active is None or active.status not in Run.ACTIVE:
        return None
    if active.status != Run.Status.WAITING:
        raise RunActive(_("A run of this session is at work."))
    if on_pending != "supersede":
        waiting = Interaction.objects.filter(run=active, status=Interaction.Status.PENDING).order_by("id")
        pending = list(waiting.values_list("public_id", flat=True))
        raise InteractionPending(_("A question is open in this session."), facts={"pending": pending})
    chronicle = Chronicle(session, active)
    end_run(chronicle, active, SUPERSEDED, database_now())
    return chronicle


def _create(session: ChatSession, new: NewRun, capability: str, config: dict[str, Any]) -> Run:
    owned = bool(new.owner)
    run = Run(
        session=session,
        status=Run.Status.RUNNING if owned else Run.Status.QUEUED,
        fence=1 if owned else 0,
        capability=capability,
        config=config,
        language=language_of(new),
        channel=current().channel,
        can_ask=new.can_ask,
        model=model_name()[:200],
    )
    insert([run])
    if owned:
        now = database_now()
        insert([Segment(run=run, number=1, owner=new.owner, started_at=now, lease_until=now + LEASE)])
    return run


def _tell(session: ChatSession, run: Run, message: str, closed_first: Chronicle | None) -> int:
    (row,) = insert([Message(run=run, role=Message.Role.USER, text=message, created_at=database_now())])
    chronicle = closed_first or Chronicle(session)
    chronicle.run = run
    chronicle.event("run_started", row.pk, capability=run.capability)
    owner = session.user.public_id
    chronicle.audit("run_started", capability=run.capability, model=as_model_name(run.model), size=len(message), owner=owner)
    first = chronicle.write()
    if run.status == Run.Status.QUEUED:
        announce(QUEUE)
    return first
