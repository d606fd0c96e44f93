"""The page in the place of one that cannot be made, because somebody has altered in the database what it would show."""

import logging
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Protocol

from django.http import HttpRequest
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

    def has_view_permission(self, request: HttpRequest) -> bool:
        """Say whether somebody may see a row at all."""

    def row_of(self, reference: str) -> Any:
        """Return a row."""

    def chain_of(self, reference: str) -> str | None:
        """Return the chain that tells of a row, read without the row."""


def guarded(admin: OfRows, view: View) -> View:
    """Return a view of one row that says so if the row, or what belongs to it, was altered. It draws its page inside."""

    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            answer = view(request, *args, **kwargs)
            return answer.render() if isinstance(answer, TemplateResponse) else answer
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
