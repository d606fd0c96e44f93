"""Attachments that are erased: no row, no term of the index, no file, not even in the pages of the database file."""

import io
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from apps.audit.retention import set_retention
from apps.chat.models import ChatSession
from apps.runs import services
from apps.runs.erasing import erase_files, forget_pages, workspace_of
from apps.runs.masking import masked
from apps.runs.privacy import erase_user_data, export_user_data
from apps.runs.purging import purge
from apps.runs.records import evidence_of
from apps.toolkit.models import Source, SourcePart
from apps.toolkit.sources.errors import SourceErased, SourceRefused
from apps.toolkit.sources.files import folder_of
from apps.toolkit.sources.keeping import keep, remove, taken
from tests.factories.accounts import UserFactory
from tests.toolkit.sources.papers import File, attached

pytestmark = pytest.mark.django_db(transaction=True)
WORD = "zanzibar7f3a"


@pytest.fixture
def kept() -> ChatSession:
    """A session with an attachment that holds a word that stands nowhere else, beside one that stays."""
    user = UserFactory()
    attached(services.make_session(UserFactory()), File("stays.txt", "The pump stays."))
    session = services.make_session(user)
    attached(session, File(f"{WORD}.txt", f"A pump in {WORD}. " * 50))
    return session


def places() -> list[str]:
    """Return the files of the data folder that hold the word, in any case."""
    if connection.vendor != "sqlite":
        return []
    found = subprocess.run(["grep", "-rlia", WORD, str(settings.DATA_DIR)], capture_output=True, text=True, check=False)
    return [Path(line).name for line in found.stdout.splitlines()]


def nothing_left(session: ChatSession) -> bool:
    parts = SourcePart.objects.filter(source__session=session.pk)
    return not parts.exists() and not Source.objects.filter(session=session.pk).exists() and places() == []


def test_an_erasure_leaves_no_word_of_an_attachment_anywhere(kept: ChatSession) -> None:
    erase_user_data(kept.user)
    assert nothing_left(kept)
    assert Source.objects.get().name == "stays.txt"


def upload_around(act: Callable[[ChatSession], object], session: ChatSession, file: File) -> None:
    """Upload a file; between its being read and its being stored something happens."""
    with taken(session, [file]) as read:
        act(session)
        keep(session, read)


@pytest.mark.parametrize(
    "act", [lambda one: erase_user_data(one.user), lambda one: services.delete_session(one.user, one.public_id)]
)
def test_an_upload_that_is_at_work_meanwhile_leaves_nothing_either(
    kept: ChatSession, act: Callable[[ChatSession], object]
) -> None:
    with pytest.raises(SourceRefused):
        upload_around(act, kept, File("late.txt", f"A late pump in {WORD}."))
    forget_pages()
    assert nothing_left(kept)


@pytest.mark.parametrize("module", ["privacy", "purging"])
def test_an_upload_that_is_stored_when_the_rows_have_gone_and_the_files_not_yet_is_refused(
    kept: ChatSession, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    def after_the_upload(session_id: str) -> None:
        with pytest.raises(SourceErased):
            keep(kept, read)
        erase_files(session_id)

    set_retention("uploads", 1)
    ChatSession.objects.filter(pk=kept.pk).update(updated_at="2020-01-01T00:00:00Z")
    monkeypatch.setattr(f"apps.runs.{module}.erase_files", after_the_upload)
    with taken(kept, [File("late.txt", f"A late pump in {WORD}.")]) as read:
        erase_user_data(kept.user) if module == "privacy" else purge()
    forget_pages()
    assert nothing_left(kept)


def test_an_upload_after_an_erasure_is_stored(kept: ChatSession) -> None:
    erase_user_data(kept.user)
    kept.refresh_from_db()
    attached(kept, File("new.txt", "A new pump."))
    assert Source.objects.get(session=kept).name == "new.txt"


def test_an_upload_to_a_session_that_is_deleted_leaves_no_folder(kept: ChatSession) -> None:
    def late() -> Iterator[bytes]:
        services.delete_session(kept.user, kept.public_id)
        folder_of(kept.public_id).mkdir(parents=True)  # as another file of the upload would
        yield b"late"

    file = File("late.txt", "")
    file.chunks = late  # type: ignore[method-assign]
    with pytest.raises(SourceRefused):
        attached(kept, file)
    assert not workspace_of(kept.public_id).exists()


def test_a_deleted_session_takes_its_attachments_along(kept: ChatSession) -> None:
    services.delete_session(kept.user, kept.public_id)
    forget_pages()
    assert nothing_left(kept)


def test_a_removed_attachment_is_gone_when_the_pages_are_forgotten(kept: ChatSession) -> None:
    remove(kept, Source.objects.get(session=kept))
    forget_pages()
    assert nothing_left(kept)


def test_retention_of_uploads_lets_go_of_attachments(kept: ChatSession) -> None:
    set_retention("uploads", 1)
    ChatSession.objects.filter(pk=kept.pk).update(updated_at="2020-01-01T00:00:00Z")
    assert purge(dry_run=True)["uploads"] == 1
    assert Source.objects.filter(session=kept).exists()
    assert purge()["uploads"] == 1
    assert nothing_left(kept)
    assert not workspace_of(kept.public_id).exists()


def test_an_export_holds_the_file_and_what_is_known_of_it(kept: ChatSession) -> None:
    buffer = io.BytesIO()
    export_user_data(kept.user, buffer)
    source = Source.objects.get(session=kept)
    with zipfile.ZipFile(buffer) as archive:
        assert WORD.encode() in archive.read(f"files/{kept.public_id}/sources/{source.public_id}")
    (told,) = evidence_of(kept)["sources"]
    assert (told["sourceId"], told["name"], told["parts"]) == (source.public_id, f"{WORD}.txt", 1)


def test_masked_evidence_says_nothing_of_a_name_or_content(kept: ChatSession) -> None:
    (told,) = masked(evidence_of(kept))["sources"]
    assert (told["name"], told["sha256"], told["mediaType"]) == (None, None, "text/plain")
