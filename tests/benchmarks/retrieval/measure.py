"""How well attachments are found: recall@5 on our own set, and the order of what is found.

Run as ``python -m tests.benchmarks.retrieval.measure``. It uses the test database of SQLite and, if there is one, of
PostgreSQL, each in a process of its own, and says whether both found the same in the same order.
"""

import json
import os
import subprocess
import sys
import time
from typing import Any

from tests.benchmarks.retrieval.corpus import DOCUMENTS, QUERIES
from tests.support.groups import POSTGRES_URL, _postgres_is_there


def _measure() -> None:
    """Measure on this process's database; print one line of JSON."""
    import django

    django.setup()
    from django.conf import settings
    from django.test.utils import setup_databases, teardown_databases

    from apps.runs import services
    from tests.benchmarks.retrieval.orders import orders_of, recall
    from tests.factories.accounts import UserFactory
    from tests.factories.sources import make_source

    made = setup_databases(verbosity=0, interactive=False)
    try:
        session = services.make_session(UserFactory())
        sources = [make_source(session, text, name=name) for name, text in DOCUMENTS.items()]
        began = time.perf_counter()
        orders = orders_of(sources)
        milliseconds = 1000 * (time.perf_counter() - began) / len(QUERIES)
        engine = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
        print(json.dumps({"database": engine, "recall": recall(orders), "milliseconds": milliseconds, "orders": orders}))
    finally:
        teardown_databases(made, verbosity=0)


def _measured(url: str) -> dict[str, Any]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": url}
    command = [sys.executable, "-m", "tests.benchmarks.retrieval.measure", "here"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure on each database and compare."""
    found = [_measured(url) for url in ("", POSTGRES_URL) if not url or _postgres_is_there()]
    two_characters = sum(len(query) == 2 for query, _ in QUERIES)
    print(f"{len(DOCUMENTS)} documents, {len(QUERIES)} queries, {two_characters} of them two Chinese characters")
    for each in found:
        print(f"{each['database']}: recall@5 {each['recall']:.3f}, {each['milliseconds']:.2f} ms a query")
    if len(found) == 2:
        print("same order on both:", found[0]["orders"] == found[1]["orders"])


if __name__ == "__main__":
    _measure() if sys.argv[1:] == ["here"] else main()
