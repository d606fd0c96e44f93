"""Why the staff did something: the text stands here, the record of the act holds its length and a commitment."""

from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from apps.audit.chain import commitment, new_salt
from apps.audit.context import Actor
from apps.audit.models import Reason
from apps.common.clock import database_now
from apps.common.errors import FieldError, HandraiseError
from apps.common.text import clean_stored, is_blank

MAX_REASON = 2000


class ReasonMissing(HandraiseError):
    """What the staff does to people's questions and data needs a reason."""

    code = "reason_missing"


class Kept(NamedTuple):
    """A reason that was kept: what the record of the act says of it."""

    digest: str
    length: int


def keep_reason(text: str, actor: Actor, session: str = "") -> Kept:
    """Keep a reason in the caller's transaction. Raises ReasonMissing if it is blank or over 2,000 characters long."""
    reason = clean_stored(text).strip()
    if is_blank(reason) or len(reason) > MAX_REASON:
        message = _("Give a reason, in at most %(limit)d characters.") % {"limit": MAX_REASON}
        raise ReasonMissing(message, errors=[FieldError("reason", message)])
    salt = new_salt()
    kept = Kept(commitment(salt, reason), len(reason))
    with transaction.atomic():
        Reason.objects.create(digest=kept.digest, session=session, actor_id=actor.id, salt=salt, text=reason, at=database_now())
    return kept


def reason_of(digest: bytes) -> str:
    """Return the reason to which a record commits; empty if there is none, or it was erased."""
    return Reason.objects.filter(pk=bytes(digest).hex()).values_list("text", flat=True).first() or ""
