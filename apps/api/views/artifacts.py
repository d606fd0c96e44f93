"""Files that tools made."""

from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request

from apps.api.describing import describe
from apps.api.views.base import ApiView, caller
from apps.runs.artifacts import open_artifact

_LOCKED = "default-src 'none'; sandbox"
"""For a browser that shows the file after all: nothing in it runs, loads or belongs to this address."""


class ArtifactView(ApiView):
    """One file."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Answer with the file, whatever is asked for: a browser asks for pictures where it shows one."""
        return super().perform_content_negotiation(request, force=True)

    @describe("A file that a tool made", answers={}, refusals=("not_found", "gone"), is_file=True)
    def get(self, request: Request, artifact_id: str) -> HttpResponse:
        """Hand out the file, to be saved under its name."""
        artifact, file = open_artifact(caller(request), artifact_id)
        with file:
            # At once, for files are small: a server of the ASGI kind would collect a stream of them anyway.
            response = HttpResponse(file.read(), content_type=artifact.media_type)
        response["Content-Disposition"] = content_disposition_header(True, artifact.short_name) or "attachment"
        response["X-Content-Type-Options"] = "nosniff"
        response["Content-Security-Policy"] = _LOCKED
        return response
