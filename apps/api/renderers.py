"""Answers as JSON."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from apps.common.text import compact_json


class JSON(BaseRenderer):
    """Compact JSON in UTF-8, without ASCII escapes."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Return the bytes; None is an empty body."""
        # An unpaired surrogate cannot be UTF-8; written with a backslash it is the JSON escape of itself.
        return b"" if data is None else compact_json(data).encode("utf-8", "backslashreplace")
