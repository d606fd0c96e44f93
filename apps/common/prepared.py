"""Queries that are compiled once and run many times: the ORM writes the SQL, but not again for every round.

Compiling a query costs Django several times what SQLite needs to run it. A prepared query is an ordinary queryset in
which `bound("name")` stands for each value; its rows are made by the queryset's own iterable, so they are the same.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial, reduce
from itertools import batched
from operator import or_
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, Expression, Field, Model, Q, QuerySet

type AnyField = Field[Any, Any]


class _Place:
    """Where a value goes among the parameters."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class _Bound(Expression):
    """A value that is not known yet."""

    def __init__(self, name: str, output_field: AnyField) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        return "%s", (_Place(self.name),)


def bound(name: str, output_field: AnyField) -> Any:
    """Stand for the value called `name` in a prepared query."""
    return _Bound(name, output_field)


class Prepared:
    """A queryset that is compiled at its first use, once for each database vendor."""

    def __init__(self, build: Callable[[], QuerySet[Any]]) -> None:
        self._build = build
        self._compiled: dict[str, _Compiled] = {}

    def __call__(self, **values: Any) -> list[Any]:
        """Return the rows of the queryset with these values in their places."""
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = _Compiled(self._build())
        return compiled.run(values)

    def first(self, **values: Any) -> Any:
        """Return the first row; None if there is none."""
        rows = self(**values)
        return rows[0] if rows else None


class ByKeys[Row: Model]:
    """Rows by primary key, as `in_bulk` gives them, compiled for a few lengths of the list: shorter ones are filled up."""

    _LENGTHS = (1, 8, 100)

    def __init__(self, build: Callable[[], QuerySet[Row]]) -> None:
        self._build = build
        self._prepared = {length: Prepared(partial(self._of_length, length)) for length in self._LENGTHS}

    def __call__(self, keys: Iterable[int]) -> dict[int, Row]:
        """Return those rows that are there, by key."""
        found: dict[int, Row] = {}
        for some in batched(dict.fromkeys(keys), self._LENGTHS[-1]):
            length = next(length for length in self._LENGTHS if length >= len(some))
            filled = (*some, *some[-1:] * (length - len(some)))
            rows = self._prepared[length](**{f"key{place}": key for place, key in enumerate(filled)})
            found |= {row.pk: row for row in rows}
        return found

    def _of_length(self, length: int) -> QuerySet[Row]:
        # Not `pk__in`: where the key is a relation, Django takes only values there.
        any_of = (Q(pk=bound(f"key{place}", BigIntegerField())) for place in range(length))
        return self._build().filter(reduce(or_, any_of))


class _Compiled:
    """The SQL of a queryset, and what is needed to make its rows."""

    def __init__(self, queryset: QuerySet[Any]) -> None:
        self._queryset = queryset
        self._compiler = queryset.query.get_compiler(using=connection.alias)
        self._sql, self._params = self._compiler.as_sql()
        columns = [column[0] for column in self._compiler.select]
        assert not self._compiler.has_composite_fields(columns)
        self._converters = self._compiler.get_converters(columns)

    def run(self, values: dict[str, Any]) -> list[Any]:
        database = connections[DEFAULT_DB_ALIAS]
        adapted = database.ops.adapt_datetimefield_value
        with database.cursor() as cursor:
            cursor.execute(self._sql, [_filled(param, values, adapted) for param in self._params])
            rows = cursor.fetchall()
        if not rows:
            return []
        make_rows: Any = self._queryset._iterable_class
        return [*make_rows(_Read(self._queryset, _Run(self._compiler, self._converted(rows, database))))]

    def _converted(self, rows: Iterable[Any], database: BaseDatabaseWrapper) -> Iterable[Any]:
        for row in map(list, rows):
            for place, (converters, expression) in self._converters.items():
                for convert in converters:
                    row[place] = convert(row[place], expression, database)
            yield row


class _Run:
    """Shows a compiler to an iterable with its query already run. The compiler itself is shared by threads."""

    def __init__(self, compiler: Any, rows: Iterable[Any]) -> None:
        self.select, self.klass_info = compiler.select, compiler.klass_info
        self.annotation_col_map, self._rows = compiler.annotation_col_map, rows

    def execute_sql(self, **options: Any) -> None:
        """Do nothing: it was run."""

    def results_iter(self, results: None = None, tuple_expected: bool = False, **options: Any) -> Iterable[Any]:
        return map(tuple, self._rows) if tuple_expected else self._rows


class _Read:
    """Shows a queryset to its iterable with the query already run."""

    def __init__(self, queryset: QuerySet[Any], compiler: _Run) -> None:
        self._queryset, self._compiler = queryset, compiler

    @property
    def query(self) -> "_Read":
        return self

    def get_compiler(self, using: str) -> Any:
        return self._compiler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queryset, name)


def _filled(param: Any, values: dict[str, Any], adapted: Callable[[datetime], Any]) -> Any:
    value = values[param.name] if isinstance(param, _Place) else param
    return adapted(value) if isinstance(value, datetime) else value
