"""What a person may ask for: all that is stored about them, and that it is erased. Each act is on record."""

import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import ApiToken, IdempotencyKey, User
from apps.audit.context import current
from apps.audit.models import AuditRecord, Reason
from apps.audit.reasons import keep_reason
from apps.audit.write import Entry, record
from apps.chat.models import CapabilitySettings, ChatSession, Run
from apps.common.clock import database_now, wire_time
from apps.runs.chronicle import Chronicle
from apps.runs.closing import BY_OPERATOR, BY_USER, Ending, end_run
from apps.runs.erasing import erase_files, erase_session, forget_pages, workspace_of
from apps.runs.errors import Altered
from apps.runs.records import evidence_of

FORMAT = "handraise-user-data/1"


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did; `forgotten` is False if old pages still lie in SQLite's log because somebody reads."""

    sessions: int
    rows: int
    forgotten: bool


# --- export ---------------------------------------------------------------------------------------


def export_user_data(user: User, file: IO[bytes], reason: str = "") -> int:
    """Write a ZIP with all that is stored about a user: the account, each session's evidence, its files.

    Returns the number of sessions. A reason is asked for where staff exports (not at the command line).
    """
    sessions = ChatSession.objects.filter(user=user).order_by("id")
    count = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", _json(_account(user)))
        for session in sessions.iterator(chunk_size=50):
            archive.writestr(f"sessions/{session.public_id}.json", _json(_evidence(session)))
            for path, name in _files(session):
                archive.write(path, name)
            count += 1
    with transaction.atomic():
        record([_entry("data_exported", user, reason, records=count)])
    return count


def _evidence(session: ChatSession) -> dict[str, Any]:
    """Return the evidence; of a session that was altered beyond reading the verdict, so that the others are handed out."""
    try:
        return evidence_of(session)
    except Altered as altered:
        return {"session": {"sessionId": session.public_id}, "error": altered.message, **altered.facts}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _account(user: User) -> dict[str, Any]:
    tokens = ApiToken.objects.filter(user=user).order_by("id")
    return {
        "format": FORMAT,
        "exportedAt": wire_time(database_now()),
        "user": {
            "id": user.public_id,
            "name": user.username,
            "firstName": user.first_name,
            "lastName": user.last_name,
            "email": user.email,
            "language": user.language,
            "preferences": user.preferences,
            "joinedAt": wire_time(user.date_joined),
            "lastSignInAt": wire_time(user.last_login),
        },
        "capabilitySettings": list(_settings_of(user).values("capability", "values")),
        "tokens": [{"id": t.public_id, "name": t.name, "scopes": t.scopes, "createdAt": wire_time(t.created_at)} for t in tokens],
        "reasons": [{"sessionId": r.session, "text": r.text, "at": wire_time(r.at)} for r in _reasons_of(user)],
        "acts": list(_acts(user)),
    }


def _acts(user: User) -> Iterator[dict[str, Any]]:
    """Yield what the audit says that the user did outside of sessions."""
    rows = AuditRecord.objects.filter(actor_id__gt="", actor_id=user.public_id, session="").order_by("number")
    for row in rows.iterator(chunk_size=500):
        yield {"at": wire_time(row.at), "kind": row.kind, "channel": row.channel, "summary": row.summary}


def _settings_of(user: User) -> QuerySet[CapabilitySettings]:
    return CapabilitySettings.objects.filter(user=user)


def _reasons_of(user: User) -> QuerySet[Reason]:
    return Reason.objects.filter(actor_id=user.public_id).order_by("at")


def _files(session: ChatSession) -> Iterator[tuple[str, str]]:
    folder = workspace_of(session.public_id)
    for path in sorted(folder.rglob("*")):
        # A link may lead out of the workspace: only what lies in it is the person's.
        if path.is_file() and not path.is_symlink():
            yield str(path), f"files/{session.public_id}/{path.relative_to(folder)}"


# --- erasure --------------------------------------------------------------------------------------


def erase_user_data(user: User, reason: str = "", progress: Callable[[int], None] = lambda done: None) -> Erased:
    """Empty everything that a user wrote, was asked, answered or got, session by session; the account stays.

    Active runs are stopped first. Each session is one transaction with its record; a call that was cut is called again.
    """
    keys = list(ChatSession.objects.filter(user=user).order_by("id").values_list("pk", flat=True))
    rows = 0
    for done, key in enumerate(keys, 1):
        rows += _erase_session(key)
        progress(done)
    with transaction.atomic():
        _settings_of(user).delete()
        _reasons_of(user).delete()
        Reason.objects.filter(session__in=_deleted_sessions(user)).delete()
        IdempotencyKey.objects.filter(user=user).delete()
        ApiToken.objects.filter(user=user).update(name="")
        record([_entry("data_erased", user, reason, rows=rows)])
    return Erased(len(keys), rows, forget_pages())


def _deleted_sessions(user: User) -> list[str]:
    """Return the sessions that the user has deleted: only the audit still names them."""
    tokens = ApiToken.objects.filter(user=user).values_list("public_id", flat=True)
    deleted = AuditRecord.objects.filter(actor_id__gt="", actor_id__in=[user.public_id, *tokens], kind="session_deleted")
    return list(deleted.values_list("session", flat=True))


def _erase_session(key: int) -> int:
    while (rows := _try_to_erase(key)) is None:
        pass
    return rows


def _try_to_erase(key: int) -> int | None:
    """Stop what is at work and erase. None: a run began before the session's row was locked, and nothing was done.

    The row cannot be locked first: who ends a run locks the run, then its session.
    """
    with transaction.atomic():
        active = Run.objects.filter(session=key, status__in=Run.ACTIVE, parent_call=None)
        locked = list(active.select_related("session").select_for_update(of=("self",)))
        session = ChatSession.objects.select_related("user").get(pk=key)
        for run in locked:
            chronicle = Chronicle(session, run)
            end_run(chronicle, run, _ending(session), database_now())
            chronicle.write()
        rows = erase_session(session)
        if active.exists():
            transaction.set_rollback(True)
            return None
        record([Entry("data_erased", session=session.public_id, summary={"subject": "session", "rows": rows})])
    erase_files(session.public_id)
    return rows


def _ending(session: ChatSession) -> Ending:
    """Return whose doing it is that a run ends."""
    return BY_USER if current().resolved_actor().id == session.user.public_id else BY_OPERATOR


def _entry(kind: str, user: User, reason: str, **counts: int) -> Entry:
    """Return the record of an act on a user's data; with a reason it commits to it."""
    summary: dict[str, Any] = {"subject": user.public_id, **counts}
    if not reason:
        return Entry(kind, summary=summary)
    kept = keep_reason(reason, current().resolved_actor())
    return Entry(kind, summary=summary | {"reason_length": kept.length}, digest=kept.digest)
