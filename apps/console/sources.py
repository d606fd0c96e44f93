"""Attachments: the list of all, and the page with the sizes of the parts; names and texts are masked."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.chat.models import ChatSession
from apps.console import words
from apps.console.drawing import link, moment, short, short_link
from apps.console.exporting import export_view, stamp
from apps.console.filters import DayFilter
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.search import BY_ID, by_id_or_person
from apps.toolkit.models import Source, SourcePart

SHOWN = 300
"""Parts of one page."""


class SourceAdmin(HistoryAdmin[Source]):
    """What people attached."""

    list_display = ("ident", "person", "of_type", "size_in_bytes", "in_parts", "of_session", "made_at")
    list_filter = (DayFilter,)
    search_help_text = gettext_lazy("The id of an attachment or session, or the name of a user.")
    detail_template = "admin/console/source.html"
    export_columns = ("sourceId", "sessionId", "user", "mediaType", "size", "parts", "createdAt")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        """Return the rows without their names."""
        return Source.objects.select_related("session__user").defer("name", "session__title", "session__tools")

    def get_queryset_of_one(self) -> QuerySet[Source]:
        """Return the rows with session and user."""
        return Source.objects.select_related("session__user")

    def searched(self, query: str) -> Narrowing:
        """Search by ids and user."""
        ids = {
            "src": lambda ident: Q(public_id=ident),
            "sess": lambda ident: Q(session__in=list(ChatSession.objects.filter(public_id=ident).values_list("pk", flat=True))),
        }
        return by_id_or_person(query, ids, lambda users: Narrowing(Q(session__user__in=users), BY_ID))

    def line(self, row: Source) -> dict[str, Any]:
        """Return one line of an export."""
        return {
            "sourceId": row.public_id,
            "sessionId": row.session.public_id,
            "user": row.session.user.get_username(),
            "mediaType": row.media_type,
            "size": row.size,
            "parts": row.part_count,
            "createdAt": stamp(row.created_at),
        }

    # --- columns ----------------------------------------------------------------------------------
    @admin.display(description=gettext_lazy("attachment"))
    def ident(self, row: Source) -> str:
        """The id."""
        return short(row.public_id)

    @admin.display(description=gettext_lazy("user"))
    def person(self, row: Source) -> str:
        """Whose it is."""
        return row.session.user.get_username()

    @admin.display(description=gettext_lazy("type"))
    def of_type(self, row: Source) -> str:
        """What it is."""
        return format_html("<code>{}</code>", row.media_type)

    @admin.display(description=gettext_lazy("bytes"))
    def size_in_bytes(self, row: Source) -> str:
        """How large it is."""
        return f"{row.size:,}"

    @admin.display(description=gettext_lazy("parts"))
    def in_parts(self, row: Source) -> int:
        """How many parts it has."""
        return row.part_count

    @admin.display(description=gettext_lazy("session"))
    def of_session(self, row: Source) -> str:
        """Its session."""
        return short_link("session", row.session.public_id)

    @admin.display(description=gettext_lazy("made (UTC)"))
    def made_at(self, row: Source) -> str:
        """When it was attached."""
        return moment(row.created_at)

    # --- the page ---------------------------------------------------------------------------------
    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (("export", export_view(self), True),)

    def title_of(self, row: Source) -> str:
        """Return the title of an attachment's page."""
        return _("Attachment %(source)s") % {"source": row.public_id}

    def detail(self, request: HttpRequest, row: Source) -> dict[str, Any]:
        """Return what is known of the file and its parts, with lengths in the place of words."""
        lengths = SourcePart.objects.filter(source=row).annotate(length=Length("text")).order_by("number")
        return {
            "facts": [
                (_("user"), link("user", row.session.user.public_id, self.person(row))),
                (_("session"), link("session", row.session.public_id)),
                (_("name"), words.own_text(len(row.name))),
                (_("type"), self.of_type(row)),
                (_("bytes"), self.size_in_bytes(row)),
                (_("made (UTC)"), moment(row.created_at)),
            ],
            "parts": [
                (number, page or "", words.own_text(length))
                for number, page, length in lengths.values_list("number", "page", "length")[:SHOWN]
            ],
        }
