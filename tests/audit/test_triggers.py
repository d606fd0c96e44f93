"""The database itself refuses to change history; a lost trigger comes back with the next migration."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import Error, connection, transaction

from apps.audit.models import AuditRecord, HistoryIsNeverEdited
from apps.audit.triggers import TRIGGERS, make_triggers, missing_triggers, remove_triggers
from apps.audit.write import Entry, record
from tests.support.triggers import without_triggers

STATEMENTS = [
    "UPDATE audit_auditrecord SET kind = 'sign_in'",
    "DELETE FROM audit_auditrecord",
    "DELETE FROM audit_auditchain",
]
IN_DIALECT = {
    "sqlite": ["INSERT OR REPLACE INTO audit_auditrecord SELECT * FROM audit_auditrecord"],
    "postgresql": ["TRUNCATE audit_auditrecord", "TRUNCATE audit_auditchain"],
}


def refuses(statement: str) -> bool:
    with pytest.raises(Error, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    return True


@pytest.mark.django_db
def test_h73_no_statement_changes_or_removes_a_record() -> None:
    record([Entry("sign_in")])
    assert all(map(refuses, STATEMENTS + IN_DIALECT[connection.vendor]))
    assert AuditRecord.objects.get().kind == "sign_in"


@pytest.mark.django_db
def test_h73_models_refuse_before_a_statement_is_sent() -> None:
    record([Entry("sign_in")])
    row = AuditRecord.objects.get()
    for edit in (row.save, row.delete, AuditRecord.objects.all().delete, lambda: AuditRecord.objects.update(kind="x")):
        with pytest.raises(HistoryIsNeverEdited):
            edit()


@pytest.mark.django_db
def test_h73_there_is_no_right_to_add_change_or_delete_a_record() -> None:
    names = Permission.objects.filter(content_type__app_label="audit").values_list("codename", flat=True)
    assert all(name.startswith("view_") for name in names)


@pytest.mark.django_db(transaction=True)
def test_triggers_lost_on_the_way_are_made_again_after_a_migration() -> None:
    remove_triggers()
    assert len(missing_triggers(connection)) == len(TRIGGERS[connection.vendor])
    call_command("migrate", verbosity=0, skip_checks=True)
    assert missing_triggers(connection) == []


@pytest.mark.django_db
def test_making_them_twice_changes_nothing() -> None:
    make_triggers()
    make_triggers()
    assert missing_triggers(connection) == []


@pytest.mark.django_db
def test_a_trigger_of_the_right_name_that_does_nothing_counts_as_missing() -> None:
    name = "audit_auditrecord_no_update"
    remove_triggers()
    harmless = {
        "sqlite": f"CREATE TRIGGER {name} BEFORE UPDATE ON audit_auditrecord BEGIN SELECT 1; END",
        "postgresql": f"CREATE TRIGGER {name} BEFORE UPDATE ON audit_auditrecord "
        "FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    }
    with connection.cursor() as cursor:
        cursor.execute(harmless[connection.vendor])
    assert name in {trigger.name for trigger in missing_triggers(connection)}
    make_triggers()
    assert missing_triggers(connection) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "second"])
def test_a_flushing_test_empties_the_tables_and_leaves_the_triggers(time: str) -> None:
    assert not AuditRecord.objects.exists()
    assert missing_triggers(connection) == []
    with transaction.atomic():
        record([Entry("sign_in")])


@pytest.mark.django_db
def test_the_helper_lifts_them_only_inside_its_block() -> None:
    record([Entry("sign_in")])
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_auditrecord")
    assert missing_triggers(connection) == []
