"""Exports of a list: CSV that no spreadsheet runs as a formula, or NDJSON; key range after key range, streamed, on record."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from apps.audit.write import Entry, record
from apps.common.clock import wire_time
from apps.common.text import compact_json
from apps.console.history import HistoryAdmin, narrowed
from apps.console.paging import newest_of, walk
from apps.console.rights import Right, may

ROWS_AT_ONCE = 1000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet may take for the beginning of a formula or a command."""

Line = Mapping[str, Any]


def export_view(admin: Any) -> Callable[..., HttpResponseBase]:
    """Return the view that exports what the list of an admin shows with the same parameters."""

    def view(request: HttpRequest) -> HttpResponseBase:
        if not may(request, Right.EXPORT):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponse(status=405, headers={"Allow": "POST"})
        form = request.POST.get("format", "")
        if form not in _FORMS:
            return HttpResponseBadRequest()
        try:
            return _export(admin, request, form)
        except IncorrectLookupParameters:
            return HttpResponseBadRequest()

    return view


def _export(admin: HistoryAdmin[Any], request: HttpRequest, form: str) -> HttpResponseBase:
    rows = _chosen(admin, request)
    newest = newest_of(rows, admin.time_field)
    name = admin.opts.model_name or "rows"
    with transaction.atomic():
        # On record before the first row leaves: an export that is cut was an export.
        record([Entry("audit_exported", summary={"subject": name, "records": rows.count()})])
    pieces = _FORMS[form](admin.export_columns, _batches(admin, rows, newest))  # type: ignore[attr-defined]
    content = _later(pieces) if isinstance(request, ASGIRequest) else pieces
    response = StreamingHttpResponse(content, content_type=_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return response


def _chosen(admin: HistoryAdmin[Any], request: HttpRequest) -> QuerySet[Any]:
    """Return the rows that the list's filters and search leave."""
    changelist = admin.get_changelist_instance(request)
    narrowings, days = narrowed(admin, changelist.filter_specs, changelist.query)
    condition = Q(*(narrowing.condition for narrowing in narrowings))
    return admin.get_queryset(request).filter(condition, days.condition(admin.time_field))


def _batches(admin: Any, rows: QuerySet[Any], newest: Any) -> Iterator[list[Line]]:
    if newest is not None:
        for batch in walk(rows, admin.time_field, newest, ROWS_AT_ONCE):
            yield [admin.line(row) for row in batch]


def _ndjson(columns: Sequence[str], batches: Iterator[list[Line]]) -> Iterator[bytes]:
    for batch in batches:
        yield "".join(compact_json(line) + "\n" for line in batch).encode()


def _csv(columns: Sequence[str], batches: Iterator[list[Line]]) -> Iterator[bytes]:
    yield _csv_lines([columns])
    for batch in batches:
        yield _csv_lines([[_cell(line.get(column)) for column in columns] for line in batch])


def _csv_lines(lines: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()


def _cell(value: Any) -> str:
    """Return a value as a cell; what could be run is made plain text with an apostrophe."""
    if not isinstance(value, str):
        return "" if value is None else compact_json(value)
    return "'" + value if value.startswith(_FORMULA) else value


async def _later(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the pieces on an event loop; each is read on the thread that may use the database."""
    following = sync_to_async(lambda: next(pieces, None))
    while (piece := await following()) is not None:
        yield piece


def stamp(moment: datetime | None) -> str:
    """Return a moment as on the wire; empty if there is none."""
    return wire_time(moment) or ""


_FORMS: Mapping[str, Callable[[Sequence[str], Iterator[list[Line]]], Iterator[bytes]]] = {"csv": _csv, "ndjson": _ndjson}
_TYPES = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
