"""Attachments as rows, without files."""

from apps.chat.models import ChatSession
from apps.common.clock import database_now
from apps.common.rows import insert
from apps.toolkit.models import Source, SourcePart
from apps.toolkit.sources.indexing import mark_of
from apps.toolkit.sources.terms import terms_of_text


def make_source(session: ChatSession, *texts: str, name: str = "notes.txt") -> Source:
    """Make an attachment whose parts have these texts; without any: one."""
    texts = texts or ("The pump is green.",)
    source = Source(
        session=session,
        name=name,
        media_type="text/plain",
        size=sum(map(len, texts)),
        sha256="0" * 64,
        state=Source.State.READ,
        part_count=len(texts),
        characters=sum(map(len, texts)),
        created_at=database_now(),
    )
    insert([source])
    SourcePart.objects.bulk_create(
        SourcePart(
            source=source,
            number=number,
            text=text,
            words=" ".join([mark_of(source.pk), *terms_of_text(text)]),
            word_count=len(terms_of_text(text)),
        )
        for number, text in enumerate(texts, 1)
    )
    return source
