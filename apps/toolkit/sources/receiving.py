"""How files are received: straight to the disk, never into memory, and no more of them than an upload may hold."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest

ROOM_FOR_FIELDS = 2 << 20
"""Bytes that the other fields of a form may take."""


class DiskUploadHandler(TemporaryFileUploadHandler):
    """Takes files until they are too large together; the request says then that they were."""

    def handle_raw_input(
        self, input_data: Any, META: dict[str, Any], content_length: int, boundary: Any, encoding: str | None = None
    ) -> None:
        """Look at what is announced, before anything is read."""
        self._left = settings.SOURCE_BYTES
        if content_length > self._left + ROOM_FOR_FIELDS:
            self._left = -1

    def new_file(self, field_name: str, file_name: str, *args: Any, **kwargs: Any) -> None:
        """Begin a file, unless it is clear that there is no room for it."""
        self._check()
        # The temporary file would take its ending from the name, at any length.
        super().new_file(field_name, "file", *args, **kwargs)
        self.file.name = self.file_name = file_name

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a piece."""
        self._left -= len(raw_data)
        self._check()
        super().receive_data_chunk(raw_data, start)

    def _check(self) -> None:
        if self._left < 0:
            self.request._files_are_too_large = True  # type: ignore[union-attr]
            raise StopUpload(connection_reset=False)


def are_too_large(request: HttpRequest) -> bool:
    """Say whether files of the request were left out because they were too large."""
    request.FILES  # noqa: B018 - reading them is what finds out
    return getattr(request, "_files_are_too_large", False)
