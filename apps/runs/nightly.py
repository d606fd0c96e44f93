"""What a worker does once a day: anchor the audit chains, let go of what is over its time, of lost files and leftovers."""

import logging
from datetime import UTC

from django.db import IntegrityError

from apps.accounts.idempotency import purge_idempotency_keys
from apps.audit.anchors import make_anchor
from apps.audit.models import Anchor
from apps.common.clock import database_now
from apps.runs.erasing import erase_lost_files
from apps.runs.leftovers import clear_all_leftovers
from apps.runs.purging import purge
from apps.toolkit.sources.indexing import forget_removed

logger = logging.getLogger(__name__)


def tidy() -> None:
    """Do what is due: each time what is small, once a day (UTC) the rest. Called by every worker, done by one."""
    purge_idempotency_keys()
    if Anchor.objects.filter(day__gte=database_now().astimezone(UTC).date()).exists():
        return
    gone = purge()
    erase_lost_files()
    clear_all_leftovers()
    forget_removed()
    try:
        make_anchor()
    except IntegrityError:
        # Two workers at the same moment: the constraint on days and heads let one of them in.
        logger.info("another worker has made the audit anchor")
    if any(gone.values()):
        logger.info("let go of %s", ", ".join(f"{count} {category}" for category, count in gone.items() if count))
