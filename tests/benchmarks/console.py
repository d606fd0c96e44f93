"""Time every list, filter and search of the console, and the dashboard, on a database that `volume` has filled.

    HANDRAISE_DATA_DIR=<that folder> DJANGO_SETTINGS_MODULE=config.settings python -m tests.benchmarks.console

Prints for each page, the slowest first: the best and the worst time of five, the processor's time of the worst, queries.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

ROUNDS = 5


class Timed(NamedTuple):
    """One page."""

    path: str
    best_ms: float
    worst_ms: float
    cpu_ms: float
    queries: int
    status: int


def pages() -> Iterator[str]:
    """Yield the addresses: each list, each value of each filter, pairs of filters, searches, deep pages, the dashboard."""
    from apps.console.admin import console

    yield "/admin/"
    for model, admin in console._registry.items():
        if hasattr(admin, "time_field"):
            yield from _of_list(f"/admin/{model._meta.app_label}/{model._meta.model_name}/", admin)


def _of_list(address: str, admin: Any) -> Iterator[str]:
    filters = [query for each in admin.list_filter for query in _queries(each, admin)]
    yield address
    yield from (f"{address}?{query}" for query in filters)
    yield from (f"{address}?{query}&since={_day(200)}&until={_day(190)}" for query in filters if "since" not in query)
    yield from (f"{address}?q={word}" for word in _words())
    yield from (f"{address}?q={_words()[0]}&{query}" for query in filters)
    if (row := _deep(admin)) is not None:
        yield f"{address}?before={admin.reference(row)}"
        yield from (f"{address}?before={admin.reference(row)}&{query}" for query in filters)


def _queries(list_filter: Any, admin: Any) -> Iterator[str]:
    made = list_filter(None, {}, admin.model, admin)
    if hasattr(made, "options"):
        yield from (f"{made.parameter}={value}" for value, _words in made.options())
    elif getattr(made, "parameter", ""):
        yield f"{made.parameter}=person00003"
    else:
        yield f"since={_day(100)}&until={_day(100)}"
        yield f"since={_day(300)}"


def _day(ago: int) -> str:
    from datetime import UTC, datetime, timedelta

    return (datetime.now(UTC) - timedelta(days=ago)).date().isoformat()


def _words() -> list[str]:
    from apps.interactions.models import Interaction

    row = Interaction.objects.select_related("session", "run", "user").order_by("pk")[100]
    ids = [row.session.public_id, row.run.public_id, row.public_id, row.user.public_id]
    return ["person00003", "person0000", "nobody", "ask_" + "0" * 32, *ids]


def _deep(admin: Any) -> Any:
    """Return a row far down the list: what would be page 500 and beyond."""
    rows = admin.model._default_manager.order_by(f"-{admin.time_field}", "-pk")
    return rows[25_000:25_001].first() or rows.last()


def timed(client: Any, path: str) -> Timed:
    """Ask for a page some times; the first time, which compiles templates and queries, does not count."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        status = client.get(path).status_code
    count, took, worked = len(queries), [], []
    for _round in range(ROUNDS):
        began, worked_before = time.perf_counter(), time.process_time()
        client.get(path)
        took.append((time.perf_counter() - began) * 1e3)
        worked.append((time.process_time() - worked_before) * 1e3)
    return Timed(path, min(took), max(took), max(worked), count, status)


def signed_in() -> Any:
    """Return the browser of a superuser."""
    from django.test import Client

    from apps.accounts.models import User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get_or_create(username="root", is_staff=True, is_superuser=True)[0])
    return client


def main() -> None:
    """Time every page and print the slowest."""
    import django

    django.setup()
    client = signed_in()
    client.get("/admin/")
    found = sorted((timed(client, path) for path in pages()), key=lambda each: -each.cpu_ms)
    for each in found[:40]:
        times = f"{each.best_ms:6.1f} {each.worst_ms:6.1f} {each.cpu_ms:6.1f}"
        print(f"{times} ms {each.queries:3d} queries {each.status} {each.path}")
    most = max(each.queries for each in found)
    print(f"{len(found)} pages; slowest {found[0].best_ms:.1f} ms ({found[0].cpu_ms:.1f} ms of work); most queries {most}")


if __name__ == "__main__":
    main()
