"""Public ids: made by the server, random, never reused. Integer keys never leave the process."""

import secrets

SESSION, RUN, MESSAGE, INTERACTION, CALL, EVENT_REQUEST, ARTIFACT = "sess", "run", "msg", "ask", "call", "req", "art"


def new_id(prefix: str) -> str:
    """Return `prefix` and 128 random bits, such as ``ask_5f0c…`` (prefix, underscore, 32 hex digits)."""
    return f"{prefix}_{secrets.token_hex(16)}"
