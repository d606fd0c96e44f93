"""Whether the process lives, and whether it can work. Neither names anything or anybody."""

import logging
from collections.abc import Callable

import django.db
from django.db import connection
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api import shapes
from apps.api.describing import describe
from apps.api.views.base import OpenView
from apps.providers.registry import model_is_configured
from apps.runs.segments import queued_runs

logger = logging.getLogger(__name__)


class AliveView(OpenView):
    """Liveness."""

    @describe("Does it live?", answers={200: shapes.Alive}, is_open=True)
    def get(self, request: Request) -> Response:
        """Answer, and look at nothing else."""
        return Response({"status": "ok"})


class ReadyView(OpenView):
    """Readiness."""

    @describe("Can it work?", answers={200: shapes.Ready, 503: shapes.Ready}, is_open=True)
    def get(self, request: Request) -> Response:
        """Say of the database, the queue and the settings of the model whether they are in order."""
        found = {"database": _database(), "queue": _queue(), "model": model_is_configured()}
        content = {name: "ok" if is_ok else "failed" for name, is_ok in found.items()}
        return Response(content, 200 if all(found.values()) else 503)


def _works(look: Callable[[], object]) -> bool:
    try:
        look()
    except django.db.Error as error:
        # The text of the error may name hosts and files.
        logger.warning("Not ready: %s", type(error).__name__)
        return False
    return True


def _database() -> bool:
    def look() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    return _works(look)


def _queue() -> bool:
    return _works(lambda: queued_runs(1))
