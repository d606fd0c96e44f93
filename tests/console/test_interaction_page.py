"""The page of an interaction: its course with gaps, the question as asked, the answer masked until it is revealed."""

import html
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils.html import escape

from apps.accounts.actors import actor_of
from apps.audit.context import acting
from apps.audit.models import AuditRecord, Reason
from apps.chat.models import ToolResult
from apps.interactions.answers import InvalidAnswer
from apps.interactions.models import Interaction
from apps.interactions.submissions import QuestionAnswer
from apps.runs import services
from tests.console.conftest import OWN, SignIn, Story
from tests.factories.chat import answer, ask_in_mode, make_card
from tests.support.runs import ask_questions, asks, scripted
from tests.support.triggers import without_triggers

LENGTH = len(f"but {OWN}")


def page(row: Interaction, name: str = "change") -> str:
    return f"/admin/interactions/interaction/{row.public_id}/{name}/"


def course(client: Client, row: Interaction) -> list[str]:
    """Return the kinds of the steps that the page draws, in their order."""
    return re.findall(r'<li class="step step-(\w+)"', client.get(page(row)).content.decode())


def test_the_course_leads_from_the_question_to_what_came_next(root: Client, story: Story) -> None:
    assert course(root, story.answered) == [
        "interaction_requested",
        "interaction_answered",
        "tool_result_written",
        "run_resumed",
        "interaction_requested",
        "run_paused",
    ]


def test_what_was_shown_refused_extended_and_drafted_stands_in_the_course(root: Client, story: Story) -> None:
    with acting(actor_of(story.user), "web"):
        row = services.interaction_of(story.user, story.open.public_id)
        services.mark_shown(row, "web")
        services.save_draft(story.user, row.public_id, {"customInput": OWN})
        with pytest.raises(InvalidAnswer):
            answer(row, custom_input=" ")
        services.extend(story.user, row.public_id, 900_000)
    assert course(root, story.open) == [
        "interaction_requested",
        "interaction_shown",
        "draft",
        "submission_refused",
        "interaction_extended",
    ]


def test_each_step_names_the_seconds_since_the_one_before(root: Client, story: Story) -> None:
    text = root.get(page(story.answered)).content.decode()
    gaps = re.findall(r'<div class="gap">(.*?)</div>', text)
    assert gaps[0] == ""
    assert all(re.fullmatch(r"\d+\.\d{3} s", gap) for gap in gaps[1:])


def test_the_question_stands_as_it_was_asked_with_what_was_chosen(root: Client, story: Story) -> None:
    text = root.get(page(story.answered)).content.decode()
    assert "Which way?" in text
    chosen = re.findall(r'<li class="chosen">.*?</li>', text, re.DOTALL)
    assert len(chosen) == 1
    assert "Analyse first" in chosen[0]
    assert "Implement now" in text


@pytest.mark.parametrize("role", ["auditor", "operator", "admin", "privacy officer", "superuser"])
def test_h75_own_text_is_a_number_of_characters_for_everybody(role: str, signed_in: SignIn, story: Story) -> None:
    text = signed_in(role).get(page(story.answered)).content.decode()
    assert f"own text, {LENGTH} characters" in text
    assert OWN not in text


def received(client: Client, row: Interaction) -> str:
    """Return what the page says that the model received."""
    part = client.get(page(row)).content.decode().partition('id="received"')[2].partition("</section>")[0]
    return html.unescape(part.partition("<pre")[2].partition(">")[2].partition("</pre>")[0])


def test_h75_what_the_model_received_stands_there_with_lengths_for_texts(signed_in: SignIn, story: Story) -> None:
    assert json.loads(received(signed_in("auditor"), story.answered)) == {
        "status": "answered",
        "selections": ["safe"],
        "customInput": f"text, {LENGTH} characters",
        "cancelled": False,
        "answeredBy": "user",
    }


@pytest.mark.parametrize(("mode", "text"), [("number", "1357902"), ("date", "2031-07-19"), ("directory", "MY/SECRET")])
def test_h75_a_value_is_text_as_well(mode: str, text: str, root: Client, story: Story) -> None:
    card = make_card(story.user, ask_in_mode(mode), message="again")
    answer(card, custom_input=text)
    shown = json.loads(received(root, card))
    assert shown["value"] == shown["customInput"] == f"text, {len(text)} characters"
    assert text not in root.get(page(card)).content.decode()


