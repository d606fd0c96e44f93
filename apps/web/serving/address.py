"""The address that the server listens at, and the one that people type."""

import errno
import ipaddress
import os
import socket

from django.conf import settings


class AddressNotFree(OSError):
    """The server cannot listen there; the text says why in one line."""


def check_is_free(host: str, port: int) -> None:
    """Raise AddressNotFree if the server could not listen at this address."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            # As the server will do it: connections of a server that was killed do not hold the port.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        raise not_free(host, port, error.strerror or "no such address") from None


def not_free(host: str, port: int, why: str = os.strerror(errno.EADDRINUSE)) -> AddressNotFree:
    """Return the refusal."""
    return AddressNotFree(f"Handraise cannot listen at {host} port {port}: {why}.")


def public_address(host: str, port: int) -> str:
    """Return the address that people type, without a slash at its end."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if _is_ipv6(shown) else f"http://{shown}:{port}"


def _is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).version == 6
    except ValueError:
        return False
