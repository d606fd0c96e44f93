"""How long data are kept: one form for all categories."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.audit.models import Retention
from apps.audit.retention import MAX_DAYS, retention_days, set_retention
from apps.console.oneform import Errors, OneFormAdmin


class RetentionAdmin(OneFormAdmin[Retention]):
    """The retention settings."""

    template = "admin/console/retention.html"

    def shown(self, request: HttpRequest, errors: Errors) -> dict[str, Any]:
        """Return the days of each category."""
        names = dict(Retention.Category.choices)
        rows = [
            {"name": category, "label": names[category], "value": request.POST.get(category, days), "error": errors.get(category)}
            for category, days in retention_days().items()
        ]
        return {"rows": rows}

    def save(self, request: HttpRequest) -> Errors:
        """Keep the days that were changed."""
        days = retention_days()
        given = {category: request.POST.get(category, str(days[category])).strip() for category in days}
        wrong = [category for category, text in given.items() if not _is_days(text)]
        if wrong:
            return dict.fromkeys(wrong, _("A whole number from 0 to %(most)d.") % {"most": MAX_DAYS})
        for category, text in given.items():
            if int(text) != days[category]:
                set_retention(category, int(text))
        return {}


def _is_days(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= MAX_DAYS
