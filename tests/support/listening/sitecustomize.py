"""Python imports this at its start if its folder is on the path: it notes every address outside of this machine."""

import os
import sys
from typing import Any

_HERE = ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::", None, "")


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        return
    address = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = address[0] if isinstance(address, tuple) else address
    # The address of a socket file is a path: it leads nowhere outside.
    if host not in _HERE and not str(host).startswith("/"):
        with open(os.environ["HANDRAISE_TEST_CALLS"], "a", encoding="utf-8") as calls:
            calls.write(f"{event} {host}\n")


sys.addaudithook(_note)
