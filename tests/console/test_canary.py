"""A marker in every field that takes free text: it is in no log line, list, summary, address or page of an error."""

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditChain, AuditRecord
from apps.interactions.models import Interaction
from config.logs import RouteForAddress, WithoutWords
from tests.api.caller import Caller, form_of
from tests.console.conftest import SignIn
from tests.factories.accounts import UserFactory
from tests.factories.chat import make_run
from tests.factories.files import make_artifact
from tests.support.runs import ask_questions, ask_user, asks, run_to_rest, scripted

CANARY = "CANARY-b81c"


class Lines(logging.Handler):
    """Keeps every line as the product writes it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(WithoutWords("%(name)s %(message)s"))
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        # SQL holds what is stored; the settings keep its logger from writing it.
        if not record.name.startswith("django.db"):
            self.written.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Log everything that is logged at all."""
    kept, root = Lines(), logging.getLogger()
    level = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    yield kept
    root.setLevel(level)
    root.removeHandler(kept)


@pytest.fixture
def user(db: None) -> User:
    """Whose words they are."""
    return UserFactory.create(username="ada", email="ada@example.org")


def question() -> dict[str, Any]:
    options = [{"id": f"{CANARY}-i", "label": f"{CANARY} l", "description": f"{CANARY} d"}, {"id": "b", "label": "B"}]
    words = {"title": f"{CANARY} t", "description": f"{CANARY} d", "submitLabel": f"{CANARY} s"}
    return ask_user("c1", mode="multiple", options=options, allowCustom=True, **words)


def several() -> dict[str, Any]:
    options = [{"label": f"{CANARY} l", "description": f"{CANARY} d"}, {"label": "B"}]
    return ask_questions("c2", [{"id": f"{CANARY}", "question": f"{CANARY} q", "header": f"{CANARY} h", "options": options}])


def live(user: User, browser: Client, api: Caller) -> list[Any]:
    """Let a user and a model write the canary wherever they can, right and wrong; return all answers of the doors."""
    model = scripted({"text": f"{CANARY} thinks", **asks(question())}, asks(several()), {"text": f"{CANARY} ends"})
    run = run_to_rest(make_run(user, f"{CANARY} message"), model)
    session = run.session.public_id
    first = run.interactions.get()
    asked = {"sessionId": session, "requestId": first.public_id}
    address = f"/s/{session}/q/{first.public_id}"
    answers = [
        browser.get(f"/s/{session}/"),
        browser.post(f"{address}/draft/", {"text": f"{CANARY} draft", "choice": "own"}),
        browser.post(f"{address}/answer/", {"choice": CANARY, "text": CANARY}),
        browser.post(f"/s/{session}/rename/", {"title": f"{CANARY} title"}),
        browser.post("/settings/tokens/", {"name": CANARY, "scope": "read"}),
        browser.post("/sign-in/", {"name": CANARY, "password": CANARY}),
        api.put(f"/api/interactions/{first.public_id}/draft", {"customInput": CANARY}),
        api.patch(f"/api/sessions/{session}", {"title": f"{CANARY} again", CANARY: 1}),
        api.post("/api/chat/continue", asked | {CANARY: CANARY}),
        api.post("/api/chat/continue", asked | {"selections": [CANARY]}),
        api.post("/api/chat/continue", asked | {"customInput": [CANARY], "decision": CANARY}),
        api.post("/api/chat/continue", f'{{"{CANARY}'),
        api.post("/api/chat/continue", {"sessionId": CANARY, "requestId": CANARY, "customInput": CANARY}),
        api.post("/api/chat", {"message": CANARY, "capability": CANARY, "config": {CANARY: CANARY}}),
        api.send("POST", f"/api/sessions/{session}/sources", form_of((f"{CANARY}.txt", f"{CANARY} file".encode()))),
        api.send("POST", f"/api/sessions/{session}/sources", form_of((f"{CANARY}.pdf", f"{CANARY} file".encode()))),
        browser.post(f"/s/{session}/send/", {"message": CANARY, "files": SimpleUploadedFile(f"{CANARY}.pdf", b"x")}),
        api.post("/api/chat/continue", asked | {"selections": [f"{CANARY}-i"], "customInput": CANARY}),
    ]
    run = run_to_rest(run, model)
    second = run.interactions.get(status="pending")
    form = {"q0-choice": "own", "q0-text": f"{CANARY} own"}
    answers.append(browser.post(f"/s/{session}/q/{second.public_id}/answer/", form))
    answers.append(api.get(f"/api/artifacts/{make_artifact(first.call, f'{CANARY}.txt').public_id}"))
    answers.append(api.get(f"/api/artifacts/{CANARY}"))
    answers.append(api.post("/api/chat/continue", {**asked, "customInput": CANARY}))
    assert run_to_rest(run, model).status == "completed"
    return answers


