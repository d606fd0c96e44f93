"""The evidence of a session: one document with everything that is stored of it, for whoever must check what happened.

Bodies of submissions stand in it as they were received, events as they were sent, audit records with their chain.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.agent.capabilities import Capability
from apps.agent.state import SCHEMA_VERSION
from apps.audit.anchors import anchors_of
from apps.audit.keys import UnknownAuditKey, chain_key, signing_key_id
from apps.audit.models import AuditRecord
from apps.audit.read import trail
from apps.audit.verdict import NONSENSE, audit_faults
from apps.audit.write import Entry, record
from apps.chat.models import ChatSession, Message, Run, Segment, ToolCall
from apps.common.clock import database_now, wire_time
from apps.common.text import canonical_json
from apps.events.read import read_events
from apps.interactions.binding import asked_words
from apps.interactions.events import card, receipt, with_owners
from apps.runs.artifacts import artifacts_of
from apps.runs.capabilities import all_capabilities, mounted
from apps.runs.errors import Altered, NotFound
from apps.runs.sealing import sealed
from apps.runs.services import session_of
from apps.toolkit.sources.selectors import sources_of
from apps.toolkit.sources.wire import source_json

FORMAT = "handraise-evidence/1"
EVENTS_AT_ONCE = 500
Json = dict[str, Any]


def export_evidence(user: User, session_id: str) -> Json:
    """Return the evidence of the user's session, and record that it was handed out. Raises NotFound."""
    with transaction.atomic():
        session = session_of(user, session_id)
        evidence = evidence_of(session)
        counts = {"events": len(evidence["stream"]), "records": len(evidence["audit"])}
        record([Entry("evidence_exported", session=session.public_id, summary=counts)])
        return evidence


def evidence_of(session: ChatSession) -> Json:
    """Return what is stored of a session, sealed; its last audit record is the one before this export.

    Raises Altered for what cannot be read, where the audit finds a fault.
    """
    try:
        return sealed(_document(session))
    except NONSENSE as unreadable:
        raise _altered(session.public_id, unreadable) from unreadable


def _altered(session_id: str, unreadable: Exception) -> Exception:
    """Return the refusal with the verdict. What cannot be read although the audit is sound is a fault of this program."""
    verdict = _verdict(session_id)
    sentence = _("What is stored of this session was altered in the database and cannot be read: %(faults)s.")
    refusal = Altered(sentence % {"faults": "; ".join(verdict["faults"])}, facts={"verdict": verdict})
    return unreadable if verdict["sound"] else refusal


def _document(session: ChatSession) -> Json:
    runs = list(Run.objects.filter(session=session).order_by("id"))
    return {
        "format": FORMAT,
        "exportedAt": wire_time(database_now()),
        "versions": _versions(runs),
        "session": {
            "sessionId": session.public_id,
            "user": session.user.public_id,
            "title": session.title,
            "tools": session.tools,
            "createdAt": wire_time(session.created_at),
        },
        "runs": list(_runs(runs)),
        "messages": list(_messages(session)),
        "toolCalls": list(_calls(session)),
        "artifacts": list(_artifacts(session)),
        "interactions": list(_interactions(session)),
        "sources": [source_json(source) for source in sources_of(session)],
        "stream": list(_frames(session)),
        "audit": list(trail(session.public_id)),
        "anchors": anchors_of(session.public_id),
        "verdict": _verdict(session.public_id),
    }


def _verdict(session_id: str) -> Json:
    """Return what `audit_verify` says of the session's chain now."""
    faults = [str(fault) for fault in audit_faults(session_id)]
    return {"sound": not faults, "faults": faults}


def chain_keys(session_id: str) -> dict[str, str]:
    """Return the keys that check a session's chain, and no other: hex by the key's id.

    They are no part of the evidence: whoever holds them could forge this chain. Raises UnknownAuditKey.
    """
    used = set(AuditRecord.objects.filter(session=session_id).values_list("key_id", flat=True).distinct())
    # A document that leaves now is sealed with the present key, whether or not it has signed a record yet.
    needed = used | {signing_key_id()} if used else used
    return {key_id: chain_key(session_id, key_id).hex() for key_id in sorted(needed)}


def export_chain_keys(session_id: str) -> dict[str, str]:
    """Return `chain_keys`, and record that they were handed out. Raises NotFound for a chain that has no record, and Altered."""
    with transaction.atomic():
        try:
            keys = chain_keys(session_id)
        except UnknownAuditKey as unknown:
            raise _altered(session_id, unknown) from unknown
        if not keys:
            raise NotFound(_("There is no such session."))
        record([Entry("chain_key_exported", session=session_id)])
        return keys


