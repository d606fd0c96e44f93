"""The evidence: one document over three doors, and docs/audit.md's program that checks it with Python and the key alone."""

import hashlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from apps.accounts.models import User
from apps.audit import binding
from apps.audit.anchors import make_anchor
from apps.audit.chain import commitment
from apps.audit.models import AuditRecord
from apps.audit.verdict import audit_faults
from apps.audit.verify import Fault
from apps.chat.models import ChatSession, ToolCall, ToolResult
from apps.common.text import canonical_json
from apps.interactions.models import Interaction
from apps.runs import services
from apps.runs.erasing import erase_session
from apps.runs.masking import masked
from apps.runs.privacy import erase_user_data
from apps.runs.records import chain_keys, evidence_of
from tests.api.caller import Caller
from tests.factories.accounts import UserFactory
from tests.factories.chat import answer, make_card, make_run
from tests.factories.files import make_artifact
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted
from tests.support.triggers import without_triggers

DOCS = Path(settings.BASE_DIR) / "docs" / "audit.md"


# --- the program that docs/audit.md prints ----------------------------------------------------------
[PROGRAM] = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)


def run_program(folder: Path, evidence: dict[str, Any], keys: dict[str, str]) -> tuple[int, str]:
    """Run it in a folder of its own with nothing but Python; return its exit code and what it printed."""
    files = {"check.py": PROGRAM, "evidence.json": json.dumps(evidence), "key.json": json.dumps(keys)}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    command = [sys.executable, "-I", "-S", *files]
    ended = subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stderr == ""
    return ended.returncode, ended.stdout.strip()


def check(evidence: dict[str, Any], keys: dict[str, str]) -> list[str]:
    """Call the program's function in this process: many cases cost no process each."""
    module = ModuleType("check")
    exec(PROGRAM, module.__dict__)
    faults: list[str] = module.__dict__["check"](evidence, keys)
    return faults


@pytest.fixture
def user(db: None) -> User:
    """Whose session it is."""
    return UserFactory.create(username="ada")


@pytest.fixture
def session(user: User) -> ChatSession:
    """A session with an answered question, anchored, that went on."""
    model = scripted(asks(ask_user()), {"text": "Thanks."}, DONE)
    card = make_card(user, model)
    answer(card)
    make_anchor()
    run_to_rest(card.run, model)
    return card.session


def over_api(session: ChatSession) -> dict[str, Any]:
    found: dict[str, Any] = Caller.of(session.user).get(f"/api/sessions/{session.public_id}/evidence").json()
    return found


def over_console(session: ChatSession) -> dict[str, Any]:
    client = Client()
    client.force_login(UserFactory.create(username="root", is_staff=True, is_superuser=True))
    found: dict[str, Any] = client.post(f"/admin/chat/chatsession/{session.public_id}/evidence/").json()
    return found


def over_command(session: ChatSession) -> dict[str, Any]:
    output = io.StringIO()
    call_command("evidence", session.public_id, stdout=output)
    found: dict[str, Any] = json.loads(output.getvalue())
    return found


DOORS = [over_api, over_console, over_command]


@pytest.mark.parametrize("door", DOORS)
def test_another_program_checks_the_chain_with_the_document_and_the_key_alone(
    door: Callable[[ChatSession], dict[str, Any]], session: ChatSession
) -> None:
    evidence = json.loads(json.dumps(door(session)))
    assert check(evidence, chain_keys(session.public_id)) == []
    assert evidence["verdict"] == {"sound": True, "faults": []}
    assert len(evidence["anchors"]) == 1


@pytest.mark.parametrize("door", DOORS)
def test_each_export_is_on_record_and_not_in_the_document_itself(
    door: Callable[[ChatSession], dict[str, Any]], session: ChatSession
) -> None:
    evidence = door(session)
    told = AuditRecord.objects.get(kind="evidence_exported")
    assert told.summary == {"events": len(evidence["stream"]), "records": len(evidence["audit"])}
    assert told.number == len(evidence["audit"]) + 1


