"""Attachments over the API."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.test import Client

from apps.accounts.models import User
from apps.api.views.sources import SourcesView
from apps.chat.models import ChatSession, Run
from apps.runs import services
from apps.runs.rates import UPLOADS
from apps.toolkit.models import Source
from apps.toolkit.sources.reading.door import read_file
from apps.toolkit.sources.turns import TURNS
from tests.api.caller import MULTIPART_CONTENT, Caller, Form, fields, form_of, problem
from tests.factories.accounts import token_text
from tests.factories.sources import make_source
from tests.runs.living import no_files_left  # noqa: F401 - a fixture for every test here

NOTES = ("notes.txt", b"The pump is green.")
KEY = {"Idempotency-Key": "k-1"}


@pytest.fixture
def session(ada: User) -> ChatSession:
    """A session of ada's."""
    return services.make_session(ada)


@pytest.fixture
def path(session: ChatSession) -> str:
    """The address of its attachments."""
    return f"/api/sessions/{session.public_id}/sources"


def test_files_are_attached_and_listed(api: Caller, path: str) -> None:
    made = api.send("POST", path, form_of(NOTES, ("读我.md", "# 水泵\n\n保修两年。".encode())))
    assert made.status_code == 201
    assert [(each["name"], each["mediaType"], each["parts"]) for each in made.json()["results"]] == [
        ("notes.txt", "text/plain", 1),
        ("读我.md", "text/markdown", 1),
    ]
    assert api.get(path).json() == made.json()


def test_an_ending_may_be_longer_than_the_disk_takes(api: Caller, path: str) -> None:
    name = "1." + "字" * 90
    made = api.send("POST", path, form_of((name, b"The pump is green.")))
    assert made.status_code == 201
    assert made.json()["results"][0]["name"] == name


