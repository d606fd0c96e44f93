"""The dashboard: true numbers, drawn and listed, at a cost that does not depend on what there is."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.audit.models import AuditRecord
from apps.audit.write import Entry, record
from apps.common.clock import database_now
from apps.console.charts import bars, nice_top, spans
from apps.console.counting import count_all
from apps.console.dashboard import BY_DAY, dashboard, percentile
from apps.console.words import spell
from apps.interactions.models import Interaction
from tests.console.conftest import OWN, SignIn, Story
from tests.factories.accounts import UserFactory


def test_what_waits_now_and_the_oldest_of_it(root: Client, story: Story) -> None:
    Interaction.objects.filter(pk=story.open.pk).update(created_at=database_now() - timedelta(hours=3))
    numbers = dashboard()
    assert (numbers.waiting, numbers.oldest) == ("1", story.open)
    assert numbers.oldest_waits.startswith("3:00:")
    text = root.get("/admin/").content.decode()
    assert f"/admin/interactions/interaction/{story.open.public_id}/change/" in text


def test_each_day_counts_what_the_audit_tells(story: Story) -> None:
    session = story.session.public_id
    record([Entry("submission_refused", session, summary={"reason": "invalid"}) for _nth in range(3)])
    record([Entry("interaction_cancelled", session), Entry("interaction_expired", session), Entry("run_failed", session)])
    numbers = dashboard()
    assert len(numbers.days) == 14
    assert dict(zip(BY_DAY, numbers.totals, strict=True)) == {
        "interaction_requested": 2,
        "interaction_answered": 1,
        "interaction_cancelled": 1,
        "interaction_expired": 1,
        "interaction_aborted": 0,
        "submission_refused": 3,
        "run_failed": 1,
    }
    assert numbers.days[-1].listed == numbers.totals
    assert numbers.refusals == [("not valid", 3)]


def test_decisions_on_plans_and_calls_are_counted(story: Story) -> None:
    kinds = ["plan_approved", "plan_approved", "plan_edited", "plan_rejected", "approval_granted", "approval_denied"]
    record([Entry(kind, story.session.public_id) for kind in kinds])
    assert [count for _words, count in dashboard().decisions] == [2, 1, 1, 1, 1]


def test_the_time_to_answer_is_by_kind(story: Story) -> None:
    asked = story.answered.created_at
    Interaction.objects.filter(pk=story.answered.pk).update(resolved_at=asked + timedelta(seconds=90))
    [times] = dashboard().times
    assert (times.kind, times.count, times.p50, times.p99) == ("question", 1, 90.0, 90.0)
    assert times.listed == ["1:30"] * 3


@pytest.mark.parametrize(
    ("seconds", "spelt"),
    [(0.04, "0.0 s"), (59.9, "59.9 s"), (60, "1:00"), (754, "12:34"), (3723, "1:02:03"), (180_000, "2 days, 2:00:00")],
)
def test_times_are_spelt_in_few_characters(seconds: float, spelt: str) -> None:
    assert spell(seconds) == spelt


@pytest.mark.parametrize(("part", "expected"), [(50, 50), (90, 90), (99, 99)])
def test_percentiles_are_by_nearest_rank(part: int, expected: int) -> None:
    assert percentile([float(value) for value in range(1, 101)], part) == expected
    assert percentile([7.0], part) == 7.0


def test_the_drawing_and_the_table_hold_the_same_numbers(root: Client, story: Story) -> None:
    text = root.get("/admin/").content.decode()
    drawn = re.findall(r'<rect class="bar bar-(\w+)"[^>]*><title>[^<]*: (\d+)</title>', text)
    assert drawn == [("asked", "2"), ("answered", "1")]
    row = text.partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert re.findall(r"<td>(\d+)</td>", row)[:2] == ["2", "1"]


def test_it_is_drawn_with_attributes_and_classes_alone(root: Client, story: Story) -> None:
    answer = root.get("/admin/")
    text = answer.content.decode()
    assert "<svg" in text
    for forbidden in (" style=", "<style", "<script>", " onclick=", "javascript:"):
        assert forbidden not in text
    assert "'unsafe-inline'" not in answer["Content-Security-Policy"]


def test_it_shows_nobodys_words(signed_in: SignIn, story: Story) -> None:
    text = signed_in("auditor").get("/admin/").content.decode()
    for words in (OWN, "Which way?", "Help me"):
        assert words not in text


def test_an_installation_in_which_nothing_has_happened_has_one_too(root: Client) -> None:
    text = root.get("/admin/").content.decode()
    assert "Nobody is being waited for." in text
    assert "No answers in these days." in text


def test_it_costs_the_same_at_hundreds_of_records(root: Client, story: Story) -> None:
    def queries_of_a_look() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert root.get("/admin/").status_code == 200
        return len(queries)

    few = queries_of_a_look()
    record([Entry("interaction_requested", story.session.public_id) for _nth in range(500)])
    assert queries_of_a_look() == few < 15


def test_many_counts_are_one_statement(story: Story) -> None:
    UserFactory.create()
    with CaptureQueriesContext(connection) as queries:
        counts = count_all([AuditRecord.objects.filter(kind="run_started"), Interaction.objects.all()])
    assert counts == [1, 2]
    assert len(queries) == 1


# --- charts ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "top"),
    [(0, 4), (1, 4), (4, 4), (5, 8), (11, 12), (13, 20), (21, 40), (99, 120), (130, 200), (999, 1200), (4001, 8000)],
)
def test_the_axis_ends_at_a_number_with_whole_quarters(value: int, top: int) -> None:
    assert nice_top(value) == top
    assert top % 4 == 0


def test_bars_stand_on_the_ground_and_stay_inside() -> None:
    drawn = bars([("01-01", 10, [3, 2, 1, 0]), ("01-02", 0, [0, 0, 0, 0])])
    assert [bar.name for bar in drawn.bars] == ["asked", "answered", "cancelled", "expired"]
    for bar in drawn.bars:
        assert 0 <= float(bar.y) <= float(bar.y) + float(bar.height) <= drawn.height
        assert drawn.left <= float(bar.x) <= drawn.width


def test_times_beyond_the_axis_stay_on_it() -> None:
    drawn = spans([("question", 0.0001, 10.0, 10**9)])
    [span] = drawn.spans
    positions = [float(mark.x) for mark in span.marks]
    assert positions == sorted(positions)
    assert positions[-1] <= drawn.width