def test_the_three_doors_hand_out_the_same(session: ChatSession) -> None:
    # Between them stand the records of their own export, and the moment.
    parts = (
        "versions", "session", "runs", "messages", "toolCalls", "artifacts", "interactions", "sources", "stream", "anchors",
        "verdict",
    )  # fmt: skip
    first, second, third = (door(session) for door in DOORS)
    for part in parts:
        assert first[part] == second[part] == third[part]


def test_answers_are_told_apart_by_run_where_a_model_gives_its_calls_the_same_ids(session: ChatSession) -> None:
    model = scripted(asks(ask_user()), DONE)
    card = make_card(session.user, model, session=session)
    answer(card, custom_input="red")
    run_to_rest(card.run, model)
    evidence = evidence_of(session)
    assert len({call["toolCallId"] for call in evidence["toolCalls"]}) == 1
    assert check(evidence, chain_keys(session.public_id)) == []


def test_files_are_named_with_their_digest_and_for_auditors_without_both(session: ChatSession) -> None:
    row = make_artifact(ToolCall.objects.filter(run__session=session).earliest("id"), "报告.txt")
    [file] = evidence_of(session)["artifacts"]
    assert (file["artifactId"], file["name"], file["size"], file["sha256"]) == (row.public_id, "报告.txt", 5, "0" * 64)
    [hidden] = masked(evidence_of(session))["artifacts"]
    assert hidden == file | {"name": None, "sha256": None}


