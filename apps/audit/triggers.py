"""Triggers that let the database itself refuse to change or remove audit records.

Made again after every migration: on SQLite a later ``alter_field`` rebuilds the table and drops them without a word.
"""

from typing import Any, NamedTuple

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from apps.audit.models import Anchor, AnchoredHead, AuditChain, AuditRecord

_RECORDS, _HEADS = AuditRecord._meta.db_table, AuditChain._meta.db_table
_ANCHORS, _ANCHORED = Anchor._meta.db_table, AnchoredHead._meta.db_table
_REFUSAL = "audit records are append-only"
_FUNCTION = "handraise_append_only"
_BODY = f" BEGIN RAISE EXCEPTION '{_REFUSAL}'; END "


def _over(table: str, same: str) -> str:
    """Return the condition that an insert would take the place of a row.

    SQLite's INSERT OR REPLACE removes a row without firing the trigger on DELETE.
    """
    return f"WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR ({same})) "


class Trigger(NamedTuple):
    """One trigger: the statement it refuses, on which table."""

    table: str
    event: str
    condition: str = ""

    @property
    def name(self) -> str:
        """Return its name in the database."""
        return f"{self.table}_no_{self.event.lower()}"

    def sql(self, vendor: str) -> str:
        """Return the statement that makes it."""
        begin = f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} "
        if vendor == "sqlite":
            return f"{begin}{self.condition}BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
        return f"{begin}FOR EACH STATEMENT EXECUTE FUNCTION {_FUNCTION}()"


# A head is updated by every record; everything else stays as it was written.
_TABLES = (_RECORDS, _HEADS, _ANCHORS, _ANCHORED)
_BOTH = (
    *(Trigger(table, "UPDATE") for table in _TABLES if table != _HEADS),
    *(Trigger(table, "DELETE") for table in _TABLES),
)
_OVER = {
    _RECORDS: "session = NEW.session AND number = NEW.number",
    _ANCHORS: "day = NEW.day",
    _ANCHORED: "session = NEW.session AND (number = NEW.number OR day = NEW.day)",
}
TRIGGERS = {
    "sqlite": (*_BOTH, *(Trigger(table, "INSERT", _over(table, same)) for table, same in _OVER.items())),
    "postgresql": (*_BOTH, *(Trigger(table, "TRUNCATE") for table in _TABLES)),
}


def missing_triggers(connection: BaseDatabaseWrapper) -> list[Trigger]:
    """Return the triggers that are gone, switched off or replaced by something else."""
    sound = _sound_on_sqlite(connection) if connection.vendor == "sqlite" else _sound_on_postgresql(connection)
    return [trigger for trigger in TRIGGERS[connection.vendor] if trigger.name not in sound]


def _sound_on_sqlite(connection: BaseDatabaseWrapper) -> set[str]:
    wanted = {trigger.name: trigger.sql("sqlite") for trigger in TRIGGERS["sqlite"]}
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {name for name, sql in cursor.fetchall() if wanted.get(name) == sql}


def _sound_on_postgresql(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid "
            "WHERE tgrelid IN (to_regclass(%s), to_regclass(%s), to_regclass(%s), to_regclass(%s)) "
            "AND tgenabled IN ('O', 'A') AND tgqual IS NULL AND prosrc = %s",
            [*_TABLES, _BODY],
        )
        return {name for (name,) in cursor.fetchall()}


def make_triggers(using: str = "default", **signal: Any) -> None:
    """Make the triggers that are missing; connected to `post_migrate`. Does nothing while the tables do not exist."""
    connection = connections[using]
    if not set(_TABLES) <= set(connection.introspection.table_names()):
        return
    missing = missing_triggers(connection)
    if not missing:
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"CREATE OR REPLACE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $${_BODY}$$")
        for trigger in missing:
            cursor.execute(_removal(trigger, connection.vendor))
            cursor.execute(trigger.sql(connection.vendor))


def remove_triggers(using: str = "default") -> None:
    """Remove the triggers: only tests that must empty their tables do this."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for trigger in TRIGGERS[connection.vendor]:
            cursor.execute(_removal(trigger, connection.vendor))


def _removal(trigger: Trigger, vendor: str) -> str:
    return f"DROP TRIGGER IF EXISTS {trigger.name}" + (f" ON {trigger.table}" if vendor == "postgresql" else "")