def _versions(runs: list[Run]) -> Json:
    """Return the versions that this installation has now; a digest is equal as long as no word has changed.

    A capability that is no longer installed is left out.
    """
    used, installed = {(run.capability, run.language) for run in runs}, {each.name: each for each in all_capabilities()}
    return {
        "product": settings.VERSION,
        "state": SCHEMA_VERSION,
        "capabilities": [_digests(installed[name], language) for name, language in sorted(used) if name in installed],
    }


def _digests(capability: Capability, language: str) -> Json:
    return {
        "capability": capability.name,
        "language": language,
        "promptSha256": _sha256(capability.instructions(language)),
        "toolsSha256": _sha256(canonical_json(mounted(capability, {}).schemas(language))),
    }


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _runs(runs: list[Run]) -> Iterator[Json]:
    segments: dict[int, list[Json]] = {run.pk: [] for run in runs}
    for row in Segment.objects.filter(run__in=segments).order_by("id"):
        times = {"startedAt": wire_time(row.started_at), "endedAt": wire_time(row.ended_at)}
        segments[row.run_id].append({"segment": row.number, "ending": row.ending, **times})
    for run in runs:
        yield {
            "runId": run.public_id,
            "status": run.status,
            "capability": run.capability,
            "config": run.config,
            "language": run.language,
            "channel": run.channel,
            "model": run.model,
            "stateVersion": run.state_version,
            "outcome": run.outcome,
            "reason": run.reason,
            "errorCode": run.error_code,
            "errorMessage": run.error_message,
            "segments": segments[run.pk],
            "createdAt": wire_time(run.created_at),
            "endedAt": wire_time(run.ended_at),
        }


def _messages(session: ChatSession) -> Iterator[Json]:
    for row in Message.objects.filter(run__session=session).select_related("run").order_by("id"):
        yield {
            "messageId": row.public_id,
            "runId": row.run.public_id,
            "role": row.role,
            "kind": row.kind,
            "text": None if row.erased else row.text,
            "final": row.final,
            "finish": row.finish,
            "extras": row.extras or {},
            "inputTokens": row.input_tokens,
            "outputTokens": row.output_tokens,
            "createdAt": wire_time(row.created_at),
            "erased": row.erased,
        }


def _calls(session: ChatSession) -> Iterator[Json]:
    rows = ToolCall.objects.filter(run__session=session).select_related("run", "message", "result").order_by("id")
    for row in rows:
        result = getattr(row, "result", None)
        yield {
            "toolCallId": row.call_id,
            "runId": row.run.public_id,
            "messageId": row.message.public_id,
            "name": row.name,
            "arguments": None if row.erased else row.arguments,
            "extras": row.extras or {},
            "startedAt": wire_time(row.started_at),
            "erased": row.erased,
            "result": result
            and {
                "content": None if result.erased else result.content,
                "erased": result.erased,
                "isError": result.is_error,
                "code": result.code,
                "details": result.details or {},
                "salt": result.salt,
                "createdAt": wire_time(result.created_at),
            },
        }


def _artifacts(session: ChatSession) -> Iterator[Json]:
    for row in artifacts_of(session):
        yield {
            "artifactId": row.public_id,
            "toolCallId": row.call.call_id,
            "runId": row.call.run.public_id,
            "name": row.name or None,
            "folder": row.folder,
            "mediaType": row.media_type,
            "size": row.size,
            "sha256": row.sha256 or None,
            "erased": row.erased,
            "createdAt": wire_time(row.created_at),
        }


def _interactions(session: ChatSession) -> Iterator[Json]:
    for row in with_owners().filter(session=session).order_by("id"):
        yield card(row) | {
            "status": row.status,
            "repairs": row.repairs,
            "onTimeout": row.on_timeout,
            "shown": row.shown.split(),
            "submission": row.submission or None,
            "asked": asked_words(row) or None,
            "salt": row.salt,
            "receipt": receipt(row) if row.resolved_at else None,
            "closedBy": row.resolved_by.public_id if row.resolved_by else "",
        }


def _frames(session: ChatSession) -> Iterator[str]:
    after = 0
    while events := read_events(session.pk, after, EVENTS_AT_ONCE):
        yield from (event.frame.decode() for event in events)
        after = events[-1].seq
