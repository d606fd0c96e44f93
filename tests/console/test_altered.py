"""Pages of rows that somebody has altered to nonsense: they say so in words, show the verdict, and never fail.

For SQLite, which keeps in a column whatever is put there; PostgreSQL refuses most of it.
"""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from apps.audit.models import AuditRecord
from apps.audit.verdict import audit_faults
from apps.console.sessions import SessionAdmin
from tests.api.caller import Caller
from tests.console.conftest import Story
from tests.factories.sources import make_source
from tests.support.triggers import without_triggers

SAID = "was altered in the database"
UNSOUND = "is not sound"


def forge(sql: str, *values: Any) -> None:
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def page(client: Client, path: str) -> str:
    answer = client.get(f"/admin/{path}")
    assert answer.status_code == 200, path
    return answer.content.decode()


RECORDS = (
    "kind = 'zzz'",
    "summary = '[1]'",
    "at = '2026-13-45 99:00:00'",
    "digest = 'abc'",
    "value = 'abc'",
    "previous = 'abc'",
)


@pytest.mark.parametrize("change", RECORDS)
def test_the_page_of_a_record_that_is_nonsense_says_so(change: str, root: Client, story: Story) -> None:
    session = story.session.public_id
    told = AuditRecord.objects.get(kind="interaction_answered", session=session)
    forge(f"UPDATE audit_auditrecord SET {change} WHERE session = %s AND number = %s", session, told.number)
    text = page(root, f"audit/auditrecord/{session}.{told.number}/change/")
    assert SAID in text
    assert UNSOUND in text
    assert f"/admin/chat/chatsession/{session}/verify/" in text
    assert UNSOUND in page(root, f"chat/chatsession/{session}/verify/")
    assert UNSOUND in page(root, f"audit/auditrecord/{session}.{told.number}/verify/")
    page(root, f"interactions/interaction/{story.answered.public_id}/change/")
    assert {fault.chain for fault in audit_faults()} == {session}


def test_a_list_shows_a_record_of_an_unknown_kind(root: Client, story: Story) -> None:
    forge("UPDATE audit_auditrecord SET kind = 'zzz' WHERE session = %s AND number = 2", story.session.public_id)
    assert "zzz" in page(root, "audit/auditrecord/")


@pytest.mark.parametrize("payload", ["[1]", "7", '"text"'])
def test_the_pages_of_a_question_whose_payload_is_none_say_so(payload: str, root: Client, story: Story) -> None:
    forge("UPDATE interactions_interaction SET payload = %s WHERE id = %s", payload, story.answered.pk)
    session = story.session.public_id
    for path in (f"interactions/interaction/{story.answered.public_id}/change/", f"chat/chatsession/{session}/events/"):
        text = page(root, path)
        assert SAID in text
        assert UNSOUND in text
    assert UNSOUND in page(root, f"chat/chatsession/{session}/verify/")


def test_the_page_of_a_question_with_a_time_that_is_none_says_so(root: Client, story: Story) -> None:
    forge("UPDATE interactions_interaction SET resolved_at = '2026-13-45 99:00:00' WHERE id = %s", story.answered.pk)
    assert SAID in page(root, f"interactions/interaction/{story.answered.public_id}/change/")
    assert UNSOUND in page(root, f"chat/chatsession/{story.session.public_id}/verify/")
    assert [(fault.problem, fault.chain) for fault in audit_faults()] == [("unreadable", story.session.public_id)]


def test_the_page_of_a_row_that_no_record_is_bound_to_says_so(root: Client, story: Story) -> None:
    source = make_source(story.session)
    forge("UPDATE toolkit_source SET created_at = '2026-13-45 99:00:00' WHERE id = %s", source.pk)
    text = page(root, f"toolkit/source/{source.public_id}/change/")
    assert SAID in text
    assert UNSOUND not in text


def test_events_of_rows_that_were_removed_are_shown_without_them(root: Client, story: Story) -> None:
    forge("DELETE FROM interactions_interaction WHERE id = %s", story.answered.pk)
    text = page(root, f"chat/chatsession/{story.session.public_id}/events/")
    assert "&quot;missing&quot;:true" in text
    assert "tells of a question or a tool result that is not there" in page(
        root, f"chat/chatsession/{story.session.public_id}/verify/"
    )


def test_evidence_that_cannot_be_made_is_a_refusal_in_words_at_every_door(root: Client, story: Story) -> None:
    session = story.session.public_id
    forge("UPDATE interactions_interaction SET payload = '[1]' WHERE id = %s", story.answered.pk)
    answer = root.post(f"/admin/chat/chatsession/{session}/evidence/")
    assert answer.status_code == 200
    assert SAID in answer.content.decode()
    refusal = Caller.of(story.user).get(f"/api/sessions/{session}/evidence")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "altered")
    assert not refusal.json()["verdict"]["sound"]
    with pytest.raises(CommandError, match=SAID):
        call_command("evidence", session)


def test_evidence_with_an_unknown_key_is_handed_out_with_its_verdict_and_the_key_is_refused_in_words(
    root: Client, story: Story
) -> None:
    session = story.session.public_id
    forge("UPDATE audit_auditrecord SET key_id = 'ffffffff' WHERE session = %s AND number = 2", session)
    verdict = root.post(f"/admin/chat/chatsession/{session}/evidence/").json()["verdict"]
    assert verdict["faults"] == [f"signed with a key that is not here: {session} record 2"]
    answer = root.post(f"/admin/chat/chatsession/{session}/chain-key/", {"reason": "court"})
    assert answer.status_code == 200
    assert SAID in answer.content.decode()
    with pytest.raises(CommandError, match=SAID):
        call_command("evidence", session, "--chain-key")


def test_a_fault_of_this_program_is_not_called_an_alteration(root: Client, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any) -> None:
        raise ValueError("ours")

    monkeypatch.setattr(SessionAdmin, "detail", broken)
    with pytest.raises(ValueError, match="ours"):
        root.get(f"/admin/chat/chatsession/{story.session.public_id}/change/")
