"""Attachments in the pages: sent with a message, listed, shown, removed, cited."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run
from apps.runs import services
from apps.runs.rates import UPLOADS
from apps.toolkit.models import Source
from apps.web.citations import citable
from apps.web.markdown import render
from tests.factories.accounts import UserFactory
from tests.factories.sources import make_source
from tests.runs.living import no_files_left  # noqa: F401 - a fixture for every test here
from tests.web.conftest import HTMX, Say


def notes(name: str = "notes.txt", content: bytes = b"The pump is green.") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


@pytest.fixture
def session(user: User) -> ChatSession:
    """A session without a message."""
    return services.make_session(user)


def send(browser: Client, session: ChatSession, *files: SimpleUploadedFile, message: str = "What is it?", htmx: bool = False):
    headers = HTMX if htmx else {}
    return browser.post(f"/s/{session.public_id}/send/", {"message": message, "files": list(files)}, headers=headers)


def test_files_go_with_the_message_and_are_listed(browser: Client, session: ChatSession) -> None:
    answer = send(browser, session, notes(), notes("two.md", b"# Two"))
    assert answer.status_code == 303
    assert Run.objects.get().config["sources"] == [each.public_id for each in Source.objects.all()]
    page = browser.get(f"/s/{session.public_id}/").content.decode()
    assert page.count('class="attachment"') == 2
    assert "notes.txt" in page


def test_a_message_names_the_files_that_came_with_it(browser: Client, session: ChatSession) -> None:
    make_source(session, name="earlier.txt")
    send(browser, session, notes())
    row = browser.get(f"/s/{session.public_id}/").content.decode().rpartition("row-person")[2].partition("</li>\n")[0]
    assert f'href="/s/{session.public_id}/sources/{Source.objects.last().public_id}/"' in row
    assert "notes.txt" in row.partition('class="row-files"')[2]
    assert "earlier.txt" not in row.partition("row-run")[0]
    browser.post(f"/s/{session.public_id}/sources/{Source.objects.last().public_id}/remove/")
    assert "notes.txt" not in browser.get(f"/s/{session.public_id}/").content.decode()


def test_the_list_is_known_by_public_ids(browser: Client, session: ChatSession) -> None:
    source = make_source(session)
    page = browser.get(f"/s/{session.public_id}/").content.decode()
    assert f'id="attachments" data-revision="{source.public_id}-"' in page


def test_a_script_gets_the_list_and_an_empty_field_for_the_next_files(browser: Client, session: ChatSession) -> None:
    page = send(browser, session, notes(), htmx=True).content.decode()
    assert 'hx-target="#attachments"' in page
    assert 'hx-target="#composer-files"' in page
    assert 'hx-target="#composer-files"' not in browser.get(f"/s/{session.public_id}/live/", headers=HTMX).content.decode()


def test_a_refused_file_is_named_and_the_message_comes_back(browser: Client, session: ChatSession) -> None:
    answer = send(browser, session, notes(), notes("<b>.pdf", b"no PDF"), message="half a novel")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "“&lt;b&gt;.pdf” was not attached." in page
    assert "half a novel" in page
    assert not Run.objects.exists()
    assert not Source.objects.exists()


def with_a_long_name() -> SimpleUploadedFile:
    file = notes()
    file._name = f"{'字' * 500}.txt"  # to be set its name would be cut
    return file


@pytest.mark.parametrize("where", ["send", "new"])
def test_a_name_that_is_longer_than_a_form_takes_is_refused_on_a_page_that_says_so(
    where: str, browser: Client, session: ChatSession
) -> None:
    address = "/new/" if where == "new" else f"/s/{session.public_id}/send/"
    answer = browser.post(address, {"message": "half a novel", "files": [with_a_long_name()]})
    assert answer.status_code == 400
    assert "The name of a file is too long." in answer.content.decode()
    assert "what you typed is still there" in answer.content.decode()
    assert not Run.objects.exists()


def test_a_script_is_told_of_such_a_name_in_the_notice_of_its_page_alone(browser: Client, session: ChatSession) -> None:
    answer = send(browser, session, with_a_long_name(), htmx=True)
    assert answer.status_code == 400
    assert "The name of a file is too long." in answer.content.decode()
    assert answer.content.decode().count("<hx-partial") == answer.content.decode().count('hx-target="#notice"') == 1


def test_such_a_name_is_refused_in_chinese_too(browser: Client, session: ChatSession) -> None:
    browser.post("/language/", {"language": "zh-hans"})
    assert "有文件的名称过长。" in send(browser, session, with_a_long_name(), htmx=True).content.decode()


def test_files_stay_attached_if_only_the_message_is_missing(browser: Client, session: ChatSession) -> None:
    answer = send(browser, session, notes(), message=" ", htmx=True)
    assert answer.status_code == 422
    assert "notes.txt" in answer.content.decode()
    assert Source.objects.count() == 1


def test_files_that_are_too_large_are_refused_in_words(browser: Client, session: ChatSession, settings) -> None:
    settings.SOURCE_BYTES = 1 << 20
    answer = send(browser, session, notes(content=b"x" * (1 << 20) + b"x"))
    assert answer.status_code == 422
    assert "larger than 1 MB together" in answer.content.decode()


def test_too_many_uploads_are_told_to_wait(browser: Client, session: ChatSession, settings) -> None:
    settings.RATE_UPLOADS = 1
    UPLOADS.forget()
    send(browser, session, notes(content=b""))
    assert "Too many files" in send(browser, session, notes(content=b"")).content.decode()
    UPLOADS.forget()


def test_a_chat_begins_with_a_message_and_files(browser: Client, user: User) -> None:
    assert browser.post("/new/", {"message": "What is it?", "files": [notes()]}).status_code == 303
    (session,) = ChatSession.objects.filter(user=user)
    assert (session.title, Source.objects.get().session) == ("What is it?", session)


def test_no_chat_is_left_if_its_first_file_is_refused(browser: Client, user: User) -> None:
    answer = browser.post("/new/", {"message": "What is it?", "files": [notes("a.pdf", b"no PDF")]})
    assert answer.status_code == 422
    assert "“a.pdf” was not attached." in answer.content.decode()
    assert not ChatSession.objects.exists()


def test_the_page_of_an_attachment_shows_its_parts_as_text(browser: Client, session: ChatSession) -> None:
    source = make_source(session, "One <b>bold</b>", "Two")
    page = browser.get(f"/s/{session.public_id}/sources/{source.public_id}/").content.decode()
    assert 'id="part-1"' in page
    assert 'id="part-2"' in page
    assert "One &lt;b&gt;bold&lt;/b&gt;" in page


def test_a_file_is_handed_out_as_it_came_and_never_as_a_page(browser: Client, session: ChatSession) -> None:
    content = b"<html><p>The pump is green.</p></html>"
    send(browser, session, notes("page.html", content))
    answer = browser.get(f"/s/{session.public_id}/sources/{Source.objects.get().public_id}/file/")
    assert (answer.streaming, answer.content) == (False, content)
    assert answer["Content-Disposition"] == 'attachment; filename="page.html"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_an_attachment_is_removed(browser: Client, session: ChatSession) -> None:
    path = f"/s/{session.public_id}/sources/{make_source(session).public_id}"
    assert browser.post(f"{path}/remove/").status_code == 303
    assert not Source.objects.exists()
    assert browser.get(f"{path}/").status_code == browser.get(f"{path}/file/").status_code == 404


def test_an_attachment_is_nobody_elses_and_of_no_other_session(browser: Client, session: ChatSession, user: User) -> None:
    source, other = make_source(session), services.make_session(user)
    stranger = Client()
    stranger.force_login(UserFactory())
    for visitor, place in ((stranger, session), (browser, other)):
        path = f"/s/{place.public_id}/sources/{source.public_id}"
        assert [visitor.get(f"{path}/").status_code, visitor.get(f"{path}/file/").status_code] == [404, 404]
        assert visitor.post(f"{path}/remove/").status_code == 404
    assert Source.objects.exists()


# --- citations ----------------------------------------------------------------------------------------


def cited(session: ChatSession, text: str) -> str:
    return render(text, citable(session, iter([text])))


@pytest.mark.parametrize("form", ["[source:{id}#2]", "【source:{id}#2】", "[source: {id} # 2 ]"])
def test_a_citation_is_a_link_to_its_part(session: ChatSession, form: str) -> None:
    source = make_source(session, "One", "Two", name='a "b" <c>.md')
    html = cited(session, "It is so " + form.replace("{id}", source.public_id) + ".")
    assert f'href="/s/{session.public_id}/sources/{source.public_id}/#part-2"' in html
    assert '>a "b" &lt;c&gt;.md, part 2</a>.' in html


@pytest.mark.parametrize(
    "form", ["[source:src_{zeros}#1]", "[source:{id}#3]", "[source:{id}#0]", "[source:{id}]", "`[source:{id}#1]`"]
)
def test_what_is_no_citation_of_something_there_is_stays_text(session: ChatSession, form: str) -> None:
    source = make_source(session, "One", "Two")
    html = cited(session, form.replace("{id}", source.public_id).replace("{zeros}", "0" * 32))
    assert "<a" not in html
    assert "source:" in html


def test_an_attachment_of_another_session_cannot_be_cited(session: ChatSession, user: User) -> None:
    foreign = make_source(services.make_session(user))
    assert "<a" not in cited(session, f"[source:{foreign.public_id}#1]")


def test_the_timeline_shows_citations_as_links_and_asks_the_database_only_where_there_are(
    browser: Client, say: Say, django_assert_num_queries
) -> None:
    started = say({"text": "Plain."})
    source = make_source(started.session)
    Message.objects.filter(role="assistant").update(text=f"Green [source:{source.public_id}#1].")
    page = browser.get(f"/s/{started.session.public_id}/").content.decode()
    assert f'href="/s/{started.session.public_id}/sources/{source.public_id}/#part-1"' in page
    with django_assert_num_queries(0):
        assert citable(started.session, iter(["Plain."])) == {}
