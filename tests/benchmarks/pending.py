"""One user's pending questions beside thousands of paused sessions: time in the database and in all. One JSON line a size.

pending.py [--sizes 10 1000 10000] [--own 50] [--reps 100]: `own` questions wait for the user who asks, the rest for others.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def paused_session() -> str:
    """Ask one question as bob; return the session's id, which waits."""
    from apps.accounts.models import User
    from apps.providers.scripted import ScriptedModel
    from tests.factories.chat import make_run
    from tests.support.runs import asks, run_to_rest

    ask = {"id": "c1", "name": "ask_user", "arguments": {"title": "Which colour?", "mode": "text"}}
    run = make_run(User.objects.create(username="bob"), "Wait.")
    return str(run_to_rest(run, ScriptedModel({"default": [asks(ask)]})).session.public_id)


def measure(reps: int) -> dict[str, float]:
    """List ada's questions so often; return the medians in milliseconds."""
    from django.db import connection

    from apps.accounts.models import User
    from apps.interactions.events import card
    from apps.runs.selectors import pending_of

    ada, in_database, in_all = User.objects.get(username="ada"), [], []
    sql, params = pending_of(ada).query.sql_with_params()
    for _ in range(reps):
        with connection.cursor() as cursor:
            began = time.perf_counter()
            cursor.execute(sql, params)
            cursor.fetchall()
            in_database.append((time.perf_counter() - began) * 1e3)
        began = time.perf_counter()
        cards = [card(row) for row in pending_of(ada)]
        in_all.append((time.perf_counter() - began) * 1e3)
    medians = {"database_ms": statistics.median(in_database), "in_all_ms": statistics.median(in_all)}
    return {"cards": len(cards), **{name: round(value, 2) for name, value in medians.items()}}


def main() -> None:
    """Fill step by step, and measure at each size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])  # type: ignore[union-attr]
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 1000, 10_000])
    parser.add_argument("--own", type=int, default=50)
    parser.add_argument("--reps", type=int, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HANDRAISE_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from apps.accounts.models import User
        from tests.journeys.paused import copy_paused

        call_command("migrate", verbosity=0)
        session, there = paused_session(), 1
        User.objects.create(username="ada")
        copy_paused(session, args.own, "ada")
        for size in args.sizes:
            copy_paused(session, size - there, "bob")
            there = size
            print(json.dumps({"bench": "pending", "others": size, **measure(args.reps)}))
        connection.close()


if __name__ == "__main__":
    main()
