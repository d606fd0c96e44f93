"""Plans and calls before their user, as the console shows them: what it was, the decision in words, texts as lengths."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.chat.models import Run
from apps.interactions.models import Interaction
from tests.console.conftest import OWN, Story
from tests.factories.chat import answer, make_card
from tests.support.runs import DONE, asks, run_to_rest, scripted
from tests.support.tools import Sending, mounted_in_chat, send

PLAN = {"id": "p1", "name": "present_plan", "arguments": {"title": "Move house", "plan": "1. Pack\n2. Drive"}}
DECISIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"decision": "approve"}, "approved", "plan_approved"),
    ({"decision": "approve_with_edits", "plan": f"1. {OWN}"}, "approved with changes", "plan_edited"),
    ({"decision": "reject", "feedback": f"not {OWN}"}, "rejected", "plan_rejected"),
]


def decided(story: Story, decision: dict[str, Any]) -> Interaction:
    """Let the user decide on a plan, and the run go on."""
    model = scripted(asks(PLAN), DONE)
    card = make_card(story.user, model, message="again")
    answer(card, plan_revision=card.payload["planRevision"], **decision)
    run_to_rest(card.run, model)
    return card


@pytest.mark.parametrize(("decision", "words", "kind"), DECISIONS)
def test_h75_a_decision_is_in_words_and_texts_are_lengths(
    decision: dict[str, Any], words: str, kind: str, root: Client, story: Story
) -> None:
    card = decided(story, decision)
    text = root.get(f"/admin/interactions/interaction/{card.public_id}/change/").content.decode()
    assert "2. Drive" in text
    assert f"<strong>{words}</strong>" in text
    assert f"step-{kind}" in text
    assert OWN not in text
    assert text.index("Move house") < text.index("2. Drive") < text.index("Decision:")
    assert "○" not in text, "options beside a decision are no open marks"


@pytest.mark.parametrize("decision", [DECISIONS[1][0], DECISIONS[2][0]])
def test_h75_what_was_written_is_revealed_with_a_reason(decision: dict[str, Any], root: Client, story: Story) -> None:
    card = decided(story, decision)
    revealed = root.post(f"/admin/interactions/interaction/{card.public_id}/reveal/", {"reason": "asked"})
    assert OWN in revealed.content.decode()


def test_the_dashboard_counts_the_decisions(root: Client, story: Story) -> None:
    for decision, _words, _kind in DECISIONS:
        decided(story, decision)
    table = root.get("/admin/").content.decode().partition("Decisions on plans and calls")[2]
    assert re.findall(r"<td>(\d+)</td>", table.partition("</table>")[0])[:3] == ["1", "1", "1"]


# --- calls that wait to be allowed -----------------------------------------------------------------
@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that asks before it sends."""
    return mounted_in_chat(Sending(), monkeypatch)


def allowed(story: Story, **decision: Any) -> Interaction:
    """Let the user decide on a call that sends something."""
    model = scripted(asks(send(text="the whole report")), DONE)
    card = make_card(story.user, model, message="again")
    answer(card, **decision)
    return card


APPROVALS: list[tuple[dict[str, Any], str, str]] = [
    ({"decision": "approve", "feedback": f"but {OWN}"}, "approved", "approval_granted"),
    ({"decision": "deny", "feedback": f"not {OWN}"}, "not allowed", "approval_denied"),
]


@pytest.mark.parametrize(("decision", "words", "kind"), APPROVALS)
def test_h75_of_a_call_its_arguments_and_the_decision_are_shown(
    decision: dict[str, Any], words: str, kind: str, root: Client, story: Story, tool: Sending
) -> None:
    card = allowed(story, **decision)
    text = root.get(f"/admin/interactions/interaction/{card.public_id}/change/").content.decode()
    assert "the whole report" in text
    assert f"<strong>{words}</strong>" in text
    assert f"step-{kind}" in text
    assert OWN not in text
    revealed = root.post(f"/admin/interactions/interaction/{card.public_id}/reveal/", {"reason": "asked"})
    assert OWN in revealed.content.decode()


def test_h75_of_what_an_allowed_tool_returned_only_the_length_is_shown(root: Client, story: Story, tool: Sending) -> None:
    card = allowed(story, decision="approve")
    model = scripted(asks(send(text="the whole report")), DONE)
    run_to_rest(Run.objects.get(pk=card.run_id), model)
    text = root.get(f"/admin/interactions/interaction/{card.public_id}/change/").content.decode()
    assert "A tool result of 17 characters" in text
    assert "sent&quot;" not in text


def test_the_course_names_the_tools_that_worked_next_and_no_made_up_name(root: Client, story: Story, tool: Sending) -> None:
    made_up = {"id": "x1", "name": "call_my_doctor", "arguments": "{}"}
    model = scripted(asks(send(text="the whole report")), asks(made_up), DONE)
    card = make_card(story.user, model, message="again")
    answer(card, decision="approve")
    run_to_rest(Run.objects.get(pk=card.run_id), model)
    text = root.get(f"/admin/interactions/interaction/{card.public_id}/change/").content.decode()
    assert text.count("step-tool_result_written") == 2
    assert "<span>tool: send</span>" in text
    assert "call_my_doctor" not in text
