"""Read attachments: those of a session, the parts of one, and the parts that answer a query."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import BigIntegerField, Count, QuerySet, Sum

from apps.chat.models import ChatSession
from apps.common.prepared import Prepared, bound
from apps.toolkit.models import Source, SourcePart
from apps.toolkit.sources.indexing import holding
from apps.toolkit.sources.ranking import Candidate, Scope, ranked
from apps.toolkit.sources.terms import terms_of_query

_OF_SESSION = Prepared(lambda: Source.objects.filter(session=bound("session", BigIntegerField())).order_by("id"))


def sources_of(session: ChatSession) -> list[Source]:
    """Return the session's sources, oldest first."""
    return _OF_SESSION(session=session.pk)


def source_of(session: ChatSession, source_id: str) -> Source | None:
    """Return a source of this very session."""
    return Source.objects.filter(session=session, public_id=source_id).first()


def parts_from(source: Source, number: int) -> QuerySet[SourcePart]:
    """Return the source's parts from a number on, without their terms."""
    return SourcePart.objects.filter(source=source, number__gte=number).order_by("number").defer("words")


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a search, read from the database; `best` needs it no more."""

    terms: Sequence[str]
    candidates: Sequence[Candidate]
    scope: Scope

    def best(self, limit: int) -> list[int]:
        """Return the keys of the parts that answer best."""
        return ranked(self.terms, self.candidates, self.scope)[:limit]


def look_for(query: str, sources: Sequence[Source]) -> Found:
    """Find the parts of these sources that hold anything of the query."""
    terms, keys = terms_of_query(query), [source.pk for source in sources]
    if not terms or not keys:
        return Found(terms, (), Scope(0, 0))
    parts = SourcePart.objects.filter(source__in=keys)
    sizes = parts.aggregate(parts=Count("pk"), words=Sum("word_count"))
    rows = parts.filter(pk__in=holding(terms, keys)).order_by("pk").values_list("pk", "words", "word_count")
    return Found(terms, [Candidate(*row) for row in rows], Scope(sizes["parts"], sizes["words"] or 0))


def parts_by_key(keys: Sequence[int]) -> list[SourcePart]:
    """Return parts with their sources, in the order of the keys; what has gone meanwhile is left out."""
    found = SourcePart.objects.filter(pk__in=keys).select_related("source").defer("words").in_bulk()
    return [found[key] for key in keys if key in found]