@pytest.fixture
def answers(lines: Lines, user: User) -> list[Any]:
    """Live through everything."""
    browser = Client()
    browser.force_login(user)
    return live(user, browser, Caller.of(user))


def test_the_canary_was_stored(answers: list[Any]) -> None:
    row = Interaction.objects.order_by("id").first()
    assert row is not None
    assert CANARY in json.dumps(row.payload)
    assert CANARY in row.submission


def test_h90_no_log_line_holds_it(answers: list[Any], lines: Lines) -> None:
    assert lines.written
    assert [line for line in lines.written if CANARY in line] == []


def test_no_audit_record_holds_it_in_any_column(answers: list[Any]) -> None:
    for model in (AuditRecord, AuditChain):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")
            assert not any(CANARY in str(row) for row in cursor.fetchall())


LISTS = (
    "",
    "chat/chatsession/",
    "chat/run/",
    "interactions/interaction/",
    "solve/solveplan/",
    "toolkit/source/",
    "audit/auditrecord/",
    "accounts/user/",
)


@pytest.mark.parametrize("role", ["auditor", "privacy officer", "operator", "admin", "superuser"])
def test_no_list_of_the_console_holds_it(role: str, answers: list[Any], signed_in: SignIn) -> None:
    client = signed_in(role)
    for path in (*LISTS, "accounts/apitoken/"):
        assert CANARY not in client.get(f"/admin/{path}").content.decode(), path


def test_no_address_holds_it(answers: list[Any], root: Client) -> None:
    for answer in answers:
        assert CANARY not in answer.get("Location", "")
    session = Interaction.objects.earliest("id").session.public_id
    pages = [f"/admin/{path}" for path in LISTS] + [f"/admin/chat/chatsession/{session}/change/"]
    for text in [answers[0].content.decode(), *(root.get(page).content.decode() for page in pages)]:
        assert not any(CANARY in address for address in re.findall(r'(?:href|action|src)="([^"]*)"', text))


def test_pages_of_errors_do_not_repeat_it(answers: list[Any], root: Client) -> None:
    for address in (f"/{CANARY}/", f"/admin/{CANARY}/", f"/admin/audit/auditrecord/?{CANARY}=1", f"/s/{CANARY}/"):
        answer = root.get(address)
        assert answer.status_code in (400, 404)
        assert CANARY not in answer.content.decode(), address


def test_h90_a_fault_of_ours_tells_neither_page_nor_log_its_text(
    root: Client, lines: Lines, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> None:
        raise ValueError(CANARY) from KeyError(CANARY)

    monkeypatch.setattr("apps.console.dashboard.dashboard", broken)
    monkeypatch.setattr("apps.web.views.chat.chat_page", broken)
    session = make_run(user).session.public_id
    browser = Client(raise_request_exception=False)
    browser.force_login(user)
    root.raise_request_exception = False
    for answer in (root.get("/admin/"), browser.get(f"/s/{session}/")):
        assert answer.status_code == 500
        assert CANARY not in answer.content.decode()
    assert [line for line in lines.written if "builtins.ValueError" in line]
    assert [line for line in lines.written if CANARY in line] == []


def test_h90_a_refused_form_shows_neither_its_address_nor_its_header(caplog: pytest.LogCaptureFixture) -> None:
    page = Client(enforce_csrf_checks=True)
    for header in ({}, {"origin": f"http://{CANARY}.example"}):
        assert page.post(f"/sign-in/link/{CANARY}/", headers=header).status_code == 403
    refused = [record for record in caplog.records if record.name == "django.security.csrf"]
    assert len(refused) == 2
    for record in refused:
        RouteForAddress().filter(record)
        assert CANARY.lower() not in record.getMessage().lower()
        assert "sign-in/link/" in record.getMessage()
