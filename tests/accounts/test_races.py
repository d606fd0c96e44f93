"""The same thing twice at the same moment, on connections of their own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection

from apps.accounts.idempotency import IdempotencyInProgress, idempotent
from apps.accounts.links import make_sign_in_link_token, spend_sign_in_link
from apps.accounts.models import IdempotencyKey, User
from apps.accounts.throttle import TRIES, may_try_sign_in
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


def at_once[Result](count: int, work: Callable[[], Result]) -> list[Result]:
    """Run the work on so many threads at the same time and return what each came to."""
    gate = threading.Barrier(count)

    def run(_: int) -> Result:
        gate.wait()
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def post(user: User, effect: Callable[[], object]) -> str:
    """Do what a view does; say what came of it."""
    try:
        with idempotent(user, "POST", "/api/chat", "k", b"{}") as slot:
            if slot.stored:
                return "stored"
            effect()
            slot.remember(202, {})
            return "done"
    except IdempotencyInProgress:
        return "in progress"


def test_of_many_equal_posts_one_has_its_effect() -> None:
    user = UserFactory.create()
    outcomes = at_once(8, lambda: post(user, lambda: None))
    assert outcomes.count("done") == 1
    assert IdempotencyKey.objects.count() == 1


def test_while_the_first_is_at_work_the_second_has_no_effect() -> None:
    user = UserFactory.create()
    at_work, second_is_told = threading.Event(), threading.Event()

    def slow_effect() -> None:
        at_work.set()
        second_is_told.wait(0.3)

    def first() -> str:
        try:
            return post(user, slow_effect)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(first)
        at_work.wait(5)
        # PostgreSQL tells it at once; on SQLite it waits for its turn and gets the stored answer.
        assert post(user, lambda: None) == {"postgresql": "in progress", "sqlite": "stored"}[connection.vendor]
        second_is_told.set()
        assert outcome.result() == "done"


def test_a_link_pressed_many_times_at_once_signs_in_once() -> None:
    user = UserFactory.create()
    for _ in range(5):
        spend = partial(spend_sign_in_link, make_sign_in_link_token(user))
        assert at_once(8, spend).count(user) == 1


def test_many_tries_at_once_share_the_ten() -> None:
    allowed = at_once(16, lambda: may_try_sign_in("ada", "192.0.2.1"))
    assert allowed.count(True) == TRIES
