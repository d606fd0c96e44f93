"""Take in files and remove them: rows, index, file and audit record together, or nothing at all."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.audit.write import Entry, record
from apps.chat.models import ChatSession
from apps.common.clock import database_now
from apps.common.errors import FieldError, HandraiseError
from apps.common.rows import insert
from apps.toolkit.models import Source, SourcePart
from apps.toolkit.models.source import new_source_id
from apps.toolkit.sources.errors import SessionGone, SourceErased, SourceMissing, TooManySources
from apps.toolkit.sources.files import Written, folder_of, path_of, shown_name, too_large, write
from apps.toolkit.sources.indexing import mark_of
from apps.toolkit.sources.reading.door import Content, read_file
from apps.toolkit.sources.reading.sections import Section
from apps.toolkit.sources.terms import terms_of_text
from apps.toolkit.sources.turns import TURNS

ROWS_AT_ONCE = 200


class Upload(Protocol):
    """A file as a face hands it over."""

    name: str | None

    def chunks(self) -> Iterable[bytes]:
        """Return its content, piece by piece."""
        ...


class Terms(NamedTuple):
    """The terms of a part as they are stored, and how many they are."""

    words: str
    number: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that was written and read, and of which no row says anything yet."""

    source_id: str
    name: str
    written: Written
    content: Content
    terms: Sequence[Terms]
    """Those of each part."""


@contextmanager
def taken(session: ChatSession, uploads: Sequence[Upload]) -> Iterator[list[Taken]]:
    """Write and read files, outside of any transaction; those that have no rows at the end are removed again.

    Raises SourceMissing, SourceTooLarge, TooManySources, SourcesBusy, and what `read_file` raises: `facts["file"]` is the
    position of the file that is refused.
    """
    if not uploads:
        message = _("Choose a file first.")
        raise SourceMissing(message, errors=[FieldError("file", message)])
    # What the session holds already is looked at when they are stored: who sends the same again may have filled it.
    _check_number(len(uploads))
    with TURNS.of(session.user_id), _written(session, uploads) as read:
        yield read


@contextmanager
def _written(session: ChatSession, uploads: Sequence[Upload]) -> Iterator[list[Taken]]:
    ids = [new_source_id() for _upload in uploads]
    # One for all files: an upload of many small ones holds its thread no longer than one large file.
    deadline = monotonic() + settings.SOURCE_SECONDS
    try:
        read = [_take(session, *each, deadline) for each in zip(range(len(ids)), ids, uploads, strict=True)]
        if sum(each.written.size for each in read) > settings.SOURCE_BYTES:
            raise too_large()
        yield read
    finally:
        kept = set(Source.objects.filter(public_id__in=ids).values_list("public_id", flat=True))
        for source_id in set(ids) - kept:
            path_of(session.public_id, source_id).unlink(missing_ok=True)
        _leave_no_folder(session)


def _leave_no_folder(session: ChatSession) -> None:
    """Remove the folders that writing has made anew after the session was deleted."""
    folder = folder_of(session.public_id)
    with suppress(OSError):
        if not ChatSession.objects.filter(pk=session.pk).exists():
            folder.rmdir()
            folder.parent.rmdir()


def _take(session: ChatSession, position: int, source_id: str, upload: Upload, deadline: float) -> Taken:
    path, name = path_of(session.public_id, source_id), shown_name(upload.name or "")
    try:
        written = write(path, upload.chunks())
        content = read_file(path, name, deadline - monotonic())
        # Here and not when they are stored: millions of characters take seconds, in which nobody else could write.
        return Taken(source_id, name, written, content, [_terms_of(part) for part in content.parts])
    except HandraiseError as refusal:
        refusal.facts["file"] = position
        refusal.errors = (FieldError(f"file[{position}]", refusal.message),)
        raise


def keep(session: ChatSession, read: Sequence[Taken]) -> list[Source]:
    """Store the files that were read. Raises SessionGone, SourceErased, TooManySources."""
    with transaction.atomic():
        # Two uploads at the same moment: one after the other, or both would find room.
        there = ChatSession.objects.filter(pk=session.pk)
        if not there.filter(erasures=session.erasures).update(updated_at=database_now()):
            raise _gone(there.exists())
        _check_number(Source.objects.filter(session=session).count() + len(read))
        _check_characters(session, sum(map(_characters, read)))
        sources = [_keep(session, each) for each in read]
        record(
            [
                Entry(
                    "source_added",
                    session=session.public_id,
                    summary={"kind": row.media_type, "bytes": row.size, "parts": row.part_count},
                )
                for row in sources
            ]
        )
        return sources


def _gone(is_session_there: bool) -> SessionGone | SourceErased:
    if is_session_there:
        return SourceErased(_("The files of this chat were erased meanwhile. Send these once more."))
    return SessionGone(_("There is no such session."))


def _check_number(number: int) -> None:
    limit = settings.SOURCES_PER_SESSION
    if number > limit:
        message = ngettext("A chat takes %(limit)d attachment at most.", "A chat takes %(limit)d attachments at most.", limit)
        raise TooManySources(message % {"limit": limit})


def _check_characters(session: ChatSession, more: int) -> None:
    stored = Source.objects.filter(session=session).aggregate(sum=Sum("characters"))["sum"] or 0
    limit = settings.SOURCE_CHARS_PER_SESSION
    if stored + more > limit:
        message = _("The attachments of a chat hold %(limit)d characters together at most.")
        raise TooManySources(message % {"limit": limit})


def _characters(read: Taken) -> int:
    return sum(len(part.text) for part in read.content.parts)


def _keep(session: ChatSession, read: Taken) -> Source:
    source = Source(
        public_id=read.source_id,
        session=session,
        name=read.name,
        media_type=read.content.kind,
        size=read.written.size,
        sha256=read.written.sha256,
        state=Source.State.READ if read.content.parts else Source.State.KEPT,
        part_count=len(read.content.parts),
        characters=_characters(read),
        created_at=database_now(),
    )
    insert([source])
    SourcePart.objects.bulk_create(_parts(source, read), batch_size=ROWS_AT_ONCE)
    return source


def _terms_of(part: Section) -> Terms:
    terms = terms_of_text(f"{part.heading}\n{part.text}")
    return Terms(" ".join(terms), len(terms))


def _parts(source: Source, read: Taken) -> Iterator[SourcePart]:
    for number, (part, terms) in enumerate(zip(read.content.parts, read.terms, strict=True), 1):
        yield SourcePart(
            source=source,
            number=number,
            page=part.page,
            heading=part.heading,
            text=part.text,
            words=f"{mark_of(source.pk)} {terms.words}".rstrip(),
            word_count=terms.number,
        )


def remove(session: ChatSession, source: Source) -> None:
    """Remove a source with its parts, its place in the index and its file."""
    with transaction.atomic():
        removed, _by_model = Source.objects.filter(pk=source.pk).delete()
        if removed:
            record([Entry("source_removed", session=session.public_id, summary={"kind": source.media_type})])
        transaction.on_commit(partial(_unlink, path_of(session.public_id, source.public_id)))


def _unlink(path: Path) -> None:
    path.unlink(missing_ok=True)