def test_while_it_is_read_a_file_has_no_name_that_a_kill_would_leave(
    api: Caller, path: str, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FILE_UPLOAD_TEMP_DIR, names = str(tmp_path), []

    def looked(*args: Any) -> Any:
        names.extend(tmp_path.iterdir())
        return read_file(*args)

    monkeypatch.setattr("apps.toolkit.sources.keeping.read_file", looked)
    assert api.send("POST", path, form_of(NOTES)).status_code == 201
    assert names == []


def test_a_removed_one_is_gone(api: Caller, session: ChatSession, path: str) -> None:
    source = make_source(session)
    assert api.delete(f"{path}/{source.public_id}").status_code == 204
    assert api.get(path).json()["results"] == []
    problem(api.delete(f"{path}/{source.public_id}"), "not_found")


def test_an_attachment_of_another_session_is_not_removed_through_this_one(api: Caller, ada: User, path: str) -> None:
    other = make_source(services.make_session(ada))
    problem(api.delete(f"{path}/{other.public_id}"), "not_found")
    assert Source.objects.exists()


@pytest.mark.parametrize(
    ("body", "content_type", "code"),
    [
        (form_of(), MULTIPART_CONTENT, "invalid_request"),
        (form_of(NOTES, field="files"), MULTIPART_CONTENT, "malformed_body"),
        (form_of(NOTES, name="x"), MULTIPART_CONTENT, "malformed_body"),
        (b"no form", MULTIPART_CONTENT, "invalid_request"),
        (b"x", "multipart/form-data", "malformed_body"),
        (json.dumps({"file": "x"}), "application/json", "unsupported_media_type"),
        (NOTES[1], "text/plain", "unsupported_media_type"),
    ],
)
def test_what_is_no_form_with_files_is_refused(api: Caller, path: str, body: Any, content_type: str, code: str) -> None:
    problem(api.send("POST", path, body, content_type=content_type), code)
    assert not Source.objects.exists()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_name_that_is_longer_than_a_form_takes_is_refused_in_words(api: Caller, path: str, language: str) -> None:
    form = Form(form_of(NOTES).replace(b"notes.txt", f"{'字' * 500}.txt".encode()))
    body = problem(api.send("POST", path, form, headers={"Accept-Language": language}), "malformed_body")
    said = {"en": "The name of a file is too long.", "zh-hans": "有文件的名称过长。"}[language]
    assert [(each["field"], each["message"].startswith(said)) for each in body["errors"]] == [("file", True)]
    assert not Source.objects.exists()


def test_the_file_that_is_refused_is_named_by_its_position(api: Caller, path: str) -> None:
    body = problem(api.send("POST", path, form_of(NOTES, ("a.pdf", b"no PDF"))), "source_unsupported")
    assert (body["file"], fields(body)) == (1, ["file[1]"])
    assert not Source.objects.exists()


def test_a_refusal_is_in_the_language_that_is_asked_for(api: Caller, path: str) -> None:
    response = api.send("POST", path, form_of(("a.txt", b"")), headers={"Accept-Language": "zh-CN"})
    assert problem(response, "source_empty")["detail"].startswith("其中没有文字")


def test_files_that_are_too_large_together_are_refused(api: Caller, path: str, settings: Any) -> None:
    settings.SOURCE_BYTES = 1 << 20
    half = b"x" * (600 << 10)
    problem(api.send("POST", path, form_of(("a.txt", half), ("b.txt", half))), "too_large")
    assert not Source.objects.exists()


def test_a_body_that_is_announced_as_too_large_is_refused(api: Caller, path: str, settings: Any) -> None:
    settings.SOURCE_BYTES = 1 << 20
    problem(api.send("POST", path, form_of(("a.txt", b"x" * (4 << 20)))), "too_large")


def test_the_same_files_again_under_one_key_are_attached_once(api: Caller, path: str) -> None:
    first, second = (api.send("POST", path, form_of(NOTES), headers=KEY) for _ in range(2))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert Source.objects.count() == 1
    problem(api.send("POST", path, form_of(("notes.txt", b"Other words.")), headers=KEY), "idempotency_mismatch")
    assert Source.objects.count() == 1


def test_the_same_files_again_are_answered_though_they_have_filled_the_chat(api: Caller, path: str, settings: Any) -> None:
    settings.SOURCES_PER_SESSION = 1
    first, second = (api.send("POST", path, form_of(NOTES), headers=KEY) for _ in range(2))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert first.status_code == 201
    problem(api.send("POST", path, form_of(NOTES)), "too_many_sources")


def test_uploads_over_their_limit_are_told_to_wait(api: Caller, path: str, settings: Any) -> None:
    settings.RATE_UPLOADS = 1
    UPLOADS.forget()
    problem(api.send("POST", path, form_of()), "invalid_request")
    problem(api.send("POST", path, form_of()), "throttled")
    assert api.get(path).status_code == 200


def test_while_an_upload_of_the_user_is_at_work_another_is_told_to_wait(api: Caller, ada: User, path: str) -> None:
    with TURNS.of(ada.pk):
        response = api.send("POST", path, form_of(NOTES))
    problem(response, "throttled")
    assert response["Retry-After"] == "5"
    assert not Source.objects.exists()


def test_with_the_cookie_alone_nothing_is_attached(ada: User, path: str) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(ada)
    problem(Caller(client).send("POST", path, form_of(NOTES)), "csrf_failed")
    client.cookies["handraise_csrf"] = "a" * 32
    problem(Caller(client).send("POST", path, b"x", content_type="multipart/form-data"), "malformed_body")
    assert Caller(client).send("POST", path, form_of(NOTES), headers={"X-CSRFToken": "a" * 32}).status_code == 201


def test_a_message_names_the_attachments_that_came_with_it(api: Caller, session: ChatSession) -> None:
    source = make_source(session)
    body = {"message": "What is it?", "sessionId": session.public_id, "sources": [source.public_id]}
    assert api.post("/api/chat", body).status_code == 202
    assert Run.objects.get().config["sources"] == [source.public_id]


def test_a_message_cannot_name_what_is_attached_elsewhere(api: Caller, ada: User, session: ChatSession) -> None:
    other = make_source(services.make_session(ada))
    body = {"message": "What is it?", "sessionId": session.public_id, "sources": [other.public_id]}
    assert fields(problem(api.post("/api/chat", body), "invalid_request")) == ["sources"]
    assert not Run.objects.exists()


def test_the_tools_are_listed_for_a_session_with_attachments_and_for_no_other(api: Caller, session: ChatSession) -> None:
    def names(**query: str) -> set[str]:
        return {each["function"]["name"] for each in api.get("/api/tools", **query).json()["results"]}

    assert "rag" not in names() | names(sessionId=session.public_id)
    make_source(session)
    assert {"rag", "read_source"} <= names(sessionId=session.public_id)


def test_a_body_in_chunks_is_read_though_it_declares_no_length(ada: User, path: str, session: ChatSession) -> None:
    headers = [(b"authorization", b"Bearer " + token_text(ada).encode()), (b"content-type", MULTIPART_CONTENT.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": [(b"host", b"localhost"), *headers]}
    request = ASGIRequest(scope, BytesIO(form_of(NOTES)))
    assert SourcesView.as_view()(request, session_id=session.public_id).status_code == 201
    request.close()
