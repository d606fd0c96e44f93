"""Erase and export: nothing of what a person wrote is left, in rows, in files, in the database's own files; the audit stays."""

import io
import json
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client

from apps.accounts.actors import actor_of
from apps.accounts.models import ApiToken, User
from apps.audit.context import acting
from apps.audit.models import AuditRecord, Reason
from apps.audit.verdict import audit_faults
from apps.chat.models import ChatSession, Message, Run, ToolCall
from apps.events.read import read_events
from apps.interactions.events import receipt
from apps.interactions.models import Draft, Interaction
from apps.runs import services
from apps.runs.erasing import erase_session, workspace_of
from apps.runs.masking import masked
from apps.runs.privacy import erase_user_data, export_user_data
from apps.runs.records import evidence_of
from tests.api.caller import Caller
from tests.factories.accounts import UserFactory
from tests.factories.chat import make_run
from tests.runs.living import CANARY, live_of, no_files_left  # noqa: F401 - a fixture for every test here
from tests.runs.test_text_fields import tables
from tests.support.runs import DONE, run_to_rest, scripted


@pytest.fixture
def user(db: None) -> User:
    """Somebody who will ask for erasure."""
    return UserFactory.create(username="ada")


@pytest.fixture
def card(user: User) -> Interaction:
    """The user's answered question, with text wherever there can be any."""
    return live_of(user)


