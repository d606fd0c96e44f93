"""Who comes in at which address, and that nobody changes history: every address of the console, in every role."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from apps.accounts.models import ApiToken
from apps.audit.models import AuditRecord
from apps.common.clock import database_now
from apps.console.rights import ROLES
from apps.interactions.models import Interaction
from apps.solve.models import SolvePlan
from tests.console.addresses import ADDRESSES, HISTORY, ROLE_NAMES, Address
from tests.console.conftest import OWN, SignIn, Story, role_group, staff
from tests.factories.accounts import token_text
from tests.factories.sources import make_source


def declared() -> set[str]:
    """Return the addresses below /admin/ as they are declared."""

    def walk(resolver: Any, before: str) -> Iterator[str]:
        for each in resolver.url_patterns:
            address = before + str(each.pattern)
            if hasattr(each, "url_patterns"):
                yield from walk(each, address)
            else:
                yield address

    return {address.removeprefix("admin/") for address in walk(get_resolver(), "") if address.startswith("admin/")}


def test_every_address_of_the_console_stands_in_the_table() -> None:
    known = {address.pattern for address in ADDRESSES}
    unknown = {address for address in declared() if address not in known and not address.startswith("^(?P<app_label>")}
    assert unknown == set()


@pytest.fixture
def names(story: Story) -> dict[str, str]:
    """Return the ids that stand in the table's addresses."""
    role_group("operator")
    token_text(story.user)
    plan = SolvePlan.objects.create(
        run=story.run, version=1, status="done", replans_used=0, replans_max=2, created_at=database_now()
    )
    return {
        "session": story.session.public_id,
        "run": story.run.public_id,
        "answered": story.answered.public_id,
        "open": story.open.public_id,
        "plan": f"{story.run.public_id}.{plan.version}",
        "source": make_source(story.session).public_id,
        "token": ApiToken.objects.get(user=story.user).public_id,
        "user": story.user.public_id,
    }


def send(client: Client, address: Address, names: dict[str, str]) -> Any:
    """Send the request of a line of the table."""
    path = "/admin/" + address.path.format(**names)
    return client.post(path, address.body) if address.method == "POST" else client.get(path)


@contextmanager
def undone() -> Iterator[None]:
    """Take back what the block did: no line of the table stands in the way of the next."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def answers(client: Client, names: dict[str, str]) -> Iterator[tuple[Address, Any]]:
    """Send every line of the table, each to the same state of things."""
    cookies = client.cookies.copy()
    for address in ADDRESSES:
        with undone():
            answer = send(client, address, names)
            # What streams holds a file or a query open until it was read.
            answer.text_sent = b"".join(answer.streaming_content) if answer.streaming else answer.content
            yield address, answer
        client.cookies.update(cookies)


@pytest.mark.parametrize("role", [*ROLE_NAMES, "superuser"])
def test_each_role_gets_what_the_table_says(role: str, signed_in: SignIn, names: dict[str, str]) -> None:
    client = signed_in(role)
    wrong = [
        f"{address}: {answer.status_code}, not {address.expected(role)}"
        for address, answer in answers(client, names)
        if answer.status_code != address.expected(role)
    ]
    assert wrong == []


def test_whoever_is_not_staff_sees_nothing_of_it(signed_in: SignIn, names: dict[str, str]) -> None:
    found = {str(address): answer.status_code for address, answer in answers(signed_in("person"), names)}
    assert {address for address, status in found.items() if status != 403} == {"GET login/"}


@pytest.mark.parametrize(("role", "is_led"), [("person", False), ("none", False), *((role, True) for role in ROLES)])
def test_the_chat_leads_to_the_console_whoever_has_a_right_there(role: str, is_led: bool, signed_in: SignIn) -> None:
    assert ('href="/admin/"' in signed_in(role).get("/new/").content.decode()) is is_led


def test_a_stranger_is_led_to_the_products_own_sign_in_page(signed_in: SignIn, names: dict[str, str]) -> None:
    for address, answer in answers(signed_in(""), names):
        assert answer.status_code == 302, str(address)
        assert answer["Location"].startswith("/sign-in/?next=/admin/"), str(address)


@pytest.mark.parametrize("role", ["auditor", "operator"])
def test_h75_nobody_without_the_right_finds_a_persons_own_text_anywhere(
    role: str, signed_in: SignIn, names: dict[str, str]
) -> None:
    for address, answer in answers(signed_in(role), names):
        assert OWN.encode() not in answer.text_sent, str(address)


WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
HISTORY_TABLES = ("audit_auditrecord", "interactions_interaction", "chat_", "solve_", "events_event")


def changes_of_history(queries: CaptureQueriesContext) -> list[str]:
    """Return the statements that wrote to a table of history."""
    written = [query["sql"] for query in queries if query["sql"].startswith(WRITES)]
    return [sql for sql in written if any(table in sql.split("WHERE")[0] for table in HISTORY_TABLES)]


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_h73_no_stock_address_changes_history_even_for_superusers(method: str, root: Client, names: dict[str, str]) -> None:
    forms = [{}, {"post": "yes"}, {"action": "delete_selected", "_selected_action": "1", "index": "0", "select_across": "1"}]
    for model, reference in HISTORY.items():
        for page in (
            "",
            "add/",
            f"{reference}/change/",
            f"{reference}/delete/",
            f"{reference}/history/",
            "1/change/",
            "1/delete/",
        ):
            address = f"/admin/{model}/{page.format(**names)}"
            for body in forms if method == "post" else forms[:1]:
                with CaptureQueriesContext(connection) as queries:
                    answer = getattr(root, method)(address, body if method == "post" else None)
                assert changes_of_history(queries) == [], address
                if method != "get":
                    assert answer.status_code == 403, address


@pytest.mark.parametrize("model", HISTORY)
def test_h73_no_list_or_page_offers_to_add_save_or_delete(model: str, root: Client, names: dict[str, str]) -> None:
    for page in ("", f"{HISTORY[model]}/change/"):
        text = root.get(f"/admin/{model}/{page.format(**names)}").content.decode()
        for offer in ("_save", "addlink", "deletelink", "delete_selected", "action-select", 'name="action"'):
            assert offer not in text


def test_a_staff_user_with_every_model_permission_cannot_change_history_either(names: dict[str, str]) -> None:
    everything = staff("none")
    everything.user_permissions.set(Permission.objects.all())
    client = Client()
    client.force_login(everything)
    rows = (AuditRecord.objects.count(), Interaction.objects.count())
    for address in ADDRESSES:
        if not address.rights and address.method == "POST":
            with undone():
                assert send(client, address, names).status_code == 403, str(address)
    assert (AuditRecord.objects.count(), Interaction.objects.count()) == rows


def test_no_integer_key_stands_in_an_address_of_a_list(root: Client, names: dict[str, str]) -> None:
    for model in (*HISTORY, "accounts/user", "auth/group"):
        text = root.get(f"/admin/{model}/").content.decode()
        assert not re.search(rf'href="/admin/{model}/[0-9]+/', text), model


def test_staff_without_any_right_are_not_told_what_there_is(signed_in: SignIn, names: dict[str, str]) -> None:
    client = signed_in("none")
    known, unknown = (
        client.get(f"/admin/interactions/interaction/{ident}/change/") for ident in (names["answered"], "ask_" + "0" * 32)
    )
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)


def test_signing_out_of_the_console_is_on_record(root: Client) -> None:
    assert root.post("/admin/logout/").status_code == 302
    assert AuditRecord.objects.latest("id").kind == "signed_out"
    assert root.get("/admin/").status_code == 302