@pytest.mark.parametrize("content", ['"MY-SECRET-42"', "MY-SECRET-42", '["MY-SECRET-42"]'])
def test_h75_of_a_result_that_is_no_object_only_the_length_is_shown(content: str, root: Client, story: Story) -> None:
    ToolResult.objects.filter(call=story.answered.call_id).update(content=content)
    assert received(root, story.answered) == ""
    assert OWN not in root.get(page(story.answered)).content.decode()


def test_h75_of_the_result_of_an_allowed_tool_only_the_length_is_shown(root: Client, story: Story) -> None:
    Interaction.objects.filter(pk=story.answered.pk).update(kind="approval")
    ToolResult.objects.filter(call=story.answered.call_id).update(content='{"status": "MY-SECRET-42", "MY-SECRET-42": 1}')
    assert received(root, story.answered) == ""
    assert OWN not in root.get(page(story.answered)).content.decode()


def test_h75_revealing_needs_its_own_right_and_a_reason(signed_in: SignIn, story: Story) -> None:
    for role in ("auditor", "operator", "admin"):
        assert signed_in(role).post(page(story.answered, "reveal"), {"reason": "curious"}).status_code == 403
    officer = signed_in("privacy officer")
    for reason in ({}, {"reason": " \u200b"}, {"reason": "x" * 2001}):
        refused = officer.post(page(story.answered, "reveal"), reason)
        assert refused.status_code == 422
        assert OWN not in refused.content.decode()
    assert not AuditRecord.objects.filter(kind="answer_revealed").exists()


def test_h75_a_revealed_answer_is_shown_once_and_is_on_record(signed_in: SignIn, story: Story) -> None:
    officer = signed_in("privacy officer")
    revealed = officer.post(page(story.answered, "reveal"), {"reason": "The user asked for it."})
    assert f"but {OWN}" in revealed.content.decode()
    assert "no-store" in revealed["Cache-Control"]
    trace = AuditRecord.objects.get(kind="answer_revealed")
    assert (trace.request, trace.channel, trace.summary["reason_length"]) == (story.answered.public_id, "admin", 22)
    assert Reason.objects.get(pk=bytes(trace.digest).hex()).text == "The user asked for it."
    again = officer.get(page(story.answered)).content.decode()
    assert OWN not in again
    assert "step-answer_revealed" in again


def test_the_reason_is_read_on_the_records_page_by_who_may_reveal(signed_in: SignIn, story: Story) -> None:
    signed_in("privacy officer").post(page(story.answered, "reveal"), {"reason": "The user asked for it."})
    trace = AuditRecord.objects.get(kind="answer_revealed")
    address = f"/admin/audit/auditrecord/{trace.session}.{trace.number}/change/"
    assert "The user asked for it." in signed_in("superuser").get(address).content.decode()
    masked = signed_in("auditor").get(address).content.decode()
    assert "own text, 22 characters" in masked
    assert "The user asked" not in masked


def test_an_open_question_has_nothing_to_reveal(root: Client, story: Story) -> None:
    assert 'id="reveal"' not in root.get(page(story.open)).content.decode()
    assert root.post(page(story.open, "reveal"), {"reason": "why not"}).status_code == 403


def test_an_erased_question_shows_places_and_lengths_only(root: Client, story: Story) -> None:
    Interaction.objects.filter(pk=story.answered.pk).update(payload={})
    ToolResult.objects.filter(call=story.answered.call_id).update(content='{"status":"erased"}', erased=True)
    text = root.get(page(story.answered)).content.decode()
    assert "#1; own text" in text
    assert "Which way?" not in text
    assert root.post(page(story.answered, "reveal"), {"reason": "why not"}).status_code == 403


def test_a_set_of_questions_shows_each_with_its_own_answer(root: Client, story: Story) -> None:
    questions: list[dict[str, Any]] = [
        {"id": "a", "question": "Colour?", "options": [{"label": "Red"}, {"label": "Blue"}]},
        {"id": "b", "question": "Why?"},
    ]
    card = make_card(story.user, scripted(asks(ask_questions("c9", questions))), message="again")
    answer(card, answers=(QuestionAnswer("a", ("Blue",)), QuestionAnswer("b", (), OWN)))
    text = root.get(page(card)).content.decode()
    assert re.search(r'<li class="chosen">.*?Blue', text, re.DOTALL)
    assert f"own text, {len(OWN)} characters" in text
    assert OWN in root.post(page(card, "reveal"), {"reason": "asked"}).content.decode()


