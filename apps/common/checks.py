"""System checks: a database set up in a way that loses answers is refused at the start."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

WANTED_PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@register(Tags.database)
def sqlite_is_durable(databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse SQLite without IMMEDIATE transactions, WAL, full synchronisation or foreign keys."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        if connection.vendor != "sqlite":
            continue
        if connection.settings_dict["OPTIONS"].get("transaction_mode") != "IMMEDIATE":
            message = "SQLite must begin its transactions IMMEDIATE; a deferred one fails at once with 'database is locked'."
            found.append(Error(message, id="handraise.E001"))
        with connection.cursor() as cursor:
            for pragma, wanted in WANTED_PRAGMAS.items():
                value = cursor.execute(f"PRAGMA {pragma}").fetchone()[0]
                if value != wanted:
                    found.append(Error(f"SQLite must run with {pragma}={wanted}, not {value}.", id="handraise.E002"))
    return found


@register(Tags.database)
def several_processes_need_redis(databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Say that several processes on PostgreSQL wake each other through Redis."""
    from django.core.checks import Info

    if connections["default"].vendor == "postgresql" and not settings.REDIS_URL:
        message = "Without REDIS_URL one process serves and drives runs; a second one would learn of news up to 2 s late."
        return [Info(message, id="handraise.I001")]
    return []
