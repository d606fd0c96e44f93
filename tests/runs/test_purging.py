"""Retention: what is over its time goes, a category at a time; audit records never."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.audit.models import Anchor, AuditRecord
from apps.audit.retention import set_retention
from apps.audit.verdict import audit_faults
from apps.chat.models import ChatSession, Run, ToolResult
from apps.common.clock import database_now
from apps.events.models import Event
from apps.events.read import read_events
from apps.interactions.models import Draft, Interaction
from apps.runs import purging, services
from apps.runs.erasing import erase_answers, workspace_of
from apps.runs.nightly import tidy
from apps.runs.purging import purge
from apps.toolkit.models import Artifact, Source
from tests.factories.accounts import UserFactory
from tests.factories.chat import answer, make_card
from tests.factories.files import make_artifact
from tests.factories.sources import make_source
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted


@pytest.fixture
def user(db: None) -> User:
    """Whose data it is."""
    return UserFactory.create(username="ada")


def ended(user: User, days: int) -> Interaction:
    """Return an answered question of a run that ended so many days ago, with a draft as after any other end."""
    model = scripted(asks(ask_user()), DONE)
    card = make_card(user, model)
    services.save_draft(user, card.public_id, {"customInput": "bl"})
    answer(card)
    run = run_to_rest(card.run, model)
    ago = database_now() - timedelta(days=days)
    Run.objects.filter(pk=run.pk).update(ended_at=ago)
    Interaction.objects.filter(pk=card.pk).update(resolved_at=ago)
    Event.objects.filter(session=run.session_id).update(at=ago)
    ChatSession.objects.filter(pk=run.session_id).update(updated_at=ago)
    Draft.objects.create(interaction=card, body={"customInput": "bl"})
    folder = workspace_of(run.session.public_id)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "notes.txt").write_text("notes", "utf-8")
    return Interaction.objects.select_related("session").get(pk=card.pk)


def test_by_default_drafts_go_after_thirty_days_and_nothing_else(user: User) -> None:
    old, new = ended(user, 31), ended(user, 29)
    assert purge() == {"drafts": 1}
    assert list(Draft.objects.values_list("interaction", flat=True)) == [new.pk]
    assert ToolResult.objects.filter(erased=True).count() == 0
    assert Event.objects.filter(session=old.session_id).exists()


def test_a_draft_of_an_open_question_stays_however_old(user: User) -> None:
    card = make_card(user)
    services.save_draft(user, card.public_id, {"customInput": "bl"})
    Draft.objects.update(updated_at=database_now() - timedelta(days=400))
    assert purge() == {"drafts": 0}


def test_answers_go_with_result_submission_and_salt_and_the_question_stays(user: User) -> None:
    set_retention("answers", 60)
    old, new = ended(user, 61), ended(user, 59)
    assert purge()["answers"] == 1
    old.refresh_from_db()
    assert (old.submission, old.salt, old.payload["title"]) == ("", "", "Which colour?")
    assert ToolResult.objects.get(call=old.call_id).content == '{"status":"erased"}'
    assert ToolResult.objects.get(call=new.call_id).erased is False
    [resolved] = [e for e in read_events(old.session_id, 0, 500) if e.kind == "user_input_resolved"]
    assert (resolved.data["answer"], resolved.data["erased"]) == (None, True)
    assert {fault.problem for fault in audit_faults()} == {"end"}  # `ended` has put the rows into the past


def test_events_go_and_the_numbers_go_on(user: User) -> None:
    set_retention("events", 60)
    old, new = ended(user, 61), ended(user, 59)
    count = Event.objects.filter(session=old.session_id).count()
    assert purge()["events"] == count
    assert not Event.objects.filter(session=old.session_id).exists()
    assert Event.objects.filter(session=new.session_id).exists()
    services.start_run(user, services.NewRun("again", session_id=old.session.public_id))
    [started] = read_events(old.session_id, 0, 500)
    assert (started.kind, started.seq) == ("run_started", count + 1)


def test_events_of_a_run_at_work_stay(user: User) -> None:
    set_retention("events", 1)
    card = make_card(user)
    Event.objects.filter(session=card.session_id).update(at=database_now() - timedelta(days=9))
    assert purge()["events"] == 0


def test_files_of_sessions_at_rest_go(user: User) -> None:
    set_retention("uploads", 60)
    old, new = ended(user, 61), ended(user, 59)
    assert purge()["uploads"] == 1
    assert not workspace_of(old.session.public_id).exists()
    assert workspace_of(new.session.public_id).exists()


def test_files_of_somebody_who_has_just_come_back_stay(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    set_retention("uploads", 60)
    old = ended(user, 61)
    source, artifact = make_source(old.session), make_artifact(old.call)

    def come_back(session_id: str) -> bool:
        ChatSession.objects.filter(public_id=session_id).update(updated_at=database_now())
        return True

    monkeypatch.setattr(purging, "has_files", come_back)
    assert purge()["uploads"] == 0
    assert Source.objects.filter(pk=source.pk).exists()
    assert not Artifact.objects.get(pk=artifact.pk).erased
    assert workspace_of(old.session.public_id).exists()


def test_a_file_that_went_keeps_its_name_and_is_gone(user: User) -> None:
    set_retention("uploads", 60)
    row = make_artifact(ended(user, 61).call)
    purge()
    row.refresh_from_db()
    assert (row.erased, row.name) == (True, "notes.txt")


def test_a_dry_run_counts_and_changes_nothing(user: User) -> None:
    for category in ("answers", "events", "uploads"):
        set_retention(category, 60)
    old = ended(user, 61)
    before = AuditRecord.objects.count()
    gone = purge(dry_run=True)
    assert {category: bool(count) for category, count in gone.items()} == dict.fromkeys(gone, True)
    assert Draft.objects.exists()
    assert Event.objects.filter(session=old.session_id).count() == gone["events"]
    assert workspace_of(old.session.public_id).exists()
    assert AuditRecord.objects.count() == before
    assert purge() == gone


def test_what_went_is_on_record_by_category_and_count(user: User) -> None:
    ended(user, 31)
    purge()
    assert AuditRecord.objects.get(kind="data_erased").summary == {"subject": "drafts", "rows": 1}
    purge()
    assert AuditRecord.objects.filter(kind="data_erased").count() == 1


def test_retention_in_one_session_excuses_no_erasure_in_another(user: User) -> None:
    set_retention("answers", 60)
    old, new = ended(user, 61), ended(user, 1)
    purge()
    assert AuditRecord.objects.get(kind="data_erased", summary__subject="answers").session == old.session.public_id
    erase_answers(Interaction.objects.filter(pk=new.pk))
    found = {fault.chain: fault.problem for fault in audit_faults()}
    # `ended` has put the ends into the past.
    assert found == {old.session.public_id: "end", new.session.public_id: "untold_erasure"}


def test_a_purge_that_was_cut_has_told_of_what_went(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    set_retention("answers", 60)
    cards = [ended(user, 61), ended(user, 61)]

    def until_the_cut(interactions: Any) -> None:
        erase_answers(interactions.exclude(pk=cards[1].pk))
        assert not interactions.filter(pk=cards[1].pk).exists(), "cut"

    monkeypatch.setattr(purging, "AT_ONCE", 1)
    monkeypatch.setattr(purging, "erase_answers", until_the_cut)
    with pytest.raises(AssertionError, match="cut"):
        purge()
    assert AuditRecord.objects.get(kind="data_erased", summary__subject="answers").summary["rows"] == 1
    assert {fault.problem for fault in audit_faults()} == {"end"}  # `ended` has put the rows into the past


def test_much_goes_in_batches(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purging, "AT_ONCE", 3)
    set_retention("events", 60)
    old = ended(user, 61)
    count = Event.objects.filter(session=old.session_id).count()
    assert count > 6
    assert purge()["events"] == count


def test_the_worker_anchors_and_purges_once_a_day(user: User) -> None:
    ended(user, 31)
    tidy()
    assert Anchor.objects.count() == 1
    assert not Draft.objects.exists()
    ended(user, 31)
    tidy()
    assert Draft.objects.count() == 1
    assert {fault.problem for fault in audit_faults()} == {"end"}  # `ended` has put the rows into the past


def test_the_command_says_what_went_and_what_would(user: User) -> None:
    ended(user, 31)
    output = io.StringIO()
    call_command("purge", "--dry-run", stdout=output)
    assert "drafts: 1 would go, older than 30 days" in output.getvalue()
    assert "answers: kept for ever" in output.getvalue()
    assert Draft.objects.exists()
    call_command("purge", stdout=output)
    assert "drafts: 1 gone" in output.getvalue()
    assert AuditRecord.objects.get(kind="data_erased").channel == "cli"


def test_a_folder_that_no_chat_names_any_more_goes_over_night(user: User) -> None:
    kept = workspace_of(ended(user, 1).session.public_id)
    lost = workspace_of("sess_gone")
    (lost / "exec").mkdir(parents=True)
    (lost / "exec" / "late.txt").write_text("late")
    tidy()
    assert (kept.exists(), lost.exists()) == (True, False)


def test_a_chat_without_files_is_none_whose_files_go(user: User) -> None:
    folder = workspace_of(ended(user, 61).session.public_id)
    (folder / "notes.txt").unlink()
    set_retention("uploads", 60)
    assert not purge().get("uploads")
