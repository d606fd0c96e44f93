"""Read the environment: every value is checked here, and a wrong one ends the start with one clear line."""

import os
import secrets
from pathlib import Path

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