def test_a_question_that_was_skipped_says_so(root: Client, story: Story) -> None:
    questions: list[dict[str, Any]] = [{"id": "a", "question": "Colour?"}, {"id": "b", "question": "Why?"}]
    card = make_card(story.user, scripted(asks(ask_questions("c9", questions))), message="again")
    assert "Skipped." not in root.get(page(card)).content.decode()
    answer(card, answers=(QuestionAnswer("a", (), OWN), QuestionAnswer("b", ())))
    colour, _why, rest = root.get(page(card)).content.decode().partition("Why?")
    assert "Skipped." not in colour
    assert "Skipped." in rest


@pytest.mark.parametrize("content", ['"text"', "[1]", "no JSON", "{}", '{"feedback": null}'])
def test_a_result_of_any_form_can_be_revealed(content: str, root: Client, story: Story) -> None:
    ToolResult.objects.filter(call=story.answered.call_id).update(content=content)
    revealed = root.post(page(story.answered, "reveal"), {"reason": "asked"})
    assert revealed.status_code == 200
    assert escape(content) in revealed.content.decode()


def test_h88_what_a_model_or_a_person_wrote_is_shown_as_text(root: Client, story: Story) -> None:
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    payload = {
        **story.answered.payload,
        "title": evil,
        "description": evil,
        "options": [{"id": "x", "label": evil, "description": evil}],
    }
    Interaction.objects.filter(pk=story.answered.pk).update(payload=payload, submission=evil)
    ToolResult.objects.filter(call=story.answered.call_id).update(content='{"customInput": "<svg/onload=alert(1)>"}')
    for answered in (root.get(page(story.answered)), root.post(page(story.answered, "reveal"), {"reason": evil})):
        text = answered.content.decode()
        assert "&lt;img src=x" in text
        assert "<img src=x" not in text
        assert "<script>alert" not in text
        assert "<svg/onload" not in text
        assert "unsafe-inline" not in answered["Content-Security-Policy"]


def test_the_page_leads_to_session_run_raw_events_evidence_and_verdict(root: Client, story: Story) -> None:
    text = root.get(page(story.answered)).content.decode()
    session = f"/admin/chat/chatsession/{story.session.public_id}/"
    for address in (f"{session}change/", f"{session}events/", f"{session}verify/", f"{session}change/#evidence"):
        assert f'href="{address}"' in text
        assert root.get(address).status_code == 200
    assert f'href="/admin/chat/run/{story.run.public_id}/change/"' in text


def test_raw_events_have_null_for_every_text(root: Client, story: Story) -> None:
    text = root.get(f"/admin/chat/chatsession/{story.session.public_id}/events/").content.decode()
    assert "user_input_required" in text
    assert "&quot;message&quot;:null" in text
    for words in (OWN, "Which way?", "Analyse first"):
        assert words not in text


def test_the_verdict_names_a_record_that_was_altered(root: Client, story: Story) -> None:
    address = f"/admin/chat/chatsession/{story.session.public_id}/verify/"
    assert "is sound" in root.get(address).content.decode()
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE audit_auditrecord SET kind = 'run_failed' WHERE session = %s AND number = 2", [story.session.public_id]
        )
    assert f"altered: {story.session.public_id} record 2" in root.get(address).content.decode()


def test_what_was_deleted_leads_to_its_records(root: Client, story: Story) -> None:
    services.delete_session(story.user, story.session.public_id)
    for address in (
        page(story.answered),
        f"/admin/chat/run/{story.run.public_id}/change/",
        f"/admin/chat/chatsession/{story.session.public_id}/change/",
    ):
        led = root.get(address, follow=True)
        assert led.redirect_chain[0][0].startswith("/admin/audit/auditrecord/?q=")
        assert 'id="result_list"' in led.content.decode()
    assert root.get(page(story.answered).replace("ask_", "ask_0")).status_code == 404
