"""What a command checks before it begins; what stands in its way is said in one line each."""

from django.core import checks
from django.core.management.base import CommandError
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor


def check_database() -> None:
    """Raise CommandError unless the database answers at the first try; its pool of connections would go on trying."""
    probe = connection.copy()
    probe.settings_dict["OPTIONS"].pop("pool", None)
    try:
        probe.ensure_connection()
    except Error:
        raise CommandError("Handraise cannot reach its database; see DATABASE_URL and HANDRAISE_DATA_DIR.") from None
    finally:
        probe.close()


def check_settings() -> None:
    """Raise CommandError if the system checks find errors."""
    faults = [found for found in checks.run_checks(databases=["default"]) if found.is_serious()]
    if faults:
        raise CommandError("\n".join(f"{fault.msg} {fault.hint or ''}".rstrip() for fault in faults))


def check_migrated() -> None:
    """Raise CommandError if the tables are those of another version, or are not there yet."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("The database is not up to date: start manage.py serve once, or run manage.py migrate.")
