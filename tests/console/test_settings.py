"""The forms of the settings: retention, and the installation's settings of capabilities."""

import pytest
from django.test import Client

from apps.audit.models import AuditRecord
from apps.audit.retention import retention_days
from apps.runs.settings_store import change_settings, settings_of
from tests.console.conftest import OWN, SignIn

RETENTION, CAPABILITIES = "/admin/audit/retention/", "/admin/chat/capabilitysettings/"


def test_retention_is_changed_by_days_and_on_record(signed_in: SignIn) -> None:
    admin = signed_in("admin")
    assert admin.post(RETENTION, {"drafts": "7", "answers": "0", "events": "365", "uploads": "0"}).status_code == 302
    assert retention_days() == {"drafts": 7, "answers": 0, "events": 365, "uploads": 0}
    told = AuditRecord.objects.filter(kind="settings_changed").order_by("id")
    assert [record.summary for record in told] == [
        {"subject": "retention", "names": ["drafts"]},
        {"subject": "retention", "names": ["events"]},
    ]


@pytest.mark.parametrize("days", ["-1", "1.5", "soon", "36501", "1" * 50, "٣", ""])
def test_h76_days_that_are_none_are_refused_and_nothing_is_kept(days: str, signed_in: SignIn) -> None:
    refused = signed_in("admin").post(RETENTION, {"drafts": days, "events": "5"})
    assert refused.status_code == 422
    assert "A whole number from 0 to 36500." in refused.content.decode()
    assert retention_days()["events"] == 0


def test_audit_records_are_no_category_of_retention(root: Client) -> None:
    assert root.post(RETENTION, {"audit": "1", "records": "1"}).status_code == 302
    assert set(retention_days()) == {"drafts", "answers", "events", "uploads"}


def test_capability_settings_of_the_installation_are_changed_in_one_form(signed_in: SignIn) -> None:
    admin = signed_in("admin")
    page = admin.get(CAPABILITIES).content.decode()
    assert 'name="solve.max_replans"' in page
    form = {"solve.max_replans": "5", "solve.plan_review": "every", "chat.prompt.en": "Be brief.", "chat.temperature": "0.7"}
    assert admin.post(CAPABILITIES, form).status_code == 302
    settings = settings_of(None)
    assert (settings["solve"]["max_replans"], settings["solve"]["plan_review"]) == (5, "every")
    assert settings["chat"]["prompt"]["en"] == "Be brief."
    names = [record.summary["names"] for record in AuditRecord.objects.filter(kind="settings_changed").order_by("id")]
    assert sorted(names) == [["max_replans", "plan_review"], ["prompt"]]


def test_the_policy_of_a_tool_is_set_in_the_form_and_on_record(signed_in: SignIn) -> None:
    change_settings(None, {"chat": {"tools": {"fetch": "never"}}})
    admin = signed_in("admin")
    assert 'name="chat.tools.fetch"' in admin.get(CAPABILITIES).content.decode()
    assert admin.post(CAPABILITIES, {"chat.tools.fetch": "often"}).status_code == 422
    assert admin.post(CAPABILITIES, {"chat.tools.fetch": "ask"}).status_code == 302
    assert settings_of(None)["chat"]["tools"]["fetch"] == "ask"
    told = AuditRecord.objects.filter(kind="settings_changed").latest("id")
    assert (told.summary["tool"], told.summary["policy"], told.channel) == ("fetch", "ask", "admin")


def test_a_setting_that_cannot_be_used_is_named_beside_its_field(signed_in: SignIn) -> None:
    refused = signed_in("admin").post(CAPABILITIES, {"solve.max_replans": "many", "chat.max_rounds": "3"})
    assert refused.status_code == 422
    assert "errornote" in refused.content.decode()
    assert 'value="many"' in refused.content.decode()
    assert settings_of(None)["chat"]["max_rounds"] == 8


def test_prompts_are_texts_and_masked_for_who_only_looks(signed_in: SignIn) -> None:
    change_settings(None, {"chat": {"prompt": {"en": OWN}}})
    assert OWN in signed_in("admin").get(CAPABILITIES).content.decode()
    masked = signed_in("auditor").get(CAPABILITIES).content.decode()
    assert OWN not in masked
    assert f"own text, {len(OWN)} characters" in masked
