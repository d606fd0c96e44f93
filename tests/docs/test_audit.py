"""docs/audit.md names every kind of record with all that it may hold, every fault, right, group and category."""

from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings

from apps.audit.catalogue import KINDS
from apps.audit.models import Retention
from apps.audit.retention import DEFAULT_DAYS
from apps.audit.verify import _SENTENCES, Problem
from apps.console.rights import ROLES, Right

TEXT = (Path(settings.BASE_DIR) / "docs" / "audit.md").read_text("utf-8")


def line_of(name: str) -> str:
    """Return the line of a table that begins with the name."""
    return next((line for line in TEXT.splitlines() if line.startswith(f"| `{name}` |")), "")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_record_is_listed_with_what_it_may_hold(kind: str) -> None:
    line = line_of(kind)
    assert {word for word in line.split("|")[3].split() if word != "–"} == {f"`{field}`" for field in KINDS[kind].fields}


def test_no_kind_is_listed_that_there_is_not() -> None:
    table = TEXT.partition("| kind | sentence |")[2].partition("\n\n")[0]
    listed = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert listed == list(KINDS)


@pytest.mark.parametrize("right", Right)
def test_each_right_is_listed_with_the_groups_that_have_it(right: Right) -> None:
    cells = [cell.strip() == "yes" for cell in line_of(right).split("|")[3:7]]
    assert cells == [right in rights for rights in ROLES.values()]


@pytest.mark.parametrize("problem", get_args(Problem))
def test_each_fault_is_explained(problem: Problem) -> None:
    assert f"`{_SENTENCES[problem]}`" in TEXT


@pytest.mark.parametrize("category", Retention.Category.values)
def test_each_category_of_retention_is_listed_with_its_default(category: str) -> None:
    assert line_of(category).split("|")[2].strip() == str(DEFAULT_DAYS[category])


def test_its_pictures_are_there_and_small() -> None:
    for name in ("dashboard", "timeline"):
        assert f"images/{name}.png" in TEXT
        assert (Path(settings.BASE_DIR) / "docs" / "images" / f"{name}.png").stat().st_size < 150_000