def rows_with(words: str) -> list[str]:
    """Return the tables that hold the words in any column of any row."""
    with connection.cursor() as cursor:
        found = []
        for table in tables(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            if any(words in str(row) for row in cursor.fetchall()):
                found.append(table)
    return found


def test_after_an_erasure_no_row_holds_a_word(card: Interaction, user: User) -> None:
    erased = erase_user_data(user, "asked by the user")
    assert rows_with(CANARY) == []
    assert erased.sessions == 1
    assert not workspace_of(card.session.public_id).exists()


def test_an_erasure_leaves_the_chain_sound_and_is_on_record(card: Interaction, user: User) -> None:
    before = AuditRecord.objects.count()
    erase_user_data(user, "asked by the user")
    assert audit_faults() == []
    own, whole = AuditRecord.objects.filter(kind="data_erased").order_by("-session")
    assert (own.session, own.summary["subject"]) == (card.session.public_id, "session")
    assert (whole.summary["subject"], whole.summary["reason_length"]) == (user.public_id, 17)
    assert AuditRecord.objects.count() > before
    assert Reason.objects.get().text == "asked by the user"


def test_an_erasure_stops_what_is_at_work(card: Interaction, user: User) -> None:
    erase_user_data(user)
    run = Run.objects.get(pk=card.run_id)
    assert (run.status, run.reason, run.retryable) == ("cancelled", "operator", False)
    assert not Interaction.objects.filter(status="pending").exists()
    assert not Draft.objects.exists()


def test_a_run_that_begins_in_the_midst_of_an_erasure_is_not_left_at_work_without_its_words(
    card: Interaction, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Run] = []

    def erase_late(session: ChatSession) -> int:
        if not begun:
            begun.append(make_run(user, "one more", session))
        return erase_session(session)

    monkeypatch.setattr("apps.runs.privacy.erase_session", erase_late)
    assert erase_user_data(user).sessions == 1
    assert not Run.objects.filter(status__in=Run.ACTIVE).exists()
    assert rows_with(CANARY) == []


def test_nothing_of_anybody_else_is_touched(card: Interaction, user: User) -> None:
    other = live_of(UserFactory.create(username="bob"))
    erase_user_data(user)
    other.refresh_from_db()
    assert other.payload["title"] == f"{CANARY} title"
    assert (workspace_of(other.session.public_id) / "deep" / "notes.txt").exists()
    assert Message.objects.filter(run=other.run, text__contains=CANARY).exists()


def test_erasing_twice_is_no_fault(card: Interaction, user: User) -> None:
    erase_user_data(user)
    erase_user_data(user)
    assert audit_faults() == []


PERSONAL = {
    "run_started": ("message",),
    "message": ("text",),
    "tool_call": ("arguments",),
    "tool_result": ("content", "details"),
    "user_input_required": ("title", "description", "options", "detail"),
    "user_input_resolved": ("answer",),
    "run_failed": ("message",),
}


def test_the_stream_shows_null_and_says_that_it_was_erased(card: Interaction, user: User) -> None:
    before = [(event.seq, event.kind) for event in read_events(card.session_id, 0, 500)]
    erase_user_data(user)
    after = read_events(card.session_id, 0, 500)
    assert [(event.seq, event.kind) for event in after][: len(before)] == before
    seen = set()
    for event in after:
        if event.kind in PERSONAL:
            seen.add(event.kind)
            assert event.data["erased"] is True
            assert all(event.data[key] is None for key in PERSONAL[event.kind])
        assert CANARY not in event.data_json
    assert seen == set(PERSONAL)


def test_the_api_shows_null_and_says_that_it_was_erased(card: Interaction, user: User) -> None:
    api = Caller.of(user)
    erase_user_data(user)
    session = card.session.public_id
    for message in api.get(f"/api/sessions/{session}/messages").json()["results"]:
        assert (message["text"], message["erased"]) == (None, True)
        for call in message["toolCalls"]:
            assert (call["arguments"], call["erased"], call["result"]["content"]) == (None, True, None)
    shown = api.get(f"/api/interactions/{card.public_id}").json()
    assert (shown["title"], shown["options"], shown["erased"]) == (None, None, True)
    assert (shown["receipt"]["answer"], shown["receipt"]["title"], shown["receipt"]["erased"]) == (None, None, True)
    for path in (
        f"/api/sessions/{session}",
        f"/api/sessions/{session}/events",
        f"/api/sessions/{session}/evidence",
        "/api/interactions",
    ):
        assert CANARY not in api.get(path).content.decode()


def test_the_pages_go_on_working_without_the_words(card: Interaction, user: User) -> None:
    erase_user_data(user)
    browser = Client()
    browser.force_login(user)
    session = card.session.public_id
    for page in (f"/s/{session}/", "/sessions/", "/inbox/", f"/q/{card.public_id}/"):
        shown = browser.get(page, follow=True)
        assert shown.status_code == 200, page
        assert CANARY not in shown.content.decode()


def test_the_switches_of_tools_that_there_are_stay(card: Interaction, user: User) -> None:
    erase_user_data(user)
    assert ChatSession.objects.get(pk=card.session_id).tools == {"ask_user": True}
    assert Run.objects.get(pk=card.run_id).config["tools"] == {"ask_user": True}
    assert set(ToolCall.objects.filter(run=card.run).values_list("name", flat=True)) == {"ask_user", "other"}


def test_the_receipt_keeps_how_it_ended(card: Interaction, user: User) -> None:
    erase_user_data(user)
    row = services.interaction_of(user, card.public_id)
    shown = receipt(row)
    assert (shown["status"], shown["channel"], shown["answeredBy"]) == ("answered", "web", "ada")


def test_a_session_that_was_erased_can_be_gone_on_with(card: Interaction, user: User) -> None:
    erase_user_data(user)
    session = ChatSession.objects.get(pk=card.session_id)
    model = scripted(DONE)
    run = run_to_rest(make_run(user, "hello again", session), model)
    assert run.status == Run.Status.COMPLETED
    sent = json.dumps([message for request in model.requests for message in request.messages], default=str)
    assert CANARY not in sent
    assert "erased" not in sent
    session.refresh_from_db()
    assert session.title == "hello again"


# --- the database's own files ---------------------------------------------------------------------
def bytes_of(files: Iterable[Path]) -> bytes:
    """Read files in another process: to close a database file in this one would drop its POSIX locks.

    sqlite.org, How To Corrupt An SQLite Database File, 2.2.
    """
    return subprocess.run(["cat", "--", *map(str, files)], check=True, capture_output=True).stdout


def bytes_of_database() -> bytes:
    path = Path(connection.settings_dict["NAME"])
    return bytes_of(sorted(path.parent.glob(path.name + "*")))


@pytest.mark.django_db(transaction=True)
def test_after_an_erasure_the_files_hold_no_byte_of_it() -> None:
    if connection.vendor != "sqlite":
        return  # PostgreSQL's files are its administrator's: docs/audit.md says what is left there
    user = UserFactory.create(username="ada")
    card = live_of(user)
    assert CANARY.encode() in bytes_of_database()
    erased = erase_user_data(user)
    assert erased.forgotten
    assert CANARY.encode() not in bytes_of_database()
    for file in Path(settings.DATA_DIR).rglob("*"):
        if file.is_file() and "static" not in file.parts:
            assert CANARY.encode() not in bytes_of([file]), file.name
    assert audit_faults(card.session.public_id) == []


# --- export ---------------------------------------------------------------------------------------
def exported(user: User) -> zipfile.ZipFile:
    file = io.BytesIO()
    export_user_data(user, file)
    return zipfile.ZipFile(file)


def test_an_export_holds_all_that_is_stored_of_a_user(card: Interaction, user: User) -> None:
    archive = exported(user)
    session = card.session.public_id
    made = f"files/{session}/exec/0/{CANARY} name.txt"
    kept = f"files/{session}/deep/notes.txt"
    assert set(archive.namelist()) == {"account.json", f"sessions/{session}.json", kept, made}
    account: dict[str, Any] = json.loads(archive.read("account.json"))
    assert account["user"]["name"] == "ada"
    assert account["tokens"][0]["name"] == f"{CANARY} token"
    assert account["reasons"][0]["text"] == f"{CANARY} reason about"
    evidence = archive.read(f"sessions/{session}.json").decode()
    for part in ("message", "title", "answer", "label", "name"):
        assert f"{CANARY} {part}" in evidence
    assert archive.read(kept).decode() == f"{CANARY} file"
    assert archive.read(made).decode() == f"{CANARY} made"


def test_an_export_holds_no_password_no_key_and_nobody_else(card: Interaction, user: User) -> None:
    live_of(UserFactory.create(username="bob"))
    token = ApiToken.objects.filter(user=user).get()
    text = "".join(exported(user).read(name).decode() for name in exported(user).namelist())
    for secret in (user.password, token.digest, "bob", settings.AUDIT_KEY):
        assert secret not in text


def test_an_export_does_not_follow_a_link_out_of_the_workspace(card: Interaction, user: User, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("outside", "utf-8")
    (workspace_of(card.session.public_id) / "link.txt").symlink_to(tmp_path / "outside.txt")
    assert not any("link" in name for name in exported(user).namelist())


def test_an_export_is_on_record(card: Interaction, user: User) -> None:
    exported(user)
    assert AuditRecord.objects.get(kind="data_exported").summary == {"subject": user.public_id, "records": 1}


# --- evidence without texts -----------------------------------------------------------------------
def test_masked_evidence_holds_no_word_and_the_whole_chain(card: Interaction) -> None:
    whole = evidence_of(card.session)
    assert CANARY in json.dumps(whole)
    without = masked(whole)
    assert CANARY not in json.dumps(without)
    for part in ("audit", "anchors", "verdict"):
        assert without[part] == whole[part]
    assert [set(each) for each in without["interactions"]] == [set(each) for each in whole["interactions"]]
    assert len(without["stream"]) == len(whole["stream"])


# --- commands -------------------------------------------------------------------------------------
def run_command(*arguments: str) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


def test_the_command_exports_into_a_file_that_only_its_owner_reads(card: Interaction, user: User, tmp_path: Path) -> None:
    path = tmp_path / "ada.zip"
    assert "1 sessions" in run_command("export_user_data", "ada", "--output", str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert zipfile.ZipFile(path).namelist()
    assert AuditRecord.objects.get(kind="data_exported").channel == "cli"
    with pytest.raises(CommandError, match="already"):
        run_command("export_user_data", "ada", "--output", str(path))


def test_the_command_erases_after_the_name_was_typed(card: Interaction, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "bob")
    with pytest.raises(CommandError, match="Nothing was erased"):
        run_command("erase_user_data", "ada")
    monkeypatch.setattr("builtins.input", lambda prompt: "ada")
    assert "1 sessions" in run_command("erase_user_data", "ada")
    assert rows_with(CANARY) == []


@pytest.mark.parametrize("command", ["export_user_data", "erase_user_data"])
def test_an_unknown_user_is_one_line(command: str, db: None) -> None:
    with pytest.raises(CommandError, match="no such user"):
        run_command(command, "nobody")


def test_each_session_is_erased_in_a_transaction_of_its_own(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = live_of(user), live_of(user)

    def cut_at_the_second(session: ChatSession) -> int:
        if session.pk == second.session_id:
            raise RuntimeError("cut")
        return erase_session(session)

    monkeypatch.setattr("apps.runs.privacy.erase_session", cut_at_the_second)
    with pytest.raises(RuntimeError), transaction.atomic():
        erase_user_data(user)
    monkeypatch.undo()
    erase_user_data(user)
    first.refresh_from_db()
    assert (first.payload, rows_with(CANARY)) == ({}, [])


def test_reasons_about_sessions_that_the_user_has_deleted_go_as_well(card: Interaction, user: User) -> None:
    other = live_of(UserFactory.create(username="bob"))
    with acting(actor_of(user), "web"):
        services.delete_session(user, card.session.public_id)
    assert Reason.objects.filter(session=card.session.public_id).exists()
    erase_user_data(user)
    assert not Reason.objects.filter(session=card.session.public_id).exists()
    assert Reason.objects.filter(session=other.session.public_id).exists()


@pytest.mark.django_db(transaction=True)
def test_a_deleted_session_leaves_no_file() -> None:
    user = UserFactory.create(username="ada")
    card = live_of(user)
    services.delete_session(user, card.session.public_id)
    assert not workspace_of(card.session.public_id).exists()
