"""Settings of capabilities: ranges, whose values count, what a run keeps of them."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.agent.approvals import default_policy
from apps.audit.models import AuditRecord
from apps.chat.models import CapabilitySettings
from apps.runs.errors import InvalidRequest
from apps.runs.loading import empty_state
from apps.runs.services import NewRun, start_run
from apps.runs.settings_store import change_settings, settings_of
from apps.toolkit.tools import work_tools
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db
DEFAULTS = {
    "temperature": 0.3,
    "max_tokens": 8192,
    "max_rounds": 12,
    "max_replans": 2,
    "plan_review": "first",
    "enforcement": "strict",
    "prompt": {"en": "", "zh": ""},
    "tools": {tool.name: default_policy(tool) for tool in work_tools()} | {"delegate": "never"},
}


@pytest.fixture
def ada() -> User:
    return UserFactory()


def started(user: User, **parts: Any) -> Any:
    return start_run(user, NewRun("solve it", capability="solve", **parts)).run


def test_what_nobody_has_set_is_the_default(ada: User) -> None:
    assert settings_of(ada)["solve"] == DEFAULTS
    chat = settings_of(ada)["chat"]
    assert (chat["temperature"], chat["max_tokens"], chat["max_rounds"]) == (0.7, 8192, 8)
    assert "max_replans" not in chat


@pytest.mark.parametrize(
    ("key", "given", "kept"),
    [
        ("temperature", 3, 2.0),
        ("temperature", -1, 0.0),
        ("temperature", "0.5", 0.5),
        ("max_tokens", 0, 1),
        ("max_tokens", 10**9, 200_000),
        ("max_rounds", 99, 50),
        ("max_rounds", -3, 1),
        ("max_replans", 11, 10),
        ("max_replans", 0, 0),
        ("max_replans", -1, 0),
        ("plan_review", "every", "every"),
        ("enforcement", "advisory", "advisory"),
    ],
)
def test_numbers_out_of_range_are_clamped(ada: User, key: str, given: Any, kept: Any) -> None:
    assert change_settings(ada, {"solve": {key: given}})["solve"] == DEFAULTS | {key: kept}
    assert settings_of(ada)["solve"][key] == kept


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("temperature", "warm"),
        ("temperature", "NaN"),
        ("temperature", "Infinity"),
        ("temperature", True),
        ("max_tokens", []),
        ("max_tokens", 1.5),
        ("max_rounds", {}),
        ("max_replans", "many"),
        ("plan_review", "always"),
        ("plan_review", ["off"]),
        ("enforcement", 1),
        ("prompt", "text"),
        ("prompt", {"en": 5}),
        ("prompt", {"zh": "x" * 20_001}),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_is_changed(ada: User, key: str, given: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        change_settings(ada, {"solve": {key: given, "max_replans" if key != "max_replans" else "max_rounds": 5}})
    assert [error.field.startswith(f"solve.{key}") for error in refused.value.errors] == [True]
    assert not CapabilitySettings.objects.exists()


def test_unknown_keys_and_the_retired_one_are_dropped(ada: User) -> None:
    changed = change_settings(ada, {"solve": {"max_iterations_per_step": 3, "colour": "red"}, "nothing": {"x": 1}})
    assert changed["solve"] == DEFAULTS
    assert not CapabilitySettings.objects.exists()


def test_a_part_is_changed_and_null_takes_it_back(ada: User) -> None:
    change_settings(ada, {"solve": {"temperature": 1, "max_rounds": 5}})
    change_settings(ada, {"solve": {"temperature": None}})
    assert settings_of(ada)["solve"] == DEFAULTS | {"max_rounds": 5}


def test_a_users_own_values_stand_over_the_installations_and_beneath_its_maxima(ada: User) -> None:
    change_settings(None, {"solve": {"temperature": 0.1, "max_rounds": 20, "max_replans": 1}})
    assert settings_of(UserFactory())["solve"] == DEFAULTS | {"temperature": 0.1, "max_rounds": 20, "max_replans": 1}
    change_settings(ada, {"solve": {"temperature": 0.9, "max_rounds": 10, "max_replans": 5}})
    own = settings_of(ada)["solve"]
    assert (own["temperature"], own["max_rounds"], own["max_replans"]) == (0.9, 10, 1)
    run = started(ada, config={"max_replans": 9, "max_rounds": 50})
    assert (run.config["max_replans"], run.config["max_rounds"]) == (1, 20)


def test_a_bad_stored_value_falls_back_to_the_default(ada: User) -> None:
    CapabilitySettings.objects.create(user=ada, capability="deep_solve", values={"temperature": "warm", "max_rounds": 5})
    CapabilitySettings.objects.create(user=None, capability="deep_solve", values=["not", "an", "object"])
    assert settings_of(ada)["solve"] == DEFAULTS | {"max_rounds": 5}


def test_a_run_keeps_the_settings_that_it_was_started_with(ada: User) -> None:
    change_settings(ada, {"solve": {"max_replans": 1, "plan_review": "every"}})
    run = started(ada, config={"enforcement": "advisory"})
    change_settings(ada, {"solve": {"max_replans": 5, "plan_review": "off"}})
    memory = empty_state(run).memory
    assert (memory.replans_max, memory.review, memory.is_strict) == (1, "every", False)


def test_without_settings_a_run_keeps_only_what_it_was_given(ada: User) -> None:
    assert started(ada, config={"max_rounds": 3}).config == {"max_rounds": 3}


@pytest.mark.parametrize("key", ["max_replans", "plan_review", "enforcement"])
def test_a_chat_takes_no_setting_of_deep_solve(ada: User, key: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        start_run(ada, NewRun("hello", config={key: "off"}))
    assert refused.value.errors[0].field == f"config.{key}"


def test_where_nobody_can_be_asked_a_setting_does_not_open_a_review_but_the_run_may_insist(ada: User) -> None:
    change_settings(ada, {"solve": {"plan_review": "every"}})
    assert started(ada, can_ask="NO_PROVIDER").config["plan_review"] == "off"
    assert started(ada, can_ask="NO_PROVIDER", config={"plan_review": "first"}).config["plan_review"] == "first"


def test_a_prompt_of_ones_own_replaces_the_packaged_block_of_that_language(ada: User) -> None:
    change_settings(ada, {"solve": {"prompt": {"en": "Be brief and exact."}}})
    english, chinese = started(ada), started(ada, language="zh")
    assert empty_state(english).system.endswith("\n\nBe brief and exact.")
    assert "solve_plan" not in empty_state(english).system
    assert "solve_plan" in empty_state(chinese).system
    change_settings(ada, {"solve": {"prompt": {"zh": "简短而准确。"}}})
    assert settings_of(ada)["solve"]["prompt"] == {"en": "Be brief and exact.", "zh": "简短而准确。"}
    change_settings(ada, {"solve": {"prompt": {"en": ""}}})
    assert "solve_plan" in empty_state(started(ada)).system


def test_the_installations_prompt_holds_for_all_and_a_users_own_over_it(ada: User) -> None:
    change_settings(None, {"solve": {"prompt": {"en": "House rules."}}})
    assert empty_state(started(ada)).system.endswith("House rules.")
    change_settings(ada, {"solve": {"prompt": {"en": "My rules."}}})
    assert empty_state(started(ada)).system.endswith("My rules.")


def test_every_change_is_audited_by_name_and_no_value_or_prompt_is_in_it(ada: User) -> None:
    change_settings(ada, {"solve": {"prompt": {"en": "MY-SECRET-42"}, "temperature": 0.5}})
    change_settings(ada, {"solve": {"temperature": 0.5}})
    record = AuditRecord.objects.get(kind="settings_changed")
    assert record.summary == {"subject": "user", "capability": "solve", "names": ["prompt", "temperature"]}
    assert "MY-SECRET-42" not in str(AuditRecord.objects.values())
