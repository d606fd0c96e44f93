"""What is shown where a page cannot be made, because somebody has altered in the database what it would show."""

import logging
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Protocol

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from apps.audit.keys import INSTALLATION
from apps.audit.verdict import NONSENSE, audit_faults
from apps.console import words
from apps.runs.errors import Altered

logger = logging.getLogger(__name__)
View = Callable[..., HttpResponseBase]


class OfRows(Protocol):
    """What is asked of the admin whose pages are guarded."""

    admin_site: Any
    opts: Any
    list_display: Any

    def has_view_permission(self, request: HttpRequest) -> bool:
        """Say whether somebody may see a row at all."""

    def row_of(self, reference: str) -> Any:
        """Return a row."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows as a list needs them."""

    def prepared(self, request: HttpRequest, rows: list[Any]) -> list[Any]:
        """Return rows with whatever their columns need."""

    def reference(self, row: Any) -> str:
        """Return what stands for a row in an address."""

    def reference_of_key(self, key: int) -> str:
        """Return it without reading more of the row."""

    def chain_of(self, reference: str) -> str | None:
        """Return the chain that tells of a row, read without the row."""


def guarded(admin: OfRows, view: View) -> View:
    """Return a view of one row that says so if the row, or what belongs to it, was altered. It draws its page inside."""

    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return _rendered(view(request, *args, **kwargs))
        except (Altered, *NONSENSE):
            page = _altered(admin, request, str(kwargs["object_id"]))
            if page is None:
                raise
            logger.warning("A row was altered so that its page cannot be made.")
            return page.render()

    return update_wrapper(guarded_view, view)


def _altered(admin: OfRows, request: HttpRequest, reference: str) -> TemplateResponse | None:
    """Return the page; None where the verdict is sound and the row can be read: then it is a fault of this program."""
    chain = admin.chain_of(reference) if admin.has_view_permission(request) else None
    if chain is None:
        return None
    faults = audit_faults(chain)
    if not faults and _is_readable(admin, reference):
        return None
    context = {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "title": _("Altered: %(row)s") % {"row": reference},
        "reference": reference,
        "session": chain,
        "chain": chain or INSTALLATION,
        "faults": list(map(words.fault, faults)),
    }
    request.current_app = admin.admin_site.name
    return TemplateResponse(request, "admin/console/altered.html", context)


def _is_readable(admin: OfRows, reference: str) -> bool:
    try:
        admin.row_of(reference)
    except NONSENSE:
        return False
    return True


class RowByRow:
    """Reads the rows of a list one by one, and leaves out those that cannot be drawn."""

    def __init__(self, admin: OfRows, request: HttpRequest) -> None:
        self._admin, self._request = admin, request
        self.left_out: list[str] = []

    def __call__(self, rows: QuerySet[Any]) -> list[Any]:
        """Return the rows, None in the place of each that cannot be drawn."""
        return list(map(self._drawable, rows.values_list("pk", flat=True)))

    def _drawable(self, key: int) -> Any:
        admin = self._admin
        try:
            row = admin.get_queryset(self._request).get(pk=key)
            admin.prepared(self._request, [row])
            for each in (admin.reference, *(getattr(admin, column) for column in admin.list_display)):
                each(row)
        except NONSENSE:
            self.left_out.append(admin.reference_of_key(key))
            return None
        return row


def row_by_row(request: HttpRequest) -> RowByRow | None:
    """Return what reads the rows of the list that is asked for; None: they are read at once."""
    return getattr(request, _READER, None)


_READER = "_row_by_row"


def list_page(admin: OfRows, request: HttpRequest, draw: Callable[[], HttpResponse]) -> HttpResponse:
    """Return a list. If that cannot be made, its rows are read one by one: those that were altered are named above the others.

    If there is none of them, it is a fault of this program, which is raised.
    """
    try:
        return _rendered(draw())
    except NONSENSE as fault:
        reader = RowByRow(admin, request)
        setattr(request, _READER, reader)
        try:
            page = _rendered(draw())
        except NONSENSE:
            altered = _altered(admin, request, request.GET.get("before", ""))
            if altered is None:
                raise fault from None
            page = _rendered(altered)
        else:
            if not reader.left_out:
                raise
        logger.warning("Rows were altered so that their list cannot be made.")
        return page


def _rendered[R: HttpResponseBase](answer: R) -> R:
    if isinstance(answer, TemplateResponse):
        answer.render()
    return answer
