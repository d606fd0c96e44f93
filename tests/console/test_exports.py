"""Exports: what the list shows, in any amount with the same memory, safe in a spreadsheet, on record before it leaves."""

import asyncio
import csv
import hmac
import io
import json
import tracemalloc
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections, transaction
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext

from apps.audit.keys import chain_key
from apps.audit.models import AuditRecord
from apps.audit.write import Entry, record
from apps.chat.models import ToolCall
from apps.console import exporting
from tests.console.conftest import OWN, SignIn, Story, staff

LISTS = ("chat/chatsession", "chat/run", "interactions/interaction", "solve/solveplan", "toolkit/source", "audit/auditrecord")


def export(client: Client, model: str, form: str, query: str = "") -> str:
    """Return what an export sends."""
    answer: Any = client.post(f"/admin/{model}/export/{query}", {"format": form})
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    return b"".join(answer.streaming_content).decode()


@pytest.mark.parametrize("model", LISTS)
@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_an_export_holds_the_rows_of_the_list_and_no_words(model: str, form: str, root: Client, story: Story) -> None:
    text = export(root, model, form)
    for words in (OWN, "Help me with", "Which way?", "Analyse"):
        assert words not in text
    if model not in ("solve/solveplan", "toolkit/source"):
        assert story.session.public_id in text


@pytest.mark.parametrize("model", LISTS)
def test_csv_and_ndjson_hold_the_same(model: str, root: Client, story: Story) -> None:
    table = list(csv.DictReader(io.StringIO(export(root, model, "csv"))))
    lines = [json.loads(line) for line in export(root, model, "ndjson").splitlines()]
    if model == "audit/auditrecord":
        lines = lines[:-1]  # the first export is a record of its own
    assert len(table) == len(lines)
    for row, line in zip(table, lines, strict=True):
        assert list(row) == list(line)
        for name, value in line.items():
            cell = row[name]
            assert cell == (
                value if isinstance(value, str) else "" if value is None else json.dumps(value, separators=(",", ":"))
            )


def test_an_export_follows_filters_and_search(root: Client, story: Story) -> None:
    lines = export(root, "interactions/interaction", "ndjson", "?status=answered&q=ada").splitlines()
    assert [json.loads(line)["requestId"] for line in lines] == [story.answered.public_id]


def test_an_export_is_on_record_before_the_first_row_leaves(root: Client, story: Story) -> None:
    before = AuditRecord.objects.count()
    root.post("/admin/audit/auditrecord/export/", {"format": "ndjson"})
    [told] = AuditRecord.objects.filter(kind="audit_exported")
    assert told.summary == {"subject": "auditrecord", "records": before}
    assert (told.actor_kind, told.channel) == ("user", "admin")


def test_exported_records_can_be_checked_with_the_key_of_their_chain(root: Client, story: Story) -> None:
    lines = export(root, "audit/auditrecord", "ndjson", f"?q={story.session.public_id}").splitlines()
    assert len(lines) > 5
    for line in map(json.loads, lines):
        value = bytes.fromhex(line.pop("value"))
        signed = json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
        assert hmac.digest(chain_key(story.session.public_id, line["keyId"]), signed, "sha256") == value


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_cell_begins_as_a_formula_does(cell: str, root: Client, story: Story) -> None:
    ToolCall.objects.filter(pk=story.open.call_id).update(call_id=cell)
    record([Entry("tool_result_written", story.session.public_id, tool_call=cell)])
    table = list(csv.DictReader(io.StringIO(export(root, "audit/auditrecord", "csv"), newline="")))
    assert "'" + cell in {row["toolCallId"] for row in table}
    assert not any(value.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for row in table for value in row.values())


def test_only_who_may_export_is_offered_it(signed_in: SignIn, story: Story) -> None:
    for role, offered in (("auditor", False), ("operator", False), ("privacy officer", True)):
        text = signed_in(role).get("/admin/audit/auditrecord/").content.decode()
        assert ("Export CSV" in text) is offered


@pytest.mark.parametrize("form", ["", "xml", "csv\0"])
def test_an_unknown_form_is_refused(form: str, root: Client, story: Story) -> None:
    assert root.post("/admin/audit/auditrecord/export/", {"format": form}).status_code == 400
    assert root.get("/admin/audit/auditrecord/export/").status_code == 405


@pytest.mark.parametrize("query", ["status=odd", "since=yesterday", "until=9999-12-31", "waited=1e9"])
def test_a_value_that_no_filter_has_is_refused_and_nothing_leaves(query: str, root: Client, story: Story) -> None:
    answer = root.post(f"/admin/interactions/interaction/export/?{query}", {"format": "csv"})
    assert answer.status_code == 400
    assert not AuditRecord.objects.filter(kind="audit_exported").exists()


def test_rows_leave_batch_by_batch_in_order_and_once(root: Client, monkeypatch: pytest.MonkeyPatch, story: Story) -> None:
    monkeypatch.setattr(exporting, "ROWS_AT_ONCE", 7)
    record([Entry("run_paused", story.session.public_id, summary={"pending": nth}) for nth in range(100)])
    lines = [json.loads(line) for line in export(root, "audit/auditrecord", "ndjson").splitlines()]
    numbers = [line["number"] for line in lines if line["sessionId"] == story.session.public_id]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(lines) == AuditRecord.objects.exclude(kind="audit_exported").count()


def test_what_is_written_meanwhile_is_not_in_the_export(root: Client, monkeypatch: pytest.MonkeyPatch, story: Story) -> None:
    monkeypatch.setattr(exporting, "ROWS_AT_ONCE", 5)
    answer: Any = root.post("/admin/audit/auditrecord/export/", {"format": "ndjson"})
    pieces = iter(answer.streaming_content)
    first = next(pieces)
    before = AuditRecord.objects.exclude(kind="audit_exported").count()
    record([Entry("run_paused", story.session.public_id, summary={"pending": nth}) for nth in range(50)])
    rest = b"".join(pieces)
    assert len((first + rest).splitlines()) == before


def consumed(root: Client) -> tuple[int, int]:
    """Return the peak of memory in bytes, and the queries, of an export whose pieces are thrown away."""
    with CaptureQueriesContext(connection) as queries:
        answer: Any = root.post("/admin/audit/auditrecord/export/", {"format": "ndjson"})
        tracemalloc.start()
        for _piece in answer.streaming_content:
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak, len(queries)


def test_memory_does_not_grow_with_what_is_exported(root: Client, story: Story) -> None:
    entries = [Entry("run_paused", story.session.public_id, summary={"pending": nth}) for nth in range(2_000)]
    record(entries)
    few, _queries = consumed(root)
    for _more in range(4):
        record(entries)
    many, queries = consumed(root)
    assert many < few * 1.5
    assert queries < 30


@pytest.mark.django_db(transaction=True)
def test_on_an_event_loop_it_streams_as_well() -> None:
    record_many()
    client = AsyncClient()
    user = staff("superuser")

    async def export_all() -> tuple[bool, bytes]:
        await client.aforce_login(user)
        answer: Any = await client.post("/admin/audit/auditrecord/export/", {"format": "ndjson"})
        sent = b"".join([piece async for piece in answer.streaming_content])
        # What reads beside the loop has a connection of its own.
        await sync_to_async(connections.close_all)()
        return answer.is_async, sent

    is_async, sent = asyncio.run(export_all())
    assert is_async
    assert len(sent.splitlines()) == AuditRecord.objects.exclude(kind="audit_exported").count()


def record_many() -> None:
    with transaction.atomic():
        record([Entry("sign_in", summary={"method": "link"}) for _nth in range(2_500)])
