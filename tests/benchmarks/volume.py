"""Fill a database with a year of an installation: by default 200,000 interactions and 1,000,000 audit records.

    HANDRAISE_DATA_DIR=<an empty folder> DJANGO_SETTINGS_MODULE=config.settings python -m tests.benchmarks.volume

Rows are written in bulk, chains are signed as always: `audit_verify` finds them sound.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

INTERACTIONS, RECORDS = 200_000, 1_000_000
DAYS = 365
QUESTIONS_A_SESSION = 5
SESSIONS_AT_ONCE = 200
_KINDS = ("ask_user", "questions", "plan_review", "approval")
_MODES = {
    "ask_user": ("single", "multiple", "text", "number", "date"),
    "questions": ("form",),
    "plan_review": ("plan_review",),
    "approval": ("approval",),
}
_STATUSES = ("answered", "cancelled", "expired", "aborted")
_PAYLOAD = {
    "title": "Which environment should the release go to?",
    "mode": "single",
    "description": "The build is green on both. Production is used by customers; staging is reset every night.",
    "options": [
        {"id": "staging", "label": "Staging", "description": "Reset every night", "recommended": True},
        {"id": "production", "label": "Production", "description": "Used by customers", "recommended": False},
    ],
    "allowCustom": True,
    "submitLabel": "",
    "questions": [],
    "detail": "",
    "intent": None,
    "planRevision": None,
}


class Made(NamedTuple):
    """What was written, and in how many seconds."""

    users: int
    sessions: int
    interactions: int
    records: int
    seconds: float


def make_volume(interactions: int = INTERACTIONS, records: int = RECORDS, days: int = DAYS, seed: int = 7) -> Made:
    """Write the rows, oldest first, spread evenly over the days up to now; about `records` audit records go with them."""
    began, dice = time.perf_counter(), random.Random(seed)
    sessions = max(interactions // QUESTIONS_A_SESSION, 1)
    users = _users(max(sessions // 200, 3))
    step = timedelta(days=days) / sessions
    start, written = datetime.now(UTC) - timedelta(days=days), 0
    per_question = records / max(interactions, 1)
    for first in range(0, sessions, SESSIONS_AT_ONCE):
        count = min(SESSIONS_AT_ONCE, sessions - first)
        moments = [start + step * (first + n) for n in range(count)]
        written += _batch([dice.choice(users) for _ in moments], moments, dice, per_question, first + count == sessions)
    return Made(len(users), sessions, sessions * QUESTIONS_A_SESSION, written, time.perf_counter() - began)


def _users(count: int) -> list[Any]:
    """Return so many users, made if they are not there yet."""
    from apps.accounts.models import User

    names = [f"person{number:05d}" for number in range(count)]
    User.objects.bulk_create([User(username=name, password="!") for name in names], batch_size=500, ignore_conflicts=True)
    return list(User.objects.filter(username__in=names).order_by("username"))


def _batch(users: Sequence[Any], moments: Sequence[datetime], dice: random.Random, per_question: float, is_last: bool) -> int:
    """Write some sessions, each with a run of five questions; return how many audit records were written."""
    from django.db import transaction

    from apps.chat.models import ChatSession, Message, Run, ToolCall, ToolResult
    from apps.events.models import Stream
    from apps.interactions.models import Interaction

    with transaction.atomic():
        sessions = ChatSession.objects.bulk_create(
            [ChatSession(user=user, title="Release", updated_at=at) for user, at in zip(users, moments, strict=True)]
        )
        _date(ChatSession, sessions, moments)
        Stream.objects.bulk_create([Stream(session=s.pk, public_id=s.public_id, last_at=s.created_at) for s in sessions])
        runs = Run.objects.bulk_create([_run(session, dice, is_last) for session in sessions])
        _date(Run, runs, moments)
        turns = [Message(run=run, role="assistant", created_at=at) for run, at in zip(runs, moments, strict=True)]
        turn_rows = Message.objects.bulk_create(turns)
        calls = ToolCall.objects.bulk_create([_call(turn, n) for turn in turn_rows for n in range(QUESTIONS_A_SESSION)])
        places = [divmod(place, QUESTIONS_A_SESSION) for place in range(len(calls))]
        rows = [_interaction(call, moments[n], nth, dice) for call, (n, nth) in zip(calls, places, strict=True)]
        Interaction.objects.bulk_create(rows)
        ToolResult.objects.bulk_create([_result(row) for row in rows if row.resolved_at])
        return _write_records(sessions, rows, dice, per_question)


def _date(model: Any, rows: Sequence[Any], moments: Sequence[datetime]) -> None:
    """Put the rows into the past: the fields are set by themselves when a row is made."""
    for row, at in zip(rows, moments, strict=True):
        row.created_at = at
    model.objects.bulk_update(rows, ["created_at"], batch_size=SESSIONS_AT_ONCE)


def _run(session: Any, dice: random.Random, is_last: bool) -> Any:
    from apps.chat.models import Run

    ended = session.updated_at + timedelta(hours=1)
    status = "waiting" if is_last else dice.choices(("completed", "failed", "cancelled"), (92, 3, 5))[0]
    outcome = "finished" if status == "completed" else ""
    return Run(
        session=session, status=status, outcome=outcome, model="builtin", ended_at=None if is_last else ended,
        capability=dice.choices(("chat", "deep_solve"), (4, 1))[0], channel=dice.choices(("web", "api", "cli"), (7, 2, 1))[0],
        error_code="provider_error" if status == "failed" else "",
    )  # fmt: skip


def _call(message: Any, number: int) -> Any:
    from apps.chat.models import ToolCall

    return ToolCall(run=message.run, message=message, call_id=f"c{number}", key=f"c{number}", name="ask_user", arguments="{}")


def _interaction(call: Any, at: datetime, number: int, dice: random.Random) -> Any:
    from apps.interactions.models import Interaction

    run, asked = call.run, at + timedelta(minutes=10 * number)
    kind = dice.choices(_KINDS, (80, 15, 4, 1))[0]
    is_open = run.status == "waiting" and number == QUESTIONS_A_SESSION - 1
    status = "pending" if is_open else dice.choices(_STATUSES, (88, 5, 5, 2))[0]
    waited = timedelta(seconds=dice.lognormvariate(3.5, 1.4))
    return Interaction(
        call=call, run=run, session=run.session, user=run.session.user, kind=kind, mode=dice.choice(_MODES[kind]),
        payload=_PAYLOAD, on_timeout="stop", cancel_stops=True, status=status, created_at=asked,
        expires_at=(datetime.now(UTC) if is_open else asked) + timedelta(days=3), resolved_at=None if is_open else asked + waited,
        channel="" if is_open else run.channel, resolved_by=run.session.user if status == "answered" else None,
        submission='{"selections": ["staging"]}' if status == "answered" else "", shown=run.channel,
        decision='{"decision":"approve"}' if (kind, status) == ("approval", "answered") else "",
    )  # fmt: skip


def _result(row: Any) -> Any:
    from apps.chat.models import ToolResult

    content = f'{{"status":"{row.status}","selections":["staging"],"customInput":"","cancelled":false,"answeredBy":"user"}}'
    return ToolResult(call=row.call, content=content, created_at=row.resolved_at)


# --- the audit ------------------------------------------------------------------------------------
class Told(NamedTuple):
    """One record to be signed."""

    kind: str
    at: datetime
    actor_kind: str
    actor: str
    channel: str
    summary: dict[str, Any]


def _told(row: Any, is_first: bool, dice: random.Random, per_question: float) -> Iterator[Told]:
    """Yield what happened to one question: about `per_question` records."""
    user, facts, asked = row.user.public_id, {"kind": row.kind, "mode": row.mode}, row.created_at
    if is_first:
        yield Told("run_started", asked, "user", user, row.run.channel, {"capability": row.run.capability})
    yield Told("interaction_requested", asked, "agent", "", "system", facts)
    yield Told("run_paused", asked, "agent", "", "system", {"pending": 1})
    if dice.random() < per_question - 4:
        if dice.random() < 0.05:
            reason = dice.choice(("invalid", "duplicate", "late"))
            yield Told("submission_refused", asked, "user", user, row.channel or "web", facts | {"reason": reason})
        else:
            yield Told("interaction_shown", asked + timedelta(milliseconds=40), "user", user, row.channel or "web", facts)
    if row.resolved_at is None:
        return
    by_user = row.status in ("answered", "cancelled")
    who, ident, door = ("user", user, row.channel) if by_user else ("system", "", "system")
    answered = {"positions": [[0]], "own_text": [0], "skipped": 0, "answered_by": "user"} if row.status == "answered" else {}
    yield Told(f"interaction_{row.status}", row.resolved_at, who, ident, door, facts | answered)
    yield Told("tool_result_written", row.resolved_at, who, ident, door, {"tool": "ask_user"})
    if dice.random() < 0.02:
        yield Told("run_failed", row.resolved_at, "agent", "", "system", {"code": "provider_error", "retryable": True})


def _write_records(sessions: Sequence[Any], rows: Sequence[Any], dice: random.Random, per_question: float) -> int:
    from django.db import connection

    from apps.audit.chain import Row, own_value
    from apps.audit.keys import signing_key_id
    from apps.audit.models import AuditChain

    key_id, signed, heads = signing_key_id(), [], []
    for place, session in enumerate(sessions):
        number, previous, at = 0, b"", session.created_at
        for nth, row in enumerate(rows[place * QUESTIONS_A_SESSION : (place + 1) * QUESTIONS_A_SESSION]):
            for told in _told(row, nth == 0, dice, per_question):
                number, at = number + 1, max(at, told.at)
                unsigned = Row(
                    session.public_id, number, at, told.kind, told.actor_kind, told.actor, told.channel,
                    row.run.public_id, row.public_id if told.kind.startswith(("interaction", "sub", "tool")) else "",
                    row.call.call_id, "", told.summary, b"", "", previous, key_id,
                )  # fmt: skip
                previous = own_value(unsigned)
                signed.append(unsigned._replace(value=previous))
        heads.append(AuditChain(session=session.public_id, number=number, at=at, value=previous, key_id=key_id))
    _insert(connection, signed)
    AuditChain.objects.bulk_create(heads)
    return len(signed)


def _insert(connection: Any, rows: Sequence[Any]) -> None:
    from apps.audit.chain import Row
    from apps.audit.models import AuditRecord
    from apps.common.text import compact_json

    places = ", ".join(["%s"] * len(Row._fields))
    sql = f"INSERT INTO {AuditRecord._meta.db_table} ({', '.join(Row._fields)}) VALUES ({places})"
    stored = connection.ops.adapt_datetimefield_value
    lines = [tuple({**row._asdict(), "at": stored(row.at), "summary": compact_json(row.summary)}.values()) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(sql, lines)


def main() -> None:
    """Make the tables, fill them, say what was made."""
    import django

    django.setup()
    from django.core.management import call_command

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interactions", type=int, default=INTERACTIONS)
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--days", type=int, default=DAYS)
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    made = make_volume(given.interactions, given.records, given.days)
    print(", ".join(f"{name}: {round(value)}" for name, value in made._asdict().items()))


if __name__ == "__main__":
    main()
