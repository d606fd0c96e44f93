"""The index that finds which parts hold a term. It only finds; the order is made in ranking.py.

SQLite has an FTS5 table without a content of its own, kept by triggers; PostgreSQL a GIN index over the terms as an
array. Both take the terms as they are: the word breakers of the two databases would not agree with each other.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import connection, connections
from django.db.models.expressions import RawSQL

from apps.toolkit.models import SourcePart

_PARTS = SourcePart._meta.db_table
INDEX = "toolkit_partindex"
"""On SQLite a table that can be searched but not listed: it keeps no text."""
_ADD = f"INSERT INTO {INDEX}(rowid, words) VALUES (NEW.id, NEW.words);"
_DROP = f"INSERT INTO {INDEX}({INDEX}, rowid, words) VALUES ('delete', OLD.id, OLD.words);"
_MAKING: Mapping[str, Sequence[str]] = {
    "sqlite": (
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {INDEX} USING fts5(words, content='', columnsize=0, detail=none, tokenize='ascii')",
        f"CREATE TRIGGER IF NOT EXISTS {INDEX}_add AFTER INSERT ON {_PARTS} BEGIN {_ADD} END",
        f"CREATE TRIGGER IF NOT EXISTS {INDEX}_drop AFTER DELETE ON {_PARTS} BEGIN {_DROP} END",
        f"CREATE TRIGGER IF NOT EXISTS {INDEX}_change AFTER UPDATE OF words ON {_PARTS} BEGIN {_DROP} {_ADD} END",
    ),
    "postgresql": (f"CREATE INDEX IF NOT EXISTS {INDEX} ON {_PARTS} USING gin (string_to_array(words, ' '))",),
}


def make_index(using: str = "default", **signal: Any) -> None:
    """Make what is missing of the index; connected to `post_migrate`. Does nothing while the table does not exist.

    After every migration: SQLite rebuilds a table to alter it, and drops its triggers without a word.
    """
    with connections[using].cursor() as cursor:
        if _PARTS in connections[using].introspection.table_names(cursor):
            for statement in _MAKING[connections[using].vendor]:
                cursor.execute(statement)


def mark_of(source: int) -> str:
    """Return the term that every part of a source has besides those of its text: it keeps a search in a few sources."""
    return f"ofsource{source}"


def holding(terms: Sequence[str], sources: Sequence[int]) -> RawSQL:
    """Return the query for the keys of the parts of these sources that hold at least one of the terms."""
    return _QUERIES[connection.vendor](terms, sources)


def _in_fts5(terms: Sequence[str], sources: Sequence[int]) -> RawSQL:
    marks = [mark_of(source) for source in sources]
    match = f"({_any_of(marks)}) AND ({_any_of(terms)})"
    return RawSQL(f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s", [match])


def _any_of(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def _in_arrays(terms: Sequence[str], sources: Sequence[int]) -> RawSQL:
    found = f"SELECT id FROM {_PARTS} WHERE string_to_array(words, ' ') && %s::text[] AND source_id = ANY(%s)"
    return RawSQL(found, [list(terms), list(sources)])


_QUERIES: Mapping[str, Callable[[Sequence[str], Sequence[int]], RawSQL]] = {"sqlite": _in_fts5, "postgresql": _in_arrays}


def forget_removed() -> None:
    """Let the index forget the terms of parts that have gone. FTS5 keeps them until its pieces are merged."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {INDEX}({INDEX}) VALUES ('optimize')")
