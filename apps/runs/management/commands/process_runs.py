"""Drive runs in a process of its own, beside one that serves: ``process_runs``."""

import asyncio
import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from apps.runs.dispatch.serving import drive_runs


class Command(BaseCommand):
    """Works until Ctrl-C or SIGTERM; what it was driving then is taken up by the next worker."""

    help = "Drive runs in a process of its own."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until told to stop."""
        try:
            executor = MigrationExecutor(connection)
        except Error:
            raise CommandError("Handraise cannot reach its database; see DATABASE_URL and HANDRAISE_DATA_DIR.") from None
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError("The database is not up to date: start manage.py serve first, or run manage.py migrate.")
        connection.close()
        asyncio.run(self._work())

    async def _work(self) -> None:
        work = asyncio.create_task(drive_runs(), name="runner")
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, work.cancel)
        self.stdout.write("This process drives runs. Stop it with Ctrl-C.")
        self.stdout.flush()
        await asyncio.wait([work])
