"""Which sandbox this process uses: the first of those that the settings allow and that really works here."""

import logging
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.sandbox.code import KINDS, Allowance, CodePool, Interpreter, Kind, Sandbox
from apps.sandbox.errors import Unavailable

logger = logging.getLogger(__name__)
_lock = threading.Lock()


def code_pool() -> CodePool | None:
    """Return what runs code here; None: nothing does. The first call tries it out, which takes some tenths of a second."""
    with _lock:
        return _tried(settings.SANDBOX, Path(settings.SANDBOX_PYTHON), settings.CODE_MEMORY, settings.CODE_AT_ONCE)


@lru_cache(maxsize=4)
def _tried(choice: str, python: Path, memory_mebibytes: int, at_once: int) -> CodePool | None:
    if choice == "off":
        return None
    sandbox = _first_that_works(
        KINDS if choice == "auto" else [kind for kind in KINDS if kind == choice], python, memory_mebibytes
    )
    return CodePool(sandbox, size=at_once) if sandbox else None


def _first_that_works(kinds: Sequence[Kind], python: Path, memory_mebibytes: int) -> Sandbox | None:
    for kind in kinds:
        try:
            sandbox = sandbox_of(kind, python, memory_mebibytes)
            sandbox.check()
        except Unavailable as reason:
            logger.warning("the sandbox %s does not work here: %s", kind, reason)
        else:
            return sandbox
    logger.warning("no sandbox works here, so no code is run and code_execution is not offered")
    return None


def sandbox_of(kind: Kind, python: Path, memory_mebibytes: int) -> Sandbox:
    """Return the sandbox as the settings want it, not tried yet. Raises Unavailable."""
    interpreter = Interpreter.at(python)
    for ours in (settings.DATA_DIR, settings.BASE_DIR):
        if any(ours.is_relative_to(Path(place).resolve()) for place in interpreter.readable):
            raise Unavailable("the product or its data lie in a folder of the interpreter, which programs may read")
    made = python.parent.parent / "matplotlib"
    fonts = [str(path) for pattern in ("fontlist-*.json", "matplotlibrc") for path in made.glob(pattern)]
    return Sandbox(kind, interpreter, Allowance(memory_bytes=memory_mebibytes << 20), seeds=fonts)
