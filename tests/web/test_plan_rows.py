"""What became of a plan, as rows of the conversation: made, changed, each step ended."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import Run
from apps.interactions.models import Interaction
from apps.runs.erasing import erase_session
from apps.web import timeline
from tests.solve.conftest import finish, plan, replan
from tests.support.runs import run_to_rest, scripted
from tests.web.conftest import HTMX, address
from tests.web.solving import begin

MADE = {"calls": [plan("p", "Factor", "Verify")]}
FAILED = {"calls": [finish("f1", "S1", "No **factor**.", outcome="failed")]}
CHANGED = {"calls": [replan("r", "Use the formula")]}
ENDED = {"calls": [finish("f2", "S3", "x is 2")]}


def rows(browser: Client, run: Run, page: str = "", **headers: str) -> list[str]:
    """Return the rows of plans, in order."""
    html = browser.get(f"/s/{run.session.public_id}/{page}", headers=headers).content.decode()
    return re.findall(r'<li class="row row-plan".*?</details></li>', html, re.DOTALL)


def summaries(found: list[str]) -> list[str]:
    """Return the lines that are seen while the rows are folded."""
    lines = [row.split("</summary>")[0] for row in found]
    return [" ".join(re.sub(r"<[^>]*>", " ", line).split()) for line in lines]


@pytest.fixture
def solved(user: User) -> Run:
    """Return a run whose first step failed, and whose new plan was carried out."""
    return begin(user, {"sequence": [MADE, FAILED, CHANGED, ENDED, {"text": "2"}]}, plan_review="off")


def test_plans_and_steps_have_rows_of_their_own_and_no_tool_rows(browser: Client, solved: Run) -> None:
    found = rows(browser, solved)
    assert summaries(found) == [
        "Plan made version 1 · 2 steps",
        "Step S1 failed Factor",
        "Plan changed version 2 · 1 step",
        "Step S3 finished Use the formula",
    ]
    assert "Verify" in found[0]
    assert "<strong>factor</strong>" in found[1]
    assert "Stuck." in found[2]
    assert "row-tool" not in browser.get(f"/s/{solved.session.public_id}/").content.decode()
    assert rows(browser, solved, "live/", **HTMX) == found


def test_the_rows_are_read_in_the_language_of_their_reader(browser: Client, solved: Run) -> None:
    found = summaries(rows(browser, solved, **{"Accept-Language": "zh-hans"}))
    assert found[0] == "已制定计划 第 1 版 · 2 个步骤"
    assert found[1] == "步骤 S1 失败 Factor"


def test_an_approved_plan_stands_below_its_receipt_as_it_was_taken(browser: Client, user: User) -> None:
    run = begin(user, MADE, {"text": "Done."})
    assert rows(browser, run) == []
    card = Interaction.objects.get(run=run)
    browser.post(
        address(card), {"decision": "approve_with_edits", "revision": card.payload["planRevision"], "goals": "1", "goal": "Only"}
    )
    run_to_rest(run, scripted(MADE, {"text": "Done."}))
    (row,) = rows(browser, run)
    assert summaries([row]) == ["Plan made version 2 · 1 step"]
    assert "Only" in row
    assert "Verify" not in row


def test_a_refused_call_is_a_tool_that_failed(browser: Client, user: User) -> None:
    run = begin(user, {"sequence": [{"calls": [finish("f", "S1")]}, {"text": "No."}]}, plan_review="off")
    assert rows(browser, run) == []
    assert 'class="tool tool-failed"' in browser.get(f"/s/{run.session.public_id}/").content.decode()


def test_erased_plans_say_nothing_any_more(browser: Client, solved: Run) -> None:
    erase_session(solved.session)
    assert rows(browser, solved) == []
    html = browser.get(f"/s/{solved.session.public_id}/").content.decode()
    assert "Use the formula" not in html
    assert html.count("Arguments and result were erased.") == 4


def test_many_plans_take_as_many_queries_as_one(user: User, solved: Run) -> None:
    steps = [{"calls": [plan("p", "Factor")]}, {"calls": [finish("f", "S1")]}, {"text": "2"}]
    short = begin(user, {"sequence": steps}, plan_review="off")
    counts = []
    for run in (short, solved):
        with CaptureQueriesContext(connection) as queries:
            timeline.latest(run.session)
        counts.append(len(queries))
    assert counts[0] == counts[1]
