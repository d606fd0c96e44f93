"""Addresses of the API that there are not."""

from typing import Any

from rest_framework.exceptions import NotFound

from apps.api.views.base import OpenView


class UnknownView(OpenView):
    """Answers every method of an unknown address with the same 404, and keeps Django from redirecting to a slash."""

    schema = None

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Refuse before the method is looked at."""
        raise NotFound
