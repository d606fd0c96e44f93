"""The evidence at the command line."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.audit.models import AuditRecord
from apps.runs.services import make_session
from tests.factories.accounts import UserFactory


def test_the_evidence_is_one_json_document(transactional_db: None) -> None:
    session, out = make_session(UserFactory(), "灯 lamp"), StringIO()
    call_command("evidence", session.public_id, stdout=out)
    assert json.loads(out.getvalue())["session"]["title"] == "灯 lamp"


def test_that_it_was_handed_out_is_recorded(transactional_db: None) -> None:
    session = make_session(UserFactory())
    call_command("evidence", session.public_id, stdout=StringIO())
    last = AuditRecord.objects.filter(session=session.public_id).latest("id")
    assert (last.kind, last.actor_kind, last.channel) == ("evidence_exported", "system", "cli")


def test_an_unknown_session_ends_with_one_line(transactional_db: None) -> None:
    with pytest.raises(CommandError, match="no such session"):
        call_command("evidence", "sess_unknown")
