"""Drive runs in a process of its own, beside one that serves: ``process_runs``."""

import asyncio
import signal
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from apps.common.setup import check_database, check_migrated, check_settings
from apps.runs.dispatch.serving import drive_runs


class Command(BaseCommand):
    """Works until Ctrl-C or SIGTERM; what it was driving then is taken up by the next worker."""

    help = "Drive runs in a process of its own."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until told to stop."""
        check_database()
        check_settings()
        check_migrated()
        connection.close()
        asyncio.run(self._work())

    async def _work(self) -> None:
        work = asyncio.create_task(drive_runs(), name="runner")
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, work.cancel)
        self.stdout.write("This process drives runs. Stop it with Ctrl-C.")
        self.stdout.flush()
        await asyncio.wait([work])
