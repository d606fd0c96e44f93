"""Files of tools over HTTP: handed out to their owner as attachments, with types that no browser runs."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.interactions.models import Interaction
from apps.runs.erasing import erase_session, workspace_of
from apps.toolkit.models import Artifact
from tests.api.caller import Caller, problem
from tests.factories.chat import make_card
from tests.factories.files import PIXEL, make_artifact
from tests.runs.living import no_files_left  # noqa: F401 - a fixture for every test here


@pytest.fixture
def card(ada: User) -> Interaction:
    """A question of ada's, whose call has files."""
    return make_card(ada)


def path(row: Artifact) -> str:
    return f"/api/artifacts/{row.public_id}"


def test_a_file_is_an_attachment_under_its_name_that_runs_nowhere(card: Interaction, api: Caller) -> None:
    response = api.get(path(make_artifact(card.call, "sub/报告 1.pdf", b"%PDF-")))
    assert (response.status_code, response.content) == (200, b"%PDF-")
    assert response["Content-Disposition"] == "attachment; filename*=utf-8''%E6%8A%A5%E5%91%8A%201.pdf"
    assert response["Content-Type"] == "application/pdf"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("a.png", "image/png"), ("a.csv", "text/csv; charset=utf-8"), ("a.md", "text/plain; charset=utf-8")]
    + [(name, "application/octet-stream") for name in ("a.svg", "a.html", "a", "a.npz")],
)
def test_the_type_is_one_that_no_browser_runs(card: Interaction, api: Caller, name: str, media_type: str) -> None:
    assert api.get(path(make_artifact(card.call, name)))["Content-Type"] == media_type


def test_a_picture_is_answered_to_a_page_that_shows_it(card: Interaction, ada: User) -> None:
    browser = Client()
    browser.force_login(ada)
    response = browser.get(path(make_artifact(card.call, "a.png", PIXEL)), headers={"Accept": "image/avif,image/webp,*/*;q=0.8"})
    assert (response.status_code, response.content) == (200, PIXEL)
    assert browser.head(path(Artifact.objects.get())).status_code == 200


def test_nothing_of_it_is_changed_here(card: Interaction, api: Caller) -> None:
    row = make_artifact(card.call)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        problem(api.send(method, path(row), {}), "method_not_allowed")


@pytest.mark.parametrize("odd", ["x", "art_" + "f" * 300, "%00", "art_%F0%9F%98%80", "sess_" + "0" * 32])
def test_a_malformed_id_is_an_unknown_one(odd: str, api: Caller) -> None:
    problem(api.get(f"/api/artifacts/{odd}"), "not_found")


def test_what_was_erased_is_gone_to_its_owner_and_unknown_to_others(card: Interaction, api: Caller, bobs: Caller) -> None:
    row = make_artifact(card.call)
    erase_session(card.session)
    problem(api.get(path(row)), "gone")
    problem(bobs.get(path(row)), "not_found")


def test_what_lies_in_its_place_is_handed_out_only_if_it_is_a_plain_file(card: Interaction, api: Caller) -> None:
    row = make_artifact(card.call)
    place = workspace_of(card.session.public_id) / row.path
    place.unlink()
    problem(api.get(path(row)), "gone")
    place.symlink_to("/etc/passwd")
    problem(api.get(path(row)), "gone")