def altered(evidence: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return a copy in which something was changed."""
    copy: dict[str, Any] = json.loads(json.dumps(evidence))
    change(copy)
    return copy


NOT_AS_HANDED_OUT = "the document is not as it was handed out"


def flip(entry: dict[str, Any], name: str) -> None:
    entry[name] = hashlib.sha256(entry[name].encode()).hexdigest()[: len(entry[name])]


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("a kind", lambda e: e["audit"][1].update(kind="run_failed"), "record 2"),
    ("a time", lambda e: e["audit"][2].update(at="2020-01-01T00:00:00.000000Z"), "record 3"),
    ("an actor", lambda e: e["audit"][0]["actor"].update(id="user_x"), "record 1"),
    ("a count", lambda e: e["audit"][0]["summary"].update(size=1), "record 1"),
    ("a key", lambda e: e["audit"][1].update(keyId="ffffffff"), "record 2"),
    ("a value", lambda e: flip(e["audit"][3], "value"), "record 4"),
    ("one removed", lambda e: e["audit"].pop(2), "record 3"),
    ("the first removed", lambda e: e["audit"].pop(0), "record 1"),
    ("two exchanged", lambda e: e["audit"].insert(1, e["audit"].pop(2)), "record 2"),
    ("one appended", lambda e: e["audit"].append({**e["audit"][-1], "number": len(e["audit"]) + 1}), ""),
    ("the end cut before the anchor", lambda e: e.update(audit=e["audit"][:3]), "anchor of"),
    ("the end cut behind the anchor", lambda e: e.update(audit=e["audit"][:-1]), "the document is not"),
    ("a message", lambda e: e["messages"][0].update(text="another"), "the document is not"),
    ("an event", lambda e: e["stream"].pop(), "the document is not"),
    ("the verdict", lambda e: e["verdict"].update(sound=False), "the document is not"),
    ("a label of the question", lambda e: e["interactions"][0]["asked"].update(title="another"), "question ask_"),
    ("the answer", lambda e: e["toolCalls"][0]["result"].update(content='{"status":"answered"}'), "answer to ask_"),
]


@pytest.mark.parametrize(("change", "named"), [case[1:] for case in FORGERIES], ids=[case[0] for case in FORGERIES])
def test_a_forged_document_is_noticed(change: Callable[[dict[str, Any]], None], named: str, session: ChatSession) -> None:
    faults = check(altered(evidence_of(session), change), chain_keys(session.public_id))
    assert faults
    assert named in faults[0]


def test_a_question_whose_words_were_changed_in_the_database_is_noticed(session: ChatSession) -> None:
    row = Interaction.objects.get(session=session)
    Interaction.objects.filter(pk=row.pk).update(payload=row.payload | {"title": "Which colour did you never like?"})
    evidence = evidence_of(session)
    assert check(evidence, chain_keys(session.public_id)) == [f"question {row.public_id}"]
    told = AuditRecord.objects.get(kind="interaction_requested", request=row.public_id)
    fault = f"words that are not those the record is bound to: {session.public_id} record {told.number}"
    assert evidence["verdict"] == {"sound": False, "faults": [fault]}
    assert list(map(str, audit_faults())) == [fault]
    assert audit_faults("") == []


def test_an_answer_that_was_changed_in_the_database_is_noticed(session: ChatSession) -> None:
    ToolResult.objects.filter(call__run__session=session).update(content='{"status":"answered","customInput":"red"}')
    told = AuditRecord.objects.get(kind="interaction_answered", session=session.public_id)
    assert audit_faults(session.public_id) == [Fault("unbound", session.public_id, told.number)]


def test_a_tool_result_that_was_changed_in_the_database_is_noticed(user: User) -> None:
    run = run_to_rest(make_run(user, "go"), scripted(asks({"id": "c1", "name": "no_such_tool", "arguments": {}}), DONE))
    ToolResult.objects.filter(call__run=run).update(content='{"status":"done"}')
    evidence = evidence_of(run.session)
    told = AuditRecord.objects.get(kind="tool_result_written", session=run.session.public_id)
    assert audit_faults() == [Fault("unbound", run.session.public_id, told.number)]
    assert check(evidence, chain_keys(run.session.public_id)) == [f"result of {told.tool_call}"]


@pytest.mark.parametrize("salt", ["", "no salt"])
def test_to_take_the_salt_of_a_question_away_hides_no_change(salt: str, session: ChatSession) -> None:
    row = Interaction.objects.get(session=session)
    Interaction.objects.filter(pk=row.pk).update(payload=row.payload | {"title": "another"}, salt=salt, submission="")
    told = AuditRecord.objects.get(kind="interaction_requested", request=row.public_id)
    assert audit_faults() == [Fault("unbound", session.public_id, told.number)]


@pytest.mark.parametrize("salt", ["", "no salt"])
def test_to_take_the_salt_of_a_result_away_hides_no_change(salt: str, user: User) -> None:
    run = run_to_rest(make_run(user, "go"), scripted(asks({"id": "c1", "name": "no_such_tool", "arguments": {}}), DONE))
    ToolResult.objects.filter(call__run=run).update(content='{"status":"done"}', salt=salt)
    told = AuditRecord.objects.get(kind="tool_result_written", session=run.session.public_id)
    assert audit_faults() == [Fault("unbound", run.session.public_id, told.number)]


def test_a_document_whose_salts_are_gone_and_whose_words_are_not_is_noticed(session: ChatSession) -> None:
    Interaction.objects.filter(session=session).update(salt="", submission="")
    ToolResult.objects.filter(call__run__session=session).update(salt="")
    row = Interaction.objects.select_related("call").get(session=session)
    faults = [f"question {row.public_id}", f"answer to {row.public_id}", f"result of {row.call.call_id}"]
    assert check(evidence_of(session), chain_keys(session.public_id)) == faults


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE audit_auditchain SET number = 2, value = (SELECT value FROM audit_auditrecord r WHERE r.session = "
         "audit_auditchain.session AND r.number = 2) WHERE session <> ''", "no record: ask_"),
        ("DELETE FROM audit_auditchain WHERE session <> ''", "no record: ask_"),
    ],
    ids=["the end cut and the head put back", "the whole chain gone"],
)  # fmt: skip
def test_what_no_record_tells_of_is_noticed_without_an_anchor(statement: str, named: str, user: User) -> None:
    model = scripted(asks(ask_user()), DONE)
    card = make_card(user, model)
    answer(card)
    keys = chain_keys(card.session.public_id)
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute(
            "DELETE FROM audit_auditrecord WHERE session <> '' AND number > "
            "COALESCE((SELECT number FROM audit_auditchain c WHERE c.session = audit_auditrecord.session), 0)"
        )
    assert audit_faults() == [Fault("untold", card.session.public_id)]
    evidence = evidence_of(card.session)
    assert not evidence["verdict"]["sound"]
    assert any(fault.startswith(named) for fault in check(evidence, keys))


def test_a_result_that_was_put_in_is_noticed(user: User) -> None:
    run = run_to_rest(make_run(user, "go"), scripted(asks({"id": "c1", "name": "no_such_tool", "arguments": {}}), DONE))
    row = ToolCall.objects.get(run=run)
    put_in = ToolCall.objects.create(run=run, message=row.message, call_id="c2", key="c2", name=row.name, arguments="{}")
    ToolResult.objects.create(call=put_in, content="{}", created_at=row.result.created_at)
    assert audit_faults() == [Fault("untold", run.session.public_id)]
    assert "no record: result of c2" in check(evidence_of(run.session), chain_keys(run.session.public_id))


def test_an_erasure_that_no_record_tells_of_is_noticed(session: ChatSession) -> None:
    erase_session(session)
    [fault] = audit_faults()
    assert (fault.problem, fault.chain) == ("untold_erasure", session.public_id)


def test_what_was_erased_is_no_fault(session: ChatSession) -> None:
    erase_user_data(session.user)
    assert audit_faults() == []
    assert check(evidence_of(session), chain_keys(session.public_id)) == []


def test_a_result_of_the_time_before_results_had_salts_is_checked_with_its_answer(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = make_card(user, scripted(asks(ask_user()), DONE))
    monkeypatch.setattr("apps.runs.chronicle.result_digest", lambda row: commitment(card.salt, row.content))
    answer(card)
    ToolResult.objects.update(salt="")
    assert audit_faults() == []
    assert check(evidence_of(card.session), chain_keys(card.session.public_id)) == []
    ToolResult.objects.update(content='{"status":"answered"}')
    assert [fault.problem for fault in audit_faults()] == ["unbound"]


def test_many_questions_are_checked_batch_by_batch(session: ChatSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "ROWS_AT_ONCE", 1)
    other = make_card(session.user, scripted(asks(ask_user()), DONE))
    Interaction.objects.update(payload=other.payload | {"title": "another"})
    assert [fault.chain for fault in audit_faults()] == [session.public_id, other.session.public_id]


def test_an_open_question_is_bound_before_anybody_answers(user: User) -> None:
    card = make_card(user, scripted(asks(ask_user()), DONE))
    evidence = evidence_of(card.session)
    [asked] = evidence["interactions"]
    told = next(entry for entry in evidence["audit"] if entry["kind"] == "interaction_requested")
    assert told["digest"] == commitment(asked["salt"], canonical_json(asked["asked"]))


def test_a_document_that_leaves_after_a_change_of_keys_is_checked_with_both(session: ChatSession, settings: Any) -> None:
    settings.AUDIT_KEY = f"a new key, {settings.AUDIT_KEY}".replace(" ", "-").replace(",-", ",")
    assert check(evidence_of(session), chain_keys(session.public_id)) == []
    assert len(chain_keys(session.public_id)) == 2


def test_the_key_of_one_chain_checks_no_other(user: User, session: ChatSession) -> None:
    other = make_card(user, message="another").session
    wrong = {key_id: chain_keys(other.public_id)[key_id] for key_id in chain_keys(session.public_id)}
    assert len(check(evidence_of(session), wrong)) >= 5


def test_the_verdict_in_the_document_names_what_was_altered(session: ChatSession) -> None:
    with without_triggers(), connection.cursor() as cursor:
        sql = "UPDATE audit_auditrecord SET kind = 'run_failed' WHERE session = %s AND number = 2"
        cursor.execute(sql, [session.public_id])
    verdict = evidence_of(session)["verdict"]
    assert verdict == {"sound": False, "faults": [f"altered: {session.public_id} record 2"]}


def test_the_document_holds_what_was_received_sent_and_kept(session: ChatSession) -> None:
    evidence = evidence_of(session)
    assert set(evidence) == {
        "format", "exportedAt", "versions", "session", "runs", "messages", "toolCalls", "artifacts", "interactions", "sources",
        "stream",
        "audit", "anchors", "verdict", "seal",
    }  # fmt: skip
    [asked] = evidence["interactions"]
    assert json.loads(asked["submission"]) == {"customInput": "blue"}
    assert asked["receipt"]["answer"]["customInput"] == "blue"
    assert [frame.split("\n")[0] for frame in evidence["stream"]] == [f"id: {n}" for n in range(1, len(evidence["stream"]) + 1)]
    assert evidence["versions"]["product"] == settings.VERSION
    [digests] = evidence["versions"]["capabilities"]
    assert len(digests["promptSha256"]) == len(digests["toolsSha256"]) == 64


def test_the_document_holds_no_key(session: ChatSession) -> None:
    text = json.dumps(evidence_of(session))
    for key in (*chain_keys(session.public_id).values(), settings.AUDIT_KEY):
        assert key not in text


def test_the_command_hands_out_the_key_and_that_is_on_record(session: ChatSession) -> None:
    output = io.StringIO()
    call_command("evidence", session.public_id, "--chain-key", stdout=output)
    assert json.loads(output.getvalue()) == chain_keys(session.public_id)
    assert AuditRecord.objects.get(kind="chain_key_exported").session == session.public_id


def test_the_key_of_a_deleted_sessions_chain_is_still_there(user: User, session: ChatSession) -> None:
    services.delete_session(user, session.public_id)
    output = io.StringIO()
    call_command("evidence", session.public_id, "--chain-key", stdout=output)
    assert json.loads(output.getvalue())
    for arguments in ((session.public_id,), ("sess_unknown", "--chain-key")):
        with pytest.raises(CommandError, match="no such session"):
            call_command("evidence", *arguments, stdout=output)


def test_the_console_hands_out_the_key_with_a_reason(session: ChatSession) -> None:
    client = Client()
    client.force_login(UserFactory.create(username="root", is_staff=True, is_superuser=True))
    address = f"/admin/chat/chatsession/{session.public_id}/chain-key/"
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "court"}).json() == chain_keys(session.public_id)
    assert AuditRecord.objects.get(kind="chain_key_exported").summary == {"reason_length": 5}


def test_without_texts_the_chain_is_checked_all_the_same(session: ChatSession) -> None:
    client = Client()
    client.force_login(UserFactory.create(username="root", is_staff=True, is_superuser=True))
    evidence = client.post(f"/admin/chat/chatsession/{session.public_id}/evidence/", {"masked": "1"}).json()
    assert evidence["masked"] is True
    assert "blue" not in json.dumps(evidence)
    assert check(evidence, chain_keys(session.public_id)) == []


def test_the_program_of_the_documentation_needs_the_document_the_key_and_nothing_of_ours(
    session: ChatSession, tmp_path: Path
) -> None:
    evidence, keys = evidence_of(session), chain_keys(session.public_id)
    assert run_program(tmp_path, evidence, keys) == (0, "sound")
    evidence["audit"][0]["kind"] = "run_failed"
    assert run_program(tmp_path, evidence, keys) == (1, f"record 1\n{NOT_AS_HANDED_OUT}")
