"""Lists that hold a row which somebody has altered to nonsense: they name it and show all others; the same of events."""

from typing import Any

import pytest
from django.test import Client

from apps.audit.models import AuditRecord
from apps.events.models import Event
from apps.solve.models import SolvePlan
from tests.console.conftest import Story
from tests.console.test_altered import forge, page

NOTED = "cannot be shown in this list"
NO_TIME = "2026-13-45 99:00:00"


def hrefs(kind: str, reference: str) -> str:
    return f'href="/admin/{kind}/{reference}/change/"'


@pytest.mark.parametrize("change", ["summary = '[1]'", "summary = '7'", f"at = '{NO_TIME}'"])
def test_the_list_of_records_names_the_one_that_is_nonsense_and_shows_the_others(change: str, root: Client, story: Story) -> None:
    session = story.session.public_id
    told = AuditRecord.objects.get(kind="interaction_answered", session=session)
    forge(f"UPDATE audit_auditrecord SET {change} WHERE session = %s AND number = %s", session, told.number)
    text = page(root, "audit/auditrecord/")
    note = text.partition(NOTED)[2].partition("</ul>")[0]
    assert note.count("<li>") == 1
    assert hrefs("audit/auditrecord", f"{session}.{told.number}") in note
    assert hrefs("audit/auditrecord", f"{session}.{told.number - 1}") in text.replace(note, "")


@pytest.mark.parametrize(
    ("table", "column", "place"),
    [
        ("interactions_interaction", "created_at", "interactions/interaction"),
        ("interactions_interaction", "resolved_at", "interactions/interaction"),
        ("chat_run", "ended_at", "chat/run"),
        ("chat_chatsession", "created_at", "chat/chatsession"),
    ],
)
def test_a_list_names_the_row_with_a_time_that_is_none(table: str, column: str, place: str, root: Client, story: Story) -> None:
    row = {"chat_run": story.run, "chat_chatsession": story.session}.get(table, story.answered)
    forge(f"UPDATE {table} SET {column} = %s WHERE id = %s", NO_TIME, row.pk)
    note = page(root, f"{place}/").partition(NOTED)[2].partition("</ul>")[0]
    assert hrefs(place, row.public_id) in note
    assert "was altered in the database" in page(root, f"{place}/{row.public_id}/change/")


def test_a_list_behind_a_row_that_is_nonsense_says_that_this_was_altered(root: Client, story: Story) -> None:
    forge("UPDATE interactions_interaction SET created_at = %s WHERE id = %s", NO_TIME, story.answered.pk)
    text = page(root, f"interactions/interaction/?before={story.answered.public_id}")
    assert "was altered in the database" in text


def test_a_list_goes_on_behind_a_row_that_is_nonsense(root: Client, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.console.trail.RecordAdmin.list_per_page", 2)
    newest, second, third, _fourth = AuditRecord.objects.order_by("-at", "-pk")[:4]
    forge("UPDATE audit_auditrecord SET summary = '[1]' WHERE id = %s", newest.pk)
    older = f"?before={second.session}.{second.number}"
    first = page(root, "audit/auditrecord/")
    assert NOTED in first
    assert older in first
    following = page(root, f"audit/auditrecord/{older}")
    assert NOTED not in following
    assert hrefs("audit/auditrecord", f"{third.session}.{third.number}") in following


def test_the_list_of_plans_names_the_one_that_is_nonsense(root: Client, story: Story) -> None:
    plan = SolvePlan.objects.create(
        run=story.run, version=1, status="active", replans_used=0, replans_max=2, created_at=story.run.created_at
    )
    forge("UPDATE solve_solveplan SET created_at = %s WHERE id = %s", NO_TIME, plan.pk)
    note = page(root, "solve/solveplan/").partition(NOTED)[2].partition("</ul>")[0]
    assert hrefs("solve/solveplan", f"{story.run.public_id}.1") in note


def test_a_fault_of_this_program_in_a_list_is_not_called_an_alteration(
    root: Client, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: Any) -> None:
        raise ValueError("ours")

    monkeypatch.setattr("apps.console.history.HistoryList.get_results", broken)
    with pytest.raises(ValueError, match="ours"):
        root.get("/admin/chat/chatsession/")


@pytest.mark.parametrize("change", ["kind = 'zzz'", f"at = '{NO_TIME}'", "facts = '[1]'"])
def test_the_page_of_events_says_which_event_is_nonsense_and_shows_the_others(change: str, root: Client, story: Story) -> None:
    events = Event.objects.filter(session=story.session.pk)
    paused, last = events.filter(kind="run_paused").values_list("seq", flat=True)[0], events.order_by("-seq")[0].seq
    forge(f"UPDATE events_event SET {change} WHERE session = %s AND seq = %s", story.session.pk, paused)
    text = page(root, f"chat/chatsession/{story.session.public_id}/events/")
    assert text.count("This event was altered in the database and cannot be read.") == 1
    assert "<code>run_started</code>" in text
    assert f'<th scope="row">{last}</th>' in text


def test_a_fault_of_this_program_in_events_is_not_called_an_alteration(
    root: Client, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: Any) -> None:
        raise ValueError("ours")

    monkeypatch.setattr("apps.console.events.masked_event", broken)
    with pytest.raises(ValueError, match="ours"):
        root.get(f"/admin/chat/chatsession/{story.session.public_id}/events/")
