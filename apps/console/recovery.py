"""The forms with which operators help what is stuck. The coordinator does it; here it is asked for a reason."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from apps.chat.models import Run
from apps.common.errors import HandraiseError
from apps.console.history import HistoryAdmin
from apps.console.rights import Right, may
from apps.interactions.models import Interaction
from apps.runs import recovery

MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Act:
    """One act: the value that the form sends, its words, and what does it."""

    name: str
    words: str
    does: Callable[[HttpRequest, str, str], None]
    takes_seconds: bool = False


def acts_on_interaction(row: Interaction) -> Sequence[Act]:
    """Return what can be done to a question: nothing once it is closed."""
    if row.status != Interaction.Status.PENDING:
        return ()
    acts = [
        Act("cancel", _("Cancel the question"), lambda _request, ident, why: recovery.cancel_interaction(ident, why)),
        Act("expire", _("Let its time be up"), lambda _request, ident, why: recovery.expire_interaction(ident, why)),
    ]
    if row.expires_at is not None:
        acts.append(Act("extend", _("Extend its time"), _extend, takes_seconds=True))
    return acts


def _extend(request: HttpRequest, request_id: str, reason: str) -> None:
    digits = request.POST.get("seconds", "").strip()
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS
    recovery.extend_interaction(request_id, int(digits) if is_number else 0, reason)


def acts_on_run(row: Run) -> Sequence[Act]:
    """Return what can be done to a run."""
    requeue = Act("requeue", _("Queue the run again"), lambda _request, ident, why: recovery.requeue_run(ident, why))
    fail = Act("fail", _("End the run as failed"), lambda _request, ident, why: recovery.fail_run(ident, why))
    cancel = Act("cancel", _("Stop the run"), lambda _request, ident, why: recovery.cancel_run(ident, why))
    acts = {
        Run.Status.QUEUED: (fail, cancel),
        Run.Status.RUNNING: (requeue, fail, cancel),
        Run.Status.WAITING: (requeue, cancel),
        Run.Status.FAILED: (requeue,),
    }.get(Run.Status(row.status), ())
    # A delegated run is driven by the run that it belongs to; a run with an open question goes on by its answer.
    waits = row.status == Run.Status.WAITING and row.interactions.filter(status=Interaction.Status.PENDING).exists()
    driven = waits or row.parent_call_id is not None
    return [act for act in acts if act is not requeue or not driven]


def recover(
    admin: HistoryAdmin[Any], request: HttpRequest, object_id: str, acts_on: Callable[[Any], Sequence[Act]]
) -> HttpResponse:
    """Do what an operator's form asks for, and show the page again; a refusal is shown beside the form."""
    if not may(request, Right.RECOVER):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseRedirect(admin.address(object_id))
    row = admin.found(request, object_id)
    act = next((act for act in acts_on(row) if act.name == request.POST.get("act")), None)
    reason = request.POST.get("reason", "")
    if act is None:
        return _refused(admin, request, row, _("This cannot be done any more."), reason)
    try:
        act.does(request, admin.reference(row), reason)
    except HandraiseError as refusal:
        return _refused(admin, request, row, refusal.message, reason)
    messages.success(request, _("Done: %(act)s.") % {"act": act.words})
    return HttpResponseRedirect(admin.address(object_id))


def _refused(admin: HistoryAdmin[Any], request: HttpRequest, row: Any, error: str, reason: str) -> HttpResponse:
    context = admin.detail(request, row) | {"recovery_error": error, "reason": reason}
    return admin.shown(request, row, admin.detail_template, context, status=422)
