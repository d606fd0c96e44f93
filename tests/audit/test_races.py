"""Many writers at once: numbers stay dense and the chain stays whole."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from apps.audit.models import AuditRecord
from apps.audit.verify import verify_chains
from apps.audit.write import Entry, record

WRITERS, TIMES = 6, 8


def write_from_many_threads(write: Callable[[int], None]) -> None:
    def work(number: int) -> None:
        try:
            for _ in range(TIMES):
                with transaction.atomic():
                    write(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(work, range(WRITERS)))


@pytest.mark.django_db(transaction=True)
def test_writers_of_one_new_chain_never_share_a_number() -> None:
    write_from_many_threads(lambda _: record([Entry("run_started", "sess_1"), Entry("run_paused", "sess_1")]))
    numbers = AuditRecord.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 2 * WRITERS * TIMES + 1))
    assert verify_chains() == []


@pytest.mark.django_db(transaction=True)
def test_writers_of_the_same_two_chains_in_either_order_do_not_block_each_other_for_ever() -> None:
    def write(number: int) -> None:
        entries = [Entry("run_started", "sess_1"), Entry("run_started", "sess_2")]
        record(entries if number % 2 else entries[::-1])

    write_from_many_threads(write)
    assert AuditRecord.objects.count() == 2 * WRITERS * TIMES
    assert verify_chains() == []


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_undone_leaves_no_gap() -> None:
    with transaction.atomic():
        record([Entry("run_started", "sess_1")])
        transaction.set_rollback(True)
    with transaction.atomic():
        record([Entry("run_started", "sess_1")])
    assert AuditRecord.objects.get().number == 1
