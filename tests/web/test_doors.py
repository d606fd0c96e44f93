"""Who may open what: every address, for nobody, for a stranger and with the wrong method."""

import pytest
from django.test import Client
from django.urls import URLPattern

from apps.interactions.models import Interaction
from apps.web.urls import urlpatterns
from tests.factories.accounts import UserFactory
from tests.web.conftest import HTMX, Ask

OPEN = {"sign-in", "sign-in-link", "sign-out", "language"}
POSTS = {
    "stop",
    "retry",
    "send",
    "rename",
    "archive",
    "delete",
    "answer",
    "close",
    "extend",
    "reply",
    "draft",
    "arrange",
    "export",
    "revoke",
    "remove-source",
}
BY_ID = [pattern for pattern in urlpatterns if "<" in str(pattern.pattern) and pattern.name not in OPEN]
IDS = {"message_id": "msg_unknown", "number": "0", "token_id": "token_unknown", "source_id": "src_unknown"}


def path_of(pattern: URLPattern, **ids: str) -> str:
    path = "/" + str(pattern.pattern)
    for name, value in (IDS | ids).items():
        path = path.replace(f"<id:{name}>", value).replace(f"<int:{name}>", value)
    return path


@pytest.mark.django_db
@pytest.mark.parametrize("pattern", [p for p in urlpatterns if p.name not in OPEN], ids=lambda p: p.name)
def test_nobody_is_sent_to_the_sign_in_and_a_script_gets_a_bare_401(pattern: URLPattern) -> None:
    path = path_of(pattern, session_id="sess_x", request_id="ask_x")
    call = Client().post if pattern.name in POSTS else Client().get
    page, script = call(path), call(path, headers=HTMX)
    if pattern.name in POSTS:
        assert page.status_code == 401
    else:
        assert page["Location"].startswith("/sign-in/?next=%2F")
    assert (script.status_code, script.content) == (401, b"")


@pytest.mark.parametrize("pattern", BY_ID, ids=lambda p: p.name)
def test_a_stranger_finds_nothing_and_changes_nothing_h85(pattern: URLPattern, ask: Ask) -> None:
    row, stranger = ask(), Client()
    stranger.force_login(UserFactory.create())
    mine = {"session_id": row.session.public_id, "request_id": row.public_id}
    unknown = {"session_id": "sess_unknown", "request_id": "ask_unknown"}
    call = stranger.post if pattern.name in POSTS else stranger.get
    answers = [call(path_of(pattern, **ids)) for ids in (mine, unknown)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert row.session.title not in answers[0].content.decode()
    row.refresh_from_db()
    assert row.status == Interaction.Status.PENDING


@pytest.mark.parametrize("pattern", urlpatterns, ids=lambda p: p.name)
def test_the_wrong_method_is_refused(pattern: URLPattern, browser: Client) -> None:
    path = path_of(pattern, session_id="sess_x", request_id="ask_x", token="t")
    assert browser.delete(path).status_code == 405
    if pattern.name in POSTS | {"sign-out", "language"}:
        assert browser.get(path).status_code == 405


@pytest.mark.parametrize(("language", "words"), [("en", "There is no page to open here"), ("zh-hans", "此处没有可打开的页面")])
@pytest.mark.parametrize("path", ["/s/sess_x/send/", "/sign-out/"])
def test_who_opens_an_address_that_takes_only_forms_reads_so(browser: Client, path: str, language: str, words: str) -> None:
    answer = browser.get(path, headers={"Accept-Language": language})
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert words in answer.content.decode()
    script = browser.get(path, headers=HTMX)
    assert (script.status_code, script["Allow"], script.content) == (405, "POST", b"")


@pytest.mark.parametrize("odd", ["x", "sess_" + "f" * 300, "%00", "..%2f..", "sess_%F0%9F%98%80"])
def test_a_malformed_id_is_an_unknown_one(odd: str, browser: Client) -> None:
    assert browser.get(f"/s/{odd}/").status_code == 404
    assert browser.get(f"/q/{odd}/").status_code == 404


def test_a_question_is_not_answered_through_another_session_h57(browser: Client, ask: Ask) -> None:
    row, other = ask(), ask()
    answer = browser.post(f"/s/{other.session.public_id}/q/{row.public_id}/answer/", {"text": "blue"})
    assert answer.status_code == 403
    for each in (row, other):
        each.refresh_from_db()
        assert each.status == Interaction.Status.PENDING


def test_a_form_sent_after_the_sign_out_gives_the_typed_text_back(ask: Ask) -> None:
    row = ask()
    answer = Client().post(f"/s/{row.session.public_id}/q/{row.public_id}/answer/", {"text": "half a novel"})
    assert answer.status_code == 401
    assert "half a novel" in answer.content.decode()


def test_a_forged_form_is_refused_in_words_and_never_as_a_page_in_a_page_h63(ask: Ask) -> None:
    row, client = ask(), Client(enforce_csrf_checks=True)
    client.force_login(row.user)
    path = f"/s/{row.session.public_id}/q/{row.public_id}/answer/"
    page, fragment = client.post(path, {"text": "x"}), client.post(path, {"text": "x"}, headers=HTMX)
    assert (page.status_code, fragment.status_code) == (403, 403)
    assert "<html" in page.content.decode()
    assert "<html" not in fragment.content.decode()
    assert "/sign-in/" in fragment.content.decode()
    row.refresh_from_db()
    assert row.status == Interaction.Status.PENDING
