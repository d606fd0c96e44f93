"""How long data are kept, by category. Audit records are kept for ever."""

from collections.abc import Mapping

from django.db import transaction

from apps.audit.models import Retention
from apps.audit.write import Entry, record
from apps.common.errors import FieldError, HandraiseError

DEFAULT_DAYS: Mapping[str, int] = {
    Retention.Category.DRAFTS: 30,
    Retention.Category.ANSWERS: 0,
    Retention.Category.EVENTS: 0,
    Retention.Category.UPLOADS: 0,
}
"""Days by category; 0: for ever."""
MAX_DAYS = 36500


class InvalidRetention(HandraiseError):
    """The category is unknown, or the days are not a whole number from 0 to 36500."""

    code = "invalid_retention"


def retention_days() -> dict[str, int]:
    """Return the days for every category."""
    chosen = dict(Retention.objects.values_list("category", "days"))
    return {category: chosen.get(category, days) for category, days in DEFAULT_DAYS.items()}


def set_retention(category: str, days: int) -> None:
    """Keep data of the category for so many days. Raises InvalidRetention."""
    if category not in DEFAULT_DAYS or isinstance(days, bool) or not 0 <= days <= MAX_DAYS:
        message = "There is no such category, or the days are not between 0 and 36500."
        raise InvalidRetention(message, errors=[FieldError("days", message)])
    with transaction.atomic():
        Retention.objects.update_or_create(category=category, defaults={"days": days})
        record([Entry("settings_changed", summary={"subject": "retention", "names": [category]})])
