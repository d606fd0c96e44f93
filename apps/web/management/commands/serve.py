"""Start Handraise on this machine: ``serve [--host 127.0.0.1] [--port 8000]``."""

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.urls import reverse

from apps.common.setup import check_database, check_settings
from apps.runs.interfaces import registered
from apps.web.serving.address import AddressNotFree, check_is_free, not_free, public_address
from apps.web.serving.first_start import link_token_for_administrator, prepare


class Command(BaseCommand):
    """Serves web, API and streams and drives runs until Ctrl-C or SIGTERM; exits with 1 if it cannot start."""

    help = "Start Handraise: the web interface, the API and the worker in one process."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the address."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (127.0.0.1)")
        parser.add_argument("--port", default=8000, type=_port, help="port to listen at (8000; 0: any that is free)")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        """Check, prepare, serve. What stands in the way is said before anything is written."""
        try:
            check_is_free(host, port)
        except AddressNotFree as error:
            raise CommandError(str(error)) from None
        check_database()
        check_settings()
        prepare()
        self._serve(host, port)

    def _serve(self, host: str, port: int) -> None:
        from channels.routing import get_default_application

        from apps.web.serving.server import Server

        connection.close()
        server = Server(get_default_application(), host, port, lambda bound: self._greet(public_address(host, bound)))
        with registered("web"):
            server.run()
        if not server.could_listen:
            raise CommandError(str(not_free(host, port)))

    def _greet(self, address: str) -> None:
        token = link_token_for_administrator()
        connection.close()
        lines = [f"Handraise {settings.VERSION} is ready at {address}/"]
        if token:
            lines.append("Sign in with this link; it works once, in the next 15 minutes:")
            lines.append(f"  {address}{reverse('sign-in-link', args=[token])}")
        lines.append("Stop it with Ctrl-C: questions wait, runs go on at the next start.")
        # At once: whoever reads the first line from a file or pipe finds the others behind it.
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def _port(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text) <= 65535:
        return int(text)
    raise ArgumentTypeError("a port is a number from 0 to 65535")
