"""Every column that could hold a text is known: it is emptied by an erasure, belongs to the account, or holds no text.

A new column stands in none of the three and fails here: whoever adds it says which it is, and lets `living` fill it.
"""

from typing import Any

from django.apps import apps
from django.db import connection, models

from apps.toolkit.sources.indexing import INDEX
from tests.factories.accounts import UserFactory
from tests.runs.living import CANARY, live_of, no_files_left  # noqa: F401 - a fixture for every test here

ERASED = {
    "accounts_apitoken": "name",
    "accounts_idempotencykey": "key",
    "audit_reason": "text",
    "chat_capabilitysettings": "values",
    "chat_chatsession": "title tools",
    "chat_message": "text extras",
    "chat_run": "config error_message",
    "chat_toolcall": "name arguments extras",
    "chat_toolresult": "content details",
    "events_event": "facts",
    "events_partialtext": "text",
    "interactions_draft": "body",
    "interactions_interaction": "payload repairs submission decision",
    "solve_solveplan": "analysis reason",
    "solve_solvestep": "goal summary",
    "toolkit_artifact": "name",
    "toolkit_source": "name",
    "toolkit_sourcepart": "heading text words",
}
"""What people and models write."""
ACCOUNT = {"accounts_user": "username first_name last_name email preferences language password"}
"""What stays with the account."""
NO_TEXT = {
    "accounts_apitoken": "public_id digest prefix scopes",
    "accounts_idempotencykey": "method path body_digest ids",
    "accounts_signinattempts": "digest times",
    "accounts_signinlink": "digest",
    "accounts_user": "public_id",
    "audit_anchor": "key_id",
    "audit_anchoredhead": "session",
    "audit_auditchain": "session key_id",
    "audit_auditrecord": "session kind actor_kind actor_id channel run request tool_call result summary http_request key_id",
    "audit_reason": "digest session actor_id salt",
    "audit_retention": "category",
    "chat_capabilitysettings": "capability",
    "chat_chatsession": "public_id",
    "chat_message": "public_id role kind finish",
    "chat_run": "public_id status capability language channel can_ask outcome reason error_code model",
    "chat_segment": "owner ending",
    "chat_toolcall": "call_id key",
    "chat_toolresult": "code salt",
    "events_event": "kind",
    "events_partialtext": "message_id",
    "events_stream": "public_id",
    "interactions_interaction": "public_id kind mode fingerprint on_timeout status reason channel salt shown",
    "solve_solveplan": "status",
    "solve_solvestep": "status",
    "toolkit_artifact": "public_id folder media_type sha256",
    "toolkit_source": "public_id media_type sha256 state",
}
"""Ids, codes, digests, salts and counts."""
TEXTUAL = (models.CharField, models.TextField, models.JSONField, models.FileField, models.BinaryField)
_DIGESTS = frozenset({"digest", "previous", "value", "root"})


def columns(*tables: dict[str, str]) -> set[str]:
    """Return the columns of such tables as ``table.column``."""
    return {f"{table}.{column}" for each in tables for table, listed in each.items() for column in listed.split()}


def there_are() -> set[str]:
    """Return the columns of our models that could hold a text."""
    return {
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models()
        if model.__module__.startswith("apps.")
        for field in model._meta.concrete_fields
        if isinstance(field, TEXTUAL) and not (isinstance(field, models.BinaryField) and field.column in _DIGESTS)
    }


def test_every_column_that_could_hold_a_text_is_known() -> None:
    assert there_are() == columns(ERASED, ACCOUNT, NO_TEXT)


def tables(cursor: Any) -> list[str]:
    """Return the tables that can be listed; of the index only those that it is made of can."""
    return [name for name in connection.introspection.table_names(cursor) if name != INDEX]


def columns_with(words: str) -> set[str]:
    """Return the columns that hold the words in any row."""
    found: set[str] = set()
    with connection.cursor() as cursor:
        for table in tables(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            names = [column[0] for column in cursor.description]
            rows: list[Any] = cursor.fetchall()
            found |= {f"{table}.{name}" for row in rows for name, value in zip(names, row, strict=True) if words in str(value)}
    return found


def test_what_an_erasure_is_tried_on_fills_every_one_of_them(db: None) -> None:
    live_of(UserFactory.create(username="ada"))
    assert columns_with(CANARY) == columns(ERASED)
