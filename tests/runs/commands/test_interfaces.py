"""Who can answer: interfaces register once, by name."""

import pytest

from apps.runs.interfaces import DuplicateProvider, can_ask, registered


def test_without_an_interface_asks_get_no_provider() -> None:
    assert can_ask() == "NO_PROVIDER"


def test_an_interface_counts_while_it_is_there() -> None:
    with registered("terminal"):
        assert can_ask() == ""
    assert can_ask() == "NO_PROVIDER"


def test_a_second_interface_of_the_same_name_is_refused() -> None:
    with registered("web"), pytest.raises(DuplicateProvider) as refused, registered("web"):
        pass
    assert refused.value.code == "DUPLICATE_PROVIDER"
