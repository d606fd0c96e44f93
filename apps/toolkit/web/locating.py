"""Addresses of pages: what a model wrote, or a server redirected to, as the parts of a request."""

from urllib.parse import quote, urljoin, urlsplit

import httpcore

from apps.common.text import clean_shown
from apps.toolkit.web.faults import BadAddress
from apps.toolkit.web.guarding import PORTS

LONGEST = 2000
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SAFE = "/%:@!$&'()*+,;=~-._?"


def located(url: str, base: str = "") -> str:
    """Return an address in the form in which it is fetched; `base` is the page that redirected to it. Raises BadAddress."""
    text = url.strip()
    if len(text) > LONGEST or clean_shown(text) != text or any(char.isspace() for char in text) or "\\" in text:
        raise BadAddress("bad_url")
    try:
        parts = urlsplit(urljoin(base, text) if base else text)
        port, host = parts.port, (parts.hostname or "").rstrip(".")
        name = host if ":" in host else host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        raise BadAddress("bad_url") from None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not name or "%" in name:
        raise BadAddress("bad_url")
    if parts.username is not None or parts.password is not None:
        raise BadAddress("with_password")
    if (port or _DEFAULT_PORTS[scheme]) not in PORTS or port == 0:
        raise BadAddress("bad_port")
    shown = f"[{name}]" if ":" in name else name
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        shown = f"{shown}:{port}"
    query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    return f"{scheme}://{shown}{quote(parts.path, safe=_SAFE) or '/'}{query}"


def request_url(address: str) -> httpcore.URL:
    """Return the parts of an address that `located` gave."""
    parts = urlsplit(address)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    host = (parts.hostname or "").encode("ascii")
    return httpcore.URL(scheme=parts.scheme.encode(), host=host, port=parts.port, target=target.encode("ascii"))


def host_of(address: str) -> str:
    """Return host and port as the header Host has them."""
    return urlsplit(address).netloc
