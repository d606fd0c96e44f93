"""The forms for what is stuck: they offer what fits, ask for a reason, and say what could not be done."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from apps.audit.models import AuditRecord
from apps.chat.models import Run
from apps.interactions.models import Interaction
from tests.console.conftest import SignIn, Story

WHY = "The user is away."


def page(row: Interaction | Run, name: str = "change") -> str:
    model = "chat/run" if isinstance(row, Run) else "interactions/interaction"
    return f"/admin/{model}/{row.public_id}/{name}/"


def offers(client: Client, row: Interaction | Run) -> list[str]:
    form = client.get(page(row)).content.decode().partition('id="recover"')[2]
    return re.findall(r'<option value="(\w+)">', form)


def test_an_open_question_can_be_cancelled_let_expire_or_extended(root: Client, story: Story) -> None:
    assert offers(root, story.open) == ["cancel", "expire", "extend"]
    assert offers(root, story.answered) == []
    Interaction.objects.filter(pk=story.open.pk).update(expires_at=None)
    assert offers(root, story.open) == ["cancel", "expire"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("queued", ["fail", "cancel"]),
        ("running", ["requeue", "fail", "cancel"]),
        ("waiting", ["cancel"]),
        ("failed", ["requeue"]),
        ("completed", []),
        ("cancelled", []),
    ],
)
def test_a_run_is_offered_what_fits_its_status(status: str, expected: list[str], root: Client, story: Story) -> None:
    Run.objects.filter(pk=story.run.pk).update(status=status)
    assert offers(root, story.run) == expected


def test_a_run_that_waits_for_nothing_any_more_can_be_queued_again(root: Client, story: Story) -> None:
    Interaction.objects.filter(pk=story.open.pk).update(status="cancelled")
    assert offers(root, story.run) == ["requeue", "cancel"]


@pytest.mark.parametrize("role", ["auditor", "privacy officer"])
def test_who_may_not_recover_is_offered_nothing(role: str, signed_in: SignIn, story: Story) -> None:
    assert offers(signed_in(role), story.open) == []


def test_an_operator_cancels_a_question_with_a_reason(signed_in: SignIn, story: Story) -> None:
    operator = signed_in("operator")
    done = operator.post(page(story.open, "recover"), {"act": "cancel", "reason": WHY}, follow=True)
    assert "Done: Cancel the question." in done.content.decode()
    assert Interaction.objects.get(pk=story.open.pk).status == "cancelled"
    told = AuditRecord.objects.get(kind="staff_intervened")
    assert (told.channel, told.request, told.summary["subject"]) == ("admin", story.open.public_id, "cancel_interaction")


def test_an_operator_extends_a_question(signed_in: SignIn, story: Story) -> None:
    form = {"act": "extend", "seconds": "900000", "reason": WHY}
    assert signed_in("operator").post(page(story.open, "recover"), form).status_code == 302
    extended = Interaction.objects.get(pk=story.open.pk).expires_at
    assert extended
    assert extended - story.open.created_at > timedelta(seconds=890_000)


@pytest.mark.parametrize("seconds", ["", "soon", "-1", "1e9", "٣", "9" * 40])
def test_seconds_that_are_none_are_refused_beside_the_form(seconds: str, root: Client, story: Story) -> None:
    refused = root.post(page(story.open, "recover"), {"act": "extend", "seconds": seconds, "reason": WHY})
    assert refused.status_code == 422
    assert WHY in refused.content.decode()
    assert Interaction.objects.get(pk=story.open.pk).expires_at == story.open.expires_at


@pytest.mark.parametrize("form", [{"act": "cancel"}, {"act": "cancel", "reason": " "}, {"act": "explode", "reason": WHY}, {}])
def test_without_a_reason_or_a_known_act_nothing_is_done(form: dict[str, str], root: Client, story: Story) -> None:
    assert root.post(page(story.open, "recover"), form).status_code == 422
    assert Interaction.objects.get(pk=story.open.pk).status == "pending"


def test_what_cannot_be_done_any_more_is_said(root: Client, story: Story) -> None:
    refused = root.post(page(story.answered, "recover"), {"act": "cancel", "reason": WHY})
    assert refused.status_code == 422
    assert root.post(page(story.run, "recover"), {"act": "requeue", "reason": WHY}).status_code == 422
    assert root.get(page(story.open, "recover"))["Location"] == page(story.open)


def test_a_reason_stands_in_no_list_and_in_no_summary(root: Client, story: Story) -> None:
    root.post(page(story.open, "recover"), {"act": "cancel", "reason": "MY-REASON-42"})
    assert "MY-REASON-42" not in root.get("/admin/audit/auditrecord/").content.decode()
    assert not any("MY-REASON-42" in str(summary) for summary in AuditRecord.objects.values_list("summary", flat=True))
