"""Files that are attached: what is kept of them, and that of a refused one nothing is."""

import hashlib
import stat
from pathlib import Path

import pytest
from django.conf import settings as configured

from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession
from apps.common.errors import HandraiseError
from apps.toolkit.models import Source, SourcePart
from apps.toolkit.sources.files import path_of
from apps.toolkit.sources.keeping import keep, remove, taken
from apps.toolkit.sources.selectors import look_for, parts_by_key
from tests.toolkit.sources import papers
from tests.toolkit.sources.papers import MARKDOWN, File, attached


def found(query: str, *sources: Source) -> list[str]:
    """Return the texts that a search brings, the best first."""
    return [part.text for part in parts_by_key(look_for(query, sources).best(5))]


def files() -> list[Path]:
    return [path for path in (Path(configured.DATA_DIR) / "workspaces").rglob("*") if path.is_file()]


def test_a_file_is_kept_as_it_came_and_its_text_in_parts(session: ChatSession) -> None:
    (source,) = attached(session, File("manual.md", MARKDOWN))
    assert (source.name, source.media_type, source.state) == ("manual.md", "text/markdown", "read")
    assert (source.size, source.sha256) == (len(MARKDOWN), hashlib.sha256(MARKDOWN.encode()).hexdigest())
    assert [(part.number, part.heading) for part in source.parts.all()] == [(1, "Warranty"), (2, "Exceptions")]
    path = path_of(session.public_id, source.public_id)
    assert path.read_text() == MARKDOWN
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_terms_of_a_file_are_found_before_anybody_has_to_wait_for_it(
    session: ChatSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    with taken(session, [File("a.txt", "The pump is green.")]) as read:
        monkeypatch.delattr("apps.toolkit.sources.keeping.terms_of_text")
        (source,) = keep(session, read)
    assert found("pump", source) == ["The pump is green."]


def test_a_picture_is_kept_without_a_text(session: ChatSession) -> None:
    (source,) = attached(session, File("photo.png", papers.PICTURE))
    assert (source.media_type, source.state, source.part_count) == ("image/png", "kept", 0)


def test_what_is_attached_is_on_record_without_its_name(session: ChatSession) -> None:
    attached(session, File("manual.md", MARKDOWN))
    record = AuditRecord.objects.get(session=session.public_id, kind="source_added")
    assert record.summary == {"kind": "text/markdown", "bytes": len(MARKDOWN), "parts": 2}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\plan.txt", "plan.txt"),
        ("a\u202etxt.md", "atxt.md"),
        ("two\nlines.md", "two lines.md"),
        ("", "file"),
        ("x" * 300 + ".md", "x" * 197 + ".md"),
    ],
)
def test_no_name_leads_anywhere(session: ChatSession, given: str, shown: str) -> None:
    (source,) = attached(session, File(given, "Some words."))
    assert source.name == shown
    assert files() == [path_of(session.public_id, source.public_id)]


REFUSED = {
    "a password": ("a.pdf", papers.locked_pdf, "source_encrypted"),
    "too many pages": ("a.pdf", lambda: papers.pdf(*["page"] * 4), "source_too_long"),
    "a bomb": ("a.docx", papers.bomb, "source_too_long"),
    "a broken PDF": ("a.pdf", lambda: b"%PDF-1.7\nnothing more", "source_unreadable"),
    "a broken DOCX": ("a.docx", lambda: papers.archive(**{"word/document.xml": "<w:document>"}), "source_unreadable"),
    "another archive": ("a.zip", lambda: papers.archive(a="b"), "source_unsupported"),
    "another archive named DOCX": ("a.docx", lambda: papers.archive(a="b"), "source_unsupported"),
    "a picture named PDF": ("a.pdf", lambda: papers.PICTURE, "source_unsupported"),
    "a text named PDF": ("a.pdf", lambda: b"Some words.", "source_unsupported"),
    "a program": ("a.txt", lambda: b"\x7fELF\x02\x01\x01" + bytes(range(200)), "source_unsupported"),
    "no text": ("a.pdf", lambda: papers.pdf(""), "source_empty"),
    "nothing": ("a.txt", lambda: b"", "source_empty"),
    "too many characters": ("a.txt", lambda: b"word " * 300, "source_too_long"),
    "too large": ("a.txt", lambda: bytes(1 << 20) + b"x", "too_large"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_of_a_refused_file_nothing_is_stored(session: ChatSession, settings, name: str) -> None:
    settings.SOURCE_PAGES, settings.SOURCE_CHARS, settings.SOURCE_BYTES = 3, 1200, 1 << 20
    file_name, content, code = REFUSED[name]
    with pytest.raises(HandraiseError) as refused:
        attached(session, File(file_name, content()))
    assert (refused.value.code, refused.value.facts) == (code, {"file": 0})
    assert not Source.objects.exists()
    assert files() == []


def test_of_several_files_the_wrong_one_is_named_and_the_good_one_not_stored_either(session: ChatSession) -> None:
    with pytest.raises(HandraiseError) as refused:
        attached(session, File("good.md", MARKDOWN), File("bad.pdf", "Some words."))
    assert refused.value.facts == {"file": 1}
    assert not Source.objects.exists()
    assert files() == []


def test_a_file_that_takes_too_long_is_refused(session: ChatSession, settings) -> None:
    settings.SOURCE_SECONDS = 0.01
    with pytest.raises(HandraiseError) as refused:
        attached(session, File("a.pdf", papers.pdf(*["page"] * 200)))
    assert refused.value.code == "source_too_long"
    assert files() == []


def test_a_chat_takes_so_many_attachments_and_no_more(session: ChatSession, settings) -> None:
    settings.SOURCES_PER_SESSION = 1
    attached(session, File("a.txt", "One."))
    with pytest.raises(HandraiseError) as refused:
        attached(session, File("b.txt", "Two."))
    assert refused.value.code == "too_many_sources"
    assert len(files()) == Source.objects.count() == 1


def test_a_chat_takes_so_much_text_and_no_more(session: ChatSession, settings) -> None:
    settings.SOURCE_CHARS_PER_SESSION = 10
    attached(session, File("a.txt", "12345678"))
    with pytest.raises(HandraiseError) as refused:
        attached(session, File("b.txt", "12345678"))
    assert refused.value.code == "too_many_sources"
    assert len(files()) == Source.objects.count() == 1


def test_what_is_removed_is_found_no_more(session: ChatSession, django_capture_on_commit_callbacks) -> None:
    first, second = attached(session, File("a.txt", "The pump is green."), File("b.txt", "The pump is blue."))
    with django_capture_on_commit_callbacks(execute=True):
        remove(session, first)
    assert found("pump", first, second) == ["The pump is blue."]
    assert files() == [path_of(session.public_id, second.public_id)]
    assert not SourcePart.objects.filter(source=first.pk).exists()
    assert AuditRecord.objects.get(kind="source_removed").summary == {"kind": "text/plain"}
