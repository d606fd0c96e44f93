"""Let flushing tests empty the audit tables, which the product never can."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management.commands.flush import Command as Flush

from apps.audit.triggers import make_triggers, remove_triggers


@contextmanager
def without_triggers(using: str = "default") -> Iterator[None]:
    """Lift the append-only triggers of the audit, and make them again at the end."""
    remove_triggers(using)
    try:
        yield
    finally:
        make_triggers(using)


@pytest.fixture(scope="session", autouse=True)
def lift_append_only_triggers() -> Iterator[None]:
    """Import this into the conftest: the flush that ends every transactional test runs without the triggers.

    Django flushes deep inside its test case, after all fixtures have been torn down, so the command itself is wrapped.
    """
    flush = Flush.handle

    def flush_without_triggers(self: Flush, **options: Any) -> Any:
        with without_triggers(options["database"]):
            return flush(self, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flush, "handle", flush_without_triggers)
        yield
