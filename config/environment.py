"""Read the environment: every value is checked here, and a wrong one ends the start with one clear line."""

import os
import secrets
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured


class WrongValue(ImproperlyConfigured):
    """A variable of the environment has a value that cannot be used."""


def whole_number(name: str, default: int, *, low: int = 0, high: int = 2**31 - 1) -> int:
    """Read a whole number between `low` and `high`; raise WrongValue otherwise."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = int(text)
    except ValueError:
        raise WrongValue(f"{name} must be a whole number, not {text!r}.") from None
    if not low <= value <= high:
        raise WrongValue(f"{name} must be between {low} and {high}, not {value}.")
    return value


def switch(name: str, default: bool = False) -> bool:
    """Read on or off; raise WrongValue for any other word."""
    text = os.environ.get(name, "").strip().lower()
    if text in ("", "0", "false", "no", "off"):
        return default if text == "" else False
    if text in ("1", "true", "yes", "on"):
        return True
    raise WrongValue(f"{name} must be on or off, not {text!r}.")


def text(name: str, default: str = "") -> str:
    """Read a text without the white space around it."""
    return os.environ.get(name, "").strip() or default


def listed(name: str, default: list[str]) -> list[str]:
    """Read a list separated by commas."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()] or default


def prices(name: str) -> dict[str, tuple[Decimal, Decimal]]:
    """Read ``model=read/written``, with commas between: the price of a million tokens each way; raise WrongValue otherwise."""
    found = {}
    for part in listed(name, []):
        # The name of a model may itself hold "/" and "=".
        model, _equals, price = part.rpartition("=")
        read, _slash, written = price.partition("/")
        try:
            found[model.strip()] = (Decimal(read), Decimal(written))
        except InvalidOperation:
            raise WrongValue(f"{name} must be like model=2.50/10, with commas between, not {part!r}.") from None
    if not all(model and all(each.is_finite() and each >= 0 for each in pair) for model, pair in found.items()):
        raise WrongValue(f"{name} must name a model and prices from 0 up, like model=2.50/10.")
    return found


def currency(name: str, default: str) -> str:
    """Read the three letters of a currency; raise WrongValue otherwise."""
    letters = text(name, default)
    if not (len(letters) == 3 and letters.isascii() and letters.isalpha() and letters.isupper()):
        raise WrongValue(f"{name} must be the three letters of a currency, such as EUR.")
    return letters


def folder(name: str, default: Path) -> Path:
    """Read a folder and make it (mode 0700) if it is not there; raise WrongValue if it cannot be written to."""
    try:
        path = Path(text(name, str(default))).expanduser().resolve()
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError):  # RuntimeError: "~somebody" who has no home
        raise WrongValue(f"{name} is no folder that can be made.") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise WrongValue(f"{name} is no folder that can be written to.")
    return path


def web_address(name: str) -> str:
    """Read an address without a slash at its end; raise WrongValue unless it is http or https with a host."""
    address = text(name).rstrip("/")
    if address and not _parts(address, ("http", "https")):
        raise WrongValue(f"{name} must begin with http:// or https:// and name a host.")
    return address


def redis_address(name: str) -> str:
    """Read the address of a Redis server; raise WrongValue for anything else. It is not repeated: it may hold a password."""
    address = text(name)
    if address and not _parts(address, ("redis", "rediss")):
        raise WrongValue(f"{name} must begin with redis:// or rediss:// and name a host.")
    return address


def database(name: str, default: Path) -> dict[str, Any]:
    """Read the address of a database, SQLite at `default` if there is none; raise WrongValue for other kinds."""
    address = text(name)
    if not address:
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    found: dict[str, Any] = {}
    if address.partition("://")[0] in ("postgres", "postgresql", "sqlite"):
        # django-environ raises whatever its parsing meets.
        with suppress(Exception):
            found = environ.Env.db_url_config(address)
    if not found.get("NAME"):
        # The address may hold a password, so it is not repeated.
        raise WrongValue(f"{name} is not a database address such as postgres://user@host/name.")
    return found


def _parts(address: str, schemes: tuple[str, ...]) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        is_usable = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_usable else None


def kept_key(folder: Path, name: str) -> str:
    """Return the secret kept in a file of the data folder; make it (mode 0600) at the first call.

    Two processes may start at once: the file is linked into place, so both read the same key.
    """
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = folder / f".{name}.{secrets.token_hex(8)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(48), encoding="ascii")
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
