"""Segments: claims, fences, leases, recovery."""

from datetime import timedelta

from apps.chat.models import Run, Segment
from apps.common.clock import database_now
from apps.runs import segments
from apps.runs.dispatch import ownership
from apps.runs.dispatch.embedded import recover
from tests.runs.conftest import Desk


def test_of_two_workers_one_gets_the_run(desk: Desk) -> None:
    run = desk.say()
    assert segments.claim(run.pk, "one") is not None
    assert segments.claim(run.pk, "two") is None


def test_a_waiting_run_holds_no_segment(desk: Desk) -> None:
    desk.asked()
    assert not Segment.objects.filter(ended_at__isnull=True).exists()


def test_h39_a_lost_run_goes_back_to_the_queue_and_the_others_stay(desk: Desk) -> None:
    waiting = desk.asked()
    desk.session = ""
    running = desk.say()
    segments.claim(running.pk, "worker-gone")
    Segment.objects.filter(run=running).update(lease_until=database_now() - timedelta(seconds=1))
    recover("worker-me")
    running.refresh_from_db()
    waiting.refresh_from_db()
    assert (running.status, waiting.status) == (Run.Status.QUEUED, Run.Status.WAITING)


def test_a_free_lock_means_that_the_worker_is_gone_at_once(desk: Desk) -> None:
    owner = ownership.Owner()
    run = desk.say()
    segments.claim(run.pk, owner.name)
    recover("worker-me")
    assert Run.objects.get(pk=run.pk).status == Run.Status.RUNNING
    import os

    os.close(owner._file)  # as the kernel does when the process dies
    recover("worker-me")
    assert Run.objects.get(pk=run.pk).status == Run.Status.QUEUED


def test_an_unknown_worker_is_dead_only_by_time(desk: Desk) -> None:
    run = desk.say()
    segments.claim(run.pk, "worker-elsewhere")
    recover("worker-me")
    assert Run.objects.get(pk=run.pk).status == Run.Status.RUNNING


def test_a_run_that_is_lost_too_often_fails_with_a_reason(desk: Desk) -> None:
    run = desk.say()
    for _ in range(segments.MAX_ATTEMPTS):
        segments.claim(run.pk, "worker-gone")
        Segment.objects.filter(ended_at__isnull=True).update(lease_until=database_now() - timedelta(seconds=1))
        recover("worker-me")
    run.refresh_from_db()
    assert (run.status, run.error_code, run.retryable) == (Run.Status.FAILED, "worker_lost", True)


def test_attempts_start_anew_with_each_answer(desk: Desk) -> None:
    run = desk.asked()
    assert run.attempts == 1
    desk.answer()
    run.refresh_from_db()
    assert run.attempts == 0


def test_h35_after_a_lost_continuation_the_run_goes_on_from_the_answer(desk: Desk) -> None:
    run = desk.asked()
    desk.answer()
    segments.claim(run.pk, "worker-gone")
    Segment.objects.filter(ended_at__isnull=True).update(lease_until=database_now() - timedelta(seconds=1))
    recover("worker-me")
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert desk.kinds().count("user_input_required") == 1
    assert len(desk.model.requests) == 2


def test_h37_three_questions_in_a_row_each_in_a_new_worker(transactional_db: None) -> None:
    from tests.factories.accounts import UserFactory
    from tests.runs.conftest import DONE, ask

    script = [{"calls": [ask(f"r{n}", title=f"{n}?")]} for n in (1, 2, 3)]
    desk = Desk(UserFactory(), [*script, DONE])
    run = desk.asked()
    for _ in range(3):
        desk.answer()
        desk.drive(run)
    assert run.status == Run.Status.COMPLETED
    assert len(desk.model.requests) == 4


def test_the_renewal_names_the_runs_that_are_still_held(desk: Desk) -> None:
    run = desk.say()
    segments.claim(run.pk, "me")
    assert segments.renew("me", {run.pk, 0}) == {run.pk}
    assert segments.renew("other", {run.pk}) == set()


def test_h39_a_run_whose_task_has_ended_by_a_fault_goes_back_into_the_queue(desk: Desk) -> None:
    run = desk.say()
    segments.claim(run.pk, "me")
    Segment.objects.update(lease_until=database_now() - timedelta(seconds=1))
    segments.renew("me", set())
    recover("me")
    run.refresh_from_db()
    assert run.status == Run.Status.QUEUED


def test_h39_a_run_that_cannot_be_read_fails_with_a_reason(desk: Desk) -> None:
    run = desk.say()
    Run.objects.filter(pk=run.pk).update(capability="gone")
    assert desk.drive(run).error_code == "internal"
