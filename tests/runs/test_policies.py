"""Policies of tools: the installation's is the floor, users and sessions only tighten, and what holds is looked up anew."""

from itertools import product
from typing import Any

import pytest
from django.db.models import Q

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import CapabilitySettings, Run
from apps.interactions.submissions import Submission
from apps.runs import services
from apps.runs.capabilities import capability_named
from apps.runs.errors import InvalidRequest
from apps.runs.policies import MAX_TOOLS, SETTINGS, toolbox_for
from apps.runs.settings_store import change_settings, settings_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.support.tools import Sending, mounted_in_chat, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return UserFactory()


@pytest.fixture(autouse=True)
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that sends."""
    return mounted_in_chat(Sending(), monkeypatch)


def what_holds(user: User, session_tools: dict[str, Any] | None = None) -> str:
    """Return what holds of the tool that sends for a run that starts now."""
    session = services.make_session(user)
    session.tools = session_tools or {}
    box, asking = toolbox_for(user.pk, capability_named("chat"), session, {})
    return asking["send"] if "send" in box.tools else "off"


def test_what_acts_outside_is_asked_for_and_what_computes_is_not(ada: User, tool: Sending) -> None:
    assert what_holds(ada) == "ask"
    tool.effect = "compute"  # type: ignore[assignment]
    assert what_holds(ada) == "never"


def test_what_writes_is_asked_for_unless_it_stays_in_the_workspace(ada: User, tool: Sending) -> None:
    tool.effect = "write"  # type: ignore[assignment]
    assert what_holds(ada) == "ask"
    tool.within_workspace = True  # type: ignore[attr-defined]
    assert what_holds(ada) == "never"


def test_what_does_not_declare_its_effect_is_asked_for(ada: User, tool: Sending) -> None:
    del tool.effect
    type(tool).effect, declared = "", type(tool).effect
    try:
        assert what_holds(ada) == "ask"
    finally:
        type(tool).effect = declared


@pytest.mark.parametrize(("floor", "own", "session"), list(product((None, *SETTINGS), repeat=3)))
def test_nobody_loosens_what_another_has_set(ada: User, floor: str | None, own: str | None, session: str | None) -> None:
    change_settings(None, {"chat": {"tools": {"send": floor}}})
    change_settings(ada, {"chat": {"tools": {"send": own}}})
    default = floor or "ask"
    expected = max((each for each in (default, own, session) if each), key=SETTINGS.index)
    assert what_holds(ada, {"send": session} if session else {}) == expected
    shown = max((each for each in (default, own) if each), key=SETTINGS.index)
    assert settings_of(ada)["chat"]["tools"]["send"] == shown


def test_a_setting_beside_the_capabilities_holds_in_each_of_them(ada: User) -> None:
    settings = change_settings(ada, {"tools": {"send": "off"}})
    assert settings["chat"]["tools"]["send"] == settings["solve"]["tools"]["send"] == "off"


@pytest.mark.parametrize("tools", [{"send": "sometimes"}, {"send": 1}, {"send": ["ask"]}, "ask", {"x" * 201: "ask"}])
def test_what_is_no_setting_of_a_tool_is_refused_and_nothing_changes(ada: User, tools: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        change_settings(ada, {"chat": {"tools": tools, "max_rounds": 3}})
    assert all(error.field.startswith("chat.tools") for error in refused.value.errors)
    assert settings_of(ada)["chat"]["max_rounds"] == 8


def test_many_settings_never_void_each_other(ada: User) -> None:
    many = {f"tool{number}": "ask" for number in range(MAX_TOOLS)}
    change_settings(None, {"chat": {"tools": {"send": "off"}}})
    with pytest.raises(InvalidRequest):
        change_settings(None, {"chat": {"tools": many}})
    assert what_holds(ada) == "off"
    CapabilitySettings.objects.filter(user=None).update(values={"tools": {**many, "send": "off"}})
    assert what_holds(ada) == "off"


def test_each_change_of_a_policy_is_on_record(ada: User) -> None:
    change_settings(None, {"chat": {"tools": {"send": "never"}}})
    change_settings(ada, {"chat": {"tools": {"send": "ask"}}})
    change_settings(ada, {"chat": {"tools": {"send": None}}})
    session = services.make_session(ada)
    services.change_session(ada, session.public_id, {"tools": {"send": "ask"}})
    records = AuditRecord.objects.filter(Q(kind="settings_changed"), summary__tool="send").order_by("at", "id")
    told = [(record.summary["subject"], record.summary["policy"]) for record in records]
    assert told == [("installation", "never"), ("user", "ask"), ("user", "default"), ("session", "ask")]


@pytest.mark.django_db(transaction=True)
def test_a_run_that_waits_meets_the_policy_of_the_day_on_which_it_goes_on(ada: User, tool: Sending) -> None:
    change_settings(None, {"chat": {"tools": {"send": "never"}}})
    question = {"id": "q", "name": "ask_user", "arguments": {"title": "Which?", "mode": "text"}}
    desk = Desk(ada, [{"calls": [question]}, {"calls": [send()]}, DONE])
    run = desk.asked()
    change_settings(None, {"chat": {"tools": {"send": "ask"}}})
    desk.answer()
    assert desk.drive(run).status == Run.Status.WAITING
    assert desk.card().kind == "approval"
    desk.answer(submission=Submission(decision="deny"))
    desk.drive(run)
    assert tool.sent == []
