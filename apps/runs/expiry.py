"""Expiry: decided by the database's clock, whoever looks first; never taken for an answer."""

import logging

from django.db import transaction

from apps.chat.models import Run
from apps.common.clock import database_now
from apps.common.rows import Condition
from apps.events.hints import QUEUE, announce
from apps.interactions import results
from apps.interactions.models import Interaction
from apps.runs.chronicle import Chronicle
from apps.runs.closing import BY_TIMEOUT, audit_closed, close, end_run
from apps.runs.machine import take

BATCH = 100
logger = logging.getLogger(__name__)


def expire_due(limit: int = BATCH) -> int:
    """Expire what is due, each in a transaction of its own; return how many were."""
    due = list(Interaction.objects.due().order_by("expires_at").values_list("pk", flat=True)[:limit])
    return sum(map(expire, due))


def expire(interaction_id: int) -> bool:
    """Expire one interaction if its deadline has passed; say whether it was this call that did it."""
    with transaction.atomic():
        run_id = Interaction.objects.values_list("run_id", flat=True).get(pk=interaction_id)
        run = Run.objects.select_for_update(of=("self",)).select_related("session").get(pk=run_id)
        interaction = Interaction.objects.select_related("call").get(pk=interaction_id)
        chronicle = Chronicle(run.session, run)
        if not _expire(chronicle, run, interaction):
            return False
        chronicle.write()
        return True


def expire_run(run: Run) -> bool:
    """Expire what is due in a waiting run whose row the caller has locked; say whether anything was."""
    due = list(Interaction.objects.due().filter(run=run).select_related("call").order_by("id"))
    chronicle = Chronicle(run.session, run)
    done = [_expire(chronicle, run, interaction) for interaction in due]
    if any(done):
        chronicle.write()
    return any(done)


def _expire(chronicle: Chronicle, run: Run, interaction: Interaction) -> bool:
    now = database_now()
    result = results.closed(interaction.kind, interaction.call.call_id, "expired", "", run.language)
    if not close(chronicle, interaction, "expire", result, now):
        return False
    audit_closed(chronicle, interaction, "expire", "")
    if interaction.on_timeout == "stop":
        end_run(chronicle, run, BY_TIMEOUT, now)
    else:
        go_on_if_last(run)
    return True


_NOTHING_OPEN = "NOT EXISTS (SELECT 1 FROM interactions_interaction AS i WHERE i.run_id = chat_run.id AND i.status = 'pending')"


def go_on_if_last(run: Run) -> bool:
    """Queue the run again once nothing of it is open before the user any more."""
    if not take(run.pk, "resume", Condition(_NOTHING_OPEN), attempts=0):
        return False
    announce(QUEUE)
    return True
