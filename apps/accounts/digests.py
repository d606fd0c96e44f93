"""Random secrets that are handed out once, and the digests that are kept instead of them."""

import hashlib
import secrets

from django.utils.crypto import salted_hmac


def new_secret(prefix: str) -> str:
    """Return `prefix`, an underscore and 256 random bits in URL-safe characters."""
    return f"{prefix}_{secrets.token_urlsafe(32)}"


def plain_digest(secret: str) -> str:
    """Return the SHA-256 (64 hex digits) of a random secret: with 256 bits there is nothing to guess, so no salt."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def keyed_digest(purpose: str, content: bytes) -> str:
    """Return a digest (64 hex digits) under the installation's key, for content that could be guessed."""
    return salted_hmac(f"handraise.{purpose}", content, algorithm="sha256").hexdigest()
