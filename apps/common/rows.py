"""Insert and update rows with statements that are written once: what every round does must not be compiled every round."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model

type AnyField = Field[Any, Any]

_TEXTS, _WHOLE_NUMBERS, _TRUTHS = (frozenset({kind, type(None)}) for kind in (str, int, bool))
_AS_THEY_ARE: Mapping[type, frozenset[type]] = {
    models.CharField: _TEXTS,
    models.TextField: _TEXTS,
    models.BigAutoField: _WHOLE_NUMBERS,
    models.BigIntegerField: _WHOLE_NUMBERS,
    models.IntegerField: _WHOLE_NUMBERS,
    models.PositiveBigIntegerField: _WHOLE_NUMBERS,
    models.PositiveIntegerField: _WHOLE_NUMBERS,
    models.PositiveSmallIntegerField: _WHOLE_NUMBERS,
    models.ForeignKey: _WHOLE_NUMBERS,
    models.OneToOneField: _WHOLE_NUMBERS,
    models.BooleanField: _TRUTHS,
}
"""Values that these fields hand to the database unchanged. To ask the field costs more than to send the row."""


def insert[M: Model](rows: Sequence[M]) -> Sequence[M]:
    """Insert rows of one model with one statement, and set the keys that the database makes; return them.

    As `bulk_create`, for models without parents. Signals are not sent.
    """
    if not rows:
        return rows
    model, pk = type(rows[0]), rows[0]._meta.pk
    assert pk is not None
    has_key, database = rows[0].pk is not None, connections[DEFAULT_DB_ALIAS]
    fields = _fields(model, has_key)
    params = [_value(field, row, database) for row in rows for field in fields]
    with database.cursor() as cursor:
        cursor.execute(_insert_sql(model, len(rows), has_key, database.vendor), params)
        if not has_key:
            for row, (key,) in zip(rows, cursor.fetchall(), strict=True):
                setattr(row, pk.attname, key)
    for row in rows:
        row._state.adding, row._state.db = False, database.alias
    return rows


@cache
def _fields(model: type[Model], has_key: bool) -> tuple[AnyField, ...]:
    return tuple(f for f in model._meta.concrete_fields if has_key or not f.primary_key)


def _value(field: AnyField, row: Model, database: BaseDatabaseWrapper) -> Any:
    value = getattr(row, field.attname)
    if type(value) in _AS_THEY_ARE.get(type(field), ()):
        return value
    return field.get_db_prep_save(field.pre_save(row, True), database)


@cache
def _insert_sql(model: type[Model], count: int, has_key: bool, vendor: str) -> str:
    quote, fields = connection.ops.quote_name, _fields(model, has_key)
    columns = ", ".join(quote(str(field.column)) for field in fields)
    places = ", ".join(["(" + ", ".join(["%s"] * len(fields)) + ")"] * count)
    key = "" if has_key else f" RETURNING {quote(str(model._meta.pk.column))}"
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES {places}{key}"


class Condition(NamedTuple):
    """A further condition in SQL, with its parameters. The SQL is a constant of the code, never made from input."""

    sql: str
    params: Sequence[Any] = ()


ALWAYS = Condition("")


def update(
    model: type[Model],
    where: Mapping[str, Any],
    changes: Mapping[str, Any],
    *,
    if_status: Sequence[str] = (),
    also: Condition = ALWAYS,
) -> int:
    """Change the rows in which every column of `where` has its value; return how many there were.

    With `if_status` only rows in one of these statuses are changed: the check and the change are one statement.
    """
    database = connections[DEFAULT_DB_ALIAS]
    sql = _update_sql(model, tuple(where), tuple(changes), len(if_status), also.sql, database.vendor)
    params = [_prepared(model, name, value, database) for name, value in (*changes.items(), *where.items())]
    with database.cursor() as cursor:
        cursor.execute(sql, [*params, *if_status, *also.params])
        return int(cursor.rowcount)


def _prepared(model: type[Model], name: str, value: Any, database: BaseDatabaseWrapper) -> Any:
    field = _column(model, name)
    if type(value) in _AS_THEY_ARE.get(type(field), ()):
        return value
    return field.get_db_prep_save(value.pk if isinstance(value, Model) else value, database)


@cache
def _column(model: type[Model], name: str) -> AnyField:
    return next(field for field in model._meta.concrete_fields if name in (field.name, field.attname))


@cache
def _update_sql(
    model: type[Model], where: tuple[str, ...], changes: tuple[str, ...], statuses: int, also: str, vendor: str
) -> str:
    changed = ", ".join(map(partial(_equals, model), changes))
    matched = list(map(partial(_equals, model), where))
    if statuses:
        matched.append(f"status IN ({', '.join(['%s'] * statuses)})")
    if also:
        matched.append(also)
    return f"UPDATE {connection.ops.quote_name(model._meta.db_table)} SET {changed} WHERE {' AND '.join(matched)}"


def delete(model: type[Model], where: Mapping[str, Any]) -> None:
    """Delete the rows in which every column of `where` has its value. Nothing must point to them."""
    database = connections[DEFAULT_DB_ALIAS]
    params = [_prepared(model, name, value, database) for name, value in where.items()]
    with database.cursor() as cursor:
        cursor.execute(_delete_sql(model, tuple(where), database.vendor), params)


@cache
def _delete_sql(model: type[Model], where: tuple[str, ...], vendor: str) -> str:
    matched = " AND ".join(map(partial(_equals, model), where))
    return f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)} WHERE {matched}"


def _equals(model: type[Model], name: str) -> str:
    return f"{connection.ops.quote_name(str(_column(model, name).column))} = %s"
