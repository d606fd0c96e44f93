"""Empty the texts of a session: every row that owns one, its files, its reasons. The audit stays, and stays valid.

A row that had a text says that it was erased; what a later request or an answer is checked by is no text and stays.
"""

import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, Q, QuerySet

from apps.agent.state import REMARKS
from apps.audit.models import Reason
from apps.chat.models import ChatSession, Message, Run, ToolCall, ToolResult
from apps.events.hints import announce, session_topic
from apps.events.models import Event, PartialText
from apps.interactions.models import Draft, Interaction
from apps.runs.masking import own_tools
from apps.solve.models import SolvePlan, SolveStep
from apps.toolkit.models import Artifact, Source, SourcePart
from apps.toolkit.sources.indexing import forget_removed

ERASED_CONTENT = '{"status":"erased"}'
"""What stands for an erased tool result: JSON, as every result is."""

MADE_UP = "other"
"""What stands for the name of a tool that there is not."""

FOLDERS_AT_ONCE = 500

_NO_ANSWER: Mapping[str, Any] = {"content": ERASED_CONTENT, "details": None, "salt": "", "erased": True}
_NO_SUBMISSION: Mapping[str, Any] = {"submission": "", "salt": "", "decision": ""}


def erase_session(session: ChatSession) -> int:
    """Empty a session's texts in the caller's transaction; return how many rows had any. No run of it may be active."""
    mark_erased(session)
    changed = sum(_emptied(session))
    Draft.objects.filter(interaction__session=session).delete()
    PartialText.objects.filter(session=session.pk).delete()
    Reason.objects.filter(session=session.public_id).delete()
    ChatSession.objects.filter(pk=session.pk).update(title="", tools=_of_ours(session.tools))
    announce(session_topic(session.pk))
    return changed


def mark_erased(session: ChatSession) -> None:
    """Lock the row of the session, and let nobody store a file that was sent before."""
    ChatSession.objects.filter(pk=session.pk).update(erasures=F("erasures") + 1)


def _emptied(session: ChatSession) -> Iterator[int]:
    """Empty row after row; yield how many of each kind."""
    runs = Run.objects.filter(session=session)
    yield Message.objects.filter(run__in=runs).update(text="", extras=None, erased=True)
    ToolCall.objects.filter(run__in=runs).exclude(name__in=own_tools()).update(name=MADE_UP)
    yield ToolCall.objects.filter(run__in=runs).update(arguments="{}", extras=None, erased=True)
    yield ToolResult.objects.filter(call__run__in=runs).update(**_NO_ANSWER)
    yield Interaction.objects.filter(session=session).update(payload={}, repairs=[], fingerprint="", **_NO_SUBMISSION)
    yield SolvePlan.objects.filter(run__in=runs).update(analysis="", reason="", erased=True)
    yield Source.objects.filter(session=session).delete()[0]
    yield SolveStep.objects.filter(run__in=runs).update(goal="", summary="")
    yield Artifact.objects.filter(call__run__in=runs).update(name="", sha256="", erased=True)
    yield runs.update(error_message="", retryable=False)
    yield _failures_without_words(session)
    _configs_without_words(runs)


def _failures_without_words(session: ChatSession) -> int:
    """Empty the sentence that the event of a failed run keeps among its facts."""
    failures = list(Event.objects.filter(session=session.pk, kind="run_failed"))
    for event in failures:
        event.facts = {**(event.facts or {}), "message": None, "erased": True}
    Event.objects.bulk_update(failures, ["facts"])
    return len(failures)


def _configs_without_words(runs: QuerySet[Run]) -> None:
    """Leave the switches of tools that there are; any other name is what somebody sent."""
    switched = list(runs.filter(config__has_key="tools"))
    for run in switched:
        run.config = {**run.config, "tools": _of_ours(run.config["tools"])}
    Run.objects.bulk_update(switched, ["config"])


def _of_ours(settings_of_tools: Mapping[str, Any]) -> dict[str, Any]:
    ours = own_tools()
    return {name: on for name, on in settings_of_tools.items() if name in ours}


def erase_answers(interactions: QuerySet[Interaction]) -> int:
    """Empty what people answered to these interactions, and their drafts; the questions stay. Return how many results.

    The note that told the model what was said to allowed calls goes whole: it speaks of all of its run.
    """
    keys = list(interactions.values_list("pk", "call_id", "run_id"))
    own = [key for key, _call, _run in keys]
    emptied = ToolResult.objects.filter(pk__in=[call for _key, call, _run in keys], erased=False).update(**_NO_ANSWER)
    Interaction.objects.filter(has_own_answer(), pk__in=own).update(**_NO_SUBMISSION)
    remarks = Message.objects.filter(run__in={run for _key, _call, run in keys}, role=Message.Role.NOTE, kind=REMARKS)
    remarks.update(text="", erased=True)
    Draft.objects.filter(interaction__in=own).delete()
    return emptied


def has_own_answer() -> Q:
    """Return the condition that an interaction itself holds something of its answer, whatever became of its call."""
    return ~Q(**_NO_SUBMISSION)


def workspace_of(session_id: str) -> Path:
    """Return the folder of a session's files."""
    return Path(settings.DATA_DIR) / "workspaces" / session_id


def erase_files(session_id: str) -> None:
    """Remove a session's files. Called after the rows have gone: what a crash leaves, `erase_lost_files` finds.

    The folder loses its name first: what a tool still writes reaches no folder, or one that is about to go.
    """
    workspace = workspace_of(session_id)
    nameless = workspace.with_name(f".erased-{secrets.token_hex(8)}")
    with suppress(FileNotFoundError):
        workspace.rename(nameless)
    shutil.rmtree(nameless, ignore_errors=True)


def erase_lost_files() -> None:
    """Remove the folders of sessions that have gone. A session is there before its folder."""
    for folders in batched(workspace_of("").glob("*"), FOLDERS_AT_ONCE):
        there = set(ChatSession.objects.filter(public_id__in=[each.name for each in folders]).values_list("public_id", flat=True))
        for folder in folders:
            if folder.name not in there:
                shutil.rmtree(folder, ignore_errors=True)


def has_files(session_id: str) -> bool:
    """Say whether there is any file of a session; the folder alone is none."""
    return any(not path.is_dir() for path in workspace_of(session_id).rglob("*"))


def forget_pages() -> bool:
    """Let the database forget the pages that held what was erased; say whether it could.

    SQLite overwrites deleted content (secure_delete), but its index of attachments holds terms until its pieces are
    merged, and its log old pages until it is emptied, which readers may prevent. PostgreSQL drops dead rows in a VACUUM;
    its own log and backups are the administrator's.
    """
    if connection.in_atomic_block:
        return False
    forget_removed()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return bool(cursor.fetchone()[0] == 0)
        tables = [model._meta.db_table for model in _WITH_TEXT]
        cursor.execute(f"VACUUM {', '.join(map(connection.ops.quote_name, tables))}")
        return True


_WITH_TEXT = (
    *(Message, ToolCall, ToolResult, Interaction, Draft, ChatSession, Run),
    *(Reason, PartialText, SolvePlan, SolveStep, Artifact, Source, SourcePart),
)
